"""`tablectl devices`: which ports there are and who answers, on real ptys and sockets and the simulated bus."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from pytest_mock import MockerFixture

from drivers import discover
from drivers.discover import DeviceFound, PortSeen, identify, known_specs, serial_ports, usb_ports
from drivers.ports import PortTrouble, open_port
from firmware_specs.clock import RealClock, VirtualClock
from firmware_specs.messages.chips import SPEC
from firmware_specs.ports_io import PtyPort
from firmware_specs.ports_tcp import TcpListener
from simulators.chips import ChipMat, chip_mat_on_usb
from simulators.gadget import INTERRUPT, Endpoint, Gadget
from simulators.usb import UsbBus


class Bench:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.clock = RealClock(self.loop)
        self.bus = UsbBus()

    def identify(self, *seen: PortSeen, within: float = 2.0) -> list[DeviceFound]:
        answers: list[list[DeviceFound]] = []

        def done(found: list[DeviceFound]) -> None:
            answers.append(found)
            self.loop.stop()

        identify(
            self.clock,
            seen,
            lambda address: open_port(address, self.loop, usb_backend=self.bus),
            done,
            within=within,
        )
        self.loop.call_later(5.0, self.loop.stop)
        self.loop.run_forever()
        (found,) = answers
        return found


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.loop.close()


def test_devices_on_a_serial_line_a_socket_and_usb_identify_themselves_at_once(bench: Bench) -> None:
    pty, listener = PtyPort(bench.loop), TcpListener(bench.loop, "127.0.0.1", 0)
    mats = [
        ChipMat(bench.clock, pty, serial="ON-A-LINE"),
        ChipMat(bench.clock, listener, serial="ON-A-SOCKET"),
        chip_mat_on_usb(bench.clock, bench.bus, bench.loop.call_soon_threadsafe, serial="ON-USB")[0],
    ]
    for mat in mats:
        mat.start()
    ports = [PortSeen(pty.path, "pty"), PortSeen(listener.address, "socket"), *usb_ports(bench.bus)]
    found = bench.identify(*ports)
    assert [each.serial for each in found] == ["ON-A-LINE", "ON-A-SOCKET", "ON-USB"]
    assert all(each.kind == "chips" and each.fits and each.firmware == "1.0.0" for each in found)
    for mat in mats:
        mat.stop()


def test_each_port_that_gives_no_answer_says_why(bench: Bench) -> None:
    master, slave = os.openpty()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        closed = taken.getsockname()[1]
    found = bench.identify(
        PortSeen(os.ttyname(slave), "silent"),
        PortSeen("/dev/ttyNotThere7", "missing"),
        PortSeen(f"tcp://127.0.0.1:{closed}", "closed"),
        PortSeen("nonsense", "nonsense"),
        PortSeen("usb:046d:c31c", "Keyboard", ours=False),
        within=0.3,
    )
    assert [each.trouble.rpartition(" (")[0] or each.trouble for each in found] == [
        "nothing answered within 0.3 s",
        "/dev/ttyNotThere7 is not there",
        f"tcp://127.0.0.1:{closed} cannot be reached",
        "'nonsense' is not a port address",
        "not a device of ours; not asked",
    ]
    assert not any(each.fits for each in found)
    os.close(master)
    os.close(slave)


def test_firmware_of_another_text_is_named_but_does_not_fit(bench: Bench, mocker: MockerFixture) -> None:
    pty = PtyPort(bench.loop)
    mat = ChipMat(bench.clock, pty)
    mat.start()
    mocker.patch.object(discover, "known_specs", return_value={})
    (found,) = bench.identify(PortSeen(pty.path, "pty"))
    assert "does not know (code 2" in found.trouble
    mat.stop()
    mat.start()
    other = msgspec.structs.replace(SPEC, digest=b"otherone")
    mocker.patch.object(discover, "known_specs", return_value={SPEC.code: other})
    (found,) = bench.identify(PortSeen(pty.path, "pty"))
    assert (found.kind, found.fits) == ("chips", False)
    assert "another text" in found.trouble
    mat.stop()


def test_a_line_that_the_table_holds_is_told_as_busy_and_left_alone(bench: Bench) -> None:
    pty = PtyPort(bench.loop)
    pty.open(lambda octets: None, lambda lost: None)
    table = open_port(pty.path, bench.loop)
    lost: list[PortTrouble] = []
    table.open(lambda octets: None, lost.append)
    (found,) = bench.identify(PortSeen(pty.path, "pty"))
    assert "in use by another program" in found.trouble
    assert lost == []
    table.close()
    pty.close()


def test_nothing_to_ask_is_answered_too() -> None:
    clock = VirtualClock()
    answers: list[list[DeviceFound]] = []
    identify(clock, [], lambda address: pytest.fail("nothing to open"), answers.append)
    clock.run_for(1.0)
    assert answers == [[]]


def test_usb_devices_are_listed_with_their_serial_number_and_only_ours_are_asked() -> None:
    bus = UsbBus(blocking=False)
    clock = VirtualClock()
    soon: Callable[..., object] = lambda what, *args: clock.call_later(0.0, what, *args)  # noqa: E731
    for serial in ("A", "B"):
        chip_mat_on_usb(clock, bus, soon, serial=serial)
    bus.plug(Gadget(0x0801, 0x0002, endpoints=(Endpoint(0x81, INTERRUPT, 8),), title="Swipe reader"))
    locked = Gadget(0x1234, 0x5678, serial="hidden")
    locked.forbidden = True
    bus.plug(locked)
    assert usb_ports(bus) == [
        PortSeen("usb:1209:7ab1:A", "Chip mat", True),
        PortSeen("usb:1209:7ab1:B", "Chip mat", True),
        PortSeen("usb:0801:0002", "Swipe reader", False),
        PortSeen("usb:1234:5678", "USB device", False),
    ]


def test_serial_ports_go_by_the_name_that_stays(tmp_path: Path, mocker: MockerFixture) -> None:
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    device = tmp_path / "ttyUSB0"
    device.write_text("")
    (by_id / "usb-FTDI_wheel").symlink_to(device)
    mocker.patch.object(discover, "BY_ID", by_id)
    mocker.patch(
        "serial.tools.list_ports.comports",
        return_value=[_Listed(str(device), "FT232R"), _Listed("/dev/ttyAMA0", "n/a")],
    )
    assert serial_ports() == [
        PortSeen("/dev/ttyAMA0", "serial port"),
        PortSeen(str(by_id / "usb-FTDI_wheel"), "FT232R"),
    ]


class _Listed(SimpleNamespace):
    def __init__(self, device: str, description: str) -> None:
        super().__init__(device=device, description=description)

    def __lt__(self, other: _Listed) -> bool:
        return bool(self.device < other.device)


def test_every_declared_device_is_known_by_its_code() -> None:
    specs = known_specs()
    assert specs[2] is SPEC
    assert all(code == spec.code for code, spec in specs.items())
