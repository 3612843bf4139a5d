"""Two ledgers of three gaming days held against each other: the one of hands, and the table's own books."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from controller.journal.file import JournalFile
from controller.report import Report, report
from controller.report.days import gaming_day
from lab.proofs.ledger import Account, Ledger
from lab.proofs.ledger_days import DAYS, FIRST, PLAY_S, STARTS, ZONE, House
from lab.proofs.ledger_poker import PokerHouse, StandAlone

ALONE = "stand-alone poker"
HOUSES: dict[str, type[House]] = {"wheel": House, "war": House, "poker": PokerHouse, ALONE: StandAlone}


class DayHeld(msgspec.Struct):
    """One day by both ledgers; `differences` says where they do not agree."""

    day: str
    rounds: int
    opening: int
    closing: int
    fills: int
    credits: int
    drop: int
    won: int
    win: int
    corrections: int
    explained: int
    colour_cash: int
    redeemed: int
    commission: int
    brought: int
    differences: list[str]


class Held(msgspec.Struct):
    """What came of the days."""

    seed: int
    days: list[DayHeld]
    events: int
    moves: int
    restarts: int
    kills: int
    acts: dict[str, int]

    @property
    def ok(self) -> bool:
        return not any(day.differences for day in self.days)


def prove(path: Path, seed: int = 1, stretch_s: float = PLAY_S, breaks: bool = True, game: str = "wheel") -> Held:
    """Play three days and hold both ledgers against each other."""
    house = HOUSES[game](path, seed, game.removeprefix("stand-alone "))
    house.play(stretch_s, breaks)
    file = JournalFile.read_only(path)
    try:
        held = [_held(house.ledger, file, FIRST + timedelta(days=number)) for number in range(DAYS)]
        return Held(seed, held, file.last_seq, len(house.ledger.moments), house.restarts, house.kills, house.acts)
    finally:
        file.close()


def _held(ledger: Ledger, file: JournalFile, day: date) -> DayHeld:
    span = gaming_day(day, STARTS, ZoneInfo(ZONE))
    mine, theirs = ledger.account(*span), report(file, *span)
    books = theirs.books
    column = dict(books.column())
    return DayHeld(
        day.isoformat(),
        theirs.rounds,
        column.get("opening float", 0),
        column.get("closing float", 0),
        books.net("fill"),
        books.net("credit"),
        theirs.drop,
        column.get("won in chips at play", 0),
        theirs.win,
        sum(bool(line.corrects) for line in books.booked),
        books.net("explained"),
        books.colour_cash,
        books.net("redeem"),
        books.commission,
        books.brought,
        differences(mine, theirs),
    )


def differences(mine: Account, theirs: Report) -> list[str]:
    """Where the ledger of hands and the report of the table do not say the same."""
    books = theirs.books
    column = dict(books.column())
    pairs: dict[str, tuple[object, object]] = {
        "chips at the opening": (mine.opening, books.opening),
        "chips at the closing": (mine.closing, books.closing),
        "fills": (mine.came, books.net("fill")),
        "credits": (mine.credits, books.net("credit")),
        "cash for chips": (mine.slip("buy_in"), books.net("buy_in")),
        "cash for colour chips": (mine.slip("colour_cash"), books.colour_cash),
        "colour chips redeemed": (mine.slip("redeem"), books.net("redeem")),
        "explained": (-mine.slip("stolen"), books.net("explained")),
        "won at play": (mine.won, column.get("won in chips at play")),
        "drop": (mine.drop, theirs.drop),
        "win": (mine.win, theirs.win),
        "box beside cash": (0, books.box_difference),
        "commission in the box": (mine.boxed, books.dropped),
        "commission in the float": (mine.joined, books.net("commission")),
        "brought to seats": (mine.slip("brought"), books.brought),
        "carried off": (mine.slip("carried off"), books.carried_off),
        "players' chips": _players_gained(mine, theirs),
    }
    return [f"{what}: {ours} by hands, {told} in the books" for what, (ours, told) in pairs.items() if ours != told]


def _players_gained(mine: Account, theirs: Report) -> tuple[int, int]:
    """What players have more than in the morning; only a game among players knows what they have."""
    books = theirs.books
    if not books.hands:
        return 0, 0
    return mine.players_gained, books.brought - books.carried_off - books.taken_of_the_game
