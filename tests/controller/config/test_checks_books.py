"""How the house keeps its books, as a table is told."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.checks import check_books
from controller.config.types import BooksSection
from lab.sim.config import default_config


def problems(**books: object) -> list[str]:
    section = msgspec.convert(books, BooksSection)
    config = msgspec.structs.replace(default_config("wheel"), books=section)
    return [problem.what for problem in check_books(config)]


def test_a_zone_that_nobody_knows_is_told_before_the_table_opens() -> None:
    assert problems(zone="Australia/Melbourne") == []
    assert "no time zone" in problems(zone="Melbourne")[0]
    assert "no time zone" in problems(zone="../../etc/passwd")[0]


def test_shifts_follow_one_another_from_the_beginning_of_the_day() -> None:
    assert problems(day_starts="06:00", shifts=["06:00", "14:00", "22:00"]) == []
    assert problems(day_starts="20:00", shifts=["20:00", "02:00"]) == []
    assert "do not follow" in problems(day_starts="06:00", shifts=["14:00", "06:00"])[0]
    assert "do not follow" in problems(day_starts="06:00", shifts=["06:00", "06:00"])[0]


@pytest.mark.parametrize("wrong", [{"day_starts": "6"}, {"day_starts": "24:00"}, {"slips": ["fil"]}, {"shifts": ["x"]}])
def test_what_is_no_time_and_no_booking_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, BooksSection)
