"""What staff do around the hands, and the deck in the shuffler: charges, looks, prizes, conduct, card counts."""

from __future__ import annotations

from typing import Any

import pytest

from controller.config.tomlread import Cents
from controller.core.effects import Ordered, Ruled, Uncovered
from controller.games.poker.config import BonusSection
from drivers.shuffler import ShufflerLoaded, ShufflerPoweredUp, ShufflerState
from tests.controller.games.poker.play import HOUR_MS, PokerPlay, by_the_hour, config
from tests.controller.games.poker.seen import (
    READY,
    after_the_deal,
    alarms,
    cards_of,
    checked,
    clause,
    due,
    is_offered,
    make_ready,
    notes,
    pressed,
    ruled,
    seated,
    timers,
    with_shuffler,
    words,
)

# -- the hourly charge ------------------------------------------------------------------------------------------------


@clause("7.2.2(a)", "7.2.2(b)", "7.2.2(e)", "1.1 'Collection time'", "1.1 'Time Collection'")
def test_every_seat_that_can_pays_for_the_hour_and_level_two_checks_the_sum() -> None:
    play = seated(1000, 100, 100, setup=by_the_hour(10_000))
    play.press("start_hand")
    assert timers(play) == {"collection": play.at + HOUR_MS}
    play.press("cancel_disruption", 2, reason="test")
    play.game.state.seats[3].stack -= 1
    play.press("collect_time")
    assert play.stacks() == {1: 90_000, 2: 0, 3: 9_999}
    (note,) = notes(play, "time_charge")
    assert (note.facts, note.clauses) == (
        {"seats": [1, 2], "owing": [3], "amount": 20_000},
        ("7.2.2(a)", "7.2.2(b)"),
    )
    (told,) = words(play, "check_charge")
    assert (told.to, told.clauses) == ("dealer", ("7.2.2(e)",))
    assert play.refused("collect_time").code == "not_due"
    play.settle("collection")
    play.press("collect_time")
    play.press("check_time_charge", 2)
    assert ruled(play, "time_charge") == Ruled("time_charge", "$300", "S2", 2, ("7.2.2(e)", "7.2.2(d)"))
    assert play.refused("check_time_charge", 2).code == "nothing_collected"


@clause("1.1 'Collection time'", "7.2.2(a)")
def test_the_charge_falls_due_hour_by_hour_for_as_long_as_it_is_taken() -> None:
    play = seated(setup=by_the_hour())
    play.press("start_hand")
    play.press("cancel_disruption", 2, reason="test")
    for hours in (2, 3):  # the first was asked for before it began
        play.settle("collection")
        assert timers(play) == {"collection": play.at + HOUR_MS}
        assert [told.text for told in words(play, "collect_time")] == ["Collect $30 for the hour."] * hours
    assert words(play, "collect_time")[0].clauses == ("7.2.2(a)", "7.2.2(b)")
    play.press("waive_commission", 3)
    play.settle("collection")
    assert (len(words(play, "collect_time")), timers(play)) == (3, {})
    assert "charge_due" not in alarms(play)


@clause("7.2.2(a)", "7.2.2(b)")
def test_no_hourly_charge_is_collected_where_none_is_taken() -> None:
    play = seated()
    refusal = play.refused("collect_time")
    assert (refusal.code, refusal.clauses) == ("no_charge", ("7.2.2(b)",))
    due(play, "collection")
    assert (words(play, "collect_time"), timers(play)) == ([], {})


# -- looks at hands ---------------------------------------------------------------------------------------------------


@clause("8.21", "9.2")
@pytest.mark.parametrize(("key", "named"), [("look", "8.21"), ("inspect", "9.2")])
def test_exactly_the_hand_that_was_asked_for_is_opened_once_play_is_over(key: str, named: str) -> None:
    play = after_the_deal()
    play.press("fold")
    play.press("fold")
    refusal = play.refused(key, seat=7)
    assert (refusal.code, refusal.clauses) == ("no_hand", (named,))
    opened = play.press(key, seat=3)
    assert [effect.cards for effect in opened if isinstance(effect, Uncovered)] == [tuple(cards_of(play, 3))]
    assert ruled(play, key) == Ruled(key, "seat 3", "S1", 1, (named,))
    (note,) = notes(play, "hand_looked_at")
    faces = [play.faces[name] for name in cards_of(play, 3)]
    assert note.facts == {"seat": 3, "cards": faces, "by": "S1"}
    assert play.game.state.deal.faces == {}


# -- prizes, conduct, disputes ----------------------------------------------------------------------------------------


@clause("11.3", "11.3.1")
def test_a_verified_prize_is_on_record_with_its_winner_and_amount() -> None:
    prize = BonusSection("the quads jackpot", "four of a kind", amount=Cents(50_000))
    quads = ("As", "Ks", "Ah", "Kh", "7c", "Ad", "Ac", "2c", "8c", "3d", "9c", "4h")
    play = after_the_deal(1000, 1000, setup=config(bonus=(prize,)), deck=quads)
    play.check_down()
    assert not is_offered(play, "bonus")
    pressed(play, "table_hand", seat=play.wanted().seats[0])
    refusal = play.refused("bonus", 2, seat=2, prize="the quads jackpot")
    assert (refusal.code, refusal.clauses) == ("not_earned", ("11.3", "11.4"))
    play.show_all()
    (earned,) = play.game.state.earned
    play.finish()
    pressed(play, "bonus", 2, seat=earned.seat, prize="the quads jackpot")
    assert play.refused("bonus", 2, seat=earned.seat, prize="the quads jackpot").code in ("not_there", "not_earned")
    (note,) = notes(play, "bonus")
    assert note.clauses == ("11.3", "11.3.1")
    assert note.facts == {"seat": 1, "player": "P1", "prize": "the quads jackpot", "amount": 50_000}


@clause("13.2.2")
def test_level_four_bars_the_player_who_is_named_and_nobody_else() -> None:
    play = seated()
    refusal = play.refused("exclude", 4, player="P9", reason="cheating")
    assert (refusal.code, refusal.clauses) == ("not_there", ("13.2.2",))
    play.press("exclude", 4, player="P2", reason="cheating")
    assert ruled(play, "exclude") == Ruled("exclude", "P2", "S4", 4, ("13.2.2",), "cheating")
    assert sorted(play.game.state.seats) == [1, 3]


@clause("13.1", "13.9", "13.10")
def test_a_device_and_a_dispute_are_on_record() -> None:
    play = seated()
    play.press("device_seen", player="P2")
    (note,) = notes(play, "device_seen")
    assert (note.facts, note.clauses) == ({"player": "P2", "by": "S1"}, ("13.1",))
    play.press("dispute", 3, text="whose pot", decision="seat 2")
    assert ruled(play, "dispute") == Ruled("dispute", "seat 2", "S3", 3, ("13.10",), "whose pot")


# -- the deck in the shuffler -----------------------------------------------------------------------------------------


def orders(play: PokerPlay) -> list[Ordered]:
    return [effect for effect in play.told if isinstance(effect, Ordered) and effect.command == "StartCheck"]


@clause("3.1", "5.3.2")
def test_a_deck_is_checked_once_it_is_loaded_and_again_when_nothing_comes_of_it() -> None:
    play = with_shuffler()
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.event(READY)
    assert play.game.state.deck.status == "checking"
    assert timers(play) == {"deck_check": play.at + 20_000}
    play.event(READY)
    assert [order.args for order in orders(play)] == [{"check": 1, "decks": 1}]
    play.settle("deck_check")
    assert [order.args["check"] for order in orders(play)] == [1, 2]
    assert timers(play) == {"deck_check": play.at + 20_000}
    play.event(checked())
    assert (play.game.state.deck.status, timers(play)) == ("checked", {})
    play.event(READY)
    assert play.game.state.deck.status == "ready"
    due(play, "deck_check")
    assert len(orders(play)) == 2


@clause("3.1")
def test_checks_are_numbered_in_two_octets_and_begin_again_at_one() -> None:
    play = with_shuffler()
    play.game.state.deck.checks = 65_533
    for _ in range(3):
        play.press("count_cards", 2)
    assert [order.args["check"] for order in orders(play)] == [65_534, 65_535, 1]


@clause("3.1", "3.4")
def test_a_table_without_a_shuffler_orders_no_check_and_counts_by_hand() -> None:
    play = seated()
    play.press("count_cards", 2)
    assert ruled(play, "count_cards") == Ruled("count_cards", "ordered", "S2", 2, ("3.4",))
    assert (orders(play), timers(play), play.game.state.deck.status) == ([], {}, "")


@clause("3.1", "1.1 'Defective deck'")
def test_a_defective_deck_is_told_until_a_good_one_was_checked_and_a_broken_off_check_says_nothing() -> None:
    play = with_shuffler()
    play.event(READY)
    play.event(checked(unread=1, foreign=1, missing=("As", "Kd")))
    assert play.game.state.deck.status == "bad"
    assert play.table.state.desk.alarms["deck"].text == (
        "The deck is defective: As, Kd missing; 2 unreadable or foreign."
    )
    play.event(READY)
    assert len(orders(play)) == 1
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.event(READY)
    play.event(checked(complete=False))
    assert (play.game.state.deck.status, alarms(play), timers(play)) == ("loaded", {"deck"}, {})
    play.event(READY)
    play.event(checked(boxed=("2c", "3c", "4c", "5c")))
    assert (play.game.state.deck.status, alarms(play)) == ("checked", set())


@clause("3.1", "5.3.2")
@pytest.mark.parametrize(
    ("event", "after"),
    [
        (ShufflerState("shuffler", "shuffling", 52, True), "loaded"),
        (ShufflerState("shuffler", "empty", 0, True), ""),
        (ShufflerPoweredUp("shuffler", False, "ready", "single_deck", 52, True, True, 0), ""),
        (ShufflerPoweredUp("shuffler", True, "ready", "single_deck", 52, True, True, 0), "ready"),
    ],
)
def test_a_deck_that_was_ready_is_read_again_unless_the_shuffler_kept_its_memory(event: Any, after: str) -> None:
    play = with_shuffler()
    make_ready(play)
    play.event(event)
    assert play.game.state.deck.status == after
