"""A table that may be part of a tournament: the event's machine, keys, chips and words around those of every table."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core import table_keys
from controller.core.alarms import Owned
from controller.core.desk import Key, Limits, Refusal, required
from controller.core.effects import AnyEffect, Refused
from controller.core.events import (
    Chip,
    ChipsCounted,
    ChipsMoved,
    ChipsSwept,
    Command,
    SignedIn,
    SignedOut,
    SignShown,
    TimerDue,
)
from controller.core.house import House
from controller.core.questions import Questions
from controller.core.table import Table
from controller.core.table_keys import OwnedKeys
from controller.money.amounts import UNIT, spoken_in
from controller.money.table_money import MoneyState
from controller.people import Person
from controller.tournament import alarms, beginning, keys, levels, orders, presence, rounds, view
from controller.tournament.book import load_book
from controller.tournament.questions import KINDS, QUESTIONS
from controller.tournament.session import Felt, Session
from controller.tournament.state import EventState
from controller.tournament.terms import Chips

MONEY_KEYS = frozenset({"buy_in", "limits", "personal_limit", "marker"})
"""What has no place at a designated table: nobody buys in for cash, and limits are the terms'."""


MONEY_KINDS = ("cash", "token", "tournament", "colour")
"""Chips of the house that are none of an event's own."""


class TournamentTable(Table):
    """A table like any other until a hall designates it."""

    def __init__(
        self, house: House, limits: Limits, places: frozenset[str], sign_needed: bool = True, **more: Any
    ) -> None:
        super().__init__(house, limits, places, sign_needed, **more)
        self.session = Session(self, load_book(house.rulebook.id))
        self.event_keys = keys.keys_of(self.session)
        self._keys |= self.event_keys
        self.orderable.append((orders.ORDERS, self.session))

    def join(self, felt: Felt) -> None:
        """The game's felt, as the event sees it; the questions of both are known by their subjects."""
        self.session.felt = felt
        known: Any = self.game.questions
        self.game.questions = Questions(*(type(one) for one in known), *KINDS)

    def use_money(self, money: MoneyState) -> None:
        """Chips and books from now on: those of the event or those of every day, and never both."""
        self.state.money = self.money.state = money

    # -- one event ---------------------------------------------------------------------------------------------

    def apply(self, seq: int, at: int, event: msgspec.Struct) -> list[AnyEffect]:
        with spoken_in("units" if self.session.taken else "dollars"):
            return super().apply(seq, at, event)

    def _take(self, event: msgspec.Struct) -> None:
        match event:
            case Command():
                self.session.acting = event.by.id
                try:
                    self._command(event)
                finally:
                    self.session.acting = ""
            case ChipsMoved():
                super()._take(self._as_played(event))
                self._claim()
            case ChipsSwept(device, moves):
                super()._take(ChipsSwept(device, tuple(self._as_played(move) for move in moves)))
                self._claim()
            case ChipsCounted(device, areas):
                super()._take(ChipsCounted(device, {area: self._chips(chips) for area, chips in areas.items()}))
                self._claim()
            case TimerDue(timer) if timer.startswith("tournament:"):
                self.state.desk.timers.pop(timer, None)
                self._due(timer)
            case _:
                super()._take(event)
                self._look(event)

    def _due(self, timer: str) -> None:
        if timer == rounds.PRESENCE:
            rounds.hold_unless_present(self.session)
        elif timer == levels.TIMER:
            levels.look(self.session)
        elif timer == rounds.END:
            rounds.time_is_up(self.session)

    def _look(self, event: msgspec.Struct) -> None:
        """What an event says besides: who is here, and since when the sign shows the schedule."""
        match event:
            case SignedIn(_, person):
                rounds.shown(self.session, person.id, "signed in")
            case SignedOut(_, person, reason) if reason in presence.LEFT:
                rounds.gone(self.session, person.id)
            case SignShown(revision):
                state = self.session.state
                if state.sign_from and revision >= state.sign_from and not state.shown_at:
                    state.shown_at = self.desk.at
                levels.sign_shows(self.session, revision)

    def _concluded(self) -> list[AnyEffect]:
        if self.session.taken:
            rounds.follow(self.session, list(self.desk.effects))
        return super()._concluded()

    def alarms(self) -> tuple[Owned, ...]:
        return (*super().alarms(), (alarms.ALARMS, self.session))

    # -- chips -------------------------------------------------------------------------------------------------

    def _as_played(self, move: ChipsMoved) -> ChipsMoved:
        return msgspec.structs.replace(move, added=self._chips(move.added))

    def _chips(self, chips: tuple[Chip, ...]) -> tuple[Chip, ...]:
        """Chips as they count here: the event's own set is its money, and money is none (4.4(a))."""
        if not self.session.taken:
            return chips
        own = self.session.terms.bank.chips
        return tuple(as_played(chip, own) for chip in chips)

    def _claim(self) -> None:
        """Chips of a colour are its holder's."""
        if self.session.taken and self.session.state.colours:
            self.session.felt.claim(self.session.state.colours)

    # -- keys --------------------------------------------------------------------------------------------------

    def owned(self, key: Key) -> OwnedKeys:
        return OwnedKeys(keys.KEYS, self.session) if key.name in self.event_keys else super().owned(key)

    def means_something(self, key: Key) -> bool:
        if key.name in self.event_keys:
            return keys.KEYS.means_something(self.session, key.name)
        return super().means_something(key)

    def available(self) -> list[Key]:
        if not self.session.taken:
            return super().available()
        with spoken_in("units"):
            return super().available()

    def pressable(self) -> list[Key]:
        return [key for key in super().pressable() if not (self.session.taken and self._barred(key.name))]

    def offered(self, name: str) -> Key | None:
        return None if self.session.taken and self._barred(name) else super().offered(name)

    def _barred(self, name: str) -> bool:
        if name == "open":
            return self.session.phase != "set"
        return name in MONEY_KEYS or name in self.session.felt.barred

    def _command(self, command: Command) -> None:
        session, name, by = self.session, command.name, command.by
        if not session.taken:
            if name in self.event_keys:
                raise Refusal("no_tournament", "This table is part of no tournament.", session.clauses("2.4"))
            super()._command(command)
            return
        if self._barred(name):
            text = f"This table is designated for {session.terms.id} and is used for nothing else."
            session.refuse("designated", text, "2.5")
        if name in self.event_keys:
            self._event_key(self.event_keys[name], command.args, by)
        elif name == "answer" and self._is_directors(command.args.get("prompt", "")):
            self._answer(command.args, by)
        elif name == "take_back" and session.state.presence.decides(by.id):
            table_keys.KEYS.press(self, self.keys[name], command.args, by)
        else:
            self._game_key(command)
        rounds.shown(session, by.id, f"key {name}")

    def _event_key(self, key: Key, args: dict[str, Any], by: Person) -> None:
        session = self.session
        if key.role:
            self._decides(by, key.label, key.clause)
        elif by.rank < key.rank:
            raise Refusal("rank_too_low", self.desk.too_low(key.label, key.rank, by), (key.clause,))
        if not keys.KEYS.means_something(session, key.name):
            raise Refusal("not_now", f"“{key.label}” means nothing while {session.machine.while_}.", (key.clause,))
        keys.KEYS.press(session, key, args, by)
        if key.role and by.id != session.state.presence.director:
            session.note("designee", ("2.3(a)",), by=by.id, of=session.state.presence.director, decided=key.name)

    def _decides(self, by: Person, what: str, clause: str) -> None:
        """A rank does not replace the role (T-8)."""
        if not self.session.state.presence.decides(by.id):
            text = f"“{what}” is the Director's or a deputy's; {by.id} is neither."
            raise Refusal("no_director", text, (clause, *self.session.clauses("2.3")))

    def _game_key(self, command: Command) -> None:
        """A key of the table or its game; one that begins a round begins it for the event as well."""
        session, name = self.session, command.name
        opens, closes = name in session.felt.begins, name in session.felt.closes
        if opens or closes:
            rounds.may_begin(session)
            if rounds.let_short_go(session):
                return
        if closes:
            rounds.may_close(session)
        super()._command(command)
        if (opens or closes) and not self._refused():
            rounds.begin_round(session)
        if closes and not self._refused():
            rounds.say_short(session)

    def _refused(self) -> bool:
        return any(isinstance(effect, Refused) for effect in self.desk.effects)

    def _is_directors(self, prompt: str) -> bool:
        asked = self.state.desk.prompts.get(prompt)
        return asked is not None and asked.subject.partition(":")[0] in QUESTIONS

    def _answer(self, args: dict[str, Any], by: Person) -> None:
        prompt, answer = required(args, "prompt"), required(args, "answer")
        if not self._is_directors(prompt):
            super()._answer(args, by)
            return
        asked = self.state.desk.prompts[prompt]
        self._decides(by, asked.text, asked.clauses[0])
        QUESTIONS.check(self.session, asked, answer, args)
        asked = self.desk.answer(prompt, answer, by, str(args.get("reason", "")))
        QUESTIONS.answered(self.session, asked, answer, args, by)
        if by.id != self.session.state.presence.director:
            self.session.note("designee", ("2.3(a)",), by=by.id, of=self.session.state.presence.director,
                              decided=asked.subject)  # fmt: skip

    # -- what the game asks ------------------------------------------------------------------------------------

    def no_round(self) -> Refusal | None:
        return rounds.no_round(self.session)

    def no_stake(self, player: str, place: int) -> Refusal | None:
        return rounds.no_stake(self.session, player, place)

    def laid_for(self, player: str) -> bool:
        return rounds.laid_for(self.session, player)

    def can_match(self, player: str, cents: int) -> bool:
        return not self.session.taken or self.session.free(player) * 100 >= cents

    def bets_closed(self) -> bool:
        return self.session.felt.closed()

    def may_open_slips(self) -> None:
        """A slip stays closed until betting is, or until the call where all must lie by then (T-22)."""
        felt, session = self.session.felt, self.session
        if not felt.opened_before_close and not felt.closed():
            session.refuse("bets_open", "A secret wager is opened once betting is closed.", "4.4(c)")

    def begin_play(self) -> None:
        """Whom the draw has put where sits there before the cards are cut (T-48)."""
        super().begin_play()
        if self.session.phase == "set":
            beginning.seat_entrants(self.session)

    def announces_idle_seats(self) -> bool:
        return not self.session.taken

    def may_close(self) -> bool:
        """The end of a session is no closing, so no notice is due (T-12)."""
        return super().may_close() or (self.session.taken and self.session.phase in ("set", "waiting", "counted"))

    # -- sign, save, restore -----------------------------------------------------------------------------------

    def sign(self) -> dict[str, Any]:
        shown = super().sign()
        return {**shown, "tournament": view.sign(self.session)} if self.session.taken else shown

    def machines_besides(self) -> dict[str, str]:
        return {self.session.machine.name: self.session.phase}

    def event_view(self) -> dict[str, Any]:
        return {"tournament": view.table(self.session)}

    def save(self) -> bytes:
        self.state.event = msgspec.Raw(msgspec.json.encode(self.session.state))
        return super().save()

    def restore(self, body: bytes) -> None:
        super().restore(body)
        kept = bytes(self.state.event)
        self.session.restore(EventState() if kept == b"null" else msgspec.json.decode(kept, type=EventState))


def as_played(chip: Chip, own: Chips) -> Chip:
    """A chip as it counts in an event with these chips: its own set, or colours with one value for all (T-3)."""
    if own.kind == "tournament" and chip.kind == "tournament" and chip.mark == own.set:
        return Chip(chip.tag, "cash", chip.cents)
    if own.kind == "colour" and chip.kind == "colour":
        return Chip(chip.tag, "cash", own.unit * UNIT, chip.mark.rpartition("/")[2])
    return Chip(chip.tag, "other_money", 0, chip.mark) if chip.kind in MONEY_KINDS else chip
