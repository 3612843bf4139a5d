"""What one chip costs as more and more chips lie on the mat."""

from __future__ import annotations

from collections.abc import Iterator

from controller.benchmarks.measure import Line, cpu_time, exponent, line, median
from controller.config.file import default_config
from controller.events import Chip, ChipsCounted, ChipsMoved
from controller.steady import SteadyTable

LINEAR = 1.05


def run(quick: bool) -> Iterator[Line]:
    """An event of one chip put down and taken up, against the chips that lie there."""
    sizes = [100, 400, 1_600] if quick else [100, 400, 1_600, 6_400]
    events = 400 if quick else 1_000
    costs = [1000 * median([one_chip(size, events) for _ in range(3)]) for size in sizes]
    power = exponent(sizes, costs)
    yield line(
        "growth_tags", round(power, 3), "exponent", "linear at most", power <= LINEAR,
        cost={str(size): round(cost, 4) for size, cost in zip(sizes, costs, strict=True)},
        cost_unit="ms of one core an event",
    )  # fmt: skip


def one_chip(lying: int, events: int) -> float:
    """Seconds for one event with so many chips on the layout."""
    steady = SteadyTable(default_config("wheel"))
    chips = tuple(Chip(tag, "cash", 500) for tag in range(1, lying + 1))
    steady.apply(0, ChipsCounted("chips", {1: chips}))
    extra = Chip(10**6, "cash", 500)
    begin = cpu_time()
    for number in range(events // 2):
        steady.apply(number, ChipsMoved("chips", 2, (extra,), ()))
        steady.apply(number, ChipsMoved("chips", 2, (), (extra.tag,)))
        steady.snapshot()
    return (cpu_time() - begin) / events
