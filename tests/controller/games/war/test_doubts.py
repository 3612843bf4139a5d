"""Findings about the cards of Casino War: one that cannot be, told twice or unruled when the table closes; damage."""

from __future__ import annotations

import pytest

from controller.games.war.events import CardsCameTogether, SourceStopped
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, clause, codes, tied
from tests.controller.games.war.rulings import HOUSES, LOST, WON, gone_home, lying, money, next_round, ruled, staked

SOURCE = {MELBOURNE: ("2.3", "7.1"), PERTH: ("1.1 [Shoe]",), STAR: ("3.6",)}


def used_up(play: Play, face: str) -> None:
    """All cards of this face left the source in earlier rounds."""
    while play.game.state.shoe.cards.left(face):
        play.game.state.shoe.cards.draw(face)


def findings(play: Play) -> list[tuple[str, int]]:
    """What each open question about the decks found, and on which card."""
    asked = [one for one in play.table.state.desk.prompts.values() if one.subject == "wrong_deck"]
    return [(str(one.evidence["finding"]), int(one.evidence["card"])) for one in asked]


def alarms(play: Play) -> list[str]:
    return list(play.table.state.desk.alarms)


# -- told twice -------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.3", "9.12.2")
@clause(PERTH, "2.2", "4.8(a)")
@clause(STAR, "3.6", "11.17.2")
@pytest.mark.parametrize("house", HOUSES)
def test_an_impossible_card_told_twice_in_the_deal_never_left_and_the_deal_goes_on(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    used_up(play, "KH")
    play.game.state.shoe.cards.undraw("KH")
    before = play.game.state.shoe.cards.drawn
    play.cards("KH", "KH")
    assert (play.phase, lying(play), play.questions()) == ("ruling", ["box1", "box2"], ["wrong_deck"])
    play.press("not_drawn", rank=1)
    assert (codes(play), play.questions()) == (["rank_too_low"], ["wrong_deck"])
    play.press("not_drawn", rank=2)
    assert (play.phase, lying(play), play.questions(), alarms(play)) == ("dealing", ["box1"], [], [])
    assert ruled(play, "not_drawn") == [("card 2 (KH)", "rank2", SOURCE[house])]
    assert play.game.state.shoe.cards.drawn == before + 1
    play.cards("3D", "5S")
    assert (play.phase, money(play)["mAnn"], money(play)["mBob"]) == ("interim", WON, LOST)


@clause(MELBOURNE, "2.3", "9.12.2")
@clause(PERTH, "2.2", "4.8(a)")
@clause(STAR, "3.6", "11.17.2")
@pytest.mark.parametrize("house", HOUSES)
def test_a_dealers_card_told_twice_leaves_the_settlement_as_it_is(house: str) -> None:
    play = next_round(house, "Ann")
    used_up(play, "5S")
    play.game.state.shoe.cards.undraw("5S")
    play.cards("KH", "5S", "5S")
    assert (play.phase, play.questions()) == ("ruling", ["wrong_deck"])
    play.press("not_drawn", rank=2, card=0)
    assert (codes(play), lying(play)) == (["settled"], ["box1", "dealer", "next-round"])
    play.press("not_drawn", rank=2)
    assert (play.phase, lying(play), play.questions(), alarms(play)) == ("interim", ["box1", "dealer"], [], [])
    play.press("settled")
    assert (play.phase, money(play)["mAnn"]) == ("over", WON)


@clause(MELBOURNE, "2.3", "9.12.2")
@clause(PERTH, "2.2", "4.8(a)")
@clause(STAR, "3.6", "11.17.2")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_told_twice_while_somebody_chooses_leaves_the_choice_open(house: str) -> None:
    play = next_round(house, "Ann")
    used_up(play, "KS")
    play.game.state.shoe.cards.undraw("KS")
    play.cards("KH", "KS")
    play.press("settled")
    play.card("KS")
    assert (play.phase, play.questions()) == ("ruling", ["choice:1:Ann", "wrong_deck"])
    play.press("not_drawn", rank=2, card=1)
    assert (codes(play), lying(play)) == (["settled"], ["box1", "dealer", "next-round"])
    play.press("not_drawn", rank=2)
    assert (play.phase, lying(play), play.questions()) == ("choosing", ["box1", "dealer"], ["choice:1:Ann"])


@clause(MELBOURNE, "2.3", "9.12.2", "7.1")
@clause(STAR, "3.6", "11.17.2", "7.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_when_an_earlier_card_never_left_an_impossible_one_is_asked_about_where_it_lies_now(house: str) -> None:
    play = next_round(house, "Ann", "Bob", "Cyd")
    used_up(play, "9C")
    play.cards("2H", "9C", "9C", "JOKER")
    text = "9♣ came {} times from a set that holds it 6 times."
    foreign = "A card that belongs to none of the decks came."
    assert findings(play) == [(text.format(7), 1), (text.format(8), 2), (foreign, 3)]
    play.press("wrong_deck", rank=1, what="A back differs.")
    asked = list(play.table.state.desk.prompts)
    play.card("4H")
    play.press("not_drawn", rank=2)
    assert list(play.table.state.desk.prompts) == asked, "a later card changes nothing"
    play.press("not_drawn", rank=2, card=0)
    assert (play.phase, lying(play)) == ("ruling", ["box1", "box2", "void"])
    assert findings(play) == [(text.format(7), 0), (text.format(8), 1), (foreign, 2), ("A back differs.", -1)]
    play.press("not_drawn", rank=2, card=1)
    assert findings(play) == [(text.format(7), 0), (foreign, 1), ("A back differs.", -1)]
    assert (play.phase, alarms(play)) == ("ruling", ["wrong_deck"])
    play.press("misread", rank=2, card=1, face="QH")
    assert (findings(play), lying(play)) == ([(text.format(7), 0), ("A back differs.", -1)], ["box1", "box2"])


@clause(MELBOURNE, "9.11", "2.3")
@clause(STAR, "11.6", "3.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_of_cards_whose_order_is_open_none_is_taken_away_before_it_is_told(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    play.take(CardsCameTogether(("KH", "3H"), False))
    play.press("not_drawn", rank=2)
    why = ("9.11", "9.11.1") if house == MELBOURNE else ("11.6", "11.6.1")
    assert [(one.code, one.clauses) for one in play.refusals()] == [("order_open", why)]
    play.answer("double", "order", rank=2, faces=["3H", "KH"])
    play.press("not_drawn", rank=2)
    play.cards("QH", "5S")
    assert (money(play)["mAnn"], money(play)["mBob"]) == (LOST, WON)


@clause(PERTH, "4.6(b)", "4.8(a)")
def test_burns_that_a_turned_card_asked_for_go_with_it_when_it_never_left() -> None:
    play = Play(PERTH, staked(PERTH, "Ann").game.config)
    play.new_shoe("5C")
    play.press("not_drawn", rank=2)
    play.cards("AC", "2C")
    assert (play.phase, lying(play)) == ("betting", [])


# -- the table closes -------------------------------------------------------------------------------------------------


def closed_unruled(house: str) -> Play:
    """A card came after the round that belongs to none of the decks, and the table is closed before anybody rules."""
    play = staked(house, "Ann")
    play.cards("9D", "3D")
    play.press("settled")
    play.card("JOKER")
    gone_home(play)
    assert play.phase == "unchecked"
    return play


@clause(MELBOURNE, "9.12.1", "9.12.2", "9.12.3")
@clause(PERTH, "2.2", "2.7")
@clause(STAR, "11.17.1", "11.17.2", "11.17.3", "11.17.4")
@pytest.mark.parametrize("house", HOUSES)
def test_a_foreign_card_unruled_when_the_table_closes_keeps_the_cards_from_use(house: str) -> None:
    play = closed_unruled(house)
    assert findings(play) == [("A card that belongs to none of the decks came.", -1)]
    assert alarms(play) == ["wrong_deck"]
    number = play.table.state.round
    play.answer("wrong_deck", "void")
    assert (play.phase, money(play)["mAnn"], play.table.state.round) == ("blocked", WON, number)
    blocked = play.game.state.supply.blocked
    assert blocked is not None
    needs = ["check", "surveillance", "inspector"] if house == STAR else ["new cards"]
    assert (blocked.why, blocked.needs) == ("A card that belongs to none of the decks came.", needs)
    assert alarms(play) == []


@clause(MELBOURNE, "3.2", "9.12.2")
@clause(PERTH, "2.2")
@clause(STAR, "3.3", "11.17.2")
@pytest.mark.parametrize("house", HOUSES)
def test_a_reading_found_wrong_after_the_table_closed_names_no_card_of_another_session(house: str) -> None:
    play = closed_unruled(house)
    play.press("open")
    play.press("check_cards", how="by hand")
    assert (codes(play), play.phase) == (["wrong_deck_open"], "unchecked")
    play.answer("wrong_deck", "misread", rank=2)
    assert ("wrong_deck" in play.questions(), alarms(play), ruled(play, "card_named")) == (False, [], [])
    play.new_shoe(*("AD", "2D") if house == PERTH else ("2D",))
    assert play.phase == "betting"


@clause(PERTH, "4.15", "4.6(a)")
def test_a_turned_card_that_nobody_could_read_is_asked_for_no_more_once_the_table_is_closed() -> None:
    play = Play(PERTH, staked(PERTH, "Ann").game.config)
    play.new_shoe("??", "CUT")
    assert (play.phase, play.questions()) == ("unshuffled", ["unknown:0"])
    play.press("close")
    assert (play.table.life.state, play.questions()) == ("closed", [])


@clause(MELBOURNE, "3.2", "9.2.1")
@clause(PERTH, "5.3")
@clause(STAR, "11.3")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_too_many_goes_away_with_the_others_when_the_table_closes(house: str) -> None:
    play = staked(house, "Ann")
    play.cards("9D", "3D")
    play.press("settled")
    play.card("4D")
    gone_home(play)
    assert [one for one in play.questions() if one != "count"] == []
    play.press("open")
    play.new_shoe(*("AD", "2D") if house == PERTH else ("2D",))
    assert (play.phase, play.game.state.shoe.carried) == ("betting", [])


# -- a shuffler's fault -----------------------------------------------------------------------------------------------


@clause(STAR, "12.2", "12.3.1")
def test_who_says_that_no_card_was_damaged_need_not_name_any() -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("9D")
    play.take(SourceStopped("a card is stuck"))
    for step, answer in (("harm", "no"), ("spare", "yes"), ("transfer", "yes")):
        play.answer(f"device_{step}", answer)
    play.answer("device_damage", "yes", damaged="none")
    assert (codes(play), play.phase) == (["bad_card"], "ruling")
    play.answer("device_damage", "no", damaged="none")
    assert codes(play) == ["bad_card", "unknown_argument"]
    play.answer("device_damage", "no")
    assert (len(codes(play)), play.phase) == (2, "dealing")


# -- told in error ----------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.12.2")
@clause(PERTH, "2.7")
@clause(STAR, "11.17.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_reported_missing_that_is_there_after_all_lets_the_round_go_on_as_it_stood(house: str) -> None:
    play = tied(house)
    asked = play.questions()
    play.press("wrong_deck", rank=1, what="A queen lies under the table.")
    assert play.phase == "ruling"
    play.answer("wrong_deck", "sound")
    assert codes(play) == ["reason_needed"]
    play.answer("wrong_deck", "sound", reason="it is of last night's decks")
    assert (play.phase, play.questions(), play.table.state.desk.alarms) == ("choosing", asked, {})
    (last,) = [one for one in play.rulings() if one.subject == "wrong_deck"]
    assert (last.answer, last.reason) == ("sound", "it is of last night's decks")
    assert play.game.state.supply.blocked is None
