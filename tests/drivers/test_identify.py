"""Whether the device that answers belongs here; if not, reason and remedy; and what is told from a dead line."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from drivers.events import Mark
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from tests.drivers.linked import Joined, bell


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
