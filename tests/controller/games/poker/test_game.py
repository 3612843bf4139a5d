"""Crown Poker at the table: whole hands, the table closed, terms changed, time running out, the sign."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.core.desk import Key
from controller.core.effects import Announced, Noted, Refused, Ruled, Settled, Uncovered
from controller.games.poker.config import BonusSection, PokerSection, RakeSection
from controller.games.poker.offers import GAMES
from tests.controller.games.poker.play import PokerPlay, config, replayed

BOOK = "melbourne-poker"


def announced(play: PokerPlay, code: str) -> list[str]:
    return [effect.text for effect in play.told if isinstance(effect, Announced) and effect.code == code]


def total(play: PokerPlay) -> int:
    return sum(play.stacks().values())


# -- whole hands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_from_the_blinds_to_the_drop_and_no_chip_is_lost(game: str) -> None:
    play = PokerPlay(config(game=game))
    play.seat(1000, 1000, 1000, 1000)
    for _ in range(3):
        play.start()
        play.check_down()
        settled = play.finish()
        assert settled.outcome == "showdown"
        assert sum(r.pays - r.stake_taken for r in settled.results) == 0
        assert total(play) == 400_000
        assert play.phase == "between_hands"
    assert replayed(play) == play.table.save()


@pytest.mark.clause(BOOK, "7.2.1", "7.2.1(b)")
def test_the_commission_lies_on_the_drop_before_it_is_dropped() -> None:
    setup = config()
    rake = RakeSection("percentage", 5, Cents(1_000))
    setup = msgspec.structs.replace(setup, play=msgspec.structs.replace(setup.own(PokerSection), rake=rake))
    play = PokerPlay(setup)
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 12_500)
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    assert play.phase == "drop"
    refusal = play.refused("dropped")
    assert refusal.code == "drop_differs"
    assert "$10 is due" in refusal.text
    play.put(play.game.layout.drop, 1_000)
    play.press("dropped")
    assert play.phase == "between_hands"
    assert total(play) == 300_000 - 1_000
    note = next(effect for effect in play.told if isinstance(effect, Noted) and effect.what == "hand_over")
    assert note.facts["rake"] == 1_000


@pytest.mark.clause(BOOK, "8.17.3(a)")
def test_everybody_folds_by_throwing_in_the_cards_and_the_last_wins_without_showing() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.fold(3)
    play.fold(1)
    assert play.phase == "award"
    settled = play.finish()
    assert settled.outcome == "uncontested"
    assert not any(isinstance(effect, Uncovered) for effect in play.told)
    assert play.stacks() == {1: 99_500, 2: 100_500, 3: 100_000}


@pytest.mark.clause(BOOK, "8.21")
def test_a_hand_is_looked_at_only_once_play_is_over_and_who_looked_is_on_record() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    assert play.refused("look", seat=1).clauses == ("8.21",)
    play.fold(3)
    play.fold(1)
    play.press("look", seat=2)
    note = next(effect for effect in play.told if isinstance(effect, Noted) and effect.what == "hand_looked_at")
    assert note.facts["by"] == "S1"


# -- seats -------------------------------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "6.3", "8.1.1", "4.1 Holdem")
def test_a_seat_is_taken_with_a_buy_in_by_one_player() -> None:
    play = PokerPlay()
    assert play.refused("sit", seat=1, player="P1", amount=9_000).clauses == ("6.3",)
    assert play.refused("sit", seat=10, player="P1", amount=10_000).clauses == ("2.1",)
    play.press("sit", seat=1, player="P1", amount=10_000)
    assert play.refused("sit", seat=1, player="P2", amount=10_000).clauses == ("8.1.1",)
    assert play.refused("sit", seat=2, player="P1", amount=10_000).code == "seated"
    assert play.refused("start_hand").code == "too_few"


@pytest.mark.clause(BOOK, "6.11", "1.1 'Buy-in'")
def test_chips_join_a_stack_only_out_of_the_hand() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    assert play.refused("add_chips", seat=3, amount=10_000).clauses == ("6.11",)
    play.fold(3)
    play.press("add_chips", seat=3, amount=10_000)
    play.fold(1)
    play.finish()
    assert play.stacks()[3] == 110_000


@pytest.mark.clause(BOOK, "8.9.3", "1.1 'Absent Button'")
def test_a_player_who_walks_past_the_blind_has_missed_it_and_waits_or_posts() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.start()
    play.fold(3)
    play.fold(4)
    play.fold(1)
    play.finish()
    play.press("walk", seat=3)
    play.start()
    seats = {player.seat for player in play.game.hand.betting.players}
    assert seats == {1, 2, 4}
    assert play.game.state.seats[3].flags.absent
    while play.phase == "bet1":
        play.fold(play.wanted().seats[0])
    play.finish()
    play.press("back", seat=3)
    play.gather()
    play.press("start_hand")
    assert 3 not in {player.seat for player in play.game.hand.betting.players}
    play.press("cancel_disruption", 2, reason="test")
    play.press("posts", seat=3)
    play.press("start_hand")
    assert any(due.seat == 3 and due.amount == 1_000 for due in play.game.hand.dues)


@pytest.mark.clause(BOOK, "8.3")
def test_who_leaves_during_a_hand_is_gone_after_it() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.press("leave", seat=1)
    assert 1 in play.game.state.seats
    play.fold(3)
    play.fold(1)
    play.finish()
    assert set(play.stacks()) == {2, 3}


# -- rulings, notices, side wagers --------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "13.5.1", "13.6")
def test_a_hand_that_is_invalidated_gives_everybody_everything_back() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 12_500)
    assert play.refused("cancel_disruption", 1, reason="fire").code == "rank_too_low"
    play.press("cancel_disruption", 2, reason="fire")
    settled = next(effect for effect in play.told if isinstance(effect, Settled))
    assert settled.outcome == "refunded"
    assert {r.player: r.stake_returned for r in settled.results} == {"P1": 500, "P2": 1_000, "P3": 12_500}
    assert play.stacks() == {1: 100_000, 2: 100_000, 3: 100_000}


@pytest.mark.clause(BOOK, "13.3")
def test_the_table_closes_after_three_hands_or_when_all_agree() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.press("close", 3)
    assert play.table.state.closing.rounds == 3
    assert play.refused("close", 3).code == "notice_runs"
    play.start()
    play.fold(play.wanted().seats[0])
    play.finish()
    assert play.table.state.closing.rounds == 2
    play.press("close_agreed", 3)
    play.press("close", 3)
    assert play.table.state.life == "closed"


@pytest.mark.clause(BOOK, "6.10")
def test_a_change_of_game_comes_after_three_hands_or_when_most_agree() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    assert play.refused("change_game", 2, game="omaha").code == "rank_too_low"
    assert play.refused("change_game", 3, blinds=[500, 300]).code == "not_allowed"
    play.press("change_game", 3, game="omaha")
    for hand in range(4):
        play.start()
        assert play.game.hand.terms.game.name == ("Holdem" if hand < 3 else "Omaha")
        while play.phase == "bet1":
            play.fold(play.wanted().seats[0])
        play.finish()
    play.press("change_game", 3, game="holdem")
    play.press("agree", seat=1)
    play.press("agree", seat=2)
    play.gather()
    play.press("start_hand")
    assert play.game.hand.terms.game.name == "Holdem"


@pytest.mark.clause(BOOK, "7.3", "7.4")
def test_level_three_changes_the_commission_between_hands() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    wrong = play.refused("change_commission", 3, method="percentage", percent=11, cap=1_000)
    assert wrong.clauses == ("7.2.1",)
    play.press("change_commission", 3, method="percentage", percent=10, cap=1_000)
    assert play.game.state.terms.commission.percent == 10
    play.start()
    assert play.refused("waive_commission", 3).clauses == ("7.4",)


@pytest.mark.clause(BOOK, "8.15.1", "8.15.2", "10.1.1(c)", "10.2.1")
def test_a_side_wager_is_placed_before_the_cards_and_settled_with_the_hand() -> None:
    deck = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd", "7c", "8c", "9c", "Tc")
    play = PokerPlay(config(side_wagers=True), deck)
    play.seat(1000, 1000)
    layout = play.game.layout
    play.press("start_hand")
    play.put(layout.side(1, "red"), 1_000)
    play.put(layout.side(2, "black"), 500)
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    late = play.game.hand
    play.put(layout.side(2, "black"), 500)
    assert [wager.amount for wager in late.side] == [1_000, 500]
    assert any(isinstance(effect, Refused) and effect.clauses == ("8.15.2",) for effect in play.told)
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(layout.pot)
    play.settle("push")
    assert play.phase == "drop"
    assert play.refused("dropped").code == "not_seen"
    play.press("dropped", confirmed=True)
    settled = next(effect for effect in play.told if isinstance(effect, Settled))
    side = {r.bet: (r.result, r.pays, r.stake_taken) for r in settled.results if r.bet.startswith("flop")}
    assert side == {"flop chase red": ("win", 7_000, 0), "flop chase black": ("lose", 0, 500)}
    assert total(play) == 200_000 + 7_000 - 500


@pytest.mark.clause(BOOK, "6.15", "6.15.1")
def test_the_time_to_act_runs_out_and_is_ruled_on() -> None:
    play = PokerPlay(config(time_to_act_s=30, extensions=1, extension_s=60, extension_fee=Cents(500)))
    play.seat(1000, 1000, 1000)
    play.start()
    due = play.table.state.desk.timers["act"]
    play.press("buy_time")
    assert play.table.state.desk.timers["act"] > due + 59_000
    play.settle("act")
    assert play.asked().proposal == "dead_hand"
    play.answer("dead_hand", 1)
    assert play.wanted().seats == (1,)


def test_every_key_has_a_rank_and_a_clause_of_the_rulebook() -> None:
    play = PokerPlay()
    keys = play.game.keys.values()
    assert all(isinstance(key, Key) and key.rank >= 1 and key.clause for key in keys)
    assert "personal_limit" not in play.table.keys


# -- staff around the hands --------------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "7.2.2(a)", "7.2.2(b)", "7.2.2(e)", "1.1 'Collection time'", "1.1 'Time Collection'")
def test_the_hourly_charge_is_collected_from_everybody_and_checked_before_it_is_dropped() -> None:
    setup = config()
    rake = RakeSection("time", fee=Cents(1_000))
    play = PokerPlay(msgspec.structs.replace(setup, play=msgspec.structs.replace(setup.own(PokerSection), rake=rake)))
    play.seat(1000, 1000, 1000)
    play.press("walk", seat=3)
    play.start()
    assert play.refused("collect_time").code == "hand_under_way"
    play.fold(play.wanted().seats[0])
    play.finish()
    play.settle("collection")
    assert announced(play, "collect_time") == ["Collect $30 for the hour."] * 2  # the first hour's was not collected
    before = total(play)
    play.press("collect_time")
    assert total(play) == before - 3_000
    assert play.refused("check_time_charge", 1).code == "rank_too_low"
    play.press("check_time_charge", 2)
    assert play.refused("check_time_charge", 2).code == "nothing_collected"


@pytest.mark.clause(BOOK, "8.1.2", "13.2.2", "13.1", "13.9", "13.10", "13.4", "13.2.3", "13.2.4")
def test_staff_powers_are_used_by_their_rank_and_put_on_record() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    assert play.refused("exclude", 3, player="P1", reason="cheating").clauses == ("13.2.2",)
    play.press("exclude", 4, player="P1", reason="cheating")
    assert 1 not in play.game.state.seats
    assert announced(play, "seat_free") == ["Offer seat 1 to the seated players before the waiting list."]
    play.press("device_seen", player="P2")
    assert announced(play, "device") == ["Call level 4 to decide about P2."]
    play.press("dispute", 3, text="whose pot", decision="seat 2")
    assert announced(play, "inspector")
    for key, rank, args in (
        ("conduct", 3, {"player": "P2", "ruling": "warned"}),
        ("withhold", 4, {"player": "P2", "reason": "inquiry"}),
        ("confiscate", 4, {"player": "P2", "reason": "telephone"}),
    ):
        assert play.refused(key, rank - 1, **args).code == "rank_too_low"
        play.press(key, rank, **args)
        assert any(isinstance(effect, Ruled) and effect.subject == key for effect in play.told)


@pytest.mark.clause(BOOK, "9.2")
def test_a_hand_that_one_player_saw_is_shown_to_all_at_the_end() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.fold(3)
    assert play.refused("inspect", seat=3).clauses == ("9.2",)
    play.fold(1)
    play.press("inspect", seat=3)
    assert any(isinstance(effect, Ruled) and effect.clauses == ("9.2",) for effect in play.told)


@pytest.mark.clause(BOOK, "11.1", "11.2", "11.3", "11.3.1")
def test_a_tabled_hand_that_earns_a_prize_calls_level_two() -> None:
    prize = BonusSection("the quads jackpot", "four of a kind", amount=Cents(50_000))
    deck = ("As", "2c", "Ah", "2d", "9c", "Ad", "Ac", "5h", "9d", "7c", "9h", "8s")
    play = PokerPlay(config(bonus=(prize,)), deck)
    play.seat(1000, 1000)
    play.start()
    play.check_down()
    play.show_all()
    assert announced(play, "bonus") == ["Seat 1 may have earned the quads jackpot: call level 2 to verify it."]
    assert play.refused("bonus", 2, seat=1, prize="a car").clauses == ("11.2",)
    play.press("bonus", 2, seat=1, prize="the quads jackpot")
    ruled = next(effect for effect in play.told if isinstance(effect, Ruled) and effect.subject == "bonus")
    assert "11.3.1" in ruled.clauses


@pytest.mark.clause(BOOK, "6.1", "6.1.1", "7.1", "footnote 2 s 66(1)(c)", "7.2.2(c)")
def test_the_sign_carries_what_it_must() -> None:
    sign = PokerPlay().table.sign()
    assert {"game", "least_buy_in", "least", "most", "blinds", "commission", "time_to_act_s"} <= set(sign)


@pytest.mark.clause(BOOK, "8.11", "8.12", "1.1 'Picked up'")
def test_an_absent_player_is_picked_up_by_level_three() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    assert play.refused("pick_up", 3, seat=2).clauses == ("8.11",)
    play.press("walk", seat=2)
    play.press("pick_up", 3, seat=2)
    assert 2 not in play.game.state.seats


@pytest.mark.clause(BOOK, "1.1 'Dealer Button'", "13.10")
def test_level_three_places_the_button() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("place_button", 3, seat=1)
    play.start()
    assert play.game.hand.button == 1
    assert play.refused("place_button", 3, seat=2).code == "hand_under_way"
