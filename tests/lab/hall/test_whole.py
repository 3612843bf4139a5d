"""Whole events on whole tables: controllers, journals, a floor's store and signed orders, with kills and cut lines."""

from __future__ import annotations

import re

import pytest

from controller.uplink.orders import heard_in
from floor.hall import acts
from lab.hall.event import DIRECTOR
from lab.hall.harm import Harm
from lab.hall.terms import terms_for
from lab.hall.whole import WholeEvent


def short(game: str, tables: int, entrants: int, rounds: int = 3) -> str:
    """Terms of an event with few rounds a session."""
    text = terms_for(game, tables, entrants)
    for stated in ("rounds = 20", "rounds = 15"):
        text = text.replace(stated, f"rounds = {rounds}")
    return text


def event_of(folder, game="war", tables=1, entrants=3, rounds=3, seed=2) -> WholeEvent:
    return WholeEvent(short(game, tables, entrants, rounds), entrants, folder, seed)


def test_an_event_is_played_by_whole_controllers_whose_journals_hold_every_order_as_the_floor_signed_it(tmp_path):
    event = event_of(tmp_path)
    event.run()
    assert event.wrong() == []
    assert sorted(event.hall.state.places.values()) == [1, 2, 3]
    assert sum(event.hall.state.prizes.values()) == event.hall.state.pool > 0
    table = event.tables["CW-1"]
    listed = list(heard_in(table.runtime.journal, event.house.witness))
    assert [one.kind.removeprefix("tournament_") for one in listed] == ["designate", "roster", "roster", "release"]
    assert all(one.signed and one.answer == "carried out" for one in listed)
    assert table.runtime.table.state.life == "closed"
    event.house.close()


@pytest.mark.parametrize(
    ("game", "tables", "entrants"),
    [("war", 1, 2), ("war", 3, 2), ("war", 4, 7), ("wheel", 1, 2), ("wheel", 2, 3), ("poker", 1, 2), ("poker", 2, 2),
     ("poker", 3, 2), ("poker", 3, 5)],
)  # fmt: skip
def test_an_event_of_any_size_ends_also_where_all_go_on_or_each_sits_alone_at_a_table(
    tmp_path, game, tables, entrants
) -> None:
    text = short(game, tables, entrants)
    if game == "poker":  # everybody is all in within a hand or two
        text = re.sub(
            r"levels = \[\[.*", "levels = [[5000, 10000]]", text.replace("breaks = [{ after = 3, minutes = 10 }]", "")
        )
        text = text.replace("until_level = 3", "until_level = 1")
    event = WholeEvent(text, entrants, tmp_path, 1, rebuys=0.0)
    event.run()
    assert event.wrong() == []
    assert sorted(event.hall.state.places)[:2] == ["1", "2"]
    assert len(event.hall.state.places) == entrants
    event.house.close()


@pytest.mark.parametrize("seed", [1, 4])
def test_kills_of_controllers_and_hall_and_cut_lines_cost_no_unit_and_no_row(tmp_path, seed) -> None:
    event = event_of(tmp_path, tables=2, entrants=6, rounds=6, seed=seed)
    harm = event.seen = Harm(seed, 30)
    event.run()
    assert event.wrong() == []
    assert harm.tables + harm.halls + harm.cuts == 30
    assert min(harm.tables, harm.halls, harm.cuts) > 0
    assert harm.missing() == []
    event.house.close()


def test_harm_that_could_not_be_done_is_told(tmp_path) -> None:
    event = event_of(tmp_path)
    harm = Harm(1, 3)
    event.begin()
    event.house.close()
    assert harm.missing() == ["3 more were to go wrong, and the event was over before"]


@pytest.mark.clause("melbourne-war", "10.4.3(a)(i)", "10.2.3")
def test_a_table_with_its_roster_finishes_its_session_alone_and_the_hall_takes_each_row_once(tmp_path) -> None:
    """Case tw-23, played."""
    event = event_of(tmp_path)
    table = event.tables["CW-1"]
    event.begin()
    event.until(lambda: table.session.state.scored == 1)
    table.connected = False
    heard = len(event.house.heard(table))
    event.until(lambda: table.phase == "waiting", 3600)
    assert event.hall.state.phase == "running"
    assert len(event.house.heard(table)) == heard
    table.connected = True
    event.until(lambda: event.hall.state.phase == "between", 60)
    assert event.house.heard(table) == event.house.about_the_event(table)
    assert {number: event.hall.entrant(number).bank for number in ("1", "2", "3")} == dict(
        table.session.state.ledger.banks
    )
    event.house.close()


def test_what_no_table_answered_is_sent_again_after_a_restart_of_the_hall_beyond_the_age_of_an_order(tmp_path) -> None:
    event = event_of(tmp_path)
    table = event.tables["CW-1"]
    event.house.start()
    event.clock.run_for(5.0)
    table.connected = False
    event.papers()
    event.clock.run_for(400.0)
    event.house.kill_hall()
    event.clock.run_for(400.0)
    table.connected = True
    event.until(lambda: event.hall.table("CW-1").designated, 60)
    event.clock.run_for(120.0)
    assert event.house.service.work.pending == {}
    assert event.hall.state.alarms == {}
    assert [one.kind for one in heard_in(table.runtime.journal, event.house.witness)] == ["tournament_designate"]
    event.house.close()


def test_an_order_that_a_table_had_before_is_answered_and_changes_nothing(tmp_path) -> None:
    event = event_of(tmp_path)
    event.house.start()
    event.clock.run_for(5.0)
    event.papers()
    order = next(iter(event.house.service.work.pending.values()))
    event.until(lambda: event.hall.table("CW-1").designated, 60)
    event.house.service._send(order)
    event.clock.run_for(10.0)
    answers = [one.answer for one in heard_in(event.tables["CW-1"].runtime.journal, event.house.witness)]
    assert answers[0] == "carried out"
    assert "was heard before" in answers[1]
    assert event.hall.state.alarms == {}
    event.house.close()


def test_on_an_old_copy_of_the_halls_journal_nothing_is_done_and_nothing_is_sent(tmp_path) -> None:
    event = event_of(tmp_path)
    event.house.start()
    event.clock.run_for(5.0)
    event.papers()
    event.house.service.close()
    kept = {path: path.read_bytes() for path in tmp_path.glob("hall.journal*")}
    event.house.open_hall()
    event.until(lambda: event.hall.table("CW-1").designated, 60)
    event.clock.run_for(600.0)
    event.must(acts.Draw("5eed" * 16))
    event.must(acts.Brief())
    event.must(acts.StartSession())
    event.until(lambda: event.tables["CW-1"].phase == "playing", 600)
    event.house.service.close()
    for path in tmp_path.glob("hall.journal*"):
        path.unlink()
    for path, octets in kept.items():
        path.write_bytes(octets)
    event.house.open_hall()
    orders = event.house.orders
    event.clock.run_for(60.0)
    refused = event.house.service.act("draw", {"entropy": ""}, DIRECTOR)
    assert not refused.ok
    assert "it is an old copy; restore the newest one before anything is done here" in refused.text
    assert event.house.orders == orders
    event.until(lambda: event.tables["CW-1"].phase == "waiting", 3600)  # the table plays on
    event.house.close()


@pytest.mark.clause("melbourne-war", "10.2.4", "10.2.5")
def test_what_a_table_refused_is_ordered_again_once_it_can_be_done(tmp_path) -> None:
    event = event_of(tmp_path)
    table = event.tables["CW-1"]
    event.house.start()
    event.clock.run_for(5.0)
    table.crew.screen.press("open", 1)
    event.papers()
    event.until(lambda: bool(event.hall.state.alarms), 60)
    assert "close it before it is used for a tournament" in next(iter(event.hall.state.alarms.values()))
    assert not event.do(acts.OrderAgain("CW-9")).ok
    table.crew.screen.press("close", 4)
    event.must(acts.OrderAgain("CW-1"))
    event.until(lambda: event.hall.table("CW-1").designated, 60)
    assert event.hall.state.alarms == {}
    assert not event.do(acts.OrderAgain("CW-1")).ok
    event.house.close()


def test_poker_tables_move_players_break_up_and_end_with_one_winner_and_every_unit(tmp_path) -> None:
    text = short("poker", 2, 5).replace("seats = 9", "seats = 4").replace("units = 10000", "units = 2000")
    event = WholeEvent(text, 5, tmp_path, 3, rebuys=0.1)
    event.run()
    assert event.wrong() == []
    assert event.hall.state.tickets
    assert event.hall.state.broken
    event.house.close()


def test_at_the_wheel_everybody_plays_a_colour_of_their_own_and_every_count_is_the_ledgers(tmp_path) -> None:
    event = event_of(tmp_path, "wheel")
    event.run()
    assert event.wrong() == []
    assert sorted(event.hall.state.places.values()) == [1, 2, 3]
    event.house.close()
