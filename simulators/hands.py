"""A simulated device moved by lines of text: what hands do to it, and what a bench wants to see of it.

The first six lines are those of the reference program. The last two are for whoever can move the device's world too:

    post ID HEX      number N            this event has happened
    restart keep     ok                  the power goes and comes back; `restart lose` without the memory
    count N          ok                  the power goes and comes back, and all events before number N have been
    outputs          outputs HEX         what the outputs are now, as SET carries them
    held             held N              how many events wait to be durable
    commands         commands N          how many commands were acted on
    hands            hands NAME …        what hands can do here
    hand NAME JSON   did JSON            a hand did it, with these arguments; `cannot TEXT` when it could not
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

from firmware_specs.messages import cards as cards_wire
from firmware_specs.messages import chips as chips_wire
from firmware_specs.messages.shuffler import Mode
from firmware_specs.spec import BadMessage, Message
from simulators.behaviour import Refusal
from simulators.card_antennas import BOARD, BURN, CardAntennas
from simulators.card_mouth import CannotDraw, CardMouth
from simulators.chips import ChipMat
from simulators.link import DeviceLink
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.swipe import Card, WiredReader
from simulators.wheel import Wheel, sensor_fault
from simulators.wheel_script import SpinScript

OFF_S = 0.1
Deed = Callable[..., Any]


class Linked(Protocol):
    """A simulated device with a link of our own."""

    link: DeviceLink


class Hands:
    """What can be done to one simulated device."""

    def __init__(self, device: Linked | WiredReader) -> None:
        self._device = device
        self._link: DeviceLink | None = getattr(device, "link", None)
        self._acted = 0
        self._pulls: list[list[str]] = []
        self._deeds = self._deeds_of(device)
        if self._link is not None:
            self._count(self._link)

    def _count(self, link: DeviceLink) -> None:
        command = link.behaviour.command

        def counted(command_id: int, message: Message) -> Message | Refusal | None:
            self._acted += 1
            return command(command_id, message)

        link.behaviour.command = counted  # type: ignore[method-assign]

    def answer(self, line: str) -> str:
        """Do what a line says; one line back."""
        word, _, rest = line.strip().partition(" ")
        match word:
            case "hands":
                return " ".join(("hands", *self._deeds))
            case "hand":
                return self._hand(rest)
            case "commands":
                return f"commands {self._acted}"
        if self._link is None:
            return "not understood"
        match word, rest:
            case "post", _:
                return self._post(self._link, rest)
            case "restart", "keep" | "lose":
                self._link.power_cycle(rest == "keep", OFF_S)
                return "ok"
            case "count", _ if rest.isdecimal() and 0 < int(rest) < 1 << 32:
                self._link.power_cycle(True, OFF_S)
                self._link.count_from(int(rest))
                return "ok"
            case "outputs", "":
                return f"outputs {self._link.outputs.encode().hex()}"
            case "held", "":
                return f"held {self._link.held}"
        return "not understood"

    def _post(self, link: DeviceLink, rest: str) -> str:
        number, _, body = rest.partition(" ")
        try:
            message = link.spec.events[int(number)].decode(bytes.fromhex(body))
        except (KeyError, ValueError, BadMessage):
            return "number 0"
        return f"number {link.post(message)}"

    def _hand(self, rest: str) -> str:
        name, _, text = rest.partition(" ")
        if name not in self._deeds:
            return f"cannot no hand can {name} here; hands can {', '.join(self._deeds)}"
        try:
            arguments = json.loads(text or "{}")
            return f"did {json.dumps(self._deeds[name](**arguments))}"
        except (CannotDraw, TypeError, ValueError, KeyError) as why:
            return f"cannot {str(why).splitlines()[0] if str(why) else type(why).__name__}"

    # What hands can do, device by device.

    def _deeds_of(self, device: Linked | WiredReader) -> dict[str, Deed]:
        match device:
            case ChipMat():
                return _mat(device)
            case CardAntennas():
                return _antennas(device)
            case CardShuffler():
                return self._mouth(device) | _shuffler(device)
            case CardShoe():
                return self._mouth(device) | _shoe(device)
            case Wheel():
                return _wheel(device)
            case WiredReader():
                return {"swipe": lambda bad=(), **tracks: device.swipe(Card(**tracks), bad)}
        return {}

    def _mouth(self, device: CardShoe | CardShuffler) -> dict[str, Deed]:
        """A pull takes its time: what each hand held at its end is asked for afterwards."""
        mouth: CardMouth = device

        def draw(force: bool = False) -> float:
            return device.draw(lambda cards: self._pulls.append(list(cards)), force=force)

        def pulls(since: int = 0) -> list[list[str]]:
            return self._pulls[since:]

        def spoil(kind: Any, blind: tuple[int, ...] = (), **how: Any) -> None:
            mouth.spoil(kind, blind=tuple(blind), **how)

        return {
            "load": device.load,
            "take_out": device.take_out,
            "draw": draw,
            "pulls": pulls,
            "spoil": spoil,
            "soil": mouth.soil,
            "clean": mouth.clean,
        }


def _mat(mat: ChipMat) -> dict[str, Deed]:
    def clear() -> None:
        for area in range(mat.areas):
            mat.remove(mat.lying(area))

    return {
        "place": mat.place,
        "remove": mat.remove,
        "clear": clear,
        "put_on_edge": lambda tag, areas: mat.put_on_edge(tag, tuple(areas)),
        "lay_double": mat.lay_double,
        "lift_double": mat.lift_double,
        "miss": mat.miss,
        "fail": lambda area, cause="ANTENNA_OPEN": mat.fail(area, chips_wire.FaultCause[cause]),
        "mend": mat.mend,
        "lying": lambda area: sorted(mat.lying(area)),
    }


def _antennas(felt: CardAntennas) -> dict[str, Deed]:
    places = (*range(felt.seats + 1), BOARD, BURN)

    def clear() -> None:
        felt.remove([tag for place in places for tag in felt.lying(place)])

    return {
        "place": felt.place,
        "remove": felt.remove,
        "clear": clear,
        "put_on_edge": lambda tag, antennas: felt.put_on_edge(tag, tuple(antennas)),
        "clone": felt.clone,
        "unclone": felt.unclone,
        "miss": felt.miss,
        "fail": lambda antenna, cause="ANTENNA_OPEN": felt.fail(antenna, cards_wire.FaultCause[cause]),
        "mend": felt.mend,
        "lying": felt.lying,
    }


def _shoe(shoe: CardShoe) -> dict[str, Deed]:
    def clear() -> None:
        shoe.take_out()

    return {"clear": clear, "open_lid": shoe.open_lid, "close_lid": shoe.close_lid}


def _shuffler(shuffler: CardShuffler) -> dict[str, Deed]:
    def clear() -> None:
        shuffler.take_out()

    return {
        "clear": clear,
        "stack": shuffler.stack,
        "mouth": lambda: list(shuffler.mouth),
        "open_door": shuffler.open_door,
        "close_door": shuffler.close_door,
        "set_mode": lambda mode: shuffler.set_mode(Mode[mode.upper()]),
        "jam": shuffler.jam,
        "clear_jam": shuffler.clear_jam,
        "starve": shuffler.starve,
        "miscount": shuffler.miscount,
        "lift_deck": shuffler.lift_deck,
    }


def _wheel(wheel: Wheel) -> dict[str, Deed]:
    def play(fault: object = None, **script: Any) -> None:
        wheel.play(SpinScript(**script), sensor_fault(fault))

    def push(speed: float = 1.4, sense: int = 1) -> None:
        wheel.spin(speed, sense)

    return {"play": play, "push": push, "moving": lambda: wheel.moving, "turned": lambda: wheel.turned}
