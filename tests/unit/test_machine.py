"""The strict machine: what `transitions` would let pass is refused."""

from __future__ import annotations

import pytest

from controller.machine import BadDeclaration, NotNow, Row, StrictMachine


class Door:
    def __init__(self) -> None:
        self.done: list[str] = []
        self.locked = False
        self.moves: list[tuple[str, str, str, str]] = []

    def unlocked(self) -> bool:
        return not self.locked

    def swing(self) -> None:
        self.done.append("swing")

    def slam(self) -> None:
        raise ValueError("it broke")

    def chain(self) -> None:
        self.machine.fire("close")

    def build(self, *rows: Row) -> StrictMachine:
        self.machine = StrictMachine("door", self, ("closed", "open"), rows, "closed", self._moved)
        return self.machine

    def _moved(self, *move: str) -> None:
        self.moves.append(move)  # type: ignore[arg-type]


OPEN = Row("open", "closed", "open", guard="unlocked", action="swing")
CLOSE = Row("close", "open", "closed")


def test_a_declared_row_moves_the_machine_and_tells_it() -> None:
    door = Door()
    machine = door.build(OPEN, CLOSE)
    machine.fire("open")
    assert (machine.state, door.done, door.moves) == ("open", ["swing"], [("door", "closed", "open", "open")])


def test_a_guard_that_says_no_is_a_refusal_and_not_a_silent_false() -> None:
    door = Door()
    machine = door.build(OPEN, CLOSE)
    door.locked = True
    with pytest.raises(NotNow):
        machine.fire("open")
    assert machine.state == "closed"
    assert door.done == []


def test_a_trigger_from_the_wrong_state_is_refused() -> None:
    machine = Door().build(OPEN, CLOSE)
    with pytest.raises(NotNow, match="cannot close while closed"):
        machine.fire("close")


def test_a_misspelt_trigger_is_a_defect() -> None:
    machine = Door().build(OPEN, CLOSE)
    with pytest.raises(BadDeclaration, match="opne"):
        machine.fire("opne")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (Row("open", "closed", "ajar"), "ajar"),
        (Row("open", "closed", "open", guard="unlokced"), "unlokced"),
        (Row("open", "closed", "open", action="swnig"), "swnig"),
    ],
)
def test_a_misspelt_name_is_found_when_the_machine_is_built(row: Row, message: str) -> None:
    with pytest.raises(BadDeclaration, match=message):
        Door().build(row, CLOSE)


def test_a_state_that_nothing_leads_to_is_found_when_the_machine_is_built() -> None:
    with pytest.raises(BadDeclaration, match="no row leads to open"):
        Door().build(CLOSE)


def test_an_error_in_an_action_leaves_the_old_state_standing() -> None:
    machine = Door().build(Row("open", "closed", "open", action="slam"), CLOSE)
    with pytest.raises(ValueError, match="it broke"):
        machine.fire("open")
    assert machine.state == "closed"


def test_what_an_action_fires_runs_after_the_change_it_belongs_to() -> None:
    door = Door()
    machine = door.build(Row("open", "closed", "open", action="chain"), CLOSE)
    machine.fire("open")
    assert [move[3] for move in door.moves] == ["open", "close"]
    assert machine.state == "closed"


def test_there_is_no_way_past_the_guards() -> None:
    machine = Door().build(OPEN, CLOSE)
    assert not hasattr(machine._holder, "to_open")


def test_a_saved_state_that_does_not_exist_is_refused() -> None:
    machine = Door().build(OPEN, CLOSE)
    with pytest.raises(BadDeclaration, match="garbage"):
        machine.restore("garbage")
