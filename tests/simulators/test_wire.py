"""The wire inside the process takes the time a real line would and can be pulled out."""

from __future__ import annotations

import pytest

from firmware_specs.clock import VirtualClock
from firmware_specs.port import PortTrouble
from simulators.wire import Wire


class Listener:
    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.got: list[tuple[float, bytes]] = []
        self.lost: list[PortTrouble] = []

    def bytes(self, octets: bytes) -> None:
        self.got.append((round(self.clock.now(), 5), octets))


def joined(baud: int | None = 115_200) -> tuple[VirtualClock, Wire, Listener, Listener]:
    clock = VirtualClock()
    wire = Wire(clock, baud)
    host, device = Listener(clock), Listener(clock)
    wire.host.open(host.bytes, host.lost.append)
    wire.device.open(device.bytes, device.lost.append)
    return clock, wire, host, device


def test_eighteen_bytes_take_one_and_a_half_milliseconds_at_115200_baud() -> None:
    clock, wire, host, device = joined()
    wire.device.write(b"x" * 18)
    wire.device.write(b"y" * 18)
    wire.host.write(b"z" * 18)
    clock.run_for(1)
    assert host.got == [(0.00156, b"x" * 18), (0.00313, b"y" * 18)]
    assert device.got == [(0.00156, b"z" * 18)]


def test_a_wire_without_a_baud_rate_delivers_at_once_but_never_inside_the_write() -> None:
    clock, wire, host, _ = joined(None)
    wire.device.write(b"x")
    assert host.got == []
    clock.step()
    assert host.got == [(0.0, b"x")]


def test_a_pulled_cable_loses_what_was_under_way_and_tells_both_ends() -> None:
    clock, wire, host, device = joined()
    wire.device.write(b"x")
    wire.unplug()
    assert len(host.lost) == len(device.lost) == 1
    assert host.lost[0].remedy
    with pytest.raises(PortTrouble, match="not there"):
        wire.host.open(host.bytes, host.lost.append)
    wire.replug()
    wire.host.open(host.bytes, host.lost.append)
    wire.device.open(device.bytes, device.lost.append)
    clock.run_for(1)
    assert host.got == []
    wire.device.write(b"y")
    clock.run_for(1)
    assert [octets for _, octets in host.got] == [b"y"]


def test_nothing_is_heard_after_closing_and_writing_to_a_closed_end_does_nothing() -> None:
    clock, wire, host, device = joined()
    wire.device.write(b"x")
    wire.host.close()
    wire.host.close()
    wire.host.write(b"y")
    clock.run_for(1)
    assert (host.got, device.got, host.lost) == ([], [], [])


def test_bytes_held_up_by_a_fault_are_not_overtaken() -> None:
    clock, wire, host, _ = joined(None)
    delays = iter([0.5, 0.0])
    wire.device.meddle = lambda octets: [(next(delays), octets)]
    wire.device.write(b"first")
    wire.device.write(b"second")
    clock.run_for(1)
    assert host.got == [(0.5, b"firstsecond")]


def test_what_is_written_at_one_instant_is_handed_over_at_once_but_not_what_follows_the_closing() -> None:
    clock, wire, host, device = joined(None)
    wire.device.write(b"one")
    wire.device.write(b"two")
    wire.device.close()
    wire.device.open(device.bytes, device.lost.append)
    wire.device.write(b"three")
    clock.run_for(1)
    assert host.got == [(0.0, b"three")]
