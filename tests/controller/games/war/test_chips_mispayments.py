"""Wrong payments at a Casino War table with a watched float: found, put right or accepted, told, and on record."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Noted
from controller.core.events import ChipsMoved
from tests.controller.games.war.felt import owed
from tests.controller.games.war.paid import Paid
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause
from tests.controller.games.war.seen import refusal


def won(house: str = STAR, *, shared: bool = False, **config: Any) -> Paid:
    """Ann wins $25 on box 1, in a shared box together with Bob."""
    felt = Paid(house, **config)
    felt.press("player_card", 1, box=1, player="Ann")
    felt.put(1, "main", 2500)
    if shared:
        felt.press("assign", 1, box=1, zone="main", player="Bob")
        felt.put(1, "main", 2500)
    if house == MELBOURNE:
        felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("9H")
    assert felt.phase == "interim"
    return felt


@clause(STAR, "11.19.1", "11.19.2")
def test_a_payment_put_right_before_the_next_round_is_on_record_with_round_time_and_patron() -> None:
    felt = won()
    round_, area = felt.table.state.round, felt.area(1, "main")
    felt.pay(1, "main", 500)
    felt.settle()
    assert (felt.phase, refusal(felt)[0]) == ("interim", "mispaid")
    found_at = felt.at
    assert felt.record() == [
        {
            "item": f"{round_}/{area}/underpaid", "lacks": ["11.19.1", "11.19.2"], "round": round_, "area": area,
            "bet": "main 1", "kind": "underpaid", "cents": -2000, "found_at": found_at, "patron": "Ann",
            "intended": None, "cause": "", "remedy": "", "put_right_at": 0, "by": "",
        }
    ]  # fmt: skip
    felt.settle()
    assert len(felt.record()) == 1  # told once for each amount
    felt.pay(1, "main", 500)
    felt.settle()
    assert [one["cents"] for one in felt.record()] == [-2000, -1500]
    felt.pay(1, "main", 500, 500, 250, 250)
    felt.settle()
    assert (felt.phase, felt.table.state.round) == ("over", round_ + 1)
    felt.press("place_bets", 1)
    last = felt.record()[-1]
    assert (last["item"], last["round"], last["cents"]) == (f"{round_}/{area}/underpaid", round_, -1500)
    assert (last["remedy"], last["put_right_at"]) == ("put right at the table before the next round", felt.at)
    assert last["lacks"] == ["11.19.1"]
    assert felt.open_items() == [f"{round_}/{area}/underpaid"]


@clause(STAR, "11.19.1", "11.21.2")
def test_a_wrong_payment_that_is_accepted_is_recorded_once_under_its_own_round_and_stays_open() -> None:
    felt = won()
    round_, area = felt.table.state.round, felt.area(1, "main")
    felt.pay(1, "main", 2500, 100_000, 100)
    felt.settle(2, confirmed=True, reason="the patron has left")
    assert felt.phase == "over"
    felt.press("place_bets", 2, confirmed=True)
    assert felt.phase == "betting"
    (made,) = felt.record()
    assert (made["item"], made["round"], made["cents"]) == (f"{round_}/{area}/overpaid", round_, 100_100)
    (told,) = [one for one in felt.effects if isinstance(one, Noted) and one.what == "mispayment"]
    assert told.clauses == ("11.19.1", "11.21.2")
    assert felt.open_items() == [f"{round_}/{area}/overpaid"]


@clause(STAR, "11.19.1")
def test_what_was_let_pass_between_the_cards_is_not_asked_about_again_after_the_war_and_stands_once_on_record() -> None:
    felt = Paid()
    for box, player in enumerate(("Ann", "Bob"), start=1):
        felt.press("player_card", 1, box=box, player=player)
    main = felt.put(1, "main", 2500)
    lost = felt.put(2, "main", 2500)
    for card in ("KS", "4C", "KD"):
        felt.draw(card)
    felt.lift(2, "main", *lost)
    felt.settle(2, confirmed=True, reason="he ran with it")
    war = felt.put(1, "war", 2500)
    for card in ("2H", "8C"):
        felt.draw(card)
    felt.back(1, "main", *main)
    felt.back(1, "war", *war)
    felt.settle()
    assert felt.phase == "over"
    assert "take_and_pay" not in felt.table.state.desk.alarms
    felt.press("place_bets", 1)
    (made,) = felt.record()
    assert (made["bet"], made["kind"], made["cents"], made["put_right_at"]) == ("main 2", "taken_away", 2500, 0)


@clause(STAR, "11.21.2", "11.19.1")
@pytest.mark.parametrize(("cents", "clauses"), [
    (100_000, ("11.19.1",)), (100_100, ("11.19.1", "11.21.2")),
    (-100_000, ("11.19.1",)), (-100_100, ("11.19.1", "11.21.2")),
])  # fmt: skip
def test_only_a_single_wrong_payment_above_a_thousand_dollars_goes_to_the_regulator(
    cents: int, clauses: tuple[str, ...]
) -> None:
    felt = Paid()
    (told,) = felt.press("mispayment", 2, cents=cents)
    assert isinstance(told, Noted)
    assert told.clauses == clauses


@clause(STAR, "11.19.1")
def test_a_losing_stake_still_to_be_collected_is_no_wrong_payment_unless_it_is_let_pass() -> None:
    felt = Paid()
    felt.press("player_card", 1, box=1, player="Ann")
    (stake,) = felt.put(1, "main", 2500)
    felt.draw("9S")
    felt.draw("KH")
    felt.settle()
    assert (felt.phase, felt.record()) == ("interim", [])
    felt.settle(2, confirmed=True)
    (made,) = felt.record()
    assert (made["kind"], made["cents"], made["patron"], made["bet"]) == ("not_collected", 2500, "Ann", "main 1")
    assert made["found_at"] == felt.at
    collected = Paid()
    collected.press("player_card", 1, box=1, player="Ann")
    (stake,) = collected.put(1, "main", 2500)
    collected.draw("9S")
    collected.draw("KH")
    collected.settle()
    collected.back(1, "main", stake)
    collected.settle()
    assert (collected.phase, collected.record()) == ("over", [])


@clause(MELBOURNE, "5.15.2")
@clause(PERTH, "4.9")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_where_two_share_the_area_no_patron_is_named_and_where_no_record_is_asked_for_none_is_kept(house: str) -> None:
    felt = won(house, shared=True)
    felt.pay(1, "main", 100_000, 100_000)
    felt.settle()
    assert (felt.phase, refusal(felt)[0]) == ("interim", "mispaid")
    (made,) = felt.record()
    assert (made["patron"], made["kind"], made["cents"], made["lacks"]) == ("", "overpaid", 195_000, [])
    assert [one.clauses for one in felt.effects if isinstance(one, Noted) and one.what == "mispayment"] == [()]
    felt.settle(4, confirmed=True)
    felt.press("place_bets", 4, confirmed=True)
    assert felt.open_items() == []


@clause(STAR, "11.19.1")
def test_a_payment_on_a_box_nobody_plays_has_no_patron() -> None:
    felt = won()
    felt.pay(1, "main", 2500)
    felt.pay(3, "main", 500)
    felt.settle()
    (made,) = felt.record()
    assert (made["area"], made["kind"], made["cents"]) == (felt.area(3, "main"), "paid_without_win", 500)
    assert made["patron"] == ""


@clause(STAR, "11.19.2", "11.20.1", "11.20.2")
def test_a_wrong_payment_that_somebody_told_of_stays_open_until_somebody_says_how_it_was_put_right() -> None:
    felt = won()
    round_ = felt.table.state.round
    felt.pay(1, "main", 2500)
    felt.settle()
    (told,) = felt.press("mispayment", 2, cents=-500, bet="main 4", area=9, patron="P-1", intended=True)
    assert isinstance(told, Noted)
    item = f"{round_}/9/underpaid/{felt.seq}"
    assert told.facts == {
        "item": item, "lacks": ["11.19.1", "11.19.2", "11.20.1"], "round": round_, "area": 9, "bet": "main 4",
        "kind": "underpaid", "cents": -500, "found_at": felt.at, "patron": "P-1", "intended": True, "cause": "",
        "remedy": "", "put_right_at": 0, "by": "rank2",
    }  # fmt: skip
    felt.press("place_bets", 1)
    assert felt.open_items() == [item]
    assert len(felt.record()) == 1
    felt.press("mispayment", 2, item=item, remedy="paid at the cage", intended=False)
    paid_at = felt.at
    assert (felt.record()[-1]["put_right_at"], felt.record()[-1]["lacks"]) == (paid_at, ["11.19.1"])
    felt.press("mispayment", 2, item=item, remedy="paid at the cage, with a receipt", cause="miscounted")
    assert (felt.record()[-1]["put_right_at"], felt.record()[-1]["lacks"]) == (paid_at, [])
    assert felt.open_items() == []


@clause(STAR, "11.19.2", "11.21.1.1", "11.21.1.2")
def test_a_told_payment_needs_its_cents_and_an_unknown_one_is_answered_with_those_that_are_open() -> None:
    felt = Paid()
    felt.press("mispayment", 2, item="7/1/overpaid", remedy="taken back")
    assert refusal(felt) == ("no_such_item", ("11.19.1",))
    assert "open are: none." in felt.refusals()[-1].text
    felt.press("mispayment", 2, cents=0)
    assert refusal(felt)[0] == "bad_amount"
    for cents, kind in ((1, "overpaid"), (-1, "underpaid")):
        felt.press("mispayment", 2, cents=cents)
        made = felt.record()[-1]
        assert (made["kind"], made["cents"], made["area"], made["bet"]) == (kind, cents, 0, "")
        assert made["round"] == felt.table.state.round
    felt.press("mispayment", 2, cents=1, round=3)
    assert felt.record()[-1]["round"] == 3
    felt.press("mispayment", 2, item="7/1/overpaid", remedy="taken back")
    assert f"open are: {', '.join(felt.open_items())}." in felt.refusals()[-1].text
    assert len(felt.open_items()) == 3


@clause(STAR, "11.19.1", "11.19.2", "11.20.2")
def test_a_page_picks_the_open_record_from_what_is_there_and_yes_or_no_is_no_word() -> None:
    felt = won()
    felt.pay(1, "main", 500, 500)
    felt.settle(3, confirmed=True, reason="the rest is missing")
    (form,) = [key.asks for key in felt.table.available() if key.name == "mispayment"]
    ready = {ask.name: ask.choices for ask in form if not ask.aside}
    (item,) = felt.open_items()
    assert ready == {
        "item": ((item, "Round 1, main of box 1: $15 too little"),), "cents": (), "area": (("1", "Main of box 1"),),
        "cause": (), "remedy": (), "patron": (("Ann", "Ann"),), "intended": (),
    }  # fmt: skip
    felt.press("mispayment", 2, item=item, intended="no")
    assert felt.refusals()[-1].code == "bad_argument"
    felt.press("mispayment", 2, item=item, cause="miscounted", remedy="paid at the cage", intended=False)
    assert (felt.open_items(), felt.record()[-1]["intended"], felt.record()[-1]["lacks"]) == ([], False, [])


@clause(STAR, "11.19.1")
def test_a_result_confirmed_after_its_chips_were_taken_asks_for_nothing_and_another_one_for_the_difference() -> None:
    for result, left in (("lose", []), ("standoff", [("main 1", "underpaid", 2500)])):
        felt = Paid()
        felt.press("player_card", 1, box=1, player="Ann")
        (tag,) = felt.put(1, "main", 2500)
        felt.draw("6C")
        felt.draw("7H")
        felt.back(1, "main", tag)
        felt.press("settled_as", 4, wager="main 1 Ann", result=result)
        assert (felt.phase, owed(felt)) == ("over", left)


@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_losing_stake_that_is_unread_is_on_its_way_and_no_wrong_payment(house: str) -> None:
    felt = Paid(house)
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    (stake,) = felt.put(1, "main", 2500)
    if house == MELBOURNE:
        felt.press("no_more_bets", 1)
    felt.draw("9S")
    felt.draw("KH")
    felt.take(ChipsMoved("chips", felt.area(1, "main"), unread=(stake,)))
    felt.settle()
    assert (felt.phase, refusal(felt)[0], felt.record()) == ("interim", "not_read_yet", [])
    felt.back(1, "main", stake)
    felt.settle()
    assert (felt.phase, felt.record()) == ("over", [])
