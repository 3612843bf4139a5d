"""A compulsory wager rises with its round, and not before its sign has stood for its time."""

from __future__ import annotations

from controller.tournament.schedule import in_force, not_before
from controller.tournament.terms import Step

MINUTE = 60_000
DAY = "2026-11-28T14:00+11:00"
TWO = 1_795_834_800_000
STEPS = (Step(1, 500), Step(11, 1000), Step(15, 2000, "14:40"))


def test_a_rise_waits_for_its_round_its_sign_and_its_own_time() -> None:
    def force(scored: int, minute: int, shown: int = TWO) -> int:
        return in_force(STEPS, scored, TWO + minute * MINUTE, shown, 20, DAY)

    assert [force(10, 60), force(11, 12), force(12, 19), force(13, 20), force(15, 39), force(15, 40)] == [
        500, 500, 500, 1000, 1000, 2000,
    ]  # fmt: skip
    assert force(20, 60, shown=0) == 500


def test_a_stated_time_is_of_the_day_the_event_starts_on_or_has_its_own() -> None:
    assert not_before(STEPS[2], 0, 0, DAY) == TWO + 40 * MINUTE
    assert not_before(Step(2, 1, "2026-11-28T15:00+11:00"), 0, 0, DAY) == TWO + 60 * MINUTE
