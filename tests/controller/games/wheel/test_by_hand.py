"""Big Wheel played on without its sensor or its chip mat: what is keyed decides as what is read does."""

from __future__ import annotations

import pytest

from controller.core.effects import Announced, Refused, Settled
from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.games.wheel.game import WheelGame
from drivers.wheel import WheelRested, WheelStarted
from tests.controller.games.wheel.play import Play, verdict

pytestmark = pytest.mark.guards("melbourne-wheel")


def declared(play: Play, *places: str) -> Play:
    """These are dead, and somebody of rank has said that it is played on without them."""
    for place in places:
        play.down(place)
        assert play.life == "suspended"
        play.press("by_hand", 2, device=place, reason="dead for the night")
        assert play.life == "open"
    return play


def refusal(play: Play, key: str, rank: int = 1, **args: object) -> Refused:
    (refused,) = (effect for effect in play.press(key, rank, **args) if isinstance(effect, Refused))
    return refused


def keys(play: Play) -> set[str]:
    return {key.name for key in play.table.available()}


def spun_by_hand(play: Play, symbol: str, turns: str = "enough") -> None:
    play.press("wheel_spun", sense="clockwise")
    play.press("no_more_bets")
    play.press("wheel_rests", symbol=symbol, turns=turns)


def round_by_hand(play: Play, **staked: tuple[str, int]) -> Settled:
    """A whole round without sensor and mat: stakes, spin, payment, each by key; the wheel rests in A."""
    play.press("place_bets")
    for player, (symbol, cents) in staked.items():
        play.press("chips_laid", area=play.area(symbol), player=player, cents=cents)
    spun_by_hand(play, "A")
    settled = next(effect for effect in play.press("acknowledge") if isinstance(effect, Settled))
    if "taken_and_paid" in keys(play):
        play.press("taken_and_paid")
    if "paid" in keys(play):
        play.press("paid")
    assert play.table.game.idle()
    return settled


@pytest.mark.clause("melbourne-wheel", "5.1.3", "6.1 Option 1 Symbol A")
def test_a_spin_whose_sensor_dies_is_finished_by_the_eye_and_two_more_are_played() -> None:
    play = Play().opened()
    play.press("place_bets")
    play.bet("Ann", "A", 10)
    play.launch()
    play.turn(1)
    play.press("no_more_bets")
    declared(play, "wheel")
    play.press("wheel_rests", symbol="A", turns="enough")
    settled = next(effect for effect in play.press("acknowledge") if isinstance(effect, Settled))
    assert [(one.player, one.result, one.pays) for one in settled.results] == [("Ann", "win", 1000)]
    assert play.noted("symbol_by_eye")[-1]["by"] == "S1"
    declared(play, "chips")
    play.press("taken_and_paid")
    play.press("paid")
    for number in (2, 3):
        settled = round_by_hand(play, Ann=("B", 500), Bob=("A", 1000))
        assert settled.round == number
        assert {one.player: (one.result, one.pays) for one in settled.results} == {
            "Ann": ("lose", 0),
            "Bob": ("win", 1000),
        }
    assert [note["round"] for note in play.noted("played_by_hand")] == [1, 2, 3]


@pytest.mark.clause("melbourne-wheel", "7.1.1")
def test_fewer_than_three_turns_by_the_eye_are_a_no_spin_as_by_the_sensor() -> None:
    play = declared(Play().opened(), "wheel")
    play.press("place_bets")
    play.bet("Ann", "A", 10)
    spun_by_hand(play, "A", turns="too_few")
    asked = next(iter(play.table.state.desk.prompts.values()))
    assert (asked.subject, asked.proposal) == ("spin", "no_spin")
    play.answer("no_spin")
    assert play.table.game.machine.state == "betting_open"


def test_what_the_sensor_still_tells_is_on_record_and_changes_nothing() -> None:
    play = declared(Play().opened(), "wheel")
    play.press("place_bets")
    play.bet("Ann", "A", 10)
    spun_by_hand(play, "A")
    play.up("wheel")
    stands = play.table.game.save()
    play.event(WheelStarted("wheel", 7, "clockwise", 0))
    play.event(WheelRested("wheel", 7, verdict(3)))
    assert play.table.game.save() == stands
    assert play.table.state.by_hand["wheel"].unheard == 2
    assert [note["told"] for note in play.noted("by_hand_unheard")] == ["WheelStarted", "WheelRested"]
    assert "not_listened_to:wheel" in play.table.state.desk.alarms


def test_the_sensor_is_used_again_between_two_spins_and_by_rank_only() -> None:
    play = declared(Play().opened(), "wheel")
    assert refusal(play, "by_hand_over", 2, device="wheel").code == "not_heard"
    play.up("wheel")
    play.press("place_bets")
    assert "by_hand_over" not in keys(play)
    assert refusal(play, "by_hand_over", 2, device="wheel").code == "in_round"
    play.bet("Ann", "A", 10)
    spun_by_hand(play, "A")
    play.press("acknowledge")
    play.press("paid", 2, confirmed=True, reason="seen")
    assert refusal(play, "by_hand_over", 1, device="wheel").code == "rank_too_low"
    play.press("by_hand_over", 2, device="wheel")
    assert (play.life, play.table.state.by_hand, play.table.state.desk.alarms) == ("open", {}, {})
    assert not keys(play) & {"wheel_spun", "wheel_rests"}
    play.press("place_bets")
    play.launch()
    assert play.table.game.machine.state == "spin_open"


def test_stakes_that_were_laid_before_the_mat_died_are_settled_with_those_that_are_keyed() -> None:
    play = Play().opened()
    play.press("place_bets")
    play.bet("Ann", "A", 10)
    declared(play, "chips")
    play.press("chips_laid", area=play.area("B"), player="Bob", cents=500)
    play.press("chips_laid", area=play.area("C"), player="Cid", cents=500)
    play.press("chips_taken", area=play.area("C"))
    play.launch()
    play.press("no_more_bets")
    play.turn(3)
    play.rest("A")
    settled = next(effect for effect in play.press("acknowledge") if isinstance(effect, Settled))
    assert {one.player: (one.result, one.pays, one.stake_taken) for one in settled.results} == {
        "Ann": ("win", 1000, 0),
        "Bob": ("lose", 0, 500),
    }
    assert play.table.state.desk.prompts == {}, "nobody asks whether the layout was seen: it was keyed"


def test_what_no_chips_make_and_what_nothing_is_owed_for_is_refused() -> None:
    play = declared(Play().opened(), "chips")
    play.press("place_bets")
    assert refusal(play, "chips_laid", area=1, player="Ann", cents=150).code == "bad_amount"
    assert refusal(play, "chips_taken", area=1).code == "not_now"
    assert refusal(play, "taken_and_paid").code == "not_now"
    assert refusal(play, "wheel_spun", sense="clockwise").code == "not_now"


def test_a_mat_that_comes_back_is_counted_anew_and_what_lies_there_is_staked() -> None:
    play = declared(Play().opened(), "chips")
    round_by_hand_with_sensor(play)
    play.up("chips")
    play.event(ChipsCounted("chips", {1: (Chip(5, "cash", 1000),)}))
    play.event(ChipsMoved("chips", 2, (Chip(6, "cash", 500),)))
    assert play.table.money.state.laid == {}
    play.press("by_hand_over", 2, device="chips")
    assert {tag: spot.area for tag, spot in play.table.money.state.laid.items()} == {5: 1, 6: 2}
    assert play.table.game.chip_picture() == {1: [5], 2: [6]}
    assert [effect for effect in play.told if isinstance(effect, Announced) and effect.code == "by_hand"]


def round_by_hand_with_sensor(play: Play) -> None:
    play.press("place_bets")
    play.press("chips_laid", area=play.area("A"), player="Ann", cents=1000)
    play.launch()
    play.press("no_more_bets")
    play.turn(3)
    play.rest("A")
    play.press("acknowledge")
    play.press("taken_and_paid")
    play.press("paid")
    assert play.table.game.idle()
    assert play.table.money.state.laid == {}


def test_the_sign_says_that_it_is_played_by_hand_and_no_longer_when_it_is_not() -> None:
    play = declared(Play().opened(), "wheel")
    assert play.table.sign()["by_hand"] == ["wheel sensor"]
    play.up("wheel")
    play.press("by_hand_over", 2, device="wheel")
    assert "by_hand" not in play.table.sign()


def test_a_table_that_closes_forgets_it_and_stays_shut_until_it_is_declared_again() -> None:
    play = declared(Play().opened(), "wheel")
    play.press("close", 2)
    assert (play.life, play.table.state.by_hand) == ("closed", {})
    assert [note["by"] for note in play.noted("by_hand_over")] == ["table"]
    play.press("open")
    assert play.life == "suspended"
    play.press("by_hand", 2, device="wheel", reason="still dead")
    assert play.life in ("open", "opening")


def test_a_spin_that_is_called_off_after_its_sensor_died_leaves_no_wheel_that_turns_for_ever() -> None:
    play = Play().opened()
    play.press("place_bets")
    play.bet("Ann", "A", 10)
    play.launch()
    declared(play, "wheel")
    play.press("cancel_disruption", 4, reason="the lights went out")
    assert play.table.game.idle()
    play.press("place_bets")
    assert play.state == "betting_open"


def test_what_the_dealer_says_is_taken_is_taken_wherever_its_chips_were_seen_last() -> None:
    play = Play().opened()
    play.press("place_bets")
    tag = play.bet("Ann", "B", 10)
    play.launch()
    play.press("no_more_bets")
    play.slide(tag, "B", "C")
    play.turn(3)
    play.rest("A")
    if play.table.state.desk.prompts:
        play.answer("as_closed", 4, reason="seen on camera")
    play.press("acknowledge")
    declared(play, "chips")
    play.press("taken_and_paid")
    assert "taken_and_paid" not in keys(play), "what was said once need not be said again"
    assert play.table.game.idle()


@pytest.mark.clause("melbourne-wheel", "3.4", "3.7")
@pytest.mark.parametrize("ruled", [False, True])
def test_a_chip_on_a_line_is_nothing_that_a_mat_can_tell_once_it_is_played_without_it(ruled: bool) -> None:
    play = Play().opened()
    game = play.table.game
    assert isinstance(game, WheelGame)
    play.press("place_bets")
    play.unclear(10, "A", "B")
    if ruled:
        play.answer(f"area{play.area('A')}", rank=2)
        assert [laid.area for laid in game.state.picture.values()] == [play.area("A")]
    declared(play, "chips")
    assert (game.state.picture, play.table.state.desk.prompts) == ({}, {})
    play.press("chips_laid", area=play.area("B"), player="Ann", cents=500)
    play.launch()
    play.press("no_more_bets")
    play.rest("A")
    settled = next(effect for effect in play.press("acknowledge") if isinstance(effect, Settled))
    assert [(result.bet, result.result) for result in settled.results] == [("B", "lose")]
