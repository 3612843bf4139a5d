"""What the fields of a worked case hold: times, people, tables, cards and wagers, refused in words if none."""

from __future__ import annotations

import re
from typing import Any

from firmware_specs.cards import DECK
from lab.scenarios.file import ScenarioError
from lab.scenarios.words import (
    ANYTHING,
    COMPARTMENTS,
    COUNT,
    FLAG,
    MONEY,
    NOTES,
    TEXT,
    Field,
    Kind,
    by_name,
    closest,
    counted,
    either,
    list_of,
    object_of,
    one_of,
)

UNITS = counted("units", 0, 10**9)
ROUNDS = counted("", 0, 200)
SEAT = counted("", 1, 11)
HOURS, MINUTES = 24, 60
ENTRANT = re.compile(r"[PE][1-9]\d{0,2}")
AT_TABLE = re.compile(r"[A-Z]{2}-[1-9]\d?")
ROLES = ("TD", "DEP", "dealer", "HDD", "AM", "ACM", "runner", "hall", "COO", "Chief Operating Officer")


def _time(value: Any, where: str) -> str:
    parts = value.split(":") if isinstance(value, str) and value.isascii() else []
    numbers = [int(part) for part in parts if len(part) == 2 and part.isdigit()]
    right = len(parts) in (2, 3) and len(numbers) == len(parts)
    if not right or numbers[0] >= HOURS or any(number >= MINUTES for number in numbers[1:]):
        raise ScenarioError(f"{where}: {value!r} is no time of a day; write 14:05 or 14:05:30")
    return str(value)


def _named(pattern: re.Pattern[str], what: str, known: tuple[str, ...] = ()) -> Kind:
    """A name of this form, or one of these words."""

    def read(value: Any, where: str) -> str:
        if not isinstance(value, str) or not (value in known or pattern.fullmatch(value)):
            hint = f"; {closest(value, dict.fromkeys(known))}" if known else ""
            raise ScenarioError(f"{where}: {value!r} is nobody and nothing here: {what}{hint}")
        return value

    return Kind(what, read)


TIME = Kind("a time of the event's day", _time)
PLAYER = _named(ENTRANT, "an entrant, as P1 or E1")
WHO = _named(ENTRANT, "an entrant, as P1, or one of " + ", ".join(ROLES), ROLES)
DIRECTS = one_of("TD", "DEP")
TABLE = _named(AT_TABLE, "a table, as CW-1")


def by_key(key: Kind, kind: Kind, of: str) -> Kind:
    """An object whose names are of one kind and whose values of another."""

    def read(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ScenarioError(f"{where}: an object of {of}, not {value!r}")
        return {key.read(name, where): kind.read(one, f"{where}: {name}") for name, one in value.items()}

    return Kind(f"an object of {of}, for each {kind.name}", read, kind.unit)


def once(kind: Kind) -> Kind:
    """A list of such values, none of them twice."""

    def read(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise ScenarioError(f"{where}: a list, not {value!r}")
        found = [kind.read(one, f"{where} {number}") for number, one in enumerate(value, 1)]
        if twice := next((one for at, one in enumerate(found) if one in found[:at]), None):
            raise ScenarioError(f"{where}: {twice!r} stands there twice")
        return found

    return Kind(f"a list, each {kind.name}", read, kind.unit)


ENTRANTS = once(PLAYER)
BANKS = by_key(PLAYER, UNITS, "entrants")
MARKERS = by_key(PLAYER, by_key(one_of("pass", "all_in", "rebuy", "secret"), COUNT, "markers"), "entrants")
CARD = Kind("a card, as KS", one_of(*DECK).read)


def _told(name: str, kind: Kind, meaning: str) -> Field:
    return Field(name, kind, meaning, optional=False)


_WAGER = object_of(
    Field("id", TEXT), _told("player", PLAYER, "Whose."), _told("type", TEXT, "On what."),
    _told("amount", UNITS, "How much."), Field("stage", TEXT), *NOTES,
)  # fmt: skip
ROUND = object_of(
    _told("wagers", list_of(object_of(_told("box", SEAT, "Which."), _told("wagers", list_of(_WAGER), "What lies."))),
          "The wagers of each box."),
    _told("cards", list_of(CARD), "The cards, in order."), Field("to", list_of(TEXT)),
    Field("decisions", list_of(object_of(
        Field("box", SEAT), _told("player", PLAYER, "Whose."), _told("choice", one_of("surrender", "war"), "What."),
    ))),
    Field("events", list_of(ANYTHING)), *NOTES,
)  # fmt: skip
SPIN = object_of(
    _told("rest_symbol", TEXT, "Where it comes to rest."), Field("forward_compartments", COMPARTMENTS), *NOTES
)
SPUN = list_of(object_of(
    Field("id", TEXT), _told("player", PLAYER, "Whose."), _told("symbol", TEXT, "On what."),
    _told("amount", UNITS, "How much."), *NOTES,
))  # fmt: skip
FOREIGN = list_of(object_of(
    _told("box", SEAT, "Which."), _told("zone", TEXT, "What of it."),
    _told("kind", one_of("cash", "tournament"), "What."),
    Field("value_dollars", counted("", 1, 10_000)), Field("set", TEXT),
))  # fmt: skip
WON_OR_LOST = one_of("win", "lose")
UNDER_WAY = by_key(PLAYER, object_of(
    _told("main", UNITS, "Stake."), _told("result", WON_OR_LOST, "How it ends.")), "entrants")  # fmt: skip
PRACTISED = by_key(PLAYER, object_of(
    Field("main", UNITS), Field("result", WON_OR_LOST), Field("pass", FLAG)), "entrants")  # fmt: skip
LAID = by_key(PLAYER, by_name(UNITS, "symbols"), "entrants")
COMMISSION = object_of(_told("method", one_of("percentage"), "How."), _told("percent", counted("", 0, 10), "How much."))
REFUSAL = object_of(
    Field("what", TEXT), Field("term", TEXT), Field("reading", TEXT), _told("clauses", list_of(TEXT), "Which."), *NOTES
)
REFUSALS = either(REFUSAL, list_of(REFUSAL))
CERTAIN = object_of(_told("certain", FLAG, "Whether."), _told("why", TEXT, "Why."))


def _pair(value: Any, where: str) -> list[int]:
    found = list_of(ROUNDS).read(value, where)
    if len(found) != 2 or found[0] > found[1]:
        raise ScenarioError(f"{where}: the first and the last of them, not {value!r}")
    return [int(one) for one in found]


FROM_TO = Kind("the first and the last of them", _pair)
DOLLARS = by_key(PLAYER, MONEY, "entrants")
PER_ENTRANT = by_key(PLAYER, COUNT, "entrants")

# -- terms -------------------------------------------------------------------------------------------------------------

LIMITS = object_of(
    _told("min", UNITS, "The minimum."), _told("max", UNITS, "The maximum."), Field("smallest_chip", UNITS)
)
ONE_SESSION = by_name(ANYTHING, "terms of a session")
PRIZES = by_name(ANYTHING, "terms of prizes")
REBUYS = object_of(
    _told("count", COUNT, "How many."), _told("units", UNITS, "What each brings."),
    _told("when", one_of("bank_below_compulsory", "bank_zero"), "When."),
)  # fmt: skip
WITHDRAW = object_of(_told("free_until", either(TIME, one_of("draw", "start", "none")), "Until when."))
DUES = object_of(
    _told("units", UNITS, "What it brings."), _told("dollars", COUNT, "What it costs."),
    _told("at", TEXT, "When."), Field("times", COUNT),
)  # fmt: skip
