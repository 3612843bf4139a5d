"""The index of clauses that everything else is traced to."""

from __future__ import annotations

import pytest

from controller.rules import clauses
from controller.rules.clauses import ClauseIndexError, UnknownRulebook, read_index

HEAD = "clause,role,does,code\n"


@pytest.mark.parametrize(
    ("rulebook", "count"),
    [
        ("melbourne-wheel", 237),
        ("melbourne-poker", 370),
        ("melbourne-war", 207),
        ("perth-war", 129),
        ("star-war", 235),
    ],
)
def test_every_clause_of_every_rulebook_is_indexed(rulebook: str, count: int) -> None:
    assert len(clauses.clauses(rulebook)) == count


@pytest.mark.parametrize("rulebook", clauses.rulebooks())
def test_the_code_named_in_the_index_imports(rulebook: str) -> None:
    assert clauses.broken_code(rulebook) == []


def test_clauses_are_found_as_the_documents_print_them() -> None:
    assert clauses.exists("melbourne-wheel", "2.1.3[unlettered item after (m)]")
    assert clauses.exists("melbourne-wheel", "6.1 Option 3 Symbol N")
    assert clauses.exists("melbourne-wheel", "footnote 1 s 66(2)")
    assert not clauses.exists("melbourne-wheel", "10.1")
    assert not clauses.exists("darwin-wheel", "2.1")
    assert clauses.find("melbourne-wheel", "9.5").role == "enforce"


def test_a_rulebook_that_is_not_indexed_is_told_with_those_that_are() -> None:
    with pytest.raises(UnknownRulebook, match="no rulebook 'darwin-wheel'; there are melbourne-poker"):
        clauses.clauses("darwin-wheel")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clause,role,does\n", "x.csv:1: the columns must be"),
        (HEAD + "1.1,enforce,,\n", "x.csv:2: clause, role and what the controller does"),
        (HEAD + "1.1,enforce,a\n", "x.csv:2: clause, role and what the controller does"),
        (HEAD + "1.1,enforce,a,b,c\n", "x.csv:2: clause, role and what the controller does"),
        (HEAD + "1.1,obey,a,\n", "x.csv:2: role 'obey' is none of enforce"),
        (HEAD + "1.1,enforce,a,\n1.1,none,b,\n", "x.csv:3: clause '1.1' stands there twice"),
        (HEAD + "1.1,later,a,controller.core.table\n", "x.csv:2: clause '1.1' is for later, so it names no code"),
    ],
)
def test_a_wrong_index_is_refused_at_its_line(text: str, message: str) -> None:
    with pytest.raises(ClauseIndexError) as caught:
        read_index("x", text)
    assert str(caught.value).startswith(message)


def test_code_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    index = read_index(
        "x",
        HEAD + "1,enforce,a,controller.rules.clauses.find\n"
        "2,enforce,a,controller.rules.clauses.lose controller.nowhere.find\n"
        "3,enforce,a,controller.rules.clauses.Clause.role\n",
    )
    monkeypatch.setattr(clauses, "clauses", lambda _: index)
    assert clauses.broken_code("x") == [
        "x 2: there is no code 'controller.rules.clauses.lose'",
        "x 2: there is no code 'controller.nowhere.find'",
    ]


CHAPTER = '[[chapters]]\nrulebook = "x"\nabout = "a"\nbegins = "1.1"\nclauses = [{}]\nreason = "b"\n'


def test_every_clause_for_later_has_its_reason_once() -> None:
    index = read_index("x", HEAD + "1.1,later,a,\n1.2,later,a,\n1.3,none,a,\n2.1,enforce,a,\n")
    (chapter,) = clauses.read_later("x", CHAPTER.format('"1."'), index)
    assert [clause.clause for clause in index if chapter.holds(clause.clause)] == ["1.1", "1.2", "1.3"]
    with pytest.raises(ClauseIndexError, match=r"x 1\.2: is for later and stands in 0 chapters"):
        clauses.read_later("x", CHAPTER.format('"1.1"'), index)
    with pytest.raises(ClauseIndexError, match=r"x 1\.1: is for later and stands in 2 chapters"):
        clauses.read_later("x", CHAPTER.format('"1."') * 2, index)
    with pytest.raises(ClauseIndexError, match=r"x 2\.1: is kept, yet later\.toml holds it"):
        clauses.read_later("x", CHAPTER.format('"1.", "2."'), index)


@pytest.mark.parametrize("rulebook", clauses.rulebooks())
def test_what_is_for_later_is_told_chapter_by_chapter(rulebook: str) -> None:
    held = sum(clause.role == "later" for clause in clauses.clauses(rulebook))
    assert bool(held) == bool(clauses.later(rulebook))
