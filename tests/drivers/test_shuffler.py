"""The shuffler at the table: cards in, cards out, modes, orders and checks."""

from __future__ import annotations

import pytest

from drivers.cards import CardDrawn, CardPushedBack, CardReadAgain, CardUnread, GateForced, TwoDrawn
from drivers.events import DeviceTrouble
from drivers.shuffler import (
    CardPresented,
    DeckChecked,
    DoublePresented,
    ShufflerLoaded,
    ShufflerMode,
    ShufflerState,
    against_decks,
)
from firmware_specs import link
from firmware_specs.cards import DECK
from firmware_specs.frames import FrameDecoder
from firmware_specs.messages.shuffler import Mode
from simulators.card_mouth import CannotDraw
from simulators.faults import Fault, Faults
from tests.drivers.card_source import ShufflerBench

ONE_DECK = " ".join(DECK)


def drawn(bench: ShufflerBench) -> list[str]:
    return [event.card for event in bench.journal.of(CardDrawn)]


def states(bench: ShufflerBench) -> list[tuple[str, int]]:
    return [(event.state, event.inside) for event in bench.journal.of(ShufflerState)]


def check(bench: ShufflerBench, decks: int = 1) -> DeckChecked:
    before = len(bench.journal.of(DeckChecked))
    assert bench.order("StartCheck", check=7, decks=decks)[0] == "done"
    bench.clock.run_until(lambda: len(bench.journal.of(DeckChecked)) > before, 600)
    return bench.journal.of(DeckChecked)[-1]


# --- loading and dealing ---------------------------------------------------------------------------


def test_a_shuffler_tells_its_cards_going_in_and_when_it_is_ready() -> None:
    bench = ShufflerBench(ONE_DECK)
    told = [
        event for event in bench.journal.events if isinstance(event, ShufflerState | ShufflerLoaded | CardPresented)
    ]
    assert told == [
        ShufflerState("shuffler", "shuffling", 0, True),
        ShufflerLoaded("shuffler", 52, 52),
        ShufflerState("shuffler", "ready", 52, True),
        CardPresented("shuffler", 1),
    ]
    assert bench.journal.troubles() == set()


def test_every_card_comes_once_in_an_order_that_the_seed_decides() -> None:
    bench = ShufflerBench(ONE_DECK, seed=1)
    bench.deal(52)
    assert sorted(drawn(bench)) == sorted(DECK)
    assert drawn(bench) != list(DECK)
    assert drawn(bench) == bench.device.drawn
    other = ShufflerBench(ONE_DECK, seed=2)
    other.deal(52)
    assert drawn(other) != drawn(bench)


def test_cards_that_follow_each_other_cost_one_event_each() -> None:
    bench = ShufflerBench(ONE_DECK)
    before = bench.driver.link.stats["frames_in"]
    bench.deal(20)
    assert bench.driver.link.stats["frames_in"] - before <= 21
    assert len(bench.journal.of(CardPresented)) == 1


def test_the_face_of_a_card_in_the_mouth_is_told_to_nobody_before_it_is_taken() -> None:
    bench = ShufflerBench(ONE_DECK)
    sent: list[bytes] = []

    def listen(octets: bytes) -> list[tuple[float, bytes]]:
        sent.extend(FrameDecoder().feed(octets))
        return [(0.0, octets)]

    bench.wire.device.meddle = listen
    bench.deal(1)
    bench.clock.run_for(1.5)
    assert bench.device.mouth
    assert [content[0] for content in sent if content[0] != link.BEAT] == [link.EVENT]


def test_discards_go_back_in_with_a_single_word_and_play_goes_on() -> None:
    bench = ShufflerBench(ONE_DECK)
    hands = [card for cards in bench.deal(8) for card in cards]
    bench.device.load(hands)
    bench.clock.run_for(2)
    assert bench.journal.events[-1] == ShufflerLoaded("shuffler", 8, 52)
    bench.deal(2)
    assert states(bench)[-1] == ("ready", 52)


def test_a_scenario_can_say_which_cards_come() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.stack(["KS", "2H", "2C"])
    bench.deal(3)
    assert drawn(bench) == ["KS", "2H", "2C"]
    with pytest.raises(ValueError, match="KS"):
        bench.device.stack(["KS"])


def test_the_last_card_leaves_an_empty_machine() -> None:
    bench = ShufflerBench("2S 3S")
    bench.deal(2)
    assert states(bench)[-1] == ("empty", 0)
    assert bench.journal.troubles() == set()
    with pytest.raises(CannotDraw, match="no card"):
        bench.device.draw()


def test_discards_on_their_way_in_when_the_last_card_leaves_are_dealt_again() -> None:
    bench = ShufflerBench("2S 3S")
    bench.device.load(["4S"] * 60)
    bench.pull()
    bench.pull()
    bench.clock.run_for(0.5)
    assert states(bench)[-1] == ("empty", 0)
    bench.clock.run_until(lambda: bool(bench.device.mouth), 30)
    bench.settle()
    assert states(bench)[-1] == ("ready", 60)
    assert bench.journal.troubles() == set()


def test_a_hand_that_is_quicker_than_the_machine_waits_for_the_card() -> None:
    bench = ShufflerBench(ONE_DECK)
    for _ in range(5):
        assert len(bench.pull()) == 1
    bench.settle()
    assert len(drawn(bench)) == 5


def test_readings_go_wrong_at_the_mouth_of_a_shuffler_as_at_a_shoe() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.device.spoil("twice")
    bench.device.spoil("half", after=1)
    bench.device.spoil("doubtful", after=3)
    bench.deal(4)
    assert len(bench.journal.of(CardReadAgain)) == 1
    assert [event.told for event in bench.journal.of(CardPushedBack)] == [False]
    assert [event.why for event in bench.journal.of(CardUnread)] == ["doubtful"]
    assert len(drawn(bench)) == 2


def test_a_card_taken_through_a_locked_gate_is_told_as_forced() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.driver.desire({"locked": True})
    bench.clock.run_until(lambda: bench.device.locked, 5)
    with pytest.raises(CannotDraw, match="locked"):
        bench.device.draw()
    bench.pull(force=True)
    bench.settle()
    assert bench.journal.of(GateForced) == [GateForced("shuffler", 1)]


@pytest.mark.parametrize("order_known", [True, False])
def test_two_in_the_mouth_are_told_before_they_are_taken_and_when(order_known: bool) -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.deal(1)
    bench.device.spoil("two", order_known=order_known)
    bench.clock.run_for(1)
    assert bench.journal.events[-1] == DoublePresented("shuffler", (2, 3), order_known)
    (cards,) = bench.deal(1)
    (two,) = bench.journal.of(TwoDrawn)
    assert (two.draws, two.cards, two.order_known) == ((2, 3), cards, order_known)
    assert bench.device.count == 49


# --- modes -----------------------------------------------------------------------------------------


def test_a_shuffler_left_in_sort_mode_is_told_before_a_card_is_dealt() -> None:
    bench = ShufflerBench(mode=Mode.SORT)
    assert bench.journal.troubles() == {"wrong_mode"}
    (trouble,) = bench.journal.of(DeviceTrouble)
    assert "sort" in trouble.text
    assert bench.order("SetMode", mode="shuffle") == ("done", {"mode": "shuffle"})
    bench.clock.run_for(1)
    assert bench.journal.troubles() == set()
    assert bench.journal.of(ShufflerMode) == [ShufflerMode("shuffler", "shuffle", "host")]


def test_a_mode_turned_by_hand_during_play_is_told_at_once() -> None:
    bench = ShufflerBench(ONE_DECK)
    bench.deal(3)
    bench.device.set_mode(Mode.SORT)
    bench.clock.run_for(1)
    assert bench.journal.of(ShufflerMode) == [ShufflerMode("shuffler", "sort", "keys")]
    assert bench.journal.troubles() == {"wrong_mode"}


def test_a_sorting_machine_gives_cards_in_factory_order() -> None:
    bench = ShufflerBench(mode=Mode.SORT)
    bench.device.load(reversed(DECK))
    bench.clock.run_for(60)
    for expected in DECK[:5]:
        assert bench.order("Eject")[0] == "done"
        assert bench.pull() == (expected,)


def test_an_ejected_card_comes_once_though_the_order_is_repeated() -> None:
    bench = ShufflerBench(mode=Mode.SINGLE_DECK)
    bench.device.load(DECK)
    bench.clock.run_for(60)
    faults = Faults.on_wire(bench.clock, bench.wire, bench.device.link, "shuffler")
    faults.plan(Fault.parse("shuffler duplicate rate=1.0 way=to_device"))
    faults.plan(Fault.parse("shuffler drop rate=0.4 way=to_host seed=3"))
    for number in range(1, 11):
        assert bench.order("Eject") == ("done", {"draw": number})
        assert len(bench.pull()) == 1
    assert bench.device.link.counters["repeats"] > 0
    faults.clear()
    bench.settle()
    assert len(bench.device.drawn) == 10
    assert drawn(bench) == bench.device.drawn


def test_a_second_card_is_not_ejected_while_one_stands_in_the_mouth() -> None:
    bench = ShufflerBench(ONE_DECK)
    status, answer = bench.order("Eject")
    assert status == "refused"
    assert "mouth" in answer["text"]


def test_an_ejection_that_sticks_is_answered_as_failed() -> None:
    bench = ShufflerBench(mode=Mode.SINGLE_DECK)
    bench.device.load(DECK)
    bench.clock.run_for(60)
    bench.device.jam("mouth", recovers=False)
    status, answer = bench.order("Eject")
    assert status == "failed"
    assert "stuck" in answer["text"]


def test_an_order_that_the_shuffler_does_not_know_is_refused_with_those_it_does() -> None:
    bench = ShufflerBench()
    status, answer = bench.order("Explode")
    assert status == "refused"
    assert "Eject" in answer["text"]


# --- checks by identity ----------------------------------------------------------------------------


def test_a_whole_deck_is_found_good_and_mixed_again() -> None:
    bench = ShufflerBench(ONE_DECK)
    found = check(bench)
    assert found == DeckChecked("shuffler", 7, 1, complete=True, good=True, count=52)
    bench.clock.run_until(lambda: bench.device.mouth != (), 30)
    assert [state for state, _ in states(bench)][-3:] == ["checking", "shuffling", "ready"]
    bench.deal(52)
    assert sorted(drawn(bench)) == sorted(DECK)


def test_a_missing_card_is_found_though_the_machine_counts_fifty_two() -> None:
    bench = ShufflerBench(" ".join(DECK[:51]))
    bench.device.take_out()
    bench.device.miscount(1)
    bench.device.load(DECK[:51])
    bench.clock.run_for(60)
    found = check(bench)
    assert (found.count, found.good, found.missing) == (52, False, ("AC",))


def test_a_check_names_what_is_wrong_with_a_deck() -> None:
    cards = [card for card in DECK if card not in ("5H", "9D", "KC")]
    bench = ShufflerBench(" ".join([*cards, "2S", "JOKER", "!5H", "KC?", "9D^"]))
    found = check(bench)
    assert not found.good
    assert (found.missing, found.surplus) == (("5H", "KC"), ("2S",))
    assert (found.jokers, found.foreign, found.unread, found.boxed) == (1, 1, 1, ("9D",))
    assert found.count == 54


def test_six_decks_are_checked_for_casino_war_too() -> None:
    cards = list(DECK) * 6
    cards.remove("QS")
    bench = ShufflerBench(" ".join([*cards, "QH"]))
    found = check(bench, decks=6)
    assert (found.count, found.missing, found.surplus, found.good) == (312, ("QS",), ("QH",), False)


def test_a_check_that_the_door_breaks_off_proves_nothing() -> None:
    bench = ShufflerBench(ONE_DECK)
    assert bench.order("StartCheck", check=9, decks=1)[0] == "done"
    bench.clock.run_for(3)
    bench.device.open_door()
    bench.clock.run_for(1)
    assert bench.journal.of(DeckChecked) == [DeckChecked("shuffler", 9, 1, complete=False, good=False, count=52)]
    bench.device.close_door()
    bench.clock.run_for(60)
    assert len(bench.journal.of(DeckChecked)) == 1
    assert states(bench)[-1] == ("ready", 52)


def test_cards_missing_and_surplus_are_counted_per_deck() -> None:
    tally = [2] * 52
    tally[0], tally[51] = 0, 4
    assert against_decks(tally, 2) == (("2S", "2S"), ("AC", "AC"))
