"""The words of a case: read by their one meaning, refused with the nearest, printed as they are declared."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from lab.scenarios import words
from lab.scenarios.file import ScenarioError
from lab.scenarios.words import COUNT, FLAG, MONEY, SECONDS, TEXT, BadWords, Field, Section, Word, Words

EVENTS = Section(
    "events",
    "What goes wrong.",
    tag="event",
    common=(Field("rank", TEXT, "Who rules."), *words.NOTES),
    words=(
        Word("shoe_empty", "No card is left.", (Field("after_card", COUNT, "After so many cards."),)),
        Word("out_of_cards", same_as="shoe_empty"),
        Word(
            "mispaid",
            "A wager was paid wrongly.",
            (
                Field("wager", TEXT, "Which wager.", optional=False),
                Field("paid", MONEY, "What was paid."),
                Field("given", MONEY, same_as="paid"),
                Field("money", FLAG, "Whether money was shown."),
                Field("wait", SECONDS, "How long."),
                Field("how", words.one_of("up", "down", top="up"), "Which way."),
                Field("boxes", words.list_of(COUNT), "Where."),
                Field("own", words.object_of(Field("min", MONEY, "Least.")), "Limits."),
            ),
        ),
    ),
)


def read(**body: Any) -> words.Told:
    return EVENTS.read(body, "case W: events 1")


def test_a_word_is_read_with_its_fields_and_money_in_cents() -> None:
    told = read(event="mispaid", wager="a", paid=Decimal("12.50"), wait=3, how="top", boxes=[1, 2], why="told badly")
    assert told.word.name == "mispaid"
    assert told.said == {"wager": "a", "paid": 1250, "wait": 3.0, "how": "up", "boxes": [1, 2], "why": "told badly"}


def test_a_word_that_is_the_same_as_another_means_the_other() -> None:
    told = read(event="out_of_cards", after_card=3)
    assert (told.word.name, told.name, told.said) == ("shoe_empty", "out_of_cards", {"after_card": 3})
    assert read(event="mispaid", wager="a", given=2).said["paid"] == 200


def test_what_must_be_told_may_go_without_saying_where_there_is_one() -> None:
    assert EVENTS.read({"event": "mispaid"}, "here", {"wager": "only"}).said == {"wager": "only"}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"event": "shoe_emty"}, r"case W: events 1: 'shoe_emty' is no word of events; did you mean .*shoe_empty"),
        ({"event": "shoe_empty_now"}, "shoe_empty"),
        ({"event": "war_area_empty"}, "is no word of events"),
        ({"event": 5}, "5 is no word of events"),
        ({"rank": "GS"}, "'event' is missing"),
        ({"event": "shoe_empty", "after": 2}, r"\(shoe_empty\): 'after' means nothing here; .*after_card"),
        ({"event": "shoe_empty", "after_card": True}, "after_card: a whole number from 0, not True"),
        ({"event": "shoe_empty", "after_card": -1}, "a whole number"),
        ({"event": "mispaid"}, "'wager' is missing: Which wager"),
        ({"event": "mispaid", "wager": 1}, "wager: a text, not 1"),
        ({"event": "mispaid", "wager": "a", "paid": "5"}, "an amount in dollars"),
        ({"event": "mispaid", "wager": "a", "paid": Decimal("0.001")}, "whole cents"),
        ({"event": "mispaid", "wager": "a", "paid": 5, "given": 5}, "'given' says 'paid' a second time"),
        ({"event": "mispaid", "wager": "a", "money": 1}, "true or false"),
        ({"event": "mispaid", "wager": "a", "wait": "soon"}, "a number of seconds"),
        ({"event": "mispaid", "wager": "a", "wait": float("nan")}, "a number of seconds"),
        ({"event": "mispaid", "wager": "a", "how": "upp"}, "'upp' is none of its words; did you mean .*up"),
        ({"event": "mispaid", "wager": "a", "boxes": [1, "x"]}, "boxes 2: a whole number"),
    ],
)
def test_anything_else_is_refused_with_its_place_and_the_nearest(body: dict[str, Any], why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        read(**body)


def test_what_is_no_object_or_no_list_is_refused() -> None:
    with pytest.raises(ScenarioError, match="must be an object"):
        EVENTS.read([], "here")
    with pytest.raises(ScenarioError, match="must be a list"):
        EVENTS.read_all({}, "here")
    with pytest.raises(ScenarioError, match="here: events 2: 'x' is no word"):
        EVENTS.read_all([{"event": "shoe_empty"}, {"event": "x"}], "here")


@pytest.mark.parametrize(
    "declared",
    [
        (Word("a", "One."), Word("a", "Two.")),
        (Word("a", same_as="b"),),
        (Word("a", "One."), Word("b", same_as="a"), Word("c", same_as="b")),
        (Word("a", "One."), Word("b", "Two.", same_as="a")),
        (Word("a", "One.", (Field("x", TEXT), Field("x", COUNT))),),
        (Word("a", "One.", (Field("x", TEXT, same_as="y"),)),),
    ],
)
def test_words_that_are_declared_wrongly_are_refused(declared: tuple[Word, ...]) -> None:
    with pytest.raises(BadWords):
        Section("events", "What goes wrong.", declared, tag="event")


def test_every_word_and_field_is_printed_with_its_meaning_and_unit() -> None:
    text, page = (show(Words("war", (EVENTS,))) for show in (words.as_text, words.as_markdown))
    assert "  shoe_empty: No card is left." in text
    assert "      paid (an amount in dollars): What was paid." in text
    assert "      wager (a text, must be told): Which wager." in text
    assert "- **`out_of_cards`**: The same as `shoe_empty`." in page
    assert "  - `wait` (a number in seconds): How long." in page
    assert "- `rank` (a text): Who rules." in page
    assert "      own (an object of min in dollars): Limits." in text
    assert "A remark" not in text
