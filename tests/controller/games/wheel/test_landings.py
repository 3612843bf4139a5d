"""Where the wheel came to rest, as the pit sees it since the table opened."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.events import SignShown
from controller.games.wheel import GAME
from controller.games.wheel.config import WheelSection
from controller.games.wheel.landings import DaysLandings
from drivers.motion.fairness import Landing, landing_of
from drivers.wheel import WheelRested
from tests.controller.games.wheel.play import Play, verdict


def seen(play: Play) -> dict[str, Any]:
    return GAME.beside(play.table.game)["landings"]


def test_valid_spins_are_counted_by_compartment_and_no_spins_are_not(play: Play) -> None:
    ring = play.config.own(WheelSection).ring
    assert (seen(play)["spins"], seen(play)["text"]) == (0, "No valid spin yet.")
    for symbol, *reasons in (("D",), ("A",), ("D", "under_revs")):
        play.spin_to(symbol, *reasons)
        if reasons:
            play.answer("no_spin")
        else:
            play.press("acknowledge")
            play.press("place_bets")
    counts = seen(play)["counts"]
    assert (seen(play)["spins"], sum(counts), counts[ring.index("D")], counts[ring.index("A")]) == (2, 2, 1, 1)
    assert (seen(play)["symbols"], seen(play)["due"]) == (list(ring), round(2 / 52, 2))
    assert "Nothing speaks against even landings" in seen(play)["text"]


def test_a_wheel_that_always_rests_in_one_place_is_told_of_and_by_whose_hand(play: Play) -> None:
    for _ in range(12):
        play.spin_to("D")
        play.press("acknowledge")
        play.press("place_bets")
    assert seen(play)["uneven"]
    assert "The landings are not even" in seen(play)["text"]
    groups = play.table.game.state.landed.groups  # type: ignore[attr-defined]
    assert set(groups) == {"", ", clockwise", ", dealer S1"}


def test_landings_stand_again_after_a_restart_and_begin_anew_when_the_table_closes(play: Play) -> None:
    play.spin_to("D")
    play.press("acknowledge")
    play.table.restore(play.table.save())
    assert seen(play)["spins"] == 1
    play.press("close", 2)
    assert (play.life, seen(play)["spins"]) == ("closed", 0)


@pytest.mark.parametrize(
    ("sense", "start"), [("clockwise", 20.5 - 200.2 % 52 + 52), ("anticlockwise", (20.5 + 200.2) % 52)]
)
def test_a_landing_knows_where_its_spin_began(sense: str, start: float) -> None:
    one = msgspec.structs.replace(verdict(20, forward=200.4), sense=sense)
    landing = landing_of(one, "S1")
    assert isinstance(landing, Landing)
    assert (landing.start, landing.rest, landing.dealer) == (pytest.approx(start % 52), 20.5, "S1")
    assert landing.travelled == pytest.approx(200.2 % 52)


def test_a_days_landings_are_counted_from_its_events(play: Play) -> None:
    ring = play.config.own(WheelSection).ring
    day = DaysLandings(ring)
    day.take(SignShown(1), "S1")
    day.take(WheelRested("wheel", 1, verdict(3)), "S1")
    day.take(WheelRested("wheel", 2, verdict(3, "interference")), "S1")
    told = day.told()
    assert (told["spins"], told["counts"][3], told["symbols"]) == (1, 1, list(ring))
