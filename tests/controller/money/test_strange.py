"""Chips that are no wager: each kind has its own word and remedy, and what may not go back is told to Surveillance."""

from __future__ import annotations

import pytest

from controller.build import build_table
from controller.core.events import Chip, ChipsMoved
from controller.money.register import KINDS, STATES
from controller.money.strange import STRANGE, chip_clauses, kind_called
from controller.rules.rulebook import load_rulebook
from drivers.events import DeviceTrouble
from lab.sim.config import default_config
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


def clauses_of(rulebook: str) -> dict[str, tuple[str, ...]]:
    """What each kind of chip is told with at a table of this rulebook."""
    game = load_rulebook(rulebook).game
    table = build_table(default_config(game, rulebook=rulebook))
    return {kind: chip_clauses(table.money.layout.clauses, kind) for kind in STRANGE}


@pytest.mark.parametrize(
    ("rulebook", "no_wager", "fraud", "tournament"),
    [
        ("melbourne-wheel", ("3.1", "3.7"), "9.3", ("3.1", "8.4.3(c)")),
        ("melbourne-war", ("5.1",), "11.3", ("5.1", "10.4.3(c)")),
        ("perth-war", ("3.1",), "6.9(b)", ("3.1",)),
        ("star-war", ("5.3",), "13.5.2", ("5.3",)),
        ("melbourne-poker", ("6.2",), "13.5.2", ("6.2", "12.4.3(c)")),
    ],
)
def test_each_kind_is_told_with_the_clauses_that_speak_of_it(
    rulebook: str, no_wager: tuple[str, ...], fraud: str, tournament: tuple[str, ...]
) -> None:
    found = clauses_of(rulebook)
    assert {found[kind] for kind in KEPT} == {(*no_wager, fraud)}
    assert found["tournament"] == tournament
    assert {found[kind] for kind in ("retired", "unknown")} == {no_wager}
    assert found["promotional"] == (("3.1", "3.3") if rulebook == "melbourne-wheel" else no_wager)


def test_no_two_kinds_have_the_same_remedy_unless_the_same_is_done_with_them() -> None:
    remedies = [one.then for one in STRANGE.values()]
    assert {remedy for remedy in remedies if remedies.count(remedy) > 1} == {STRANGE["other_table"].then}


def test_an_area_that_cannot_be_read_is_told_by_its_name_on_the_layout(play: MoneyPlay) -> None:
    area = play.area("D")
    text = f"Area {area} of the chip mat cannot be read: its antenna is shorted."
    play.event(DeviceTrouble("chips", f"area_{area}", text, "Take away metal."))
    assert play.alarms[f"chips:area_{area}"].text == "D of the chip mat cannot be read: its antenna is shorted."
