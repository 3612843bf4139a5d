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


def said(
    plan: Plan, table: str, state: State | None, *, running: bool = True, machine: str = "", text: str = "",
    instead_of: str = "",
) -> Heard:  # fmt: skip
    """What a table's machine said last."""
    number = plan.asked.get(table, 0)
    doing = (Doing("program", number, plan.id, state, NOW, "2.0", text),) if state is not None else ()
    has = Has(table, machine or f"m-{table}", NOW, "1.0", instead_of=instead_of, running=running, doing=doing)
    return Heard(has, NOW)


def all_say(plan: Plan, state: State | None, now: int = NOW) -> dict[str, Heard]:
    return {one: said(plan, one, state if one in plan.asked else None) for one in TABLES}


def fresh(machines: dict[str, Heard], now: int) -> dict[str, Heard]:
    return {one: heard._replace(at=now) for one, heard in machines.items()}


def settled(plan: Plan, at: int, **other: Heard) -> Next:
    """Everybody that was asked is seen to have it at this time, and for long enough after it."""
    seen = follow(plan, {**fresh(all_say(plan, "done"), at), **other}, at).plan
    then = at + 60_000
    return follow(seen, {**fresh(all_say(seen, "done"), then), **other}, then)


def test_one_is_asked_first_and_the_next_when_it_has_gone_well_for_long_enough() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW)
    assert first.ask == ("t1",)
    assert follow(first.plan, all_say(first.plan, "switching"), NOW + 1000).ask == ()
    seen = follow(first.plan, fresh(all_say(first.plan, "done"), NOW + 1000), NOW + 1000).plan
    assert seen.well == {"t1": NOW + 1000}
    assert follow(seen, fresh(all_say(seen, "done"), NOW + 60_999), NOW + 60_999).ask == ()
    assert follow(seen, fresh(all_say(seen, "done"), NOW + 61_000), NOW + 61_000).ask == ("t2", "t3", "t4")


@pytest.mark.parametrize("last", ["switching", "done"])
def test_a_machine_that_goes_dark_once_it_has_begun_holds_up_everybody(last: State) -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    word = said(first, "t1", last)
    for minute in range(1, 10):
        now = NOW + minute * HERE_MS
        first = follow(first, {**fresh(all_say(first, None), now), "t1": word}, now).plan
    assert list(first.asked) == ["t1"]
    assert "t1 was not heard, or stands still, since it switched" in first.text


def test_a_table_that_has_it_and_does_not_run_is_not_well() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    still = said(first, "t1", "done", running=False)
    for minute in range(1, 5):
        now = NOW + minute * 60_000
        first = follow(first, {**fresh(all_say(first, None), now), "t1": still._replace(at=now)}, now).plan
    assert (list(first.asked), first.well) == (["t1"], {})


def test_who_is_off_is_asked_and_holds_up_nobody() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    second = settled(first, NOW).plan
    off = said(second, "t3", None)._replace(at=NOW - HERE_MS)
    fifth = settled(second, NOW + 200_000, t3=off)
    assert list(fifth.plan.asked) == ["t1", "t2", "t3", "t4", "t5"]
    then = settled(fifth.plan, NOW + 400_000, t3=off)
    assert set(then.plan.asked) == set(TABLES)
    assert "1 are off and get it when they come back (t3)" in then.plan.text
    assert settled(then.plan, NOW + 600_000, t3=off).plan.state == "running"
    assert settled(then.plan, NOW + 600_000).plan.state == "over"


def test_a_stage_is_of_those_who_are_on_and_waits_where_nobody_is() -> None:
    machines = {one: heard._replace(at=NOW - HERE_MS) for one, heard in all_say(PLAN, None).items()}
    assert follow(PLAN, machines, NOW).ask == ()
    machines["t4"] = machines["t4"]._replace(at=NOW)
    then = follow(PLAN, machines, NOW)
    assert then.ask == ("t4",)
    assert follow(then.plan, fresh(all_say(then.plan, None), NOW), NOW).ask == ()


def test_who_goes_off_before_anything_began_there_leaves_its_stage_to_another() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    later = NOW + HERE_MS
    then = follow(first, {**fresh(all_say(first, None), later), "t1": all_say(first, None)["t1"]}, later)
    assert then.ask == ("t2",)
    assert settled(then.plan, later).ask == ("t3", "t4")


def test_who_is_off_from_the_beginning_is_asked_with_the_last() -> None:
    off = all_say(PLAN, None)["t1"]._replace(at=NOW - HERE_MS)
    first = follow(PLAN, {**all_say(PLAN, None), "t1": off}, NOW)
    assert first.ask == ("t2",)
    second = settled(first.plan, NOW + 60_000, t1=off)
    assert second.ask == ("t3", "t4", "t5")
    assert settled(second.plan, NOW + 200_000, t1=off).ask == ("t1", "t6", "t7")


def test_one_that_goes_back_stops_it_and_who_has_not_switched_is_left_alone() -> None:
    first = follow(PLAN, all_say(PLAN, None), NOW).plan
    second = settled(first, NOW).plan
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
