"""The terms of an event: one TOML file, typed, with a digest that every record names; `checks` says if they will do.

Units are whole numbers of tournament chips; money is in cents and never mixes with them.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from controller.config.tomlread import Cents, Document, convert
from controller.tournament.moments import moment

Count = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
Units = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Word = Annotated[str, Meta(min_length=1)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A table of the file: what it does not know, it refuses."""


# -- the event -------------------------------------------------------------------------------------------------------


class Filed(Part, frozen=True):
    """The filed document that the file renders: its reference, version and digest."""

    reference: Word
    version: Number
    digest: Word


class Money(Part, frozen=True):
    """What an entrant may have to pay; "none" is zero, but it has been said."""

    entry_fee: Cents
    buy_in: Cents
    rebuy: Cents
    add_on: Cents


class Withdraw(Part, frozen=True):
    """Until when one may leave without cost, and until when name somebody else."""

    free_until: str
    substitute_until: str = "draw"


class Approved(Part, frozen=True):
    """The person or post that the casino operator named for approving terms (T-59)."""

    by: Word
    at: str = ""


class Details(Part, frozen=True):
    """What is played, when, where and for whom."""

    id: Word
    rulebook: Word
    terms: Filed
    starts: str
    place: Word
    entrants: tuple[int, ...]
    entry: Word
    money: Money
    withdraw: Withdraw
    approved: Approved
    event: Literal["ordinary", "charity", "media"] = "ordinary"
    title: str = ""
    signed: bool = False
    waiting_list: bool = False
    contractors_win: bool = True
    associates_win: bool = True

    @property
    def least(self) -> int:
        return self.entrants[0]

    @property
    def most(self) -> int:
        return self.entrants[-1]


# -- units -----------------------------------------------------------------------------------------------------------


class Chips(Part, frozen=True):
    """Which chips are played with; colour chips have one `unit` each."""

    kind: Literal["tournament", "colour", "cash"]
    set: str = ""
    values: tuple[Number, ...] = ()
    unit: Units = 0

    @property
    def smallest(self) -> int:
        return min(self.values) if self.values else self.unit


class CashRate(Part, frozen=True):
    """So many units are so many cents at the end; during play a unit has no value (T-2)."""

    units: Number
    dollars: Cents


class Bank(Part, frozen=True):
    """What everybody starts with, and what becomes of the chips."""

    units: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    chips: Chips
    disposition: Literal["handed_in", "carried"] | CashRate

    @property
    def cash(self) -> CashRate | None:
        return self.disposition if isinstance(self.disposition, CashRate) else None


class Step(Part, frozen=True):
    """A compulsory wager from this scored round on, and the time before which it does not come."""

    from_: Number
    units: Units
    not_before: str = ""


class Secret(Part, frozen=True):
    """Wagers on a sealed slip: how many each in a session."""

    each: Count
    how: Word = "slip"


class RebuyMarkers(Part, frozen=True):
    """Markers that bring a bank back during a session, between rounds."""

    each: Count
    units: Units
    at: Literal["below_compulsory", "zero"] = "below_compulsory"


class Markers(Part, frozen=True):
    """What each entrant holds in a session."""

    all_in: Count = 0
    pass_: Count = msgspec.field(default=0, name="pass")
    rebuy: RebuyMarkers | None = None


class Blinds(Part, frozen=True):
    """One level of a poker schedule."""

    small: Units
    big: Units
    minutes: Number


class Break(Part, frozen=True):
    """A rest after a level or a session's round."""

    after: Number
    minutes: Number


class Wagers(Part, frozen=True):
    """What may and what must be staked; blinds are poker's compulsory wagers."""

    minimum: Units = 0
    maximum: Units = 0
    compulsory: tuple[Step, ...] = ()
    levels: tuple[Blinds, ...] = ()
    breaks: tuple[Break, ...] = ()
    secret: Secret | None = None
    markers: Markers | None = None

    def compulsory_at(self, scored: int) -> int:
        """What must be staked in this scored round, by rounds alone; the sign's time may hold it back."""
        return max((step.units for step in self.compulsory if step.from_ <= scored), default=0)


# -- how it goes on --------------------------------------------------------------------------------------------------


class Through(Part, frozen=True):
    """Who goes on: the best of each table, the best of all, whoever is left, or nobody, since the winner is found."""

    per_table: Count = 0
    overall: Count = 0
    survivors: bool = False
    winner: bool = False

    def said(self) -> str:
        if self.per_table:
            return f"the best {self.per_table} of each table"
        if self.overall:
            return f"the best {self.overall} of all"
        return "all who are left" if self.survivors else "the winner is found"


class SessionTerms(Part, frozen=True):
    """A heat, a final, a repechage: where, how long, with which bank, and who goes on."""

    name: Word
    tables: tuple[Word, ...]
    bank: Literal["fresh", "carried"]
    through: Through
    rounds: Count = 0
    minutes: Count = 0
    until: Literal["", "one_left"] = ""
    last_rounds: Count = 0
    seats: Count = 0


class BuyBack(Part, frozen=True):
    """How somebody who was eliminated comes back."""

    times: Number
    units: Units
    price: Cents
    until: Word


class Rebuy(Part, frozen=True):
    """Chips bought again during play; poker: never during a hand (6.11)."""

    units: Units
    until_level: Count = 0
    when: Literal["stack_zero", "below_compulsory", "any"] = "stack_zero"
    times: Count = 0


class AddOn(Part, frozen=True):
    """Chips bought once more, at the stated break."""

    units: Units
    at: Word
    times: Number = 1


class Again(Part, frozen=True):
    """Ways back in, and more chips; None: the terms say that there is none."""

    buy_back: BuyBack | None = None
    rebuy: Rebuy | None = None
    add_on: AddOn | None = None
    repechage: str = "none"


class Substitute(Part, frozen=True):
    """Whether somebody may take over during play, and at whose word."""

    in_play: Literal["director", "none"]
    entails: str = "everything_passes"


class Conduct(Part, frozen=True):
    """Penalties, and what late, absent, phone, substitution, disqualification and retirement entail."""

    penalties: tuple[Word, ...]
    penalised_for: tuple[Word, ...]
    disqualified_for: tuple[Word, ...]
    late: Literal["nothing", "compulsory_forfeited", "blinded", "eliminated"]
    absent: Literal["nothing", "compulsory_forfeited", "blinded", "dealt_out_blinds_taken", "eliminated"]
    phone: Word
    substitute: Substitute
    disqualified_chips: Literal["out_of_play", "stay_in_play"]
    retired: Word
    refund: Word


class Lowest(Part, frozen=True):
    """The lowest bank goes after each of these scored rounds."""

    lowest_after: tuple[Number, ...]


class Ties(Part, frozen=True):
    """How equal banks are told apart; sharing serves prizes only (T-31)."""

    how: Literal["play_off", "share", "earlier_bank", "draw_cards", "director"]
    rounds: Count = 0


class Prizes(Part, frozen=True):
    """The pool and its split by place in whole dollars; `made_of` says what is added to it of what entrants paid."""

    pool: Cents
    split: tuple[Annotated[int, Meta(ge=0, le=100)], ...]
    made_of: Literal["", "entry_fees", "buy_ins", "all_paid"] = ""
    unit: Cents = Cents(100)
    odd: Literal["first", "last"] = "first"
    deal: Literal["none", "all_agree"] = "none"
    guarantee: Cents = Cents(0)


class Result(Part, frozen=True):
    """Who is out, who is before whom, and what is won."""

    eliminated: Literal["below_compulsory", "stack_zero", "none"] | Lowest
    ties: Ties
    prizes: Prizes
    same_hand: Literal["larger_starting_stack", "equal"] = "larger_starting_stack"
    across_tables: Literal["director", "stacks"] = "director"
    hand_for_hand: Count = 0


class Terms(Part, frozen=True):
    """Everything an event is told before anybody enters."""

    tournament: Details
    bank: Bank
    wagers: Wagers
    sessions: tuple[SessionTerms, ...]
    conduct: Conduct
    result: Result
    again: Again = Again()
    statements: dict[str, bool] = {}
    game: dict[str, Any] = {}
    digest: str = ""

    @property
    def id(self) -> str:
        return self.tournament.id

    @property
    def rulebook(self) -> str:
        return self.tournament.rulebook

    def penalty_units(self, penalty: str) -> int:
        """The units that a listed penalty takes; none for a warning or a missed round."""
        found = re.fullmatch(r"lose[ _](\d+)", penalty)
        return int(found[1]) if found else 0

    @property
    def starts(self) -> int:
        """When it begins, in milliseconds of the common time."""
        return moment(self.tournament.starts)


def typed(document: Document, values: dict[str, Any], digest: str) -> Terms:
    """The terms of a document whose gaps are filled; ConfigError names line and remedy."""
    if "digest" in values:
        raise document.error(("digest",), "'digest' is worked out from the file itself", "leave it out")
    return msgspec.structs.replace(convert(document, Terms, values), digest=digest)


def digest_of(text: str) -> str:
    """What every record of an event names its terms by."""
    return hashlib.sha256(text.encode()).hexdigest()
