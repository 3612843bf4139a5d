"""Poker hands in PHH, the open hand history format: what it can say is said, the rest is left out with its reason.

Cards in the hand are `????` until they were tabled; amounts are cents. Fields of our own begin with an underscore, as
the format asks: the pots and the commission taken of each (`_pots`, `_rake`, `_rake_by_pot`), the lowest chip that pots
are shared to (`_chip`), and the game and limit by the names of the house. Pure.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, time
from typing import Any

from floor.exports.hands import Act, Board, PokerHand

RAISES_MOST = 4
"""Bets and raises in a round of fixed limit, as the format's games have it."""

LIMITS = {"fixed": "fixed limit", "spread": "spread limit", "half_pot": "half pot limit", "pot": "pot limit",
          "no_limit": "no limit"}  # fmt: skip


class Unsaid(Exception):
    """The format cannot say this hand: why."""


def phh(hand: PokerHand, venue: str) -> str:
    """One hand as the text of a `.phh` file; Unsaid where the format has no words for it."""
    fields: dict[str, Any] = {**_game(hand), **_seated(hand), "actions": _actions(hand), **_where(hand, venue)}
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def _toml(value: Any) -> str:
    if isinstance(value, time):
        return value.isoformat()
    return json.dumps(value, ensure_ascii=False)


def _game(hand: PokerHand) -> dict[str, Any]:
    """Which game under which limit, and its bets."""
    game, structure = hand.terms.game, hand.terms.structure
    if game.discard_after:
        raise Unsaid(f"the format has no {game.name}, in which a card is given up")
    match game.omaha, game.hilo, structure.kind:
        case False, False, "fixed":
            return {"variant": "FT", **_fixed(hand)}
        case True, True, "fixed":
            return {"variant": "FO/8", **_fixed(hand)}
        case False, False, _:
            return {"variant": "NT", "min_bet": structure.minimum}
        case True, False, "pot" | "half_pot":
            return {"variant": "PO", "min_bet": structure.minimum}
    raise Unsaid(f"the format has no {game.name} with {LIMITS[structure.kind]}")


def _fixed(hand: PokerHand) -> dict[str, Any]:
    first, second, third, fourth = hand.terms.structure.levels
    if first != second or third != fourth:
        raise Unsaid("the format has two sizes of bet in fixed limit, and this table more")
    for number in range(1, 5):
        bets = [one for one in _acts(hand) if one.round == number and one.kind in ("bet", "raise", "all_in")]
        if len(bets) > RAISES_MOST:
            raise Unsaid("a round had more raises than fixed limit has in the format")
    return {"small_bet": first, "big_bet": third}


def _acts(hand: PokerHand) -> list[Act]:
    return [step for step in hand.steps if isinstance(step, Act)]


def _seated(hand: PokerHand) -> dict[str, Any]:
    # Of two players the format gives the first of the blinds to the one who acts last, so they are told crosswise.
    blinds = hand.blinds[::-1] if len(hand.seats) == 2 else hand.blinds
    return {
        "antes": [0] * len(hand.seats),
        "blinds_or_straddles": list(blinds),
        "starting_stacks": list(hand.starting),
        "finishing_stacks": list(hand.finishing),
        "seats": list(hand.seats),
        "players": list(hand.players),
    }


def _where(hand: PokerHand, venue: str) -> dict[str, Any]:
    began = datetime.fromtimestamp(hand.at / 1000, UTC)
    return {
        "venue": venue,
        "table": hand.table,
        "hand": hand.round,
        "day": began.day,
        "month": began.month,
        "year": began.year,
        "time_zone": "UTC",
        "time": began.time().replace(microsecond=0),
        "currency": "AUD",
        "_unit": "cents",
        "_game": hand.terms.game.name,
        "_structure": hand.terms.structure.kind,
        "_chip": hand.terms.structure.chip,
        "_pots": list(hand.pots),
        "_rake": hand.rake,
        "_rake_by_pot": list(hand.rake_by_pot),
    }


def _actions(hand: PokerHand) -> list[str]:
    """Deal, acts, boards and tabled hands in the format's order: all-in hands lie open before the last boards."""
    said = [f"d dh p{number} {'??' * hand.terms.game.kept}" for number, _ in enumerate(hand.seats, 1)]
    betting = _Betting(hand)
    shown = False
    for step in hand.steps:
        if isinstance(step, Board):
            if not shown and betting.closed:
                said += _showdown(hand)
                shown = True
            said.append(f"d db {''.join(step.cards)}")
            betting.next_round()
        else:
            said.append(betting.act(step))
    betting.check()
    if not shown:
        said += _showdown(hand)
    return said


def _showdown(hand: PokerHand) -> list[str]:
    """Hands tabled and given up as they were; whoever was left alone then took the pots without showing a card."""
    place = {seat: number for number, seat in enumerate(hand.seats, 1)}
    opened = dict(hand.shown)
    unseen = [seat for seat, won in zip(hand.seats, hand.won, strict=True) if won and seat not in opened]
    given_up = [seat for seat in hand.given_up if seat not in (*opened, *unseen)]
    if not opened and not hand.given_up:
        return []
    if unseen and (opened or hand.terms.game.omaha):
        raise Unsaid("a pot was won at the showdown by a hand that nobody saw")
    said = [f"p{place[seat]} sm {''.join(cards)}" for seat, cards in hand.shown]
    said += [f"p{place[seat]} sm" for seat in given_up]
    return said + [f"p{place[seat]} sm {'??' * hand.terms.game.kept}" for seat in unseen]


class _Betting:
    """What lies before whom, to see that the acts alone lead to the pots as they were."""

    def __init__(self, hand: PokerHand) -> None:
        self._hand = hand
        self._place = {seat: index for index, seat in enumerate(hand.seats)}
        blinds = zip(hand.blinds, hand.starting, strict=True)
        self._before = [min(abs(blind), stack) for blind, stack in blinds]
        self._kept = [0] * len(hand.seats)
        self._live = [True] * len(hand.seats)

    @property
    def closed(self) -> bool:
        """Nobody can wager any more, and several hands are live."""
        able = [live and self._left(index) > 0 for index, live in enumerate(self._live)]
        return sum(self._live) > 1 and sum(able) <= 1

    def _left(self, index: int) -> int:
        return self._hand.starting[index] - self._kept[index] - self._before[index]

    def act(self, act: Act) -> str:
        index = self._place[act.seat]
        who = f"p{index + 1}"
        if act.kind == "fold":
            self._live[index] = False
            return f"{who} f"
        raised = act.total > max(self._before)
        self._before[index] = act.total
        return f"{who} cbr {act.total}" if raised else f"{who} cc"

    def next_round(self) -> None:
        """What lay before the players is in the pot; what nobody matched went back."""
        best = max(self._before)
        second = sorted(self._before)[-2]
        if self._before.count(best) == 1:
            self._before[self._before.index(best)] = second
        self._kept = [kept + laid for kept, laid in zip(self._kept, self._before, strict=True)]
        self._before = [0] * len(self._before)

    def check(self) -> None:
        self.next_round()
        if tuple(self._kept) != self._hand.staked:
            raise Unsaid("the wagers were put right by more than its acts")
