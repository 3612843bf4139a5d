"""What statistics count of a table's rows besides its rounds: cash for chips, late bets, wrong payments, landings."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec

from controller import games
from controller.config.kept import of_start
from controller.config.tomlread import ConfigError
from controller.core.effects import AnyEffect, Noted
from controller.core.events import Started
from controller.journal.chain import Row
from controller.report.mispaid import WrongPayments
from controller.report.tally import DECIDED
from drivers.motion.fairness import landing_of
from floor.store.schema import FACTS, LANDINGS, MISPAID
from floor.store.writes import Values, Writes

OF_A_CENT = 1_000
"""Theoretical win is kept in thousandths of a cent."""
LATELY_MS = 86_400_000
"""Wrong payments that one told or found now can still be the same as."""


class Counting:
    """Counts one journal; it stands where the store stands."""

    def __init__(self, journal: int) -> None:
        self._journal = journal
        self._began: Started | None = None
        self._exact: dict[str, Fraction] | None = None
        self._wrong = WrongPayments({})
        self._dealers: dict[str, str] = {}

    def resume(self, started: Started | None, mispaid: Iterable[Values]) -> None:
        """Go on after a start: by which edges, and with which wrong payments."""
        self.started(started)
        for one in mispaid:
            told = {"wager": ""} if one["told"] else {}
            self._wrong.items[one["item"]] = {"at": one["at"], "item": one["item"], "cents": one["cents"], **told}
            self._dealers[one["item"]] = one["dealer"]

    def started(self, event: Started | None) -> None:
        """Other edges hold from here on; they are worked out when a wager is decided, and not at every start."""
        self._began, self._exact = event, None

    def _edges(self) -> dict[str, Fraction]:
        if self._exact is None:
            self._exact = _expectations(self._began) if self._began is not None else {}
        return self._exact

    def theoretical(self, wagers: Iterable[dict[str, Any]]) -> int:
        """What the house wins of decided wagers like these in the long run, in thousandths of a cent."""
        total, exact = Fraction(0), self._edges()
        for wager in wagers:
            gained = exact.get(wager["bet"], exact.get(wager["bet"].rpartition(" ")[0]))
            if gained is not None and wager["result"] in DECIDED:
                total -= gained * (wager["stake_taken"] + wager["stake_returned"])
        return round(total * OF_A_CENT)

    def take(self, row: Row, event: msgspec.Struct, effects: list[AnyEffect], dealer: str, writes: Writes) -> None:
        """One more row."""
        if (verdict := getattr(event, "verdict", None)) is not None:
            self._landed(row, verdict, dealer, writes)
        for number, effect in enumerate(effects):
            if isinstance(effect, Noted):
                self._noted(row, number, effect, effects, dealer, writes)

    def _landed(self, row: Row, verdict: Any, dealer: str, writes: Writes) -> None:
        landing = landing_of(verdict, dealer)
        if landing is not None:
            writes.add(LANDINGS, journal=self._journal, seq=row.seq, at=row.at, start=landing.start, rest=landing.rest,
                       sense=landing.sense, dealer=dealer)  # fmt: skip

    def _noted(
        self, row: Row, number: int, noted: Noted, effects: list[AnyEffect], dealer: str, writes: Writes
    ) -> None:  # fmt: skip
        match noted.what, noted.facts:
            case "booked", {"kind": "buy_in", "cents": cents}:
                self._fact(row, number, "drop", cents, dealer, writes)
            case "colour_issued", {"cents": cents, "count": count}:
                self._fact(row, number, "drop", cents * count - _paid_in_chips(effects), dealer, writes)
            case "late_change", {"kind": _, "cents": cents}:
                self._fact(row, number, "late", cents, dealer, writes)
            case "mispayment", {"item": _, "cents": _}:
                self._mispaid(row, dealer, writes, lambda: self._wrong.recorded(row.at, noted.facts))
            case "mispaid", {"paid": _, "due": _}:
                self._mispaid(row, dealer, writes, lambda: self._wrong.told(row.at, row.seq, noted.facts))

    def _fact(self, row: Row, number: int, kind: str, cents: int, dealer: str, writes: Writes) -> None:
        writes.add(FACTS, journal=self._journal, seq=row.seq, number=number, at=row.at, kind=kind, cents=cents,
                   dealer=dealer)  # fmt: skip

    def _mispaid(self, row: Row, dealer: str, writes: Writes, tell: Any) -> None:
        """Each wrong payment once, as it was last recorded; old ones are left to the store."""
        items = self._wrong.items
        for item in [item for item, known in items.items() if row.at - known["at"] > LATELY_MS]:
            del items[item]
            self._dealers.pop(item, None)
        before = {item: dict(known) for item, known in items.items()}
        tell()
        for item in before.keys() - items.keys():
            writes.drop(MISPAID, journal=self._journal, item=item)
        for item, known in items.items():
            if known != before.get(item):
                who = self._dealers.setdefault(item, dealer)
                writes.put(MISPAID, journal=self._journal, item=item, at=known["at"], cents=known["cents"], dealer=who,
                           told="wager" in known)  # fmt: skip


def _expectations(event: Started) -> dict[str, Fraction]:
    """By the edition that was played; nothing is said of a version that this one does not know."""
    try:
        config = of_start(event)
        return games.find(config.table.game).expectations(config)
    except (ConfigError, msgspec.ValidationError, LookupError):
        return {}


def _paid_in_chips(effects: list[AnyEffect]) -> int:
    """What colour chips were paid for in other chips: no cash came for that."""
    return sum(
        int(other.facts["cents"])
        for other in effects
        if isinstance(other, Noted) and other.what == "booked" and other.facts["kind"] == "bought_back"
    )
