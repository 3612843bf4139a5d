"""Stakes in time and late: what counts, what is refused with which clause, and what waits for the next round."""

from __future__ import annotations

import pytest

from controller.core.desk import Limits
from controller.games.war.betting import limits_of
from controller.games.war.events import StakeChanged
from controller.games.war.state import Stake
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, announced, clause, codes, noted, opened, tied

# -- stakes before the deal -------------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.4", "5.2", "5.3")
@clause(STAR, "5.4", "5.5")
@clause(PERTH, "3.2")
def test_chips_in_time_count_chips_after_the_close_do_not_and_chips_after_the_round_wait() -> None:
    for house in (MELBOURNE, PERTH, STAR):
        play = opened(house)
        play.lay("a", "Ann", 1, "main", 1000)
        play.press("no_more_bets")
        play.lay("b", "Bob", 2, "main", 1000)
        if house == MELBOURNE:
            play.answer("late:b", "accept")
        assert play.game.state.round.stake("b").live
        play.card("KH")
        play.lay("c", "Cyd", 3, "main", 1000)
        assert play.game.state.round.stake("c").status in ("late", "void")
        assert codes(play) == ["late"]
        play.cards("QH", "5D")
        play.press("settled")
        assert play.phase == "over"
        play.lay("d", "Dot", 4, "main", 1000)
        assert [event.wager for event in play.game.state.felt.early] == ["d"]
        assert play.results()["c"].stake_returned == 1000
        play.press("place_bets")
        assert play.game.state.round.stake("d").live
        assert play.game.state.felt.early == []


@clause(MELBOURNE, "5.4", "5.2")
def test_the_dealers_word_on_chips_after_the_call_holds_and_nothing_said_is_no() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    for number, wager in enumerate(("b", "c", "d"), 2):
        play.lay(wager, "Bob", number, "main", 1000)
    play.answer("late:b", "return")
    play.answer("late:c", "accept")
    assert play.game.state.round.stake("b").clauses == ["5.4", "5.2"]
    play.card("KH")
    assert [play.game.state.round.stake(wager).status for wager in "abcd"] == ["live", "late", "live", "late"]
    assert play.game.state.round.stake("d").clauses == ["5.4", "5.2"]
    assert not [subject for subject in play.questions() if subject.startswith("late:")]
    play.lay("x", "Dot", 8, "main", 1000)
    assert play.refusals()[-1].code == "late"


@clause(MELBOURNE, "5.14", "5.1")
def test_a_stake_is_refused_before_the_first_card_only_and_goes_back() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.lay("b", "Bob", 2, "main", 1000)
    play.press("refuse_stake", wager="b")
    assert play.rulings()[-1].answer == "b"
    assert (play.game.state.round.stake("b").live, play.results()["b"].stake_returned) == (False, 1000)
    assert announced(play, "hand_back")[-1][0] == "Give $10 back to Bob."
    play.press("refuse_stake", wager="b")
    assert play.refusals()[-1].code == "in_play"
    play.press("no_more_bets")
    play.card("KH")
    play.press("refuse_stake", wager="a")
    assert play.refusals()[-1].code in ("in_play", "not_now")
    assert play.game.state.round.stake("a").live


@clause(MELBOURNE, "5.14")
def test_a_win_that_chips_cannot_pay_is_told_while_the_stake_can_still_go_back() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    assert announced(play, "unpayable") == []
    play.lay("b", "Bob", 2, "main", 1100)
    assert len(announced(play, "unpayable")) == 1
    assert announced(play, "unpayable")[0][1] == ("5.14",)
    play.lay("c", "Cyd", 3, "tie", 1025)
    assert len(announced(play, "unpayable")) == 1
    star = opened(STAR)
    star.lay("b", "Bob", 2, "main", 1100)
    assert announced(star, "unpayable") == []


@clause(MELBOURNE, "5.13")
@clause(PERTH, "6.3")
@clause(STAR, "5.7")
def test_one_player_on_several_boxes_is_asked_about_once_and_only_where_the_document_says_so() -> None:
    for house in (MELBOURNE, PERTH):
        play = opened(house)
        play.lay("a", "Ann", 1, "main", 1000)
        play.lay("b", "Bob", 2, "main", 1000)
        play.lay("t", "Ann", 1, "tie", 1000)
        assert play.questions() == []
        play.lay("c", "Ann", 3, "main", 1000)
        play.lay("d", "Ann", 4, "main", 1000)
        assert play.questions() == ["several:Ann"]
        play.answer("several:Ann", "refuse")
        assert [play.game.state.round.stake(wager).live for wager in "abtcd"] == [True, True, True, False, False]
        again = opened(house)
        again.lay("a", "Ann", 1, "main", 1000)
        again.lay("c", "Ann", 3, "main", 1000)
        again.answer("several:Ann", "allow")
        again.lay("d", "Ann", 4, "main", 1000)
        assert again.questions() == []
        assert [again.game.state.round.stake(wager).live for wager in "acd"] == [True, True, True]
    star = opened(STAR)
    star.lay("a", "Ann", 1, "main", 1000)
    star.lay("c", "Ann", 3, "main", 1000)
    assert star.questions() == []


@clause(MELBOURNE, "5.11", "5.11.1", "5.10")
def test_who_holds_a_box_with_a_main_stake_comes_first_on_its_tie() -> None:
    play = opened(MELBOURNE)
    for player in ("Eve", "Fay", "Gus"):
        play.lay(f"t{player}", player, 2, "tie", 1000)
    play.lay("m", "Ann", 1, "main", 1000)
    for player in ("Bob", "Cyd", "Dot"):
        play.lay(f"t{player}", player, 1, "tie", 1000)
    play.lay("other", "Bob", 2, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1000)
    assert play.game.state.round.stake("t").live
    assert [play.game.state.round.stake(f"t{player}").live for player in ("Bob", "Cyd", "Dot")] == [True, True, False]
    assert play.game.state.round.stake("other").live
    assert all(play.game.state.round.stake(f"t{player}").live for player in ("Eve", "Fay", "Gus"))
    assert play.refusals()[-1].clauses == ("5.11", "5.11.1")
    stranger = opened(MELBOURNE)
    stranger.lay("m", "Eve", 1, "main", 1000)
    for player in ("Bob", "Cyd", "Dot"):
        stranger.lay(f"t{player}", player, 1, "tie", 1000)
    stranger.lay("t", "Ann", 1, "tie", 1000)
    assert not stranger.game.state.round.stake("t").live
    assert [stranger.game.state.round.stake(f"t{player}").live for player in ("Bob", "Cyd", "Dot")] == [
        True,
        True,
        True,
    ]
    full = opened(MELBOURNE)
    for player in ("Ann", "Bob", "Cyd"):
        full.lay(f"m{player}", player, 1, "main", 1000)
    full.lay("m", "Dot", 1, "main", 1000)
    assert (full.game.state.round.stake("m").live, codes(full)) == (False, ["area_full"])


@clause(STAR, "5.10", "13.4.2")
@clause(MELBOURNE, "11.2.2")
def test_a_barred_player_and_a_box_kept_for_another_are_refused_with_their_clauses() -> None:
    play = opened(MELBOURNE)
    play.press("bar_player", player="Ann")
    play.lay("a", "Ann", 1, "main", 1000)
    assert (codes(play)[-1], play.refusals()[-1].clauses) == ("barred", ("11.2.2",))
    star = opened(STAR)
    star.press("reserve", box=1, player="Ann")
    star.lay("b", "Bob", 1, "main", 1000)
    assert (codes(star)[-1], star.refusals()[-1].clauses) == ("reserved", ("5.10",))
    star.lay("a", "Ann", 1, "main", 1000)
    star.lay("c", "Bob", 2, "main", 1000)
    assert star.game.state.round.stake("a").live
    assert star.game.state.round.stake("c").live


@clause(MELBOURNE, "6.2.1", "6.2.2", "6.3")
def test_limits_are_told_while_betting_is_open_and_counted_at_the_first_card() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 900)
    play.lay("b", "Bob", 2, "main", 60_000)
    play.lay("c", "Cyd", 3, "main", 1000)
    assert [clauses for _, clauses in announced(play, "limits")] == [("6.2.1",), ("6.2.2",)]
    assert announced(play, "limits")[0][0] == "Ann's $9 on box 1 does not fit the limits."
    assert play.game.state.players.warned == []
    play.press("no_more_bets")
    play.card("KH")
    assert play.game.state.players.warned == ["Ann"]
    assert [facts["player"] for facts in noted(play, "warned_under_minimum")] == ["Ann"]
    assert len(announced(play, "advise_minimum")) == 1
    assert [text for text, _ in announced(play, "advise_limits")] == ["Tell Bob the table's limits."]
    assert [play.game.state.round.stake(wager).counted for wager in "abc"] == [900, 50_000, 1000]


@clause(STAR, "5.2.3", "1.1 [invalid Wager]")
def test_a_tie_without_its_main_stake_is_invalid_at_the_first_card() -> None:
    play = opened(STAR)
    play.lay("a", "Ann", 1, "main", 1000)
    play.lay("t", "Bob", 2, "tie", 1000)
    play.press("no_more_bets")
    play.card("KH")
    assert play.game.state.round.stake("t").clauses == ["5.2.3", "1.1 [invalid Wager]"]
    assert announced(play, "invalid") == [("Bob's Tie has no main stake.", ("5.2.3", "1.1 [invalid Wager]"))]
    play.card("5D")
    assert play.results()["t"].stake_returned == 1000


@clause(MELBOURNE, "5.4", "5.2")
def test_a_stake_that_changes_before_the_round_is_taken_as_it_lies() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.take(StakeChanged("a", 1500))
    assert (play.game.state.round.stake("a").amount, play.game.state.round.stake("a").counted) == (1500, 1500)
    play.take(StakeChanged("a", 900))
    assert announced(play, "limits")[-1][1] == ("6.2.1",)
    play.take(StakeChanged("a", 0))
    assert play.game.state.round.stakes == []
    play.lay("b", "Ann", 99, "main", 1000)
    assert codes(play) == ["no_such_box"]
    play.lay("c", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH")
    play.take(StakeChanged("c", 2000))
    assert play.game.state.round.stake("c").amount == 1000
    assert "moved:c" in play.table.state.desk.alarms


# -- more of stakes ---------------------------------------------------------------------------------------------------


@clause(PERTH, "3.14(b)", "4.11", "3.4", "3.3")
def test_perfect_pairs_at_war_are_open_until_the_first_war_card_and_players_at_war_come_first() -> None:
    play = tied(PERTH)
    play.lay("p0", "Cyd", 1, "perfect_pairs", 1000)
    assert codes(play)[-1] == "no_war_here"
    play.lay("wBob", "Bob", 2, "war", 1000)
    for number, player in enumerate(("Cyd", "Dot", "Eve"), 1):
        play.lay(f"p{number}", player, 2, "perfect_pairs", 1000)
    assert [play.game.state.round.stake(f"p{number}").live for number in (1, 2, 3)] == [True, True, True]
    play.lay("pBob", "Bob", 2, "perfect_pairs", 1000)
    assert play.game.state.round.stake("pBob").live
    assert [play.game.state.round.stake(f"p{number}").live for number in (1, 2, 3)] == [True, True, False]
    play.lay("p4", "Fay", 2, "perfect_pairs", 1000)
    assert (play.game.state.round.stake("p4").live, codes(play)[-1]) == (False, "area_full")
    play.lay("wAnn", "Ann", 1, "war", 1000)
    play.lay("p5", "Fay", 1, "perfect_pairs", 1000)
    assert play.game.state.round.stake("p5").live
    play.card("3C")
    play.lay("p6", "Ann", 1, "perfect_pairs", 1000)
    assert not play.game.state.round.stake("p6").live


@clause(STAR, "6.5.1", "6.5.1.1", "6.5.1.3")
def test_a_kept_minimum_holds_for_those_who_were_there_and_only_while_it_is_lower() -> None:
    play = opened(STAR, Limits(2000, 50_000, 0, 250))
    play.game.state.players.kept_minimum = {"Ann": 1000, "Bob": 3000}
    for player, least in (("Ann", 1000), ("Bob", 2000), ("Cyd", 2000)):
        assert limits_of(play.game, Stake("w", player, 1, "main", 1000)).least == least
        assert limits_of(play.game, Stake("w", player, 1, "main", 1000)).most == 50_000


@clause(MELBOURNE, "6.5", "6.2.2")
def test_where_the_notice_counts_per_area_a_shared_box_is_capped_from_the_front() -> None:
    play = opened(MELBOURNE, readings={"limits.count_per": "area"})
    play.lay("a", "Ann", 1, "main", 40_000)
    play.lay("b", "Bob", 1, "main", 20_000)
    play.lay("c", "Cyd", 2, "main", 20_000)
    play.press("no_more_bets")
    play.card("KH")
    assert [play.game.state.round.stake(wager).counted for wager in "abc"] == [40_000, 10_000, 20_000]
    assert [play.game.state.round.stake(wager).line for wager in "abc"] == [0, 1, 0]
    each = opened(MELBOURNE)
    each.lay("a", "Ann", 1, "main", 40_000)
    each.lay("b", "Bob", 1, "main", 20_000)
    each.press("no_more_bets")
    each.card("KH")
    assert [each.game.state.round.stake(wager).counted for wager in "ab"] == [40_000, 20_000]


@clause(MELBOURNE, "6.2.1")
def test_after_the_warning_a_stake_under_the_minimum_goes_back_win_or_lose_and_is_warned_of_once() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 900)
    play.lay("t", "Ann", 1, "tie", 900)
    play.press("no_more_bets")
    play.cards("KH", "5D")
    assert [facts["amount"] for facts in noted(play, "warned_under_minimum")] == [900]
    assert play.results()["a"].pays == 1000
    play.press("settled")
    play.press("place_bets")
    play.lay("b", "Ann", 1, "main", 900)
    play.press("no_more_bets")
    play.cards("KD", "5C")
    assert play.game.state.round.stake("b").status in ("give_back", "void")
    play.press("settled")
    assert (play.results()["b"].pays, play.results()["b"].stake_returned) == (0, 900)
    assert len(noted(play, "warned_under_minimum")) == 1


@clause(MELBOURNE, "5.4", "5.2")
def test_chips_laid_ready_for_the_next_round_may_be_changed_or_taken_away() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "5D")
    play.press("settled")
    for wager in ("b", "c", "d"):
        play.lay(wager, "Bob", 2, "main", 1000)
    play.take(StakeChanged("b", 1500))
    play.take(StakeChanged("c", 0))
    assert sorted((event.wager, event.amount) for event in play.game.state.felt.early) == [("b", 1500), ("d", 1000)]
    play.take(StakeChanged("a", 0))
    assert play.table.state.desk.alarms == {}
    play.press("place_bets")
    assert play.game.state.round.stake("b").amount == 1500


@clause(MELBOURNE, "7.4.4(a)(i)", "5.6")
@clause(STAR, "9.1", "5.8")
@clause(PERTH, "3.7", "4.10")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_war_stake_that_was_refused_may_be_put_right_and_counts_as_the_main_stake_does(house: str) -> None:
    play = opened(house)
    play.lay("m", "Ann", 1, "main", 60_000)
    play.press("no_more_bets")
    play.cards("KH", "KS")
    play.press("settled")
    play.lay("w", "Ann", 1, "war", 40_000)
    assert not play.game.state.round.stake("w").live
    play.take(StakeChanged("w", 60_000))
    stake = play.game.state.round.stake("w")
    assert (stake.live, stake.amount, stake.counted) == (True, 60_000, 50_000)
    assert stake.clauses == play.game.state.round.stake("m").clauses
    assert play.questions() == []
