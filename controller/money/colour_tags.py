"""This table's colour chips tag by tag: in the rack, issued or won, back to be redeemed, or gone without an issue.

Only a tray that is read can tell; a colour that was never read there is not followed. Pure.
"""

from __future__ import annotations

import msgspec

ISSUE_MS = 120_000
"""Chips of an issue that was entered leave the rack within this time."""
FLICKER_MS = 2_000
"""A chip that comes back into the rack within this time never left it."""


class Leaving(msgspec.Struct):
    """An issue whose chips are still to leave the rack."""

    count: int
    since: int


class ColourTags(msgspec.Struct):
    """Tags with their colour, by where they are; a tag is in one of these places."""

    rack: dict[int, str] = {}
    out: dict[int, str] = {}  # issued or won: a player's, on the layout or off it
    back: dict[int, str] = {}  # a player's that lie in the rack and are not redeemed yet
    astray: dict[int, str] = {}  # out of the rack, and nobody was issued them
    earlier: dict[int, str] = {}  # a player's who gave the colour up, and it was issued anew since
    earlier_back: dict[int, str] = {}  # those of them that lie in the rack and are not redeemed yet
    leaving: dict[str, Leaving] = {}
    just_left: dict[int, int] = {}
    redeemed_unseen: dict[str, int] = {}
    followed: set[str] = set()

    def returned(self, colour: str) -> int:
        """How many came back from players and wait to be redeemed."""
        return sum(one == colour for one in self.back.values())

    def with_players(self, colour: str) -> set[int]:
        """Those that were issued or won, and are not back."""
        return {tag for tag, one in self.out.items() if one == colour}

    def in_tray(self, tag: int) -> bool:
        return tag in self.rack or tag in self.back or tag in self.earlier_back

    def is_nobodys(self, tag: int) -> bool:
        """Whether nobody holds this chip by the ledger as it is now."""
        return tag in self.astray or tag in self.earlier

    def of_earlier(self, colour: str) -> tuple[int, set[int]]:
        """Chips of a colour from before it was issued anew: how many wait in the rack, and which are still out."""
        waiting = sum(one == colour for one in self.earlier_back.values())
        return waiting, {tag for tag, one in self.earlier.items() if one == colour}


def into_tray(tags: ColourTags, tag: int, colour: str, at: int, *, lost: bool, unseen: int = 0) -> None:
    """A chip came into the tray: the house's if it has lost, else its player's until it is redeemed.

    One that was never read before is a player's as long as some are issued that were never read (`unseen`).
    """
    tags.followed.add(colour)
    left = tags.just_left.pop(tag, None)
    if tags.in_tray(tag):
        return
    if tags.earlier.pop(tag, None) is not None:
        (tags.rack if lost else tags.earlier_back)[tag] = colour
        return
    slipped = tags.astray.pop(tag, None) is not None
    issued = tags.out.pop(tag, None) is not None or (unseen > 0 and not slipped)
    if issued and left is not None and at - left <= FLICKER_MS:
        tags.leaving.setdefault(colour, Leaving(0, left)).count += 1
    elif issued and not lost:
        if tags.redeemed_unseen.get(colour, 0):
            tags.redeemed_unseen[colour] -= 1
        else:
            tags.back[tag] = colour
            return
    tags.rack[tag] = colour


def out_of_tray(tags: ColourTags, tag: int, at: int, *, by_house: bool = False) -> None:
    """A chip left the tray: given back to its player, issued, or gone."""
    colour = tags.back.pop(tag, None)
    if colour is not None:
        tags.out[tag] = colour
    elif (colour := tags.earlier_back.pop(tag, None)) is not None:
        tags.earlier[tag] = colour
    elif (colour := tags.rack.pop(tag, None)) is not None:
        if by_house:
            tags.out[tag] = colour
        elif _is_leaving(tags, colour, at):
            tags.just_left[tag] = at
            tags.out[tag] = colour
        else:
            tags.astray[tag] = colour


def _is_leaving(tags: ColourTags, colour: str, at: int) -> bool:
    due = tags.leaving.get(colour)
    if due is None:
        return False
    due.count -= 1
    if due.count <= 0 or at - due.since > ISSUE_MS:
        del tags.leaving[colour]
    return at - due.since <= ISSUE_MS


def onto_layout(tags: ColourTags, tag: int, colour: str, at: int, *, by_house: bool, unseen: int) -> None:
    """A chip lies on the layout; `by_house` where it is paid or given back, `unseen` are issued and were never read."""
    if colour not in tags.followed:
        return
    if tags.in_tray(tag):
        out_of_tray(tags, tag, at)
    tags.just_left.pop(tag, None)
    if tag in tags.out or tag in tags.earlier:
        return
    if by_house or (tag not in tags.astray and unseen > 0):
        tags.astray.pop(tag, None)
        tags.out[tag] = colour
    else:
        tags.astray[tag] = colour


def issued(tags: ColourTags, colour: str, count: int, at: int) -> None:
    """So many were issued: those that left the rack already, and as many as still will."""
    gone = [tag for tag, one in tags.astray.items() if one == colour][:count]
    for tag in gone:
        tags.out[tag] = tags.astray.pop(tag)
    if count > len(gone) and colour in tags.followed:
        before = tags.leaving.get(colour)
        tags.leaving[colour] = Leaving((before.count if before else 0) + count - len(gone), at)


def issued_anew(tags: ColourTags, colour: str) -> None:
    """A colour goes to somebody else, or at another value: what is still out of it is not theirs, nor worth that."""
    for place, aside in ((tags.out, tags.earlier), (tags.back, tags.earlier_back)):
        for tag in [tag for tag, one in place.items() if one == colour]:
            aside[tag] = place.pop(tag)
            tags.just_left.pop(tag, None)


def redeemed_earlier(tags: ColourTags, colour: str, count: int) -> None:
    """So many chips from before the colour was issued anew are the house's again."""
    waiting = [tag for tag, one in tags.earlier_back.items() if one == colour]
    out = [tag for tag, one in tags.earlier.items() if one == colour]
    for tag in (*waiting, *out)[:count]:
        tags.earlier.pop(tag, None)
        tags.earlier_back.pop(tag, None)
        tags.rack[tag] = colour


def redeemed(tags: ColourTags, colour: str, count: int) -> None:
    """So many are the house's again; those that nobody saw in the rack are awaited there."""
    back = [tag for tag, one in tags.back.items() if one == colour][:count]
    for tag in back:
        tags.rack[tag] = tags.back.pop(tag)
    if count > len(back) and colour in tags.followed:
        tags.redeemed_unseen[colour] = tags.redeemed_unseen.get(colour, 0) + count - len(back)
