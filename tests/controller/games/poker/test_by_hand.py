"""Poker played on without its chip mat, its card antennas or its shuffler: what is keyed decides."""

from __future__ import annotations

import pytest

from controller.cards.events import CardsMoved, Sealed
from controller.core.effects import Awarded, Noted, Settled
from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.core.guarded import GuardedTable
from drivers.events import DeviceDown, DeviceUp
from lab.sim.config import default_config
from tests.controller.games.poker.play import PokerPlay

pytestmark = pytest.mark.guards("melbourne-poker")


def dies(play: PokerPlay, *places: str) -> None:
    for place in places:
        play.event(DeviceDown(place, "no power", "Look at its cable."))
        assert play.table.state.life == "suspended"
        play.press("by_hand", 2, device=place, reason="dead for the night")
        assert play.table.state.life == "open"


def comes_back(play: PokerPlay, *places: str) -> None:
    for place in places:
        play.event(DeviceUp(place, place, f"{place}-2", "1.0.0"))
        play.press("by_hand_over", 2, device=place)
    assert play.table.state.by_hand == {}


def keys(play: PokerPlay) -> set[str]:
    return {key.name for key in play.table.available()}


def to_the_flop(play: PokerPlay) -> None:
    play.press("start_hand")
    play.press("blinds_posted")
    play.press("shuffled")
    play.press("cut")
    play.press("cards_dealt")
    assert play.phase == "bet1"
    for action in ("call", "call", "check"):
        play.press(action)
    assert play.phase == "flop"


def to_the_end(play: PokerPlay) -> None:
    for cards in (["KS", "9H", "2C"], ["3C"], ["4D"]):
        play.press("board_cards", cards=cards)
        for _ in range(3):
            play.press("check")
    play.press("hand_shown", seat=1, cards=["AS", "AD"])
    play.press("muck_hand", seat=2)
    play.press("hand_shown", seat=3, cards=["KD", "KC"])
    assert play.phase == "award"
    play.press("pushed")
    if play.phase == "drop":
        play.press("dropped")
    assert play.phase == "between_hands"


@pytest.mark.clause("melbourne-poker", "8.7", "8.9.2(b)")
def test_two_hands_without_mat_and_antennas_are_awarded_by_the_keyed_cards_and_replay_the_same() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    dies(play, "chips", "cards")
    for number in (1, 2):
        to_the_flop(play)
        to_the_end(play)
        awards = [effect for effect in play.told if isinstance(effect, Awarded)]
        assert [(one.seat, one.cents, one.hand) for one in awards] == [(3, 3000, "three of a kind")] * number
    assert play.game.state.seats[3].stack == 24_000
    assert play.table.state.desk.alarms.keys() == {"chips:down", "cards:down"}, "no line or pot is held against chips"
    comes_back(play, "chips", "cards")
    again = GuardedTable(play.config)
    for at, event in play.rows:
        again.apply(at, event)
    assert again.save() == play.guarded.save()


def test_antennas_that_die_in_the_deal_are_stood_in_for_from_there() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    play.press("start_hand")
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("shuffled")
    play.press("cut")
    for _ in range(2):
        play.lay(play.wanted().seats[0], play.draw())
    dealt = play.game.hand.dealt
    assert dealt == 2
    dies(play, "cards")
    play.press("cards_dealt")
    assert (play.phase, play.game.hand.dealt) == ("bet1", 6)
    stands = play.game.state.in_play
    play.event(CardsMoved("cards", play.game.deal, (Sealed(1, "late", "", 0),)))
    assert play.game.state.in_play == stands
    assert {"turned_up", "table_hand"} & keys(play) == set()


def test_a_mat_that_dies_with_chips_on_the_lines_leaves_the_ledger_as_it_is() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    play.start()
    assert play.phase == "bet1"
    in_round = [player.in_round for player in play.game.hand.betting.players]
    dies(play, "chips")
    play.press("call")
    play.press("call")
    play.press("check")
    assert sum(in_round) == 1500
    assert play.phase == "flop"
    assert not [code for code in play.table.state.desk.alarms if code.startswith(("line", "pot"))]
    play.event(ChipsMoved("chips", 1, (Chip(900, "cash", 500),)))
    assert play.game.state.felt.chips == {}


def test_chips_and_cards_that_lie_there_when_the_devices_are_used_again_are_known() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    dies(play, "chips")
    play.event(DeviceUp("chips", "chips", "chips-2", "1.0.0", True))
    play.event(ChipsCounted("chips", {play.game.layout.pot: (Chip(900, "cash", 500),)}))
    play.press("by_hand_over", 2, device="chips")
    assert play.game.state.felt.chips == {play.game.layout.pot: {900: 500}}


@pytest.mark.clause("melbourne-poker", "3.1")
def test_a_card_that_lies_open_already_is_refused() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    dies(play, "chips", "cards")
    to_the_flop(play)
    assert play.refused("board_cards", cards=["KS", "KS", "2C"]).code == "bad_card"
    play.press("board_cards", cards=["KS", "9H", "2C"])
    assert play.refused("hand_shown", seat=1, cards=["KS", "AD"]).code == "bad_card"
    assert play.refused("hand_shown", seat=1, cards=["AD"]).code == "wrong_count"


@pytest.mark.clause("melbourne-poker", "1.1 'Burn'")
def test_a_board_without_its_burn_is_put_to_people_as_ever() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    dies(play, "chips", "cards")
    to_the_flop(play)
    play.press("board_cards", cards=["KS", "9H", "2C"], unburned=True)
    assert play.phase == "ruling"


def test_a_shuffler_that_is_dead_leaves_the_deck_to_be_shuffled_by_hand() -> None:
    play = PokerPlay(default_config("poker"))
    play.seat(500, 500)
    dies(play, "shuffler")
    play.press("start_hand")
    assert "shuffled" in keys(play)
    play.event(DeviceUp("shuffler", "shuffler", "another", "1.0.0"))
    assert play.refused("by_hand_over", 2, device="shuffler").code == "in_round"
    play.press("cancel_disruption", 4, reason="fire")
    play.press("by_hand_over", 2, device="shuffler")
    assert play.table.state.by_hand == {}


def test_the_record_of_a_hand_has_the_cards_that_were_keyed() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    dies(play, "chips", "cards")
    to_the_flop(play)
    to_the_end(play)
    keyed = [note.facts for note in play.told if isinstance(note, Noted) and note.what == "card_by_hand"]
    assert [(one["card"], one["to"]) for one in keyed[:3]] == [("KS", "board"), ("9H", "board"), ("2C", "board")]
    assert [effect.round for effect in play.told if isinstance(effect, Settled)] == [1]
