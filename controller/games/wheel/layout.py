"""What lies on the layout: the live picture of chips, the frozen one at no-more-bets, and how they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec

from controller.core.events import Chip
from controller.games.wheel.settle import Wager


class Laid(msgspec.Struct, frozen=True):
    """A chip on an area, and whose it is once somebody has said so."""

    chip: Chip
    area: int
    owner: str = ""


class LateChange(msgspec.Struct, frozen=True):
    """A chip added, removed, moved or swapped after betting closed, and how long after.

    A swapped chip lies where one of the same value lay that is gone; `instead` is that one's tag.
    """

    kind: str
    tag: int
    cents: int
    owner: str
    was: int
    now: int
    after_ms: int
    instead: int = 0


Picture = dict[int, Laid]
"""Chips on the layout by tag."""

COUNTS = frozenset({"cash", "colour"})
"""Kinds of chip that are wagers; a colour chip that the ledger gives no value is none (3.1.2)."""


def with_added(
    picture: Picture, area: int, chips: Iterable[Chip], owners: Mapping[int, str] = MappingProxyType({})
) -> Picture:
    """The picture after chips came to an area; a chip that is moved keeps its owner, who may be told by `owners`."""
    changed = dict(picture)
    for chip in chips:
        known = changed.get(chip.tag)
        changed[chip.tag] = Laid(chip, area, known.owner if known else owners.get(chip.tag, ""))
    return changed


def without(picture: Picture, area: int, tags: Iterable[int]) -> Picture:
    """The picture after tags left an area; one that is already seen elsewhere stays there."""
    gone = {tag for tag in tags if tag in picture and picture[tag].area == area}
    return {tag: laid for tag, laid in picture.items() if tag not in gone}


def counted(picture: Picture, areas: Mapping[int, Iterable[Chip]]) -> Picture:
    """The picture as it was read anew; chips that were known keep their owners."""
    return {
        chip.tag: Laid(chip, area, picture[chip.tag].owner if chip.tag in picture else "")
        for area, chips in areas.items()
        if area
        for chip in chips
    }


def wagers_of(picture: Picture, symbols: Mapping[int, str]) -> tuple[Wager, ...]:
    """One wager an owner and symbol, in the order of areas."""
    sums: dict[tuple[int, str], int] = {}
    for laid in picture.values():
        if laid.chip.kind in COUNTS and laid.chip.cents and laid.area in symbols:
            key = (laid.area, laid.owner)
            sums[key] = sums.get(key, 0) + laid.chip.cents
    return tuple(Wager(owner, symbols[area], cents) for (area, owner), cents in sorted(sums.items()))


def late_changes(frozen: Picture, live: Picture, after_ms: int) -> tuple[LateChange, ...]:
    """How the layout differs from the picture that governs."""
    changes = []
    for tag in sorted(frozen.keys() | live.keys()):
        was, now = frozen.get(tag), live.get(tag)
        known = was or now
        assert known is not None
        if was is None or now is None or was.area != now.area:
            kind = "added" if was is None else "removed" if now is None else "moved"
            changes.append(
                LateChange(
                    kind,
                    tag,
                    known.chip.cents,
                    known.owner,
                    was.area if was else -1,
                    now.area if now else -1,
                    after_ms,
                )
            )
    return _with_swaps(changes)


def _with_swaps(changes: list[LateChange]) -> tuple[LateChange, ...]:
    """A chip that came where one of the same value went is one swap, not two changes."""
    gone: dict[tuple[int, int], list[LateChange]] = {}
    for change in changes:
        if change.kind == "removed":
            gone.setdefault((change.was, change.cents), []).append(change)
    swaps: dict[int, LateChange] = {}
    for change in changes:
        if change.kind == "added" and (same := gone.get((change.now, change.cents))):
            old = same.pop(0)
            swaps[old.tag] = msgspec.structs.replace(
                change, kind="swapped", owner=old.owner, was=old.was, instead=old.tag
            )
    taken = {swap.tag for swap in swaps.values()} | swaps.keys()
    return (*(change for change in changes if change.tag not in taken), *swaps.values())
