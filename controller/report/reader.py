"""Follows a journal event by event, and writes what it meets into the day's report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from controller import games, rules
from controller.config.kept import of_start
from controller.core import table_alarms
from controller.core.effects import Alarmed, AlarmOver, AnyEffect, Moved, Noted, Reversed, Settled, WagerResult
from controller.core.events import Command, SignedIn, Started
from controller.core.take_back import Correction
from controller.games.playable import Landings
from controller.journal.rulings import Ruling, Rulings
from controller.money import alarms as money_alarms
from controller.money.alarms import FloatUnexplained
from controller.report.day import (
    HOUR_MS,
    AlarmLine,
    BetLine,
    ByHandLine,
    Decision,
    DeviceLine,
    Late,
    Report,
    TakenBack,
    TypedCard,
    Void,
)
from controller.report.mispaid import WrongPayments
from controller.report.tally import CARDED, Shift, Tally
from controller.report.tray import Tray
from controller.rules.rulebook import load_rulebook
from controller.tournament import alarms as tournament_alarms
from drivers.events import DeviceDown, DeviceRefused, DeviceTrouble, DeviceUp

COUNTED = (Noted, Settled, Reversed)
"""What a report adds up."""


def alarm_kinds(game: str) -> frozenset[str]:
    """What the codes of alarms begin with that a table of this game declares, whatever each of a kind is about.

    Those of a device begin with its place.
    """
    declared = (*table_alarms.ALARMS, *money_alarms.ALARMS, *tournament_alarms.ALARMS, *games.find(game).alarms())
    beginnings = ({_beginning(kind.coded(about)) for about in (1, 2)} for kind in declared)
    return frozenset(one for of_a_kind in beginnings if len(of_a_kind) == 1 for one in of_a_kind)


def _beginning(code: str) -> str:
    return code.partition(":")[0]


def counted_as(code: str, kinds: Collection[str], places: Collection[str] = ()) -> str:
    """Alarms of a declared kind count together, whatever each is about; what a place tells counts for that place."""
    kind = _beginning(code)
    return kind if kind in kinds and kind not in places else code


class Standing(NamedTuple):
    """An alarm that is not over: since when, and how often it has happened since."""

    since: int
    times: int


class Reader:
    """Follows a journal event by event."""

    def __init__(self, made: Report) -> None:
        self.made = made
        self._now = made.start
        self._open_since: int | None = None
        self._standing: dict[str, Standing] = {}
        self._kinds: frozenset[str] = frozenset()
        self._up_since: dict[str, int | None] = {}
        self._changed: dict[str, int] = {}
        self._rounds: dict[int, dict[str, WagerResult]] = {}
        self._settled: set[int] = set()
        self._counted: dict[int, dict[str, None]] = {}  # players of the last round that was settled
        self._outcomes: Counter[str] = Counter()
        self.tray = Tray()
        self._has_tray = False
        self._float_open = False
        self._unexplained = 0
        self._exact: dict[str, Fraction] = {}
        self._dealer = ""
        self._heads: dict[int, set[str]] = {}
        self._round_heads: dict[int, set[str]] = {}
        self.wrong = WrongPayments(made.mispayments)
        self._by_hand: dict[str, ByHandLine] = {}
        self._seq = 0
        self._taken_back_by = ""
        self._landings: Landings | None = None
        self._units = False
        self._rulings = Rulings()

    def begin(self) -> None:
        """The day begins; a table that is open has a float in its tray."""
        self.tray.read_up()
        self.made.by_hand += self._by_hand.values()
        if self._float_open:
            self.made.books.opening, self.made.books.opening_at = self.tray.counted(), self.made.start
            self.made.books.open_before = self._unexplained

    def take_undone(self, at: int, event: msgspec.Struct, effects: list[AnyEffect], seq: int, by: str) -> None:
        """A key of the day that was taken back: what it brought does not count, what it ruled is marked."""
        self._taken_back_by = by
        self.take(at, event, [effect for effect in effects if not isinstance(effect, COUNTED)], True, seq)
        self._taken_back_by = ""

    def take(self, at: int, event: msgspec.Struct, effects: list[AnyEffect], within: bool, seq: int = 0) -> None:
        made, everything = self.made, effects
        made.events += within
        self._seq = seq
        if self._units:  # a tournament's own chips are no money, and no day's books hold them
            effects = [effect for effect in effects if not isinstance(effect, COUNTED)]
        elif within:
            self.tray.take(event)
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
            case Command(by=person) | SignedIn(person=person) if person.rank == 1:
                self._dealer = person.id
        for effect in effects:
            self._effect(at, effect, within)
        for ruling in self._rulings.follow(seq, at, event, everything):
            if within:
                self._ruled(ruling)
        if within:
            self._colours_sold(at, effects)
            if self._landings is not None:
                self._landings.take(event, self._dealer)

    def _started(self, event: Started) -> None:
        config = of_start(event)
        self.made.table, self.made.rulebook = config.table.name, rules.carried(config.table.rulebook)
        if event.edition is not None:
            self.made.rulebook += f", {event.edition.name}"
        for place in config.devices:
            self._device(place, False, self._now)
        ranks = load_rulebook(config.table.rulebook).ranks
        self.made.titles = {level: rank.name for level, rank in enumerate(ranks, 1)}
        self.made.names |= {person.id: person.name for person in config.staff}
        self.made.cash_threshold = config.books.cash_threshold
        self._has_tray = config.chips.float_tray
        game = games.find(config.table.game)
        self._kinds = alarm_kinds(config.table.game)
        self.made.expected = {outcome: float(share) for outcome, share in game.expected(config).items()}
        self._landings = self._landings or game.landings(config)
        self._exact = game.expectations(config)
        self.made.expectations = {bet: float(gained) for bet, gained in self._exact.items()}

    def _restarted(self, at: int) -> None:
        """Nobody ran the table since the event before: it was not open then, and no device was heard."""
        for place in list(self._up_since):
            self._device(place, False, self._now)
        if self._open_since is not None:
            self.made.open_ms += self._now - self._open_since
            self._open_since = at

    def corrected(self, at: int, pressed: int, one: Correction) -> None:
        """A key was taken back that was pressed at that moment."""
        self.made.taken_back.append(TakenBack(pressed, one.label, one.pressed_by, at, one.by, one.rank, one.reason))

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
            case Moved(machine="tournament", dest=state):
                self._units = state != "free"
            case Alarmed():
                self._alarmed(at, effect, within)
            case AlarmOver(code=code):
                self._unexplained = 0 if code == FloatUnexplained.code else self._unexplained
                self._alarm_over(at, code)
            case Noted("float_unexplained", {"cents": cents}):
                self._unexplained = cents
            case Noted(what="float_opened" | "float_closed" as what):
                self._float_open, self._unexplained = what == "float_opened", 0
                if within:
                    self._float(at, what, effect.facts)
            case Noted("by_hand", {"place": place, "by": by, "reason": reason}):
                self._by_hand[place] = ByHandLine(place, at, by, reason, before=not within)
                if within:
                    self.made.by_hand.append(self._by_hand[place])
            case Noted("by_hand_over", {"place": place, "by": by}):
                over = self._by_hand.pop(place, None)
                if over is not None:
                    over.until, over.ended_by = at, by
            case Noted("mispayment", {"item": item}) if not within:
                self.wrong.found_before(item)
            case _ if not within:
                return
            case Settled():
                self._settlement(at, effect)
            case Reversed():
                self._reversal(at, effect)
            case Noted(what=what, facts=facts):
                self._noted(at, what, facts)

    def _ruled(self, one: Ruling) -> None:
        said = (one.subject, one.code, one.reason, one.clauses)
        words = (one.about, one.answer)
        self.made.decisions.append(Decision(one.at, one.by, one.rank, *said, self._taken_back_by, *words))

    def _alarmed(self, at: int, alarm: Alarmed, within: bool) -> None:
        """It happened, or happened again; one that stands and is told in other words has not."""
        before = self._standing.get(alarm.code)
        times = max(0, alarm.count - before.times) if before is not None else 1
        self._standing[alarm.code] = Standing(at if before is None else before.since, alarm.count)
        if not within:
            return
        kind = counted_as(alarm.code, self._kinds, self.made.devices)
        line = self.made.alarms.setdefault(kind, AlarmLine(kind, alarm.text, 0, at))
        line.count += times
        line.taken_back += times if self._taken_back_by else 0
        line.last, line.text = at, alarm.text

    def _alarm_over(self, at: int, code: str) -> None:
        stood = self._standing.pop(code, None)
        if stood is not None and (kind := counted_as(code, self._kinds, self.made.devices)) in self.made.alarms:
            self.made.alarms[kind].stood_ms += at - stood.since

    def _settlement(self, at: int, settled: Settled) -> None:
        made = self.made
        results = self._rounds.setdefault(settled.round, {})
        for result in settled.results:
            results[result.wager] = result
            self._count(at, result)
        self._count_heads(at, settled)
        made.won_at.append((at, made.won))
        if settled.outcome in ("invalidated", "void"):
            back = sum(result.stake_returned for result in settled.results)
            why = ", ".join(dict.fromkeys(clause for result in settled.results for clause in result.clauses))
            made.voids.append(Void(at, settled.round, settled.outcome, why, back))
        else:
            self._count_round(at, settled)
        self._outcomes[settled.outcome] += 1
        while len(self._rounds) > 8:
            del self._rounds[min(self._rounds)]

    def _reversal(self, at: int, reversed_: Reversed) -> None:
        """What was settled before no longer counts; what takes its place does."""
        made = self.made
        before = self._rounds.get(reversed_.round, {})
        for result in reversed_.results:
            if result.wager in before:
                self._count(at, before[result.wager], -1)
            before[result.wager] = result
            self._count(at, result)
        made.won_at.append((at, made.won))
        back = sum(result.stake_returned for result in reversed_.results)
        made.voids.append(Void(at, reversed_.round, "reversed", ", ".join(reversed_.clauses), back))

    # -- by bet, player, dealer and shift ----------------------------------------------------------------------------

    def _tallies(self, at: int, players: Iterable[str]) -> Iterable[Tally]:
        made = self.made
        for player in players:
            if CARDED.fullmatch(player):
                yield made.players.setdefault(player, Tally())
        if self._dealer:
            yield made.dealers.setdefault(self._dealer, Tally())
        if (shift := self._shift(at)) is not None:
            yield shift.played

    def _shift(self, at: int) -> Shift | None:
        return next((shift for shift in self.made.shifts if shift.start <= at < shift.end), None)

    def _count(self, at: int, result: WagerResult, sign: int = 1) -> None:
        made = self.made
        line = made.bets.setdefault(result.bet, BetLine())
        line.add(result, sign)
        gained = self._gained(result.bet)
        if gained is not None:
            made.theoretical[result.bet] = float(-gained * line.staked)
        for tally in self._tallies(at, (result.player,)):
            tally.add(at, result, float(gained or 0), sign)

    def _gained(self, bet: str) -> Fraction | None:
        """What a unit on this bet gains; a bet may be named with the place where it lies."""
        return self._exact.get(bet, self._exact.get(bet.rpartition(" ")[0]))

    def _count_round(self, at: int, settled: Settled) -> None:
        """Once for the table, dealer and shift, and once for each player, who may be settled in a later step of it."""
        made = self.made
        before = self._counted.get(settled.round)
        now = dict.fromkeys(result.player for result in settled.results)
        self._counted = {settled.round: {**(before or {}), **now}}
        for player in now:
            if player not in (before or ()) and CARDED.fullmatch(player):
                made.players.setdefault(player, Tally()).rounds += 1
        if settled.round in self._settled:
            return
        self._settled.add(settled.round)
        made.rounds += 1
        hour = at - (at - made.start) % HOUR_MS
        made.hours[hour] = made.hours.get(hour, 0) + 1
        for tally in self._tallies(at, ()):
            tally.rounds += 1

    def _count_heads(self, at: int, settled: Settled) -> None:
        """How many played, in this round and in this hour."""
        made = self.made
        hour = at - (at - made.start) % HOUR_MS
        there = {result.player for result in settled.results if result.player}
        heads = self._heads.setdefault(hour, set())
        heads |= there
        made.heads[hour] = len(heads)
        before = self._round_heads.get(settled.round, set())
        self._round_heads = {settled.round: before | there}
        made.heads_by_round += len(there - before)

    # -- money that people move ----------------------------------------------------------------------------------------

    def _float(self, at: int, what: str, facts: dict[str, Any]) -> None:
        self.made.floats.append({"at": at, "what": what, **facts})
        if what == "float_opened":
            self.made.books.opened(at, facts)
        else:
            self.made.books.closed(at, facts)

    def _booked(self, at: int, facts: dict[str, Any]) -> None:
        made, kind, cents = self.made, facts["kind"], facts["cents"]
        made.booked[kind] = made.booked.get(kind, 0) + cents
        made.books.take_booking(at, facts, self._has_tray and not self._float_open)
        shift = self._shift(at)
        if shift is not None:
            shift.drop += cents if kind == "buy_in" else 0
            shift.fills += cents if kind == "fill" else 0
            shift.credits += cents if kind == "credit" else 0

    def _colours_sold(self, at: int, effects: list[AnyEffect]) -> None:
        """Colour chips that were issued and not paid for in chips went for cash."""
        for effect in effects:
            match effect:
                case Noted("colour_issued", {"player": player, "cents": cents, "count": count}):
                    paid = sum(
                        other.facts["cents"]
                        for other in effects
                        if isinstance(other, Noted) and other.what == "booked" and other.facts["kind"] == "bought_back"
                    )
                    cash = cents * count - paid
                    self.made.books.take_colour_cash(at, player, cash)
                    if (shift := self._shift(at)) is not None:
                        shift.drop += cash

    def _noted(self, at: int, what: str, facts: dict[str, Any]) -> None:
        """Notes that the report counts; a game may use such a word for facts of its own, which are not these."""
        made = self.made
        match what, facts:
            case "booked", {"kind": _, "cents": _}:
                self._booked(at, facts)
            case "box_counted", {"cents": _, "should": _}:
                made.books.take_box(at, facts)
            case "hand_over", {"rake": rake, "fees": fees, "side": side}:
                made.books.hands += 1
                made.books.rake += rake
                made.books.fees += fees
                made.books.side_wagers += side
            case "time_charge", {"amount": amount}:
                made.books.fees += amount
            case "sat_down" | "chips_added", {"seat": _, "amount": amount}:
                made.books.brought += amount
            case "left" | "picked_up", {"seat": _, "amount": amount}:
                made.books.carried_off += amount
            case "late_change", {"kind": kind, "cents": cents, "was": was, "now": now, "tag": tag, "after_ms": after}:
                made.late.append(Late(at, kind, cents, was, now, tag, after))
            case "mispayment", {"item": _}:
                self.wrong.recorded(at, facts)
            case "mispaid", {"paid": _, "due": _}:
                self.wrong.told(at, self._seq, facts)
            case "player_card", {"player": player, "box": box, "by": by}:
                made.typed_cards.append(TypedCard(at, player, box, by))
            case "no_spin", {"reasons": reasons}:
                made.voids.append(Void(at, facts.get("round", 0), "no spin", ", ".join(reasons)))
            case "played_by_hand", {"places": places, "valid": valid}:
                for line in (self._by_hand[place] for place in places if place in self._by_hand):
                    line.rounds += valid
            case "by_hand_unheard", {"place": place} if place in self._by_hand:
                self._by_hand[place].unheard += 1
            case "signed_in" | "signed_out" | "not_signed_in", _:
                made.attendance.append({"at": at, "what": what, **facts})

    def ended(self) -> Report:
        """The day's end, or the journal's."""
        made, now = self.made, self._now
        if self._float_open and made.books.opening is not None:
            made.books.closing, made.books.closing_at = self.tray.counted(), now
            made.books.stays_open, made.books.open_after = True, self._unexplained
        self._life(now, "")
        for place, since in list(self._up_since.items()):
            self._device(place, since is not None, now)
            if since is not None:
                made.devices[place].spans.append((since, now))
        for code in list(self._standing):
            self._alarm_over(now, code)
        made.outcomes = dict(self._outcomes.most_common())
        if self._landings is not None:
            made.landings = self._landings.told()
        return made
