"""A tournament as the lab plays it: several tables under one clock, a floor, and a hall."""

from __future__ import annotations

from lab.scenarios.file import Case
from lab.scenarios.outcome import Outcome
from lab.scenarios.played import Played
from lab.scenarios.stage import Stage


class PlayedTournament(Played):
    """Events, from their terms to their prizes."""

    def case(self, case: Case, stage: Stage) -> Outcome:
        from lab.scenarios.tournament.play import play_event
        from lab.scenarios.tournament.worked.play import is_worked, play_worked

        if is_worked(case.body):
            return play_worked(case)
        return play_event(case)


PLAYED = PlayedTournament()
