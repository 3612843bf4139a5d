"""What the doctor finds of ports and devices: there, allowed, the right one, and how well its line carries."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.config.file import check_config
from controller.config.types import DeviceSection
from controller.journal.file import Entry, JournalFile
from controller.journal.row import Record, encode
from controller.pi import doctor_devices as devices
from controller.pi.doctor import Machine
from drivers.discover import DeviceFound, PortSeen, identify
from drivers.events import DeviceDown, DeviceRefused, DeviceUp
from drivers.quality import Measure, Quality
from firmware_specs.clock import VirtualClock
from firmware_specs.port import Port, PortTrouble
from simulators.faults import Fault, Faults
from simulators.wheel import Wheel
from simulators.wire import Wire
from tests.controller.pi.ailing import NOW, Pi, only
from tests.standing import Configured

# --- ports and devices -----------------------------------------------------------------------


def test_a_serial_port_is_there_allowed_and_quick(pi: Pi, configured: Configured) -> None:
    config = check_config(configured(wheel='port = "/dev/tablectl/0403-6001-WS1"'))
    assert "is not there" in only(list(devices.ports(pi.machine, config)), "failed").text
    tty = pi.file("dev/ttyUSB3", "")
    (pi.root / "dev/tablectl").mkdir()
    (pi.root / "dev/tablectl/0403-6001-WS1").symlink_to(tty)
    tty.chmod(0o600)
    (pi.root / str(Path(config.table.journal).parent).lstrip("/")).mkdir(parents=True)
    timer = pi.file("sys/bus/usb-serial/devices/ttyUSB3/latency_timer", "1")
    assert [finding.level for finding in devices.ports(pi.machine, config)] == ["fine", "fine"]
    timer.write_text("16\n")
    assert "keeps bytes back for 16 ms" in only(list(devices.ports(pi.machine, config)), "warning").text
    if os.geteuid() == 0:
        os.chown(tty, 54321, 54321)
        assert "may not open" in only(list(devices.ports(pi.machine, config)), "failed").text
        tty.chmod(0o666)
        assert only(list(devices.ports(pi.machine, config)), "warning").check == "latency"


def test_a_usb_device_is_plugged_in_or_not(configured: Configured) -> None:
    config = check_config(configured(wheel='port = "usb:1209:7ab0"'))

    def seen(*addresses: str) -> Callable[[], list[PortSeen]]:
        return lambda: [PortSeen(address, "") for address in addresses]

    def broken() -> list[PortSeen]:
        raise PortTrouble("There is no libusb.", "apt install libusb-1.0-0")

    assert [one.level for one in devices.ports(Machine(), config, seen("usb:1209:7ab0:WS-0001"))] == ["fine"]
    assert "no USB device" in only(list(devices.ports(Machine(), config, seen("usb:1209:7ab1"))), "failed").text
    assert "apt install" in only(list(devices.ports(Machine(), config, broken)), "failed").remedy


@pytest.mark.parametrize(
    ("found", "level", "words"),
    [
        (DeviceFound("p", "", "wheel", "WS-1", "1.0", 1, True), "fine", "wheel WS-1, firmware 1.0"),
        (DeviceFound("p", "", "shoe", "SH-1", "1.0", 1, True), "failed", "where a wheel belongs"),
        (DeviceFound("p", "", "wheel", "WS-2", "1.0", 1, True), "failed", "WS-1 belongs there"),
        (DeviceFound("p", "", "wheel", "WS-1", "0.9", 0, False, "old firmware", "Load it."), "failed", "old firmware"),
        (DeviceFound("p", "", trouble="nothing answered", remedy="Check it."), "failed", "nothing answered"),
    ],
)
def test_the_device_that_answers_is_the_one_that_belongs(found: DeviceFound, level: str, words: str) -> None:
    [finding] = devices.who_answers("wheel", DeviceSection("wheel", "/dev/x", "WS-1"), found)
    assert finding.level == level
    assert words in finding.text
    assert bool(finding.remedy) == (level != "fine")


@pytest.mark.parametrize(
    ("demanded", "proves", "keyed", "right", "words"),
    [
        (True, True, True, True, ""),
        (False, False, True, False, ""),
        (True, False, True, False, "is not paired, and this place demands it"),
        (True, True, False, False, "this table holds no key for it"),
        (True, True, True, False, "holds another key than this table has for it"),
        (False, True, True, False, "hears only who proves the key"),
    ],
)
def test_a_device_that_the_table_would_refuse_for_its_key_is_no_healthy_one(
    demanded: bool, proves: bool, keyed: bool, right: bool, words: str
) -> None:
    section = DeviceSection("wheel", "/dev/x", "WS-1", paired=demanded)
    found = DeviceFound("p", "", "wheel", "WS-1", "1.0", 1, True, paired=proves, proved=right)
    [finding] = devices.who_answers("wheel", section, found, keyed)
    assert (finding.level == "failed") == bool(words)
    assert words in finding.text
    assert bool(finding.remedy) == bool(words)


@pytest.mark.parametrize(("loss", "level"), [("", "fine"), ("wheel corrupt rate=0.06", "warning")])
def test_a_bad_line_shows_in_the_answers(loss: str, level: str) -> None:
    clock = VirtualClock()
    wire = Wire(clock, 115_200, name="wheel")
    wheel = Wheel(clock, wire.device, serial="WS-1", seed=1)
    wheel.start()
    if loss:
        Faults.on_wire(clock, wire, wheel.link, "wheel").plan(Fault.parse(loss))
    outcomes: list[Quality] = []
    Measure(clock, wire.host, 100, outcomes.append).start()
    clock.run_until(lambda: bool(outcomes), 30)
    [finding] = devices.line_quality("wheel", outcomes[0])
    assert finding.level == level, finding
    assert 0 < outcomes[0].turn_ms < 20
    [silent] = devices.line_quality("wheel", Quality(20, 3, 0, 5.0))
    assert silent.level == "failed"


class Gone:
    """A port that vanished."""

    name = "/dev/gone"

    def open(self, on_bytes: object, on_lost: object) -> None:
        raise PortTrouble("/dev/gone is not there.", "Plug it in.")

    def write(self, octets: bytes) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(("ours", "proved"), [(bytes(range(32)), True), (bytes(range(1, 33)), False), (None, False)])
def test_a_paired_device_is_asked_whether_its_key_is_ours(ours: bytes | None, proved: bool) -> None:
    clock = VirtualClock()
    wire = Wire(clock, name="wheel")
    wheel = Wheel(clock, wire.device, serial="WS-1", seed=1)
    wheel.link.key = bytes(range(32))
    wheel.start()
    found: list[DeviceFound] = []
    keys = {"WS-1": ours}
    identify(clock, [PortSeen("wheel", "")], lambda address: wire.host, found.extend, key_of=keys.get)
    clock.run_for(3.0)
    assert [(one.serial, one.paired, one.proved) for one in found] == [("WS-1", True, proved)]


def test_a_port_that_vanished_is_told_when_the_devices_are_asked(configured: Configured) -> None:
    config = check_config(configured(wheel='port = "/dev/gone"'))

    def gone(address: str, loop: asyncio.AbstractEventLoop) -> Port:
        return Gone()

    finding = only(devices.ask_devices(config, gone), "failed")
    assert (finding.text, finding.remedy) == ("“wheel”: /dev/gone is not there.", "Plug it in.")


def test_the_journal_tells_how_the_devices_of_a_running_table_stand(configured: Configured, tmp_path: Path) -> None:
    config = check_config(configured())
    journal = JournalFile.open(tmp_path / "table.db", "T1")
    assert devices.running(tmp_path / "table.db")
    now = int(NOW * 1000)

    def add(*events: DeviceUp | DeviceDown | DeviceRefused) -> None:
        journal.append([Entry(now, encode(Record(event))) for event in events])

    add(DeviceUp("wheel", "wheel", "WS-1", "1.0", False), DeviceDown("chips", "silence", "Check the cable."))
    found = list(devices.journalled_devices(journal, config, now))
    assert [finding.level for finding in found] == ["fine", "failed"]
    for _ in range(4):
        add(DeviceDown("wheel", "silence", "Check it."), DeviceUp("wheel", "wheel", "WS-1", "1.0", False))
    add(DeviceRefused("chips", "is not paired", "Pair it."))
    found = list(devices.journalled_devices(journal, config, now))
    assert "lost 4 times" in only(found, "warning").text
    assert "is not paired" in only(found, "failed").text
    journal.close()
    assert not devices.running(tmp_path / "table.db")
