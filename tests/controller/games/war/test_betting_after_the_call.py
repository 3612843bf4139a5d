"""Chips between the call and the first card: new ones and those added to a stake are put to the dealer (M1)."""

from __future__ import annotations

import pytest

from controller.games.war.events import StakeChanged
from tests.controller.games.war.felt import Felt
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, announced, clause, opened
from tests.controller.games.war.seen import live, refusal

LATE = ("5.4", "5.2")


def called(*players: str) -> Play:
    """Melbourne, each of these with $10 on a box of their own, and no more bets."""
    play = opened(MELBOURNE)
    for box, player in enumerate(players, 1):
        play.lay(f"m{player}", player, box, "main", 1000)
    play.press("no_more_bets")
    return play


def amounts(play: Play, wager: str) -> tuple[str, int, int]:
    stake = play.game.state.round.stake(wager)
    return stake.status, stake.amount, stake.counted


@clause(MELBOURNE, "5.2", "5.4", "7.3.1(a)")
def test_chips_added_to_a_stake_after_the_call_are_put_to_the_dealer() -> None:
    play = called("Ann")
    play.take(StakeChanged("mAnn", 2500))
    asked = play.game.asked("late:mAnn")
    assert asked is not None
    assert asked.text == "Ann added $15 on box 1 after the call. In or back?"
    assert asked.evidence == {"wager": "mAnn", "player": "Ann", "box": 1, "amount": 2500}
    assert (asked.proposal, asked.clauses) == ("return", LATE)
    assert [(one.answer, one.rank, one.clause) for one in asked.options] == [
        ("accept", 1, "5.4"), ("return", 1, "5.4"),
    ]  # fmt: skip


@clause(MELBOURNE, "5.2", "5.4", "7.3.1(a)")
@pytest.mark.parametrize(("answer", "counts"), [("accept", 2500), ("return", 1000), ("", 1000)])
def test_what_was_added_counts_only_if_the_dealer_says_so_before_the_first_card(answer: str, counts: int) -> None:
    play = called("Ann", "Bob")
    play.take(StakeChanged("mAnn", 2500))
    if answer:
        play.answer("late:mAnn", answer, rank=1)
        assert amounts(play, "mAnn") == ("live", counts, counts)
    play.card("KH")
    assert (amounts(play, "mAnn"), play.questions()) == (("live", counts, counts), [])
    back = [("Give $15 back to Ann.", LATE)] if counts == 1000 else []
    assert announced(play, "hand_back") == back
    play.cards("QH", "5D")
    result = play.results()["mAnn"]
    assert (result.pays, result.stake_returned, result.clauses[0]) == (counts, counts, "5.7.1")


@clause(MELBOURNE, "5.2", "5.4")
def test_chips_added_step_by_step_are_one_question_about_all_that_came_since_the_call() -> None:
    play = called("Ann")
    play.take(StakeChanged("mAnn", 1500))
    play.take(StakeChanged("mAnn", 2500))
    play.take(StakeChanged("mAnn", 2000))
    assert play.questions() == ["late:mAnn"]
    asked = play.game.asked("late:mAnn")
    assert asked is not None
    assert asked.text.startswith("Ann added $10 on box 1")
    play.answer("late:mAnn", "accept", rank=1)
    play.take(StakeChanged("mAnn", 2001))
    asked = play.game.asked("late:mAnn")
    assert asked is not None
    assert asked.text.startswith("Ann added $0.01 on box 1")
    play.answer("late:mAnn", "return", rank=1)
    assert amounts(play, "mAnn") == ("live", 2000, 2000)


@clause(MELBOURNE, "5.2", "5.4")
@pytest.mark.parametrize("left", [1000, 500])
def test_who_takes_back_what_was_added_leaves_nothing_to_decide(left: int) -> None:
    play = called("Ann")
    play.take(StakeChanged("mAnn", 2500))
    play.take(StakeChanged("mAnn", left))
    assert (play.questions(), amounts(play, "mAnn")) == ([], ("live", left, left))
    play.take(StakeChanged("mAnn", left + 500))
    asked = play.game.asked("late:mAnn")
    assert asked is not None
    assert asked.text.startswith("Ann added $5 on box 1")
    play.take(StakeChanged("mAnn", 0))
    assert (play.questions(), play.game.state.round.stakes) == ([], [])


@clause(MELBOURNE, "5.2", "5.4")
def test_a_stake_may_be_made_smaller_until_the_first_card() -> None:
    play = called("Ann")
    play.take(StakeChanged("mAnn", 500))
    assert (play.questions(), amounts(play, "mAnn")) == ([], ("live", 500, 500))


@clause(MELBOURNE, "5.2", "5.4")
def test_a_late_stake_that_grows_is_asked_about_anew_and_never_counts_by_itself() -> None:
    play = called("Bob")
    play.lay("a", "Ann", 2, "main", 1000)
    play.take(StakeChanged("a", 3000))
    assert play.questions() == ["late:a"]
    asked = play.game.asked("late:a")
    assert asked is not None
    assert asked.evidence["amount"] == 3000
    play.card("KH")
    assert amounts(play, "a")[0] == "late"


@clause(MELBOURNE, "5.10", "5.2")
def test_no_more_late_stakes_are_accepted_than_may_share_the_area_and_one_put_to_the_dealer_keeps_its_place() -> None:
    play = opened(MELBOURNE)
    for player in ("Ann", "Bob"):
        play.lay(f"m{player}", player, 1, "main", 1000)
    play.press("no_more_bets")
    for player in ("Cyd", "Dot"):
        play.lay(f"m{player}", player, 1, "main", 1000)
    play.answer("late:mCyd", "accept", rank=1)
    play.answer("late:mDot", "accept", rank=1)
    assert (refusal(play), live(play, "mCyd", "mDot")) == (("area_full", ("5.10",)), [True, False])
    assert play.results()["mDot"].stake_returned == 1000
    play.take(StakeChanged("mAnn", 2000))
    play.lay("mEve", "Eve", 1, "main", 1000)
    assert (refusal(play), play.questions()) == (("area_full", ("5.10",)), ["late:mAnn"])


@clause(MELBOURNE, "5.13", "6.2.2", "5.2")
def test_an_accepted_late_stake_is_measured_like_any_other() -> None:
    play = called("Ann")
    play.lay("b", "Ann", 2, "main", 60_000)
    assert (play.questions(), announced(play, "limits")) == (["late:b"], [])
    play.answer("late:b", "accept", rank=1)
    assert play.questions() == ["several:Ann"]
    assert announced(play, "limits") == [("Ann's $600 on box 2 does not fit the limits.", ("6.2.2",))]
    back = called("Ann")
    back.lay("b", "Ann", 2, "main", 60_000)
    back.answer("late:b", "return", rank=1)
    assert (back.questions(), announced(back, "limits")) == ([], [])
    play.take(StakeChanged("mAnn", 900))
    play.take(StakeChanged("mAnn", 60_000))
    play.answer("late:mAnn", "accept", rank=1)
    assert announced(play, "limits")[-1] == ("Ann's $600 on box 1 does not fit the limits.", ("6.2.2",))


@clause(MELBOURNE, "5.2", "5.4")
def test_on_the_felt_the_chips_added_are_the_question_and_lifting_them_ends_it() -> None:
    felt = Felt(MELBOURNE)
    felt.press("sit", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.press("no_more_bets", 1)
    more = felt.put(1, "main", 500)
    assert felt.questions() == ["late:main 1 Ann"]
    felt.lift(1, "main", *more)
    assert (felt.questions(), felt.stakes()) == ([], {("Ann", "main", 1): 2500})
    felt.put(1, "main", 500)
    felt.answer("late:main 1 Ann", "accept", 1)
    assert felt.stakes() == {("Ann", "main", 1): 3000}
    assert felt.gate() is False


@clause(PERTH, "3.2", "4.2")
def test_at_a_perth_table_that_closes_by_call_added_chips_go_back_unasked() -> None:
    play = opened(PERTH, readings={"wagers.close": "call"})
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.take(StakeChanged("a", 2500))
    assert (play.questions(), amounts(play, "a")) == ([], ("live", 1000, 1000))
    assert announced(play, "hand_back") == [("Give $15 back to Ann.", ("3.2",))]


@clause(PERTH, "3.2")
def test_where_the_first_card_closes_betting_chips_added_after_the_call_count() -> None:
    play = opened(PERTH)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.take(StakeChanged("a", 2500))
    assert (play.questions(), amounts(play, "a")) == ([], ("live", 2500, 2500))
    before = opened(MELBOURNE)
    before.lay("a", "Ann", 1, "main", 1000)
    before.take(StakeChanged("a", 2500))
    assert (before.questions(), amounts(before, "a")) == ([], ("live", 2500, 2500))


@clause(MELBOURNE, "6.4")
@clause(PERTH, "6.4")
@clause(STAR, "6.5")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_limits_that_change_after_betting_closed_are_for_the_next_wagers(house: str) -> None:
    """Where betting closes by the call it is the call, else the first card."""
    felt = Felt(house)
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    felt.put(1, "main", 20_000)
    felt.press("no_more_bets", 1)
    if felt.game.rules.wagers.close != "call":
        felt.draw("KS")
    felt.press("limits", 4, least=500, most=10_000, **({"consent": True} if house == PERTH else {}))
    assert felt.table.state.limits.most == 10_000
    if felt.game.rules.wagers.close == "call":
        felt.draw("KS")
    felt.draw("QD")
    (stake,) = felt.game.state.round.stakes
    assert (stake.counted, stake.clauses) == (20_000, [])
    assert felt.results()["main 1 Ann"].pays == 20_000
    felt.press("settled", 1, confirmed=True)
    felt.press("place_bets", 4, confirmed=True)
    felt.press("no_more_bets", 1)
    for card in ("KD", "QH"):
        felt.draw(card)
    assert [one.counted for one in felt.game.state.round.stakes] == [10_000]
