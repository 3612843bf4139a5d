"""The Big Wheel judged from where it rested and the chips that lay when betting closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from controller.core.effects import Moved, Reversed, Settled, WagerResult
from controller.core.events import Command, Started
from controller.games.wheel.config import WheelSection
from drivers.events import DeviceDown
from drivers.wheel import WheelRested
from lab.explore.found import Found
from lab.explore.judges import Judge, Seen
from lab.explore.judges.payments import CHIPS, TRAY, Payments

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable

COMPARTMENTS = 48
"""A symbol on so many of 48 compartments pays the rest of them to it (6.1)."""
UNDECIDED = frozenset({"closed_wait_spin", "spin_open", "spin_closed", "check", "ruling", "result"})
CLOSES = frozenset({"no_more_bets", "rested"})


class WheelJudge:
    """What lay at the close, where the wheel rested, and what follows for each symbol."""

    def __init__(self) -> None:
        self._lay: dict[int, int] | None = None
        self._not_staked: Counter[int] = Counter()
        self._house: set[int] = set()
        self._settled_at = 0
        self._rest: WheelRested | None = None
        self._limits: Any = None

    def look(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        event = seen.row.event
        if isinstance(event, Started | DeviceDown) or CHIPS in table.down or table.straddling:
            self._lay = None
        if isinstance(event, Command) and event.name == "answer":
            self._rest = None  # a person may have said otherwise
            if event.args.get("answer") == "as_lying":
                self._lay = None
        for effect in seen.row.effects:
            if isinstance(effect, Moved) and effect.machine == "round":
                self._moved(table, effect, event)
            elif isinstance(effect, Settled) and effect.outcome != "invalidated":
                self._settled_at = len(table.carried)
                yield from self._settled(table, effect)
            elif isinstance(effect, Reversed):
                # What was laid as a payment of a spin that does not stand is the house's own, and no wager of the next.
                paid = table.carried[self._settled_at :]
                self._house |= {piece.tag for source, to, piece in paid if source == TRAY and to > TRAY}

    def _moved(self, table: ExploredTable, moved: Moved, event: Any) -> None:
        if moved.dest == "betting_open":
            self._lay = self._rest = None
        if moved.trigger == "no_more_bets" or (moved.trigger == "rested" and moved.source == "spin_open"):
            clear = CHIPS not in table.down and not table.straddling
            self._lay = {area: table.worth(area) for area in table.areas} if clear else None
            self._not_staked = Counter()
            for area in table.areas:
                lying = table.lying(area)
                self._not_staked[area] += sum(lying[tag].cents for tag in self._house & lying.keys())
            self._house &= {tag for area in table.areas for tag in table.lying(area)}
            self._limits = table.table.state.limits
        if isinstance(event, WheelRested) and moved.trigger == "rested":
            self._rest = event

    def _settled(self, table: ExploredTable, settled: Settled) -> Iterator[Found]:
        ring = table.config.own(WheelSection).ring
        rest = self._rest.verdict if self._rest is not None else None
        if rest is not None and rest.compartment is not None and ring[rest.compartment] != settled.outcome:
            text = f"the wheel rested on {ring[rest.compartment]}, settled for {settled.outcome}"
            yield Found("a winner where the wheel did not rest", text)
        staked = Counter[str]()
        for result in settled.results:
            if result.result in ("win", "lose"):
                staked[result.bet] += result.stake_taken + result.stake_returned
                yield from self._judged(table, result, settled.outcome)
        if self._lay is not None:
            yield from self._lying(table, staked, settled)

    def _judged(self, table: ExploredTable, result: WagerResult, winner: str) -> Iterator[Found]:
        if (result.result == "win") != (result.bet == winner):
            yield Found("a result that the wheel does not give", f"{result} and {winner} won")
        if self._limits is None or result.player in table.table.state.personal:
            return
        counted = min(result.stake_taken + result.stake_returned, self._limits.most)
        pays = counted * (COMPARTMENTS // _places(table, winner) - 1) if result.result == "win" else 0
        taken = 0 if result.result == "win" else counted
        pays = -(-pays // self._limits.smallest_chip) * self._limits.smallest_chip
        if result.pays != pays or result.stake_taken != taken:
            yield Found("an amount that the stake does not give", f"{result}: {pays} is due and {taken} is taken")

    def _lying(self, table: ExploredTable, staked: Counter[str], settled: Settled) -> Iterator[Found]:
        told = {result.bet for result in settled.results}
        for area, lay in (self._lay or {}).items():
            symbol = table.table.game.symbol(area)  # type: ignore[attr-defined]
            if staked[symbol] > lay:
                text = f"{symbol}: {staked[symbol]} settled, {lay} lay there when betting closed"
                yield Found("a wager of chips that did not lie there", text)
            if lay > self._not_staked[area] and symbol not in told:
                yield Found("chips that lay there are no wager", f"{symbol}: {lay} lay there when betting closed")


def _places(table: ExploredTable, symbol: str) -> int:
    return sum(one == symbol for one in table.config.own(WheelSection).ring)


def area_of(table: ExploredTable, bet: str) -> int:
    """Where the chips of a bet lie."""
    area: int = table.table.game.areas[bet]  # type: ignore[attr-defined]
    return area


def judges() -> list[Judge]:
    return [WheelJudge(), Payments(UNDECIDED, area_of)]
