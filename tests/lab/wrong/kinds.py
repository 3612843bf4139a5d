"""Devices that keep the link and break what their own page says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from firmware_specs.messages import shuffler as shuffler_wire
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, least

replace = msgspec.structs.replace


class _Restless(DeviceLink):
    """Answers one question in another way every time."""

    answer, field = "", ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        command, asked = self.behaviour.command, 0

        def restless(command_id: int, message: Message) -> Any:
            nonlocal asked
            result = command(command_id, message)
            if type(result).__name__ == self.answer:
                asked += 1
                assert isinstance(result, Message)
                return replace(result, **{self.field: 50 * asked})
            return result

        self.behaviour.command = restless  # type: ignore[method-assign]


class CountsByGuess(_Restless):
    """Counts other cards every time it is asked."""

    answer, field = "CountResult", "inside"


class DriftsAtRest(_Restless):
    """Has another angle every time, though the wheel stands."""

    answer, field = "ReadAngleResult", "angle"


class MiscountsItsPicture(DeviceLink):
    """Tells more tags on an area than it names."""

    def post(self, message: Message) -> int:
        if type(message).__name__ == "Inventory":
            message = replace(message, total=7)
        return super().post(message)


class ForgetsWhatWasAsked(DeviceLink):
    """Tells its picture under a snapshot of its own."""

    def post(self, message: Message) -> int:
        if type(message).__name__ in ("Inventory", "Picture"):
            message = replace(message, snapshot=1)
        return super().post(message)


class LosesTheThread(DeviceLink):
    """Names tags without the antennas they lie on."""

    def post(self, message: Message) -> int:
        if type(message).__name__ == "Picture":
            message = replace(message, tags=(5, 6))
        return super().post(message)


class StartsInSilence(DeviceLink):
    """Says nothing of its starts."""

    def post(self, message: Message) -> int:
        return 0 if type(message).__name__ == "PoweredUp" else super().post(message)


class ClaimsToRemember(DeviceLink):
    """Says at every start that its memory is whole."""

    def post(self, message: Message) -> int:
        if type(message).__name__ == "PoweredUp":
            message = replace(message, kept_memory=True)
        return super().post(message)


def tells(name: str, why: str, change: Callable[[Any], Message | None]) -> type[DeviceLink]:
    """A device that says something else than it sees, or nothing."""

    def post(self: DeviceLink, message: Message) -> int:
        changed = change(message)
        return self._next if changed is None else DeviceLink.post(self, changed)

    return type(name, (DeviceLink,), {"__doc__": why, "post": post})


def is_one(message: Message, *names: str) -> bool:
    return type(message).__name__ in names


ForgetsAnArea = tells("ForgetsAnArea", "", lambda m: None if is_one(m, "Inventory") and m.area == 2 else m)

SaysMoreAtTheEnd = tells("SaysMoreAtTheEnd", "", lambda m: replace(m, more=True) if is_one(m, "Inventory") else m)

EndsTooEarly = tells(
    "EndsTooEarly", "", lambda m: replace(m, more=m.area != 1 and m.more) if is_one(m, "Inventory") else m
)

TellsSeconds = tells("TellsSeconds", "", lambda m: replace(m, at=m.at // 1000) if hasattr(m, "at") else m)

NextDrawIsNonsense = tells(
    "NextDrawIsNonsense", "", lambda m: replace(m, next_draw=4711 + m.at) if is_one(m, "PoweredUp") else m
)

ChecksInSilence = tells("ChecksInSilence", "", lambda m: None if is_one(m, "DeckChecked") else m)

ChecksUnderAnotherId = tells(
    "ChecksUnderAnotherId", "", lambda m: replace(m, check=m.check ^ 1) if is_one(m, "DeckChecked") else m
)

TellsAnotherMode = tells(
    "TellsAnotherMode",
    "",
    lambda m: replace(m, mode=shuffler_wire.Mode.SORT) if is_one(m, "ModeChanged") else m,
)

StartsInAnotherMode = tells(
    "StartsInAnotherMode",
    "",
    lambda m: replace(m, mode=shuffler_wire.Mode.SORT) if is_one(m, "PoweredUp") else m,
)

MiscountsAtStart = tells(
    "MiscountsAtStart", "", lambda m: replace(m, inside=m.inside + 3) if is_one(m, "PoweredUp") else m
)


class CalibratesAnyway(DeviceLink):
    """Calibrates an area on which tags lie."""

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        calibrated = next((kind for kind in self.spec.results.values() if kind.__name__ == "CalibrateResult"), None)
        if isinstance(result, Refusal) and calibrated is not None and "lie on area" in result.text:
            result = calibrated.decode(b"\5\7")
        super().finish(command_id, result)


class AnswersAnotherMode(DeviceLink):
    """Answers SetMode with the mode it likes."""

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        if isinstance(result, shuffler_wire.SetModeResult):
            result = shuffler_wire.SetModeResult(shuffler_wire.Mode.SORT)
        super().finish(command_id, result)


class InterruptsItsPicture(DeviceLink):
    """Numbers something else between the parts of a picture."""

    def post(self, message: Message) -> int:
        number = super().post(message)
        if is_one(message, "Inventory") and getattr(message, "more", False):
            super().post(least(self.spec.events[min(self.spec.events)]))
        return number


class KeepsItsClockRunning(DeviceLink):
    """Counts its time from when it was made, not from its start."""

    def post(self, message: Message) -> int:
        if hasattr(message, "at"):
            message = replace(message, at=(message.at + 3_600_000) & 0xFFFFFFFF)
        return super().post(message)


WRONG = [
    Wrong(MiscountsItsPicture, "chips", "kind.reads_everything_when_asked", "ReadAll"),
    Wrong(ForgetsWhatWasAsked, "chips", "kind.reads_everything_when_asked", "ReadAll"),
    Wrong(ForgetsWhatWasAsked, "cards", "kind.reads_everything_when_asked", "ReadAll"),
    Wrong(LosesTheThread, "cards", "kind.reads_everything_when_asked", "ReadAll"),
    Wrong(ForgetsAnArea, "chips", "kind.reads_everything_when_asked", "ReadAll"),
    Wrong(SaysMoreAtTheEnd, "chips", "kind.reads_everything_when_asked", "ReadAll"),
    Wrong(EndsTooEarly, "chips", "kind.reads_everything_when_asked", "ReadAll"),
    Wrong(InterruptsItsPicture, "chips", "kind.reads_everything_when_asked", "E9"),
    Wrong(TellsSeconds, "chips", "kind.tells_its_time_in_milliseconds", "E14"),
    Wrong(TellsSeconds, "cards", "kind.tells_its_time_in_milliseconds", "E14"),
    Wrong(KeepsItsClockRunning, "chips", "kind.counts_its_time_from_its_start", "E14"),
    Wrong(KeepsItsClockRunning, "cards", "kind.counts_its_time_from_its_start", "E14"),
    Wrong(KeepsItsClockRunning, "shoe", "kind.counts_its_time_from_its_start", "E14"),
    Wrong(KeepsItsClockRunning, "shuffler", "kind.counts_its_time_from_its_start", "E14"),
    Wrong(CalibratesAnyway, "chips", "kind.calibrates_only_what_is_empty", "Calibrate"),
    Wrong(StartsInSilence, "shoe", "kind.tells_its_start", "PoweredUp"),
    Wrong(StartsInSilence, "shuffler", "kind.tells_its_start", "PoweredUp"),
    Wrong(ClaimsToRemember, "shoe", "kind.tells_its_start", "PoweredUp"),
    Wrong(ClaimsToRemember, "shuffler", "kind.tells_its_start", "PoweredUp"),
    Wrong(NextDrawIsNonsense, "shoe", "kind.tells_its_start", "PoweredUp"),
    Wrong(NextDrawIsNonsense, "shuffler", "kind.tells_its_start", "PoweredUp"),
    Wrong(CountsByGuess, "shuffler", "kind.counts_without_guessing", "Count"),
    Wrong(DriftsAtRest, "wheel", "kind.stands_still_when_it_stands", "ReadAngle"),
    Wrong(ChecksInSilence, "shuffler", "shuffler.tells_its_check", "StartCheck"),
    Wrong(ChecksUnderAnotherId, "shuffler", "shuffler.tells_its_check", "DeckChecked"),
    Wrong(TellsAnotherMode, "shuffler", "shuffler.is_in_the_mode_it_tells", "ModeChanged"),
    Wrong(AnswersAnotherMode, "shuffler", "shuffler.is_in_the_mode_it_tells", "SetMode"),
    Wrong(StartsInAnotherMode, "shuffler", "shuffler.is_in_the_mode_it_tells", "PoweredUp"),
    Wrong(MiscountsAtStart, "shuffler", "shuffler.counts_what_it_told", "PoweredUp"),
]
