"""What stands against a player: nothing is paid while it is open, and what is decided reaches results and money."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsMoved
from tests.controller.games.wheel.play import Play, clause, money, note, ruled


def due(play: Play, symbol: str = "D") -> int:
    return play.table.money.unpaid(play.area(symbol))


def shown(play: Play, wager: str = "Ann/D") -> tuple[str, int, bool]:
    (result,) = [one for one in play.table.game.state.round.results if one.wager == wager]  # type: ignore[attr-defined]
    return result.result, result.pays, result.withheld


def answer(play: Play, what: str) -> None:
    play.answer(what, 4, reason="seen by two")
    assert play.refused == ""


@clause("9.2.3", "9.1")
def test_winnings_are_not_paid_while_nobody_has_decided_about_a_device(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.bet("Bob", "D", 10)
    play.press("device_seen", player="Ann")
    results = play.result("D")
    assert [(one.withheld, one.pays) for one in results.values()] == [(True, 11_000), (False, 11_000)]
    assert due(play) == 11_000
    answer(play, "nothing")
    assert (shown(play), due(play)) == (("win", 11_000, False), 22_000)
    assert note(play, "winnings_released").facts == {"player": "Ann", "bet": "D", "cents": 11_000}


@clause("9.2.3", "9.1")
@pytest.mark.parametrize("when", ["result", "collect", "pay"])
def test_a_device_seen_before_the_payment_holds_it_back(play: Play, when: str) -> None:
    play.bet("Ann", "D", 10)
    lost = play.bet("Bob", "A", 10)
    play.spin_to("D")
    if when != "result":
        play.press("acknowledge")
    if when == "pay":
        play.lift("A", lost)
    assert play.state == when
    play.press("device_seen", player="Ann")
    if when == "result":
        play.press("acknowledge")
    assert (shown(play), due(play)) == (("win", 11_000, True), 0)
    answer(play, "withhold")
    assert (shown(play), due(play)) == (("win", 11_000, True), 0)


@clause("9.2.1", "9.1", "1.1 'Void'")
@pytest.mark.parametrize("wager", ["D", "A"])
@pytest.mark.parametrize("how", ["question", "key"])
@pytest.mark.parametrize("when", ["result", "collect"])
def test_wagers_declared_void_before_they_are_paid_or_taken_go_back(
    play: Play, wager: str, how: str, when: str
) -> None:
    play.bet("Ann", wager, 10)
    play.bet("Bob", "A", 10)
    play.spin_to("D")
    if when == "collect":
        play.press("acknowledge")
    if how == "key":
        play.press("void", 4, player="Ann", reason="a device")
    else:
        play.press("device_seen", player="Ann")
        answer(play, "void")
    if when == "result":
        play.press("acknowledge")
    assert shown(play, f"Ann/{wager}") == ("void", 0, False)
    assert play.table.money.state.due[play.area(wager)].net == (0 if wager == "D" else -1000)
    if when == "collect":
        (undone,) = play.reversals
        assert [(one.wager, money(one), one.clauses) for one in undone.results] == [
            (f"Ann/{wager}", (0, 0, 10), ("9.2.1", "1.1 'Void'"))
        ]


@clause("9.2.3")
def test_winnings_that_are_paid_already_cannot_be_withheld(play: Play) -> None:
    chip = Chip(900, "cash", 11_000)
    play.bet("Ann", "D", 10)
    play.result("D")
    play.event(ChipsMoved("chips", play.area("D"), (chip,)))
    assert due(play) == 0
    play.press("withhold", 4, player="Ann", reason="suspected")
    assert shown(play) == ("win", 11_000, False)


@clause("9.2.3")
@pytest.mark.parametrize("winnings", ["pay", "keep"])
def test_an_inquiry_ends_with_the_withheld_winnings_of_all_its_rounds_paid_or_kept(play: Play, winnings: str) -> None:
    play.press("sit", seat=1, player="Ann")
    play.press("withhold", 4, player="Ann", reason="suspected")
    for _ in range(2):
        play.bet("Ann", "D", 10)
        play.result("D")
        play.press("inquiry_over", 4, player="Ann", outcome="heard", winnings="keep")
        assert play.refused == "spin_open"
        play.settle_up()
        play.press("place_bets")
    play.press("inquiry_over", 4, player="Ann", outcome="heard")
    assert play.refused == "say_which"
    play.press("inquiry_over", 4, player="Ann", outcome="heard", winnings=winnings)
    assert (ruled(play).answer, ruled(play).reason) == ("Ann: heard", winnings)
    booked = [facts["cents"] for facts in play.noted("booked")]
    words = [one.text for one in play.announced("pay_held")]
    assert (booked, words) == (
        ([22_000], ["Pay Ann $220: winnings that were withheld."]) if winnings == "pay" else ([], [])
    )
    assert "inquiry_over" not in {key.name for key in play.table.available()}


@clause("9.2.3", "9.3", "9.5")
def test_winnings_of_a_spin_that_is_taken_back_are_owed_to_nobody(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.press("withhold", 4, player="Ann", reason="suspected")
    play.result("D")
    play.settle_up()
    play.press("cancel_fraud", 4, reason="marked wheel")
    play.press("inquiry_over", 4, player="Ann", outcome="heard", winnings="pay")
    assert play.announced("pay_held") == []
