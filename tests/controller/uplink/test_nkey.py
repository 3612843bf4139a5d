"""A table's key at the broker, in the form that NATS gave it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.uplink.nkey import BadSeed, read_broker_key, seed_text

SEED = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
PUBLIC = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
"""The pair that the documentation of NATS shows."""


def test_the_pair_of_the_documentation_belongs_together(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(SEED + "\n")
    assert read_broker_key(tmp_path / "key").public == PUBLIC


def test_a_seed_is_written_as_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(seed_text(bytes(range(32))))
    assert read_broker_key(tmp_path / "key").public.startswith("U")


@pytest.mark.parametrize("text", ["", "S", SEED[:-1] + "A", SEED[:-3], PUBLIC, "not base32 at all!"])
def test_anything_else_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    with pytest.raises(BadSeed, match="tablectl evidence broker-key"):
        read_broker_key(tmp_path / "key")
