"""A wheel that is spun, pushed too weakly, braked, or touched."""

from __future__ import annotations

import random
from typing import ClassVar

import msgspec

from controller.config.types import TableConfig
from controller.games.wheel.config import WheelSection
from controller.games.wheel.rules import wheel_rules
from drivers.motion import SpinVerdict
from drivers.wheel import WheelKnocked, WheelRested, WheelStarted, WheelTurned
from lab.explore import steps
from lab.explore.forms import PLAYERS
from lab.explore.hands import NoOrders, two_signatures
from lab.explore.steps import AnyStep
from lab.explore.table import ExploredTable
from lab.sim.config import default_config

WHEEL = "wheel"
TURNS = 4
REASONS = ("under_revs", "not_clear", "interference", "malfunction")
NOT_HOMED = 0.1
"""How often the sensor has lost its index mark in a spin."""
KNOCK = 0.2
"""How often a wheel at rest is only knocked."""


MAIN = ("open", "place_bets", "no_more_bets", "acknowledge", "losers_clear", "paid")
"""As the page of this game names them."""


class WheelHands(NoOrders):
    """The dealer's hand at the wheel."""

    heeded: ClassVar[dict[str, str]] = {}
    remedies = ("assign", "no_more_bets", "place_bets", "no_spin", "inquiry_over", "dispute", "cancel_disruption")
    resting = ("idle",)
    betting = ("betting_open",)

    def __init__(self) -> None:
        self.turning = False

    def main(self, table: ExploredTable) -> tuple[str, ...]:
        return MAIN

    def tell(self, table: ExploredTable, step: AnyStep) -> list[msgspec.Struct] | None:
        heard = WHEEL not in table.down
        match step:
            case steps.Push() if not self.turning:
                self.turning = True
                table.spins += 1
                return [WheelStarted(WHEEL, table.spins, step.sense, 0)] if heard else []
            case steps.Turn() if self.turning:
                return [WheelTurned(WHEEL, table.spins, step.turns)] if heard else []
            case steps.Turn() if heard:
                return [WheelKnocked(WHEEL, 100, 120, 0.1)]
            case steps.Rest() if self.turning and heard:
                self.turning = False
                return [WheelRested(WHEEL, table.spins, _verdict(step))]
        return None

    def any(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        if not self.turning:
            return steps.Turn(0) if draw.random() < KNOCK else steps.Push(draw.choice(("clockwise", "anticlockwise")))
        kind = draw.random()
        if kind < 0.3:
            return steps.Turn(draw.randint(1, TURNS))
        if kind < 0.6:
            return steps.Rest(self._where(table, draw), homed=draw.random() > NOT_HOMED)
        reasons = tuple(draw.sample(REASONS, draw.randint(1, 2)))
        if kind < 0.7:
            return steps.Rest(None, reasons, "unknown")
        clear = draw.choice(("clear", "near", "not_clear"))
        return steps.Rest(self._where(table, draw), reasons if kind < 0.85 else (), clear)

    def next(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        if table.without(WHEEL):
            return self._by_eye(table, draw)
        if self.turning:
            return self._rest(table, draw) if table.state != "spin_open" and WHEEL not in table.down else None
        due = table.state in ("betting_open", "closed_wait_spin") and table.table.playing
        return steps.Push() if due else None

    def _by_eye(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        """A spin that no sensor sees: that it has begun, and once bets are closed where it rests."""
        ring = table.config.own(WheelSection).ring
        rests = table.keyed("wheel_rests", symbol=draw.choice(ring), turns="enough")
        return table.keyed("wheel_spun", sense="clockwise") or (rests if table.state != "spin_open" else None)

    def player_at(self, table: ExploredTable, area: int) -> str:
        return PLAYERS[area % len(PLAYERS)]

    def _rest(self, table: ExploredTable, draw: random.Random) -> AnyStep:
        return steps.Rest(self._where(table, draw))

    def _where(self, table: ExploredTable, draw: random.Random) -> int:
        return draw.randrange(len(table.config.own(WheelSection).ring))

    def before_staking(self, table: ExploredTable) -> AnyStep | None:
        return None

    def stakes(self, table: ExploredTable) -> list[int]:
        return list(table.areas)

    def chips_asked(self, table: ExploredTable) -> AnyStep | None:
        return None

    def cards_astray(self, table: ExploredTable) -> str:
        return ""


def hands() -> WheelHands:
    return WheelHands()


def tables(rulebook: str) -> dict[str, TableConfig]:
    """Every option of the document, and one without antennas under the float."""
    options = [known.number for known in wheel_rules(rulebook).options]
    found = {f"option {number}": default_config("wheel", rulebook=rulebook, option=number) for number in options}
    usual = found["option 1"]
    chips = msgspec.structs.replace(usual.chips, float_tray=False)
    coloured = msgspec.structs.replace(usual.chips, set_mark="K", colours=("red", "blue", "green"))
    return {
        **found,
        "no tray": msgspec.structs.replace(usual, chips=chips),
        "two signatures": two_signatures(usual),
        "colours": msgspec.structs.replace(usual, chips=coloured),
    }


def _verdict(step: steps.Rest) -> SpinVerdict:
    forward = 60.0 if "under_revs" in step.reasons else 200.0
    return SpinVerdict(
        clear=step.clear,  # type: ignore[arg-type]
        compartment=step.compartment,
        forward=forward,
        reversal=0.2,
        reasons=step.reasons,  # type: ignore[arg-type]
        findings=(),
        sense="clockwise",
        offset=0.4 if step.clear == "clear" else 0.02,
        since_release=forward - 5,
        fastest=1.4,
        trace=b"",
        homed=step.homed,
    )
