"""The last rounds of a table out of its journal, for disputes: every card, wager, ruling and clause, at any game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from controller import games
from controller.cards.events import CardsOpened
from controller.core import take_back
from controller.core.effects import (
    Alarmed,
    Asked,
    Awarded,
    Moved,
    Noted,
    Refused,
    Reversed,
    Settled,
    Uncovered,
    WagerResult,
)
from controller.core.events import ClockCompared, Command, Started
from controller.journal.file import JournalFile
from controller.journal.row import Record
from controller.journal.rulings import Rulings
from controller.money.amounts import dollars
from drivers.cards import CardDrawn, CardPushedBack, CardReadAgain, CardUnread, CuttingCard, TwoDrawn

CARDS = (CardDrawn, CardUnread, CuttingCard, TwoDrawn, CardPushedBack, CardReadAgain)
LOOK_BACK = 1_000
"""Rows looked at first; ten times as many each time those hold too few rounds."""

Rows = Iterable[tuple[int, int, Record[msgspec.Struct]]]
Read = Callable[[JournalFile, int, int | None], Iterator[tuple[int, int, Record[msgspec.Struct]]]]


class Line(msgspec.Struct):
    """Something that happened in a round, with when and in which journal row."""

    seq: int
    at: int
    what: str
    text: str
    clauses: tuple[str, ...] = ()
    taken_back: bool = False
    by: str = ""
    rank: int = 0
    """Of whoever ruled."""


class Recalled(msgspec.Struct):
    """One round as it can be read from the journal; `last` is 0 while it is still played."""

    first: int
    at: int
    last: int = 0
    ended: int = 0
    round: int = 0
    outcome: str = ""
    cards: list[dict[str, Any]] = []
    wagers: list[dict[str, Any]] = []
    lines: list[Line] = []
    facts: dict[str, Any] = {}
    by_hand: list[str] = []  # devices that were played without
    rulebook: str = ""
    """The edition that it was played by."""
    true_at: int = 0
    """When it began by a trusted clock, as far as this table's followed one; `within_ms` is how far it may be off."""
    within_ms: int = 0
    surveillance_at: int = 0
    """What Surveillance's clock showed then."""

    def by_clock(self, clock: ClockCompared | None, surveillance_s: float) -> None:
        """Say when it began by other clocks than the table's own."""
        if clock is not None and clock.followed:
            self.true_at, self.within_ms = self.at - clock.ahead_ms, clock.within_ms
            self.surveillance_at = self.true_at + round(surveillance_s * 1000)

    def as_text(self, named: Mapping[str, str] = MappingProxyType({}), titles: Sequence[str] = ()) -> str:
        """The round for people, one line each thing; `named` says who the staff of the house are, `titles` its ranks.

        Whoever ruled is named with the title under which it was done.
        """
        span = f"rows {self.first} to {self.last}" if self.last else f"rows from {self.first}, still played"
        when = f"{utc(self.at)} UTC" + (f" to {utc(self.ended)[11:]}" if self.ended else "")
        without = f", played by hand without {', '.join(self.by_hand)}" if self.by_hand else ""
        lines = [f"Round {self.round or '?'}: {self.outcome or 'not settled'}, {when} ({span}){without}"]
        if self.rulebook:
            lines.append(f"  rulebook {self.rulebook}")
        if self.true_at:
            lines.append(
                f"  clock    began {utc(self.true_at)} UTC, within {self.within_ms} ms; Surveillance's clock showed "
                f"{utc(self.surveillance_at)} UTC"
            )
        if self.cards:
            lines.append("  cards    " + "  ".join(_card_text(card) for card in self.cards))
        for wager in self.wagers:
            money = f"pays {dollars(wager['pays'])}, takes {dollars(wager['stake_taken'])}"
            clauses = ", ".join(wager["clauses"])
            lines.append(
                f"  wager    {wager['player']:<10} {wager['bet']:<16} {wager['result']:<10} {money}  [{clauses}]"
            )
        for line in self.lines:
            clauses = f"  [{', '.join(line.clauses)}]" if line.clauses else ""
            mark = "(taken back) " if line.taken_back else ""
            whose = f", by {line.by}{_titled(line.rank, titles)}" if line.rank else ""
            lines.append(f"  {utc(line.at)[11:]}  {line.what:<8} {mark}{line.text}{whose}{clauses}")
        if who := [f"{one} {named[one]}" for one in dict.fromkeys(line.by for line in self.lines) if one in named]:
            lines.append(f"  people   {'; '.join(who)}")
        return "\n".join(lines)


def _titled(rank: int, titles: Sequence[str]) -> str:
    return f" ({titles[rank - 1]})" if 0 < rank <= len(titles) else ""


def utc(at: int) -> str:
    """A moment of the journal, for people."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at / 1000)) + f".{at % 1000:03d}"


def _card_text(card: dict[str, Any]) -> str:
    place = f" {card['to']}" if card.get("to") else ""
    keyed = " (keyed)" if card.get("by_hand") else ""
    return f"{card['card'] or card.get('why') or '??'}{place}{keyed}"


class _Books(msgspec.Struct):
    surveillance_ahead_s: float = 0.0


class _Config(msgspec.Struct):
    books: _Books = msgspec.field(default_factory=_Books)


class _State(msgspec.Struct):
    clock: ClockCompared | None = None


class _Table(msgspec.Struct):
    table: _State = msgspec.field(default_factory=_State)


class Standing(msgspec.Struct):
    """Of a snapshot, what the record of a round names."""

    played_by: str = ""
    config: _Config = msgspec.field(default_factory=_Config)
    table: _Table = msgspec.field(default_factory=_Table)


class Recall:
    """Cuts what the journal tells into rounds."""

    def __init__(self, game: str) -> None:
        self._key, self._state = games.find(game).round_over if game else ("dest", "idle")
        self._open: Recalled | None = None
        self._rests: tuple[int, int] | None = None
        """Since which row and moment the round stands where it is over, until the next one begins."""
        self._results: dict[str, WagerResult] = {}
        self._opened: dict[str, str] = {}
        """Where cards lie that were said to lie open, by the order under which their faces are told."""
        self._shown_at = ""
        self._rulings = Rulings()
        self.rounds: list[Recalled] = []
        self.rulebook = ""
        self._clock: ClockCompared | None = None
        self._surveillance_s = 0.0

    @property
    def began(self) -> int:
        """The first row of the round that is still played; 0 between rounds."""
        return self._open.first if self._open is not None else 0

    @property
    def under_way(self) -> Recalled | None:
        """The round that is still played, as far as it was followed."""
        return self._open

    def follow(self, rows: Rows) -> None:
        for seq, at, kept in rows:
            if isinstance(kept.event, Started):
                self._started(kept.event)
            if isinstance(kept.event, ClockCompared):
                self._clock = kept.event
            for effect in kept.effects:
                if _moves(effect) and self._open is None:
                    self._open = Recalled(seq, at, rulebook=self.rulebook)
                    self._open.by_clock(self._clock, self._surveillance_s)
            if self._open is not None:
                self._take(self._open, seq, at, kept)
            if (corrected := take_back.correction(kept.effects)) is not None:
                self._mark(corrected.row)
            for effect in kept.effects:
                if isinstance(effect, Moved) and effect.machine == "round":
                    self._rests = (seq, at) if effect.dest == self._state else None
                if _moves(effect) and getattr(effect, self._key) == self._state:
                    self._end(seq, at)

    def _started(self, event: Started) -> None:
        """From here on this edition is played by; a start names the one before it, too."""
        if not self.rulebook:
            self.name_rulebook(event.before)
        self.rulebook = event.edition.name if event.edition is not None else ""
        self._surveillance_s = event.config.get("books", {}).get("surveillance_ahead_s", 0.0)
        self._clock = None

    def began_from(self, standing: Standing) -> None:
        """No start is among what was followed: all of it was played as the table stands."""
        self.name_rulebook(standing.played_by)
        for recalled in self.rounds:
            if not recalled.true_at:
                recalled.by_clock(standing.table.table.clock, standing.config.books.surveillance_ahead_s)

    def name_rulebook(self, name: str) -> None:
        """Rounds of which it is not known yet were played by this edition."""
        for recalled in (*self.rounds, *([self._open] if self._open is not None else [])):
            recalled.rulebook = recalled.rulebook or name

    def _mark(self, row: int) -> None:
        """What this key brought was taken back; it stays on record beside its correction."""
        for recalled in (*self.rounds[-1:], *([self._open] if self._open is not None else [])):
            for line in recalled.lines:
                line.taken_back = line.taken_back or line.seq == row

    def _take(self, recalled: Recalled, seq: int, at: int, kept: Record[msgspec.Struct]) -> None:
        event = kept.event
        self._shown_at = _shown_at(event)
        if isinstance(event, CardsOpened) and (place := self._opened.pop(event.order, "")):
            faces = [{"seq": seq, "at": at, "card": face, "to": place} for _, face in event.cards]
            recalled.cards += faces
        if isinstance(event, CARDS):
            facts = msgspec.to_builtins(event)
            for card in facts.get("cards", [facts.get("card", "CUT" if isinstance(event, CuttingCard) else "")]):
                recalled.cards.append({"seq": seq, "at": at, "card": card, **_only(facts, "draw", "why", "face_up")})
        if isinstance(event, Command) and event.name != "answer":
            words = ", ".join(
                f"{key} {value}" for key, value in event.args.items() if not isinstance(value, list | dict)
            )
            recalled.lines.append(
                Line(
                    seq, at, "key", f"{event.name} by {event.by.id}" + (f" ({words})" if words else ""), by=event.by.id
                )
            )
        for effect in kept.effects:
            self._conclude(recalled, seq, at, effect)
        for ruling in self._rulings.follow(seq, at, event, kept.effects):
            recalled.lines.append(
                Line(seq, at, "ruled", ruling.in_words(), ruling.clauses, by=ruling.by, rank=ruling.rank)
            )

    def _conclude(self, recalled: Recalled, seq: int, at: int, effect: msgspec.Struct) -> None:
        add = recalled.lines.append
        match effect:
            case Settled():
                recalled.round, recalled.outcome = effect.round, effect.outcome
                self._results |= {result.wager or f"{result.player} {result.bet}": result for result in effect.results}
            case Reversed():
                recalled.round = effect.round
                self._results |= {result.wager or f"{result.player} {result.bet}": result for result in effect.results}
                add(Line(seq, at, "reversed", f"{len(effect.results)} wagers taken back", effect.clauses))
            case Asked():
                add(Line(seq, at, "asked", effect.text, effect.clauses))
            case Refused():
                add(Line(seq, at, "refused", f"{effect.what}: {effect.text}", effect.clauses))
            case Alarmed():
                add(Line(seq, at, "alarm", effect.text, effect.clauses))
            case Awarded():
                add(Line(seq, at, "award", _award_text(effect), effect.clauses))
            case Noted(what="acted" | "straddle", facts=facts):
                add(Line(seq, at, "bet", _bet_text(effect.what, facts), effect.clauses))
            case Noted(what="card_by_hand", facts={"card": card} as facts):
                recalled.cards.append({"seq": seq, "at": at, "card": card, "by_hand": True, **_only(facts, "to")})
            case Noted(what="played_by_hand", facts={"places": places}):
                recalled.by_hand = list(places)
            case Uncovered(order=order):
                self._opened[order] = self._shown_at
            case Noted(what="round" | "hand", facts=facts):
                recalled.facts = facts
                _place_cards(recalled, facts)

    def _end(self, seq: int, at: int) -> None:
        recalled, self._open = self._open, None
        if recalled is not None:
            recalled.last, recalled.ended = seq, at
            self._keep(recalled)

    def _keep(self, recalled: Recalled) -> None:
        recalled.wagers = [msgspec.to_builtins(result) for result in self._results.values()]
        self._results = {}
        if recalled.round or recalled.wagers or recalled.cards:
            self.rounds.append(recalled)

    def still_played(self) -> None:
        """Add the round that is not over yet, or that nothing has followed."""
        if self._open is not None:
            self._open.last, self._open.ended = self._rests or (0, 0)
            self._keep(self._open)


def _moves(effect: msgspec.Struct) -> bool:
    """Whether a round went on; one that is set back by a key taken back neither begins nor ends by it."""
    return isinstance(effect, Moved) and effect.machine == "round" and effect.trigger != take_back.NOTE


def _shown_at(event: msgspec.Struct) -> str:
    """Where cards lie open for all, by the key that says so; a hand that one person looked at stays unseen."""
    if isinstance(event, Command):
        if event.name == "turned_up":
            return "board"
        if event.name in ("table_hand", "inspect"):
            return f"seat {event.args.get('seat')}"
    return ""


def _bet_text(what: str, facts: dict[str, Any]) -> str:
    """What a seat did with its chips, and what then lay before it."""
    if what != "acted":
        return f"seat {facts['seat']} {what.replace('_', ' ')}: {dollars(facts['amount'])}"
    total = f", {dollars(facts['total'])} before it" if facts["total"] else ""
    return f"seat {facts['seat']} {facts['kind'].replace('_', ' ')}{total}"


def _award_text(award: Awarded) -> str:
    """What a seat got out of which pot, and with what."""
    pot = "the main pot" if award.pot == 0 else f"side pot {award.pot}"
    share = "" if award.side == "whole" else f", the {award.side} half"
    with_hand = f" with {award.hand}" if award.hand and award.hand != "low" else ""
    return f"seat {award.seat} ({award.player}) gets {dollars(award.cents)} of {pot}{share}{with_hand}"


def _only(facts: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: facts[name] for name in names if facts.get(name)}


def _place_cards(recalled: Recalled, facts: dict[str, Any]) -> None:
    """Where each card ended, as the game put it down when the round was over."""
    places, faces = facts.get("to"), facts.get("cards")
    if not isinstance(places, list) or not isinstance(faces, list):
        return
    drawn = recalled.cards[-len(places) :] if places else []
    for card, place, face in zip(drawn, places, faces, strict=False):
        card["to"] = place
        if face != card["card"]:
            card["ruled"] = face


def last_rounds(file: JournalFile, count: int, records: Read) -> list[Recalled]:
    """The last rounds, the newest last; only as much of the journal is read as they need."""
    game = _game(file, records)
    back = LOOK_BACK
    while True:
        first = max(1, file.last_seq - back)
        recall = Recall(game)
        recall.follow(records(file, first, None))
        recall.still_played()
        if not recall.rulebook:  # no start is among the rows, so the newest snapshot was taken after the last one
            recall.began_from(_standing(file))
        # The first one found may have begun before the rows that were read.
        whole = recall.rounds if first == 1 else recall.rounds[1:]
        if len(whole) >= count or first == 1:
            return whole[-count:]
        back *= 10


def chosen_rounds(file: JournalFile, records: Read, chosen: Callable[[Recalled], bool]) -> list[Recalled]:
    """The rounds of the whole journal that are asked for, the newest last."""
    recall = Recall(_game(file, records))
    found: list[Recalled] = []
    for row in records(file, 1, None):
        recall.follow((row,))
        while len(recall.rounds) > 1:  # the last one may still be marked by a key that is taken back
            found += filter(chosen, (recall.rounds.pop(0),))
    recall.still_played()
    return [*found, *filter(chosen, recall.rounds)]


def _standing(file: JournalFile) -> Standing:
    snapshot = file.newest_sound_snapshot()
    return msgspec.json.decode(snapshot.body, type=Standing) if snapshot is not None else Standing()


def _game(file: JournalFile, records: Read) -> str:
    """Which game this journal is of."""
    for _, _, kept in records(file, 1, None):
        if isinstance(kept.event, Started):
            return str(kept.event.config["table"]["game"])
    return ""
