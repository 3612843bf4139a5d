"""Every alarm raised and ended by what happens at a table: one short story each, and that none is without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from controller.core.alarms import Alarm, Alarms
from controller.core.effects import Alarmed, AlarmOver, AnyEffect
from controller.core.table import Table

Story = Callable[[], Iterator[Table]]
"""Hands over the table once the alarm must stand, and ends with the event that ends it."""

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
    """The alarm stands, in words, also after a restart; then it is over, and that is concluded."""
    told = story()
    table = next(told)
    stood = standing(table, kind)
    assert stood, f"{kind} was not raised; there are {list(table.state.desk.alarms)}"
    for alarm in stood.values():
        assert alarm.text
        assert alarm.remedy
        assert "{" not in alarm.text + alarm.remedy
    table.restore(table.save())
    assert standing(table, kind) == stood
    said = recorded(table)
    assert next(told, None) is None
    assert standing(table, kind) == {}
    ended = [effect.code for effect in said if isinstance(effect, AlarmOver) and effect.code in stood]
    assert sorted(ended) == sorted(stood), "its end was not concluded, or more than once"
