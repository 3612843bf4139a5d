"""A Big Wheel crew for proofs: it plays a plan that only the seed decides, sees what people see, and tries again.

Nothing it does depends on how quickly the table answers, so a table that was interrupted must settle the same
wagers on the same spins as one that was not.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from firmware_specs.clock import Clock
from simulators.people.chips import Felt
from simulators.people.table import Due, Question

LOOK_EVERY_S = 0.5
PUSH_AGAIN_S = 30.0
"""How long the dealer waits for a table that has not noticed a spin before pushing again."""
SUPERVISOR_S = 5.0
"""How long the dealer tries before a supervisor confirms a payment that was not seen."""

Course = Literal["plain", "weak", "closed early", "cancelled"]


class Shown(msgspec.Struct, frozen=True):
    """What the dealer's screen shows."""

    life: str
    state: str
    questions: tuple[Question, ...] = ()
    dues: tuple[Due, ...] = ()
    wagers: dict[tuple[str, str], int] = {}
    details: dict[str, Any] = {}


class Bet(msgspec.Struct, frozen=True):
    """A player's money on a symbol."""

    player: str
    symbol: str
    cents: int


class Plan(msgspec.Struct, frozen=True):
    """One round as it is going to be played."""

    bets: tuple[Bet, ...]
    speed: float
    sense: int
    course: Course = "plain"


class Press(Protocol):
    """Press a key as somebody of this rank."""

    def __call__(self, key: str, rank: int, args: dict[str, Any] | None = None) -> None: ...


class Wheel(Protocol):
    """The wheel as the dealer sees and pushes it."""

    @property
    def moving(self) -> bool: ...

    def spin(self, speed: float, sense: int) -> object: ...


def planned(seed: int, number: int, symbols: list[str], course: Course = "plain") -> Plan:
    """The round of this number, the same for every run with this seed."""
    draw = random.Random(f"round {seed} {number}")
    on = draw.sample(symbols, min(3, len(symbols)))
    bets = tuple(Bet(f"P{place}", symbol, 500 * draw.randint(1, 10)) for place, symbol in enumerate(on, start=1))
    return Plan(bets, draw.uniform(1.0, 1.5), 1 if number % 2 else -1, course)


class PatientCrew:
    """Dealer and players who look every half second and do what is due; `rulings` are answers by subject."""

    def __init__(
        self,
        clock: Clock,
        see: Callable[[], Shown | None],
        press: Press,
        felt: Felt,
        wheel: Wheel,
        areas: dict[str, int],
        seed: int,
        course: Callable[[int], Course] = lambda number: "plain",
        rulings: dict[str, str] | None = None,
    ) -> None:
        self.clock = clock
        self.felt = felt
        self.wheel = wheel
        self.areas = areas
        self.rounds = 0
        self.owners: dict[int, str] = {}
        self.resting = False
        self._see, self._press = see, press
        self._seed, self._course, self._rulings = seed, course, rulings or {}
        self._begin()
        self._do: dict[str, Callable[[Shown], None]] = {
            "idle": self._idle,
            "betting_open": self._bet,
            "closed_wait_spin": lambda shown: self._push(),
            "spin_open": lambda shown: self._press("no_more_bets", 1),
            "ruling": self._rule,
            "result": lambda shown: self._press("acknowledge", 1),
            "collect": self._collect,
            "pay": self._pay,
        }

    def start(self) -> None:
        self._look()

    def on_felt(self) -> dict[tuple[str, str], int]:
        """What truly lies on the layout, by player and symbol."""
        symbols = {area: symbol for symbol, area in self.areas.items()}
        lying: dict[tuple[str, str], int] = {}
        for area, tags in self.felt.areas.items():
            for tag in tags:
                key = (self.owners.get(tag, ""), symbols[area])
                lying[key] = lying.get(key, 0) + self.felt.bank.register[tag]
        return lying

    def _begin(self) -> None:
        self.plan = planned(self._seed, self.rounds, sorted(self.areas), self._course(self.rounds))
        self._laid: list[list[int]] = []
        self._pushes = 0
        self._rested_since = 0.0
        self._paid_at: float | None = None

    def _look(self) -> None:
        if self.resting:
            return
        if self.wheel.moving:
            self._rested_since = self.clock.now()
        shown = self._see()
        if shown is not None and shown.life == "closed":
            self._press("open", 1)
        elif shown is not None and shown.life in ("open", "closing"):
            self._act(shown)
        self.clock.call_later(LOOK_EVERY_S, self._look)

    def _act(self, shown: Shown) -> None:
        if due := self._do.get(shown.state):
            due(shown)

    # -- the round ---------------------------------------------------------------------------------------------

    def _idle(self, shown: Shown) -> None:
        if self._laid:
            self._lift_everything()
            self.rounds += 1
            self._begin()
        else:
            self._press("place_bets", 1)

    def _lift_everything(self) -> None:
        for area in self.areas.values():
            self.felt.clear(area)
        self.owners.clear()

    def _bet(self, shown: Shown) -> None:
        plan = self.plan
        if len(self._laid) < len(plan.bets):
            bet = plan.bets[len(self._laid)]
            tags = self.felt.put(bet.cents, self.areas[bet.symbol])
            self.owners.update(dict.fromkeys(tags, bet.player))
            self._laid.append(tags)
            return
        for bet, tags in zip(plan.bets, self._laid, strict=True):
            if shown.wagers.get((bet.player, bet.symbol)) != bet.cents:
                who = {"player": bet.player, "player_is_new": True}  # a page has whoever is not here named as new
                self._press("assign", 1, {"area": self.areas[bet.symbol], **who, "tags": tags})
                return
        if plan.course == "closed early":
            self._press("no_more_bets", 1)
        elif plan.course == "cancelled":
            self._press("cancel_disruption", 5, {"reason": "somebody fell over the wheel"})
        else:
            self._push()

    def _push(self) -> None:
        if self.wheel.moving or (self._pushes and self.clock.now() - self._rested_since < PUSH_AGAIN_S):
            return
        self._pushes += 1
        self._rested_since = self.clock.now()
        weak = self.plan.course == "weak" and self._pushes == 1
        self.wheel.spin(0.4 if weak else self.plan.speed, self.plan.sense)

    def _rule(self, shown: Shown) -> None:
        for question in shown.questions:
            rank, args = question.answered(self._rulings.get(question.subject, question.proposal))
            self._press("answer", rank, args)
            if args["answer"] == "no_spin":
                self._rested_since = -PUSH_AGAIN_S  # betting opens again, and the next push is due
            return

    def _collect(self, shown: Shown) -> None:
        winners = {due.bet for due in shown.dues if due.result == "win"}
        for symbol, area in self.areas.items():
            if symbol not in winners and self.felt.areas[area]:
                self.felt.collect(area)
                return
        self._press("losers_clear", 1)

    def _pay(self, shown: Shown) -> None:
        if self._paid_at is not None:
            # What the antennas did not see of it, a supervisor lets pass after a while.
            late = self.clock.now() - self._paid_at > SUPERVISOR_S
            self._press("paid", 2 if late else 1, {"confirmed": True} if late else {})
            return
        self._paid_at = self.clock.now()
        for due in shown.dues:
            if due.pays and due.result == "win":
                tags = self.felt.pay(due.pays, self.areas[due.bet])
                self.owners.update(dict.fromkeys(tags, due.player))
