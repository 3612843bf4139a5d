"""Terms of a poker table that its rulebook does not allow, and the example."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import controller
from controller.config.file import check_config, require_right
from controller.config.tomlread import Cents, ConfigError
from controller.games.poker.config import BonusSection, PokerSection, RakeSection
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


@pytest.mark.clause(BOOK, "11.1", "11.2")
@pytest.mark.parametrize(
    ("hand", "remedy"),
    [
        ("royal flash", "did you mean 'royal flush'?"),
        ("Four of a kind", "did you mean 'four of a kind'?"),
        ("the moon", "known here: no pair, one pair, two pair, three of a kind, straight, flush, full house, "
         "four of a kind, straight flush, royal flush"),
    ],
)  # fmt: skip
def test_a_prize_for_a_hand_that_does_not_exist_is_refused_with_the_nearest(hand: str, remedy: str) -> None:
    base = default_config("poker")
    prizes = (BonusSection("the car", "royal flush", "goods"), BonusSection("the jackpot", hand))
    wrong = msgspec.structs.replace(base, play=msgspec.structs.replace(base.own(PokerSection), bonus=prizes))
    with pytest.raises(ConfigError) as refused:
        require_right(wrong, "table.toml")
    assert str(refused.value) == (
        f"table.toml: poker.bonus.1.hand: bonus 'the jackpot': there is no hand '{hand}' (11.2); {remedy}"
    )


def test_the_line_of_a_prize_for_no_hand_is_told(tmp_path: Path) -> None:
    example = (Path(controller.__file__).parent / "examples" / "poker.toml").read_text("utf-8")
    file = tmp_path / "poker.toml"
    file.write_text(example.replace('"royal flush"', '"royal flash"'), "utf-8")
    line = next(number for number, text in enumerate(file.read_text("utf-8").split("\n"), 1) if "royal flash" in text)
    with pytest.raises(ConfigError, match=rf"poker\.toml:{line}: .*did you mean 'royal flush'\?"):
        check_config(file)


def test_the_games_of_a_configuration_are_those_of_the_rulebook() -> None:
    assert {game.name for game in poker_rules(BOOK).games} == set(GAMES.values())
    assert PokerSection().game in GAMES


def test_the_example_of_a_poker_table_is_right() -> None:
    found = check_config(Path(controller.__file__).parent / "examples" / "poker.toml")
    assert found.own(PokerSection).bonus[0].hand == "royal flush"
    assert found.own(PokerSection).blinds == (500, 1_000)
