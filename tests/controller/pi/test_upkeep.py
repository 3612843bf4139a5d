"""A changed program locks the table until somebody of rank clears it or a check finds it gone."""

from __future__ import annotations

import msgspec

from controller.config.kept import plain
from controller.core.events import ClockCompared, Command, DiskLow, FellBack, ProgramChecked, Started
from controller.core.guarded import GuardedTable
from controller.people import Person
from lab.sim.config import default_config


def opened(*events: msgspec.Struct) -> GuardedTable:
    config = default_config()
    table = GuardedTable(config)
    for at, event in enumerate((Started("1", plain(config)), *events), 1):
        table.apply(at, event)
    return table


WRONG = ProgramChecked("m", 2, ("lib/rules.py: changed",))
RIGHT = ProgramChecked("m", 2)


def clear(rank: int) -> Command:
    return Command("clear_fault", Person("S", rank), {"fault": "manifest"})


def test_a_changed_program_locks_the_table_until_somebody_of_rank_clears_it() -> None:
    table = opened(WRONG)
    fault = table.table.state.faults["manifest"]
    assert "lib/rules.py: changed" in fault.text
    assert fault.rank > 1
    table.apply(9, clear(fault.rank - 1))
    assert "manifest" in table.table.state.faults
    table.apply(10, clear(fault.rank))
    assert "manifest" not in table.table.state.faults


def test_the_lock_survives_a_restart_and_ends_when_a_check_finds_it_gone() -> None:
    table = opened(WRONG)
    again = GuardedTable(table.config)
    again.restore(table.save())
    again.apply(10, Started("1", plain(table.config)))
    assert "manifest" in again.table.state.faults
    again.apply(11, DiskLow(900, False))
    again.apply(12, RIGHT)
    assert "manifest" not in again.table.state.faults


def test_a_table_that_runs_the_version_before_says_so_until_the_installed_one_runs_again() -> None:
    table = opened(RIGHT, FellBack("1.1", "1.0"))
    alarm = table.table.desk.state.alarms["fell_back"]
    assert "Version 1.1 of the program is not whole, so version 1.0 runs" in alarm.text
    assert "install.sh" in alarm.remedy
    assert "manifest" not in table.table.state.faults, "what runs is whole: play goes on"
    table.apply(10, Started("1.1", plain(table.config)))
    table.apply(11, RIGHT)
    assert "fell_back" not in table.table.desk.state.alarms


def test_a_clock_in_1970_is_told_to_the_pit_and_play_goes_on() -> None:
    table = opened(RIGHT, ClockCompared(False, impossible="shows 1970-01-01"))
    alarm = table.table.desk.state.alarms["clock_wrong"]
    assert alarm.text == "The clock of this machine shows 1970-01-01, which cannot be: events are dated wrongly."
    assert "timedatectl set-time" in alarm.remedy
    assert "clock_wrong" not in table.table.state.faults, "play goes on"
    table.apply(10, ClockCompared(False))
    assert "clock_wrong" not in table.table.desk.state.alarms
