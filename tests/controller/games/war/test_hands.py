"""Hands at the close and at war: in time by the mat's clock, stacks still being laid, chips that are unread."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsMoved, TimerDue
from controller.games.war.hands import STACK_MS
from tests.controller.games.war.felt import Felt, felt_with
from tests.controller.games.war.play import PERTH


def comes(felt: Felt, box: int, zone: str, cents: int, ago: int, after: int = 70) -> None:
    """A chip is told some time after the last event, and may have lain there for so long."""
    felt.tags += 1
    felt.at += after - 1000  # taking it lets a second pass
    felt.take(ChipsMoved("chips", felt.area(box, zone), (Chip(felt.tags, "cash", cents),), ago=ago))


def asked(felt: Felt) -> list[str]:
    return [one.subject.partition(":")[0] for one in felt.table.state.desk.prompts.values()]


@pytest.mark.parametrize(("ago", "words"), [(75, []), (63, ["late"])])
def test_chips_that_lay_there_at_the_call_are_staked_and_later_ones_are_asked_about(ago: int, words: list[str]) -> None:
    felt = felt_with("Ann")
    comes(felt, 1, "main", 500, ago)
    assert asked(felt) == words
    assert felt.stakes() == ({} if words else {("Ann", "main", 1): 1500})


@pytest.mark.parametrize(("ago", "amount"), [(75, 1500), (63, 1000)])
def test_chips_that_lay_there_before_the_first_card_count(ago: int, amount: int) -> None:
    felt = felt_with("Ann", house=PERTH)
    felt.draw("KS")
    comes(felt, 1, "main", 500, ago)
    assert felt.stakes() == {("Ann", "main", 1): amount}
    assert [code for code in felt.table.state.desk.alarms if code.startswith("moved")] == (
        [] if amount == 1500 else ["moved:main 1 Ann"]
    )
    assert next(stake.counted for stake in felt.game.state.round.stakes) == amount


def at_choice() -> Felt:
    felt = felt_with("Ann")
    for card in ("KS", "KH"):
        felt.draw(card)
    felt.press("settled", 1)
    assert asked(felt) == ["choice"]
    return felt


def test_a_war_stake_laid_chip_by_chip_is_refused_only_when_the_hand_has_stopped() -> None:
    felt = at_choice()
    comes(felt, 1, "war", 500, 60)
    assert [one.code for one in felt.refusals()] == []
    comes(felt, 1, "war", 500, 60)
    assert felt.phase == "war_dealing"
    felt = at_choice()
    comes(felt, 1, "war", 500, 60)
    (timer,) = [timer for timer in felt.table.state.desk.timers if timer.startswith("stack:")]
    assert felt.table.state.desk.timers[timer] == felt.at + STACK_MS
    felt.take(TimerDue(timer))
    assert felt.refusals()[-1].code == "war_stake_differs"


def test_chips_lifted_from_the_war_spot_a_moment_before_the_call_for_bets_lie_astray_only_if_read_again() -> None:
    felt = at_choice()
    felt.answer("choice:1:Ann", "surrender")
    (tag,) = felt.put(1, "war", 500)
    area = felt.area(1, "war")
    felt.take(ChipsMoved("chips", area, unread=(tag,)))
    felt.press("settled", 2, confirmed=True, reason="seen")
    felt.press("place_bets", 2, confirmed=True, reason="seen")
    assert f"astray:{area}" not in felt.table.state.desk.alarms
    felt.take(ChipsMoved("chips", area))
    assert f"astray:{area}" in felt.table.state.desk.alarms
