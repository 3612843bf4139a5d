"""Wrong payments, each listed once: as antennas found it, as a person told it, and as its record was completed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from controller.core.effects import AnyEffect, Noted
from controller.journal import row as record
from controller.journal.file import Row

SAME_MS = 15 * 60_000
"""A wrong payment that antennas found and one of the same amount that a person told within this time are one."""

Items = dict[str, dict[str, Any]]


class WrongPayments:
    """The wrong payments of a day, by name; `items` is where they are listed."""

    def __init__(self, items: Items) -> None:
        self.items = items
        self._before: set[str] = set()

    def found_before(self, item: str) -> None:
        """It is listed on an earlier day."""
        self._before.add(item)

    def told(self, at: int, seq: int, facts: dict[str, Any]) -> None:
        """What a person tells of a wrong payment; where the antennas found it too, it is one and the same."""
        cents = facts["paid"] - facts["due"]
        same = self._same(at, cents, told=False)
        if same:
            more = {"wager": facts.get("wager", ""), "intended": facts.get("intended")}
            self.items[same] |= {name: word for name, word in more.items() if word is not None}
            return
        item = f"event {seq}"
        self.items[item] = {"at": at, "item": item, "cents": cents, **facts}

    def recorded(self, at: int, facts: dict[str, Any]) -> None:
        """What was found is listed on the day it was found, as it was last recorded."""
        item = facts["item"]
        if item in self._before:
            return
        same = "" if item in self.items else self._same(at, facts["cents"], told=True)
        before = self.items.pop(same) if same else self.items.get(item, {})
        self.items[item] = {"at": at, **before, **facts}

    def _same(self, at: int, cents: int, told: bool) -> str:
        """One of this amount not long ago that only a person told, or only antennas found."""
        for name, known in self.items.items():
            if known["cents"] == cents and ("wager" in known) == told and at - known["at"] <= SAME_MS:
                return name
        return ""

    def completed_later(self, effects: list[AnyEffect]) -> None:
        """After the day, the record of one of its wrong payments was completed."""
        for effect in effects:
            match effect:
                case Noted("mispayment", {"item": item} as facts) if item in self.items:
                    self.items[item] |= facts


def reportable(rows: Iterable[Row], start: int, end: int, above: int) -> list[dict[str, Any]]:
    """Single mispayments of a month above an amount, each as it was last recorded (Star 11.21.2)."""
    items: dict[str, dict[str, Any]] = {}
    for row in rows:
        if b'"mispa' not in row.body or row.at >= end:
            continue
        for effect in record.read(row).effects:
            match effect:
                case Noted("mispayment", {"item": item, "found_at": found} as facts) if start <= found:
                    items[item] = facts
                case Noted("mispaid", {"paid": paid, "due": due} as facts) if row.at >= start:
                    item = f"event {row.seq}"
                    items[item] = {"item": item, "cents": paid - due, "found_at": row.at, **facts}
    return [item for item in items.values() if abs(item["cents"]) > above]
