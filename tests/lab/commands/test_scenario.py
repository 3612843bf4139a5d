"""`tablectl scenario`: one JSON object a case on standard output, the count on standard error, the status as told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from controller.commands import main

ROUND: dict[str, Any] = {
    "id": "w", "rulebook": "melbourne-war", "decks": 6, "config": {"min": 10, "max": 500, "smallest_chip": 2.5},
    "wagers": [{"id": "a", "box": 1, "player": "P1", "type": "main", "amount": 12.5}],
    "cards": ["KH", "9C"],
    "expected": [{"wager": "a", "result": "win", "pays": 12.5, "stake_taken": 0, "stake_returned": 12.5}],
}  # fmt: skip


def scenario(folder: Path, *cases: dict[str, Any], options: tuple[str, ...] = ()) -> Result:
    path = folder / "cases.json"
    path.write_text(json.dumps(list(cases)))
    return CliRunner().invoke(main, ["scenario", str(path), *options])


def other(name: str, **changes: Any) -> dict[str, Any]:
    return {**ROUND, "id": name, **changes}


def at_once(**expected: Any) -> dict[str, Any]:
    return {"id": "v", "rulebook": "melbourne-war", "decks": 6, "steps": [{"do": "expect", **expected}]}


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_cases_come_on_lines_of_their_own_and_the_count_on_the_other_stream(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    result = scenario(tmp_path, ROUND, other("v"), options=options)
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["w", "v"]
    assert result.stderr == "2 of 2 cases came out as expected.\n"
    assert result.exit_code == 0


def test_an_expectation_that_is_not_met_is_told_by_the_status(tmp_path: Path) -> None:
    wrong = other("v", expected=[{"wager": "a", "result": "lose"}])
    result = scenario(tmp_path, ROUND, wrong)
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [True, False]
    assert result.stderr == "1 of 2 cases came out as expected.\n"
    assert result.exit_code == 1


def test_a_case_that_is_wrong_is_told_with_its_place_and_the_others_are_played(tmp_path: Path) -> None:
    result = scenario(tmp_path, other("v", event=[]), ROUND)
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [False, True]
    assert "cases.json: v: 'event' means nothing here; did you mean 'events'?" in result.stderr
    assert result.stderr.endswith("1 of 2 cases came out as expected, 1 could not be played.\n")
    assert result.exit_code == 2


def test_a_case_that_is_asked_for_and_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    result = scenario(tmp_path, other("mel-01"), options=("--case", "mel-10"))
    assert result.exit_code == 2
    assert "no case 'mel-10'; did you mean 'mel-01'?" in result.stderr


def test_the_words_of_a_game_are_printed() -> None:
    result = CliRunner().invoke(main, ["scenario", "--words", "war"])
    assert result.exit_code == 0
    assert "  war_card_without_wager: A war card was dealt to a box where nobody is at war." in result.stdout
    assert "      offered (an amount above nothing in dollars, must be told): What is laid first." in result.stdout
    assert "  no_more_bets: No more bets" in result.stdout
    assert "BIG WHEEL" not in result.stdout


def test_the_words_of_all_games_are_printed_where_none_is_named() -> None:
    result = CliRunner().invoke(main, ["scenario", "--words"])
    assert [name for name in ("CASINO WAR", "BIG WHEEL", "CROWN POKER") if name not in result.stdout] == []


def test_without_a_file_it_says_what_to_give() -> None:
    result = CliRunner().invoke(main, ["scenario"])
    assert result.exit_code == 2
    assert "give the path of a scenario file, or --words" in result.stderr


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({**ROUND, "id": "v", "rulebook": "melborne-war"}, "v: 'rulebook': no rulebook 'melborne-war'; did you mean"),
        ({"rulebook": "melbourne-war"}, "case 1: 'id' is missing; give the case a name"),
        (
            other("v", expected=[{"wager": "a", "result": "win", "clauses": ["5.7.11"]}]),
            "v: expected: clauses: melbourne-war has no clause '5.7.11'; did you mean '5.7.1'?",
        ),
        (at_once(state="bettting"), "v: steps 1 (expect): state: there is no 'bettting'; did you mean 'betting'?"),
        (at_once(life="opn"), "v: steps 1 (expect): life: there is no 'opn'; did you mean 'open'?"),
        (at_once(alarms=["astrai"]), "v: steps 1 (expect): there is no alarm 'astrai'; did you mean 'astray'?"),
        (at_once(asked=["wrong_dek"]), "nobody is ever asked about 'wrong_dek'; did you mean 'wrong_deck'?"),
    ],
)
def test_a_name_that_there_is_none_of_fails_its_case_before_it_is_played_and_no_other(
    tmp_path: Path, wrong: dict[str, Any], said: str
) -> None:
    result = scenario(tmp_path, wrong, ROUND)
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [False, True]
    assert said in result.stderr
    assert result.exit_code == 2
