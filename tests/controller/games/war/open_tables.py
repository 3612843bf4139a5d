"""Tables of Casino War that are open for bets, whichever the house."""

from __future__ import annotations

from typing import Any

from controller.core.desk import Limits
from controller.games.war.config import WarConfig
from tests.controller.games.war.play import BURN, MELBOURNE, PERTH, STAR, Play

HOUSES = (MELBOURNE, PERTH, STAR)
ZONES = ("a_bomb", "tie", "perfect_pairs")


def table(rulebook: str, limits: Limits = Limits(1000, 50000, 0, 250), **config: Any) -> Play:  # noqa: B008
    if rulebook == PERTH and "optional_zones" not in config:
        config |= {"optional_zones": ZONES, "column": 2}
    return Play(rulebook, WarConfig(**{"decks": 6, **config}), limits)


def open_table(rulebook: str, limits: Limits = Limits(1000, 50000, 0, 250), **config: Any) -> Play:  # noqa: B008
    play = table(rulebook, limits, **config)
    burn = () if config.get("source") == "csm" and rulebook == MELBOURNE else BURN[rulebook]
    play.new_shoe(*burn)
    for player in ("P1", "P2", "P3"):
        play.press("player_card", player=player)
    assert play.phase == "betting"
    return play
