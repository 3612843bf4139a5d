"""The last rounds: a line for each, and the full record of one from the journal, with what the table looked like."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from controller import games
from controller.core import take_back
from controller.core.desk import Ask
from controller.core.effects import Moved, Noted, Reversed, Ruled, Settled
from controller.core.events import Command
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime, Told
from controller.core.table import Table
from controller.core.table_keys import told_by_hand
from controller.journal import row as record
from controller.journal.file import JournalFile, Row
from controller.journal.rulings import Rulings
from controller.money.amounts import dollars
from controller.money.float import FLOAT

ROUNDS_KEPT = 20
TAIL = 4_000
"""Rows looked at after a restart to find the last rounds again, and the most that a record is replayed over."""
RECORD_MOST = 1_000
"""Rows one record may hold."""


class RoundLine(msgspec.Struct):
    """One round at a glance, and the journal rows that prove it."""

    first: int
    last: int
    at: int
    round: int = 0
    outcome: str = ""
    wagers: int = 0
    paid: int = 0
    taken: int = 0
    rulings: int = 0
    voids: int = 0
    reversed: bool = False
    by_hand: tuple[str, ...] = ()  # devices that were played without
    taken_back: int = 0  # keys pressed by mistake and corrected; what they ruled is not counted


class NoSuchRound(Exception):
    """The journal does not hold these rows, or they are too many to show."""


class RoundLog:
    """Cuts the stream of conclusions into rounds: from the first move after one to the move that ends it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        game = runtime.table.game
        self._machine = game.machine.name
        self._playable = games.find(game.name)
        self._end, self._over = self._playable.round_over
        self.last_drawn: dict[str, Any] = {}
        """What the game draws of the last event that it draws, such as a spin's trace."""
        self._lines: deque[RoundLine] = deque(maxlen=ROUNDS_KEPT)
        self._open: RoundLine | None = None
        self._counted: dict[int, tuple[int, int]] = {}
        """Rulings and no spins of the round under way, by row."""
        self._starts: dict[int, bytes] = {}
        self._read_tail()

    def _read_tail(self) -> None:
        """Find the last rounds after a restart."""
        journal = self._runtime.journal
        if not journal.last_seq:
            return
        reader = JournalFile.read_only(journal.path)
        try:
            for row in reader.rows(max(1, reader.last_seq - TAIL)):
                kept = record.read(row, journal.path)
                self._follow(Told(row.seq, row.at, kept.event, kept.effects))
        finally:
            reader.close()

    def told(self, told: Told) -> None:
        """Follow one event as it becomes certain."""
        before = self._open
        self._follow(told)
        if self._open is None and before is not None:
            # the table between two rounds is where the replay of the next one starts
            self._starts[self._runtime.guarded.position.seq] = self._runtime.guarded.save()
            while len(self._starts) > ROUNDS_KEPT + 1:
                del self._starts[min(self._starts)]

    def _follow(self, told: Told) -> None:
        over = False
        if type(told.event).__name__ in self._playable.drawn_events:
            self.last_drawn = self._playable.drawn(msgspec.to_builtins(told.event))
        if (corrected := take_back.correction(told.effects)) is not None:
            self._correct(corrected.row)
        before = self._rulings()
        for effect in told.effects:
            moved = isinstance(effect, Moved) and effect.machine == self._machine and effect.trigger != take_back.NOTE
            if moved and self._open is None:
                self._open, self._counted = RoundLine(told.seq, told.seq, told.at), {}
            self._count(effect)
            over = over or (moved and getattr(effect, self._end) == self._over)
        if (now := self._rulings()) != before:
            self._counted[told.seq] = (now[0] - before[0], now[1] - before[1])
        if over and self._open is not None:  # what the same event settled belongs to this round as well
            self._open.last = told.seq
            self._lines.append(self._open)
            self._open = None

    def _rulings(self) -> tuple[int, int]:
        return (self._open.rulings, self._open.voids) if self._open is not None else (0, 0)

    def _correct(self, row: int) -> None:
        """The key of this row was taken back: a round that it ended goes on, and what it ruled does not stand."""
        if self._open is None and self._lines and self._lines[-1].last == row:
            self._open = self._lines.pop()
        self._starts = {seq: saved for seq, saved in self._starts.items() if seq < row}
        rulings, voids = self._counted.pop(row, (0, 0))
        if self._open is not None and row >= self._open.first:
            self._open.taken_back += 1
            self._open.rulings -= rulings
            self._open.voids -= voids

    def _count(self, effect: msgspec.Struct) -> None:
        line = self._open
        match effect:
            case Reversed(round_) if line is None or line.round not in (0, round_):
                for past in self._lines:
                    past.reversed = past.reversed or past.round == round_
            case Settled() if line is not None:
                line.round, line.outcome, line.wagers = effect.round, effect.outcome, len(effect.results)
                line.paid = sum(result.pays for result in effect.results if not result.withheld)
                line.taken = sum(result.stake_taken for result in effect.results)
            case Reversed() if line is not None:
                line.reversed = True
            case Ruled(subject=subject) if line is not None and subject != take_back.NOTE:
                line.rulings += 1
            case Noted("played_by_hand", {"places": places}) if line is not None:
                line.by_hand = tuple(places)
            case Noted("no_spin") if line is not None:
                line.voids += 1

    def summaries(self) -> list[RoundLine]:
        """The newest first."""
        return list(reversed(self._lines))

    # -- the record --------------------------------------------------------------------------------------------

    def full(self, first: int, last: int) -> list[dict[str, Any]]:
        """Every journal row of a round: the event, what was concluded from it, and the game as it then stood.

        Asked beside the loop: it has a reader and a table of its own.
        """
        if not 1 <= first <= last or last - first >= RECORD_MOST:
            raise NoSuchRound(f"A record holds 1 to {RECORD_MOST} rows, the first before the last.")
        reader = JournalFile.read_only(self._runtime.journal.path)
        try:
            if last > reader.last_seq:
                raise NoSuchRound(f"The journal ends with row {reader.last_seq}.")
            table = self._table_before(first, reader)
            begun = first if table is None else table.position.seq + 1
            shown = []
            keyed = told_by_hand(self._runtime.table).keys()
            undone = _corrections(reader.rows(first, last + take_back.LONGEST))
            rulings = Rulings({} if table is None else table.table.state.desk.prompts)
            for row in reader.rows(begun, last):
                kept = record.read(row)
                ruled = list(rulings.follow(row.seq, row.at, kept.event, kept.effects))
                told = _told(table, kept.event) if row.seq >= first else []
                view = _apply(table, row, kept)
                if row.seq >= first:
                    said = self._readable(row)
                    besides = {"taken_back": undone.get(row.seq), "keyed": _keyed(said, keyed)}
                    shown.append({**said, "view": view, "ruled": ruled, "told": told, **besides})
            return shown
        finally:
            reader.close()

    def _readable(self, row: Row) -> dict[str, Any]:
        """A row for people, with what the game's page draws of it."""
        shown: dict[str, Any] = {"seq": row.seq, "at": row.at, "effects": [], **msgspec.json.decode(row.body)}
        for of_the_row in ("mark", "form"):
            shown.pop(of_the_row, None)
        return {
            **shown,
            **_in_words(self._runtime.table, shown["event"]),
            **games.find(self._runtime.table.game.name).drawn(shown["event"]),
        }

    def _table_before(self, first: int, reader: JournalFile) -> GuardedTable | None:
        """A table of its own that stands before this row, if one can be had without reading half the journal."""
        known = dict(self._starts)  # the loop adds to it meanwhile
        starts = [seq for seq in known if seq < first]
        snapshot = reader.newest_sound_snapshot()
        table = GuardedTable(self._runtime.guarded.config)
        if starts and first - max(starts) <= TAIL:
            table.restore(known[max(starts)])
        elif snapshot is not None and snapshot.seq < first and first - snapshot.seq <= TAIL:
            table.restore(snapshot.body)
        elif first > TAIL:
            return None
        return table


def _in_words(table: Table, event: dict[str, Any]) -> dict[str, Any]:
    """The label of the key that was pressed, or where chips came and went; nothing where its kind says enough."""
    match event["type"]:
        case "Command":
            key = table.keys.get(event["name"]) or table.game.keys.get(event["name"])
            return {"label": key.label} if key is not None else {}
        case "ChipsMoved":
            return {"moves": [_move(table, event)]}
        case "ChipsSwept":
            return {"moves": [_move(table, move) for move in event["moves"]]}
    return {}


def _move(table: Table, move: dict[str, Any]) -> dict[str, Any]:
    name = "" if move["area"] == FLOAT else table.money.layout.name(move["area"])
    laid = sum(chip["cents"] for chip in move.get("added", ()))
    return {"name": name, "laid": laid, "taken": len(move.get("removed", ()))}


def _corrections(rows: Iterable[Row]) -> dict[int, dict[str, Any]]:
    """Where and by whom keys were taken back, by the rows in which those were pressed."""
    found = {}
    for row in rows:
        one = take_back.correction(record.read(row).effects) if take_back.NOTE.encode() in row.body else None
        if one is not None:
            found[one.row] = {"seq": row.seq, "by": one.by, "rank": one.rank, "reason": one.reason}
    return found


def _keyed(row: dict[str, Any], in_place_of_devices: Collection[str]) -> bool:
    """Whether a person keyed in what a device would have told."""
    event = row["event"]
    return event["type"] == "Command" and event["name"] in in_place_of_devices


def _told(table: GuardedTable | None, event: msgspec.Struct) -> list[tuple[str, str]]:
    """What was told with a key or an answer, at the table as it stood before."""
    if table is None or not isinstance(event, Command):
        return []
    here = table.table
    if event.name != "answer":
        key = here.keys.get(event.name) or here.game.keys.get(event.name)
        return given(key.asks, event.args) if key is not None else []
    asked = here.state.desk.prompts.get(event.args.get("prompt", ""))
    return given(here.game.asks(asked, event.args.get("answer", "")), event.args) if asked is not None else []


def _apply(table: GuardedTable | None, row: Row, kept: record.Record[msgspec.Struct]) -> dict[str, Any] | None:
    if table is None:
        return None
    table.apply(row.at, kept.event, getattr(kept.event, "device", ""), kept.mark)
    game = table.table.game
    return {"game": game.name, "state": game.machine.state, "life": table.table.state.life, **game.view()}


# -- what was told with a key or an answer, in the words of its form ----------------------------------------


SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
BESIDES = ("accept", "accept_why")
"""Told once the table has refused; a record has its reason in a place of its own."""


def given(asks: Iterable[Ask], args: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each thing that was told, by its label."""
    told = ((ask, args.get(ask.name)) for ask in asks if ask.kind not in BESIDES)
    return [
        (ask.label or ask.name.replace("_", " ").capitalize(), text)
        for ask, value in told
        if (text := _as_told(ask, value))
    ]


def _as_told(ask: Ask, value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, list | tuple):
        return ", ".join(_as_told(ask, one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{what} {count}" for what, count in value.items())
    match ask.kind:
        case "money" | "amounts" if isinstance(value, int):
            return dollars(value)
        case "card" | "cards":
            return _face(str(value))
        case "choice":
            return next((label for code, label in ask.choices if code == str(value)), str(value).replace("_", " "))
    return str(value)


def _face(card: str) -> str:
    rank, suit = card[:-1].upper().replace("T", "10"), SUITS.get(card[-1:].upper())
    return f"{rank}{suit}" if suit else card
