"""Serial lines, pseudo-terminals and sockets, on real ones."""

from __future__ import annotations

import asyncio
import os
import socket
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from drivers.ports import PortTrouble, open_port
from firmware_specs.clock import RealClock, VirtualClock
from firmware_specs.ports_io import WAITING_LIMIT, PtyPort, SerialPort
from firmware_specs.ports_tcp import TcpListener, TcpPort
from simulators.pace import PacedPort


class Ear:
    """What one end heard."""

    def __init__(self) -> None:
        self.heard = b""
        self.lost: list[PortTrouble] = []

    def on_bytes(self, octets: bytes) -> None:
        self.heard += octets

    def on_lost(self, trouble: PortTrouble) -> None:
        self.lost.append(trouble)


class Bench:
    """A loop, and waiting on it with a deadline."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()

    def until(self, condition: Callable[[], bool], deadline: float = 3.0) -> None:
        end = self.loop.time() + deadline

        def look() -> None:
            if condition() or self.loop.time() > end:
                self.loop.stop()
            else:
                self.loop.call_later(0.001, look)

        self.loop.call_soon(look)
        self.loop.run_forever()
        assert condition(), f"not within {deadline:g} s"


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.loop.run_until_complete(bench.loop.shutdown_default_executor())
    bench.loop.close()


@pytest.fixture
def line(bench: Bench) -> Iterator[tuple[PtyPort, Ear, SerialPort, Ear]]:
    """A pseudo-terminal with the device on one end and the host on the other."""
    device, device_ear = PtyPort(bench.loop), Ear()
    device.open(device_ear.on_bytes, device_ear.on_lost)
    host, host_ear = open_port(device.path, bench.loop), Ear()
    assert isinstance(host, SerialPort)
    host.open(host_ear.on_bytes, host_ear.on_lost)
    yield device, device_ear, host, host_ear
    host.close()
    device.close()


Line = tuple[PtyPort, Ear, SerialPort, Ear]


def test_bytes_of_every_value_cross_a_serial_line_both_ways(bench: Bench, line: Line) -> None:
    device, device_ear, host, host_ear = line
    every = bytes(range(256))
    host.write(every)
    device.write(every[::-1])
    bench.until(lambda: len(device_ear.heard) == 256 and len(host_ear.heard) == 256)
    assert device_ear.heard == every
    assert host_ear.heard == every[::-1]


def test_more_than_the_line_takes_at_once_waits_and_arrives_in_order(bench: Bench, line: Line) -> None:
    _, device_ear, host, _ = line
    everything = b"".join(number.to_bytes(4, "little") for number in range(12_000))
    for start in range(0, len(everything), 1_000):
        host.write(everything[start : start + 1_000])
    bench.until(lambda: len(device_ear.heard) == len(everything))
    assert device_ear.heard == everything


def test_a_device_that_takes_nothing_is_told_as_lost_and_not_as_growing_memory(bench: Bench) -> None:
    master, slave = os.openpty()
    ear = Ear()
    host = open_port(os.ttyname(slave), bench.loop)
    host.open(ear.on_bytes, ear.on_lost)
    for _ in range(WAITING_LIMIT // 100):
        host.write(bytes(1_000))
    bench.until(lambda: bool(ear.lost))
    assert "takes nothing" in ear.lost[0].text
    assert len(ear.lost) == 1
    os.close(master)
    os.close(slave)


def test_a_pulled_serial_line_is_told_once_and_can_be_opened_again(bench: Bench, tmp_path: Path) -> None:
    link = str(tmp_path / "wheel")
    device, host = PtyPort(bench.loop, link), open_port(link, bench.loop)
    ear = Ear()
    for _ in range(3):
        device.open(lambda octets: device.write(octets), lambda trouble: None)
        host.open(ear.on_bytes, ear.on_lost)
        host.write(b"knock")
        bench.until(lambda: ear.heard == b"knock")
        device.close()
        bench.until(lambda: bool(ear.lost))
        assert link in ear.lost[0].text
        assert len(ear.lost) == 1
        host.write(b"nobody hears this")
        ear.heard, ear.lost = b"", []
    assert not os.path.lexists(link)


def test_a_host_may_come_and_go_on_a_simulators_pseudo_terminal(bench: Bench, line: Line) -> None:
    _, device_ear, host, host_ear = line
    for count in range(1, 4):
        host.write(b"x")
        bench.until(lambda count=count: device_ear.heard == b"x" * count)  # type: ignore[misc]
        host.close()
        host.open(host_ear.on_bytes, host_ear.on_lost)
    assert device_ear.lost == []


def test_a_simulator_nobody_listens_to_loses_bytes_and_nothing_else(bench: Bench) -> None:
    device, ear = PtyPort(bench.loop), Ear()
    device.open(ear.on_bytes, ear.on_lost)
    for _ in range(WAITING_LIMIT // 100):
        device.write(bytes(1_000))
    bench.until(lambda: True)
    assert ear.lost == []
    device.close()


def test_closing_means_that_no_call_comes_afterwards(bench: Bench, line: Line) -> None:
    device, _, host, host_ear = line
    device.write(b"too late")
    host.close()
    host.close()
    device.close()
    bench.until(lambda: True)
    assert host_ear.heard == b""
    assert host_ear.lost == []


def test_a_line_that_another_program_holds_is_told_as_busy(bench: Bench, line: Line) -> None:
    device, *_ = line
    second, ear = open_port(device.path, bench.loop), Ear()
    with pytest.raises(PortTrouble) as trouble:
        second.open(ear.on_bytes, ear.on_lost)
    assert "in use" in trouble.value.text
    assert "fuser" in trouble.value.remedy


def test_a_missing_line_says_so_and_what_to_do(bench: Bench) -> None:
    port = open_port("/dev/ttyNotThere7", bench.loop)
    with pytest.raises(PortTrouble) as trouble:
        port.open(lambda octets: None, lambda lost: None)
    assert trouble.value.text == "/dev/ttyNotThere7 is not there"
    assert "tablectl devices" in trouble.value.remedy


def test_a_file_is_not_a_serial_port(bench: Bench, tmp_path: Path) -> None:
    paper = tmp_path / "paper"
    paper.write_text("no line")
    with pytest.raises(PortTrouble, match="is not a serial port"):
        open_port(str(paper), bench.loop).open(lambda octets: None, lambda lost: None)


def test_a_line_this_user_may_not_open_names_the_group(bench: Bench, mocker: MockerFixture) -> None:
    mocker.patch("serial.Serial", side_effect=PermissionError(13, "Permission denied"))
    with pytest.raises(PortTrouble) as trouble:
        open_port("/dev/ttyUSB0", bench.loop).open(lambda octets: None, lambda lost: None)
    assert "may not be opened" in trouble.value.text
    assert "dialout" in trouble.value.remedy


def test_a_speed_can_be_written_after_the_path(bench: Bench) -> None:
    master, slave = os.openpty()
    port = open_port(f"{os.ttyname(slave)}@57600", bench.loop)
    port.open(lambda octets: None, lambda lost: None)
    assert termios.tcgetattr(slave)[4:6] == [termios.B57600, termios.B57600]
    port.close()
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(
    "address",
    ["", "COM3", "ttyUSB0", "tcp://", "tcp://host", "tcp://host:x", "tcp://:7", "tcp://h:70000", "tcp:7", "pty:",
     "usb:", "usb:0801", "usb:0801:xyz", "usb:12345:0002", "http://host:80"],
)  # fmt: skip
def test_an_address_that_names_no_port_is_refused_with_an_example(bench: Bench, address: str) -> None:
    with pytest.raises(PortTrouble) as trouble:
        open_port(address, bench.loop)
    assert address in trouble.value.text
    assert "rite " in trouble.value.remedy


# Sockets.


@pytest.fixture
def door(bench: Bench) -> Iterator[tuple[TcpListener, Ear]]:
    listener, ear = TcpListener(bench.loop, "127.0.0.1", 0), Ear()
    listener.open(ear.on_bytes, ear.on_lost)
    yield listener, ear
    listener.close()


Door = tuple[TcpListener, Ear]


def test_a_device_over_a_socket_hears_what_was_said_before_it_was_connected(bench: Bench, door: Door) -> None:
    listener, device_ear = door
    host, ear = open_port(listener.address, bench.loop), Ear()
    host.open(ear.on_bytes, ear.on_lost)
    host.write(b"hello")
    host.write(b" device")
    bench.until(lambda: device_ear.heard == b"hello device")
    listener.write(b"hello host")
    bench.until(lambda: ear.heard == b"hello host")
    host.close()


def test_a_host_name_is_looked_up_without_holding_the_loop(bench: Bench, door: Door) -> None:
    listener, device_ear = door
    number = int(listener.address.rpartition(":")[2])
    host = TcpPort(bench.loop, "localhost", number)
    host.open(lambda octets: None, lambda lost: None)
    host.write(b"by name")
    bench.until(lambda: device_ear.heard == b"by name")
    host.close()


def test_a_second_host_finds_the_socket_busy_and_the_first_goes_on(bench: Bench, door: Door) -> None:
    listener, device_ear = door
    first, second = (open_port(listener.address, bench.loop) for _ in range(2))
    first_ear, second_ear = Ear(), Ear()
    first.open(first_ear.on_bytes, first_ear.on_lost)
    first.write(b"1")
    bench.until(lambda: device_ear.heard == b"1")
    second.open(second_ear.on_bytes, second_ear.on_lost)
    bench.until(lambda: bool(second_ear.lost))
    listener.write(b"still yours")
    bench.until(lambda: first_ear.heard == b"still yours")
    first.close()


def test_hosts_may_come_and_go_at_a_socket(bench: Bench, door: Door) -> None:
    listener, device_ear = door
    for count in range(1, 4):
        host, ear = open_port(listener.address, bench.loop), Ear()
        host.open(ear.on_bytes, ear.on_lost)
        host.write(b"x")
        bench.until(lambda count=count: device_ear.heard == b"x" * count)  # type: ignore[misc]
        host.close()
        listener.write(b"into the void")
        bench.until(lambda: not listener.has_host)
    assert device_ear.lost == []


def test_a_socket_cut_by_the_device_is_told_once(bench: Bench, door: Door) -> None:
    listener, device_ear = door
    host, ear = open_port(listener.address, bench.loop), Ear()
    host.open(ear.on_bytes, ear.on_lost)
    host.write(b"x")
    bench.until(lambda: device_ear.heard == b"x")
    listener.close()
    bench.until(lambda: bool(ear.lost))
    host.write(b"y")
    bench.until(lambda: True)
    assert len(ear.lost) == 1


def test_a_socket_where_nothing_listens_is_told_with_what_to_do(bench: Bench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
    host, ear = open_port(f"tcp://127.0.0.1:{number}", bench.loop), Ear()
    host.open(ear.on_bytes, ear.on_lost)
    assert ear.lost == [], "never from inside open"
    bench.until(lambda: bool(ear.lost))
    assert "cannot be reached" in ear.lost[0].text
    assert "runs there" in ear.lost[0].remedy


def test_a_socket_that_never_answers_meets_its_deadline(bench: Bench) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        where = full.getsockname()
        crowd = [socket.socket() for _ in range(3)]
        for one in crowd:
            one.setblocking(False)
            one.connect_ex(where)
        host, ear = TcpPort(bench.loop, where[0], where[1], deadline=0.05), Ear()
        host.open(ear.on_bytes, ear.on_lost)
        bench.until(lambda: bool(ear.lost))
        assert "did not answer within 0.05 s" in ear.lost[0].text
        for one in crowd:
            one.close()


def test_a_number_that_is_taken_cannot_be_listened_on(bench: Bench, door: Door) -> None:
    number = door[0].address.rpartition(":")[2]
    with pytest.raises(PortTrouble, match="cannot be listened on"):
        open_port(f"tcp:127.0.0.1:{number}", bench.loop).open(lambda octets: None, lambda lost: None)


# Pace.


class Tape:
    """A port that only notes when something was written to it."""

    name = "tape"

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.notes: list[tuple[float, bytes]] = []

    def open(self, on_bytes: object, on_lost: object) -> None: ...

    def write(self, octets: bytes) -> None:
        self.notes.append((self.clock.now(), octets))

    def close(self) -> None: ...


def test_a_simulator_on_a_line_without_speed_sends_no_faster_than_the_wire_would() -> None:
    clock = VirtualClock()
    tape = Tape(clock)
    port = PacedPort(clock, tape, 115_200)
    port.open(lambda octets: None, lambda lost: None)
    port.write(bytes(18))
    port.write(bytes(18))
    clock.run_for(1.0)
    port.write(bytes(18))
    clock.run_for(1.0)
    assert [when for when, _ in tape.notes] == pytest.approx([0.0015625, 0.003125, 1.0015625])


def test_what_was_on_the_wire_when_it_was_cut_never_arrives(bench: Bench) -> None:
    clock = VirtualClock()
    tape = Tape(clock)
    port = PacedPort(clock, tape, 9_600)
    port.open(lambda octets: None, lambda lost: None)
    port.write(bytes(100))
    port.close()
    port.open(lambda octets: None, lambda lost: None)
    clock.run_for(1.0)
    assert tape.notes == []


def test_a_paced_pseudo_terminal_delivers_whole_frames(bench: Bench, line: Line) -> None:
    device, _, _, host_ear = line
    paced = PacedPort(RealClock(bench.loop), device, 115_200)
    begin = bench.loop.time()
    paced.write(bytes(576))
    bench.until(lambda: len(host_ear.heard) == 576)
    assert bench.loop.time() - begin >= 0.05
