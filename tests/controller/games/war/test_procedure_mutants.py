"""Casino War's procedure held at every step: stakes in time and late, limits, choices, house chips, and the set-up."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.desk import Limits
from controller.core.effects import Asked, Reversed, Ruled, Settled
from controller.core.house import Notice
from controller.games.war.betting import limits_of
from controller.games.war.cards import FACES
from controller.games.war.composition import Composition, factory_run
from controller.games.war.config import WarConfig, column_of, house_of, not_allowed, zones_of
from controller.games.war.events import StakeChanged
from controller.games.war.layout import layout_of
from controller.games.war.rules import war_rules
from controller.games.war.state import Stake
from tests.controller.games.war.felt import Felt, at_war, owed
from tests.controller.games.war.play import (
    MELBOURNE,
    PERTH,
    STAR,
    announced,
    clause,
    codes,
    noted,
    opened,
    tied,
    wrong,
)

# -- the set-up -------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.1", "2.2.1", "3.1", "7.4.4(a)", "5.10")
@clause(PERTH, "2.1", "2.2", "1.1 [Box]", "3.16", "4.2", "3.3")
@clause(STAR, "2.1", "2.2.1.1", "3.1", "9.1", "4.9", "5.6")
def test_a_table_is_set_up_only_as_its_document_allows_at_every_edge() -> None:
    assert wrong(MELBOURNE) == wrong(PERTH) == wrong(STAR) == []
    assert wrong(MELBOURNE, boxes=0) == wrong(STAR, boxes=0) == [("places", "2.1")]
    assert wrong(MELBOURNE, boxes=1) == wrong(MELBOURNE, boxes=9) == []
    assert wrong(MELBOURNE, boxes=10) == [("places", "2.1")]
    assert wrong(STAR, boxes=20) == []
    assert wrong(STAR, boxes=21) == [("places", "2.1")]
    assert wrong(MELBOURNE, boxes=9, war_method="B") == []
    assert wrong(STAR, boxes=20, war_method="B") == [("places", "2.1"), ("method", "9.1")]
    assert [decks for decks in range(1, 10) if not wrong(MELBOURNE, decks=decks)] == [4, 5, 6, 7, 8]
    assert [decks for decks in range(1, 10) if not wrong(PERTH, decks=decks)] == [4, 6, 8]
    assert [decks for decks in range(1, 10) if not wrong(STAR, decks=decks)] == [6]
    assert wrong(MELBOURNE, decks=3) == [("decks", "3.1")]
    assert wrong(MELBOURNE, optional_zones=("a_bomb",)) == [("zones", "2.2.1")]
    assert wrong(PERTH, optional_zones=("a_bomb", "tie")) == []
    assert wrong(PERTH, optional_zones=("perfect_pairs",)) == [("payout_column", "3.16")]
    assert wrong(PERTH, optional_zones=("perfect_pairs",), column=1) == [("payout_column", "3.16 [column 1: 4 decks]")]
    assert wrong(PERTH, optional_zones=("perfect_pairs",), column=2) == wrong(PERTH, column=2) == []
    assert wrong(PERTH, column=8) == [("payout_column", "3.16")]
    assert wrong(STAR, column=1) == [("payout_column", "2.2.1.1")]
    assert wrong(PERTH, source="csm") == wrong(MELBOURNE, source="csm") == wrong(STAR, source="csm") == []
    assert wrong(MELBOURNE, war_method="B") == []
    assert wrong(STAR, war_method="B") == [("method", "9.1")]
    assert wrong(PERTH, war_method="B") == [("method", "4.10(c)")]
    assert wrong(PERTH, round_burn=True) == []
    assert wrong(STAR, round_burn=True) == [("round_burn", "7.1")]
    assert wrong(MELBOURNE, start_burn=False) == []
    assert wrong(STAR, start_burn=False) == [("start_burn", "4.9")]
    assert wrong(MELBOURNE, share_most=3) == []
    assert wrong(MELBOURNE, share_most=4) == wrong(MELBOURNE, share_most=-1) == [("share_most", "5.10")]
    assert wrong(STAR, tournament=True) == [("tournament", "13.13")]
    assert wrong(MELBOURNE, tournament=True) == []
    assert wrong(MELBOURNE, round_burn=True) == [("round_burn", "7.3.1(b)")]
    assert wrong(PERTH, start_burn=False) == [("start_burn", "4.6(a)")]
    assert wrong(PERTH, boxes=31) == []
    assert wrong(PERTH, boxes=32) == [("places", "2.1")]


@clause(MELBOURNE, "2.1")
@clause(PERTH, "3.16", "2.1")
def test_what_is_not_allowed_is_told_with_what_would_be() -> None:
    def told(house: str, **config: Any) -> str:
        base: dict[str, Any] = {"decks": 6, **config}
        return not_allowed(house, WarConfig(**base), Limits(1000, 50_000, 0, 250))[0].text

    assert told(MELBOURNE, boxes=10) == "10 boxes; at least 1, at most 9"
    assert told(PERTH, boxes=0) == "0 boxes; at least 1, at most as the layout shows"
    assert told(PERTH, column=9) == "no payout column 9; for 6 decks: 2, 3, 4, 5"
    assert told(STAR, column=9) == "no payout column 9; for 6 decks: none"


@clause(MELBOURNE, "6.2.1", "6.2.3", "6.1")
@clause(PERTH, "5.7(a)", "5.7(b)")
def test_limits_that_cannot_be_signed_or_paid_are_refused() -> None:
    assert wrong(MELBOURNE, Limits(1, 1, 0, 1)) == []
    assert (
        wrong(MELBOURNE, Limits(0, 1000, 0, 250)) == wrong(MELBOURNE, Limits(1001, 1000, 0, 250)) == [("min", "6.2.1")]
    )
    assert wrong(MELBOURNE, Limits(1000, 5000, 0, 0)) == [("smallest_chip", "6.2.3")]
    assert wrong(PERTH, Limits(1000, 5000, 500, 0)) == [("smallest_chip", "6.11")]
    assert wrong(PERTH, Limits(1000, 5000, 500, 250)) == []
    assert wrong(PERTH, Limits(1200, 5000, 500, 250)) == [("min", "5.7(b)")]
    assert wrong(PERTH, Limits(1000, 5000, 500, 300)) == [("unit", "5.7(b)")]
    assert wrong(MELBOURNE, Limits(1200, 5000, 500, 300)) == []
    assert wrong(PERTH, Limits(1200, 5000, 0, 250)) == []
    assert wrong(PERTH, Limits(0, 5000, 0, 250)) == [("min", "5.7(a)")]


@clause(PERTH, "6.11")
@clause(STAR, "13.12")
def test_a_reading_may_be_chosen_only_where_the_document_is_open_and_only_among_its_choices() -> None:
    def read(house: str, option: str, choice: Any) -> list[tuple[str, str]]:
        return wrong(house, readings={option: choice})

    assert read(PERTH, ".odds", 1) == [("options", "6.11")]
    assert read(MELBOURNE, "limits.half", "exact") == []
    assert read(MELBOURNE, "limits.half", "thirds") == [("options", "7.4.3(a)")]
    assert read(STAR, "odds.tie", 11) == [("options", "13.12")]
    assert read(PERTH, "odds.tie", 11) == [("options", "6.11")]
    assert read(PERTH, "wagers.share_most", 9) == [("options", "6.11")]
    assert read(MELBOURNE, "limits.halfpenny", "exact") == [("options", "11.10")]
    assert read(STAR, "remedies.misdeal.returns", "all") == []
    assert read(STAR, "remedies.misdeals.returns", "all") == [("options", "13.12")]


@clause(MELBOURNE, "11.8", "6.4")
@clause(PERTH, "6.7", "6.4(c)")
@clause(STAR, "13.9", "6.5")
def test_each_house_gives_the_notice_its_document_asks_for() -> None:
    found = {house: house_of(house) for house in (MELBOURNE, PERTH, STAR)}
    assert found[MELBOURNE].closing == Notice("11.8", rounds=3)
    assert found[PERTH].closing == Notice("6.7", minutes=10)
    assert found[STAR].closing == Notice("13.9", minutes=20)
    assert found[MELBOURNE].raising == Notice("6.4", minutes=20)
    assert found[PERTH].raising == Notice("6.4(c)", minutes=10)
    assert found[STAR].raising == Notice("6.5", minutes=20)
    assert [found[house].every_change for house in found] == [False, True, False]
    assert {house.round_word for house in found.values()} == {"round"}


@clause(PERTH, "1.1 [Box](a)", "1.1 [Box](b)", "1.1 [Box](c)")
@clause(MELBOURNE, "2.2.1")
def test_the_zones_of_a_table_are_those_of_its_document_and_those_the_house_chose() -> None:
    assert zones_of(war_rules(MELBOURNE), WarConfig(6)) == ("main", "tie")
    assert zones_of(war_rules(PERTH), WarConfig(6)) == ("main",)
    assert zones_of(war_rules(PERTH), WarConfig(6, optional_zones=("tie", "a_bomb"))) == ("main", "a_bomb", "tie")
    assert column_of(war_rules(PERTH), WarConfig(6)) is None
    column = column_of(war_rules(PERTH), WarConfig(6, column=3))
    assert column is not None
    assert column.number == 3
    assert layout_of(war_rules(MELBOURNE), WarConfig(6, boxes=2)) is not None


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
    play.press("bar_player", player="Ann", reason="device")
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


# -- choices and the second deal --------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.6", "7.4.2(c)", "7.4.3(a)", "7.4.4(a)(i)")
@clause(STAR, "8.2.4", "8.2.4.1", "8.3", "5.8", "9.1")
@clause(PERTH, "4.10", "4.10(a)", "3.7")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_each_tied_player_chooses_alone_and_the_war_waits_for_the_last(house: str) -> None:
    play = tied(house)
    offered = [effect.subject for effect in play.effects if isinstance(effect, Asked) if "choice" in effect.subject]
    assert offered == (["choice:1:Ann", "choice:2:Bob"] if house == STAR else ["choice:2:Bob", "choice:1:Ann"])
    play.answer("choice:2:Bob", "surrender")
    assert play.results()["mBob"].result == "surrender"
    assert play.results()["mBob"].stake_taken == 500
    assert (play.phase, play.questions()) == ("choosing", ["choice:1:Ann"])
    play.lay("w0", "Ann", 1, "war", 1001)
    assert (codes(play)[-1], play.phase) == ("war_stake_differs", "choosing")
    play.lay("w1", "Ann", 1, "war", 1000)
    assert play.questions() == []
    play.lay("w2", "Ann", 1, "war", 1000)
    assert codes(play)[-1] in ("war_stake_lies", "no_main_stake", "late")
    play.lay("w3", "Bob", 2, "war", 1000)
    assert not play.game.state.round.stake("w3").live
    burns = ("3C", "4C", "5C") if house == PERTH else ()
    play.cards(*burns, "9H", "8D")
    play.press("settled")
    results = play.results()
    assert (results["mAnn"].result, results["w1"].result, results["w1"].pays) == ("standoff", "win", 1000)
    assert play.phase == "over"


@clause(MELBOURNE, "7.4.4(a)(ii)")
def test_by_method_b_house_chips_are_asked_for_beside_each_war_stake() -> None:
    play = tied(MELBOURNE, war_method="B")
    play.answer("choice:2:Bob", "surrender")
    play.answer("choice:1:Ann", "war")
    assert announced(play, "war_stake")[-1][0] == "Ann lays $10 beside the main stake on box 1."
    assert announced(play, "house_chips") == []
    play.lay("w", "Ann", 1, "war", 1000)
    assert announced(play, "house_chips") == [("Lay $10 of house chips on box 1.", ("7.4.4(a)(ii)",))]
    assert play.game.state.round.house_asked == {"1": 1000}
    plain = tied(MELBOURNE)
    plain.answer("choice:2:Bob", "surrender")
    plain.lay("w", "Ann", 1, "war", 1000)
    assert announced(plain, "house_chips") == []


@clause(STAR, "5.2.1.3", "11.8")
@clause(MELBOURNE, "5.6", "11.10")
def test_a_player_who_makes_no_choice_surrenders_or_is_ruled_on_as_the_document_says() -> None:
    star = tied(STAR)
    star.answer("choice:1:Ann", "decline")
    assert star.results()["mAnn"].result == "surrender"
    assert star.results()["mAnn"].clauses[0] == "5.2.1.3"
    melbourne = tied(MELBOURNE)
    melbourne.answer("choice:1:Ann", "decline")
    asked = melbourne.game.asked("silent:1:Ann")
    assert asked is not None
    assert (asked.proposal, asked.clauses) == ("surrender", ("11.10",))
    melbourne.answer("silent:1:Ann", "wait")
    assert sorted(melbourne.questions()) == ["choice:1:Ann", "choice:2:Bob"]
    melbourne.answer("choice:1:Ann", "decline")
    melbourne.answer("silent:1:Ann", "surrender", rank=3)
    assert melbourne.results()["mAnn"].result == "surrender"


@clause(MELBOURNE, "7.7.1", "7.4.1(a)", "7.4.2(a)")
@clause(STAR, "10.4", "8.2.1")
@clause(PERTH, "1.1 [Round of Play]", "4.9")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_round_ends_with_everything_on_record_and_the_next_number(house: str) -> None:
    play = opened(house)
    play.lay("a", "Ann", 1, "main", 1000)
    play.lay("b", "Bob", 2, "main", 2000)
    play.press("no_more_bets")
    number = play.table.state.round
    play.cards("KH", "3D", "5S")
    (settled,) = [effect for effect in play.effects if isinstance(effect, Settled)]
    assert (settled.outcome, [result.wager for result in settled.results]) == ("interim", ["a", "b"])
    (steps,) = noted(play, "settle_interim")
    assert steps["steps"] == [["take", "b", 2], ["pay", "a", 1]]
    play.press("settled")
    (record,) = noted(play, "round")
    assert (record["round"], record["valid"]) == (number, True)
    assert record["cards"][-3:] == ["KH", "3D", "5S"]
    assert record["results"] == [["a", "win", 1000, 0, 1000], ["b", "lose", 0, 2000, 0]]
    assert [row[:4] for row in record["stakes"]] == [["a", "Ann", 1, "main"], ["b", "Bob", 2, "main"]]
    assert play.table.state.round == number + 1


@clause(MELBOURNE, "11.2.1", "11.3", "11.4", "11.5")
@clause(STAR, "13.4.1", "13.5.1", "13.5.2", "13.6")
@clause(PERTH, "6.6(a)", "6.9(a)", "6.9(b)", "6.10")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_cancelled_round_takes_every_result_back(house: str) -> None:
    for key, named in (
        ("fraud", {MELBOURNE: "11.3", PERTH: "6.9(b)", STAR: "13.5.2"}),
        ("disruption", {MELBOURNE: "11.4", PERTH: "6.9(a)", STAR: "13.5.1"}),
    ):
        play = opened(house)
        play.lay("a", "Ann", 1, "main", 1000)
        play.lay("b", "Bob", 2, "main", 2000)
        play.press("no_more_bets")
        play.cards("KH", "3D", "5S")
        play.press("cancel", reason=key)
        back = [effect for effect in play.effects if isinstance(effect, Reversed)]
        results = play.results()
        assert {results[wager].stake_returned for wager in "ab"} == {1000, 2000}
        assert {results[wager].pays for wager in "ab"} == {0}
        assert back[-1].clauses[0] == named[house]
        rulings = [effect for effect in play.effects if isinstance(effect, Ruled)]
        assert rulings[-1].clauses[0] == named[house]
        assert noted(play, "round")[-1]["valid"] is False


# -- the set of cards -------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "3.1")
@clause(PERTH, "2.2", "1.1 [Deck]")
@clause(STAR, "3.1")
def test_every_card_of_every_deck_is_accounted_for_by_name() -> None:
    cards = Composition(2)
    assert (cards.total, cards.drawn, cards.left("KS"), cards.should_have("KS")) == (104, 0, 2, 2)
    assert cards.draw("KS") is None
    assert cards.draw("KS") is None
    assert (cards.drawn, cards.known, cards.left("KS")) == (2, 2, 0)
    trouble = cards.draw("KS")
    assert trouble == ("impossible_card", "KS came 3 times from a set that holds it 2 times.", "KS")
    cards.undraw("KS")
    assert (cards.drawn, cards.left("KS")) == (2, 0)
    cards.undraw("QS")
    assert cards.drawn == 2
    cards.undraw("KS")
    cards.undraw("KS")
    assert (cards.out, cards.drawn) == ({}, 0)
    assert cards.draw_unknown() is None
    assert (cards.drawn, cards.unknown) == (1, 1)
    assert cards.identify("2C") is None
    assert (cards.drawn, cards.unknown, cards.out) == (1, 0, {"2C": 1})
    cards.put_aside("2C")
    assert (cards.total, cards.should_have("2C"), cards.left("2C")) == (103, 1, 0)
    assert cards.replace("3C") is False
    assert cards.replace("2C") is True
    assert cards.total == 104
    cards.shuffled()
    assert (cards.drawn, cards.out, cards.unknown) == (0, {}, 0)
    whole = Composition(1)
    assert [whole.draw(face) for face in FACES] == [None] * 52
    one = Composition(1)
    for face in FACES[:51]:
        assert one.draw(face) is None
    assert one.draw_unknown() is None
    assert one.draw_unknown() == ("too_many_cards", "53 cards came from a set of 52.", "")
    assert one.draw(FACES[51]) == ("too_many_cards", "54 cards came from a set of 52.", FACES[51])


@clause(MELBOURNE, "4.1.1(c)")
def test_a_run_as_the_factory_packs_it_is_counted_up_and_down_within_a_suit() -> None:
    assert [factory_run(cards) for cards in ((), ("AS",), ("AS", "2S"), ("AS", "2S", "4S"), ("AS", "2H"))] == [
        0,
        1,
        2,
        1,
        1,
    ]
    assert factory_run(("KD", "9H", "8H", "7H")) == 3
    assert factory_run(("QC", "KC", "AC")) == 1
    assert factory_run(("2C", "3C", "4C", "5C", "6C", "7C")) == 6


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


# -- what people rule -------------------------------------------------------------------------------------------------


@clause(STAR, "11.22.1", "11.22.2", "11.22.3", "13.1")
@clause(MELBOURNE, "11.10")
def test_a_stake_on_anothers_card_goes_back_before_the_deal_is_ruled_on_in_it_and_stands_after_it() -> None:
    before = opened(STAR)
    before.lay("a", "Ann", 1, "main", 1000)
    before.lay("b", "Bob", 2, "main", 1000)
    before.press("invalid_card", rank=1, player="Ann")
    assert before.rulings()[-1].clauses == ("11.22.1", "13.1")
    assert [before.game.state.round.stake(wager).live for wager in "ab"] == [False, True]
    assert "Ann" not in before.game.state.players.carded
    during = opened(STAR)
    during.lay("a", "Ann", 1, "main", 1000)
    during.lay("b", "Bob", 2, "main", 1000)
    during.press("no_more_bets")
    during.card("KH")
    during.press("invalid_card", rank=1, player="Ann")
    assert during.questions() == ["invalid:Ann"]
    during.press("invalid_card", rank=2, player="Ann")
    assert during.results()["a"].stake_returned == 1000
    assert "b" not in during.results()
    assert during.rulings()[-1].clauses[0] == "11.22.2"
    after = opened(STAR)
    after.lay("a", "Ann", 1, "main", 1000)
    after.press("no_more_bets")
    after.cards("KH", "5D")
    after.press("settled")
    after.press("invalid_card", rank=2, player="Ann")
    assert after.rulings()[-1].clauses == ("11.22.3",)
    assert after.results()["a"].pays == 1000
    other = opened(MELBOURNE)
    other.press("invalid_card", rank=4, player="Ann")
    assert codes(other)[-1] == "no_card_rule"


@clause(MELBOURNE, "11.2.1")
@clause(PERTH, "6.6(a)")
@clause(STAR, "13.4.1")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_voiding_a_player_leaves_everybody_else_in_the_round(house: str) -> None:
    play = opened(house)
    for number, player in enumerate(("Ann", "Bob"), 1):
        play.lay(f"m{player}", player, number, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH")
    play.press("void_player", rank=1, player="Bob", reason="device")
    assert play.questions() == ["void_player:Bob"]
    play.answer("void_player", "rule", rank=4)
    assert (play.results()["mBob"].result, play.results()["mBob"].stake_returned) == ("void", 1000)
    named = {MELBOURNE: "11.2.1", PERTH: "6.6(a)", STAR: "13.4.1"}[house]
    assert play.results()["mBob"].clauses[0] == named
    assert play.rulings()[-1].clauses[0] == named
    play.card("5D")
    assert play.results()["mAnn"].pays == 1000


@clause(STAR, "13.6")
@clause(MELBOURNE, "11.5")
def test_a_device_users_stake_is_forfeited_only_where_the_document_knows_that() -> None:
    star = opened(STAR)
    star.lay("a", "Ann", 1, "main", 1000)
    star.lay("b", "Bob", 2, "main", 1000)
    star.press("no_more_bets")
    star.cards("KH", "3D", "5S")
    star.press("cancel", rank=2, reason="fraud", forfeit=["Ann"])
    assert (star.results()["a"].stake_taken, star.results()["a"].stake_returned) == (1000, 0)
    assert (star.results()["b"].stake_taken, star.results()["b"].stake_returned) == (0, 1000)
    melbourne = opened(MELBOURNE)
    melbourne.lay("a", "Ann", 1, "main", 1000)
    melbourne.press("no_more_bets")
    melbourne.cards("KH", "5S")
    melbourne.press("cancel", rank=4, reason="fraud", forfeit=["Ann"])
    assert codes(melbourne)[-1] == "not_known_here"
    melbourne.press("cancel", rank=1, reason="fraud")
    assert melbourne.questions() == ["cancel"]


@clause(STAR, "11.8", "5.2.1.3")
@clause(MELBOURNE, "11.10")
def test_a_player_who_is_marked_absent_is_ruled_on_at_the_choice_and_not_before() -> None:
    star = tied(STAR)
    star.press("absent", player="Ann")
    assert star.rulings()[-1].clauses == ("11.8",)
    assert star.results()["mAnn"].result == "surrender"
    assert star.results()["mAnn"].clauses[0] == "11.8"
    assert star.questions() == ["choice:2:Bob"]
    early = opened(STAR)
    early.lay("a", "Ann", 1, "main", 1000)
    early.press("absent", player="Ann")
    early.press("no_more_bets")
    early.cards("KH", "KS")
    assert early.phase in ("interim", "choosing", "over")
    early.press("settled")
    assert early.results()["a"].result == "surrender"
    melbourne = tied(MELBOURNE)
    melbourne.press("absent", player="Ann")
    assert sorted(melbourne.questions()) == ["choice:2:Bob", "silent:1:Ann"]


@clause(MELBOURNE, "9.8.1")
def test_what_was_settled_wrongly_and_found_too_late_stands_as_it_was_paid() -> None:
    for how, pays, taken in (("win", 1000, 0), ("lose", 0, 1000), ("standoff", 0, 0)):
        play = tied(MELBOURNE)
        told = play.press("settled_as", wager="mAnn", result=how, reason="found late")
        assert not play.refusals(), told
        result = play.results()["mAnn"]
        assert (result.result, result.pays, result.stake_taken) == (how, pays, taken)
        assert result.clauses[0] == "9.8.1"
        assert play.rulings()[-1].answer == f"mAnn: {how}"
        assert "choice:1:Ann" not in play.questions()
    play.press("settled_as", wager="mBob", result="nothing")
    assert codes(play)[-1] in ("bad_result", "not_now")


@clause(MELBOURNE, "7.4.4(a)(ii)")
@clause(STAR, "9.1")
def test_house_chips_are_entered_only_under_method_b_and_add_up() -> None:
    play = tied(MELBOURNE, war_method="B")
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("house_chips", box=1, amount=400)
    play.press("house_chips", box=1, amount=600)
    assert play.game.state.round.house_chips == {"1": 1000}
    assert noted(play, "house_chips")[-1] == {"box": 1, "amount": 600}
    plain = tied(MELBOURNE)
    plain.lay("w", "Ann", 1, "war", 1000)
    plain.press("house_chips", box=1, amount=400)
    assert codes(plain)[-1] in ("no_house_chips", "not_now")
    assert plain.game.state.round.house_chips == {}


# -- chips that are seen ----------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.4.3(a)", "5.6", "7.4.2(c)")
def test_half_of_a_surrendered_stake_is_owed_at_once() -> None:
    assert owed(at_war("A")) == [("main 2", "not_collected", 500)]


@clause(MELBOURNE, "7.4.4(a)(ii)")
def test_house_chips_are_owed_to_their_place_and_back_again_after_the_war() -> None:
    felt = at_war("B")
    assert owed(felt) == [("house 1", "underpaid", 1000), ("main 2", "not_collected", 500)]
    felt.put(1, "house", 1000)
    assert owed(felt) == [("main 2", "not_collected", 500)]
    felt.draw("9S")
    felt.draw("8S")
    assert felt.phase == "final"
    assert ("house 1", "not_collected", 1000) in owed(felt)


@clause(MELBOURNE, "7.4.1(a)", "7.4.2(a)", "7.4.2(b)", "5.15.2")
def test_what_interim_decides_is_owed_on_the_felt() -> None:
    felt = Felt(MELBOURNE)
    for box, player in ((1, "Ann"), (2, "Bob")):
        felt.press("sit", 1, box=box, player=player)
        felt.put(box, "main", 1000)
    felt.press("no_more_bets", 1)
    for card in ("KS", "3H", "9D"):
        felt.draw(card)
    assert owed(felt) == [("main 1", "underpaid", 1000), ("main 2", "not_collected", 1000)]
