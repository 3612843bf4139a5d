"""Cards drawn through the reader: over the real pyusb interface, scratched, half drawn, torn off."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.events import DeviceDown, DeviceEvent, DeviceTrouble, DeviceTroubleOver, DeviceUp, Mark
from drivers.ports.usb import UsbPort
from drivers.swipe import (
    REPORT,
    SWIPES_BURST,
    BadReport,
    CardSwiped,
    CardUnread,
    Stripe,
    SwipeReader,
    parse_report,
    pseudonym,
)
from firmware_specs.clock import RealClock, VirtualClock
from firmware_specs.port import PortTrouble
from simulators.swipe import Card, SimulatedReader, card, report
from simulators.usb import UsbBus

KEY = b"a key of the house's own"
NUMBER = "6007012345678901"
ADDRESS = "usb:0801:0002"


class Heard:
    """Takes what the reader tells."""

    def __init__(self) -> None:
        self.events: list[DeviceEvent] = []

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        self.events.append(event)

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        raise AssertionError("a card is never shown live")

    @property
    def cards(self) -> list[DeviceEvent]:
        return [event for event in self.events if isinstance(event, CardSwiped | CardUnread)]


class Bench:
    """A reader on a simulated bus under the virtual clock."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.bus = UsbBus(blocking=False)
        self.reader = SimulatedReader(self.bus)
        self.heard = Heard()
        port = UsbPort(ADDRESS, clock=self.clock, backend=self.bus, read_size=REPORT)
        self.driver = SwipeReader("cards", self.clock, port, self.heard, key=KEY, serial="SW-1")
        self.driver.start()
        self.clock.run_for(0.1)

    def after(self, seconds: float = 0.1) -> list[DeviceEvent]:
        self.clock.run_for(seconds)
        return self.heard.cards


@pytest.fixture
def bench() -> Bench:
    return Bench()


GOOD, BAD, BLANK = "good", "bad", "blank"
PSEUDONYM = pseudonym(KEY, NUMBER)


def test_a_good_swipe_is_told_as_a_pseudonym(bench: Bench) -> None:
    assert bench.heard.events == [DeviceUp("cards", "swipe", "SW-1", "")]
    bench.reader.swipe(card(NUMBER))
    assert bench.after() == [CardSwiped("cards", PSEUDONYM, (GOOD, GOOD, BLANK))]
    bench.reader.swipe(card(NUMBER))
    bench.reader.swipe(card("6007019999999999"))
    told = bench.after()
    assert told[1] == told[0]
    assert isinstance(told[2], CardSwiped)
    assert told[2].card != PSEUDONYM


@pytest.mark.parametrize("track", [1, 2])
def test_one_bad_track_is_no_matter_as_long_as_the_other_holds_the_number(bench: Bench, track: int) -> None:
    bench.reader.swipe(card(NUMBER), bad=[track])
    states = (BAD, GOOD, BLANK) if track == 1 else (GOOD, BAD, BLANK)
    assert bench.after() == [CardSwiped("cards", PSEUDONYM, states)]


def test_a_card_with_its_number_on_track_two_alone_is_read(bench: Bench) -> None:
    bench.reader.swipe(Card(track2=";12345?"))
    assert bench.after() == [CardSwiped("cards", pseudonym(KEY, "12345"), (BLANK, GOOD, BLANK))]


@pytest.mark.parametrize(
    ("held", "bad", "reason"),
    [
        (card(NUMBER), [1, 2], "half_read"),
        (Card(track2=";12345?"), [2], "half_read"),
        (Card(), [], "blank"),
        (Card(track1="%HELLO?"), [], "no_number"),
        (Card("%B6007012345678901^X^3012?", ";6007010000000000=3012?"), [], "no_number"),
    ],
)
def test_a_card_that_cannot_be_told_says_why_and_what_to_do(
    bench: Bench, held: Card, bad: list[int], reason: str
) -> None:
    bench.reader.swipe(held, bad)
    (told,) = bench.after()
    assert isinstance(told, CardUnread)
    assert told.reason == reason
    assert told.remedy


def test_a_half_swipe_is_told_as_unread(bench: Bench) -> None:
    bench.reader.half_swipe(card(NUMBER))
    (told,) = bench.after()
    assert isinstance(told, CardUnread)
    assert (told.reason, told.tracks) == ("half_read", (BAD, BAD, BLANK))


def test_a_reader_unplugged_in_the_middle_of_a_swipe_tells_no_card_and_reads_again_once_replugged(
    bench: Bench,
) -> None:
    bench.reader.swipe_and_tear(card(NUMBER), 200)
    bench.clock.run_for(0.01)
    bench.reader.unplug()
    (told,) = bench.after(1.0)
    assert isinstance(told, CardUnread)
    assert told.reason == "cut_off"
    assert sum(isinstance(event, DeviceDown) for event in bench.heard.events) == 2
    bench.reader.plug()
    bench.clock.run_for(5.0)
    assert isinstance(bench.heard.events[-1], DeviceUp)
    bench.reader.swipe(card(NUMBER))
    assert bench.after()[-1] == CardSwiped("cards", PSEUDONYM, (GOOD, GOOD, BLANK))
    assert bench.driver.health().counters == {"swipes": 1, "unread": 1, "bad_reports": 0, "lost": 1, "held_back": 0}


def test_the_rest_of_a_torn_report_is_never_joined_to_the_next_card(bench: Bench) -> None:
    bench.reader.swipe_and_tear(card("6007019999999999"), 200)
    bench.after(1.0)
    bench.reader.swipe(card(NUMBER))
    assert bench.after()[-1] == CardSwiped("cards", PSEUDONYM, (GOOD, GOOD, BLANK))


def test_a_missing_reader_is_told_once_and_found_when_it_is_plugged_in() -> None:
    bench = Bench()
    bench.reader.unplug()
    bench.clock.run_for(60.0)
    downs = [event for event in bench.heard.events if isinstance(event, DeviceDown)]
    assert [event.cause for event in downs] == [f"{ADDRESS} was unplugged", f"{ADDRESS} is not plugged in"]
    bench.reader.plug()
    bench.clock.run_for(4.1)
    assert isinstance(bench.heard.events[-1], DeviceUp)
    bench.driver.stop()
    bench.reader.swipe(card(NUMBER))
    assert bench.after(10.0) == []


def test_nothing_of_a_card_shows_in_events_health_texts_or_logs(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bench.reader.swipe(card(NUMBER, name="KOWALSKI/JO"))
    bench.reader.swipe(card(NUMBER, name="KOWALSKI/JO"), bad=[1])
    bench.reader.swipe_and_tear(card(NUMBER), 200)
    bench.after(1.0)
    shown = [repr(bench.heard.events), repr(bench.driver), repr(bench.driver.health()), caplog.text]
    shown += [msgspec.json.encode(event).decode() for event in bench.heard.events]
    shown.append(repr(parse_report(report(card(NUMBER)))))
    for text in shown:
        assert NUMBER not in text
        assert NUMBER[:6] not in text
        assert NUMBER[-4:] not in text
        assert "KOWALSKI" not in text
        assert KEY.decode() not in text


def test_without_the_key_a_pseudonym_says_nothing_and_a_short_key_is_refused() -> None:
    assert pseudonym(KEY, NUMBER) == pseudonym(KEY, NUMBER.encode())
    assert pseudonym(KEY, NUMBER) != pseudonym(b"another key, as long", NUMBER)
    with pytest.raises(ValueError, match="16 bytes"):
        pseudonym(b"short", NUMBER)
    with pytest.raises(ValueError, match="16 bytes"):
        SwipeReader("cards", VirtualClock(), UsbPort(ADDRESS, clock=VirtualClock()), Heard(), key=b"short")


def test_a_reader_takes_no_orders(bench: Bench) -> None:
    answers: list[Any] = []
    bench.driver.order(1, "eject", {}, lambda *answer: answers.append(answer))
    assert answers[0][0] == "refused"


def test_beside_a_real_loop_a_swipe_comes_through_the_reading_thread() -> None:
    async def play() -> list[DeviceEvent]:
        loop = asyncio.get_running_loop()
        bus = UsbBus()
        reader, heard, came = SimulatedReader(bus), Heard(), asyncio.Event()
        take = heard.take

        def taken(*args: Any) -> None:
            take(*args)
            if heard.cards:
                came.set()

        heard.take = taken  # type: ignore[method-assign, assignment]
        port = UsbPort(ADDRESS, loop=loop, backend=bus, read_size=REPORT)
        driver = SwipeReader("cards", RealClock(loop), port, heard, key=KEY)
        driver.start()
        reader.swipe(card(NUMBER))
        try:
            await asyncio.wait_for(came.wait(), 5)
        finally:
            driver.stop()
        return heard.cards

    assert asyncio.run(play()) == [CardSwiped("cards", PSEUDONYM, (GOOD, GOOD, BLANK))]


# -- the parser by itself ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [(3, 111, "claims 111 bytes"), (6, 7, "encode type 7"), (0, 1, "failed and yet claims")],
)
def test_a_report_that_contradicts_itself_is_refused(at: int, value: int, why: str) -> None:
    octets = bytearray(report(card(NUMBER)))
    octets[at] = value
    with pytest.raises(BadReport, match=why):
        parse_report(bytes(octets))


@given(st.binary(max_size=400))
def test_whatever_bytes_come_the_parser_reads_them_or_refuses_them(octets: bytes) -> None:
    try:
        stripe = parse_report(octets)
    except BadReport:
        return
    assert len(octets) == REPORT
    assert isinstance(stripe, Stripe)


@given(st.binary(min_size=REPORT, max_size=REPORT), st.tuples(*[st.integers(0, 110)] * 3), st.integers(0, 7))
def test_a_report_with_a_right_head_and_any_tracks_is_read_without_a_number_or_with_one_that_stands_on_it(
    octets: bytes, lengths: tuple[int, int, int], failed: int
) -> None:
    bad = [failed >> track & 1 for track in range(3)]
    head = bytes(bad) + bytes(0 if no else length for no, length in zip(bad, lengths, strict=True)) + b"\0"
    stripe = parse_report(head + octets[7:])
    number = stripe.number()
    assert number is None or number in octets


@given(st.from_regex(r"[0-9]{4,19}", fullmatch=True), st.sets(st.sampled_from([1, 2]), max_size=1))
def test_a_number_reads_the_same_from_either_track(number: str, bad: set[int]) -> None:
    assert parse_report(report(card(number), sorted(bad))).number() == number.encode()


@given(st.lists(st.binary(max_size=60), max_size=30))
def test_a_stream_of_anything_in_any_pieces_never_upsets_the_driver(pieces: list[bytes]) -> None:
    clock, heard = VirtualClock(), Heard()
    port = Hand()
    driver = SwipeReader("cards", clock, port, heard, key=KEY)
    driver.start()
    for piece in pieces:
        port.on_bytes(piece)
    clock.run_for(1.0)
    port.on_bytes(report(card(NUMBER)))
    assert heard.cards[-1] == CardSwiped("cards", PSEUDONYM, (GOOD, GOOD, BLANK))


class Hand:
    """A port that a test feeds by hand."""

    name = "hand"

    def open(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[PortTrouble], None]) -> None:
        self.on_bytes, self.on_lost = on_bytes, on_lost

    def write(self, octets: bytes) -> None:
        raise AssertionError("a reader is never written to")

    def close(self) -> None: ...


def fed() -> tuple[VirtualClock, Heard, Hand, SwipeReader]:
    """A reader whose port a test feeds."""
    clock, heard, hand = VirtualClock(), Heard(), Hand()
    reader = SwipeReader("cards", clock, hand, heard, key=KEY)
    reader.start()
    return clock, heard, hand, reader


def test_a_reader_that_tells_more_cards_than_anybody_draws_is_held_back_and_told_once() -> None:
    clock, heard, hand, reader = fed()
    for _ in range(5_000):
        hand.on_bytes(report(card(NUMBER)))
        clock.run_for(0.01)
    assert len(heard.cards) <= SWIPES_BURST + 1
    troubles = [one for one in heard.events if isinstance(one, DeviceTrouble)]
    assert [(one.code, bool(one.remedy)) for one in troubles] == [("flood", True)]
    assert reader.health().counters["held_back"] > 4_000
    told = len(heard.cards)
    clock.run_for(SWIPES_BURST)
    assert isinstance(heard.events[-1], DeviceTroubleOver)
    hand.on_bytes(report(card(NUMBER)))
    assert len(heard.cards) == told + 1


def test_a_reader_that_is_lost_as_soon_as_it_is_found_is_opened_ever_more_seldom() -> None:
    clock, heard, hand, reader = fed()
    for _ in range(600):
        if reader.health().state == "up":
            hand.on_lost(PortTrouble("it is gone", "plug it in"))
        clock.run_for(0.1)
    assert len([one for one in heard.events if isinstance(one, DeviceUp)]) <= 60 / 4 + 8
