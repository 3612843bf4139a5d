"""The float at a running table: opened and closed against its slip, booked by people, followed by its chips."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from controller.core.desk import Refusal
from controller.money import alarms, payment
from controller.money import float as floats
from controller.money.amounts import dollars
from controller.money.payable import payable
from controller.people import Person

if TYPE_CHECKING:
    from controller.money.table_money import Money

TIMER = "money:float"
GRACE_MS = 20_000
"""Chips may be on their way between the tray and a booking, or a hand, for this long."""
READ_MS = 2_000
"""An antenna may lose a chip, or find it, within this time; only what stays so longer is said."""
NAMED = 6
"""Chips that an alarm names one by one; more are told by their number."""
Slip = dict[int, int] | None
"""The number of chips by their value in cents; none where no slip was told."""


def float_slip(slip: Any) -> Slip:
    """A float slip as told with a key: the number of chips by their value in cents, or in dollars as in 5:40 25:20."""
    if slip is None:
        return None
    try:
        if isinstance(slip, str):
            lines = (line.split(":") for line in slip.replace(",", " ").split())
            return {round(100 * float(value.lstrip("$"))): int(count) for value, count in lines}
        return {int(value): int(count) for value, count in dict(slip).items()}
    except (TypeError, ValueError, OverflowError):
        raise Refusal(
            "bad_slip", "A float slip holds chips by their value: dollars and how many, as in 5:40 25:20."
        ) from None


def opened(money: Money) -> None:
    """The float opens with what lies in the tray."""
    state = money.state
    state.opening_due = False
    state.tray = floats.Float(opening=state.tray.value, tray=state.tray.tray, lies=state.tray.lies)
    state.watched = money.has_tray and bool(state.tray.tray)
    if not money.has_tray:
        return
    if not state.watched:
        alarms.FloatEmpty().holds(money)
    since = None if state.closed_with is None else state.tray.opening - state.closed_with
    chips = floats.denominations(state.tray)
    money.desk.note("float_opened", cents=state.tray.opening, chips=chips, since_closing=since)
    _compare(money, "opened", state.tray.opening, state.closed_with)


def closed(money: Money, slip: dict[int, int] | None) -> None:
    """The float closes: what it opened with, what was booked, what play brought."""
    state = money.state
    if not money.has_tray:
        return
    state.slip = slip
    closing = floats.closed(state.tray)
    state.closed_with = closing.closing
    money.desk.note(
        "float_closed",
        cents=closing.closing,
        chips=floats.denominations(state.tray),
        opening=closing.opening,
        booked=closing.booked,
        won=closing.won,
        gap=closing.gap,
    )
    _compare(money, "closed", closing.closing)


def _compare(money: Money, when: str, value: int, before: int | None = None) -> None:
    wrong = [] if before is None or before == value else [f"it was closed with {dollars(before)}"]
    if money.state.slip is not None:
        wrong += [
            f"of {dollars(one.cents)} {one.expected} are on the slip and {one.found} in the tray"
            for one in floats.differences(money.state.tray, money.state.slip)
        ]
    money.state.miscounted = bool(wrong)
    if wrong:
        alarms.FloatCount(when=when, value=dollars(value), differences="; ".join(wrong)).happened(money)


def book(money: Money, kind: str, cents: int, by: Person, facts: dict[str, Any]) -> None:
    """Chips come into the tray or leave it with the knowledge of people."""
    tray, watch = money.state.tray, money.state.watch
    if cents <= 0:
        raise Refusal("bad_amount", "An amount above nothing is booked, in cents.")
    strays = set(tray.out)
    if money.state.watched:
        floats.book(tray, kind, cents)
    else:
        tray.booked[kind] = tray.booked.get(kind, 0) + cents
    if watch is not None and not tray.out:
        watch.house -= strays  # they are the player's now and cannot pay anybody
    money.desk.note("booked", kind=kind, cents=cents, by=by.id, **facts)


def explained(money: Money, by: Person, reason: str) -> None:
    """A person has found out where the money is; the books go on from what lies in the tray."""
    gap = money.state.tray.gap
    if "float" not in money.desk.state.alarms:
        raise Refusal("nothing_open", "Nothing is unexplained in the float.")
    money.desk.ruled("float", dollars(gap), by, (), reason)
    floats.balanced(money.state.tray)


def lacks(money: Money) -> str:
    """What the float lacks to pay what is owed, losing chips that are still to come counted; nothing if it can."""
    state = money.state
    if not state.watched or state.watch is None:
        return ""
    left = payment.remaining(state.watch, state.due)
    chips = Counter(state.tray.tray.values())
    chips.update(cents for cents in payment.to_come(state.watch, left) if cents)
    short = sum(due.pays for due in left.values()) - sum(value * count for value, count in chips.items())
    if short > 0:
        return f"the float is {dollars(short)} short of what must be paid"
    unmade = [due for due in left.values() if due.pays and not payable(due.pays, chips)]
    odd = ", ".join(f"{dollars(due.pays)} for {money.layout.name(due.area)}" for due in unmade)
    return f"the chips in the float do not make {odd}" if odd else ""


def look(money: Money) -> None:
    """After every change of chips or books: whether something is missing from now on, still, or no longer."""
    desk = money.desk
    if _nothing_open(money):
        desk.timer_off(TIMER)
    elif "float" in desk.state.alarms:
        missing(money)
    elif money.state.watch is None and TIMER not in desk.state.timers:
        desk.timer(TIMER, desk.at + GRACE_MS)


def _nothing_open(money: Money) -> bool:
    return not money.state.watched or not floats.still_unexplained(money.state.tray, money.desk.at - READ_MS)


def missing(money: Money) -> None:
    """Say what is missing or too much, chip by chip, each with the place where it was last seen.

    A chip that the antennas lose for a moment is not missing yet; it is looked for again a little later.
    """
    tray, desk = money.state.tray, money.desk
    if _nothing_open(money):
        return
    cents, strays = floats.standing(tray, desk.at - READ_MS)
    if cents != tray.gap or not cents:
        desk.timer(TIMER, desk.at + READ_MS + 1)
    if not cents:
        return
    named = [f"{dollars(one.cents)} (tag {one.tag:x}, last seen {money.where(one.last_area)})" for one in strays]
    more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
    chips = ", ".join(named[:NAMED] + more) or "a booking without its chips"
    what = f"{dollars(-cents)} is missing from the float" if cents < 0 else f"{dollars(cents)} too much is in the float"
    unsure = " The tray is read in part only." if tray.partial else ""
    alarms.FloatUnexplained(what=what, chips=chips, unsure=unsure).holds(money)
