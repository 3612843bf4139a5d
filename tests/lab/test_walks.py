"""The walks in docs/walk.md are those that are gone today."""

from __future__ import annotations

import difflib
import subprocess
import sys

import pytest

from lab.walk import Step, Walk
from lab.walks import STORIES, Taken, _calls, followed, turning_points
from tests import ROOT


def test_the_page_tells_what_runs_now() -> None:
    tablectl = [sys.executable, "-c", "from controller.commands import main; main()"]
    now = subprocess.run([*tablectl, "walk"], cwd=ROOT, capture_output=True, check=True, text=True, timeout=120).stdout
    kept = (ROOT / "docs" / "walk.md").read_text("utf-8")
    changed = list(difflib.unified_diff(kept.splitlines(), now.splitlines(), "docs/walk.md", "today", lineterm=""))
    assert not changed, "run `tablectl walk --write docs/walk.md`:\n" + "\n".join(changed[:60])


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.game)
def test_every_event_is_followed_from_where_it_comes_in_until_its_conclusions_are_out(story: object) -> None:
    steps = followed(story)  # type: ignore[arg-type]
    assert steps
    for taken in steps:
        names = [step.function for step in taken.walk.steps]
        assert names.index("Runtime.submit") < names.index("Table.apply") < names.index("Runtime._release")


def test_what_people_look_up_before_they_press_is_no_part_of_the_walk() -> None:
    whole = Walk(
        (Step("a.py", "looked_up"), Step("a.py", "Runtime.command"), Step("b.py", "Runtime.submit", ("a.py",)))
    )
    assert [[step.function for step in call.steps] for call in _calls(whole)] == [
        ["looked_up"], ["Runtime.command", "Runtime.submit"],
    ]  # fmt: skip


def test_an_event_that_moves_nothing_is_told_the_first_time_only() -> None:
    (seen, *_) = followed(STORIES[0])
    quiet = Taken(seen.event, [], seen.walk)
    assert turning_points([quiet, quiet, seen]) == [quiet, seen]
