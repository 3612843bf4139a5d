"""The shuffle at Casino War: when it is due, what it forgets, and how a round goes on after one in its middle."""

from __future__ import annotations

import pytest

from controller.games.war.events import SourceEmpty
from tests.controller.games.war.cards import (
    BURN,
    HOUSES,
    MELBOURNE,
    PERTH,
    STAR,
    alarmed,
    announced,
    answers,
    at_war,
    betting,
    closed_shoe,
    left,
    lying,
    noted,
    paid,
    question,
    refused,
    ruled,
    stake,
    staked,
    uncut,
)
from tests.controller.games.war.play import Play

clause = pytest.mark.clause
BEFORE_PLAY = {MELBOURNE: ("4.1.1(a)",), PERTH: ("4.1",), STAR: ("4.1.1",)}
BURNING = {MELBOURNE: ("4.3.1",), PERTH: ("4.6(a)", "4.6(b)", "4.6(c)", "4.7"), STAR: ("4.9",)}
OPENING = {MELBOURNE: ("4.3.2(a)",), PERTH: ("3.2",), STAR: ("5.4",)}
EMPTY = {MELBOURNE: ("9.10",), PERTH: ("5.5",), STAR: ("11.7",)}
ORDERED = {MELBOURNE: "4.1.1(d)", PERTH: "6.11", STAR: "4.1.4"}
BAD_CUT = {MELBOURNE: ("4.2.3", "4.1.1(d)"), PERTH: ("4.5", "6.11"), STAR: ("11.9",)}
SEQUENCE = {MELBOURNE: ("4.1.1(c)",), PERTH: ("6.11",), STAR: ("4.1.4",)}


def round_over(play: Play, *cards: str) -> None:
    """Ann plays a round by herself, and the next one is called for."""
    stake(play, "Ann")
    play.cards(*(cards or ("QH", "7C")))
    play.press("settled")
    play.press("place_bets")


def shuffled_and_cut(play: Play) -> None:
    play.press("shuffled")
    play.answer("cut", "cut")


# -- before play ------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.1.1(a)", "4.3.1", "4.3.2(a)")
@clause(PERTH, "4.1", "4.6(a)", "3.2")
@clause(STAR, "4.1.1", "4.9", "5.4")
@pytest.mark.parametrize("house", HOUSES)
def test_cards_are_shuffled_cut_and_burned_and_only_then_are_bets_called_for(house: str) -> None:
    play = closed_shoe(house)
    play.press("check_cards", how="by hand")
    assert ruled(play.press("shuffled", 1)) == [("shuffle", "shuffled", "rank1", BEFORE_PLAY[house])]
    assert (play.phase, left(play), question(play, "cut").evidence) == ("uncut", 312, {"player": ""})
    play.answer("cut", "cut")
    assert announced(play, "burn") == [("dealer", "Burn as the rulebook says.", BURNING[house])]
    assert (play.phase, announced(play, "place_bets")) == ("burning", [])
    play.cards(*BURN[house])
    assert (play.phase, announced(play, "place_bets")) == ("betting", [("all", "Place your bets.", OPENING[house])])


@clause(MELBOURNE, "4.1.1(a)", "4.3.1", "4.3.2(a)")
def test_where_the_house_burns_nothing_bets_are_called_for_after_the_cut() -> None:
    play = closed_shoe(MELBOURNE, start_burn=False)
    play.new_shoe()
    assert (play.phase, announced(play, "burn")) == ("betting", [])
    assert announced(play, "place_bets") == [("all", "Place your bets.", ("4.3.2(a)",))]


@clause(MELBOURNE, "4.1.2", "4.1.1(a)")
@clause(STAR, "3.4")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_cards_that_came_shuffled_are_only_cut(house: str) -> None:
    play = closed_shoe(house)
    told = play.press("check_cards", how="by hand", pre_shuffled=True, batch="B-7")
    assert ruled(told)[-1] == ("shuffle", "pre_shuffled", "rank4", BEFORE_PLAY[house])
    assert [facts for facts, _ in noted(play, "batch")] == [{"batch": "B-7"}]
    assert play.phase == "uncut"
    loose = closed_shoe(house)
    loose.press("check_cards", how="by hand", pre_shuffled=True)
    assert (noted(loose, "batch"), loose.phase) == ([], "uncut")


# -- what a shuffle forgets -------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.1.1(a)", "4.1.1(d)", "3.1")
def test_after_a_shuffle_every_card_is_in_the_shoe_again_and_no_shuffle_is_due() -> None:
    play = betting(MELBOURNE)
    round_over(play)
    assert left(play) == 309
    play.press("order_shuffle", rank=3)
    play.press("shuffled")
    assert question(play, "cut").evidence == {"player": "Ann"}
    play.answer("cut", "cut")
    assert left(play) == 312
    play.card("3C")
    round_over(play)
    assert play.phase == "betting"


@clause(MELBOURNE, "4.1.1(a)", "4.1.1(c)")
def test_a_run_that_a_shuffle_broke_is_no_run() -> None:
    play = betting(MELBOURNE)
    round_over(play, "4S", "5S")
    round_over(play, "6S", "7S")
    play.press("order_shuffle", rank=3)
    shuffled_and_cut(play)
    play.card("8S")
    stake(play, "Ann")
    play.card("9S")
    assert play.questions() == []


@clause(STAR, "4.1.1", "11.4")
def test_a_card_kept_for_the_next_round_goes_into_the_shuffle_with_the_others() -> None:
    play = betting(STAR)
    stake(play, "Ann")
    play.cards("TC", "6H", "KD")
    play.answer("surplus:", "unseen")
    play.press("settled")
    play.press("order_shuffle", rank=2)
    play.press("place_bets")
    shuffled_and_cut(play)
    play.card("3C")
    stake(play, "Ann")
    assert (play.phase, play.game.view()["next"]) == ("closed", "box1")
    play.card("4C")
    assert lying(play) == [("", "shoe-burn"), ("4C", "box1")]


@clause(PERTH, "4.6(b)", "4.1")
def test_burns_that_were_skipped_once_are_due_again_after_the_next_shuffle() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("4H")
    play.press("skip_burn", rank=2)
    play.press("order_shuffle", rank=3)
    shuffled_and_cut(play)
    play.card("2H")
    assert (play.phase, play.game.view()["next"]) == ("burning", "shoe-burn")


@clause(PERTH, "4.6(a)", "4.1")
def test_from_a_shuffler_a_card_is_turned_once_before_the_first_round_of_the_table() -> None:
    play = betting(PERTH, source="csm")
    assert len(announced(play, "burn")) == 2
    play.press("order_shuffle", rank=3)
    play.press("shuffled")
    assert (play.phase, left(play)) == ("betting", 312)
    assert len(announced(play, "burn")) == 2


@clause(MELBOURNE, "6.2.1", "4.1.1(a)")
@pytest.mark.parametrize(("lasts", "returned"), [("session", 500), ("shoe", 0)])
def test_a_warning_of_the_minimum_lasts_as_long_as_the_house_reads_it(lasts: str, returned: int) -> None:
    play = betting(MELBOURNE, readings={"limits.warning_lasts": lasts})
    play.press("sit", box=1, player="Ann")
    play.press("warned", player="Ann")
    play.press("order_shuffle", rank=3)
    shuffled_and_cut(play)
    play.card("3C")
    play.lay("m", "Ann", 1, "main", 500)
    play.press("no_more_bets")
    play.cards("2H", "7C")
    play.press("settled")
    assert play.results()["m"].stake_returned == returned


@clause(MELBOURNE, "4.1.1(a)")
def test_a_shoe_that_is_empty_while_its_cards_are_shuffled_misses_none() -> None:
    play = betting(MELBOURNE)
    round_over(play)
    play.press("order_shuffle", rank=3)
    play.press("shuffled")
    play.take(SourceEmpty())
    assert play.questions() == ["cut"]
    play.answer("cut", "cut")
    play.card("3C")
    play.take(SourceEmpty())
    assert play.questions() == ["wrong_deck"]


# -- ordered ----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.1.1(d)")
@clause(STAR, "4.1.4")
@pytest.mark.parametrize("house", HOUSES)
def test_a_shuffle_is_ordered_for_a_reason_and_comes_before_the_next_round(house: str) -> None:
    play = betting(house)
    rank = 2 if house == STAR else 3
    stake(play, "Ann", "Bob")
    play.card("QH")
    assert ruled(play.press("order_shuffle", rank - 1)) == []
    assert refused(play) == ("rank_too_low", (ORDERED[house],))
    told = play.press("order_shuffle", rank, reason="a card fell to the floor")
    assert ruled(told) == [("order_shuffle", "a card fell to the floor", f"rank{rank}", (ORDERED[house],))]
    assert (play.phase, play.game.view()["shuffle_due"], play.game.view()["cutter"]) == ("dealing", True, "Bob")
    play.cards("9H", "7C")
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"
    shuffled_and_cut(play)
    play.cards(*BURN[house])
    told = play.press("order_shuffle", rank)
    assert ruled(told) == [("order_shuffle", "ordered", f"rank{rank}", (ORDERED[house],))]
    assert play.phase == "unshuffled"


@clause(MELBOURNE, "4.2.1(b)", "4.1.1(d)")
def test_a_shuffle_ordered_after_the_cutting_card_leaves_the_cut_with_the_player_it_came_to() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("CUT", "QH")
    play.press("order_shuffle", rank=3)
    assert play.game.view()["cutter"] == "Ann"


@clause(MELBOURNE, "4.2.3", "4.1.1(d)")
@clause(PERTH, "4.5")
@clause(STAR, "11.9")
@pytest.mark.parametrize("house", HOUSES)
def test_a_bad_cut_is_made_good_after_the_round_and_what_was_played_stands(house: str) -> None:
    play = staked(house, "Ann")
    play.card("QH")
    told = play.press("bad_cut", rank=1)
    assert ruled(told) == [("bad_cut", "shuffle and cut after this round", "rank1", BAD_CUT[house])]
    play.card("7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000)}
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"
    assert announced(play, "shuffle")[-1] == ("dealer", "Shuffle before the next round.", BAD_CUT[house])


@clause(MELBOURNE, "4.1.1(c)")
@clause(PERTH, "6.11")
@clause(STAR, "4.1.4")
@pytest.mark.parametrize("house", HOUSES)
def test_six_cards_as_the_factory_packs_them_are_put_to_somebody_of_rank_once(house: str) -> None:
    play = betting(house)
    rank = 2 if house == STAR else 3
    for pair in (("4S", "5S"), ("6S", "7S")):
        round_over(play, *pair)
    stake(play, "Ann")
    assert alarmed(play.card("8S")) == []
    told = play.card("9S")
    assert alarmed(told) == [("sequence", SEQUENCE[house])]
    asked = question(play, "sequence")
    assert asked.evidence == {"cards": ["4S", "5S", "6S", "7S", "8S", "9S"]}
    assert (asked.proposal, asked.clauses) == ("shuffle", SEQUENCE[house])
    assert answers(asked) == [("shuffle", rank, ORDERED[house]), ("play_on", rank, ORDERED[house])]
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "betting"
    for pair in (("4D", "5D"), ("6D", "7D"), ("8D", "9D")):
        round_over(play, *pair)
    assert play.questions() == ["sequence"]
    play.answer("sequence", "play_on", rank)
    assert refused(play) == ("reason_needed", (ORDERED[house],))
    play.answer("sequence", "play_on", rank, reason="shuffled in front of the camera")
    assert (play.questions(), play.table.state.desk.alarms, play.phase) == ([], {}, "betting")


# -- out of cards -----------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.10", "4.1.1(a)", "4.2.1(d)")
@clause(PERTH, "5.5", "4.1", "4.6(a)", "4.3(c)(i)")
@clause(STAR, "11.7", "4.1.1", "4.9", "4.3.5")
@pytest.mark.parametrize("house", HOUSES)
def test_a_shoe_without_cards_has_the_discards_shuffled_and_the_same_round_goes_on(house: str) -> None:
    play = betting(house)
    round_over(play, "2H", "3H")
    stake(play, "Ann", "Bob")
    play.card("QH")
    told = play.press("shoe_empty", 1)
    assert ruled(told) == [("shoe_empty", "discards shuffled, the round goes on", "rank1", EMPTY[house])]
    assert (play.phase, play.game.view()["cutter"]) == ("reshuffling", "Bob")
    play.press("shuffled")
    assert (play.phase, left(play)) == ("recutting", 311)
    assert question(play, "cut").evidence == {"player": "Bob"}
    play.answer("cut", "cut")
    assert (play.phase, play.game.view()["cutter"]) == ("dealing", "")
    burn = BURN[house] if house != MELBOURNE else ()
    again = ("dealer", "Burn as after any shuffle; a supervisor may skip it.", BURNING[house])
    assert (again in announced(play, "burn")) == bool(burn)
    play.cards(*burn, "3D", "7C")
    assert paid(play) == {**paid(play), "mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "betting"
    play.take(SourceEmpty())
    assert play.questions() == ["wrong_deck"]


@clause(MELBOURNE, "9.10", "4.2.1(b)")
def test_where_the_cutting_card_came_in_the_round_its_player_cuts_the_discards() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("CUT", "QH")
    play.press("shoe_empty")
    play.press("shuffled")
    asked = question(play, "cut")
    assert (asked.evidence, asked.clauses) == ({"player": "Ann"}, ("4.2.1(b)", "4.2.3", "4.2.4(a)"))


@clause(STAR, "11.7", "4.1.1", "4.7", "4.9")
def test_a_shuffler_without_cards_is_loaded_again_without_a_cut() -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("QH")
    play.press("shoe_empty")
    play.press("shuffled")
    assert (play.phase, play.questions(), play.game.view()["next"]) == ("dealing", [], "shoe-burn")
    play.cards("3C", "7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000)}


@clause(PERTH, "5.5", "4.1", "4.6(a)")
def test_a_card_turned_in_the_middle_of_a_round_belongs_to_the_part_that_is_dealt() -> None:
    first = staked(PERTH, "Ann")
    first.press("shoe_empty")
    assert first.phase == "unshuffled"
    shuffled_and_cut(first)
    first.cards("AC", "2C", "QH")
    first.press("shoe_empty")
    shuffled_and_cut(first)
    first.card("??")
    assert question(first, "unknown:5").evidence["stage"] == "first"
    war = at_war(PERTH, "Ann")
    war.cards("2D", "3D", "4D")
    war.press("shoe_empty")
    shuffled_and_cut(war)
    war.card("2H")
    told = war.press("misread", card=7, face="3H")
    assert ruled(told)[0][1] == "card 8 is 3H, read as 2H"


@clause(MELBOURNE, "9.10")
@clause(PERTH, "5.5")
@clause(STAR, "11.7")
@pytest.mark.parametrize("house", HOUSES)
def test_when_no_card_is_waited_for_the_shuffle_comes_before_the_next_round(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.cards("QH", "3D", "7C")
    assert play.phase == "interim"
    told = play.press("shoe_empty", 1)
    assert ruled(told) == [("shoe_empty", "shuffle after this round", "rank1", EMPTY[house])]
    assert (play.phase, play.game.view()["cutter"]) == ("interim", "Bob")
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"
    assert announced(play, "shuffle") == [("dealer", "Shuffle before the next round.", EMPTY[house])]
    shuffled_and_cut(play)
    play.cards(*BURN[house])
    stake(play, "Ann")
    play.cards("QH", "7C")
    play.press("settled")
    told = play.press("shoe_empty", 1)
    assert ruled(told) == [("shoe_empty", "shuffle after this round", "rank1", EMPTY[house])]
    assert play.phase == "over"
    play.press("place_bets")
    assert play.phase == "unshuffled"


@clause(MELBOURNE, "9.10", "4.2.1(b)")
def test_a_shoe_that_ran_out_after_the_cutting_card_leaves_the_cut_with_the_player_it_came_to() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("CUT", "QH", "3D", "7C")
    play.press("shoe_empty")
    assert play.game.view()["cutter"] == "Ann"


@clause(MELBOURNE, "9.10")
@clause(PERTH, "5.5")
@clause(STAR, "11.7")
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("called", [False, True])
def test_before_the_round_an_empty_shoe_is_shuffled_now_and_stakes_stay(house: str, called: bool) -> None:
    play = betting(house)
    play.lay("m", "Ann", 1, "main", 1000)
    if called:
        play.press("no_more_bets")
    told = play.press("shoe_empty", 1)
    assert ruled(told) == [("shoe_empty", "shuffle now", "rank1", EMPTY[house])]
    assert play.phase == "unshuffled"
    shuffled_and_cut(play)
    play.cards(*BURN[house], "QH", "7C")
    assert paid(play) == {"m": ("win", 1000, 0, 1000)}


@clause(MELBOURNE, "9.10")
@clause(PERTH, "5.5")
@clause(STAR, "11.7")
@pytest.mark.parametrize("house", HOUSES)
def test_where_no_cards_are_dealt_none_are_missed(house: str) -> None:
    play = uncut(house)
    play.press("shoe_empty")
    assert refused(play) == ("not_now", EMPTY[house])


@clause(MELBOURNE, "9.10", "4.1.1(a)")
def test_after_the_discards_are_in_the_shoe_it_is_empty_no_longer() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.card("??")
    play.take(SourceEmpty())
    assert play.phase == "reshuffling"
    shuffled_and_cut(play)
    play.answer("unknown:", "enter", face="QH")
    assert play.phase == "dealing"
    play.cards("3D", "7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(STAR, "11.7", "4.1.1", "11.5")
def test_a_round_whose_only_stake_is_gone_when_the_discards_are_shuffled_needs_no_further_card() -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("QH")
    play.press("shoe_empty")
    play.press("invalid_stake", wager="mAnn")
    assert (play.phase, paid(play)) == ("over", {"mAnn": ("void", 0, 0, 1000)})
    play.press("place_bets")
    assert play.phase == "unshuffled"


# -- a burn broken off ------------------------------------------------------------------------------------------------


@clause(STAR, "4.1.2", "4.1.1", "4.9")
def test_a_cutting_card_before_the_burn_leaves_one_card_to_burn_from_the_next_shoe_and_not_two() -> None:
    play = closed_shoe(STAR)
    play.new_shoe("CUT")
    shuffled_and_cut(play)
    play.card("2C")
    assert (play.phase, lying(play)) == ("betting", [("CUT", "cut"), ("", "shoe-burn")])


@clause(PERTH, "4.15", "4.1", "4.6(a)", "4.6(b)")
def test_a_cutting_card_among_the_burns_has_a_card_turned_anew() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("3H", "5C", "CUT")
    shuffled_and_cut(play)
    assert play.game.view()["next"] == "shoe-start-up"
    play.cards("AD", "6C")
    assert play.phase == "betting"
    assert lying(play) == [
        ("3H", "shoe-start-up"),
        ("", "shoe-burn"),
        ("CUT", "cut"),
        ("AD", "shoe-start-up"),
        ("", "shoe-burn"),
    ]
    unread = closed_shoe(PERTH)
    unread.new_shoe("??", "5C", "CUT")
    unread.press("shuffled")
    assert unread.questions() == ["cut"]
    unread.answer("cut", "cut")
    assert lying(unread)[1] == ("5C", "discard")
    unread.cards("AD", "6C")
    assert (unread.phase, unread.questions()) == ("betting", [])
