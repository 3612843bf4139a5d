"""Terms that the rulebook allows, and what each game deals, keeps and needs."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games.poker.commission import Commission
from controller.games.poker.rules import terms_faults
from tests.controller.games.poker.dealer import RULES, terms
from tests.controller.games.poker.seen import clause

# -- the terms --------------------------------------------------------------------------------------------------------


@clause(*(game.seats_clause for game in RULES.games), "8.9.4")
def test_terms_that_the_rulebook_does_not_allow_are_named_with_their_clauses() -> None:
    def wrong(seats: int = 6, game: str = "Holdem", **more: Any) -> list[str]:
        made = terms(game)
        return [named for named, _ in terms_faults(msgspec.structs.replace(made, **more), RULES, seats)]

    for game in RULES.games:
        for seats, fine in ((1, False), (2, True), (game.seats, True), (game.seats + 1, False)):
            assert wrong(seats, game.name) == ([] if fine else [game.seats_clause])
    assert [game.seats for game in RULES.games] == [11, 11, 11, 11, 11, 10, 10]
    assert wrong(blinds=()) == ["8.9.1"]
    assert wrong(commission=Commission("time")) == ["7.2.2(b)"]
    assert wrong(over_blinds=True) == ["8.9.4"]
    assert wrong(over_blinds=True, straddle=True) == wrong(straddle=True) == []
    assert wrong(side_odds=8) == ["10.2.2 Red"]
    made = terms("Holdem")
    assert wrong(structure=msgspec.structs.replace(made.structure, raises=4)) == ["6.9"]
    assert wrong(commission=Commission(least_percent=1)) == wrong(commission=Commission(most_percent=11)) == ["7.2.1"]
    assert (
        wrong(extensions=1)
        == wrong(extensions=1, time_to_act_s=30)
        == wrong(extensions=1, extension_s=30)
        == ["6.15.2"]
    )
    assert wrong(extensions=1, time_to_act_s=30, extension_s=30) == []
    other = msgspec.structs.replace(made, game=msgspec.structs.replace(made.game, name="Snap"))
    assert [named for named, _ in terms_faults(other, RULES, 6)] == ["4.1 Holdem"]


@clause("8.16.1(a)", "8.16.1(b)", "8.16.1(c)")
def test_each_game_deals_keeps_and_needs_its_number_of_cards() -> None:
    found = {game.name: (game.hole, game.kept, game.cards_needed, game.deal_clause) for game in RULES.games}
    assert found == {
        "Holdem": (2, 2, 30, "8.16.1(a)"),
        "Pineapple Holdem": (3, 2, 41, "8.16.1(b)"),
        "Crazy Pineapple Holdem": (3, 2, 41, "8.16.1(b)"),
        "Crazy Pineapple Holdem Hi-Lo Eight Qualifier": (3, 2, 41, "8.16.1(b)"),
        "Holdem Hi-Lo Eight Qualifier": (2, 2, 30, "8.16.1(a)"),
        "Omaha": (4, 4, 48, "8.16.1(c)"),
        "Omaha Hi-Lo Eight Qualifier": (4, 4, 48, "8.16.1(c)"),
    }
