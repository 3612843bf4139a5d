"""The table that a case is played at: wired, started, heard out, restarted and judged, whatever is played there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from controller.config.types import TableConfig
from controller.core.effects import Refused
from controller.core.runtime import Runtime
from controller.devices import inline
from controller.money.dress import ChipRegister
from drivers.device import Device
from firmware_specs.clock import DeadlineMissed, Deadlock
from lab.scenarios.about import plan_faults
from lab.scenarios.file import Case
from lab.scenarios.outcome import Listener, Outcome
from lab.scenarios.stage import Stage
from lab.sim.screen import DealerScreen
from lab.sim.table import sign_that_shows
from simulators.card_mouth import CannotDraw
from simulators.people.chips import Felt

STEP_S = 120.0
"""What has not come about by then never will."""


class CaseTable:
    """One case, wired and ready; a game says what happens at it and what must come of it."""

    def __init__(
        self, case: Case, config: TableConfig, folder: Path, stage: Stage, register: type[ChipRegister] = ChipRegister
    ) -> None:
        self.case, self.config, self.stage, self.clock = case, config, stage, stage.clock
        self._journal = folder / "case.sqlite"
        bank = stage.bank()
        self.register = register(bank.register)
        self.devices, runtime = stage.wired(config, self._journal, bank, self.register)
        self.felt = Felt(self.devices.mat, bank)
        self.listener = Listener(case.id)
        self.join(runtime)

    def join(self, runtime: Runtime) -> None:
        """Watch and use this controller from now on."""
        self.runtime = runtime
        runtime.watchers.append(self.listener.watch)
        sign_that_shows(runtime, self.clock)
        self.screen = DealerScreen(runtime, self.config)

    # -- for a game to say -------------------------------------------------------------------------------------

    def course(self) -> None:
        """What happens once the table is open."""
        raise NotImplementedError

    def judge(self) -> None:
        """Hold what came of it against what the case expects."""
        raise NotImplementedError

    # -- from beginning to end ---------------------------------------------------------------------------------

    def play(self) -> Outcome:
        """Everything, from switching on to the judgement."""
        plan_faults(self.devices, self.case.body.get("faults") or [], self.case.where)
        self.devices.start()
        self.runtime.start("scenario", self.config, inline(self.runtime))
        self.stage.begun(self.runtime)
        outcome = self.listener.outcome
        try:
            self.open()
            self.course()
        except (Deadlock, DeadlineMissed, CannotDraw) as stuck:
            state = f"table {self.screen.life()}, round {self.screen.state()}"
            outcome.wrong(f"it did not go on: {stuck} ({state})")
        self.judge()
        for _, where, no in self.refused():
            outcome.wrong(f"{where}: refused ({no.code}): {no.text}")
        for fault in self.devices.not_struck():
            outcome.wrong(f"the fault {fault.plain()} never came about")
        self.stage.played(outcome)
        self.runtime.stop()
        self.devices.stop()
        return outcome

    def open(self) -> None:
        """Somebody opens the table once its devices are there."""
        self.until(lambda: not self.runtime.table.state.faults)
        self.screen.press("open", 1)
        self.until(lambda: self.screen.life() == "open")

    def restart(self) -> None:
        """The controller is stopped and started again on the same journal; devices and people stay as they are."""
        self.runtime.stop()
        self.join(self.stage.joined(self.config, self._journal, self.devices, self.register))
        self.runtime.start("scenario", self.config, inline(self.runtime))

    # -- time --------------------------------------------------------------------------------------------------

    def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until this is so."""
        self.clock.run_until(condition, STEP_S)

    def wait(self, seconds: float) -> None:
        """Let so much time pass, and whatever devices have to say arrive."""
        self.clock.run_for(seconds)
        self.until(self.told_all)

    def told_all(self) -> bool:
        """Whether the table has heard everything that devices on a whole line had to say."""
        for place, link in self.devices.links().items():
            driver = self.runtime.drivers[place]
            if self.speaks(place) and link.held != (driver.quiet if isinstance(driver, Device) else 0):
                return False
        return True

    def speaks(self, place: str) -> bool:
        """Whether what the device at this place holds is still to be heard now."""
        return place not in self.unplugged

    pressed: tuple[tuple[str, str, int], ...] = ()
    """Keys that the case has pressed: where it says so, which, and how many refusals there were before."""
    expected: frozenset[int] = frozenset()
    """Those of them whose refusal it expects."""
    unplugged: frozenset[str] = frozenset()
    """Devices that cannot say anything now."""

    # -- hands -------------------------------------------------------------------------------------------------

    def wrong(self, text: str) -> None:
        """Something is not as the case has it."""
        self.listener.outcome.wrong(text)

    def press(self, key: str, args: dict[str, Any], rank: int) -> None:
        """Somebody presses a key."""
        self.screen.press(key, rank, args)

    def press_told(self, where: str, key: str, args: dict[str, Any], rank: int) -> None:
        """Somebody presses what the case tells; refused, it fails the case unless the refusal is expected."""
        self.pressed = (*self.pressed, (where, key, len(self.listener.refusals)))
        self.press(key, args, rank)

    def expect_refused(self, codes: Iterable[str]) -> None:
        """The case expects these refusals."""
        self.expected = self.expected | {number for number, _, no in self.refused() if no.code in codes}

    def refused(self) -> Iterator[tuple[int, str, Refused]]:
        """Each key of the case that was refused, by its number, with its place and why; what is expected is not."""
        ends = [first for _, _, first in self.pressed[1:]] + [len(self.listener.refusals)]
        for number, ((where, key, first), end) in enumerate(zip(self.pressed, ends, strict=False)):
            no = next((no for no in self.listener.refusals[first:end] if no.what == key), None)
            if no is not None and number not in self.expected:
                yield number, where, no
