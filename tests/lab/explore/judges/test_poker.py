"""The judge of poker values hands by itself, and sees pots that go elsewhere."""

from __future__ import annotations

import random
from typing import Any

import pytest

from controller.core.effects import WagerResult
from controller.games.poker import evaluate, settle, showdown
from firmware_specs.cards import DECK
from lab.explore.campaign import played
from lab.explore.judges.poker import Wagered, best, lowest, pots, shares, value
from lab.explore.steps import Walk

FACES = [f"{face[0]}{face[1].lower()}" for face in DECK]


def test_kinds_of_hand_come_in_their_order() -> None:
    told = (
        "As Kd 9h 5c 2s", "As Ad 9h 5c 2s", "As Ad 9h 9c 2s", "As Ad Ah 5c 2s", "As 2d 3h 4c 5s", "2d 3d 4h 5c 6s",
        "As Ks 9s 5s 2s", "As Ad Ah 5c 5s", "As Ad Ah Ac 2s", "As 2s 3s 4s 5s", "As Ks Qs Js Ts",
    )  # fmt: skip
    values = [value(hand.split()) for hand in told]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_hands_and_lows_are_valued_as_pokerkit_values_them() -> None:
    kit = pytest.importorskip("pokerkit", reason="no PokerKit on this machine")
    draw = random.Random(7)
    for _ in range(150):
        cards = draw.sample(FACES, 9)
        board, one, two = cards[:5], cards[5:7], cards[7:9]
        high = [kit.StandardHighHand.from_game("".join(hole), "".join(board)) for hole in (one, two)]
        mine = [best("holdem", hole, board) for hole in (one, two)]
        assert (mine[0] > mine[1], mine[0] == mine[1]) == (high[0] > high[1], high[0] == high[1])
        lows = [kit.EightOrBetterLowHand.from_game_or_none("".join(hole), "".join(board)) for hole in (one, two)]
        told = [lowest("holdem_hilo", hole, board) for hole in (one, two)]
        assert [low is None for low in lows] == [low is None for low in told]
        if None not in told:
            assert (told[0] == told[1]) == (lows[0] == lows[1])


def test_omaha_takes_two_of_the_hand_and_three_of_the_board() -> None:
    hand, board = ["As", "2d", "3h", "4c"], ["Ks", "Qs", "Js", "Ts", "2c"]
    assert best("omaha", hand, board)[0] == 1
    assert best("holdem", hand[:2], board)[0] == 8


def test_side_pots_go_only_to_those_who_paid_into_them() -> None:
    assert pots({1: 100, 2: 300, 3: 300}) == [(300, [1, 2, 3]), (400, [2, 3])]
    board = ("2c", "7d", "9h", "Js", "Kd")
    shown: dict[int, tuple[str, ...]] = {1: ("As", "Ad"), 2: ("Ks", "3d"), 3: ("Qs", "4d")}
    stood = Wagered({1: 100, 2: 300, 3: 300}, shown, (1, 2, 3), board, "holdem")
    assert shares(stood) == {1: 300, 2: 400}


def names(table: str = "holdem") -> set[str]:
    walks = (Walk("poker", "melbourne-poker", seed, (), table=table) for seed in range(4))
    return {found.name for walk in walks for found in played(walk)[1].found}


def test_a_pot_given_to_another_hand_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert names() == set()
    values = evaluate.hand_values

    def upside_down(*told: Any, **more: Any) -> tuple[int, int]:
        high, low = values(*told, **more)
        return 1_000_000 - high, low

    monkeypatch.setattr(showdown, "hand_values", upside_down)
    assert "a pot that the cards do not give" in names()


def test_money_that_a_hand_makes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubled(*told: Any) -> WagerResult:
        wager, player, bet, result, pays, *rest = told
        return WagerResult(wager, player, bet, result, pays * 2, *rest)

    monkeypatch.setattr(settle, "WagerResult", doubled)
    assert "a hand makes or loses money" in names()
