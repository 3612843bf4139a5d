"""Big Wheel: a wheel spun by hand, four of them in the rulebook, and wagers on where it comes to rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, cast

from controller.config.types import Kind, Problem, Section, TableConfig
from controller.core.house import House, Notice
from controller.games.playable import Course, Landings, Playable, Wheel
from controller.games.wheel import config as configured
from controller.games.wheel.config import WheelSection
from controller.games.wheel.rules import WheelRules, wheel_rules
from controller.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from controller.core.by_hand import Part
    from controller.core.table import Table
    from controller.games.edges import Edge
    from controller.games.game import Game
    from controller.games.wheel.game import WheelGame


class BigWheel(Playable):
    """Big Wheel as anybody outside sees it."""

    name = "wheel"
    title = "Big Wheel"
    rulebook = "melbourne-wheel"
    section = WheelSection
    section_holds = "the wheel's ring and option go there (2.1)"
    round_over = ("dest", "idle")
    by_hand_without = ("chips", "wheel")
    files: ClassVar[dict[str, str]] = {"profile": "wheel.profile"}
    past_on_sign = True
    drawn_events = frozenset({"WheelRested"})

    def rules(self, rulebook: str) -> WheelRules:
        return wheel_rules(rulebook)

    def needs(self, play: Section) -> tuple[Kind, ...]:
        return ("wheel", "chips")

    def problems(self, config: TableConfig) -> Iterator[Problem]:
        return configured.check_wheel(config)

    def warnings(self, config: TableConfig) -> Iterator[Problem]:
        return configured.worth_a_look(config)

    def bets(self, config: TableConfig) -> tuple[str, ...]:
        option = configured.option_of(config)
        return option.names if option is not None else ()

    def usual(self, rulebook: str, **chosen: Any) -> Section:
        return configured.usual_wheel(rulebook, chosen.get("option", 1))

    def variants(self, rulebook: str) -> dict[str, dict[str, Any]]:
        return {f"option {known.number}": {"option": known.number} for known in wheel_rules(rulebook).options}

    def variant(self, play: Section) -> str:
        assert isinstance(play, WheelSection)
        return f"option {play.option}"

    def house(self, book: Rulebook) -> House:
        rules = wheel_rules(book.edition)
        return House(
            book,
            closing=Notice(book.powers["close"].clause, rounds=rules.closing.notice_spins),
            raising=Notice("footnote 1 s 66(2)", minutes=rules.limits.raise_notice_minutes),
            round_word="spin",
        )

    def build(self, config: TableConfig, table: Table) -> Game:
        from controller.games.wheel.game import WheelGame, WheelSetup

        wheel, rules, chips = config.own(WheelSection), wheel_rules(config.table.rulebook), config.chips
        option = rules.option(wheel.option)
        # Betting areas are numbered from 1 in the order of the symbols.
        areas = dict(enumerate(option.names, start=1))
        setup = WheelSetup(rules, option, wheel.ring, areas, config.seats.count, chips.set_mark, chips.colours)
        return WheelGame(table, setup)

    def by_hand(self) -> Part[Any]:
        from controller.games.wheel.by_hand import WheelByHand

        return WheelByHand()

    def areas(self, config: TableConfig) -> int:
        option = wheel_rules(config.table.rulebook).option(config.own(WheelSection).option)
        return len(option.symbols) + 1

    def wheel(self, config: TableConfig) -> Wheel:
        return Wheel(config.own(WheelSection).profile, configured.wheel_geometry(config))

    def course(self) -> Course:
        from controller.games.wheel.round import ROWS
        from controller.games.wheel.state import STATES

        return Course(STATES, ROWS, "idle")

    def face(self, config: TableConfig, game: Game, drivers: Mapping[str, object]) -> dict[str, Any]:
        from controller.games.wheel.face import face

        return face(config, game, drivers)

    def beside(self, game: Game) -> dict[str, Any]:
        from controller.games.wheel.view import landings

        return {"landings": landings(cast("WheelGame", game))}

    def drawn(self, event: dict[str, Any]) -> dict[str, Any]:
        from controller.games.wheel.face import drawn

        return drawn(event)

    def edges(self, rulebook: str, decks: int | None = None) -> list[Edge]:
        from controller.games.wheel.edge import edges

        return [edge for option in wheel_rules(rulebook).options for edge in edges(option)]

    def expectations(self, config: TableConfig) -> dict[str, Fraction]:
        from controller.games.wheel.edge import edges

        option = wheel_rules(config.table.rulebook).option(config.own(WheelSection).option)
        return {edge.wager: edge.expectation for edge in edges(option)}

    def landings(self, config: TableConfig) -> Landings:
        from controller.games.wheel.landings import DaysLandings

        return DaysLandings(config.own(WheelSection).ring)

    def expected(self, config: TableConfig) -> dict[str, Fraction]:
        ring = Counter(config.own(WheelSection).ring)
        return {symbol: Fraction(count, ring.total()) for symbol, count in ring.items()}


GAME = BigWheel()
