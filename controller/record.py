"""A journal row's body: which event, from where, and everything the table concluded from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

import msgspec

from controller import events
from controller.cards import events as card_events
from controller.effects import AnyEffect
from drivers import cards, shoe, shuffler, swipe, wheel
from drivers import events as device_events
from drivers.events import Mark

EVENTS: tuple[type[msgspec.Struct], ...] = (
    events.Started,
    events.Stopped,
    events.Command,
    events.TimerDue,
    events.SignShown,
    events.DiskLow,
    events.ProgramChecked,
    events.JournalChecked,
    events.ChipsMoved,
    events.ChipsSwept,
    events.ChipUnclear,
    events.ChipPlaced,
    events.ChipsCounted,
    events.SignedIn,
    events.SignedOut,
    events.NotSignedIn,
    events.PlayerCardRead,
    device_events.DeviceUp,
    device_events.DeviceDown,
    device_events.DeviceRefused,
    device_events.DeviceTrouble,
    device_events.DeviceTroubleOver,
    wheel.WheelStarted,
    wheel.WheelTurned,
    wheel.WheelRested,
    wheel.WheelKnocked,
    swipe.CardSwiped,
    swipe.CardUnread,
    *card_events.EVENTS,
    *cards.EVENTS,
    *shoe.EVENTS,
    *shuffler.EVENTS,
)
"""Every kind of event a journal may hold."""


if TYPE_CHECKING:
    AnyEvent = msgspec.Struct
else:
    AnyEvent = Union[EVENTS]  # noqa: UP007 - made from the tuple above


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row, without its place in the chain."""

    event: AnyEvent
    effects: list[AnyEffect] = []
    mark: Mark | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode
_decode_event = msgspec.json.Decoder(AnyEvent).decode


def encode(record: Record) -> bytes:
    """The row's bytes; equal records give equal bytes."""
    return _encode(record)


def decode(body: bytes) -> Record:
    """The record of a row's bytes; msgspec.ValidationError when it is none."""
    return _decode(body)


def as_kept(event: msgspec.Struct) -> msgspec.Struct:
    """The event as the journal will give it back, so that the table decides on nothing that a replay cannot see."""
    return _decode_event(_encode(event))
