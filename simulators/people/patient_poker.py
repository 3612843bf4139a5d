"""A poker crew for proofs: it plays a plan that only the seed decides, sees what people see, and tries again.

Nothing it does depends on how quickly the table answers, so a table that was interrupted must settle the same hands
for the same stakes as one that was not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol

import msgspec

from firmware_specs.clock import Clock
from simulators.card_mouth import CannotDraw
from simulators.people.chips import Felt
from simulators.people.patient import Press, Shown
from simulators.people.poker_screen import BOARD, BURN, MUCK, Areas

LOOK_EVERY_S = 0.5
PUSHED_AFTER_S = 10.0
"""How long the dealer waits for a table that has not noticed a push before saying so."""
SEEN_TO_S = 3.0
"""How long a shuffler that waits for a person waits."""
STREETS = ("flop", "turn", "river")

Course = Literal["plain", "showdown", "side flop", "asked"]


class Antennas(Protocol):
    """The felt over the card antennas."""

    def place(self, tags: Iterable[int], antenna: int) -> None: ...

    def remove(self, tags: Iterable[int]) -> None: ...

    def lying(self, antenna: int) -> list[int]: ...


class Machine(Protocol):
    """The single-deck shuffler as people see it and lay hands on it."""

    @property
    def helpless(self) -> bool:
        """Whether it waits for a person: it gave a stuck card up, or does not know what is inside."""

    @property
    def idle(self) -> bool:
        """Whether nothing is inside, in its feed or on its lift."""

    def load(self, cards: Iterable[str]) -> None: ...

    def lift_deck(self) -> list[str]: ...

    def take_out(self) -> list[str]: ...


class Plan(msgspec.Struct, frozen=True):
    """One hand as it is going to be played."""

    deck: tuple[int, ...]
    folds: dict[str, tuple[int, ...]]
    """Seats that give up when they face a wager in this betting round."""
    bets: dict[str, tuple[int, ...]]
    course: Course = "plain"


def planned(seed: int, number: int, deck: list[int], seats: list[int], course: Course = "plain") -> Plan:
    """The hand of this number, the same for every run with this seed."""
    draw = random.Random(f"hand {seed} {number}")
    order = list(deck)
    draw.shuffle(order)
    folds: dict[str, tuple[int, ...]] = {}
    bets: dict[str, tuple[int, ...]] = {}
    for street in ("bet1", "bet2", "bet3", "bet4"):
        folds[street] = tuple(seat for seat in seats if course == "plain" and draw.random() < 0.25)
        bets[street] = tuple(seat for seat in seats if draw.random() < 0.4)
    if course == "side flop":
        folds["bet1"] = tuple(seats)
    return Plan(tuple(order), folds, bets, course)


class PatientPokerCrew:
    """Dealer and players who look every half second and do what is due."""

    def __init__(
        self,
        clock: Clock,
        see: Callable[[], Shown | None],
        press: Press,
        felt: Felt,
        antennas: Antennas,
        deck: dict[int, str],
        areas: Areas,
        seats: int,
        seed: int,
        course: Callable[[int], Course] = lambda number: "plain",
        buy_in: int = 200_000,
        machine: Machine | None = None,
    ) -> None:
        self.clock = clock
        self.felt = felt
        self.antennas = antennas
        self.areas = areas
        self.faces = deck
        self.machine = machine
        self.spoil: Callable[[list[str]], list[str]] | None = None
        """What is wrong with the deck that goes into the shuffler next."""
        self.opened: list[set[str]] = []
        """Faces that lay open in each hand, and could be known to anybody."""
        self.rounds = 0
        self.resting = False
        self._helpless_since = -1.0
        self._see, self._press = see, press
        self._seed, self._course, self._seats, self._buy_in = seed, course, list(range(1, seats + 1)), buy_in
        self._begin()
        self._do: dict[str, Callable[[dict[str, Any]], None]] = {
            "blind": self._blind,
            "shuffle": self._shuffle,
            "cut": self._cut,
            "card": self._card,
            "action": self._action,
            "discard": self._discard,
            "burn": self._burn,
            "board": self._board,
            "show": self._show,
            "push": self._push,
            "drop": self._drop,
        }

    def start(self) -> None:
        self._look()

    def _begin(self) -> None:
        self.plan = planned(self._seed, self.rounds, list(self.faces), self._seats, self._course(self.rounds))
        self.left = list(self.plan.deck)
        """What is still in the dealer's hand."""
        self.held: dict[int, list[int]] = {}
        self.put_in: dict[int, int] = {}
        self.board: list[int] = []
        self.opened.append(set())
        self._begun = False
        self._asked = False
        self._lifted = False
        self._pushed_at = -1.0
        self._seen = ""

    def _look(self) -> None:
        if self.resting:
            return
        self._tend_machine()
        shown = self._see()
        if shown is not None and shown.life == "closed":
            self._press("open", 1)
        elif shown is not None and shown.life in ("open", "closing"):
            self._act(shown)
        self.clock.call_later(LOOK_EVERY_S, self._look)

    def _tend_machine(self) -> None:
        """Free the shuffler when it has waited for a person for a while: everything out, and in again."""
        machine, now = self.machine, self.clock.now()
        if machine is None or not machine.helpless:
            self._helpless_since = -1.0
        elif self._helpless_since < 0:
            self._helpless_since = now
        elif now - self._helpless_since > SEEN_TO_S:
            self._helpless_since = -1.0
            machine.take_out()
            self._load()

    def _load(self) -> None:
        """Put the deck into the shuffler."""
        if self.machine is not None:
            deck = [face.upper() for face in self.faces.values()]
            if self.spoil is not None:
                deck, self.spoil = self.spoil(deck), None
            self.machine.load(deck)

    def _act(self, shown: Shown) -> None:
        if shown.state == "between_hands":
            self._between(shown.details)
            return
        self._begun = True
        if shown.state == "ruling":
            self._asked = True
            self._rule(shown)
            return
        wanted = shown.details["wanted"]
        self._seen = shown.state
        due = self._do.get(wanted["what"])
        if due is not None:
            due(wanted)

    # -- between hands -----------------------------------------------------------------------------------------

    def _between(self, details: dict[str, Any]) -> None:
        for seat in self._seats:
            if str(seat) not in details["stacks"]:
                self._press("sit", 1, {"seat": seat, "player": f"P{seat}", "amount": self._buy_in})
                return
        places = [*range(self.areas.seats + 1), BOARD, BURN]
        lying = [tag for place in places for tag in self.antennas.lying(place)]
        chips = [area for area, tags in self.felt.areas.items() if tags]
        if lying or chips:
            self.antennas.remove(lying)
            for area in chips:
                self.felt.clear(area)
        elif self._begun:
            self.rounds += 1
            self._begin()
        elif details["cards"]:
            return  # the antennas have not said yet that all cards are taken up
        else:
            self._change_deck(details)
            if self.machine is not None and self.machine.idle:
                self._load()
            self._press("start_hand", 1)

    def _change_deck(self, details: dict[str, Any]) -> None:
        """A deck that is said to be defective is taken out, and a good one put in its place."""
        if self.machine is not None and details.get("deck") == "bad" and not self.machine.helpless:
            self.machine.take_out()
            self._load()

    def _shuffle(self, wanted: dict[str, Any]) -> None:
        if self.machine is None:
            self._press("shuffled", 1)
        else:
            self._change_deck(wanted)
            if self.machine.idle:
                self._load()

    def _cut(self, wanted: dict[str, Any]) -> None:
        """Lift the deck and cut it; how it lies then, the plan says."""
        if self.machine is not None and not self._lifted:
            if self.machine.idle:  # somebody emptied it: it is checked and shuffled again
                self._load()
                return
            try:
                self.machine.lift_deck()
            except CannotDraw:
                return  # it is not ready
            self._lifted = True
        self._press("cut", 1)

    # -- the hand ----------------------------------------------------------------------------------------------

    def _line(self, seat: int) -> int:
        return self.felt.bank.worth(self.felt.areas[seat])

    def _put(self, cents: int, seat: int) -> None:
        self.put_in[seat] = self.put_in.get(seat, 0) + cents
        self.felt.put(cents, seat)

    def _blind(self, wanted: dict[str, Any]) -> None:
        seat = wanted["seats"][0]
        if self.plan.course == "side flop":
            area = self.areas.side(self._seats[0], "red")
            if not self.felt.areas[area]:
                self.felt.put(1_000, area)
                return
        if not self._line(seat):
            self._put(wanted["amount"], seat)

    def _card(self, wanted: dict[str, Any]) -> None:
        """The next card goes out once the one before it is on the screen."""
        if wanted["dealt"] == sum(len(cards) for cards in self.held.values()):
            seat, tag = wanted["seats"][0], self.left.pop(0)
            self.held.setdefault(seat, []).append(tag)
            self.antennas.place((tag,), seat)

    def _action(self, wanted: dict[str, Any]) -> None:
        seat = wanted["seats"][0]
        if self.plan.course == "asked" and not self._asked and self._seen == "bet2":
            self._press("report", 1, {"what": "player_exposed", "seat": seat})
            return
        if seat not in self.held or self._line(seat) > wanted["in_round"]:
            return  # done, and not on the screen yet
        if wanted["to_call"] and seat in self.plan.folds[self._seen]:
            self.antennas.place(self.held.pop(seat), MUCK)
        elif wanted["to_call"]:
            self._put(wanted["to_call"], seat)
        elif wanted["opening"] and wanted["raise_max"] and seat in self.plan.bets[self._seen]:
            self._put(wanted["raise_min"], seat)
        else:
            self._press("check", 1, {"seat": seat})

    def _discard(self, wanted: dict[str, Any]) -> None:
        for seat in wanted["seats"]:
            if len(self.held[seat]) == 3:
                self.antennas.place((self.held[seat].pop(),), MUCK)

    def _sweep(self) -> None:
        for seat in self._seats:
            if self.felt.areas[seat]:
                self.felt.slide(list(self.felt.areas[seat]), seat, self.areas.pot)

    def _street(self) -> int:
        return 0 if self._seen == "side_flop" else STREETS.index(self._seen)

    def _burn(self, wanted: dict[str, Any]) -> None:
        self._sweep()
        if len(self.antennas.lying(BURN)) == self._street():
            self.antennas.place((self.left.pop(0),), BURN)

    def _board(self, wanted: dict[str, Any]) -> None:
        target = (3, 4, 5)[self._street()]
        if len(self.board) < target:
            new = [self.left.pop(0) for _ in range(target - len(self.board))]
            self.board += new
            self.opened[-1] |= {self.faces[tag] for tag in new}
            self.antennas.place(new, BOARD)
        else:
            self._press("turned_up", 1)

    def _show(self, wanted: dict[str, Any]) -> None:
        seat = wanted["seats"][0]
        self.opened[-1] |= {self.faces[tag] for tag in self.held[seat]}
        self._press("table_hand", 1, {"seat": seat})

    def _push(self, wanted: dict[str, Any]) -> None:
        if self._pushed_at < 0:
            self._pushed_at = self.clock.now()
            for area in (*self._seats, self.areas.pot):
                self.felt.clear(area)
        elif self.clock.now() - self._pushed_at > PUSHED_AFTER_S:
            self._press("pushed", 1, {"confirmed": True})

    def _drop(self, wanted: dict[str, Any]) -> None:
        short = wanted["amount"] - self.felt.bank.worth(self.felt.areas[self.areas.drop])
        if short > 0:
            self.felt.put(short, self.areas.drop)
        else:
            self._press("dropped", 2, {"confirmed": True})  # level 2 answers for what an antenna that is out missed

    def _rule(self, shown: Shown) -> None:
        for question in shown.questions:
            rank, args = question.answered(question.proposal)
            self._press("answer", rank, args)
            return
