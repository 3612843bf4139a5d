"""The exact expectation of every wager a rulebook offers."""

from __future__ import annotations

from controller.config.tomlread import ConfigError
from controller.games.edges import Edge
from controller.games.war import edge as war_edge
from controller.games.wheel import edge as wheel_edge
from controller.rulebook import load_rulebook, wheel_rules

USUAL_DECKS = 6


def edges_of(rulebook: str, decks: int | None = None) -> list[Edge]:
    """Every wager; ConfigError where the rulebook has none that can be counted out."""
    game = load_rulebook(rulebook).game
    if game == "wheel":
        return [edge for option in wheel_rules(rulebook).options for edge in wheel_edge.edges(option)]
    if game == "war":
        return war_edge.edges(rulebook, USUAL_DECKS if decks is None else decks)
    raise ConfigError(f"{rulebook}: players play against each other, so no wager has an edge of its own")
