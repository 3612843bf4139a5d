"""What was told with a key is read as the form asked for it, never as programs keep it."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.desk import Ask
from controller.web.given import given


@pytest.mark.parametrize(
    ("ask", "value", "said"),
    [
        (Ask("least", "money", "Minimum"), 500, ("Minimum", "$5")),
        (Ask("stakes", "amounts", "Stakes"), [500, 1000], ("Stakes", "$5, $10")),
        (Ask("card", "card", "Which card"), "TS", ("Which card", "10♠")),
        (Ask("faces", "cards"), ["AH", "9C"], ("Faces", "A♥, 9♣")),
        (Ask("how", "choice", "How", choices=(("by_hand", "By hand"),)), "by_hand", ("How", "By hand")),
        (Ask("zone", "choice", "Where"), "perfect_pairs", ("Where", "perfect pairs")),
        (Ask("seen", "flag", "Seen"), True, ("Seen", "yes")),
        (Ask("float", "slip", "Slip"), {"5": 40, "25": 20}, ("Slip", "5 40, 25 20")),
        (Ask("box", "number", "Box"), 3, ("Box", "3")),
    ],
)
def test_each_kind_is_told_in_the_words_of_its_form(ask: Ask, value: Any, said: tuple[str, str]) -> None:
    assert given((ask,), {ask.name: value}) == [said]


def test_what_was_not_told_is_not_named_and_a_reason_has_its_own_place() -> None:
    asks = (Ask("player", "player"), Ask("seen", "flag"), Ask("reason", "accept_why"), Ask("confirmed", "accept"))
    assert given(asks, {"seen": False, "reason": "a fire alarm", "confirmed": True}) == []
