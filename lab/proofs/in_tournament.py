"""The fault matrix of an event in progress: every fault of every device, in every state of its rounds and sessions.

Each cell is a small event from its draw to its prizes, on a whole table with a floor and a hall, struck when the state
is entered for the second time where it ever is. What holds then is judged by what people see and by the journal's bare
rows: chips are looked for in purses, on the felt and in the tray, and units added up here, without ledger or hall.
"""

from __future__ import annotations

import functools
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from controller.core.effects import Alarmed, Moved
from controller.core.runtime import Told
from controller.journal.file import JournalFile
from firmware_specs.clock import DeadlineMissed, Deadlock
from lab.hall.event import Stuck
from lab.hall.table import EventTable
from lab.hall.terms import terms_for
from lab.hall.whole import WholeEvent
from lab.proofs.faultmatrix import CONTROLLER, FAULTS, KILLED, Cell
from lab.proofs.games import GAMES
from simulators.faults import Fault

SUFFIX = " tournament"
HALL, LINE, CUT = "hall", "line", "cut"
CUT_S = 240.0
"""A line stays cut beyond the age at which a table turns an order away."""
ENTRANTS, ROUNDS = 3, 3
HIGH_BLINDS = "levels = [[1000, 2000], [2000, 4000], [4000, 8000]]"
OF_THE_EVENT = ("round", "tournament")
"""The machines whose states are struck: the game's round, and the session at the table."""
BEFORE_CHIPS = ("free", "designated")


def names() -> list[str]:
    """A tournament of each game."""
    return [f"{game}{SUFFIX}" for game in GAMES]


def terms(name: str) -> str:
    """A short event: few rounds a session, or blinds that soon leave one."""
    text = terms_for(name.removesuffix(SUFFIX), 1, ENTRANTS)
    text = re.sub(r"^rounds = \d+", f"rounds = {ROUNDS}", text, flags=re.MULTILINE)
    text = re.sub(r"^levels = .*$", HIGH_BLINDS, text, flags=re.MULTILINE)
    return re.sub(r"^breaks = .*$", "", text, flags=re.MULTILINE)


@functools.cache
def met(name: str, seed: int = 1) -> dict[str, int]:
    """How often an event that nothing disturbs comes into each state."""
    with tempfile.TemporaryDirectory(prefix="tablectl-faults-") as scratch:
        trial = EventTrial(name, LINE, CUT, "", seed, 0.0, Path(scratch))
        trial.play()
    return {state: count for state, count in trial.entered.items() if state not in BEFORE_CHIPS}


def cells(name: str, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """Device, fault and state of every cell; the hall and the line to the floor are struck as devices are."""
    game = GAMES[name.removesuffix(SUFFIX)]()
    rows = [(device, fault) for device in game.places for fault in FAULTS]
    for device, fault in (*rows, (CONTROLLER, KILLED), (HALL, KILLED), (LINE, CUT)):
        for state in met(name, seed):
            yield device, fault, state


class EventTrial:
    """One cell being played."""

    def __init__(self, name: str, device: str, fault: str, state: str, seed: int, after: float, folder: Path) -> None:
        self.cell = Cell(name, device, fault, state)
        self.entered: Counter[str] = Counter()
        self._seed, self._after = seed, after
        self._strikes_at = min(2, met(name, seed)[state]) if state else 0
        self.event = WholeEvent(terms(name), ENTRANTS, folder, seed, rebuys=0.0)
        self._table: EventTable = next(iter(self.event.tables.values()))
        self._held: list[dict[str, int]] = []
        """Of each session what entrants had in their hands when it was counted."""
        self._lying: list[int] = []
        """All units that could be seen at the table, when a session began and when it was counted."""
        self._table.watch(self._watch)

    def play(self) -> Cell:
        cell, event = self.cell, self.event
        try:
            event.run()
            cell.problems += event.wrong()
            cell.ended = "settled"
        except (Stuck, Deadlock, DeadlineMissed) as stuck:
            cell.problems.append(f"it did not go on: {stuck}; {self._asked()}")
        cell.struck |= not cell.state
        if not cell.struck:
            cell.problems.append("the state was never reached")
        event.house.close()
        cell.problems += self._unaccounted()
        return cell

    def _asked(self) -> str:
        state = self._table.runtime.table.state
        faults = "; ".join(one.text for one in state.faults.values())
        return f"asked {list(state.desk.prompts)}; {faults or 'no fault'}"

    # -- striking ------------------------------------------------------------------------------------------------------

    def _watch(self, told: Told) -> None:
        for effect in told.effects:
            match effect:
                case Moved(machine=machine, source=source, dest=dest) if machine in OF_THE_EVENT:
                    self._count(source, dest)
                case Moved(machine="life", dest="suspended") if self.cell.struck:
                    self.cell.suspended += [one.text for one in self._table.runtime.table.state.faults.values()]
                case Alarmed(code=code, text=text, remedy=remedy) if self.cell.struck:
                    self.cell.alarms.append(code)
                    if not text or not remedy:
                        self.cell.problems.append(f"the alarm {code} tells no cause or no remedy")

    def _count(self, source: str, dest: str) -> None:
        self.entered[dest] += 1
        if (source, dest) == ("set", "playing"):
            self._lying.append(self._table.units)
        elif dest == "counted":
            self._lying.append(self._table.units)
            self._held.append(dict(self._table.crew.purses))
        if dest == self.cell.state and self.entered[dest] == self._strikes_at:
            self.cell.struck = True
            self.event.clock.call_later(self._after, self._strike)

    def _strike(self) -> None:
        table = self._table
        if self.cell.device == CONTROLLER:
            table.kill()
        elif self.cell.device == HALL:
            self.event.house.kill_hall()
        elif self.cell.device == LINE:
            table.connected = False
            self.event.clock.call_later(CUT_S, setattr, table, "connected", True)
        else:
            fault = {"device": self.cell.device, "seed": self._seed, **FAULTS[self.cell.fault]}
            table.devices.plan(Fault.of(fault))

    # -- the judge -----------------------------------------------------------------------------------------------------

    def _unaccounted(self) -> list[str]:
        """Chips that are gone or too many, and banks whose rows come to something else than entrants held."""
        found = []
        for before, after in zip(self._lying[::2], self._lying[1::2], strict=False):
            if before != after:
                found.append(f"{before:,} units lay at the table when a session began, {after:,} when it was counted")
        rows = sessions_in(self._table.journal)
        for number, (held, said) in enumerate(zip(self._held, rows, strict=False), 1):
            found += [f"session {number}: {who} held {held.get(who, 0):,}, and the rows come to {units:,}"
                      for who, units in said.items() if held.get(who, 0) != units]  # fmt: skip
        if self.cell.ended and len(rows) != len(self._held):
            found.append(f"{len(self._held)} sessions were counted, and {len(rows)} are in the journal")
        return found


def sessions_in(path: Path) -> list[dict[str, int]]:
    """Of each session in a journal that was counted, what its ledger's rows come to for each entrant.

    What the Director agreed because a count differed is left out: it would hide the difference.
    """
    journal = JournalFile.read_only(path)
    banks: Counter[str] = Counter()
    found = []
    try:
        for row in journal.rows():
            for effect in json.loads(row.body).get("effects", ()):
                what, facts = str(effect.get("what", "")), effect.get("facts", {})
                if what == "tournament_ledger" and facts["kind"] != "agreed":
                    banks[facts["entrant"]] += facts["units"]
                elif what == "tournament_agreed":
                    found.append(dict(banks))
                    banks.clear()
    finally:
        journal.close()
    return found


def matrix(
    name: str,
    seed: int = 1,
    after: float = 0.0,
    wanted: Callable[[str, str, str], bool] = lambda device, fault, state: True,
    done: Callable[[Cell], object] = lambda cell: None,
) -> list[Cell]:
    """Play the cells of an event of a game."""
    played = []
    for device, fault, state in cells(name, seed):
        if wanted(device, fault, state):
            with tempfile.TemporaryDirectory(prefix="tablectl-faults-") as scratch:
                cell = EventTrial(name, device, fault, state, seed, after, Path(scratch)).play()
            played.append(cell)
            done(cell)
    return played
