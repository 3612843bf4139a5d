"""What a tag is at this table, and what antennas saw as chips."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.core.events import Chip, ChipPlaced, ChipsCounted, ChipsMoved, ChipsSwept, ChipUnclear
from controller.devices import register_for
from controller.money.dress import ChipRegister
from controller.money.lists import import_lists
from controller.money.register import RegisterFile
from drivers.chips import AreaChange, AreaChips, ChipInventory, ChipOffEdge, ChipOnEdge, ChipsSeen
from drivers.events import DeviceDown
from lab.sim.config import default_config
from tests.controller.money.listed import LIST, written


@pytest.fixture
def register(tmp_path: Path) -> RegisterFile:
    import_lists(tmp_path / "chips.reg", [written(tmp_path, LIST)])
    return RegisterFile(tmp_path / "chips.reg")


@pytest.mark.clause("melbourne-wheel", "3.1.1", "3.1.2(a)", "3.1.2(b)")
def test_a_tag_is_at_this_table_what_the_register_says_and_no_good_when_it_is_another_tables(
    register: RegisterFile,
) -> None:
    here = ChipRegister(register, "Big Wheel 1", "BW1")
    assert here.chip(0xA1) == Chip(0xA1, "cash", 500)
    assert here.chip(0xA2) == Chip(0xA2, "cash", 250)
    assert here.chip(0xB1) == Chip(0xB1, "colour", 0, "BW1/blue")
    assert here.chip(0xB2) == Chip(0xB2, "other_table", 0, "BW2/blue")
    assert here.chip(0xB3) == Chip(0xB3, "other_table", 0, "BW3/blue")
    assert here.chip(0xC1) == Chip(0xC1, "token", 2500)
    assert here.chip(0xD1) == Chip(0xD1, "tournament", 3300)
    assert here.chip(0xE1) == Chip(0xE1, "missing", 0, "missing")
    assert here.chip(0xE2) == Chip(0xE2, "retired", 0, "BW1/pink")
    assert here.chip(0xF1) == Chip(0xF1, "other_table", 0, "Baccarat 7")
    assert here.chip(0xFF) == Chip(0xFF, "unknown", 0)


@pytest.mark.clause("melbourne-wheel", "3.1.1")
def test_what_the_antennas_saw_reaches_the_table_as_chips(register: RegisterFile) -> None:
    here = ChipRegister(register, "Big Wheel 1", "BW1")
    five, blue = Chip(0xA1, "cash", 500), Chip(0xB1, "colour", 0, "BW1/blue")
    came, left = AreaChange(3, (0xA1, 0xB1), (), True), AreaChange(4, (), (7,))
    moved, went = ChipsMoved("chips", 3, (five, blue), (), True), ChipsMoved("chips", 4, (), (7,))
    assert here.dress(ChipsSeen("chips", (came,))) == [moved]
    assert here.dress(ChipsSeen("chips", (left, came))) == [ChipsSwept("chips", (went, moved))]
    assert here.dress(ChipOnEdge("chips", 0xA1, (1, 2))) == [ChipUnclear("chips", five, (1, 2))]
    assert here.dress(ChipOffEdge("chips", 0xA1)) == [ChipPlaced("chips", 0xA1)]
    assert here.dress(ChipInventory("chips", (AreaChips(0, (0xB1,)),))) == [ChipsCounted("chips", {0: (blue,)})]
    gone = DeviceDown("chips", "silent", "look")
    assert here.dress(gone) == [gone]


@pytest.mark.clause("melbourne-wheel", "3.1.1")
def test_a_simulated_table_knows_its_chips_by_what_they_were_made_worth() -> None:
    made = {7: 500}
    here = ChipRegister(made)
    assert here.chip(8) == Chip(8, "unknown", 0)
    made[8] = 2500
    assert here.chip(8) == Chip(8, "cash", 2500)


@pytest.mark.clause("star-war", "5.3", "1.1 [casino promotional token]")
@pytest.mark.parametrize(("rulebook", "kind"), [("star-war", "token"), ("perth-war", "promotional")])
def test_promotional_chips_are_staked_only_where_the_rulebook_takes_them(
    tmp_path: Path, rulebook: str, kind: str
) -> None:
    lines = "tag,kind,value\nA1,promotional,25\n"
    import_lists(tmp_path / "chips.reg", [written(tmp_path, lines)])
    config = default_config("war", rulebook=rulebook)
    chips = msgspec.structs.replace(config.chips, register=str(tmp_path / "chips.reg"))
    here = register_for(msgspec.structs.replace(config, chips=chips))
    assert here.chip(0xA1) == Chip(0xA1, kind, 2500)
