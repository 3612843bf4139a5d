"""The round of a poker table is its machine: nothing else moves a hand, and its rows say what follows and when."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from controller.cards.events import CardSingle
from controller.commands.rules import rules as rules_command
from controller.core.effects import Moved
from controller.core.machine import BadDeclaration, HalfDone, StrictMachine
from controller.core.runtime import Told
from controller.games.poker import chips_seen, keys
from controller.games.poker.keys import KEYS
from controller.games.poker.round import BETWEEN, PLAYING, ROUND_OF, ROWS, STATES
from controller.games.poker.state import Hand, move
from firmware_specs.clock import VirtualClock
from lab.sim.table import SimulatedTable
from tests.controller.core.machine_watch import watched
from tests.controller.games.poker.dealer import Dealer, terms
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.poker.seen import READY, checked, with_shuffler
from tests.controller.games.poker.shift import CLUMSY, spread

BOOK = "melbourne-poker"


def in_ruling() -> PokerPlay:
    """A table whose deal stands still over a card that went to the wrong seat (9.1.1(c))."""
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    play.lay(2, play.draw())
    play.settle("deal")
    assert play.phase == "ruling"
    return play


# -- what moves a hand ------------------------------------------------------------------------------------------------


def test_in_a_shift_with_every_mishap_each_change_of_phase_is_a_transition_that_fired(tmp_path: Path) -> None:
    told: list[str] = []

    def changes(of: Told) -> None:
        told.extend(effect.dest for effect in of.effects if isinstance(effect, Moved))

    with watched(Hand) as watch:
        clock = VirtualClock()
        table = SimulatedTable(spread("holdem"), tmp_path / "table.sqlite", clock, 3, habits=CLUMSY)
        table.runtime.watchers.append(changes)
        table.start()
        clock.run_until(lambda: table.shift.rounds >= 25, 36_000.0)
        table.stop()
    assert (watch.past_the_machine, watch.restored) == (0, [])
    assert watch.fired == told
    assert len(watch.fired) > 300
    assert watch.fired.count("ruling") > 5


def test_a_hand_alone_moves_by_the_same_rows() -> None:
    with watched(Hand) as watch:
        dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
        dealer.deal()
        dealer.check_down()
        dealer.finish()
    assert watch.past_the_machine == 0
    assert watch.fired == ["posting", "shuffling", "dealing", "bet1", "flop", "bet2", "turn", "bet3", "river", "bet4",
                           "showdown", "award", "drop", BETWEEN]  # fmt: skip
    with watched(Hand) as watch:
        dealer.hand.phase = "bet2"
        assert watch.past_the_machine == 1


@pytest.mark.parametrize("trigger", ["hands_read", "pots_pushed", "round_done", "ruled", "start_hand", "misdeal"])
def test_a_trigger_that_does_not_belong_here_is_an_error_and_moves_nothing(trigger: str) -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    with pytest.raises(HalfDone, match=f"cannot {trigger.replace('_', ' ')} while posting"):
        move(dealer.hand, trigger, [])
    assert dealer.hand.phase == "posting"
    dealer.deal()
    assert dealer.hand.phase == "bet1"


def test_a_trigger_that_no_row_names_is_refused() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    with pytest.raises(BadDeclaration, match="to_flop"):
        move(dealer.hand, "to_flop", [])


def test_a_table_whose_hand_fires_a_wrong_trigger_stands_where_it_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.deal()
    before = msgspec.json.decode(play.table.save())
    monkeypatch.setattr(keys, "_act", lambda game, kind, seat: move(game.hand, "hands_read", []))
    with pytest.raises(AssertionError, match="error"):
        play.press("fold")
    after = msgspec.json.decode(play.table.save())
    assert (play.table.state.life, play.phase) == ("suspended", "bet1")
    assert after["game"] == before["game"]


def test_a_wager_that_ends_every_round_at_once_goes_from_street_to_street_by_its_rows() -> None:
    dealer = Dealer(terms(), {1: 10, 2: 10}, button=2)
    dealer.deal()
    with watched(Hand) as watch:
        dealer.act("1 all_in")
        dealer.go_on()
    assert watch.fired == ["flop", "bet2", "turn", "bet3", "river", "bet4", "showdown"]


# -- rulings ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "9.1.1", "9.1.1(c)")
def test_a_ruling_interrupts_the_deal_and_the_deal_goes_on_where_it_was() -> None:
    play = in_ruling()
    assert play.game.machine.saved() == ("ruling", "dealing")
    assert play.game.hand.interrupted_from == "dealing"
    play.answer("misdeal")
    assert play.game.machine.saved() == ("shuffling", "")
    back = [effect for effect in play.told if isinstance(effect, Moved) and effect.source == "ruling"]
    assert [(effect.trigger, effect.dest) for effect in back] == [("misdeal", "shuffling")]


def side_by_side(game: dict[str, Any]) -> dict[str, Any]:
    """What a table knows as the version before wrote it: nothing was nested."""
    felt, deck, deal, in_play = (game.pop(name) for name in ("felt", "deck", "deal", "in_play"))
    number, status = deal.pop("number"), deck.pop("status")
    of_a_hand = {"hand": None, "next_positions": None}
    if in_play is not None:
        of_a_hand = {**in_play, "next_positions": in_play["positions"]}
        del of_a_hand["positions"]
    return {**of_a_hand, **game, **felt, **deck, **deal, "deal": number, "deck": status}


def older(saved: dict[str, Any]) -> bytes:
    """The snapshot as two versions before wrote it: the way back was in the ruling, and the machine did not know it."""
    saved["game"] = side_by_side(saved["game"])
    hand = saved["game"]["hand"]
    hand["ruling"]["return_to"] = hand.pop("interrupted_from")
    del saved["round_from"]
    return msgspec.json.encode(saved)


def between_hands() -> PokerPlay:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.deal()
    play.press("cancel_disruption", 2, reason="A fire alarm")
    assert play.phase == BETWEEN
    return play


def betting() -> PokerPlay:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.deal()
    play.press("announce", what="raise")
    assert (play.phase, len(play.game.in_play.announced)) == ("bet1", 1)
    return play


@pytest.mark.parametrize("stands", [PokerPlay, between_hands, betting, in_ruling])
def test_what_the_version_before_kept_side_by_side_is_read_into_its_places(stands: Callable[[], PokerPlay]) -> None:
    play = stands()
    before = msgspec.json.decode(play.table.save())
    before["game"] = side_by_side(before["game"])
    other = PokerPlay(play.config)
    other.table.restore(msgspec.json.encode(before))
    assert other.table.save() == play.table.save()


def test_a_deck_that_the_version_before_found_defective_is_so_still_and_its_alarm_stands() -> None:
    play = with_shuffler()
    play.event(READY)
    play.event(checked(missing=("As",)))
    before = msgspec.json.decode(play.table.save())
    before["game"] = side_by_side(before["game"])
    del before["game"]["defective"]
    other = PokerPlay(play.config)
    other.table.restore(msgspec.json.encode(before))
    other.event(CardSingle("cards", "c1"))
    assert (other.game.state.deck.defective, list(other.table.state.desk.alarms)) == (True, ["deck"])


@pytest.mark.parametrize("wrong", [{"deck": 5}, {"deck": "ready", "seats": 5}, {}])
def test_what_is_no_snapshot_of_any_version_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        PokerPlay().game.restore(msgspec.json.encode(wrong))


@pytest.mark.clause(BOOK, "9.1.1(c)")
def test_a_snapshot_of_the_version_before_goes_on_from_its_ruling() -> None:
    play = in_ruling()
    other = PokerPlay(play.config)
    other.table.restore(older(msgspec.json.decode(play.table.save())))
    assert other.game.machine.saved() == ("ruling", "dealing")
    assert other.table.save() == play.table.save().replace(b'"return_to":""', b'"return_to":"dealing"')
    other.at, other.lies, other.drawn, other.chips = play.at, dict(play.lies), play.drawn, play.chips
    other.answer("misdeal")
    play.answer("misdeal")
    assert (other.phase, other.effects) == (play.phase, play.effects)


def test_a_hand_that_was_restored_moves_by_the_machine_of_its_table() -> None:
    play = in_ruling()
    saved = play.table.save()
    other = PokerPlay(play.config)
    with watched(Hand) as watch:
        other.table.restore(saved)
        other.answer("misdeal")
    assert (watch.restored[-1], watch.fired, watch.past_the_machine) == ("ruling", ["shuffling"], 0)
    assert other.game.machine.state == other.game.hand.phase == "shuffling"


# -- what the rows say ------------------------------------------------------------------------------------------------


class At:
    """The machine of a table as if it stood in this state."""

    def __init__(self, machine: StrictMachine, state: str) -> None:
        self.machine, self.state = machine, state

    def can(self, trigger: str) -> bool:
        return self.state in self.machine.when(trigger)


def where(key: str) -> tuple[str, ...]:
    """The states in which a key means something."""
    game = PokerPlay().game
    return tuple(state for state in STATES if KEYS.means_something(game, key, At(game.machine, state)))


def test_a_key_means_something_where_a_row_for_what_it_fires_starts() -> None:
    assert where("start_hand") == where("place_button") == (BETWEEN,)
    assert where("change_cards") == (BETWEEN, "posting", "shuffling")
    assert where("fold") == tuple(ROUND_OF)
    assert where("pushed") == ("award",)
    assert where("look") == ("award", "drop")
    assert where("cancel_fraud") == (*PLAYING, "ruling")
    assert where("boxed") == ("dealing", "flop", "side_flop", "turn", "river")
    assert where("report") == PLAYING
    assert where("turned_up") == PLAYING[3:-1]


def test_the_keys_of_a_hand_come_and_go_with_its_rows() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)

    def offered() -> set[str]:
        return {
            key.name for key in KEYS if key.fires or BETWEEN in key.during if play.game.can(play.game.keys[key.name])
        }

    between = {"start_hand", "place_button", "change_cards", "change_game", "change_commission", "waive_commission"}
    assert offered() == between
    play.press("start_hand")
    assert offered() == {"refuse_blind", "cancel_disruption", "cancel_fraud"}
    play = in_ruling()
    assert offered() == {"cancel_disruption", "cancel_fraud"}


def test_every_consequence_of_a_row_is_drawn_from_what_runs() -> None:
    drawn = CliRunner().invoke(rules_command, ["diagram", "poker"]).output
    for row in ROWS:
        assert re.search(rf"\b{row.trigger}\b", drawn), row
        assert all(guard in drawn for guard in row.guards)
    assert "in any of: posting, shuffling" in drawn


def test_lines_are_counted_anew_for_each_round_of_betting_and_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []
    begins = chips_seen.round_begins

    def watch(game: Any) -> None:
        counted.append(game.hand.phase)
        begins(game)

    monkeypatch.setattr(chips_seen, "round_begins", watch)
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.deal()
    play.check_down()
    assert counted == list(ROUND_OF)
