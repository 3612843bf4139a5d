"""One tag that two places see: the chip is on its way, or there are two with one tag.

Until the first place lets go of it the second has nothing: no wager, no payment, no chip of the tray. Two antennas may
tell a move in either order; what both still see after a second is a copy, and stays one until it is lifted. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.money import alarms

if TYPE_CHECKING:
    from controller.money.table_money import Money

TWICE_MS = 1_000
"""A tag that both places still see after this long exists twice."""
TIMERS = "money:"
TIMER = f"{TIMERS}twice"


class Twice(msgspec.Struct, frozen=True):
    """A tag that two places see, and since when; `first` is where it lay before."""

    chip: Chip
    first: int
    second: int
    since: int


def seen(money: Money, chip: Chip, first: int, second: int) -> None:
    """Nothing moves in the books until the first of the two places has let go of the tag."""
    if chip.tag not in money.state.twice:
        money.state.twice[chip.tag] = Twice(chip, first, second, money.desk.at)
        money.desk.timer(TIMER, money.desk.at + TWICE_MS)


def let_go(money: Money, tag: int, area: int) -> bool:
    """Whether this removal is all about a tag's being in two places: then it has been seen to."""
    known = money.state.twice.get(tag)
    if known is None or area not in (known.first, known.second):
        return False
    copied = tag in money.state.cloned
    if area == known.first and copied:
        return False  # the chip itself goes its way; its copy lies where it lies
    del money.state.twice[tag]
    money.state.cloned.discard(tag)
    if area == known.first:
        money.carry(area, (), (tag,), False)
        money.carry(known.second, (known.chip,), (), False)
    return True


def prove(money: Money) -> None:
    """The timer came: a tag that still is in two places exists twice."""
    for tag, known in money.state.twice.items():
        if tag in money.state.cloned:
            continue
        if money.desk.at - known.since < TWICE_MS:
            money.desk.timer(TIMER, known.since + TWICE_MS)
            continue
        money.state.cloned.add(tag)
        alarms.Cloned(first=money.where(known.first), second=money.where(known.second)).holds(money, tag)


# -- what a game is told -----------------------------------------------------------------------------------------------


def once(money: Money, move: ChipsMoved) -> ChipsMoved:
    """The change without chips that another place has."""
    if not any(_elsewhere(money, chip.tag, move.area) for chip in move.added):
        return move
    added = tuple(chip for chip in move.added if not _elsewhere(money, chip.tag, move.area))
    return msgspec.structs.replace(move, added=added)


def arrived(money: Money, known: Mapping[int, Twice], moves: Iterable[ChipsMoved]) -> Iterator[ChipsMoved]:
    """Chips that had been seen at their second place before, and are there now that the first has let go."""
    told = {chip.tag for move in moves for chip in move.added}
    for tag, before in known.items():
        if tag not in told and tag not in money.state.twice and money.place_of(tag) == before.second:
            ago = money.desk.at - before.since
            yield ChipsMoved("chips", before.second, (before.chip,), ago=ago)


def counted_once(money: Money, event: ChipsCounted) -> ChipsCounted:
    """Everything as it was read anew, each chip where it counts."""
    if not money.state.twice:
        return event
    areas = {
        area: tuple(chip for chip in chips if not _elsewhere(money, chip.tag, area))
        for area, chips in event.areas.items()
    }
    return msgspec.structs.replace(event, areas=areas)


def _elsewhere(money: Money, tag: int, area: int) -> bool:
    if tag in money.state.cloned and money.state.twice[tag].second == area:
        return True
    return money.place_of(tag) not in (None, area)
