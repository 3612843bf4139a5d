"""Keys of a Casino War table that record or put right one thing: what they change, leave alone and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Noted, Settled
from controller.games.war.config import WarConfig
from controller.games.war.events import CardsCameTogether, SourceStopped
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, clause, codes, noted, opened, tied
from tests.controller.games.war.rulings import (
    BACK,
    HOUSES,
    LOST,
    WON,
    lying,
    money,
    record,
    ruled,
    staked,
    told,
    withdrawn,
)

# -- a card too many --------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.2", "9.2.1")
@clause(PERTH, "5.2", "5.3")
@clause(STAR, "11.2", "11.3")
@pytest.mark.parametrize("house", HOUSES)
def test_the_key_for_a_card_too_many_answers_the_question_only_if_it_says_what_was_seen(house: str) -> None:
    play = staked(house, "Ann")
    play.cards("KH", "9S")
    play.press("surplus", rank=1, sight="seen")
    play.card("QS")
    (asked,) = play.questions()
    play.press("surplus", rank=1)
    play.press("surplus", rank=1, sight="perhaps")
    assert codes(play) == ["not_there"]
    assert (play.phase, play.questions()) == ("interim", [asked])
    play.press("surplus", rank=1, sight="seen")
    assert (play.phase, play.questions(), withdrawn(play)) == ("interim", [], [asked])
    play.press("settled")
    assert play.phase == "over"
    words = [answer for answer, _, _ in ruled(play, "surplus")]
    number = len(play.game.state.round.drawn)
    in_order = "the next card in order"
    assert words == [in_order, f"card {number} held as the next card", in_order, "discarded"]


@clause(MELBOURNE, "9.2", "4.1.1(e)")
def test_a_card_kept_for_the_next_round_is_not_fed_back_into_the_shuffler() -> None:
    play = Play(MELBOURNE, WarConfig(decks=6, source="csm"))
    play.new_shoe()
    play.lay("m", "Ann", 1, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "9S", "QS")
    play.answer("surplus", "unseen")
    play.press("settled")
    assert (play.phase, play.game.state.shoe.cards.out) == ("over", {"QS": 1})


# -- two cards at once ------------------------------------------------------------------------------------------------


@clause(PERTH, "5.4", "5.6")
def test_at_perth_two_cards_whose_order_cannot_be_told_void_the_hands_they_lie_at() -> None:
    play = staked(PERTH, "Ann", "Bob", "Cyd")
    play.take(CardsCameTogether(("3H", "KH"), False))
    play.answer("double", "void", rank=3)
    assert ruled(play, "void_hand") == [(f"box {box}", "rank3", ("5.4", "5.6")) for box in (1, 2)]
    assert (play.phase, lying(play), money(play)) == ("dealing", ["void", "void"], {"mAnn": BACK, "mBob": BACK})
    play.take(CardsCameTogether(("3D", "KD"), False))
    play.answer("double", "void", rank=3)
    assert ruled(play, "void") == [("round, first cards", "rank3", ("5.4", "5.6"))]  # the dealer's is one of them
    assert (play.phase, lying(play), money(play)["mCyd"]) == ("over", ["void"] * 4, BACK)


@clause(PERTH, "5.4", "5.6")
def test_at_perth_a_burn_and_a_hands_card_at_once_void_that_hand_alone() -> None:
    play = tied(PERTH)
    for box, player in ((1, "Ann"), (2, "Bob")):
        play.lay(f"w{player}", player, box, "war", 1000)
    play.cards("3C", "4C")
    play.take(CardsCameTogether(("5C", "KD"), False))
    play.answer("double", "void", rank=3)
    assert ruled(play, "void_hand") == [("box 1", "rank3", ("5.4", "5.6"))]
    assert (money(play)["mAnn"], money(play)["wAnn"], "mBob" in money(play)) == (BACK, BACK, False)


@clause(MELBOURNE, "9.11", "9.11.1")
@clause(STAR, "11.6.1")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_where_the_round_stands_as_one_two_cards_whose_order_cannot_be_told_void_it(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.take(CardsCameTogether(("3H", "KH"), False))
    play.answer("double", "void", rank=2)
    why = ("9.11", "9.11.1") if house == MELBOURNE else ("11.6", "11.6.1")
    assert ruled(play, "void") == [("round, first cards", "rank2", why)]
    assert (play.phase, lying(play), money(play)) == ("over", ["void", "void"], {"mAnn": BACK, "mBob": BACK})


@clause(PERTH, "4.6(b)", "4.8(a)")
def test_at_perth_a_turned_card_that_came_with_another_burns_once_their_order_is_told() -> None:
    play = staked(PERTH, "Ann")
    play.card("KH")
    play.press("shoe_empty")
    play.press("shuffled")
    play.answer("cut", "cut")
    play.take(CardsCameTogether(("9S", "3D"), False))
    play.answer("double", "order", rank=2, faces=["3D", "9S"])
    slots = [slot.place for slot in play.game.state.round.slots if slot.stage == "first"]
    assert slots == ["box1", "shoe-start-up", *["shoe-burn"] * 3, "dealer"]
    play.cards("4D", "5D", "9H")
    assert (play.phase, money(play)) == ("interim", {"mAnn": WON})


# -- rebuilt late -----------------------------------------------------------------------------------------------------


@clause(STAR, "11.6", "11.12")
@clause(PERTH, "5.4")
@pytest.mark.parametrize("house", [PERTH, STAR])
def test_elsewhere_than_at_melbourne_a_hand_is_rebuilt_after_winners_were_paid_too(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    play.cards("KH", "9D", "9S")
    play.press("settled")
    play.press("misplaced", rank=1)
    assert ruled(play, "rebuild")[0][:2] == ("rebuilt in the order drawn", "rank1")
    assert (play.phase, play.questions(), money(play)) == ("choosing", ["choice:2:Bob"], {"mAnn": WON})


@clause(MELBOURNE, "9.4", "9.4.1")
def test_a_winner_who_was_paid_by_mistake_closes_the_time_for_a_rebuild_too() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("KD", "3D", "KS")
    play.press("settled_as", rank=3, wager="mBob", result="win")
    play.press("settled")
    play.press("misplaced", rank=4)
    asked = play.game.asked("misplaced")
    assert asked is not None
    assert asked.clauses == ("11.10",)


# -- a stake against the rules ----------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.5.2")
@clause(STAR, "5.2.3", "1.1 [invalid Wager]")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_with_an_invalid_main_stake_goes_what_needs_it_and_nothing_that_was_settled(house: str) -> None:
    play = opened(house)
    for box, player in ((1, "Ann"), (2, "Bob")):
        play.lay(f"m{player}", player, box, "main", 1000)
    play.lay("t", "Ann", 1, "tie", 1000)
    play.press("no_more_bets")
    play.cards("KH", "KD", "KS")
    play.press("settled")
    play.lay("w", "Ann", 1, "war", 1000)
    play.press("invalid_stake", rank=1, wager="mAnn")
    why = ("5.5.2",) if house == MELBOURNE else ("5.2.3", "1.1 [invalid Wager]")
    assert ruled(play, "invalid_stake") == [("mAnn: void, goes back", "rank1", why)]
    assert money(play) == {"t": ("win", 10_000, 0, 1000), "mAnn": BACK, "w": BACK}
    assert [choice.player for choice in play.game.state.round.choices] == ["Bob"]
    play.press("invalid_stake", rank=1, wager="t")
    assert money(play)["t"] == ("win", 10_000, 0, 1000)
    play.lay("wBob", "Bob", 2, "war", 1000)
    play.press("invalid_stake", rank=1, wager="wBob")
    assert (play.phase, money(play)["wBob"], "mBob" in money(play)) == ("war_dealing", BACK, False)


@clause(PERTH, "4.8(a)")
def test_a_side_stake_that_is_invalid_takes_no_other_along() -> None:
    play = tied(PERTH)
    play.lay("w", "Ann", 1, "war", 1000)
    play.lay("p", "Ann", 1, "perfect_pairs", 1000)
    play.press("invalid_stake", rank=1, wager="p")
    assert (money(play), play.questions()) == ({"mCyd": LOST, "p": BACK}, ["choice:2:Bob"])


@clause(MELBOURNE, "5.5.2")
@clause(STAR, "5.2.3")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_stake_found_invalid_after_the_round_is_only_recorded(house: str) -> None:
    play = staked(house, "Ann")
    play.cards("KH", "9S")
    play.press("settled")
    play.press("invalid_stake", rank=1, wager="mAnn")
    assert (play.phase, money(play), len(ruled(play, "invalid_stake"))) == ("over", {"mAnn": WON}, 1)


@clause(MELBOURNE, "5.5.2")
@clause(STAR, "5.2.3")
@pytest.mark.parametrize(("house", "tie"), [(MELBOURNE, LOST), (STAR, BACK)])
def test_a_tie_stays_without_its_main_stake_only_where_it_may_lie_alone(
    house: str, tie: tuple[str, int, int, int]
) -> None:
    play = opened(house)
    for player in ("Ann", "Bob"):
        box = 1 if player == "Ann" else 2
        play.lay(f"m{player}", player, box, "main", 1000)
        play.lay(f"t{player}", player, box, "tie", 1000)
    play.press("no_more_bets")
    play.card("KH")
    play.press("invalid_stake", rank=1, wager="mAnn")
    play.cards("3D", "9S")
    assert money(play) == {"mAnn": BACK, "tAnn": tie, "mBob": LOST, "tBob": LOST}


# -- words that are only recorded -------------------------------------------------------------------------------------


@clause(MELBOURNE, "6.2.1")
def test_a_player_who_was_told_of_the_minimum_is_remembered_once() -> None:
    play = opened(MELBOURNE)
    play.press("warned", rank=1, player="Ann")
    assert play.refusals()[-1].code == "not_there"
    play.press("sit", box=1, player="Ann")
    for _ in range(2):
        play.press("warned", rank=1, player="Ann")
    assert play.game.state.players.warned == ["Ann"]
    assert noted(play, "warned_under_minimum") == [{"player": "Ann", "by": "rank1"}] * 2


@clause(MELBOURNE, "5.13")
@clause(PERTH, "6.3")
@pytest.mark.parametrize(("house", "rank", "why"), [(MELBOURNE, 2, "5.13"), (PERTH, 3, "6.3")])
def test_who_may_allow_several_boxes_may_do_so_before_anybody_asks_or_instead_of_an_answer(
    house: str, rank: int, why: str
) -> None:
    play = opened(house)
    play.press("sit", box=1, player="Ann")
    play.press("allow_several", rank=rank, player="Ann")
    play.press("allow_several", rank=rank, player="Ann")
    for player in ("Ann", "Bob"):
        for box in (1, 2):
            play.lay(f"{player}{box}", player, box, "main", 1000)
    assert play.questions() == ["several:Bob"]
    play.press("allow_several", rank=rank - 1, player="Bob")
    assert (codes(play), play.questions()) == (["rank_too_low"], ["several:Bob"])
    play.press("allow_several", rank=rank, player="Bob")
    assert (play.questions(), withdrawn(play)) == ([], ["several:Bob"])
    assert play.game.state.players.several == ["Ann", "Bob"]
    assert ruled(play, "several_boxes") == [(player, f"rank{rank}", (why,)) for player in ("Ann", "Ann", "Bob")]


@clause(STAR, "11.19.1", "11.19.2", "11.21.2")
@clause(MELBOURNE, "11.10")
@pytest.mark.parametrize(
    ("paid", "due", "report"), [(150_000, 50_000, False), (150_001, 50_000, True), (0, 100_001, True)]
)
def test_a_wrong_payment_over_a_thousand_dollars_goes_into_the_months_report(paid: int, due: int, report: bool) -> None:
    for house, why in ((STAR, ("11.19.1", "11.19.2", "11.21.2")), (MELBOURNE, ("11.10", "11.11"))):
        play = opened(house)
        play.press("player_card", player="Ann")
        play.lay("m", "Ann", 1, "main", 1000)
        play.press("mispaid", rank=1, wager="m", paid=paid, due=due)
        play.press("mispaid", rank=1, wager="m", paid=paid, due=due, intended=True)
        play.press("mispaid", rank=1, wager="m", paid=paid)
        play.press("mispaid", rank=1, wager="n", paid=paid, due=due)
        play.press("mispaid", rank=1, wager="m", paid=due, due=due)
        play.press("mispaid", rank=1, wager="m", paid=-100, due=due)
        play.press("mispaid", rank=1, wager="m", paid=paid, due=due, to="Ann")
        wrong = ["bad_argument", "not_there", "paid_right", "bad_amount", "unknown_argument"]
        assert codes(play) == wrong
        facts: dict[str, Any] = {"wager": "m", "paid": paid, "due": due, "by": "rank1", "report": report}
        assert noted(play, "mispaid") == [{**facts, "intended": False}, {**facts, "intended": True}]
        cited = [one.clauses for one in play.effects if isinstance(one, Noted) and one.what == "mispaid"]
        assert cited == [why] * 2


# -- words that mean nothing ------------------------------------------------------------------------------------------


@clause(MELBOURNE, "7.1", "9.12.2")
def test_a_card_that_is_none_is_refused_and_a_missing_card_need_not_be_described() -> None:
    play = staked(MELBOURNE, "Ann")
    play.cards("KH")
    for face in ("1S", "CUT", "??"):
        play.press("misread", rank=2, face=face)
    play.press("misread", rank=2, card=7, face="QH")
    assert codes(play) == ["bad_card"] * 3 + ["no_such_card"]
    play.press("wrong_deck", rank=1)
    asked = play.game.asked("wrong_deck")
    assert asked is not None
    assert asked.evidence == {"finding": "A card is missing or foreign.", "card": -1, "by": "rank1"}


@clause(STAR, "12.3.1", "12.3.3")
def test_damaged_cards_may_be_entered_with_commas_and_each_must_be_a_card() -> None:
    play = staked(STAR, "Ann", source="csm")
    play.card("KS")
    play.take(SourceStopped("jam"))
    for step, answer in (("harm", "no"), ("spare", "yes"), ("transfer", "yes")):
        play.answer(f"device_{step}", answer)
    play.answer("device_damage", "yes", damaged="9H, XX")
    assert (codes(play), play.questions()) == (["bad_card"], ["device_damage"])
    play.answer("device_damage", "yes", damaged="9H, ,2D;")
    assert noted(play, "damaged")[0]["cards"] == ["9H", "2D"]


@clause(MELBOURNE, "5.6", "11.10")
def test_a_player_who_is_asked_again_is_no_longer_away_and_others_still_are() -> None:
    play = tied(MELBOURNE)
    for player in ("Ann", "Cyd"):
        play.press("absent", rank=1, player=player)
    play.answer("silent:1:Ann", "wait", rank=1)
    assert sorted(play.questions()) == ["choice:1:Ann", "choice:2:Bob"]
    assert play.game.state.round.absent == ["Cyd"]


@clause(MELBOURNE, "9.8.1")
@clause(STAR, "11.6")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_round_whose_last_stake_was_settled_otherwise_is_over_and_valid(house: str) -> None:
    play = tied(house)
    play.answer("choice:1:Ann", "surrender")
    play.press("settled_as", wager="mBob", result="standoff")
    assert (play.phase, record(play)["valid"]) == ("over", True)
    assert told(play, Settled) == [["mCyd"], ["mAnn"], ["mBob"]]
