"""Figures by player, dealer, shift and hour."""

from __future__ import annotations

from fractions import Fraction

import pytest

from controller import games
from controller.config.kept import plain
from controller.core.effects import Reversed, Settled, WagerResult
from controller.core.events import Command, SignedIn, Started, Stopped
from controller.journal import row as record
from controller.journal.file import Row
from controller.people import Person
from controller.report import HOUR_MS, Report, report
from controller.report.days import Span
from lab.sim.config import default_config

CARD, OTHER = "P-0a1b2c", "P-ffee00"


def lost(player: str, cents: int, bet: str = "A") -> WagerResult:
    return WagerResult(f"{player}/{bet}", player, bet, "lose", 0, cents, 0, ("3.6.2",))


def won(player: str, cents: int, pays: int, bet: str = "A") -> WagerResult:
    return WagerResult(f"{player}/{bet}", player, bet, "win", pays, 0, cents, ("3.6.1",))


def made(*steps: tuple[int, object, tuple[object, ...]], shifts: tuple[Span, ...] = ()) -> Report:
    rows = [
        Row(seq, at * HOUR_MS, record.encode(record.Record(event, list(effects))), b"")  # type: ignore[arg-type]
        for seq, (at, event, effects) in enumerate(steps, start=1)
    ]
    return report(rows, 0, 24 * HOUR_MS, shifts)


START = (0, Started("test", plain(default_config())), ())


def test_players_are_rated_by_the_pseudonym_of_their_card_and_nobody_else_is() -> None:
    day = made(
        START,
        (1, Stopped(), (Settled(1, "B", (lost(CARD, 500), lost("Ann", 1000), lost(CARD, 300, "B"))),)),
        (2, Stopped(), (Settled(2, "A", (won(CARD, 500, 500), lost(OTHER, 700))),)),
    )
    assert set(day.players) == {CARD, OTHER}
    one = day.players[CARD]
    assert (one.rounds, one.wagers, one.staked, one.won, one.average_bet) == (2, 3, 1300, 300, 433)
    assert (one.first, one.last) == (HOUR_MS, 2 * HOUR_MS)


def test_the_theoretical_win_is_the_exact_edge_of_what_was_staked() -> None:
    exact = games.find("wheel").expectations(default_config())
    day = made(START, (1, Stopped(), (Settled(1, "B", (lost("Ann", 5200), won("Bob", 2600, 7800, "B"))),)))
    assert day.theoretical_win == round(-exact["A"] * 5200 - exact["B"] * 2600)
    back = WagerResult("Ann/A", "Ann", "A", "returned", 0, 0, 5200, ("9.3",))
    day = made(
        START,
        (1, Stopped(), (Settled(1, "B", (lost("Ann", 5200),)),)),
        (2, Stopped(), (Reversed(1, (back,), ("9.3",)),)),
    )
    assert (day.theoretical_win, day.won, day.average_bet) == (0, 0, 0)


@pytest.mark.parametrize("game", ["wheel", "war"])
def test_what_a_table_expects_is_what_its_rulebook_counts_out(game: str) -> None:
    config = default_config(game)
    known = {edge.expectation for edge in games.find(game).edges(config.table.rulebook)} | {Fraction(0)}
    found = games.find(game).expectations(config)
    assert found
    assert set(found.values()) <= known
    assert set(games.find(game).bets(config)) <= set(found)


def test_a_dealers_figures_are_those_of_the_rounds_they_dealt() -> None:
    day = made(
        START,
        (1, SignedIn("dealer", Person("D1", 1)), ()),
        (1, Stopped(), (Settled(1, "B", (lost("Ann", 500),)),)),
        (2, Command("spin", Person("D2", 1)), ()),
        (2, Command("limits", Person("M1", 3)), ()),
        (2, Stopped(), (Settled(2, "B", (lost("Ann", 700),)),)),
        (3, Stopped(), (Settled(3, "B", (lost("Ann", 100),)),)),
    )
    assert {who: (one.rounds, one.won) for who, one in day.dealers.items()} == {"D1": (1, 500), "D2": (2, 800)}


def test_a_shift_has_the_rounds_of_its_hours_and_heads_are_counted() -> None:
    shifts = (Span(0, 8 * HOUR_MS), Span(8 * HOUR_MS, 24 * HOUR_MS))
    day = made(
        START,
        (7, Stopped(), (Settled(1, "B", (lost("Ann", 500), lost("Bob", 500))),)),
        (8, Stopped(), (Settled(2, "B", (lost("Ann", 700),)),)),
        (8, Stopped(), (Settled(3, "B", (lost("Cy", 700), lost("Cy", 100, "B"))),)),
        shifts=shifts,
    )
    assert [(one.played.rounds, one.played.won) for one in day.shifts] == [(1, 1000), (2, 1500)]
    assert day.heads == {7 * HOUR_MS: 2, 8 * HOUR_MS: 2}
    assert day.headcount == pytest.approx(4 / 3)


def test_a_round_that_is_settled_in_steps_counts_once() -> None:
    day = made(
        START,
        (1, Stopped(), (Settled(1, "interim", (lost(CARD, 500),)),)),
        (1, Stopped(), (Settled(1, "final", (lost(CARD, 300, "B"), lost("Ann", 100))),)),
    )
    assert (day.rounds, day.players[CARD].rounds, day.headcount) == (1, 1, 2)
