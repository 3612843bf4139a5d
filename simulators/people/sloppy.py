"""Honest people with sloppy hands: stacks laid slowly, straightened, toppled, chips read badly, keys pressed late.

They stand between a crew and its felt, at whatever game, and do one kind of sloppiness a round. None of it is a wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from firmware_specs.clock import Clock, Timer
from simulators.people.chips import TRAY, Bank, Felt
from simulators.people.sloppy_war import EarlyDealer

LAID_S = (0.05, 0.6)
"""How long a hand takes to lay a stack down."""
FINGER_S = 0.25
"""The longest pause between two chips of one movement."""
BEFORE_CLOSE_S = (0.0, 0.15)
MISSED_S = (0.1, 0.8)
MISSES_A_MINUTE = 30.0
LIFTED_S = (0.1, 0.5)
"""How long chips are off the felt while a stack is straightened."""
MOST = 20
"""Chips in a stack."""
SLOW_TURN_S = 1.2
CHANGED_FOR = {100_000: 50_000, 50_000: 10_000, 10_000: 2_500, 2_500: 500, 1_000: 500, 500: 250, 250: 50, 100: 50}
"""The next smaller chip that a chip can be changed for."""


class Phases(msgspec.Struct, frozen=True):
    """What the states of a game mean to hands: when chips may be laid, when not any more, when they are settled.

    `closes` is the key that ends betting and `decided` the one that says the result; empty where there is none.
    """

    begins: frozenset[str]
    open: frozenset[str]
    closed: frozenset[str]
    settling: frozenset[str]
    closes: str = ""
    decided: str = ""


WHEEL = Phases(
    frozenset({"betting_open"}),
    frozenset({"betting_open", "spin_open"}),
    frozenset({"closed_wait_spin", "spin_closed"}),
    frozenset({"collect", "pay"}),
    "no_more_bets",
    "acknowledge",
)
WAR = Phases(
    frozenset({"betting"}),
    frozenset({"betting"}),
    frozenset({"dealing", "choosing"}),
    frozenset({"interim", "final"}),
    "no_more_bets",
)
POKER = Phases(
    frozenset({"posting"}),
    frozenset({"posting", "bet1", "bet2", "bet3", "bet4"}),
    frozenset({"bet1", "bet2", "bet3", "bet4"}),
    frozenset({"award", "drop"}),
)
PHASES = {"wheel": WHEEL, "war": WAR, "poker": POKER}


class Screen(Protocol):
    """The dealer's screen, of which only the pressing of keys is meddled with."""

    def press(self, key: str, rank: int, args: Mapping[str, Any] | None = None) -> None: ...


class ReadMat(Protocol):
    """The felt and what its antennas see of it."""

    def place(self, tags: list[int], area: int) -> None: ...

    def remove(self, tags: list[int]) -> None: ...

    def put_on_edge(self, tag: int, areas: tuple[int, ...]) -> None: ...

    def miss(self, tags: list[int], seconds: float) -> None: ...

    def restart(self) -> None: ...

    def lying(self, area: int) -> frozenset[int]: ...


class SlowMat:
    """A felt on which stacks are laid chip by chip while `slow`; otherwise as hands lay them."""

    def __init__(self, clock: Clock, mat: ReadMat, chance: random.Random) -> None:
        self.clock, self.mat, self.chance = clock, mat, chance
        self.slow = False
        self._coming: dict[int, Timer] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.mat, name)

    def place(self, tags: list[int], area: int) -> None:
        self._let_go(tags)
        self.mat.place(tags, area)

    def lay(self, tags: list[int], area: int) -> None:
        """A player's hand lays a stack down."""
        if not self.slow or len(tags) < 2:
            self.place(tags, area)
            return
        pause = min(self.chance.uniform(*LAID_S) / (len(tags) - 1), FINGER_S)
        self.mat.place(tags[:1], area)
        for count, tag in enumerate(tags[1:], 1):
            self._coming[tag] = self.clock.call_later(pause * count, self._lay, tag, area)

    def _lay(self, tag: int, area: int) -> None:
        del self._coming[tag]
        self.mat.place([tag], area)

    def remove(self, tags: list[int]) -> None:
        still_held = self._let_go(tags)
        if lying := [tag for tag in tags if tag not in still_held]:
            self.mat.remove(lying)

    def _let_go(self, tags: list[int]) -> set[int]:
        held = {tag for tag in tags if tag in self._coming}
        for tag in held:
            self._coming.pop(tag).cancel()
        return held


class ManyChips(Felt):
    """A felt on which players lay stacks of one to twenty chips."""

    def __init__(self, mat: SlowMat, bank: Bank, chance: random.Random) -> None:
        super().__init__(mat, bank)
        self.slow, self.chance = mat, chance
        self.laid: Callable[[int], None] = lambda area: None

    def put(self, cents: int, area: int) -> list[int]:
        tags = self.bank.pieces(self._pieces(cents))
        self.lay(tags, area)
        return tags

    def lay(self, tags: list[int], area: int) -> None:
        self.areas[area] += tags
        self.slow.lay(tags, area)
        self.laid(area)

    def _pieces(self, cents: int) -> list[int]:
        whole = self.bank.make(cents)
        values = [self.bank.register[tag] for tag in whole]
        self.bank.take_back(whole)
        wanted, smallest = self.chance.randint(1, MOST), min([500, *values])
        while len(values) < wanted:
            largest = max(values)
            smaller = CHANGED_FOR.get(largest, 0)
            if smaller < smallest or len(values) + largest // smaller - 1 > MOST:
                break
            values.remove(largest)
            values += [smaller] * (largest // smaller)
        return values


class Sloppy:
    """Does one kind of sloppiness in a round, at the moment it belongs to."""

    def __init__(self, clock: Clock, people: Any, mat: ReadMat, phases: Phases, areas: list[int], seed: int) -> None:
        self.clock, self.people, self.phases, self.areas = clock, people, phases, areas
        self.chance = random.Random(f"sloppy {seed}")
        self.kind = self.state = ""
        self.done = False
        self.slow = SlowMat(clock, mat, self.chance)
        self.felt = people.felt = ManyChips(self.slow, people.felt.bank, self.chance)
        self.felt.laid = self._laid
        if source := getattr(people, "source", None):
            self._draw, source.draw = source.draw, self._drawn
        self._press = people.screen.press
        people.screen.press = self._pressed
        self._missing = self._waits = False
        self._early = EarlyDealer(people) if phases is WAR else None

    def press_on(self, press: Callable[..., None]) -> None:
        """Keys are pressed on another screen from now on."""
        self._press = press

    # -- the round ---------------------------------------------------------------------------------------------

    def new_round(self, kind: str) -> None:
        """From now on, hands are sloppy in this way; none at all where it is empty."""
        self.kind, self.done = kind, False
        self.slow.slow = kind == SLOWLY
        if self._early is not None:
            self._early.new_round(taking=kind == COLLECTED_EARLY)
        if kind == MISSED and not self._missing:
            self._missing = True
            self._miss_next()

    def entered(self, state: str) -> None:
        """The round has come to this state."""
        self.state = state
        if state in self.phases.closed:
            if self.kind in (STRAIGHTENED, RESTARTED):
                self._soon((0.3, 1.0), self._after_the_close)
        elif state in self.phases.settling and self.kind == LIFTED and not self.done:
            self._soon((0.3, 1.5), self._lift_winner, {area: list(self.felt.areas[area]) for area in self._winning()})

    def _soon(self, within: tuple[float, float], act: Callable[..., None], *args: object) -> None:
        self.clock.call_later(self.chance.uniform(*within), self._if_still, self.kind, act, args)

    def _if_still(self, kind: str, act: Callable[..., None], args: tuple[object, ...]) -> None:
        if kind == self.kind:
            act(*args)

    def _laid(self, area: int) -> None:
        self.done = self.done or self.slow.slow
        if self.slow.slow and not self.phases.closes:
            # Nobody acts again while a stack is being laid.
            self.people.stand_back(True)
            self.clock.call_later(SLOW_TURN_S, self.people.stand_back, False)
        acts = {STRAIGHTENED: self._straighten, TOPPLED: self._topple, NUDGED: self._nudge, CHANGED: self._change}
        if self.kind in acts and not self.done and self.state in self.phases.open:
            self._soon((0.15, 0.4), acts[self.kind], area)

    # -- what hands do while bets are laid ---------------------------------------------------------------------

    def _straighten(self, area: int) -> None:
        """The stack is lifted and set down again where it stood."""
        lying = self.slow.mat.lying(area)  # without those that a hand holds already
        if tags := [tag for tag in self.felt.areas[area] if tag in lying]:
            self.done = True
            self.slow.mat.remove(tags)
            self.clock.call_later(self.chance.uniform(*LIFTED_S), self._set_down, tags, area)

    def _set_down(self, tags: list[int], area: int) -> None:
        if still := [tag for tag in tags if tag in self.felt.areas[area]]:
            self.slow.mat.place(still, area)

    def _topple(self, area: int) -> None:
        """Some chips fall across the line to the area beside, and are stacked up again."""
        if (tags := list(self.felt.areas[area])) and (beside := self._beside(area)) is not None:
            self.done = True
            for tag in tags[-3:]:
                self.slow.mat.put_on_edge(tag, (min(area, beside), max(area, beside)))
            self.clock.call_later(self.chance.uniform(0.3, 0.9), self._set_down, tags[-3:], area)

    def _nudge(self, area: int) -> None:
        """A sleeve takes the top chip to the area beside; it is put back."""
        if (tags := list(self.felt.areas[area])) and (beside := self._beside(area)) is not None:
            self.done = True
            self.slow.mat.place(tags[-1:], beside)
            self.clock.call_later(self.chance.uniform(0.3, 0.9), self._set_down, tags[-1:], area)

    def _beside(self, area: int) -> int | None:
        near = [other for other in (area - 1, area + 1) if other in self.areas]
        return self.chance.choice(near) if near else None

    def _change(self, area: int) -> None:
        """A player has a chip changed: it goes into the tray, and smaller ones come out of it."""
        bank = self.felt.bank
        large, small = 2_500, 500
        if len(bank.tray.get(small, ())) < large // small:
            return
        self.done = True
        paid_in = bank.pieces([large])
        handed_out = [bank.tray[small].pop() for _ in range(large // small)]
        first, second = (self._lay_in, paid_in), (self._hand_out, handed_out)
        if self.chance.random() < 0.5:
            first, second = second, first
        first[0](first[1])
        self.clock.call_later(self.chance.uniform(0.5, 3.0), second[0], second[1])

    def _lay_in(self, tags: list[int]) -> None:
        self.felt.bank.lay_in(tags)
        self.slow.mat.place(tags, TRAY)

    def _hand_out(self, tags: list[int]) -> None:
        self.slow.mat.remove(tags)
        self.felt.bank.take_back(tags)

    # -- after the close ---------------------------------------------------------------------------------------

    def _after_the_close(self) -> None:
        if self.kind == RESTARTED:
            self.done = True
            self.slow.mat.restart()
            return
        lying = [area for area in self.areas if self.felt.areas[area]]
        if lying:
            self._straighten(self.chance.choice(lying))

    def _lift_winner(self, stakes: dict[int, list[int]]) -> None:
        """A winner takes the stake up, and leaves the winnings, whether they lie there or are to come.

        At Casino War it is the winnings that free a stake: nobody lifts one before they lie beside it.
        """
        for area, tags in stakes.items():
            lying = self.felt.areas[area]
            if self._early is not None and not set(lying) - set(tags):
                continue
            if still := [tag for tag in tags if tag in lying]:
                self.done = True
                self.felt.take(still, area)
        if self._early is not None and not self.done and self.state in self.phases.settling:
            self._soon((0.1, 0.4), self._lift_winner, stakes)

    def _winning(self) -> list[int]:
        if self._early is not None:
            return self._early.winning()
        place = self.people.areas if isinstance(getattr(self.people, "areas", None), dict) else {}
        won = [due.bet for due in self.people.screen.dues() if due.result == "win"]
        return [place[bet] for bet in won if bet in place]

    # -- keys --------------------------------------------------------------------------------------------------

    def _pressed(self, key: str, rank: int, args: Mapping[str, Any] | None = None) -> None:
        closes = key == self.phases.closes and self.kind in (AT_THE_CLOSE, ON_THE_LINE)
        decides = key == self.phases.decided and self.kind in (COLLECTED_EARLY, PAID_EARLY)
        if key == "answer" and self._early is not None and not self.done and self._settles_first(args or {}):
            self._press_after(self.chance.uniform(1.2, 2.5), key, rank, args)
        elif (closes or decides) and not self.done:
            self._bet_at_the_close(key, rank) if closes else self._settle_early(key, rank)
        elif not (self._waits and (closes or decides)):
            self._press(key, rank, args)

    def _settles_first(self, args: Mapping[str, Any]) -> bool:
        """Whether the dealer at Casino War does with chips what is about to be answered, before answering."""
        assert self._early is not None
        acts = {COLLECTED_EARLY: self._early.takes_half, PAID_EARLY: self._early.settles}
        self.done = self.kind in acts and acts[self.kind](args)
        return self.done

    def _press_after(self, seconds: float, key: str, rank: int, args: Mapping[str, Any] | None = None) -> None:
        self._waits = True
        if self._early is not None:
            self.people.stand_back(True)
        self.clock.call_later(seconds, self._press_now, key, rank, args)

    def _press_now(self, key: str, rank: int, args: Mapping[str, Any] | None) -> None:
        self._waits = False
        self._press(key, rank, args)
        if self._early is not None:
            self.people.stand_back(False)

    def _bet_at_the_close(self, key: str, rank: int) -> None:
        self.done = True
        if self.kind == ON_THE_LINE:
            self._lay_on_the_line()
            self._press_after(0.5, key, rank)
            return
        self._stake_somewhere()
        self._press_after(self.chance.uniform(*BEFORE_CLOSE_S), key, rank)

    def _lay_on_the_line(self) -> None:
        self.done = True
        tag = self.felt.bank.pieces([500])
        self.slow.mat.put_on_edge(tag[0], (self.areas[0], self.areas[1]))
        self.clock.call_later(2.0, self._hand_out, tag)

    def _drawn(self, *args: Any, **kwargs: Any) -> float:
        """The first card closes betting: a stake is laid while it is on its way out."""
        if self.kind == PAID_EARLY and self._early is not None and not self.done:
            self._early.spoils_the_dealers_card()
        seconds: float = self._draw(*args, **kwargs)
        betting = not self.done and self.people.screen.state() == "betting"
        if self.kind == ON_THE_LINE and betting:
            self._lay_on_the_line()
        if self.kind == AT_THE_CLOSE and betting:
            self.done = True
            before = min(self.chance.uniform(*BEFORE_CLOSE_S), seconds)
            self.clock.call_later(seconds - before, self._stake_somewhere)
        return seconds

    def _stake_somewhere(self) -> None:
        area = self.chance.choice([area for area in self.areas if self.felt.areas[area]] or self.areas)
        self._stake(area, self.chance.choice((500, 1_000, 2_500, 5_000)))

    def _stake(self, area: int, cents: int) -> None:
        if hasattr(self.people, "stake"):
            self.people.stake("P1", area, cents)
        else:
            self.felt.put(cents, area)

    def _settle_early(self, key: str, rank: int) -> None:
        """The dealer, who sees the result, takes losing chips and pays before saying so to the table."""
        self.done = True
        for area, (taken, _) in self.people.dues().items():
            if taken:
                self.felt.collect(area, taken)
        if self.kind == PAID_EARLY:
            self.clock.call_later(0.8, self.people.lay_winnings)
        self._press_after(self.chance.uniform(1.2, 2.5), key, rank)

    # -- antennas ----------------------------------------------------------------------------------------------

    def _miss_next(self) -> None:
        self.clock.call_later(self.chance.expovariate(MISSES_A_MINUTE / 60), self._miss_one)

    def _miss_one(self) -> None:
        self._missing = self.kind == MISSED
        if self._missing:
            lying = [tag for area in self.areas for tag in self.felt.areas[area]]
            tray = [tag for tags in self.felt.bank.tray.values() for tag in tags]
            # One of two falls on the layout, where it could be taken for a hand's.
            among = lying if lying and (self.chance.random() < 0.5 or not tray) else tray
            if among:
                self.done = True
                self.slow.mat.miss([self.chance.choice(among)], self.chance.uniform(*MISSED_S))
            self._miss_next()


SLOWLY = "stacks laid slowly"
AT_THE_CLOSE = "bet just before the close"
MISSED = "reads missed"
STRAIGHTENED = "stack straightened"
TOPPLED = "stack toppled"
NUDGED = "chip nudged over a line"
CHANGED = "change made while betting"
COLLECTED_EARLY = "collected before the key"
PAID_EARLY = "paid before the key"
LIFTED = "winner lifts the stake"
ON_THE_LINE = "chip on the line at the close"
RESTARTED = "mat restarts after the close"
KINDS = {
    "wheel": (
        SLOWLY, AT_THE_CLOSE, MISSED, STRAIGHTENED, TOPPLED, NUDGED, CHANGED, COLLECTED_EARLY, PAID_EARLY, LIFTED,
        ON_THE_LINE, RESTARTED,
    ),
    "war": (
        SLOWLY, AT_THE_CLOSE, MISSED, STRAIGHTENED, TOPPLED, NUDGED, CHANGED, COLLECTED_EARLY, PAID_EARLY, LIFTED,
        ON_THE_LINE, RESTARTED,
    ),
    "poker": (SLOWLY, MISSED, STRAIGHTENED, TOPPLED, NUDGED, RESTARTED),
}  # fmt: skip
"""What is done at each game: poker is closed by nobody's call and has no float here."""
