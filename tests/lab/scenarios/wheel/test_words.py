"""What a case of Big Wheel may say: every word by its one meaning, anything else refused, nothing left over."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from lab.scenarios.file import Case, ScenarioError
from lab.scenarios.outcome import Outcome
from lab.scenarios.play import play_case
from lab.scenarios.wheel.words import STRENGTHS, words
from lab.scenarios.words import as_text
from simulators.wheel_physics import TouchKind


def case(**body: Any) -> Case:
    return Case("file: x", {"id": "x", "rulebook": "melbourne-wheel", **body})


def played(**body: Any) -> Outcome:
    return play_case(case(**body))


def event(do: str, **said: Any) -> dict[str, Any]:
    return {"do": do, **said}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"events": [event("vod", at_revolution=1)]}, "'vod' is no word of events; did you mean 'void'?"),
        ({"events": [event("void", playr="p", at_revolution=1)]}, "did you mean 'player'?"),
        ({"events": [event("void", args={"playr": "p"}, at_revolution=1)]}, "args: 'playr' means nothing here"),
        ({"events": [event("void", player="p")]}, "neither 'at_revolution' nor 'when'"),
        ({"events": [event("void", player="p", when="at_noon")]}, "'at_noon' is none of its words"),
        ({"events": [event("void", player="p", rank="boss", when="before_spin")]}, "knows no rank 'boss'"),
        ({"events": [event("void", player="p", at_revolution="never")]}, "only no_more_bets"),
        ({"events": [event("answer", subject="nier", answer="clear")]}, "did you mean 'near'?"),
        ({"events": [event("late_chips", symbol="Z", amount=5, at_revolution=1)]}, "no symbol 'Z'"),
        ({"events": [event("withdraw", wager="b", at_revolution=1)]}, "no wager 'b' lies there"),
        ({"spin": {"interference": {"kind": "brak"}}}, "did you mean 'brake'?"),
        ({"spin": {"interference": {"kind": "brake", "strenght": 1}}}, "did you mean 'strength'?"),
        ({"spin": {"interference": {"kind": "brake", "strength": 0}}}, "more than nothing"),
        ({"spin": {"interference": {"kind": "push", "at_revolution": 9}}}, "the wheel turns 4.04 revolutions"),
        ({"spin": {"rest_compartment": 0, "rest_symbol": "F"}}, "compartment 0 has"),
        ({"spin": {}, "spins": [{}]}, "give one of them"),
        ({"wagers": [{"symbol": "A", "amont": 5}]}, "did you mean 'amount'?"),
        ({"expected": {"outcom": "A"}}, "did you mean 'outcome'?"),
        ({"expected": {"outcome": "nospin"}}, "did you mean 'no_spin'?"),
        ({"expected": {"wagers": [{"wager": "a", "resullt": "win"}]}}, "did you mean 'result'?"),
        ({"expected": {"wagers": [{"wager": "a", "result": "won"}]}}, "'won' is none of its words"),
        ({"faults": [{"device": "wheel", "fault": "dropp"}]}, "did you mean 'drop'?"),
    ],
)  # fmt: skip
def test_another_word_or_field_is_refused_with_the_nearest(body: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        played(**body)
    assert message in str(refused.value)


def test_an_answer_that_the_question_does_not_have_is_refused_with_the_nearest() -> None:
    near = {"config": {"dead_band": Decimal("0.1")}, "spin": {"rest_offset_from_divider": Decimal("0.13")}}
    with pytest.raises(ScenarioError, match="'cleer' is no answer to 'near'; did you mean 'clear'"):
        played(**near, events=[event("answer", subject="near", answer="cleer", rank=2)])


@pytest.mark.parametrize(
    ("told", "spin", "why"),
    [
        (event("answer", subject="near", answer="clear"), {}, "events 1 (answer) never came about: nobody asked"),
        (event("void", player="p", rank=4, at_revolution=8), {}, "events 1 (void) never came about: the spin was over"),
        (event("void", player="p", rank=4, when="before_result"), {"forward_compartments": 100},
         "events 1 (void) never came about: the spin was over"),
    ],
)  # fmt: skip
def test_an_event_that_never_comes_about_fails_the_case(told: dict[str, Any], spin: dict[str, Any], why: str) -> None:
    outcome = played(events=[told], spin=spin)
    assert not outcome.ok
    assert [error for error in outcome.errors if error.startswith(why)]


def test_an_event_of_one_spin_must_come_about_in_that_spin() -> None:
    late = event("answer", subject="spin", answer="no_spin")
    spins = [{"forward_compartments": 100}, {"forward_compartments": 100}, {}]
    for number, comes in enumerate((True, True, False)):
        told = [{**spin, "events": [late]} if at == number else spin for at, spin in enumerate(spins)]
        assert played(spins=told).ok is comes
    assert played(spins=spins, events=[late]).ok


def test_a_key_may_be_told_what_its_form_asks_beside_it_or_in_one_object() -> None:
    stake = [{"id": "a", "player": "p1", "symbol": "A", "amount": 10}]
    expected = {"wagers": [{"wager": "a", "result": "void", "stake_returned": 10}]}
    for said in ({"player": "p1", "reason": "device"}, {"args": {"player": "p1", "reason": "device"}}):
        assert played(
            wagers=stake, events=[event("void", rank="ACM", when="before_spin", **said)], expected=expected
        ).ok


def test_a_choice_may_be_told_by_the_label_that_the_page_shows() -> None:
    told = event("dealer_placed", area="C", player="p1", when="before_spin")
    stake = [{"id": "a", "player": "p1", "symbol": "C", "amount": 10}]
    assert played(wagers=stake, events=[told], expected={"outcome": "result"}).ok


@pytest.mark.clause("melbourne-wheel", "7.1.3", "5.3")
@pytest.mark.parametrize(
    ("kind", "strength"),
    [
        ("brake", "0.5"), ("rigged", "0.3"), ("push", "0.05"), ("hold", "0.5"), ("nudge", "1.5"), ("crawl", "3"),
        ("brake", "0.3"), ("rigged", "0.1"), ("push", "0.02"), ("hold", "0.3"), ("nudge", "1"), ("crawl", "1"),
    ],
)  # fmt: skip
def test_a_hand_of_every_kind_and_of_the_strength_that_is_told_is_noticed(kind: TouchKind, strength: str) -> None:
    touch = {"kind": kind, "strength": Decimal(strength), "at_revolution": Decimal("1.8")}
    spin = {"rest_symbol": "B", "forward_compartments": 220, "interference": touch}
    assert played(spin=spin, expected={"outcome": "no_spin", "reasons": ["interference"]}).errors == []


def test_a_hand_too_weak_to_be_told_from_nature_is_not_noticed() -> None:
    touch = {"kind": "brake", "strength": Decimal("0.001"), "at_revolution": 2}
    assert played(spin={"interference": touch}, expected={"outcome": "result"}).errors == []


def test_a_wheel_that_is_held_ends_where_the_hand_comes() -> None:
    held = {"interference": {"kind": "hold", "at_revolution": Decimal("2.5")}}
    reasons = {"outcome": "no_spin", "reasons": ["interference", "under_revs"]}
    assert played(spin=held, expected=reasons).errors == []


def test_every_word_is_printed_with_its_meaning_and_unit() -> None:
    text = as_text(words())
    assert (
        "brake: Slows the wheel for 1.5 s; `strength` times its natural deceleration is added; 1 unless told." in text
    )
    assert "forward_compartments (a number in compartments): How far" in text
    assert "void: The key “Void a player's wagers” is pressed." in text
    assert set(STRENGTHS) == set(TouchKind.__args__)  # type: ignore[attr-defined]
    for section in words().sections:
        for word in section.words:
            assert word.meaning or word.same_as or not section.tag, f"{section.name}: {word.name} has no meaning"
            assert all(field.meaning or field.same_as for field in word.fields), f"{section.name}: {word.name}"
