"""Casino War: one card against the dealer's, and a second one where they tie; under three houses' rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from controller.config.types import Kind, Problem, Section, TableConfig
from controller.core.house import House
from controller.games.playable import Course, Playable
from controller.games.war import config as configured
from controller.games.war.config import WarSection, war_config
from controller.games.war.layout import Layout, layout_of
from controller.games.war.rules import WarRules, war_rules
from controller.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from controller.core.by_hand import Part
    from controller.core.table import Table
    from controller.games.edges import Edge
    from controller.games.game import Game

USUAL_DECKS = 6


class CasinoWar(Playable):
    """Casino War as anybody outside sees it."""

    name = "war"
    title = "Casino War"
    rulebook = "melbourne-war"
    section = WarSection
    round_over = ("source", "over")
    unit_on_sign = False
    by_hand_without = ("chips", "shoe", "shuffler")

    def rules(self, rulebook: str) -> WarRules:
        return war_rules(rulebook)

    def needs(self, play: Section) -> tuple[Kind, ...]:
        assert isinstance(play, WarSection)
        return (play.source, "chips")

    def spare(self, play: Section) -> tuple[Kind, ...]:
        assert isinstance(play, WarSection)
        return ("shuffler" if play.source == "shoe" else "shoe",)

    def problems(self, config: TableConfig) -> Iterator[Problem]:
        return configured.check_war(config)

    def asks_player_cards(self, rulebook: str) -> bool:
        return war_rules(rulebook).wagers.player_card

    def stakes_promotional(self, rulebook: str) -> bool:
        return war_rules(rulebook).wagers.tokens

    def bets(self, config: TableConfig) -> tuple[str, ...]:
        zones = configured.zones_of(war_rules(config.table.rulebook), war_config(config.own(WarSection)))
        return (*zones, "war")

    def no_tournament(self, rulebook: str) -> str:
        return war_rules(rulebook).tournament.clause

    def usual(self, rulebook: str, **chosen: Any) -> Section:
        return configured.usual_war(rulebook, chosen.get("source", "shoe"))

    def variants(self, rulebook: str) -> dict[str, dict[str, Any]]:
        return {source: {"source": source} for source in ("shoe", "shuffler")}

    def variant(self, play: Section) -> str:
        assert isinstance(play, WarSection)
        return play.source

    def house(self, book: Rulebook) -> House:
        return configured.house_of(book.edition)

    def build(self, config: TableConfig, table: Table) -> Game:
        from controller.games.war.game import WarGame

        places: dict[str, str] = {device.kind: place for place, device in reversed(config.devices.items())}
        return WarGame(table, war_config(config.own(WarSection)), places)

    def by_hand(self) -> Part[Any]:
        from controller.games.war.by_hand import WarByHand

        return WarByHand()

    def areas(self, config: TableConfig) -> int:
        return _layout(config).areas

    def course(self) -> Course:
        from controller.games.war.round import ROWS
        from controller.games.war.state import PHASES

        return Course(PHASES, ROWS, "unchecked")

    def face(self, config: TableConfig, game: Game, drivers: Mapping[str, object]) -> dict[str, Any]:
        war, layout = config.own(WarSection), _layout(config)
        return {
            "decks": war.decks,
            "places": layout.boxes,
            "zones": layout.zones,
            "source": war.source,
            "labels": {"perfect": "Perfect pair", "coloured": "Coloured pair", "mixed": "Mixed pair"},
        }

    def edges(self, rulebook: str, decks: int | None = None) -> list[Edge]:
        from controller.games.war.edge import edges

        return list(edges(rulebook, USUAL_DECKS if decks is None else decks))

    def expectations(self, config: TableConfig) -> dict[str, Fraction]:
        """Of a main wager with the war that follows a tie, which is why a stake at war adds nothing of its own."""
        war = config.own(WarSection)
        ways = ("", "always to war", f"column {war.payout_column}")
        edges = [edge for edge in self.edges(config.table.rulebook, war.decks) if edge.stage == "first"]
        found = {edge.wager: edge.expectation for edge in edges if edge.way in ways}
        return {**found, "war": Fraction(0)}


def _layout(config: TableConfig) -> Layout:
    return layout_of(war_rules(config.table.rulebook), war_config(config.own(WarSection)))


GAME = CasinoWar()
