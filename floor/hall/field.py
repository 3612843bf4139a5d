"""What tables say, every row once and in order: field, banks and order of going are counted from it, never typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.tournament.standings import Out, Outs, order_of_going, places
from floor.hall import acts, moves, sessions
from floor.hall.state import By, TableSeen

if TYPE_CHECKING:
    from floor.hall.hall import Hall

SKEW_MS = 1000
"""What remains of the difference between two clocks that were compared over a network."""
PARTS_MOST = 1000
"""Records that one row of a table may hold."""
ISSUED = ("start", "rebuy", "add_on")
"""Kinds of ledger rows that bring units into play; what is carried is the same chips in another session."""


ANSWERED = ("used_order", "too_old", "too_early")
"""Refusals that say nothing new of an order: it was carried out before, or comes again with another date."""


class TableSaid(msgspec.Struct, frozen=True, tag="table_said"):
    """One row of a table that is about the event: which, of which journal, when by its clock, and what."""

    table: str
    journal: str
    seq: int
    at: int
    what: str
    facts: dict[str, Any] = {}
    part: int = 0  # of several things that one row says
    parts: int = 1

    @property
    def place(self) -> int:
        """Where it stands among all that the table says."""
        return self.seq * PARTS_MOST + self.part


def hear(hall: Hall, said: TableSaid) -> bool:
    """Take a row of a table; False where it was heard before."""
    table = hall.table(said.table)
    if table.journal and said.journal != table.journal:
        text = f"{said.table} speaks from another journal than before; its old one is {table.journal}"
        hall.alarm(f"journal:{said.table}", f"{text}: hold both against each other before its rows count.")
        return False
    if said.place <= table.seq:
        return False
    table.journal, table.seq = said.journal, said.place
    behind = hall.at - said.at
    table.offset_ms = behind if table.offset_ms is None else min(table.offset_ms, behind)
    if said.facts.get("terms", hall.terms.digest) != hall.terms.digest:
        hall.alarm(f"terms:{said.table}", f"{said.table} plays under other terms than these; designate it again.")
        return True
    if handler := HEARD.get(said.what):
        handler(hall, table, said)
    return True


# -- what each says ----------------------------------------------------------------------------------------------------


def _designated(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    table.designated = True


def _released(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """Somebody is let go with a ticket; or the table itself, at the end."""
    if "ticket" in said.facts:
        moves.released(hall, table, said)
        return
    table.designated, table.session, table.begun = False, "", False


def _roster(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    table.session, table.begun, table.agreed, table.scored = str(said.facts["session"]), False, False, 0
    table.counted = {}
    for stale in table.banks.keys() - said.facts["entrants"].keys():
        hall.state.removed += table.banks.pop(stale)
    for entrant, seat in said.facts["entrants"].items():
        one = hall.state.entrants.get(entrant)
        if one is not None:
            one.table, one.seat = table.name, int(seat)


def _begun(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """The first table that begins starts the clock of all; one that is to be broken up is told so again."""
    table.begun = True
    if table.name in hall.state.to_break:
        moves.send_break(hall, table.name)
    if hall.state.session is None or hall.session.clock_from or not hall.terms.wagers.levels:
        return
    hall.session.clock_from = said.at
    for name in hall.playing_tables():
        if name != table.name:
            hall.order(name, "tournament_clock", payload=f'{{"at":{said.at}}}')


def _waits(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    if said.facts.get("on") and said.facts.get("waits"):
        sessions.waits(hall, table.name)


def _ledger(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """A row of somebody's bank: it is the sum of these, and what the table says it is must be the same."""
    entrant, kind, units = str(said.facts["entrant"]), str(said.facts["kind"]), int(said.facts["units"])
    one = hall.state.entrants.get(entrant)
    if kind in ("start", "carried"):
        _hand_in(hall, entrant, units if kind == "carried" else 0)
    if kind in ISSUED:
        hall.state.issued += units
    elif kind == "moved_out":
        hall.state.in_transit -= units
    elif kind == "moved_in":
        moves.taken_in(hall, table, entrant, units)
    elif kind in ("removed", "penalty", "late", "absent", "agreed"):
        hall.state.removed -= units
    table.banks[entrant] = table.banks.get(entrant, 0) + units
    if "bank" in said.facts and int(said.facts["bank"]) != table.banks[entrant]:
        hall.alarm(f"ledger:{table.name}:{entrant}",
                   f"{entrant} has {said.facts['bank']} at {table.name}, and its rows come to {table.banks[entrant]}: "
                   "look which row is missing.")  # fmt: skip
    if one is not None:
        one.bank = table.banks[entrant]


def _hand_in(hall: Hall, entrant: str, carried: int) -> None:
    """A new session's ledger begins: what the old one came to is handed in, but for what is carried over."""
    old = [table.banks.pop(entrant) for table in hall.state.tables.values() if entrant in table.banks]
    hall.state.removed += sum(old) - (carried if old else 0)


def _round_over(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    table.scored = int(said.facts.get("scored", 0)) or table.scored
    if table.name in hall.state.to_break:
        moves.send_break(hall, table.name)
    sessions.waits(hall, table.name)


def _eliminated(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    one = hall.state.entrants.get(str(said.facts["entrant"]))
    if one is None or one.phase not in ("playing", "in_transit"):
        return
    offset = table.offset_ms or 0
    began = int(said.facts.get("began", said.at)) + offset
    hall.state.outs[one.number] = Out(
        one.number, table.name, int(said.facts.get("round", said.facts.get("scored", 0))), began, said.at + offset,
        int(said.facts.get("before", said.facts.get("bank", 0))),
    )  # fmt: skip
    hall.fire_entrant("out", one)
    moves.lapse(hall, one)
    sessions.end_with_one(hall)
    tell_doubts(hall)
    hall.note("out", f"{one.number} is out at {table.name}; {len(hall.state.left)} are left", "4.5(a)")


def _taken_back(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    one = hall.state.entrants.get(str(said.facts["entrant"]))
    if one is not None and one.phase == "eliminated":
        hall.state.outs.pop(one.number, None)
        hall.fire_entrant("back_in", one)
        tell_doubts(hall)
        hall.note("out_taken_back", f"{one.number} is in again at {table.name}", "4.5(a)")


def _left(phase: str) -> Any:
    def left(hall: Hall, table: TableSeen, said: TableSaid) -> None:
        one = hall.state.entrants.get(str(said.facts["entrant"]))
        if one is None or not hall.entrants_may(f"{phase}_at_table", one):
            return
        _leave(hall, one.number, table.name, said.at + (table.offset_ms or 0), int(said.facts.get("bank", 0)))
        hall.fire_entrant(f"{phase}_at_table", one)
        moves.lapse(hall, one)
        sessions.end_with_one(hall)

    return left


def _leave(hall: Hall, number: str, table: str, at: int, bank: int) -> None:
    """Who retires stands where the moment of it puts them; who is disqualified has no place."""
    hall.state.outs[number] = Out(number, table, -at, at, at, bank)


def _substituted(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    from floor.hall.state import Entrant

    one, new = hall.state.entrants.get(str(said.facts["entrant"])), str(said.facts["substitute"])
    if one is None or one.phase != "playing":
        return
    hall.state.entrants[new] = Entrant(
        new, "playing", paid=dict(one.paid), table=one.table, seat=one.seat, bank=one.bank
    )
    one.replaced_by, one.paid = new, {}
    hall.fire_entrant("replaced_at_table", one)


def _counted(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    table.counted[str(said.facts["entrant"])] = int(said.facts["units"])


def _table_counted(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """A whole table's chips against its own ledger: play goes on, the Director is told where to look (T-51)."""
    found = int(said.facts["units"])
    gap = table.ledger + table.tray - found
    code = f"count:{table.name}"
    if gap:
        word = "missing" if gap > 0 else "too many"
        hall.alarm(code, f"{abs(gap)} units {word} since the last agreed count of {table.name}")
    else:
        hall.state.alarms.pop(code, None)


def _agreed(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """The Director agreed the counts of this table; when all tables are in, the session is counted."""
    if hall.state.session is None or table.agreed:
        return
    session = hall.session
    banks = {str(number): int(units) for number, units in said.facts.get("banks", table.banks).items()}
    session.banks |= banks
    session.at_table |= dict.fromkeys(banks, table.name)
    for number, units in banks.items():
        if number in hall.state.entrants:
            hall.entrant(number).bank = units
    table.agreed, table.counted_at = True, hall.at
    hall.note("agreed", f"counts of {table.name} are agreed: {sum(banks.values()):,} units", "4.6(a)")
    if hall.all_agreed():
        hall.machine.fire("session_counted")


def _order(hall: Hall, table: TableSeen, said: TableSaid) -> None:
    """A table took an order up, or refused it; one that it had before is answered already."""
    kind, code, refused = (str(said.facts.get(one, "")) for one in ("kind", "code", "refused"))
    if code in ANSWERED:
        return
    if kind == "tournament_break":
        if not refused:
            hall.state.to_break.pop(table.name, None)
        return  # refused in a round, or before the first: it is told again after it, or once the table has begun
    alarm = f"order_refused:{table.name}:{kind}"
    if refused:
        if f"{table.name}:{kind}" in hall.state.given:
            kinds = hall.state.refused.setdefault(table.name, [])
            kinds += [] if kind in kinds else [kind]
        hall.alarm(alarm, f"{table.name} refused: {refused}")
    else:
        hall.state.alarms.pop(alarm, None)


HEARD: dict[str, Any] = {
    "order": _order,
    "designated": _designated,
    "released": _released,
    "roster": _roster,
    "begun": _begun,
    "hand_for_hand": _waits,
    "ledger": _ledger,
    "round": _round_over,
    "eliminated": _eliminated,
    "elimination_taken_back": _taken_back,
    "retired": _left("retired"),
    "disqualified": _left("disqualified"),
    "substituted": _substituted,
    "counted": _counted,
    "table_counted": _table_counted,
    "agreed": _agreed,
    "arrived": moves.arrived,
    "sent_back": moves.sent_back,
}
"""By what the table's record is called."""


# -- what follows from it ----------------------------------------------------------------------------------------------


def going(hall: Hall, numbers: set[str] | None = None) -> Outs:
    """Who is out, the best first, and what is in doubt about it (T-32); looked at, it changes nothing."""
    result = hall.terms.result
    disqualified = {one.number for one in hall.state.entrants.values() if one.phase == "disqualified"}
    outs = [
        out for number, out in hall.state.outs.items()
        if number not in disqualified and (numbers is None or number in numbers)
    ]  # fmt: skip
    decided = {tuple(sorted(order)): order for order in hall.state.decided}
    return order_of_going(
        outs, by_stack=result.same_hand == "larger_starting_stack", across=result.across_tables == "stacks",
        skew_ms=SKEW_MS, decided=decided,
    )  # fmt: skip


def tell_doubts(hall: Hall) -> None:
    """What is in doubt about a paid place stands as an alarm until the Director has decided it.

    Further down, who went at the same time has the same place, and nobody is asked.
    """
    found, paid = going(hall), len(hall.terms.result.prizes.split) + len(hall.barred())
    place = places(found.order, first=len(hall.state.left) + 1)
    doubts = {
        f"order:{'+'.join(one.entrants)}": ", ".join(one.entrants)
        for one in found.doubts if place[one.entrants[0]] <= paid
    }  # fmt: skip
    for code in [code for code in hall.state.alarms if code.startswith("order:") and code not in doubts]:
        hall.state.alarms.pop(code)
    for code, names in doubts.items():
        hall.alarm(code, f"{names} went out in hands that overlapped; the Director says who stands before whom.")


def take_order(hall: Hall, act: acts.DecideOrder, by: By) -> None:
    group = tuple(sorted(act.order))
    code = f"order:{'+'.join(group)}"
    if code not in hall.state.alarms:
        hall.refuse(f"Nothing is in doubt about {', '.join(group)}.", "4.5(a)")
    hall.state.decided.append(act.order)
    tell_doubts(hall)
    hall.note("order_decided", f"{', '.join(act.order)}: decided by {by.id}", "4.5(a)")


def units_expected(hall: Hall) -> int:
    """What all stacks and what is in transit must come to, where players win from one another (n.4.3(b), T-51)."""
    return hall.state.issued - hall.state.removed


def units_found(hall: Hall) -> int:
    """What the tables' ledgers come to, and what is between two of them."""
    return sum(table.ledger for table in hall.state.tables.values()) + hall.state.in_transit
