"""The bench of a simulated poker table: take hold of the cards and their antennas as well."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from controller.core.runtime import Told
from controller.games.poker.game import PokerGame
from drivers.card_antennas import BOARD, BURN, MUCK, place_name
from lab.scenarios.file import ScenarioError, case_of
from lab.scenarios.play import play_case
from lab.scenarios.poker.record import PokerRecord
from lab.scenarios.poker.steps import FOREIGN_TAG
from lab.sim.bench import BadPull, Param
from lab.sim.levers import CASES_KEPT, Anew, PlayedLevers
from simulators.people.poker import PokerCrew

if TYPE_CHECKING:
    from lab.sim.table import SimulatedTable


class PokerLevers(PlayedLevers):
    """People, cards, chips, lines and time."""

    def __init__(self, table: SimulatedTable, seed: int = 0, anew: Anew | None = None) -> None:
        layout = cast(PokerGame, table.runtime.table.game).layout
        super().__init__(table, seed, {layout.name(area): area for area in range(1, layout.areas)}, anew)
        self.antennas = table.devices.antennas
        self.places = {place_name(antenna): antenna for antenna in (*range(1, layout.seats + 1), BOARD, BURN, MUCK)}
        self._record = PokerRecord(cast(PokerGame, table.runtime.table.game))
        self._cases: list[dict[str, Any]] = []
        table.runtime.watchers.append(self._follow)
        self.add_people()
        self._add_cards()
        self.add_chips()
        self.add_lines_and_time()

    @property
    def poker(self) -> PokerCrew:
        return cast(PokerCrew, self.crew)

    def status(self) -> dict[str, Any]:
        return {**super().status(), "cases": len(self._cases)}

    def scenario(self) -> dict[str, Any]:
        """The last hands, as cases that `tablectl scenario` plays again; one that would end otherwise is left out."""
        cases = [case for case in self._cases if _plays_again(case)]
        return {"meta": {"game": "Crown Poker", "made_by": "bench"}, "cases": cases}

    def _follow(self, told: Told) -> None:
        case = self._record.told(told)
        if case is not None:
            self._cases = [*self._cases, case][-CASES_KEPT:]

    def stake(self, player: str, area: str, cents: int) -> None:
        self.felt.put(cents, self.areas[area])

    def _add_cards(self) -> None:
        group, names = "Cards", tuple(self.places)
        place = Param("place", "Where", "choice", names[0], choices=names)
        self.add(self._deal, "deal", "Lay the next card", group, place, hint="Or drag it to a seat or the board.")
        self.add(self._carry, "carry", "Carry cards", group, place,
                 Param("to", "To", "choice", place_name(MUCK), choices=names),
                 hint="A player folds by throwing the cards into the muck.")  # fmt: skip
        self.add(self._gather, "gather", "Take all cards up", group, hint="They go into the shuffler.")
        self.add(self._between, "between", "Card between two places", group,
                 Param("place", "Between", "choice", names[0], choices=names),
                 Param("to", "and", "choice", names[1], choices=names),
                 hint="Two antennas read it: where it lies is asked.")  # fmt: skip
        self.add(self._miss, "miss", "Antenna misses a card", group, place,
                 Param("seconds", "For", "number", 2, 0.1, 60, 0.1, "s"),
                 hint="A card that is not read for a moment has not left.")  # fmt: skip
        self.add(self._foreign, "foreign", "Foreign tag", group, place, Param("lies", "lies there", "flag", True),
                 hint="A card of no deck of this house.")  # fmt: skip
        self.add(self._clone, "clone", "Second card with one tag", group, place, hint="One card in two places at once.")
        self.add(self._broken, "card_antenna", "Card antenna", group, place, Param("works", "works", "flag", False),
                 hint="Cards on a dead one are told by hand.")  # fmt: skip

    # -- levers ------------------------------------------------------------------------------------------------

    def _next(self) -> int:
        tag = self.poker.top_card()
        if tag is None:
            raise BadPull("No shuffled deck is in the dealer's hand.")
        return tag

    def _lying(self, place: str) -> list[int]:
        tags = self.antennas.lying(self.places[place])
        if not tags:
            raise BadPull(f"No card lies at {place}.")
        return tags

    def _deal(self, args: dict[str, Any]) -> str:
        self.antennas.place((self._next(),), self.places[args["place"]])
        return f"A card was laid at {args['place']}."

    def _carry(self, args: dict[str, Any]) -> str:
        self.antennas.place(self._lying(args["place"]), self.places[args["to"]])
        return f"Cards were carried from {args['place']} to {args['to']}."

    def _gather(self, args: dict[str, Any]) -> str:
        self.poker.take_up()
        return "All cards were taken up."

    def _between(self, args: dict[str, Any]) -> str:
        if args["place"] == args["to"]:
            raise BadPull("A card lies between two places; choose another one.")
        self.antennas.put_on_edge(self._next(), (self.places[args["place"]], self.places[args["to"]]))
        return f"A card lies between {args['place']} and {args['to']}."

    def _miss(self, args: dict[str, Any]) -> str:
        self.antennas.miss(self._lying(args["place"])[:1], float(args["seconds"]))
        return f"The antenna at {args['place']} misses a card."

    def _foreign(self, args: dict[str, Any]) -> str:
        if args["lies"]:
            self.antennas.place((FOREIGN_TAG,), self.places[args["place"]])
            return f"A foreign tag lies at {args['place']}."
        if self.antennas.where(FOREIGN_TAG) is None:
            raise BadPull("No foreign tag lies anywhere.")
        self.antennas.remove((FOREIGN_TAG,))
        return "The foreign tag was taken away."

    def _clone(self, args: dict[str, Any]) -> str:
        tags = [tag for place in self.places for tag in self.antennas.lying(self.places[place])]
        if not tags:
            raise BadPull("No card lies anywhere; deal one first.")
        self.antennas.clone(tags[0], self.places[args["place"]])
        return f"A second card with the same tag lies at {args['place']}."

    def _broken(self, args: dict[str, Any]) -> str:
        antenna = self.places[args["place"]]
        if args["works"]:
            self.antennas.mend(antenna)
        else:
            self.antennas.fail(antenna)
        return f"The antenna of {args['place']} {'works' if args['works'] else 'is broken'}."


def _plays_again(case: dict[str, Any]) -> bool:
    """Whether the case ends as the hand did: people may have been too early or too late for words to tell."""
    plain = json.loads(json.dumps(case), parse_float=Decimal)  # amounts are exact
    try:
        return play_case(case_of("the bench", 0, plain)).ok
    except ScenarioError:
        return False
