"""The same chips and cards in another order that means the same thing settle the same."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from controller.core.effects import Settled
from lab.explore.campaign import opened
from lab.explore.steps import AnyStep, Card, Lay, Piece, Press, Push, Put, Reply, Rest, Walk
from lab.explore.table import ExploredTable

CASES = range(12)
Money = list[tuple[str, str, int, int, int]]
WAR = ("melbourne-war", "perth-war", "star-war")


def settled(walk: Walk) -> Money:
    """What became of every stake, whatever it is called."""
    table, _ = opened(walk.game, walk.rulebook, walk.table)
    for step in walk.steps:
        assert table.do(step) is not None, f"{step} cannot be done at {table.state}"
    return sorted(_results(table))


def _results(table: ExploredTable) -> Money:
    last: dict[str, tuple[str, str, int, int, int]] = {}
    for row in table.rows:
        for effect in row.effects:
            for one in effect.results if isinstance(effect, Settled) else ():
                last[one.wager] = (one.bet, one.result, one.pays, one.stake_taken, one.stake_returned)
    return list(last.values())


def laid(area: int, cents: int, way: str, first: int) -> list[AnyStep]:
    """The same chips in one stack, one after the other quickly, or in three goes."""
    parts = [cents // 4, cents // 4, cents // 2]
    chips = tuple(Piece(first + at, part) for at, part in enumerate(parts))
    if way == "three":
        return [Lay(area, (chip,)) for chip in chips]
    return [Lay(area, chips, apart=way == "apart")]


# -- Casino War ----------------------------------------------------------------------------------------------------


def war(rulebook: str, case: int, order: str, way: str) -> Walk:
    """A round with a main and a tie stake on two boxes, a war on the first where it ties, and its cards."""
    draw = random.Random(case)
    zones = {"melbourne-war": 3, "perth-war": 5, "star-war": 3}[rulebook]
    places = {"melbourne-war": (0, 1, 2), "perth-war": (0, 2, 4), "star-war": (0, 1, 2)}[rulebook]
    stakes = [draw.choice((1_000, 2_000, 4_000)) for _ in range(3)]
    areas = (1 + places[0], 1 + places[1], 1 + zones + places[0])
    war_area = 1 + places[2]
    tied = case % 2 == 0
    mine, others, dealers = ("9H", "4C", "9D") if tied else draw.sample(("9H", "4C", "TD", "KS"), 3)
    carded = [Press("player_card", 1, {"box": box, "player": name}) for box, name in ((1, "Ann"), (2, "Bob"))]
    chips = [step for at, area in enumerate(areas) for step in laid(area, stakes[at], way, 1_000 + 10 * at)]
    first: list[AnyStep] = [Press("open", 1), *(carded if order == "ready" else [])]
    first += [
        *(chips if order == "ready" else []),
        Press("check_cards", 1),
        Press("shuffled", 1),
        Reply("cut", "cut", 2),
    ]
    burns: list[AnyStep] = [Card("AS"), Card("2S")] if rulebook == "perth-war" else [Card("2S")]
    betting = [*([] if order == "ready" else [*carded, *(reversed(chips) if order == "turned" else chips)])]
    close: list[AnyStep] = [Press("no_more_bets", 1)] if rulebook == "melbourne-war" else []
    deal: list[AnyStep] = [Card(mine), Card(others), Card(dealers)]
    if not tied:
        return Walk("war", rulebook, 1, (*first, *burns, *betting, *close, *deal))
    stake = laid(war_area, stakes[0], way, 1_100)
    confirm: Sequence[AnyStep] = [Press("settled", 4, {"confirmed": True, "reason": "as it lies"})]
    asked = [*stake, *confirm] if order == "ready" else [*confirm, *stake]
    burned = [Card(face) for face in ("5S", "6S", "7S")] if rulebook == "perth-war" else []
    return Walk("war", rulebook, 1, (*first, *burns, *betting, *close, *deal, *asked, *burned, Card("TH"), Card("8C")))


@pytest.mark.parametrize("rulebook", WAR)
@pytest.mark.parametrize("case", CASES)
def test_stakes_of_war_count_the_same_before_the_key_and_after_it_in_one_stack_and_in_three(
    rulebook: str, case: int
) -> None:
    plain = settled(war(rulebook, case, "plain", "stack"))
    assert len(plain) == (4 if case % 2 == 0 else 3)
    for order in ("plain", "turned", "ready"):
        for way in ("stack", "apart", "three"):
            assert settled(war(rulebook, case, order, way)) == plain, (order, way)


# -- the wheel -----------------------------------------------------------------------------------------------------


def wheel(case: int, order: str, way: str) -> Walk:
    draw = random.Random(case)
    areas = draw.sample(range(1, 8), 3)
    chips = [
        step for at, area in enumerate(areas) for step in laid(area, draw.choice((1_000, 2_000)), way, 1_000 + 10 * at)
    ]
    rest = Rest(draw.randrange(48))
    bets, close = Press("place_bets", 1), Press("no_more_bets", 1)
    opening: dict[str, list[AnyStep]] = {
        "plain": [bets, *chips, Push(), close, rest],
        "ready": [*chips, bets, close, Push(), rest],
        "turned": [bets, Push(), *reversed(chips), close, rest],
    }
    return Walk("wheel", "melbourne-wheel", 1, (Press("open", 1), *opening[order], Press("acknowledge", 1)))


@pytest.mark.parametrize("case", CASES)
def test_wagers_on_the_wheel_count_the_same_before_the_call_and_after_it(case: int) -> None:
    plain = settled(wheel(case, "plain", "stack"))
    assert len(plain) == 3
    for order in ("plain", "turned", "ready"):
        for way in ("stack", "apart", "three"):
            assert settled(wheel(case, order, way)) == plain, (order, way)


# -- poker ---------------------------------------------------------------------------------------------------------


def poker(case: int, called: str) -> Walk:
    """Three players, one raise that all call: with the key, with chips at once, or with chips one after the other."""
    draw = random.Random(case)
    deck = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "shdc"]
    draw.shuffle(deck)
    sat = [Press("sit", 1, {"seat": seat, "player": name, "amount": 20_000}) for seat, name in enumerate("ABC", 1)]
    begun: list[AnyStep] = [
        Press("open", 1),
        *sat,
        Press("start_hand", 1),
        Lay(1, (Piece(1, 250),)),
        Lay(2, (Piece(2, 500),)),
    ]
    dealt = [Put((deck.pop(),), seat) for seat in (1, 2, 3) * 2]
    acts = [
        *_bets(3, 1_000, "raise", called, 10),
        *_bets(1, 750, "call", called, 20),
        *_bets(2, 500, "call", called, 30),
    ]
    streets: list[AnyStep] = []
    for count in (3, 1, 1):
        streets += [Put((deck.pop(),), 14), Put(tuple(deck.pop() for _ in range(count)), 13), Press("turned_up", 1)]
        streets += [Press("check", 1)] * 3
    shown = [Press("table_hand", 1, {"seat": seat}) for seat in (1, 2, 3)]
    ended = [Press("pushed", 1, {"confirmed": True})]
    steps: tuple[AnyStep, ...] = (
        *begun,
        Press("shuffled", 1),
        Press("cut", 1),
        *dealt,
        *acts,
        *streets,
        *shown,
        *ended,
    )
    return Walk("poker", "melbourne-poker", 1, steps, table="holdem")


def _bets(seat: int, cents: int, kind: str, called: str, tag: int) -> list[AnyStep]:
    if called == "key":
        return [Press(kind, 1, {"amount": cents} if kind == "raise" else {})]
    half = cents // 500 * 250
    return [Lay(seat, (Piece(tag, half), Piece(tag + 1, cents - half)), apart=called == "apart")]


@pytest.mark.parametrize("case", CASES)
def test_a_wager_at_poker_is_the_same_said_or_laid_at_once_or_quickly_one_chip_after_the_other(case: int) -> None:
    plain = settled(poker(case, "key"))
    assert sum(pays for _, _, pays, _, _ in plain) > 0
    for called in ("stack", "apart"):
        assert settled(poker(case, called)) == plain, called
