"""A capture played against the driver of its device, as if the device were there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from drivers.capture import BadCapture, ReplayPort, Run
from drivers.cards import DECK, CardDrawn, CardPushedBack, CardUnread, CuttingCard, TwoDrawn
from drivers.chips import Chips
from drivers.events import DeviceEvent, Driver, Mark
from drivers.motion import simulated_wheel
from drivers.motion.profile import WheelProfile
from drivers.shoe import Shoe
from drivers.shuffler import Shuffler
from drivers.wheel import Wheel, WheelRested
from firmware_specs.clock import VirtualClock
from lab.captures.frames import spec_of_run

AFTER_S = 1.0


class Replayed(msgspec.Struct, frozen=True):
    """What the driver told while a capture was played to it."""

    kind: str
    events: list[tuple[float, DeviceEvent]]
    counters: dict[str, int]

    def lines(self) -> list[dict[str, Any]]:
        return [{"at": round(at, 3), **_plain(event)} for at, event in self.events]


def _plain(event: DeviceEvent) -> dict[str, Any]:
    """An event for a person: the trace of a spin is left out, because it is long and in the capture anyway."""
    plain: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, WheelRested):
        plain["verdict"].pop("trace")
    return plain


class _Sink:
    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.events: list[tuple[float, DeviceEvent]] = []

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        self.events.append((self._clock.now(), event))
        if durable is not None:
            self._clock.call_later(0.0, durable)

    def glimpse(self, device: str, live: msgspec.Struct) -> None: ...


def replay(run: Run, kind: str = "", profile: WheelProfile | None = None) -> Replayed:
    """Play one run of a capture against its driver, under the virtual clock."""
    spec = spec_of_run(run, kind)
    clock = VirtualClock(run.heading.wall)
    port = ReplayPort(clock, run)
    sink = _Sink(clock)
    driver = _driver(spec.kind, clock, port, sink, profile or simulated_wheel())
    driver.start()
    span = run.pieces[-1].time - run.pieces[0].time if run.pieces else 0.0
    clock.run_until(lambda: port.finished, span + 60.0)
    clock.run_for(AFTER_S)
    driver.stop()
    return Replayed(spec.kind, sink.events, driver.health().counters)


def _driver(kind: str, clock: VirtualClock, port: ReplayPort, sink: _Sink, profile: WheelProfile) -> Driver:
    match kind:
        case "wheel":
            return Wheel(kind, clock, port, sink, profile=profile)
        case "chips":
            return Chips(kind, clock, port, sink)
        case "shoe":
            return Shoe(kind, clock, port, sink)
        case "shuffler":
            return Shuffler(kind, clock, port, sink)
        case _:
            raise BadCapture(f"a capture of a {kind} cannot be played yet; wheel, chips, shoe and shuffler can")


def as_scenario(replayed: Replayed, option: int, rulebook: str = "") -> list[dict[str, Any]]:
    """A case for every spin of a captured wheel, or one with every card that left a captured shoe or shuffler."""
    if replayed.kind in ("shoe", "shuffler"):
        return _as_draws(replayed, rulebook or "melbourne-war")
    if replayed.kind != "wheel":
        raise BadCapture(
            f"a capture of {replayed.kind} cannot be made into a scenario: it tells which tags lay where, but not what "
            "they are worth and whose they are. The spins of a wheel and the cards of a shoe or shuffler can"
        )
    return _as_spins(replayed, option, rulebook or "melbourne-wheel")


def _as_draws(replayed: Replayed, rulebook: str) -> list[dict[str, Any]]:
    """The same cards out of the same kind of device again, one after the other, without wagers and people."""
    cards: list[str] = []
    left_out: list[str] = []
    for at, event in replayed.events:
        match event:
            case CardDrawn(card=card):
                cards.append(card)
                left_out += [f"{card} face up at {at:.1f} s"] if event.face_up else []
            case CuttingCard():
                cards.append("CUT")
            case CardUnread(why="joker"):
                cards.append("JOKER")
            case CardUnread():
                cards.append("??")
            case TwoDrawn() | CardPushedBack():
                left_out.append(f"{type(event).__name__} at {at:.1f} s")
                cards += [card or "??" for card in event.cards] if isinstance(event, TwoDrawn) else []
    if not cards:
        return []
    decks = max(cards.count(face) for face in DECK)
    steps = [{"do": "load", "next": cards}, *({"do": "draw", "cards": [card]} for card in cards)]
    case: dict[str, Any] = {
        "id": f"captured-{replayed.kind}",
        "rulebook": rulebook,
        "title": f"{len(cards)} cards out of a captured {replayed.kind}",
        "config": {"source": "shoe" if replayed.kind == "shoe" else "csm"},
        "decks": 6 if decks <= 6 else 8,
        "wagers": [],
        "cards": [],
        "steps": steps,
    }
    if left_out:
        case["why"] = f"Drawn one by one and face down here: {', '.join(left_out)}."
    return [case]


def _as_spins(replayed: Replayed, option: int, rulebook: str) -> list[dict[str, Any]]:
    cases = []
    for _, event in replayed.events:
        if not isinstance(event, WheelRested):
            continue
        verdict = event.verdict
        if "malfunction" in verdict.reasons:
            continue  # what the sensor missed cannot be told again
        spin: dict[str, Any] = {
            "direction": verdict.sense,
            "forward_compartments": round(verdict.forward, 2),
            "rest_compartment": verdict.compartment,
            "rest_offset_from_divider": None if verdict.offset is None else round(verdict.offset, 3),
            "reversal_compartments": round(verdict.reversal, 2),
        }
        expected = (
            {"outcome": "no_spin", "reasons": list(verdict.reasons)} if verdict.reasons else {"outcome": "result"}
        )
        cases.append(
            {
                "id": f"captured-{event.spin}",
                "rulebook": rulebook,
                "title": f"Spin {event.spin} of a captured wheel",
                "config": {"option": option},
                "wagers": [],
                "spin": {key: value for key, value in spin.items() if value is not None},
                "expected": expected,
            }
        )
    return cases
