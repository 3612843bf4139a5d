"""Big Wheel as the table runs it: betting window, spin, ruling, result, collection and payment."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.alarms import Alarm
from controller.core.desk import Ask, Key, Limits
from controller.core.effects import Asked, Moved, Reversed, Settled
from controller.core.events import ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear, TimerDue
from controller.core.machine import StrictMachine
from controller.core.table import Table
from controller.games.wheel import alarms, colours, late, limits, lines, players, seats, taken_back
from controller.games.wheel import view as screens
from controller.games.wheel.keys import KEYS
from controller.games.wheel.layout import COUNTS, counted, wagers_of, with_added, without
from controller.games.wheel.questions import QUESTIONS, next_doubt, withdraw_doubts
from controller.games.wheel.round import ROWS
from controller.games.wheel.rules import WheelOption, WheelRules
from controller.games.wheel.settle import Standing, Wager, late_back, refund, settle
from controller.games.wheel.state import (
    FROZEN,
    NO_SPIN_REASONS,
    REASON_WORDS,
    STATES,
    UNDER_WAY,
    WHILE,
    Past,
    Round,
    Spin,
    WheelState,
)
from controller.money.float import name_beside
from controller.money.payment import Spot
from controller.money.table_money import Layout
from controller.people import Person
from drivers.motion import SpinVerdict
from drivers.motion.fairness import Landed, landing_of
from drivers.wheel import WheelKnocked, WheelRested, WheelStarted, WheelTurned

CHIP_CLAUSES = {
    "foreign": ("3.1", "3.7"),
    "other_table": ("3.1.2(b)",),
    "fraud": ("9.3",),
    "tournament": ("3.1", "8.4.3(c)"),
    "token": ("3.3",),
    "promotional": ("3.1", "3.3"),
    "collect": ("5.1.4", "3.6.1"),
    "pay": ("3.6.2",),
}


class WheelSetup(msgspec.Struct, frozen=True):
    """One table's wheel: its option, the symbols round the ring and on the layout, the seats."""

    rules: WheelRules
    option: WheelOption
    ring: tuple[str, ...]
    areas: dict[int, str]
    seats: int
    set_mark: str = ""
    colours: tuple[str, ...] = ()


KEYS.check_machine(ROWS, STATES)


class WheelGame:
    """The round machine's model: guards, actions and what happens beside them."""

    name = "wheel"
    alarms = alarms.ALARMS
    questions = QUESTIONS
    beside = taken_back.BESIDE

    def __init__(self, table: Table, setup: WheelSetup) -> None:
        self.table = table
        self.desk = table.desk
        self.setup = setup
        self.state: WheelState = WheelState()
        self.judged_landings = Landed().judged()
        self.areas = {symbol: area for area, symbol in setup.areas.items()}
        self._keys = KEYS.of(table.house)
        self.devices = frozenset({"wheel", "chips"})
        self.machine = StrictMachine("round", self, WHILE, ROWS, "idle", self._moved)
        self.money = table.money
        self.money.join(
            Layout(self.symbol, lambda chip: colours.worth(self, chip).cents, COUNTS, CHIP_CLAUSES, self.players_here)
        )

    def _moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.desk.emit(Moved(machine, source, dest, trigger))

    @property
    def keys(self) -> dict[str, Key]:
        return taken_back.with_rank_of_now(self, self._keys)

    # -- what devices saw --------------------------------------------------------------------------------------

    def handle(self, event: msgspec.Struct) -> None:
        match event:
            case ChipsMoved():
                colours.followed(self, event)
                self._chips(colours.valued(self, event))
            case ChipsCounted():
                colours.counted(self, event.areas)
                event = colours.valued(self, event)
                on_lines = {tag: laid for tag, laid in self.state.picture.items() if tag in self.state.placed}
                self.state.picture = {**on_lines, **counted(self.state.picture, event.areas)}
                colours.give_owners(self, (chip for chips in event.areas.values() for chip in chips))
                self.react_to_picture(self.desk.at)
            case ChipUnclear():
                lines.came_to_line(self, colours.valued(self, event))
            case ChipPlaced():
                lines.left_line(self, event.tag)
            case TimerDue(timer=limits.TIMER):
                limits.hands_are_still(self)
            case WheelStarted():
                self._started(event)
            case WheelTurned():
                self._turned(event)
            case WheelRested():
                self._rested(event)
            case TimerDue(timer=late.TIMER) if self.machine.state in FROZEN:
                late.watch(self, self.desk.at)
            case WheelKnocked():
                self.desk.note("wheel_moved_outside_spin", ("5.3",), device=event.device)

    def _started(self, event: WheelStarted) -> None:
        self.state.turning = True
        if not self.machine.can("spin_started"):
            self.desk.note("wheel_moved_outside_round", ("5.3",), spin=event.spin, state=self.machine.state)
            return
        self.machine.fire("spin_started", Spin(event.spin, event.sense, self.desk.at))

    def _turned(self, event: WheelTurned) -> None:
        spin = self.state.round.spin
        if spin is None or spin.number != event.spin:
            return
        self.state.round.spin = msgspec.structs.replace(spin, turns=event.turns)
        if self.machine.state != "spin_open":
            return
        betting = self.setup.rules.betting
        if event.turns == betting.remind_at_revolutions:
            self.desk.announce("dealer", "remind_no_more_bets", "Announce that no more bets may be placed.", ("5.1.2",))
        elif event.turns == betting.alarm_at_revolutions:
            alarms.NoMoreBetsMissing().happened(self)

    def _rested(self, event: WheelRested) -> None:
        self.state.turning = False
        self.state.homing = self.state.homing or not event.verdict.homed
        if (landing := landing_of(event.verdict, self.state.dealer)) is not None:
            self.state.landed.add(landing)
        spin = self.state.round.spin
        if spin is None or event.spin not in (spin.number, 0) or not self.machine.can("rested"):
            self.desk.note("wheel_rested_outside_round", ("5.3",), spin=event.spin)
            return
        self.machine.fire("rested", event.verdict)

    # -- chips -------------------------------------------------------------------------------------------------

    def _chips(self, event: ChipsMoved) -> None:
        if event.area == 0:
            self.after_collecting_or_paying()
            return
        state = self.state
        before = state.picture
        for chip in event.added:
            lines.seen_on_area(self, chip.tag)
        for tag in event.removed:
            lines.seen_on_area(self, tag)
        gone = [tag for tag in event.removed if tag in before and before[tag].area == event.area]
        since = self.desk.at - event.ago
        state.slid.lift(((tag, before[tag].owner) for tag in gone), since)
        owners = {chip.tag: state.slid.owner(chip.tag, since) for chip in event.added}
        state.picture = without(with_added(before, event.area, event.added, owners), event.area, event.removed)
        colours.give_owners(self, event.added)
        late.moved(self, event)
        if self.machine.state == "pay":
            self._winnings_are_the_winners(event)
        if event.added and self.machine.state == "idle" and self.table.playing:
            self.desk.note("chips_before_betting", ("3.7",), area=event.area, tags=len(event.added))
        self.react_to_picture(since, came=bool(event.added))

    def react_to_picture(self, since: int | None = None, *, came: bool = False) -> None:
        """The layout is another one, since this moment or since now."""
        state = self.machine.state
        if state in FROZEN:
            late.watch(self, self.desk.at if since is None else since)
        elif state in ("betting_open", "spin_open"):
            limits.chips_changed(self, came=came)
        else:
            if state in late.SETTLING:
                late.past_posts(self)
            self.after_collecting_or_paying()

    def after_collecting_or_paying(self) -> None:
        """Chips moved, or what is owed changed: the settlement may be done."""
        if self.machine.state == "collect":
            self.after_collecting()
        elif self.machine.state == "pay":
            self.after_paying()

    def symbol(self, area: int) -> str:
        """What people call this area; one that is no symbol's has no wagers."""
        return self.setup.areas.get(area) or name_beside(area)

    # -- the round's actions -----------------------------------------------------------------------------------

    def open_betting(self) -> None:
        least = self.table.state.limits.least
        if least != self.state.advised_of and self.setup.rules.limits.advice_lapses_on_new_minimum:
            self.state.advised.clear()
        self.state.advised_of = least
        self.state.slid.begin(self.desk.at)
        self.desk.announce("all", "place_bets", "Place your bets.", ("5.1.1",))
        colours.remind_of_markers(self)
        limits.chips_changed(self)

    def reopen_betting(self) -> None:
        self.state.round = Round()
        self.desk.announce("all", "place_bets", "Wagers stay or may be changed; place your bets.", ("7.2", "5.1.1"))

    def take_spin(self, spin: Spin) -> None:
        self.state.round.spin = spin
        self.desk.note("spin", ("5.2",), spin=spin.number, sense=spin.sense)

    def freeze(self) -> None:
        state = self.state
        round_ = state.round
        owed_back = self.money.owed_back()
        round_.frozen = {tag: laid for tag, laid in state.picture.items() if tag not in owed_back}
        self.money.in_play(round_.frozen)
        round_.closed_at = self.desk.at
        round_.limits = self.table.limits_in_force()
        state.past = None
        self.desk.withdraw(taken_back.TOUCHED)
        self.desk.timer_off(limits.TIMER)
        self.desk.announce("all", "no_more_bets", "No more bets.", ("5.1.2",))
        round_.outside = lines.handed_back_at_close(self)
        round_.outside_tags = (*state.unclear, *owed_back)
        limits.hands_are_still(self)
        if self.table.state.devices.get("chips") != "up" and "chips" not in self.table.state.by_hand:
            round_.doubts = (*round_.doubts, "close_unseen")
        if not self.wagers():
            if state.directed > 0:
                state.directed -= 1
                self.desk.note("idle_spin", ("5.1.5",), left=state.directed)
            else:
                self.desk.note("idle_spin_not_directed", ("5.1.5",))

    def wagers(self) -> tuple[Wager, ...]:
        frozen = self.state.round.frozen
        return wagers_of(self.state.picture if frozen is None else frozen, self.setup.areas)

    def limits_of(self, player: str, symbol: str) -> Limits:
        """What a wager is measured with: the limits that stood at the close, or those of now while bets are open."""
        return (self.state.round.limits or self.table.limits_in_force()).of(player, symbol)

    def owners_changed(self) -> None:
        """Somebody has said whose chips lie there: a wager may have become another."""
        if self.machine.state in ("betting_open", "spin_open"):
            limits.chips_changed(self, came=True)

    def take_rest(self, verdict: SpinVerdict) -> None:
        self.state.round.verdict = verdict
        self.desk.note(
            "spin_rested",
            ("1.1 'Indicator'", "5.2"),
            forward=round(verdict.forward, 3),
            reasons=list(verdict.reasons),
            compartment=verdict.compartment,
        )

    def take_unclosed_rest(self, verdict: SpinVerdict) -> None:
        self.take_rest(verdict)
        round_ = self.state.round
        round_.frozen = dict(self.state.picture)
        self.money.in_play(round_.frozen)
        round_.closed_at = self.desk.at
        round_.limits = self.table.limits_in_force()
        round_.doubts = (*round_.doubts, "close_not_announced")

    def judge_if_playing(self, *_: SpinVerdict) -> None:
        """A spin that rests while the table is suspended is judged when it plays again."""
        if self.table.playing:
            self.judge()

    def judge(self) -> None:
        self.machine.fire("judge")

    def in_doubt(self) -> bool:
        return bool(next_doubt(self))

    def ask_about_doubt(self) -> None:
        self.ask(next_doubt(self))

    def ask_anew(self) -> None:
        """There is more to a ruling than what was asked."""
        withdraw_doubts(self)
        self.machine.fire("rule_on")

    def take_result_back(self) -> None:
        """Something speaks against a spin whose result is shown and not yet announced."""
        round_ = self.state.round
        round_.results, round_.late_settled = (), ()
        if not round_.named_by:
            round_.winner = ""

    def show_result(self) -> None:
        round_ = self.state.round
        if not round_.winner:
            assert round_.seen.compartment is not None
            round_.winner = self.setup.ring[round_.seen.compartment]
        symbol = self.setup.option.symbol(round_.winner)
        text = f"{round_.winner} {symbol.odds} to 1"
        self.desk.announce("console", "result", text, ("5.1.3", symbol.pay_clause))
        self.desk.announce("sign", "result", text, ("5.1.3",))
        standing = Standing(*(frozenset(who) for who in self._standing()))
        settlement = settle(self.setup.option, round_.winner, self.wagers(), self.limits_of, standing)
        back = late_back(
            Wager(change.owner, self.symbol(change.now), change.cents)
            for change in round_.late
            if change.kind == "added" and "late_change_as_lying" not in round_.ruled and change.now in self.setup.areas
        )
        outside = late_back(round_.outside)
        round_.results = (*settlement.results, *back, *outside)
        round_.late_settled = round_.late

    def _standing(self) -> tuple[set[str], set[str], set[str], frozenset[str]]:
        state = self.state
        return state.advised, state.voided, state.excluded, players.inquired(self)

    def book_settlement(self) -> None:
        """The dealer has announced the result: from here on it is owed."""
        round_ = self.state.round
        self.desk.emit(Settled(self.table.state.round, round_.winner, round_.results))
        round_.settled = True
        self.desk.timer_off(late.TIMER)
        self.money.owe(round_.results, lambda result: self.areas[result.bet], self._governing())
        limits.advise(self, round_.results)

    def _governing(self) -> dict[int, Spot]:
        """The chips as they count: those at the close, each that was swapped for another by that other one."""
        round_ = self.state.round
        instead = {change.instead: change.tag for change in round_.late if change.kind == "swapped"}
        frozen = round_.frozen or {}
        return {
            instead.get(tag, tag): Spot(laid.area, laid.chip.cents)
            for tag, laid in frozen.items()
            if laid.chip.kind in COUNTS
        }

    def losers_are_clear(self) -> bool:
        return self.state.round.cleared or not self.money.uncollected()

    def after_collecting(self) -> None:
        if self.losers_are_clear():
            self.machine.fire("collected")

    def after_paying(self) -> None:
        """Nothing to hand over: the round is over by itself once everything has reached the float."""
        if (
            self.asked(taken_back.TOUCHED)
            or any(r.pays or r.result == "returned" for r in self.state.round.results)
            or self.money.findings()
        ):
            return
        self.machine.fire("paid")

    def _winnings_are_the_winners(self, event: ChipsMoved) -> None:
        owners = {r.player for r in self.state.round.results if r.result == "win" and r.bet == self.symbol(event.area)}
        if len(owners) == 1:
            owner = owners.pop()
            for chip in event.added:
                laid = self.state.picture[chip.tag]
                self.state.picture[chip.tag] = msgspec.structs.replace(laid, owner=laid.owner or owner)

    def end_round(self) -> None:
        state = self.state
        if self.setup.rules.voids.invalidate_until == "next_no_more_bets":
            state.past = Past(self.table.state.round, self.wagers(), state.round.results)
        owners = {wager.owner for wager in self.wagers()}
        players.keep_held(self)
        colours.round_played(self)
        state.voided.clear()
        seats.count_idle(self, owners)
        self.money.round_over()
        self.table.round_over()
        state.round = Round()

    def void_spin(self, reasons: tuple[str, ...]) -> None:
        """No spin: nothing is won or lost, wagers stay (7.2)."""
        withdraw_doubts(self)
        clauses = tuple(dict.fromkeys(NO_SPIN_REASONS[reason] for reason in reasons))
        self.desk.note("no_spin", (*clauses, "7.2"), reasons=list(reasons), round=self.table.state.round)
        why = ", ".join(REASON_WORDS[reason] for reason in reasons)
        self.desk.announce("all", "no_spin", f"No spin: {why}.", (*clauses, "7.2"))
        if self.setup.rules.idle_seats.no_spins_count:
            seats.count_idle(self, {wager.owner for wager in self.wagers()})
        self.table.round_over(valid=False, notice=self.setup.rules.closing.no_spins_count)

    def void_settled(self, reasons: tuple[str, ...]) -> None:
        """No spin after all: what was booked for it is taken back, and its chips go where they lay (7.2)."""
        clauses = (*dict.fromkeys(NO_SPIN_REASONS[reason] for reason in reasons), "7.2")
        self.desk.emit(Reversed(self.table.state.round, refund(self.wagers(), clauses), clauses))
        self.money.call_off()
        self.void_spin(reasons)

    def offer_bets_again(self, _: tuple[str, ...]) -> None:
        self.machine.fire("reopen")

    def refund_round(self, clause: str) -> None:
        round_ = self.state.round
        withdraw_doubts(self)
        results = refund(self.wagers(), (clause, "9.5"))
        if round_.settled:
            self.desk.emit(Reversed(self.table.state.round, results, (clause, "9.5")))
            self.money.call_off()
        else:
            self.desk.emit(Settled(self.table.state.round, "invalidated", results))
        self.desk.announce("all", "invalidated", "The spin is invalid; every wager goes back.", (clause, "9.5"))

    def end_refund(self, _: str) -> None:
        self.machine.fire("refunded")

    def end_cancelled(self) -> None:
        self.state.round = Round()
        self.table.state.round += 1

    # -- people ------------------------------------------------------------------------------------------------

    def ask(self, subject: str, about: Any = None) -> None:
        """Put a question of this game."""
        QUESTIONS.ask(self, subject, about)

    def asked(self, subject: str) -> bool:
        """Whether this question is open."""
        return any(asked.subject == subject for asked in self.desk.state.prompts.values())

    def command(self, key: Key, args: dict[str, Any], by: Person) -> None:
        KEYS.press(self, key, args, by)
        self.state.dealer = by.id

    def can(self, key: Key) -> bool:
        return KEYS.means_something(self, key.name, self.machine)

    def check_answer(self, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        QUESTIONS.check(self, asked, answer, args)

    def asks(self, asked: Asked, answer: str) -> tuple[Ask, ...]:
        return QUESTIONS.asks(self, asked, answer)

    def answered(self, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        QUESTIONS.answered(self, asked, answer, args, by)

    # -- what the table asks -----------------------------------------------------------------------------------

    def idle(self) -> bool:
        return self.machine.state == "idle"

    def players_here(self) -> list[str]:
        return seats.players(self)

    def players_present(self) -> bool:
        return bool(self.state.seats or self.state.picture)

    def limit_faults(self, limits: Limits) -> list[str]:
        """Whatever can be signed and paid."""
        return []

    def opening_faults(self) -> list[Alarm[Any]]:
        return [alarms.WheelTurns()] if self.state.turning else []

    def resumed(self) -> None:
        if self.machine.can("judge"):
            self.judge()

    def closed(self) -> None:
        """The landings of the next session begin anew."""
        self.state.landed = Landed()

    def device_lost(self, device: str, evidence_gone: bool) -> None:
        under_way = self.machine.state in UNDER_WAY
        self.desk.note("device_lost", ("7.1.3",) if under_way else (), device=device, evidence_gone=evidence_gone)

    def chip_picture(self) -> dict[int, list[int]]:
        areas: dict[int, list[int]] = {}
        for tag, laid in self.state.picture.items():
            areas.setdefault(laid.area, []).append(tag)
        return areas

    def desired(self) -> dict[str, dict[str, Any]]:
        return {}

    def save(self) -> bytes:
        return msgspec.json.encode(self.state)

    def restore(self, saved: bytes) -> None:
        self.state = msgspec.json.decode(saved, type=WheelState)

    def came_from(self) -> str:
        """Nothing interrupts a round of this game."""
        return ""

    def sign(self) -> dict[str, Any]:
        return screens.sign(self)

    def view(self) -> dict[str, Any]:
        """What the screens show of the round."""
        return screens.view(self)
