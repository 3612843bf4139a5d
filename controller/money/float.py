"""The float tray: what it opened with, what was filled and credited, what it paid and collected, and what is amiss.

Chips are followed by their tags, so money that went from the tray to an area, or from an area to the tray, is known
without being told. Everything else that enters or leaves the tray has to be booked. Colour chips are no money and are
left out. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping

import msgspec

from controller.core.events import Chip

FLOAT = 0
TRAY = "the float tray"
BESIDE = "the felt beside the areas"
LONG_AGO = 0
"""Nobody waits any longer to see whether such a chip was only lost from sight."""
NOWHERE = -1
"""Where chips were that no antenna had read before."""
MONEY = frozenset({"cash", "token"})
BOOKINGS = {
    "fill": 1,
    "credit": -1,
    "buy_in": -1,
    "redeem": -1,
    "bought_back": 1,
    "given_back": -1,
    "taken_back": 1,
    "commission": 1,
}
"""What people book, and whether chips then come into the tray or leave it."""
SIGNS = {**BOOKINGS, "explained": 1}
"""The same for everything that changes what the tray should hold."""


def name_beside(area: int) -> str:
    """What people call an area that is none of the game's."""
    return TRAY if area == FLOAT else BESIDE


class Stray(msgspec.Struct, frozen=True):
    """A chip whose way is not known: its value, when, and the area where it was last seen; 0 is the float."""

    tag: int
    cents: int
    at: int
    last_area: int


class Difference(msgspec.Struct, frozen=True):
    """A denomination of which there are not as many as there should be."""

    cents: int
    expected: int
    found: int


class Float(msgspec.Struct):
    """The tray now, and what happened since it last balanced."""

    opening: int = 0
    tray: dict[int, int] = {}
    paid: int = 0
    collected: int = 0
    booked: dict[str, int] = {}
    open_booked: int = 0
    booked_at: int = 0
    out: dict[int, Stray] = {}
    came: dict[int, Stray] = {}
    lies: dict[int, int] = {}
    seen_last: dict[int, tuple[int, int]] = {}
    flows: dict[int, int] = {}
    paid_tags: dict[int, Stray] = {}
    explained: int = 0
    partial: bool = False
    on_slips: dict[int, int] = {}  # chips that open bookings name: those to come, or with a minus to go
    without_slip: bool = False  # some open booking names no chips
    others: tuple[Difference, ...] = ()  # of the right value, and not the chips that a slip names
    unseen: int = 0  # what differs from what was keyed while nobody read the chips; below nothing it is missing
    passed: dict[int, int] = {}  # chips that came to the tray from an area and went on to the layout, by that area
    handed: list[Stray] = []  # chips of the float that were staked without being bought: owed, whoever wins them
    slipped: list[Stray] = []  # chips that came to the tray, nobody says why, and have paid a winner since

    @property
    def value(self) -> int:
        """What lies in the tray."""
        return sum(self.tray.values())

    @property
    def unexplained(self) -> bool:
        """Whether chips left the tray or came to it, or were booked, and the other half of it is missing."""
        return bool(self.gone or self.come or self.open_booked)

    @property
    def gone(self) -> list[Stray]:
        """What left the tray and nobody explained: chips, and the worth of those that were staked."""
        return [*self.out.values(), *self.handed]

    @property
    def come(self) -> list[Stray]:
        """What came to the tray and nobody explained, also where it has gone on as a payment."""
        return [*self.came.values(), *self.slipped]

    @property
    def gap(self) -> int:
        """Money in the tray that nothing explains; below nothing when money is missing."""
        strays = sum(stray.cents for stray in self.come) - sum(stray.cents for stray in self.gone)
        return strays - self.open_booked + self.unseen


def opened(chips: Iterable[Chip]) -> Float:
    """Open with what the antennas read in the tray."""
    tray = {chip.tag: chip.cents for chip in chips if chip.kind in MONEY and chip.cents}
    return Float(opening=sum(tray.values()), tray=tray)


def denominations(tray: Float) -> dict[int, int]:
    """How many chips of each value lie in the tray, the highest first."""
    return dict(sorted(Counter(tray.tray.values()).items(), reverse=True))


def differences(tray: Float, declared: Mapping[int, int]) -> tuple[Difference, ...]:
    """Where a float slip (chips by value) and the tray disagree, at opening or closing."""
    found = denominations(tray)
    values = sorted(found.keys() | declared.keys(), reverse=True)
    return tuple(
        Difference(value, declared.get(value, 0), found.get(value, 0))
        for value in values
        if declared.get(value, 0) != found.get(value, 0)
    )


def book(tray: Float, kind: str, cents: int, chips: Mapping[int, int] | None = None) -> None:
    """Chips come or go with the knowledge of people: a fill, a credit, a player's buy-in, redeemed colour chips.

    `chips` are those that its slip names, by value; those that move are held against them once their value is right.
    """
    if kind not in BOOKINGS:
        raise ValueError(f"nothing is booked as {kind!r}; known: {', '.join(BOOKINGS)}")
    if cents <= 0:
        raise ValueError("an amount above nothing is booked")
    for value, count in (chips or {}).items():
        tray.on_slips[value] = tray.on_slips.get(value, 0) + BOOKINGS[kind] * count
    tray.without_slip |= not chips
    _booked(tray, kind, cents)


def correct(tray: Float, kind: str, cents: int) -> None:
    """What was booked as this kind is so much more, or with a minus less; the chips are held against it anew.

    An explanation that is taken back leaves what it explained to be explained.
    """
    tray.without_slip = True
    _booked(tray, kind, cents)


def _booked(tray: Float, kind: str, cents: int) -> None:
    tray.booked[kind] = tray.booked.get(kind, 0) + cents
    tray.open_booked += SIGNS[kind] * cents
    if kind == "explained":
        tray.open_booked, tray.unseen = tray.open_booked - tray.unseen, 0
    _claim(tray)


def _claim(tray: Float) -> None:
    """Chips that left and came add up to what was booked: that is what they were."""
    if tray.open_booked and tray.gap == tray.unseen:
        if tray.on_slips and not tray.without_slip:
            tray.others = _unlike(tray)
        tray.on_slips, tray.without_slip = {}, False
        tray.explained += tray.open_booked
        tray.open_booked = 0
        _nothing_astray(tray)


def _nothing_astray(tray: Float) -> None:
    tray.out, tray.came, tray.handed, tray.slipped = {}, {}, [], []


def _unlike(tray: Float) -> tuple[Difference, ...]:
    """Where the chips that moved are others than those of the slips."""
    moved = Counter(stray.cents for stray in tray.come)
    moved.subtract(stray.cents for stray in tray.gone)
    values = sorted({*moved, *tray.on_slips}, reverse=True)
    named = {value: tray.on_slips.get(value, 0) for value in values}
    return tuple(Difference(value, named[value], moved[value]) for value in values if named[value] != moved[value])


def still_unexplained(tray: Float, before: int, closed_at: int = 0) -> bool:
    """Whether anything is; as much that came as went, and has stayed so since this moment, was changed for others.

    What went between tray and layout since bets were closed is no change: it may be taken and paid early.
    """
    even = tray.gone and tray.come and tray.gap == tray.unseen and not tray.open_booked
    if even and all(stray.at < before for stray in (*tray.gone, *tray.come)):
        if early(tray, closed_at):
            return False
        _nothing_astray(tray)
    return tray.unexplained


def early(tray: Float, closed_at: int) -> list[Stray]:
    """What went between tray and layout since bets were closed, and before anything was owed."""
    if not closed_at:
        return []
    return [
        stray for stray in (*tray.out.values(), *tray.came.values()) if stray.last_area > 0 and stray.at > closed_at
    ]


def standing(tray: Float, before: int) -> tuple[int, list[Stray]]:
    """What is missing (below nothing) or too much, by chips that were gone or there before this moment; and those."""
    out = [stray for stray in tray.gone if stray.at < before]
    came = [stray for stray in tray.come if stray.at < before]
    cents = sum(stray.cents for stray in came) - sum(stray.cents for stray in out) - tray.open_booked
    return cents, sorted(out if cents < 0 else came if cents > 0 else [], key=lambda stray: (stray.at, stray.tag))


def moved(
    tray: Float,
    area: int,
    added: Iterable[Chip],
    removed: Iterable[int],
    at: int,
    partial: bool = False,
    owed: bool = True,
) -> None:
    """Chips came to an area or to the tray, or left it; in whichever order two antennas tell it.

    While nothing is owed, chips that go between tray and layout are no payments: they stay to be explained.
    """
    if area == FLOAT:
        tray.partial = partial
    for chip in added:
        if chip.kind in MONEY and chip.cents:
            if area == FLOAT:
                _into(tray, chip, at, owed)
            else:
                _onto(tray, chip, area, at, owed)
    for tag in removed:
        if area == FLOAT and tag in tray.tray:
            cents = tray.tray.pop(tag)
            if tag in tray.came:
                tray.passed[tag] = tray.came.pop(tag).last_area
            else:
                tray.out[tag] = Stray(tag, cents, at, FLOAT)
        elif tray.lies.get(tag) == area:
            tray.seen_last[tag] = tray.lies.pop(tag), at
    _claim(tray)


def counted(tray: Float, areas: Mapping[int, Iterable[Chip]], at: int) -> None:
    """Everything was read anew: what differs is taken as moved, that which left first."""
    now = {area: {chip.tag: chip for chip in chips} for area, chips in areas.items()}
    held = {FLOAT: set(tray.tray)}
    for tag, area in tray.lies.items():
        held.setdefault(area, set()).add(tag)
    for area, tags in held.items():
        if area in now:
            moved(tray, area, (), sorted(tags - now[area].keys()), at)
    for area, chips in now.items():
        fresh = [chip for tag, chip in chips.items() if tag not in held.get(area, set())]
        moved(tray, area, fresh, (), at)


def _into(tray: Float, chip: Chip, at: int, owed: bool) -> None:
    tag, cents = chip.tag, chip.cents
    if tag in tray.tray:
        return
    tray.tray[tag] = cents
    area = tray.lies.pop(tag, None)
    if area is None:
        area, _ = tray.seen_last.pop(tag, (None, 0))
    if tray.out.pop(tag, None) is not None:
        return
    if area is None or not owed:
        tray.came[tag] = Stray(tag, cents, at, NOWHERE if area is None else area)
        return
    tray.collected += cents
    tray.flows[area] = tray.flows.get(area, 0) - cents
    tray.paid_tags.pop(tag, None)


def _onto(tray: Float, chip: Chip, area: int, at: int, owed: bool) -> None:
    tag, cents = chip.tag, chip.cents
    tray.seen_last.pop(tag, None)
    from_tray = tray.tray.pop(tag, None) is not None
    stray = tray.out.pop(tag, None)
    if from_tray and (came := tray.came.pop(tag, None)) is not None:
        # It came from nowhere and went on to the layout: to the tray it is as if it had never been there.
        from_tray = False
        tray.passed[tag] = came.last_area
    if owed and tray.passed.get(tag) == NOWHERE:
        # A fill that pays at once: it has paid, and what it was is still to be explained.
        from_tray = True
        tray.slipped.append(Stray(tag, cents, LONG_AGO, tray.passed.pop(tag)))
    if stray is not None and stray.last_area == area:
        # It lay there before and was lost from sight for a moment.
        tray.out[tag] = stray
    elif (from_tray or stray is not None) and not owed:
        tray.out[tag] = Stray(tag, cents, at, area)
    elif from_tray or stray is not None:
        tray.paid += cents
        tray.flows[area] = tray.flows.get(area, 0) + cents
        tray.paid_tags[tag] = Stray(tag, cents, at, area)
    tray.lies[tag] = area


class Unexplained(msgspec.Struct, frozen=True):
    """Money that settlements and bookings do not explain, and the chips it can be, with where each was last seen."""

    cents: int
    chips: tuple[Stray, ...]
    areas: dict[int, int]
    sure: bool


def unexplained(tray: Float, due: Mapping[int, int]) -> Unexplained | None:
    """Compare what left and came back with what settlements asked of each area (net cents to the area).

    None when everything is explained. `areas` holds what went to an area beyond its due; below nothing, what is short.
    """
    off = {
        area: flow
        for area in sorted(tray.flows.keys() | due.keys())
        if (flow := tray.flows.get(area, 0) - due.get(area, 0))
    }
    gap = tray.gap
    if not gap and not off:
        return None
    strays = tray.gone if gap < 0 else tray.come if gap > 0 else []
    beyond = [stray for stray in tray.paid_tags.values() if off.get(stray.last_area, 0) > 0]
    chips = sorted((*strays, *beyond), key=lambda stray: (stray.at, stray.tag))
    return Unexplained(gap, tuple(chips), off, not tray.partial)


def owed_already(tray: Float, tag: int) -> bool:
    """A chip that went between tray and layout a little early was taken or paid after all; False when it did not."""
    came, out = tray.came.pop(tag, None), tray.out.pop(tag, None)
    if came is not None:
        tray.collected += came.cents
    elif out is not None and tag in tray.lies:
        tray.paid += out.cents
    elif out is not None:
        tray.out[tag] = out
        return False
    return came is not None or out is not None


def staked(tray: Float, tag: int, at: int) -> None:
    """A chip that went to the layout while something was owed is a stake there: to be explained, and no payment."""
    paid = tray.paid_tags.pop(tag, None)
    if paid is not None:
        tray.paid -= paid.cents
        tray.flows[paid.last_area] -= paid.cents
        tray.out[tag] = Stray(tag, paid.cents, at, paid.last_area)
        _claim(tray)


def in_play(tray: Float, tags: Iterable[int]) -> None:
    """These chips are stakes that count: one that the float handed out unbooked is owed to it from now on.

    A stake that is lost and collected is what the house has won, and does not bring back what was handed out.
    """
    for tag in tags:
        if tag in tray.out and tray.lies.get(tag) == tray.out[tag].last_area:
            tray.handed.append(tray.out.pop(tag))


def hands_empty(tray: Float, before: int, held: Container[int] = ()) -> None:
    """Chips that left the layout before this moment are no longer in the dealer's hand: the players have them.

    Not so those that are `held`: they were staked, and the dealer may have taken them early.
    """
    if any(at < before and tag not in held for tag, (_, at) in tray.seen_last.items()):
        tray.seen_last = {tag: (area, at) for tag, (area, at) in tray.seen_last.items() if at >= before or tag in held}


def round_over(tray: Float) -> None:
    """The settlement explains what went between tray and areas; what left or came unseen stays to be explained."""
    tray.seen_last, tray.flows, tray.paid_tags, tray.passed = {}, {}, {}, {}


def balanced(tray: Float) -> None:
    """A person has explained everything up to now: begin anew from what lies in the tray."""
    tray.booked["explained"] = tray.booked.get("explained", 0) + tray.gap
    tray.explained += tray.gap + tray.open_booked
    tray.open_booked, tray.unseen = 0, 0
    tray.on_slips, tray.without_slip = {}, False
    tray.seen_last, tray.flows, tray.paid_tags, tray.passed = {}, {}, {}, {}
    _nothing_astray(tray)


class Closing(msgspec.Struct, frozen=True):
    """A float from opening to closing, in cents; `won` is what the table gained in chips from play."""

    opening: int
    closing: int
    booked: dict[str, int]
    paid: int
    collected: int
    gap: int

    @property
    def won(self) -> int:
        return self.collected - self.paid


def closed(tray: Float) -> Closing:
    """The tray at the end of the day."""
    return Closing(tray.opening, tray.value, dict(tray.booked), tray.paid, tray.collected, tray.gap)
