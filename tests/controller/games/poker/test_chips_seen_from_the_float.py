"""Chips of the float that lie on a spot for side wagers and pay nobody: staked without a buy-in, or refused."""

from __future__ import annotations

import msgspec
import pytest

from controller.core.events import Chip, ChipsCounted, ChipsMoved, SignShown, TimerDue
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import call_round, clause

TRAY = dict.fromkeys(range(9_000, 9_040), 500)
RED = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd")
BLACK = ("2c", "3c", "4c", "5c", "6c", "As", "Ks", "Qc")
BUY_INS = pytest.mark.parametrize("buy_in", [True, False], ids=["bought", "not bought"])


class Floated(PokerPlay):
    """A table with side wagers and a watched float; hands take chips out of it."""

    def __init__(self, deck: tuple[str, ...]) -> None:
        setup = config(side_wagers=True)
        chips = msgspec.structs.replace(setup.chips, float_tray=True)
        super().__init__(msgspec.structs.replace(setup, chips=chips), deck)
        self.press("close", 3)
        self.event(ChipsCounted("chips", {0: tuple(Chip(tag, "cash", cents) for tag, cents in TRAY.items())}))
        self.press("open")
        self.event(SignShown(self.table.state.sign))
        self.left = list(TRAY)
        self.seat(1000, 1000)
        self.press("start_hand")
        self.spot = self.game.layout.side(1, "red")

    def from_float(self, cents: int) -> list[int]:
        """The dealer lays so much on the spot of seat 1 for red."""
        tags, self.left = self.left[: cents // 500], self.left[cents // 500 :]
        self.event(ChipsMoved("chips", 0, (), tuple(tags)))
        self.event(ChipsMoved("chips", self.spot, tuple(Chip(tag, "cash", 500) for tag in tags)))
        return tags

    def to_float(self, tags: list[int]) -> None:
        self.event(ChipsMoved("chips", self.spot, (), tuple(tags)))
        self.event(ChipsMoved("chips", 0, tuple(Chip(tag, "cash", 500) for tag in tags)))

    def decided(self) -> None:
        """The side wagers are decided, and owed."""
        self.check_down()
        self.show_all()
        assert self.phase == "award"

    def owed(self) -> list[tuple[int, str, int]]:
        return [(one.area, one.kind, one.cents) for one in self.game.money.findings()]


@BUY_INS
@clause("10.2.1")
def test_a_side_stake_out_of_the_float_is_no_payment_of_what_it_wins(buy_in: bool) -> None:
    play = Floated(RED)
    play.from_float(1_000)
    if buy_in:
        play.press("buy_in", player="P1", cents=1_000)
    play.post_and_deal()
    play.decided()
    assert play.owed() == [(play.spot, "underpaid", 7_000)]
    assert play.game.money.state.tray.gap == (0 if buy_in else -1_000)
    play.from_float(7_000)
    assert play.owed() == []


@BUY_INS
@clause("10.2.1")
def test_a_side_stake_out_of_the_float_that_loses_is_collected_once(buy_in: bool) -> None:
    play = Floated(BLACK)
    stake = play.from_float(1_000)
    if buy_in:
        play.press("buy_in", player="P1", cents=1_000)
    play.post_and_deal()
    play.decided()
    assert play.owed() == [(play.spot, "not_collected", 1_000)]
    play.to_float(stake)
    assert play.owed() == []
    assert play.game.money.state.tray.gap == 0


@clause("8.15.2", "10.2.1")
def test_chips_of_the_float_that_came_too_late_for_a_side_wager_pay_none() -> None:
    play = Floated(RED)
    play.put(play.spot, 1_000)
    play.post_and_deal()
    late = play.from_float(1_000)
    play.decided()
    assert play.owed() == [(play.spot, "underpaid", 7_000)]
    play.to_float(late)
    assert play.owed() == [(play.spot, "underpaid", 7_000)]


@clause("10.2.1")
def test_a_side_wager_paid_as_soon_as_the_flop_has_decided_it_is_paid() -> None:
    play = Floated(RED)
    play.put(play.spot, 1_000)
    play.post_and_deal()
    call_round(play)
    play.street()
    play.press("check")
    assert play.game.hand.side_results
    play.from_float(7_000)
    play.decided()
    assert play.owed() == []


@clause("10.2.1")
def test_a_side_wager_is_not_paid_by_a_copy_of_a_chip_of_the_float() -> None:
    play = Floated(RED)
    play.put(play.spot, 1_000)
    play.post_and_deal()
    play.decided()
    assert play.owed() == [(play.spot, "underpaid", 7_000)]
    play.event(ChipsMoved("chips", play.spot, (Chip(9_000, "cash", 500),)))
    play.at += 1_000
    play.event(TimerDue("money:twice"))
    assert "cloned:9000" in play.table.state.desk.alarms
    play.event(ChipsMoved("chips", 0, (), (9_000,)))
    assert play.owed() == [(play.spot, "underpaid", 7_000)]
