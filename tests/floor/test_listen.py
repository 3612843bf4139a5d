"""A floor hears every row of every table once, whoever is killed; and it bears witness to them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from controller.journal.cosignature import read_witness_key
from controller.journal.head import read_note
from controller.uplink import broker, link
from floor import listen, presence
from floor.store.check import checked
from floor.store.database import opened
from floor.store.rebuild import forget
from lab.floor.server import NatsServer
from tests.floor.running import FloorProcess, floor_file, listening, sizes
from tests.floor.tables import findings
from tests.uplinks import CutLine, Writer, until


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "AGAIN_S", (0.02, 0.05))
    monkeypatch.setattr(link, "PARTED_S", 0.2)
    monkeypatch.setattr(broker, "ANSWER_S", 1.0)
    monkeypatch.setattr(listen, "AGAIN_S", 0.1)


def expected(*tables: Writer) -> dict[str, int]:
    return {one.journal.origin: one.journal.last_seq for one in tables}


def test_killed_again_and_again_it_has_every_row_once_and_countersigns_them(server: NatsServer, tmp_path: Path) -> None:
    line = CutLine(server.port, seed=5, most=60_000)
    tables = [Writer(tmp_path, line.url if number else server.url, f"T{number}") for number in range(3)]
    path = floor_file(tmp_path, server, *tables)
    floor = FloorProcess(path)
    for number in range(4):
        for one in tables:
            one.write(60)
            if number == 0:
                one.connect()
        until(lambda: sum(sizes(tmp_path).values()) > number * 100)  # noqa: B023 - called before the next pass
        floor.kill()
        if number == 1:
            server.kill()
            server.start()
        for one in tables:
            one.write(20)
        floor = FloorProcess(path)
    line.breaks = False
    until(lambda: sizes(tmp_path) == expected(*tables), 40)
    assert floor.stop() == 0
    for one in tables:
        one.close()
    line.close()
    engine = opened(f"sqlite:///{tmp_path / 'floor.db'}")
    assert {(one.rows, one.wrong) for one in checked(engine)} == {(320, "")}
    assert findings(engine) == {}
    engine.dispose()


def test_what_the_floor_countersigned_comes_back_to_the_table(server: NatsServer, tmp_path: Path) -> None:
    table = Writer(tmp_path, server.url)
    path = floor_file(tmp_path, server, table)
    witness = read_witness_key(tmp_path / "floor.key").public
    table.section = type(table.section)((server.url,), witness=witness.text())
    with listening(path) as floor:
        table.write(100)
        table.connect()
        until(lambda: table.uplink.witnessed is not None and table.uplink.witnessed.size == 96)
        kept = read_note(table.uplink.keeps.read_text("utf-8"))
        assert witness.signed(kept)
        table.journal.prove(kept.head)
        assert floor.intake.newest()[0].text == kept.text()
    table.close()


def test_a_table_put_back_to_an_earlier_time_is_found_at_once(server: NatsServer, tmp_path: Path) -> None:
    table = Writer(tmp_path, server.url)
    table.write(50)
    table.journal.close()
    shutil.copy(table.path, tmp_path / "backup")
    table = Writer(tmp_path, server.url)
    path = floor_file(tmp_path, server, table)
    with listening(path) as floor:
        table.write(50)
        table.connect()
        until(lambda: sizes(tmp_path) == expected(table))
        table.close()
        for each in tmp_path.glob("T1.sqlite*"):
            each.unlink()
        shutil.copy(tmp_path / "backup", table.path)
        again = Writer(tmp_path, server.url)
        again.connect()
        until(lambda: "rolled_back" in findings(floor.engine))
        assert again.uplink.sign.state == "parted"
        again.close()


def test_a_table_that_falls_silent_is_missed_until_it_is_heard_again(
    server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "SILENT_S", 0.5)
    monkeypatch.setattr(listen, "WAIT_S", 0.1)
    table = Writer(tmp_path, server.url)
    with listening(floor_file(tmp_path, server, table)) as floor:
        table.write(5)
        table.connect()
        until(lambda: sizes(tmp_path) == expected(table))
        table.disconnect()
        until(lambda: "silent" in findings(floor.engine))
        table.connect()
        until(lambda: "silent" not in findings(floor.engine))
    table.close()


def test_two_journals_under_one_name_at_once_are_told(server: NatsServer, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first, second = Writer(tmp_path, server.url), Writer(tmp_path / "other", server.url)
    with listening(floor_file(tmp_path, server, first)) as floor:
        for one in (first, second):
            one.write(5)
            one.connect()
        until(lambda: {"two", "new_journal"} <= set(findings(floor.engine)))
    first.close()
    second.close()


def test_a_store_begun_anew_hears_the_same_again_from_the_stream(server: NatsServer, tmp_path: Path) -> None:
    table = Writer(tmp_path, server.url)
    path = floor_file(tmp_path, server, table)
    with listening(path):
        table.write(100)
        table.connect()
        until(lambda: sizes(tmp_path) == expected(table))
    engine = opened(f"sqlite:///{tmp_path / 'floor.db'}")
    assert forget(engine) == 100
    assert sizes(tmp_path) == {}
    engine.dispose()
    with listening(path) as floor:
        until(lambda: sizes(tmp_path) == expected(table))
        assert findings(floor.engine) == {}
    table.close()
