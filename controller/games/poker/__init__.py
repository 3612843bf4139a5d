"""Crown Poker: seven games among players, dealt by the house, which takes a commission."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from controller.config.types import Kind, Problem, Section, TableConfig
from controller.core.house import House
from controller.games.playable import Course, Playable, SealedCards
from controller.games.poker import config as configured
from controller.games.poker.config import PokerSection
from controller.games.poker.layout import Layout
from controller.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from controller.core.by_hand import Part
    from controller.core.table import Table
    from controller.games.game import Game
    from controller.games.poker.rules import PokerRules


class CrownPoker(Playable):
    """Crown Poker as anybody outside sees it."""

    name = "poker"
    title = "Crown Poker"
    rulebook = "melbourne-poker"
    section = PokerSection
    section_holds = "game, blinds and buy-in go there (6.1.1)"
    round_over = ("dest", "between_hands")
    float_tray = False
    by_hand_without = ("chips", "cards", "shuffler")
    files: ClassVar[dict[str, str]] = {"deck": "deck.csv", "seal_key": "seal.key"}

    def rules(self, rulebook: str) -> PokerRules:
        from controller.games.poker.offers import poker_rules

        return poker_rules(rulebook)

    def needs(self, play: Section) -> tuple[Kind, ...]:
        return ("cards", "chips")

    def problems(self, config: TableConfig) -> Iterator[Problem]:
        from controller.games.poker.offers import check_poker

        return check_poker(config)

    def usual(self, rulebook: str, **chosen: Any) -> Section:
        return configured.usual_poker()

    def usual_devices(self, play: Section) -> tuple[Kind, ...]:
        return ("shuffler", "cards", "chips")

    def house(self, book: Rulebook) -> House:
        from controller.games.poker.offers import house_of

        return house_of(book.edition)

    def build(self, config: TableConfig, table: Table) -> Game:
        from controller.games.poker import offers
        from controller.games.poker.game import PokerGame  # its hand values take a while to load
        from controller.games.poker.table import PokerSetup

        shuffler = next((place for place, device in config.devices.items() if device.kind == "shuffler"), "")
        rules = offers.poker_rules(config.table.rulebook)
        terms, prizes = offers.terms_of(config), offers.prizes_of(config)
        return PokerGame(table, PokerSetup(rules, terms, config.seats.count, shuffler, prizes))

    def by_hand(self) -> Part[Any]:
        from controller.games.poker.by_hand import PokerByHand

        return PokerByHand()

    def areas(self, config: TableConfig) -> int:
        return Layout(config.seats.count).areas

    def shuffles_single_decks(self) -> bool:
        return True

    def sealed_cards(self, play: Section) -> SealedCards | None:
        assert isinstance(play, PokerSection)
        return SealedCards(play.deck, play.seal_key)

    def course(self) -> Course:
        from controller.games.poker.round import BETWEEN, ROWS, STATES

        return Course(STATES, ROWS, BETWEEN)

    def face(self, config: TableConfig, game: Game, drivers: Mapping[str, object]) -> dict[str, Any]:
        poker = config.own(PokerSection)
        return {"poker": poker.game, "structure": poker.structure}


GAME = CrownPoker()
