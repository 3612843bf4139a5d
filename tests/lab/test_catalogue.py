"""The catalogue lists every text that is declared, and the page on alarms is what the declarations say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from controller.core.alarms import placeholders
from controller.report import alarm_kinds, counted_as
from lab import catalogue, page_words
from lab.commands.words import words
from tests import ROOT

LABEL = {"key": 1, "Answer": 1, "Ask": 2}
"""Where the words stand in what declares a key, an answer, or something to be told with them."""


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    return catalogue.texts()


def in_the_source(tree: ast.Module) -> Iterator[str]:
    """Texts of declarations as they are written, found without loading anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            labels = [keyword.value for keyword in node.keywords if keyword.arg == "label"]
            labels += node.args[LABEL[name] : LABEL[name] + 1] if name in LABEL else []
            yield from (one.value for one in labels if isinstance(one, ast.Constant) and isinstance(one.value, str))
        elif isinstance(node, ast.ClassDef):
            assigned = {
                target.id: one.value
                for one in node.body
                if isinstance(one, ast.Assign)
                for target in one.targets
                if isinstance(target, ast.Name)
            }
            if "remedy" in assigned:
                yield from (ast.literal_eval(assigned[name]) for name in ("text", "remedy"))


def test_every_text_of_a_declaration_is_listed(texts: dict[str, list[str]]) -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), text)
        for path in sorted((ROOT / "controller").rglob("*.py"))
        for text in in_the_source(ast.parse(path.read_text(encoding="utf-8")))
        if text
    }
    assert len(found) > 200
    assert {one for one in found if one[1] not in texts} == set()


def test_a_text_says_where_it_stands_and_what_is_filled_in(texts: dict[str, list[str]]) -> None:
    late = "After “no more bets”: {changes}."
    assert texts[late] == ["alarm wheel.late_change"]
    entry = f'#. alarm wheel.late_change\n#. filled in: changes\n#, python-brace-format\nmsgid "{late}"\nmsgstr ""\n'
    assert entry in catalogue.pot()


def test_every_text_is_one_entry_and_every_placeholder_has_a_name(texts: dict[str, list[str]]) -> None:
    lines = catalogue.pot().splitlines()
    assert sum(line.startswith("msgid ") for line in lines) == len(catalogue.all_texts()) + 1
    assert all(name.isidentifier() for text in texts if "{" in text for name in placeholders(text))


def test_the_page_on_alarms_is_what_is_declared() -> None:
    page = (ROOT / "docs" / "alarms.md").read_text(encoding="utf-8")
    assert page == catalogue.alarms_page(), "write it anew: tablectl words --alarms > docs/alarms.md"


def test_the_command_prints_either() -> None:
    assert CliRunner().invoke(words).output == catalogue.pot()
    assert CliRunner().invoke(words, ["--alarms"]).output == catalogue.alarms_page()


def test_alarms_of_a_kind_count_together_in_the_report_whatever_each_is_about() -> None:
    """But for those of devices, which count for the place that they are about."""
    for table in catalogue.tables():
        known = alarm_kinds(table.game.name)
        kinds = [kind for alarms, _ in table.alarms() for kind in alarms]
        apart = {kind.code for kind in kinds if counted_as(kind.coded(7), known) != counted_as(kind.coded(8), known)}
        assert apart == {"not_identified", "down", "refused", "trouble"}
    assert counted_as("chips:down", {"down", "chips"}, {"chips"}) == "chips:down"


def test_a_language_leaves_nothing_in_english_and_fills_the_same_gaps() -> None:
    assert catalogue.wrong_in("zh") == {}, "tablectl words --language zh --wrong lists them"


def test_what_a_hand_refuses_with_is_listed_as_people_are_told_it() -> None:
    source = """def f():\n    raise Refusal("8.7", f"no hand can be shown while {state}")"""
    assert list(page_words.bare_refusals(ast.parse(source))) == ["No hand can be shown while {0}."]
    assert "No hand can be shown while {0}." in catalogue.all_texts()


def test_how_a_refusal_says_where_a_machine_stands_is_listed(texts: dict[str, list[str]]) -> None:
    assert texts["the flop is being dealt"] == ["while poker.flop"]


def test_what_pages_write_and_what_the_table_makes_up_is_listed_and_what_programs_read_is_not() -> None:
    page = (
        'h("a", { class: "key small", "aria-label": "Step back" }, `${at + 1} of ${rows.length}`, on ? "Sign in" : "")'
    )
    assert list(page_words.literals(page)) == ["Step back", "{0} of {1}", "Sign in"]
    source = """def f():\n    "A sentence for readers."\n    raise Refusal("x", f"Seat {n} is taken.")"""
    assert list(page_words.sentences(ast.parse(source))) == ["Seat {0} is taken."]
