"""Tables, seats and sessions: designated, drawn, started, counted, and who goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.rules.rulebook import load_rulebook
from controller.tournament.moments import moment
from controller.tournament.standings import Cut, Order, broken, by_bank, cut, flat
from floor.hall import acts, clock, moves
from floor.hall.draw import NoRoom, drawn
from floor.hall.state import By, SessionState

if TYPE_CHECKING:
    from floor.hall.hall import Hall


def designate_tables(hall: Hall, act: acts.Designate, by: By) -> None:
    """Each table stores the event's terms and is used for nothing else (n.2.4)."""
    from msgspec.json import encode

    payload = encode({"terms": hall.terms}).decode()
    for name in dict.fromkeys(name for session in hall.terms.sessions for name in session.tables):
        if not hall.table(name).designated:
            hall.order(name, "tournament_designate", payload=payload)


def order_again(hall: Hall, act: acts.OrderAgain) -> None:
    """What a table refused is ordered once more, now that what stood in the way was seen to."""
    kinds = hall.state.refused.pop(act.table, [])
    if not kinds:
        hall.refuse(f"{act.table} has refused nothing.", "2.4")
    for kind in kinds:
        hall.state.alarms.pop(f"order_refused:{act.table}:{kind}", None)
        hall.send(hall.state.given[f"{act.table}:{kind}"])


def draw_seats(hall: Hall, act: acts.Draw, by: By) -> None:
    """The next session's seats, from entropy that goes on record, so that the draw can be repeated and shown."""
    state, before = hall.state, hall.state.session
    if before is not None and not before.confirmed:
        hall.refuse("Who goes on is not confirmed yet.", "4.3(a)(iii)")
    number = len(state.sessions)
    if number >= len(hall.terms.sessions):
        hall.refuse("The terms know no further session.", "4.3(a)(i)")
    going = [one for one in state.left if before is None or one.phase == "through"]
    if not going:
        hall.refuse("Nobody is left to play: fix the final order, or let somebody back in.", "4.3(a)(iii)")
    if hall.terms.tournament.signed and (unsigned := [one.number for one in going if not one.signed]):
        hall.refuse(f"{', '.join(unsigned)} {'has' if len(unsigned) == 1 else 'have'} not signed.", "4.2(b)(iii)")
    if len(act.entropy) < 32:
        hall.refuse("A draw needs entropy of at least 32 characters, which the hall's own page adds.", "1")
    terms = hall.terms.sessions[number]
    seats = terms.seats or hall.book.seats(hall.terms.game)
    try:
        places = drawn(act.entropy, [one.number for one in going], terms.tables, seats)
    except NoRoom as trouble:
        hall.refuse(f"{trouble}.", "4.3(a)(ii)")
    session = SessionState(number, seats=places, entropy=act.entropy)
    state.sessions.append(session)
    for one in going:
        one.table, one.seat = places[one.number].table, places[one.number].seat
        hall.fire_entrant("got_seat", one)
    hall.fire_session("seats_given", session)
    hall.note("drawn", f"{len(going)} seats drawn for {terms.name} from {act.entropy}", "1")


def note_briefing(hall: Hall, act: acts.Brief, by: By) -> None:
    session = hall.session
    session.briefed_by = by.id
    hall.note("briefed", f"players of {hall.session_terms.name} were briefed", "3.1")


def begin_session(hall: Hall, act: acts.StartSession, by: By) -> None:
    """Tables designated, Director present, briefing confirmed; from here each table has all it needs to be alone."""
    hall.nothing_due()
    session, terms, state = hall.session, hall.session_terms, hall.state
    if not session.seats:
        hall.refuse("Everybody who was drawn has left: cancel the event, or fix its final order.", "4.3(a)(iii)")
    if session.number == 0 and hall.at < moment(state.starts):
        hall.refuse(f"It begins at {state.starts}; move the start to begin earlier.", "4.1(b)")
    if not hall.director_present():
        hall.refuse("No Director is present; “I am here” or any other key of theirs shows it.", "2.3")
    if not session.briefed_by:
        hall.refuse("The players were not briefed yet.", "3.1")
    if missing := [name for name in terms.tables if not hall.table(name).designated]:
        hall.refuse(f"{', '.join(missing)} not designated yet.", "2.4")
    for name in sorted({seat.table for seat in session.seats.values()}):
        hall.order(name, "tournament_roster", payload=roster(hall, name))
    session.started_at = hall.at
    state.stood_ms = state.paused_at = 0
    for number in session.seats:
        hall.fire_entrant("begun", hall.entrant(number))
    hall.fire_session("start", session)
    hall.note("started", f"{terms.name} started with {len(session.seats)} entrants", "4.3(a)(i)")


def roster(hall: Hall, table: str) -> str:
    """Everything a table needs for the session: entrants by number, seats, banks, Director and deputies."""
    from msgspec.json import encode

    session, state = hall.session, hall.state
    seated = [
        {"entrant": number, "seat": seat.seat, "bank": hall.entrant(number).bank}
        for number, seat in sorted(session.seats.items())
        if seat.table == table
    ]
    said = {"digest": hall.terms.digest, "session": hall.session_terms.name, "entrants": seated,
            "director": state.director, "deputies": list(state.deputies), "released_by": state.released_by}  # fmt: skip
    return encode(said).decode()


def stop_clock(hall: Hall, act: acts.Pause, by: By) -> None:
    if hall.state.paused_at:
        hall.refuse("The clock stands already.", "4.1(b)")
    hall.state.paused_at = hall.at
    for name in hall.playing_tables():
        hall.order(name, "tournament_pause")


def start_clock(hall: Hall, act: acts.GoOn, by: By) -> None:
    """Times move later by as long as the clock stood, never earlier."""
    if not hall.state.paused_at:
        hall.refuse("The clock does not stand.", "4.1(b)")
    stood = hall.at - hall.state.paused_at
    hall.state.stood_ms += stood
    hall.state.paused_at = 0
    for name in hall.playing_tables():
        hall.order(name, "tournament_go_on", payload=f'{{"ms":{stood}}}')


def bring_level_forward(hall: Hall, act: acts.BringForward, by: By) -> None:
    """Earlier than the schedule that was released: the sign for its time, and whoever changes limits (T-10, T-11)."""
    _, coming = clock.now_on(hall, hall.at)
    planned = next((one.begins for one in coming if one.level == act.level), 0)
    if not planned:
        hall.refuse(f"Level {act.level} does not come any more.", "4.4(b)")
    try:
        to = moment(act.to)
    except ValueError:
        hall.refuse(f"{act.to!r} is no time; write it like the terms write theirs.", "4.4(b)")
    if to >= planned:
        hall.refuse("It comes by then as it is; a pause makes it later.", "4.4(b)")
    minutes = (to - hall.at) // 60_000
    if minutes < hall.book.sign_minutes:
        text = (
            f"It would be {max(0, minutes)} minutes after the sign, which shows it for {hall.book.sign_minutes} first."
        )
        hall.refuse(text, clauses=hall.book.sign_clauses)
    rulebook = load_rulebook(hall.terms.rulebook)
    power = rulebook.powers["change_limits"]
    if not hall.ranks(by, power.rank):
        hall.refuse(f"It takes {power.rank}, and three hands' notice.", clauses=(power.clause,))
    hall.session.forward = (act.level, to)
    for name in hall.playing_tables():
        hall.order(name, "tournament_level", payload=f'{{"level":{act.level},"at":{to}}}')
    hall.note("level_forward", f"level {act.level} is brought forward to {act.to} by {by.id}", rule=power.clause)


def end_with_one(hall: Hall) -> None:
    """One is left of all tables, which only the hall knows: the session is over wherever somebody still sits."""
    if hall.state.phase != "running" or not hall.session_terms.until or len(hall.session_terms.tables) == 1:
        return
    if len(hall.state.left) <= 1:
        for name in hall.playing_tables():
            hall.order(name, "tournament_one_left")


# -- hand for hand -----------------------------------------------------------------------------------------------------


def set_hand_for_hand(hall: Hall, act: acts.HandForHand, by: By) -> None:
    """Near the money no table begins a hand before all are done with theirs."""
    if act.on == hall.state.hand_for_hand:
        hall.refuse(f"Hand for hand is {'on' if act.on else 'off'} already.", "4.3(a)(i)")
    hall.state.hand_for_hand, hall.state.done = act.on, []
    for name in hall.playing_tables():
        hall.order(name, "tournament_hand_for_hand", on=act.on)
    hall.note("hand_for_hand", f"hand for hand {'begins' if act.on else 'is over'}", "4.3(a)(i)")


def let_next_hand(hall: Hall, act: acts.NextHand, by: By) -> None:
    """The Director's word, where a table that is not heard of keeps all others waiting."""
    if not hall.state.hand_for_hand:
        hall.refuse("Nobody waits: it is not played hand for hand.", "4.3(a)(i)")
    next_hand(hall)


def waits(hall: Hall, table: str) -> None:
    """A table is done with its hand; once all are, the next one begins everywhere."""
    if not hall.state.hand_for_hand:
        return
    hall.state.done = list(dict.fromkeys((*hall.state.done, table)))
    if set(moves.dealing(hall)) <= set(hall.state.done):
        next_hand(hall)


def next_hand(hall: Hall) -> None:
    hall.state.done = []
    for name in hall.playing_tables():
        hall.order(name, "tournament_next_hand")


# -- who goes on -------------------------------------------------------------------------------------------------------


def work_out_order(hall: Hall) -> None:
    """The order of the session from agreed counts, and who goes on by the terms' rule."""
    session = hall.session
    hall.fire_session("all_agreed", session)
    stayed = {number: bank for number, bank in session.banks.items() if number not in hall.state.outs}
    session.order = (*by_bank(stayed), *hall.outs_of_session())


def cuts(hall: Hall) -> list[tuple[str, Cut]]:
    """By the progression rule: who goes on and where a tie is open, for each table or for all together."""
    session, through = hall.session, hall.session_terms.through
    if through.per_table:
        tables = sorted(set(session.at_table.values()))
        return [(name, cut(_of_table(session, name, hall), through.per_table)) for name in tables]
    if through.overall:
        return [("", cut(_still_in(session.order, hall), through.overall))]
    if through.survivors:
        return [("", Cut(flat(_still_in(session.order, hall))))]
    return [("", Cut(()))]


def _still_in(order: Order, hall: Hall) -> Order:
    """Who is out does not go on, whatever the bank."""
    kept = (tuple(one for one in group if one not in hall.state.outs) for group in order)
    return tuple(group for group in kept if group)


def _of_table(session: SessionState, name: str, hall: Hall) -> Order:
    of_table = (
        tuple(one for one in group if session.at_table.get(one) == name) for group in _still_in(session.order, hall)
    )
    return tuple(group for group in of_table if group)


def take_tie(hall: Hall, act: acts.BreakTie, by: By) -> None:
    """Equal banks are told apart as the terms say; the Director decides only where they are silent (T-31)."""
    session, how = hall.session, hall.terms.result.ties.how
    if act.how != how and not (how == "share" and hall.session_terms.through.winner):
        hall.refuse(f"The terms tell equal banks apart by {how.replace('_', ' ')}.", "4.6(a)")
    group = next((each for each in session.order if set(act.order) <= set(each)), None)
    if group is None or len(act.order) < 2:
        hall.refuse(f"{', '.join(act.order)} are not equal.", "4.6(a)")
    rest = tuple(one for one in group if one not in act.order)
    order = session.order
    if rest:  # only those whom the line goes through played for it
        order = tuple(one for each in order for one in ((tuple(sorted(act.order)), rest) if each == group else (each,)))
        group = tuple(sorted(act.order))
    session.order = broken(order, group, act.order)
    hall.note("tie_broken", f"{', '.join(act.order)} by {act.how.replace('_', ' ')}", "4.6(a)")


def confirm_progress(hall: Hall, act: acts.ConfirmThrough, by: By) -> None:
    session = hall.session
    if session.confirmed:
        hall.refuse("It was confirmed already.", "4.3(a)(iii)")
    if hall.session_terms.through.winner:
        hall.refuse("This was the last session; the final order comes next.", "4.6(a)")
    found = cuts(hall)
    if tied := [line for _, line in found if not line.decided]:
        names = "; ".join(f"{', '.join(line.equal)} for {line.left}" for line in tied)
        hall.refuse(f"Equal at the line: {names}; break the tie first.", "4.6(a)")
    session.through = tuple(number for _, line in found for number in line.through)
    for number in session.banks:
        one = hall.entrant(number)
        if one.phase == "playing":
            hall.fire_entrant("goes_on" if number in session.through else "stays_behind", one)
    session.confirmed = True
    hall.fire_session("ended", session)
    hall.note("through", f"{', '.join(session.through)} go on", "4.3(a)(iii)")


def let_back(hall: Hall, act: acts.Repechage, by: By) -> None:
    """Where the terms leave a repechage to the Director, or state a rule for it."""
    if hall.terms.again.repechage == "none":
        hall.refuse("The terms offer no repechage.", "4.3(a)(v)")
    if not hall.session.confirmed:
        hall.refuse("Who goes on is not confirmed yet.", "4.3(a)(iii)")
    one = hall.entrant(act.entrant)
    hall.fire_entrant("let_back_in", one)
    hall.state.outs.pop(one.number, None)
    hall.note("repechage", f"{one.number} comes back", "4.3(a)(v)")
