"""Chips that are no wager: each kind has its own word and remedy, and what may not go back is told to Surveillance."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsMoved
from controller.money.register import KINDS, STATES
from controller.money.strange import STRANGE, kind_called
from drivers.events import DeviceTrouble
from tests.controller.money.play import MoneyPlay

KEPT = ("stolen", "missing", "counterfeit")


@pytest.fixture
def play() -> MoneyPlay:
    return MoneyPlay().opened()


def lies(play: MoneyPlay, kind: str) -> str:
    play.event(ChipsMoved("chips", play.area("D"), (Chip(0xABCDEF, kind, 0, kind),)))
    alarm = play.alarms[f"foreign:{0xABCDEF}"]
    assert "abcdef" not in f"{alarm.text} {alarm.remedy}".lower(), "no tag on a dealer's page"
    assert alarm.clauses
    return f"{alarm.text} {alarm.remedy}"


def test_every_kind_and_state_of_the_register_that_is_no_wager_has_words_of_its_own() -> None:
    assert set(STRANGE) >= {*STATES[1:], *KINDS[2:], "other_table", "unknown"}
    assert len({one.what for one in STRANGE.values()}) == len(STRANGE)
    assert all(kind_called(one.what) == kind for kind, one in STRANGE.items())


@pytest.mark.parametrize("kind", KEPT)
def test_a_chip_that_may_not_go_back_is_never_exchanged_and_surveillance_is_told_once(
    play: MoneyPlay, kind: str
) -> None:
    words = lies(play, kind)
    assert "Do not exchange it or hand it back" in words
    assert "Surveillance" in words
    assert [one.code for one in play.announced(kind)] == [kind]
    assert play.announced(kind)[0].to == "surveillance"
    play.event(ChipsMoved("chips", play.area("E"), (Chip(0xABCDEF, kind, 0, kind),)))
    assert len(play.announced(kind)) == 1


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("retired", "withdrawn from play lies on D; it is no wager. Take it off; the cage exchanges it."),
        ("tournament", "A tournament chip lies on D"),
        ("promotional", "A promotional chip lies on D"),
        ("other_table", "A chip of another table lies on D"),
        (
            "unknown",
            "Something that is no chip of this casino lies on D; it is no wager. Take it off; it is not exchanged",
        ),
    ],
)
def test_other_chips_that_are_no_wager_are_called_what_they_are(play: MoneyPlay, kind: str, says: str) -> None:
    assert says in lies(play, kind)
    assert play.announced(kind) == []


def test_an_area_that_cannot_be_read_is_told_by_its_name_on_the_layout(play: MoneyPlay) -> None:
    area = play.area("D")
    text = f"Area {area} of the chip mat cannot be read: its antenna is shorted."
    play.event(DeviceTrouble("chips", f"area_{area}", text, "Take away metal."))
    assert play.alarms[f"chips:area_{area}"].text == "D of the chip mat cannot be read: its antenna is shorted."
