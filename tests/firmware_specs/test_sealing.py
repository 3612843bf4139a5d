"""A sealed session: who cuts the cable can delay, and nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from drivers.link import HostLink
from drivers.pairing import GiveKey, KeyRing, Outcome, Paired
from firmware_specs import link, pairing, sealing
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import shoe
from firmware_specs.sealing import SEALS, Seal
from simulators.link import DeviceLink
from simulators.wire import Wire
from tests.drivers.linked import Ears, Joined, bell
from tests.reference import Reference, build_library

KEY = bytes(range(32))


def drawn() -> Callable[[int], bytes]:
    number = count(1)
    return lambda length: hashlib.sha256(str(next(number)).encode()).digest()[:length]


@pytest.fixture
def keys(tmp_path: Path) -> KeyRing:
    ring = KeyRing(tmp_path / "keys")
    ring.begin("B-1", KEY)
    ring.finish("B-1")
    return ring


@pytest.fixture
def table(keys: KeyRing) -> Joined:
    joined = Joined()
    joined.device.key = KEY
    joined.host.pairing = Paired(keys, drawn(), sealed=True)
    return joined


def watched(table: Joined) -> list[bytes]:
    """Every content that passes the line, both ways."""
    seen: list[bytes] = []

    def watch(octets: bytes) -> list[tuple[float, bytes]]:
        seen.extend(FrameDecoder().feed(octets))
        return [(0.0, octets)]

    table.wire.host.meddle = table.wire.device.meddle = watch
    return seen


def test_everything_after_the_proof_is_sealed_and_the_table_plays_as_ever(table: Joined) -> None:
    seen = watched(table)
    table.start()
    table.host.desire(bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))
    answers: list[str] = []
    table.host.command(7, bell.Ring(2), lambda status, result, text: answers.append(status), 5)
    for times in range(1, 50):
        table.ring(times)
    table.device.live(bell.Loudness(5))
    table.settle_down()
    assert table.rings() == list(range(1, 50))
    assert answers == ["done"]
    assert table.device.outputs == bell.Outputs(muted=False, lamp=bell.Lamp.GREEN)
    table.clock.run_for(30)
    assert len(table.ears.ups) == 1
    begun = [content[0] for content in seen].index(link.PROOF)
    assert {content[0] for content in seen[begun + 1 :]} == {link.SEALED, link.SEALED_BACK}


def spoiling(way: int, change: Callable[[bytes], bytes]) -> Callable[[bytes], list[tuple[float, bytes]]]:
    """A cut cable: sound frames of one kind go on changed, with a check sum that fits."""

    def meddle(octets: bytes) -> list[tuple[float, bytes]]:
        (content,) = FrameDecoder().feed(octets)
        return [(0.0, encode_frame(change(content)) if content[0] == way else octets)]

    return meddle


def test_a_changed_event_is_dropped_noticed_and_comes_again_as_it_was(table: Joined) -> None:
    table.start()
    table.wire.device.meddle = spoiling(link.SEALED_BACK, lambda c: c[:12] + bytes([c[12] ^ 1]) + c[13:])
    table.ring(3)
    table.clock.run_for(1)
    assert table.rings() == []
    assert table.host.counters["unsealed"] > 0
    table.wire.device.meddle = None
    table.settle_down()
    assert table.rings() == [3]


def test_frames_played_back_put_in_bare_or_sent_the_other_way_do_nothing(table: Joined) -> None:
    seen = watched(table)
    table.start()
    table.ring(1)
    table.settle_down()
    table.host.desire(bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))
    table.clock.run_for(0.5)
    table.host.desire(bell.Outputs(muted=True, lamp=bell.Lamp.RED))
    table.clock.run_for(0.5)
    unsealed = table.device.counters["unsealed"]
    recorded = [content for content in seen if content[0] == link.SEALED]
    for content in recorded:
        table.device._on_bytes(encode_frame(content))
    for content in (
        link.HEAD_SET.pack(link.SET, 900) + bell.Outputs(muted=False, lamp=bell.Lamp.GREEN).encode(),
        link.encode_ack(table.device.epoch, 0, 0),
        link.pack_event(link.COMMAND, 99, bell.Ring.ID) + bell.Ring(3).encode(),
    ):
        table.device._on_bytes(encode_frame(content))
    assert table.device.counters["unsealed"] == unsealed + len(recorded) + 3
    assert table.device.outputs == bell.Outputs(muted=True, lamp=bell.Lamp.RED)
    assert table.bell.acted == []
    for content in [content for content in seen if content[0] == link.SEALED_BACK]:
        table.host._on_bytes(encode_frame(content))
    event = link.pack_event(link.EVENT, 2, bell.Rung.ID) + bell.Rung(1, 9, bell.Lamp.RED, True).encode()
    table.host._on_bytes(encode_frame(event))
    table.host._on_bytes(encode_frame(recorded[0]))
    assert table.rings() == [1]


def test_a_line_on_which_only_strangers_speak_is_silence(table: Joined) -> None:
    table.start()
    table.wire.device.meddle = lambda octets: []
    for _ in range(20):
        table.host._on_bytes(encode_frame(link.BEAT_CONTENT))
        table.clock.run_for(0.5)
    assert "Nothing was heard" in table.ears.downs[0][0]


def test_a_device_that_cannot_seal_is_refused_where_it_is_demanded(table: Joined) -> None:
    table.device = DeviceLink(table.clock, table.wire.device, bell.SPEC, table.bell, serial="B-1", key=KEY, seals=False)
    table.device.start()
    table.host.start()
    table.clock.run_until(lambda: bool(table.ears.refusals), 30)
    assert "cannot seal its frames" in table.ears.refusals[0][0]


def test_a_table_that_does_not_demand_it_speaks_bare_to_a_device_that_can(table: Joined, keys: KeyRing) -> None:
    table.host.pairing = Paired(keys, drawn())
    seen = watched(table)
    table.start()
    table.ring(4)
    table.settle_down()
    assert table.rings() == [4]
    assert link.SEALED not in {content[0] for content in seen}


def test_the_counter_does_not_go_round(table: Joined) -> None:
    table.start()
    assert table.host._seal is not None
    assert table.device._seal is not None
    table.host._seal.sent = sealing.LAST_COUNT
    table.clock.run_for(5)
    assert table.host.state == "up"
    assert table.host._seal.sent < 100
    table.device._seal.sent = sealing.LAST_COUNT
    table.ring(6)
    table.settle_down()
    assert table.rings() == [6]


def test_a_stranger_cannot_give_a_proved_device_another_key(table: Joined, keys: KeyRing) -> None:
    """Who waits for the right PROOF and then says PAIR is not heard; who holds the key can give another."""
    table.device.start()
    port, heard = table.wire.host, []
    port.open(lambda octets: heard.extend(FrameDecoder().feed(octets)), lambda trouble: None)
    port.write(encode_frame(link.Hello(9, 0, 0, challenge=b"h" * 16).encode()))
    table.clock.run_for(0.2)
    answer = next(i for i in map(link.Identity.decode, heard) if i.nonce == 9)
    for proof in (
        pairing.host_proof(KEY, b"h" * 16, answer.challenge),
        sealing.sealed_proof(KEY, b"h" * 16, answer.challenge),
    ):
        port.write(encode_frame(link.encode_proof(9, proof)))
        port.write(encode_frame(link.encode_pair(9, b"stranger" * 4)))
    table.clock.run_for(0.5)
    assert table.device.key == KEY
    port.close()
    outcomes: list[Outcome] = []
    GiveKey(table.clock, port, bell.SPEC, keys, outcomes.append, draw=drawn()).start()
    table.clock.run_until(lambda: bool(outcomes), 20)
    assert outcomes[0].status == "paired"
    assert table.device.key == keys.key("B-1") != KEY


def test_a_seal_of_another_session_opens_nothing() -> None:
    one = Seal(KEY, b"h" * 16, b"d" * 16, host=True)
    other = Seal(KEY, b"h" * 16, b"e" * 16, host=False)
    assert other.open(one.close(b"\2rest")) is None
    assert Seal(KEY, b"h" * 16, b"d" * 16, host=False).open(one.close(b"\2rest")) == b"\2rest"


def test_the_reference_in_c_plays_a_sealed_session_and_hears_nobody_else(tmp_path: Path) -> None:
    clock = VirtualClock()
    wire = Wire(clock, 115_200, name="reference")
    device = Reference(build_library(tmp_path), "shoe", clock, wire.device, serial="REF-1")
    device.start()
    keys = KeyRing(tmp_path / "keys")
    outcomes: list[Outcome] = []
    GiveKey(clock, wire.host, shoe.SPEC, keys, outcomes.append, draw=drawn()).start()
    clock.run_until(lambda: bool(outcomes), 20)
    assert outcomes[0].status == "paired", outcomes
    ears = Ears()
    host = HostLink(clock, wire.host, shoe.SPEC, ears, name="shoe", pairing=Paired(keys, drawn(), sealed=True))
    ears.link = host
    host.start()
    host.desire(shoe.Outputs(locked=False, lamp=shoe.Lamp.GREEN))
    device.events(100)
    clock.run_until(lambda: len(ears.events) >= 100, 60)
    clock.run_for(1)
    assert not ears.refusals
    assert device.outputs() == shoe.Outputs(locked=False, lamp=shoe.Lamp.GREEN)
    assert host.identity is not None
    assert host.identity.capabilities & SEALS
    wire.device.hear(encode_frame(link.HEAD_SET.pack(link.SET, 900) + shoe.SPEC.safe.encode()))
    clock.run_for(1)
    assert device.outputs() == shoe.Outputs(locked=False, lamp=shoe.Lamp.GREEN)
    clock.run_for(30)
    assert len(ears.ups) == 1
    outcomes.clear()
    host.stop()
    GiveKey(clock, wire.host, shoe.SPEC, keys, outcomes.append, draw=drawn(), take_away=True).start()
    clock.run_until(lambda: bool(outcomes), 20)
    assert outcomes[0].status == "unpaired"
