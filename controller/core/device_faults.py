"""What the table makes of a device that is silent, strange or in trouble."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from controller.core.alarms import Alarm
from drivers.events import DeviceDown, DeviceEvent, DeviceRefused, DeviceTrouble, DeviceTroubleOver, DeviceUp

if TYPE_CHECKING:
    from controller.core.table import Table


class NotIdentified(Alarm["Table"]):
    """A device that was not heard since the start; it ends as one that fell silent does."""

    code = "not_identified"
    text = "No device has identified itself at “{place}” yet."
    remedy = "Check the power and the cable of “{place}”."
    held = True
    place: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return f"{about}:down"


class Silent(Alarm["Table"]):
    """A device that was there is heard no more."""

    code = "down"
    text = "“{place}” is silent: {cause}"
    remedy = "{steps}"
    held = True
    place: str
    cause: str
    steps: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return f"{about}:down"


class OutOfPlace(Alarm["Table"]):
    """What answers is not what belongs there."""

    code = "refused"
    text = "What answers at “{place}” does not belong there: {reason}"
    remedy = "{steps}"
    held = True
    place: str
    reason: str
    steps: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return f"{about}:refused"


class Troubled(Alarm["Table"]):
    """A device tells of a trouble in its own words; what it is about is its place and the trouble's code."""

    code = "trouble"
    text = "{cause}"
    remedy = "{steps}"
    held = True
    cause: str
    steps: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return str(about)


class NotListenedTo(Alarm["Table"]):
    """A device that is played without answers, and nothing of it counts."""

    code = "not_listened_to"
    text = "“{place}” answers, and nothing it tells counts: it is played without it."
    remedy = "If it is sound again, use it again between two rounds (“Use the device again”)."
    place: str

    @staticmethod
    def while_(table: Table, place: str) -> bool:
        """Until it is used again, or falls silent."""
        return place in table.state.by_hand and table.state.devices.get(place) == "up"


def not_identified(table: Table, place: str) -> None:
    """Nothing has been heard from here since the start."""
    table.fault(NotIdentified(place=place), place)


def _in_words(table: Table, event: DeviceTrouble) -> str:
    """The trouble as people read it: an area of the mat by the name it has on this layout."""
    kind, _, area = event.code.partition("_")
    if kind != "area" or not area.isdigit() or area == "0":
        return event.text
    where = table.money.where(int(area))
    return event.text.replace(f"Area {area} ", f"{where[:1].upper()}{where[1:]} ", 1)


LIFE = (DeviceUp, DeviceDown, DeviceRefused, DeviceTrouble, DeviceTroubleOver)
"""What concerns the device itself, and not what it sees."""


def not_heard(table: Table, event: msgspec.Struct) -> bool:
    """Whether a device saw this that is played without: then it is on record, and changes nothing."""
    place = getattr(event, "device", "")
    if place not in table.state.by_hand or isinstance(event, LIFE):
        return False
    from controller.core import by_hand

    by_hand.not_heard(table, event, place)
    return True


def take(table: Table, event: DeviceEvent) -> None:
    """A device was heard of, or no longer; the game does not depend on one that is played without."""
    place, listened_to = event.device, event.device not in table.state.by_hand
    match event:
        case DeviceUp():
            table.state.devices[place] = "up"
            table.fault_over(f"{place}:down")
            table.fault_over(f"{place}:refused")
            table.desk.note("device_up", device=place, serial=event.serial, firmware=event.firmware, lost=event.lost)
            if not listened_to:
                NotListenedTo(place=place).holds(table, place)
            elif event.lost:
                table.game.device_lost(place, True)
        case DeviceDown():
            table.state.devices[place] = "down"
            table.fault(Silent(place=place, cause=event.cause, steps=event.remedy), place)
            if listened_to:
                table.game.device_lost(place, False)
        case DeviceRefused():
            table.state.devices[place] = "refused"
            alien = OutOfPlace(place=place, reason=event.reason, steps=event.remedy)
            table.fault(alien, place)
        case DeviceTrouble():
            rank = table.house.power("resume").rank if event.by_hand else 0
            trouble = Troubled(cause=_in_words(table, event), steps=event.remedy)
            table.fault(trouble, f"{place}:{event.code}", rank)
            if listened_to:
                table.game.handle(event)
        case DeviceTroubleOver():
            table.fault_over(f"{place}:{event.code}")
            if listened_to:
                table.game.handle(event)
