"""Terms made to fit."""

from __future__ import annotations

import pytest

from controller.tournament.checks import terms_of
from lab.hall.terms import terms_for


@pytest.mark.parametrize("game", ["war", "wheel", "poker"])
@pytest.mark.parametrize(("tables", "entrants"), [(1, 2), (3, 18), (8, 60), (34, 300)])
def test_terms_made_to_fit_are_lawful(game, tables, entrants) -> None:
    terms = terms_of(terms_for(game, tables, entrants))
    assert len(terms.sessions[0].tables) == tables
    assert terms.tournament.most >= entrants
