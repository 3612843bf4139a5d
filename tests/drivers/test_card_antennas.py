"""Card antennas: what hands do with cards, and what is told of it, whatever the antennas miss."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

import firmware_specs
from drivers.card_antennas import (
    BOARD,
    BURN,
    MUCK,
    CardAntennas,
    CardOffEdge,
    CardOnEdge,
    CardPicture,
    CardsSeen,
    CardTwice,
    CardTwiceOver,
)
from drivers.events import DeviceEvent, DeviceTrouble, DeviceTroubleOver, Mark
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import cards as wire
from firmware_specs.spec import BadMessage, Message
from simulators.card_antennas import CardAntennas as Antennas
from simulators.faults import Fault, Faults
from simulators.wire import Wire

ACE, KING, QUEEN = 0xE004_0150_0001, 0xE004_0150_0002, 0xE004_0150_0003


class Felt:
    """Antennas, their driver, and everything it told, as a table would add it up."""

    def __init__(self, **habits: Any) -> None:
        self.clock = VirtualClock()
        self.wire = Wire(self.clock, None, name="cards")
        self.antennas = Antennas(self.clock, self.wire.device, **habits)
        self.faults = Faults.on_wire(self.clock, self.wire, self.antennas.link, "cards")
        self.told: list[DeviceEvent] = []
        self.at: dict[int, int] = {}
        self.glimpsed: list[msgspec.Struct] = []
        self.mark: Mark | None = None
        self.driver = CardAntennas("cards", self.clock, self.wire.host, self)
        self.antennas.start()
        self.driver.start()
        self.clock.run_for(2.0)
        self.told.clear()

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        self.told.append(event)
        if isinstance(event, CardsSeen):
            for tag, antenna in event.removed:
                if self.at.get(tag) == antenna:
                    del self.at[tag]
            self.at.update(event.added)
        elif isinstance(event, CardPicture):
            self.at = dict(event.cards)
        if durable is not None:
            self.mark = mark
            self.clock.call_later(0.002, durable)

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        self.glimpsed.append(live)

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.told]

    def truth(self) -> dict[int, int]:
        places = [*range(self.antennas.seats + 1), BOARD, BURN]
        return {tag: place for place in places for tag in self.antennas.lying(place)}


@pytest.fixture
def felt() -> Iterator[Felt]:
    one = Felt()
    yield one
    one.driver.stop()
    one.antennas.stop()


def test_a_card_dealt_to_a_seat_is_told_there_and_one_mucked_is_told_to_have_left_it(felt: Felt) -> None:
    felt.antennas.place((ACE,), 3)
    felt.clock.run_for(0.5)
    felt.antennas.place((ACE,), MUCK)
    felt.clock.run_for(0.5)
    assert felt.told == [
        CardsSeen("cards", ((ACE, 3),), ()),
        CardsSeen("cards", ((ACE, MUCK),), ((ACE, 3),)),
    ]


def test_the_flop_is_told_as_one_change_in_the_order_it_was_dealt(felt: Felt) -> None:
    felt.antennas.place((QUEEN, ACE, KING), BOARD)
    felt.clock.run_for(0.5)
    assert felt.told == [CardsSeen("cards", ((QUEEN, BOARD), (ACE, BOARD), (KING, BOARD)), ())]


def test_a_card_missed_for_a_moment_has_not_left(felt: Felt) -> None:
    felt.antennas.place((ACE,), 3)
    felt.clock.run_for(0.5)
    felt.antennas.miss((ACE,), 0.2)
    felt.clock.run_for(2.0)
    assert felt.kinds() == ["CardsSeen"]
    felt.antennas.miss((ACE,), 1.0)
    felt.clock.run_for(0.5)
    assert felt.at == {}
    felt.clock.run_for(1.0)
    assert felt.at == {ACE: 3}


def test_a_late_read_comes_late_and_once(felt: Felt) -> None:
    felt.antennas.place((ACE,), 3, late_s=1.0)
    felt.antennas.place((KING,), 4)
    felt.clock.run_for(3.0)
    assert felt.told == [CardsSeen("cards", ((KING, 4),), ()), CardsSeen("cards", ((ACE, 3),), ())]


def test_a_card_between_two_seats_belongs_to_neither_until_it_is_moved(felt: Felt) -> None:
    felt.antennas.put_on_edge(ACE, (3, 4))
    felt.clock.run_for(0.5)
    assert felt.told == [CardOnEdge("cards", ACE, (3, 4))]
    felt.antennas.place((ACE,), 4)
    felt.clock.run_for(0.5)
    assert felt.told[1:] == [CardOffEdge("cards", ACE), CardsSeen("cards", ((ACE, 4),), ())]


def test_two_cards_with_one_tag_are_told_and_their_end_too(felt: Felt) -> None:
    felt.antennas.place((ACE,), 3)
    felt.clock.run_for(0.5)
    felt.antennas.clone(ACE, BOARD)
    felt.clock.run_for(0.5)
    felt.antennas.unclone(ACE)
    felt.clock.run_for(0.5)
    assert felt.told[1:] == [CardTwice("cards", ACE, (3, BOARD)), CardTwiceOver("cards", ACE)]


def test_a_broken_antenna_is_told_with_its_place_and_what_changed_comes_when_it_is_mended(felt: Felt) -> None:
    felt.antennas.fail(BURN)
    felt.antennas.place((ACE,), BURN)
    felt.clock.run_for(1.0)
    felt.antennas.mend(BURN)
    felt.clock.run_for(1.0)
    trouble, over, seen = felt.told
    assert isinstance(trouble, DeviceTrouble)
    assert "the burn pile" in trouble.text
    assert over == DeviceTroubleOver("cards", "antenna_14")
    assert seen == CardsSeen("cards", ((ACE, BURN),), ())


def test_after_a_loss_of_memory_the_whole_picture_is_read_and_nothing_counts_twice(felt: Felt) -> None:
    felt.antennas.place((ACE, KING), 3)
    felt.clock.run_for(0.5)
    felt.told.clear()
    felt.faults.plan(Fault.of({"device": "cards", "fault": "reboot", "keep_memory": False, "seconds": 1.0}))
    felt.antennas.place((KING,), MUCK)
    felt.clock.run_for(10.0)
    assert felt.at == felt.truth() == {ACE: 3, KING: MUCK}
    assert felt.kinds().count("CardPicture") == 1


@pytest.mark.parametrize("fault", ["drop", "corrupt", "duplicate", "split", "delay", "stall", "unplug", "reboot"])
def test_whatever_the_line_does_the_picture_is_right_in_the_end(felt: Felt, fault: str) -> None:
    felt.faults.plan(Fault.of({"device": "cards", "fault": fault, "rate": 0.05} if fault in ("drop", "corrupt")
                              else {"device": "cards", "fault": fault}))  # fmt: skip
    for number in range(40):
        felt.antennas.place((ACE + number,), number % 9 + 1)
        felt.clock.run_for(0.3)
    felt.antennas.remove([ACE + number for number in range(0, 40, 3)])
    felt.clock.run_for(60.0)
    assert felt.at == felt.truth()


def test_antennas_that_miss_and_lag_are_right_in_the_end() -> None:
    felt = Felt(seed=5, misses_per_minute=120.0, late_rate=0.2)
    for number in range(60):
        felt.antennas.place((ACE + number % 20,), (number * 7) % 10)
        felt.clock.run_for(0.4)
    felt.antennas._misses_per_minute = 0.001
    felt.clock.run_for(30.0)
    assert felt.at == felt.truth()


def test_a_seat_that_is_not_there_is_refused_and_read_anew(felt: Felt) -> None:
    felt.antennas.link.post(wire.CardsMoved(0, (ACE,), (12,), (), (), 1))
    felt.clock.run_for(2.0)
    assert [type(event) for event in felt.told] == [DeviceTrouble, CardPicture]


def test_a_log_about_a_damaged_line_shows_no_tag(felt: Felt) -> None:
    felt.antennas.place((ACE,), 3)
    felt.clock.run_for(0.5)
    with capture_logs() as lines:
        frame = encode_frame(bytes([link.EVENT]) + ACE.to_bytes(8, "little"))
        felt.wire.host.hear(frame[:-3] + b"\x00")
        felt.clock.run_for(0.5)
    assert lines, "a damaged frame is logged"
    text = repr(lines)
    assert ACE.to_bytes(8, "little").hex() not in text
    assert "EVENT" in text


VECTORS = Path(firmware_specs.__file__).parent / "vectors" / "cards.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text("utf-8"))["frames"]
HEADS = {link.EVENT: 6, link.COMMAND: 6, link.RESULT: 6, link.LIVE: 2}


def octets(kind: str, value: Any) -> bytes:
    """A field as the page describes it."""
    if kind.endswith("[]"):
        return bytes([len(value)]) + b"".join(octets(kind[:-2], each) for each in value)
    return int(value).to_bytes(int(kind[1:]) // 8, "little")


def message_of(case: dict[str, Any]) -> tuple[type[Message], bytes]:
    return getattr(wire, case["message"]), bytes.fromhex(case["content"])[HEADS[case["kind"]] :]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_codec_reads_and_writes_the_golden_frame(case: dict[str, Any]) -> None:
    content = bytes([case["kind"]]) + b"".join(octets(field["type"], field["value"]) for field in case["fields"])
    assert content.hex() == case["content"]
    assert encode_frame(content).hex() == case["frame"]
    assert FrameDecoder().feed(bytes.fromhex(case["frame"])) == [content]
    kind, body = message_of(case)
    message = kind.decode(body)
    fields = {field["name"]: field["value"] for field in case["fields"]}
    for name in kind.__struct_fields__:
        value = getattr(message, name)
        assert (list(value) if isinstance(value, tuple) else value) == fields[name]
    assert message.encode() == body
    for wrong in (body[:-1], body + b"\0"):
        with pytest.raises(BadMessage):
            kind.decode(wrong)


def test_every_message_of_the_antennas_has_a_golden_frame() -> None:
    spec = wire.SPEC
    declared = {
        each.__name__ for table in (spec.events, spec.live, spec.commands, spec.results) for each in table.values()
    }
    assert {case["message"] for case in CASES} == declared
