"""The table's life, around whatever game is played: closed, opening, open, closing on notice, suspended."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import msgspec

from controller.desk import Desk, Fault, Key, Limits, PersonalLimit, Refusal, told
from controller.effects import AnyEffect, Moved, Refused
from controller.events import (
    ChipsCounted,
    ChipsMoved,
    ChipsSwept,
    Command,
    DiskLow,
    JournalChecked,
    NotSignedIn,
    ProgramChecked,
    SignedIn,
    SignedOut,
    SignShown,
    Started,
    Stopped,
    TimerDue,
)
from controller.games.game import Game
from controller.house import House, Notice
from controller.machine import NotNow, Row, StrictMachine
from controller.money import TIMERS, Money
from controller.money import keys as money_keys
from controller.money.float_tray import float_slip
from controller.people import Person, attendance
from controller.pi.upkeep import upkeep
from controller.tablestate import Closing, LimitChange, Saved, TableState
from drivers.events import (
    DeviceDown,
    DeviceEvent,
    DeviceRefused,
    DeviceTrouble,
    DeviceTroubleOver,
    DeviceUp,
)

__all__ = ["Closing", "Table"]

LIFE = ("closed", "opening", "open", "closing", "suspended")
ROWS = (
    Row("open_table", "closed", "opening"),
    Row("checked", "opening", "open"),
    Row("give_up_opening", "opening", "closed"),
    Row("give_notice", "open", "closing"),
    Row("close", ("open", "closing"), "closed"),
    Row("suspend", "opening", "suspended", action="remember_opening"),
    Row("suspend", "open", "suspended", action="remember_open"),
    Row("suspend", "closing", "suspended", action="remember_closing"),
    Row("resume", "suspended", "opening", guard="was_opening"),
    Row("resume", "suspended", "open", guard="was_open"),
    Row("resume", "suspended", "closing", guard="was_closing"),
)
ERROR_FAULT = "error"
SIGN_MS = 3_000
"""A sign may take this long to show what it is told; the time of a change is proposed so much later."""
SLOW_SIGN_MS = 60_000
"""And this long where it was slower than that."""


def cited(key: Key) -> tuple[str, ...]:
    """The clause a key rests on; nothing where it is the house's own procedure."""
    return (key.clause,) if key.clause else ()


class Table:
    """A pure function of its events; `game` is attached once, before the first event."""

    def __init__(
        self,
        house: House,
        limits: Limits,
        places: frozenset[str],
        sign_needed: bool = True,
        *,
        aside: frozenset[str] = frozenset(),
        float_tray: bool = True,
        hold: bool = True,
    ) -> None:
        """`aside` are places whose device the game can do without; `hold` keeps a wrong payment from the next round."""
        self.house = house
        self.state = TableState(limits=limits, devices=dict.fromkeys(sorted(places), "down"))
        self.desk = Desk(self.state.desk)
        self.sign_needed = sign_needed
        self._aside = aside
        self.money = Money(self.desk, house, self.state.money, lambda: self.state.round, float_tray, hold)
        self.game: Game
        self.life = StrictMachine("life", self, LIFE, ROWS, "closed", self._moved)
        self.keys = {key.name: key for key in self._declare_keys()}

    def _declare_keys(self) -> tuple[Key, ...]:
        power = self.house.power
        close, limit, clear = (power(name) for name in ("close", "change_limits", "resume"))
        return (
            Key("open", "Open the table", 1, power("open_table").clause),
            Key("give_up_opening", "Stay closed", 1, power("open_table").clause, while_suspended=True),
            Key("close", "Close the table", close.rank, close.clause),
            Key("limits", "Change the limits", limit.rank, limit.clause, ("least", "most")),
            *self._personal_keys(),
            Key("clear_fault", "Fault looked at and cleared", clear.rank, clear.clause, ("fault",), True),
            Key("answer", "Answer a question", 1, "", ("prompt", "answer", "reason"), True),
            *money_keys.declare_keys(self.house),
        )

    def _personal_keys(self) -> tuple[Key, ...]:
        """Personal limits, where the rulebook knows them."""
        if "personal_limit" not in self.house.rulebook.powers:
            return ()
        personal = self.house.power("personal_limit")
        return (
            Key("personal_limit", "Agree personal limits", personal.rank, personal.clause, ("player", "least", "most")),
            Key("marker", "Marker laid or lifted", 1, personal.clause, ("player", "laid")),
        )

    # -- one event ---------------------------------------------------------------------------------------------

    def apply(self, seq: int, at: int, event: msgspec.Struct) -> list[AnyEffect]:
        """What the table concludes from this event. Anything but a refusal that is raised is a defect."""
        self.desk.begin(seq, at)
        try:
            self._take(event)
        except (Refusal, NotNow) as refusal:
            self._refuse(event, refusal)
        self._settle_life()
        self._desire()
        return self.desk.effects

    def _desire(self) -> None:
        """What the devices shall be now, said once and again after every start."""
        for device, outputs in self.game.desired().items():
            if self.state.outputs.get(device) != outputs:
                self.state.outputs[device] = outputs
                self.desk.desire(device, **outputs)

    def _refuse(self, event: msgspec.Struct, refusal: Refusal | NotNow) -> None:
        if self.desk.effects:
            raise RuntimeError(f"refused after it had begun: {refusal}")
        what = event.name if isinstance(event, Command) else type(event).__name__
        if isinstance(refusal, NotNow):
            self.desk.emit(Refused(what, "not_now", f"Not now: {refusal}."))
        else:
            self.desk.emit(Refused(what, refusal.code, refusal.text, refusal.clauses))

    def _take(self, event: msgspec.Struct) -> None:
        take = TAKEN_BY.get(type(event))
        if take is None:
            self.game.handle(event)
        else:
            take(self, event)

    def _chips_moved(self, event: ChipsMoved | ChipsSwept) -> None:
        for move in self.money.moved(event.moves if isinstance(event, ChipsSwept) else (event,)):
            self.game.handle(move)

    def _chips_counted(self, event: ChipsCounted) -> None:
        self.game.handle(self.money.counted(event))

    def _stopped(self, event: Stopped) -> None:
        self.desk.note("stopped")

    def _sign_shown(self, event: SignShown) -> None:
        """A notice in minutes runs from when the sign shows it; where that is too late, another time is proposed."""
        before, self.state.sign_shown = self.state.sign_shown, event.revision
        newly = range(before + 1, event.revision + 1) if self.sign_needed else ()
        coming, closing, house = self.state.coming, self.state.closing, self.house
        if coming and coming.revision in newly and coming.at < self._in_minutes(house.raising):
            self._propose_limits(coming.limits, SLOW_SIGN_MS)
            self.show_sign()
        if closing and closing.revision in newly and closing.until and closing.until < self._in_minutes(house.closing):
            self._propose_closing(SLOW_SIGN_MS)
            self.show_sign()

    def _in_minutes(self, notice: Notice) -> int:
        return self.desk.at + notice.minutes * 60_000

    def _proposed(self, notice: Notice, until_shown: int) -> int:
        """The time of a change that is announced now."""
        return self._in_minutes(notice) + (until_shown if self.sign_needed else 0)

    def _people(self, event: SignedIn | SignedOut | NotSignedIn) -> None:
        attendance.take(self.desk, self.state.people, event)

    def _timer_due(self, event: TimerDue) -> None:
        timer = event.timer
        self.state.desk.timers.pop(timer, None)
        if timer == "limits":
            self._limits_due()
        elif timer.startswith(TIMERS):
            self._money_due(timer)
        else:
            self.game.handle(event)

    def _money_due(self, timer: str) -> None:
        self.money.timer(timer)
        for area, chip in self.money.clones():
            self.game.handle(ChipsMoved("chips", area, (chip,)))

    def failed(self, seq: int, at: int, error: str) -> list[AnyEffect]:
        """Stand suspended because handling this event raised; its cause stays until somebody has looked at it."""
        self.desk.begin(seq, at)
        code = f"{ERROR_FAULT}:{seq}"
        self.fault(code, f"The controller could not handle event {seq}: {error}",
                   "Read the event with the journal command, rule the round by hand, then clear the fault.",
                   self.house.power("resume").rank)  # fmt: skip
        self._settle_life()
        self._desire()
        return self.desk.effects

    # -- faults and devices ------------------------------------------------------------------------------------

    def fault(self, code: str, text: str, remedy: str, rank: int = 0) -> None:
        """Add a cause for suspension; trouble at a place that the game can do without is an alarm only."""
        if code.partition(":")[0] in self._aside:
            self.desk.alarm(code, text, remedy)
        elif code not in self.state.faults:
            self.state.faults[code] = Fault(code, text, remedy, self.desk.at, rank)
            self.desk.alarm(code, text, remedy)

    def fault_over(self, code: str) -> None:
        if self.state.faults.pop(code, None) or code.partition(":")[0] in self._aside:
            self.desk.alarm_over(code)

    def _started(self, event: Started) -> None:
        self.desk.note("started", version=event.version, rulebook=event.config.table.rulebook)
        self.money.state.read = False
        self.state.outputs = {}
        attendance.restarted(self.desk, self.state.people)
        for place in self.state.devices:
            self.state.devices[place] = "down"
            if place not in self._aside:
                self.fault(f"{place}:down", f"No device has identified itself at “{place}” yet.",
                           f"Check the power and the cable of “{place}”.")  # fmt: skip
        self.show_sign()

    def _device(self, event: DeviceEvent) -> None:
        place = event.device
        match event:
            case DeviceUp():
                self.state.devices[place] = "up"
                self.fault_over(f"{place}:down")
                self.fault_over(f"{place}:refused")
                self.desk.note("device_up", device=place, serial=event.serial, firmware=event.firmware, lost=event.lost)
                if event.lost:
                    self.game.device_lost(place, True)
            case DeviceDown():
                self.state.devices[place] = "down"
                self.fault(f"{place}:down", f"“{place}” is silent: {event.cause}", event.remedy)
                self.game.device_lost(place, False)
            case DeviceRefused():
                self.state.devices[place] = "refused"
                self.fault(
                    f"{place}:refused", f"What answers at “{place}” does not belong there: {event.reason}", event.remedy
                )
            case DeviceTrouble():
                rank = self.house.power("resume").rank if event.by_hand else 0
                self.fault(f"{place}:{event.code}", event.text, event.remedy, rank)
                self.game.handle(event)
            case DeviceTroubleOver():
                self.fault_over(f"{place}:{event.code}")
                self.game.handle(event)

    # -- life --------------------------------------------------------------------------------------------------

    def _moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.state.life = dest
        self.desk.emit(Moved(machine, source, dest, trigger))

    def remember_opening(self) -> None:
        self.state.resume_to = "opening"

    def remember_open(self) -> None:
        self.state.resume_to = "open"

    def remember_closing(self) -> None:
        self.state.resume_to = "closing"

    def was_opening(self) -> bool:
        return self.state.resume_to == "opening"

    def was_open(self) -> bool:
        return self.state.resume_to == "open"

    def was_closing(self) -> bool:
        return self.state.resume_to == "closing"

    @property
    def playing(self) -> bool:
        return self.state.life in ("open", "closing")

    def _settle_life(self) -> None:
        state = self.state
        if state.faults:
            if state.life in ("opening", "open", "closing"):
                self.life.fire("suspend")
            return
        if state.life == "suspended":
            self.life.fire("resume")
            if self.playing:
                self.game.resumed()
        if state.life == "opening":
            self._try_to_open()

    def _try_to_open(self) -> None:
        for found in self.game.opening_faults(self.desk.at):
            self._hindered_by(found.code)
            self.desk.alarm(found.code, found.text, found.remedy)
            return
        if self.sign_needed and self.state.sign_shown < self.state.sign:
            self._hindered_by("sign")
            self.desk.alarm("sign", "The limit sign does not show the limits yet.", "Check the sign's screen.",
                            (self.house.power("open_table").clause,))  # fmt: skip
            return
        self._hindered_by("")
        self.life.fire("checked")
        self.money.open_float()

    def _hindered_by(self, code: str) -> None:
        """The alarm about what keeps the table from opening ends with its cause, or when nobody wants to open it."""
        if code != self.state.hindrance:
            self.desk.alarm_over(self.state.hindrance)
            self.state.hindrance = code

    def round_over(self, valid: bool = True, notice: bool = True) -> None:
        """A round ended; a valid one moves the number on, and one that counts as notice brings the closing nearer."""
        if valid:
            self.state.round += 1
        if notice and self.state.closing is not None and self.state.closing.rounds > 0:
            self.state.closing = msgspec.structs.replace(self.state.closing, rounds=self.state.closing.rounds - 1)
            self.show_sign()

    # -- keys --------------------------------------------------------------------------------------------------

    def available(self) -> list[Key]:
        """The keys that mean something now."""
        life = self.state.life
        mine = {
            "open": life == "closed",
            "give_up_opening": life == "opening" or (life == "suspended" and self.was_opening()),
            "close": self.playing and (self.state.closing is None or (self.game.idle() and self._may_close())),
            "limits": life != "suspended",
            "personal_limit": self.playing,
            "marker": self.playing,
            "clear_fault": any(fault.rank for fault in self.state.faults.values()),
            "answer": bool(self.state.desk.prompts),
            "fill": True,
            "credit": True,
            "buy_in": self.playing,
            "float_explained": "float" in self.state.desk.alarms,
            "mispayment": True,
        }
        keys = [key for key in self.keys.values() if mine[key.name]]
        if self.playing or life == "suspended":
            keys += [
                key for key in self.game.keys.values() if (self.playing or key.while_suspended) and self.game.can(key)
            ]
        return keys

    def _command(self, command: Command) -> None:
        key = self.keys.get(command.name) or self.game.keys.get(command.name)
        if key is None:
            near = difflib.get_close_matches(command.name, [*self.keys, *self.game.keys])
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise Refusal("unknown_command", f"There is no key {command.name!r} at this table.{hint}")
        by = command.by
        if by.rank < key.rank:
            raise Refusal(
                "rank_too_low", f"“{key.label}” needs rank {key.rank} or above; {by.id} has {by.rank}.", cited(key)
            )
        if self.state.life == "suspended" and not key.while_suspended:
            causes = "; ".join(fault.text for fault in self.state.faults.values())
            raise Refusal("suspended", f"The table is suspended: {causes}")
        if key.name in money_keys.DO:
            money_keys.DO[key.name](self.money, command.args, by)
            return
        if key.name in self.keys:
            getattr(self, f"_do_{key.name}")(command.args, by)
            return
        if not self.playing and self.state.life != "suspended":
            raise Refusal("table_closed", f"“{key.label}” needs an open table; open it first.")
        self.game.command(key, command.args, by)

    def _do_open(self, args: dict[str, Any], by: Person) -> None:
        slip = float_slip(args.get("float"))
        self.life.fire("open_table")
        self.money.state.slip = slip
        self.desk.ruled("open", "opened", by, (self.keys["open"].clause,))
        self.show_sign()

    def _do_give_up_opening(self, args: dict[str, Any], by: Person) -> None:
        if self.state.life == "suspended" and self.was_opening():
            self.life.restore("opening")
        self.life.fire("give_up_opening")
        self._hindered_by("")

    def _may_close(self) -> bool:
        notice = self.state.closing
        if not self.game.players_present():
            return True
        if notice is None or notice.rounds > 0 or notice.until > self.desk.at:
            return False
        return not notice.until or not self.sign_needed or self.state.sign_shown >= notice.revision

    def _do_close(self, args: dict[str, Any], by: Person) -> None:
        key = self.keys["close"]
        slip = float_slip(args.get("float"))
        if self.game.idle() and self._may_close():
            self.life.fire("close")
            self.state.closing = None
            self.money.close_float(slip)
            self.desk.ruled("close", "closed", by, (key.clause,))
            self.desk.timer_off("closing")
            self.game.closed()
        elif self.state.closing is not None:
            raise Refusal("notice_runs", f"Closing notice still runs: {self._notice_text()}.", (key.clause,))
        else:
            self._give_notice(by)
        self.show_sign()

    def _give_notice(self, by: Person) -> None:
        notice = self.house.closing
        self.life.fire("give_notice")
        self._propose_closing()
        self.desk.ruled("close", "notice", by, (notice.clause,))
        self.desk.announce("all", "closing", f"The table closes: {self._notice_text()}.", (notice.clause,))

    def _propose_closing(self, until_shown: int = SIGN_MS) -> None:
        notice = self.house.closing
        until = self._proposed(notice, until_shown) if notice.minutes else 0
        self.state.closing = Closing(notice.rounds, until, self.state.sign + 1)
        if until:
            self.desk.timer("closing", until)

    def _notice_text(self) -> str:
        notice = self.state.closing
        if notice is None:
            return ""
        if notice.until:
            minutes = max(0, -(-(notice.until - self.desk.at) // 60_000))
            return f"in {minutes} minutes"
        return f"{notice.rounds} {self.house.round_word}s to come"

    def _do_limits(self, args: dict[str, Any], by: Person) -> None:
        old = self.state.limits
        new = msgspec.structs.replace(old, least=told(args, "least", int), most=told(args, "most", int))
        if not 0 < new.least <= new.most:
            raise Refusal("bad_limits", "The minimum must be above nothing and not above the maximum.")
        notice = self.house.raising
        self.desk.ruled("limits", f"{new.least}-{new.most}", by, (notice.clause,))
        waits = new.least > old.least or (self.house.every_change and new != old)
        free = self.house.every_change and (bool(args.get("consent")) or not self.game.players_present())
        if waits and not free:
            self._propose_limits(new)
        else:
            self.take_limits(new)
        self.show_sign()

    def _propose_limits(self, limits: Limits, until_shown: int = SIGN_MS) -> None:
        at = self._proposed(self.house.raising, until_shown)
        self.state.coming = LimitChange(limits, at, self.state.sign + 1)
        self.desk.timer("limits", at)

    def _limits_due(self) -> None:
        coming = self.state.coming
        if coming is None:
            return
        if self.sign_needed and self.state.sign_shown < self.state.sign:
            self.desk.timer("limits", self.desk.at + 60_000)
            self.desk.alarm("sign", "The sign does not show the coming minimum, so it cannot take effect.",
                            "Check the sign's screen.", (self.house.raising.clause,))  # fmt: skip
            return
        self.take_limits(coming.limits)
        self.show_sign()

    def take_limits(self, limits: Limits) -> None:
        """These limits hold from now on."""
        self.state.limits = limits
        self.state.coming = None
        self.desk.timer_off("limits")
        self.desk.alarm_over("sign")
        self.desk.note("limits", (self.house.raising.clause,), least=limits.least, most=limits.most)

    def _do_personal_limit(self, args: dict[str, Any], by: Person) -> None:
        player = told(args, "player")
        limit = PersonalLimit(told(args, "least", int), told(args, "most", int))
        if not 0 < limit.least <= limit.most:
            raise Refusal("bad_limits", "The minimum must be above nothing and not above the maximum.")
        self.state.personal[player] = limit
        clause = self.keys["personal_limit"].clause
        self.desk.ruled("personal_limit", f"{player}: {limit.least}-{limit.most}", by, (clause,))
        self.desk.announce("dealer", "marker", f"Lay the limit marker at the position of {player}.", (clause,))

    def _do_marker(self, args: dict[str, Any], by: Person) -> None:
        player = told(args, "player")
        if player not in self.state.personal:
            raise Refusal(
                "no_personal_limit", f"No personal limits are agreed for {player}.", (self.keys["marker"].clause,)
            )
        limit = msgspec.structs.replace(self.state.personal[player], marker=bool(args.get("laid", True)))
        self.state.personal[player] = limit
        self.desk.note("marker", (self.keys["marker"].clause,), player=player, laid=limit.marker, by=by.id)

    def limits_of(self, player: str, bet: str) -> Limits:
        """The limits this player's wagers on this bet are measured with."""
        limits = self.state.limits
        personal = self.state.personal.get(player)
        if personal is not None and personal.marker:
            return msgspec.structs.replace(limits, least=personal.least, most=personal.most)
        if bet in limits.bets:
            least, most = limits.bets[bet]
            return msgspec.structs.replace(limits, least=least, most=most)
        return limits

    def _do_clear_fault(self, args: dict[str, Any], by: Person) -> None:
        code = told(args, "fault")
        fault = self.state.faults.get(code)
        if fault is None:
            raise Refusal("no_such_fault", f"There is no fault {code!r}.")
        if not fault.rank:
            raise Refusal("not_by_hand", f"This goes away by itself once its cause does: {fault.remedy}")
        self.fault_over(code)
        self.desk.ruled("fault", code, by, (self.keys["clear_fault"].clause,), str(args.get("reason", "")))

    def _do_answer(self, args: dict[str, Any], by: Person) -> None:
        prompt, answer = told(args, "prompt"), told(args, "answer")
        asked = self.state.desk.prompts.get(prompt)
        if asked is not None:
            self.game.check_answer(asked, answer, args)
        asked = self.desk.answer(prompt, answer, by, str(args.get("reason", "")))
        self.game.answered(asked, answer, args, by)

    # -- sign, save, restore -----------------------------------------------------------------------------------

    def show_sign(self) -> None:
        """The sign's content has changed."""
        self.state.sign += 1
        self.desk.desire("sign", revision=self.state.sign, **self.sign())

    def sign(self) -> dict[str, Any]:
        """What the limit sign shows."""
        coming = self.state.coming
        return {
            "least": self.state.limits.least,
            "most": self.state.limits.most,
            "unit": self.state.limits.unit,
            "coming": {"least": coming.limits.least, "most": coming.limits.most, "at": coming.at} if coming else None,
            "closing": self._notice_text(),
            **self.game.sign(),
        }

    def save(self) -> bytes:
        """The whole table, to stand again where it stands now."""
        saved = Saved(self.state, self.game.machine.state, msgspec.Raw(self.game.save()))
        return msgspec.json.encode(saved)

    def restore(self, body: bytes) -> None:
        """Stand where `save` was called."""
        saved = msgspec.json.decode(body, type=Saved)
        self.state = saved.table
        self.desk.state = saved.table.desk
        self.money.state = saved.table.money
        self.life.restore(saved.table.life)
        self.game.machine.restore(saved.round_state)
        self.game.restore(bytes(saved.game))


TAKEN_BY: dict[type[msgspec.Struct], Callable[[Table, Any], None]] = {
    Command: Table._command,
    Started: Table._started,
    Stopped: Table._stopped,
    **dict.fromkeys((ChipsMoved, ChipsSwept), Table._chips_moved),
    ChipsCounted: Table._chips_counted,
    SignShown: Table._sign_shown,
    TimerDue: Table._timer_due,
    **dict.fromkeys((DeviceUp, DeviceDown, DeviceRefused, DeviceTrouble, DeviceTroubleOver), Table._device),
    **dict.fromkeys((SignedIn, SignedOut, NotSignedIn), Table._people),
    **dict.fromkeys((DiskLow, ProgramChecked, JournalChecked), upkeep),
}
"""Who takes an event; what is not here is the game's."""
