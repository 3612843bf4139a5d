"""Every written case of Casino War, by the rules alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from war_play import Played

CASES = json.loads((Path(__file__).parents[1] / "scenarios" / "war.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_case_ends_as_the_house_says(case: dict[str, object]) -> None:
    assert Played(case).differences() == []
