"""Cards of Casino War that leave and come in: replaced, set aside, fed back, and what sign and screens say of them."""

from __future__ import annotations

import pytest

from controller.core.desk import Limits
from controller.games.war.config import WarConfig
from controller.games.war.events import SourceStopped
from drivers.events import DeviceDown, DeviceUp
from tests.controller.games.war.cards import (
    BURN,
    HOUSES,
    MELBOURNE,
    PERTH,
    STAR,
    alarmed,
    betting,
    left,
    noted,
    paid,
    refused,
    ruled,
    stake,
    staked,
)
from tests.controller.games.war.play import Play

clause = pytest.mark.clause
ALL_NEW = {MELBOURNE: ("4.4.2(a)",), PERTH: ("2.7", "4.1"), STAR: ("3.5.1", "3.5.2", "4.1.1")}
UNFIT = {MELBOURNE: "4.4.2", PERTH: "2.7", STAR: "3.5.1"}
WRONG_DECK = {
    MELBOURNE: ("9.12.2", "9.12.1", "9.12.3"),
    PERTH: ("6.11", "2.2", "2.7"),
    STAR: ("11.17.2", "11.17.1", "11.17.3", "11.17.4"),
}


def new_cards(play: Play, *burn: str) -> None:
    """New cards are checked, shuffled, cut and burned like any others."""
    assert play.phase == "unchecked"
    play.new_shoe(*burn)
    assert play.phase == "betting"


def offers(play: Play, key: str) -> bool:
    """Whether the screens show this key now."""
    return key in [shown.name for shown in play.table.available()]


def round_over(play: Play) -> None:
    stake(play, "Ann")
    play.cards("QH", "7C")
    play.press("settled")
    play.press("place_bets")


# -- all of them ------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.4.1", "4.4.2(a)")
@clause(PERTH, "2.7", "4.1")
@clause(STAR, "3.5.2", "4.1.1")
@pytest.mark.parametrize("house", HOUSES)
def test_new_cards_come_in_between_rounds_for_a_stated_reason_and_begin_from_the_check(house: str) -> None:
    play = staked(house, "Ann")
    play.card("QH")
    play.press("replace_cards", rank=4)
    assert play.refusals()[-1].code == "not_now"
    play.card("7C")
    play.press("settled")
    play.press("order_shuffle", rank=4)
    play.press("place_bets")
    play.lay("early", "Ann", 1, "main", 1000)
    play.lay("nowhere", "Ann", 1, "odd_even", 1000)
    play.press("replace_cards", rank=4)
    assert refused(play) == ("not_now", ALL_NEW[house])
    assert not offers(play, "replace_cards")
    play.press("refuse_stake", wager="early")
    assert offers(play, "replace_cards")
    play.press("replace_cards", rank=1)
    assert play.refusals()[-1].code == "rank_too_low"
    told = play.press("replace_cards", rank=2, why="worn")
    assert ruled(told) == [("replace_cards", "worn", "rank2", ALL_NEW[house])]
    assert left(play) == 312
    new_cards(play, *BURN[house])


@clause(PERTH, "2.7", "4.1")
def test_new_cards_need_no_reason_to_be_recorded() -> None:
    play = betting(PERTH)
    told = play.press("replace_cards", rank=2)
    assert ruled(told) == [("replace_cards", "replaced", "rank2", ("2.7", "4.1"))]


@clause(MELBOURNE, "4.4.1", "4.4.2(a)")
@clause(PERTH, "2.7")
@clause(STAR, "3.5.2")
@pytest.mark.parametrize(
    ("house", "rank", "code"),
    [
        (MELBOURNE, 2, ("rank_too_low", ("4.4.2",))),
        (MELBOURNE, 3, None),
        (PERTH, 2, None),
        (STAR, 4, ("not_now", ("3.5.2",))),
    ],
)
def test_in_the_middle_of_a_shoe_cards_are_replaced_by_whom_the_document_names_or_not_at_all(
    house: str, rank: int, code: tuple[str, tuple[str, ...]] | None
) -> None:
    play = betting(house)
    play.press("replace_cards", rank)
    assert (play.phase, [(one.code, one.clauses) for one in play.refusals()]) == (
        ("unchecked", []) if code is None else ("betting", [code])
    )


@clause(MELBOURNE, "9.12.3", "4.4.2(a)")
@clause(PERTH, "2.7")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_after_a_wrong_deck_new_cards_end_the_matter(house: str) -> None:
    play = staked(house, "Ann")
    play.card("JOKER")
    play.answer("wrong_deck", "void", rank=3)
    play.press("place_bets")
    assert play.phase == "blocked"
    play.press("replace_cards", rank=2)
    new_cards(play, *BURN[house])
    round_over(play)
    assert play.phase == "betting"


@clause(STAR, "11.17.3", "11.17.4", "4.1.1")
def test_at_the_star_a_wrong_deck_is_not_simply_replaced() -> None:
    play = staked(STAR, "Ann")
    play.card("JOKER")
    play.answer("wrong_deck", "void", rank=2)
    play.press("place_bets")
    play.press("replace_cards", rank=4)
    assert refused(play) == ("steps_open", WRONG_DECK[STAR])
    assert play.refusals()[-1].text == "First record: check, surveillance, inspector."


@clause(STAR, "3.5.1", "4.9", "4.1.1")
def test_a_shuffler_with_new_cards_has_one_burned_again() -> None:
    play = betting(STAR, source="csm")
    round_over(play)
    play.press("fed")
    play.press("replace_cards", rank=2)
    new_cards(play, "3C")


@clause(STAR, "12.5.4", "3.5.1", "4.7")
@pytest.mark.parametrize("mended", [False, True])
def test_new_cards_go_into_the_shuffler_again_unless_it_is_still_out_of_order(mended: bool) -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("QH")
    play.take(SourceStopped("a card is stuck"))
    play.take(DeviceDown("shuffler", "silent", "Look."))
    for name, answer in (("harm", "no"), ("spare", "no"), ("shoe", "shoe")):
        play.answer(f"device_{name}", answer, rank=2)
    play.press("shuffled")
    play.answer("cut", "cut")
    play.cards("2C", "7C")
    play.press("settled")
    play.press("order_shuffle", rank=2)
    play.take(DeviceUp("shuffler", "shuffler", "S-1", "1.0"))
    play.press("place_bets")
    if not mended:
        play.take(DeviceDown("shuffler", "silent", "Look."))
    play.press("replace_cards", rank=2)
    assert play.phase == "unchecked"
    assert play.game.source_place == ("shuffler" if mended else "shoe")


# -- one of them ------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.4.2", "4.1.1(a)")
@clause(PERTH, "2.7", "4.1")
@clause(STAR, "3.5.1", "4.1.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_damaged_card_is_out_until_another_of_its_face_came_in(house: str) -> None:
    play = betting(house)
    rank = 3 if house == MELBOURNE else 2
    before = left(play)
    play.press("set_aside", rank - 1, face="QS")
    assert refused(play) == ("rank_too_low", (UNFIT[house],))
    told = play.press("set_aside", rank, face="QS")
    assert ruled(told) == [("set_aside", "QS", f"rank{rank}", (UNFIT[house],))]
    assert alarmed(told) == [("set_aside:QS", (UNFIT[house],))]
    assert left(play) == before - 1
    play.press("order_shuffle", rank=4)
    play.press("shuffled")
    assert refused(play) == ("card_not_replaced", WRONG_DECK[house])
    play.press("replace_card", rank, face="QH")
    assert refused(play) == ("not_missing", (UNFIT[house],))
    told = play.press("replace_card", rank, face="QS")
    assert ruled(told) == [("replace_card", "QS", f"rank{rank}", (UNFIT[house],))]
    assert (left(play), play.table.state.desk.alarms) == (before, {})
    play.press("shuffled")
    assert (play.phase, left(play)) == ("uncut", 312)


# -- fed back ---------------------------------------------------------------------------------------------------------


@clause(STAR, "7.2", "11.14")
def test_the_discards_go_back_into_the_device_once_and_a_missed_feed_waits_for_the_next_deal() -> None:
    play = betting(STAR, source="csm")
    assert left(play) == 311
    round_over(play)
    assert left(play) == 309
    stake(play, "Ann")
    play.cards("QH", "7C")
    assert play.game.state.shoe.feed_due
    told = play.press("fed", 1)
    assert noted(play, "fed") == [({"by": "rank1"}, ("7.2", "11.14"))]
    assert ruled(told) == []
    assert left(play) == 310
    play.press("fed", 1)
    assert (left(play), play.game.state.shoe.feed_due) == (310, False)
    play.press("settled")
    play.press("place_bets")
    stake(play, "Ann")
    assert ruled(play.card("QS")) == []
    assert ruled(play.card("7S")) == []
    play.press("settled")
    play.press("place_bets")
    stake(play, "Ann")
    play.card("QC")
    assert ruled(play.card("7C")) == [("feed", "missed last time, due now", "table", ("7.2", "11.14"))]


@clause(MELBOURNE, "4.1.1(e)")
@clause(STAR, "7.2")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_where_a_shoe_deals_there_is_nothing_to_feed(house: str) -> None:
    play = betting(house)
    round_over(play)
    play.press("fed")
    assert refused(play) == ("no_shuffler", {MELBOURNE: ("4.1.1(e)",), STAR: ("7.2", "11.14")}[house])


@clause(MELBOURNE, "4.1.1(e)")
@clause(PERTH, "1.1 [Discard Rack]")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_a_shuffler_whose_tray_takes_the_discards_holds_them_again_after_the_round(house: str) -> None:
    play = betting(house, source="csm")
    whole = left(play)
    stake(play, "Ann")
    play.cards("QH", "7C")
    assert left(play) == whole - 2
    play.press("settled")
    assert left(play) == 312
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000)}


# -- what is shown ----------------------------------------------------------------------------------------------------


@clause(PERTH, "2.3(c)", "3.16")
@clause(STAR, "6.5.3")
def test_the_sign_shows_the_decks_in_play_and_the_odds_and_what_is_announced() -> None:
    perth = Play(PERTH, WarConfig(decks=8, optional_zones=("tie", "perfect_pairs"), column=7), Limits(1000, 50_000))
    assert perth.game.sign() == {
        "game": "Casino War",
        "decks": 8,
        "odds": {"tie": 10, "perfect": 25, "coloured": 12, "mixed": 6},
    }
    perth.press("sit", box=1, player="Ann")
    perth.press("change_decks", rank=3, decks=6, column=2)
    assert perth.game.sign()["decks"] == 8
    assert perth.game.sign()["coming_decks"]["decks"] == 6
    star = betting(STAR)
    assert star.game.sign() == {"game": "Casino War", "decks": 6, "odds": {"tie": 10}}
    star.press("keep_minimum", rank=2, least=2000)
    assert set(star.game.sign()["kept_minimums"]) == {"Ann", "Bob", "Cyd", "Dot"}


@clause(PERTH, "1.1 [Burn]", "2.2")
def test_the_screens_count_what_is_left_and_name_a_cutter_only_while_a_cut_is_to_come() -> None:
    play = betting(PERTH)
    assert (left(play), play.game.view()["cutter"]) == (310, "")
    stake(play, "Ann", "Bob")
    play.cards("QH", "CUT")
    assert (left(play), play.game.view()["cutter"]) == (309, "Bob")
