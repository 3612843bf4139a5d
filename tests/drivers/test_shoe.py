"""The shoe at the table: what leaves it, what goes wrong with it, and what survives a power loss."""

from __future__ import annotations

from typing import Any

import pytest

from drivers.cards import (
    CardDrawn,
    CardPushedBack,
    CardReadAgain,
    CardUnread,
    CuttingCard,
    GateForced,
    TwoDrawn,
)
from drivers.events import DeviceTrouble, DeviceUp
from drivers.shoe import ShoeEmpty, ShoeLoaded
from firmware_specs.cards import CODE_OF, DECK
from firmware_specs.clock import VirtualClock
from firmware_specs.messages import shoe as wire
from simulators.card_mouth import CannotDraw
from simulators.card_reader import MishapRates
from simulators.faults import Fault, Faults
from simulators.shoe import CardShoe
from simulators.wire import Wire
from tests.drivers.card_source import ShoeBench


def drawn(bench: ShoeBench) -> list[tuple[int, str]]:
    return [(event.draw, event.card) for event in bench.journal.of(CardDrawn)]


def test_every_card_is_told_once_in_order_with_rank_and_suit() -> None:
    bench = ShoeBench(" ".join(DECK))
    bench.deal(52)
    assert drawn(bench) == list(enumerate(DECK, start=1))
    assert all(event.confidence >= 96 for event in bench.journal.of(CardDrawn))
    assert bench.journal.events[-1] == ShoeEmpty("shoe")


def test_a_card_costs_one_event_and_one_acknowledgement() -> None:
    bench = ShoeBench("2S 3S 4S 5S")
    bench.deal(1)
    before = bench.driver.link.stats["frames_in"]
    bench.deal(3)
    assert bench.driver.link.stats["frames_in"] - before <= 4  # three cards, and the shoe that is empty now


def test_the_cutting_card_and_a_joker_are_told_as_such() -> None:
    bench = ShoeBench("5H CUT JOKER 9C")
    bench.deal(4)
    assert bench.journal.of(CuttingCard) == [CuttingCard("shoe", 2)]
    assert bench.journal.of(CardUnread) == [CardUnread("shoe", 3, "joker")]
    assert drawn(bench) == [(1, "5H"), (4, "9C")]


def test_a_card_with_another_back_is_foreign_though_its_face_was_seen() -> None:
    bench = ShoeBench("!QS 2C")
    bench.deal(1)
    (unread,) = bench.journal.of(CardUnread)
    assert unread.why == "foreign"
    assert unread.seen[0][0] == "QS"
    assert not drawn(bench)


def test_a_damaged_card_is_told_as_unreadable_and_not_guessed() -> None:
    bench = ShoeBench("7D? ?? 8D")
    bench.deal(3)
    assert [(event.why, event.seen) for event in bench.journal.of(CardUnread)] == [("unreadable", ())] * 2
    assert drawn(bench) == [(3, "8D")]


def test_a_doubtful_reading_is_a_proposal_and_no_card() -> None:
    bench = ShoeBench("KS QS")
    bench.device.spoil("doubtful", seen="QS", confidence=62)
    bench.deal(1)
    assert bench.journal.of(CardUnread) == [CardUnread("shoe", 1, "doubtful", (("QS", 62), ("KS", 52)))]


def test_a_sure_reading_with_another_face_close_behind_is_in_doubt() -> None:
    bench = ShoeBench("KS QS")
    bench.device.spoil("doubtful", seen="QS", confidence=97)
    bench.deal(1)
    (unread,) = bench.journal.of(CardUnread)
    assert (unread.why, unread.seen) == ("doubtful", (("QS", 97), ("KS", 87)))


def test_a_misread_that_the_reader_is_sure_of_is_kept_as_the_reader_saw_it() -> None:
    bench = ShoeBench("KS QS")
    bench.device.spoil("misread", seen="QS", confidence=97)
    bench.deal(2)
    assert drawn(bench) == [(1, "QS"), (2, "QS")]  # the count of queens will show it, not the driver
    assert bench.device.drawn == ["KS", "QS"]


@pytest.mark.parametrize(("both_sides", "told"), [(True, CardDrawn), (False, CardUnread)])
def test_a_face_up_card_is_told_as_face_up_whether_or_not_it_can_be_read(both_sides: bool, told: type[Any]) -> None:
    bench = ShoeBench("4C^ 5C", both_sides=both_sides)
    bench.deal(1)
    event: Any = bench.journal.of(told)[0]
    assert event.face_up
    assert event.card == "4C" if both_sides else event.why == "face_up"


def test_a_card_read_twice_is_one_card() -> None:
    bench = ShoeBench("AH KD")
    bench.device.spoil("twice")
    bench.deal(2)
    assert drawn(bench) == [(1, "AH"), (2, "KD")]
    (again,) = bench.journal.of(CardReadAgain)
    assert (again.draw, again.card, again.before) == (1, "AH", "AH")


def test_a_second_reading_that_disagrees_is_told_with_both() -> None:
    bench = ShoeBench("AH KD")
    bench.device.spoil("twice", seen="4H", confidence=95)
    bench.deal(1)
    assert bench.journal.of(CardReadAgain) == [CardReadAgain("shoe", 1, "4H", 95, "AH")]


def test_a_second_reading_after_the_controller_restarted_is_still_no_new_card() -> None:
    bench = ShoeBench("AH KD 5C")
    bench.device.spoil("twice")
    bench.pull()
    bench.clock.run_for(0.05)
    bench.restart_controller()
    bench.clock.run_for(1)
    assert drawn(bench) == [(1, "AH")]
    (again,) = bench.journal.of(CardReadAgain)
    assert (again.draw, again.card, again.before) == (1, "AH", "")


def test_a_half_drawn_card_goes_back_and_comes_under_a_new_number() -> None:
    bench = ShoeBench("3D 4D")
    bench.device.spoil("half")
    assert bench.deal(2) == [(), ("3D",)]
    assert bench.journal.of(CardPushedBack) == [CardPushedBack("shoe", 1, "3D", told=False)]
    assert drawn(bench) == [(2, "3D")]


def test_a_card_pushed_back_after_it_was_told_says_so() -> None:
    bench = ShoeBench("3D 4D")
    bench.device.spoil("half", after_read=True)
    bench.deal(2)
    assert drawn(bench) == [(1, "3D"), (2, "3D")]
    assert bench.journal.of(CardPushedBack) == [CardPushedBack("shoe", 1, "3D", told=True)]


@pytest.mark.parametrize("order_known", [True, False])
def test_two_at_once_are_told_together_with_what_is_known_of_their_order(order_known: bool) -> None:
    bench = ShoeBench("3D 4D 5D")
    bench.device.spoil("two", order_known=order_known)
    bench.deal(2)
    (two,) = bench.journal.of(TwoDrawn)
    assert (two.draws, two.cards, two.order_known) == ((1, 2), ("3D", "4D"), order_known)
    assert drawn(bench) == [(3, "5D")]


def test_one_of_two_that_hides_the_other_leaves_that_face_open() -> None:
    bench = ShoeBench("3D 4D 5D")
    bench.device.spoil("two", blind=(1,))
    bench.deal(1)
    (two,) = bench.journal.of(TwoDrawn)
    assert two.cards == ("3D", "")


def test_a_locked_gate_holds_the_cards_and_a_forced_one_is_told() -> None:
    bench = ShoeBench("3D 4D")
    bench.driver.desire({"locked": True, "lamp": "red"})
    bench.clock.run_until(lambda: bench.device.locked, 5)
    with pytest.raises(CannotDraw, match="locked"):
        bench.device.draw()
    bench.pull(force=True)
    bench.settle()
    assert bench.journal.events[-2:] == [GateForced("shoe", 1), bench.journal.of(CardDrawn)[0]]


def test_the_gate_locks_itself_when_the_controller_falls_silent() -> None:
    bench = ShoeBench("3D 4D")
    assert (bench.device.locked, bench.device.lamp) == (False, wire.Lamp.GREEN)
    bench.driver.stop()
    bench.clock.run_for(wire.SPEC.hold_ms["locked"] / 1000 + 0.1)
    assert (bench.device.locked, bench.device.lamp) == (True, wire.Lamp.RED)


def test_lid_and_cards_are_told_as_they_change() -> None:
    bench = ShoeBench("3D")
    bench.device.open_lid()
    bench.settle()
    assert bench.journal.troubles() == {"lid_open"}
    (trouble,) = bench.journal.of(DeviceTrouble)
    assert "lid" in trouble.text
    assert "Close" in trouble.remedy
    bench.device.close_lid()
    bench.deal(1)
    assert bench.journal.troubles() == set()
    assert bench.journal.events[-1] == ShoeEmpty("shoe")
    with pytest.raises(CannotDraw, match="empty"):
        bench.device.draw()
    bench.device.load(["2C"])
    bench.settle()
    assert bench.journal.of(ShoeLoaded)[-1] in bench.journal.events[-2:]
    assert bench.journal.troubles() == set()


def test_a_dirty_reader_is_noticed_from_weak_readings_and_never_guesses() -> None:
    bench = ShoeBench(" ".join(DECK), seed=4)
    bench.device.soil(70)
    bench.deal(40)
    assert bench.journal.troubles() == {"reader_dirty"}
    assert all(card == DECK[draw - 1] for draw, card in drawn(bench))
    assert len(drawn(bench)) + len(bench.journal.of(CardUnread)) == 40
    assert bench.journal.glimpses
    bench.device.clean()
    bench.settle()
    assert bench.journal.troubles() == set()
    bench.deal(12)
    assert len(drawn(bench)) >= 12


# --- restarts --------------------------------------------------------------------------------------


def test_a_card_drawn_while_the_controller_is_down_is_told_when_it_is_back() -> None:
    bench = ShoeBench("2S 3S 4S")
    bench.deal(1)
    bench.driver.stop()
    bench.pull()  # the gate holds only after six seconds of silence
    bench.restart_controller()
    bench.deal(1)
    assert drawn(bench) == [(1, "2S"), (2, "3S"), (3, "4S")]


def test_a_card_that_was_not_on_disk_is_told_again_after_a_crash() -> None:
    bench = ShoeBench("2S 3S 4S")
    bench.deal(1)
    bench.journal.at_once = False
    bench.pull()
    bench.clock.run_for(0.5)
    assert bench.device.link.held == 1
    bench.restart_controller()
    bench.deal(1)
    assert drawn(bench) == [(1, "2S"), (2, "3S"), (3, "4S")]


def test_a_shoe_that_restarts_with_its_memory_loses_no_card() -> None:
    bench = ShoeBench("2S 3S 4S")
    bench.journal.at_once = False
    bench.pull()
    bench.device.link.power_cycle(keep_memory=True, off_for=1.0)
    bench.clock.run_for(5)
    bench.journal.at_once = True
    bench.journal.flush()
    bench.unlock()
    bench.deal(2)
    assert drawn(bench) == [(1, "2S"), (2, "3S"), (3, "4S")]
    assert not bench.journal.of(CardUnread)
    assert not bench.journal.of(DeviceUp)[-1].lost


def test_a_card_on_its_way_out_when_the_power_went_is_told_as_unread() -> None:
    bench = ShoeBench("2S 3S 4S")
    bench.deal(1)
    bench.device.draw()
    bench.clock.run_for(0.05)
    bench.device.link.power_cycle(keep_memory=True, off_for=1.0)
    bench.clock.run_for(5)
    bench.unlock()
    bench.deal(1)
    assert bench.journal.of(CardUnread) == [CardUnread("shoe", 2, "unreadable")]
    assert drawn(bench) == [(1, "2S"), (3, "4S")]
    assert bench.device.drawn == ["2S", "3S", "4S"]


def test_a_shoe_that_lost_its_memory_says_that_evidence_is_lost_and_numbers_anew() -> None:
    bench = ShoeBench("2S 3S 4S")
    bench.deal(2)
    bench.device.link.power_cycle(keep_memory=False, off_for=1.0)
    bench.clock.run_for(5)
    assert bench.journal.of(DeviceUp)[-1].lost
    bench.unlock()
    bench.deal(1)
    assert drawn(bench)[-1] == (1, "4S")
    assert not bench.journal.of(CardReadAgain)


def test_a_lid_opened_while_the_shoe_had_no_power_is_told_at_its_start() -> None:
    bench = ShoeBench("2S 3S")
    bench.device.stop()
    bench.device.open_lid()
    bench.device.start()
    bench.settle()
    assert bench.journal.troubles() == {"lid_open"}
    bench.device.close_lid()
    bench.settle()
    assert bench.journal.troubles() == set()


def test_a_card_pulled_out_of_a_shoe_without_power_is_not_seen() -> None:
    bench = ShoeBench("2S 3S")
    bench.device.stop()
    with pytest.raises(CannotDraw, match="locked"):
        bench.device.draw()
    bench.pull(force=True)
    bench.device.start()
    bench.clock.run_for(5)
    bench.unlock()
    bench.deal(1)
    assert drawn(bench) == [(1, "3S")]


def test_draws_that_were_never_told_are_told_as_missing() -> None:
    bench = ShoeBench("2S 3S 4S")
    bench.deal(1)
    bench.device._next_draw = 4  # the shoe counted two passes and reported neither
    bench.deal(1)
    assert bench.journal.of(CardUnread) == [CardUnread("shoe", 2, "untold"), CardUnread("shoe", 3, "untold")]
    assert drawn(bench) == [(1, "2S"), (4, "3S")]


def test_another_shoe_on_the_same_line_numbers_from_one_without_confusion() -> None:
    bench = ShoeBench("2S 3S")
    bench.deal(2)
    bench.device.stop()
    bench.device = CardShoe(bench.clock, bench.wire.device, serial="SHOE-2")
    bench.device.load(["KC", "QC"])
    bench.device.start()
    bench.clock.run_until(lambda: bench.journal.of(DeviceUp)[-1].serial == "SHOE-2", 30)
    bench.unlock()
    bench.deal(2)
    assert drawn(bench) == [(1, "2S"), (2, "3S"), (1, "KC"), (2, "QC")]
    assert not bench.journal.of(CardUnread)


# --- faults and chance -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        "shoe drop rate=0.2 seed=1",
        "shoe corrupt rate=0.2 seed=2",
        "shoe duplicate rate=0.5 seed=3",
        "shoe split rate=0.5 seed=4",
        "shoe delay rate=0.1 seconds=0.4 seed=5",
        "shoe unplug at_event=7 seconds=2",
        "shoe stall at_event=5 seconds=8",
        "shoe reboot at_event=9 seconds=1",
    ],
)
def test_no_fault_of_the_line_loses_or_repeats_a_card(fault: str) -> None:
    bench = ShoeBench(" ".join(DECK))
    faults = Faults.on_wire(bench.clock, bench.wire, bench.device.link, "shoe")
    faults.plan(Fault.parse(fault))
    for _ in range(30):
        bench.unlock()
        bench.pull()
        bench.clock.run_for(0.5)
    faults.clear()
    bench.clock.run_until(lambda: bench.device.link.held == 0, 120)
    assert faults.to_host.hit + faults.to_device.hit + len(faults.struck) > 0
    assert drawn(bench) == list(enumerate(DECK[:30], start=1))


def test_mishaps_by_chance_come_from_the_seed_and_account_for_every_card() -> None:
    def play(seed: int) -> ShoeBench:
        rates = MishapRates(unreadable=0.05, doubtful=0.05, twice=0.1, half=0.1, two=0.1)
        bench = ShoeBench(" ".join(DECK * 2), seed=seed, rates=rates)
        while bench.device.cards:
            bench.pull()
            bench.clock.run_for(0.5)
        bench.settle()
        return bench

    bench = play(5)
    journal = bench.journal
    told = len(journal.of(CardDrawn)) + len(journal.of(CardUnread)) + 2 * len(journal.of(TwoDrawn))
    assert told == 104
    assert len(journal.of(CardPushedBack)) > 0
    assert len(journal.of(CardReadAgain)) > 0
    assert journal.events == play(5).journal.events
    assert journal.events != play(6).journal.events


def test_the_fifty_two_codes_are_the_fifty_two_cards() -> None:
    assert len(set(DECK)) == 52
    assert sorted(CODE_OF.values()) == list(range(1, 53))
    assert (CODE_OF["2S"], CODE_OF["AS"], CODE_OF["2H"], CODE_OF["AC"]) == (1, 13, 14, 52)
    with pytest.raises(ValueError, match="no card"):
        ShoeBench("1S")


def test_a_simulated_shoe_forgets_what_it_drew_days_ago_and_goes_on_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulators.card_mouth.REMEMBERED", 3)
    clock = VirtualClock()
    shoe = CardShoe(clock, Wire(clock).device)
    shoe.start()
    shoe.load(["2S", "3S", "4S", "5S", "6S", "7S", "8S"])
    for _ in range(7):
        shoe.draw(force=True)
        clock.run_for(2.0)
    assert shoe.drawn == ["6S", "7S", "8S"]
    assert shoe.draws == 7
