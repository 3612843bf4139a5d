"""A key that was carried out, and whose page is told that it was refused, is seen."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Moved, Refused
from controller.core.events import Command
from controller.people import Person
from controller.web.answers import Turned
from controller.web.routes import Screens
from lab.explore.campaign import opened
from lab.explore.judges import Seen
from lab.explore.judges.answers import AnswersAtThePage
from lab.explore.table import Row

PRESSED = Command("refuse_stake", Person("S1", 1))
DONE = Moved("round", "betting", "betting", "refused")
ON_THE_WAY = Refused("stake main 1", "refused", "Ann's stake was refused.")


def looked(*effects: Any) -> list[str]:
    table, _ = opened("war", "star-war")
    seen = Seen(Row(0, PRESSED, list(effects), b""), "betting", 0, {})
    return [found.name for found in AnswersAtThePage().look(table, seen)]


@pytest.mark.parametrize(("turned", "found"), [(True, ["a key carried out is answered as refused: refuse_stake"]),
                                               (False, [])])  # fmt: skip
def test_what_the_page_is_told_is_held_against_what_was_done(
    turned: bool, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def press(screens: Screens, pressed: Any, by: Person) -> None:
        if turned:
            raise Turned(409, "Ann's stake was refused.")

    monkeypatch.setattr(Screens, "_press", press)
    assert looked(DONE, ON_THE_WAY) == found


def test_a_key_that_was_refused_itself_and_one_without_refusals_are_in_order() -> None:
    assert looked(Refused("refuse_stake", "not_now", "Not now.")) == []
    assert looked(DONE) == []
