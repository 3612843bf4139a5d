"""A secret of each kind, planted in a table that fails, is found in nothing that it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.proofs.redteam import secrets


@pytest.mark.parametrize("json", [True, False], ids=["under a service", "in a terminal"])
def test_no_secret_is_written_down_when_things_fail(tmp_path: Path, json: bool) -> None:
    faults, told = secrets.planted(tmp_path, json)
    assert faults == 5
    assert told == []


def test_the_search_finds_each_kind(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(f"{secrets.PIN} {secrets.NAME} {secrets.CARD} {secrets.KEY.hex()} {secrets.FACE}")
    assert secrets.found(tmp_path, "") == [f"{kind} in x" for kind in secrets.SECRETS]
