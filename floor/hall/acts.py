"""What people do at the hall, each act declared once: its words, who may, and what it asks for."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

Machine = Literal["event", "entrant"]


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag=_tag):
    """One thing that somebody does; `who` is a role, or a rank of the rulebook's ladder and above."""

    words: ClassVar[str] = ""
    who: ClassVar[str] = "director"
    clause: ClassVar[str] = ""
    machine: ClassVar[Machine] = "event"

    @property
    def trigger(self) -> str:
        return trigger_of(type(self))


def trigger_of(act: type[Act]) -> str:
    """What a machine is fired with for this act."""
    return _tag(act.__name__)


# -- papers ------------------------------------------------------------------------------------------------------------


class LoadTerms(Act, frozen=True):
    words, who, clause = "Load terms", "AM", "2.1"
    text: str


class Approve(Act, frozen=True):
    words, who, clause = "Approve the terms", "approver", "2.1"
    digest: str


class NameDirector(Act, frozen=True):
    words, who, clause = "Name the Director", "AM", "2.3"
    person: str


class EnrolDeputy(Act, frozen=True):
    words, who, clause = "Enrol a deputy", "director", "2.3(a)"
    person: str


class TermsAvailable(Act, frozen=True):
    words, who, clause = "Terms were made available", "director", "2.2(a)"
    how: str


class InspectorateTold(Act, frozen=True):
    words, who, clause = "Inspectorate was told", "director", "2.2(b)"
    whom: str


class RegulatorTold(Act, frozen=True):
    words, who, clause = "Regulator was told", "director", "4.1(c)"
    whom: str = ""


class MoveStart(Act, frozen=True):
    words, who, clause = "Move the start", "director", "4.1(b)"
    to: str
    told: str


class Seen(Act, frozen=True):
    words, who, clause = "I am here", "director", "2.3"


# -- entries -----------------------------------------------------------------------------------------------------------


class OpenEntries(Act, frozen=True):
    words, who, clause = "Open entries", "director", "2.2(a)"


class Enter(Act, frozen=True):
    words, who, clause = "Take an entry", "desk", "4.1(a)(iii)"
    entrant: str
    signed: bool = False
    may_be_named: bool = False
    employee: bool = False
    contractor: bool = False
    associate: bool = False


class ApproveEntrant(Act, frozen=True):
    words, who, clause = "Executive approves a member of staff", "executive", "4.2(a)(v)"
    entrant: str


class Sign(Act, frozen=True):
    words, who, clause = "Entrant has signed the terms", "desk", "4.2(b)(iii)"
    entrant: str


class Withdraw(Act, frozen=True):
    words, who, clause, machine = "Entrant withdraws", "desk", "4.2(d)", "entrant"
    entrant: str


class Substitute(Act, frozen=True):
    words, who, clause, machine = "Substitute before the start", "desk", "4.2(d)", "entrant"
    entrant: str
    new: str
    signed: bool = False


class CloseEntries(Act, frozen=True):
    words, who, clause = "Close entries", "director", "4.1(a)(iii)"


class Extend(Act, frozen=True):
    words, who, clause = "Take entries for longer", "director", "4.1(a)(iii)"


class Refund(Act, frozen=True):
    words, who, clause = "Refund", "director", "4.8(a)(iv)"
    entrant: str
    cents: int
    why: str


# -- seats and sessions ------------------------------------------------------------------------------------------------


class Designate(Act, frozen=True):
    words, who, clause = "Designate the tables", "director", "2.4"


class Draw(Act, frozen=True):
    words, who, clause = "Draw the seats", "director", "1"
    entropy: str = ""


class Brief(Act, frozen=True):
    words, who, clause = "Players were briefed", "director", "3.1"


class StartSession(Act, frozen=True):
    words, who, clause = "Start the session", "director", "4.3(a)(i)"


class Pause(Act, frozen=True):
    words, who, clause = "Pause the clock", "director", "4.1(b)"


class GoOn(Act, frozen=True):
    words, who, clause = "Go on", "director", "4.1(b)"


class HandForHand(Act, frozen=True):
    words, who, clause = "Hand for hand", "director", "4.3(a)(i)"
    on: bool = True


class NextHand(Act, frozen=True):
    words, who, clause = "Hand for hand: let the next hand begin", "director", "4.3(a)(i)"


class OrderAgain(Act, frozen=True):
    words, who, clause = "Order again what a table refused", "director", "2.4"
    table: str


class BreakTie(Act, frozen=True):
    words, who, clause = "Equal banks are told apart", "director", "4.6(a)"
    order: tuple[str, ...]
    how: Literal["play_off", "earlier_bank", "draw_cards", "director"]


class DecideOrder(Act, frozen=True):
    words, who, clause = "Who went out before whom", "director", "4.5(a)"
    order: tuple[str, ...]


class ConfirmThrough(Act, frozen=True):
    words, who, clause = "Those go on", "director", "4.3(a)(iii)"


class Repechage(Act, frozen=True):
    words, who, clause = "Let somebody back by repechage", "director", "4.3(a)(v)"
    entrant: str


class UndoOut(Act, frozen=True):
    words, who, clause, machine = "Take an elimination back", "director", "4.5(a)", "entrant"
    entrant: str


class BuyBack(Act, frozen=True):
    words, who, clause, machine = "Buy back in", "desk", "4.3(a)(iv)", "entrant"
    entrant: str


class Rebuy(Act, frozen=True):
    words, who, clause, machine = "Re-buy", "desk", "4.1(a)(ii)", "entrant"
    entrant: str


class AddOn(Act, frozen=True):
    words, who, clause, machine = "Add-on", "desk", "4.1(a)(ii)", "entrant"
    entrant: str


class Retire(Act, frozen=True):
    words, who, clause, machine = "Entrant retires", "director", "4.8(b)(vi)", "entrant"
    entrant: str


class Disqualify(Act, frozen=True):
    words, who, clause, machine = "Disqualify", "director", "4.8(a)(ii)", "entrant"
    entrant: str
    why: str


class Hold(Act, frozen=True):
    words, who, clause = "Hold winnings back", "ACM", "4.7(b)"
    entrant: str
    why: str


class LetGo(Act, frozen=True):
    words, who, clause = "The inquiry is over", "ACM", "4.7(b)"
    entrant: str


# -- moves -------------------------------------------------------------------------------------------------------------


class Move(Act, frozen=True):
    words, who, clause = "Move a player", "HDD", "4.3(a)(iii)"
    entrant: str
    to_table: str
    to_seat: int


class BreakTable(Act, frozen=True):
    words, who, clause = "Break a table", "HDD", "4.3(a)(ii)"
    table: str


# -- the end -----------------------------------------------------------------------------------------------------------


class FinalOrder(Act, frozen=True):
    words, who, clause = "The final order stands", "director", "4.6(a)"


class ListPrizes(Act, frozen=True):
    words, who, clause = "List the prizes", "director", "4.7(b)"


class Deal(Act, frozen=True):
    words, who, clause = "Prizes as those left agreed", "director", "4.7(b)"
    cents: dict[str, int]
    agreed: tuple[str, ...]


class ToCash(Act, frozen=True):
    words, who, clause = "Turn chips into cash", "director", "4.3(c)"


class OpenDispute(Act, frozen=True):
    words, who, clause = "A dispute", "desk", "4.8(h)"
    about: str
    entrant: str = ""
    of_the_game: bool = False


class CloseDispute(Act, frozen=True):
    words, who, clause = "Decide a dispute", "desk", "4.8(h)"
    number: int
    decision: str


class Suspend(Act, frozen=True):
    words, who, clause = "Suspend the event", "director", "4.1(b)"
    why: str


class Resume(Act, frozen=True):
    words, who, clause = "The event goes on", "director", "4.1(b)"


class Cancel(Act, frozen=True):
    words, who, clause = "Cancel the event", "director", "4.8(a)(iv)"
    why: str


class Abandon(Act, frozen=True):
    words, who, clause = "Abandon the event", "director", "4.8(d)(i)"
    why: str


class Release(Act, frozen=True):
    words, who, clause = "Release the tables", "director", "2.5"


ACTS: tuple[type[Act], ...] = tuple(
    one for one in list(globals().values()) if isinstance(one, type) and issubclass(one, Act) and one is not Act
)
AnyAct = Union[ACTS]  # type: ignore[valid-type]  # noqa: UP007 - made from the declarations above
BY_NAME = {_tag(one.__name__): one for one in ACTS}


class Field(msgspec.Struct, frozen=True):
    """One thing that an act asks for, as a page draws it."""

    name: str
    kind: str
    optional: bool
    choices: tuple[str, ...] = ()


def fields(act: type[Act]) -> tuple[Field, ...]:
    """What an act asks for, from its own declaration."""
    hints = get_type_hints(act)
    return tuple(Field(one.name, *_kind(hints[one.name], one.required)) for one in msgspec.structs.fields(act))


def _kind(hint: Any, required: bool) -> tuple[str, bool, tuple[str, ...]]:
    if get_origin(hint) is Literal:
        return "choice", not required, tuple(str(one) for one in get_args(hint))
    plain = {bool: "flag", int: "number", str: "text"}.get(hint, "")
    return plain or ("pairs" if get_origin(hint) is dict else "names"), not required, ()
