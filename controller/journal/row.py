"""A journal row's body: which event, from where, and everything the table concluded from it, in a numbered form."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar, Union

import msgspec

from controller.core import events
from controller.core.effects import AnyEffect, TimerOff, TimerSet
from controller.journal.file import JournalTrouble, Row
from drivers import events as device_events
from drivers import swipe
from drivers.events import Mark

COMMON: tuple[type[msgspec.Struct], ...] = (
    events.Started,
    events.Stopped,
    events.Command,
    events.TimerDue,
    events.SignShown,
    events.DiskLow,
    events.ProgramChecked,
    events.ClockCompared,
    events.EditionDue,
    events.FellBack,
    events.JournalChecked,
    events.TwinSeen,
    events.FloorOrder,
    events.OrdersTurnedAway,
    events.ChipsMoved,
    events.ChipsSwept,
    events.ChipUnclear,
    events.ChipPlaced,
    events.ChipsCounted,
    events.SignedIn,
    events.SignedOut,
    events.NotSignedIn,
    events.LockLifted,
    events.PlayerCardRead,
    device_events.DeviceUp,
    device_events.DeviceDown,
    device_events.DeviceRefused,
    device_events.DeviceTrouble,
    device_events.DeviceTroubleOver,
    swipe.CardSwiped,
    swipe.CardUnread,
)
"""What the journal of any table may hold."""
TOLD_OF = {
    "wheel": "drivers.wheel",
    "shoe": "drivers.shoe",
    "shuffler": "drivers.shuffler",
    "cards": "controller.cards.events",
}
"""Devices of which some tables have none, and the module whose EVENTS tell of each; loaded when it is needed."""

E = TypeVar("E")


UNNUMBERED = 1
"""The form of rows from before they carried a number."""
FORM = 5
"""The form in which rows are written; another meaning of what stands in them is another number.

2 since rows carry it, 3 since they name the snapshot taken after them, or the one that a start came from, 4 since the
ends of alarms are said last, 5 since chips carry how long ago they came, and moving hands are waited for.
"""
FORMS = (UNNUMBERED, 2, 3, 4, FORM)
"""The forms that can be read."""


class Resumed(msgspec.Struct, frozen=True):
    """Which snapshot a start came from: the row it was taken after, and its hash; no row: none was used."""

    seq: int = 0
    stood: str = ""


class Record(msgspec.Struct, Generic[E], frozen=True, omit_defaults=True):
    """One row, without its place in the chain, which covers the number of its form like all the rest."""

    event: E
    effects: list[AnyEffect] = []
    mark: Mark | None = None
    form: int = UNNUMBERED
    stood: str = ""  # hash of the snapshot taken right after this row
    resumed: Resumed | None = None


Lift = Callable[[dict[str, Any]], dict[str, Any]]


def _ends_last(facts: dict[str, Any]) -> dict[str, Any]:
    """Alarms that ended were told in the midst of the rest."""
    effects = facts.get("effects", [])
    ends = [effect for effect in effects if effect["type"] == "AlarmOver"]
    if ends:
        others = [effect for effect in effects if effect["type"] != "AlarmOver"]
        facts["effects"] = [*others, *sorted(ends, key=lambda effect: str(effect["code"]))]
    return facts


LIFTS: dict[int, Lift] = {3: _ends_last}
"""From a form to the next one, on what stands in a row; a form that is not here says all that the next one says.

A lift raises LookupError or ValueError where it cannot: the installer's check finds that before the switch.
"""


class _Form(msgspec.Struct):
    """The one thing that every form of row says."""

    form: int = UNNUMBERED


class UnknownForm(msgspec.ValidationError):
    """A row in a form of which this program knows nothing."""

    def __init__(self, form: int) -> None:
        known = f"{', '.join(str(each) for each in FORMS[:-1])} and {FORMS[-1]}"
        super().__init__(
            f"it is written in form {form}, and this program knows {known}: use the version that wrote it, "
            "or a newer one"
        )


class _Reader:
    """Reads rows with the events of the devices it knows of; what it cannot read, it tries again knowing them all."""

    def __init__(self) -> None:
        self._devices: frozenset[str] = frozenset()
        self.learn(())

    def learn(self, devices: Iterable[str]) -> None:
        self._devices |= TOLD_OF.keys() & devices
        told = (importlib.import_module(TOLD_OF[device]).EVENTS for device in sorted(self._devices))
        either = Union[tuple(dict.fromkeys((*COMMON, *chain.from_iterable(told))))]  # type: ignore[valid-type]  # noqa: UP007
        self._record = msgspec.json.Decoder(Record[either]).decode  # type: ignore[valid-type]
        self._event: Callable[[bytes], msgspec.Struct] = msgspec.json.Decoder(either).decode

    def record(self, body: bytes) -> Record[msgspec.Struct]:
        try:
            return self._record(body)
        except msgspec.ValidationError:
            if not self._learnt_more():
                raise
        return self._record(body)

    def event(self, body: bytes) -> msgspec.Struct:
        try:
            return self._event(body)
        except msgspec.ValidationError:
            if not self._learnt_more():
                raise
        return self._event(body)

    def _learnt_more(self) -> bool:
        """Get to know the devices not known yet; False when there are none."""
        if self._devices == TOLD_OF.keys():
            return False
        self.learn(TOLD_OF)
        return True


_reader = _Reader()
_encode = msgspec.json.Encoder().encode
_decode = _reader.record
_decode_form = msgspec.json.Decoder(_Form).decode


def expect(devices: Iterable[str]) -> None:
    """Be ready for what these kinds of device tell, so that nothing need be loaded while a round is played."""
    _reader.learn(devices)


def encode(record: Record[msgspec.Struct]) -> bytes:
    """The row's bytes; equal records give equal bytes."""
    return _encode(record)


def decode(body: bytes) -> Record[msgspec.Struct]:
    """The record of a row's bytes; msgspec.ValidationError when it is none, or one in a form unknown here."""
    try:
        record = _decode(body)
    except msgspec.ValidationError:
        form = _decode_form(body).form
        _known(form)
        if form == FORM:
            raise
        return _lifted(body, form)
    _known(record.form)
    return record if record.form == FORM else _lifted(body, record.form)


def _lifted(body: bytes, form: int) -> Record[msgspec.Struct]:
    """A row of an older form in the words of this one; it keeps the number it was written with."""
    lifts = [LIFTS[each] for each in range(form, FORM) if each in LIFTS]
    if not lifts:
        return _decode(body)
    facts: dict[str, Any] = msgspec.json.decode(body)
    try:
        for lift in lifts:
            facts = lift(facts)
    except (LookupError, ValueError) as error:
        raise msgspec.ValidationError(f"it is written in form {form} and cannot be lifted: {error}") from error
    return _decode(_encode(facts | {"form": form}))


def same_conclusions(kept: Record[msgspec.Struct], effects: list[AnyEffect], body: bytes) -> bool:
    """Whether a row decided again says what it said, byte for byte; one of an older form as it is said in this one,
    whatever a version of then had itself be woken for."""
    if kept.form == FORM:
        return _encode(msgspec.structs.replace(kept, effects=effects)) == body
    return _encode(_without_timers(effects)) == _encode(_without_timers(kept.effects))


def _without_timers(effects: list[AnyEffect]) -> list[AnyEffect]:
    return [effect for effect in effects if not isinstance(effect, TimerSet | TimerOff)]


def _known(form: int) -> None:
    if form not in FORMS:
        raise UnknownForm(form)


def read(row: Row, path: Path | str = "journal") -> Record[msgspec.Struct]:
    """The record of a journal's row; JournalTrouble says which cannot be read, why, and what to do."""
    try:
        return decode(row.body)
    except msgspec.MsgspecError as error:
        raise _unreadable(row, path, error) from error


def plain(row: Row, path: Path) -> dict[str, Any]:
    """What stands in a row, as it stands there: also what versions before this one wrote of things that are gone."""
    try:
        _known(_decode_form(row.body).form)
        facts: dict[str, Any] = msgspec.json.decode(row.body)
    except msgspec.MsgspecError as error:
        raise _unreadable(row, path, error) from error
    return facts


def _unreadable(row: Row, path: Path | str, error: msgspec.MsgspecError) -> JournalTrouble:
    if isinstance(error, UnknownForm):
        return JournalTrouble(f"{path}: event {row.seq} cannot be read: {error}")
    return JournalTrouble(
        f"{path}: event {row.seq} cannot be read ({error}); it was written by another version: read it with that one, "
        "or with `tablectl journal show`"
    )


def as_kept(event: msgspec.Struct) -> msgspec.Struct:
    """The event as the journal will give it back, so that the table decides on nothing that a replay cannot see."""
    return _reader.event(_encode(event))
