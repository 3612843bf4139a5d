"""What does not fit is turned away in words that a person can act on."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from controller.web.answers import in_words


class Search(msgspec.Struct, forbid_unknown_fields=True):
    table: str
    most: Annotated[int, Meta(le=200)] = 20
    name: Annotated[str, Meta(max_length=5)] = ""
    tags: list[str] = []


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ('{"tabel": "a"}', "'tabel' means nothing; did you mean 'table'"),
        ('{"x": 1}', "'x' means nothing; known here: table, most, name, tags"),
        ("{}", "'table' is missing"),
        ('{"table": 3}', "'table' must be a text"),
        ('{"table": "a", "most": "many"}', "'most' must be a whole number"),
        ('{"table": "a", "most": 999}', "'most' must be at most 200"),
        ('{"table": "a", "name": "abcdef"}', "'name' must be at most 5 long"),
        ('{"table": "a", "tags": [1]}', "'tags[0]' must be a text"),
        ("[]", "it must be an object"),
        ("rubbish", "it is no JSON that can be read"),
    ],
)
def test_what_does_not_fit_is_told_without_a_programs_words(sent: str, words: str) -> None:
    with pytest.raises(msgspec.MsgspecError) as wrong:
        msgspec.json.decode(sent, type=Search)
    assert in_words(wrong.value, Search) == words
