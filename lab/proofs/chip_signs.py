"""What the table says of each wrong, in which words and within which time, game by game."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from controller.core.effects import Alarmed, Announced, AnyEffect, Asked, Noted, Refused
from simulators.people.mischief import Done

SECOND_S = 1.1
"""A second, and what a mat needs to read a stack."""
SOON_S = 2.0
"""A hand on a wager: as soon as antennas and the wait for an unread chip allow."""
FLOAT_S = 25.0
"""Chips between tray, hand and booking are given twenty seconds."""
SETTLED_S = 40.0
"""What is paid or taken wrong is told when the dealer says that it is done."""
Matches = Callable[[Done, AnyEffect], bool]


class Sign(NamedTuple):
    """How a wrong is told, within which time, and what tells it."""

    how: str
    within_s: float
    matches: Matches


def _alarm(code: str, words: str = "") -> Matches:
    def told(done: Done, effect: AnyEffect) -> bool:
        return isinstance(effect, Alarmed) and effect.code == code and words in effect.text

    return told


def _chip_alarm(code: str) -> Matches:
    def told(done: Done, effect: AnyEffect) -> bool:
        return isinstance(effect, Alarmed) and effect.code in [f"{code}:{tag}" for tag in done.tags]

    return told


def _float(words: str) -> Matches:
    """The record of an alarm about the float, with the tags of the chips that are missing or too much."""

    def told(done: Done, effect: AnyEffect) -> bool:
        if not isinstance(effect, Noted) or effect.what != "float_unexplained":
            return False
        found = "missing" if effect.facts["cents"] < 0 else "too much"
        return found == words and any(tag in effect.facts["tags"] for tag in done.tags)

    return told


def _late(*kinds: str) -> Matches:
    def told(done: Done, effect: AnyEffect) -> bool:
        if not isinstance(effect, Noted) or effect.what != "late_change" or effect.facts["kind"] not in kinds:
            return False
        return effect.facts["tag"] in done.tags or effect.facts["instead"] in done.tags

    return told


def _mispaid(*kinds: str) -> Matches:
    def told(done: Done, effect: AnyEffect) -> bool:
        if not isinstance(effect, Noted) or effect.what != "mispayment":
            return False
        facts = effect.facts
        return facts["area"] == done.area and facts["kind"] in kinds and abs(facts["cents"]) == done.cents

    return told


def _says(*codes: str) -> Matches:
    """Any of these words, as an alarm, a question or a refusal; an alarm may go on with whom it is about."""

    def told(done: Done, effect: AnyEffect) -> bool:
        match effect:
            case Alarmed(code=code) | Refused(code=code) | Asked(subject=code) | Announced(code=code):
                return code.partition(":")[0] in codes
        return False

    return told


def _stolen(done: Done, effect: AnyEffect) -> bool:
    """Missing from the float; or, where it was a loser's that had just been collected, taken away."""
    return _float("missing")(done, effect) or _alarm("take_and_pay", "taken away")(done, effect)


FLOAT = {
    "theft from the float": Sign("alarm: missing from the float, with the chip", FLOAT_S, _float("missing")),
    "theft while winners are paid": Sign("alarm: missing from the float, or taken away", FLOAT_S, _stolen),
    "chips slipped into the float": Sign("alarm: too much in the float, with the chip", FLOAT_S, _float("too much")),
    "chips handed out of the float unbooked": Sign("alarm: missing, last seen on the area", FLOAT_S, _float("missing")),
}
CHIPS = {
    "cloned chip": Sign("alarm: a tag in two places", SOON_S, _chip_alarm("cloned")),
    "stake copied elsewhere": Sign("alarm: a tag in two places", SOON_S, _chip_alarm("cloned")),
    "unknown chip": Sign("alarm: not a chip of this table", SOON_S, _chip_alarm("foreign")),
}
PAID = {
    "underpaid": Sign("held: underpaid, to the cent", SETTLED_S, _mispaid("underpaid")),
    "overpaid": Sign("held: overpaid, to the cent", SETTLED_S, _mispaid("overpaid", "paid_twice")),
    "paid twice": Sign("held: paid twice, to the cent", SETTLED_S, _mispaid("paid_twice")),
    "paid without a win": Sign(
        "held: paid without a win", SETTLED_S, _mispaid("paid_without_win", "overpaid", "paid_twice", "not_collected")
    ),
    "paid into the hand": Sign("held: underpaid, to the cent", SETTLED_S, _mispaid("underpaid")),
    "loser snatched": Sign("alarm: taken away, with area and amount", SETTLED_S, _alarm("take_and_pay", "taken away")),
}
WHEEL = {
    **FLOAT,
    **CHIPS,
    "late bet": Sign("late change: added", SOON_S, _late("added", "swapped")),
    "late bet taken back": Sign("late change: added, then restored", SOON_S, _late("added", "swapped")),
    "stake withdrawn late": Sign("late change: removed", SOON_S, _late("removed", "swapped")),
    "stake moved late": Sign("late change: moved", SOON_S, _late("moved")),
    "stake swapped late": Sign("late change: swapped", SOON_S, _late("swapped")),
    "stake laid after the result": Sign("alarm: laid after the result", SOON_S, _late("added", "swapped")),
    "loser left lying": Sign("refused: chips still lie there", SETTLED_S, _says("not_clear")),
    **PAID,
}
_TOUCHED = _says("moved", "late", "late_chips", "past_post")
WAR = {
    **FLOAT,
    **CHIPS,
    "late bet": Sign("alarm or refusal: chips after the close", SOON_S, _TOUCHED),
    "late bet taken back": Sign("alarm or refusal: chips after the close", SOON_S, _TOUCHED),
    "stake withdrawn late": Sign("alarm: chips changed after the first card", SOON_S, _TOUCHED),
    "stake moved late": Sign("alarm: chips changed after the first card", SOON_S, _TOUCHED),
    "stake swapped late": Sign("alarm: chips changed after the first card", SOON_S, _TOUCHED),
    "stake laid after the result": Sign("alarm or refusal: chips after the close", SOON_S, _TOUCHED),
    "loser left lying": Sign("refused: not collected", SETTLED_S, _says("mispaid", "take_and_pay")),
    **PAID,
}
_LINE = _says("line", "out_of_turn", "not_legal", "string_bet", "pot_short", "pot_over")
_POT = _says("pot", "pot_short", "pot_over")
POKER = {
    "chip taken off a line": Sign("alarm: the seat owes its line", SOON_S, _LINE),
    "chips on a line out of turn": Sign("alarm or refusal: no wager", SOON_S, _LINE),
    "unknown chip on a line": Sign("alarm: no chip of this casino", SOON_S, _chip_alarm("foreign")),
    "chip taken from the pot": Sign("alarm: the pot is short", SECOND_S, _POT),
    "whole pot taken": Sign("alarm: the pot is short", SECOND_S, _POT),
    "pot splashed": Sign("alarm: the pot holds too much", SECOND_S, _POT),
    "chip of the pot copied": Sign("alarm: a tag in two places", SOON_S, _chip_alarm("cloned")),
}
SIGNS: dict[str, dict[str, Sign]] = {"wheel": WHEEL, "war": WAR, "poker": POKER}
