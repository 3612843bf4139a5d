"""An event in progress under every fault in every state: it goes on to its prizes, and no unit is lost or made."""

from __future__ import annotations

import pytest

from controller.tournament import ledger
from lab.hall.chips import EventBank
from lab.proofs import in_tournament
from lab.proofs.faultmatrix import CONTROLLER, FAULTS, KILLED, as_text
from lab.proofs.in_tournament import CUT, HALL, LINE, cells, matrix, met, names

EACH = {"war tournament": 9, "wheel tournament": 9, "poker tournament": 29}
"""Every so many cells are played; `tablectl faults --game "war tournament"` plays all of them."""


def share(name: str) -> set[tuple[str, str, str]]:
    return {cell for number, cell in enumerate(cells(name)) if number % EACH[name] == 0}


@pytest.mark.parametrize("name", EACH)
def test_an_event_that_is_struck_goes_on_to_its_prizes_with_every_unit(name: str) -> None:
    chosen = share(name)
    played = matrix(name, wanted=lambda *cell: cell in chosen)
    assert {(one.device, one.fault, one.state) for one in played} == chosen
    assert [line for line in as_text(played).splitlines() if ": " in line] == []
    assert {cell.ended for cell in played} == {"settled"}


@pytest.mark.parametrize("name", EACH)
def test_rounds_and_sessions_the_hall_and_the_line_are_struck_as_the_devices_are(name: str) -> None:
    assert list(EACH) == sorted(names(), key=list(EACH).index)
    known = set(cells(name))
    assert {cell[1] for cell in known} == {*FAULTS, KILLED, CUT}
    assert {CONTROLLER, HALL, LINE} < {cell[0] for cell in known}
    assert {"playing", "counting", "counted", "waiting"} < met(name).keys()
    assert len(met(name)) > 10


def test_a_ledger_that_books_less_than_was_won_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    truly = ledger.in_units
    monkeypatch.setattr(ledger, "in_units", lambda cents: truly(cents) - 100 * (cents > 0))
    (cell,) = matrix("war tournament", wanted=lambda *cell: cell == (LINE, CUT, "over"))
    assert any("held" in problem and "the rows come to" in problem for problem in cell.problems)


def test_a_chip_that_vanishes_from_the_tray_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    truly, seen = EventBank.in_tray, []

    def leaks(self: EventBank) -> int:
        seen.append(1)
        return truly.fget(self) - len(seen)  # type: ignore[attr-defined]

    monkeypatch.setattr(EventBank, "in_tray", property(leaks))
    (cell,) = matrix("war tournament", wanted=lambda *cell: cell == (LINE, CUT, "over"))
    assert any("units lay at the table when a session began" in problem for problem in cell.problems)


def test_a_state_that_is_never_reached_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_tournament, "met", lambda name, seed=1: {"nowhere": 1})
    (cell,) = matrix("war tournament", wanted=lambda device, fault, state: device == LINE)
    assert cell.problems == ["the state was never reached"]
    assert cell.mark == "!!"
