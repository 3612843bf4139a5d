"""A table plays by the edition in force, from the next start while it is closed; every round names its own."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from pytest_mock import MockerFixture

from controller import games, rules
from controller.app import tell_when_due
from controller.build import build_table
from controller.config.kept import plain
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.core.effects import Moved
from controller.core.events import Started
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime
from controller.devices import inline
from controller.games.poker.offers import poker_rules
from controller.games.war.rules import war_rules
from controller.games.wheel.rules import wheel_rules
from controller.journal.file import JournalFile
from controller.journal.rounds import Recall, last_rounds
from controller.journal.row import Record, read
from controller.money.dress import ChipRegister
from controller.people import Person
from controller.rules import amended, rulebook
from controller.rules.rulebook import load_rulebook, rulebook_ids
from drivers.cards import CardDrawn
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.devices import opened
from lab.sim.summary import Shift
from lab.sim.table import play_rounds, shift_for
from tests.controller.rules.amendments import AMENDMENT, BOOK, amended_file
from tests.standing import tablectl

PAST, COMING = "2020-01-01T06:00:00+11:00", "2037-02-01T06:00:00+11:00"
NOW = round(datetime.fromisoformat("2030-01-01T00:00:00+00:00").timestamp() * 1000)


def table_in(folder: Path) -> TableConfig:
    config = default_config("war")
    table = msgspec.structs.replace(config.table, journal=str(folder / "table.db"))
    return msgspec.structs.replace(config, table=table)


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    return table_in(tmp_path)


def given(config: TableConfig, effective: str, version: str = "5.1") -> str:
    """Take in an edition; its name."""
    file = amended_file(Path(config.table.journal).parent / "came", effective, version)
    return amended.take_in(config, file).name


def test_without_amendments_the_carried_edition_is_played_by(config: TableConfig) -> None:
    assert amended.at_start(config, BOOK, True, NOW) == amended.Choice(config, None)


def test_a_closed_table_comes_up_under_the_newest_edition_in_force(config: TableConfig) -> None:
    given(config, "2019-01-01T06:00:00+11:00", "5.1")
    newest = given(config, PAST, "5.2")
    assert amended.at_start(config, BOOK, True, NOW).config.table.rulebook == newest


def test_an_edition_waits_for_its_time(config: TableConfig) -> None:
    name = given(config, COMING)
    choice = amended.at_start(config, BOOK, True, NOW)
    assert choice.config.table.rulebook == BOOK
    assert choice.waiting is not None
    assert choice.waiting.name == name


def test_a_table_that_stands_open_stays_with_its_edition(config: TableConfig) -> None:
    name = given(config, PAST)
    choice = amended.at_start(config, BOOK, False, NOW)
    assert choice.config.table.rulebook == BOOK
    assert choice.waiting is not None
    assert choice.waiting.name == name


def test_removing_the_file_brings_no_earlier_edition_back(config: TableConfig) -> None:
    name = given(config, PAST)
    for path in amended.folder(config).iterdir():
        path.unlink()
    assert amended.at_start(config, name, True, NOW).config.table.rulebook == name


def test_an_edition_that_the_table_cannot_play_by_is_not_taken_in(config: TableConfig, tmp_path: Path) -> None:
    path = amended_file(tmp_path)
    path.write_text(path.read_text().replace("decks = [4, 5, 6, 7, 8]", "decks = [4, 8]"))
    with pytest.raises(ConfigError):
        amended.take_in(config, path)
    assert not amended.folder(config).exists()


def test_two_editions_from_one_moment_on_are_refused(config: TableConfig) -> None:
    given(config, PAST, "5.1")
    with pytest.raises(ConfigError, match="which is it to be"):
        given(config, PAST, "5.2")


def test_another_houses_rulebook_is_refused(config: TableConfig, tmp_path: Path) -> None:
    path = amended_file(tmp_path)
    path.write_text(path.read_text().replace('id = "melbourne-war"', 'id = "star-war"'))
    with pytest.raises(ConfigError, match="no edition of melbourne-war"):
        amended.take_in(config, path)


def test_what_an_edition_changes_is_told(config: TableConfig) -> None:
    lines = list(amended.differences(BOOK, given(config, PAST)))
    assert "rulebook.version: 5.0 becomes 5.1" in lines
    assert any(line.endswith("main: 1 becomes 2") for line in lines)
    assert "clause 8.1A, new: A clause that the amendment adds." in lines


def paid_to_one(journal: Path, clause: str) -> set[float]:
    """How often the stake was paid to winners under a clause."""
    file = JournalFile.read_only(journal)
    found = last_rounds(file, 1000, lambda f, a, b: ((row.seq, row.at, read(row, f.path)) for row in f.rows(a, b)))
    wagers = [wager for one in found for wager in one.wagers if wager["pays"] and clause in wager["clauses"]]
    return {wager["pays"] / wager["stake_returned"] for wager in wagers}


def played(config: TableConfig, rounds: int) -> None:
    shift: Shift = shift_for(config)
    play_rounds(config, Path(config.table.journal), 5, rounds, shift)


def forget() -> None:
    """As another process would stand, that never saw the file."""
    rules._held.clear()
    load_rulebook.cache_clear()


def test_a_round_is_paid_named_and_replayed_by_the_edition_it_was_played_by(config: TableConfig) -> None:
    journal = Path(config.table.journal)
    given(config, PAST)
    under = amended.at_start(config, BOOK, True, NOW).config
    played(under, 40)
    forget()
    assert paid_to_one(journal, "7.4.2(b)") == {2.0}
    done = tablectl("journal", "rounds", journal, "--last", "3")
    assert f"rulebook version 5.1, {under.table.rulebook.partition('@')[2]}" in done.output
    forget()
    assert tablectl("journal", "replay", journal).exit_code == 0
    assert "\nmain = 2\n" in tablectl("journal", "rulebook", journal, "--round", "3").output
    forget()
    restored = GuardedTable(config)
    file = JournalFile.read_only(journal)
    snapshot = file.newest_sound_snapshot()
    assert snapshot is not None
    restored.restore(snapshot.body)
    assert restored.config.table.rulebook == under.table.rulebook


def test_rounds_before_the_first_start_that_is_read_are_named_by_it() -> None:
    recall = Recall("war")
    recall.follow([(1, 1, Record(CardDrawn("shoe", 1, "5C", 100), [Moved("round", "idle", "betting", "call")]))])
    recall.follow([(2, 2, Record(Started("1", plain(default_config("war")), None, "version 3.9, abc"), []))])
    recall.still_played()
    assert [one.rulebook for one in recall.rounds] == ["version 3.9, abc"]


def test_no_edition_changes_under_a_table_that_stands_open(config: TableConfig) -> None:
    name = given(config, PAST)
    runtime = started(config)
    runtime.command("open", Person("S1", 3))
    assert runtime.table.state.life != "closed"
    with pytest.raises(ConfigError, match="close it before it plays by"):
        runtime.guarded.apply(9, Started("2", plain(amended.under(config, name))))


def started(config: TableConfig) -> Runtime:
    bare = msgspec.structs.replace(config, devices={})
    runtime = opened(bare, Path(config.table.journal), VirtualClock(NOW), ChipRegister({}), False)
    runtime.start("test", bare, inline(runtime))
    return runtime


def test_a_table_is_told_when_its_time_comes_and_opens_no_more_under_the_old(config: TableConfig) -> None:
    given(config, "2030-01-01T03:00:00+00:00")
    runtime = started(config)
    waiting = amended.at_start(config, BOOK, True, NOW).waiting
    assert waiting is not None
    tell_when_due(runtime, waiting)
    runtime.clock.run_for(2.9 * 3600)  # type: ignore[attr-defined]
    assert "edition_due" not in runtime.table.desk.state.alarms
    runtime.clock.run_for(0.2 * 3600)  # type: ignore[attr-defined]
    assert "GOV 2027/14" in runtime.table.desk.state.alarms["edition_due"].text
    runtime.command("open", Person("S1", 3))
    assert runtime.table.state.life == "closed"
    runtime.submit(Started("2", plain(runtime.guarded.config)))
    assert "edition_due" not in runtime.table.desk.state.alarms
    runtime.command("open", Person("S1", 3))
    assert runtime.table.state.life != "closed"


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_table_of_any_game_reads_nothing_but_its_own_edition(book: str, mocker: MockerFixture) -> None:
    text = games.rulebooks()[book].read_text(encoding="utf-8") + AMENDMENT.partition("[amendment.clauses]")[0]
    name = rules.hold(book, text.replace("{effective}", PAST))
    config = amended.under(default_config(load_rulebook(book).game, rulebook=book), name)
    read = mocker.spy(rulebook, "_document")
    for cached in (load_rulebook, war_rules, wheel_rules, poker_rules):
        cached.cache_clear()
    table = build_table(config)
    assert table.house.rulebook.edition == name
    assert {call.args[0] for call in read.call_args_list} == {name}
