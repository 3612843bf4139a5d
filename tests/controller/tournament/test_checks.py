"""Terms are refused with everything that is wrong about them at once, each with its clause and a way out."""

from __future__ import annotations

import copy
import functools
import operator
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from controller.config.tomlread import ConfigError
from controller.rules import clauses
from controller.tournament.book import NO_CHAPTER, load_book
from controller.tournament.checks import BadTerms, terms_of, unequal
from controller.tournament.required import REQUIRED
from lab.hall.terms import file_of
from tests.controller.tournament.stated import changed, refused, terms, text, values

RISING = 'compulsory = [[1, 500], [11, 1000, "not before 14:20"]]\n'
SUBSTITUTE = "10.4.2(c) [second sentence]"
CHAPTERS = ("melbourne-war", "melbourne-wheel", "melbourne-poker")


@pytest.mark.parametrize("game", ["war", "wheel", "poker"])
def test_the_examples_that_ship_are_lawful_terms(game) -> None:
    assert refused(game) == ()


@pytest.mark.parametrize("rulebook", CHAPTERS)
def test_every_clause_that_a_refusal_may_name_is_in_the_index(rulebook) -> None:
    book = load_book(rulebook)
    named = [
        *(statement.clause for statement in book.statements.values()),
        *(clause for term in book.game.values() for clause in term.clauses),
        *(clause for found in book.chip_clauses.values() for clause in found),
        *(book.clause(required.clause) for required in REQUIRED),
        *book.sign_clauses,
        *book.secret_clauses,
        book.dispute_clause,
        book.move_clause,
    ]
    assert [clause for clause in named if not clauses.exists(rulebook, clause)] == []


@pytest.mark.parametrize("rulebook", CHAPTERS)
def test_every_sentence_that_the_chapter_asks_of_paper_alone_is_on_the_check_list(rulebook) -> None:
    book = load_book(rulebook)
    paper = ("4.2(a)(i)", "4.2(a)(ii)", "4.2(a)(iii)", "4.2(a)(iv)", "4.2(b)(i)", "4.2(b)(ii)", "4.2(c)",
             "4.8(e)", "4.8(g)", "4.8(i)")  # fmt: skip
    assert {book.clause(ending) for ending in paper} <= {statement.clause for statement in book.statements.values()}


def test_tw_01_terms_without_place_elimination_and_split_are_refused_with_all_three_clauses_at_once() -> None:
    found = refused(
        "war",
        ('place = "Pit 4"\n', ""),
        ('eliminated = "below_compulsory"\n', ""),
        (", split = [50, 30, 20]", ""),
    )
    assert [finding.clauses for finding in found] == [("10.4.1(a)(iv)",), ("10.4.5(a)",), ("10.4.7(b)",)]


@pytest.mark.parametrize("game", ["war", "wheel", "poker"])
def test_whatever_required_line_is_left_out_is_asked_for_with_a_clause(game) -> None:
    said = text(game)
    free = {"title", "event", "signed", "minimum", "maximum", "compulsory", "secret", "markers", "breaks", "same_hand",
            "level_minutes", "seats", "rounds", "until", "rebuy", "rulebook"}  # fmt: skip
    body = said[: said.index("[game]")]
    for line in [one for one in body.splitlines() if re.match(r"\w+ = ", one)]:
        if line.split(" = ")[0] in free:
            continue
        with pytest.raises(BadTerms) as bad:
            terms_of(said.replace(line + "\n", "", 1))
        assert all(finding.clauses for finding in bad.value.findings), line


def test_every_sentence_not_ticked_is_told_with_its_clause() -> None:
    said = text("war")
    found = refused("war", (said[said.index("entry_is_acceptance") :], ""))
    assert len(found) == 16
    assert (
        "statements.liability: the terms do not say: what the house is not liable for (10.4.8(i))" in found[-2].said()
    )


def test_a_sentence_that_must_be_there_is_not_ticked_with_false_but_one_that_need_not_apply_is() -> None:
    (found,) = refused("war", ("privacy = true", "privacy = false"))
    assert found.clauses == ("10.4.8(e)",)
    assert refused("war", ("entry_may_be_refused = true", "entry_may_be_refused = false")) == ()


def test_only_a_charity_or_media_event_needs_the_sentence_about_staff() -> None:
    (found,) = refused("war", ('event = "ordinary"', 'event = "charity"'))
    assert found.about == "statements.staff_entrants"
    assert found.clauses == ("10.4.2(a)(v)",)


def test_tw_22_terms_that_change_the_game_are_refused_each_with_the_rule_it_breaks() -> None:
    said = 'war_stake = "half"\ntie_odds = 9\npersonal_limits = [{ player = "P1", max = 20000 }]\nboxes_per_player = 1'
    found = refused("war", ("boxes_per_player = 1", said))
    assert [(finding.about, finding.clauses, finding.reading) for finding in found] == [
        ("game.war_stake", ("10.4.8(c)", "5.6"), "T-9"),
        ("game.tie_odds", ("10.4.8(c)", "8.1"), "T-9"),
        ("game.personal_limits", ("10.1",), "T-46"),
    ]


def test_odds_stated_as_the_rulebook_has_them_are_no_change_of_the_game() -> None:
    assert refused("war", ("decks = 6", "decks = 6\ntie_odds = 10\nmain_odds = 1")) == ()


def test_a_term_of_the_game_that_nobody_knows_is_refused_and_the_nearest_named() -> None:
    (found,) = refused("war", ("decks = 6", "deks = 6"))
    assert found.remedy == "did you mean 'decks'?"


def test_tb_04_two_tables_of_one_session_with_different_wheels_are_refused() -> None:
    (found,) = unequal(terms("wheel"), {"BW-1": {"option": 1}, "BW-2": {"option": 3}})
    assert found.clauses == ("8.1",)
    assert "BW-1 has option 1, BW-2 option 3" in found.text


def test_tables_that_are_alike_are_equal() -> None:
    assert list(unequal(terms("wheel"), {"BW-1": {"option": 1}, "BW-2": {"option": 1}})) == []


def test_tb_05_a_carried_bank_in_colour_chips_is_refused_a_fresh_one_and_tournament_chips_are_not() -> None:
    carried = ('tables = ["BW-1"]\nrounds = 15\nbank = "fresh"', 'tables = ["BW-1"]\nrounds = 15\nbank = "carry"')
    (found,) = refused("wheel", carried)
    assert (found.about, found.clauses) == ("sessions.2.bank", ("3.1.2(b)", "8.4.8(c)"))
    own = ('{ kind = "colour", unit = 10 }', '{ kind = "tournament", set = "W", values = [10, 50] }')
    assert refused("wheel", carried, own) == ()


def test_tp_04_secret_wagers_are_refused_in_poker() -> None:
    (found,) = refused("poker", ("level_minutes = 20", "level_minutes = 20\nsecret = 1"))
    assert found.clauses == ("12.4.4(c)", "8.8", "1.1 'Table stakes'", "12.4.8(c)")


@pytest.mark.parametrize("rulebook", ["perth-war", "star-war"])
def test_tn_01_tn_02_a_rulebook_without_the_chapter_refuses_whatever_is_said_and_names_no_clause(rulebook) -> None:
    said = f'[tournament]\nrulebook = "{rulebook}"\ntitle = "Promotional Prize Cup"\nany = true\n'
    with pytest.raises(BadTerms) as bad:
        terms_of(said)
    (found,) = bad.value.findings
    assert found.clauses == ()
    assert found.text == NO_CHAPTER == "this rulebook has no tournament play"


@pytest.mark.parametrize(
    ("game", "change", "about", "clause"),
    [
        ("war", ("[6, 27]", "[6, 40]"), "tournament.entrants", "10.4.3(a)(ii)"),
        ("war", ("[6, 27]", "[1, 27]"), "tournament.entrants", "10.4.1(a)(iii)"),
        ("war", ('kind = "tournament"', 'kind = "cash"'), "bank.chips.kind", "10.4.4(a)"),
        ("war", ("units = 10000\nchips", "units = 10050\nchips"), "bank.units", "10.4.3(b)"),
        ("war", ("minimum = 500", "minimum = 6000"), "wagers.minimum", "10.4.4(b)"),
        ("war", ("per_table = 2", "per_table = 4"), "sessions.1.through", "10.4.3(a)(iii)"),
        ("war", ("rounds = 20", "rounds = 20\nminutes = 5"), "sessions.1", "10.4.3(a)(i)"),
        ("war", ("[50, 30, 20]", "[50, 30, 10]"), "result.prizes.split", "10.4.7(b)"),
        ("war", ('{ how = "play_off", rounds = 3 }', '"share"'), "result.ties", "10.4.6(a)"),
        ("war", ('phone = "warning"', 'phone = "shot"'), "conduct.phone", "10.4.8(b)(iii)"),
        ("war", ('"lose 1000"', '"lashes"'), "conduct.penalties.2", "10.4.8(a)(i)"),
        ("war", ("27T18:00", "29T18:00"), "tournament.withdraw.free_until", "10.4.2(c) [second sentence]"),
        ("war", ("27T18:00", "27T25:99"), "tournament.withdraw.free_until", "10.4.2(c) [second sentence]"),
        ("war", ('"draw"', '"25:99"'), "tournament.withdraw.substitute_until", "10.4.2(c) [second sentence]"),
        ("war", ('"draw"', '"2026-11-29T18:00Z"'), "tournament.withdraw.substitute_until", SUBSTITUTE),
        ("war", ("28T14:00", "28T25:99"), "tournament.starts", "10.4.1(a)(i)"),
        ("war", ("not before 14:20", "not before 25:99"), "wagers.compulsory.2.not_before", "10.4.4(b)"),
        ("war", ('tables = ["CW-1", "CW-2"', 'tables = ["../x", "CW-2"'), "sessions.1.tables", "10.4.3(a)(ii)"),
        ("war", ('place = "Pit 4"', 'place = "Pit\\u0000 4"'), "tournament.place", "10.2.1"),
        ("war", ('place = "Pit 4"', f'place = "{"4" * 2001}"'), "tournament.place", "10.2.1"),
        ("poker", ('commission = "nil"', 'commission = "5%"'), "game.commission", "7.4"),
        ("poker", ('rebuy = 200', 'rebuy = "none"'), "again.rebuy", "12.4.1(a)(ii)"),
        ("poker", ("units = 10000, until", "units = 9000, until"), "again.rebuy.units", "12.4.3(b)"),
        ("poker", ("seats = 9", "seats = 12"), "sessions.1.seats", "12.4.8(c)"),
        ("war", ('id = "cup-2026-11"', 'id = "../../x"'), "tournament.id", "10.2.1"),
        ("war", ("pool = 10000", "pool = 0"), "result.prizes.pool", "10.4.7(a)"),
        ("wheel", ("pool = 5000", 'pool = "buy_ins"'), "result.prizes.pool", "8.4.7(a)"),
        ("war", ("[[1, 500]", "[[1, 300]"), "wagers.compulsory.1", "10.4.4(b)"),
        ("war", ("[[1, 500]", "[[1, 0]"), "wagers.compulsory.1", "10.4.4(b)"),
        ("war", ("[11, 1000,", "[11, 500,"), "wagers.compulsory", "10.4.4(b)"),
        ("war", ("not before 14:20", "not before tea"), "wagers.compulsory.2.not_before", "10.4.4(b)"),
        ("war", ("minimum = 500", "minimum = 450"), "wagers.minimum", "10.4.4(b)"),
        ("war", (RISING, ""), "result.eliminated", "10.4.5(a)"),
        ("war", (RISING, ""), "wagers.markers.rebuy.at", "10.4.4(f)"),
        ("war", ("minimum = 500", "minimum = 500\nlevels = [[50, 100]]"), "wagers.levels", "10.4.8(c)"),
        ("war", ('name = "final"', 'name = "heat"'), "sessions.2.name", "10.4.3(a)(i)"),
        ("war", ("{ per_table = 2 }", "{ per_table = 2, overall = 5 }"), "sessions.1.through", "10.4.3(a)(iii)"),
        ("war", ("{ per_table = 2 }", "{ }"), "sessions.1.through", "10.4.3(a)(iii)"),
        ("war", ("rounds = 20", "rounds = 20\nlast_rounds = 21"), "sessions.2.last_rounds", "10.4.3(a)(i)"),
        ("poker", ('eliminated = "stack_zero"', 'eliminated = "none"'), "sessions.1.until", "12.4.3(a)(i)"),
        ("poker", ('eliminated = "stack_zero"', 'eliminated = "none"'), "result.eliminated", "12.4.5(a)"),
        ("poker", ("[50, 100], [100", "[100, 50], [100"), "wagers.levels.1", "12.4.4(b)"),
        ("poker", ("[50, 100], [100", "[60, 100], [100"), "wagers.levels.1", "12.4.4(b)"),
        ("poker", ("after = 3", "after = 7"), "wagers.breaks.1", "12.4.3(a)(i)"),
        ("poker", ("until_level = 3", "until_level = 30"), "again.rebuy.until_level", "12.4.3(a)(iv)"),
        ("poker", ("level_minutes = 20", "level_minutes = 20\ncompulsory = 100"), "wagers.compulsory", "12.4.4(b)"),
        ("wheel", ("secret = 1", "secret = 1\nmarkers = { all_in = 1 }"), "wagers.markers", "8.4.8(c)"),
    ],
)  # fmt: skip
def test_what_does_not_hold_together_is_told_with_its_clause(game, change, about, clause) -> None:
    found = refused(game, change)
    assert about in [finding.about for finding in found]
    assert clause in next(finding for finding in found if finding.about == about).clauses


def test_who_is_lowest_is_told_apart_by_something_else_than_sharing() -> None:
    found = refused("wheel", ('eliminated = "below_compulsory"', "eliminated = { lowest_after = [5] }"),
                    ('{ how = "play_off", rounds = 3 }', '"share"'))  # fmt: skip
    assert ("result.ties", ("8.4.6(a)",), "T-31") in [(one.about, one.clauses, one.reading) for one in found]


RUBBISH: tuple[Any, ...] = (
    "", "none", "../../x", "a\nb", "\x00", "9" * 400, -1, 0, 1, 3, 10**18, True, Decimal("0.5"), Decimal("NaN"), [],
    [0], [[]], [-1, -1], ["x", {}], {}, {"x": 1}, {"how": "play_off"}, {"units": 0, "dollars": 0}, {"pool": -5},
    datetime(2026, 11, 28, 14, tzinfo=UTC), time(14, 20),
)  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a file says something: every table, list and value of it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*path, key)
        yield from _places(item, (*path, key))


@pytest.mark.parametrize("game", ["war", "wheel", "poker"])
def test_whatever_stands_in_any_place_of_a_file_it_is_taken_or_refused_in_words(game) -> None:
    plain = values(game)
    assert terms_of(file_of(plain)).wagers == terms(game).wagers
    ends = Counter(
        _end(plain, path, rubbish) for path in _places(plain) if path[0] != "statements" for rubbish in RUBBISH
    )
    assert ends["refused"] > 2 * ends["taken"] > 0


def _end(plain: dict[str, Any], path: tuple[Any, ...], rubbish: Any) -> str:
    """How it ends to write this there; anything but words for a person is an error of the test's."""
    said = copy.deepcopy(plain)
    functools.reduce(operator.getitem, path[:-1], said)[path[-1]] = rubbish
    try:
        terms_of(file_of(said))
    except (BadTerms, ConfigError) as no:
        return "refused" if str(no).strip() else f"{path}: nothing said of {rubbish!r}"
    return "taken"


def test_the_digest_is_the_files_own_and_changes_with_every_letter() -> None:
    first, second = terms("war"), terms_of(changed("war", ("Pit 4", "Pit 5")))
    assert len(first.digest) == 64
    assert first.digest != second.digest


def test_shorter_ways_of_saying_a_thing_say_the_same() -> None:
    long = terms(
        "wheel", ("compulsory = 10", "compulsory = [{ from = 1, units = 10 }]"), ("secret = 1", "secret = { each = 1 }")
    )
    assert long.wagers == terms("wheel").wagers
    assert terms("war").wagers.compulsory_at(10) == 500
    assert terms("war").wagers.compulsory_at(11) == 1000
