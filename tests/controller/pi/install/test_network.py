"""What network an installed table is given."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.config.file import check_config
from controller.pi.install.network import allowed, drop_in
from tests.standing import EXAMPLE

# --- network and readiness -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ["localhost"]),
        ({'port = "usb:1209:7ab1"': 'port = "tcp://192.168.7.20:9000"'}, ["localhost", "192.168.7.20"]),
        ({'port = "usb:1209:7ab1"': 'port = "tcp://mat.example:9000"'}, ["any"]),
    ],
)
def test_the_service_reaches_only_what_is_configured(
    tmp_path: Path, change: dict[str, str], expected: list[str]
) -> None:
    text = EXAMPLE.read_text("utf-8")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "table.toml").write_text(text, "utf-8")
    config = check_config(tmp_path / "table.toml")
    assert allowed(config) == expected
    assert f"IPAddressAllow={' '.join(expected)}\n" in drop_in(config)
    assert "IPAddressAllow=localhost\n" in drop_in(None)
    others = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, web="0.0.0.0:8642"))
    assert allowed(others) == ["any"], "pages for other machines are asked for by other machines"
