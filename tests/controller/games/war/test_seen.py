"""What shoe and shuffler tell a table of Casino War: only the device in use deals, and nothing it says is lost."""

from __future__ import annotations

import msgspec
import pytest

from drivers.cards import CardDrawn, CardPushedBack, CardReadAgain, CardUnread, CuttingCard, GateForced, TwoDrawn
from drivers.events import DeviceTrouble, DeviceTroubleOver
from drivers.shoe import ShoeEmpty, ShoeLoaded
from drivers.shuffler import (
    DeckChecked,
    ShufflerJam,
    ShufflerLoaded,
    ShufflerMode,
    ShufflerPoweredUp,
    ShufflerState,
    ShufflerSwapped,
)
from tests.controller.games.war.cards import (
    HOUSES,
    MELBOURNE,
    PERTH,
    STAR,
    alarmed,
    betting,
    closed_shoe,
    left,
    lying,
    noted,
    paid,
    question,
    ruled,
    staked,
)

clause = pytest.mark.clause
SOURCE = {MELBOURNE: ("2.3", "7.1"), PERTH: ("1.1 [Shoe]",), STAR: ("3.6",)}
FACE = {MELBOURNE: ("7.1",), PERTH: ("4.8(a)",), STAR: ("7.1",)}


# -- which device -----------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.3", "7.1")
@clause(STAR, "3.6")
@clause(PERTH, "1.1 [Shoe]")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_from_a_device_that_is_not_dealt_from_is_nobodys(house: str) -> None:
    play = staked(house, "Ann")
    before = lying(play)
    for event in (
        CardDrawn("shuffler", 1, "KH", 99),
        CardUnread("shuffler", 2, "unreadable"),
        CuttingCard("shuffler", 3),
        TwoDrawn("shuffler", (4, 5), ("KH", "KD"), True),
    ):
        told = play.take(event)
        assert alarmed(told) == [("other_source", SOURCE[house])]
    assert [facts for facts, _ in noted(play, "source")] == [
        {"device": "shuffler", "told": told} for told in ("CardDrawn", "CardUnread", "CuttingCard", "TwoDrawn")
    ]
    assert alarmed(play.take(ShufflerState("shuffler", "ready", 50, True))) == []
    assert noted(play, "source")[-1] == ({"device": "shuffler", "told": "ShufflerState"}, ())
    assert (lying(play), play.game.state.supply.draws, play.phase) == (before, 0, "closed")


@clause(MELBOURNE, "2.3", "7.1")
@clause(STAR, "3.6")
@pytest.mark.parametrize("house", HOUSES)
def test_every_card_that_leaves_the_device_is_counted_and_dealt(house: str) -> None:
    play = staked(house, "Ann", "Bob", source="csm")
    play.take(CardDrawn("shuffler", 1, "KH", 99))
    assert play.game.state.supply.draws == 1
    play.take(TwoDrawn("shuffler", (2, 3), ("3D", "7C"), True))
    assert play.game.state.supply.draws == 3
    play.take(ShufflerState("shuffler", "ready", 50, True))
    assert play.game.state.supply.draws == 3
    assert lying(play)[-3:] == [("KH", "box1"), ("3D", "box2"), ("7C", "dealer")]
    assert noted(play, "card_not_taken") == []
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}


@clause(MELBOURNE, "2.3", "4.1.1(a)")
@clause(STAR, "3.6", "4.1.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_that_may_not_be_dealt_yet_is_noted_with_its_number(house: str) -> None:
    play = closed_shoe(house)
    play.take(CardDrawn("shoe", 7, "KH", 99))
    assert noted(play, "card_not_taken") == [({"draw": 7, "face": "KH"}, SOURCE[house])]
    play.take(TwoDrawn("shoe", (8, 9), ("3D", "7C"), False))
    assert [facts["face"] for facts, _ in noted(play, "card_not_taken")] == ["KH", "3D", "7C"]


@clause(MELBOURNE, "4.1.1(b)", "7.1")
@clause(STAR, "4.1.3", "3.6")
@pytest.mark.parametrize("house", HOUSES)
def test_a_cutting_card_that_the_shoe_tells_is_the_sign_to_shuffle(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.take(CardDrawn("shoe", 2, "KH", 99))
    told = play.take(CuttingCard("shoe", 3))
    assert [answer for _, answer, *_ in ruled(told)] == ["came at box2; shuffle after this round"]
    assert (lying(play)[-1], play.game.state.supply.draws) == (("CUT", "cut"), 2)


@clause(MELBOURNE, "9.11", "9.11.1")
def test_of_two_cards_at_once_one_may_be_unread() -> None:
    play = staked(MELBOURNE, "Ann", source="csm")
    play.take(TwoDrawn("shuffler", (1, 2), ("KH", ""), False))
    assert question(play, "double").evidence["faces"] == ["KH", "??"]


@clause(MELBOURNE, "2.3", "7.1")
@clause(STAR, "3.6")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_pulled_through_the_locked_gate_is_an_alarm_until_the_round_is_over(house: str) -> None:
    play = staked(house, "Ann")
    assert alarmed(play.take(GateForced("shoe", 2))) == [("gate_forced", SOURCE[house])]
    play.cards("KH", "7C")
    play.press("settled")
    assert "gate_forced" not in play.table.state.desk.alarms


# -- unread -----------------------------------------------------------------------------------------------------------


@clause(PERTH, "2.4", "2.2")
@clause(MELBOURNE, "9.12.2", "7.1")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
@pytest.mark.parametrize("why", ["joker", "foreign"])
def test_a_joker_or_another_back_is_a_foreign_card(house: str, why: str) -> None:
    play = staked(house, "Ann")
    play.take(CardUnread("shoe", 2, why, (("KS", 61),)))  # type: ignore[arg-type]
    assert play.questions() == ["wrong_deck"]
    assert lying(play)[-1] == ("JOKER", "void")


@clause(MELBOURNE, "9.1", "7.1")
@clause(STAR, "11.1", "3.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
@pytest.mark.parametrize(
    ("event", "face"),
    [
        (CardUnread("shoe", 2, "face_up", (("KS", 70), ("JOKER", 20))), "KS"),
        (CardUnread("shoe", 2, "face_up", (("JOKER", 70), ("KS", 20))), "??"),
        (CardUnread("shoe", 2, "face_up"), "??"),
        (CardUnread("shoe", 2, "doubtful", (("KS", 61),), face_up=True), "KS"),
    ],
)
def test_a_card_that_lay_face_up_is_discarded_however_well_it_was_read(
    house: str, event: CardUnread, face: str
) -> None:
    play = staked(house, "Ann")
    told = play.take(event)
    assert lying(play)[-1] == (face, "discard")
    assert [what for what, *_ in ruled(told)] == ["face_up"]
    assert (play.questions(), left(play), play.game.view()["next"]) == ([], 310, "box1")


# -- back again -------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "2.3", "7.1")
@clause(STAR, "3.6")
@clause(PERTH, "1.1 [Shoe]")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_that_went_back_into_the_source_was_never_drawn(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    before = left(play)
    play.take(CardDrawn("shoe", 2, "KH", 99))
    play.take(CardDrawn("shoe", 3, "3D", 99))
    told = play.take(CardPushedBack("shoe", 2, "KH", True))
    assert noted(play, "pushed_back") == [({"draw": 2, "card": "KH", "told": True}, SOURCE[house])]
    index = len(lying(play))
    assert ruled(told) == [("not_drawn", f"card {index} (KH)", "table", SOURCE[house])]
    assert (lying(play)[-1], left(play)) == (("3D", "box1"), before - 1)
    told = play.take(CardPushedBack("shoe", 4, "KH", False))
    assert noted(play, "pushed_back")[-1] == ({"draw": 4, "card": "KH", "told": False}, SOURCE[house])
    assert (ruled(told), alarmed(told), left(play)) == ([], [], before - 1)


@clause(MELBOURNE, "2.3", "7.1")
@clause(STAR, "3.6")
@clause(PERTH, "1.1 [Shoe]")
@pytest.mark.parametrize("house", HOUSES)
def test_a_card_that_went_back_after_the_deal_is_in_the_shoe_again_and_counted_once_when_it_comes(house: str) -> None:
    play = staked(house, "Ann")
    before = left(play)
    play.take(CardDrawn("shoe", 2, "KH", 99))
    play.take(CardDrawn("shoe", 3, "3D", 99))
    assert (play.phase, left(play)) == ("interim", before - 2)
    told = play.take(CardPushedBack("shoe", 3, "3D", True))
    play.take(CardPushedBack("shoe", 3, "3D", True))
    assert (alarmed(told)[0][0], left(play), lying(play)[-1]) == ("pushed_back", before - 1, ("3D", "dealer"))
    play.take(CardDrawn("shoe", 4, "3D", 99))
    assert left(play) == before - 2


@clause(MELBOURNE, "2.3", "7.1")
def test_with_an_unread_card_that_went_back_goes_the_question_about_it_and_others_keep_theirs() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    before = left(play)
    play.take(CardUnread("shoe", 2, "unreadable"))
    play.take(CardUnread("shoe", 3, "doubtful", (("3D", 60),)))
    assert play.questions() == ["unknown:1", "unknown:2"]
    play.take(CardPushedBack("shoe", 2, "", True))
    assert (play.questions(), left(play)) == (["unknown:1"], before - 1)
    asked = question(play, "unknown:1").evidence
    assert asked == {"card": 1, "place": "box1", "stage": "first", "read": "??", "seen": [["3D", 60]]}
    play.answer("unknown:1", "enter", face="3D")
    play.take(CardDrawn("shoe", 4, "KH", 99))
    play.take(CardDrawn("shoe", 5, "7C", 99))
    assert paid(play) == {"mAnn": ("lose", 0, 1000, 0), "mBob": ("win", 1000, 0, 1000)}
    assert left(play) == before - 3


@clause(MELBOURNE, "2.3", "7.1")
def test_a_card_that_was_put_right_before_it_went_back_is_in_the_shoe_under_its_right_name() -> None:
    play = staked(MELBOURNE, "Ann")
    play.take(CardDrawn("shoe", 2, "KH", 99))
    play.press("misread", rank=2, card=1, face="KD")
    play.take(CardPushedBack("shoe", 2, "KH", True))
    assert play.game.state.shoe.cards.out == {"2C": 1}
    play.take(CardUnread("shoe", 3, "unreadable"))
    play.answer("unknown:1", "enter", face="KD")
    play.take(CardPushedBack("shoe", 3, "", True))
    assert (play.game.state.shoe.cards.out, left(play)) == ({"2C": 1}, 311)
    foreign = closed_shoe(MELBOURNE)
    foreign.new_shoe()
    foreign.take(CardUnread("shoe", 1, "joker"))
    foreign.take(CardPushedBack("shoe", 1, "", True))
    assert (lying(foreign), left(foreign)) == ([], 312)


@clause(PERTH, "4.6(a)", "4.6(b)", "1.1 [Shoe]")
def test_a_turned_card_that_went_back_burns_nothing() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("9D^")
    play.take(CardDrawn("shoe", 2, "4H", 99))
    play.take(CardPushedBack("shoe", 2, "4H", True))
    assert play.game.view()["next"] == "shoe-start-up"
    for draw, card in ((3, "2H"), (4, "5C"), (5, "6C")):
        assert play.phase == "burning"
        play.take(CardDrawn("shoe", draw, card, 99))
    assert (play.phase, left(play)) == ("betting", 308)
    moved_up = closed_shoe(PERTH)
    moved_up.new_shoe()
    for draw, card in ((1, "9H"), (2, "2S")):
        moved_up.take(CardDrawn("shoe", draw, card, 99))
    told = moved_up.take(CardPushedBack("shoe", 1, "9H", True))
    assert "2♠ is turned: burn 2 cards." in [getattr(effect, "text", "") for effect in told]
    assert lying(moved_up) == [("2S", "shoe-start-up")]
    moved_up.cards("5C", "6C")
    assert moved_up.phase == "betting"


@clause(PERTH, "4.6(b)", "1.1 [Shoe]")
def test_a_burned_card_that_went_back_is_burned_again() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe("3H")
    play.take(CardDrawn("shoe", 2, "5C", 99))
    play.take(CardPushedBack("shoe", 2, "5C", True))
    for draw, card in ((3, "5C"), (4, "6C"), (5, "7C")):
        assert play.phase == "burning"
        play.take(CardDrawn("shoe", draw, card, 99))
    assert (play.phase, left(play)) == ("betting", 308)


@clause(PERTH, "4.6(a)", "5.5", "1.1 [Shoe]")
def test_a_card_turned_within_the_round_that_went_back_leaves_the_boxes_to_be_dealt() -> None:
    play = staked(PERTH, "Ann")
    play.take(CardDrawn("shoe", 3, "KH", 99))
    play.press("shoe_empty")
    play.press("shuffled")
    play.answer("cut", "cut")
    play.take(CardDrawn("shoe", 4, "9S", 99))
    play.take(CardPushedBack("shoe", 4, "9S", True))
    for draw, card in ((5, "AS"), (6, "3S"), (7, "7C")):
        play.take(CardDrawn("shoe", draw, card, 99))
    assert lying(play)[-4:] == [("KH", "box1"), ("AS", "shoe-start-up"), ("", "shoe-burn"), ("7C", "dealer")]
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000)}


@clause(PERTH, "4.6(a)", "1.1 [Shoe]")
def test_a_card_too_many_that_went_back_leaves_only_the_question_about_the_turned_one() -> None:
    play = closed_shoe(PERTH)
    play.new_shoe()
    play.take(CardUnread("shoe", 1, "unreadable"))
    play.take(CardDrawn("shoe", 2, "5C", 99))
    assert play.questions() == ["unknown:0", "surplus:1"]
    play.take(CardPushedBack("shoe", 2, "5C", True))
    assert play.questions() == ["unknown:0"]


@clause(MELBOURNE, "2.3", "7.1")
def test_a_counted_card_that_goes_back_when_it_no_longer_can_is_put_to_people() -> None:
    unknown = staked(MELBOURNE, "Ann")
    unknown.take(CardDrawn("shoe", 2, "KH", 99))
    told = unknown.take(CardPushedBack("shoe", 9, "QS", True))
    assert (alarmed(told), ruled(told), lying(unknown)[-1]) == (
        [("pushed_back", ("2.3", "7.1"))],
        [],
        ("KH", "box1"),
    )
    late = staked(MELBOURNE, "Ann")
    late.take(CardDrawn("shoe", 2, "KH", 99))
    late.take(CardDrawn("shoe", 3, "7C", 99))
    assert late.phase == "interim"
    told = late.take(CardPushedBack("shoe", 3, "7C", True))
    assert (alarmed(told), ruled(told), lying(late)[-1]) == (
        [("pushed_back", ("2.3", "7.1"))],
        [],
        ("7C", "dealer"),
    )


@clause(MELBOURNE, "2.3", "7.1")
@clause(PERTH, "4.8(a)")
@clause(STAR, "3.6", "7.1")
@pytest.mark.parametrize("house", HOUSES)
def test_a_second_reading_of_one_card_is_noted_and_put_to_people_only_where_it_differs(house: str) -> None:
    play = staked(house, "Ann")
    play.take(CardDrawn("shoe", 2, "KH", 99))
    for card, before in (("KH", "KH"), ("", "KH"), ("KH", "")):
        assert alarmed(play.take(CardReadAgain("shoe", 2, card, 99, before))) == []
    told = play.take(CardReadAgain("shoe", 2, "QH", 99, "KH"))
    assert alarmed(told) == [("read_differs", FACE[house])]
    assert len(noted(play, "read_again")) == 4
    assert noted(play, "read_again")[-1] == ({"draw": 2, "card": "QH", "before": "KH"}, SOURCE[house])
    assert lying(play)[-1] == ("KH", "box1")


# -- empty and filled -------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.10", "2.3")
@pytest.mark.parametrize("loaded", [False, True])
def test_a_shoe_that_was_filled_while_a_ruling_was_waited_for_is_dealt_from_at_once(loaded: bool) -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.take(CardDrawn("shoe", 2, "QH", 99))
    play.take(CardUnread("shoe", 3, "untold"))
    play.press("misdeal", rank=1)
    play.take(ShoeEmpty("shoe"))
    assert play.phase == "ruling"
    if loaded:
        play.take(ShoeLoaded("shoe"))
    play.answer("misdeal", "stand", rank=3)
    play.answer("unknown:", "enter", face="3D")
    assert play.phase == ("dealing" if loaded else "reshuffling")


@clause(STAR, "11.7", "3.6")
@pytest.mark.parametrize(
    "filled", [None, ShufflerLoaded("shuffler", 300, 300), ShufflerState("shuffler", "ready", 300, True)]
)
def test_a_shuffler_says_that_it_is_empty_and_that_it_is_filled(filled: msgspec.Struct | None) -> None:
    play = staked(STAR, "Ann", "Bob", source="csm")
    play.card("QH")
    play.press("misdeal", rank=1)
    play.take(ShufflerState("shuffler", "empty", 0, True))
    if filled is not None:
        play.take(filled)
        assert noted(play, "shuffler_count") == [({"inside": 300}, ())]
    play.answer("misdeal", "stand", rank=2)
    assert play.phase == ("reshuffling" if filled is None else "dealing")


@clause(STAR, "11.7", "3.6")
def test_a_shuffler_without_cards_in_the_middle_of_the_deal_has_them_loaded_and_the_round_goes_on() -> None:
    play = staked(STAR, "Ann", "Bob", source="csm")
    play.card("QH")
    told = play.take(ShufflerState("shuffler", "empty", 0, True))
    assert ruled(told) == [("shoe_empty", "discards shuffled, the round goes on", "table", ("11.7",))]
    assert play.phase == "reshuffling"


# -- troubles of a shuffler -------------------------------------------------------------------------------------------


@clause(STAR, "12.1.2", "3.6")
@pytest.mark.parametrize("code", ["jam", "mouth_empty", "stopped", "door_open"])
def test_a_trouble_that_keeps_cards_from_coming_is_judged_as_a_fault(code: str) -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("QH")
    play.take(DeviceTrouble("shuffler", code, "It hangs.", "Look."))
    assert question(play, "device_harm").evidence["cause"] == "It hangs."
    assert play.table.state.life == "suspended"


@clause(STAR, "12.1.2", "3.6")
def test_a_trouble_that_keeps_no_card_back_leaves_the_round_as_it_is() -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("QH")
    play.take(DeviceTrouble("shuffler", "reader_dirty", "The reader is dirty.", "Wipe it."))
    assert (play.questions(), play.phase) == ([], "dealing")
    assert noted(play, "source") == [({"told": "DeviceTrouble"}, ())]
    play.take(DeviceTroubleOver("shuffler", "reader_dirty"))
    assert noted(play, "source")[-1] == ({"told": "DeviceTroubleOver"}, ())


@clause(STAR, "12.1.2", "3.6")
def test_a_jam_counts_only_once_the_machine_gives_up() -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("QH")
    play.take(ShufflerJam("shuffler", 1, "wheel", 4, True))
    assert (play.questions(), noted(play, "source")) == ([], [({"told": "ShufflerJam"}, ())])
    play.take(ShufflerJam("shuffler", 1, "wheel", 4, False))
    assert question(play, "device_harm").evidence["cause"] == "a card is stuck at the wheel"


@clause(MELBOURNE, "2.3")
@clause(STAR, "3.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_shuffler_that_sorts_is_not_dealt_from_whatever_it_holds(house: str) -> None:
    play = betting(house, source="csm")
    play.take(ShufflerMode("shuffler", "sort", "keys"))
    assert list(play.table.state.faults) == ["shuffler_mode"]
    play.take(ShufflerMode("shuffler", "shuffle", "keys"))
    assert play.table.state.faults == {}


@clause(MELBOURNE, "2.3")
@clause(STAR, "3.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_shuffler_that_woke_with_cards_it_does_not_remember_must_hold_as_many_as_it_should(house: str) -> None:
    def woken(kept: bool, inside: int, occupied: bool, mode: str = "shuffle") -> list[str]:
        play = betting(house, source="csm")
        play.take(ShufflerPoweredUp("shuffler", kept, "ready", mode, inside, True, occupied, 1))  # type: ignore[arg-type]
        return list(play.table.state.faults)

    held = left(betting(house, source="csm"))
    assert woken(False, held, True) == []
    assert woken(False, held - 1, True) == ["shuffler_content"]
    assert woken(False, held, True, "sort") == ["shuffler_mode"]
    assert woken(True, held - 1, True) == []
    assert woken(False, held - 1, False) == []


@clause(MELBOURNE, "2.3", "3.1")
@clause(STAR, "3.6", "3.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_cards_in_a_shuffler_that_was_carried_away_are_missing(house: str) -> None:
    empty = betting(house, source="csm")
    empty.take(ShufflerSwapped("shuffler", "S-1", "S-2", 0))
    assert (empty.table.state.faults, empty.table.state.life) == ({}, "open")
    assert noted(empty, "shuffler_swapped") == [({"before": "S-1", "now": "S-2"}, ())]
    for inside, words in ((1, "1"), (None, "an unknown number of")):
        play = betting(house, source="csm")
        play.take(ShufflerSwapped("shuffler", "S-1", "S-2", inside))
        fault = play.table.state.faults["cards_left_inside"]
        assert fault.text == f"Shuffler S-1 was replaced by S-2 with {words} cards still inside."
        assert (fault.rank, noted(play, "shuffler_swapped")) == (2, [])


@clause(MELBOURNE, "3.2", "2.3")
@clause(STAR, "3.3", "3.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_what_the_shuffler_found_on_looking_at_every_card_is_taken(house: str) -> None:
    play = closed_shoe(house, source="csm")
    play.take(DeckChecked("shuffler", 1, 6, True, True, 312))
    assert play.phase == "unshuffled"
