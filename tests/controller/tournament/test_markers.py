"""What an entrant holds for a session, and what a round uses up of it."""

from __future__ import annotations

from controller.tournament.markers import Laid, Secret, held_by
from tests.controller.tournament.stated import terms


def test_everybody_holds_what_the_terms_say() -> None:
    assert held_by(terms("war")) == {"secret": 1, "all_in": 1, "pass": 2, "rebuy": 1}
    assert held_by(terms("wheel")) == {"secret": 1}
    assert held_by(terms("poker")) == {"secret": 0}


def test_what_lies_there_is_used_up_unless_it_was_lifted() -> None:
    laid = Laid(["P1"], {"P2": "main"}, {"P3": Secret(), "P4": Secret("tie", 100, True)})
    assert laid.used() == [("P1", "pass"), ("P2", "all_in"), ("P3", "secret"), ("P4", "secret")]
    assert laid.sealed() == ["P3"]
    for who in ("P1", "P2", "P3"):
        laid.lifted(who)
    assert laid.used() == [("P4", "secret")]
