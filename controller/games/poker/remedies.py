"""Every misdeal and board irregularity: what is ruled, where each card goes, what is shuffled, which burn stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

DEALER, HIGHER_DUTIES, AREA_MANAGER, ASSISTANT_CASINO_MANAGER = 1, 2, 3, 4

Irregularity = Literal[
    "exposed_in_cut",
    "not_shuffled",
    "out_of_order",
    "dealt_out",
    "extra_hand",
    "wrong_count",
    "survivor_wrong_count",
    "defective_deck",
    "exposed_hole_card",
    "several_exposed",
    "no_burn",
    "too_many_flop",
    "extra_flop_face_down",
    "premature_flop",
    "premature_turn",
    "premature_river",
    "two_opened",
    "more_opened",
    "kept_three",
    "player_exposed",
    "exchanged_cards",
    "contravention",
]

Ruling = Literal[
    "misdeal",
    "misdeal_all_refunded",
    "play_on",
    "correct",
    "hand_dead",
    "hand_void_refunded",
    "hand_dead_all_refunded",
    "swap_exposed",
    "redeal",
    "card_becomes_burn",
    "set_aside",
    "first_stays",
    "void",
    "ask",
]

StepKind = Literal[
    "take_back",
    "shuffle_stub",
    "cut",
    "to_burn",
    "to_muck",
    "set_aside",
    "shuffle_in_aside",
    "move_card",
    "give_top_card",
    "swap_with_top_card",
    "return_to_top",
]


class Facts(msgspec.Struct, frozen=True):
    """What is known about an irregularity when it is noticed."""

    street: str = ""
    """flop, turn or river."""
    shown: tuple[str, ...] = ()
    """The cards that came up, in the order they left the deck (P-A28)."""
    extra: tuple[str, ...] = ()
    """Cards a seat holds too many."""
    burned: bool = False
    """The burn for this street was taken."""
    actors: int = 0
    """Different seats that have acted since (1.1 'Substantial action', P-A23)."""
    substantial: bool = False
    seat: int = 0
    seat_acted: bool = False
    correctable: bool = False
    amount: int = 0
    """Chips that were added to a wager, in cents."""
    said: str = ""
    """What was announced of a wager."""


class Step(msgspec.Struct, frozen=True):
    """One thing the dealer does, and confirms."""

    kind: StepKind
    cards: tuple[str, ...] = ()
    seat: int = 0
    needs_card: bool = False
    """Confirming it tells which card came off the deck."""


class Remedy(msgspec.Struct, frozen=True):
    """What the rules say about an irregularity."""

    ruling: Ruling
    clause: str
    rank: int = DEALER
    back: tuple[str, ...] = ()
    burn: tuple[str, ...] = ()
    muck: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    burn_next: bool = True
    """Whether the street that is dealt again takes a burn first."""
    redeal: str = ""
    """The street that is dealt again."""
    finish_round_first: bool = False
    otherwise: tuple[str, ...] = ()
    """Other rulings the person deciding may choose."""


SHUFFLE = Step("shuffle_stub")
CUT = Step("cut")


def misdeal(clause: str, *, refunded: bool = False) -> Remedy:
    """A new shuffle and cut; button and first seat stay (9.1.1)."""
    return Remedy("misdeal_all_refunded" if refunded else "misdeal", clause)


def _not_shuffled(facts: Facts) -> Remedy:
    return Remedy("play_on", "9.1.1(b)") if facts.substantial else misdeal("9.1.1(b)")


def _out_of_order(facts: Facts) -> Remedy:
    if facts.substantial:
        return Remedy("play_on", "9.1.1(c)")
    if not facts.correctable:
        return misdeal("9.1.1(c)")
    step = Step("move_card", facts.shown, facts.seat)
    return Remedy("correct", "9.1.1(c)", steps=(step,), otherwise=("misdeal",))


def _dealt_out(facts: Facts) -> Remedy:
    if facts.substantial:
        return Remedy("play_on", "9.1.1(d)")
    if not facts.correctable:
        return misdeal("9.1.1(d)")
    return Remedy("correct", "9.1.1(d)", steps=(Step("move_card", facts.shown, facts.seat),), otherwise=("misdeal",))


def _wrong_count(facts: Facts) -> Remedy:
    if facts.substantial:
        if facts.seat_acted:
            return Remedy("hand_dead", "9.1.1(f)")
        return Remedy("hand_void_refunded", "9.1.1(f)")
    if facts.actors:
        return misdeal("9.1.1(f)")
    if not facts.correctable:
        return misdeal("9.1.1(e)")
    if facts.extra:
        step = Step("return_to_top", facts.extra, facts.seat)
    else:
        step = Step("give_top_card", seat=facts.seat, needs_card=True)
    return Remedy("correct", "9.1.1(e)", steps=(step,), otherwise=("misdeal",))


def _exposed_hole_card(facts: Facts) -> Remedy:
    swap = Step("swap_with_top_card", facts.shown, facts.seat, needs_card=True)
    return Remedy("swap_exposed", "9.7", burn=facts.shown, steps=(swap,))


def _no_burn(facts: Facts) -> Remedy:
    if facts.substantial:
        return Remedy("play_on", "9.4", keep=facts.shown)
    if facts.street == "flop":  # the specific rule beats the general one (P-A24)
        steps = (Step("take_back", facts.shown), SHUFFLE, CUT)
        return Remedy("redeal", "9.8", back=facts.shown, steps=steps, redeal="flop")
    burned, kept, rest = facts.shown[:1], facts.shown[1:2], facts.shown[2:]
    put_back = (Step("take_back", rest), SHUFFLE, CUT) if rest else ()
    return Remedy(
        "card_becomes_burn",
        "9.4",
        back=rest,
        burn=burned,
        keep=kept,
        steps=(Step("to_burn", burned), *put_back),
        burn_next=False,
        redeal="" if kept else facts.street,
        otherwise=() if kept else ("play_on",),
    )


def _too_many_flop(facts: Facts) -> Remedy:
    # After substantial action the text is silent: level 2 decides (P-A25).
    asked = facts.substantial
    return Remedy(
        "ask" if asked else "redeal",
        "9.9",
        HIGHER_DUTIES if asked else DEALER,
        back=facts.shown,
        steps=(Step("take_back", facts.shown), SHUFFLE, CUT),
        redeal="flop",
        burn_next=not facts.burned,
        otherwise=("play_on", "redeal") if asked else (),
    )


def _extra_flop_face_down(facts: Facts) -> Remedy:
    extra = facts.shown[3:]
    step = Step("return_to_top", extra)
    return Remedy("correct", "13.10", HIGHER_DUTIES, back=extra, steps=(step,))


def _premature_flop(facts: Facts) -> Remedy:
    steps = (Step("take_back", facts.shown), SHUFFLE, CUT)
    return Remedy(
        "redeal",
        "9.10",
        back=facts.shown,
        steps=steps,
        redeal="flop",
        burn_next=not facts.burned,
        finish_round_first=True,
    )


def _premature_turn(facts: Facts) -> Remedy:
    steps = (Step("set_aside", facts.shown),)
    return Remedy("set_aside", "9.12.1", aside=facts.shown, steps=steps, redeal="turn", finish_round_first=True)


def _premature_river(facts: Facts) -> Remedy:
    # A cut is not asked for here (P-A27).
    steps = (Step("take_back", facts.shown), SHUFFLE)
    return Remedy(
        "redeal",
        "9.11",
        back=facts.shown,
        steps=steps,
        redeal="river",
        burn_next=not facts.burned,
        finish_round_first=True,
    )


def _two_opened(facts: Facts) -> Remedy:
    first, extra = facts.shown[:1], facts.shown[1:]
    if facts.street == "river":
        return Remedy("first_stays", "9.13.3", keep=first, muck=extra, steps=(Step("to_muck", extra),))
    return Remedy("first_stays", "9.13.2", keep=first, burn=extra, steps=(Step("to_burn", extra),))


def _more_opened(facts: Facts) -> Remedy:
    first, extra = facts.shown[:1], facts.shown[1:]
    steps = (Step("take_back", extra), SHUFFLE, CUT)
    return Remedy("first_stays", "9.14", keep=first, back=extra, steps=steps)


def _kept_three(facts: Facts) -> Remedy:
    if facts.substantial:
        return Remedy("hand_dead", "9.15.2")
    return _premature_flop(facts) if facts.street == "flop" else _premature_turn(facts)


_REMEDIES: dict[Irregularity, Callable[[Facts], Remedy]] = {
    "exposed_in_cut": lambda facts: misdeal("9.1.1(a)"),
    "not_shuffled": _not_shuffled,
    "out_of_order": _out_of_order,
    "dealt_out": _dealt_out,
    "extra_hand": _dealt_out,
    "wrong_count": _wrong_count,
    "survivor_wrong_count": lambda facts: Remedy("hand_dead_all_refunded", "9.1.1(g)"),
    "defective_deck": lambda facts: misdeal("9.1.1(h)", refunded=True),
    "exposed_hole_card": _exposed_hole_card,
    "several_exposed": lambda facts: misdeal("9.1.1(i)"),
    "no_burn": _no_burn,
    "too_many_flop": _too_many_flop,
    "extra_flop_face_down": _extra_flop_face_down,
    "premature_flop": _premature_flop,
    "premature_turn": _premature_turn,
    "premature_river": _premature_river,
    "two_opened": _two_opened,
    "more_opened": _more_opened,
    "kept_three": _kept_three,
    "player_exposed": lambda facts: Remedy("play_on", "9.6"),
    "exchanged_cards": lambda facts: Remedy("hand_dead", "13.14", AREA_MANAGER, otherwise=("play_on",)),
    "contravention": lambda facts: Remedy(
        "hand_void_refunded", "13.2.1", ASSISTANT_CASINO_MANAGER, otherwise=("hand_dead", "play_on")
    ),
}


def remedy(what: Irregularity, facts: Facts) -> Remedy:
    """What the rules say about this irregularity, given what is known."""
    return _REMEDIES[what](facts)


def opened_together(street: str, cards: int) -> Irregularity:
    """How too many board cards opened at once are called (9.9, 9.13, 9.14)."""
    if street == "flop":
        return "too_many_flop"
    return "two_opened" if cards == 2 else "more_opened"


def deck_is_defective(*, cards: int, distinct: int, jokers: int, boxed: int, expected: int, boxed_limit: int) -> bool:
    """Whether a deck may not be used (1.1 'Defective deck', 3.1, P-A40)."""
    return cards != expected or distinct != cards or jokers > 0 or boxed >= boxed_limit
