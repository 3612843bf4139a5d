"""A gaming day of one table: what a report holds."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.effects import WagerResult
from controller.report.books import Books, CashLine
from controller.report.tally import DECIDED, Shift, Tally

HOUR_MS = 3_600_000


class BetLine(msgspec.Struct):
    """Money on one bet, in cents; `won` is the house's."""

    wagers: int = 0
    decided: int = 0
    staked: int = 0
    paid: int = 0
    won: int = 0

    def add(self, result: WagerResult, sign: int = 1) -> None:
        self.wagers += sign
        if result.result in DECIDED:
            self.decided += sign
            self.staked += sign * (result.stake_taken + result.stake_returned)
        self.paid += sign * result.pays
        self.won += sign * (result.stake_taken - result.pays)


class AlarmLine(msgspec.Struct):
    """One kind of alarm: how often, when first and last, and how long it stood in all."""

    code: str
    text: str
    count: int = 0
    first: int = 0
    last: int = 0
    stood_ms: int = 0
    taken_back: int = 0  # of these, how many a key raised that was taken back


class DeviceLine(msgspec.Struct):
    """A device over the day."""

    up_ms: int = 0
    down_ms: int = 0
    losses: int = 0
    troubles: int = 0
    spans: list[tuple[int, int]] = []

    @property
    def share(self) -> float:
        """The part of the time that it was up."""
        whole = self.up_ms + self.down_ms
        return self.up_ms / whole if whole else 0.0


class Late(msgspec.Struct, frozen=True):
    """A chip touched after betting was closed."""

    at: int
    kind: str
    cents: int
    was: int
    now: int
    tag: int
    after_ms: int


class Void(msgspec.Struct, frozen=True):
    """Something that came to nothing: a spin, a round, a settlement taken back."""

    at: int
    round: int
    what: str
    why: str
    cents: int = 0


class Decision(msgspec.Struct, frozen=True):
    """What a member of staff decided."""

    at: int
    who: str
    rank: int
    subject: str
    answer: str
    reason: str
    clauses: tuple[str, ...]
    taken_back_by: str = ""  # who took the key back that said so; empty where it stands
    about: str = ""  # the question as it was put, or what the power is about
    said: str = ""  # the answer as whoever gave it read it


class TypedCard(msgspec.Struct, frozen=True):
    """A player's card that no reader read: somebody vouched for it by key."""

    at: int
    player: str
    box: int
    by: str


class TakenBack(msgspec.Struct, frozen=True):
    """A key pressed by mistake, and its correction."""

    pressed: int
    key: str
    pressed_by: str
    at: int
    by: str
    rank: int
    reason: str


class ByHandLine(msgspec.Struct):
    """A device that was played without: from when, by whose word, how many rounds; `until` is 0 while it lasts."""

    place: str
    since: int
    by: str
    reason: str
    until: int = 0
    ended_by: str = ""
    rounds: int = 0
    unheard: int = 0
    before: bool = False  # it was declared before the day began


class Report(msgspec.Struct):
    """A gaming day of one table, from `start` to `end` in milliseconds since the epoch."""

    start: int
    end: int
    table: str = ""
    rulebook: str = ""
    head: str = ""  # of the whole journal when the report was made
    made: str = ""  # when, and by which program
    checked: str = ""  # whether every event of the journal follows from the one before
    signature: str = ""  # under the head, where the table has a key
    names: dict[str, str] = {}  # of staff that the configuration names
    titles: dict[int, str] = {}  # of ranks in the rulebook
    events: int = 0
    rounds: int = 0
    open_ms: int = 0
    outcomes: dict[str, int] = {}
    expected: dict[str, float] = {}
    hours: dict[int, int] = {}
    bets: dict[str, BetLine] = {}
    won_at: list[tuple[int, int]] = []
    booked: dict[str, int] = {}
    floats: list[dict[str, Any]] = []
    alarms: dict[str, AlarmLine] = {}
    late: list[Late] = []
    mispayments: dict[str, dict[str, Any]] = {}
    voids: list[Void] = []
    devices: dict[str, DeviceLine] = {}
    decisions: list[Decision] = []
    taken_back: list[TakenBack] = []
    typed_cards: list[TypedCard] = []
    by_hand: list[ByHandLine] = []
    attendance: list[dict[str, Any]] = []
    books: Books = msgspec.field(default_factory=Books)
    expectations: dict[str, float] = {}
    theoretical: dict[str, float] = {}
    players: dict[str, Tally] = {}
    dealers: dict[str, Tally] = {}
    shifts: list[Shift] = []
    heads: dict[int, int] = {}
    heads_by_round: int = 0
    cash_threshold: int = 0
    landings: dict[str, Any] = {}

    @property
    def pace(self) -> float:
        """Rounds an hour while the table was open."""
        return self.rounds * HOUR_MS / self.open_ms if self.open_ms else 0.0

    @property
    def staked(self) -> int:
        return sum(bet.staked for bet in self.bets.values())

    @property
    def won(self) -> int:
        return sum(bet.won for bet in self.bets.values())

    @property
    def drop(self) -> int:
        """What players bought chips and colour chips for at this table, in cash."""
        return self.books.drop

    @property
    def win(self) -> int:
        """By the float where its tray is watched, with what was dropped beside it; else what the house took at play."""
        books = self.books
        if books.win is not None:
            return books.win + books.dropped
        return books.taken_of_the_game if books.hands else self.won

    @property
    def beside_settlements(self) -> int | None:
        """What the float gained that neither settlements nor explanations say: paid wrongly, or colour chips still out.

        None where no tray is watched.
        """
        books = self.books
        if books.win is None:
            return None
        settled = self.won + books.fees  # what a game takes as a fee is no wager
        return self.win - settled - books.net("explained") - books.left_open - books.while_closed

    @property
    def hold(self) -> float | None:
        """Win over drop; none of a game among players, whose money is not held against what they bought."""
        return self.win / self.drop if self.drop and not self.books.hands else None

    @property
    def theoretical_win(self) -> int | None:
        """What the wagers that lay should have brought by their exact edges; none where no wager has one."""
        return round(sum(self.theoretical.values())) if self.expectations else None

    @property
    def average_bet(self) -> int:
        wagers = sum(bet.decided for bet in self.bets.values())
        return round(self.staked / wagers) if wagers else 0

    @property
    def win_an_hour(self) -> int:
        return round(self.win * HOUR_MS / self.open_ms) if self.open_ms else 0

    @property
    def headcount(self) -> float:
        """Players in a round, on average."""
        return self.heads_by_round / self.rounds if self.rounds else 0.0

    def called(self, who: str) -> str:
        """A member of staff by name, where it is known."""
        return f"{self.names[who]} ({who})" if who in self.names else who

    def titled(self, rank: int) -> str:
        return self.titles.get(rank, str(rank or ""))

    def large_cash(self) -> list[CashLine]:
        """Players whose cash of the day came to the threshold, in one transaction or in several."""
        return [line for line in self.books.cash_by_player() if line.cents >= max(self.cash_threshold, 1)]
