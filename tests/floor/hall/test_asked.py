"""Whatever a form sends, an act comes of it or words about the field; and what is refused leaves nothing behind."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from floor.hall import acts
from floor.hall.acts import ACTS, Act, Field, fields, trigger_of
from floor.hall.asked import BadAct, act_of
from floor.hall.at_work import HallAtWork
from floor.hall.state import By
from tests.floor.hall.halls import ACM, AM, COO, DESK, ENTROPY, HDD, ONE_SESSION, TD, AtHall

RUBBISH: tuple[Any, ...] = (
    "", " ", "25:99", "2026-11-28T25:99+11:00", "2026-11-28T14:00", "9999-12-31T23:59-12:00", "\x00", "\ud800",
    "x" * 3000, "<b>", "P99", "P1", "CW-1", "CW-9", -1, 0, 1, 10**13, 10**30, 0.5, None, True, [], ["P1"],
    ["P1", "P1"], ["P99", "P1"], ["\ud800"], {}, {"P1": -1}, {"P1": 10**30}, {"": 1}, {"P1": 500_000},
)  # fmt: skip
PLAIN = {"text": "P1", "number": 1, "names": ["P1", "P2"], "pairs": {"P1": 100}, "flag": True}


def plain(act: type[Act]) -> dict[str, Any]:
    return {one.name: one.choices[0] if one.choices else PLAIN[one.kind] for one in fields(act)}


def sent() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each act as it should be, and with each rubbish in each field."""
    for act in ACTS:
        yield trigger_of(act), plain(act)
        for field in fields(act):
            for rubbish in RUBBISH:
                yield trigger_of(act), {**plain(act), field.name: rubbish}


@pytest.mark.parametrize(
    ("name", "args", "said"),
    [
        ("entr", {}, "no act 'entr'; did you mean 'enter'?"),
        ("enter", {"entrnt": "P1"}, "Take an entry: it asks for no 'entrnt'; did you mean 'entrant'?"),
        ("enter", {}, "Take an entry: Object missing required field `entrant`"),
        ("enter", {"entrant": " "}, "Take an entry: entrant: ' ' is no name; write letters, digits, dots and dashes"),
        ("substitute", {"entrant": "P1", "new": ""}, "Substitute before the start: new: '' is no name"),
        ("refund", {"entrant": "P1", "cents": 10**30, "why": "x"}, "Refund: cents: it is not from 0 to 1000000000000"),
        (
            "refund",
            {"entrant": "P1", "cents": 1, "why": "\x00"},
            "Refund: why: it holds '\\x00', which no page can show",
        ),
        ("suspend", {"why": "\ud800"}, "Suspend the event: why: it holds '\\ud800'"),
        ("suspend", {"why": "  "}, "Suspend the event: why: nothing is said; fill it in"),
        ("deal", {"cents": {"P1": -1}, "agreed": []}, "Prizes as those left agreed: cents: -1 is not from 0"),
        ("break_tie", {"order": ["P1", "P1"], "how": "play_off"}, "order: P1, P1 names somebody twice"),
        ("break_tie", {"order": ["P1", "P2"], "how": "coin"}, "Invalid enum value 'coin' - at `$.how`"),
    ],
)
def test_a_field_that_is_wrong_is_told_by_its_name_with_what_may_stand_there(name, args, said) -> None:
    with pytest.raises(BadAct) as wrong:
        act_of(name, args)
    assert said in str(wrong.value)


def stages() -> Iterator[AtHall]:
    """An event at each of its stages, brought there by what people did."""
    yield AtHall()
    yield AtHall().approved()
    yield AtHall("war", *ONE_SESSION).entering("P1", "P2", "P3", "P4")
    yield AtHall("war", *ONE_SESSION).seated("P1", "P2", "P3", "P4")
    yield AtHall("war").running("P1", "P2", "P3", "P4", "P5", "P6", "P7")
    over = AtHall("war", *ONE_SESSION).running("P1", "P2", "P3", "P4")
    over.counts({"P1": 20000, "P2": 12000, "P3": 9000, "P4": 300})
    yield over
    over.must(acts.FinalOrder())
    yield over


def doers(act: Act) -> tuple[By, ...]:
    return {"director": (TD, AM), "AM": (AM,), "HDD": (HDD,), "ACM": (ACM,), "desk": (DESK, TD)}.get(act.who, (COO, AM))


def test_what_is_refused_changes_nothing_at_any_stage_and_everything_is_answered_in_words() -> None:
    made = [act for name, args in sent() if (act := _read(name, args)) is not None]
    refused = 0
    for at in stages():
        stands = msgspec.json.encode(at.hall.state)
        for act in made:
            copy = msgspec.convert(msgspec.to_builtins(at.hall.state), type(at.hall.state))
            for by in doers(act):
                answer = at.hall.do(act, by, at.at)
                msgspec.json.encode(answer)
                if answer.ok:
                    at.hall.state = copy
                    at.hall.machine.stand_with(copy)
                    copy = msgspec.convert(msgspec.to_builtins(copy), type(copy))
                    continue
                assert answer.text, act
                assert msgspec.json.encode(at.hall.state) == stands, (act, by)
                refused += 1
    assert refused > 500


def _read(name: str, args: dict[str, Any]) -> Act | None:
    with contextlib.suppress(BadAct):
        return act_of(name, args)
    return None


def test_a_hall_that_was_sent_rubbish_hears_its_journal_again_and_concludes_the_same(tmp_path: Path) -> None:
    path, at = tmp_path / "hall.journal", AtHall("war", *ONE_SESSION)
    work = HallAtWork(path, lambda: at.at, lambda order: None, False)
    for act, by in (
        (acts.LoadTerms(at.text), AM), (acts.NameDirector("TD"), AM), (acts.RegulatorTold("x"), TD),
    ):  # fmt: skip
        assert work.do(act, by).ok
    for name, args in sent():
        read = _read(name, args)
        if read is not None and not isinstance(read, acts.LoadTerms | acts.NameDirector):
            work.do(read, doers(read)[0])
    stands = msgspec.json.encode(work.hall.state)
    work.close()
    again = HallAtWork(path, lambda: at.at, lambda order: None, False)
    assert msgspec.json.encode(again.hall.state) == stands
    again.close()


def test_the_field_of_a_draw_is_the_halls_own_and_may_be_left_out() -> None:
    assert act_of("draw", {}) == acts.Draw()
    assert act_of("draw", {"entropy": ENTROPY}) == acts.Draw(ENTROPY)
    assert Field("entropy", "text", True) in fields(acts.Draw)
