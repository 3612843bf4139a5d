"""The terms of a worked case: the example of its game, what the file says of all its cases, and what the case sets."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

from lab.hall.terms import file_of, terms_for
from lab.scenarios.file import Case
from lab.scenarios.tournament.worked.kinds import DUES, LIMITS, ONE_SESSION, PRIZES, REBUYS, UNITS, WITHDRAW
from lab.scenarios.words import FLAG, TEXT, Kind, closest, list_of, one_of

Values = dict[str, Any]


def _at(*way: str) -> Callable[[Values, Any], None]:
    """A term that stands at this place of a terms file as it is."""

    def put(values: Values, value: Any) -> None:
        for name in way[:-1]:
            values = values.setdefault(name, {})
        values[way[-1]] = value

    return put


def _bank(values: Values, said: int) -> None:
    """What is bought again is one number with the bank, where the case says nothing else of it."""
    values["bank"]["units"] = said
    markers, again = values["wagers"].get("markers", {}), values["again"]
    for held in (markers.get("rebuy"), again.get("buy_back"), again.get("rebuy")):
        if isinstance(held, dict):
            held["units"] = said


def _limits(values: Values, said: Values) -> None:
    values["wagers"] |= {"minimum": said["min"], "maximum": said["max"]}


def _session(values: Values, said: Values) -> None:
    """What is said of the first session, or of what is played in it alone."""
    first = values["sessions"][0]
    first |= {name: said[name] for name in ("rounds", "bank", "until", "tables") if name in said}
    if "advance" in said:
        first["through"] = said["advance"]


def _sessions(values: Values, said: list[Values]) -> None:
    pattern = [*values["sessions"], *values["sessions"]]
    values["sessions"] = [{**pattern[number], **one} for number, one in enumerate(said)]


def _markers(name: str) -> Callable[[Values, Any], None]:
    return lambda values, count: values["wagers"].setdefault("markers", {}).update({name: count})


def _rebuy_markers(values: Values, said: Values) -> None:
    at = "zero" if said["when"] == "bank_zero" else "below_compulsory"
    _markers("rebuy")(values, {"each": said["count"], "units": said["units"], "at": at})


def _prizes(values: Values, said: Values) -> None:
    names = {"pool_dollars": "pool", "split_percent": "split", "unit_dollars": "unit"}
    values["result"]["prizes"] = {names.get(name, name): value for name, value in said.items()}


def _to_cash(values: Values, said: bool) -> None:
    if not said:
        values["bank"]["disposition"] = "handed_in"
    elif not isinstance(values["bank"]["disposition"], dict):
        values["bank"]["disposition"] = {"units": 100, "dollars": 1}


def _withdraw(values: Values, said: Values) -> None:
    day = str(values["tournament"]["starts"])
    until = str(said["free_until"])
    values["tournament"]["withdraw"] = {"free_until": day[:11] + until + day[16:] if ":" in until else until}


def _event(values: Values, said: str) -> None:
    values["tournament"]["event"] = said
    values["statements"]["staff_entrants"] = True


def _add_on(values: Values, said: Values) -> None:
    values["tournament"]["money"]["add_on"] = said["dollars"]
    values["again"]["add_on"] = {name: said[name] for name in ("units", "at", "times") if name in said}

    after = said["at"].removeprefix("break after level ")
    if after.isascii() and after.isdigit():
        values["wagers"]["breaks"] = [{"after": int(after), "minutes": 10}]


def _levels(values: Values, said: list[Any]) -> None:
    """Levels that are stated have the breaks that are stated with them, or none."""
    values["wagers"]["levels"] = said
    values["wagers"].pop("breaks", None)


def _rebuy(values: Values, said: Any) -> None:
    values["again"]["rebuy"] = said
    if said == "none":
        values["tournament"]["money"]["rebuy"] = "none"


def _pool(values: Values, said: int) -> None:
    values["result"]["prizes"]["pool"] = said


def _compulsory(values: Values, said: Any) -> None:
    values["wagers"]["compulsory"] = said if isinstance(said, list) else [[1, said]]


def _of_game(name: str) -> Callable[[Values, Any], None]:
    return _at("game", name)


def _retired(values: Values, said: Any) -> None:
    values["conduct"]["retired"] = "placed"


def _nothing(values: Values, said: Any) -> None:
    """Nothing that a terms file says."""


PLACES: dict[str, Callable[[Values, Any], None]] = {
    "bank": _bank, "chips": _at("bank", "chips"), "limits": _limits, "compulsory": _compulsory,
    "compulsory_schedule": _compulsory, "session": _session, "sessions": _sessions, "secret": _at("wagers", "secret"),
    "all_in": _markers("all_in"), "pass": _markers("pass"), "rebuy_markers": _rebuy_markers,
    "eliminated": _at("result", "eliminated"), "ties": _at("result", "ties"), "prizes": _prizes,
    "penalties": _at("conduct", "penalties"), "absent": _at("conduct", "absent"), "phone": _at("conduct", "phone"),
    "disqualified_chips": _at("conduct", "disqualified_chips"), "substitute": _at("conduct", "substitute"),
    "refund": _at("conduct", "refund"), "retired": _retired, "chips_to_cash": _to_cash,
    "cash_rate": _at("bank", "disposition"), "levels": _levels, "pool_dollars": _pool,
    "level_min": _at("wagers", "level_minutes"), "rebuy": _rebuy, "add_on": _add_on,
    "same_hand": _at("result", "same_hand"), "deal": _at("result", "prizes", "deal"), "event": _event,
    "signed": _at("tournament", "signed"), "withdraw": _withdraw,
    "entry_fee_dollars": _at("tournament", "money", "entry_fee"),
    "title": _at("tournament", "title"), "any": _at("tournament", "any"),
    "game": _of_game("variant"), "deputy_counts_as_present": _nothing, "table_seats": _nothing,
    **{name: _of_game(name) for name in (
        "war_method", "decks", "source", "option", "structure", "commission", "side_wagers", "war_stake", "tie_odds",
        "main_odds", "personal_limits", "boxes_per_player", "players_per_box",
    )},
}  # fmt: skip
"""By what a worked case calls it: what it is in a terms file."""
SHAPES: dict[str, Kind] = {
    "bank": UNITS, "limits": LIMITS, "session": ONE_SESSION, "sessions": list_of(ONE_SESSION), "prizes": PRIZES,
    "rebuy_markers": REBUYS, "withdraw": WITHDRAW, "add_on": DUES, "chips_to_cash": FLAG, "title": TEXT,
}  # fmt: skip
"""Of those that are looked into here: what they hold; the others go into the terms file as they are."""
REMOVED = {"place": ("tournament", "place"), "eliminated": ("result", "eliminated"),
           "prizes.split_percent": ("result", "prizes", "split"), "ties": ("result", "ties"),
           "penalties": ("conduct", "penalties"), "absent": ("conduct", "absent"),
           "prizes": ("result", "prizes"), "bank": ("bank", "units"), "chips": ("bank", "chips")}  # fmt: skip
"""What a case may leave out of the terms."""


def terms_text(case: Case, said: Values, tables: int, entrants: int, alone: bool) -> str:
    """The whole terms file; `alone` is an event of one session, whose winner wins it."""
    from controller.tournament.book import has_chapter

    if not has_chapter(case.rulebook):
        return file_of(
            {"tournament": {"rulebook": case.rulebook, **{key: said[key] for key in ("title",) if key in said}}}
        )
    values: Values = tomllib.loads(terms_for(case.game, tables, entrants))
    values["tournament"] |= {"rulebook": case.rulebook, "entrants": [2, max(entrants, 4)], "signed": False}
    stated = {**_base(case), **said}
    for name, value in sorted(stated.items(), key=lambda one: one[0] == "bank" and "bank" in said):
        if name == "remove":
            for place in list_of(one_of(*REMOVED)).read(value, f"{case.where}: terms: remove"):
                _remove(values, place)
        elif name not in PLACES:
            raise case.wrong(f"terms: {name}", closest(name, PLACES))
        else:
            shape = SHAPES.get(name)
            PLACES[name](values, shape.read(value, f"{case.where}: terms: {name}") if shape else value)
    if alone:
        values["sessions"] = [{**values["sessions"][0], "through": "winner"}]
    return file_of(values)


def _base(case: Case) -> Values:
    """What the file says of all its cases."""
    base = case.meta.get("base", {})
    own = base.get(case.rulebook, {}) if isinstance(base, dict) else base
    if not isinstance(own, dict):
        raise case.wrong("meta: base", f"for each rulebook an object of terms, not {own!r}")
    return own


def _remove(values: Values, place: str) -> None:
    *way, last = REMOVED[place]
    for name in way:
        values = values[name]
    values.pop(last, None)
