"""What is known of the machine's clock stands in the journal, and leads from a round to Surveillance's recording."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.core.events import ClockCompared
from controller.journal.file import JournalFile
from controller.journal.rounds import last_rounds
from controller.journal.row import read
from controller.pi import trusted_clock
from controller.pi.trusted_clock import AGAIN_S, EVERY_S, Reading, TrustedClock, compared, impossible
from firmware_specs.clock import FIRST_MORNING_MS, VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable

GOOD = Reading(True, 12_400, 3_001)


def test_this_machines_kernel_answers() -> None:
    found = trusted_clock.kernel()
    assert found is None or found.error_us >= 0


def test_a_reading_is_kept_in_whole_milliseconds_and_never_better_than_it_is() -> None:
    assert compared(GOOD) == ClockCompared(True, 12, 4)


@pytest.mark.parametrize("reading", [None, Reading(False, 12, 3)])
def test_a_clock_that_follows_nothing_is_said_to(reading: Reading | None) -> None:
    assert compared(reading) == ClockCompared(False)


def test_it_is_told_at_the_start_and_when_it_changes() -> None:
    said: list[ClockCompared] = []
    readings = iter([GOOD, GOOD._replace(offset_us=20_000), Reading(False, 0, 0), GOOD])
    clock = VirtualClock(FIRST_MORNING_MS)
    watch = TrustedClock(clock, said.append, lambda: next(readings))
    watch.start()
    clock.run_for(3.5 * EVERY_S)
    watch.stop()
    assert said == [compared(GOOD), ClockCompared(False), compared(GOOD)]
    clock.run_for(3 * EVERY_S)
    assert len(said) == 3


@pytest.mark.parametrize(
    ("now", "past", "said"),
    [
        (12_000, 0, "shows 1970-01-01"),
        (FIRST_MORNING_MS, FIRST_MORNING_MS + 3_600_000, "is behind the events of "),
        (FIRST_MORNING_MS, FIRST_MORNING_MS + 30_000, ""),
        (FIRST_MORNING_MS, 0, ""),
    ],
)
def test_a_clock_that_cannot_be_right_is_known(now: int, past: int, said: str) -> None:
    found = impossible(now, past)
    assert found.startswith(said)
    assert bool(found) == bool(said)


def test_a_clock_in_1970_is_told_once_and_again_when_somebody_has_set_it() -> None:
    said: list[ClockCompared] = []
    clock = VirtualClock(1000)
    watch = TrustedClock(clock, said.append, lambda: None)
    watch.start()
    clock.run_for(5 * AGAIN_S)
    assert said == [ClockCompared(False, impossible="shows 1970-01-01")]
    clock._epoch_ms += FIRST_MORNING_MS
    clock.run_for(AGAIN_S)
    watch.stop()
    assert said[1:] == [ClockCompared(False)]


@pytest.mark.parametrize("rounds", [3, 60])
def test_a_round_leads_to_the_moment_on_surveillances_clock(tmp_path: Path, rounds: int) -> None:
    """Also when the start and the comparison lie before all that is read of the journal."""
    plain = default_config("wheel")
    books = msgspec.structs.replace(plain.books, surveillance_ahead_s=2.5)
    config = msgspec.structs.replace(plain, books=books)
    path, clock = tmp_path / "t.sqlite", VirtualClock()
    table = SimulatedTable(config, path, clock, 3, alone=True)
    table.start()
    table.runtime.submit(ClockCompared(True, 12, 4))
    clock.run_until(lambda: table.shift.rounds >= rounds, 60 * 60.0)
    table.stop()
    file = JournalFile.read_only(path)
    (found,) = last_rounds(file, 1, lambda f, a, b: ((row.seq, row.at, read(row, f.path)) for row in f.rows(a, b)))
    assert found.true_at == found.at - 12
    assert found.surveillance_at == found.at - 12 + 2_500
    assert "within 4 ms; Surveillance's clock showed" in found.as_text()
    assert found.rulebook.startswith("version 4.0, ")
