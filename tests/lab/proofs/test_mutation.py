"""Breaking rules on purpose: what is changed, that nothing else is, and that a weak test is found out."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.rules import clauses
from lab.proofs.mutation.campaign import KNOWN, Candidate, Trial, known_equivalents, sampled
from lab.proofs.mutation.changes import changes
from lab.proofs.mutation.targets import targets
from lab.proofs.mutation.values import value_changes
from tests import ROOT


def neighbours(source: str) -> dict[str, Any]:
    """Every neighbour of the one function in the source, by its text, ready to be called."""
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    before = ast.unparse(function)
    found = {one.text: FunctionType(one.code, {"min": min, "max": max}) for one in changes(function, (), "made.py")}
    assert ast.unparse(function) == before
    return found


def test_a_limit_is_moved_by_one_left_out_and_turned_round() -> None:
    found = neighbours("def fits(amount):\n    if amount > 10:\n        return False\n    return True\n")
    assert set(found) == {
        "the whole function does nothing",
        "if amount > 10 → always",
        "if amount > 10 → never",
        "amount > 10 → amount >= 10",
        "10 → 11 in 'if amount > 10:'",
        "10 → 9 in 'if amount > 10:'",
        "False → True in 'return False'",
        "True → False in 'return True'",
    }
    assert found["amount > 10 → amount >= 10"](10) is False
    assert found["if amount > 10 → never"](99) is True
    assert found["the whole function does nothing"](99) is None


def test_each_part_of_a_condition_is_left_out_in_turn() -> None:
    found = neighbours("def may(rank, seated):\n    return rank >= 2 and seated\n")
    assert found["rank >= 2 and seated → seated"](0, True) is True
    assert found["rank >= 2 and seated → rank >= 2"](2, False) is True
    assert found["rank >= 2 → rank < 2"](1, True) is True


def test_sums_choices_and_what_is_kept_in_a_list_are_changed() -> None:
    found = neighbours("def pay(due, chips):\n    return [min(due, one) - 1 for one in chips if one]\n")
    assert found["min → max in 'return [min(due, one) - 1 for one in chips if one]'"](5, [7]) == [6]
    assert found["min(due, one) - 1 → min(due, one) + 1"](5, [7]) == [6]
    assert found["for one in chips if one: without 'if one'"](5, [0]) == [-1]


def test_words_for_people_and_the_end_of_a_function_are_left_alone() -> None:
    found = neighbours('def tell(n):\n    """Say 3."""\n    if n:\n        print(f"{n + 1} to go")\n    return None\n')
    assert not any("1" in text.replace("n + 1", "") or "return None" in text for text in found)


@pytest.mark.parametrize("rulebook", clauses.rulebooks())
def test_every_rule_function_of_the_index_can_be_changed(rulebook: str) -> None:
    found = targets((rulebook,), ("controller.games",))
    assert len(found) > 20
    assert all(target.clauses for target in found)
    named = {code for clause in clauses.clauses(rulebook) for code in clause.code}
    assert any(target.name not in named for target in found), "what a named function calls on belongs to it"


def test_every_kind_of_value_of_a_rulebook_has_a_neighbour() -> None:
    found = {(change.name, change.text) for change in value_changes("star-war")}
    assert ("odds.tie", "10 → 11") in found
    assert ("odds.tie", "10 → 9") in found
    assert ("wagers.tie_alone", "False → True") in found
    assert ("limits.half", "return_up → keep_down") in found
    assert ("powers.review.rank", "AGM → GS") in found
    assert ("powers.review.rank", "AGM → GM") in found
    assert ("cards.decks.0", "6 left out") in found
    assert ("cites.interim.1", "8.1.2 left out") in found
    assert not any(name.startswith(("readings", "rulebook")) for name, _ in found)
    assert ("spin.dead_band", "0.10 → 0.11") in {(one.name, one.text) for one in value_changes("melbourne-wheel")}


def test_every_change_that_is_said_to_matter_to_nobody_has_a_reason_and_still_occurs() -> None:
    known = known_equivalents()
    assert all(one.why.strip() for one in known)
    assert len({(one.where, one.change) for one in known}) == len(known)
    there = {
        (target.name, change.text)
        for target in targets(clauses.rulebooks(), ("controller", "drivers"))
        if any(one.where == target.name for one in known)
        for change in target.changes()
    }
    there |= {(f"{book}.toml {one.name}", one.text) for book in clauses.rulebooks() for one in value_changes(book)}
    assert [one for one in known if (one.where, one.change) not in there] == [], f"take these out of {KNOWN.name}"


def mutate(*args: str) -> tuple[int, list[dict[str, Any]], str]:
    """Run the command as an engineer does; status, the trials, and what it said beside them."""
    ended = subprocess.run(
        [sys.executable, "-c", "from controller.commands import main; main()", "rules", "mutate", "--json", *args],
        cwd=ROOT, capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return ended.returncode, [json.loads(line) for line in ended.stdout.splitlines()], ended.stderr


WEAK = """
import pytest
from controller.games.wheel.seats import *
from controller.games.wheel.settle import *
from controller.core.desk import Limits
from controller.games.wheel.rules import wheel_rules

@pytest.mark.clause("melbourne-wheel", "9.5")
def test_weak():
    refund([Wager("Ann", "D", 1000)], ())

@pytest.mark.clause("melbourne-wheel", "4.2.2")
def test_strong():
    option = wheel_rules().option(1)
    (result,) = settle(option, "D", [Wager("Ann", "D", 2000)], lambda *_: Limits(500, 1000, 500, 250)).results
    assert (result.pays, result.stake_returned) == (11000, 2000)
"""


def test_a_test_that_would_pass_with_its_rule_broken_is_found_out_and_no_file_is_touched(tmp_path: Path) -> None:
    (tmp_path / "test_weak.py").write_text(WEAK, encoding="utf-8")
    file = ROOT / "controller" / "games" / "wheel" / "settle.py"
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    where = ("--within", "controller.games.wheel.settle.refund", "--within", "controller.games.wheel.settle._decide")
    status, told, said = mutate("melbourne-wheel", "--no-values", *where, "--tests", str(tmp_path))
    *trials, last = told
    assert status == 1, said
    verdicts = {(one["where"].rpartition(".")[2], one["change"]): one for one in trials}
    weak = verdicts["refund", "return tuple((_back(wager, 'returned', clauses) for wager in wagers)) → return None"]
    assert (weak["verdict"], weak["clauses"]) == ("survived", [["melbourne-wheel", "9.5"]])
    strong = verdicts["_decide", "min → max in 'counted = min(wager.cents, limits.most)'"]
    assert strong["verdict"] == "noticed"
    assert strong["by"].endswith("::test_strong")
    lost = [one["verdict"] for (_, change), one in verdicts.items() if "'lose'" in change]
    assert lost
    assert set(lost) == {"unreached"}
    assert sum(last["counts"].values()) == 2 * len(trials) == 2 * last["counts"]["changes"]
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before


VALUES = """
import pytest
from controller.games.war.rules import war_rules
from controller.rules.rulebook import load_rulebook

HELD = war_rules("star-war")

@pytest.mark.clause("star-war", "8.1.2")
def test_odds():
    assert (HELD.odds.tie, war_rules("star-war").odds.tie) == (10, 10)

@pytest.mark.guards("star-war")
def test_guard():
    assert load_rulebook("star-war").powers["review"].rank == "AGM"
"""


def test_a_changed_value_reaches_tests_that_hold_the_rulebook_already_and_some_are_refused(tmp_path: Path) -> None:
    (tmp_path / "test_values.py").write_text(VALUES, encoding="utf-8")
    some = ("--within", "odds.tie", "--within", "odds.main", "--within", "powers.review")
    status, told, said = mutate("star-war", "--no-functions", *some, "--tests", str(tmp_path))
    *trials, last = told
    assert status == 1, said
    found = {(one["where"], one["change"]): one["verdict"] for one in trials}
    assert found["star-war.toml odds.tie", "10 → 11"] == "noticed"
    assert found["star-war.toml powers.review.rank", "AGM → GS"] == "elsewhere"
    assert found["star-war.toml odds.main", "1 → 0"] == "refused"
    assert found["star-war.toml odds.main", "1 → 2"] == "survived"
    assert last["counts"]["changes"] == len(trials) == 7


def test_a_sample_is_the_same_for_the_same_seed_and_wrong_words_are_told(tmp_path: Path) -> None:
    every = [Candidate(Trial("", "", line, "", ()), str, ()) for line in range(100)]
    some = [one.trial.line for one in sampled(every, 10, 7)]
    assert some == [one.trial.line for one in sampled(every, 10, 7)] == sorted(some)
    assert some != [one.trial.line for one in sampled(every, 10, 8)]
    assert sampled(every, None, 7) == sampled(every, 100, 7) == every
    told = CliRunner().invoke(main, ["rules", "mutate", "darwin-war"])
    assert told.exit_code == 2
    assert "no rulebook 'darwin-war'" in told.output
    told = CliRunner().invoke(main, ["rules", "mutate", "--tests", str(tmp_path / "nothing")])
    assert told.exit_code == 1
    assert "there are no tests" in told.output
