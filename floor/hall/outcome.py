"""The end: the final order, prizes, deals, chips to cash, disputes, and tables that are free again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.money.amounts import dollars
from controller.tournament import prizes
from controller.tournament.prizes import NoDeal, Paid
from controller.tournament.standings import Order, by_bank, flat, open_ties, places
from floor.hall import acts
from floor.hall.state import By, Dispute

if TYPE_CHECKING:
    from floor.hall.hall import Hall


def order_of_all(hall: Hall) -> Order:
    """From the winner to the first who went: later sessions before earlier ones, in each by bank, then by going out."""
    found: list[tuple[str, ...]] = []
    seen: set[str] = set()
    barred = {one.number for one in hall.state.entrants.values() if one.phase in ("disqualified", "replaced")}
    for session in reversed(hall.state.sessions):
        order = session.order or (*by_bank(_banks(hall, session.seats.keys())), *hall.outs_of(set(session.seats)))
        for group in order:
            kept = tuple(one for one in group if one not in seen and one not in barred)
            seen |= set(kept)
            found += [kept] if kept else []
    return tuple(found)


def _banks(hall: Hall, numbers: object) -> dict[str, int]:
    """Of those who are still in, while the session runs."""
    assert hasattr(numbers, "__contains__")
    return {one.number: one.bank for one in hall.state.left if one.number in numbers}


def standing(hall: Hall) -> dict[str, int]:
    """Everybody's place as things stand."""
    return places(order_of_all(hall))


def to_play(hall: Hall) -> bool:
    """Whether a session is still to come; where one entrant is left, or nobody, none is (n.4.8(d)(i))."""
    last = len(hall.state.sessions) == len(hall.terms.sessions) and hall.state.phase == "between"
    return not last and len(hall.state.left) > 1


def fix_order(hall: Hall, act: acts.FinalOrder, by: By) -> None:
    """Nothing is left to play for, and no tie is open that a prize depends on."""
    if to_play(hall):
        hall.refuse("Another session is to be played.", "4.3(a)(i)")
    if doubts := [text for code, text in hall.state.alarms.items() if code.startswith("order:")]:
        hall.refuse(" ".join(doubts), "4.5(a)")
    order, result = order_of_all(hall), hall.terms.result
    out = barred(hall)
    eligible = tuple(group for each in order if (group := tuple(one for one in each if one not in out)))
    if ties := open_ties(eligible, len(result.prizes.split), result.ties.how == "share"):
        names = "; ".join(", ".join(group) for group in ties)
        hall.refuse(f"Equal: {names}; the terms tell them apart by {result.ties.how.replace('_', ' ')}.", "4.6(a)")
    hall.state.final, hall.state.places = order, places(order)
    for number in flat(order):
        one = hall.entrant(number)
        if hall.entrants_may("got_place", one):
            hall.fire_entrant("got_place", one)
    hall.note("final_order", f"{flat(order)[0] if order else 'nobody'} wins", "4.6(a)")


def barred(hall: Hall) -> set[str]:
    """Who has a place and no prize (T-30); contractors and associates only where the terms say so."""
    terms = hall.terms.tournament
    flags = {"employee"} | ({"contractor"} if not terms.contractors_win else set())
    flags |= {"associate"} if not terms.associates_win else set()
    return {one.number for one in hall.state.entrants.values() if flags & set(one.flags)}


def paid_in(hall: Hall) -> Paid:
    """What entrants paid in all, less what was refunded, fees first."""
    paid = dict.fromkeys(("entry_fee", "buy_in", "again"), 0)
    for one in hall.state.entrants.values():
        back = one.refunded
        for kind, cents in one.paid.items():
            taken = min(back, cents)
            back -= taken
            paid[kind if kind in paid else "again"] += cents - taken
    return Paid(paid["entry_fee"], paid["buy_in"], paid["again"])


def due(hall: Hall, order: Order) -> tuple[int, dict[str, int]]:
    """The pool, and who wins what of it by this order."""
    terms = hall.terms.result.prizes
    amount = prizes.pool(terms, paid_in(hall))
    return amount, prizes.awarded(terms, amount, order, barred(hall))


def take_deal(hall: Hall, act: acts.Deal, by: By) -> None:
    """Those who are left share what the places they play for are worth; places are played out all the same."""
    left = [one.number for one in hall.state.left] or list(flat(hall.state.final))[: len(act.cents)]
    amount, _ = due(hall, ())
    shares = prizes.by_place(hall.terms.result.prizes, amount, max(len(left), len(hall.terms.result.prizes.split)))
    theirs = dict(zip(left, (*shares, *[0] * len(left)), strict=False))
    try:
        hall.state.deal = prizes.dealt(hall.terms.result.prizes, theirs, act.cents, act.agreed)
    except NoDeal as no:
        hall.refuse(f"{no.text}.", *no.clauses)
    hall.say(f"with {len(act.agreed)} consents")
    hall.note("deal", ", ".join(f"{number} {dollars(cents)}" for number, cents in act.cents.items()), "4.7(b)")


def fix_prizes(hall: Hall, act: acts.ListPrizes, by: By) -> None:
    """Every dollar of the pool has a name, or nothing is listed."""
    if held := [one.number for one in hall.state.entrants.values() if one.held]:
        hall.refuse(f"Winnings of {', '.join(held)} are held until the inquiry is over.", "4.7(b)")
    amount, won = due(hall, hall.state.final)
    if hall.state.deal:
        others = {number: cents for number, cents in won.items() if number not in hall.state.deal}
        won = others | {number: cents for number, cents in hall.state.deal.items() if cents}
    if sum(won.values()) != amount:
        hall.refuse(f"The prizes come to {dollars(sum(won.values()))}, and the pool is {dollars(amount)}.", "4.7(b)")
    hall.state.pool, hall.state.prizes = amount, won
    for number, cents in won.items():
        hall.note("prize", f"{dollars(cents)} to {number}", "4.7(b)")


def turn_into_cash(hall: Hall, act: acts.ToCash, by: By) -> None:
    """At the stated rate, once the counts are agreed (T-2)."""
    rate = hall.terms.bank.cash
    if rate is None:
        hall.refuse("These terms turn no chips into cash.", "4.3(c)")
    session = hall.state.session
    if session is None or not session.banks or not hall.all_agreed():
        hall.refuse("No agreed count.", "4.3(c)")
    if hall.state.cash:
        hall.refuse("It was done already.", "4.3(c)")
    hall.state.cash = {number: prizes.in_cash(rate, units) for number, units in session.banks.items()}
    for number, units in session.banks.items():
        hall.state.removed += units
        hall.entrant(number).bank = 0
        for table in hall.state.tables.values():
            table.banks.pop(number, None)
        hall.note("cash", f"{number}: {units:,} units are {dollars(hall.state.cash[number])}", "4.3(c)")


def give_up(hall: Hall, act: acts.Abandon, by: By) -> None:
    """Abandoned: rounds under way are finished, counts agreed, standings as they are, refunds as the terms say."""
    hall.state.final = order_of_all(hall)
    hall.state.places = places(hall.state.final)
    for name in hall.playing_tables():
        hall.order(name, "tournament_abandon")
    hall.say("refunds as the terms say; the complaint right is told")
    hall.note("abandoned", f"{act.why}; complaints may be taken to the regulator", "4.8(d)(i)", "4.8(j)")


def let_tables_go(hall: Hall, act: acts.Release, by: By) -> None:
    """Counts and chips are handed in, nothing is in transit, and what is owed is listed."""
    hall.nothing_due()
    if hall.state.in_transit:
        hall.refuse(f"{hall.state.in_transit:,} units are still between two tables.", "2.5")
    if open_ones := [number for number, one in enumerate(hall.state.disputes, 1) if not one.decision]:
        hall.refuse(f"Dispute {', '.join(map(str, open_ones))} is open.", "4.8(h)")
    for table in hall.state.tables.values():
        if table.designated:
            hall.order(table.name, "tournament_release")
    hall.note("released", "the tables are free", "2.5")


# -- disputes ----------------------------------------------------------------------------------------------------------


def begin_dispute(hall: Hall, act: acts.OpenDispute, by: By) -> None:
    hall.state.disputes.append(Dispute(act.about, act.entrant, hall.at, act.of_the_game))
    hall.say(f"dispute {len(hall.state.disputes)}")
    hall.note("dispute", act.about, "4.8(h)")


def end_dispute(hall: Hall, act: acts.CloseDispute, by: By) -> None:
    """About the game the rank that the rulebook names, about the tournament the Director (T-49)."""
    if not 1 <= act.number <= len(hall.state.disputes):
        hall.refuse(f"There is no dispute {act.number}.", "4.8(h)")
    one = hall.state.disputes[act.number - 1]
    if one.decision:
        hall.refuse(f"It was decided by {one.by}.", "4.8(h)")
    if one.of_the_game and not hall.ranks(by, hall.book.dispute_rank):
        hall.refuse(
            f"A dispute about the game is decided by {hall.book.dispute_rank}.", clauses=(hall.book.dispute_clause,)
        )
    if not one.of_the_game and not hall.directs(by):
        hall.refuse("A dispute about the tournament is decided by the Director.", "4.8(h)")
    one.decision, one.by = act.decision, by.id
    hall.say("final; the complaint right is told")
    hall.note(
        "dispute_closed", f"{act.decision}; told that complaints may be taken to the regulator", "4.8(h)", "4.8(j)"
    )
