"""Real devices whose world can be moved from here: what the case's people do is done through the control socket.

Each stands where the case has a simulated device. What lies on it, loads it or leaves it is that device's own affair;
this side only lends it hands and asks what they hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from firmware_specs.clock import Clock
from firmware_specs.messages.chips import FaultCause
from firmware_specs.messages.shuffler import Mode
from firmware_specs.spec import Message
from lab.conformance.stimulus import CannotDo, Control
from lab.rig.world import ControlledLink, HandWheel
from simulators.card_antennas import CardAntennas
from simulators.card_mouth import CannotDraw, CardMouth, Then
from simulators.card_reader import MishapKind
from simulators.chips import ChipMat
from simulators.link import DeviceLink
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.swipe import Card, WiredReader
from simulators.wheel_physics import Motion, at_rest
from simulators.wheel_script import SpinScript
from simulators.wheel_sensor import SensorFault

LOOK_S = 0.1


class RemoteLink(ControlledLink):
    """The link of a device that sees its world itself: what happened is its own to say."""

    def post(self, message: Message) -> int:
        return 0

    def finish(self, command_id: int, result: object) -> None:
        """Commands are answered by the device itself."""


def link_of(clock: Clock, like: DeviceLink, control: Control) -> RemoteLink:
    """Clear what an earlier case left in the device, and stand in for its link."""
    if "clear" in control.hands():
        control.hand("clear")
    control.restart(keep_memory=False)
    return RemoteLink(clock, like, control)


class RemoteWheel(HandWheel):
    """A wheel that is spun to order where it stands."""

    control: Control

    def play(self, script: SpinScript, fault: SensorFault | None = None) -> Motion:
        trouble = None if fault is None else msgspec.to_builtins(fault)
        self.control.hand("play", fault=trouble, **msgspec.structs.asdict(script))
        return at_rest(0.0)

    @property
    def moving(self) -> bool:
        return bool(self.control.hand("moving"))

    @property
    def turned(self) -> float:
        return float(self.control.hand("turned"))


class RemoteMat(ChipMat):
    """A chip mat on which chips are laid where it stands."""

    control: Control

    def place(self, tags: Iterable[int], area: int) -> None:
        laid = list(tags)
        self.control.hand("place", tags=laid, area=area)
        super().place(laid, area)

    def remove(self, tags: Iterable[int]) -> None:
        lifted = list(tags)
        self.control.hand("remove", tags=lifted)
        super().remove(lifted)

    def put_on_edge(self, tag: int, areas: tuple[int, ...]) -> None:
        self.control.hand("put_on_edge", tag=tag, areas=areas)
        super().put_on_edge(tag, areas)

    def miss(self, tags: Iterable[int], seconds: float) -> None:
        self.control.hand("miss", tags=list(tags), seconds=seconds)

    def fail(self, area: int, cause: FaultCause = FaultCause.ANTENNA_OPEN) -> None:
        self.control.hand("fail", area=area, cause=cause.name)

    def mend(self, area: int) -> None:
        self.control.hand("mend", area=area)


class RemoteAntennas(CardAntennas):
    """Card antennas to which cards are dealt where they are."""

    control: Control

    def place(self, tags: Iterable[int], antenna: int, *, late_s: float = 0.0) -> None:
        laid = list(tags)
        self.control.hand("place", tags=laid, antenna=antenna, late_s=late_s)
        super().place(laid, antenna)

    def remove(self, tags: Iterable[int]) -> None:
        lifted = list(tags)
        self.control.hand("remove", tags=lifted)
        super().remove(lifted)

    def put_on_edge(self, tag: int, antennas: tuple[int, ...]) -> None:
        self.control.hand("put_on_edge", tag=tag, antennas=antennas)
        super().put_on_edge(tag, antennas)


class _RemoteMouth(CardMouth):
    """What shoe and shuffler share: a hand pulls over there, and what it held is asked for until it is told."""

    control: Control
    _asked = 0

    def _do(self, name: str, **how: Any) -> Any:
        try:
            return self.control.hand(name, **how)
        except CannotDo as why:
            raise CannotDraw(str(why)) from why

    def spoil(
        self,
        kind: MishapKind,
        *,
        after: int = 0,
        seen: str = "",
        confidence: int = 0,
        order_known: bool = True,
        after_read: bool = False,
        blind: tuple[int, ...] = (),
    ) -> None:
        self._do("spoil", kind=kind, after=after, seen=seen, confidence=confidence, order_known=order_known,
                 after_read=after_read, blind=blind)  # fmt: skip

    def _begin(self, then: Then | None, force: bool) -> float:
        self._asked = len(self._do("pulls"))
        seconds = float(self._do("draw", force=force))
        self._clock.call_later(seconds, self._look_for_pull, then)
        return seconds

    def _look_for_pull(self, then: Then | None) -> None:
        ended = self._do("pulls", since=self._asked)
        if not ended:
            self._clock.call_later(LOOK_S, self._look_for_pull, then)
            return
        held = tuple(ended[0])
        self.drawn += held
        if then is not None:
            then(held)


class RemoteShoe(_RemoteMouth, CardShoe):
    """A shoe that is loaded and drawn from where it stands."""

    def load(self, cards: Iterable[str]) -> None:
        self._do("load", cards=list(cards))

    def take_out(self) -> list[str]:
        return list(self._do("take_out"))

    def open_lid(self) -> None:
        self._do("open_lid")

    def close_lid(self) -> None:
        self._do("close_lid")

    def draw(self, then: Then | None = None, *, force: bool = False) -> float:
        return self._begin(then, force)


class RemoteShuffler(_RemoteMouth, CardShuffler):
    """A shuffler that is loaded and drawn from where it stands."""

    @property
    def mouth(self) -> tuple[str, ...]:
        """What stands in its mouth now."""
        return tuple(self._do("mouth")) if hasattr(self, "control") else ()

    @mouth.setter
    def mouth(self, cards: tuple[str, ...]) -> None:
        """Nothing is put there from here."""

    def load(self, cards: Iterable[str]) -> None:
        self._do("load", cards=list(cards))

    def stack(self, cards: Iterable[str]) -> None:
        self._do("stack", cards=list(cards))

    def take_out(self) -> list[str]:
        return list(self._do("take_out"))

    def lift_deck(self) -> list[str]:
        return list(self._do("lift_deck"))

    def draw(self, then: Then | None = None, *, force: bool = False) -> float:
        return self._begin(then, force)

    def open_door(self) -> None:
        self._do("open_door")

    def close_door(self) -> None:
        self._do("close_door")

    def set_mode(self, mode: Mode) -> None:
        self._do("set_mode", mode=mode.name)

    def jam(self, place: Any, *, recovers: bool = True, compartment: int = 0, after: int = 0) -> None:
        self._do("jam", place=place, recovers=recovers, compartment=compartment, after=after)

    def clear_jam(self) -> list[str]:
        return list(self._do("clear_jam"))

    def starve(self) -> None:
        self._do("starve")

    def miscount(self, by: int) -> None:
        self._do("miscount", by=by)


class RemoteReader(WiredReader):
    """A swipe reader through which a card is drawn where it stands."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def start(self) -> None:
        """It stands there already."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._control.hand("swipe", bad=list(bad), **msgspec.structs.asdict(held))
