"""What a hand answers: moves, refusals, questions, instructions and money, each with the clause it rests on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from controller.games.poker.betting import Options
from controller.games.poker.remedies import Step


class Output(msgspec.Struct, frozen=True, tag_field="type", tag=True, gc=False):
    """Something the table has to do, show or record."""


class Moved(Output, frozen=True, gc=False):
    """The hand went from one state to the next."""

    trigger: str
    source: str
    dest: str


class Follows(Output, frozen=True, gc=False):
    """What a table does because the hand moved: here in the order of what it answers, or once all of it was told."""

    do: Callable[[Any], None]
    at_last: bool = False


class Refused(Output, frozen=True, gc=False):
    """The input changed nothing; `legal` says what the seat in turn may do instead."""

    clause: str
    text: str
    legal: Options | None = None


class Prompt(Output, frozen=True, gc=False):
    """A question to a person of at least this rank, with what is proposed."""

    what: str
    clause: str
    rank: int
    proposal: str
    choices: tuple[str, ...] = ()
    seat: int = 0
    amount: int = 0


class Instruct(Output, frozen=True, gc=False):
    """The next thing the dealer does, to be confirmed."""

    step: Step
    clause: str


class Acted(Output, frozen=True, gc=False):
    """An action took effect; `total` is what now lies before the seat in this round."""

    seat: int
    kind: str
    total: int
    added: int
    returned: int
    all_in: bool
    clause: str


class HeldBack(Output, frozen=True, gc=False):
    """An action out of turn waits for its turn."""

    seat: int
    kind: str
    amount: int
    clause: str


class Returned(Output, frozen=True, gc=False):
    """Chips go back to a seat."""

    seat: int
    amount: int
    clause: str


class RakeSetAside(Output, frozen=True, gc=False):
    """Commission to put on the drop slide; negative when it goes back."""

    amount: int
    total: int
    clause: str


class Award(Output, frozen=True, gc=False):
    """What one seat gets out of one pot, after commission."""

    pot: int
    seat: int
    amount: int
    side: str
    clause: str
    hand: str = ""


class SideSettled(Output, frozen=True, gc=False):
    """A side wager is decided; `won` is on top of the stake, which a winner keeps."""

    seat: int
    colour: str
    amount: int
    won: int
    clause: str


class Recorded(Output, frozen=True, gc=False):
    """Something for the record that asks for nothing."""

    what: str
    clause: str
    seat: int = 0
    amount: int = 0
    cards: tuple[str, ...] = ()


class Finished(Output, frozen=True, gc=False):
    """The hand is over: every seat's stack, and what goes to the house."""

    stacks: dict[int, int]
    rake: int
    fees: int
    side_house: int
    """What the house won of side wagers; negative when it paid."""
