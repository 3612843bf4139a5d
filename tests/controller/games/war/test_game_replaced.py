"""A shoe or a mat that is replaced in mid-shift by another of its kind goes on where the old one ended."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.games.war.config import WarSection
from controller.journal.file import JournalFile
from drivers.events import DeviceDown, DeviceUp
from firmware_specs.cards import DECK
from lab.sim.config import default_config
from simulators.chips import ChipMat
from simulators.shoe import CardShoe
from tests.controller.games.war.shift import BOOKS, Shift

pytestmark = [pytest.mark.guards(book) for book in BOOKS]


def another_shoe(shift: Shift) -> None:
    """Carry the old shoe away, and put what was in it into another one, in the same order."""
    devices, clock = shift.table.devices, shift.clock
    old, wire = devices.sources["shoe"], devices.wires["shoe"]
    assert isinstance(old, CardShoe)
    shift.crew.stand_back(True)
    shift.clock.run_until(shift.game.idle, 600.0)
    inside = list(old.cards)
    old.stop()
    clock.run_for(10.0)
    new = CardShoe(clock, wire.device, serial="SHOE-2", seed=77)
    devices.sources["shoe"] = shift.crew.source = new
    devices._powered[devices._powered.index(old)] = new
    new.start()
    clock.run_for(5.0)
    new.load(inside)
    clock.run_for(5.0)
    shift.crew.stand_back(False)


def another_mat(shift: Shift) -> None:
    """The felt is lifted, another mat goes under it, and the chips lie where they lay."""
    devices, clock = shift.table.devices, shift.clock
    old, wire = devices.mat, devices.wires["chips"]
    shift.crew.stand_back(True)
    shift.clock.run_until(shift.game.idle, 600.0)
    lay = {area: list(old.lying(area)) for area in range(old.areas)}
    old.stop()
    clock.run_for(10.0)
    new = ChipMat(clock, wire.device, areas=old.areas, serial="MAT-2", seed=77)
    for area, tags in lay.items():
        new.place(tags, area)
    devices.mat = shift.crew.felt.mat = new
    devices._powered[devices._powered.index(old)] = new
    new.start()
    clock.run_for(20.0)
    shift.crew.stand_back(False)


@pytest.mark.parametrize("book", BOOKS)
def test_a_shoe_replaced_by_another_goes_on_with_the_cards_that_the_decks_still_owe(book: str, tmp_path: Path) -> None:
    config = default_config("war", rulebook=book)
    shift = Shift(config, tmp_path / "t.sqlite", 3)
    told: list[DeviceUp | DeviceDown] = []
    shift.table.runtime.watchers.append(
        lambda one: told.append(one.event) if isinstance(one.event, DeviceUp | DeviceDown) else None
    )
    shift.play(6)
    another_shoe(shift)
    owed = shift.game.state.shoe.cards
    left = Counter({face: owed.left(face) for face in DECK})
    shoe = shift.table.devices.sources["shoe"]
    assert isinstance(shoe, CardShoe)
    inside = Counter(card.rstrip("^") for card in shoe.cards if card != "CUT")
    assert inside == +left, "what lies in the new shoe is what the decks still owe"
    shift.play(14)
    assert {one.serial for one in told if isinstance(one, DeviceUp) and one.device == "shoe"} == {"SIM-SHOE", "SHOE-2"}
    assert not [code for code in shift.table.runtime.table.state.desk.alarms if code.startswith("wrong_deck")]
    assert shift.game.state.supply.blocked is None
    assert shift.game.state.shoe.cards.decks == config.own(WarSection).decks
    shift.table.stop()
    journal = JournalFile.read_only(tmp_path / "t.sqlite")
    assert recover(GuardedTable(config), journal, from_snapshot=False) == journal.last_seq


@pytest.mark.parametrize("book", BOOKS)
def test_a_mat_replaced_by_another_is_counted_anew_and_nothing_is_missing(book: str, tmp_path: Path) -> None:
    config = default_config("war", rulebook=book)
    shift = Shift(config, tmp_path / "t.sqlite", 4)
    shift.play(6)
    another_mat(shift)
    table, mat = shift.table.runtime.table, shift.table.devices.mat
    known = {area: sorted(tags) for area, tags in table.money.picture().items() if tags}
    assert known == {area: sorted(mat.lying(area)) for area in range(mat.areas) if mat.lying(area)}
    assert table.state.desk.alarms == {}
    shift.play(12)
    shift.everything_arrives()
    assert not [code for code in table.state.desk.alarms if code.startswith("float")]
    shift.table.stop()
