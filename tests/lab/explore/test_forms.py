"""People enter only what the form of a key or an answer lets them."""

from __future__ import annotations

import random

import pytest

from controller.core.desk import Ask
from controller.core.forms import read
from lab.explore.forms import NoForm, filled

CHOICE = Ask("box", "choice", "Box", choices=(("1", "Box 1"), ("4", "Box 4")), number=True)


def entered(*asks: Ask, plainly: bool = False) -> list[dict[str, object]]:
    return [filled(asks, random.Random(seed), plainly) for seed in range(40)]


def test_a_choice_is_one_of_those_offered_as_the_page_sends_it() -> None:
    assert {form["box"] for form in entered(CHOICE)} == {1, 4}


def test_nobody_can_send_a_form_without_anything_to_choose() -> None:
    with pytest.raises(NoForm):
        filled((Ask("box", "choice", "Box"),), random.Random(1))


def test_what_is_optional_is_left_out_at_times_and_always_by_a_plain_crew() -> None:
    reason = Ask("reason", "text", "Why", optional=True)
    assert {"reason" in form for form in entered(reason)} == {True, False}
    assert entered(reason, plainly=True) == [{}] * 40


def test_nothing_is_accepted_before_the_table_has_refused() -> None:
    assert entered(Ask("confirmed", "accept")) == [{}] * 40


@pytest.mark.parametrize("kind", ["flag", "money", "number", "numbers", "names", "amounts", "card", "player", "text"])
def test_whatever_is_entered_is_of_the_kind_that_the_key_reads(kind: str) -> None:
    ask = Ask("told", kind, "Told", suggested=True)  # type: ignore[arg-type]
    for form in entered(ask):
        read(ask, form["told"])
