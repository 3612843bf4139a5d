"""The float while nobody reads its chips: what was keyed in place of them, and what differs once they are read again.

Loaded only where it is played without the chip mat. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from controller.core.events import Chip
from controller.money import alarms
from controller.money.amounts import dollars
from controller.money.float import MONEY, SIGNS, Float

if TYPE_CHECKING:
    from controller.money.table_money import Money


def begin(money: Money) -> None:
    """The tray is followed no longer; what was open in it stays so."""
    money.state.unseen = money.state.watched
    money.state.watched = False


def keyed(money: Money, taken: int, paid: int) -> None:
    """So much was taken and paid that only a key tells of."""
    if money.state.unseen:
        money.state.tray.collected += taken
        money.state.tray.paid += paid


def end(money: Money, chips: Iterable[Chip]) -> None:
    """The tray is read again: its chips are what is there, and only what nobody saw move is told."""
    if not money.state.unseen:
        return
    money.state.unseen, money.state.watched = False, True
    tray = money.state.tray
    tray.tray = {chip.tag: chip.cents for chip in chips if chip.kind in MONEY and chip.cents}
    tray.out = {tag: stray for tag, stray in tray.out.items() if tag not in tray.tray}
    tray.came = {tag: stray for tag, stray in tray.came.items() if tag in tray.tray}
    tray.lies, tray.seen_last, tray.flows, tray.paid_tags, tray.passed = {}, {}, {}, {}, {}
    tray.open_booked, tray.on_slips, tray.without_slip, tray.unseen = 0, {}, False, 0
    tray.unseen = tray.value - should_hold(tray) - tray.gap
    money.desk.note("float_seen_again", cents=tray.value, not_seen=tray.unseen)
    tell(money)


def closed(money: Money) -> None:
    """The float closes unread: with what was counted by hand, or else with what it should hold."""
    state, tray = money.state, money.state.tray
    should, slip = should_hold(tray), state.slip
    cents = should if slip is None else sum(value * count for value, count in slip.items())
    tray.unseen = cents - should
    state.unseen, state.closed_with, state.books.closed_gap = False, cents, tray.unseen
    money.desk.note(
        "float_closed", cents=cents, chips=slip or {}, opening=tray.opening, booked=dict(tray.booked),
        won=tray.collected - tray.paid, gap=tray.unseen, seen=False,
    )  # fmt: skip
    tell(money)


def should_hold(tray: Float) -> int:
    """What lies in the tray if everything that was booked, taken and paid is right."""
    return tray.opening + sum(SIGNS[kind] * cents for kind, cents in tray.booked.items()) + tray.collected - tray.paid


def tell(money: Money) -> None:
    """Say what differs; it was not seen, and accuses nobody."""
    off = money.state.tray.unseen
    if off:
        how = f"{dollars(abs(off))} {'more' if off > 0 else 'less'}"
        alarms.FloatNotSeen(how=how).happened(money)
