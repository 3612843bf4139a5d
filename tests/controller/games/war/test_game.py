"""Casino War with antennas under the felt and a gate before the cards: whose chips, which outputs, who may what."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.desk import Limits
from controller.core.effects import Asked, Noted, Refused
from controller.core.events import Chip, ChipsCounted, PlayerCardRead, TimerDue
from controller.games.war.events import StakeChanged
from drivers.events import DeviceDown, DeviceUp
from tests.controller.games.war.felt import Felt, drawn

PERTH: dict[str, Any] = {"optional_zones": ("a_bomb", "tie", "perfect_pairs"), "column": 2}


# -- whose chips ---------------------------------------------------------------------------------------------------


def test_chips_on_a_box_are_the_seated_players_and_more_of_them_make_the_same_stake_larger() -> None:
    felt = Felt("melbourne-war")
    felt.press("sit", 1, box=3, player="Ann")
    felt.put(3, "main", 2500)
    felt.put(3, "main", 500)
    felt.put(3, "tie", 500)
    assert felt.stakes() == {("Ann", "main", 3): 3000, ("Ann", "tie", 3): 500}


def test_chips_of_nobody_in_particular_are_the_boxs() -> None:
    felt = Felt("melbourne-war")
    felt.put(2, "main", 2500)
    assert felt.stakes() == {("box 2", "main", 2): 2500}


@pytest.mark.clause("melbourne-war", "5.10", "5.12")
def test_the_dealer_says_whose_chips_come_next_or_whose_they_are() -> None:
    felt = Felt("melbourne-war")
    felt.press("sit", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.press("assign", 1, box=1, zone="main", player="Bob")
    felt.put(1, "main", 1000)
    third = felt.put(1, "main", 500)
    felt.press("assign", 1, box=1, zone="main", player="Cho", tags=third)
    assert felt.stakes() == {("Ann", "main", 1): 2500, ("Bob", "main", 1): 1000, ("Cho", "main", 1): 500}
    assert [stake.line for stake in felt.game.state.round.stakes] == [0, 1, 2]


def test_a_stack_read_in_part_waits_until_it_is_read_whole() -> None:
    felt = Felt("melbourne-war")
    felt.put(1, "main", 500, 500, partial=True)
    assert felt.stakes() == {}
    felt.put(1, "main", 500)
    assert felt.stakes() == {("box 1", "main", 1): 1500}


def test_a_picture_read_anew_tells_only_what_differs() -> None:
    felt = Felt("melbourne-war")
    kept = felt.put(1, "main", 2500)
    felt.put(2, "main", 500)
    areas = {felt.area(1, "main"): (Chip(kept[0], "cash", 2500),), felt.area(2, "main"): ()}
    felt.take(ChipsCounted("chips", areas))
    assert felt.stakes() == {("box 1", "main", 1): 2500}


@pytest.mark.clause("melbourne-war", "5.4")
@pytest.mark.clause("star-war", "5.5")
@pytest.mark.parametrize("rulebook", ["melbourne-war", "star-war"])
def test_chips_that_change_after_the_first_card_change_no_stake(rulebook: str) -> None:
    felt = Felt(rulebook)
    felt.press("player_card", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.put(1, "main", 2500)
    assert felt.game.state.round.stake("main 1 Ann").amount == 2500
    assert any(code.startswith("moved:") for code in felt.table.state.desk.alarms)


def test_winnings_on_the_layout_are_no_late_stake_and_ride_into_the_next_round() -> None:
    felt = Felt("melbourne-war")
    felt.press("sit", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("9H")
    felt.put(1, "main", 2500)
    assert felt.press("settled", 1)
    assert felt.phase == "over"
    felt.press("place_bets", 1)
    assert felt.stakes() == {("Ann", "main", 1): 5000}


@pytest.mark.clause("melbourne-war", "5.15.1", "5.15.2")
def test_a_round_is_not_over_before_losers_are_taken_and_winners_paid() -> None:
    felt = Felt("melbourne-war")
    felt.put(1, "main", 2500)
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("9H")
    felt.press("settled", 1)
    assert felt.phase == "interim"
    assert [refusal.code for refusal in felt.refusals()] == ["not_seen"]
    felt.press("settled", 1, confirmed=True)
    assert felt.phase == "over"


@pytest.mark.clause("melbourne-war", "7.4.4(a)(ii)")
def test_house_chips_of_method_b_are_nobodys_stake() -> None:
    felt = Felt("melbourne-war", war_method="B")
    felt.put(1, "main", 2500)
    felt.press("no_more_bets", 1)
    felt.draw("8S")
    felt.draw("8D")
    felt.press("settled", 1)
    felt.put(1, "war", 2500)
    felt.put(1, "house", 2500)
    assert felt.game.state.round.house_chips == {"1": 2500}
    assert felt.stakes() == {("box 1", "main", 1): 2500, ("box 1", "war", 1): 2500}
    felt.draw("5C")
    felt.draw("9H")
    assert felt.results()["war 1 box 1"].result == "lose"


@pytest.mark.clause("star-war", "5.3")
@pytest.mark.clause("melbourne-war", "5.1")
@pytest.mark.parametrize(("rulebook", "accepted"), [("star-war", True), ("melbourne-war", False)])
def test_a_promotional_token_is_a_stake_only_where_the_rules_take_it(rulebook: str, accepted: bool) -> None:
    felt = Felt(rulebook)
    felt.press("player_card", 1, box=1, player="Ann")
    felt.put(1, "main", 2500, kind="token")
    assert bool(felt.stakes()) is accepted


# -- the gate ------------------------------------------------------------------------------------------------------


def test_the_gate_is_locked_unless_a_card_may_be_drawn() -> None:
    felt = Felt("star-war")
    felt.press("player_card", 1, box=1, player="Ann")
    assert felt.gate()
    felt.put(1, "main", 2500)
    assert not felt.gate()
    felt.draw("KS")
    assert not felt.gate()
    felt.draw("9H")
    assert felt.gate()
    felt.take(DeviceDown("chips", "silent", "look"))
    assert felt.gate()


@pytest.mark.clause("melbourne-war", "7.3.1(a)", "4.3.2(b)")
def test_where_the_call_closes_betting_the_gate_opens_with_it() -> None:
    felt = Felt("melbourne-war")
    felt.put(1, "main", 2500)
    assert felt.gate()
    felt.press("no_more_bets", 1)
    assert not felt.gate()


def test_a_shoe_that_lost_its_memory_raises_a_question_before_the_next_card() -> None:
    felt = Felt("star-war")
    felt.press("player_card", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.draw("KS")
    felt.take(DeviceDown("shoe", "no power", "look"))
    felt.take(DeviceUp("shoe", "shoe", "SIM", "1.0", lost=True))
    assert felt.questions() == ["unseen"]
    assert felt.gate()
    felt.answer("unseen", "enter", 1, face="9H")
    assert felt.phase == "interim"
    assert felt.results()["main 1 Ann"].result == "win"


# -- who may stake where -------------------------------------------------------------------------------------------


@pytest.mark.clause("melbourne-war", "5.11", "5.11.1")
def test_who_holds_the_main_stake_comes_first_on_the_tie_zone() -> None:
    felt = Felt("melbourne-war")
    for player in ("Bob", "Cho", "Dan"):
        felt.press("assign", 1, box=1, zone="tie", player=player)
        felt.put(1, "tie", 500)
    felt.press("assign", 1, box=1, zone="main", player="Ann")
    felt.put(1, "main", 2500)
    felt.press("assign", 1, box=1, zone="tie", player="Ann")
    felt.put(1, "tie", 1000)
    assert felt.stakes()[("Ann", "tie", 1)] == 1000
    assert ("Dan", "tie", 1) not in felt.stakes()
    felt.press("assign", 1, box=1, zone="tie", player="Eve")
    felt.put(1, "tie", 500)
    assert ("Eve", "tie", 1) not in felt.stakes()


@pytest.mark.clause("perth-war", "3.4", "3.3")
def test_the_seated_player_comes_first_on_the_own_zones() -> None:
    felt = Felt("perth-war", **PERTH)
    felt.press("sit", 1, box=1, player="Ann")
    for player in ("Bob", "Cho", "Dan"):
        felt.press("assign", 1, box=1, zone="main", player=player)
        felt.put(1, "main", 500)
    felt.put(1, "main", 2500)
    assert felt.stakes()[("Ann", "main", 1)] == 2500
    assert ("Dan", "main", 1) not in felt.stakes()


@pytest.mark.clause("melbourne-war", "5.14")
def test_a_stake_that_could_not_be_paid_is_told_and_may_be_refused_before_the_deal() -> None:
    felt = Felt("melbourne-war", Limits(500, 50000, 0, 500))
    felt.put(1, "main", 750)
    assert felt.said("unpayable")[0].clauses == ("5.14",)
    felt.press("refuse_stake", 1, wager="main 1 box 1")
    assert felt.stakes() == {}
    assert felt.results()["main 1 box 1"].stake_returned == 750


@pytest.mark.clause("melbourne-war", "5.13")
@pytest.mark.clause("perth-war", "6.3")
@pytest.mark.parametrize("rulebook", ["melbourne-war", "perth-war"])
def test_one_player_on_several_boxes_needs_the_word_of_a_rank(rulebook: str) -> None:
    felt = Felt(rulebook)
    for box in (1, 2):
        felt.press("sit", 1, box=box, player="Ann")
        felt.put(box, "main", 2500)
    assert felt.questions() == ["several:Ann"]
    felt.answer("several:Ann", "allow", 1)
    assert felt.refusals()[-1].code == "rank_too_low"
    felt.answer("several:Ann", "refuse", 3)
    assert felt.stakes() == {("Ann", "main", 1): 2500}


@pytest.mark.clause("star-war", "5.1", "13.1")
def test_a_player_card_read_at_a_box_lets_its_owner_stake_there() -> None:
    felt = Felt("star-war")
    felt.put(1, "main", 2500)
    assert felt.stakes() == {}
    assert felt.refusals()[-1].code == "no_player_card"
    felt.press("player_card", 1, box=2)
    felt.take(PlayerCardRead("reader", "ab" * 16, "blocked"))
    assert felt.refusals()[-1].code == "card_not_valid"
    felt.take(PlayerCardRead("reader", "ab" * 16, "valid"))
    felt.put(2, "main", 2500)
    assert felt.stakes() == {("P-ababab", "main", 2): 2500}
    felt.press("player_left", 1, player="P-ababab")
    assert felt.game.state.players.cards_at.boxes == {}


LAST_MOMENT = 1_000_000
"""When the card of the tests below runs out."""
STEP_MS = 1000
"""How long the felt lets pass before each event."""


def carded_until(until: int) -> Felt:
    """A Star table where the player at box 2 presented a card that is good until then."""
    felt = Felt("star-war")
    felt.press("player_card", 1, box=2)
    felt.take(PlayerCardRead("reader", "ab" * 16, "valid", until))
    return felt


@pytest.mark.clause("star-war", "5.1", "13.1")
def test_a_card_that_runs_out_at_the_table_is_good_for_no_further_stake_until_it_is_renewed() -> None:
    felt = carded_until(LAST_MOMENT)
    felt.at = LAST_MOMENT - 1 - STEP_MS
    felt.put(2, "main", 2500)
    felt.at = LAST_MOMENT - STEP_MS
    tie = felt.put(2, "tie", 500)
    assert felt.stakes() == {("P-ababab", "main", 2): 2500}
    refused = felt.refusals()[-1]
    assert (refused.code, refused.clauses) == ("card_not_valid", ("5.1", "13.1"))
    assert felt.said("hand_back")[-1].text == "Give $5 back to P-ababab."
    felt.press("player_card", 1, box=2)
    felt.take(PlayerCardRead("reader", "ab" * 16, "valid", 2 * LAST_MOMENT))
    felt.lift(2, "tie", *tie)
    felt.put(2, "tie", 500)
    assert felt.stakes() == {("P-ababab", "main", 2): 2500, ("P-ababab", "tie", 2): 500}


@pytest.mark.clause("star-war", "5.1")
def test_a_card_renewed_at_one_box_is_good_at_every_box_its_owner_holds() -> None:
    felt = carded_until(LAST_MOMENT)
    felt.at = LAST_MOMENT
    felt.press("player_card", 1, box=3)
    felt.take(PlayerCardRead("reader", "ab" * 16, "valid", 2 * LAST_MOMENT))
    felt.put(2, "main", 2500)
    assert felt.stakes() == {("P-ababab", "main", 2): 2500}


@pytest.mark.clause("star-war", "5.1")
def test_chips_added_to_a_stake_after_its_players_card_ran_out_go_back_and_the_stake_stays_as_it_lay() -> None:
    felt = carded_until(LAST_MOMENT)
    felt.put(2, "main", 2500)
    felt.at = LAST_MOMENT
    added = felt.put(2, "main", 500)
    assert felt.stakes() == {("P-ababab", "main", 2): 2500}
    assert felt.refusals()[-1].code == "card_not_valid"
    assert felt.said("hand_back")[-1].text == "Give $5 back to P-ababab."
    felt.lift(2, "main", *added)
    assert felt.stakes() == {("P-ababab", "main", 2): 2500}
    before = len(felt.refusals())
    felt.take(StakeChanged(felt.game.state.round.stakes[0].id, 2500))
    felt.lift(2, "main", 1)
    assert felt.stakes() == {}
    assert len(felt.refusals()) == before
    felt.put(2, "main", 2500)
    felt.put(2, "main", 500)
    assert felt.said("hand_back")[-1].text == "Give $30 back to P-ababab."


@pytest.mark.clause("star-war", "5.1")
def test_a_neighbours_valid_card_lets_nobody_stake_whose_own_has_run_out() -> None:
    felt = carded_until(LAST_MOMENT)
    felt.press("player_card", 1, box=3)
    felt.take(PlayerCardRead("reader", "cd" * 16, "valid"))
    felt.at = LAST_MOMENT
    felt.put(2, "main", 2500)
    felt.put(3, "main", 2500)
    assert felt.stakes() == {("P-cdcdcd", "main", 3): 2500}


@pytest.mark.clause("star-war", "5.1")
def test_a_card_that_runs_out_during_the_round_takes_no_choice_from_its_player() -> None:
    felt = carded_until(LAST_MOMENT)
    felt.put(2, "main", 2500)
    felt.press("no_more_bets", 1)
    drawn(felt, "KS", "KH")
    felt.press("settled", 1)
    felt.at = LAST_MOMENT
    felt.put(2, "war", 2500)
    assert ("P-ababab", "war", 2) in felt.stakes()


@pytest.mark.clause("melbourne-war", "11.2.3")
def test_winnings_are_held_back_during_an_inquiry_and_stakes_move_as_always() -> None:
    felt = Felt("melbourne-war")
    felt.put(1, "main", 2500)
    felt.press("withhold", 3, player="box 1", reason="marked cards")
    assert felt.refusals()[-1].code == "rank_too_low"
    felt.press("withhold", 4, player="box 1", reason="marked cards")
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("9H")
    result = felt.results()["main 1 box 1"]
    assert (result.withheld, result.pays, result.stake_returned) == (True, 2500, 2500)
    felt.press("settled", 1)
    assert felt.phase == "over"
    felt.press("inquiry_over", 4, player="box 1", outcome="pay")
    paid = [effect.facts for effect in felt.effects if isinstance(effect, Noted) and effect.what == "inquiry_over"]
    assert paid == [{"player": "box 1", "outcome": "pay", "cents": 2500}]


# -- notices -------------------------------------------------------------------------------------------------------


def change(felt: Felt, least: int, most: int = 50000, **more: Any) -> int:
    felt.press("limits", 4, least=least, most=most, **more)
    return felt.table.state.limits.least


@pytest.mark.clause("perth-war", "6.4", "6.4(a)", "6.4(b)", "6.4(c)")
def test_at_perth_any_change_of_limits_waits_ten_minutes_unless_all_agree_or_nobody_plays() -> None:
    felt = Felt("perth-war")
    assert change(felt, 1000) == 1000
    felt.put(1, "main", 2500)
    assert change(felt, 500) == 1000
    assert felt.table.state.desk.timers["limits"] == felt.at + 600_000
    assert change(felt, 500, consent=True) == 500


@pytest.mark.clause("melbourne-war", "6.4")
@pytest.mark.clause("star-war", "6.5")
@pytest.mark.parametrize("rulebook", ["melbourne-war", "star-war"])
def test_a_higher_minimum_waits_twenty_minutes_and_a_lower_one_does_not(rulebook: str) -> None:
    felt = Felt(rulebook)
    assert change(felt, 1000) == 500
    assert felt.table.state.desk.timers["limits"] == felt.at + 1_200_000
    felt.at += 1_200_000
    felt.take(TimerDue("limits"))
    assert felt.table.state.limits.least == 1000
    assert change(felt, 500) == 500


@pytest.mark.clause("star-war", "6.5.1", "6.5.1.1", "6.5.1.2", "6.5.1.3", "6.5.2")
def test_present_players_keep_their_minimum_with_a_marker_and_newcomers_do_not() -> None:
    felt = Felt("star-war", Limits(1000, 50000, 0, 250))
    felt.press("player_card", 1, box=1, player="Ann")
    felt.press("keep_minimum", 1, least=2500)
    assert felt.refusals()[-1].code == "rank_too_low"
    felt.press("keep_minimum", 2, least=2500)
    felt.press("player_card", 1, box=2, player="Bob")
    assert felt.said("marker")
    assert felt.table.sign()["kept_minimums"] == {"Ann": 1000}
    felt.put(1, "main", 1000)
    assert not felt.said("limits")
    felt.put(2, "main", 1000)
    assert felt.said("limits")
    felt.press("player_left", 1, player="Ann")
    assert "kept_minimums" not in felt.table.sign()


@pytest.mark.clause("perth-war", "2.3(b)", "2.3(c)", "2.2")
def test_another_number_of_decks_needs_rank_thirty_minutes_and_new_cards() -> None:
    felt = Felt("perth-war", **PERTH)
    felt.put(1, "main", 2500)
    felt.press("change_decks", 2, decks=8)
    felt.press("change_decks", 3, decks=5)
    assert [refusal.code for refusal in felt.refusals()[-2:]] == ["rank_too_low", "not_allowed"]
    felt.press("change_decks", 3, decks=8, column=6)
    due = felt.table.state.desk.timers["decks"]
    assert due == felt.at + 1_800_000
    assert felt.table.sign()["coming_decks"]["decks"] == 8
    felt.press("no_more_bets", 1)
    for card in ("KS", "9H"):
        felt.draw(card)
    felt.press("settled", 1, confirmed=True)
    felt.lift(1, "main", 1)
    felt.press("place_bets", 1, confirmed=True)
    felt.press("replace_cards", 3, why="worn")
    assert felt.game.state.shoe.cards.decks == 6
    felt.at = due
    felt.take(TimerDue("decks"))
    felt.press("check_cards", how="by hand")
    felt.press("replace_cards", 3, why="eight decks")
    assert felt.game.state.shoe.cards.decks == 8
    assert felt.game.column is not None
    assert felt.game.column.number == 6
    assert felt.table.sign()["decks"] == 8


def test_every_key_and_answer_survives_a_save_and_a_restore() -> None:
    felt = Felt("star-war")
    felt.press("player_card", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    felt.draw("KS")
    saved = felt.table.save()
    other = Felt("star-war")
    other.table.restore(saved)
    assert msgspec.json.encode(other.game.state) == msgspec.json.encode(felt.game.state)
    assert not [effect for effect in other.effects if isinstance(effect, Asked | Refused) and effect.clauses == ("?",)]
