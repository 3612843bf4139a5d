"""Plays a case with the players of its game."""

from __future__ import annotations

from lab.scenarios.file import Case
from lab.scenarios.outcome import Outcome
from lab.scenarios.played import find
from lab.scenarios.stage import Stage


def play_case(case: Case, stage: Stage | None = None) -> Outcome:
    """The whole stack, under the virtual clock or on a rig, as the case says; ScenarioError when the case is wrong."""
    return find("tournament" if "terms" in case.body else case.game).case(case, stage or Stage())
