"""The printed list of words: made from the declarations, one list for terminal and page."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.scenarios.page import SPOKEN, page
from lab.scenarios.played import words_of

DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_on_scenarios_is_what_the_declarations_say() -> None:
    written = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    assert written == page(), "make it anew: tablectl scenario --markdown > docs/scenarios.md"


@pytest.mark.parametrize("game", SPOKEN)
def test_every_word_of_a_game_means_something(game: str) -> None:
    for section in words_of(game).sections:
        assert section.meaning
        for word in section.words:
            assert section.meant(word).meaning or not section.tag, f"{section.name}: {word.name}"
            assert all(field.meaning or field.same_as for field in section.fields(word)), f"{section.name}: {word.name}"
