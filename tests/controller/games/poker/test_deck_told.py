"""The deck in the shuffler: what spoils it, in which words it is told, and when it is read again."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Ordered
from drivers.shuffler import ShufflerLoaded, ShufflerPoweredUp, ShufflerState
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.poker.seen import READY, alarm, alarms, checked, clause, timers, with_shuffler


def orders(play: PokerPlay) -> list[int]:
    """The checks that were ordered, by their number."""
    return [effect.args["check"] for effect in play.told if isinstance(effect, Ordered)]


@clause("3.1", "5.3.2")
@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"missing": ("As",)}, "As missing"),
        ({"surplus": ("As",), "unread": 1}, "As too many; 1 unreadable or foreign"),
        ({"jokers": 2}, "2 jokers"),
    ],
)
def test_a_deck_is_defective_by_what_is_missing_too_many_or_unreadable_and_told_in_these_words(
    found: dict[str, Any], words: str
) -> None:
    play = with_shuffler()
    play.event(READY)
    play.event(checked(**found))
    assert alarm(play, "deck") == (
        f"The deck is defective: {words}.",
        "Change the deck and load it again.",
        ("1.1 'Defective deck'", "3.1"),
    )
    play.event(READY)
    assert orders(play) == [1]  # the same deck is not read again and again
    play.event(ShufflerLoaded("shuffler", 52, 52))
    play.event(READY)
    assert orders(play) == [1, 2]
    play.event(checked(check=2))
    assert alarms(play) == set()


@clause("3.1")
@pytest.mark.parametrize(
    "gone",
    [
        ShufflerState("shuffler", "empty", 0, True),
        ShufflerPoweredUp("shuffler", False, "ready", "single_deck", 52, True, True, 0),
    ],
)
def test_a_check_is_waited_for_no_longer_once_the_deck_is_out_or_forgotten(gone: Any) -> None:
    play = with_shuffler()
    play.event(READY)
    assert timers(play) == {"deck_check": play.at + 20_000}
    play.event(gone)
    assert timers(play) == {}
