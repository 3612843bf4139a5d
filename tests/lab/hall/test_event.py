"""Whole events that play themselves: they end, and every unit and dollar is accounted for, kills included."""

from __future__ import annotations

import itertools
import random
import time

import pytest

from controller.tournament.checks import BadTerms, terms_of
from floor.hall.at_work import HallAtWork
from lab.hall.event import PlayedEvent
from lab.hall.terms import terms_for


def played(tmp_path, game, tables, entrants, seed, **how):
    return PlayedEvent(terms_for(game, tables, entrants), entrants, tmp_path / f"{game}{seed}", seed, **how)


@pytest.mark.parametrize(("game", "tables", "entrants"), [("war", 3, 18), ("wheel", 2, 12), ("poker", 3, 24)])
def test_an_event_plays_itself_from_its_terms_to_its_prizes(tmp_path, game, tables, entrants) -> None:
    event = played(tmp_path, game, tables, entrants, 3)
    event.run()
    state = event.hall.state
    assert state.phase == "over"
    assert len(state.places) == entrants
    assert sum(state.prizes.values()) == state.pool > 0
    assert min(state.places.values()) == 1
    assert state.alarms == {}
    assert not any(table.designated for table in state.tables.values())


@pytest.mark.parametrize("seed", range(12))
def test_units_are_conserved_at_every_moment_of_a_random_event_with_moves_re_buys_and_a_hall_that_is_killed(
    tmp_path, seed
) -> None:
    rng = random.Random(seed)
    tables = rng.randrange(1, 6)
    entrants = rng.randrange(2, 9 * tables + 1)
    event = played(tmp_path, "poker", tables, entrants, seed, rebuys=rng.random())
    kills = rng.sample(range(1, 400), 3)
    moments = 0

    def look(event: PlayedEvent) -> None:
        nonlocal moments
        moments += 1
        assert event.conserved()
        if moments in kills:
            kill(event)

    event.seen = look
    event.run()
    rebuys = sum(one.rebuys for one in event.hall.state.entrants.values())
    assert event.hall.state.issued == 10_000 * (entrants + rebuys)
    assert sum(table.ledger for table in event.hall.state.tables.values()) == event.hall.state.issued
    assert event.hall.state.in_transit == 0


def kill(event: PlayedEvent) -> None:
    """The hall's process ends and another opens its journal."""
    before = event.hall.state
    path = event.work.journal.path
    event.work.close()
    event.work = HallAtWork(path, lambda: event.at, event._carry, durable=False)
    assert event.hall.state == before


def test_three_hundred_entrants_on_thirty_four_tables_end_with_one_winner_and_every_place_told_apart(tmp_path) -> None:
    event, began = played(tmp_path, "poker", 34, 300, 1), time.process_time()
    event.run()
    assert time.process_time() - began < CORE_S
    state = event.hall.state
    assert len(state.places) == 300
    assert len(state.tickets) > 100
    assert [place for place in state.places.values() if place <= 3]
    assert sum(state.prizes.values()) == state.pool


def test_the_same_seed_plays_the_same_event(tmp_path) -> None:
    first, second = (played(tmp_path / name, "poker", 2, 12, 5) for name in made(tmp_path, "a", "b"))
    first.run()
    second.run()
    assert first.hall.state.places == second.hall.state.places
    assert first.work.journal.head().root == second.work.journal.head().root


def made(tmp_path, *names):
    for name in names:
        (tmp_path / name).mkdir()
    return names


@pytest.mark.parametrize(("tables", "entrants", "seed"), [(1, 2, 1), (1, 2, 2), (3, 3, 8)])
def test_an_event_whose_heats_leave_nobody_has_places_and_prizes_all_the_same(tmp_path, tables, entrants, seed) -> None:
    event = played(tmp_path, "war", tables, entrants, seed)
    event.run()
    assert len(event.hall.state.sessions) == 1, "nobody was left for the final"
    assert len(event.hall.state.places) == entrants
    assert sum(event.hall.state.prizes.values()) == event.hall.state.pool


CORE_S = 120.0
"""So long one core may take for a field of three hundred."""
MOST = {"war": 9, "wheel": 10, "poker": 11}


@pytest.mark.parametrize("game", ["war", "wheel", "poker"])
def test_an_event_of_any_size_ends_or_its_terms_say_why_it_cannot_be(tmp_path, game) -> None:
    ended = 0
    for tables, entrants in itertools.product(range(1, 6), range(2, 31)):
        if entrants > MOST[game] * tables:
            with pytest.raises(BadTerms, match=f"up to {entrants} may enter"):
                terms_of(terms_for(game, tables, entrants))
            continue
        event = played(tmp_path / f"{tables}", game, tables, entrants, entrants)
        event.run()
        event.work.close()
        state = event.hall.state
        assert (state.phase, len(state.places), state.alarms) == ("over", entrants, {}), (tables, entrants)
        assert sum(state.prizes.values()) == state.pool > 0
        assert game != "poker" or event.conserved()
        ended += 1
    assert ended > 100
