"""Plays a case with the players of its game."""

from __future__ import annotations

from controller.scenario.file import Case
from controller.scenario.outcome import Outcome
from controller.scenario.poker import play_poker
from controller.scenario.stage import Stage
from controller.scenario.war import play_war
from controller.scenario.wheel import play_wheel


def play_case(case: Case, stage: Stage | None = None) -> Outcome:
    """The whole stack, under the virtual clock or on a rig, as the case says; ScenarioError when the case is wrong."""
    stage = stage or Stage()
    match case.game:
        case "wheel":
            return play_wheel(case, stage)
        case "war":
            return play_war(case, stage)
        case _:
            return play_poker(case, stage)
