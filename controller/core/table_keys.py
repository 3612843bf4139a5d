"""What people may do with the table itself, whatever is played: open and close it, its limits, its faults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from controller.core import take_back
from controller.core.alarms import end_by_hand
from controller.core.desk import Ask, Limits, PersonalLimit, Refusal
from controller.core.keys import Keys
from controller.money.float_tray import float_slip
from controller.people import Person

if TYPE_CHECKING:
    from controller.core.table import Table

KEYS: Keys[Table] = Keys()


def _by_hand(table: Table) -> Iterator[tuple[str, str]]:
    return ((fault.code, fault.text) for fault in table.state.faults.values() if fault.rank)


def _to_see_to(table: Table) -> Iterator[tuple[str, str]]:
    return ((alarm.code, alarm.text) for alarm in table.state.desk.alarms.values() if table.ends_by_hand(alarm.code))


FLOAT_SLIP = Ask("float", "slip", "Float slip, dollars and chips: 5:40 25:20", optional=True, aside=True)
LEAST = Ask("least", "money", "Minimum", least=None)
MOST = Ask("most", "money", "Maximum", least=None)
PLAYER = Ask(
    "player", "player", "Player", offered=lambda t: ((name, name) for name in t.game.players_here()), suggested=True
)
WITH_LIMITS = Ask("player", "player", "Player", offered=lambda t: ((name, name) for name in t.state.personal),
                  suggested=True)  # fmt: skip
CONSENT = Ask("consent", "flag", "All players agree: it holds at once", optional=True,
              known=lambda house: house.every_change)  # fmt: skip
FAULT = Ask("fault", "choice", "Fault", offered=_by_hand, suggested=True)
ALARM = Ask("alarm", "choice", "Alarm", offered=_to_see_to, suggested=True)
FOUND = Ask("reason", "text", "What was found", optional=True)
MAY_SAY_WHY = Ask("reason", "text", "Why, if it was somebody else's or chips have moved", optional=True)
LAID = Ask("laid", "flag", "The marker lies at the position", optional=True)


@KEYS.key(
    "open",
    "Open the table",
    power="open_table",
    rank=1,
    asks=(FLOAT_SLIP,),
    undo="never",
    when=lambda t: t.life.can("open_table"),
)
def open_(table: Table, by: Person, *, float: str | dict[str, int] | None = None) -> None:
    if table.state.edition_due:
        version = table.state.edition_due
        raise Refusal(
            "edition_due", f"The rulebook's version {version} is in force; restart the controller, then open the table."
        )
    table.life.fire("open_table", float_slip(float), by)


@KEYS.key(
    "give_up_opening",
    "Stay closed",
    power="open_table",
    rank=1,
    while_suspended=True,
    when=lambda t: t.life.may("give_up_opening"),
)
def give_up_opening(table: Table, by: Person) -> None:
    table.life.fire("give_up_opening")


def _closing_means_something(table: Table) -> bool:
    return table.playing and (table.state.closing is None or (table.game.idle() and table.may_close()))


@KEYS.key("close", "Close the table", power="close", asks=(FLOAT_SLIP,), undo="never", when=_closing_means_something)
def close(table: Table, by: Person, *, float: str | dict[str, int] | None = None) -> None:
    slip = float_slip(float)
    if table.game.idle() and table.may_close():
        table.life.fire("close", slip, by)
    elif table.state.closing is not None:
        clause = table.keys["close"].clause
        raise Refusal("notice_runs", f"Closing notice still runs: {table.notice_text()}.", (clause,))
    else:
        table.life.fire("give_notice", by)


@KEYS.key(
    "limits",
    "Change the limits",
    power="change_limits",
    asks=(LEAST, MOST, CONSENT),
    when=lambda t: t.state.life != "suspended",
)
def limits(table: Table, by: Person, *, least: int, most: int, consent: bool = False) -> None:
    old = table.state.limits
    new = msgspec.structs.replace(old, least=least, most=most)
    _in_order(least, most)
    house = table.house
    table.desk.ruled("limits", f"{new.least}-{new.most}", by, (house.raising.clause,))
    waits = new.least > old.least or (house.every_change and new != old)
    free = house.every_change and (consent or not table.game.players_present())
    announced = _with_announced(table, new)
    if waits and not free:
        table.propose_limits(announced)
    else:
        table.take_limits(new, announced)
    table.show_sign()


def _with_announced(table: Table, new: Limits) -> Limits:
    """These limits, and what was announced before of the one that stays as it is: its notice is not taken back."""
    old, coming = table.state.limits, table.state.coming
    if coming is None or new == old:
        return new
    least = coming.limits.least if new.least == old.least else new.least
    most = coming.limits.most if new.most == old.most else new.most
    return msgspec.structs.replace(new, least=least, most=max(most, least))


@KEYS.key(
    "personal_limit",
    "Agree personal limits",
    power="personal_limit",
    asks=(PLAYER, LEAST, MOST),
    only_where_known=True,
    when=lambda t: t.playing,
)
def personal_limit(table: Table, by: Person, *, player: str, least: int, most: int) -> None:
    _in_order(least, most)
    table.state.personal[player] = PersonalLimit(least, most)
    clause = table.keys["personal_limit"].clause
    table.desk.ruled("personal_limit", f"{player}: {least}-{most}", by, (clause,))
    table.desk.announce("dealer", "marker", f"Lay the limit marker at the position of {player}.", (clause,))


def _in_order(least: int, most: int) -> None:
    if not 0 < least <= most:
        raise Refusal("bad_limits", "The minimum must be above nothing and not above the maximum.")


@KEYS.key(
    "marker",
    "Marker laid or lifted",
    power="personal_limit",
    rank=1,
    asks=(WITH_LIMITS, LAID),
    only_where_known=True,
    when=lambda t: t.playing and bool(t.state.personal),
)
def marker(table: Table, by: Person, *, player: str, laid: bool = True) -> None:
    clause = table.keys["marker"].clause
    if player not in table.state.personal:
        raise Refusal("no_personal_limit", f"No personal limits are agreed for {player}.", (clause,))
    table.state.personal[player] = msgspec.structs.replace(table.state.personal[player], marker=laid)
    table.desk.note("marker", (clause,), player=player, laid=laid, by=by.id)


@KEYS.key(
    "clear_fault",
    "Fault looked at and cleared",
    power="resume",
    asks=(FAULT, FOUND),
    while_suspended=True,
    when=lambda t: any(fault.rank for fault in t.state.faults.values()),
)
def clear_fault(table: Table, by: Person, *, fault: str, reason: str = "") -> None:
    known = table.state.faults.get(fault)
    if known is None:
        raise Refusal("no_such_fault", f"There is no fault {fault!r}.")
    if not known.rank:
        raise Refusal("not_by_hand", f"This goes away by itself once its cause does: {known.remedy}")
    table.fault_over(fault)
    table.desk.ruled("fault", fault, by, (table.keys["clear_fault"].clause,), reason)


@KEYS.key(
    "seen_to",
    "Alarm seen to",
    power="seen_to",
    like="resume",
    rank=1,
    asks=(ALARM, FOUND),
    while_suspended=True,
    when=lambda t: any(_to_see_to(t)),
)
def seen_to(table: Table, by: Person, *, alarm: str, reason: str = "") -> None:
    known = table.state.desk.alarms.get(alarm)
    if known is None:
        raise Refusal("no_such_alarm", f"There is no alarm {alarm!r}; it may be over already.")
    rank, clause = table.ends_by_hand(alarm) or (0, "")
    if not rank:
        raise Refusal("not_by_hand", f"This goes away by itself once its cause does: {known.remedy}", known.clauses)
    if by.rank < rank:
        raise Refusal("rank_too_low", f"“{known.text}” needs rank {rank} or above; {by.id} has {by.rank}.", (clause,))
    end_by_hand(table.desk, alarm)
    table.desk.ruled("alarm", alarm, by, (clause,), reason)


@KEYS.key(
    "take_back",
    "Take the last key back",
    power=take_back.KEY,
    like="resume",
    rank=1,
    asks=(MAY_SAY_WHY,),
    while_suspended=True,
    undo="never",
    when=lambda t: take_back.last_key(t) is not None,
)
def take_it_back(table: Table, by: Person, *, reason: str = "") -> None:
    """Whoever pressed it, at once; a rank with a reason where chips have moved since, or for somebody else."""
    take_back.check(table, by, reason)
    table.taking_back = True
