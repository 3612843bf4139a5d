"""Changes of game and commission as a screen enters them, field by field."""

from __future__ import annotations

import pytest

from tests.controller.games.poker.play import PokerPlay

BOOK = "melbourne-poker"


@pytest.mark.clause(BOOK, "6.10")
def test_another_game_structure_and_blinds_are_entered_field_by_field() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("change_game", 3, game="omaha_hilo", structure="fixed", levels="10 10 20 20", blinds="5, 10",
               buy_in=20_000)  # fmt: skip
    coming = play.game.state.coming
    assert coming is not None
    assert coming.terms.game.name == "Omaha Hi-Lo Eight Qualifier"
    assert coming.terms.structure.kind == "fixed"
    assert coming.terms.structure.levels == (1_000, 1_000, 2_000, 2_000)
    assert coming.terms.blinds == (500, 1_000)
    assert coming.terms.minimum_buy_in == 20_000


@pytest.mark.clause(BOOK, "6.10")
def test_leaving_fixed_limit_leaves_its_levels_behind() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    for entered in ({"structure": "fixed", "levels": "$10/$10/$20/$20"}, {"structure": "pot_limit"}):
        play.press("change_game", 3, **entered)
        play.press("agree", seat=1)
        play.press("agree", seat=2)
        play.start()
        while play.phase == "bet1":
            play.fold(play.wanted().seats[0])
        play.finish()
    assert play.game.state.terms.structure.kind == "pot"
    assert play.game.state.terms.structure.levels == ()


@pytest.mark.clause(BOOK, "6.10", "6.4")
@pytest.mark.parametrize(
    ("entered", "code", "clause"),
    [
        ({}, "bad_argument", "6.10"),
        ({"blinds": "five ten"}, "bad_argument", "6.10"),
        ({"blinds": "2.50 5"}, "not_allowed", "6.4"),
        ({"structure": "spread"}, "not_allowed", "1.1 'Spread Limit'"),
        ({"game": "stud"}, "bad_argument", "6.10"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_clause(entered: dict[str, str], code: str, clause: str) -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    refusal = play.refused("change_game", 3, **entered)
    assert (refusal.code, refusal.clauses) == (code, (clause,))


@pytest.mark.clause(BOOK, "7.2.1", "7.2.3(b)", "7.3")
def test_the_commission_is_entered_field_by_field() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.press("change_commission", 3, method="percentage", percent=10, cap=1_500)
    assert play.game.state.terms.commission.cap == 1_500
    play.press("change_commission", 3, method="per_hand", fees="2:3 6:5.50")
    assert play.game.state.terms.commission.fees == {2: 300, 6: 550}
    assert play.refused("change_commission", 3).code == "bad_argument"
    assert play.refused("change_commission", 3, method="per_hand", fees="3 dollars").clauses == ("7.2.3(b)",)
    assert play.refused("change_commission", 3, method="percentage", percent=11).clauses == ("7.2.1",)


@pytest.mark.clause(BOOK, "9.1.1(c)")
def test_what_the_antennas_did_not_see_may_be_confirmed_from_the_screen() -> None:
    keys = PokerPlay().game.keys
    assert all("confirmed" in keys[name].args for name in ("cut", "done", "pushed"))
