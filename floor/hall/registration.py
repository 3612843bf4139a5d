"""Entries: who may, what they pay, who withdraws or sends another, and what they get back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.money.amounts import dollars
from controller.tournament.moments import moment
from floor.hall import acts
from floor.hall.state import By, Entrant

if TYPE_CHECKING:
    from floor.hall.hall import Hall

FLAGS = ("employee", "contractor", "associate")


def begin_entries(hall: Hall, act: acts.OpenEntries, by: By) -> None:
    if not hall.state.director:
        hall.refuse("No Director is named.", "2.3")
    hall.nothing_due()


def not_open(hall: Hall) -> None:
    """Why no entry is taken now: everything that is missing, not the first thing only (T-7)."""
    state, missing = hall.state, []
    if state.phase in ("drafted", "documented"):
        hall.refuse("The terms are not approved yet.", "2.1")
    if not state.available_at:
        missing.append("2.2(a)")
    if not state.inspectorate_at:
        missing.append("2.2(b)")
    if missing:
        hall.refuse("The terms are not out yet, or the inspectorate was not told.", *missing)
    if state.phase in ("approved", "announced"):
        hall.refuse("Entries are not open yet.", "4.2(c)")
    hall.refuse("Entries are closed.", "4.2(c)")


def take_entry(hall: Hall, act: acts.Enter, by: By) -> None:
    state, terms = hall.state, hall.terms
    known = state.entrants.get(act.entrant)
    if known is not None and known.phase != "withdrawn":
        hall.refuse(f"{act.entrant} has entered already.", "4.2(c)")
    if not act.entrant.strip():
        hall.refuse("An entrant needs a number.", "4.8(e)")
    flags = tuple(flag for flag in FLAGS if getattr(act, flag))
    if flags:
        _staff_may(hall, act.entrant, flags)
    money = terms.tournament.money
    full = len(hall.state.field) >= terms.tournament.most
    if full and not terms.tournament.waiting_list:
        hall.refuse(f"{terms.tournament.most} have entered, and no more may.", "4.1(a)(iii)")
    one = Entrant(act.entrant, signed=act.signed, flags=flags, may_be_named=act.may_be_named)
    state.entrants[one.number] = one
    if full:
        hall.say("on the waiting list")
        return
    one.paid = {"entry_fee": money.entry_fee, "buy_in": money.buy_in}
    hall.fire_entrant("taken", one)
    hall.note("entered", f"{one.number} entered and paid {dollars(one.paid_in_all)}", "4.1(a)(ii)")
    if terms.tournament.signed and not one.signed:
        hall.say("signature missing")


def _staff_may(hall: Hall, entrant: str, flags: tuple[str, ...]) -> None:
    """Staff enter only a charitable or media event, and only with an executive's approval."""
    what = " and ".join(flags)
    if hall.terms.tournament.event == "ordinary":
        hall.refuse(f"{entrant} is {what}; only a charitable or media event takes them.", "4.2(a)(v)")
    if entrant not in hall.state.approvals:
        hall.refuse(f"{entrant} enters without executive approval.", "4.2(a)(v)")


def take_entrant_approval(hall: Hall, act: acts.ApproveEntrant, by: By) -> None:
    hall.state.approvals[act.entrant] = by.id
    hall.note("entrant_approved", f"{act.entrant} approved by {by.id}", "4.2(a)(v)")


def take_signature(hall: Hall, act: acts.Sign, by: By) -> None:
    hall.entrant(act.entrant).signed = True
    hall.note("signed", f"{act.entrant} signed", "4.2(b)(iii)")


def enough_entered(hall: Hall, act: acts.Act, by: By) -> bool:
    return len(hall.state.field) >= hall.terms.tournament.least


def say_short(hall: Hall, act: acts.Act, by: By) -> None:
    least = hall.terms.tournament.least
    hall.say(f"{len(hall.state.field)} of at least {least} have entered: extend, change the terms, or cancel")


def free_now(hall: Hall) -> bool:
    """Whether one may leave without cost at this moment (n.4.2(d))."""
    until = hall.terms.tournament.withdraw.free_until
    if until == "none":
        return False
    if until == "draw":
        return hall.state.phase in ("entering", "short", "drawn_up")
    return hall.at <= moment(hall.state.starts if until == "start" else until)


def take_withdrawal(hall: Hall, act: acts.Withdraw, by: By) -> None:
    one = hall.entrant(act.entrant)
    due = one.paid_in_all - one.refunded if free_now(hall) else 0
    _pay_back(hall, one, due)
    hall.say(f"{dollars(due)} due" if due else "nothing due")
    hall.note("withdrawn", f"{one.number} withdrew; {dollars(due)} to be paid back", "4.2(d)", "4.8(a)(iv)")


def _pay_back(hall: Hall, one: Entrant, cents: int) -> None:
    one.refunded += cents
    hall.state.refunds[one.number] = hall.state.refunds.get(one.number, 0) + cents


def move_list_up(hall: Hall, act: acts.Withdraw, by: By) -> None:
    """The first of the waiting list takes the place that became free."""
    waiting = next((one for one in hall.state.entrants.values() if one.phase == "applied"), None)
    if waiting is None or len(hall.state.field) >= hall.terms.tournament.most or hall.state.phase != "entering":
        return
    money = hall.terms.tournament.money
    waiting.paid = {"entry_fee": money.entry_fee, "buy_in": money.buy_in}
    hall.fire_entrant("taken", waiting)
    hall.note("entered", f"{waiting.number} moves up from the waiting list", "4.1(a)(iii)")


def take_substitute(hall: Hall, act: acts.Substitute, by: By) -> None:
    """Before the start: somebody else takes fee, seat and place (n.4.2(d), T-27)."""
    one, state = hall.entrant(act.entrant), hall.state
    until = hall.terms.tournament.withdraw.substitute_until
    late = state.phase not in ("entering", "drawn_up") if until == "draw" else hall.at > moment(
        state.starts if until == "start" else until
    )  # fmt: skip
    if until == "none" or late:
        hall.refuse("A substitute can no longer be named.", "4.2(d)")
    if act.new in state.entrants:
        hall.refuse(f"{act.new} is an entrant already.", "4.2(d)")
    new = Entrant(act.new, one.phase, signed=act.signed, paid=dict(one.paid), table=one.table, seat=one.seat)
    one.replaced_by, one.paid = act.new, {}
    state.entrants[act.new] = new
    if state.session is not None and one.number in state.session.seats:
        state.session.seats[act.new] = state.session.seats.pop(one.number)
    hall.note("substituted", f"{act.new} for {one.number}", "4.2(d)", "4.8(b)(iv)")


def take_refund(hall: Hall, act: acts.Refund, by: By) -> None:
    one = hall.state.entrants.get(act.entrant)
    if one is None:
        hall.refuse(f"There is no entrant {act.entrant}.", "4.8(a)(iv)")
    if not 0 < act.cents <= one.paid_in_all - one.refunded:
        paid, back = dollars(one.paid_in_all), dollars(one.refunded)
        hall.refuse(f"{one.number} paid {paid} and got {back} back; no more can be refunded.", "4.8(a)(iv)")
    _pay_back(hall, one, act.cents)
    hall.note("refunded", f"{dollars(act.cents)} to {one.number}: {act.why}; by {by.id}", "4.8(a)(iv)")


def list_refunds(hall: Hall, act: acts.Cancel, by: By) -> None:
    """Cancelled: everybody gets back what they paid, and the regulator is to be told."""
    for one in hall.state.entrants.values():
        if (due := one.paid_in_all - one.refunded) > 0:
            _pay_back(hall, one, due)
    hall.state.regulator_due = "the event was cancelled"
    hall.note("cancelled", act.why, "4.8(a)(iv)", "4.1(c)")
