"""What one chip costs as more and more chips lie on the mat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.core.guarded import GuardedTable
from lab.measurements.measure import Line, cpu_time, exponent, line, median
from lab.sim.config import default_config

LINEAR = 1.05


def run(quick: bool) -> Iterator[Line]:
    """An event of one chip put down and taken up, against the chips that lie there."""
    sizes = [100, 400, 1_600] if quick else [100, 400, 1_600, 6_400]
    costs = in_turns(sizes, 3, lambda size: one_chip(size, 400 if quick else 1_000))
    yield fitted("growth_tags", sizes, costs, LINEAR, "linear at most", "ms of one core an event")


def in_turns(sizes: Sequence[int], turns: int, cost: Callable[[int], float]) -> list[float]:
    """Milliseconds at each size; the sizes take turns, so that a machine disturbed for a while disturbs all of them."""
    measured = [[1000 * cost(size) for size in sizes] for _ in range(turns)]
    return [median(column) for column in zip(*measured, strict=True)]


def fitted(bench: str, sizes: Sequence[int], costs: Sequence[float], most: float, goal: str, unit: str) -> Line:
    """The exponent of cost over size, held against the most it may be."""
    power = exponent(sizes, costs)
    cost = {str(size): round(cost, 4) for size, cost in zip(sizes, costs, strict=True)}
    return line(bench, round(power, 3), "exponent", goal, power <= most, cost=cost, cost_unit=unit)


def one_chip(lying: int, events: int) -> float:
    """Seconds for one event with so many chips on the layout."""
    guarded = GuardedTable(default_config("wheel"))
    chips = tuple(Chip(tag, "cash", 500) for tag in range(1, lying + 1))
    guarded.apply(0, ChipsCounted("chips", {1: chips}))
    extra = Chip(10**6, "cash", 500)
    begin = cpu_time()
    for number in range(events // 2):
        guarded.apply(number, ChipsMoved("chips", 2, (extra,), ()))
        guarded.apply(number, ChipsMoved("chips", 2, (), (extra.tag,)))
        guarded.snapshot()
    return (cpu_time() - begin) / events
