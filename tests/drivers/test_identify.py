"""Whether the device that answers belongs here; if not, reason and remedy; and what is told from a dead line."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from drivers.events import Mark
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from tests.drivers.linked import Joined, bell, far_ahead, say_otherwise


@pytest.mark.parametrize(
    ("at", "octets", "told"),
    [(25, bytes(4), "IDENTITY.epoch is 0"), (29, bytes(4), "IDENTITY.oldest is 0"), (37, b"\x7f", "IDENTITY.serial")],
)
def test_an_identity_that_makes_no_sense_is_named_for_what_it_is(at: int, octets: bytes, told: str) -> None:
    joined = Joined()

    def lie(frame: bytes) -> list[tuple[float, bytes]]:
        (content,) = FrameDecoder().feed(frame)
        return [(0.0, encode_frame(content[:at] + octets + content[at + len(octets) :]))]

    joined.wire.device.meddle = lie
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(3)
    assert told in joined.ears.refusals[0][0]
    joined.wire.device.meddle = None
    joined.clock.run_for(10)
    assert joined.host.state == "up"


def test_a_line_of_another_speed_or_protocol_is_told_from_a_dead_one() -> None:
    joined = Joined()
    joined.wire.device.meddle = lambda octets: [(0.0, bytes(octet ^ 0x55 or 1 for octet in octets) + b"\0")]
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(10)
    assert "Bytes come from bell wire, but no frame of the link" in joined.ears.downs[0][0]


def test_a_device_that_stops_inside_a_frame_is_told_so() -> None:
    joined = Joined().start()
    joined.wire.device.meddle = lambda octets: [(0.0, octets[:4])]
    joined.clock.run_for(20)
    assert "stopped in the middle of a frame" in joined.ears.downs[0][0]


GREEN = bell.Outputs(muted=False, lamp=bell.Lamp.GREEN)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"code": 9}, "another kind (code 9"),
        ({"version": 2}, "spec version 2"),
        ({"digest": b"another!"}, "another text of spec version 1"),
    ],
)
def test_a_device_that_does_not_belong_here_is_refused_with_reason_and_remedy(
    change: dict[str, Any], told: str
) -> None:
    joined = Joined()
    joined.device.spec = msgspec.structs.replace(bell.SPEC, **change)
    joined.device.start()
    with capture_logs() as logs:
        joined.host.start()
        joined.host.desire(GREEN)
        joined.ring(1)
        joined.clock.run_for(30)
    ((reason, remedy),) = joined.ears.refusals
    assert told in reason
    assert remedy
    assert (joined.ears.ups, joined.ears.events, joined.bell.outputs_seen) == ([], [], [])
    assert joined.device.held == 1
    assert logs[0]["event"] == "refused"


def test_a_device_of_another_link_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    joined = Joined()
    encode = link.Identity.encode
    monkeypatch.setattr(
        link.Identity, "encode", lambda self: encode(msgspec.structs.replace(self, link_version=2)) + b"new field"
    )
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(5)
    assert "link version 2" in joined.ears.refusals[0][0]


def test_a_device_whose_memory_went_back_in_time_is_refused() -> None:
    joined = Joined()
    joined.device.start()
    joined.host = joined.new_host(Mark("B-1", joined.device.epoch, 12))
    joined.host.start()
    joined.clock.run_for(5)
    assert "went back in time" in joined.ears.refusals[0][0]


@pytest.mark.parametrize("reconnects", [False, True])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"code": 9}, "A device of another kind (code 9"),
        ({"link_version": 7}, "speaks link version 7"),
        ({"spec_version": 7}, "speaks spec version 7"),
        ({"digest": bytes(8)}, "built from another text"),
        ({"capabilities": 0xFFFF_FFFF}, "claims capabilities that it cannot have (bits 7ffffffe)"),
        ({"boot": 0}, "does not count its starts"),
        ({"firmware": "\x1b[31m"}, "control characters in its name"),
        ({"serial": "B\n1"}, "control characters in its name"),
    ],
)
def test_a_device_that_lies_in_one_field_is_named_for_it_when_it_comes_and_when_it_comes_back(
    change: dict[str, Any], told: str, reconnects: bool
) -> None:
    joined = Joined()
    if reconnects:
        joined.start()
        joined.device.power_cycle(keep_memory=True, off_for=0.1)
    say_otherwise(joined, lambda identity: msgspec.structs.replace(identity, **change))
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(3)
    ((reason, remedy),) = joined.ears.refusals
    assert told in reason
    assert remedy
    assert "\n" not in reason
    assert "\x1b" not in reason
    assert len(joined.ears.ups) == reconnects


def test_an_answer_to_somebody_else_is_told_from_no_answer() -> None:
    joined = Joined()
    say_otherwise(joined, lambda said: msgspec.structs.replace(said, nonce=said.nonce ^ 5) if said.nonce else said)
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(10)
    ((cause, remedy),) = joined.ears.downs
    assert "answers, but not to this table" in cause
    assert "firmware" in remedy


def test_a_memory_that_keeps_nothing_is_named_and_taken_again_when_it_keeps() -> None:
    joined = Joined().start()
    for _ in range(3):
        joined.device.power_cycle(keep_memory=False)
        joined.clock.run_for(1.0)
    ((reason, remedy),) = joined.ears.refusals
    assert "lost its memory again and again" in reason
    assert "another device" in remedy
    joined.clock.run_until(lambda: joined.host.state == "up", 5)  # it has kept it since
    joined.ring(1)
    joined.settle_down()
    joined.device.power_cycle(keep_memory=False)
    joined.clock.run_for(5)
    assert len(joined.ears.refusals) == 1  # lost once more, and it told something before
    assert joined.host.state == "up"


@pytest.mark.parametrize("held", [0, 3])
@pytest.mark.parametrize("by", [1, 5, 4_000_000_000])
def test_a_device_that_lies_about_its_oldest_event_is_named_at_its_first_event_and_loses_none(
    by: int, held: int
) -> None:
    joined = Joined()
    joined.device.start()
    for times in range(1, held + 1):
        joined.ring(times)
    say_otherwise(joined, far_ahead(by))
    joined.host.start()
    joined.clock.run_for(3)
    if not held:
        assert joined.host.state == "up"  # it may be true: whoever holds nothing has nothing to show
        joined.ring(1)
        joined.clock.run_for(1)
    ((reason, remedy),) = joined.ears.refusals
    assert "does not tell the truth about its events: it says that it holds none before" in reason
    assert "sends event 1." in reason
    assert "maker" in remedy
    joined.clock.run_for(30)
    assert len(joined.ears.refusals) == 1
    assert (len(joined.ears.ups), joined.ears.events, joined.ears.downs) == (1, [], [])
    assert joined.device.held == (held or 1)
    joined.wire.device.meddle = None
    joined.settle_down()
    assert joined.rings() == list(range(1, (held or 1) + 1))


def test_a_device_that_begins_to_lie_about_its_oldest_event_is_named_and_what_came_before_stays() -> None:
    joined = Joined().start()
    joined.ring(1)
    joined.settle_down()
    joined.device.power_cycle(keep_memory=True, off_for=0.1)
    say_otherwise(joined, far_ahead(1000))
    joined.clock.run_for(3)
    joined.ring(2)
    joined.clock.run_for(1)
    ((reason, _),) = joined.ears.refusals
    assert "none before 1002, and sends event 2." in reason
    assert [lost for _, lost in joined.ears.ups] == [False, True]  # as far as it was believed
    joined.wire.device.meddle = None
    joined.settle_down()
    assert joined.rings() == [1, 2]


def test_a_device_whose_events_bear_out_its_oldest_is_believed() -> None:
    joined = Joined()
    joined.device.count_from(58)
    joined.device.start()
    joined.ring(1)
    joined.host.start()
    joined.settle_down()
    joined.ring(2)
    joined.settle_down()
    assert [number for number, _ in joined.ears.events] == [58, 59]
    assert (joined.ears.refusals, joined.ears.downs) == ([], [])
