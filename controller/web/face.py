"""What a page must know of a table before anything happens: its name, its people, and how the game looks."""

from __future__ import annotations

from typing import Any

from controller.config.types import TableConfig
from controller.games.poker.overlay import REPORTED
from controller.games.war.config import war_config
from controller.games.war.layout import layout_of
from controller.games.war.rules import war_rules
from controller.rulebook import load_rulebook, wheel_rules
from controller.runtime import Runtime
from drivers.motion import WheelProfile


def face(runtime: Runtime, config: TableConfig, practice: bool, bench: bool) -> dict[str, Any]:
    """The section that never changes while the controller runs."""
    book = load_rulebook(config.table.rulebook)
    return {
        "name": config.table.name,
        "game": config.table.game,
        "rulebook": book.rulebook.title,
        "document": f"{book.rulebook.document} {book.rulebook.version}",
        "ranks": [{"level": level, "name": rank.name} for level, rank in enumerate(book.ranks, 1)],
        "seats": config.seats.count,
        "colours": config.chips.colours,
        "round_word": runtime.table.house.round_word,
        "practice": practice,
        "bench": bench,
        "simulated": all(device.simulated for device in config.devices.values()),
        **_GAMES[config.table.game](runtime, config),
    }


def _wheel(runtime: Runtime, config: TableConfig) -> dict[str, Any]:
    wheel = config.the_wheel()
    rules = wheel_rules(config.table.rulebook)
    option = rules.option(wheel.option)
    driver = runtime.drivers.get("wheel")
    profile = getattr(driver, "profile", None)
    return {
        "ring": wheel.ring,
        "labels": wheel.labels,
        "symbols": [{"symbol": s.symbol, "odds": s.odds, "compartments": s.compartments} for s in option.symbols],
        "areas": getattr(getattr(runtime.table.game, "setup", None), "areas", {}),
        "option": option.number,
        "revolutions": rules.spin.revolutions,
        "offset": getattr(profile, "offset", 0.0),
        "counts": 160 * rules.spin.compartments,
        "profile": _friction(profile),
    }


def _friction(profile: Any) -> dict[str, Any] | None:
    """How the wheel slows down by itself, as its calibration learnt it."""
    if not isinstance(profile, WheelProfile):
        return None
    return {
        sense: {"loss": friction.loss, "drag": friction.drag}
        for sense, friction in (("clockwise", profile.clockwise), ("anticlockwise", profile.anticlockwise))
    }


def _war(runtime: Runtime, config: TableConfig) -> dict[str, Any]:
    war = config.war
    if war is None:
        return {}
    layout = layout_of(war_rules(config.table.rulebook), war_config(war))
    return {"decks": war.decks, "places": layout.boxes, "zones": layout.zones, "source": war.source}


def _poker(runtime: Runtime, config: TableConfig) -> dict[str, Any]:
    poker = config.poker
    if poker is None:
        return {}
    prizes = [prize.name for prize in poker.bonus]
    return {"poker": poker.game, "structure": poker.structure, "reportable": sorted(REPORTED), "prizes": prizes}


_GAMES = {"wheel": _wheel, "war": _war, "poker": _poker}
