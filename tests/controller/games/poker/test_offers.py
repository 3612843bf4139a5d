"""What a poker table is told of its game, stakes and charges, and what of it stands on the sign."""

from __future__ import annotations

from typing import Any

import pytest

from controller.config.checks import problems
from controller.config.tomlread import Cents, ConfigError
from controller.games.poker.config import BonusSection, RakeSection
from controller.games.poker.offers import prizes_of, terms_of
from tests.controller.games.poker.play import PokerPlay, told

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


RAKE = RakeSection("percentage", 5, Cents(1_000), Cents(200))
NO_RAKE = {
    "method": "none", "percent": 0, "cap": 0, "minimum": 0, "fee": 0, "fees": {}, "stand_alone": False,
    "least_percent": 2, "most_percent": 10,
}  # fmt: skip


@clause("6.1.1", "7.2.2(c)", "8.9.1", "6.15.2", "7.1")
def test_the_sign_shows_what_the_house_chose_to_the_cent_and_nothing_it_does_not_offer() -> None:
    plain = PokerPlay(told()).game.sign()
    assert plain == {
        "game": "Holdem",
        "structure": "no limit",
        "blinds": [500, 1_000],
        "least_buy_in": 10_000,
        "levels": [],
        "highest_bet": 0,
        "commission": NO_RAKE,
        "time_to_act_s": 0,
        "extensions": 0,
        "extension_s": 0,
        "extension_fee": 0,
        "straddle": False,
        "flop_chase": 0,
        "terms": {
            "Smallest buy-in": "$100",
            "Blinds": "$5, $10",
            "Betting": "No limit",
            "Commission": "None",
        },
        "change": None,
    }
    rich = PokerPlay(
        told(
            structure="spread", most=Cents(5_000), rake=RAKE, straddle=True, side_wagers=True, time_to_act_s=30,
            extensions=2, extension_s=60, extension_fee=Cents(500),
        )
    ).game.sign()  # fmt: skip
    assert rich == {
        **plain,
        "structure": "spread",
        "highest_bet": 5_000,
        "commission": {**NO_RAKE, "method": "percentage", "percent": 5, "cap": 1_000, "minimum": 200},
        "time_to_act_s": 30,
        "extensions": 2,
        "extension_s": 60,
        "extension_fee": 500,
        "straddle": True,
        "flop_chase": 7,
        "terms": {
            "Smallest buy-in": "$100",
            "Blinds": "$5, $10",
            "Betting": "Spread limit $10 to $50",
            "Commission": "5%, $2 to $10 a hand",
            "Time to act": "30 s",
            "More time": "60 s for $5, up to 2 times a hand",
            "Straddle": "twice the large blind",
            "Flop Chase": "7 to 1",
        },
    }


@clause("6.1.1", "7.2.2(c)")
@pytest.mark.parametrize(
    ("rake", "shown", "words"),
    [
        (
            RakeSection("time", fee=Cents(1_200)),
            {"method": "time", "fee": 1_200},
            "$12 an hour for each player",
        ),
        (
            RakeSection("per_person", fee=Cents(100)),
            {"method": "per_person", "fee": 100},
            "$1 a hand for each player",
        ),
        (
            RakeSection("per_hand", fees={"6": Cents(500), "2": Cents(300)}, stand_alone=True),
            {"method": "per_hand", "fees": {2: 300, 6: 500}, "stand_alone": True},
            "$3 a hand from 2 players, $5 a hand from 6 players",
        ),
    ],
)
def test_the_sign_shows_the_charge_of_each_method(rake: RakeSection, shown: dict[str, Any], words: str) -> None:
    sign = PokerPlay(told(rake=rake)).game.sign()
    assert sign["commission"] == {**NO_RAKE, **shown}
    assert sign["terms"]["Commission"] == words


@clause("6.1.1", "1.1 'Structured limit'")
@pytest.mark.parametrize(
    ("structure", "words"), [("fixed", "Fixed limit $5, $5, $10, $10"), ("pot_limit", "Pot limit")]
)
def test_the_sign_shows_the_limits_of_each_kind_of_betting(structure: str, words: str) -> None:
    levels = tuple(Cents(level) for level in (500, 500, 1_000, 1_000)) if structure == "fixed" else ()
    assert PokerPlay(told(structure=structure, levels=levels)).game.sign()["terms"]["Betting"] == words


@clause("6.1.1")
@pytest.mark.parametrize(
    ("least", "fine"), [(None, False), (Cents(0), False), (Cents(-1), False), (Cents(1), True), (Cents(100), True)]
)
def test_a_table_without_a_smallest_buy_in_has_no_sign_to_open_with(least: Cents | None, fine: bool) -> None:
    found = [problem.what for problem in problems(told(least_buy_in=least))]
    assert [what.endswith("(6.1.1)") for what in found] == ([] if fine else [True])
    assert terms_of(told(least_buy_in=least)).minimum_buy_in == (least or 0)


@clause("6.1.1", "7.2.3(b)")
def test_a_fee_for_what_is_no_number_of_players_is_told_and_the_other_rows_are_still_read() -> None:
    wrong = told(rake=RakeSection("per_hand", fees={"two": Cents(200), "6": Cents(500)}))
    assert [problem.what for problem in problems(wrong)] == ["'two' is no number of players (7.2.3(b))"]
    assert terms_of(wrong).commission.fees == {6: 500}


@clause("11.1", "11.3", "11.3.1", "11.3.2")
def test_a_prize_has_its_kind_its_hand_and_its_amount_and_a_hand_nobody_can_hold_is_refused() -> None:
    cash = BonusSection("the jackpot", "four of a kind", amount=Cents(50_000))
    car = BonusSection("the car", "royal flush", "goods")
    found = prizes_of(told(bonus=(cash, car)))
    assert [(prize.name, prize.kind, prize.amount) for prize in found] == [
        ("the jackpot", "cash", 50_000),
        ("the car", "goods", 0),
    ]
    assert 0 < found[0].at_least < found[1].at_least
    with pytest.raises(ConfigError, match=r"bonus 'the boat': no hand 'five of a kind' \(11\.2\)"):
        prizes_of(told(bonus=(cash, BonusSection("the boat", "five of a kind"))))
