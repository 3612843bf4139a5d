"""The commission of a stand-alone table joins its float, chip by chip and to the cent."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.config.types import ChipsSection
from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.games.poker.config import RakeSection
from controller.money.float_tray import GRACE_MS
from tests.controller.games.poker.play import PokerPlay, told
from tests.controller.games.poker.seen import alarms, clause, due, notes, on_the_flop, pressed

ALONE = msgspec.structs.replace(
    told(rake=RakeSection("percentage", 10, Cents(5_000), stand_alone=True)), chips=ChipsSection(float_tray=True)
)
TRAY = dict.fromkeys(range(9_000, 9_020), 500)


def watched() -> PokerPlay:
    """On the flop, with a float that is watched."""
    play = on_the_flop(setup=ALONE)
    lying = {**play.chips, 0: TRAY}
    play.event(
        ChipsCounted("chips", {a: tuple(Chip(t, "cash", c) for t, c in lay.items()) for a, lay in lying.items()})
    )
    return play


def at_the_end() -> PokerPlay:
    """$2.50 of commission lies on the slide, of a pot that was pushed."""
    play = watched()
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    play.put(play.game.layout.drop, 250)
    assert (play.phase, play.game.hand.rake) == ("drop", 250)
    return play


def into_the_float(play: PokerPlay, *, tray_first: bool = False) -> None:
    """The dealer carries what lies on the slide into the tray; either antenna may tell it first."""
    slide = play.game.layout.drop
    chips = play.chips.pop(slide)
    came = ChipsMoved("chips", 0, tuple(Chip(tag, "cash", cents) for tag, cents in chips.items()))
    went = ChipsMoved("chips", slide, (), tuple(chips))
    for event in (came, went) if tray_first else (went, came):
        play.event(event)


def booked(play: PokerPlay) -> list[tuple[str, int, str]]:
    return [(note.facts["kind"], note.facts["cents"], note.facts["by"]) for note in notes(play, "booked")]


def wait(play: PokerPlay) -> None:
    play.at += GRACE_MS
    if "money:float" in play.table.state.desk.timers:
        due(play, "money:float")


@clause("7.2.1(c)", "1.1 'Stand-alone Table'")
def test_the_commission_is_booked_by_the_key_and_its_chips_are_no_surplus() -> None:
    play = at_the_end()
    pressed(play, "dropped")
    assert (play.phase, booked(play)) == ("between_hands", [("commission", 250, "S1")])
    into_the_float(play)
    wait(play)
    assert "float" not in alarms(play)
    assert not play.table.money.state.tray.unexplained


@clause("7.2.1(c)")
@pytest.mark.parametrize("tray_first", [False, True])
def test_commission_that_joins_the_float_before_the_key_is_commission(tray_first: bool) -> None:
    play = at_the_end()
    into_the_float(play, tray_first=tray_first)
    wait(play)
    assert ("float" in alarms(play), booked(play)) == (False, [("commission", 250, "table")])
    pressed(play, "dropped")  # what is no longer on the slide was seen all the same, and needs no higher rank
    assert (play.phase, booked(play)) == ("between_hands", [("commission", 250, "table")])


@clause("7.2.1(c)")
def test_commission_that_never_reaches_the_float_is_missing() -> None:
    play = at_the_end()
    pressed(play, "dropped")
    play.lift(play.game.layout.drop)
    wait(play)
    assert "$2.50 is missing from the float" in play.table.state.desk.alarms["float"].text


@clause("7.2.1(c)")
def test_more_than_the_commission_is_no_commission() -> None:
    play = at_the_end()
    play.put(play.game.layout.drop, 500)
    into_the_float(play)
    wait(play)
    assert booked(play) == []
    assert "$7.50 too much is in the float" in play.table.state.desk.alarms["float"].text


@clause("7.2.1(c)", "13.6")
def test_what_the_float_has_of_an_invalidated_hand_goes_back() -> None:
    play = watched()
    taken = play.game.hand.rake
    play.put(play.game.layout.drop, taken)
    into_the_float(play)
    pressed(play, "cancel_fraud", 4, reason="marked cards")
    kinds = [(kind, cents) for kind, cents, _ in booked(play)]
    assert kinds == [("commission", taken), ("given_back", taken)]
    assert play.game.state.joined == 0


@clause("7.2.1(c)")
def test_commission_on_its_way_to_the_float_is_not_missing_whatever_is_settled_meanwhile() -> None:
    play = at_the_end()
    pressed(play, "dropped")
    play.table.money.round_over()
    assert "float" not in play.table.state.desk.alarms
    assert play.table.state.desk.timers["money:float"] <= play.at + GRACE_MS
    play.lift(play.game.layout.drop)
    wait(play)
    assert "$2.50 is missing from the float" in play.table.state.desk.alarms["float"].text
