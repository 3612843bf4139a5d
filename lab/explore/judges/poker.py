"""Poker judged from the cards that lay: no money is made or lost in a hand, and each pot goes to the hands that win it.

Hands are valued by a plain reading of the ranking, which shares nothing with the table's own tables of values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from controller.core.effects import Asked, Awarded, Moved, Noted, Settled
from controller.core.events import Command
from controller.core.take_back import NOTE
from lab.explore.found import Found
from lab.explore.judges import Judge, Seen

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable

ORDER = "23456789TJQKA"
FIVE = 5
Value = tuple[int, ...]


class Wagered(NamedTuple):
    """How a hand stood when its pots were decided: what each seat put in, who still claims, and what was shown."""

    paid: dict[int, int]
    shown: dict[int, tuple[str, ...]]
    live: tuple[int, ...]
    board: tuple[str, ...]
    game: str
    """What was dealt: the game that the sign says may be another than the table began with."""


class PokerJudge:
    """Remembers the stacks at the start of a hand, and how it stood when it was awarded."""

    def __init__(self) -> None:
        self._stacks: dict[int, int] = {}
        self._odd = False
        self._awards: list[Awarded] = []
        self._wagered: Wagered | None = None

    def look(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        effects = seen.row.effects
        event = seen.row.event
        self._odd = self._odd or (isinstance(event, Command) and event.name in ODD)
        for effect in effects:
            if isinstance(effect, Asked) or (isinstance(effect, Moved) and effect.dest == "ruling"):
                self._odd = True
            elif isinstance(effect, Moved) and effect.trigger == "start_hand":
                self._begin(table)
            elif isinstance(effect, Moved) and (effect.source, effect.trigger) in AWARDS_BACK:
                self._awards, self._wagered = [], None
            elif isinstance(effect, Awarded):
                self._take(table, effect)
            elif isinstance(effect, Settled):
                yield from self._settled(table, effect, _facts(effects))

    def _begin(self, table: ExploredTable) -> None:
        players = _hand(table).betting.players
        self._stacks = {player.seat: player.stack for player in players}
        self._odd, self._awards, self._wagered = False, [], None

    def _take(self, table: ExploredTable, award: Awarded) -> None:
        hand = _hand(table)
        self._awards.append(award)
        if hand is not None and self._wagered is None:
            players = hand.betting.players
            paid = {player.seat: self._stacks.get(player.seat, 0) - player.stack for player in players}
            for seat in paid if hand.fees else ():
                paid[seat] -= hand.fees // len(players)  # a fee before the hand goes into no pot
            for wager in hand.side:
                paid[wager.seat] -= wager.amount
            shown = {player.seat: tuple(player.shown) for player in players if player.shown}
            live = tuple(player.seat for player in players if player.live)
            game = hand.terms.game
            kind = f"{'omaha' if game.omaha else 'holdem'}{'_hilo' if game.hilo else ''}"
            self._wagered = Wagered(paid, shown, live, tuple(hand.board), kind)

    # -- money -------------------------------------------------------------------------------------------------

    def _settled(self, table: ExploredTable, settled: Settled, facts: dict[str, Any]) -> Iterator[Found]:
        hands = [result for result in settled.results if result.bet == "hand"]
        won = sum(result.pays for result in hands)
        lost = sum(result.stake_taken for result in hands)
        if settled.outcome != "refunded" and lost - won != facts.get("rake", 0):
            text = f"{lost} lost, {won} won, commission {facts.get('rake', 0)}: {hands}"
            yield Found("a hand makes or loses money", text)
        if settled.outcome != "refunded" and not self._odd and self._wagered is not None and self._awards:
            yield from self._pots(table, self._wagered, facts)

    def _pots(self, table: ExploredTable, stood: Wagered, facts: dict[str, Any]) -> Iterator[Found]:
        due = shares(stood)
        got = Counter[int]()
        for award in self._awards:
            got[award.seat] += award.cents
        # Commission and odd chips come out of the pots; nobody may get more, or much less, than the cards give.
        slack = int(facts.get("rake", 0)) + table.config.limits.smallest_chip * 2 * (1 + len(due))
        for seat in due.keys() | got.keys():
            if not -slack <= got[seat] - due.get(seat, 0) <= table.config.limits.smallest_chip * 2 * (1 + len(due)):
                text = f"seat {seat} got {got[seat]}, the cards give {due.get(seat, 0)}: {stood}"
                yield Found("a pot that the cards do not give", text)


AWARDS_BACK = {("award", "hand_asked"), ("award", NOTE)}
"""Moves that take back what was awarded."""
ODD = frozenset({"cancel_disruption", "cancel_fraud", "report", "boxed", "exposed", "muck_hand", "ask_to_see", "done",
                 "confiscate", "withhold", "change_game"})  # fmt: skip
"""Keys after which people, and not only the cards, decide who gets what."""


def shares(stood: Wagered) -> dict[int, int]:
    """What each seat is due out of every pot, before commission and odd chips."""
    due: Counter[int] = Counter()
    claims = stood.shown.keys() & set(stood.live) or set(stood.live)
    for amount, seats in pots(stood.paid):
        mine = sorted(set(seats) & set(claims))
        if not mine:
            continue
        for winners, part in _parts(stood, mine, amount):
            for seat in winners:
                due[seat] += part // len(winners)
    return dict(due)


def pots(paid: dict[int, int]) -> list[tuple[int, list[int]]]:
    """Main pot and side pots: what every level of wagers makes, and who paid into it."""
    found, below = [], 0
    for level in sorted({cents for cents in paid.values() if cents}):
        seats = [seat for seat, cents in paid.items() if cents >= level]
        found.append(((level - below) * len(seats), seats))
        below = level
    return found


def _parts(stood: Wagered, mine: Sequence[int], amount: int) -> list[tuple[list[int], int]]:
    if len(mine) == 1:
        return [(list(mine), amount)]
    game = stood.game
    high = {seat: best(game, stood.shown[seat], stood.board) for seat in mine}
    top = [seat for seat in mine if high[seat] == max(high.values())]
    lows = {seat: low for seat in mine if (low := lowest(game, stood.shown[seat], stood.board)) is not None}
    if not game.endswith("hilo") or not lows:
        return [(top, amount)]
    return [(top, amount - amount // 2), ([s for s in lows if lows[s] == min(lows.values())], amount // 2)]


def fives(game: str, hole: Sequence[str], board: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every five cards that a hand may be made of: in Omaha two of the hand and three of the board."""
    if game.startswith("omaha"):
        yield from ((*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3))
    else:
        yield from combinations((*hole, *board), FIVE)


def best(game: str, hole: Sequence[str], board: Sequence[str]) -> Value:
    return max(value(five) for five in fives(game, hole, board))


def value(five: Sequence[str]) -> Value:
    """Kind of hand, then its ranks in the order in which they decide."""
    ranks = Counter(ORDER.index(card[0]) for card in five)
    groups = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    shape = sorted(ranks.values(), reverse=True)
    run = max(ranks) if len(ranks) == FIVE and max(ranks) - min(ranks) == FIVE - 1 else -1
    if set(ranks) == {12, 0, 1, 2, 3}:
        run = 3
    flush = len({card[1] for card in five}) == 1
    if run >= 0:
        return (8 if flush else 4), run
    if flush:
        return 5, *groups
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return kinds.get(tuple(shape), 0), *groups


def lowest(game: str, hole: Sequence[str], board: Sequence[str]) -> Value | None:
    """The best low of eight or better, highest card first; None where there is none."""
    found = []
    for five in fives(game, hole, board):
        ranks = sorted(({12: 0}.get(rank := ORDER.index(card[0]), rank + 1) for card in five), reverse=True)
        if len(set(ranks)) == FIVE and ranks[0] <= ORDER.index("8") + 1:
            found.append(tuple(ranks))
    return min(found, default=None)


def _facts(effects: list[Any]) -> dict[str, Any]:
    over = [effect.facts for effect in effects if isinstance(effect, Noted) and effect.what == "hand_over"]
    return over[0] if over else {}


def _hand(table: ExploredTable) -> Any:
    return table.table.game.state.hand  # type: ignore[attr-defined]


def judges() -> list[Judge]:
    return [PokerJudge()]
