"""A Casino War crew for proofs: it plays a plan that only the seed decides, sees what people see, and tries again.

Nothing it does depends on how quickly the table answers, so a table that was interrupted must settle the same
wagers on the same cards as one that was not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Literal

import msgspec

from firmware_specs.cards import DECK, RANKS
from firmware_specs.clock import Clock
from simulators.card_mouth import CannotDraw
from simulators.people.chips import Felt
from simulators.people.patient import LOOK_EVERY_S, SUPERVISOR_S, Press, Shown
from simulators.people.table import Question
from simulators.shoe import CardShoe

START = ("AS", "2S")
"""The cards that open a shoe: an ace is turned, so one card is burned."""
BURNS = 3
PLANNED = 20
"""Rounds whose cards lie ready in the shoe."""
SUPERVISOR = 3

Course = Literal["plain", "war", "closed", "unread", "shuffle", "reshuffle", "wrong deck"]


class Bet(msgspec.Struct, frozen=True):
    """A player's money on a zone."""

    player: str
    box: int
    zone: str
    cents: int

    @property
    def bet(self) -> str:
        return f"{self.zone} {self.box}"


class Plan(msgspec.Struct, frozen=True):
    """One round as it is going to be played: stakes, the cards by their places, and what tied players choose."""

    bets: tuple[Bet, ...]
    first: dict[str, str]
    war: dict[str, str]
    choices: dict[int, str]
    course: Course = "plain"

    @property
    def cards(self) -> list[str]:
        """The round's cards in the order they are drawn; burned ones are any."""
        second = ["7H"] * BURNS + list(self.war.values()) if self.war else []
        return [*self.first.values(), *second]


def rank(card: str) -> int:
    return RANKS.index(card[0])


def planned(seed: int, number: int, course: Course) -> Plan:
    """The round of this number, the same for every run with this seed."""
    draw = random.Random(f"war round {seed} {number}")
    stakes = [500 * draw.randint(1, 8) for _ in range(2)]
    bets = (
        Bet("P1", 1, "main", stakes[0]),
        Bet("P1", 1, "tie", 500),
        Bet("P2", 2, "main", stakes[1]),
    )
    deck = [card for card in DECK if card not in (*START, "7H")]
    draw.shuffle(deck)
    dealer = deck.pop()
    same = [card for card in deck if rank(card) == rank(dealer)]
    other = [card for card in deck if rank(card) != rank(dealer)]
    at_war = course == "war"
    first = {"box1": same[0] if at_war else other[0], "box2": same[1] if at_war else other[1], "dealer": dealer}
    war = {"box1": other[2], "dealer": other[3]} if at_war else {}
    choices = {1: "war", 2: "surrender"} if at_war else {}
    return Plan(bets, first, war, choices, course)


class PatientWarCrew:
    """Dealer and players who look every half second and do what is due."""

    def __init__(
        self,
        clock: Clock,
        see: Callable[[], Shown | None],
        press: Press,
        felt: Felt,
        shoe: CardShoe,
        area: Callable[[str], int],
        seed: int,
        course: Callable[[int], Course] = lambda number: "plain",
    ) -> None:
        self.clock = clock
        self.felt = felt
        self.shoe = shoe
        self.rounds = 0
        self.resting = False
        self._see, self._press, self._area = see, press, area
        self._seed, self._course = seed, course
        self._arranged = False
        self._done: dict[str, tuple[int, int]] = {}
        self._moved_at: float | None = None
        self._begin()
        self._do: dict[str, Callable[[Shown], None]] = {
            "unchecked": lambda shown: self._press("check_cards", 1, {"how": "by hand"}),
            "unshuffled": self._shuffle,
            "reshuffling": self._shuffle,
            "uncut": self._rule,
            "recutting": self._rule,
            "burning": self._draw,
            "betting": self._bet,
            "closed": self._draw,
            "dealing": self._deal,
            "war_burning": self._draw,
            "war_dealing": self._draw,
            "interim": self._settle,
            "choosing": self._choose,
            "final": self._settle,
            "ruling": self._rule,
            "over": self._over,
            "blocked": lambda shown: self._press("replace_cards", SUPERVISOR, {"why": "a card was missing"}),
        }

    def start(self) -> None:
        self._look()

    def _begin(self) -> None:
        self.plan = self._plan(self.rounds)
        self._laid: dict[Bet, list[int]] = {}
        self._drawn: list[str] = []
        self._took_course = False
        self._played = False

    def _plan(self, number: int) -> Plan:
        return planned(self._seed, number, self._course(number))

    def _look(self) -> None:
        if self.resting:
            return
        shown = self._see()
        if shown is not None and shown.life == "closed":
            self._press("open", 1)
        elif shown is not None and shown.life in ("open", "closing"):
            due = self._do.get(shown.state)
            if due is not None:
                due(shown)
        self.clock.call_later(LOOK_EVERY_S, self._look)

    # -- cards -------------------------------------------------------------------------------------------------

    def _shuffle(self, shown: Shown) -> None:
        """The cards of the rounds to come lie in their order behind those that are burned first."""
        if not self._arranged:
            self._arranged = True
            left = self.plan.cards[len(self._drawn) :]
            later = [card for number in range(self.rounds + 1, PLANNED) for card in self._plan(number).cards]
            coming = [*START, *left, *later]
            rest = Counter(DECK * 6)
            rest.subtract(coming)
            others = [card for card, number in rest.items() for _ in range(max(number, 0))]
            random.Random(self._seed).shuffle(others)
            self.shoe.take_out()
            self.shoe.load([*coming, *others])
            return
        self._press("shuffled", 1)

    def _told(self, shown: Shown) -> bool:
        """Whether the table has heard of every card that left since the shuffle."""
        return int(shown.details.get("draws", 0)) >= self.shoe.draws

    def _unseen(self, shown: Shown) -> bool:
        """The shoe lost its memory: say what left it and is not on the screen."""
        for question in shown.questions:
            if question.subject == "unseen":
                missed = self.shoe.draws - int(shown.details.get("draws", 0))
                args = {"prompt": question.id, "answer": "enter" if missed else "none"}
                if missed:
                    args["face"] = self.shoe.drawn[-missed]
                self._press("answer", 1, args)
                return True
        return False

    def _draw(self, shown: Shown) -> None:
        self._arranged = False
        if self._unseen(shown):
            return
        if not shown.details.get("next") or not self._told(shown):
            return
        burn = str(shown.details["next"]).startswith("shoe")
        if self.plan.course == "unread" and not burn and not self._took_course:
            self._took_course = True
            self.shoe.spoil("unreadable")
        try:
            self.shoe.draw(self._hold if not burn else None)
        except CannotDraw:
            return

    def _hold(self, cards: tuple[str, ...]) -> None:
        self._drawn += cards

    def _deal(self, shown: Shown) -> None:
        """Somewhere in the first deal the round takes the course it was planned with."""
        if self._drawn and self._told(shown) and not self._took_course:
            if self.plan.course == "reshuffle":
                self._took_course = True
                self._press("shoe_empty", 1)
                return
            if self.plan.course == "wrong deck":
                self._took_course = True
                self._press("wrong_deck", SUPERVISOR, {"what": "a card is missing"})
                return
        self._draw(shown)

    # -- stakes ------------------------------------------------------------------------------------------------

    def _bet(self, shown: Shown) -> None:
        self._done, self._moved_at = {}, None  # nothing of the round before is owed any more
        if self._unseen(shown):
            return
        if self.plan.course == "shuffle" and not self._took_course:
            self._took_course = True
            self._press("order_shuffle", SUPERVISOR, {"reason": "dropped cards"})
            return
        seats = {int(box): player for box, player in shown.details["seats"].items()}
        for bet in self.plan.bets:
            if seats.get(bet.box) != bet.player:
                self._press("sit", 1, {"box": bet.box, "player": bet.player})
                return
            if bet not in self._laid:
                self._lay(bet)
                return
            if shown.wagers.get((bet.player, bet.bet)) != bet.cents:
                return
        if self.plan.course == "closed":
            self._press("no_more_bets", 1)
        else:
            self._draw(shown)

    def _lay(self, bet: Bet) -> None:
        self._laid[bet] = self.felt.put(bet.cents, self._area(bet.bet))

    def _choose(self, shown: Shown) -> None:
        for question in shown.questions:
            kind, _, rest = question.subject.partition(":")
            if kind != "choice":
                self._answer(question, question.proposal)
                return
            box, _, player = rest.partition(":")
            if self.plan.choices.get(int(box)) == "surrender":
                self._answer(question, "surrender")
                return
            main = next(bet for bet in self.plan.bets if (bet.box, bet.zone) == (int(box), "main"))
            stake = Bet(player, int(box), "war", main.cents)
            if stake not in self._laid:
                self._lay(stake)
        if not shown.questions:
            self._move(shown)  # what was surrendered last

    # -- take and pay ------------------------------------------------------------------------------------------

    def _settle(self, shown: Shown) -> None:
        if self._move(shown):
            self._moved_at = self.clock.now()
            return
        late = self._moved_at is not None and self.clock.now() - self._moved_at > SUPERVISOR_S
        self._press("settled", SUPERVISOR if late else 1, {"confirmed": True} if late else {})

    def _move(self, shown: Shown) -> bool:
        """Carry out what is owed and was not carried out yet."""
        moved = False
        for due in shown.dues:
            before = self._done.get(due.wager, (0, 0))
            if before == (due.stake_taken, due.pays):
                continue
            moved = True
            self._done[due.wager] = (due.stake_taken, due.pays)
            area = self._area(due.bet)
            self.felt.collect(area, max(due.stake_taken - before[0], 0) + max(before[1] - due.pays, 0))
            owed = max(due.pays - before[1], 0) + max(before[0] - due.stake_taken, 0)
            if owed:
                self.felt.pay(owed, area)
        return moved

    def _over(self, shown: Shown) -> None:
        if self._move(shown):
            self._moved_at = self.clock.now()
            return
        if not self._played and self._laid:
            self._played = True
            for area in [area for area, tags in self.felt.areas.items() if tags and area]:
                self.felt.clear(area)
            return
        if self._laid:
            self.rounds += 1
            self._begin()
            return
        late = self._moved_at is not None and self.clock.now() - self._moved_at > SUPERVISOR_S
        self._press("place_bets", SUPERVISOR, {"confirmed": True} if late else {})

    # -- questions ---------------------------------------------------------------------------------------------

    def _rule(self, shown: Shown) -> None:
        self._arranged = False
        for question in shown.questions:
            self._answer(question, question.proposal)
            return

    def _answer(self, question: Question, wanted: str) -> None:
        least, args = question.answered(wanted)
        if question.subject.startswith("unknown"):
            cards = self.plan.first if question.evidence.get("stage") == "first" else self.plan.war
            args["face"] = cards.get(question.evidence.get("place", ""), self.shoe.drawn[-1])
        self._press("answer", max(least, 1), args)
