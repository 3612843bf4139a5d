"""Playing on by hand, whatever is played: who declares it, what it leaves as it is, and what is kept of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from controller.core.effects import Ruled
from controller.core.events import Chip, ChipsCounted, Started
from controller.journal.rounds import Recall
from controller.journal.row import Record
from controller.people import Person
from controller.report.day import Report
from controller.report.reader import Reader
from controller.report.text import as_text
from drivers.events import DeviceDown, DeviceTrouble, DeviceUp
from tests.controller.core.stand import Stand

pytestmark = pytest.mark.guards("melbourne-wheel")
SUPERVISOR = Person("S2", 2)


def declared() -> Stand:
    stand = Stand()
    stand.take(DeviceDown("wheel", "no power", "Look at its cable."))
    stand.press("by_hand", SUPERVISOR, device="wheel", reason="its cable is torn")
    assert stand.guarded.table.state.life == "open"
    return stand


def a_round(stand: Stand) -> None:
    stand.press("place_bets")
    stand.take(ChipsCounted("chips", {1: (Chip(5, "cash", 1000),)}))
    stand.press("wheel_spun", sense="clockwise")
    stand.press("no_more_bets")
    stand.press("wheel_rests", symbol="B", turns="enough")
    stand.press("acknowledge")
    stand.take(ChipsCounted("chips", {}))
    stand.press("losers_clear", SUPERVISOR, confirmed=True, reason="seen")
    if stand.state == "pay":
        stand.press("paid", SUPERVISOR, confirmed=True, reason="seen")
    assert stand.state == "idle"


def reported(stand: Stand) -> Report:
    made = Report(0, 10**9)
    reader = Reader(made)
    reader.begin()
    for at, event, effects in stand.rows:
        reader.take(at, event, effects, True)
    return reader.ended()


def test_a_rank_declares_it_with_a_reason_and_a_dealer_may_not() -> None:
    stand = Stand()
    stand.take(DeviceDown("wheel", "no power", "Look at its cable."))
    stand.press("by_hand", device="wheel", reason="dead")
    assert stand.guarded.table.state.by_hand == {}
    stand.press("by_hand", SUPERVISOR, device="wheel")
    assert stand.guarded.table.state.by_hand == {}
    effects = stand.press("by_hand", SUPERVISOR, device="wheel", reason="dead")
    (ruled,) = (effect for effect in effects if isinstance(effect, Ruled))
    assert (ruled.by, ruled.rank, ruled.reason) == ("S2", 2, "dead")


def test_declared_by_mistake_it_is_taken_back() -> None:
    stand = declared()
    assert stand.guarded.table.state.life == "open"
    stand.back(SUPERVISOR)
    assert stand.guarded.table.state.by_hand == {}
    assert stand.guarded.table.state.life == "suspended"


def test_trouble_at_a_device_that_is_played_without_stops_nothing_and_does_once_it_is_used() -> None:
    stand = declared()
    stand.take(DeviceUp("wheel", "wheel", "another", "1"))
    stand.take(DeviceTrouble("wheel", "magnet", "The magnet is weak.", "Look at it."))
    assert stand.guarded.table.state.life == "open"
    assert "wheel:magnet" in stand.guarded.table.state.desk.alarms
    stand.press("by_hand_over", SUPERVISOR, device="wheel")
    assert stand.guarded.table.state.life == "suspended"


def test_a_restart_goes_on_by_hand_and_a_replay_concludes_the_same() -> None:
    stand = declared()
    a_round(stand)
    stand.take(Started("again", stand.rows[0][1].config))  # type: ignore[attr-defined]
    table = stand.guarded.table
    assert list(table.state.by_hand) == ["wheel"]
    assert not any(code.startswith("wheel") for code in table.state.faults)
    stand.take(DeviceUp("chips", "chips", "1", "1"))
    assert table.state.life == "open"
    a_round(stand)
    stand.take(DeviceUp("wheel", "wheel", "another", "1"))
    stand.press("by_hand_over", SUPERVISOR, device="wheel")
    fresh = type(stand.guarded)(stand.guarded.config)
    for at, event, effects in stand.rows:
        assert fresh.apply(at, event) == effects
    assert fresh.save() == stand.guarded.save()


def test_the_record_of_the_round_says_what_it_was_played_without() -> None:
    stand = declared()
    a_round(stand)
    recall = Recall("wheel")
    recall.follow((seq, at, Record(event, effects)) for seq, (at, event, effects) in enumerate(stand.rows, 1))
    (found,) = recall.rounds
    assert found.by_hand == ["wheel"]
    assert "played by hand without wheel" in found.as_text().splitlines()[0]


def test_the_days_report_says_from_when_until_when_how_many_rounds_and_by_whom() -> None:
    stand = declared()
    a_round(stand)
    a_round(stand)
    stand.take(DeviceUp("wheel", "wheel", "another", "1"))
    stand.press("by_hand_over", SUPERVISOR, device="wheel")
    a_day = reported(stand)
    (line,) = a_day.by_hand
    assert (line.place, line.by, line.ended_by, line.rounds, line.reason) == (
        "wheel",
        "S2",
        "S2",
        2,
        "its cable is torn",
    )
    assert 0 < line.since < line.until
    assert "played by hand" in as_text(a_day, str)


def test_nothing_of_it_is_loaded_where_nobody_plays_by_hand() -> None:
    code = (
        "import sys; from tests.controller.core.stand import Stand; s = Stand(); s.guarded.table.available(); "
        "print([name for name in sys.modules if 'by_hand' in name or name.endswith('unseen')])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout.strip() == "[]"
