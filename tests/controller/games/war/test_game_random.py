"""Random play with errors and faults: chips in are chips out, cards in are cards out, every ruling has its clause."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from controller.core.effects import Asked, Moved, Noted, Refused, Reversed, Ruled, Settled
from controller.rules import clauses
from tests.controller.games.war.chance import Chance
from tests.controller.games.war.play import Play


def rounds(play: Play) -> list[dict[str, Any]]:
    return [effect.facts for effect in play.effects if isinstance(effect, Noted) and effect.what == "round"]


def check_money(play: Play) -> None:
    """Every stake of every finished round has one last word, and that word shares out the whole stake."""
    last = play.results()
    for result in last.values():
        assert result.stake_taken >= 0
        assert result.stake_returned >= 0
        assert result.pays >= 0
    for facts in rounds(play):
        for wager, _, _, _, _, amount, counted, _ in facts["stakes"]:
            assert wager in last, f"{wager} has no result"
            result = last[wager]
            assert result.stake_taken + result.stake_returned == amount
            assert result.stake_taken <= max(counted, amount if result.result == "void" else 0)


def check_cards(play: Play) -> None:
    """Every card that came lies somewhere, once."""
    for facts in rounds(play):
        assert len(facts["cards"]) == len(facts["to"]) == len(facts["read"])
        assert all(place for place in facts["to"])
        first = [place for place in facts["to"] if place.startswith(("box", "dealer"))]
        assert all(number <= 2 for number in Counter(first).values())


def check_clauses(play: Play, rulebook: str) -> None:
    for effect in play.effects:
        cited: tuple[str, ...] = ()
        if isinstance(effect, Ruled | Asked | Refused | Noted | Reversed):
            cited = effect.clauses
        if isinstance(effect, Ruled):
            assert effect.clauses or effect.prompt, effect
        if isinstance(effect, Settled | Reversed):
            for result in effect.results:
                assert result.clauses, result
                cited += result.clauses
        for clause in cited:
            assert clauses.exists(rulebook, clause), f"{rulebook} has no clause {clause!r}: {effect}"


@pytest.mark.parametrize("seed", range(40))
def test_whatever_happens_money_and_cards_are_accounted_for(seed: int) -> None:
    chance = Chance(seed, trouble=0.08)
    for _ in range(400):
        chance.step()
    check_money(chance.play)
    check_cards(chance.play)
    check_clauses(chance.play, chance.rulebook)


@pytest.mark.parametrize("seed", range(100, 108))
def test_orderly_play_finishes_rounds(seed: int) -> None:
    chance = Chance(seed, trouble=0.0)
    for _ in range(600):
        chance.step()
    assert len(rounds(chance.play)) >= 10
    check_money(chance.play)


@pytest.mark.parametrize("seed", range(200, 212))
def test_a_table_restored_at_any_moment_goes_on_alike(seed: int) -> None:
    chance = Chance(seed, trouble=0.08)
    for number in range(250):
        chance.step()
        if number % 10 == 0:
            saved = chance.play.table.save()
            chance.play.table.restore(saved)
            assert chance.play.table.save() == saved
    check_money(chance.play)
    moved = [effect for effect in chance.play.effects if isinstance(effect, Moved)]
    assert msgspec.json.encode(moved)
