"""The desk a game works at: where it says what it concludes, asks people, sets timers and refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from controller.core.effects import (
    Alarmed,
    AlarmOver,
    Announced,
    AnyEffect,
    Asked,
    Desired,
    Moved,
    Noted,
    Option,
    Ruled,
    TimerOff,
    TimerSet,
)
from controller.money.amounts import dollars
from controller.people import Person

Clauses = tuple[str, ...]


class Refusal(Exception):
    """Something may not be done; raised before anything has changed."""

    def __init__(self, code: str, text: str, clauses: Clauses = ()) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.clauses = clauses


Kind = Literal[
    "", "text", "player", "names", "numbers", "number", "rate", "money", "amounts", "flag", "choice", "card", "cards",
    "slip",
    "accept", "accept_why",
]  # fmt: skip
TYPES = {
    "names": "tuple[str, ...]",
    "cards": "tuple[str, ...]",
    "numbers": "tuple[int, ...]",
    "number": "int",
    "rate": "float",
    "money": "int",
    "amounts": "tuple[int, ...]",
    "flag": "bool",
    "accept": "bool",
    "slip": "str | dict[str, int]",
}
"""What a function takes for each kind; a word where none is named."""


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is told with a key or an answer, as a page asks for it.

    Without a kind, a page draws it as it draws all of that name. `names`, `numbers` and `cards` are lists, and so are
    `amounts`, which people write in dollars with spaces between them. What is `offered` is all there is to name, unless
    it is `suggested`; of money it is what lies near. `accept`, and why it is accepted, are asked for only once
    the table has refused, of somebody who takes it as it is. What is `aside` may be told and seldom is: a key that lies
    ready does not ask for it, the list of all keys does.
    """

    name: str
    kind: Kind = ""
    label: str = ""
    optional: bool = False
    aside: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    number: bool = False  # of a choice: what is chosen is a number
    clauses: Clauses = ()  # what something else than it asks for would break
    several: bool = False  # of a choice: what is chosen is a list, written with spaces
    offered: Callable[[Any], Iterable[tuple[str, str]]] | None = None  # what there is to choose from now, or to suggest
    suggested: bool = False  # what is offered is not all: somebody new may be named, or its function refuses
    least: int | None = 1  # of a number or of money
    most: int | None = None
    known: Callable[[Any], bool] | None = None  # only where the house is so

    @property
    def type_name(self) -> str:
        """What a function takes for it."""
        if self.kind == "choice":
            return "int" if self.number else "tuple[str, ...]" if self.several else "str"
        return TYPES.get(self.kind, "str")

    @property
    def new_word(self) -> str:
        """What says that whoever is named is somebody new; nothing where nobody new may be named."""
        return f"{self.name}_is_new" if self.suggested and self.kind in ("player", "names") else ""

    def here(self) -> Ask:
        """As it is asked for at a table that knows it."""
        return self if self.known is None else msgspec.structs.replace(self, known=None)

    def shown(self, owner: Any) -> Ask:
        """As a page draws it now."""
        if self.offered is None:
            return self
        return msgspec.structs.replace(self, choices=tuple(self.offered(owner)), offered=None)


def listed(value: Any, of: type) -> Any:
    """Several words or numbers as people enter them, a list or one after the other with commas; else what was told."""
    parts = value
    if isinstance(value, str):
        words = [part.strip() for part in re.split("[,;]", value)]
        parts = [int(word) if of is int and word.isdecimal() else word for word in words if word]
    fits = isinstance(parts, list | tuple) and all(isinstance(each, of) for each in parts)
    return tuple(parts) if fits else value


class Key(msgspec.Struct, frozen=True):
    """Something a person may do: its words, the least rank, its clause, and what is told with it."""

    name: str
    label: str
    rank: int
    clause: str
    args: tuple[str, ...] = ()
    while_suspended: bool = False
    asks: tuple[Ask, ...] = ()
    undo: str = "followed"
    role: str = ""  # whoever has it may press it, whatever their rank
    about: str = ""  # what it is about, in the words under which a page groups it

    def shown(self, owner: Any) -> Key:
        """As a page draws it now: what there is to choose from is filled in."""
        if all(ask.offered is None for ask in self.asks):
            return self
        return msgspec.structs.replace(self, asks=tuple(ask.shown(owner) for ask in self.asks))


ACCEPT = (Ask("confirmed", "accept", optional=True), Ask("reason", "accept_why", optional=True))
"""What the table has refused is taken as it is by somebody who sees it, with a reason where money is concerned."""


class Fault(msgspec.Struct, frozen=True):
    """A cause for suspension and its way out; `rank` is 0 where a check clears it, else who may."""

    code: str
    text: str
    remedy: str
    since: int
    rank: int = 0


class Limits(msgspec.Struct, frozen=True):
    """Least and greatest wager in cents, also where a bet has its own; the sign's unit (0: none); the smallest chip."""

    least: int
    most: int
    unit: int = 0
    smallest_chip: int = 100
    bets: dict[str, tuple[int, int]] = {}


class LimitFault(NamedTuple):
    """An amount that no limits may have, by its name in a configuration: why, and what to do about it."""

    name: str
    what: str
    remedy: str


def limit_faults(limits: Limits, *, unit_on_sign: bool = False) -> list[LimitFault]:
    """What could not be signed or paid, whoever sets it: a configuration, a key or an order (4.1, 4.2.3)."""
    names = {"min": limits.least, "max": limits.most, "unit": limits.unit, "smallest_chip": limits.smallest_chip}
    for name in ("min", *(("unit",) if unit_on_sign else ()), "smallest_chip"):
        if names[name] <= 0:
            return [LimitFault(name, f"'{name}' must be more than nothing", "write dollars, such as 5")]
    faults = []
    if limits.most < limits.least:
        what = f"the maximum {dollars(limits.most)} is below the minimum {dollars(limits.least)}"
        faults.append(LimitFault("max", what, "raise max, or lower min"))
    for name in ("min", "max", "unit"):
        if names[name] % limits.smallest_chip:
            what = f"'{name}' {dollars(names[name])} cannot be made of {dollars(limits.smallest_chip)} chips"
            faults.append(LimitFault(name, what, "correct it, or smallest_chip"))
    return faults


class PersonalLimit(msgspec.Struct, frozen=True):
    """Limits agreed for one player, in force once the marker lies at the position."""

    least: int
    most: int
    marker: bool = False


class LimitsInForce(msgspec.Struct, frozen=True):
    """The table's limits and those agreed with single players, as they stand at one moment."""

    table: Limits
    personal: dict[str, PersonalLimit] = {}

    def of(self, player: str, bet: str) -> Limits:
        """The limits this player's wagers on this bet are measured with."""
        if bet in self.table.bets:  # what a player agreed on stands in place of the table's limits, not of a bet's own
            least, most = self.table.bets[bet]
            return msgspec.structs.replace(self.table, least=least, most=most)
        personal = self.personal.get(player)
        if personal is not None and personal.marker:
            return msgspec.structs.replace(self.table, least=personal.least, most=personal.most)
        return self.table


class DeskState(msgspec.Struct):
    """What is open on the desk; part of the table's saved state."""

    prompts: dict[str, Asked] = {}
    alarms: dict[str, Alarmed] = {}
    kinds: dict[str, str] = {}  # which declaration each of them is of
    timers: dict[str, int] = {}
    asked: int = 0


NO_RANK = "of no rank here"
"""What somebody is who stands beside the ladder of the house, such as whoever carries chips."""


class Desk:
    """Collects the conclusions of the event under way and keeps what stays open between events."""

    def __init__(self, state: DeskState, titles: Sequence[str] = ()) -> None:
        self.state = state
        self._titles = titles
        """The ranks of the house, from the lowest to the highest."""
        self.effects: list[AnyEffect] = []
        self._over: dict[str, Alarmed] = {}
        self.seq = 0
        self.at = 0

    def begin(self, seq: int, at: int) -> None:
        self.seq = seq
        self.at = at
        self.effects = []
        self._over = {}

    def title(self, rank: int) -> str:
        """What a rank is called in this house."""
        return self._titles[rank - 1] if 0 < rank <= len(self._titles) else NO_RANK

    def too_low(self, what: str, rank: int, by: Person) -> str:
        """That somebody may not do this, and who may."""
        return f"“{what}” needs {self.title(rank)} or above; {by.id} is {self.title(by.rank)}."

    def emit(self, effect: AnyEffect) -> None:
        self.effects.append(effect)

    def moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.emit(Moved(machine, source, dest, trigger))

    def note(self, what: str, clauses: Clauses = (), **facts: Any) -> None:
        self.emit(Noted(what, facts, clauses))

    def announce(self, to: str, code: str, text: str, clauses: Clauses = ()) -> None:
        self.emit(Announced(to, code, text, clauses))

    def desire(self, device: str, **outputs: Any) -> None:
        self.emit(Desired(device, outputs))

    def ask(
        self,
        subject: str,
        text: str,
        evidence: dict[str, Any],
        proposal: str,
        options: tuple[Option, ...],
        clauses: Clauses,
    ) -> str:
        """Put a question to people; its id comes back with the answer."""
        self.state.asked += 1
        prompt = f"p{self.state.asked}"
        asked = Asked(prompt, subject, text, evidence, proposal, options, clauses)
        self.state.prompts[prompt] = asked
        self.emit(asked)
        return prompt

    def answer(self, prompt: str, answer: str, by: Person, reason: str) -> Asked:
        """Take an answer, if this person may give it."""
        asked = self.state.prompts.get(prompt)
        if asked is None:
            raise Refusal("no_such_prompt", f"No question {spoken(prompt)} is open; it may have been answered already.")
        option = next((option for option in asked.options if option.answer == answer), None)
        if option is None:
            allowed = ", ".join(option.answer for option in asked.options)
            raise Refusal(
                "no_such_answer", f"{spoken(answer)} is not an answer to this; choose {allowed}.", asked.clauses
            )
        if by.rank < option.rank:
            raise Refusal(
                "rank_too_low",
                self.too_low(option.label, option.rank, by),
                (option.clause,),
            )
        if option.needs_reason and not reason:
            raise Refusal("reason_needed", f"“{option.label}” needs a stated reason.", (option.clause,))
        del self.state.prompts[prompt]
        self.emit(Ruled(asked.subject, answer, by.id, by.rank, (option.clause,), reason, prompt))
        return asked

    def withdraw(self, subject: str) -> None:
        """Take back questions that events have overtaken."""
        for prompt in [key for key, asked in self.state.prompts.items() if asked.subject == subject]:
            del self.state.prompts[prompt]
            self.note("question_withdrawn", prompt=prompt, subject=subject)

    def ruled(self, subject: str, answer: str, by: Person, clauses: Clauses, reason: str = "") -> None:
        """Record a power used without being asked."""
        self.emit(Ruled(subject, answer, by.id, by.rank, clauses, reason))

    def alarm(self, alarm: Alarmed, kind: str, again: bool) -> None:
        """Say an alarm of this declaration (`core.alarms`); where it stands already, it may have happened again."""
        code = alarm.code
        before = self.state.alarms.get(code) or self._over.pop(code, None)
        if before is not None:
            alarm = msgspec.structs.replace(alarm, count=before.count + again)
        self.state.alarms[code], self.state.kinds[code] = alarm, kind
        if alarm != before:
            self.emit(alarm)

    def alarm_over(self, code: str) -> None:
        """End an alarm, unless the same event raises it again."""
        self.state.kinds.pop(code, None)
        if (alarm := self.state.alarms.pop(code, None)) is not None:
            self._over[code] = alarm

    def end(self) -> list[AnyEffect]:
        """Everything that was concluded; what is over is said last."""
        for code in sorted(self._over):
            self.emit(AlarmOver(code))
        return self.effects

    def timer(self, timer: str, at: int) -> None:
        self.state.timers[timer] = at
        self.emit(TimerSet(timer, at))

    def timer_off(self, timer: str) -> None:
        if self.state.timers.pop(timer, None) is not None:
            self.emit(TimerOff(timer))


LONGEST_TOLD = 40
"""More of what was typed wrongly is not said back."""
FAR = 10**15
"""Nothing at a table is so much."""
BEYOND = "a number beyond all bounds"


def spoken(value: Any) -> str:
    """What was told, in words: what a program sends in place of an entry has none of its own."""
    match value:
        case None | "" | [] | ():
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case str():
            told = value if len(value) <= LONGEST_TOLD else f"{value[:LONGEST_TOLD]}…"
            return repr(told) if told.isprintable() else "signs that nobody can read"
        case int() | float():
            # An int of many thousand digits cannot even be written, and nan is not less than anything.
            return str(value) if -FAR < value < FAR else BEYOND
        case dict():
            return "several entries" if value else "nothing"
        case _:
            return ", ".join(spoken(one) for one in value[:3]) + (" and more" if len(value) > 3 else "")


def required(args: dict[str, Any], name: str, kind: type = str) -> Any:
    """An argument that must be given with a key, of the right kind."""
    value = args.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)) or value == "":
        wanted = "whole number" if kind is int else "word"
        raise Refusal("bad_argument", f"“{name}” needs a {wanted}; it was told {spoken(value)}.")
    return value
