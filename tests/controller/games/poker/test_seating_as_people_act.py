"""Seats and blinds as people take them: blinds refused and missed, seats changed, newcomers of every kind."""

from __future__ import annotations

import pytest

from tests.controller.games.poker.play import PokerPlay, by_the_hour, dealt_in, flags, fold_round, noted
from tests.controller.games.poker.seen import alarms, clause, is_offered, notes, pressed, seated, words

# -- blinds ------------------------------------------------------------------------------------------------------


@clause("8.9.3")
@pytest.mark.parametrize("played", [0, 1, 2])
def test_a_refused_blind_is_not_asked_for_again_until_it_comes_round(played: int) -> None:
    play = seated(1000, 1000, 1000, 1000)
    for _ in range(played):
        fold_round(play)
    play.gather()
    pressed(play, "start_hand")
    large = play.game.in_play.positions.last
    pressed(play, "refuse_blind", seat=large)
    pressed(play, "start_hand")
    assert large not in [player.seat for player in play.game.hand.betting.players]
    assert play.game.in_play.positions.last == large % 4 + 1
    play.post_and_deal()
    assert play.phase == "bet1"


@clause("8.9.3")
def test_whoever_refused_a_blind_plays_again_by_posting_or_when_it_comes_round() -> None:
    play = seated(1000, 1000, 1000, 1000)
    play.press("start_hand")
    pressed(play, "refuse_blind", seat=2)
    pressed(play, "posts", seat=2)
    assert 2 in dealt_in(play)
    play = seated(1000, 1000, 1000, 1000)
    play.press("start_hand")
    pressed(play, "refuse_blind", seat=2)
    for _ in range(3):
        fold_round(play)
    play.gather()
    pressed(play, "start_hand")
    assert play.game.in_play.positions.last == 2
    play.put(2, 1_000)
    assert not any(due.seat == 2 for due in play.game.hand.dues)


@clause("8.9.3", "1.1 'Missed Blind Button'")
@pytest.mark.parametrize("away", ["walk", "deal_out"])
def test_a_small_blind_that_is_not_posted_is_missed_as_the_large_one_is(away: str) -> None:
    play = seated(1000, 1000, 1000, 1000)
    fold_round(play)  # seat 2 had the large blind, and the small one is its next
    pressed(play, away, seat=2)
    play.gather()
    pressed(play, "start_hand")
    assert noted(play, "missed_blind") == [({"seat": 2}, ("8.9.3",))]
    assert flags(play, 2).missed_blind
    play.post_and_deal()
    while play.phase == "bet1":
        play.fold(play.wanted().seats[0])
    play.finish()
    if away == "walk":
        pressed(play, "back", seat=2)
    assert 2 not in dealt_in(play)
    pressed(play, "posts", seat=2)
    assert 2 in dealt_in(play)


# -- seats -------------------------------------------------------------------------------------------------------


@clause("8.9.5")
@pytest.mark.parametrize(("paid", "free"), [(True, True), (False, False)])
def test_whoever_has_paid_the_blinds_of_the_lap_may_move_to_the_button_and_is_dealt(paid: bool, free: bool) -> None:
    play = PokerPlay()
    for seat in (2, 4, 5, 6, 7, 8, 9):
        pressed(play, "sit", seat=seat, player=f"P{seat}", amount=100_000)
    fold_round(play)  # the small blind of seat 2 makes it the next button
    pressed(play, "leave", seat=2)
    pressed(play, "move", seat=5, to=2, paid_lap=paid)
    assert flags(play, 2).wait_for_blind is not free
    assert (2 in dealt_in(play)) is free


@clause("8.10")
@pytest.mark.parametrize(("joins", "rank", "dealt"), [("", 1, False), ("closed_game", 1, True), ("moved", 2, True)])
def test_a_newcomer_is_dealt_on_the_button_only_from_a_closed_game_or_moved_by_level_two(
    joins: str, rank: int, dealt: bool
) -> None:
    play = PokerPlay()
    for seat in (2, 4, 6):
        pressed(play, "sit", seat=seat, player=f"P{seat}", amount=100_000)
    fold_round(play)
    play.press("leave", seat=play.game.state.positions.blinds[0])  # type: ignore[union-attr]
    button = play.game.state.positions.blinds[0]  # type: ignore[union-attr]
    told = {"joins": joins} if joins else {}
    pressed(play, "sit", rank, seat=button, player="newcomer", amount=100_000, **told)
    assert (button in dealt_in(play)) is dealt


@clause("8.10")
def test_only_level_two_moves_a_player_past_the_rule_for_newcomers() -> None:
    play = PokerPlay()
    refusal = play.refused("sit", seat=1, player="P1", amount=100_000, joins="moved")
    assert (refusal.code, refusal.clauses) == ("rank_too_low", ("8.10",))


# -- the hourly charge -------------------------------------------------------------------------------------------


@clause("7.2.2(b)")
def test_the_first_hour_is_asked_for_and_paid_before_the_first_hand() -> None:
    play = seated(1000, 1000, 1000, setup=by_the_hour())
    assert "charge_due" in alarms(play)
    pressed(play, "collect_time")
    assert play.stacks() == {1: 99_000, 2: 99_000, 3: 99_000}
    assert ("charge_due" in alarms(play), is_offered(play, "collect_time")) == (False, False)
    pressed(play, "start_hand")
    assert words(play, "collect_time") == []
    assert len(notes(play, "time_charge")) == 1


def test_keys_of_what_this_table_does_not_have_are_not_offered() -> None:
    play = seated()
    assert not any(is_offered(play, key) for key in ("collect_time", "check_time_charge", "bonus"))
    play.start()
    assert not any(is_offered(play, key) for key in ("time_up", "buy_time", "bonus", "check_time_charge"))
