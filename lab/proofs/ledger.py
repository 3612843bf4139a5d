"""A second ledger, made of nothing but the hands that move chips, held against the books of three gaming days.

It sees tags laid on the mat and taken off it, before any antenna does, and the slips that people keep for themselves.
It shares no code with the table and reads none of its records. The day's report must say the same to the cent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

TRAY = 0
CARRIED_MS = 10_000
"""A chip that a dealer carries from the tray to the layout, or back, lies nowhere for less than this."""


class Moment(msgspec.Struct, frozen=True):
    """One chip that a hand moved: from an area or from nowhere, to an area or away."""

    at: int
    tag: int
    source: int | None
    target: int | None


class Slip(msgspec.Struct, frozen=True):
    """What people themselves wrote down of money that changed hands: cash, colour chips, thefts that were found out."""

    at: int
    kind: str
    cents: int


class Account(msgspec.Struct):
    """What happened to the tray, the box and the players' chips between two moments, in cents."""

    opening: dict[int, int]
    closing: dict[int, int]
    paid: int = 0
    collected: int = 0
    came: int = 0
    left: int = 0
    boxed: int = 0
    joined: int = 0
    laid: int = 0
    lifted: int = 0
    slips: dict[str, int] = {}

    @property
    def won(self) -> int:
        """What play brought into the tray."""
        return self.collected - self.paid

    def slip(self, kind: str) -> int:
        return self.slips.get(kind, 0)

    @property
    def drop(self) -> int:
        return self.slip("buy_in") + self.slip("colour_cash")

    @property
    def credits(self) -> int:
        """Whatever left for elsewhere than the layout and was no sale, no redemption and no theft."""
        return self.left - self.slip("buy_in") - self.slip("redeem") - self.slip("stolen")

    @property
    def win(self) -> int:
        gained = _value(self.closing) - _value(self.opening)
        return gained - self.came + self.credits + self.drop + self.boxed

    @property
    def players_gained(self) -> int:
        """By how much the chips grew that players have off the layout."""
        return self.lifted - self.laid + self.slip("brought") - self.slip("carried off")


class Ledger:
    """Writes down every chip that moves on a mat, by wrapping the hands that do it.

    `slide` is the area, where there is one, whose chips go into a box when they are taken off it, or join the tray.
    """

    def __init__(self, mat: Any, worth: Mapping[int, int], now: Callable[[], int], slide: int | None = None) -> None:
        self._slide = slide
        self.moments: list[Moment] = []
        self.slips: list[Slip] = []
        self._worth, self._now = worth, now
        self._first = frozenset(mat.lying(TRAY))
        self._where: dict[int, int] = dict.fromkeys(self._first, TRAY)
        place, remove = mat.place, mat.remove

        def placing(tags: Iterable[int], area: int) -> None:
            laid = tuple(tags)
            self._moved(laid, area)
            place(laid, area)

        def removing(tags: Iterable[int]) -> None:
            taken = tuple(tags)
            self._moved(taken, None)
            remove(taken)

        mat.place, mat.remove = placing, removing

    def _moved(self, tags: tuple[int, ...], target: int | None) -> None:
        for tag in tags:
            self.moments.append(Moment(self._now(), tag, self._where.get(tag), target))
            if target is None:
                self._where.pop(tag, None)
            else:
                self._where[tag] = target

    def wrote(self, kind: str, cents: int) -> None:
        """Somebody put a slip aside."""
        self.slips.append(Slip(self._now(), kind, cents))

    def account(self, start: int, end: int) -> Account:
        """The tray between two moments; tags that have no worth of their own are no money."""
        tray = set(self._first)
        account: Account | None = None
        for moment in self._carried():
            if moment.at >= end:
                break
            if account is None and moment.at >= start:
                account = Account(self._by_value(tray), {})
            if account is not None:
                self._add(account, moment)
            if moment.target == TRAY:
                tray.add(moment.tag)
            else:
                tray.discard(moment.tag)
        account = account or Account(self._by_value(tray), {})
        account.closing = self._by_value(tray)
        kinds: Counter[str] = Counter()
        for slip in self.slips:
            kinds[slip.kind] += slip.cents if start <= slip.at < end else 0
        account.slips = dict(kinds)
        return account

    def _carried(self) -> list[Moment]:
        """The moments, where a chip that was only carried goes straight to where it was laid."""
        told = list(self.moments)
        lifted: dict[int, int] = {}
        for number, moment in enumerate(told):
            place = lifted.pop(moment.tag, None)
            if moment.target is None:
                lifted[moment.tag] = number
            elif place is not None and self._one_way(told[place], moment):
                told[place] = msgspec.structs.replace(told[place], target=moment.target)
                told[number] = msgspec.structs.replace(moment, source=moment.target)
        return told

    def _one_way(self, lifted: Moment, laid: Moment) -> bool:
        """Whether a chip was carried between tray and layout."""
        between = TRAY in (lifted.source, laid.target) and lifted.source != laid.target
        return between and lifted.source is not None and laid.at - lifted.at <= CARRIED_MS

    def _add(self, account: Account, moment: Moment) -> None:
        cents = self._worth.get(moment.tag, 0)
        match moment.source, moment.target:
            case source, target if source == target:
                pass
            case 0, None:
                account.left += cents
            case 0, _:
                account.paid += cents
            case None, 0:
                account.came += cents
            case source, 0 if source == self._slide:
                account.joined += cents
            case _, 0:
                account.collected += cents
            case source, None if source == self._slide:
                account.boxed += cents
            case None, _:
                account.laid += cents
            case _, None:
                account.lifted += cents

    def _by_value(self, tags: set[int]) -> dict[int, int]:
        return dict(sorted(Counter(cents for tag in tags if (cents := self._worth.get(tag))).items(), reverse=True))


def _value(chips: Mapping[int, int]) -> int:
    return sum(worth * count for worth, count in chips.items())
