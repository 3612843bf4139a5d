"""Stakes before the first card: who may lay them, who comes first, what is refused and with which clause."""

from __future__ import annotations

import pytest

from controller.core.effects import Ruled
from controller.games.war.events import StakeChanged
from tests.controller.games.war.felt import Felt, drawn, felt_with
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, announced, clause, codes, noted, opened
from tests.controller.games.war.seen import HOUSES, live, refusal


def shared(play: Play, zone: str, box: int, *players: str) -> None:
    for player in players:
        play.lay(f"{zone}{box}{player}", player, box, zone, 1000)


# -- what goes back ---------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.10", "5.4")
@clause(PERTH, "3.3")
def test_a_stake_that_is_refused_goes_back_once_with_its_clause_and_is_measured_by_no_limit() -> None:
    for house, named in ((MELBOURNE, ("5.10",)), (PERTH, ("3.3",))):
        play = opened(house)
        shared(play, "main", 1, "Bob", "Cyd", "Dot")
        play.lay("a", "Ann", 1, "main", 900)
        assert refusal(play) == ("area_full", named)
        result = play.results()["a"]
        assert (result.result, result.stake_returned, result.pays, result.clauses) == ("void", 900, 0, named)
        assert [stake.id for stake in play.game.state.round.stakes].count("a") == 1
        assert announced(play, "hand_back") == [("Give $9 back to Ann.", named)]
        assert announced(play, "limits") == []
        play.press("no_more_bets")
        assert ["a", "Ann", 1, "main", "first", 900, 900, "refused"] in dealt_out(play)["stakes"]


def dealt_out(play: Play) -> dict[str, list[list[object]]]:
    """Box 1 wins against the dealer; the record of the round."""
    play.cards("KH", "5D")
    play.press("settled")
    return noted(play, "round")[-1]


@clause(MELBOURNE, "5.14", "5.1", "6.2.2", "5.4")
def test_the_dealer_refuses_a_stake_by_the_clause_that_fits_it() -> None:
    play = opened(MELBOURNE)
    for wager, amount, named in (
        ("plain", 1000, ("5.1",)),
        ("unpayable", 1100, ("5.14",)),
        ("too much", 60_000, ("6.2.2",)),
        ("too much and unpayable", 60_100, ("6.2.2",)),
    ):
        play.lay(wager, "Ann", 1, "main", amount)
        play.press("refuse_stake", rank=1, wager=wager)
        assert refusal(play) == ("refused", named)
        assert play.rulings()[-1] == Ruled("refuse_stake", wager, "rank1", 1, named)
        assert (play.results()[wager].stake_returned, play.results()[wager].clauses) == (amount, named)
    play.lay("tie", "Bob", 2, "tie", 1025)  # ten to one of it can be paid
    play.press("refuse_stake", rank=1, wager="tie")
    assert refusal(play) == ("refused", ("5.1",))


@clause(STAR, "5.2.3", "1.1 [invalid Wager]", "5.3")
def test_a_tie_alone_is_refused_as_such_and_one_beside_its_main_stake_is_not() -> None:
    play = opened(STAR)
    play.lay("alone", "Ann", 1, "tie", 1000)
    play.press("refuse_stake", rank=1, wager="alone")
    assert refusal(play) == ("refused", ("5.2.3", "1.1 [invalid Wager]"))
    play.lay("main", "Bob", 2, "main", 1000)
    play.lay("tie", "Bob", 2, "tie", 1000)
    play.press("refuse_stake", rank=1, wager="tie")
    assert refusal(play) == ("refused", ("5.3",))


# -- who may stake ----------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "11.2.2", "5.11")
@clause(PERTH, "6.6(b)", "3.4")
@pytest.mark.parametrize("others", [("Bob",), ("Bob", "Cyd", "Dot")])
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_nobody_makes_room_for_a_barred_player(house: str, others: tuple[str, ...]) -> None:
    play = opened(house)
    play.press("sit", box=1, player="Ann")
    play.lay("m", "Ann", 1, "main", 1000)
    shared(play, "tie", 1, *others)
    play.press("bar_player", player="Ann")
    play.lay("t", "Ann", 1, "tie", 1000)
    assert refusal(play) == ("barred", {MELBOURNE: ("11.2.2",), PERTH: ("6.6(b)",)}[house])
    assert live(play, "t", *(f"tie1{player}" for player in others)) == [False, *[True] * len(others)]


@clause(MELBOURNE, "5.11", "5.11.1", "5.10")
def test_a_main_stake_that_went_back_gives_no_right_to_the_tie_zone() -> None:
    play = opened(MELBOURNE)
    play.lay("m", "Ann", 1, "main", 1000)
    play.press("refuse_stake", rank=1, wager="m")
    shared(play, "tie", 1, "Bob", "Cyd", "Dot")
    play.lay("t", "Ann", 1, "tie", 1000)
    assert refusal(play) == ("area_full", ("5.10",))
    assert live(play, "tie1Bob", "tie1Cyd", "tie1Dot") == [True, True, True]


@clause(PERTH, "3.4", "3.3")
def test_the_last_other_stake_on_that_very_zone_makes_room_for_the_seated_player() -> None:
    play = opened(PERTH)
    play.press("sit", box=1, player="Ann")
    shared(play, "tie", 1, "Eve", "Fay", "Gus")
    shared(play, "main", 1, "Bob", "Cyd")
    play.lay("a1", "Ann", 1, "main", 1000)
    assert codes(play) == []
    play.lay("a2", "Ann", 1, "main", 2000)
    assert (refusal(play), play.refusals()[-1].what) == (("priority", ("3.4",)), "stake main1Cyd")
    assert live(play, "tie1Eve", "tie1Fay", "tie1Gus", "main1Bob", "main1Cyd", "a1", "a2") == [
        True, True, True, True, False, True, True,
    ]  # fmt: skip
    play.lay("a3", "Ann", 1, "main", 3000)
    assert live(play, "main1Bob", "a1", "a2", "a3") == [False, True, True, True]
    play.lay("a4", "Ann", 1, "main", 4000)  # all three are Ann's own: nobody is left to make room
    assert refusal(play) == ("area_full", ("3.3",))
    assert live(play, "a1", "a2", "a3", "a4") == [True, True, True, False]


@clause(MELBOURNE, "5.10", "5.11", "5.11.1")
def test_where_fewer_may_share_holders_of_the_box_do_not_push_each_other_off_its_tie() -> None:
    play = opened(MELBOURNE)
    shared(play, "main", 1, "Ann", "Bob", "Cyd")
    play.press("share", rank=2, most=2)
    shared(play, "tie", 1, "Ann", "Bob", "Cyd")
    assert refusal(play) == ("area_full", ("5.10",))
    assert live(play, "tie1Ann", "tie1Bob", "tie1Cyd") == [True, True, False]


@clause(MELBOURNE, "5.12")
def test_the_line_is_checked_where_players_share_with_main_stakes_in_front_and_refused_ones_out_of_it() -> None:
    play = opened(MELBOURNE)
    play.lay("t", "Ann", 1, "tie", 1000)
    play.lay("m", "Bob", 1, "main", 1000)
    play.lay("n", "Cyd", 1, "main", 1000)
    shared(play, "main", 2, "Dot", "Eve")
    play.press("refuse_stake", rank=1, wager="main2Eve")
    play.press("no_more_bets")
    text = "See that shared stakes stand in line, front first (box 1: Bob, Cyd, Ann)."
    assert announced(play, "line") == [(text, ("5.12",))]
    alone = opened(MELBOURNE)
    shared(alone, "main", 1, "Ann")
    shared(alone, "main", 2, "Bob")
    alone.press("no_more_bets")
    assert announced(alone, "line") == []


@clause(PERTH, "6.4(a)", "6.2")
def test_a_player_with_several_stakes_is_at_the_table_once_and_gone_with_one_word() -> None:
    play = opened(PERTH)
    play.lay("a", "Ann", 1, "main", 1000)
    play.lay("b", "Ann", 1, "tie", 1000)
    assert play.game.view()["players"] == ["Ann"]
    for wager in "ab":
        play.take(StakeChanged(wager, 0))
    play.press("limits", rank=3, least=2000, most=50_000)
    assert play.table.state.limits.least == 1000  # somebody plays: it waits
    play.press("player_left", rank=3, player="Ann")
    assert play.game.view()["players"] == []
    play.press("limits", rank=3, least=2500, most=50_000)
    assert play.table.state.limits.least == 2500


# -- one player on several boxes --------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.13")
@clause(PERTH, "6.3")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_a_stake_that_went_back_holds_no_second_box(house: str) -> None:
    play = opened(house)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("refuse_stake", rank=1, wager="a")
    play.lay("b", "Ann", 2, "main", 1000)
    assert play.questions() == []
    play.lay("c", "Ann", 3, "main", 1000)
    asked = play.game.asked("several:Ann")
    assert asked is not None
    named = {MELBOURNE: ("5.13",), PERTH: ("6.3",)}[house]
    assert (asked.proposal, asked.evidence, asked.clauses) == ("allow", {"player": "Ann", "boxes": [2, 3]}, named)
    assert {(option.rank, option.clause) for option in asked.options} == {({MELBOURNE: 2, PERTH: 3}[house], *named)}
    play.answer("several:Ann", "refuse", rank=3)
    assert live(play, "b", "c") == [True, False]
    assert refusal(play) == ("several_boxes", named)
    ruled = [one for one in play.rulings() if one.subject == "several_boxes"]
    assert [(one.answer, one.by, one.clauses) for one in ruled] == [("Ann: refuse", "rank3", named)]


@clause(MELBOURNE, "5.13")
@clause(STAR, "5.7", "5.7.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_who_waits_for_a_place_gets_one_of_a_player_who_sits_at_several(house: str) -> None:
    play = opened(house)
    play.press("waiting", rank=1)
    assert codes(play)[-1] == "no_several"
    for box, player in ((1, "Bob"), (5, "Ann"), (2, "Ann"), (6, "Cyd")):
        play.press("sit", box=box, player=player)
    play.press("waiting", rank=1)
    assert play.questions() == ["several:Ann"]
    play.answer("several:Ann", "refuse", rank=3)
    assert play.game.view()["at_box"] == {"1": "Bob", "2": "Ann", "6": "Cyd"}
    play.press("waiting", rank=1)
    assert codes(play)[-1] == "no_several"


@clause(MELBOURNE, "5.13")
def test_players_who_wait_end_the_leave_of_those_they_ask_and_of_nobody_else() -> None:
    play = opened(MELBOURNE)
    for wager, player, box in (("a", "Ann", 1), ("b", "Bob", 2), ("c", "Ann", 3), ("d", "Bob", 4)):
        play.lay(wager, player, box, "main", 1000)
    play.answer("several:Ann", "allow", rank=2)
    play.answer("several:Bob", "allow", rank=2)
    play.take(StakeChanged("d", 0))
    play.press("waiting", rank=1)
    assert play.questions() == ["several:Ann"]
    play.answer("several:Ann", "refuse", rank=2)
    play.lay("e", "Bob", 5, "main", 1000)
    assert play.questions() == []
    play.lay("f", "Ann", 6, "main", 1000)
    assert play.questions() == ["several:Ann"]


@clause(MELBOURNE, "5.13", "5.4")
def test_a_word_on_several_boxes_that_comes_after_the_first_card_takes_no_stake_out_of_the_round() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.lay("b", "Ann", 2, "main", 2000)
    play.answer("several:Ann", "allow", rank=2)
    play.press("waiting", rank=1)
    play.press("no_more_bets")
    play.card("KH")
    play.answer("several:Ann", "refuse", rank=2)
    assert live(play, "a", "b") == [True, True]
    play.cards("QH", "5D")
    assert (play.results()["a"].pays, play.results()["b"].pays) == (1000, 2000)


@clause(MELBOURNE, "5.13")
@clause(PERTH, "6.3")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_a_second_area_that_nobody_allowed_before_the_first_card_is_not_in_play(house: str) -> None:
    felt = felt_with("Ann", house=house)
    felt.press("assign", 1, box=2, zone="main", player="Ann")
    felt.put(2, "main", 2000)
    if house == MELBOURNE:
        felt.answer("late:", "accept", rank=1)
    assert felt.questions() == ["several:Ann"]
    drawn(felt, "KS", "5D")
    assert (felt.questions(), felt.phase) == ([], "interim")
    results = felt.results()
    assert (results["main 1 Ann"].pays, results["main 2 Ann"].result) == (1000, "void")
    assert felt.said("hand_back")[-1].text == "Give $20 back to Ann."
    named = ("5.13",) if house == MELBOURNE else ("6.3",)
    ruled = [one for one in felt.rulings() if one.subject == "several_boxes"]
    assert [(one.answer, one.by, one.clauses) for one in ruled] == [
        ("Ann: not allowed before the first card", "table", named)
    ]


@clause(MELBOURNE, "5.13")
@clause(PERTH, "6.3")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_nobody_is_asked_any_more_about_a_second_area_that_was_given_up(house: str) -> None:
    felt = Felt(house)
    for box in (1, 2):
        felt.press("assign", 1, box=box, zone="main", player="Ann")
        tags = felt.put(box, "main", 1000)
    assert felt.questions() == ["several:Ann"]
    felt.lift(2, "main", *tags)
    assert felt.questions() == []


# -- after the call ---------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.4", "5.10", "11.2.2")
def test_after_the_call_a_stake_that_could_never_lie_there_is_refused_and_nobody_is_asked() -> None:
    play = opened(MELBOURNE)
    shared(play, "main", 1, "Bob", "Cyd", "Dot")
    play.press("bar_player", player="Eve")
    play.press("no_more_bets")
    play.lay("a", "Ann", 1, "main", 1000)
    assert refusal(play) == ("area_full", ("5.10",))
    play.lay("e", "Eve", 2, "main", 1000)
    assert refusal(play) == ("barred", ("11.2.2",))
    assert (play.questions(), live(play, "a", "e")) == ([], [False, False])
    assert [stake.id for stake in play.game.state.round.stakes].count("a") == 1
    assert (play.results()["a"].stake_returned, play.results()["e"].stake_returned) == (1000, 1000)


@clause(MELBOURNE, "5.4", "5.2", "5.3")
def test_chips_after_the_call_are_put_to_the_dealer_whatever_somebody_else_called_out() -> None:
    play = opened(MELBOURNE)
    play.lay("b", "Bob", 2, "main", 1000)
    play.press("spoken", player="Cyd", box=3, amount=5000, money=True)
    play.press("no_more_bets")
    play.lay("a", "Ann", 1, "main", 1500)
    asked = play.game.asked("late:a")
    assert asked is not None
    assert asked.evidence == {"wager": "a", "player": "Ann", "box": 1, "amount": 1500}
    assert (asked.proposal, asked.clauses) == ("return", ("5.4", "5.2"))
    assert [(one.answer, one.rank, one.clause) for one in asked.options] == [
        ("accept", 1, "5.4"), ("return", 1, "5.4"),
    ]  # fmt: skip
    play.answer("late:a", "accept", rank=1)
    assert (live(play, "a"), play.game.state.round.stake("a").clauses) == ([True], [])


@clause(MELBOURNE, "5.4", "5.2")
def test_chips_lifted_again_after_the_call_leave_nothing_to_decide() -> None:
    play = opened(MELBOURNE)
    play.lay("b", "Bob", 2, "main", 1000)
    play.press("no_more_bets")
    play.lay("a", "Ann", 1, "main", 1500)
    play.take(StakeChanged("a", 0))
    assert play.questions() == []
    assert [stake.id for stake in play.game.state.round.stakes] == ["b"]


@clause(PERTH, "3.2", "4.2")
def test_a_perth_table_that_closes_by_call_gives_later_chips_back_unasked() -> None:
    play = opened(PERTH, readings={"wagers.close": "call"})
    play.lay("b", "Bob", 2, "main", 1000)
    play.press("no_more_bets")
    play.lay("a", "Ann", 1, "main", 1500)
    assert (play.questions(), refusal(play)) == ([], ("late", ("3.2",)))
    assert play.results()["a"].stake_returned == 1500


@clause(MELBOURNE, "5.3", "4.3.2(b)")
def test_a_deal_without_the_call_ends_the_time_for_money_that_was_spoken_of() -> None:
    play = opened(MELBOURNE)
    play.lay("b", "Bob", 2, "main", 1000)
    play.press("spoken", player="Ann", box=1, amount=5000, money=True)
    play.card("KC")
    assert len(announced(play, "no_call")) == 1
    spoken = [(one.answer, one.by, one.clauses) for one in play.rulings() if one.subject == "spoken_bet"]
    why = "Ann's $50 on the main of box 1 refused: no chips lay there before the call"
    assert spoken == [(why, "table", ("5.3",))]


# -- chips that change before the deal --------------------------------------------------------------------------------


@clause(MELBOURNE, "5.4", "5.12")
@clause(PERTH, "6.1")
@clause(STAR, "5.5")
@HOUSES
def test_before_the_deal_a_stake_however_small_stays_where_it_stands_and_nobody_is_alarmed(house: str) -> None:
    play = opened(house)
    play.lay("a", "Ann", 1, "main", 1000)
    if house != STAR:
        play.lay("b", "Bob", 1, "main", 1000)
    play.take(StakeChanged("a", 1))
    assert (
        play.game.state.round.stake("a").amount,
        play.game.state.round.stake("a").counted,
        play.game.state.round.stake("a").line,
    ) == (1, 1, 0)
    assert play.game.state.round.stakes[0].id == "a"
    assert play.table.state.desk.alarms == {}
    told = len(play.effects)
    assert play.take(StakeChanged("unheard of", 1000)) == []
    assert len(play.effects) == told


@clause(MELBOURNE, "5.4", "11.2.2")
def test_refused_chips_may_be_laid_anew_before_the_deal_and_are_nobodys_business_after_it() -> None:
    play = opened(MELBOURNE)
    play.lay("b", "Bob", 1, "main", 1000)
    play.lay("a", "Ann", 99, "main", 1000)
    play.lay("c", "Cyd", 2, "main", 1000)
    play.press("refuse_stake", rank=1, wager="c")
    play.take(StakeChanged("c", 1))
    assert (live(play, "c"), play.game.state.round.stake("c").amount) == ([True], 1)
    play.press("no_more_bets")
    play.card("KH")
    before = codes(play)
    assert play.take(StakeChanged("a", 500)) == []
    assert (codes(play), play.table.state.desk.alarms) == (before, {})


@clause(MELBOURNE, "5.4", "5.2")
def test_chips_laid_ready_are_told_apart_from_last_rounds_stake_of_the_same_name() -> None:
    play = opened(MELBOURNE)
    play.lay("a", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "5D")
    play.press("settled")
    play.lay("a", "Ann", 1, "main", 2000)
    play.lay("b", "Bob", 2, "main", 2000)
    play.take(StakeChanged("a", 1500))
    play.take(StakeChanged("b", 1))
    assert play.results()["a"].pays == 1000
    play.press("place_bets")
    assert [(stake.id, stake.amount) for stake in play.game.state.round.stakes] == [("a", 1500), ("b", 1)]


@clause(MELBOURNE, "6.5", "6.2.2")
def test_where_limits_count_per_area_a_stake_that_went_back_takes_no_room() -> None:
    play = opened(MELBOURNE, readings={"limits.count_per": "area"})
    play.lay("a", "Ann", 1, "main", 40_000)
    play.lay("b", "Bob", 1, "main", 50_000)
    play.press("refuse_stake", rank=1, wager="a")
    play.press("no_more_bets")
    play.card("KH")
    assert (play.game.state.round.stake("b").counted, play.game.state.round.stake("b").clauses) == (50_000, [])
