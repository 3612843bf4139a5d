"""What the pages of a Big Wheel table must know before anything happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from controller.config.types import TableConfig
from controller.games.wheel.config import WheelSection
from controller.games.wheel.rules import wheel_rules
from drivers.motion import BadTrace, Trace, WheelProfile
from drivers.motion.energy import interpolated
from drivers.wheel import WheelRested

if TYPE_CHECKING:
    from controller.games.game import Game

SLOW, SWIFT = 6.0, 56.0  # compartments/s between which the page draws the natural loss as a line


def face(config: TableConfig, game: Game, drivers: Mapping[str, object]) -> dict[str, Any]:
    """Ring, symbols and areas, and how the wheel was learnt to slow down."""
    wheel = config.own(WheelSection)
    rules = wheel_rules(config.table.rulebook)
    option = rules.option(wheel.option)
    profile = getattr(drivers.get("wheel"), "profile", None)
    return {
        "ring": wheel.ring,
        "labels": wheel.labels,
        "symbols": [{"symbol": s.symbol, "odds": s.odds, "compartments": s.compartments} for s in option.symbols],
        "areas": getattr(getattr(game, "setup", None), "areas", {}),
        "option": option.number,
        "revolutions": rules.spin.revolutions,
        "offset": getattr(profile, "offset", 0.0),
        "counts": 160 * rules.spin.compartments,
        "profile": _friction(profile),
    }


def drawn(event: dict[str, Any]) -> dict[str, Any]:
    """A spin's packed trace as speed against turns."""
    if event["type"] != WheelRested.__name__:
        return {}
    try:
        speeds = Trace.decode(msgspec.convert(event["verdict"].pop("trace"), bytes)).speeds()
    except BadTrace:
        speeds = []
    return {
        "speeds": [[round(turn, 3), round(speed, 3)] for turn, speed in speeds],
        "spin": event["spin"],
        "sense": event["verdict"]["sense"],
    }


def _friction(profile: Any) -> dict[str, Any] | None:
    """How the wheel slows down by itself, as its calibration learnt it."""
    if not isinstance(profile, WheelProfile):
        return None
    return {
        sense: {"loss": interpolated(friction.losses, SLOW), "drag": _slope(friction.losses)}
        for sense, friction in (("clockwise", profile.clockwise), ("anticlockwise", profile.anticlockwise))
    }


def _slope(losses: tuple[float, ...]) -> float:
    return (interpolated(losses, SWIFT) - interpolated(losses, SLOW)) / (SWIFT - SLOW)
