"""The poker hands of a journal, read by playing its rows again: who sat where with what, every act, who showed what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from controller.config.kept import of_start
from controller.core import take_back
from controller.core.effects import AnyEffect, Moved, Noted, Settled
from controller.core.events import Started
from controller.core.guarded import GuardedTable
from controller.games.poker.game import PokerGame
from controller.games.poker.round import ROUND_OF
from controller.games.poker.rules import Terms
from controller.games.poker.state import Hand, HandInPlay, PokerState
from controller.journal import row as record
from controller.journal.chain import Row

WHOLE = ("showdown", "uncontested")
"""How a hand ends that was played as the rules have it."""


class Act(msgspec.Struct, frozen=True):
    """A seat acted in a betting round; `total` is what then lay before it."""

    round: int
    seat: int
    kind: str
    total: int


class Board(msgspec.Struct, frozen=True):
    """Cards that were turned up on the board."""

    cards: tuple[str, ...]


class PokerHand(msgspec.Struct, frozen=True):
    """One hand as it was played; seats in deal order, the button last, amounts in cents.

    `starting` is what each seat had for this hand, without what it laid on side wagers or paid as a fee; `blinds` are
    what each put up unasked, those that buy a seat in again negative. `staked` and `won` are of the pots.
    """

    round: int
    at: int
    ended: int
    table: str
    terms: Terms
    seats: tuple[int, ...]
    players: tuple[str, ...]
    starting: tuple[int, ...]
    blinds: tuple[int, ...]
    steps: tuple[Act | Board, ...]
    staked: tuple[int, ...]
    won: tuple[int, ...]
    shown: tuple[tuple[int, tuple[str, ...]], ...]
    """Who tabled which hand, in the order they did."""
    given_up: tuple[int, ...]
    pots: tuple[int, ...]
    rake: int
    rake_by_pot: tuple[int, ...]

    @property
    def finishing(self) -> tuple[int, ...]:
        """What each seat had of it after the pots were pushed."""
        each = zip(self.starting, self.staked, self.won, strict=True)
        return tuple(had - lost + got for had, lost, got in each)


class LeftOut(NamedTuple):
    """A hand that is not exported, and why."""

    round: int
    why: str


class _Played:
    """A hand while it is played again."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.steps: list[Act | Board] = []
        self.starting: dict[int, int] = {}
        self.blinds: dict[int, int] = {}
        self.round = 0
        self.board = 0
        self.wrong = ""
        self.last: HandInPlay | None = None


class Hands:
    """Plays a poker journal again from its first row, and hands out what was played."""

    def __init__(self) -> None:
        self._table: GuardedTable | None = None
        self._open: _Played | None = None

    def follow(self, rows: Iterable[Row]) -> Iterator[PokerHand | LeftOut]:
        """Every hand that ended in these rows; JournalTrouble where the rows conclude otherwise with this program."""
        for row in rows:
            yield from self._row(row)

    def _row(self, row: Row) -> Iterator[PokerHand | LeftOut]:
        kept = record.read(row)
        if self._table is None:
            if row.seq != 1 or not isinstance(kept.event, Started):
                raise CannotBePlayed(f"its first event here is {row.seq}: hands are read by playing all of them again")
            self._table = GuardedTable(of_start(kept.event))
        effects = self._table.apply(row.at, kept.event, getattr(kept.event, "device", ""), kept.mark)
        if not record.same_conclusions(kept, effects, row.body):
            raise CannotBePlayed(f"event {row.seq} gives other conclusions with this program than at the table")
        yield from self._take(row, effects)

    @property
    def _state(self) -> PokerState:
        assert self._table is not None
        game = self._table.table.game
        assert isinstance(game, PokerGame)
        return game.state

    def _take(self, row: Row, effects: list[AnyEffect]) -> Iterator[PokerHand | LeftOut]:
        under_way = self._state.in_play
        if self._open is None and under_way is not None:
            self._open = _Played(row.at)
        if self._open is None:
            return
        self._open.last = under_way or self._open.last
        for effect in effects:
            _note(self._open, effect)
        _look(self._open)
        settled = next((effect for effect in effects if isinstance(effect, Settled)), None)
        if settled is not None:
            played, self._open = self._open, None
            yield self._done(row, settled, played)

    def _done(self, row: Row, settled: Settled, played: _Played) -> PokerHand | LeftOut:
        assert self._table is not None
        under_way = played.last
        if played.wrong or settled.outcome not in WHOLE or under_way is None:
            return LeftOut(settled.round, played.wrong or f"it ended as {settled.outcome.replace('_', ' ')}")
        hand, names = under_way.hand, {one.wager.rpartition("/")[2]: one.player for one in settled.results}
        seats = tuple(player.seat for player in hand.betting.players)
        known = {number: seat.player for number, seat in self._state.seats.items()}
        won = dict.fromkeys(seats, 0)
        for share in hand.awards:
            won[share.seat] += share.amount
        return PokerHand(
            settled.round, played.at, row.at, self._table.config.table.name, hand.terms, seats,
            tuple(names.get(str(seat)) or known.get(seat, "") for seat in seats),
            tuple(played.starting.get(seat, 0) for seat in seats), tuple(played.blinds.get(seat, 0) for seat in seats),
            tuple(played.steps), tuple(under_way.stakes.get(seat, 0) for seat in seats),
            tuple(won[seat] for seat in seats), _shown(hand), tuple(hand.given_up),
            tuple(pot.amount for pot in hand.pots), hand.rake, tuple(hand.rake_by_pot),
        )  # fmt: skip


class CannotBePlayed(Exception):
    """The rows of a journal cannot be played again here: why."""


def _note(played: _Played, effect: AnyEffect) -> None:
    """What a conclusion says of the hand."""
    assert played.last is not None
    match effect:
        case Noted("acted", facts):
            played.steps.append(Act(played.round, facts["seat"], facts["kind"], facts["total"]))
        case Moved(machine="round", trigger="irregularity"):
            played.wrong = played.wrong or "something went wrong in it, and a person ruled on it"
        case Moved(machine="round", trigger=take_back.NOTE) | Noted(take_back.NOTE):
            played.wrong = played.wrong or "a key was taken back in it"
        case Moved(machine="round", dest=dest) if dest in ROUND_OF:
            played.round = ROUND_OF[dest]
            if played.round == 1:
                _began(played, played.last)


def _began(played: _Played, under_way: HandInPlay) -> None:
    """The cards are out: what everybody has for this hand, and who put up what."""
    hand = under_way.hand
    played.starting = {player.seat: player.stack + player.in_hand for player in hand.betting.players}
    played.blinds = {}
    for due in hand.blinds:
        sign = 1 if due.seat in under_way.positions.posts else -1
        played.blinds[due.seat] = played.blinds.get(due.seat, 0) + sign * due.amount
    if hand.straddle:
        played.blinds[hand.betting.players[hand.straddler].seat] = hand.straddle


def _look(played: _Played) -> None:
    """Cards that lie on the board since the row before."""
    assert played.last is not None
    board = played.last.hand.board
    if len(board) < played.board:
        played.wrong = played.wrong or "board cards were dealt again"
    elif len(board) > played.board:
        played.steps.append(Board(tuple(board[played.board :])))
    played.board = len(board)


def _shown(hand: Hand) -> tuple[tuple[int, tuple[str, ...]], ...]:
    shown = {player.seat: tuple(player.shown) for player in hand.betting.players}
    return tuple((read.seat, shown[read.seat]) for read in hand.hands)
