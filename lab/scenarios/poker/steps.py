"""The steps of Crown Poker besides those of all games: cards off the deck, and a crew that does what is due."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from drivers.card_antennas import BOARD, BURN, MUCK
from lab.scenarios.poker.words import CARD, SEAT, STREETS
from lab.scenarios.steps import Steps, steps_section
from lab.scenarios.words import MONEY, TEXT, Field, Section, Word, one_of
from simulators.decks import simulated_decks
from simulators.people.poker_screen import Wanted

if TYPE_CHECKING:
    from lab.scenarios.poker.play import PokerTable

HAND_S = 900.0
UNREAD_S = 60.0
FOREIGN_TAG = 0xDEAD_BEEF
STRANGE = {"foreign": FOREIGN_TAG, "other_deck": next(iter(simulated_decks()[1]))}
DUE = ("fee", "blind", "shuffle", "cut", "card", "action", "discard", "burn", "board", "show", "push", "drop")
PLACES = {"board": BOARD, "burn": BURN, "muck": MUCK}
OWN = (
    Word("deal", "People sit down, blinds go up, the deck is shuffled, cut and dealt, up to the first wager; "
         "after a hand everything is taken up, and the next one is dealt."),
    Word("go_on", "The crew does what is due, up to the moment when this is; after a hand in the next one.", (
        Field("wanted", one_of(*DUE), "Up to what.", optional=False),)),
    Word("until", "Everybody checks or calls, and the dealer deals, up to the first wager on a street.", (
        Field("street", one_of(*STREETS), "Up to which.", optional=False),)),
    Word("finish", "Everybody checks or calls, shows, and the pots are pushed: the hand is brought to its end."),
    Word("draw", "The next card off the deck is laid down.", (
        Field("to", TEXT, "Where: `seat 1` and so on, `board`, `burn` or `muck`.", optional=False),
        Field("card", CARD, "The card that is drawn, wherever it lay in the deck."),
        Field("how", one_of("two", "unreadable", "foreign", "other_deck"),
              "Two at once, one that the antennas miss for a minute, a card of no deck of this table, or one of the "
              "deck that waits for the next shuffle."))),
    Word("put", "A card that lies on the table is put somewhere else, or back on top of the deck.", (
        Field("card", CARD, "Which one.", optional=False),
        Field("to", TEXT, "Where: `seat 1` and so on, `board`, `burn`, `muck` or `deck`.", optional=False))),
    Word("muck", "The cards of a seat go into the muck: folded, or given up.", (
        Field("seat", SEAT, "Whose.", optional=False),)),
)  # fmt: skip
STEPS = steps_section(
    OWN,
    {
        "expect": (
            Field("wanted", TEXT, "What has to happen next: action, burn, board, show, push and so on."),
            Field("turn", SEAT, "The seat in turn."),
            Field("to_call", MONEY, "What it has to call."),
        )
    },
)


class PokerSteps(Steps):
    """Carries them out with the hands of a case's table."""

    section: ClassVar[Section] = STEPS
    table: PokerTable

    def __init__(self, table: PokerTable) -> None:
        layout = table.game.layout
        seats = range(1, layout.seats + 1)
        areas = {f"seat {seat}": seat for seat in seats} | {"pot": layout.pot, "drop": layout.drop}
        areas |= {f"{colour} {seat}": layout.side(seat, colour) for colour in ("red", "black") for seat in seats}
        super().__init__(table, areas)
        self._places = {f"seat {seat}": seat for seat in seats} | PLACES

    # -- chips -------------------------------------------------------------------------------------------------

    def assign(self, area: int, said: dict[str, Any], tags: list[int]) -> None:
        """Whose chips they are is told by where they lie."""
        sits = self.table.game.state.seats.get(area)
        if sits is not None and sits.player != said["player"]:
            raise self.wrong(f"player: at seat {area} sits {sits.player}, and not {said['player']}")

    # -- the crew ----------------------------------------------------------------------------------------------

    def _crew_until(self, condition: Callable[[], bool]) -> None:
        """The crew takes the table over until this is so."""
        crew = self.table.people
        crew.stand_back(False)
        try:
            self.table.clock.run_until(lambda: condition() or bool(self.table.over), HAND_S)
        finally:
            crew.stand_back(True)
        if not condition():
            self.table.wrong(f"{self.where}: never came about: the hand was over before")

    def _wanted(self) -> Wanted:
        return self.table.people.screen.wanted()

    def do_deal(self, said: dict[str, Any]) -> None:
        self.do_go_on({"wanted": "action"})

    def do_go_on(self, said: dict[str, Any]) -> None:
        if self.table.over:
            self.table.over = {}
            self.table.people.next_hand_as_seated()
        self._crew_until(lambda: self._wanted().what == said["wanted"])

    def do_until(self, said: dict[str, Any]) -> None:
        cards = STREETS[said["street"]]
        self._crew_until(lambda: self._wanted().what == "action" and len(self.table.board) >= cards)

    def do_finish(self, said: dict[str, Any]) -> None:
        self._crew_until(lambda: bool(self.table.over))

    # -- cards -------------------------------------------------------------------------------------------------

    def do_draw(self, said: dict[str, Any]) -> None:
        place, how = self._place(said), said.get("how")
        if how in STRANGE:
            self.table.devices.antennas.place((STRANGE[how],), place)
            return
        tags = self.table.people.off_the_top(2 if how == "two" else 1, said.get("card"))
        if not tags:
            raise self.wrong(f"{said.get('card', 'a card')} is no longer in the deck")
        self.table.people.put_down(tags, place, UNREAD_S if how == "unreadable" else 0.0)

    def _place(self, said: dict[str, Any]) -> int:
        if said["to"] not in self._places:
            raise self.wrong(f"to: no card lies at {said['to']!r}; there are {', '.join(self._places)}")
        return self._places[said["to"]]

    def do_put(self, said: dict[str, Any]) -> None:
        place = None if said["to"] == "deck" else self._place(said)
        if not self.table.people.put_elsewhere(said["card"], place):
            self.table.wrong(f"{self.where}: never came about: no {said['card']} lies on the table")

    def do_muck(self, said: dict[str, Any]) -> None:
        if not self.table.people.throw_in(said["seat"]):
            self.table.wrong(f"{self.where}: never came about: seat {said['seat']} holds no cards")

    # -- what must be ------------------------------------------------------------------------------------------

    def now(self) -> dict[str, Any]:
        wanted = self._wanted()
        seat = wanted.seats[0] if wanted.seats else 0
        return {**super().now(), "wanted": wanted.what, "turn": seat, "to_call": wanted.to_call}
