"""What the rows of one table say: its rounds, wagers, rulings, alarms, questions, devices, staff and float."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec

import msgspec
import structlog

from controller import games, rules, withheld
from controller.core import effects as concluded
from controller.core.events import Command, FloorOrder, SignedIn, Started
from controller.journal import row as record
from controller.journal.chain import Row
from controller.journal.rounds import Recall, Recalled
from controller.uplink.messages import UNREADABLE
from drivers.events import DeviceDown, DeviceEvent, DeviceRefused, DeviceTrouble, DeviceTroubleOver, DeviceUp
from floor.counting import Counting
from floor.store.schema import ALARMS, ANSWERS, DEVICES, FLOATS, QUESTIONS, ROUNDS, RULINGS, STAFF, WAGERS
from floor.store.writes import Values, Writes

EDITION = 1
"""Another reading of the same rows is another number: a store that was read with an earlier one is read anew."""
DEALER = "dealer"
"""The place at which the dealer signs in."""
WHY_MOST = 200
NOT_OURS = frozenset({"used_order", "wrong_table"})
"""Refusals of orders that were answered before, or are another table's."""
FLOAT = {"float_opened": "opened", "float_closed": "closed", "booked": ""}
P = ParamSpec("P")

log = structlog.get_logger()


class Face(msgspec.Struct):
    """What a table said of itself last."""

    name: str = ""
    game: str = ""
    rulebook: str = ""
    version: str = ""
    last_at: int = 0
    life: str = "closed"
    state: str = ""
    round: int = 0
    open_round: int = 0
    rounds: int = 0
    handle: int = 0
    win: int = 0
    min: int = 0
    max: int = 0
    unread: int = 0
    dealer: str = ""
    opened: int = 0
    """When the table was opened last."""
    ended: int = 0
    """When its last round was over."""
    started: int = 0
    """The last row that says how the table is set up."""
    reading: int = 0
    """The edition of this program's reading that its rows were read with."""


def _as_far_as_it_goes(do: Callable[P, None]) -> Callable[P, None]:
    """Rows that cannot be followed were told when they came; they must not keep a floor from starting."""

    @functools.wraps(do)
    def done(*args: P.args, **named: P.kwargs) -> None:
        try:
            do(*args, **named)
        except Exception as error:
            log.warning("round_not_resumed", why=withheld.error(error))

    return done


class Reading:
    """Follows one journal's rows and says what changes in the store."""

    def __init__(self, journal: int, face: Face | None = None) -> None:
        self.journal, self.face = journal, face or Face(reading=EDITION)
        self._counting = Counting(journal)
        self._alarms: dict[str, Values] = {}  # those that stand
        self._staff: dict[str, str] = {}
        self._devices: dict[str, Values] = {}
        self._recall = Recall(self.face.game) if self.face.game in games.names() else None

    @_as_far_as_it_goes
    def resume(
        self, alarms: Iterable[Values], staff: Iterable[Values], devices: Iterable[Values], rows: Iterable[Row],
        started: Row | None, mispaid: Iterable[Values],
    ) -> None:  # fmt: skip
        """Stand where the store ends: what is open, who is there, and the rows of the round under way."""
        self._alarms = {one["code"]: one for one in alarms}
        self._staff = {one["place"]: one["person"] for one in staff}
        self._devices = {one["place"]: one for one in devices}
        began = _read(started) if started is not None else None
        event = began.event if began is not None else None
        self._counting.resume(event if isinstance(event, Started) else None, mispaid)
        for row in rows:
            kept = _read(row)
            if self._recall is not None and kept is not None:
                self._recall.follow(((row.seq, row.at, kept),))

    def take(self, row: Row, writes: Writes) -> str:
        """One more row; what keeps it from being read, if anything: it is kept all the same."""
        self.face.last_at = row.at
        try:
            self._take(row, record.decode(row.body), writes)
        except Exception as error:  # whatever one table wrote must not keep the floor from hearing the others
            self.face.unread += 1
            return f"event {row.seq} ({type(error).__name__}: {str(error)[:WHY_MOST]})"
        return ""

    def _take(self, row: Row, kept: record.Record[msgspec.Struct], writes: Writes) -> None:
        self._event(row, kept.event, writes)
        if isinstance(kept.event, FloorOrder):
            self._ordered(row, kept.event, kept.effects, writes)
        for number, effect in enumerate(kept.effects):
            self._effect(row, number, effect, writes)
        self._counting.take(row, kept.event, kept.effects, self._dealer, writes)
        if self._recall is not None:
            self._recall.follow(((row.seq, row.at, kept),))
            self._ended(writes)
            self.face.open_round = self._recall.began

    # -- events ------------------------------------------------------------------------------------------------

    def _event(self, row: Row, event: msgspec.Struct, writes: Writes) -> None:
        match event:
            case Started():
                self._started(row, event, writes)
            case Command(by=person) | SignedIn(person=person) if person.rank == 1:
                self.face.dealer = person.id
            case DeviceEvent():
                self._device(row, event, writes)

    def _ordered(self, row: Row, event: FloorOrder, effects: Iterable[msgspec.Struct], writes: Writes) -> None:
        """What became of an order; one that came again has been answered already."""
        refused = next((one for one in effects if isinstance(one, concluded.Refused)), None)
        code, text = (refused.code, refused.text) if refused is not None else ("", "")
        if code not in NOT_OURS:
            writes.put(ANSWERS, journal=self.journal, order=event.order.id, seq=row.seq, at=row.at, code=code,
                       text=text)  # fmt: skip

    def _started(self, row: Row, event: Started, writes: Writes) -> None:
        face, config = self.face, event.config
        table, limits = config.get("table", {}), config.get("limits", {})
        face.name, face.rulebook = str(table.get("name", "")), rules.carried(str(table.get("rulebook", "")))
        face.version, face.started = event.version, row.seq
        face.min, face.max = int(limits.get("min", 0)), int(limits.get("max", 0))
        game = str(table.get("game", ""))
        if game in games.names() and (self._recall is None or game != face.game):
            self._recall = Recall(game)
        face.game = game
        self._counting.started(event)
        for place in config.get("devices", {}):
            self._put_device(row, place, writes, state="down", text="not heard since the start")

    def _device(self, row: Row, event: DeviceEvent, writes: Writes) -> None:
        place, known = event.device, self._devices.get(event.device, {})
        match event:
            case DeviceUp():
                losses = known.get("losses", 0) + event.lost
                self._put_device(row, place, writes, state="up", text="", serial=event.serial, firmware=event.firmware,
                                 losses=losses)  # fmt: skip
            case DeviceDown():
                self._put_device(row, place, writes, state="down", text=event.cause, losses=known.get("losses", 0) + 1)
            case DeviceRefused():
                self._put_device(row, place, writes, state="refused", text=event.reason)
            case DeviceTrouble():
                self._put_device(row, place, writes, state="trouble", text=event.text)
            case DeviceTroubleOver():
                self._put_device(row, place, writes, state="up", text="")

    def _put_device(self, row: Row, place: str, writes: Writes, **change: Any) -> None:
        fresh: dict[str, Any] = {"state": "", "serial": "", "firmware": "", "text": "", "losses": 0}
        known = {**fresh, **self._devices.get(place, {}), **change}
        self._devices[place] = known = {**known, "journal": self.journal, "place": place, "at": row.at}
        writes.put(DEVICES, **known)

    # -- conclusions -------------------------------------------------------------------------------------------

    def _effect(self, row: Row, number: int, effect: msgspec.Struct, writes: Writes) -> None:
        match effect:
            case concluded.Moved(machine="life"):
                self._life(row, effect.dest)
            case concluded.Moved(machine="round"):
                self.face.state = effect.dest
            case concluded.Settled() | concluded.Reversed():
                self.face.round = effect.round
            case concluded.Alarmed():
                self._alarmed(row, effect, writes)
            case concluded.AlarmOver():
                self._alarm_over(row, effect.code, writes)
            case concluded.Asked():
                self._asked(row, effect, writes)
            case concluded.Ruled():
                self._ruled(row, number, effect, writes)
            case concluded.Noted():
                self._noted(row, effect, writes)

    def _life(self, row: Row, state: str) -> None:
        if state == "open" and self.face.life not in ("open", "closing"):
            self.face.opened = row.at
        self.face.life = state

    @property
    def _dealer(self) -> str:
        """Who deals: signed in as dealer, or else the last to press a key that dealers press."""
        return self._staff.get(DEALER) or self.face.dealer

    def _asked(self, row: Row, asked: concluded.Asked, writes: Writes) -> None:
        rank = min((option.rank for option in asked.options), default=0)
        writes.put(QUESTIONS, journal=self.journal, prompt=asked.prompt, seq=row.seq, at=row.at, text=asked.text,
                   proposal=asked.proposal, rank=rank, clauses=_words(asked.clauses))  # fmt: skip

    def _alarmed(self, row: Row, alarm: concluded.Alarmed, writes: Writes) -> None:
        began = self._alarms.get(alarm.code, {"since": row.seq, "at": row.at})
        known = self._alarms[alarm.code] = {
            "journal": self.journal, "code": alarm.code, "since": began["since"], "at": began["at"], "text": alarm.text,
            "remedy": alarm.remedy, "clauses": _words(alarm.clauses), "count": alarm.count, "over": 0,
        }  # fmt: skip
        writes.put(ALARMS, **known)

    def _alarm_over(self, row: Row, code: str, writes: Writes) -> None:
        known = self._alarms.pop(code, None)
        if known is not None:
            writes.put(ALARMS, **{**known, "over": row.at})

    def _ruled(self, row: Row, number: int, ruled: concluded.Ruled, writes: Writes) -> None:
        if ruled.prompt:
            writes.drop(QUESTIONS, journal=self.journal, prompt=ruled.prompt)
        writes.add(RULINGS, journal=self.journal, seq=row.seq, number=number, at=row.at, subject=ruled.subject,
                   answer=ruled.answer, by=ruled.by, rank=ruled.rank, reason=ruled.reason,
                   clauses=_words(ruled.clauses))  # fmt: skip

    def _noted(self, row: Row, noted: concluded.Noted, writes: Writes) -> None:
        facts = noted.facts
        match noted.what:
            case "question_withdrawn":
                writes.drop(QUESTIONS, journal=self.journal, prompt=str(facts["prompt"]))
            case "limits":
                self.face.min, self.face.max = int(facts["least"]), int(facts["most"])
            case "signed_in":
                self._staff[str(facts["place"])] = str(facts["who"])
                writes.put(STAFF, journal=self.journal, place=str(facts["place"]), at=row.at, person=str(facts["who"]),
                           rank=int(facts["rank"]))  # fmt: skip
            case "signed_out":
                self._staff.pop(str(facts["place"]), None)
                writes.drop(STAFF, journal=self.journal, place=str(facts["place"]))
            case what if what in FLOAT:
                writes.put(FLOATS, journal=self.journal, seq=row.seq, at=row.at, cents=int(facts.get("cents", 0)),
                           what=FLOAT[what] or str(facts.get("kind", "")), by=str(facts.get("by", "")))  # fmt: skip

    # -- rounds ------------------------------------------------------------------------------------------------

    def _ended(self, writes: Writes) -> None:
        assert self._recall is not None
        done, self._recall.rounds = self._recall.rounds, []
        for one in done:
            self._round(one, writes)

    def _round(self, one: Recalled, writes: Writes) -> None:
        staked = sum(wager["stake_taken"] + wager["stake_returned"] for wager in one.wagers)
        taken, paid = sum(wager["stake_taken"] for wager in one.wagers), sum(wager["pays"] for wager in one.wagers)
        clauses = {clause for wager in one.wagers for clause in wager["clauses"]}
        clauses |= {clause for line in one.lines for clause in line.clauses}
        writes.add(ROUNDS, journal=self.journal, first=one.first, last=one.last, at=one.at, ended=one.ended,
                   round=one.round, outcome=one.outcome, staked=staked, taken=taken, paid=paid,
                   dealer=self._dealer, clauses=_words(sorted(clauses)),
                   theoretical=self._counting.theoretical(one.wagers), span=self._span(one.ended),
                   cards=" ".join(str(card["card"] or "??") for card in one.cards))  # fmt: skip
        for number, wager in enumerate(one.wagers):
            writes.add(WAGERS, journal=self.journal, first=one.first, number=number, wager=wager["wager"],
                       player=wager["player"], bet=wager["bet"], result=wager["result"], pays=wager["pays"],
                       taken=wager["stake_taken"], returned=wager["stake_returned"],
                       clauses=_words(wager["clauses"]))  # fmt: skip
        face = self.face
        face.ended = one.ended
        face.rounds, face.handle, face.win = face.rounds + 1, face.handle + staked, face.win + taken - paid

    def _span(self, ended: int) -> int:
        """How long the table was open for this round: since the one before, or since it was opened."""
        since = max(self.face.ended, self.face.opened)
        return max(0, ended - since) if since else 0


def _read(row: Row) -> record.Record[msgspec.Struct] | None:
    try:
        return record.decode(row.body)
    except UNREADABLE:
        return None


def _words(clauses: Iterable[str]) -> str:
    """Clauses as they are searched for: each between bars, so that 4.1 is not found in 14.1."""
    return "".join(f"|{clause}" for clause in clauses) + ("|" if clauses else "")
