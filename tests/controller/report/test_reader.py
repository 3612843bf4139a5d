"""How the day's report counts alarms: what happened, as often as it happened, and what a wrong key raised."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.kept import plain
from controller.core.effects import Alarmed, AlarmOver, AnyEffect
from controller.core.events import Command, SignShown, Started, Stopped
from controller.core.guarded import GuardedTable
from controller.journal import row as record
from controller.journal.file import Row
from controller.people import Person
from controller.report import report
from controller.report.day import AlarmLine, Report
from controller.report.reader import Reader
from controller.report.text import as_text
from drivers.events import DeviceUp
from lab.sim.config import default_config

pytestmark = pytest.mark.guards("melbourne-war")
CONFIG = default_config("war")


def day_of(*told: AnyEffect) -> dict[str, AlarmLine]:
    reader = Reader(Report(0, 100_000))
    reader.begin()
    reader.take(0, Started("test", plain(CONFIG)), [], True)
    for number, effect in enumerate(told, 1):
        reader.take(number, Stopped(), [effect], True)
    return reader.ended().alarms


def alarm(text: str = "It is so.", count: int = 1, code: str = "moved:a") -> Alarmed:
    return Alarmed(code, text, "Put it right.", (), count)


def test_an_alarm_told_in_other_words_while_it_stands_has_happened_once() -> None:
    assert day_of(alarm(), alarm("It is so, and more."))["moved"].count == 1


def test_one_that_happens_again_while_it_stands_or_after_it_was_over_counts_again() -> None:
    assert day_of(alarm(), alarm(count=2), alarm(count=4))["moved"].count == 4
    assert day_of(alarm(), AlarmOver("moved:a"), alarm())["moved"].count == 2


def test_several_of_a_kind_count_together_and_each_device_for_itself() -> None:
    found = day_of(alarm(), alarm(code="moved:b"), alarm(code="chips:down"), alarm(code="shoe:down"))
    assert {code: line.count for code, line in found.items()} == {"moved": 2, "chips:down": 1, "shoe:down": 1}


def test_one_of_a_version_that_nobody_declares_any_more_counts_under_its_own_code() -> None:
    assert set(day_of(alarm(code="old:1"), alarm(code="old:2"))) == {"old:1", "old:2"}


class Written:
    """A table of Casino War that is open, and the rows of its journal."""

    def __init__(self) -> None:
        self.guarded = GuardedTable(CONFIG)
        self.rows: list[Row] = []
        self.take(Started("test", plain(CONFIG)))
        for place in CONFIG.devices:
            self.take(DeviceUp(place, place, "1", "1"))
        self.take(SignShown(99))
        self.press("open")
        self.take(SignShown(999))

    def take(self, event: msgspec.Struct) -> list[AnyEffect]:
        at = 1_000 * (len(self.rows) + 1)
        event = record.as_kept(event)
        effects = self.guarded.apply(at, event)
        self.rows.append(Row(len(self.rows) + 1, at, record.encode(record.Record(event, effects)), b""))
        return effects

    def press(self, key: str, rank: int = 1, **args: Any) -> list[AnyEffect]:
        return self.take(Command(key, Person(f"S{rank}", rank), args))


def test_an_alarm_that_a_key_raised_which_was_taken_back_is_counted_and_marked() -> None:
    """It was told and people looked at it; that it need not have been is said beside it."""
    table = Written()
    raised = table.press("set_aside", 3, face="KS")
    assert [effect.code for effect in raised if isinstance(effect, Alarmed)] == ["set_aside:KS"]
    over = table.press("take_back", 3)
    assert [effect.code for effect in over if isinstance(effect, AlarmOver)] == ["set_aside:KS"]
    table.press("set_aside", 3, face="QS")
    day = report(table.rows, 0, 1_000_000)
    line = day.alarms["set_aside"]
    assert (line.count, line.taken_back) == (2, 1)
    assert "by keys taken back" in as_text(day, str)
    assert not table.guarded.table.state.desk.alarms.keys() & {"set_aside:KS"}


def test_a_second_time_while_it_stands_that_is_taken_back_leaves_the_first() -> None:
    table = Written()
    table.press("set_aside", 3, face="KS")
    again = table.press("set_aside", 3, face="KS")
    assert [effect.count for effect in again if isinstance(effect, Alarmed)] == [2]
    table.press("take_back", 3)
    standing = table.guarded.table.state.desk.alarms["set_aside:KS"]
    assert standing.count == 1
    table.press("set_aside", 3, face="KS")
    line = report(table.rows, 0, 1_000_000).alarms["set_aside"]
    assert (line.count, line.taken_back) == (3, 1)
