"""The judge of the wheel sees what a table settles otherwise than the wheel rested and the chips lay."""

from __future__ import annotations

import pytest

from controller.games.wheel import settle
from controller.games.wheel.game import WheelGame
from controller.games.wheel.settle import Wager
from lab.explore.campaign import played
from lab.explore.steps import Walk


def shown() -> set[str]:
    return {found.name for found in played(Walk("wheel", "melbourne-wheel", 1, ()))[1].found}


def test_another_winner_than_the_wheel_shows_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    result = WheelGame.show_result

    def otherwise(game: WheelGame) -> None:
        ring = game.setup.ring
        rested = ring[game.state.round.seen.compartment or 0]
        game.state.round.winner = next(symbol for symbol in ring if symbol != rested)
        result(game)

    assert shown() == set()
    monkeypatch.setattr(WheelGame, "show_result", otherwise)
    assert "a winner where the wheel did not rest" in shown()


def test_a_payment_that_the_compartments_do_not_give_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "rounded_up", lambda cents, chip: cents // 2)
    walks = (Walk("wheel", "melbourne-wheel", seed, ()) for seed in range(8))
    assert any("an amount that the stake does not give" in _names(walk) for walk in walks)


def test_a_wager_without_its_chips_and_chips_without_a_wager_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    wagers = WheelGame.wagers
    monkeypatch.setattr(WheelGame, "wagers", lambda game: (*wagers(game), Wager("Ann", "B", 500)))
    assert "a wager of chips that did not lie there" in shown()
    monkeypatch.setattr(WheelGame, "wagers", lambda game: ())
    assert "chips that lay there are no wager" in shown()


def _names(walk: Walk) -> set[str]:
    return {found.name for found in played(walk)[1].found}
