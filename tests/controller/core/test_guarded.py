"""A defect while handling an event suspends the table and loses nothing; replay gives the same conclusions."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from pytest_mock import MockerFixture

from controller.config.kept import plain
from controller.config.tomlread import ConfigError
from controller.core.events import ChipsMoved, Command, SignShown, Started
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime, Told, recover
from controller.devices import inline
from controller.games.wheel.game import WheelGame
from controller.journal import row as record
from controller.journal.file import JournalFile, JournalTrouble
from controller.money.dress import ChipRegister
from controller.people import Person
from drivers.events import DeviceUp, Mark
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable

DEALER, CHIEF = Person("S1", 1), Person("S2", 2)


def opened(table: GuardedTable) -> None:
    table.apply(1, Started("test", plain(table.config)))
    for place in ("wheel", "chips"):
        table.apply(2, DeviceUp(place, place, "1", "1"))
    table.apply(3, SignShown(99))
    table.apply(4, Command("open", DEALER))
    table.apply(5, SignShown(999))


def test_a_defect_leaves_the_table_where_it_stood_suspended_with_the_cause(mocker: MockerFixture) -> None:
    table = GuardedTable(default_config())
    opened(table)
    table.apply(6, Command("place_bets", DEALER))

    def half_done(self: WheelGame) -> None:
        self.state.directed = 99
        raise ZeroDivisionError("a defect")

    mocker.patch.object(WheelGame, "freeze", half_done)
    fresh = GuardedTable(default_config())
    opened(fresh)
    fresh.apply(6, Command("place_bets", DEALER))
    effects = fresh.apply(7, Command("no_more_bets", DEALER))
    state = fresh.table.state
    assert state.life == "suspended"
    assert fresh.table.game.machine.state == "betting_open"
    assert fresh.table.game.state.directed == 0  # type: ignore[attr-defined]
    (code,) = state.faults
    assert "a defect" in state.faults[code].text
    assert any(type(effect).__name__ == "Alarmed" for effect in effects)


def test_a_defects_fault_stays_until_somebody_of_rank_clears_it(mocker: MockerFixture) -> None:
    mocker.patch.object(WheelGame, "freeze", side_effect=ZeroDivisionError)
    table = GuardedTable(default_config())
    opened(table)
    table.apply(6, Command("place_bets", DEALER))
    table.apply(7, Command("no_more_bets", DEALER))
    (code,) = table.table.state.faults
    table.apply(8, Command("clear_fault", DEALER, {"fault": code}))
    assert table.table.state.life == "suspended"
    table.apply(9, Command("clear_fault", CHIEF, {"fault": code}))
    assert table.table.state.life == "open"


def test_of_many_defects_one_after_another_each_is_met_once(mocker: MockerFixture) -> None:
    table = GuardedTable(default_config())
    opened(table)
    broken = mocker.patch.object(WheelGame, "handle", side_effect=ZeroDivisionError)
    for number in range(12):
        table.apply(10 + number, ChipsMoved("chips", 1))
    assert broken.call_count == 12
    assert len(table.table.state.faults) == 12


def test_a_defect_at_a_running_table_is_logged_with_its_trace(
    mocker: MockerFixture, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handle = WheelGame.handle

    def defective(self: WheelGame, event: msgspec.Struct) -> None:
        if self.desk.seq >= 60:
            raise ZeroDivisionError("a defect")
        handle(self, event)

    mocker.patch.object(WheelGame, "handle", defective)
    clock = VirtualClock()
    table = SimulatedTable(default_config(), tmp_path / "table.sqlite", clock, seed=1)
    table.start()
    clock.run_until(lambda: table.runtime.table.state.life == "suspended", 600)
    table.stop()
    told = capsys.readouterr().out
    assert "event_not_handled" in told
    assert "in defective" in told
    assert "ZeroDivisionError: a defect" not in told, (
        "an error's words may hold anything; its kind and line tell enough"
    )


def test_what_was_applied_comes_back_from_a_snapshot() -> None:
    table = GuardedTable(default_config())
    opened(table)
    table.apply(6, DeviceUp("wheel", "wheel", "1", "1"), "wheel", Mark("1", 7, 42))
    again = GuardedTable(default_config())
    again.restore(table.save())
    assert again.save() == table.save()
    assert again.position.marks["wheel"].number == 42


def test_a_journal_of_another_rulebook_is_refused() -> None:
    table = GuardedTable(default_config())
    table.apply(1, Started("test", plain(table.config)))
    other = msgspec.structs.replace(
        table.config, table=msgspec.structs.replace(table.config.table, rulebook="perth-war")
    )
    with pytest.raises(ConfigError):
        table.apply(2, Started("test", plain(other)))


@pytest.fixture
def shift(tmp_path: Path) -> Path:
    clock = VirtualClock()
    path = tmp_path / "shift.sqlite"
    table = SimulatedTable(default_config(), path, clock, seed=5)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= 12, 3600)
    table.stop()
    return path


def test_replaying_a_shift_gives_the_same_conclusions_byte_for_byte(shift: Path) -> None:
    journal = JournalFile.read_only(shift)
    table = GuardedTable(default_config())
    assert recover(table, journal, from_snapshot=False) == journal.last_seq
    short = GuardedTable(default_config())
    assert recover(short, journal) < journal.last_seq
    assert short.save() == table.save()


def test_conclusions_that_differ_from_the_journal_are_not_played_on(shift: Path, mocker: MockerFixture) -> None:
    mocker.patch("controller.games.wheel.settle.rounded_up", lambda cents, chip: cents + 1)
    with pytest.raises(JournalTrouble, match="other conclusions"):
        recover(GuardedTable(default_config()), JournalFile.read_only(shift), from_snapshot=False)


def test_every_record_of_a_shift_is_read_back_as_it_was_written(shift: Path) -> None:
    for row in JournalFile.read_only(shift).rows():
        assert record.encode(record.decode(row.body)) == row.body


def test_nothing_is_told_before_it_is_on_disk(tmp_path: Path) -> None:
    clock = VirtualClock()
    journal = JournalFile.open(tmp_path / "t.sqlite", "T")
    runtime = Runtime(clock, GuardedTable(default_config()), journal, ChipRegister({}))
    seen: list[tuple[int, int]] = []

    def watch(told: Told) -> None:
        with_other_eyes = JournalFile.read_only(tmp_path / "t.sqlite")
        seen.append((told.seq, with_other_eyes.last_seq))

    runtime.watchers.append(watch)
    runtime.start("test", default_config(), inline(runtime))
    durable: list[int] = []
    runtime.take(DeviceUp("wheel", "wheel", "1", "1"), Mark("1", 1, 1), lambda: durable.append(journal.last_seq))
    assert durable == []
    clock.run_for(0.1)
    runtime.stop()
    assert durable
    assert seen
    assert all(disk >= told for told, disk in seen)


def test_a_journal_that_cannot_be_written_stops_everything(tmp_path: Path, mocker: MockerFixture) -> None:
    clock = VirtualClock()
    table = SimulatedTable(default_config(), tmp_path / "t.sqlite", clock, seed=3)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= 2, 3600)
    mocker.patch.object(JournalFile, "append", side_effect=OSError("No space left on device"))
    settled = table.shift.rounds
    clock.run_for(300)
    assert "No space left" in table.runtime.broken
    assert table.shift.rounds == settled
