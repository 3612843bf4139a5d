"""Every alarm raised and ended by what happens at a table: one short story each, and that none is without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from controller.core.alarms import Alarm, Alarms
from controller.core.effects import Alarmed, AlarmOver, AnyEffect
from controller.core.events import Stopped
from controller.core.table import Table
from controller.report.day import Report
from controller.report.reader import Reader

MINUTE_MS = 60_000
Story = Callable[[], Iterator[Table]]
"""Hands over the table once the alarm must stand, goes on to the event that ends it, and may hand it over again once it
must stand a second time."""

FOR_THE_RECORD = {"take_and_pay", "wrong_deck"}
"""Raised although the same event ends them: a wrong payment that is let pass, a wrong deck that is ruled on at once."""


class Stories(dict[str, Story]):
    """Stories by the code of the alarm they are about."""

    def of(self, kind: type[Alarm[Any]]) -> Callable[[Story], Story]:
        def keep(story: Story) -> Story:
            assert kind.code not in self, f"{kind.code} has two stories"
            self[kind.code] = story
            return story

        return keep

    def missing(self, alarms: Alarms[Any]) -> set[str]:
        """What is declared without a story, or told without a declaration."""
        return {kind.code for kind in alarms} ^ self.keys()


def standing(table: Table, kind: str) -> dict[str, Alarmed]:
    desk = table.state.desk
    return {code: alarm for code, alarm in desk.alarms.items() if desk.kinds[code] == kind}


def recorded(table: Table) -> list[AnyEffect]:
    """Everything this table concludes from now on."""
    said: list[AnyEffect] = []
    emit = table.desk.emit

    def heard(effect: AnyEffect) -> None:
        said.append(effect)
        emit(effect)

    table.desk.emit = heard  # type: ignore[method-assign]
    return said


def no_flicker(effects: Iterable[AnyEffect]) -> None:
    """What one event raises it does not end: people would be alarmed by what was over before it could be read."""
    raised: set[str] = set()
    for effect in effects:
        if isinstance(effect, Alarmed):
            raised.add(effect.code)
        assert not (isinstance(effect, AlarmOver) and effect.code in raised - FOR_THE_RECORD), f"{effect} flickers"


def raised_and_ended(kind: str, story: Story) -> None:
    """The alarm stands, in words, also after a restart; then it is over, and that is concluded; and all that again.

    A story goes on to where its alarm must stand once more, unless the end of what happened in it brings that about.
    """
    with every_event() as happened:
        told = story()
        table = next(told)
        until = len(happened)
        stood = standing(table, kind)
        assert stood, f"{kind} was not raised; there are {list(table.state.desk.alarms)}"
        for alarm in stood.values():
            assert alarm.text
            assert alarm.remedy
            assert "{" not in alarm.text + alarm.remedy
        table.restore(table.save())
        assert standing(table, kind) == stood
        said = recorded(table)
        again = next(told, None)
        if again is None:
            assert standing(table, kind) == {}
            assert _raised_by_the_same(table, kind, happened[:until], happened[-1]), f"{kind} is told once and no more"
        else:
            assert again is table
            assert standing(table, kind), f"{kind} was not told again"
            assert next(told, None) is None
    ended = [effect.code for effect in said if isinstance(effect, AlarmOver) and effect.code in stood]
    assert set(ended) >= set(stood), "its end was not concluded"
    if again is None:
        assert len(ended) == len(stood), "its end was concluded more than once"
    counted_twice(kind, list(stood.values()), [effect for effect in said if isinstance(effect, Alarmed | AlarmOver)])


Happened = tuple[int, int, msgspec.Struct]


@contextmanager
def every_event() -> Iterator[list[Happened]]:
    """Everything that tables are told meanwhile, with when."""
    happened: list[Happened] = []
    apply = Table.apply

    def heard(table: Table, seq: int, at: int, event: msgspec.Struct) -> list[AnyEffect]:
        happened.append((seq, at, event))
        return apply(table, seq, at, event)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "apply", heard)
        yield happened


def _raised_by_the_same(table: Table, kind: str, happened: list[Happened], last: Happened) -> bool:
    """Whether the last things that happened before it stood raise it once more at the table where it is over."""
    over = table.save()
    for beginning in range(len(happened) - 1, -1, -1):
        table.restore(over)
        seq, at, _ = last
        for number, (_, _, event) in enumerate(happened[beginning:], 1):
            try:
                table.apply(seq + number, at + MINUTE_MS + 1_000 * number, event)
            except (RuntimeError, AssertionError, KeyError):
                break  # such a thing cannot happen there
            if standing(table, kind):
                return True
    return False


def counted_twice(kind: str, first: list[Alarmed], then: list[Alarmed | AlarmOver]) -> None:
    """The day's report counts both times, and once more for each that happened while it stood."""
    day = Reader(Report(0, MINUTE_MS))
    day.begin()
    for number, effect in enumerate([*first, *then]):
        day.take(number, Stopped(), [effect], True)
    codes = {effect.code for effect in (*first, *then) if isinstance(effect, Alarmed)}
    lines = [line for code, line in day.ended().alarms.items() if code in codes]
    assert sum(line.count for line in lines) >= 2, f"{kind} is not counted again"
