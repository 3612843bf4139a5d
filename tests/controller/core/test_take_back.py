"""A key pressed by mistake is taken back: the table stands as if it had not been pressed, and both are on record."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.config.kept import plain
from controller.core import take_back
from controller.core.effects import AlarmOver, Announced, AnyEffect, Desired, Moved, Noted, Refused, Ruled, TimerOff
from controller.core.events import (
    Chip,
    ChipsMoved,
    ClockCompared,
    DiskLow,
    EditionDue,
    FellBack,
    SignShown,
    Started,
    Stopped,
    TableEvent,
)
from controller.core.guarded import SNAPSHOT_EVERY, GuardedTable
from controller.core.runtime import recover
from controller.games.wheel.game import WheelGame
from controller.journal import row as record
from controller.journal.file import Entry, JournalFile, digest
from controller.people import Person
from drivers.events import DeviceDown, DeviceUp
from drivers.wheel import WheelRested, WheelStarted, WheelTurned
from lab.sim.config import default_config
from tests.controller.core.stand import Stand
from tests.controller.games.wheel.play import verdict

OTHER, CHIEF = Person("S9", 1), Person("S2", 2)
CHIP = ChipsMoved("chips", 1, (Chip(77, "cash", 500),))


def refusals(effects: list[AnyEffect]) -> list[str]:
    return [each.code for each in effects if isinstance(each, Refused)]


def test_whoever_pressed_it_takes_it_back_with_one_press_and_the_table_stands_as_before() -> None:
    at = Stand()
    before = at.saved()
    at.press("place_bets")
    assert at.state == "betting_open"
    effects = at.back()
    assert (at.state, at.saved()) == ("idle", before)
    assert [(each.subject, each.answer, each.by) for each in effects if isinstance(each, Ruled)] == [
        ("taken_back", "Place your bets", "S1")
    ]
    (note,) = [each for each in effects if isinstance(each, Noted)]
    assert note.facts == {"row": len(at.rows) - 1, "key": "place_bets", "pressed_by": "S1", "by": "S1"}
    assert [(each.source, each.dest) for each in effects if isinstance(each, Moved)] == [("betting_open", "idle")]
    assert any(isinstance(each, Announced) and each.to == "all" for each in effects)


def test_it_is_offered_only_while_there_is_something_to_take_back() -> None:
    at = Stand()
    offered = [key.name for key in at.guarded.table.available()]
    assert "take_back" not in offered, "opening a table is not taken back: it is closed again"
    at.press("place_bets")
    assert "take_back" in [key.name for key in at.guarded.table.available()]
    at.back()
    assert "take_back" not in [key.name for key in at.guarded.table.available()]
    assert refusals(at.back()) == ["has_followed"]


def test_somebody_else_needs_the_rank_and_a_reason() -> None:
    at = Stand()
    at.press("place_bets")
    assert refusals(at.back(OTHER)) == ["rank_too_low"]
    assert refusals(at.back(CHIEF)) == ["reason_needed"]
    effects = at.back(CHIEF, reason="the wrong table")
    assert at.state == "idle"
    assert effects[0] == Ruled("taken_back", "Place your bets", "S2", 2, (), "the wrong table")


def test_once_chips_have_moved_a_rank_decides_and_the_chips_are_kept() -> None:
    at = Stand()
    at.press("place_bets")
    at.press("no_more_bets")
    at.take(CHIP)
    assert "late_change" in at.guarded.table.state.desk.alarms
    assert refusals(at.back()) == ["rank_too_low"]
    effects = at.back(CHIEF, reason="nobody was called")
    game = at.guarded.table.game
    assert isinstance(game, WheelGame)
    assert (at.state, list(game.state.picture)) == ("betting_open", [77])
    assert AlarmOver("late_change") in effects, "the chip was in time after all"


@pytest.mark.parametrize("beside", [
    DiskLow(10, False), ClockCompared(True, 12, 3), ClockCompared(False),
    FellBack("2.0", "1.9"), EditionDue("2", "CM/2", 1000),
], ids=str)  # fmt: skip
def test_what_happens_beside_the_game_does_not_end_it_and_another_key_does(beside: TableEvent) -> None:
    at = Stand()
    at.press("place_bets")
    at.take(beside)
    assert refusals(at.press("paid")) == ["not_now"]
    at.press("sit", seat=1, player="Ann")
    at.back()
    game = at.guarded.table.game
    assert isinstance(game, WheelGame)
    assert (at.state, game.state.seats) == ("betting_open", {}), "only the last key is taken back"
    assert refusals(at.back()) == ["has_followed"]


def test_no_more_bets_called_too_soon_is_taken_back_as_long_as_the_wheel_turns() -> None:
    at = Stand()
    at.press("place_bets")
    at.press("no_more_bets")
    at.take(WheelStarted("wheel", 1, "clockwise", 0))
    at.take(WheelTurned("wheel", 1, 1))
    at.back()
    assert at.state == "spin_open"
    at.take(CHIP)
    at.press("no_more_bets")
    at.take(WheelTurned("wheel", 1, 3))
    at.back()
    assert at.state == "spin_open"
    at.press("no_more_bets")
    at.take(WheelRested("wheel", 1, verdict(0)))
    assert refusals(at.back(CHIEF, reason="too soon")) == ["has_followed"], "what the wheel shows was judged"
    assert at.state == "result"


def test_a_no_spin_called_by_mistake_is_taken_back_while_the_wheel_turns_on() -> None:
    at = Stand()
    at.press("place_bets")
    at.take(WheelStarted("wheel", 1, "clockwise", 0))
    at.press("no_more_bets")
    at.press("no_spin", reason="interference")
    at.take(WheelTurned("wheel", 1, 2))
    assert at.state == "betting_open"
    at.back()
    assert at.state == "spin_closed"
    at.take(WheelRested("wheel", 1, verdict(0)))
    assert at.state == "result", "it counts"


def test_a_spin_rests_on_the_call_for_bets_before_it() -> None:
    at = Stand()
    at.press("place_bets")
    at.take(WheelStarted("wheel", 1, "clockwise", 0))
    assert refusals(at.back()) == ["has_followed"]


def test_a_device_that_falls_silent_does_not_end_it_and_stays_silent() -> None:
    at = Stand()
    at.press("place_bets")
    at.take(DeviceDown("chips", "no answer", "Plug it in."))
    assert at.guarded.table.state.life == "suspended"
    at.back()
    assert (at.state, at.guarded.table.state.life) == ("idle", "suspended")
    at.take(DeviceUp("chips", "chips", "1", "1"))
    assert at.guarded.table.state.life == "open"


def test_after_a_start_or_many_events_it_is_too_late() -> None:
    at = Stand()
    at.press("place_bets")
    at.take(Stopped())
    at.take(Started("test", plain(at.guarded.config)))
    assert at.guarded.table.state.pressed is None
    at = Stand()
    at.press("place_bets")
    for _ in range(take_back.LONGEST):
        at.take(SignShown(999))
    assert refusals(at.back()) == ["has_followed"]
    assert at.state == "betting_open"


def test_no_snapshot_stands_on_a_key_that_may_still_be_taken_back() -> None:
    at = Stand()
    for _ in range(SNAPSHOT_EVERY):
        at.take(SignShown(999))
    at.press("place_bets")
    assert at.guarded.snapshot() is None
    at.back()
    for _ in range(SNAPSHOT_EVERY):
        at.take(SignShown(999))
    assert at.guarded.snapshot() is not None


def test_a_limit_taken_back_leaves_its_timer_and_the_sign_is_told_a_higher_number() -> None:
    at = Stand()
    boss = Person("S3", 3)
    least = at.guarded.table.state.limits.least
    shown = at.guarded.table.state.sign
    at.press("limits", boss, least=2 * least, most=100 * least)
    assert at.guarded.table.state.coming is not None
    effects = at.back(boss)
    assert at.guarded.table.state.coming is None
    assert TimerOff("limits") in effects
    (sign,) = [each for each in effects if isinstance(each, Desired) and each.device == "sign"]
    assert sign.outputs["coming"] is None
    assert sign.outputs["revision"] > shown + 1


def test_a_wrong_answer_can_be_taken_back_and_the_question_is_open_again() -> None:
    at = Stand()
    at.press("sit", seat=1, player="Ann")
    at.press("device_seen", CHIEF, player="Ann")
    (prompt,) = at.guarded.table.state.desk.prompts
    boss = Person("S4", 4)
    at.press("answer", boss, prompt=prompt, answer="nothing", reason="a telephone")
    assert not at.guarded.table.state.desk.prompts
    effects = at.back(boss)
    assert list(at.guarded.table.state.desk.prompts) == [prompt]
    assert [each.answer for each in effects if isinstance(each, Ruled)] == ["Answer a question: nothing"]


def test_what_cannot_stand_without_the_key_is_refused_in_words_and_nothing_changes(mocker: MockerFixture) -> None:
    at = Stand()
    at.press("place_bets")
    mocker.patch.object(GuardedTable, "_step_back", side_effect=ZeroDivisionError("cannot be folded"))
    assert refusals(at.back()) == ["has_followed"]
    assert (at.state, at.guarded.table.state.life) == ("betting_open", "open")


def test_a_restart_and_a_replay_from_the_first_row_stand_where_the_live_table_stands(tmp_path: Path) -> None:
    at = Stand()
    standing = (len(at.rows), at.guarded.save())
    at.press("place_bets")
    at.back()
    at.press("place_bets")
    at.press("sit", seat=2, player="Bob")
    at.back()
    at.take(CHIP)
    for snapshot in (None, standing):
        journal = JournalFile.open(tmp_path / f"{snapshot is None}.db", "T1")
        for number, (when, event, effects) in enumerate(at.rows, 1):
            kept = snapshot[1] if snapshot is not None and number == snapshot[0] else None
            body = record.Record(event, effects, None, record.FORM, digest(kept) if kept else "")
            journal.append([Entry(when, record.encode(body), kept)])
        again = GuardedTable(default_config())
        assert recover(again, journal) == len(at.rows) - (snapshot[0] if snapshot is not None else 0)
        assert again.table.save() == at.guarded.table.save()
        journal.close()


ELSE = {
    "wheel": ("open", "close", "fill", "buy_in", "correct_booking", "take_back", "acknowledge", "paid", "cancel_fraud"),
    "war": ("refuse_stake", "settled_as"),
    "poker": ("table_hand", "turned_up", "inspect", "look", "dropped", "count_cards"),
}
"""Keys that book, settle, or have a device do something at once."""


@pytest.mark.parametrize(("game", "key"), [(game, key) for game, keys in ELSE.items() for key in keys])
def test_what_is_corrected_in_another_way_says_so(game: str, key: str) -> None:
    table = GuardedTable(default_config(game)).table
    assert {**table.game.keys, **table.keys}[key].undo == "never"
