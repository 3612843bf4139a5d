"""A card too many at Casino War: held as the next one, and once no hand needs it, discarded or kept as it was seen."""

from __future__ import annotations

import pytest

from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, announced, clause, tied
from tests.controller.games.war.rulings import HOUSES, WON, lying, money, next_round, question, ruled, withdrawn

REPORT = {MELBOURNE: "11.10", PERTH: "5.4", STAR: "11.6"}
TOO_MANY = {MELBOURNE: ("9.2",), PERTH: ("5.2",), STAR: ("11.2",)}
SEEN = {MELBOURNE: ("9.2.1",), PERTH: ("5.3",), STAR: ("11.3",)}
UNSEEN = {MELBOURNE: ("9.2",), PERTH: ("5.2",), STAR: ("11.4",)}
MISSED = {MELBOURNE: ("9.8", "9.2"), PERTH: ("5.4", "5.2"), STAR: ("11.6", "11.2")}
PARKED = "first card of the next round"


def at_war(house: str) -> Play:
    """Ann alone at war, both war cards on the table and Perth's burns before them."""
    play = next_round(house, "Ann")
    play.cards("KH", "KS")
    play.press("settled")
    play.lay("w", "Ann", 1, "war", 1000)
    play.cards(*(("3C", "4C", "5C") if house == PERTH else ()), "9H", "8D")
    assert play.phase == "final"
    return play


@clause(MELBOURNE, "9.2", "9.2.1")
@clause(PERTH, "5.2", "5.3")
@clause(STAR, "11.2", "11.3", "11.4")
@pytest.mark.parametrize("sight", ["seen", "unseen"])
@pytest.mark.parametrize("house", HOUSES)
def test_a_round_waits_at_its_end_until_somebody_says_whether_the_card_was_seen(house: str, sight: str) -> None:
    play = next_round(house, "Ann")
    play.cards("KH", "5D", "QS")
    options = [("seen", 1, REPORT[house]), ("unseen", 1, REPORT[house])]
    assert question(play, "surplus") == ("surplus:2", "", options, TOO_MANY[house])
    assert ruled(play, "surplus") == [("card 3 held as the next card", "table", TOO_MANY[house])]
    assert lying(play) == ["box1", "dealer", "next-round"]
    play.press("settled")
    assert (play.phase, play.questions()) == ("interim", ["surplus:2"])
    play.answer("surplus", sight, rank=1)
    assert (play.phase, play.questions()) == ("over", [])
    by = "rank1" if (house, sight) == (STAR, "unseen") else "table"
    word, why = ("discarded", SEEN) if sight == "seen" else (PARKED, UNSEEN)
    assert ruled(play, "surplus")[1:] == [(word, by, why[house])]
    assert lying(play)[2] == ("discard" if sight == "seen" else "next-round")
    play.press("place_bets")
    play.lay("b", "Bob", 1, "main", 1000)
    play.press("no_more_bets")
    play.card("3S")
    if sight == "unseen":
        assert money(play)["b"] == WON  # the queen was Bob's card and the three the dealer's
    else:
        assert (play.phase, lying(play)) == ("dealing", ["box1"])


@clause(MELBOURNE, "9.2", "9.2.1")
@clause(PERTH, "5.2", "5.3")
@clause(STAR, "11.3", "11.4")
@pytest.mark.parametrize("house", HOUSES)
def test_after_the_last_hand_a_card_that_was_seen_is_discarded_at_once_and_an_unseen_one_is_kept(house: str) -> None:
    play = at_war(house)
    first = len(play.game.state.round.drawn)
    play.cards("QS", "JS")
    assert play.questions() == [f"surplus:{first}", f"surplus:{first + 1}"]
    play.answer(f"surplus:{first + 1}", "seen", rank=1)
    assert ruled(play, "surplus")[2:] == [("discarded", "rank1", SEEN[house])]
    play.answer(f"surplus:{first}", "unseen", rank=1)
    parked = [(PARKED, "rank1", UNSEEN[house])]
    assert ruled(play, "surplus")[3:] == (parked if house == STAR else [])
    assert lying(play)[-2:] == ["next-round", "discard"]
    assert play.phase == "final"
    play.press("settled")
    assert play.phase == "over"
    assert ruled(play, "surplus")[3:] == (parked if house == STAR else [(PARKED, "table", UNSEEN[house])])
    assert [card.face for card in play.game.state.shoe.carried] == ["QS"]


@clause(MELBOURNE, "9.2", "9.2.1")
@clause(PERTH, "5.2", "5.3")
@clause(STAR, "11.3", "11.4")
@pytest.mark.parametrize("sight", ["seen", "unseen"])
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_that_comes_after_the_round_is_discarded_or_begins_the_next_one(house: str, sight: str) -> None:
    play = next_round(house, "Ann")
    play.cards("KH", "5D")
    play.press("settled")
    play.card("QS")
    play.press("place_bets")
    assert play.refusals()[-1].code == "surplus_open"
    play.answer("surplus", sight, rank=1)
    word, why = ("discarded", SEEN) if sight == "seen" else (PARKED, UNSEEN)
    assert ruled(play, "surplus")[1:] == [(word, "rank1", why[house])]
    assert lying(play)[2] == ("discard" if sight == "seen" else "next-round")
    assert [(card.face, card.place) for card in play.game.state.shoe.carried] == (
        [] if sight == "seen" else [("QS", "")]
    )
    assert play.phase == "over"


@clause(MELBOURNE, "9.2")
@clause(PERTH, "5.2")
@clause(STAR, "11.2")
@pytest.mark.parametrize("house", HOUSES)
def test_with_a_war_to_come_the_card_is_the_next_one_of_the_war_and_nobody_is_asked_any_more(house: str) -> None:
    play = next_round(house, "Ann")
    play.cards("KH", "KS")
    play.press("settled")
    play.press("surplus", rank=1)
    assert ruled(play, "surplus") == [("the next card in order", "rank1", TOO_MANY[house])]
    early = next_round(house, "Ann", "Bob")
    early.cards("KH", "2H", "KS", "QS")
    early.press("settled")
    assert (early.phase, early.questions()) == ("choosing", ["surplus:3", "choice:1:Ann"])
    early.lay("w", "Ann", 1, "war", 1000)
    assert (early.questions(), withdrawn(early)) == ([], ["choice:1:Ann", "surplus:3"])
    assert lying(early)[3] == ("war-burn" if house == PERTH else "box1")


@clause(MELBOURNE, "9.2", "9.2.1")
@clause(STAR, "11.3")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_house_that_goes_by_sight_discards_a_card_seen_before_the_war(house: str) -> None:
    play = next_round(house, "Ann", readings={"war.surplus_before_war": "by_sight"} if house == MELBOURNE else {})
    play.cards("KH", "KS", "QS")
    play.answer("surplus", "seen", rank=1)
    by_sight = house == MELBOURNE
    assert ruled(play, "surplus")[1:] == ([("discarded", "rank1", SEEN[house])] if by_sight else [])
    play.lay("w", "Ann", 1, "war", 1000)
    assert lying(play) == ["box1", "dealer", "discard" if by_sight else "box1"]


@clause(MELBOURNE, "9.2", "9.2.1")
@clause(PERTH, "5.2", "5.3")
@clause(STAR, "11.3", "11.4")
@pytest.mark.parametrize("house", HOUSES)
def test_when_everybody_surrenders_the_round_waits_for_the_word_on_a_card_too_many(house: str) -> None:
    play = next_round(house, "Ann", "Bob")
    play.cards("KH", "2H", "KS", "QS")
    play.press("settled")
    play.answer("surplus", "unseen", rank=1)
    assert (play.phase, play.questions()) == ("choosing", ["choice:1:Ann"])  # its choice is open
    play = next_round(house, "Ann", "Bob")
    play.cards("KH", "2H", "KS", "QS")
    play.press("settled")
    play.answer("choice", "surrender")
    assert (play.phase, play.questions()) == ("choosing", ["surplus:3"])
    play.answer("surplus", "seen", rank=1)
    assert (play.phase, lying(play)[-1]) == ("over", "discard")
    surrendered = {MELBOURNE: "7.5.1(a)", PERTH: "4.10(b)", STAR: "8.3"}[house]
    cleared = [why for _, why in announced(play, "clear_cards") if why == (surrendered,)]
    assert len(cleared) == 1


@clause(MELBOURNE, "9.2", "9.8")
@clause(PERTH, "5.2")
@clause(STAR, "11.2")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_drawn_past_an_open_choice_waits_for_it_and_is_dealt_in_its_turn(house: str) -> None:
    play = tied(house)
    number = len(play.game.state.round.drawn) + 1
    play.card("9H")
    assert sorted(play.questions()) == ["choice:1:Ann", "choice:2:Bob"]
    assert ruled(play, "surplus") == [(f"card {number} held as the next card", "table", MISSED[house])]
    assert play.table.state.desk.alarms["choice_open"].clauses == MISSED[house]
    play.answer("choice:2:Bob", "surrender")
    assert "choice_open" in play.table.state.desk.alarms
    play.lay("w", "Ann", 1, "war", 1000)
    assert play.table.state.desk.alarms == {}
    assert lying(play)[-1] == ("war-burn" if house == PERTH else "box1")


@clause(MELBOURNE, "9.8", "11.10")
@clause(STAR, "11.16", "11.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_round_that_ends_at_an_open_choice_takes_its_alarm_along(house: str) -> None:
    play = tied(house)
    play.card("9H")
    play.press("misdeal")
    assert (play.phase, play.table.state.desk.alarms, play.questions()) == ("over", {}, [])


@clause(MELBOURNE, "9.2", "9.2.1", "9.5")
def test_a_card_too_many_that_has_found_its_place_meanwhile_stays_there() -> None:
    play = at_war(MELBOURNE)
    play.card("QS")
    play.press("astray", rank=1, card=2)
    assert (play.phase, lying(play)[2:]) == ("final", ["discard", "box1", "dealer"])
    play.answer("surplus", "seen", rank=1)
    assert (play.phase, lying(play)[2:]) == ("final", ["discard", "box1", "dealer"])
    assert ruled(play, "surplus")[1:] == []


@clause(STAR, "11.12", "11.6")
@clause(MELBOURNE, "9.4", "9.2")
@pytest.mark.parametrize(("house", "burned"), [(STAR, True), (MELBOURNE, False)])
def test_a_rebuild_burns_the_card_too_many_only_where_the_document_says_so(house: str, burned: bool) -> None:
    play = next_round(house, "Ann")
    play.cards("KH", "KS", "QS")
    play.press("misplaced", rank=2)
    if house == MELBOURNE:
        play.answer("misplaced", "rule", rank=2)
    assert ruled(play, "rebuild")[0][:2] == ("rebuilt in the order drawn", "rank2")
    assert play.questions() == ([] if burned else ["surplus:2"])
    word = ("burned, it came after the dealer's card", "table", ("11.12",))
    assert ruled(play, "surplus")[1:] == ([word] if burned else [])
    assert lying(play)[2] == ("discard" if burned else "next-round")
    assert play.phase == "interim"
