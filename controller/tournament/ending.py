"""The end of a session at a table: certain or agreed, counted, held against the ledger, and the table let go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from controller.money.table_money import MoneyState
from controller.people import Person
from controller.tournament import alarms
from controller.tournament.certain import Certainty, Situation, by_number, by_reach, reach_of
from controller.tournament.state import EventState, Pending

if TYPE_CHECKING:
    from controller.tournament.session import Session


# -- early ---------------------------------------------------------------------------------------------------------


def refuse_unless_agreed(session: Session, yes: Iterable[str]) -> None:
    """Everybody still in at this table agrees, and the terms turn chips into cash (4.8(d)(ii), T-14)."""
    if session.terms.bank.cash is None:
        session.refuse("no_cash", "These terms turn no chips into cash, so agreement ends nothing.", "4.8(d)(ii)")
    said = set(yes)
    missing = [one.number for one in session.state.playing() if one.number not in said]
    if missing:
        session.refuse("not_agreed", f"{', '.join(missing)} has not agreed.", "4.8(d)(ii)")


def certainty(session: Session) -> Certainty:
    """Whether those who go on from this table are determined, with the bound that shows it (4.8(d)(i), T-13)."""
    state, terms = session.state, session.terms
    left, through = [one.number for one in state.playing()], session.session.through.per_table
    if session.session.until and len(left) <= 1:
        return Certainty(True, "nobody else is left at this table", tuple(left))
    if not through:
        return Certainty(False, "who goes on is not settled at this table alone")
    reach = reach_of(terms)
    if reach is None:
        return by_number(left, through, terms.again.rebuy is not None)
    markers = terms.wagers.markers
    rebuy = markers.rebuy if markers is not None else None
    rises = [step.units for step in terms.wagers.compulsory]
    now = Situation(
        {number: session.bank(number) for number in left},
        through,
        max(0, session.session.rounds - state.scored),
        max(session.felt.most(zone) for zone in session.felt.zones()),
        max([session.compulsory(), *rises]),
        rebuy.units if rebuy is not None else 0,
        {one.number: one.markers.get("rebuy", 0) for one in state.playing()},
    )
    return by_reach(reach, now)


def end_certain(session: Session, by: Person) -> None:
    """The Director ends a table whose outcome nothing can change any more."""
    found = certainty(session)
    if not (session.session.rounds or session.session.until) and reach_of(session.terms) is not None:
        session.refuse("not_certain", "This session is not counted in rounds, so nothing is certain yet.", "4.8(d)(i)")
    if not found.certain:
        session.refuse("not_certain", f"Not certain yet: {found.why}.", "4.8(d)(i)")
    session.note("certain", ("4.8(d)(i)",), by=by.id, why=found.why, through=list(found.through))
    _end(session, by)


def end_by_agreement(session: Session, yes: tuple[str, ...], by: Person) -> None:
    refuse_unless_agreed(session, yes)
    for number in yes:
        session.entrant(number).agreed = True
    session.note("agreed_to_end", ("4.8(d)(ii)",), agreed=list(yes), by=by.id, at=session.desk.at,
                 banks={one.number: session.bank(one.number) for one in session.state.playing()})  # fmt: skip
    _end(session, by)


def _end(session: Session, by: Person) -> None:
    """After the round under way, or at once between two."""
    session.state.over_by = by.id
    if session.state.round.dealt:
        session.state.pending.append(Pending("end", by=by.id))
    else:
        session.machine.fire("early_end")


# -- counts ----------------------------------------------------------------------------------------------------------


def ask_for_counts(session: Session, *by: object) -> None:
    session.desk.timer_off("tournament:end")
    for one in session.state.entrants.values():
        one.counted = None
    session.table.show_sign()
    if session.state.playing():
        session.say("count", "The session is over: count every bank.", "4.6(a)")
    else:
        session.machine.fire("counts_read")  # nobody is left whose bank could be counted


def say_breaks(session: Session, *by: object) -> None:
    session.say("breaks", "This table is broken up: everybody moves with a ticket.", "4.3(a)(ii)", to="all")


def counted(session: Session, number: str, units: int, by: Person) -> None:
    """A bank was counted; the last one ends the counting."""
    one = session.entrant(number)
    one.counted = units
    session.note("counted", ("4.3(b)", "4.6(a)"), entrant=number, units=units, ledger=session.bank(number), by=by.id)
    if session.phase == "counting" and all(each.counted is not None for each in session.state.playing()):
        session.machine.fire("counts_read")


def compare_counts(session: Session, *by: object) -> None:
    """The ledger beside the count: a difference is told, and the Director agrees a number with a reason (T-51)."""
    for one in session.state.playing():
        due = session.bank(one.number)
        if one.counted is not None and one.counted != due:
            found, last = f"{one.counted:,}", f"{session.state.round.before.get(one.number, due):,}"
            alarms.CountDiffers(entrant=one.number, counted=found, ledger=f"{due:,}", last=last).holds(
                session, one.number
            )
    if (gap := units_missing(session)) and session.table.money.state.watched:
        alarms.UnitsMissing(gap=f"{gap:,}").holds(session)


def units_missing(session: Session) -> int:
    """Units that are neither in a bank nor in the tray, of all that this table was issued."""
    state = session.state
    if state.issued is None:
        return 0
    counts = sum(one.counted or 0 for one in state.playing())
    return state.issued - counts - session.tray()


def differences(session: Session) -> list[str]:
    """Whose count is not the ledger's."""
    return [one.number for one in session.state.playing() if one.counted != session.bank(one.number)]


def agree_counts(session: Session, by: Person, reason: str = "") -> None:
    """The Director agrees the counts; where one differs, with a reason, and the ledger says so in a row of its own."""
    wrong = differences(session)
    if wrong and not reason:
        session.refuse("reason_needed", f"The counts of {', '.join(wrong)} differ; say why they are agreed.", "4.6(a)")
    for number in wrong:
        found = session.state.entrants[number].counted or 0
        session.book_units(number, "agreed", found - session.bank(number), by.id, reason)
    session.note("agreed", ("4.6(a)",), by=by.id, why=reason, scored=session.state.scored, dealt=session.state.dealt,
                 banks={one.number: session.bank(one.number) for one in session.state.playing()})  # fmt: skip


def tell_hall(session: Session, *by: object) -> None:
    session.say("waiting", "Counts agreed: wait for the hall.", to="dealer")
    session.table.show_sign()


# -- release ---------------------------------------------------------------------------------------------------------


def let_table_go(session: Session, *order: object) -> None:
    """Chips are handed in and the table is anybody's again; its money and limits are what they were (2.5)."""
    table, money = session.table, session.table.state.money
    if table.state.life != "closed":
        session.refuse("table_open", "The table is open; close it before it is released.", "2.5")
    if lying := [*money.laid, *money.tray.tray, *money.rack]:
        text = f"{len(lying)} of the tournament's chips lie here; hand them in before the table is released."
        session.refuse("chips_lie", text, "4.3(c)")
    session.note("released", ("2.5",))
    state = session.state
    table.use_money(state.cash_money or MoneyState())
    session.felt.take_up(state.cash_game)
    if state.cash_limits is not None:
        table.state.limits = state.cash_limits
    session.state = EventState()
