"""What people enter with a key or an answer, held against what is there now, before anything is done with it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from controller.core.desk import FAR, Ask, Clauses, Refusal, listed, spoken
from controller.money.amounts import currency, dollars, read_dollars
from firmware_specs.cards import DECK

OF_THINGS = ("choice", "player", "names", "numbers", "text")
"""Kinds that name something; where it is offered, nothing else may be named, unless it is suggested only."""
ONE_BY_ONE = ("names", "numbers", "cards", "amounts")
NEEDED = {
    "money": "an amount in dollars, such as 25 or 2.50",
    "amounts": "amounts in dollars, as in 5 10",
    "number": "a whole number",
    "rate": "a number, as in 5 or 2.5",
    "numbers": "whole numbers, with commas between them",
    "names": "names, with commas between them",
    "player": "a name",
    "card": "a card, rank and suit as in KS",
    "cards": "cards, rank and suit as in KS, 9H",
    "flag": "yes or no",
    "accept": "yes or no",
    "slip": "pairs, as in 5:40 25:20",
}
LONGEST_NAME = 40
"""No name of a player is longer, nor any number of a card."""
SHORTEST_MISTAKEN = 3
"""Names of fewer letters are not held to be meant for one another."""
MUCH_ALIKE, NOBODY_HERE = "much_alike", "nobody_here"
"""What a name is refused with that is almost somebody's, or nobody's; said to be somebody new, it is taken."""
MOST = {"money": 10_000_000_000, "amounts": 10_000_000_000, "number": 1_000_000}
"""What no form goes beyond, in cents where it is money: a finger that stayed on the key."""


def read_form(
    label: str,
    asks: tuple[Ask, ...],
    args: Mapping[str, Any],
    owner: Any,
    clauses: Clauses,
    besides: tuple[str, ...] = (),
) -> dict[str, Any]:
    """What was entered, each thing of its kind, there now and within its bounds; refused where anything is not.

    `label` is the key or answer it was entered with, `clauses` what that rests on; `besides` is read elsewhere.
    """
    besides += tuple(ask.new_word for ask in asks)
    _refuse_unasked(label, [ask.name for ask in asks], args.keys() - set(besides), clauses)
    given = {}
    for ask in asks:
        value = _trimmed(args.get(ask.name))
        if value is not None and value != "":
            given[ask.name] = read(ask, value, owner, clauses)
        elif not ask.optional:
            raise wanting(ask, args.get(ask.name), clauses)
    for ask in asks:  # once all else is right, so that nobody says twice that somebody is new
        if ask.new_word and ask.name in given:
            _refuse_strangers(ask, given[ask.name], args.get(ask.new_word), owner, clauses)
    return given


def _refuse_unasked(label: str, asked: list[str], told: Iterable[str], clauses: Clauses) -> None:
    for name in sorted(set(told) - set(asked)):
        hint = _nearest(name, asked) or (f"it asks for {', '.join(asked)}" if asked else "it asks for nothing")
        raise Refusal("unknown_argument", _ended(f"“{label}” knows no {spoken(name)} here; {hint}"), clauses)


def _trimmed(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def read(ask: Ask, value: Any, owner: Any = None, clauses: Clauses = ()) -> Any:
    """What was told, if it is of this kind, within its bounds and there."""
    if ask.kind == "amounts" and isinstance(value, str):
        amounts = read_dollars(value)
        value = value if amounts is None else amounts
    if ask.type_name.startswith("tuple"):
        value = listed(value, int if "int" in ask.type_name else str)
    if not _of_kind(ask, value):
        raise wanting(ask, value, clauses)
    for one in value if ask.kind in ONE_BY_ONE else (value,):
        _refuse_out_of_bounds(ask, one, clauses)
        _refuse_no_card(ask, one, clauses)
        _refuse_no_name(ask, one, clauses)
    _refuse_another_spelling(ask, value, owner, clauses)
    _refuse_not_there(ask, value, owner, clauses)
    return value


def _of_kind(ask: Ask, value: Any) -> bool:
    match ask.type_name:
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "float":
            return isinstance(value, int | float) and not isinstance(value, bool) and -FAR < value < FAR
        case "bool":
            return isinstance(value, bool)
        case "str":
            return isinstance(value, str)
        case "str | dict[str, int]":
            return isinstance(value, str | dict)
        case _:
            return isinstance(value, tuple)


def _refuse_out_of_bounds(ask: Ask, value: Any, clauses: Clauses) -> None:
    if ask.kind not in MOST:
        return
    least, most = ask.least, MOST[ask.kind] if ask.most is None else ask.most
    code = "bad_argument" if ask.kind == "number" else "bad_amount"

    def said(number: int) -> str:
        return spoken(number) if ask.kind == "number" or not -FAR < number < FAR else dollars(number)

    if least is not None and value < least:
        raise _refused(code, ask, f"{said(value)} is too little; {said(least)} or more", clauses)
    if not -most <= value <= most:
        raise _refused(code, ask, f"{said(value)} is too much; {said(most)} at most", clauses)


def _refuse_no_card(ask: Ask, value: Any, clauses: Clauses) -> None:
    """Cards are those of a deck, and what else its declaration names."""
    cards = (*DECK, *(chosen for chosen, _ in ask.choices))
    if ask.kind in ("card", "cards") and value not in cards:
        hint = _nearest(value.replace("10", "T"), cards) or "write rank 2-9 T J Q K A and suit S H D C"
        raise _refused("bad_card", ask, f"{spoken(value)} is no card; {hint}", clauses)


def _refuse_no_name(ask: Ask, value: Any, clauses: Clauses) -> None:
    """Somebody new may be named where people come and go, but not by a slip of the finger."""
    if ask.kind not in ("player", "names"):
        return
    if len(value) > LONGEST_NAME or not value.isprintable() or not any(sign.isalnum() for sign in value):
        why = f"{spoken(value)} is no name; it needs letters or digits, {LONGEST_NAME} signs at most"
        raise _refused("bad_words", ask, why, clauses)


def _refuse_another_spelling(ask: Ask, value: Any, owner: Any, clauses: Clauses) -> None:
    """Where somebody new may be named too, who is there already is not named otherwise than they are known."""
    if ask.kind != "player" or not ask.suggested:
        return
    there = [chosen for chosen, _ in ask.shown(owner).choices]
    known = {_folded(name): name for name in there}.get(_folded(value))
    if known is not None and value not in there:
        raise _refused("not_there", ask, f"there is no {spoken(value)} here; did you mean {known!r}", clauses)


def _refuse_strangers(ask: Ask, value: Any, new: object, owner: Any, clauses: Clauses) -> None:
    """Somebody new is named by saying so, as every page asks; who is called almost as somebody here, always.

    A journal of a program whose pages did not ask yet says nothing of it, and is gone through as it was decided.
    """
    if new is True:
        return
    there = [chosen for chosen, _ in ask.shown(owner).choices]
    for one in value if ask.kind in ONE_BY_ONE else (value,):
        if one in there:
            continue
        near = next((known for known in there if _one_slip(one, known)), None)
        if near is None and new is None:
            continue
        hint = f"did you mean {near!r}" if near else _nearest(one, there) or _there(there)
        why = f"nobody here is called {one!r}; {_ended(hint)} If not, say that it is somebody new"
        raise Refusal(MUCH_ALIKE if near else NOBODY_HERE, f"“{ask.label or ask.name}”: {why}.", ask.clauses or clauses)


def _there(there: list[str]) -> str:
    return f"there is {', '.join(there)}" if there else "there is none now"


def _one_slip(told: str, known: str) -> bool:
    """Whether one letter too many, missing, wrong or changed with its neighbour makes the one of the other.

    Figures tell people apart who are called by a number, and two letters are no name that one can mistake.
    """
    short, long = sorted((_folded(told), _folded(known)), key=len)
    if _figures(told) != _figures(known) or len(short) < SHORTEST_MISTAKEN:
        return False
    same = next((at for at, sign in enumerate(short) if sign != long[at]), len(short))
    rest, other = short[same:], long[same:]
    swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return rest == other[1:] or rest[1:] == other[1:] or swapped


def _figures(name: str) -> list[str]:
    return [sign for sign in name if sign.isdigit()]


def _folded(name: str) -> str:
    return "".join(name.casefold().split())


def _refuse_not_there(ask: Ask, value: Any, owner: Any, clauses: Clauses) -> None:
    if ask.kind not in OF_THINGS or ask.suggested or (ask.offered is None and not ask.choices):
        return
    there = [chosen for chosen, _ in ask.shown(owner).choices]
    for one in _named(ask, value):
        if one not in there:
            hint = ("" if one.isdecimal() else _nearest(one, there)) or _there(there)
            code = "bad_argument" if ask.offered is None else "not_there"
            raise _refused(code, ask, f"there is no {spoken(one)} here; {hint}", clauses)


def _named(ask: Ask, value: Any) -> list[str]:
    """What is named, one by one, as it is offered."""
    if ask.kind in ("names", "numbers"):
        return [str(one) for one in value]
    return [" ".join(value) if ask.several else str(value)]


def _nearest(word: str, known: Iterable[str]) -> str:
    folded = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.6)
    return f"did you mean {folded[near[0]]!r}" if near else ""


def wanting(ask: Ask, value: Any = None, clauses: Clauses = ()) -> Refusal:
    """It is missing, or something else was told."""
    needed = "one of " + ", ".join(chosen for chosen, _ in ask.choices) if ask.choices else ""
    needed = needed or ("a choice" if ask.kind == "choice" else NEEDED.get(ask.kind, "a word"))
    needed = needed.replace("dollars", currency())
    told = spoken(_trimmed(value))
    got = "nothing was told" if told == "nothing" else f"not {told}"
    return _refused("bad_argument", ask, f"{got}; it needs {needed}", clauses)


def _refused(code: str, ask: Ask, why: str, clauses: Clauses) -> Refusal:
    return Refusal(code, f"“{ask.label or ask.name}”: {_ended(why)}", ask.clauses or clauses)


def _ended(why: str) -> str:
    return f"{why}{'?' if 'did you mean' in why else '.'}"
