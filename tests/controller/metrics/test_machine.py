"""What the machine says of itself, as far as it says anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from controller.metrics.machine import MachineNumbers
from tests.controller.metrics.pi import machine


def numbers(root: Path) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(MachineNumbers(root, root))
    return registry


def test_a_pi_tells_its_heat_its_supply_and_its_watchdog(tmp_path: Path) -> None:
    found = numbers(machine(tmp_path, temp="61234\n", type="cpu-thermal\n", throttled="50005\n", boot="32\n"))
    assert found.get_sample_value("tablectl_machine_temperature_celsius", {"zone": "0:cpu-thermal"}) == 61.234
    throttled = {
        (what, when): found.get_sample_value("tablectl_machine_throttled", {"what": what, "when": when})
        for what in ("undervoltage", "frequency_capped", "throttled", "soft_limit")
        for when in ("now", "since_boot")
    }
    said = {("undervoltage", "now"), ("throttled", "now"), ("undervoltage", "since_boot"), ("throttled", "since_boot")}
    assert {key for key, value in throttled.items() if value == 1} == said
    assert found.get_sample_value("tablectl_machine_watchdog_reset") == 1
    assert (found.get_sample_value("tablectl_machine_disk_free_bytes") or 0) > 0


@pytest.mark.parametrize(("said", "worn"), [("0x03 0x09\n", 90), ("0x0b 0x01", 100), ("0x00 0x00", None), ("?", None)])
def test_a_card_tells_how_worn_it_is(tmp_path: Path, said: str, worn: int | None) -> None:
    found = numbers(machine(tmp_path, life=said))
    assert found.get_sample_value("tablectl_machine_card_worn_percent", {"card": "mmcblk0"}) == worn


UNDERVOLTAGE = ("tablectl_machine_throttled", {"what": "undervoltage", "when": "now"})


def test_a_pi_5_tells_the_same_under_another_address(tmp_path: Path) -> None:
    assert numbers(machine(tmp_path, throttled5="1\n")).get_sample_value(*UNDERVOLTAGE) == 1


@pytest.mark.parametrize(("name", "told"), [("rpi_volt\n", 1), ("cpu_thermal\n", None)])
def test_under_debians_kernel_the_alarm_of_the_supply_is_told(tmp_path: Path, name: str, told: int | None) -> None:
    found = numbers(machine(tmp_path, hwmon=name, supply="1\n"))
    assert found.get_sample_value(*UNDERVOLTAGE) == told
    assert found.get_sample_value("tablectl_machine_throttled", {"what": "throttled", "when": "now"}) is None


@pytest.mark.parametrize(("said", "told"), [("0x02\n", 2), ("0x01", 1), ("0x00", None), ("?", None)])
def test_a_card_tells_what_is_left_of_its_spare_blocks(tmp_path: Path, said: str, told: int | None) -> None:
    found = numbers(machine(tmp_path, spare=said))
    assert found.get_sample_value("tablectl_machine_card_spare", {"card": "mmcblk0"}) == told


def test_a_file_system_tells_the_errors_it_counted(tmp_path: Path) -> None:
    found = numbers(machine(tmp_path, errors="3\n"))
    assert found.get_sample_value("tablectl_machine_disk_errors", {"disk": "mmcblk0p2"}) == 3


@pytest.mark.parametrize("files", [{}, {"temp": "?", "type": "x", "throttled": "zz", "boot": ""}])
def test_what_a_machine_does_not_say_is_left_out(tmp_path: Path, files: dict[str, str]) -> None:
    found = numbers(machine(tmp_path, **files))
    assert found.get_sample_value("tablectl_machine_watchdog_reset") is None
    assert found.get_sample_value("tablectl_machine_temperature_celsius", {"zone": "0:x"}) is None
    assert (found.get_sample_value("tablectl_machine_disk_bytes") or 0) > 0


def test_the_clock_is_asked_of_the_kernel(tmp_path: Path) -> None:
    found = numbers(tmp_path)
    assert abs(found.get_sample_value("tablectl_machine_clock_offset_seconds") or 0.0) < 1000
    assert found.get_sample_value("tablectl_machine_clock_synchronised") in (0, 1)
