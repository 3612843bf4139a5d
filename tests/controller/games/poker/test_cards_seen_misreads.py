"""Cards that are read late, at two places or not at all: the table finds back to what truly lies there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.games.poker.game import PokerGame
from controller.games.poker.offers import GAMES
from drivers.shuffler import DeckChecked, ShufflerLoaded, ShufflerState
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from simulators.people.poker_habits import Habits
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.shift import CLUMSY, Ledger, spread

BOOK = "melbourne-poker"
HOPELESS = Habits(6, 0.4, 0.6, 0.4, 0.4, 0.4, 0.5, 0.6, 0.5, 0.6)
"""People who do something wrong in nearly every hand."""
STRUCTURES = ("no_limit", "fixed", "spread", "half_pot", "pot_limit")


def before_the_deal(play: PokerPlay) -> None:
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")


@pytest.mark.clause(BOOK, "9.1.1(c)")
def test_a_correction_is_taken_back_when_the_missing_card_is_read_after_all() -> None:
    play = PokerPlay()
    before_the_deal(play)
    first, second = play.draw(), play.draw()
    play.lay(2, second)
    play.settle("deal")
    play.answer("correct", 1)
    play.lay(1, first)
    assert play.phase == "dealing"
    assert play.game.hand.dealt == 2
    assert [player.cards for player in play.game.hand.betting.players[:2]] == [[first], [second]]


@pytest.mark.clause(BOOK, "9.1.1(c)")
def test_of_two_cards_at_one_seat_the_dealer_carries_the_one_that_went_astray() -> None:
    play = PokerPlay()
    before_the_deal(play)
    play.lay(1, play.draw())
    astray, kept = play.draw(), play.draw()
    play.lay(3, astray, kept)
    play.settle("deal")
    assert play.asked().subject == "out_of_order"
    play.answer("correct", 1)
    play.lay(2, kept)
    play.press("done")
    assert play.phase == "dealing"
    assert {player.seat: player.cards for player in play.game.hand.betting.players}[2] == [kept]
    play.deal()
    assert {player.seat: player.cards[0] for player in play.game.hand.betting.players}[3] == astray
    assert play.phase == "bet1"


@pytest.mark.clause(BOOK, "5.1", "9.1.1")
def test_a_misdeal_is_not_dealt_again_over_the_cards_that_still_lie_there() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.press("report", what="wrong_count", seat=1, correctable=False)
    play.answer("misdeal", 1)
    play.press("shuffled")
    refusal = play.refused("cut")
    assert refusal.code == "cards_lie"
    assert "seat 1, seat 2, seat 3" in refusal.text
    play.gather()
    play.press("cut")
    assert play.phase == "dealing"


@pytest.mark.clause(BOOK, "5.1", "9.1.1")
def test_the_deck_that_waits_in_the_shuffler_is_dealt_after_a_misdeal_and_after_the_next_one() -> None:
    play = PokerPlay(msgspec.structs.replace(config(), devices=default_config("poker").devices))
    ready = ShufflerState("shuffler", "ready", 52, True)
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.event(ready)
    play.event(DeckChecked("shuffler", 1, 1, True, True, 52, (), (), 0, 0, 0, ()))
    play.event(ready)
    for _ in range(2):
        play.deal()
        play.press("report", what="wrong_count", seat=1, correctable=False)
        play.answer("misdeal", 1)
        play.gather()
        assert play.wanted().what == "cut"
        play.lay(1, play.draw())  # dealt before the cut: another misdeal, and still the same deck
        play.answer("misdeal", 1)
        play.gather()
        assert play.wanted().what == "cut"
        play.press("cut")
    play.event(ShufflerState("shuffler", "empty", 0, True))
    assert play.game.state.deck.status == ""


def clumsy_shift(seed: int, folder: Path, hands: int) -> None:
    """Hopeless people, antennas that miss and lag: every hand ends, and no chip is lost."""
    game, structure = list(GAMES)[seed % 7], STRUCTURES[seed // 7 % 5]
    clock = VirtualClock()
    habits = HOPELESS if seed % 2 else CLUMSY
    table = SimulatedTable(spread(game, structure), folder / f"{seed}.sqlite", clock, seed, habits=habits)
    antennas, mat = table.devices.antennas, table.devices.mat
    antennas._misses_per_minute, antennas._late_rate, mat._misses_per_minute = 20.0, 0.03, 10.0
    ledger = Ledger()
    table.runtime.watchers.append(ledger.watch)
    table.start()
    while table.shift.rounds < hands:
        before = table.shift.rounds
        clock.run_until(lambda: table.shift.rounds > before, 900.0)  # noqa: B023 - called before the next pass
    poker = table.runtime.table.game
    assert isinstance(poker, PokerGame)
    assert not table.runtime.table.state.faults
    assert sum(seat.stack for seat in poker.state.seats.values()) == ledger.bought - ledger.house
    table.stop()


@pytest.mark.parametrize("seed", [5, 13, 60, 69])
def test_hands_that_used_to_hang_end(seed: int, tmp_path: Path) -> None:
    clumsy_shift(seed, tmp_path, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1210))
def test_no_hand_of_hopeless_people_hangs(seed: int, tmp_path: Path) -> None:
    clumsy_shift(seed, tmp_path, 25)
