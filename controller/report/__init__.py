"""A gaming day read from the journal: rounds, money by bet, pace, alarms, wrongs, devices and who decided what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from controller import games
from controller.config.kept import from_plain
from controller.core.effects import Alarmed, AlarmOver, AnyEffect, Moved, Noted, Reversed, Ruled, Settled, WagerResult
from controller.core.events import Started
from controller.journal import row as record
from controller.journal.file import Row
from drivers.events import DeviceDown, DeviceRefused, DeviceTrouble, DeviceUp

HOUR_MS = 3_600_000
DECIDED = frozenset({"win", "lose", "standoff", "surrender"})
# What must be known of the time before the day: how the table, its devices and its alarms stood.
_BEFORE = (b'"Started"', b'"life"', b'"DeviceUp"', b'"DeviceDown"', b'"DeviceRefused"', b'"Alarm')


class BetLine(msgspec.Struct):
    """Money on one bet, in cents; `won` is the house's."""

    wagers: int = 0
    staked: int = 0
    paid: int = 0
    won: int = 0

    def add(self, result: WagerResult, sign: int = 1) -> None:
        self.wagers += sign
        if result.result in DECIDED:
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


class Report(msgspec.Struct):
    """A gaming day of one table, from `start` to `end` in milliseconds since the epoch."""

    start: int
    end: int
    table: str = ""
    rulebook: str = ""
    head: str = ""  # of the whole journal when the report was made
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
    attendance: list[dict[str, Any]] = []

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
        """What players bought chips for at this table."""
        return self.booked.get("buy_in", 0)


def report(rows: Iterable[Row], start: int, end: int) -> Report:
    """Read a journal's rows; those before the day only say how things stood when it began."""
    reader = _Reader(Report(start, end))
    for row in rows:
        if row.at >= end:
            break
        if row.at < start and not any(word in row.body for word in _BEFORE):
            continue
        kept = record.read(row)
        reader.take(max(row.at, start), kept.event, kept.effects, row.at >= start)
    return reader.ended()


ABOUT_ONE = (
    "foreign:", "cloned:", "error:", "moved:", "locked:", "set_aside:", "astray:", "unclear:", "not_issued:",
    "line:", "stray:", "unsigned:", "mucked:", "cards_away:", "exchanged:", "doubled:", "foreign_card:",
)  # fmt: skip
"""How alarms begin that are about one chip, card, stake, seat, event or person each."""


def counted_as(code: str) -> str:
    """Alarms of a kind count together, whatever each is about."""
    return code.partition(":")[0] if code.startswith(ABOUT_ONE) else code


class _Reader:
    """Follows a journal event by event."""

    def __init__(self, made: Report) -> None:
        self.made = made
        self._now = made.start
        self._open_since: int | None = None
        self._standing: dict[str, tuple[int, str]] = {}
        self._up_since: dict[str, int | None] = {}
        self._changed: dict[str, int] = {}
        self._rounds: dict[int, dict[str, WagerResult]] = {}
        self._settled: set[int] = set()
        self._outcomes: Counter[str] = Counter()

    def take(self, at: int, event: msgspec.Struct, effects: list[AnyEffect], within: bool) -> None:
        made = self.made
        made.events += within
        if isinstance(event, Started):
            self._restarted(at)
        self._now = at
        match event:
            case Started():
                self._started(event)
            case DeviceUp(device=place):
                self._device(place, True, at)
            case DeviceDown(device=place) | DeviceRefused(device=place):
                self._line(place).losses += within and self._up_since.get(place) is not None
                self._device(place, False, at)
            case DeviceTrouble(device=place):
                self._line(place).troubles += within
        for effect in effects:
            self._effect(at, effect, within)

    def _started(self, event: Started) -> None:
        config = from_plain(event.config)
        self.made.table, self.made.rulebook = config.table.name, config.table.rulebook
        for place in config.devices:
            self._device(place, False, self._now)
        expected = games.find(config.table.game).expected(config)
        self.made.expected = {outcome: float(share) for outcome, share in expected.items()}

    def _restarted(self, at: int) -> None:
        """Nobody ran the table since the event before: it was not open then, and no device was heard."""
        for place in list(self._up_since):
            self._device(place, False, self._now)
        if self._open_since is not None:
            self.made.open_ms += self._now - self._open_since
            self._open_since = at

    # -- devices and the table's life ------------------------------------------------------------------------------

    def _line(self, place: str) -> DeviceLine:
        return self.made.devices.setdefault(place, DeviceLine())

    def _device(self, place: str, up: bool, at: int) -> None:
        line = self._line(place)
        since = self._up_since.get(place)
        if place in self._changed:
            passed = at - self._changed[place]
            if since is not None:
                line.up_ms += passed
            else:
                line.down_ms += passed
        if since is not None and not up:
            line.spans.append((since, at))
        self._changed[place] = at
        self._up_since[place] = (since if since is not None else at) if up else None

    def _life(self, at: int, state: str) -> None:
        if self._open_since is not None:
            self.made.open_ms += at - self._open_since
        self._open_since = at if state in ("open", "closing") else None

    # -- what was concluded ------------------------------------------------------------------------------------------

    def _effect(self, at: int, effect: AnyEffect, within: bool) -> None:
        match effect:
            case Moved(machine="life", dest=state):
                self._life(at, state)
            case Alarmed(code=code, text=text):
                self._alarmed(at, code, text, within)
            case AlarmOver(code=code):
                self._alarm_over(at, code)
            case _ if not within:
                return
            case Settled():
                self._settlement(at, effect)
            case Reversed():
                self._reversal(at, effect)
            case Ruled():
                self.made.decisions.append(
                    Decision(at, effect.by, effect.rank, effect.subject, effect.answer, effect.reason, effect.clauses)
                )
            case Noted(what=what, facts=facts):
                self._noted(at, what, facts)

    def _alarmed(self, at: int, code: str, text: str, within: bool) -> None:
        if code not in self._standing:
            self._standing[code] = (at, text)
        if within:
            kind = counted_as(code)
            line = self.made.alarms.setdefault(kind, AlarmLine(kind, text, 0, at))
            line.count += 1
            line.last, line.text = at, text

    def _alarm_over(self, at: int, code: str) -> None:
        since, _ = self._standing.pop(code, (at, ""))
        if counted_as(code) in self.made.alarms:
            self.made.alarms[counted_as(code)].stood_ms += at - since

    def _settlement(self, at: int, settled: Settled) -> None:
        made = self.made
        results = self._rounds.setdefault(settled.round, {})
        for result in settled.results:
            results[result.wager] = result
            made.bets.setdefault(result.bet, BetLine()).add(result)
        made.won_at.append((at, made.won))
        if settled.outcome in ("invalidated", "void"):
            back = sum(result.stake_returned for result in settled.results)
            why = ", ".join(dict.fromkeys(clause for result in settled.results for clause in result.clauses))
            made.voids.append(Void(at, settled.round, settled.outcome, why, back))
        elif settled.round not in self._settled:
            self._settled.add(settled.round)
            made.rounds += 1
            hour = at - (at - made.start) % HOUR_MS
            made.hours[hour] = made.hours.get(hour, 0) + 1
        self._outcomes[settled.outcome] += 1
        while len(self._rounds) > 8:
            del self._rounds[min(self._rounds)]

    def _reversal(self, at: int, reversed_: Reversed) -> None:
        """What was settled before no longer counts; what takes its place does."""
        made = self.made
        before = self._rounds.get(reversed_.round, {})
        for result in reversed_.results:
            if result.wager in before:
                made.bets[before[result.wager].bet].add(before[result.wager], -1)
            before[result.wager] = result
            made.bets.setdefault(result.bet, BetLine()).add(result)
        made.won_at.append((at, made.won))
        back = sum(result.stake_returned for result in reversed_.results)
        made.voids.append(Void(at, reversed_.round, "reversed", ", ".join(reversed_.clauses), back))

    def _noted(self, at: int, what: str, facts: dict[str, Any]) -> None:
        """Notes that the report counts; a game may use such a word for facts of its own, which are not these."""
        made = self.made
        match what, facts:
            case "booked", {"kind": kind, "cents": cents}:
                made.booked[kind] = made.booked.get(kind, 0) + cents
            case "float_opened" | "float_closed", _:
                made.floats.append({"at": at, "what": what, **facts})
            case "late_change", {"kind": kind, "cents": cents, "was": was, "now": now, "tag": tag, "after_ms": after}:
                made.late.append(Late(at, kind, cents, was, now, tag, after))
            case "mispayment", {"item": item}:
                made.mispayments[item] = {"at": at, **facts}
            case "mispaid", {"paid": paid, "due": due}:
                item = f"event {at}"
                made.mispayments[item] = {"at": at, "item": item, "cents": paid - due, **facts}
            case "no_spin", {"reasons": reasons}:
                made.voids.append(Void(at, 0, "no spin", ", ".join(reasons)))
            case "signed_in" | "signed_out" | "not_signed_in", _:
                made.attendance.append({"at": at, "what": what, **facts})

    def ended(self) -> Report:
        """The day's end, or the journal's."""
        made, now = self.made, self._now
        self._life(now, "")
        for place, since in list(self._up_since.items()):
            self._device(place, since is not None, now)
            if since is not None:
                made.devices[place].spans.append((since, now))
        for code in list(self._standing):
            self._alarm_over(now, code)
        made.outcomes = dict(self._outcomes.most_common())
        return made


def reportable(rows: Iterable[Row], start: int, end: int, above: int) -> list[dict[str, Any]]:
    """Single mispayments of a month above an amount, each as it was last recorded (Star 11.21.2)."""
    items: dict[str, dict[str, Any]] = {}
    for row in rows:
        if b'"mispa' not in row.body or row.at >= end:
            continue
        for effect in record.read(row).effects:
            match effect:
                case Noted("mispayment", {"item": item, "found_at": found} as facts) if start <= found:
                    items[item] = facts
                case Noted("mispaid", {"paid": paid, "due": due} as facts) if row.at >= start:
                    item = f"event {row.seq}"
                    items[item] = {"item": item, "cents": paid - due, "found_at": row.at, **facts}
    return [item for item in items.values() if abs(item["cents"]) > above]
