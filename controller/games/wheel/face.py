"""What the pages of a Big Wheel table must know before anything happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from controller.config.types import TableConfig
from controller.games.wheel.config import WheelSection
from controller.games.wheel.rules import wheel_rules
from drivers.motion import BadTrace, Natural, Trace, WheelProfile
from drivers.motion.natural import one_in
from drivers.motion.scales import KNOTS
from drivers.wheel import WheelRested

if TYPE_CHECKING:
    from controller.games.game import Game

SIGMAS = 3.0  # of friction from spin to spin, to either side of the band of natural spins


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
    """A spin's packed trace as speed against turns, the friction it was held against, and where a hand came."""
    if event["type"] != WheelRested.__name__:
        return {}
    verdict = event["verdict"]
    try:
        speeds = Trace.decode(msgspec.convert(verdict.pop("trace"), bytes)).speeds()
    except BadTrace:
        speeds = []
    return {
        "speeds": [[round(turn, 3), round(speed, 3)] for turn, speed in speeds],
        "spin": event["spin"],
        "sense": verdict["sense"],
        "level": _level(verdict),
        "unusual": one_in(verdict.get("rarity", 1.0)),
        "touched": _touched(verdict["findings"]),
    }


def _touched(findings: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Where a hand came, by the finding that tells most; one about the whole spin has no place."""
    placed = (found for found in findings if found["reason"] == "interference" and found["turn"] > 0)
    found = next(placed, None)
    return found and {"turn": round(found["turn"], 2), "text": found["text"]}


def _level(verdict: dict[str, Any]) -> list[float]:
    """Friction of late, against calibration, as the spin was judged by it: the share, and its lean to high speed."""
    against = verdict.get("against")
    if not against:
        return [1.0, 0.0]
    level = msgspec.convert(against, Natural).level(1 if verdict["sense"] == "clockwise" else -1)
    return [level.share, level.tilt]


def _friction(profile: Any) -> dict[str, Any] | None:
    """How the wheel slows down by itself, as its calibration learnt it, and how far natural spins differ."""
    if not isinstance(profile, WheelProfile):
        return None
    return {
        sense: {
            "losses": [[speed, loss] for speed, loss in zip(KNOTS, friction.losses, strict=True)],
            "spread": round(SIGMAS * friction.level, 4),
        }
        for sense, friction in (("clockwise", profile.clockwise), ("anticlockwise", profile.anticlockwise))
    }
