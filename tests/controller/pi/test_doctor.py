"""The doctor: every finding of the machine with its remedy, and an exit status a monitor can use."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from controller.commands.doctor import examine, status
from controller.config.file import check_config
from controller.journal.file import Entry, JournalFile
from controller.pi import doctor, manifest
from controller.pi.doctor import Finding, Machine
from controller.pi.install.network import drop_in
from tests.controller.pi.ailing import NOW, Pi, only
from tests.standing import Configured, tablectl


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


def test_a_key_that_the_tables_user_cannot_read_is_told_before_the_start_fails(
    configured: Configured, tmp_path: Path
) -> None:
    path = configured()
    path.write_text(path.read_text().replace("[table]\n", '[table]\nsigning_key = "table.key"\n', 1))
    path.chmod(0o640)
    config, data = check_config(path), tmp_path / "data"
    data.mkdir(mode=0o750)
    key = tmp_path / "table.key"
    key.write_text("00")
    key.chmod(0o600)
    assert [finding.level for finding in doctor.permissions(Machine(), path, config)] == ["fine"]
    if os.geteuid() == 0:
        os.chown(data, 12345, 12345)
        told = only(list(doctor.permissions(Machine(), path, config)), "failed")
        assert f"cannot read its key {key}" in told.text
        assert told.remedy == f"chown --reference={data} {key}"
        os.chown(key, 0, 12345)
        key.chmod(0o640)
        assert [finding.level for finding in doctor.permissions(Machine(), path, config)] == ["fine"]


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


# --- as a command ----------------------------------------------------------------------------


def test_the_exit_status_tells_a_monitor_how_it_stands() -> None:
    fine, look, bad = (Finding("x", level, "") for level in ("fine", "warning", "failed"))
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
