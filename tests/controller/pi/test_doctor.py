"""The doctor: every finding with its remedy, and an exit status a monitor can use."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.commands.doctor import examine, status
from controller.config.file import check_config
from controller.config.types import DeviceSection
from controller.journal.file import Entry, JournalFile
from controller.journal.row import Record, encode
from controller.pi import doctor, manifest
from controller.pi import doctor_devices as devices
from controller.pi.doctor import Finding, Machine
from controller.pi.install.network import drop_in
from drivers.discover import DeviceFound, PortSeen, identify
from drivers.events import DeviceDown, DeviceRefused, DeviceUp
from drivers.quality import Measure, Quality
from firmware_specs.clock import VirtualClock
from firmware_specs.port import Port, PortTrouble
from simulators.faults import Fault, Faults
from simulators.wheel import Wheel
from simulators.wire import Wire
from tests.standing import Configured, tablectl

NOW = 1_767_225_600.0
Said = dict[str, str]


class Pi:
    """A machine made of files: a healthy Pi until a test says otherwise."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "pi"
        self.said: Said = {
            "vcgencmd get_throttled": "throttled=0x0",
            "timedatectl show --property=NTPSynchronized --value": "yes",
            "timedatectl show-timesync --property=ServerName --value": "time.example",
        }
        self.now = NOW
        self.disk = os.statvfs_result((4096, 4096, 10**7, 10**7, 10**7, 10**6, 10**6, 10**6, 0, 255))
        self.file("sys/class/thermal/thermal_zone0/temp", "48312")
        self.file("sys/class/rtc/rtc0/name", "rtc-ds3231")
        self.file("sys/fs/ext4/mmcblk0p2/errors_count", "0")
        self.file("sys/block/mmcblk0/device/life_time", "0x01 0x01")

    def file(self, path: str, text: str) -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text + "\n")
        return place

    def run(self, *command: str) -> str | None:
        return self.said.get(" ".join(command))

    @property
    def machine(self) -> Machine:
        return Machine(self.root, self.run, lambda: self.now, lambda path: self.disk)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def only(findings: list[Finding], level: str) -> Finding:
    found = [finding for finding in findings if finding.level == level]
    assert len(found) == 1, findings
    if level != "unknown":
        assert found[0].remedy, "a finding comes with its remedy"
    return found[0]


def test_a_healthy_pi_is_found_healthy(pi: Pi) -> None:
    found = [
        *doctor.power(pi.machine),
        *doctor.temperature(pi.machine),
        *doctor.clock(pi.machine, None),
        *doctor.disk(pi.machine, Path("/var/lib/tablectl")),
    ]
    assert [finding.level for finding in found] == ["fine"] * 5
    assert "The clock follows time.example, and has a battery." in [finding.text for finding in found]


@pytest.mark.parametrize(
    ("throttled", "level", "words"),
    [
        ("0x1", "failed", "voltage is too low right now"),
        ("0x10000", "warning", "was too low since the Pi started"),
        ("0x4", "failed", "slowed down right now"),
        ("0x8", "warning", "temperature limit"),
    ],
)
def test_power_and_throttling_are_read_from_the_firmware(pi: Pi, throttled: str, level: str, words: str) -> None:
    pi.said["vcgencmd get_throttled"] = f"throttled={throttled}"
    assert words in only(list(doctor.power(pi.machine)), level).text
    del pi.said["vcgencmd get_throttled"]
    pi.file("sys/devices/platform/soc/soc:firmware/get_throttled", throttled.removeprefix("0x"))
    assert words in only(list(doctor.power(pi.machine)), level).text


def test_a_machine_that_is_no_pi_says_that_it_does_not_know(tmp_path: Path) -> None:
    bare = Machine(tmp_path, lambda *command: None, lambda: NOW)
    assert [finding.level for finding in (*doctor.power(bare), *doctor.temperature(bare))] == ["unknown"] * 2
    assert only(list(doctor.clock(bare, None)), "unknown")


@pytest.mark.parametrize(("degrees", "level"), [(74_900, "fine"), (75_000, "warning"), (82_000, "failed")])
def test_heat_is_told(pi: Pi, degrees: int, level: str) -> None:
    pi.file("sys/class/thermal/thermal_zone0/temp", str(degrees))
    assert [finding.level for finding in doctor.temperature(pi.machine)] == [level]


def test_a_clock_that_nothing_keeps_is_a_failure_and_one_with_a_battery_deserves_a_look(pi: Pi) -> None:
    pi.said["timedatectl show --property=NTPSynchronized --value"] = "no"
    assert "battery" in only(list(doctor.clock(pi.machine, None)), "warning").text
    (pi.root / "sys/class/rtc/rtc0/name").unlink()
    (pi.root / "sys/class/rtc/rtc0").rmdir()
    assert "RTC" in only(list(doctor.clock(pi.machine, None)), "failed").remedy


def test_a_clock_behind_the_journal_or_before_this_program_is_a_failure(pi: Pi, tmp_path: Path) -> None:
    journal = JournalFile.open(tmp_path / "table.db", "T1")
    journal.append([Entry(int(NOW * 1000) + 60_000, b"{}")])
    assert "went back" in only(list(doctor.clock(pi.machine, journal)), "failed").text
    journal.close()
    pi.now = 0.0
    assert "1970-01-01" in only(list(doctor.clock(pi.machine, None)), "failed").text


@pytest.mark.parametrize(
    ("blocks", "flags", "level", "words"),
    [
        (10**5, 0, "warning", "409 MB are free"),
        (10**4, 0, "failed", "40 MB are free"),
        (10**7, os.ST_RDONLY, "failed", "read-only"),
    ],
)
def test_room_and_a_card_gone_read_only_are_told(pi: Pi, blocks: int, flags: int, level: str, words: str) -> None:
    pi.disk = os.statvfs_result((4096, 4096, 10**7, blocks, blocks, 10**6, 10**6, 10**6, flags, 255))
    assert words in only(list(doctor.disk(pi.machine, Path("/data"))), level).text


def test_a_worn_card_and_a_damaged_file_system_are_told(pi: Pi) -> None:
    pi.file("sys/block/mmcblk0/device/life_time", "0x09 0x02")
    assert "90 %" in only(list(doctor.disk(pi.machine, Path("/data"))), "warning").text
    pi.file("sys/fs/ext4/mmcblk0p2/errors_count", "3")
    assert "3 errors" in only(list(doctor.disk(pi.machine, Path("/data"))), "failed").text


def test_a_data_directory_that_is_not_mounted_is_told(tmp_path: Path) -> None:
    found = list(doctor.disk(Machine(), tmp_path / "gone"))
    assert "Mount the data directory" in only(found, "failed").remedy


# --- rights, program, journal, service -------------------------------------------------------


def test_rights_that_are_too_wide_or_not_the_tables_are_told(configured: Configured, tmp_path: Path) -> None:
    path = configured()
    config = check_config(path)
    assert "not there" in only(list(doctor.permissions(Machine(), path, config)), "failed").text
    data = tmp_path / "data"
    (data / "keys").mkdir(parents=True, mode=0o700)
    data.chmod(0o750)
    key = data / "keys" / "WS-0001.key"
    key.write_text("00")
    key.chmod(0o600)
    assert [finding.level for finding in doctor.permissions(Machine(), path, config)] == ["fine"]
    key.chmod(0o644)
    assert "Others can read the key" in only(list(doctor.permissions(Machine(), path, config)), "failed").text
    key.chmod(0o600)
    for other in (data / "staff.key", data / "keys" / "cards.seal"):
        other.write_text("00")
        other.chmod(0o640)
        told = only(list(doctor.permissions(Machine(), path, config)), "failed")
        assert other.name in told.text
        assert "pair" not in told.remedy
        other.chmod(0o600)
    data.chmod(0o755)
    assert "Everybody" in only(list(doctor.permissions(Machine(), path, config)), "warning").text
    data.chmod(0o750)
    path.chmod(0o666)
    assert "Everybody can change" in only(list(doctor.permissions(Machine(), path, config)), "failed").text
    path.chmod(0o640)
    if os.geteuid() == 0:
        (data / "table.db").write_text("")
        os.chown(data / "table.db", 12345, 12345)
        assert "user 12345" in only(list(doctor.permissions(Machine(), path, config)), "failed").text


def test_a_changed_program_and_a_broken_chain_are_told(tmp_path: Path) -> None:
    (tmp_path / "program").mkdir()
    rules = tmp_path / "program" / "rules.py"
    rules.write_text("PAYS = 2\n")
    written = manifest.write(tmp_path / "program")
    assert [finding.level for finding in doctor.program(written)] == ["fine"]
    rules.write_text("PAYS = 3\n")
    assert "rules.py: changed" in only(list(doctor.program(written)), "failed").text
    assert only(list(doctor.program(None)), "unknown")
    journal = JournalFile.open(tmp_path / "table.db", "T1")
    journal.append([Entry(1, b"{}", b"snap"), Entry(2, b"{}")])
    journal.close()
    assert [finding.level for finding in doctor.journal_chain(tmp_path / "table.db", False)] == ["fine"]
    with sqlite3.connect(tmp_path / "table.db") as connection:
        connection.execute("UPDATE entries SET at = 7 WHERE seq = 1")
    connection.close()
    assert "event 1 was altered" in only(list(doctor.journal_chain(tmp_path / "table.db", False)), "failed").text
    assert [finding.level for finding in doctor.journal_chain(tmp_path / "table.db", True)] == ["fine"], (
        "quick looks less"
    )
    assert only(list(doctor.journal_chain(tmp_path / "none.db", False)), "warning")


def test_a_service_that_is_down_restarts_or_lacks_its_network_is_told(pi: Pi, configured: Configured) -> None:
    config = check_config(configured())
    ask = "systemctl show tablectl.service --property=ActiveState,NRestarts,LoadState"
    assert only(list(doctor.service(pi.machine, config)), "unknown")
    pi.said[ask] = "LoadState=loaded\nActiveState=active\nNRestarts=0"
    assert [finding.level for finding in doctor.service(pi.machine, config)] == ["fine"]
    pi.said[ask] = "LoadState=loaded\nActiveState=active\nNRestarts=4"
    assert "restarted 4 times" in only(list(doctor.service(pi.machine, config)), "warning").text
    pi.said[ask] = "LoadState=loaded\nActiveState=failed\nNRestarts=4"
    assert "journalctl" in only(list(doctor.service(pi.machine, config)), "failed").remedy
    pi.said[ask] = "LoadState=loaded\nActiveState=active\nNRestarts=0"
    written = pi.file("etc/systemd/system/tablectl.service.d/network.conf", drop_in(config).strip())
    assert [finding.level for finding in doctor.service(pi.machine, config)] == ["fine"]
    written.write_text("[Service]\nIPAddressAllow=10.0.0.1\n")
    assert "network rights" in only(list(doctor.service(pi.machine, config)), "warning").text


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


# --- as a command ----------------------------------------------------------------------------


def test_the_exit_status_tells_a_monitor_how_it_stands() -> None:
    fine, look, bad = (Finding("x", level, "") for level in ("fine", "warning", "failed"))  # type: ignore[arg-type]
    assert [status([fine]), status([fine, look]), status([look, bad])] == [0, 3, 1]
    assert status([Finding("x", "unknown", "")]) == 0


def test_the_command_prints_every_finding_and_its_remedy(configured: Configured, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o750)
    result = tablectl("doctor", "--config", configured(), "--json")
    told = json.loads(result.output)
    assert told["status"] == result.exit_code
    assert {"configuration", "disk", "permissions", "journal"} <= {finding["check"] for finding in told["findings"]}
    plain = tablectl("doctor", "--config", configured())
    assert "Start the table; it makes one." in plain.output


def test_a_wrong_configuration_is_a_finding_among_the_others(pi: Pi, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[table]\nnam = 1\n")
    found = examine(pi.machine, tmp_path / "table.toml", False, None)
    assert only(found, "failed").check == "configuration"
    assert {"power", "temperature", "clock", "program"} <= {finding.check for finding in found}
