"""Payments made, and rounds begun, while a cause to stop them was known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from controller.core.effects import Asked, Moved, Settled, WagerResult
from lab.explore.found import Found
from lab.explore.judges import Seen

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable

OF_THE_ROUND = frozenset({"wrong_deck", "cancel", "misdeal", "void_round", "defective_deck"})
"""Questions that must be answered before anything is paid in the round they are about."""
OF_A_PLAYER = frozenset({"invalid", "void_player", "device"})
"""Questions that must be answered before this player is paid."""
BEGINS = frozenset({"first_card", "cut_done"})
CHECK_DUE = "a check of all cards is due"
STOPS_A_ROUND = frozenset({"wrong_deck", "defective_deck"})


class KnownCauses:
    """What was known before an event, held against what the table concluded from it."""

    def __init__(self) -> None:
        self._blocked = ""

    def look(self, table: ExploredTable, seen: Seen) -> Iterator[Found]:
        still = {asked.subject: asked for asked in table.table.state.desk.prompts.values()}
        known = {asked.subject: asked for asked in seen.asked.values() if asked.subject in still}
        blocked, self._blocked = self._blocked, blocked_cards(table)
        for effect in seen.row.effects:
            if isinstance(effect, Settled) and effect.outcome != "void":
                yield from _paid(effect.results, known, blocked)
            elif isinstance(effect, Moved) and effect.trigger in BEGINS:
                yield from _begun(known, blocked)


def _paid(results: tuple[WagerResult, ...], known: dict[str, Asked], blocked: str) -> Iterator[Found]:
    for result in results:
        if not result.pays or result.withheld:
            continue
        if blocked and blocked != CHECK_DUE:  # a check that is ordered in the middle of a round waits for its end
            yield Found(f"paid while known: {blocked}", f"{result.wager} is paid {result.pays}")
        for subject, asked in known.items():
            kind = subject.partition(":")[0]
            theirs = kind in OF_A_PLAYER and asked.evidence.get("player") == result.player
            if kind in OF_THE_ROUND or theirs:
                yield Found(f"paid while asked: {kind}", f"{result.wager} is paid {result.pays}: {asked.text}")


def _begun(known: dict[str, Asked], blocked: str) -> Iterator[Found]:
    if blocked:
        yield Found(f"a round begins while known: {blocked}", blocked)
    for subject, asked in known.items():
        if subject.partition(":")[0] in STOPS_A_ROUND:
            yield Found(f"a round begins while asked: {subject.partition(':')[0]}", asked.text)


def blocked_cards(table: ExploredTable) -> str:
    """What is known against the cards in use, in the words of a finding."""
    if table.devices.called_wrong:
        return "the deck is defective"
    game: Any = table.table.game
    supply = getattr(game.state, "supply", None)
    if supply is None:
        return ""
    return "the cards are blocked" if supply.blocked else CHECK_DUE if supply.check_due else ""
