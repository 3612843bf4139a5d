"""Before play: a table is designated, gets its roster, practises, counts the banks and begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.desk import Limits
from controller.money.amounts import UNIT
from controller.money.table_money import MoneyState
from controller.people import TABLE, Person
from controller.tournament import markers
from controller.tournament.ledger import Ledger
from controller.tournament.presence import Presence
from controller.tournament.state import Designation, Entrant, Practice, Roster, RoundUnderWay

if TYPE_CHECKING:
    from controller.tournament.session import Session


# -- what the hall orders ----------------------------------------------------------------------------------------


def take_designation(session: Session, order: Designation) -> None:
    """The table is the event's and nobody else's: closed, empty, and under the event's own rulebook (2.4, 2.5)."""
    table, terms = session.table, order.terms
    if table.state.life != "closed":
        session.refuse("table_open", "The table is open; close it before it is used for a tournament.", "2.5")
    if terms.rulebook != table.house.rulebook.id:
        text = f"The terms are for {terms.rulebook}, and this table plays by {table.house.rulebook.id}."
        session.refuse("other_rulebook", text, "2.4")
    money = table.state.money
    if lying := [*money.laid, *money.tray.tray, *money.rack]:
        text = f"{len(lying)} chips lie on the layout or in the tray; take them away before the table is designated."
        session.refuse("chips_lie", text, "2.5", "4.4(a)")
    session.felt_allows(terms)
    state = session.state
    state.terms = terms
    state.cash_money, state.cash_limits, state.cash_game = money, table.state.limits, session.felt.lay_aside()
    table.use_money(MoneyState(read=money.read))
    session.note("designated", ("2.4",), version=terms.tournament.terms.version)


def take_roster(session: Session, order: Roster) -> None:
    """Everything a session needs is at the table from here on; the hall need not be heard of again (T-47)."""
    terms, state, table = session.terms, session.state, session.table
    if order.digest != terms.digest:
        text = f"This roster is for terms {order.digest[:12]}, and the table was designated under {terms.digest[:12]}."
        session.refuse("other_terms", text, "2.1")
    named = next((one for one in terms.sessions if one.name == order.session), None)
    if named is None:
        there = ", ".join(one.name for one in terms.sessions)
        session.refuse(
            "no_such_session", f"The terms know no session {order.session!r}; there is {there}.", "4.3(a)(i)"
        )
    _check_seats(session, order)
    for before in state.playing():
        session.felt.leave(before.number)
    state.session = named
    held = markers.held_by(terms)
    state.entrants = {
        one.entrant: Entrant(one.entrant, one.seat, markers=dict(held)) for one in order.entrants
    }  # fmt: skip
    state.colours = {one.colour: one.entrant for one in order.entrants if one.colour}
    state.presence = Presence(
        order.director,
        order.deputies,
        session.book.options.deputy_counts_as_present,
        session.book.options.presence_minutes,
        {who: proof for who, proof in state.presence.proofs.items() if who in (order.director, *order.deputies)},
    )
    state.ledger = Ledger()
    for one in order.entrants:
        fresh = named.bank == "fresh"
        session.book_units(one.entrant, "start" if fresh else "carried", terms.bank.units if fresh else one.bank)
    state.round, state.scored, state.dealt, state.issued = RoundUnderWay(), 0, 0, None
    state.briefed_by, state.released_by, state.over_by, state.ends_at = "", order.released_by, "", 0
    state.play_off, state.pending, state.moving, state.tickets = None, [], {}, []
    state.began_at, state.clock_from, state.moved_ms, state.level = 0, 0, 0, 0
    state.hand_for_hand = state.next_hand = False
    if table.playing:
        seat_entrants(session)
    table.state.limits = limits_of(session)
    state.sign_from, state.shown_at = table.state.sign + 1, 0
    session.note("roster", ("4.3(a)(i)", "4.3(b)"), session=named.name, director=order.director,
                 entrants={one.entrant: one.seat for one in order.entrants})  # fmt: skip


def _check_seats(session: Session, order: Roster) -> None:
    numbers, seats = [one.entrant for one in order.entrants], [one.seat for one in order.entrants]
    most = min(session.book.seats(session.terms.game), session.felt.places())
    if not order.entrants or len(set(numbers)) < len(numbers) or len(set(seats)) < len(seats):
        session.refuse("bad_roster", "A roster names every entrant once, each at a place of their own.", "1")
    if not all(1 <= seat <= most for seat in seats):
        session.refuse("bad_roster", f"Places of this table are 1 to {most}; draw for tables that have them.", "1")
    colours = [one.colour for one in order.entrants if one.colour]
    if len(set(colours)) < len(colours):
        session.refuse("bad_roster", "A colour is one entrant's alone.", "4.4(a)")
    if not order.director:
        session.refuse("no_director", "A roster names the Director.", "2.3")


def limits_of(session: Session) -> Limits:
    """The table's limits while units are played for."""
    wagers, smallest = session.terms.wagers, session.terms.bank.chips.smallest
    least = wagers.minimum or (wagers.levels[0].big if wagers.levels else smallest)
    most = wagers.maximum or session.terms.bank.units
    return Limits(least * UNIT, most * UNIT, 0, smallest * UNIT)


def show_event(session: Session, *order: object) -> None:
    session.table.show_sign()


# -- practice ------------------------------------------------------------------------------------------------------


def begin_practice(session: Session, by: Person) -> None:
    """Rounds that count for nothing: players learn keys and signals, never how to play a hand (3.2)."""
    if not session.table.playing:
        session.refuse("table_closed", "Open the table first; then practice may begin.", "3.2")
    session.state.practice = Practice({}, session.felt.keep())
    for one in session.state.entrants.values():
        one.counted = None
    session.note("practice", ("3.2",), by=by.id)
    session.say("practice", "Practice: these rounds count for nothing.", "3.2", to="all")


def end_practice(session: Session, by: Person) -> None:
    """Banks are as they were, and counted again to show it."""
    _no_round(session)
    practice = session.state.practice
    assert practice is not None
    _counted_as_due(session, "3.2")
    for player, units in practice.nets.items():
        session.to_tray(units, TABLE, player)
    session.felt.put_back(practice.game)
    for one in session.state.playing():
        session.felt.hold(one.number, session.bank(one.number))
    session.state.practice = None
    session.state.round = RoundUnderWay()
    session.note("practice_over", ("3.2",), by=by.id)


def _no_round(session: Session) -> None:
    if session.felt.under_way():
        session.refuse("round_under_way", "A round is under way; end it first.", "3.2")


# -- counting, and the first round ---------------------------------------------------------------------------------


def _counted_as_due(session: Session, *endings: str) -> None:
    """Every bank was read and is what it should be; the first that is not is named."""
    wrong = []
    for one in session.state.playing():
        due = session.bank(one.number)
        if one.counted is None:
            wrong.append(f"{one.number} was not counted")
        elif one.counted != due:
            wrong.append(f"{one.number}: {one.counted:,} of {due:,}")
    if wrong:
        session.refuse("bank_differs", f"{'; '.join(wrong)}. Count again, or put it right.", *endings)


def begin_session(session: Session, by: Person) -> None:
    """Play begins: briefed, the Director there, the schedule released, and every bank as it must be."""
    state = session.state
    if not session.table.playing:
        session.refuse("table_closed", "Open the table first; then the session may begin.", "2.5")
    if not state.briefed_by:
        session.refuse("not_briefed", "The Director confirms first that the players were briefed.", "3.1")
    if not session.present():
        session.refuse("no_director", "No Director is present; a card or key of theirs shows it.", "2.3")
    if len(session.terms.wagers.compulsory) > 1 and not state.released_by:
        clauses = (session.table.house.power("change_limits").clause,)
        text = "The schedule of compulsory wagers must be released first, by whoever changes the limits."
        session.refuse_citing("not_released", text, clauses)
    _counted_as_due(session, "4.3(b)")
    state.began_at = session.desk.at
    state.issued = sum(state.ledger.banks.values()) + session.tray()
    if session.session.minutes:
        state.ends_at = session.desk.at + 60_000 * session.session.minutes
        session.desk.timer("tournament:end", state.ends_at)
    session.note("begun", ("3.1", "4.3(b)"), session=session.session.name, by=by.id, banks=dict(state.ledger.banks))
    session.say("begun", f"{session.session.name.capitalize()} begins.", to="all")


def seat_entrants(session: Session) -> None:
    """Who sits where is the draw's; whoever is not on the roster sits nowhere."""
    for one in session.state.playing():
        session.felt.seat(one.seat, one.number, session.bank(one.number))
