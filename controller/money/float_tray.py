"""The float at a running table: opened and closed against its slip, booked by people, followed by its chips."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from controller.core.desk import Refusal, spoken
from controller.money import alarms, bookings, payment
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
MOST_CHIPS = 100_000
"""No tray holds more chips of one value."""
_SLIP_LINE = re.compile(r"\$?([0-9]{1,9})(?:\.([0-9]{1,2}))?:([0-9]{1,9})", re.ASCII)
Slip = dict[int, int] | None
"""The number of chips by their value in cents; none where no slip was told."""


def float_slip(slip: Any) -> Slip:
    """A float slip as told with a key: the number of chips by their value in cents, or in dollars as in 5:40 25:20."""
    if slip is None:
        return None
    if isinstance(slip, str):
        lines = [_line(line) for line in slip.replace(",", " ").split()]
    else:
        lines = [_entry(value, count) for value, count in dict(slip).items()]
    chips: dict[int, int] = {}
    for value, count in lines:
        if value in chips:
            raise Refusal("bad_slip", f"{dollars(value)} stands on this slip twice; add its chips up.")
        chips[value] = count
    return chips


def _line(line: str) -> tuple[int, int]:
    match = _SLIP_LINE.fullmatch(line)
    if match is None:
        raise _bad_slip(line)
    dollars_, cents, count = match.groups()
    return _entry(int(dollars_) * 100 + int((cents or "0").ljust(2, "0")), int(count))


def _entry(value: Any, count: Any) -> tuple[int, int]:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 12:
        value = int(value)
    if type(value) is not int or type(count) is not int or value <= 0 or not 0 <= count <= MOST_CHIPS:
        raise _bad_slip(f"{value}:{count}" if isinstance(count, int | str) else value)
    return value, count


def _bad_slip(what: str) -> Refusal:
    text = f"A float slip holds chips by their value: dollars and how many, as in 5:40 25:20; not {spoken(what)}."
    return Refusal("bad_slip", text)


def opened(money: Money) -> None:
    """The float opens with what lies in the tray."""
    state = money.state
    state.opening_due = False
    bookings.unsigned_is_void(money)
    state.books.openings += 1
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
    state.closed_with, state.books.closed_gap = None, 0


def closed(money: Money, slip: dict[int, int] | None) -> None:
    """The float closes: what it opened with, what was booked, what play brought."""
    state = money.state
    bookings.unsigned_is_void(money)
    if not money.has_tray:
        return
    state.slip = slip
    if state.unseen:
        from controller.money import unseen

        unseen.closed(money)
        return
    closing = floats.closed(state.tray)
    state.closed_with, state.books.closed_gap = closing.closing, closing.gap
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


def counted(money: Money, slip: dict[int, int], by: Person) -> None:
    """The tray was counted by hand, chip by chip; a count that agrees ends what was said of the float before."""
    tray = money.state.tray
    money.state.slip = slip
    found = [msgspec.to_builtins(one) for one in floats.differences(tray, slip)]
    money.desk.note("float_counted", cents=tray.value, chips=floats.denominations(tray), differences=found, by=by.id)
    _compare(money, "was counted", tray.value)


def explained(money: Money, by: Person, reason: str, slip: str = "") -> None:
    """A person has found out where the money is; the books go on from what lies in the tray."""
    gap = money.state.tray.gap
    if not may_explain(money):
        raise Refusal("nothing_open", "Nothing is unexplained in the float.")
    if not reason.strip():
        raise Refusal("reason_needed", "Say what was found: where the money is, and who saw it.")
    bookings.enter(money, "explained", gap, by, slip=slip, reason=reason)
    money.desk.ruled("float", dollars(gap), by, (), reason)


def may_explain(money: Money) -> bool:
    """Whether something is open that a person may explain."""
    return any(kind.code in money.desk.state.alarms for kind in (alarms.FloatUnexplained, alarms.FloatNotSeen))


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
    _hold_against_slips(money)
    if _nothing_open(money):
        desk.timer_off(TIMER)
    elif "float" in desk.state.alarms:
        missing(money)
    elif TIMER not in desk.state.timers:
        desk.timer(TIMER, desk.at + GRACE_MS)


def _hold_against_slips(money: Money) -> None:
    """Chips of the right value that are not those of the slip are said once, and stay so until somebody has looked."""
    tray = money.state.tray
    if not tray.others:
        return
    words = "; ".join(
        f"of {dollars(one.cents)} {abs(one.expected)} are on the slip and {abs(one.found)} moved" for one in tray.others
    )
    money.desk.note("slip_differs", differences=[msgspec.to_builtins(one) for one in tray.others])
    tray.others = ()
    alarms.OtherChips(differences=words).happened(money)


def _nothing_open(money: Money) -> bool:
    return not money.state.watched or not floats.still_unexplained(
        money.state.tray, money.desk.at - READ_MS, money.state.bets_closed_at
    )


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
    if tray.open_booked and not strays and desk.at - tray.booked_at < GRACE_MS:
        # No chip is amiss: those of a booking are on their way, whatever else is booked meanwhile.
        desk.timer(TIMER, tray.booked_at + GRACE_MS)
        return
    named = [f"{dollars(one.cents)} (last seen {_place(money, one.last_area)})" for one in strays]
    more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
    chips = ", ".join(named[:NAMED] + more) or "a booking without its chips"
    what = f"{dollars(-cents)} is missing from the float" if cents < 0 else f"{dollars(cents)} too much is in the float"
    unsure = " The tray is read in part only." if tray.partial else ""
    before = desk.state.alarms.get(alarms.FloatUnexplained.code)
    alarms.FloatUnexplained(what=what, chips=chips, unsure=unsure).holds(money)
    if desk.state.alarms[alarms.FloatUnexplained.code] != before:
        # People are told of chips and places; which chips they are, by their tags, is for the record.
        desk.note("float_unexplained", cents=cents, tags=[one.tag for one in strays])


def _place(money: Money, area: int) -> str:
    return "in the float tray" if area == floats.FLOAT else f"on {money.where(area)}" if area > 0 else "nowhere here"
