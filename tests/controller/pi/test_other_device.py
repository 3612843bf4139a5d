"""Another device in the place of a dead one: which it is, and what the table's file says of it afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller import examples
from controller.config.file import check_config
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.pi.other_device import candidates, usable, with_device
from drivers.discover import DeviceFound

WAR = Path(examples.__path__[0]) / "war.toml"
NEW = DeviceFound("/dev/serial/by-id/usb-shoe-2", "serial port", "shoe", "SO-0002", "1.0", 1, True)
OLD = DeviceFound("/dev/serial/by-id/usb-shoe", "serial port", "shoe", "SO-0001", "1.0", 1, True)
MAT = DeviceFound("usb:1209:7ab1:CM-0003", "mat", "chips", "CM-0003", "1.0", 1, True)


@pytest.fixture
def war() -> TableConfig:
    return check_config(WAR)


def test_the_other_one_of_its_kind_is_found_and_the_rest_of_the_table_left_alone(war: TableConfig) -> None:
    assert candidates(war, "shoe", [MAT, NEW]) == [NEW]
    assert candidates(war, "chips", [MAT, NEW], "CM-0009") == []
    assert candidates(war, "shoe", [MAT, NEW, OLD], "SO-0002") == [NEW]


def test_a_device_that_still_answers_is_not_replaced_behind_its_back(war: TableConfig) -> None:
    with pytest.raises(ConfigError, match=r"SO-0001 still answers at .*Unplug it first"):
        candidates(war, "shoe", [MAT, NEW, OLD])


def test_one_that_the_table_would_refuse_is_refused_before_anything_is_written(war: TableConfig) -> None:
    stale = DeviceFound(NEW.address, "", "shoe", "SO-0002", "0.1", 9, False, "speaks spec version 9.", "Flash it.")
    with pytest.raises(ConfigError, match=r"speaks spec version 9\. Flash it\. Nothing was changed"):
        usable(war.devices["shoe"], stale)
    kept = DeviceFound(NEW.address, "", "shoe", "SO-0002", "1.0", 1, True, paired=True)
    with pytest.raises(ConfigError, match="paired with another table"):
        usable(war.devices["shoe"], kept)


def test_only_its_port_and_number_change_in_the_file() -> None:
    text = WAR.read_text("utf-8").replace('serial = "SO-0001"', 'serial = "SO-0001"  # from the cage')
    made = with_device(text, "table.toml", "shoe", NEW)
    changed = [(old, new) for old, new in zip(text.splitlines(), made.splitlines(), strict=True) if old != new]
    assert changed == [
        ('port = "/dev/serial/by-id/usb-shoe"', 'port = "/dev/serial/by-id/usb-shoe-2"'),
        ('serial = "SO-0001"  # from the cage', 'serial = "SO-0002"  # from the cage'),
    ]


def test_a_place_without_a_number_is_given_one() -> None:
    text = WAR.read_text("utf-8").replace('serial = "SO-0001"\n', "")
    made = with_device(text, "table.toml", "shoe", NEW)
    assert '[devices.shoe]\nkind = "shoe"\nport = "/dev/serial/by-id/usb-shoe-2"\nserial = "SO-0002"\n' in made


@pytest.mark.parametrize(
    "written",
    [
        'devices.shoe = {kind = "shoe", port = "/dev/serial/by-id/usb-shoe", serial = "SO-0001"}\n',
        '[devices]\nshoe = {kind = "shoe", port = "/dev/a", serial = "SO-0001"}\n',
    ],
)
def test_a_file_that_cannot_be_changed_line_by_line_is_left_to_a_person(written: str) -> None:
    with pytest.raises(ConfigError, match="by hand"):
        with_device(written, "table.toml", "shoe", NEW)


def test_a_port_that_another_place_has_is_refused() -> None:
    taken = DeviceFound("usb:1209:7ab1", "", "shoe", "CM-0003", "1.0", 1, True)
    with pytest.raises(ConfigError, match="its own port"):
        with_device(WAR.read_text("utf-8"), "table.toml", "shoe", taken)
