"""Chips that are waited for: read again, found elsewhere, overdue, and known again after a restart."""

from __future__ import annotations

import pytest

from drivers.unread import GONE_MS, UNREAD_S, UnreadChips
from firmware_specs.clock import VirtualClock


class Waiting:
    """Chips that are waited for on a virtual clock."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.due = 0
        self.chips = UnreadChips(self.clock, self._due)

    def _due(self) -> None:
        self.due += 1


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


def test_a_chip_is_overdue_when_its_time_is_over_and_not_before(waiting: Waiting) -> None:
    waiting.chips.wait_for((1,), 3, 0)
    waiting.clock.run_for(UNREAD_S - 0.01)
    assert (waiting.due, waiting.chips.overdue()) == (0, [])
    waiting.clock.run_for(0.02)
    assert (waiting.due, waiting.chips.overdue()) == (1, [1])
    assert waiting.chips.let_go([1]) == {3: ((1,), GONE_MS + round(1000 * UNREAD_S) + 10)}
    assert len(waiting.chips) == 0


def test_one_that_is_read_again_where_it_lay_is_waited_for_no_longer(waiting: Waiting) -> None:
    waiting.chips.wait_for((1, 2), 3, 0)
    assert waiting.chips.read_again([1, 9], 3) == {1}
    assert waiting.chips.read_again([2], 4) == set()
    assert waiting.chips.on(3) == (2,)


def test_one_that_is_read_elsewhere_has_left_its_area(waiting: Waiting) -> None:
    waiting.chips.wait_for((1, 2), 3, 0)
    assert waiting.chips.found_elsewhere({1: 4, 2: 3, 9: 4}) == {3: [1]}
    assert 1 not in waiting.chips
    assert 2 in waiting.chips


def test_what_is_kept_is_known_again_where_the_picture_still_has_it(waiting: Waiting) -> None:
    waiting.chips.wait_for((0xA1, 0xB2), 3, 0)
    again = Waiting()
    again.chips.resume(waiting.chips.kept(), {3: {0xA1}})
    assert again.chips.on(3) == (0xA1,)
