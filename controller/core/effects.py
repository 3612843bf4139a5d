"""What the table concludes from an event: frozen, journalled with it, carried out only once it is on disk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec


class Effect(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """A conclusion."""


class Moved(Effect, frozen=True):
    """A machine changed its state."""

    machine: str
    source: str
    dest: str
    trigger: str


class Desired(Effect, frozen=True):
    """What a device's outputs shall be from now on."""

    device: str
    outputs: dict[str, Any]


class Ordered(Effect, frozen=True):
    """Something a device shall do exactly once."""

    device: str
    command: str
    args: dict[str, Any] = {}


class Option(msgspec.Struct, frozen=True):
    """One answer to a prompt, the least rank that may give it, and whether it needs a stated reason."""

    answer: str
    label: str
    rank: int
    clause: str
    needs_reason: bool = False


class Asked(Effect, frozen=True):
    """A person must decide: the evidence, the proposed ruling, the answers and the rank each needs."""

    prompt: str
    subject: str
    text: str
    evidence: dict[str, Any]
    proposal: str
    options: tuple[Option, ...]
    clauses: tuple[str, ...]


class Ruled(Effect, frozen=True):
    """A prompt was answered, or a person used a power."""

    subject: str
    answer: str
    by: str
    rank: int
    clauses: tuple[str, ...]
    reason: str = ""
    prompt: str = ""


class Refused(Effect, frozen=True):
    """Something that was asked for and may not be, with what would be right."""

    what: str
    code: str
    text: str
    clauses: tuple[str, ...] = ()


class Announced(Effect, frozen=True):
    """Words for dealer, players or sign."""

    to: str
    code: str
    text: str
    clauses: tuple[str, ...] = ()


class WagerResult(msgspec.Struct, frozen=True):
    """How one wager ended, in cents; `stake_taken + stake_returned` is what was staked."""

    wager: str
    player: str
    bet: str
    result: str
    pays: int
    stake_taken: int
    stake_returned: int
    clauses: tuple[str, ...]
    withheld: bool = False


class Settled(Effect, frozen=True):
    """Every wager of a round decided."""

    round: int
    outcome: str
    results: tuple[WagerResult, ...]


class Reversed(Effect, frozen=True):
    """A settlement taken back: what each wager's owner is due, whatever was paid before."""

    round: int
    results: tuple[WagerResult, ...]
    clauses: tuple[str, ...]


class Awarded(Effect, frozen=True):
    """What one seat gets out of one pot, in cents, and with which hand; the last word is the round's settlement."""

    round: int
    pot: int
    seat: int
    player: str
    cents: int
    side: str
    clauses: tuple[str, ...]
    hand: str = ""


class Uncovered(Effect, frozen=True):
    """These cards lie open, as a person says; their faces are to be told under this order."""

    order: str
    cards: tuple[str, ...]


class Alarmed(Effect, frozen=True):
    """Something a person must look at, in plain words, with the steps that clear it.

    `count` says how often it has happened since it stands.
    """

    code: str
    text: str
    remedy: str
    clauses: tuple[str, ...] = ()
    count: int = 1


class AlarmOver(Effect, frozen=True):
    """An alarm has ended, by what its declaration names."""

    code: str


class Noted(Effect, frozen=True):
    """A fact for the record."""

    what: str
    facts: dict[str, Any]
    clauses: tuple[str, ...] = ()


class TimerSet(Effect, frozen=True):
    """The table wants to hear of this moment (milliseconds since the epoch)."""

    timer: str
    at: int


class TimerOff(Effect, frozen=True):
    """The table no longer waits for this."""

    timer: str


AnyEffect = (
    Moved
    | Desired
    | Ordered
    | Asked
    | Ruled
    | Refused
    | Announced
    | Settled
    | Reversed
    | Awarded
    | Uncovered
    | Alarmed
    | AlarmOver
    | Noted
    | TimerSet
    | TimerOff
)


def refusal_of(key: str, effects: Iterable[AnyEffect]) -> Refused | None:
    """Why this key itself was not carried out; a stake refused on the way is the stake's, and the key was done."""
    return next((each for each in effects if isinstance(each, Refused) and each.what == key), None)
