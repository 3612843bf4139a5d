"""A shuffler in trouble: jams, doors, power losses, other machines in its place, and faults of the line."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from drivers.cards import CardDrawn, CardUnread
from drivers.events import DeviceRefused, DeviceTrouble, DeviceUp
from drivers.shuffler import (
    CardPresented,
    DeckChecked,
    Shuffler,
    ShufflerJam,
    ShufflerJamOver,
    ShufflerLoaded,
    ShufflerPoweredUp,
    ShufflerState,
    ShufflerSwapped,
)
from firmware_specs.cards import DECK
from firmware_specs.messages.shuffler import Mode
from simulators.faults import Fault, Faults
from simulators.shuffler import CardShuffler
from tests.drivers.card_source import ShufflerBench

ONE_DECK = " ".join(DECK)


def drawn(bench: ShufflerBench) -> list[str]:
    return [event.card for event in bench.journal.of(CardDrawn)]


def states(bench: ShufflerBench) -> list[tuple[str, int]]:
    return [(event.state, event.inside) for event in bench.journal.of(ShufflerState)]


def swap(bench: ShufflerBench, **options: Any) -> CardShuffler:
    """Carry the machine away and put another one on its line; the one that is gone is returned."""
    gone = bench.device
    gone.stop()
    bench.device = CardShuffler(bench.clock, bench.wire.device, **options)
    bench.device.start()
    bench.clock.run_for(10)
    return gone


# --- trouble ---------------------------------------------------------------------------------------


def test_a_jam_that_the_machine_frees_is_told_with_its_place_and_suspends_nothing() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.jam("wheel", compartment=17)
    bench.deal(1)
    bench.clock.run_for(5)
    assert bench.journal.of(ShufflerJam) == [ShufflerJam("shuffler", 1, "wheel", 17, recovering=True)]
    over = bench.journal.of(ShufflerJamOver)
    assert [(event.place, event.by, event.state, event.certain) for event in over] == [
        ("wheel", "machine", "ready", True)
    ]
    assert not bench.journal.of(DeviceTrouble)
    bench.deal(51)
    assert sorted(drawn(bench)) == sorted(DECK)


def test_a_hand_waits_while_the_machine_frees_a_card() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.jam("mouth")
    bench.pull()
    assert len(bench.pull()) == 1
    assert bench.clock.now() > 3


def test_a_jam_that_needs_a_person_suspends_until_it_is_cleared_and_leaves_the_count_in_doubt() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.jam("mouth", recovers=False)
    bench.pull()
    assert bench.pull() == ()
    bench.clock.run_for(1)
    assert [event.recovering for event in bench.journal.of(ShufflerJam)] == [True, False]
    assert bench.journal.troubles() == {"jam"}
    with pytest.raises(ValueError, match="door"):
        bench.device.clear_jam()
    bench.device.open_door()
    stuck = bench.device.clear_jam()
    bench.clock.run_for(1)
    assert bench.journal.troubles() == {"door_open"}
    bench.device.close_door()
    bench.device.load(stuck)
    bench.clock.run_for(5)
    assert bench.journal.troubles() == set()
    (over,) = bench.journal.of(ShufflerJamOver)
    assert (over.by, over.certain) == ("keys", False)
    bench.deal(51)
    assert sorted(drawn(bench)) == sorted(DECK)


def test_a_jam_in_the_feed_keeps_the_cards_out_of_the_count() -> None:
    bench = ShufflerBench("2S 3S 4S 5S")
    bench.device.jam("feed", recovers=False)
    bench.device.load(["6S", "7S"])
    bench.clock.run_for(10)
    assert bench.journal.troubles() == {"jam"}
    assert bench.order("Count") == ("done", {"inside": 4, "certain": True})
    bench.device.open_door()
    bench.device.load(bench.device.clear_jam())
    bench.device.close_door()
    bench.clock.run_for(10)
    assert bench.journal.of(ShufflerLoaded)[-1] == ShufflerLoaded("shuffler", 2, 6)


def test_an_open_door_stops_the_machine_and_says_so() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.open_door()
    bench.clock.run_for(1)
    assert bench.journal.troubles() == {"door_open"}
    status, answer = bench.order("StartCheck", check=1, decks=1)
    assert status == "refused"
    assert "door" in answer["text"]
    bench.device.close_door()
    bench.clock.run_for(1)
    assert bench.journal.troubles() == set()
    bench.deal(2)


def test_no_card_at_the_mouth_is_told_when_the_machine_counts_cards_inside() -> None:
    bench = ShufflerBench("2S 3S")
    bench.device.miscount(1)
    bench.device.load(["4S"])
    bench.clock.run_for(2)
    bench.deal(3)
    assert bench.journal.troubles() == {"mouth_empty"}
    assert bench.order("Count")[1]["inside"] == 1
    bench.device.load(["5S"])
    bench.clock.run_for(5)
    assert bench.journal.troubles() == set()
    assert bench.journal.of(CardPresented)[-1] == CardPresented("shuffler", 4)


def test_a_card_that_hangs_inside_is_found_by_opening_the_door() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.starve()
    bench.clock.run_for(2)
    assert bench.journal.troubles() == {"mouth_empty"}
    bench.device.open_door()
    bench.device.close_door()
    bench.clock.run_for(2)
    assert bench.journal.troubles() == set()
    bench.deal(52)
    assert sorted(drawn(bench)) == sorted(DECK)


# --- restarts and swaps ----------------------------------------------------------------------------


def test_a_power_loss_with_memory_keeps_count_and_cards() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.deal(10)
    bench.device.link.power_cycle(keep_memory=True, off_for=2)
    bench.clock.run_for(10)
    up = bench.journal.of(ShufflerPoweredUp)[-1]
    assert (up.kept_memory, up.state, up.inside, up.certain, up.mouth) == (True, "ready", 42, True, 1)
    bench.unlock()
    bench.deal(42)
    assert Counter(drawn(bench)) == Counter(DECK)
    assert [event.draw for event in bench.journal.of(CardDrawn)] == list(range(1, 53))


def test_a_power_loss_without_memory_stops_the_machine_until_it_is_emptied() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.deal(10)
    bench.device.link.power_cycle(keep_memory=False, off_for=2)
    bench.clock.run_for(10)
    up = bench.journal.of(ShufflerPoweredUp)[-1]
    assert (up.kept_memory, up.state, up.inside, up.certain, up.occupied) == (False, "stopped", 0, False, True)
    assert bench.journal.of(DeviceUp)[-1].lost
    assert bench.journal.troubles() == {"stopped"}
    status, answer = bench.order("StartCheck", check=1, decks=1)
    assert status == "refused"
    assert "empty it" in answer["text"]
    cards = bench.device.take_out()
    assert len(cards) == 42
    bench.clock.run_for(1)
    assert bench.journal.troubles() == set()
    bench.device.load(cards)
    bench.clock.run_for(20)
    bench.unlock()
    bench.deal(42)
    assert Counter(drawn(bench)) == Counter(DECK)


def test_a_card_in_the_hand_when_the_power_went_is_told_as_unread() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.draw()
    bench.clock.run_for(0.05)
    bench.device.link.power_cycle(keep_memory=True, off_for=2)
    bench.clock.run_for(10)
    assert bench.journal.of(CardUnread) == [CardUnread("shuffler", 1, "unreadable")]
    assert bench.journal.of(ShufflerPoweredUp)[-1].inside == 51


def test_an_ejection_that_the_power_loss_cut_off_is_never_done_twice() -> None:
    bench = ShufflerBench(mode=Mode.SINGLE_DECK)
    bench.device.load(DECK)
    bench.clock.run_for(60)
    answers: list[tuple[str, dict[str, Any]]] = []
    bench.driver.order(99, "Eject", {}, lambda status, result: answers.append((status, result)))
    bench.clock.run_for(0.1)
    bench.device.link.power_cycle(keep_memory=True, off_for=1)
    bench.clock.run_for(8)
    assert [status for status, _ in answers] == ["failed"]
    assert not bench.device.mouth


def test_a_power_loss_during_a_check_breaks_it_off() -> None:
    bench = ShufflerBench(ONE_DECK)
    assert bench.order("StartCheck", check=9, decks=1)[0] == "done"
    bench.device.link.power_cycle(keep_memory=True, off_for=1)
    bench.clock.run_for(60)
    assert [event.complete for event in bench.journal.of(DeckChecked)] == [False]
    assert states(bench)[-1] == ("ready", 52)


def test_a_jam_survives_a_power_loss() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.jam("wheel", recovers=False)
    bench.pull()
    bench.clock.run_for(10)
    bench.device.link.power_cycle(keep_memory=True, off_for=1)
    bench.clock.run_for(10)
    assert bench.journal.of(ShufflerPoweredUp)[-1].state == "jammed"
    assert bench.journal.troubles() == {"jam"}
    bench.device.open_door()
    bench.device.clear_jam()
    bench.device.close_door()
    bench.clock.run_for(10)
    assert bench.journal.troubles() == set()


def test_the_controller_restarts_in_the_middle_of_a_deal_and_no_card_is_lost_or_repeated() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.deal(5)
    bench.journal.at_once = False
    for _ in range(3):
        bench.pull()
    bench.clock.run_for(0.3)
    bench.restart_controller()
    bench.deal(4)
    assert drawn(bench) == bench.device.drawn
    assert [event.draw for event in bench.journal.of(CardDrawn)] == list(range(1, 13))


def test_a_swapped_shuffler_is_told_with_what_the_former_one_holds() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.deal(10)
    gone = swap(bench, serial="SHUF-2")
    assert bench.journal.of(ShufflerSwapped) == [ShufflerSwapped("shuffler", "SHUF-1", "SHUF-2", 42)]
    assert len(gone.inside) + len(gone.mouth) == 42
    up = bench.journal.of(ShufflerPoweredUp)[-1]
    assert (up.state, up.inside, up.occupied) == ("empty", 0, False)


def test_cards_left_inside_the_machine_that_comes_are_told() -> None:
    bench = ShufflerBench(ONE_DECK)
    swap(bench, serial="SHUF-2", left_inside=["4H", "4H"])
    up = bench.journal.of(ShufflerPoweredUp)[-1]
    assert (up.state, up.occupied, up.certain) == ("stopped", True, False)
    assert bench.journal.troubles() == {"stopped"}


def test_a_swap_ends_the_troubles_of_the_machine_that_went() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.open_door()
    bench.device.set_mode(Mode.SORT)
    bench.clock.run_for(1)
    assert bench.journal.troubles() == {"door_open", "wrong_mode"}
    swap(bench, serial="SHUF-2")
    assert bench.journal.troubles() == set()


def test_a_swap_while_the_controller_was_down_is_found_from_the_journal() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.driver.stop()
    swap(bench, serial="SHUF-2")
    bench.restart_controller()
    bench.clock.run_for(5)
    assert bench.journal.of(ShufflerSwapped) == [ShufflerSwapped("shuffler", "SHUF-1", "SHUF-2", None)]


def test_a_machine_that_does_not_belong_here_is_refused_by_its_serial() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.driver.stop()
    bench.driver = Shuffler("shuffler", bench.clock, bench.wire.host, bench.journal, serial="SHUF-9")
    bench.driver.desire({"locked": False})
    bench.driver.start()
    bench.clock.run_for(10)
    (refused,) = bench.journal.of(DeviceRefused)
    assert "SHUF-9" in refused.reason
    assert bench.device.locked


@pytest.mark.parametrize(
    "fault",
    [
        "shuffler drop rate=0.2 seed=1",
        "shuffler corrupt bits=0.002 seed=2",
        "shuffler duplicate rate=0.5 seed=3",
        "shuffler unplug at_event=7 seconds=3",
        "shuffler stall at_event=5 seconds=8",
        "shuffler reboot at_event=9 seconds=1",
    ],
)
def test_no_fault_of_the_line_loses_or_repeats_a_card(fault: str) -> None:
    bench = ShufflerBench(ONE_DECK)
    faults = Faults.on_wire(bench.clock, bench.wire, bench.device.link, "shuffler")
    faults.plan(Fault.parse(fault))
    for _ in range(30):
        bench.unlock()
        bench.pull()
        bench.clock.run_for(0.5)
    faults.clear()
    bench.clock.run_until(lambda: bench.device.link.held == 0, 120)
    assert faults.to_host.hit + faults.to_device.hit + len(faults.struck) > 0
    assert drawn(bench) == bench.device.drawn
    assert [event.draw for event in bench.journal.of(CardDrawn)] == list(range(1, 31))
