"""The floor over a house of machines: made before its tables, which need its key."""

from __future__ import annotations

from controller.journal.cosignature import read_witness_key
from floor.config import read_floor
from lab.fleet.floor import FleetFloor


def test_a_floor_has_its_file_and_its_key_before_any_table_is_made(tmp_path) -> None:
    floor = FleetFloor(tmp_path, "nats://127.0.0.1:1")
    assert read_witness_key(tmp_path / "floor.key").public.text() == floor.public.text()
    assert read_floor(floor.file).broker.servers == ("nats://127.0.0.1:1",)
    assert floor.words("status", "--json") == ["fleet", "status", "--config", str(floor.file), "--json"]
    floor.stop()  # it never ran
