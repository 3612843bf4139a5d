"""A Big Wheel crew that plays by itself: sensible most of the time, and now and then not."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from firmware_specs.clock import Clock
from simulators.people.chips import Felt
from simulators.people.mischief import WRONGS, Mischief
from simulators.people.table import Question, Screen

REACTION_S = (0.4, 1.2)
PATIENCE_S = 10.0
"""How long the dealer looks for what is not paid or taken right before a supervisor is called."""


class Habits(msgspec.Struct, frozen=True):
    """How often, per spin, somebody does what they should not."""

    late_bet: float = 0.01
    forgets_no_more_bets: float = 0.003
    weak_push: float = 0.02
    touches_wheel: float = 0.005
    under_minimum: float = 0.01
    players: int = 4
    bets_each: int = 2
    wrong: float = 0.0
    wrongs: tuple[str, ...] = WRONGS


class Wheel(Protocol):
    """The wheel as the dealer's hand meets it."""

    def spin(self, speed: float, sense: int) -> object:
        """Push it: revolutions a second at release, +1 or -1."""

    def touch(self, kind: Literal["brake", "push"], strength: float) -> object:
        """Lay a hand on the turning wheel."""


class WheelCrew:
    """Dealer, supervisor and players; driven by what the screen says and by the clock."""

    def __init__(
        self,
        clock: Clock,
        screen: Screen,
        felt: Felt,
        wheel: Wheel,
        areas: dict[str, int],
        seed: int,
        habits: Habits | None = None,
    ) -> None:
        self.clock = clock
        self.screen = screen
        self.felt = felt
        self.wheel = wheel
        self.areas = areas
        self.habits = habits or Habits()
        self._random = random.Random(seed)
        self._sense = 1
        self._busy = False
        self.standing_back = False
        mat: Any = felt.mat
        own = self._random.getrandbits(32) if self.habits.wrong else 0
        self.mischief = Mischief(clock, felt, mat, list(areas.values()), own, self.habits.wrongs, self.habits.wrong)
        self._collected: set[int] = set()
        self._left: dict[int, int] = {}
        self._paid_at = 0.0
        self.stakes: dict[int, list[tuple[str, list[int]]]] = {}
        self._handlers: dict[str, Callable[[], None]] = {
            "idle": self._open_betting,
            "betting_open": self._bet_and_spin,
            "spin_open": self._close_betting,
            "ruling": self._rule,
            "result": lambda: self.screen.press("acknowledge", 1),
            "collect": self._collect,
            "pay": self._pay,
        }

    # -- reacting ----------------------------------------------------------------------------------------------

    def stand_back(self, back: bool) -> None:
        """Leave the table to somebody else, or take it over again."""
        self.standing_back = back
        if not back:
            self.look()

    def look(self) -> None:
        """Something changed on the screen: do what is due, after a person's reaction time."""
        if self._busy or self.standing_back:
            return
        self._busy = True
        self.clock.call_later(self._random.uniform(*REACTION_S), self._act)

    def _act(self) -> None:
        self._busy = False
        if self.standing_back:
            return
        life = self.screen.life()
        if life == "closed":
            self.screen.press("open", 1)
        elif life in ("open", "closing"):
            handler = self._handlers.get(self.screen.state())
            if handler is not None:
                handler()

    def _then(self, seconds: float, action: Callable[[], None]) -> None:
        """Do something after a while, as long as nothing else is begun."""
        self._busy = True

        def done() -> None:
            self._busy = False
            if not self.standing_back:
                action()

        self.clock.call_later(seconds, done)

    # -- the round ---------------------------------------------------------------------------------------------

    def _open_betting(self) -> None:
        self._collected.clear()
        self._paid_at = 0.0
        if self.habits.wrong:
            self._look_into_the_float()
            self.mischief.new_round()
        self._tend_the_float()
        self.screen.press("place_bets", 1)

    def _bet_and_spin(self) -> None:
        seconds = 3.0
        for player in range(1, self.habits.players + 1):
            for _ in range(self._random.randint(1, self.habits.bets_each)):
                seconds += self._random.uniform(0.3, 1.5)
                self.clock.call_later(seconds, self._bet, f"P{player}")
        if self.mischief.plan:
            self.clock.call_later(seconds + 0.5, self.mischief.while_betting)
        self._then(seconds + 2.0, self._spin)

    def _bet(self, player: str) -> None:
        if self.standing_back or self.screen.state() not in ("betting_open", "spin_open"):
            return
        area = self.areas[self._random.choice(list(self.areas))]
        cents = 500 * self._random.randint(1, 10)
        if self._random.random() < self.habits.under_minimum:
            cents = 250
        self.stake(player, area, cents)

    def stake(self, player: str, area: int, cents: int) -> list[int]:
        """A player lays chips; the dealer tells the table whose they are."""
        tags = self.felt.put(cents, area)
        self.stakes.setdefault(area, []).append((player, tags))
        self.clock.call_later(0.8, self._assign, player, area, tags)
        return tags

    def _assign(self, player: str, area: int, tags: list[int]) -> None:
        if self.screen.life() in ("open", "closing") and any(tag in self.felt.areas[area] for tag in tags):
            self.screen.press("assign", 1, {"area": area, "player": player, "tags": tags})

    def _spin(self) -> None:
        if self.screen.state() != "betting_open" or self.screen.life() not in ("open", "closing"):
            self.look()
            return
        self._sense = -self._sense
        weak = self._random.random() < self.habits.weak_push
        self.wheel.spin(self._random.uniform(0.3, 0.7) if weak else self._random.uniform(1.0, 1.8), self._sense)
        if self._random.random() < self.habits.touches_wheel:
            kind: Literal["brake", "push"] = self._random.choice(("brake", "push"))
            self.clock.call_later(self._random.uniform(3.0, 8.0), self.wheel.touch, kind, 0.5)

    def _close_betting(self) -> None:
        if self._random.random() < self.habits.forgets_no_more_bets:
            return
        self._no_more_bets()

    def _no_more_bets(self) -> None:
        if self.screen.state() != "spin_open":
            self.look()
            return
        self.screen.press("no_more_bets", 1)
        if self._random.random() < self.habits.late_bet:
            area = self.areas[self._random.choice(list(self.areas))]
            self.clock.call_later(self._random.uniform(0.2, 3.0), self.stake, "P1", area, 500)
        if self.mischief.plan:
            self.clock.call_later(1.5, self._late_mischief)

    def _late_mischief(self) -> None:
        if self.screen.state() == "spin_closed":
            self.mischief.after_the_close()

    def _rule(self) -> None:
        for question in self.screen.questions():
            self.answer(question, question.proposal)
            return

    def answer(self, question: Question, wanted: str) -> None:
        """The person of the rank that is needed answers; the proposal where it is an answer, else the first."""
        rank, args = question.answered(wanted)
        self.screen.press("answer", rank, args)

    def _collect(self) -> None:
        """Take losing wagers into the float, one area after the other."""
        self.mischief.put_back()
        if self.mischief.plan:
            self.mischief.after_the_result([area for area, (_, pays) in self.dues().items() if pays])
        for area, (taken, _) in self.dues().items():
            if taken and area not in self._collected:
                self._collected.add(area)
                if self.mischief.plan:
                    self.mischief.collecting(area)
                if not self.mischief.plan or not self.mischief.leaves(area):
                    self.felt.collect(area, taken)
                else:
                    self._left[area] = taken
                self._then(0.5, self.look)
                return
        self.screen.press("losers_clear", 1)
        for area, taken in self._left.items():
            # Told that something still lies there, the dealer takes it.
            self.clock.call_later(3.0, self.felt.collect, area, taken)
        self._left = {}

    def dues(self) -> dict[int, tuple[int, int]]:
        """What is taken and what is paid on each area."""
        sums: dict[int, tuple[int, int]] = {}
        for due in self.screen.dues():
            area = self.areas[due.bet]
            taken, paid = sums.get(area, (0, 0))
            sums[area] = taken + due.stake_taken, paid + (due.pays if due.result == "win" else 0)
        return sums

    def _pay(self) -> None:
        """Lay the winnings beside the stakes, say so, and let the players lift them."""
        if self._paid_at:
            self._say_paid()
            return
        self.lay_winnings()
        self._then(1.5, self._say_paid)

    def lay_winnings(self) -> None:
        """Pay every winner, from a fill where the float cannot make it."""
        for area, (_, due) in self.dues().items():
            pays = self.mischief.paying(area, due) if due and self.mischief.plan else due
            if pays and not self.felt.pay(pays, area):
                # The float cannot make it: a fill comes from the cage, and then it can.
                self.screen.press("fill", 2, {"cents": self.felt.fill(pays)})
                self.felt.pay(pays, area)
        self._paid_at = self.clock.now()

    def _say_paid(self) -> None:
        """Once everything lies where it belongs; what does not after a while, the supervisor lets pass."""
        late = self.clock.now() - self._paid_at > PATIENCE_S
        args = {"confirmed": True, "reason": "seen by a supervisor"} if late else {}
        self.screen.press("paid", 2 if late else 1, args)
        self._then(2.0, self._lift_or_say_again)

    def _lift_or_say_again(self) -> None:
        if self.screen.state() == "pay":
            self._say_paid()
            return
        for area in [area for area, tags in self.felt.areas.items() if tags]:
            self.clock.call_later(self._random.uniform(0.1, 1.0), self._lift, area)
        self.look()

    def _lift(self, area: int) -> None:
        if self.screen.state() in ("idle", "betting_open"):
            self.felt.clear(area)
            self.stakes.pop(area, None)

    def _look_into_the_float(self) -> None:
        """A supervisor has found out about whatever was missing; the books go on from what lies there."""
        self.screen.press("float_explained", 2, {"reason": "counted with a supervisor"})

    def _tend_the_float(self) -> None:
        """Between rounds chips that run low come from the cage, and those that are too many go there."""
        if not self.felt.has_tray:
            return
        for key, cents in (("fill", self.felt.fill()), ("credit", self.felt.credit())):
            if cents:
                self.screen.press(key, 2, {"cents": cents})
