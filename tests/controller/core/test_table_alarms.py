"""The alarms of the table itself, each raised and ended by what happens at it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from controller.config.kept import plain
from controller.core import table_alarms
from controller.core.desk import Fault
from controller.core.device_faults import NotIdentified, NotListenedTo, OutOfPlace, Silent, Troubled
from controller.core.effects import Alarmed
from controller.core.events import (
    ClockCompared,
    DiskLow,
    EditionDue,
    FellBack,
    FloorOrder,
    JournalChecked,
    NotSignedIn,
    Order,
    OrdersTurnedAway,
    ProgramChecked,
    SignedIn,
    SignShown,
    Started,
    TwinSeen,
)
from controller.core.table import Table
from controller.core.table_alarms import ALARMS
from controller.people import Person
from controller.people.attendance import LockedOutAlarm
from controller.pi.upkeep import (
    ClockWrong,
    DiskFull,
    EditionDueAlarm,
    FellBackAlarm,
    JournalDamaged,
    ProgramDiffers,
    TwinTable,
)
from drivers.events import DeviceRefused, DeviceTrouble, DeviceTroubleOver
from tests.controller.alarm_stories import Stories, raised_and_ended
from tests.controller.games.wheel.play import Play

STORIES = Stories()
pytestmark = pytest.mark.guards("melbourne-wheel")


@STORIES.of(NotIdentified)
def nothing_heard_yet() -> Iterator[Table]:
    play = Play()
    play.event(Started("test", plain(play.config)))
    play.up("wheel")
    yield play.table
    play.up("chips")


@STORIES.of(Silent)
def a_cable_pulled() -> Iterator[Table]:
    play = Play().opened()
    play.down("chips")
    yield play.table
    play.up("chips")


@STORIES.of(OutOfPlace)
def the_wrong_device() -> Iterator[Table]:
    play = Play().opened()
    play.event(DeviceRefused("chips", "it is a shoe", "Swap the cables."))
    yield play.table
    play.up("chips")


@STORIES.of(Troubled)
def a_trouble_of_its_own() -> Iterator[Table]:
    play = Play().opened()
    play.event(DeviceTrouble("wheel", "magnet", "The magnet is weak.", "Look at it."))
    yield play.table
    play.event(DeviceTroubleOver("wheel", "magnet"))


@STORIES.of(NotListenedTo)
def a_sensor_that_answers_again() -> Iterator[Table]:
    play = Play().opened()
    play.down("wheel")
    play.press("by_hand", 2, device="wheel", reason="dead")
    play.up("wheel")
    yield play.table
    play.press("by_hand_over", 2, device="wheel")


@STORIES.of(table_alarms.Defect)
def an_event_nobody_can_handle() -> Iterator[Table]:
    play = Play().opened()
    play.table.failed(play.seq + 1, play.at, "ZeroDivisionError")
    yield play.table
    play.press("clear_fault", 2, fault=next(iter(play.table.state.faults)))
    play.table.failed(play.seq + 1, play.at, "KeyError")
    yield play.table


def with_its_sign() -> Play:
    """A table that waits for its sign, whose devices are there."""
    play = Play()
    play.event(Started("test", plain(play.config)))
    for place in ("wheel", "chips"):
        play.up(place)
    play.press("open")
    return play


@STORIES.of(table_alarms.SignMissing)
def a_dark_sign() -> Iterator[Table]:
    play = with_its_sign()
    yield play.table
    play.event(SignShown(play.table.state.sign))
    play.press("close", 2)
    play.press("open")
    yield play.table


@STORIES.of(table_alarms.SignBehind)
def a_sign_that_stands_still() -> Iterator[Table]:
    play = with_its_sign()
    play.event(SignShown(play.table.state.sign))
    play.press("limits", 3, least=1000, most=10_000)
    play.time(25)
    yield play.table
    play.event(SignShown(play.table.state.sign))  # too late: another time is proposed, and shown
    play.event(SignShown(play.table.state.sign))


@STORIES.of(DiskFull)
def a_full_disk() -> Iterator[Table]:
    play = Play().opened()
    play.event(DiskLow(5, True))
    yield play.table
    play.event(DiskLow(5_000, False))


@STORIES.of(JournalDamaged)
def a_broken_chain() -> Iterator[Table]:
    play = Play().opened()
    play.event(JournalChecked(9, "row 7 does not follow row 6"))
    yield play.table
    play.press("clear_fault", 2, fault="journal")


@STORIES.of(TwinTable)
def a_copied_card_that_plays() -> Iterator[Table]:
    play = Play().opened()
    play.event(TwinSeen("event 8 is not what it was"))
    yield play.table
    play.press("clear_fault", 2, fault="twin")


@STORIES.of(EditionDueAlarm)
def an_amendment_whose_time_has_come() -> Iterator[Table]:
    play = Play().opened()
    play.event(EditionDue("4.1", "GOV 2027/14", play.at))
    yield play.table
    play.event(Started("test", plain(play.config)))


@STORIES.of(ClockWrong)
def a_clock_in_1970() -> Iterator[Table]:
    play = Play().opened()
    play.event(ClockCompared(False, impossible="shows 1970-01-01"))
    yield play.table
    play.event(ClockCompared(False))


@STORIES.of(FellBackAlarm)
def an_update_that_is_not_whole() -> Iterator[Table]:
    play = Play().opened()
    play.event(FellBack("2.0", "1.0"))
    yield play.table
    play.event(ProgramChecked("abc", 100))


@STORIES.of(ProgramDiffers)
def a_program_nobody_answers_for() -> Iterator[Table]:
    play = Play().opened()
    play.event(ProgramChecked("abc", 100, ("controller/app.py",)))
    yield play.table
    play.event(ProgramChecked("abc", 100))


@STORIES.of(table_alarms.FloorMessage)
def words_from_the_floor() -> Iterator[Table]:
    play = Play().opened()
    order = Order("o1", "tablectl/t1/ab", "message", "F2", "HDD", play.at, {"text": "Mr Lee waits at the desk"})
    play.event(FloorOrder(order, order.table, ""))
    (alarm,) = [one for one in play.table.state.desk.alarms.values() if one.code.startswith("floor_message")]
    assert alarm.text == "F2 of the floor: Mr Lee waits at the desk"
    yield play.table
    play.press("seen_to", 2, alarm=alarm.code)
    another = msgspec.structs.replace(order, id="o2", args={"text": "He has gone"})
    play.event(FloorOrder(another, another.table, ""))
    yield play.table


@STORIES.of(table_alarms.StrangeOrders)
def orders_of_nobody_known() -> Iterator[Table]:
    play = Play().opened()
    play.event(OrdersTurnedAway(3, "the floor's key did not sign them"))
    yield play.table
    play.press("seen_to", 2, alarm="strange_orders")


def locked_out(member: str) -> Play:
    play = Play().opened()
    play.event(NotSignedIn("dealer", "locked", "Too many wrong PINs.", member, 3 if member else 0, play.at + 1))
    return play


@STORIES.of(LockedOutAlarm)
def wrong_pins() -> Iterator[Table]:
    play = locked_out("D7")
    yield play.table
    play.event(SignedIn("dealer", Person("D7", 1)))


def test_every_alarm_of_the_table_has_its_story() -> None:
    assert STORIES.missing(ALARMS) == set()


@pytest.mark.parametrize("kind", STORIES)
def test_an_alarm_of_the_table_is_raised_and_ends(kind: str) -> None:
    raised_and_ended(kind, STORIES[kind])


# -- seen to --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("member", ["D7", ""])
def test_what_nobody_comes_back_for_is_seen_to_by_the_rank_it_needs_and_that_is_on_record(member: str) -> None:
    play = locked_out(member)
    (code,) = play.table.state.desk.alarms
    offered = next(key for key in play.table.available() if key.name == "seen_to")
    assert [value for value, _ in offered.asks[0].choices] == [code]
    play.press("seen_to", 1, alarm=code)
    assert (play.refused, list(play.table.state.desk.alarms)) == ("rank_too_low", [code])
    told = play.press("seen_to", 2, alarm=code, reason="a new dealer")
    assert [type(effect).__name__ for effect in told] == ["Ruled", "AlarmOver"]
    assert (told[0].by, told[0].answer, told[0].reason) == ("S2", code, "a new dealer")  # type: ignore[union-attr]
    assert play.table.state.desk.alarms == {}
    assert "seen_to" not in [key.name for key in play.table.available()]


def test_what_ends_with_its_cause_is_not_seen_to_by_anybody_and_neither_is_what_is_over() -> None:
    play = Play().opened()
    play.down("chips")
    play.press("seen_to", 4, alarm="chips:down")
    assert play.refused == "not_by_hand"
    play.press("seen_to", 4, alarm="long gone")
    assert play.refused == "no_such_alarm"


def test_a_cause_that_only_an_earlier_version_knew_is_offered_to_nobody_and_refused_in_words() -> None:
    play = Play().opened()
    old = Alarmed("cable:torn", "A cable is torn.", "Mend it.")
    play.table.state.desk.alarms[old.code] = old
    play.table.state.faults[old.code] = Fault(old.code, old.text, old.remedy, play.at)
    assert "seen_to" not in [key.name for key in play.table.available()]
    play.press("seen_to", 4, alarm=old.code)
    assert (play.refused, list(play.table.state.desk.alarms)) == ("not_by_hand", [old.code])


def test_what_happens_again_while_it_stands_is_told_and_counted_again() -> None:
    play = locked_out("D7")
    play.event(NotSignedIn("dealer", "locked", "Too many wrong PINs.", "D7", 4, play.at + 1))
    (alarm,) = play.table.state.desk.alarms.values()
    assert (alarm.count, [effect for effect in play.told if effect == alarm]) == (2, [alarm])
