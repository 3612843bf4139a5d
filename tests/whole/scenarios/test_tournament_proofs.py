"""Every worked case of a tournament has its proof: as a scenario of whole tables, or by tests that are named here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lab.scenarios.file import read_cases
from tests import ROOT

HERE = Path(__file__).parent
ALL = {
    *(f"tw-{number:02}" for number in range(1, 30)), *(f"tb-{number:02}" for number in range(1, 11)),
    *(f"tp-{number:02}" for number in range(1, 15)), "tn-01", "tn-02",
}  # fmt: skip
PLAYED = {case.id for name in ("tournament-worked.json", "tournament.json") for case in read_cases(HERE / name)}
"""Played by whole tables, a floor and a hall, and held against what the case expects."""
BESIDE = {
    "tp-06": (
        ("tests/controller/tournament/test_session_poker.py",
         "test_tp_06_a_moved_player_is_let_go_after_the_hand_and_dealt_in_on_the_button"),
        ("tests/floor/hall/test_hall.py",
         "test_tp_06_a_player_is_moved_with_a_ticket_ordered_by_hdd_and_counted_at_both_ends"),
    ),
    "tp-07": (
        ("tests/controller/tournament/test_ticket.py",
         "test_tp_07_a_ticket_is_known_by_the_seal_of_the_table_that_let_go"),
        ("tests/controller/tournament/test_session_poker.py",
         "test_tp_07_chips_that_differ_from_the_ticket_wait_for_the_director"),
        ("tests/floor/hall/test_hall.py",
         "test_tp_07_a_count_that_differs_from_the_ticket_is_told_and_what_the_director_takes_in_is_what_counts"),
    ),
    "tp-14": (
        ("tests/controller/games/poker/test_seating.py",
         "test_a_chip_runner_books_money_and_seats_out_of_a_bank_of_their_own"),
        ("tests/controller/games/poker/test_seating.py",
         "test_a_chip_runner_answers_nothing_and_neither_opens_nor_closes"),
    ),
}  # fmt: skip
"""What is proved, or proved further, without whole tables.

Of tp-07 no table asks for a ticket's code: one without a line to the hall takes nobody in.
"""


def test_every_worked_case_is_played_or_proved_by_tests_that_are_there() -> None:
    assert len(ALL) == 55
    assert PLAYED | BESIDE.keys() == ALL
    assert BESIDE.keys() - PLAYED == {"tp-07", "tp-14"}


@pytest.mark.parametrize(("path", "name"), [one for tests in BESIDE.values() for one in tests])
def test_a_test_that_is_named_as_a_proof_is_there(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    assert name in {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
