"""Notices counted in hands, and what players may agree to."""

from __future__ import annotations

from typing import Literal

import msgspec

What = Literal["game", "buy_in", "limits", "type", "minimum", "close", "commission"]


class Notice(msgspec.Struct):
    """A change that was announced, and the hands played since."""

    what: What
    hands: int = 0
    agreed: list[int] = []
    """Seats that agreed to do without the notice."""


def change_fault(
    rank: int, needed: int, hands_since: int, agree: int, players: int, *, between_hands: bool, notice_hands: int
) -> str:
    """The clause that stops a change of game, buy-in, limits or type, or nothing (6.10)."""
    noticed = hands_since >= notice_hands or 2 * agree > players
    return "" if rank >= needed and between_hands and noticed else "6.10"


def raise_minimum_fault(shown_s: int, notice_minutes: int) -> str:
    """A higher minimum waits for its sign, whatever the players agree to (footnote 2 s 66(2), P-A32)."""
    return "" if shown_s >= notice_minutes * 60 else "footnote 2 s 66(2)"


def hand_played(notices: list[Notice]) -> None:
    """One more hand has been completed under every standing notice."""
    for notice in notices:
        notice.hands += 1
