"""Hands of Casino War that were laid wrongly: rebuilt in the order drawn, with those who stay, or void."""

from __future__ import annotations

import pytest

from controller.core.effects import Reversed
from controller.games.war.events import SourceStopped
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, announced, clause, codes, tied
from tests.controller.games.war.rulings import (
    BACK,
    HALVED,
    LOST,
    WON,
    lying,
    money,
    question,
    record,
    ruled,
    staked,
    told,
    withdrawn,
)

# -- rebuilt ----------------------------------------------------------------------------------------------------------


def laid_wrongly(reading: str = "skipped") -> Play:
    """Ann and Bob beat the dealer's nine and Cyd does not; Dot's chips on Ann's box came after the call."""
    play = staked(MELBOURNE, "Ann", "Bob", "Cyd", readings={"war.withdrawn_box": reading})
    play.lay("x", "Dot", 1, "main", 1000)
    play.lay("no", "Ann", 99, "main", 1000)  # no such box: handed back at once
    play.cards("KH", "QH", "3H", "9S")
    assert money(play) == {"no": BACK, "mAnn": WON, "mBob": WON, "mCyd": LOST, "x": BACK}
    return play


@clause(MELBOURNE, "9.4", "9.4.1")
def test_who_takes_the_stake_back_before_a_rebuild_leaves_the_deal_and_the_cards_move_up() -> None:
    play = laid_wrongly()
    play.press("misplaced", rank=1)
    play.answer("misplaced", "rule", rank=2, withdraw="Ann")
    assert ruled(play, "rebuild") == [("rebuilt in the order drawn", "rank2", ("9.4", "9.4.1", "9.4.2"))]
    assert (play.phase, lying(play)) == ("interim", ["box2", "box3", "dealer", "next-round"])
    assert money(play) == {"no": BACK, "mAnn": BACK, "mBob": WON, "mCyd": WON, "x": BACK}
    assert play.results()["mAnn"].clauses[0] == "9.4"
    assert told(play, Reversed) == [["mAnn", "mBob", "mCyd", "x"]]
    assert {effect.clauses for effect in play.effects if isinstance(effect, Reversed)} == {("9.4", "9.4.1", "9.4.2")}


@clause(MELBOURNE, "9.4")
def test_a_house_may_let_a_withdrawn_box_keep_its_card() -> None:
    play = laid_wrongly("keeps_place")
    play.press("misplaced", rank=2, withdraw=["Ann"])
    assert (play.phase, lying(play)) == ("interim", ["void", "box2", "box3", "dealer"])
    assert money(play) == {"no": BACK, "mAnn": BACK, "mBob": WON, "mCyd": LOST, "x": BACK}
    early = staked(MELBOURNE, "Ann", "Bob", readings={"war.withdrawn_box": "keeps_place"})
    early.card("KH")
    early.press("misplaced", rank=2, withdraw="Bob")
    early.card("9S")
    assert (early.phase, lying(early)) == ("interim", ["box1", "dealer"])


@clause(MELBOURNE, "9.4", "9.4.1")
def test_a_rebuild_that_nobody_stays_for_is_void_with_all_its_cards() -> None:
    play = laid_wrongly()
    play.press("misplaced", rank=2, withdraw="Ann; Bob, Cyd")
    assert (play.phase, lying(play)) == ("over", ["void"] * 4)
    assert money(play) == dict.fromkeys(("no", "mAnn", "mBob", "mCyd", "x"), BACK)
    assert (record(play)["valid"], record(play)["to"]) == (False, ["shoe-burn", *["void"] * 4])


@clause(PERTH, "5.4")
@clause(STAR, "11.6", "11.12")
@pytest.mark.parametrize("house", [PERTH, STAR])
def test_where_the_document_offers_no_withdrawal_everybody_stays(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.cards("KH", "3H", "9S")
    play.press("misplaced", rank=1, withdraw="Ann")
    assert (play.phase, lying(play)) == ("interim", ["box1", "box2", "dealer"])
    assert (money(play), told(play, Reversed)) == ({"mAnn": WON, "mBob": LOST}, [])


@clause(MELBOURNE, "9.4", "9.4.2")
@pytest.mark.parametrize("chosen", [False, True])
def test_where_nobody_was_to_be_paid_a_rebuild_before_the_war_undoes_the_choices(chosen: bool) -> None:
    play = tied(MELBOURNE)
    play.lay("w", "Ann", 1, "war", 1000)
    if chosen:
        play.answer("choice:2:Bob", "surrender")
        assert (play.phase, money(play)["mBob"]) == ("war_dealing", HALVED)
    play.press("misplaced", rank=2, withdraw="Cyd")
    assert play.phase == "interim"
    assert lying(play) == ["box1", "box2", "dealer", "next-round"]
    assert money(play) == {"mAnn": WON, "mBob": WON, "mCyd": BACK}
    assert [stake.id for stake in play.game.state.round.stakes] == ["mAnn", "mBob", "mCyd"]
    hand_back = ("Hand Ann the war stake until the choice is taken.", ("9.4", "9.4.1", "9.4.2"))
    assert announced(play, "hand_back") == [hand_back]
    assert [subject for subject in play.questions() if subject.startswith("choice")] == []
    assert (play.game.state.round.choices, "choice:2:Bob" in withdrawn(play)) == ([], not chosen)
    play.press("settled")
    play.answer("surplus", "seen")
    assert (play.phase, record(play)["choices"]) == ("over", [])


@clause(MELBOURNE, "9.4", "9.4.2")
def test_who_leaves_before_the_war_takes_the_war_stake_along() -> None:
    play = tied(MELBOURNE)
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("misplaced", rank=2, withdraw="Ann")
    assert (money(play)["mAnn"], money(play)["w"]) == (BACK, BACK)
    assert announced(play, "hand_back") == []


@clause(MELBOURNE, "9.4", "9.4.1", "9.4.2")
def test_once_winners_are_paid_or_a_war_card_is_drawn_an_area_manager_voids_what_is_open() -> None:
    paid = staked(MELBOURNE, "Ann", "Bob")
    paid.cards("KH", "9D", "9S")
    paid.press("settled")
    war = tied(MELBOURNE)
    war.answer("choice:2:Bob", "surrender")
    war.lay("w", "Ann", 1, "war", 1000)
    war.card("7H")
    for play in (paid, war):
        play.press("misplaced", rank=2, withdraw="Ann")
        options = [("rule", 3, "11.10"), ("stand", 3, "11.10")]
        assert question(play, "misplaced") == ("misplaced", "rule", options, ("11.10",))
        play.answer("misplaced", "rule", rank=3)
        assert play.phase == "over"
    assert money(paid) == {"mAnn": WON, "mBob": BACK}
    assert (money(war)["mAnn"], money(war)["w"], money(war)["mBob"]) == (BACK, BACK, HALVED)


@clause(MELBOURNE, "9.4", "9.5", "9.7")
def test_a_rebuilt_deal_stands_still_while_another_question_is_open() -> None:
    play = laid_wrongly()
    play.press("void_player", rank=1, player="Cyd")
    play.press("misplaced", rank=2, withdraw="Ann")
    assert (play.phase, play.questions()) == ("ruling", ["void_player:Cyd"])
    play.answer("void_player", "stand")
    assert (play.phase, money(play)["mCyd"]) == ("interim", WON)


# -- void -------------------------------------------------------------------------------------------------------------


@clause(PERTH, "5.4")
def test_at_perth_a_hand_that_cannot_be_rebuilt_is_void_alone_with_its_card_or_before_it() -> None:
    play = staked(PERTH, "Ann", "Bob", "Cyd")
    play.card("KH")
    for box in (1, 2):
        play.press("void_hand", rank=1, box=box)
    options = [("rule", 3, "5.4"), ("stand", 3, "6.11")]
    assert question(play, "void_hand:1") == ("void_hand:1", "rule", options, ("5.4",))
    assert (play.phase, play.questions()) == ("ruling", ["void_hand:1", "void_hand:2"])
    play.press("void_hand", rank=3, box=1)
    assert (play.phase, play.questions()) == ("ruling", ["void_hand:2"])
    assert (money(play), lying(play)) == ({"mAnn": BACK}, ["void"])
    play.answer("void_hand:2", "rule", rank=3)
    assert ruled(play, "void_hand") == [("box 1", "rank3", ("5.4",)), ("box 2", "rank3", ("5.4",))]
    assert play.phase == "dealing"
    play.cards("QH", "9S")
    assert lying(play) == ["void", "box3", "dealer"]
    assert money(play) == {"mAnn": BACK, "mBob": BACK, "mCyd": WON}


@clause(PERTH, "5.4")
def test_at_perth_a_void_hand_has_nothing_to_choose_and_settled_side_bets_stay() -> None:
    play = staked(PERTH)
    for box, player in ((1, "Ann"), (2, "Bob")):
        play.lay(f"m{player}", player, box, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1000)
    play.cards("KH", "KD", "KS")
    play.press("settled")
    play.press("void_hand", rank=3, box=1)
    assert (play.phase, play.questions(), withdrawn(play)) == ("choosing", ["choice:2:Bob"], ["choice:1:Ann"])
    assert money(play) == {"t": ("win", 10_000, 0, 1000), "mAnn": BACK}
    assert [choice.player for choice in play.game.state.round.choices] == ["Bob"]
    play.lay("w", "Bob", 2, "war", 1000)
    assert play.phase == "war_burning"
    play.cards("3C", "4C", "5C", "8H")
    play.press("void_hand", rank=3, box=2)
    assert lying(play)[-1] == "void"
    assert (play.phase, money(play)["mBob"], money(play)["w"]) == ("over", BACK, BACK)
    assert (record(play)["valid"], record(play)["choices"]) == (False, [])


@clause(PERTH, "5.4")
def test_at_perth_nobody_is_asked_any_more_for_the_card_of_a_void_hand() -> None:
    play = staked(PERTH, "Ann", "Bob")
    play.cards("??", "KH", "9S")
    assert play.phase == "ruling"
    play.press("void_hand", rank=3, box=1)
    assert (play.phase, play.questions(), money(play)) == ("interim", [], {"mAnn": BACK, "mBob": WON})


@clause(PERTH, "5.4")
def test_at_perth_the_others_go_to_war_once_a_hand_that_had_not_chosen_is_void() -> None:
    play = tied(PERTH)
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("void_hand", rank=3, box=2)
    assert (play.phase, play.questions()) == ("war_burning", [])


@clause(MELBOURNE, "11.10")
@clause(STAR, "11.6", "11.6.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_where_hands_do_not_stand_alone_a_void_one_voids_the_round(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.cards("??", "??")
    play.press("void_hand", rank=1, box=1)
    assert play.questions() == ["unknown:1", "unknown:2", "void_hand:1"]
    play.press("void_hand", rank=3, box=1)
    assert (play.phase, play.questions(), lying(play)) == ("over", [], ["void", "void"])
    assert money(play) == {"mAnn": BACK, "mBob": BACK}


@clause(PERTH, "5.6", "5.4")
def test_at_perth_a_card_of_a_hand_that_the_shuffler_spoiled_stays_where_it_lies() -> None:
    play = staked(PERTH, "Ann", "Bob", source="csm")
    play.card("KH")
    play.take(SourceStopped("jam"))
    play.answer("device", "void", rank=3, boxes=[1])
    assert (play.phase, lying(play), money(play)) == ("dealing", ["box1"], {"mAnn": BACK})
    play.cards("QH", "9S")
    assert (lying(play), money(play)["mBob"]) == (["box1", "box2", "dealer"], WON)


# -- missing and stray cards ------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.6")
def test_a_forgotten_dealers_card_is_the_very_next_one() -> None:
    play = staked(MELBOURNE, "Ann")
    play.card("KH")
    play.press("dealer_card_missing", rank=1)
    assert ruled(play, "dealer_card_missing") == [("the next card is the dealer's", "rank1", ("9.6",))]
    assert announced(play, "next_card") == [("The next card is the dealer's.", ("9.6",))]
    play.card("9S")
    assert (lying(play), money(play)) == (["box1", "dealer"], {"mAnn": WON})


def both_at_war(house: str) -> Play:
    """Ann and Bob go to war, Cyd's stake is lost; the next card is Ann's, after Perth's burns."""
    play = tied(house)
    for box, player in ((1, "Ann"), (2, "Bob")):
        play.lay(f"w{player}", player, box, "war", 1000)
    play.cards(*(("3C", "4C", "5C") if house == PERTH else ()))
    assert play.phase == "war_dealing"
    return play


@clause(MELBOURNE, "9.7")
@pytest.mark.parametrize("late", [False, True])
def test_a_war_area_that_was_passed_over_is_void_and_the_cards_are_those_of_the_others(late: bool) -> None:
    play = both_at_war(MELBOURNE)
    play.cards("9H", *(("8D", "5S") if late else ()))
    play.press("passed_over", rank=1, box=3)
    assert (codes(play), play.refusals()[-1].clauses) == (["no_war_there"], ("9.7",))
    play.press("passed_over", rank=1, box=1)
    assert ruled(play, "war_area_passed_over") == [("box 1", "rank1", ("9.7",))]
    assert (money(play)["mAnn"], money(play)["wAnn"], money(play)["mCyd"]) == (BACK, BACK, LOST)
    assert play.results()["wAnn"].clauses[0] == "9.7"
    assert told(play, Reversed) == ([["mAnn", "mBob", "wAnn", "wBob"]] if late else [])
    if not late:
        assert play.phase == "war_dealing"
        play.card("8D")
    assert lying(play)[4:] == ["box2", "dealer", *(["next-round"] if late else [])]
    assert (play.phase, money(play)["wBob"]) == ("final", WON)


@clause(MELBOURNE, "9.7", "9.5")
def test_when_the_only_war_area_was_passed_over_the_round_ends_and_its_war_cards_are_discarded() -> None:
    play = tied(MELBOURNE)
    play.answer("choice:2:Bob", "surrender")
    play.lay("w", "Ann", 1, "war", 1000)
    play.cards("9H", "8D")
    play.press("passed_over", rank=1, box=1)
    assert (play.phase, lying(play)[4:]) == ("over", ["discard", "discard"])
    assert (money(play)["mAnn"], money(play)["w"], money(play)["mBob"]) == (BACK, BACK, HALVED)


@clause(MELBOURNE, "9.5")
@pytest.mark.parametrize("late", [False, True])
def test_a_war_card_on_an_area_without_war_stake_is_discarded_and_the_next_one_takes_its_turn(late: bool) -> None:
    play = both_at_war(MELBOURNE)
    play.cards("9H", *(("8D", "5S") if late else ()))
    for card in (1, 4):  # of the first deal
        play.press("astray", rank=1, card=card)
        assert (codes(play)[-1], play.refusals()[-1].clauses) == ("no_war_card", ("9.5",))
    play.press("astray", rank=1, card=5)
    assert ruled(play, "war_card_without_stake") == [("card 6: discard", "rank1", ("9.5",))]
    assert told(play, Reversed) == ([["mAnn", "mBob", "wAnn", "wBob"]] if late else [])
    play.press("astray", rank=1, card=5)
    assert codes(play)[-1] == "no_war_card"
    assert play.phase == "war_dealing"
    play.cards(*(() if late else ("8D", "5S")), "7C")
    assert lying(play)[4:] == ["discard", "box1", "box2", "dealer"]
    assert (play.phase, money(play)["wAnn"], money(play)["wBob"]) == ("final", WON, LOST)


@clause(PERTH, "5.2", "5.4")
@clause(STAR, "11.2", "11.6")
@pytest.mark.parametrize(("house", "why"), [(PERTH, ("5.2", "5.4")), (STAR, ("11.2", "11.6"))])
def test_elsewhere_a_stray_or_missing_war_card_is_put_right_by_the_order(house: str, why: tuple[str, ...]) -> None:
    play = both_at_war(house)
    before = lying(play)
    play.card("9H")
    play.press("astray", rank=1)
    number = len(play.game.state.round.drawn)
    assert ruled(play, "war_card_without_stake") == [(f"card {number}: next_card", "rank1", why)]
    play.press("passed_over", rank=1, box=1)
    assert ruled(play, "war_area_passed_over")[0][:2] == ("box 1", "rank1")
    assert (play.phase, lying(play)) == ("war_dealing", [*before, "box1"])
    play.cards("8D", "5S")
    assert (money(play)["wAnn"], money(play)["wBob"]) == (WON, WON)
