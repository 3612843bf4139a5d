"""The table's life, around whatever game is played: closed, opening, open, closing on notice, suspended."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import msgspec

from controller.core import device_faults, table_alarms, table_keys, take_back
from controller.core.alarms import Alarm, Owned, declared, end_those_over, end_with_round
from controller.core.desk import Desk, Fault, Key, Limits, LimitsInForce, Refusal, required
from controller.core.effects import AnyEffect, Moved, Refused
from controller.core.events import (
    ChipsCounted,
    ChipsMoved,
    ChipsSwept,
    ClockCompared,
    Command,
    DiskLow,
    EditionDue,
    FellBack,
    FloorOrder,
    JournalChecked,
    LockLifted,
    NotSignedIn,
    OrdersTurnedAway,
    ProgramChecked,
    SignedIn,
    SignedOut,
    SignShown,
    Started,
    Stopped,
    TimerDue,
    TwinSeen,
)
from controller.core.house import House, Notice, Power
from controller.core.keys import Keys
from controller.core.machine import NotNow, Row, StrictMachine, interrupt, resume
from controller.core.state import LIFE, Closing, LimitChange, PlayedFreely, Saved, TableState
from controller.games.game import Game
from controller.money import alarms as money_alarms
from controller.money import keys as money_keys
from controller.money.float_tray import Slip
from controller.money.table_money import Money
from controller.money.twice import TIMERS
from controller.people import Person, attendance
from controller.pi.upkeep import upkeep
from drivers.events import (
    DeviceDown,
    DeviceRefused,
    DeviceTrouble,
    DeviceTroubleOver,
    DeviceUp,
)

__all__ = ["Closing", "Table"]

WITHIN = ("opening", "open", "closing")
"""Where a fault suspends the table; a closed one has nothing to suspend."""
ROWS = (
    Row("open_table", "closed", "opening", then="begin_opening"),
    Row("checked", "opening", "open", then="begin_play"),
    Row("give_up_opening", "opening", "closed", then="stay_closed"),
    Row("give_up_opening", "suspended", "closed", guard="was_opening", then="stay_closed"),
    Row("give_notice", "open", "closing", then="announce_closing"),
    Row("close", ("open", "closing"), "closed", then="end_play"),
    interrupt("suspend", WITHIN, "suspended"),
    resume("resume", "suspended", then="play_on"),
)
ANSWER = Key("answer", "Answer a question", 1, "", ("prompt", "answer", "reason"), while_suspended=True)
"""Every question comes with what its answers ask for; this key carries them."""
SIGN_MS = 3_000
"""A sign may take this long to show what it is told; the time of a change is proposed so much later."""
SLOW_SIGN_MS = 60_000
"""And this long where it was slower than that."""


class Table(PlayedFreely):
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
        self.state: TableState = TableState(limits=limits, devices=dict.fromkeys(sorted(places), "down"))
        self.desk = Desk(self.state.desk, [rank.name for rank in house.rulebook.ranks])
        self.sign_needed = sign_needed
        self.kinds: dict[str, str] = {}
        self.taking_back = False
        self.orderable: list[tuple[Keys[Any], Any]] = []  # what the floor may order besides, and whose it is
        self._aside = aside
        self.money = Money(self.desk, house, self.state.money, lambda: self.state.round, float_tray, hold)
        self.game: Game
        self.life: StrictMachine = StrictMachine("life", self, LIFE, ROWS, "closed", self._moved)
        self._keys = {**table_keys.KEYS.of(house), ANSWER.name: ANSWER, **money_keys.KEYS.of(house)}

    @property
    def keys(self) -> dict[str, Key]:
        """What people may press at any game, and while it is played by hand what is asked for instead of a device."""
        return {**self._keys, **table_keys.told_by_hand(self)} if self.state.by_hand else self._keys

    # -- one event ---------------------------------------------------------------------------------------------

    def apply(self, seq: int, at: int, event: msgspec.Struct) -> list[AnyEffect]:
        """What the table concludes from this event. Anything but a refusal that is raised is a defect."""
        self.desk.begin(seq, at)
        round_before = self.state.round
        try:
            if not (self.state.by_hand and device_faults.not_heard(self, event)):
                self._take(event)
                table_keys.layout_cleared(self, round_before)
        except (Refusal, NotNow) as refusal:
            self._refuse(event, refusal)
        effects = self._concluded()
        take_back.remember(self, seq, event, effects, round_before)
        return effects

    def _concluded(self) -> list[AnyEffect]:
        self._settle_life()
        if self.state.desk.alarms:
            end_those_over(self.desk, self.alarms(), self.state.causes())
        self.make_so()
        return self.desk.end()

    def alarms(self) -> tuple[Owned, ...]:
        """Every list of alarms, with whose they are."""
        return ((table_alarms.ALARMS, self), (money_alarms.ALARMS, self.money), (self.game.alarms, self.game))

    def ends_by_hand(self, code: str) -> Power | None:
        """Who may see to this alarm; nobody where it ends by itself."""
        kind, _ = declared(self.desk, code, self.alarms())
        return self.house.power(kind.seen_to) if kind is not None and kind.seen_to else None

    def kind_of(self, place: str) -> str:
        """The kind of the device at this place; where nobody said so, it has the place's name."""
        return self.kinds.get(place, place)

    def make_so(self) -> None:
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
            self.desk.emit(Refused(what, "not_now", self._not_now(what, refusal)))
        else:
            self.desk.emit(Refused(what, refusal.code, refusal.text, refusal.clauses))

    def _not_now(self, what: str, refusal: NotNow) -> str:
        if key := self.keys.get(what) or self.game.keys.get(what):
            return f"“{key.label}” means nothing while {refusal.while_}."
        return f"What came means nothing while {refusal.while_}."

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
            self.propose_limits(coming.limits, SLOW_SIGN_MS)
            self.show_sign()
        if closing and closing.revision in newly and closing.until and closing.until < self._in_minutes(house.closing):
            self._propose_closing(SLOW_SIGN_MS)
            self.show_sign()

    def _in_minutes(self, notice: Notice) -> int:
        return self.desk.at + notice.minutes * 60_000

    def _proposed(self, notice: Notice, until_shown: int) -> int:
        """The time of a change that is announced now."""
        return self._in_minutes(notice) + (until_shown if self.sign_needed else 0)

    def _lock_lifted(self, event: LockLifted) -> None:
        attendance.lifted(self.desk, self.state.people, event)

    def _people(self, event: SignedIn | SignedOut | NotSignedIn) -> None:
        attendance.take(self, event)

    def _timer_due(self, event: TimerDue) -> None:
        timer = event.timer
        self.state.desk.timers.pop(timer, None)
        if timer == "limits":
            self._limits_due(event)
        elif timer.startswith(TIMERS):
            self.money.timer(timer)
        else:
            self.game.handle(event)

    def failed(self, seq: int, at: int, error: str) -> list[AnyEffect]:
        """Stand suspended because handling this event raised; its cause stays until somebody has looked at it."""
        self.desk.begin(seq, at)
        self.fault(table_alarms.Defect(seq=seq, error=error), seq, self.house.power("resume").rank)
        return self._concluded()

    # -- faults and devices ------------------------------------------------------------------------------------

    def fault(self, alarm: Alarm[Any], about: int | str = "", rank: int = 0) -> None:
        """Add a cause for suspension; trouble at a place that the game can do without is an alarm only."""
        said = alarm.said(self, about)
        place = said.code.partition(":")[0]
        aside = place in self._aside or place in self.state.by_hand
        causes = self.state.troubles if aside else self.state.faults
        if said.code not in self.state.faults:
            causes[said.code] = Fault(said.code, said.text, said.remedy, self.desk.at, rank)
            alarm.holds(self, about)

    def fault_over(self, code: str) -> None:
        """This cause is gone, and its alarm with it."""
        self.state.faults.pop(code, None)
        self.state.troubles.pop(code, None)

    def _started(self, event: Started) -> None:
        self.desk.note("started", version=event.version, rulebook=event.config["table"]["rulebook"])
        self.money.state.read = False
        self.state.outputs = {}
        self.state.edition_due = ""  # told anew right after this, where it still holds
        attendance.restarted(self.desk, self.state.people)
        for place in self.state.devices:
            self.state.devices[place] = "down"
            if place not in self._aside:
                device_faults.not_identified(self, place)
        self.show_sign()

    # -- life --------------------------------------------------------------------------------------------------

    def _moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.state.life, self.state.resume_to = self.life.saved()
        self.desk.emit(Moved(machine, source, dest, trigger))

    def was_opening(self) -> bool:
        return self.life.interrupted_from == "opening"

    @property
    def playing(self) -> bool:
        return self.state.life in ("open", "closing")

    def _settle_life(self) -> None:
        state = self.state
        if state.faults:
            if self.life.can("suspend"):
                self.life.fire("suspend")
            return
        if self.life.can("resume"):
            self.life.fire("resume")
        if self.life.can("checked"):
            self._try_to_open()

    def play_on(self) -> None:
        if self.playing:
            self.game.resumed()

    def _try_to_open(self) -> None:
        if found := self.game.opening_faults():
            first = found[0]
            self.state.hindrance = first.code
            first.holds(self.game)
        elif self.sign_needed and self.state.sign_shown < self.state.sign:
            self.state.hindrance = table_alarms.SignMissing.code
            table_alarms.SignMissing().holds(self)
        else:
            self.state.hindrance = ""
            self.life.fire("checked")

    def begin_play(self) -> None:
        self.money.open_float()

    def round_over(self, valid: bool = True, notice: bool = True) -> None:
        """A round ended; a valid one moves the number on, and one that counts as notice brings the closing nearer."""
        self._end_of_round()
        table_keys.played_by_hand(self, valid)
        if valid:
            self.state.round += 1
        if notice and self.state.closing is not None and self.state.closing.rounds > 0:
            self.state.closing = msgspec.structs.replace(self.state.closing, rounds=self.state.closing.rounds - 1)
            self.show_sign()

    def _end_of_round(self) -> None:
        end_with_round(self.desk, self.alarms())

    # -- keys --------------------------------------------------------------------------------------------------

    def available(self) -> list[Key]:
        """The keys that mean something now, as a page draws them."""
        return [self.drawn(key) for key in self.pressable()]

    def pressable(self) -> list[Key]:
        """The keys that mean something now, as they were declared."""
        own = [key for key in self.keys.values() if self.means_something(key)]
        return [*own, *(key for key in self.game.keys.values() if self._means_in_game(key))]

    def offered(self, name: str) -> Key | None:
        """This key as a page draws it; None where it means nothing now."""
        if key := self.keys.get(name):
            return self.drawn(key) if self.means_something(key) else None
        key = self.game.keys.get(name)
        return self.drawn(key) if key is not None and self._means_in_game(key) else None

    def drawn(self, key: Key) -> Key:
        """A key that means something now, with what there is to choose from."""
        return key.shown(self.owned(key).owner if key.name in self.keys else self.game)

    def _means_in_game(self, key: Key) -> bool:
        held = self.playing or (key.while_suspended and self.state.life == "suspended")
        return held and self.game.can(key)

    def owned(self, key: Key) -> table_keys.OwnedKeys:
        """Whose this key is, of those in `keys`."""
        return table_keys.owned(self, key)

    def means_something(self, key: Key) -> bool:
        """Whether this key, of those in `keys`, means something now."""
        return table_keys.means_something(self, key)

    def _command(self, command: Command) -> None:
        key = self.keys.get(command.name) or self.game.keys.get(command.name)
        if key is None:
            near = difflib.get_close_matches(command.name, [*self.keys, *self.game.keys])
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise Refusal("unknown_command", f"There is no key {command.name!r} at this table.{hint}")
        by = command.by
        table_keys.admit(self, key, by)
        if key is ANSWER:
            self._answer(command.args, by)
        elif key.name in self.keys:
            table_keys.press(self, key, command.args, by)
        elif not self.playing and self.state.life != "suspended":
            raise Refusal("table_closed", f"“{key.label}” needs an open table; open it first.")
        else:
            self.game.command(key, command.args, by)

    def begin_opening(self, slip: Slip, by: Person) -> None:
        self.money.state.slip = slip
        self.desk.ruled("open", "opened", by, (self.keys["open"].clause,))
        self.show_sign()

    def stay_closed(self) -> None:
        self.state.hindrance = ""

    def may_close(self) -> bool:
        """Whether nobody plays, or notice was given and has run out."""
        notice = self.state.closing
        if not self.game.players_present():
            return True
        if notice is None or notice.rounds > 0 or notice.until > self.desk.at:
            return False
        return not notice.until or not self.sign_needed or self.state.sign_shown >= notice.revision

    def end_play(self, slip: Slip, by: Person) -> None:
        self.state.closing = None
        table_keys.closing_by_hand(self)
        self.money.close_float(slip)
        self.desk.ruled("close", "closed", by, (self.keys["close"].clause,))
        self.desk.timer_off("closing")
        self.game.closed()
        self._end_of_round()
        self.show_sign()

    def announce_closing(self, by: Person) -> None:
        notice = self.house.closing
        self._propose_closing()
        self.desk.ruled("close", "notice", by, (notice.clause,))
        self.desk.announce("all", "closing", f"The table closes: {self.notice_text()}.", (notice.clause,))
        self.show_sign()

    def _propose_closing(self, until_shown: int = SIGN_MS) -> None:
        notice = self.house.closing
        until = self._proposed(notice, until_shown) if notice.minutes else 0
        self.state.closing = Closing(notice.rounds, until, self.state.sign + 1)
        if until:
            self.desk.timer("closing", until)

    def notice_text(self) -> str:
        """How much of a closing notice is left, in words."""
        notice = self.state.closing
        if notice is None:
            return ""
        if notice.until:
            minutes = max(0, -(-(notice.until - self.desk.at) // 60_000))
            return f"in {minutes} minutes"
        return f"{notice.rounds} {self.house.round_word}s to come"

    def propose_limits(self, limits: Limits, until_shown: int = SIGN_MS) -> None:
        """These limits hold once their notice has run."""
        at = self._proposed(self.house.raising, until_shown)
        self.state.coming = LimitChange(limits, at, self.state.sign + 1)
        self.desk.timer("limits", at)

    def _limits_due(self, event: TimerDue) -> None:
        coming = self.state.coming
        if coming is None:
            return
        if self.sign_needed and self.state.sign_shown < self.state.sign:
            self.desk.timer("limits", self.desk.at + 60_000)
            table_alarms.SignBehind().holds(self)
            return
        self.take_limits(coming.limits)
        self.game.handle(event)
        self.show_sign()

    def take_limits(self, limits: Limits, announced: Limits | None = None) -> None:
        """These limits hold from now on; what else was announced goes on with its time."""
        coming, self.state.coming = self.state.coming, None
        self.state.limits = limits
        if coming is not None and announced not in (None, limits):
            self.state.coming = msgspec.structs.replace(coming, limits=announced)
        else:
            self.desk.timer_off("limits")
        self.desk.note("limits", (self.house.raising.clause,), least=limits.least, most=limits.most)

    def limits_of(self, player: str, bet: str) -> Limits:
        """The limits this player's wagers on this bet are measured with."""
        return self.limits_in_force().of(player, bet)

    def limits_in_force(self) -> LimitsInForce:
        """The limits as they stand now."""
        return LimitsInForce(self.state.limits, dict(self.state.personal))

    def _answer(self, args: dict[str, Any], by: Person) -> None:
        prompt, answer = required(args, "prompt"), required(args, "answer")
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
            "closing": self.notice_text(),
            **({"by_hand": table_keys.by_hand_words(self)} if self.state.by_hand else {}),
            **self.game.sign(),
        }

    def save(self) -> bytes:
        """The whole table, to stand again where it stands now."""
        state, came_from = self.game.machine.saved()
        return msgspec.json.encode(Saved(self.state, state, msgspec.Raw(self.game.save()), came_from))

    def restore(self, body: bytes) -> None:
        """Stand where `save` was called."""
        saved = msgspec.json.decode(body, type=Saved)
        self.state = saved.table
        self.desk.state = saved.table.desk
        self.money.state = saved.table.money
        self.life.restore(saved.table.life, saved.table.resume_to)
        self.game.restore(bytes(saved.game))
        self.game.machine.restore(saved.round_state, saved.round_from or self.game.came_from())


TAKEN_BY: dict[type[msgspec.Struct], Callable[[Table, Any], None]] = {
    Command: Table._command,
    Started: Table._started,
    Stopped: Table._stopped,
    **dict.fromkeys((ChipsMoved, ChipsSwept), Table._chips_moved),
    ChipsCounted: Table._chips_counted,
    SignShown: Table._sign_shown,
    TimerDue: Table._timer_due,
    **dict.fromkeys((DeviceUp, DeviceDown, DeviceRefused, DeviceTrouble, DeviceTroubleOver), device_faults.take),
    **dict.fromkeys((SignedIn, SignedOut, NotSignedIn), Table._people),
    LockLifted: Table._lock_lifted,
    **dict.fromkeys((FloorOrder, OrdersTurnedAway), table_keys.ordered),
    **dict.fromkeys((DiskLow, ProgramChecked, ClockCompared, EditionDue, FellBack, JournalChecked, TwinSeen), upkeep),
}
"""Who takes an event; what is not here is the game's."""
