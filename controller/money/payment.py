"""Take and pay: whether what moved after a settlement is what the settlement asked for, area by area.

The criterion is value, in whatever chips: what came to an area, less what went from it to the float, must be what its
winners are due less what its losers lose. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from controller.core.effects import WagerResult
from controller.money import float as floats
from controller.money.float import FLOAT, Float

_REMEDIES = {
    "underpaid": "Pay the rest.",
    "overpaid": "Take the surplus back.",
    "paid_twice": "Take the second payment back.",
    "paid_without_win": "Take the payment back.",
    "not_collected": "Collect what has lost.",
    "taken_away": "Find the chips: they left the layout and did not reach the float.",
    "overcollected": "Give back what was taken too much.",
}
NOT_DETECTABLE = {
    "wrong owner": "two winners on one area: the area's sum is right, and cash chips do not say whose they are",
    "paid into the hand": "a payment that never lies on the layout looks like money missing from the float",
    "equal exchange": "chips swapped for others of the same value change nothing that is owed",
    "losing stake for a payment": "a losing stake slid onto a winner's area in the amount due looks like take and pay",
    "a paid winner's chips slid on": "once an area is paid what it is due its chips are the winner's, wherever they go",
    "chips without a tag": "antennas read tags only",
}
"""Wrongs that chips alone cannot show, and why."""
UNDER_WAY_MS = 2_000
"""What left the float no longer ago than this, and is read nowhere yet, may still be in the dealer's hand."""


class Due(msgspec.Struct, frozen=True):
    """What a settlement asks of one area, in cents."""

    area: int
    bet: str
    pays: int = 0
    taken: int = 0

    @property
    def net(self) -> int:
        """What must come to the area; below nothing when more must leave it."""
        return self.pays - self.taken


class Finding(msgspec.Struct, frozen=True):
    """What is wrong on one area and by how much; `sure` is False while an antenna reads in part only."""

    area: int
    bet: str
    kind: str
    cents: int
    sure: bool = True

    @property
    def remedy(self) -> str:
        return _REMEDIES[self.kind]


class Spot(msgspec.Struct, frozen=True):
    """A chip's area and value."""

    area: int
    cents: int


class Watch(msgspec.Struct):
    """Chips since a settlement: where they lay then, what came, what reached the float, what is out of sight.

    `house` are the tags that were in the float: only they can pay, anything else that is laid down is a player's.
    `slid` are those that went from one area to another without a stop at the float. `lent` are chips of the float that
    lay there before anything could be due and are no stake: no payment, and nobody's loss when they go back; `back` are
    those that did. `staked_on` are winnings whose winner has staked them elsewhere, `taken` losing chips that went out
    again as a stake: paid and collected they were, whatever becomes of them there.
    """

    lay: dict[int, Spot] = {}
    house: set[int] = set()
    came: dict[int, Spot] = {}
    collected: dict[int, Spot] = {}
    gone: dict[int, Spot] = {}
    slid: set[int] = set()
    partial: set[int] = set()
    lent: dict[int, Spot] = {}
    back: dict[int, Spot] = {}
    staked_on: list[Spot] = []
    taken: list[Spot] = []


def dues(results: Iterable[WagerResult], area_of: Callable[[WagerResult], int]) -> dict[int, Due]:
    """What a settlement asks of every area that has a wager; withheld winnings are not paid yet."""
    found: dict[int, Due] = {}
    for result in results:
        area = area_of(result)
        before = found.get(area, Due(area, result.bet))
        pays = 0 if result.withheld else result.pays
        found[area] = msgspec.structs.replace(before, pays=before.pays + pays, taken=before.taken + result.stake_taken)
    return found


def amended(due: Due, was: WagerResult, now: WagerResult) -> Due:
    """What is asked of an area once one of its wagers is decided otherwise."""
    after, before = (dues((one,), lambda _: due.area)[due.area] for one in (now, was))
    return msgspec.structs.replace(
        due, pays=due.pays + after.pays - before.pays, taken=due.taken + after.taken - before.taken
    )


def without(due: Due, result: WagerResult) -> Due:
    """What is asked of an area once one of its results is taken back; below nothing, as much goes the other way."""
    pays = due.pays - (0 if result.withheld else result.pays)
    taken = due.taken - result.stake_taken
    return Due(due.area, due.bet, max(pays, 0) + max(-taken, 0), max(taken, 0) + max(-pays, 0))


def watch_from(chips: Iterable[tuple[int, int, int]], tray: Iterable[int] = ()) -> Watch:
    """Begin at a settlement with what lies on the layout, (tag, area, cents), and the tags in the float."""
    return Watch({tag: Spot(area, cents) for tag, area, cents in chips if area != FLOAT}, set(tray))


def begun(
    tray: Float, laid: Mapping[int, Spot], rack: Iterable[int], governing: Mapping[int, Spot], closed_at: int
) -> Watch:
    """Begin with what lies there, and with what the dealer has taken and paid a little early.

    Early is after bets were closed: what came from the float before that and is no stake is no payment either.
    """
    lay = {**laid, **governing}
    watch = Watch(lay, {*tray.tray, *rack})
    for tag in governing:
        if tag in laid:
            if tray.passed.get(tag) == governing[tag].area != laid[tag].area:
                # Collected into the float and paid out of it again, all before the key.
                watch.collected[tag] = governing[tag]
                watch.came[tag] = laid[tag]
                watch.house.add(tag)
            continue
        if tag in watch.house:
            floats.owed_already(tray, tag)
            watch.collected[tag] = lay[tag]
        else:
            watch.gone[tag] = lay[tag]
    for tag in [tag for tag in tray.out if tag in laid and tag not in governing]:
        if tray.out[tag].at <= closed_at:
            watch.lent[tag] = lay.pop(tag)
        elif floats.owed_already(tray, tag):
            watch.came[tag] = lay.pop(tag)
            watch.house.add(tag)
    return watch


def moved(
    watch: Watch,
    area: int,
    added: Iterable[tuple[int, int]],
    removed: Iterable[int],
    partial: bool = False,
    due: Mapping[int, Due] = MappingProxyType({}),
) -> None:
    """Chips came to an area (tag, cents) or left it; in whichever order the two antennas tell it."""
    (watch.partial.add if partial else watch.partial.discard)(area)
    for tag, cents in added:
        if area == FLOAT:
            _into_float(watch, tag)
        elif not _paid_as_due(watch, tag, area, due):
            _onto(watch, tag, area, cents)
    for tag in removed:
        spot = watch.lay.get(tag)
        if spot is not None and spot.area == area and tag not in watch.collected and tag not in watch.came:
            watch.gone[tag] = spot


def staked(watch: Watch, tags: Iterable[int], laid: Mapping[int, Spot]) -> list[int]:
    """Chips laid since for a stake are lying there and pay nothing, also where they came from the float: those.

    Winnings that were paid elsewhere as they were due are their winner's own chips; what was collected has been.
    """
    tags = tuple(tags)
    no_longer_lent(watch, [tag for tag in tags if tag in watch.lent])
    unbought = []
    for tag in [tag for tag in tags if tag in watch.came and tag in watch.house]:
        came = watch.came.pop(tag)
        if tag in watch.collected:
            watch.taken.append(watch.collected.pop(tag))
        watch.lay[tag] = laid.get(tag, came)
        watch.house.discard(tag)
        if watch.lay[tag].area == came.area:
            unbought.append(tag)
        else:
            watch.staked_on.append(came)
    return unbought


def no_longer_lent(watch: Watch, tags: Iterable[int]) -> None:
    """These chips, lent before, are a player's that lay there: a booking explains them, or they are a stake now."""
    for tag in tags:
        watch.lay[tag] = watch.lent.pop(tag)


def _into_float(watch: Watch, tag: int) -> None:
    if tag in watch.lent:
        watch.back[tag] = watch.lent.pop(tag)
    # A payment that goes back to the float was none.
    came = watch.came.pop(tag, None)
    watch.gone.pop(tag, None)
    watch.slid.discard(tag)
    if tag in watch.lay:
        watch.collected[tag] = watch.lay[tag]
    elif came is not None and tag not in watch.house:
        # A player's chips that were laid down since: changed for others, or swept in by mistake.
        watch.collected[tag] = came
    watch.house.add(tag)


def _paid_as_due(watch: Watch, tag: int, area: int, due: Mapping[int, Due]) -> bool:
    """Whether this chip was paid elsewhere in the amount due there: it is the winner's, wherever they put it now."""
    came = watch.came.get(tag)
    if came is None or came.area == area or tag not in watch.house:
        return False
    return all(
        asked.area != came.area or paid - taken == asked.net for asked, paid, taken, _ in _done(watch, due, True)
    )


def _onto(watch: Watch, tag: int, area: int, cents: int) -> None:
    watch.gone.pop(tag, None)
    if tag in watch.lent:
        if watch.lent[tag].area == area:
            return
        del watch.lent[tag]
        watch.house.add(tag)
    spot = watch.lay.get(tag)
    if spot is not None and spot.area == area:
        # Back where it lay: as if it had never been lifted.
        watch.collected.pop(tag, None)
        watch.came.pop(tag, None)
        watch.slid.discard(tag)
        watch.house.discard(tag)
        return
    if spot is not None:
        if tag not in watch.house:
            watch.slid.add(tag)
        watch.collected[tag] = spot
        watch.house.add(tag)
    watch.came[tag] = Spot(area, cents)


def verify(watch: Watch, due: Mapping[int, Due], *, float_watched: bool = True) -> tuple[Finding, ...]:
    """What is not as the settlement asks, in the order of areas; nothing when all is taken and paid.

    Without antennas under the float, a losing stake that left its area counts as collected.
    """
    findings = []
    for asked, came, taken, away in _done(watch, due, float_watched):
        off = came - taken - asked.net
        if off:
            sure = not watch.partial & {asked.area, FLOAT}
            findings += _name(asked, off, came, away, sure)
    return tuple(findings)


def remaining(watch: Watch, due: Mapping[int, Due], *, float_watched: bool = True) -> dict[int, Due]:
    """What is still to be paid or taken on each area: what a settlement asked, less what was done."""
    left = {}
    for asked, came, taken, _ in _done(watch, due, float_watched):
        net = asked.net - came + taken
        if net:
            left[asked.area] = Due(asked.area, asked.bet, max(net, 0), max(-net, 0))
    return left


def under_way(
    found: Iterable[Finding], watch: Watch, tray: Float, unread: Mapping[int, tuple[int, ...]], at: int
) -> bool:
    """Whether all that is missing may be in the dealer's hand: winnings that have just left the float, losing stakes
    that are unread where they lay; a losing stake that has left for nowhere is another thing.

    Into an area that is read in part only they may have gone at any time.
    """
    found = tuple(found)
    in_part = all(not one.sure for one in found)
    from_float = [one for one in tray.out.values() if one.last_area == FLOAT]
    lifted = [one.cents for one in from_float if in_part or at - one.at <= UNDER_WAY_MS]
    hands = {FLOAT: sum(lifted) + sum(tray.tray.get(tag, 0) for tag in unread.get(FLOAT, ()))}
    for tag, spot in watch.lay.items():
        if tag in unread.get(spot.area, ()):
            hands[spot.area] = hands.get(spot.area, 0) + spot.cents
    for one in found:
        place = {"underpaid": FLOAT, "not_collected": one.area}.get(one.kind)
        if place is None or hands.get(place, 0) < one.cents:
            return False
        hands[place] -= one.cents
    return True


class Step(msgspec.Struct, frozen=True):
    """What hands do on one area for a settlement: take or pay so much, and what is still missing or too much of it.

    `stray` are chips of the house that were laid on an area where it only takes.
    """

    area: int
    bet: str
    take: int
    pay: int
    left: int = 0
    over: int = 0
    stray: int = 0
    begun: bool = False
    sure: bool = True


def steps(watch: Watch, due: Mapping[int, Due], *, float_watched: bool = True) -> tuple[Step, ...]:
    """Losers first, then winners, each in the order of areas; an area where nothing was asked comes with what is wrong.

    Without antennas under the float only what is missing is sure.
    """
    found = []
    for asked, came, taken, away in _done(watch, due, float_watched):
        off = came - taken - asked.net
        if not asked.net and not off:
            continue
        losing = asked.net < 0
        stray = min(came, max(off, 0)) if losing and not asked.pays else 0
        left, over = (max(off - stray, 0), max(-off, 0)) if losing else (max(-off, 0), max(off, 0))
        step = Step(
            asked.area,
            asked.bet,
            max(-asked.net, 0),
            max(asked.net, 0),
            left,
            over if float_watched else 0,
            stray if float_watched else 0,
            bool(came or taken or away),
            not watch.partial & {asked.area, FLOAT},
        )
        found.append(step)
    return tuple(sorted(found, key=lambda step: (not step.take, step.area)))


def to_come(watch: Watch, left: Mapping[int, Due]) -> Iterator[int]:
    """The values of chips that have lost and are still to reach the float."""
    for tag, spot in watch.lay.items():
        if tag not in watch.collected and spot.area in left and left[spot.area].taken:
            yield spot.cents


def _done(watch: Watch, due: Mapping[int, Due], float_watched: bool) -> Iterator[tuple[Due, int, int, int]]:
    """For every area: what was asked, what came to it, what was taken from it, and what left it for nowhere."""
    theirs = _slid_by_players(watch, due)
    laid = {
        tag: spot for tag, spot in watch.came.items() if tag not in theirs and (tag in watch.house or not float_watched)
    }
    taken_up = {tag: spot for tag, spot in watch.collected.items() if tag not in theirs}
    paid = _by_area([*laid.values(), *watch.staked_on])
    collected = _by_area([*taken_up.values(), *watch.taken])
    gone, back = _by_area(watch.gone.values()), _by_area(watch.back.values())
    for area in sorted(due.keys() | paid.keys() | collected.keys()):
        asked = due.get(area) or Due(area, "")
        away = gone.get(area, 0)
        taken = collected.get(area, 0)
        # Chips are worth what they are: one that was lent goes for one that has lost beside it.
        taken += min(back.get(area, 0), max(asked.taken - taken, 0))
        if not float_watched and asked.taken:
            # Whether the surplus over a maximum went to the player cannot be seen; no more than was due counts.
            taken += min(away, max(asked.taken - taken, 0))
            away = 0
        yield asked, paid.get(area, 0), taken, away


def _slid_by_players(watch: Watch, due: Mapping[int, Due]) -> set[int]:
    """Chips slid to another area that nobody collected: there is nothing to collect, or no more, where they lay.

    A loser's chips may be laid down for a winner at once; all else that goes from area to area is its player's still.
    """
    collected = _by_area([*(spot for tag, spot in watch.collected.items() if tag not in watch.slid), *watch.taken])
    theirs = set()
    for tag, spot in watch.collected.items():
        if tag in watch.slid:
            asked = due.get(spot.area)
            if asked is None or collected.get(spot.area, 0) >= asked.taken:
                theirs.add(tag)
            else:
                collected[spot.area] = collected.get(spot.area, 0) + spot.cents
    return theirs


def stays_taken(watch: Watch, due: Mapping[int, Due]) -> None:
    """What was taken and paid by this is that for good, even if nothing is due any more."""
    watch.slid = _slid_by_players(watch, due)


def _by_area(spots: Iterable[Spot]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for spot in spots:
        sums[spot.area] = sums.get(spot.area, 0) + spot.cents
    return sums


def _name(due: Due, off: int, came: int, away: int, sure: bool) -> list[Finding]:
    def finding(kind: str, cents: int) -> Finding:
        return Finding(due.area, due.bet, kind, cents, sure)

    if off < 0:
        return [finding("underpaid" if due.pays and came < due.pays else "overcollected", -off)]
    if due.net < 0 and not due.pays:
        if came:
            paid = min(came, off)
            rest = [finding("not_collected", off - paid)] if off > paid else []
            return [finding("paid_without_win", paid), *rest]
        lost = min(off, away)
        found = [finding("taken_away", lost)] if lost else []
        return [*found, finding("not_collected", off - lost)] if off > lost else found
    if not due.pays:
        return [finding("paid_without_win", off)]
    return [finding("paid_twice" if off == due.pays else "overpaid", off)]


# -- mispayments (Star 11.19 to 11.21) ---------------------------------------------------------------------------


class Mispayment(msgspec.Struct, frozen=True):
    """A payment that was wrong, and what was done about it; cents below nothing were paid too little.

    `patron` is a pseudonym; `intended` is None until the enquiry has an answer.
    """

    round: int
    area: int
    bet: str
    kind: str
    cents: int
    found_at: int
    patron: str = ""
    intended: bool | None = None
    cause: str = ""
    remedy: str = ""
    put_right_at: int = 0
    by: str = ""

    @property
    def open_questions(self) -> tuple[str, ...]:
        """What the record still lacks, by clause."""
        lacks = []
        if self.intended is None or not self.cause:
            lacks.append("11.19.1")
        if not self.remedy:
            lacks.append("11.19.2")
        if self.intended and not self.put_right_at:
            lacks.append("11.20.1")
        if self.intended and not self.patron:
            lacks.append("11.20.2")
        return tuple(lacks)


def mispayment(finding: Finding, round_: int, at: int, patron: str = "") -> Mispayment | None:
    """The record of a wrong payment; None where nothing was paid wrong, such as a loser not yet collected."""
    signs = {"underpaid": -1, "overcollected": -1, "overpaid": 1, "paid_twice": 1, "paid_without_win": 1}
    sign = signs.get(finding.kind, 0)
    if not sign:
        return None
    return Mispayment(round_, finding.area, finding.bet, finding.kind, sign * finding.cents, at, patron)


REPORT_ABOVE = 100_000


def reportable(items: Iterable[Mispayment], since: int, until: int, above: int = REPORT_ABOVE) -> list[Mispayment]:
    """Single mispayments of a month that go to the regulator: those above $1,000 (11.21.2)."""
    return [item for item in items if since <= item.found_at < until and abs(item.cents) > above]
