"""Big Wheel as the table runs it: betting window, spin, ruling, result, collection and payment."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.alarms import Alarm
from controller.core.desk import Ask, Key
from controller.core.effects import Asked, Moved, Reversed, Settled, WagerResult
from controller.core.events import ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear
from controller.core.machine import StrictMachine
from controller.core.table import Table
from controller.games.wheel import alarms, colours, seats
from controller.games.wheel.keys import KEYS
from controller.games.wheel.layout import COUNTS, LateChange, counted, late_changes, wagers_of, with_added, without
from controller.games.wheel.questions import QUESTIONS, evidence, next_doubt, withdraw_doubts
from controller.games.wheel.round import ROWS
from controller.games.wheel.rules import WheelOption, WheelRules
from controller.games.wheel.settle import Standing, Wager, late_back, refund, settle
from controller.games.wheel.state import (
    FROZEN,
    NO_SPIN_REASONS,
    STATES,
    UNDER_WAY,
    Past,
    Round,
    Spin,
    Unclear,
    WheelState,
)
from controller.money.amounts import dollars
from controller.money.payment import Spot
from controller.money.table_money import Layout
from controller.people import Person
from drivers.motion import SpinVerdict
from drivers.wheel import WheelKnocked, WheelRested, WheelStarted, WheelTurned

LATE_NAMED = 4
"""Late changes that an alarm names one by one."""
CHIP_CLAUSES = {
    "foreign": ("3.1", "3.7"),
    "other_table": ("3.1.2(b)",),
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

    def __init__(self, table: Table, setup: WheelSetup) -> None:
        self.table = table
        self.desk = table.desk
        self.setup = setup
        self.state: WheelState = WheelState()
        self.areas = {symbol: area for area, symbol in setup.areas.items()}
        self.keys = KEYS.of(table.house)
        self.devices = frozenset({"wheel", "chips"})
        self.machine = StrictMachine("round", self, STATES, ROWS, "idle", self._moved)
        self.money = table.money
        self.money.join(Layout(self.symbol, lambda chip: colours.worth(self, chip).cents, COUNTS, CHIP_CLAUSES))

    def _moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.desk.emit(Moved(machine, source, dest, trigger))

    # -- what devices saw --------------------------------------------------------------------------------------

    def handle(self, event: msgspec.Struct) -> None:
        match event:
            case ChipsMoved():
                self._chips(colours.valued(self, event))
            case ChipsCounted():
                event = colours.valued(self, event)
                self.state.picture = counted(self.state.picture, event.areas)
                colours.give_owners(self, (chip for chips in event.areas.values() for chip in chips))
                self._react_to_picture()
            case ChipUnclear():
                self._unclear(colours.valued(self, event))
            case ChipPlaced():
                self._no_longer_unclear(event.tag)
            case WheelStarted():
                self._started(event)
            case WheelTurned():
                self._turned(event)
            case WheelRested():
                self._rested(event)
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
        spin = self.state.round.spin
        if spin is None or event.spin not in (spin.number, 0) or not self.machine.can("rested"):
            self.desk.note("wheel_rested_outside_round", ("5.3",), spin=event.spin)
            return
        self.machine.fire("rested", event.verdict)

    # -- chips -------------------------------------------------------------------------------------------------

    def _chips(self, event: ChipsMoved) -> None:
        if event.area == 0:
            self._after_moving_chips()
            return
        state = self.state
        before = state.picture
        for chip in event.added:
            self._no_longer_unclear(chip.tag)
            if chip.kind == "cloned" and state.round.frozen is not None and chip.tag in state.round.frozen:
                # Found out only now: it was no wager when betting closed either.
                laid = state.round.frozen[chip.tag]
                state.round.frozen[chip.tag] = msgspec.structs.replace(laid, chip=chip)
        for tag in event.removed:
            self._no_longer_unclear(tag)
        state.picture = without(with_added(before, event.area, event.added), event.area, event.removed)
        colours.give_owners(self, event.added)
        if self.machine.state == "pay":
            self._winnings_are_the_winners(event)
        if event.added and self.machine.state == "idle" and self.table.playing:
            self.desk.note("chips_before_betting", ("3.7",), area=event.area, tags=len(event.added))
        self._react_to_picture()

    def _react_to_picture(self) -> None:
        state = self.machine.state
        if state in FROZEN:
            self._watch_late_changes()
        else:
            self._after_moving_chips()

    def _after_moving_chips(self) -> None:
        if self.machine.state == "collect":
            self.after_collecting()
        elif self.machine.state == "pay":
            self.after_paying()

    def symbol(self, area: int) -> str:
        return self.setup.areas.get(area, f"area {area}")

    def _unclear(self, event: ChipUnclear) -> None:
        tag = event.chip.tag
        if tag in self.state.unclear:
            return
        unclear = Unclear(event.chip, event.areas)
        if self.machine.state not in FROZEN:
            self.ask("position", unclear)
        self.state.unclear[tag] = unclear
        self.state.picture = {key: laid for key, laid in self.state.picture.items() if key != tag}
        self.desk.note("position_unclear", ("3.4", "3.7"), tag=tag, areas=list(event.areas))

    def _no_longer_unclear(self, tag: int) -> None:
        self.state.unclear.pop(tag, None)
        self.desk.withdraw(f"position:{tag}")

    def _watch_late_changes(self) -> None:
        round_ = self.state.round
        assert round_.frozen is not None
        now = late_changes(round_.frozen, self.state.picture, self.desk.at - round_.closed_at)
        known = {(change.kind, change.tag, change.now): change for change in round_.late}
        fresh = [change for change in now if (change.kind, change.tag, change.now) not in known]
        for change in fresh:
            self.desk.note("late_change", ("3.2", "3.3"), **msgspec.to_builtins(change))
        if round_.late and not now:
            self.desk.note("late_change_restored", ("3.2",), after_ms=self.desk.at - round_.closed_at)
        round_.late = tuple(known.get((change.kind, change.tag, change.now), change) for change in now)
        if now:
            round_.disturbed = True
            named = "; ".join(self._late_words(change) for change in round_.late[:LATE_NAMED])
            more = f"; and {len(now) - LATE_NAMED} more" if len(now) > LATE_NAMED else ""
            alarm = alarms.LateChanges(changes=f"{named}{more}")
            (alarm.happened if fresh else alarm.holds)(self)

    def _late_words(self, change: LateChange) -> str:
        place = {
            "added": f"added on {self.symbol(change.now)}",
            "removed": f"taken off {self.symbol(change.was)}",
            "moved": f"moved from {self.symbol(change.was)} to {self.symbol(change.now)}",
            "swapped": f"swapped for another chip on {self.symbol(change.now)}",
        }[change.kind]
        return f"{dollars(change.cents)} {place}, {change.after_ms / 1000:.3f} s after the close"

    # -- the round's actions -----------------------------------------------------------------------------------

    def open_betting(self) -> None:
        least = self.table.state.limits.least
        if least != self.state.advised_of and self.setup.rules.limits.advice_lapses_on_new_minimum:
            self.state.advised.clear()
        self.state.advised_of = least
        self.desk.announce("all", "place_bets", "Place your bets.", ("5.1.1",))
        colours.remind_of_markers(self)

    def reopen_betting(self) -> None:
        self.state.round = Round()
        self.desk.announce("all", "place_bets", "Wagers stay or may be changed; place your bets.", ("7.2", "5.1.1"))

    def take_spin(self, spin: Spin) -> None:
        self.state.round.spin = spin
        self.desk.note("spin", ("5.2",), spin=spin.number, sense=spin.sense)

    def freeze(self) -> None:
        state = self.state
        round_ = state.round
        round_.frozen = dict(state.picture)
        round_.closed_at = self.desk.at
        state.past = None
        self.desk.announce("all", "no_more_bets", "No more bets.", ("5.1.2",))
        for tag, unclear in state.unclear.items():
            self.desk.withdraw(f"position:{tag}")
            owner_wager = Wager("", self.symbol(unclear.areas[0]), unclear.chip.cents)
            round_.outside = (*round_.outside, owner_wager)
            self.desk.note("unclear_chip_no_wager", ("3.4", "3.7"), tag=tag)
        if self.table.state.devices.get("chips") != "up":
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
        round_.closed_at = self.desk.at
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
        settlement = settle(
            self.setup.option, round_.winner, self.wagers(), self.table.limits_of, standing, self.money.payable
        )
        late = late_back(
            Wager(change.owner, self.symbol(change.now), change.cents)
            for change in round_.late
            if change.kind == "added" and "late_change_as_lying" not in round_.ruled
        )
        outside = late_back(round_.outside)
        round_.results = (*settlement.results, *late, *outside)
        round_.late_settled = round_.late

    def _standing(self) -> tuple[set[str], set[str], set[str], set[str]]:
        state = self.state
        return state.advised, state.voided, state.excluded, state.withheld

    def book_settlement(self) -> None:
        """The dealer has announced the result: from here on it is owed."""
        round_ = self.state.round
        self.desk.emit(Settled(self.table.state.round, round_.winner, round_.results))
        round_.settled = True
        self.money.owe(round_.results, lambda result: self.areas[result.bet], self._governing())
        for player in self._newly_advised(round_.results):
            self.state.advised.add(player)
            self.desk.note("advised_under_minimum", ("4.2.1",), player=player)
            self.desk.announce(
                "dealer",
                "advise_minimum",
                f"Tell {player} that wagers under the minimum come back from now on.",
                ("4.2.1",),
            )

    def _newly_advised(self, results: tuple[WagerResult, ...]) -> list[str]:
        found = [r.player for r in results if "4.2.1" in r.clauses and r.result in ("win", "lose") and r.player]
        return [player for player in dict.fromkeys(found) if player not in self.state.advised]

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
        if any(r.pays or r.result == "returned" for r in self.state.round.results) or self.money.findings():
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
        state.voided.clear()
        seats.count_idle(self, owners)
        self.money.round_over()
        self.table.round_over()
        state.round = Round()

    def void_spin(self, reasons: tuple[str, ...]) -> None:
        """No spin: nothing is won or lost, wagers stay (7.2)."""
        withdraw_doubts(self)
        clauses = tuple(dict.fromkeys(NO_SPIN_REASONS[reason] for reason in reasons))
        self.desk.note("no_spin", (*clauses, "7.2"), reasons=list(reasons))
        self.desk.announce(
            "all", "no_spin", "No spin: " + ", ".join(reasons).replace("_", " ") + ".", (*clauses, "7.2")
        )
        if self.setup.rules.idle_seats.no_spins_count:
            seats.count_idle(self, {wager.owner for wager in self.wagers()})
        self.table.round_over(valid=False, notice=self.setup.rules.closing.no_spins_count)

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

    def command(self, key: Key, args: dict[str, Any], by: Person) -> None:
        KEYS.press(self, key, args, by)

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

    def opening_faults(self) -> list[Alarm[Any]]:
        return [alarms.WheelTurns()] if self.state.turning else []

    def resumed(self) -> None:
        if self.machine.can("judge"):
            self.judge()

    def closed(self) -> None:
        """Nothing of the session is left to end."""

    def device_lost(self, device: str, evidence_gone: bool) -> None:
        under_way = self.machine.state in UNDER_WAY
        if device == "chips" and evidence_gone and under_way and self.state.round.frozen is not None:
            self.state.round.doubts = tuple(dict.fromkeys((*self.state.round.doubts, "close_unseen")))
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
        option = self.setup.option
        return {
            "game": f"Big Wheel, option {option.number}",
            "odds": {symbol.symbol: symbol.odds for symbol in option.symbols},
        }

    def view(self) -> dict[str, Any]:
        """What the screens show of the round."""
        round_ = self.state.round
        areas: dict[str, int] = {}
        for laid in self.state.picture.values():
            symbol = self.symbol(laid.area)
            areas[symbol] = areas.get(symbol, 0) + laid.chip.cents
        return {
            "state": self.machine.state,
            "areas": areas,
            "wagers": msgspec.to_builtins(self.wagers()),
            "spin": msgspec.to_builtins(round_.spin),
            "verdict": evidence(round_.verdict) if round_.verdict else None,
            "winner": round_.winner,
            "results": msgspec.to_builtins(round_.results),
            "late": len(round_.late),
            "seats": self.state.seats,
            "turning": self.state.turning,
        }
