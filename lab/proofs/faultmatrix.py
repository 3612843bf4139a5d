"""The fault matrix: every fault of every device in every state of the round, and how the table came out of it.

Each cell is a short shift under the virtual clock: a round without trouble, a round that is struck as it enters the
state, and a round after it. The simulated world says what truly lay on the felt and where the wheel truly stood.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from controller.core.effects import Alarmed, AlarmOver, Moved, Noted, Settled
from controller.core.runtime import Told
from controller.journal.file import JournalTrouble
from firmware_specs.clock import DeadlineMissed, Deadlock, VirtualClock
from lab.proofs.audit import account, event_problems, picture_problems, replay_problems, settlement_problems
from lab.proofs.games import VARIANTS
from lab.proofs.poker_mishaps import Mishap
from lab.proofs.stage import Host, StagedGame, World
from simulators.faults import Fault

STRUCK_ROUND = 1
ROUNDS = 3
DEADLINE_S = 900.0
REST_S = 20.0

FAULTS: dict[str, dict[str, Any]] = {
    "drop": {"fault": "drop", "frames": 4},
    "corrupt": {"fault": "corrupt", "frames": 4},
    "duplicate": {"fault": "duplicate", "frames": 6},
    "split": {"fault": "split", "frames": 6},
    "delay": {"fault": "delay", "frames": 3, "seconds": 3.0},
    "stall": {"fault": "stall", "seconds": 8.0},
    "unplug": {"fault": "unplug", "seconds": 4.0},
    "reboot": {"fault": "reboot", "seconds": 1.0},
    "reboot without memory": {"fault": "reboot", "seconds": 1.0, "keep_memory": False},
}
"""Each fault of the simulators at a strength that hurts: longer than a resend, and longer than silence where it can."""
STAGED = {name: staged for variants in VARIANTS.values() for name, staged in variants.items()}
"""Every game in every form, by the name of the form."""
CONTROLLER = "controller"
KILLED = "killed"
AWAY_S = 3.0
"""How long nobody runs the table when the controller itself is struck."""


class Cell(msgspec.Struct):
    """One device, one fault, one state: how the struck round ended, what suspended the table, what was wrong."""

    game: str
    """The game in the form it was played in, such as omaha."""
    device: str
    fault: str
    state: str
    struck: bool = False
    ended: str = ""
    suspended: list[str] = []
    alarms: list[str] = []
    problems: list[str] = []

    @property
    def mark(self) -> str:
        """The cell as a table shows it."""
        if self.problems or not self.struck:
            return "!!"
        return {"settled": "S", "no spin, then settled": "N", "refunded": "R"}.get(self.ended, "?") + (
            "*" if self.suspended else ""
        )


class Trial:
    """One cell being played."""

    def __init__(self, game: str, device: str, fault: str, state: str, seed: int, after: float, folder: Path) -> None:
        self.cell = Cell(game, device, fault, state)
        self.game = STAGED[game]()
        self.clock = VirtualClock()
        self.world = World(self.game, self.clock, seed)
        self.crew = self.game.crew(self.world, seed, state, STRUCK_ROUND)
        self.path = folder / f"{game}-{device}-{fault}-{state}.sqlite".replace(" ", "-")
        self.mishap = _mishaps(self.game).get((device, fault))
        self.seed = seed
        self.after = after
        self._ends: list[str] = []

    def play(self) -> Cell:
        cell, world = self.cell, self.world
        world.devices.start()
        self._start_controller()
        self.crew.start()
        try:
            self.clock.run_until(lambda: self.crew.rounds >= ROUNDS, DEADLINE_S)
            self.crew.resting = True
            self.clock.run_for(REST_S)
        except (Deadlock, DeadlineMissed) as stuck:
            shown = world.see()
            where = f"table {shown.life}, round {shown.state}" if shown else "no table"
            cell.problems.append(f"it did not go on: {stuck} ({where}; {self._causes()})")
        host = world.host
        assert host is not None
        if not cell.struck:
            cell.problems.append("the state was never reached")
        if host.runtime.table.state.faults:
            cell.problems.append(f"still suspended: {self._causes()}")
        if host.runtime.table.state.desk.prompts:
            cell.problems.append(f"still asked: {list(host.runtime.table.state.desk.prompts)}")
        cell.problems += picture_problems(world)
        if self.mishap is not None:
            cell.problems += self._not_told(self.mishap)
        host.stop()
        world.devices.stop()
        self._read_back()
        cell.ended = self._ended()
        return cell

    def _not_told(self, mishap: Mishap) -> list[str]:
        """What people should have been told of a mishap, and were not."""
        problems = []
        if mishap.told and not any(code.startswith(mishap.told) for code in self.cell.alarms):
            problems.append(f"no alarm {mishap.told} was raised")
        if mishap.suspends and not self.cell.suspended:
            problems.append("the table was not suspended")
        return problems

    def _start_controller(self) -> None:
        host = Host(self.world, self.path)
        host.runtime.watchers.append(self._watch)
        host.start()

    def _strike(self) -> None:
        host, fault = self.world.host, self.cell.fault
        if self.mishap is not None:
            self.mishap.strike(self.world, self.crew)
        elif self.cell.device != CONTROLLER:
            self.world.devices.plan(Fault.of({"device": self.cell.device, "seed": self.seed, **FAULTS[fault]}))
        elif host is not None:
            host.die()
            self.clock.call_later(AWAY_S, self._start_controller)

    def _causes(self) -> str:
        return "; ".join(f"{one.text} {one.remedy}" for one in self._faults()) or "no fault"

    def _read_back(self) -> None:
        problems = self.cell.problems
        try:
            told = account(self.path)
        except JournalTrouble as trouble:
            problems.append(str(trouble))
            return
        problems += event_problems(self.world, told) + settlement_problems(told)
        problems += replay_problems(self.world, self.path)

    def _watch(self, told: Told) -> None:
        cell = self.cell
        for effect in told.effects:
            match effect:
                case Moved(machine="round", dest=dest) if dest == cell.state and self._due():
                    cell.struck = True
                    self.clock.call_later(self.after, self._strike)
                case Moved(machine="life", dest="suspended") if cell.struck:
                    cell.suspended += [f"{one.text} {one.remedy}" for one in self._faults()]
                case Settled(outcome=outcome):
                    self._ends.append("refunded" if outcome in ("invalidated", "void") else "settled")
                    cell.problems += self.game.money_problems(self.world, self.crew, effect)
                case Noted(what="no_spin"):
                    self._ends.append("no spin")
                case Alarmed(code=code, text=text, remedy=remedy) if cell.struck:
                    cell.alarms.append(code)
                    if not text or not remedy:
                        cell.problems.append(f"the alarm {code} tells no cause or no remedy")
                case AlarmOver() | _:
                    pass

    def _faults(self) -> list[Any]:
        host = self.world.host
        return [] if host is None else list(host.runtime.table.state.faults.values())

    def _due(self) -> bool:
        started = self.crew.rounds >= STRUCK_ROUND or (self.cell.state == self.game.states[0] and bool(self._ends))
        return not self.cell.struck and started

    def _ended(self) -> str:
        """The word for the struck round: the second of those that ended, with the no spins before it."""
        rounds: list[list[str]] = [[]]
        for end in self._ends:
            rounds[-1].append(end)
            if end != "no spin":
                rounds.append([])
        struck = rounds[STRUCK_ROUND] if len(rounds) > STRUCK_ROUND else []
        if not struck:
            return "not ended"
        return "no spin, then settled" if struck[0] == "no spin" and struck[-1] == "settled" else struck[-1]


def _mishaps(game: StagedGame) -> dict[tuple[str, str], Mishap]:
    """What may befall a game's devices besides their wires."""
    return getattr(game, "mishaps", {})


def cells(game: str, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """Device, fault and state of every cell of a game in one of its forms, whatever the seed."""
    known = STAGED[game]()
    rows = [(device, fault) for device in known.places for fault in FAULTS]
    for device, fault in [*rows, (CONTROLLER, KILLED)]:
        for state in known.states:
            yield device, fault, state
    for (device, fault), mishap in _mishaps(known).items():
        for state in mishap.states or known.states:
            if state in known.states:
                yield device, fault, state


def matrix(
    game: str,
    seed: int = 1,
    after: float = 0.0,
    wanted: Callable[[str, str, str], bool] = lambda device, fault, state: True,
    done: Callable[[Cell], object] = lambda cell: None,
) -> list[Cell]:
    """Play the cells of a game."""
    played = []
    with tempfile.TemporaryDirectory(prefix="tablectl-faults-") as scratch:
        for device, fault, state in cells(game):
            if wanted(device, fault, state):
                cell = Trial(game, device, fault, state, seed, after, Path(scratch)).play()
                played.append(cell)
                done(cell)
    return played


LEGEND = (
    "S settled   N no spin, then settled   R every wager handed back   "
    "* suspended meanwhile, with cause and remedy   !! wrong"
)


def as_text(played: list[Cell]) -> str:
    """The matrix as a table, states across, and every problem below it."""
    lines = []
    for game in dict.fromkeys(cell.game for cell in played):
        mine = [cell for cell in played if cell.game == game]
        states = list(dict.fromkeys(cell.state for cell in mine))
        rows = dict.fromkeys((cell.device, cell.fault) for cell in mine)
        head = max(len(f"{device} {fault}") for device, fault in rows)
        lines += [f"{game}", " " * head + "  " + "  ".join(states)]
        at = {(cell.device, cell.fault, cell.state): cell for cell in mine}
        for device, fault in rows:
            marks = (at[device, fault, state].mark if (device, fault, state) in at else "" for state in states)
            row = "  ".join(mark.ljust(len(state)) for mark, state in zip(marks, states, strict=True))
            lines.append(f"{device} {fault}".ljust(head) + "  " + row.rstrip())
        lines.append(LEGEND)
    for cell in played:
        lines += [f"{cell.game}: {cell.device} {cell.fault} in {cell.state}: {problem}" for problem in cell.problems]
    return "\n".join(lines)
