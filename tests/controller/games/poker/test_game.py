"""Crown Poker at the table: what antennas and keys make of a hand, and what the table says about it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import controller
from controller.config.file import check_config, require_right
from controller.config.tomlread import Cents, ConfigError
from controller.config.types import TableConfig
from controller.core.desk import Key
from controller.core.effects import Announced, Awarded, Noted, Refused, Ruled, Settled, Uncovered
from controller.core.events import Chip, ChipsMoved
from controller.games.poker.config import BonusSection, PokerSection, RakeSection
from controller.games.poker.offers import GAMES, poker_rules
from drivers.card_antennas import BOARD, BURN, MUCK
from drivers.shuffler import DeckChecked, ShufflerLoaded, ShufflerState
from lab.sim.config import default_config
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


# -- chips as actions --------------------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "6.14.1(a)")
def test_one_oversize_chip_without_a_word_is_a_call_and_the_dealer_is_told_what_goes_back() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 10_000, single=True)
    assert play.game.hand.betting.high == 1_000
    assert announced(play, "return") == ["Return $90 to seat 3."]
    assert "line:3" in play.table.state.desk.alarms
    play.lift(3)
    play.put(3, 1_000)
    assert "line:3" not in play.table.state.desk.alarms


@pytest.mark.clause(BOOK, "6.14.2")
def test_the_same_chip_after_the_word_raise_is_a_raise() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.press("announce", what="raise")
    play.put(3, 10_000, single=True)
    assert play.game.hand.betting.high == 10_000


def test_chips_of_one_placement_are_judged_together() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    settle, play.settle = play.settle, lambda timer: None  # type: ignore[method-assign]
    play.put(3, 1_000)
    play.put(3, 2_000)
    assert play.game.hand.betting.high == 1_000
    settle("line:3")
    assert play.game.hand.betting.high == 3_000


@pytest.mark.clause(BOOK, "6.17")
def test_a_short_call_is_completed_or_folded() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 4_000)
    play.put(1, 1_000)
    assert announced(play, "short_call") == ["Seat 1 adds $25 to call, or folds and leaves what it put in."]
    play.put(1, 2_500)
    assert play.wanted().seats == (2,)


@pytest.mark.clause(BOOK, "6.18", "6.18.1")
def test_chips_out_of_turn_are_held_and_told() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.start()
    play.put(4, 1_000)
    assert announced(play, "out_of_turn") == ["Seat 4 acted out of turn (raise); it waits for its turn."]
    assert play.wanted().seats == (3,)
    play.put(3, 1_000)
    assert play.wanted().seats == (1,)
    assert play.game.hand.betting.high == 1_000


def test_an_impossible_action_is_told_with_what_is_legal_and_changes_nothing() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    check = play.refused("check")
    assert check.code == "not_legal"
    assert "Seat 3 may call $10, raise to $20 up to $1,000 or fold." in check.text
    small = play.refused("raise", amount=1_500)
    assert "$20 up to $1,000" in small.text
    assert small.clauses == ("[6.6]",)
    assert "8.7" in play.refused("table_hand", seat=3).clauses
    assert play.refused("call", seat=12).code == "no_such_seat"
    assert play.refused("dropped").clauses == ("7.2.1(b)",)
    assert play.refused("turned_up").code == "no_card"


@pytest.mark.clause(BOOK, "8.9.2(b)", "8.9.3")
def test_a_blind_of_the_wrong_amount_is_told_and_one_refused_ends_the_hand_before_it_began() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 250)
    assert "$5 is due" in play.table.state.desk.alarms["line:1"].text
    play.put(1, 250)
    assert [due.seat for due in play.game.hand.dues] == [2]
    play.press("refuse_blind", seat=2)
    assert play.phase == "between_hands"
    assert play.game.state.seats[2].flags.missed_blind
    assert total(play) == 300_000
    play.press("start_hand")
    assert [player.seat for player in play.game.hand.betting.players] == [1, 2, 3]


# -- cards -------------------------------------------------------------------------------------------------------


def test_a_card_that_is_read_late_was_not_dealt_out_of_order() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    first, second = play.draw(), play.draw()
    play.lay(2, second)
    assert play.game.hand.dealt == 0
    play.lay(1, first)
    assert play.game.hand.dealt == 2
    assert play.phase == "dealing"
    assert not play.table.state.desk.prompts


@pytest.mark.clause(BOOK, "8.4", "9.1.1(c)")
def test_a_card_that_stays_at_the_wrong_seat_asks_for_a_ruling_and_is_put_right_step_by_step() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    card = play.draw()
    play.lay(2, card)
    play.settle("deal")
    asked = play.asked()
    assert asked.subject == "out_of_order"
    assert asked.clauses == ("9.1.1(c)",)
    assert [option.answer for option in asked.options] == ["correct", "misdeal"]
    play.answer("correct", 1)
    assert announced(play, "step") == ["Move the card to seat 1."]
    assert play.refused("done").code == "not_seen"
    play.lay(1, card)
    play.press("done")
    assert play.phase == "dealing"
    play.deal()
    assert play.phase == "bet1"


@pytest.mark.clause(BOOK, "9.1.1")
def test_a_misdeal_is_dealt_again_under_new_names() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    deal = play.game.deal
    play.put(3, 1_000)
    play.press("report", what="wrong_count", seat=1, correctable=False)
    play.answer("misdeal", 1)
    assert play.phase == "shuffling"
    assert play.game.deal == deal + 1
    play.lift(3)
    play.take_up(*list(play.lies))
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.check_down()
    play.finish()
    assert total(play) == 300_000


@pytest.mark.clause(BOOK, "9.10")
def test_a_flop_shown_too_early_goes_back_and_another_comes() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 1_000)
    play.lay(BURN, play.draw())
    flop = [play.draw() for _ in range(3)]
    play.lay(BOARD, *flop)
    assert "board_early" in play.table.state.desk.alarms
    play.press("turned_up")
    asked = play.asked()
    assert (asked.subject, asked.clauses) == ("premature_flop", ("9.10",))
    play.answer("redeal", 1)
    assert play.refused("done").text.startswith("A card still lies at the board.")
    play.take_up(*flop)
    for _ in range(3):
        play.press("done")
    play.put(1, 500)
    play.press("check")
    assert play.phase == "flop"
    play.lay(BOARD, *[play.draw() for _ in range(3)])
    play.press("turned_up")
    assert play.phase == "bet2"
    assert len(play.game.hand.board) == 3


@pytest.mark.clause(BOOK, "9.8")
def test_a_flop_without_a_burn_asks_for_a_ruling() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.start()
    play.put(1, 500)
    play.press("check")
    play.lay(BOARD, *[play.draw() for _ in range(3)])
    play.press("turned_up")
    assert play.asked().clauses == ("9.8",)


@pytest.mark.clause(BOOK, "8.17.4")
def test_a_pineapple_discard_is_a_card_in_the_muck() -> None:
    play = PokerPlay(config(game="pineapple"))
    play.seat(1000, 1000)
    play.start()
    play.put(1, 500)
    play.press("check")
    assert play.phase == "discard1"
    for seat in (1, 2):
        play.lay(MUCK, next(name for name, place in play.lies.items() if place == seat))
    assert play.phase == "flop"


@pytest.mark.clause(BOOK, "8.7")
def test_tabling_a_hand_opens_exactly_its_cards_and_nothing_else_is_ever_named() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.check_down()
    hidden = {player.seat: list(player.cards) for player in play.game.hand.betting.players}
    first = play.wanted().seats[0]
    play.press("table_hand", seat=first)
    opened = [effect.cards for effect in play.told if isinstance(effect, Uncovered)][-1]
    assert list(opened) == hidden[first]
    seen = msgspec.json.encode(play.game.view()).decode()
    for seat, names in hidden.items():
        for name in names:
            assert (f'"{play.faces[name]}"' in seen) == (seat == first)


@pytest.mark.clause(BOOK, "8.20.4")
def test_a_hand_thrown_in_at_the_showdown_is_given_up() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.check_down()
    play.press("table_hand", seat=1)
    play.fold(2)
    play.press("table_hand", seat=3)
    assert play.phase == "award"
    assert {effect.seat for effect in play.told if isinstance(effect, Awarded)} <= {1, 3}


@pytest.mark.clause(BOOK, "3.1", "13.14")
def test_a_foreign_tag_and_a_card_at_another_seat_are_told() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.faces["?beef"] = ""
    play.lay(5, "?beef")
    assert "no card of this deck" in play.table.state.desk.alarms["foreign_card:beef"].text
    card = next(name for name, place in play.lies.items() if place == 1)
    play.lay(2, card)
    assert "exchanged:1" in play.table.state.desk.alarms
    play.take_up("?beef")
    assert "foreign_card:beef" not in play.table.state.desk.alarms


@pytest.mark.clause(BOOK, "8.13")
def test_cards_that_stay_off_the_table_are_asked_for() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.take_up(next(name for name, place in play.lies.items() if place == 2))
    assert "cards_away:2" not in play.table.state.desk.alarms
    play.settle("away:2")
    assert play.table.state.desk.alarms["cards_away:2"].clauses == ("8.13",)


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


# -- the deck ----------------------------------------------------------------------------------------------------


def checked(**found: object) -> DeckChecked:
    plain: dict[str, object] = {
        "check": 1, "decks": 1, "complete": True, "good": True, "count": 52, "missing": (), "surplus": (),
        "unread": 0, "jokers": 0, "foreign": 0, "boxed": (),
    }  # fmt: skip
    return DeckChecked("shuffler", **{**plain, **found})  # type: ignore[arg-type]


def with_shuffler() -> TableConfig:
    setup = config()
    return msgspec.structs.replace(setup, devices=default_config("poker").devices)


@pytest.mark.clause(BOOK, "3.1", "5.1", "5.3.2")
def test_the_shuffler_checks_the_deck_before_it_is_dealt() -> None:
    play = PokerPlay(with_shuffler())
    play.seat(1000, 1000)
    play.event(ShufflerLoaded("shuffler", 52, 52))
    ready = ShufflerState("shuffler", "ready", 52, True)
    *_, order = play.event(ready)
    assert order.command == "StartCheck"  # type: ignore[union-attr]
    play.event(checked())
    play.event(ready)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    assert play.wanted().what == "cut"


@pytest.mark.clause(BOOK, "1.1 'Defective deck'")
@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"missing": ("As",), "count": 51}, "As missing"),
        ({"surplus": ("As",), "missing": ("Kd",)}, "As too many"),
        ({"jokers": 1}, "1 jokers"),
        ({"boxed": ("As", "Ks", "Qs", "Js", "Ts")}, "5 boxed"),
    ],
)
def test_a_defective_deck_is_told_and_not_dealt(found: dict[str, object], words: str) -> None:
    play = PokerPlay(with_shuffler())
    play.seat(1000, 1000)
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.event(ShufflerState("shuffler", "ready", 52, True))
    play.event(checked(**found))
    assert words in play.table.state.desk.alarms["deck"].text
    play.event(ShufflerState("shuffler", "ready", 52, True))
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    assert play.wanted().what == "shuffle"


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


# -- configuration -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "seats", "clause"),
    [
        ({"game": "omaha"}, 11, "4.1 Omaha"),
        ({"game": "holdem"}, 12, "4.1 Holdem"),
        ({"blinds": (Cents(250), Cents(250))}, 9, "6.4"),
        ({"blinds": ()}, 9, "8.9.1"),
        ({"structure": "fixed", "levels": (Cents(500),)}, 9, "1.1 'Structured limit'"),
        ({"rake": RakeSection("percentage", 11, Cents(500))}, 9, "7.2.1"),
        ({"rake": RakeSection("percentage", 5)}, 9, "7.1"),
        ({"least_buy_in": None}, 9, "6.1.1"),
        ({"over_blinds": True}, 9, "8.9.4"),
    ],
)
def test_terms_the_rulebook_does_not_allow_are_refused_with_their_clause(
    section: dict[str, object], seats: int, clause: str
) -> None:
    base = default_config("poker")
    poker = msgspec.structs.replace(base.own(PokerSection), **section)
    wrong = msgspec.structs.replace(base, play=poker, seats=msgspec.structs.replace(base.seats, count=seats))
    with pytest.raises(ConfigError) as refused:
        require_right(wrong, "table.toml")
    assert f"({clause})" in str(refused.value)


def test_every_key_has_a_rank_and_a_clause_of_the_rulebook() -> None:
    play = PokerPlay()
    keys = play.game.keys.values()
    assert all(isinstance(key, Key) and key.rank >= 1 and key.clause for key in keys)
    assert "personal_limit" not in play.table.keys


def test_the_games_of_a_configuration_are_those_of_the_rulebook() -> None:
    assert {game.name for game in poker_rules(BOOK).games} == set(GAMES.values())
    assert PokerSection().game in GAMES


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
    assert announced(play, "collect_time") == ["Collect $30 for the hour."]
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


@pytest.mark.clause(BOOK, "3.4", "5.3.1")
def test_level_two_orders_a_count_and_the_dealer_changes_the_deck() -> None:
    play = PokerPlay(with_shuffler())
    assert play.refused("count_cards", 1).code == "rank_too_low"
    effects = play.press("count_cards", 2)
    assert any(getattr(effect, "command", "") == "StartCheck" for effect in effects)
    play.press("change_cards", reason="a marked card")
    assert play.game.state.deck.status == ""


@pytest.mark.clause(BOOK, "2.1", "2.3", "6.2", "1.2")
def test_seats_lines_and_side_wager_spots_are_apart_and_only_chips_count() -> None:
    layout = PokerPlay().game.layout
    spots = [layout.side(seat, colour) for seat in range(1, 10) for colour in ("red", "black")]
    areas = [*range(1, 10), layout.pot, layout.drop, *spots]
    assert len(set(areas)) == len(areas) == layout.areas - 1
    play = PokerPlay()
    play.seat(1000, 1000)
    play.press("start_hand", 4)
    play.event(ChipsMoved("chips", 1, (Chip(7, "unknown", 0),)))
    assert [due.seat for due in play.game.hand.dues] == [1, 2]
    assert "foreign:7" in play.table.state.desk.alarms


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


def test_the_example_of_a_poker_table_is_right() -> None:
    found = check_config(Path(controller.__file__).parent / "examples" / "poker.toml")
    assert found.own(PokerSection).bonus[0].hand == "royal flush"
    assert found.own(PokerSection).blinds == (500, 1_000)


@pytest.mark.clause(BOOK, "9.1.1(c)")
def test_a_card_that_is_read_after_the_question_was_asked_takes_the_question_back() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    first, second = play.draw(), play.draw()
    play.lay(2, second)
    play.settle("deal")
    assert play.phase == "ruling"
    play.lay(1, first)
    assert play.phase == "dealing"
    assert not play.table.state.desk.prompts
    assert play.game.hand.dealt == 2
    play.deal()
    assert play.phase == "bet1"


@pytest.mark.clause(BOOK, "8.15.1", "6.11.1(b)")
def test_chips_added_to_a_side_wager_are_one_wager_with_it_and_all_of_it_is_paid() -> None:
    deck = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd", "7c", "8c", "9c", "Tc")
    play = PokerPlay(config(side_wagers=True), deck)
    play.seat(1000, 1000)
    play.press("start_hand")
    for _ in range(2):
        play.put(play.game.layout.side(1, "red"), 500)
    assert [(wager.seat, wager.amount) for wager in play.game.hand.side] == [(1, 1_000)]
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    play.press("dropped", confirmed=True)
    assert total(play) == 200_000 + 7_000
