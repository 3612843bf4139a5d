"""Chips that Casino War's settlements and rulings ask for: what is owed on the felt, taken back, and held back."""

from __future__ import annotations

import pytest

from controller.core.effects import Settled
from drivers.cards import GateForced
from tests.controller.games.war.felt import at_war, drawn, felt_with, owed
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, announced, clause, noted, opened, tied
from tests.controller.games.war.rulings import BACK, HOUSES, LOST, money, record, ruled, staked, told

# -- what is settled --------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.4.1(a)", "7.4.1(b)", "7.4.2(a)", "7.4.2(b)", "7.6.1")
@clause(PERTH, "4.9", "4.13")
@clause(STAR, "8.1.1", "8.1.2", "8.2.1", "8.2.2", "10.1", "10.3")
@pytest.mark.parametrize("house", HOUSES)
def test_the_dealer_is_told_each_step_of_interim_and_of_the_end_in_its_order(house: str) -> None:
    play = opened(house)
    for box, player in enumerate(("Ann", "Bob", "Cyd", "Dot"), 1):
        play.lay(f"m{player}", player, box, "main", 1000)
        play.lay(f"t{player}", player, box, "tie", 1000)
    play.press("no_more_bets")
    play.cards("KH", "9D", "2C", "9H", "9S")
    ties = [["take", "tCyd", 3], ["take", "tAnn", 1], ["pay", "tDot", 4], ["pay", "tBob", 2]]
    steps = [*ties, ["take", "mCyd", 3], ["pay", "mAnn", 1]]
    if house == PERTH:  # one pass over all zones
        steps = [["take", "mCyd", 3], ["take", "tCyd", 3], ["take", "tAnn", 1],
                 ["pay", "tDot", 4], ["pay", "tBob", 2], ["pay", "mAnn", 1]]  # fmt: skip
    assert noted(play, "settle_interim") == [{"steps": steps}]
    play.press("settled")
    for box, player in ((2, "Bob"), (4, "Dot")):
        play.lay(f"w{player}", player, box, "war", 1000)
    play.cards(*(("3C", "4C", "5C") if house == PERTH else ()), "8H", "3D", "7S")
    assert noted(play, "settle_final") == [
        {"steps": [["take", "mDot", 4], ["take", "wDot", 4], ["pay", "wBob", 2], ["leave", "mBob", 2]]}
    ]


@clause(MELBOURNE, "7.4.2(b)", "7.4.1(a)")
@clause(PERTH, "4.9")
@clause(STAR, "8.2.2", "8.2.3", "8.1.1")
@pytest.mark.parametrize("house", HOUSES)
def test_where_every_stake_is_tied_interim_settles_and_clears_nothing(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.cards("KH", "KD", "KS")
    assert (play.phase, told(play, Settled), noted(play, "settle_interim")) == ("interim", [], [{"steps": []}])
    assert announced(play, "clear_cards") == []


@clause(STAR, "8.2.3", "5.2.3")
@clause(MELBOURNE, "7.4.2(a)")
@clause(PERTH, "4.9")
@pytest.mark.parametrize("house", HOUSES)
def test_decided_hands_are_cleared_at_interim_only_where_the_document_says_so_and_only_boxes_with_cards(
    house: str,
) -> None:
    play = opened(house)
    for box, player in ((1, "Ann"), (4, "Bob"), (5, "Cyd")):
        play.lay(f"m{player}", player, box, "main", 1000)
    play.lay("t", "Dot", 3, "tie", 1000)  # at The Star it needs a main stake, and gets no card
    play.press("no_more_bets")
    play.cards("KH", *(() if house == STAR else ("4H",)), "9D", "3D", "9S")
    cleared = [("Cards of boxes 1, 5 to the discards.", ("8.2.3",))]
    assert (play.phase, announced(play, "clear_cards")) == ("interim", cleared if house == STAR else [])


@clause(MELBOURNE, "5.15.2", "7.4.2(a)", "5.6", "7.4.4(a)(ii)")
@clause(STAR, "8.2.2")
def test_without_antennas_nothing_is_held_against_the_dealer() -> None:
    for house, method in ((MELBOURNE, "B"), (STAR, "A")):
        play = tied(house, war_method=method)
        play.answer("choice:2:Bob", "surrender")
        play.lay("w", "Ann", 1, "war", 1000)
        play.cards("9H", "5S")
        assert (play.game.money.state.watch, play.game.money.state.due) == (None, {})
        play.press("settled")
        assert play.phase == "over"


# -- what is taken back -----------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.1", "7.4.2(a)", "7.4.2(b)")
def test_a_card_put_right_asks_for_the_chips_of_the_right_result_alone() -> None:
    felt = felt_with("Ann", "Bob")
    drawn(felt, "KS", "3H", "9D")
    assert owed(felt) == [("main 1", "underpaid", 1000), ("main 2", "not_collected", 1000)]
    felt.press("misread", 2, card=1, face="2S")
    assert owed(felt) == [("main 1", "not_collected", 1000), ("main 2", "not_collected", 1000)]
    felt.press("void_player", 4, player="Bob")
    assert owed(felt) == [("main 1", "not_collected", 1000)]


@clause(STAR, "13.5.2", "13.6")
def test_a_cancelled_outcome_asks_for_no_chips_but_those_that_are_forfeited() -> None:
    felt = felt_with("Ann", "Bob", "Cyd", house=STAR)
    drawn(felt, "KS", "3H", "KD", "9D")
    felt.press("cancel", 2, reason="fraud", forfeit="Ann")
    assert (felt.phase, owed(felt)) == ("over", [("main 1", "not_collected", 1000)])


@clause(MELBOURNE, "9.8.1")
def test_what_was_settled_otherwise_is_what_the_chips_must_show() -> None:
    felt = felt_with("Ann", "Bob")
    drawn(felt, "KS", "3H", "9D")
    felt.press("settled_as", 3, wager="main 1 Ann", result="lose")
    assert owed(felt) == [("main 1", "not_collected", 1000), ("main 2", "not_collected", 1000)]
    assert (felt.phase, money(felt)["main 1 Ann"]) == ("over", LOST)


@clause(MELBOURNE, "7.4.4(a)(ii)")
def test_house_chips_are_not_laid_for_a_war_that_is_void() -> None:
    felt = at_war("B")
    assert owed(felt) == [("house 1", "underpaid", 1000), ("main 2", "not_collected", 500)]
    felt.press("misdeal", 3)
    assert (felt.phase, owed(felt)) == ("over", [("main 2", "not_collected", 500)])


@clause(MELBOURNE, "7.4.4(a)(ii)", "9.8")
def test_house_chips_of_a_war_that_was_never_meant_are_asked_for_once_if_it_is_war_again() -> None:
    felt = at_war("B")
    felt.press("choice_missed", 1, box=1, player="Ann")
    assert (felt.phase, owed(felt)) == ("choosing", [("main 2", "not_collected", 500)])
    felt.lift(1, "war", 3)
    felt.put(1, "war", 1000)
    assert (felt.phase, felt.game.state.round.house_asked) == ("war_dealing", {"1": 1000})
    assert owed(felt) == [("house 1", "underpaid", 1000), ("main 2", "not_collected", 500)]
    plain = tied(MELBOURNE)
    plain.lay("w", "Ann", 1, "war", 1000)
    plain.press("choice_missed", box=1, player="Ann")
    assert plain.game.state.round.house_asked == {}


@clause(MELBOURNE, "11.4", "11.5", "5.15.2")
def test_after_a_cancelled_round_players_lift_their_chips_and_the_next_one_may_begin() -> None:
    felt = felt_with("Ann", "Bob")
    felt.draw("KS")
    late = felt.put(3, "main", 1000)
    felt.press("cancel", 2, reason="disruption")
    for box, tags in ((1, [1]), (2, [2]), (3, late)):
        felt.lift(box, "main", *tags)
    assert (owed(felt), felt.game.money.state.watch) == ([], None)
    felt.press("place_bets", 1)
    assert felt.phase == "betting"


# -- held back --------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "11.2.3", "11.3", "11.5")
def test_winnings_held_back_in_an_inquiry_are_none_once_the_outcome_is_cancelled() -> None:
    felt = felt_with("Ann", "Bob")
    felt.press("withhold", 4, player="Ann", reason="marked cards")
    drawn(felt, "KS", "QH", "9D")
    assert felt.game.state.house.held_back == {"Ann": 1000}
    assert owed(felt) == [("main 2", "underpaid", 1000)]
    felt.press("cancel", 4, reason="fraud")
    assert (felt.game.state.house.held_back, owed(felt)) == ({"Ann": 0}, [])
    felt.press("inquiry_over", 4, player="Ann", outcome="pay")
    assert noted(felt, "inquiry_over") == [{"player": "Ann", "outcome": "pay", "cents": 0}]


@clause(MELBOURNE, "11.2.3", "7.1")
def test_winnings_held_back_are_counted_once_when_a_card_is_put_right() -> None:
    play = opened(MELBOURNE)
    play.press("sit", box=1, player="Ann")
    play.press("withhold", player="Ann", reason="marked cards")
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("n", "Ann", 1, "main", 2000)
    play.press("no_more_bets")
    play.cards("KH", "9S")
    assert play.game.state.house.held_back == {"Ann": 3000}
    play.press("misread", rank=2, card=1, face="QH")
    assert play.game.state.house.held_back == {"Ann": 3000}
    play.press("invalid_stake", rank=1, wager="n")
    assert play.game.state.house.held_back == {"Ann": 1000}


@clause(MELBOURNE, "11.2.3", "9.8.1")
def test_winnings_paid_before_an_inquiry_are_no_part_of_what_it_holds_back() -> None:
    play = opened(MELBOURNE)
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1000)
    play.press("no_more_bets")
    play.cards("KH", "KS")
    play.press("settled")
    play.press("withhold", player="Ann", reason="marked cards")
    play.lay("w", "Ann", 1, "war", 1000)
    play.cards("9H", "5S")
    assert play.game.state.house.held_back == {"Ann": 1000}
    play.press("settled_as", rank=3, wager="t", result="lose")
    assert (money(play)["t"], play.game.state.house.held_back) == (LOST, {"Ann": 1000})


@clause(MELBOURNE, "11.2.3", "11.3")
def test_winnings_that_an_inquiry_has_released_are_not_held_back_again_when_the_outcome_is_cancelled() -> None:
    play = staked(MELBOURNE, "Ann")
    play.press("withhold", player="Ann", reason="marked cards")
    play.cards("KH", "9S")
    play.press("settled")
    play.press("inquiry_over", player="Ann", outcome="pay")
    play.press("cancel", reason="fraud")
    assert (money(play), play.game.state.house.held_back) == ({"mAnn": BACK}, {})


# -- the end ----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.7.1")
@clause(STAR, "10.4")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_what_was_said_of_a_round_goes_with_it(house: str) -> None:
    felt = felt_with("Ann", house=house)
    felt.press("sit", 1, box=3, player="Ann")
    felt.press("card_touched", 1, player="Ann")
    felt.press("waiting", 1)
    felt.take(GateForced("shoe", 1))
    drawn(felt, "KS", "9D")
    assert felt.questions() == ["several:Ann"]
    assert set(felt.table.state.desk.alarms) >= {"card_touched", "gate_forced"}
    felt.press("settled", 1, confirmed=True)
    assert (felt.phase, felt.questions(), felt.table.state.desk.alarms) == ("over", [], {})


@clause(MELBOURNE, "1.1 [Void]", "11.4")
@clause(STAR, "1.1 [void]", "13.5.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_stake_that_was_refused_before_the_deal_is_no_part_of_a_round_that_is_cancelled(house: str) -> None:
    play = opened(house)
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("no", "Ann", 99, "main", 1000)
    play.press("no_more_bets")
    play.card("KH")
    play.press("cancel", rank=2, reason="disruption")
    assert (told(play, Settled), money(play)) == ([["no"], ["m"]], {"no": BACK, "m": BACK})
    assert record(play)["valid"] is False
    assert ruled(play, "cancel")[0][:2] == ("cancel_disruption", "rank2")
