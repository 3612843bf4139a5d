"""Terms of a poker table that its rulebook does not allow, and the example."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import controller
from controller.config.file import check_config, require_right
from controller.config.tomlread import Cents, ConfigError
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.poker.offers import GAMES, poker_rules
from lab.sim.config import default_config
from tests.controller.games.poker.seen import BOOK

# -- configuration -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "seats", "clause"),
    [
        ({"game": "omaha"}, 11, "4.1 Omaha"),
        ({"game": "holdem"}, 12, "4.1 Holdem"),
        ({"blinds": (Cents(250), Cents(250))}, 9, "6.4"),
        ({"blinds": ()}, 9, "8.9.1"),
        ({"structure": "fixed", "levels": (Cents(500),)}, 9, "1.1 'Structured limit'"),
        ({"rake": RakeSection("percentage", 11, Cents(500))}, 9, "7.2.1"),
        ({"rake": RakeSection("percentage", 5)}, 9, "7.1"),
        ({"least_buy_in": None}, 9, "6.1.1"),
        ({"over_blinds": True}, 9, "8.9.4"),
    ],
)
def test_terms_the_rulebook_does_not_allow_are_refused_with_their_clause(
    section: dict[str, object], seats: int, clause: str
) -> None:
    base = default_config("poker")
    poker = msgspec.structs.replace(base.own(PokerSection), **section)
    wrong = msgspec.structs.replace(base, play=poker, seats=msgspec.structs.replace(base.seats, count=seats))
    with pytest.raises(ConfigError) as refused:
        require_right(wrong, "table.toml")
    assert f"({clause})" in str(refused.value)


def test_the_games_of_a_configuration_are_those_of_the_rulebook() -> None:
    assert {game.name for game in poker_rules(BOOK).games} == set(GAMES.values())
    assert PokerSection().game in GAMES


def test_the_example_of_a_poker_table_is_right() -> None:
    found = check_config(Path(controller.__file__).parent / "examples" / "poker.toml")
    assert found.own(PokerSection).bonus[0].hand == "royal flush"
    assert found.own(PokerSection).blinds == (500, 1_000)
