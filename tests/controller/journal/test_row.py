"""Rows carry the number of their form: what the version before wrote is read on, what is unknown is refused in words.

The files in `journals` were written by the version before rows had a number: one shift of each game that was stopped in
order, and one that was left in the middle of a round; those in its folders by the last version that wrote that form.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from pytest_mock import MockerFixture

from controller.commands import main
from controller.commands.journal import started_config
from controller.config.kept import plain
from controller.core.desk import Desk
from controller.core.events import Started, Stopped
from controller.core.guarded import SAVED_FORM, GuardedTable, SteadySaved
from controller.core.runtime import recover
from controller.devices import opened
from controller.journal import row as record
from controller.journal.file import GENESIS, SCHEMA, Entry, JournalFile, JournalTrouble, chained
from controller.journal.packed import unpack
from controller.money.dress import ChipRegister
from controller.pi.evidence import GamingDay, export_day, verify_export
from controller.pi.install.ready import why_not
from controller.report import report
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import play_rounds, shift_for

GAMES = ("wheel", "war", "poker")
BEFORE = Path(__file__).parent / "journals"
FOLDERS = {"": 1, "form2/": 2, "form3/": 3, "form4/": 4}
"""Where the journals of each form are, and the schema they have."""
OLD = [f"{folder}{game}-{left}" for folder in FOLDERS for game in GAMES for left in ("stopped", "midplay")]


def schema_before(name: str) -> str:
    return str(FOLDERS[name.rpartition("/")[0] + "/" if "/" in name else ""])


def unpacked(name: str, folder: Path) -> Path:
    path = folder / "table.sqlite"
    path.write_bytes(gzip.decompress((BEFORE / f"{name}.sqlite.gz").read_bytes()))
    return path


def tablectl(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def schema(path: Path) -> str | None:
    return JournalFile.read_only(path).meta("schema")


def forms(path: Path) -> list[int]:
    return [json.loads(row.body).get("form", 1) for row in JournalFile.read_only(path).rows()]


@pytest.mark.parametrize("name", OLD)
def test_a_journal_of_the_version_before_is_shown_verified_and_exported(name: str, tmp_path: Path) -> None:
    path = unpacked(name, tmp_path)
    before = path.read_bytes()
    events = JournalFile.read_only(path).last_seq
    shown = tablectl("journal", "show", path, "--json")
    assert [json.loads(line)["seq"] for line in shown.output.splitlines()] == [*range(1, events + 1)]
    assert "Started" in tablectl("journal", "show", path).output
    assert json.loads(tablectl("journal", "verify", path, "--json").output) == {
        "ok": True,
        "events": events,
        "proved": 0,
    }
    exported = [json.loads(line) for line in tablectl("journal", "export", path).output.splitlines()]
    assert len(exported) == events
    assert exported[0]["event"]["type"] == "Started"
    settlements = tablectl("journal", "export", path, "--format", "csv").output.splitlines()
    assert settlements[0].startswith("event,time,round,outcome,wager")
    assert len(settlements) > 1
    assert tablectl("journal", "rounds", path).output.startswith("Round 1:")
    assert path.read_bytes() == before
    assert schema(path) == schema_before(name)


@pytest.mark.parametrize("name", OLD)
def test_a_gaming_day_of_the_version_before_is_reported_and_kept_as_evidence(name: str, tmp_path: Path) -> None:
    path = unpacked(name, tmp_path)
    file = JournalFile.read_only(path)
    first = next(file.rows(1)).at
    assert report(file.rows(), first, file.last_at + 1).rounds >= 1
    gaming = GamingDay(datetime.fromtimestamp(first / 1000, UTC).date(), time(0), UTC)
    day = export_day(file, gaming, tmp_path, gaming.end)
    assert verify_export(Path(day.file)).last == file.last_seq


@pytest.mark.parametrize("name", [name for name in OLD if name.endswith("stopped")])
def test_a_table_goes_on_where_the_version_before_was_stopped_in_order(name: str, tmp_path: Path) -> None:
    path = unpacked(name, tmp_path)
    file = JournalFile.read_only(path)
    config, old = started_config(file), file.last_seq
    file.close()
    play_rounds(config, path, 7, 2, shift_for(config))
    assert JournalFile.read_only(path).verify() > old
    found = forms(path)
    assert set(found[:old]) == {int(schema_before(name))}
    assert set(found[old:]) == {record.FORM}
    assert schema(path) == str(SCHEMA)
    assert tablectl("journal", "replay", path).exit_code == 0


@pytest.mark.parametrize("name", [name for name in OLD if name.endswith("midplay")])
def test_a_round_that_the_version_before_left_is_gone_on_with_only_if_it_gives_the_same(
    name: str, tmp_path: Path
) -> None:
    path = unpacked(name, tmp_path)
    file = JournalFile.read_only(path)
    config, old = started_config(file), file.last_seq
    guarded, journal = GuardedTable(config), JournalFile.open(path, config.table.name)
    assert recover(guarded, journal) == old
    assert not guarded.table.game.idle()
    journal.close()
    assert schema(path) == schema_before(name)


@pytest.mark.parametrize("name", [name for name in OLD if name.endswith("midplay")])
def test_a_round_left_in_a_crash_is_played_on_when_what_it_says_was_lifted(
    name: str, tmp_path: Path, mocker: MockerFixture
) -> None:
    """As if this version called something else by its name: the old word is gone from the code."""
    path = unpacked(name, tmp_path)
    with sqlite3.connect(path) as connection:
        bodies = connection.execute("SELECT seq, at, body FROM entries ORDER BY seq").fetchall()
        previous = GENESIS
        for seq, at, body in bodies:
            body = body.replace(b'"type":"Started"', b'"type":"Begun"')
            previous = chained(previous, seq, at, body)
            connection.execute("UPDATE entries SET body = ?, hash = ? WHERE seq = ?", (body, previous, seq))
        connection.execute("DELETE FROM snapshots")
    connection.close()

    def lift(facts: dict[str, Any]) -> dict[str, Any]:
        if facts["event"]["type"] == "Begun":
            facts["event"]["type"] = "Started"
        return facts

    own = record.LIFTS[3]
    mocker.patch.dict(record.LIFTS, {1: lift, 2: lift, 3: lambda facts: own(lift(facts)), 4: lift})
    config = started_config(JournalFile.read_only(path))
    guarded, journal = GuardedTable(config), JournalFile.open(path, config.table.name)
    assert recover(guarded, journal) == journal.last_seq
    journal.append([Entry(journal.last_at, record.encode(record.Record(Stopped(), form=record.FORM)))])
    assert journal.verify() == journal.last_seq
    journal.close()


def test_a_row_that_cannot_be_lifted_is_found_before_the_switch_and_not_after_it(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    path = unpacked("wheel-midplay", tmp_path)
    config = started_config(JournalFile.read_only(path))
    config = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, journal=str(path)))
    mocker.patch("controller.pi.install.ready.check_config", return_value=config)
    assert why_not(tmp_path / "table.toml") == ""

    def lift(facts: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("nothing today is what it says")

    mocker.patch.dict(record.LIFTS, {1: lift})
    assert "event 1 cannot be read (it is written in form 1 and cannot be lifted" in why_not(tmp_path / "table.toml")
    assert schema(path) == "1"


def test_a_round_left_by_the_version_before_that_gives_something_else_now_stays_its_own(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    path = unpacked("wheel-midplay", tmp_path)
    config = started_config(JournalFile.read_only(path))
    mocker.patch.object(Desk, "note")
    with pytest.raises(
        JournalTrouble, match=r"event 1 gives other conclusions now.* stop it in order, then start this"
    ):
        opened(config, path, VirtualClock(0), ChipRegister({}))
    assert schema(path) == "1"
    assert tablectl("journal", "verify", path).exit_code == 0


def test_every_row_carries_its_number_and_the_chain_covers_it(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    play_rounds(default_config("wheel"), path, 1, 1, shift_for(default_config("wheel")))
    assert set(forms(path)) == {record.FORM}
    assert schema(path) == str(SCHEMA)
    with sqlite3.connect(path) as connection:
        old, new = f'"form":{record.FORM}', '"form":1'
        connection.create_function("text", 1, lambda body: unpack(body).decode())
        sql = "UPDATE entries SET body = CAST(replace(text(body), ?, ?) AS BLOB) WHERE seq = 5"
        connection.execute(sql, (old, new))
    with pytest.raises(JournalTrouble, match="event 5 was altered"):
        JournalFile.read_only(path).verify()


NEWER = b'{"event":{"type":"FromTomorrow"},"effects":[],"form":9}'
SAME_WORDS = b'{"event":{"type":"Stopped"},"form":9}'
REFUSED = (
    "event 1 cannot be read: it is written in form 9, and this program knows 1, 2, 3, 4 and 5: "
    "use the version that wrote it"
)


@pytest.mark.parametrize("body", [NEWER, SAME_WORDS])
def test_a_row_in_an_unknown_form_is_refused_in_words_that_say_what_to_do(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    file = JournalFile.open(path, "T1")
    file.append([Entry(5, body)])
    file.close()
    for words in (("show", path), ("export", path), ("export", path, "--format", "csv"), ("rounds", path)):
        done = tablectl("journal", *words)
        assert done.exit_code == 2, words
        assert REFUSED in done.output.replace("\n", " "), words
    with pytest.raises(JournalTrouble, match="written in form 9"):
        recover(GuardedTable(default_config()), JournalFile.read_only(path))
    with pytest.raises(JournalTrouble, match="written in form 9"):
        report(JournalFile.read_only(path).rows(), 0, 10)
    assert JournalFile.read_only(path).verify() == 1


def test_a_row_of_something_that_this_version_no_longer_knows_is_still_shown_and_exported(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    file = JournalFile.open(path, "T1")
    file.append([Entry(5, b'{"event":{"type":"LongGone","how":"so"}}')])
    file.close()
    assert "LongGone         how=so" in tablectl("journal", "show", path).output
    assert json.loads(tablectl("journal", "export", path).output)["event"]["how"] == "so"
    with pytest.raises(JournalTrouble, match=r"event 1 cannot be read .* written by another version"):
        recover(GuardedTable(default_config()), JournalFile.read_only(path))


def test_a_snapshot_in_an_unknown_form_is_refused_in_words(tmp_path: Path) -> None:
    table = GuardedTable(default_config())
    table.apply(1, Started("test", plain(table.config)))
    saved = msgspec.json.decode(table.save(), type=SteadySaved)
    newer = msgspec.json.encode(msgspec.structs.replace(saved, form=SAVED_FORM + 1))
    file = JournalFile.open(tmp_path / "table.sqlite", "T1")
    file.append([Entry(1, record.encode(record.Record(Started("test", plain(table.config)))), newer)])
    with pytest.raises(JournalTrouble, match=r"stood after event 1 cannot be read .*form 2.* stop it in order"):
        recover(GuardedTable(default_config()), file)
