"""The exact expectation of every wager, by enumerating cards through the settlement the table itself uses.

Other boxes' cards and burned cards are as likely to be any card, so two first cards (and two second ones) suffice.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from controller.config.tomlread import ConfigError
from controller.games.edges import Edge
from controller.games.war.cards import FACES
from controller.games.war.rules import Column, WarRules, war_rules
from controller.games.war.settle import book, on_first_cards, on_war_cards, surrender
from controller.games.war.state import Stake

UNIT = 10_000
Net = Callable[[str, str], int]


@cache
def edges(rulebook: str, decks: int) -> tuple[Edge, ...]:
    """Every wager of this rulebook with so many decks, per unit of the wager named; a house asks for each table."""
    rules = war_rules(rulebook)
    if decks not in rules.cards.decks:
        allowed = ", ".join(str(number) for number in rules.cards.decks)
        raise ConfigError(f"{rulebook}: {decks} decks; allowed: {allowed} ({rules.cards.decks_clause})")
    columns = [column for column in rules.columns if column.decks == decks]
    zones = (*rules.layout.zones, *rules.layout.optional_zones)
    found = [
        Edge("main", "always to war", "first", _to_war(rules, decks), _settled(rules, "war_equal_war")),
        Edge("main", "always surrender", "first", _surrendered(rules, decks), _settled(rules, "surrender")),
        Edge("war", "once at war", "war", _at_war(rules, decks, "war"), _settled(rules, "war_equal_war")),
    ]
    for zone, cite in (("tie", "tie_wins"), ("a_bomb", "bomb_wins")):
        if zone in zones:
            found.append(Edge(zone, "", "first", _first(rules, None, decks, zone), _settled(rules, cite)))
    for column in columns:
        name = f"column {column.number}"
        first = _first(rules, column, decks, "perfect_pairs")
        found.append(Edge("perfect_pairs", name, "first", first, (column.clause,)))
        found.append(Edge("perfect_pairs", name, "war", _war_pairs(rules, column, decks), (column.clause,)))
    return tuple(found)


def _settled(rules: WarRules, cite: str) -> tuple[str, ...]:
    return rules.cite(cite)


def _stake(zone: str) -> Stake:
    return Stake("edge", "player", 1, zone, UNIT, counted=UNIT)


def _net(rules: WarRules, column: Column | None, zone: str, player: str, dealer: str, war: bool) -> int:
    """What one unit gains on these two cards, chips small enough that nothing is rounded."""
    judge = on_war_cards if war else on_first_cards
    outcome = judge(rules, column, zone, player, dealer)
    if outcome.result == "tied":
        return 0
    result = book(rules, _stake(zone), outcome, 1)
    return result.pays - result.stake_taken


@cache
def _pairs(decks: int) -> tuple[tuple[str, str, int], ...]:
    """Player's and dealer's first card, with the number of ways."""
    return tuple((one, two, decks * (decks - (one == two))) for one in FACES for two in FACES)


def _ways(decks: int) -> int:
    cards = 52 * decks
    return cards * (cards - 1)


def _first(rules: WarRules, column: Column | None, decks: int, zone: str) -> Fraction:
    total = sum(ways * _net(rules, column, zone, one, two, False) for one, two, ways in _pairs(decks))
    return Fraction(total, _ways(decks) * UNIT)


def _surrendered(rules: WarRules, decks: int) -> Fraction:
    lost = surrender(rules, _stake("main"), 1).stake_taken
    return _first(rules, None, decks, "main") - _tied(decks) * Fraction(lost, UNIT)


def _to_war(rules: WarRules, decks: int) -> Fraction:
    gained = _at_war(rules, decks, "main") + _at_war(rules, decks, "war")
    return _first(rules, None, decks, "main") + _tied(decks) * gained


def _tied(decks: int) -> Fraction:
    return Fraction(sum(ways for one, two, ways in _pairs(decks) if one[0] == two[0]), _ways(decks))


def _at_war(rules: WarRules, decks: int, zone: str) -> Fraction:
    return _second(decks, lambda one, two: _net(rules, None, zone, one, two, True))


def _war_pairs(rules: WarRules, column: Column, decks: int) -> Fraction:
    return _second(decks, lambda one, two: _net(rules, column, "perfect_pairs", one, two, True))


def _second(decks: int, net: Net) -> Fraction:
    """The mean over two second cards, given that the first two were equal in rank."""
    draws = _Draws(decks, {(one, two): net(one, two) for one in FACES for two in FACES})
    total = weight = 0
    for first, second, ways in _pairs(decks):
        if first[0] == second[0]:
            weight += ways
            total += ways * draws.without(first, second)
    cards = 52 * decks - 2
    return Fraction(total, weight * cards * (cards - 1) * UNIT)


class _Draws:
    """What all draws of two cards gain together, summed once for whole decks and put right for the two that are gone.

    Of each face there are `decks` less those gone, and a drawn card is not drawn again: multiplied out, only the terms
    with a face that is gone differ from one pair of first cards to the next.
    """

    def __init__(self, decks: int, nets: dict[tuple[str, str], int]) -> None:
        self._nets, self._decks = nets, decks
        self._either = {face: sum(nets[face, one] + nets[one, face] for one in FACES) for face in FACES}
        self._whole = decks * decks * sum(nets.values()) - decks * sum(nets[one, one] for one in FACES)

    def without(self, first: str, second: str) -> int:
        """The sum over every two cards of those left, each as often as it can be drawn."""
        gone = (first, second)
        one_gone = sum(self._nets[face, face] - self._decks * self._either[face] for face in gone)
        return self._whole + one_gone + sum(self._nets[one, two] for one in gone for two in gone)
