"""How fast a whole simulated table plays: devices, wires, frames, drivers, journal and people on one core."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from firmware_specs.clock import VirtualClock
from lab.measurements.measure import Line, cpu_time, failed, line, median, scratch, skipped, stopwatch
from lab.sim.config import default_config
from lab.sim.table import ROUND_DEADLINE_S, SimulatedTable


class Play(NamedTuple):
    """A game to be played for its speed."""

    bench: str
    game: str
    option: int
    goal: float
    rulebook: str | None = None
    round_s: float | None = None
    """What a round counts as where people's own pace says little; the simulated time it took when not given."""


PLAYS = (
    *(Play(f"play_wheel_{option}", "wheel", option, 1_000) for option in (1, 2, 3, 4)),
    *(
        Play(f"play_{book.replace('-', '_')}", "war", 1, 10_000, book, 45.0)
        for book in ("melbourne-war", "perth-war", "star-war")
    ),
    Play("play_poker", "poker", 1, 10_000, None, 120.0),
)


class Played(NamedTuple):
    """A shift, in the table's seconds and in ours."""

    rounds: int
    simulated_s: float
    wall_s: float
    cpu_s: float
    actions: int
    events: int


class Shift:
    """A simulated table that is played on, some rounds at a time."""

    def __init__(self, config: TableConfig, journal: Path, seed: int = 1, durable: bool = False) -> None:
        self.clock = VirtualClock()
        self.table = SimulatedTable(config, journal, self.clock, seed, durable=durable, alone=not durable)
        self.table.start()

    def play(self, rounds: int) -> Played:
        """Play so many rounds more, and time them."""
        clock, shift = self.clock, self.table.shift
        last = shift.rounds + rounds
        since, actions, events = clock.now(), clock._sequence, shift.events
        wall, cpu = stopwatch(), cpu_time()
        clock.run_until(lambda: shift.rounds >= last, rounds * ROUND_DEADLINE_S)
        wall, cpu = stopwatch() - wall, cpu_time() - cpu
        return Played(rounds, clock.now() - since, wall, cpu, clock._sequence - actions, shift.events - events)

    def end(self) -> None:
        self.table.stop()


def empty_loop(actions: int, simulated_s: float) -> float:
    """Seconds of one core that the virtual clock needs for as many actions that do nothing."""
    clock = VirtualClock()
    every = simulated_s / actions
    left = actions

    def act() -> None:
        nonlocal left
        left -= 1
        clock.call_later(every, act)

    for _ in range(20):  # as many waiting at once as a table has
        clock.call_later(0.0, act)
    begin = cpu_time()
    clock.run_until(lambda: left <= 0, 2 * simulated_s + 1)
    return cpu_time() - begin


def run(quick: bool) -> Iterator[Line]:
    """Times real time for each game, with an empty virtual-time loop as the floor."""
    rounds, repeats = (30, 2) if quick else (50, 3)
    for play in PLAYS:
        try:
            yield _line(play, _played(play, rounds, repeats))
        except ConfigError as error:
            yield skipped(play.bench, str(error))
        except Exception as error:
            yield failed(play.bench, error)


def _played(play: Play, rounds: int, repeats: int) -> list[Played]:
    with scratch() as folder:
        shift = Shift(default_config(play.game, play.option, play.rulebook), folder / "table.sqlite")
        shift.play(5)  # opening, imports and caches are not play
        gc.collect()
        played = [shift.play(rounds) for _ in range(repeats)]
        shift.end()
    return played


def _line(play: Play, played: list[Played]) -> Line:
    played = [one._replace(simulated_s=one.rounds * play.round_s) if play.round_s else one for one in played]
    speed = median([one.simulated_s / one.cpu_s for one in played])
    empty = median([one.simulated_s / empty_loop(one.actions, one.simulated_s) for one in played])
    one = played[-1]
    return line(
        play.bench, round(speed), "x real time on one core", f"over {play.goal:,.0f} x", speed > play.goal,
        better="more", floor={"empty_loop_x": round(empty)}, ratio=empty / speed,
        x_as_shared_now=round(median([one.simulated_s / one.wall_s for one in played])),
        rounds_per_s=round(median([one.rounds / one.cpu_s for one in played]), 1),
        events_per_round=round(one.events / one.rounds, 1), actions_per_round=round(one.actions / one.rounds),
    )  # fmt: skip
