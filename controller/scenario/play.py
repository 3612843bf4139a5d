"""Plays a case with the players of its game."""

from __future__ import annotations

from controller.scenario.file import Case
from controller.scenario.outcome import Outcome
from controller.scenario.war import play_war
from controller.scenario.wheel import play_wheel


def play_case(case: Case) -> Outcome:
    """The whole stack under the virtual clock, as the case says; ScenarioError when the case itself is wrong."""
    match case.game:
        case "wheel":
            return play_wheel(case)
        case "war":
            return play_war(case)
        case game:
            raise case.wrong("rulebook", f"this version plays no scenarios of {game} yet")
