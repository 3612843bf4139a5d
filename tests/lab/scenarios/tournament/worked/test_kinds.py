"""What a worked case may hold in each place: whatever else stands there is refused in words, before anything is played.

That a case is played at all is tried with whole tables, in tests/whole/scenarios.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tests.whole.scenarios
from controller.config.tomlread import ConfigError
from lab.scenarios.file import ScenarioError, case_of, read_cases
from lab.scenarios.outcome import Outcome
from lab.scenarios.tournament.worked import kinds
from lab.scenarios.tournament.worked.play import WorkedCase

CASES = read_cases(Path(tests.whole.scenarios.__file__).parent / "tournament-worked.json")
RUBBISH: tuple[Any, ...] = (
    "", "25:99", "dragon", "P0", -1, 10**30, 0.5, None, True, [], ["P1", "P1"], [[]], {}, {"P1": -1}, "\ud800",
)  # fmt: skip


@pytest.mark.parametrize("time", ["14:05", "00:00", "23:59:59"])
def test_a_time_of_the_day_is_one(time) -> None:
    assert kinds.TIME.read(time, "here") == time


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (kinds.TIME, "25:99", "'25:99' is no time of a day; write 14:05 or 14:05:30"),
        (kinds.TIME, "24:00", "is no time of a day"),
        (kinds.TIME, "1:05", "is no time of a day"),
        (kinds.TIME, "14:05:61", "is no time of a day"),
        (kinds.TIME, "１4:05", "is no time of a day"),
        (kinds.TIME, 1405, "is no time of a day"),
        (kinds.WHO, "DAP", "'DAP' is nobody and nothing here: an entrant, as P1, or one of TD, DEP"),
        (kinds.WHO, "deeler", "did you mean 'dealer'?"),
        (kinds.WHO, "P0", "is nobody and nothing here"),
        (kinds.DIRECTS, "AM", "'AM' is none of its words"),
        (kinds.TABLE, "CW1", "'CW1' is nobody and nothing here: a table, as CW-1"),
        (kinds.ENTRANTS, ["P1", "P1"], "'P1' stands there twice"),
        (kinds.BANKS, {"dragon": 1}, "'dragon' is nobody and nothing here: an entrant, as P1 or E1"),
        (kinds.MARKERS, {"P1": {"pas": 1}}, "did you mean 'pass'"),
        (kinds.FROM_TO, [20, 9], "the first and the last of them"),
        (kinds.CARD, "1S", "'1S' is none of its words"),
    ],
)
def test_what_is_none_of_its_kind_is_refused_with_what_may_stand_there(kind, value, said) -> None:
    with pytest.raises(ScenarioError) as wrong:
        kind.read(value, "here: field")
    assert str(wrong.value).startswith("here: field: ")
    assert said in str(wrong.value)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*path, key)
        yield from places(item, (*path, key))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_rubbish_in_any_place_of_a_case_is_taken_or_refused_in_words(case) -> None:
    for path in places(case.body):
        for rubbish in RUBBISH if path[0] not in ("id", "rulebook", "clauses") else ():
            body = copy.deepcopy(case.body)
            functools.reduce(operator.getitem, path[:-1], body)[path[-1]] = rubbish
            with contextlib.suppress(ConfigError):
                WorkedCase(case_of("here", 0, body, case.meta), Outcome("here"))
