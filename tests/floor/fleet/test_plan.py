"""A roll-out goes on when what it reached went well, waits for nobody who is off, and stops where one goes back."""

from __future__ import annotations

import msgspec
import pytest

from controller.fleet.messages import Doing, Has, State
from controller.journal.cosignature import WitnessKey
from controller.uplink.messages import BadMessage
from floor.fleet.plan import ALL, HERE_MS, Heard, Next, Plan, Wanted, doubled, follow, halt, read_plan, sign_plan

NOW = 1_700_000_000_000
TABLES = tuple(f"t{number}" for number in range(1, 8))
WANTED = Wanted("2.0", "ab" * 32, 1000)
PLAN = Plan("aa", "program", NOW, ("F2", "F3"), "new", (1, 3, ALL), 60, TABLES, dict.fromkeys(TABLES, WANTED))
KEY = WitnessKey("tablectl-floor/test", bytes(32))


def said(plan: Plan, table: str, state: State | None, at: int = NOW, ago: int = 0, **more: str) -> Heard:
    """What a table's machine said last, and how long ago."""
    number = plan.asked.get(table, 0)
    doing = (Doing("program", number, plan.id, state, at, "2.0", more.pop("text", "")),) if state is not None else ()
    return Heard(Has(table, more.pop("machine", f"m-{table}"), at, "1.0", doing=doing, **more), NOW - ago)  # type: ignore[arg-type]


def all_say(plan: Plan, state: State | None, now: int = NOW) -> dict[str, Heard]:
    return {one: said(plan, one, state if one in plan.asked else None) for one in TABLES}


def test_one_is_asked_first_and_the_next_when_it_has_gone_well_for_long_enough() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW)
    assert first.ask == ("t1",)
    waiting = follow(first.plan, all_say(first.plan, "switching"), NOW + 1000)
    assert waiting.ask == ()
    well = all_say(first.plan, "done")
    assert follow(first.plan, well, NOW + 59_000).ask == ()
    then = follow(first.plan, well, NOW + 59_999)
    assert then.ask == ()
    then = follow(first.plan, {one: heard._replace(at=NOW + 60_000) for one, heard in well.items()}, NOW + 60_000)
    assert then.ask == ("t2", "t3", "t4")


def fresh(machines: dict[str, Heard], now: int) -> dict[str, Heard]:
    return {one: heard._replace(at=now) for one, heard in machines.items()}


def test_who_is_off_is_asked_and_holds_up_nobody() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    second = follow(first, fresh(all_say(first, "done"), NOW + 60_000), NOW + 60_000).plan
    later = NOW + 200_000
    machines = fresh(all_say(second, "done"), later)
    machines["t3"] = said(second, "t3", None)._replace(at=later - HERE_MS)
    fifth = follow(second, machines, later)
    assert fifth.ask == ("t5",)
    then = follow(fifth.plan, {**machines, "t5": said(fifth.plan, "t5", "done")._replace(at=later)}, later)
    assert then.ask == ("t6", "t7")
    assert then.plan.asked["t3"]
    assert "1 are off and get it when they come back (t3)" in then.plan.text
    rest = fresh(all_say(then.plan, "done"), later)
    rest["t3"] = machines["t3"]
    assert follow(then.plan, rest, later).plan.state == "running"
    assert follow(then.plan, fresh(all_say(then.plan, "done"), later), later).plan.state == "over"


def test_a_stage_is_of_those_who_are_on_and_waits_where_nobody_is() -> None:
    machines = {one: heard._replace(at=NOW - HERE_MS) for one, heard in all_say(PLAN, None).items()}
    assert follow(PLAN, machines, NOW).ask == ()
    machines["t4"] = machines["t4"]._replace(at=NOW)
    then = follow(PLAN, machines, NOW)
    assert then.ask == ("t4",)
    assert follow(then.plan, fresh(all_say(then.plan, None), NOW), NOW).ask == ()


def test_who_goes_off_after_it_was_asked_leaves_its_stage_to_another() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    later = NOW + HERE_MS
    machines = {**fresh(all_say(first, None), later), "t1": all_say(first, None)["t1"]}
    then = follow(first, machines, later)
    assert then.ask == ("t2",)
    back = follow(then.plan, fresh(all_say(then.plan, "done"), later), later)
    assert back.ask == ("t3", "t4")


def test_who_is_off_from_the_beginning_is_asked_with_the_last() -> None:
    off = all_say(PLAN, None)["t1"]._replace(at=NOW - HERE_MS)
    first = follow(PLAN, {**all_say(PLAN, None), "t1": off}, NOW)
    assert first.ask == ("t2",)
    second = follow(first.plan, {**fresh(all_say(first.plan, "done"), NOW + 60_000), "t1": off}, NOW + 60_000)
    assert second.ask == ("t3", "t4", "t5")
    last = follow(second.plan, {**fresh(all_say(second.plan, "done"), NOW + 120_000), "t1": off}, NOW + 120_000)
    assert last.ask == ("t1", "t6", "t7")


def test_one_that_goes_back_stops_it_and_who_has_not_switched_is_left_alone() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    second = follow(first, fresh(all_say(first, "done"), NOW + 60_000), NOW + 60_000).plan
    machines = fresh(all_say(second, "waiting"), NOW + 61_000)
    machines["t1"] = said(second, "t1", "done")
    machines["t2"] = said(second, "t2", "refused", text="version 2.0 was taken back")
    then = follow(second, machines, NOW + 61_000)
    assert then.plan.state == "halted"
    assert then.plan.text == "t2: version 2.0 was taken back"
    assert then.withdraw == ("t3", "t4")
    assert follow(then.plan, machines, NOW + 62_000) == Next(then.plan)


def test_people_end_it_where_it_stands() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    then = halt(first, all_say(first, "fetching"), "ended by F2 and F3: wrong one")
    assert (then.plan.state, then.withdraw) == ("halted", ("t1",))


def test_a_computer_that_answers_under_two_names_is_sent_nothing() -> None:
    machines = all_say(PLAN, None)
    machines["t1"] = said(PLAN, "t1", None, machine="m-t2")
    assert doubled(machines, NOW) == {"t1": "t2", "t2": "t1"}
    then = follow(PLAN, machines, NOW)
    assert then.ask == ()
    assert "t1 is not asked: its computer answers as t2, too" in then.plan.text


def test_the_word_of_another_roll_out_says_nothing_of_this_one() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    other = msgspec.structs.replace(first, id="bb")
    assert follow(first, fresh(all_say(other, "done"), NOW + 60_000), NOW + 60_000).ask == ()


def test_done_while_an_older_version_runs_in_its_place_is_not_well() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    machines = fresh(all_say(first, "done"), NOW + 60_000)
    machines["t1"] = said(first, "t1", "done", instead_of="2.0")._replace(at=NOW + 60_000)
    assert follow(first, machines, NOW + 60_000).ask == ()


def test_numbers_go_up_though_the_floors_clock_went_back() -> None:
    known = Doing("program", NOW + 5000, "zz", "done", NOW)
    machines = {"t1": Heard(Has("t1", "m", NOW, "1.0", doing=(known,)), NOW)}
    assert follow(PLAN, machines, NOW).plan.asked == {"t1": NOW + 5001}


def test_a_roll_out_is_believed_by_the_floors_signature_alone() -> None:
    assert read_plan(sign_plan(PLAN, KEY), KEY.public) == PLAN
    with pytest.raises(BadMessage, match="not signed by this floor"):
        read_plan(sign_plan(PLAN, WitnessKey("tablectl-floor/test", b"x" * 32)), KEY.public)
