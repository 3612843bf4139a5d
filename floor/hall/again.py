"""Ways back in and ways out: eliminations undone, chips bought again, retirement, disqualification, inquiries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.money.amounts import dollars
from controller.tournament.standings import Out
from floor.hall import acts
from floor.hall.clock import level_now, now_on
from floor.hall.field import tell_doubts
from floor.hall.state import By, Entrant

if TYPE_CHECKING:
    from floor.hall.hall import Hall


def undo_elimination(hall: Hall, act: acts.UndoOut, by: By) -> None:
    """A wrong elimination is undone by a second row, here and at the table; places follow by themselves."""
    one = hall.entrant(act.entrant)
    if one.number not in hall.state.outs:
        hall.refuse(f"{one.number} was not eliminated at a table, but did not go on.", "4.5(a)")
    hall.state.outs.pop(one.number)
    tell_doubts(hall)
    hall.order(one.table, "tournament_not_out", who=one.number)
    hall.note("out_taken_back", f"the elimination of {one.number} is taken back by {by.id}", "4.5(a)")


def _pay(hall: Hall, one: Entrant, what: str, cents: int) -> None:
    one.paid = {**one.paid, what: one.paid.get(what, 0) + cents}
    hall.note(what, f"{one.number} pays {dollars(cents)} for {what.replace('_', ' ')}", "4.1(a)(ii)")


def take_rebuy(hall: Hall, act: acts.Rebuy, by: By) -> None:
    """Paid here, within the window; the chips come at the table, between rounds and never during a hand."""
    one, rule = hall.entrant(act.entrant), hall.terms.again.rebuy
    if rule is None:
        hall.refuse("The terms offer no re-buy.", "4.1(a)(ii)")
    if rule.until_level and level_now(hall) > rule.until_level:
        hall.refuse(f"Re-buys closed with level {rule.until_level}.", "4.3(a)(iv)")
    if rule.times and one.rebuys >= rule.times:
        hall.refuse(f"{one.number} has had {rule.times} already.", "4.1(a)(ii)")
    if rule.when == "stack_zero" and one.bank:
        hall.refuse(f"{one.number} still has {one.bank:,}.", "4.3(a)(iv)")
    one.rebuys += 1
    hall.state.outs.pop(one.number, None)
    tell_doubts(hall)
    _pay(hall, one, "rebuy", hall.terms.tournament.money.rebuy)
    hall.say(f"{one.table} gives {rule.units:,} between rounds")


def take_add_on(hall: Hall, act: acts.AddOn, by: By) -> None:
    one, rule = hall.entrant(act.entrant), hall.terms.again.add_on
    if rule is None:
        hall.refuse("The terms offer no add-on.", "4.1(a)(ii)")
    on, _ = now_on(hall, hall.at)
    if not hall.state.paused_at and not (on is not None and on.is_break):
        hall.refuse(f"Only at the {rule.at}.", "4.1(a)(ii)")
    if one.add_ons >= rule.times:
        hall.refuse("One each." if rule.times == 1 else f"{rule.times} each.", "4.1(a)(ii)")
    one.add_ons += 1
    _pay(hall, one, "add_on", hall.terms.tournament.money.add_on)
    hall.say(f"{one.table} gives {rule.units:,}")


def take_buy_back(hall: Hall, act: acts.BuyBack, by: By) -> None:
    """Back among those who go on, for the stated price, as often as the terms allow, until the next seats are drawn."""
    one, rule = hall.entrant(act.entrant), hall.terms.again.buy_back
    if rule is None:
        hall.refuse("The terms offer no buy-back.", "4.3(a)(iv)")
    if hall.state.phase != "between" or len(hall.state.sessions) >= len(hall.terms.sessions):
        hall.refuse(f"Buy-backs are open between sessions, until {rule.until}.", "4.3(a)(iv)")
    if one.buy_backs >= rule.times:
        hall.refuse(f"{one.number} has bought back {rule.times} times already.", "4.3(a)(iv)")
    if not hall.session.confirmed:
        hall.refuse("Who goes on is not confirmed yet.", "4.3(a)(iii)")
    one.buy_backs += 1
    hall.state.outs.pop(one.number, None)
    tell_doubts(hall)
    _pay(hall, one, "buy_back", rule.price)


def _goes(hall: Hall, one: Entrant, why: str, ending: str) -> None:
    hall.state.outs[one.number] = Out(one.number, one.table, -hall.at, hall.at, hall.at, one.bank)
    if one.phase == "seated":
        hall.session.seats.pop(one.number)
    if one.phase == "playing":
        kind = "tournament_retire" if why == "retired" else "tournament_disqualify"
        hall.order(one.table, kind, who=one.number)
    hall.note(why, f"{one.number}: {why}", ending)


def take_retirement(hall: Hall, act: acts.Retire, by: By) -> None:
    """After the round; the place is that of the moment (T-29)."""
    _goes(hall, hall.entrant(act.entrant), "retired", "4.8(b)(vi)")


def take_disqualification(hall: Hall, act: acts.Disqualify, by: By) -> None:
    """After the round under way, whose wagers are settled by the game's rules (T-28)."""
    one = hall.entrant(act.entrant)
    _goes(hall, one, "disqualified", "4.8(a)(ii)")
    hall.note("disqualified_for", f"{one.number}: {act.why}; by {by.id}", "4.8(b)(v)")


def hold_winnings(hall: Hall, act: acts.Hold, by: By) -> None:
    """Under suspicion: place and prize wait for the inquiry (war 11.2.3, wheel 9.2.3, poker 13.2.3)."""
    hall.entrant(act.entrant).held = act.why
    hall.note("held", f"winnings of {act.entrant} are held: {act.why}; by {by.id}", "4.7(b)")


def let_winnings_go(hall: Hall, act: acts.LetGo, by: By) -> None:
    hall.entrant(act.entrant).held = ""
    hall.note("let_go", f"the inquiry about {act.entrant} is over; by {by.id}", "4.7(b)")
