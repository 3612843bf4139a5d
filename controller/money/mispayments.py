"""Wrong payments for the record: found by antennas or told by people, with cause, remedy and patron (Star 11.19)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from controller.core.desk import Clauses, Refusal, spoken
from controller.money import payment
from controller.money.payment import Finding, Mispayment
from controller.people import Person

if TYPE_CHECKING:
    from controller.money.table_money import Money

AT_THE_TABLE = "put right at the table before the next round"
REPORTABLE: Clauses = ("11.21.2",)


def _name(made: Mispayment) -> str:
    return f"{made.round}/{made.area}/{made.kind}"


def recorded(money: Money, finding: Finding, accepted: bool = False) -> None:
    """A wrong that the antennas found; told once for each amount.

    A losing stake that is still to be collected is no wrong payment, unless it was accepted that it stays away.
    """
    who = money.state.patrons.get(finding.area, [])
    (patron,) = who if len(who) == 1 else ("",)
    made = payment.mispayment(finding, money.settled_round(), money.desk.at, patron)
    if made is None and not accepted:
        return
    if made is None:
        made = Mispayment(
            money.settled_round(), finding.area, finding.bet, finding.kind, finding.cents, money.desk.at, patron
        )
    name = _name(made)
    known = money.state.mispayments.get(name)
    if known is None or known.cents != made.cents:
        money.state.mispayments[name] = made
        _note(money, name, made)


def corrected(money: Money, left: Iterable[Finding]) -> None:
    """The round ends: wrongs that antennas found and no longer find were put right at the table."""
    round_ = money.settled_round()
    left = tuple(left)
    wrong = {f"{round_}/{finding.area}/{finding.kind}" for finding in left}
    # What was let pass may be called otherwise once the chips of the round's second half have moved.
    as_it_is = {(one.area, one.cents) for one in left if money.state.let_pass.get(one.area) == one.cents}
    for name, made in list(money.state.mispayments.items()):
        found = name == _name(made)  # a person's word alone has a name of its own, and ends with a person's word
        stands = name in wrong or (made.area, abs(made.cents)) in as_it_is
        if found and made.round == round_ and not stands and not made.put_right_at:
            done = msgspec.structs.replace(made, remedy=made.remedy or AT_THE_TABLE, put_right_at=money.desk.at)
            _keep(money, name, done)
    if not money.records_mispayments:
        money.state.mispayments.clear()


class Report(NamedTuple):
    """What a person says of a wrong payment."""

    area: int = 0
    bet: str = ""
    round: int | None = None
    cause: str = ""
    remedy: str = ""
    patron: str = ""
    intended: bool | None = None


def completed(money: Money, name: str, cents: int | None, said: Report, by: Person) -> None:
    """A person says what is known of a wrong payment: by its name, or a new one with area and cents."""
    made = money.state.mispayments.get(name)
    if name and made is None:
        known = ", ".join(money.state.mispayments) or "none"
        raise Refusal("no_such_item", f"No mispayment {spoken(name)} is open; open are: {known}.", _clauses(money))
    if made is None:
        if cents is None:
            text = "Say how much was paid too much, or with a minus too little; or name what is on record."
            raise Refusal("bad_argument", text, _clauses(money))
        round_ = money.settled_round() if said.round is None else said.round
        made = Mispayment(round_, said.area, said.bet, _kind(cents), cents, money.desk.at)
        name = f"{_name(made)}/{money.desk.seq}"
    changes: dict[str, Any] = {key: word for key in ("cause", "remedy", "patron") if (word := getattr(said, key))}
    if said.intended is not None:
        changes["intended"] = said.intended
    if said.remedy and not made.put_right_at:
        changes["put_right_at"] = money.desk.at
    _keep(money, name, msgspec.structs.replace(made, by=by.id, **changes))


def _kind(cents: int) -> str:
    if cents > 0:
        return "overpaid"
    if cents < 0:
        return "underpaid"
    raise Refusal("bad_amount", "Say how many cents were paid too much, or with a minus too little.")


def _keep(money: Money, name: str, made: Mispayment) -> None:
    money.state.mispayments[name] = made
    if not made.open_questions:
        del money.state.mispayments[name]
    _note(money, name, made)


def _note(money: Money, name: str, made: Mispayment) -> None:
    lacks = made.open_questions if money.records_mispayments else ()
    clauses = _clauses(money)
    if clauses and abs(made.cents) > payment.REPORT_ABOVE:
        clauses = (*clauses, *REPORTABLE)
    money.desk.note("mispayment", clauses, item=name, lacks=list(lacks), **msgspec.to_builtins(made))


def _clauses(money: Money) -> Clauses:
    if not money.records_mispayments:
        return ()
    return (money.house.power("mispayment").clause,)
