"""Rounds before the one that a case tells: whatever it takes over from them is brought about at the table itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lab.scenarios.war.acts import DEALER, OWN, Action, Answer, Draw, Lay, Press
from lab.scenarios.war.case import CaseEvent

if TYPE_CHECKING:
    from controller.games.war.game import WarGame

GUEST = f"{OWN}guest"
LOSING, WINNING = "2S", "KS"
"""A guest on box 1 loses to the dealer, so that nothing stays on the layout."""

Turn = Callable[[], Action]


class Earlier:
    """Plays so many short rounds, each with what the case needs of it."""

    def __init__(self, game: WarGame, events: list[CaseEvent], parked: str) -> None:
        """`parked` is the first card of the case, drawn unseen too many in the round before it."""
        self.game = game
        self.cards: list[str] = []
        self._turns: list[Turn] = []
        kinds = self._kinds = {event.kind: event for event in events}
        if "shuffle_missed" in kinds and game.config.source == "csm":
            raise kinds["shuffle_missed"].wrong("a shuffler is used without a cutting card")
        if "feed_missed" in kinds and not (game.config.source == "csm" and game.rules.cards.feed == "after_first_deal"):
            raise kinds["feed_missed"].wrong("only a shuffling device that is fed after the first deal can miss it")
        if parked or "shuffle_missed" in kinds:
            self._round(parked, "shuffle_missed" in kinds)
        if "feed_missed" in kinds:
            self._round("", False)
            self._round("", False)

    @property
    def over(self) -> bool:
        return not self._turns

    def next(self) -> Action:
        """What happens now in a round before the case's."""
        return self._turns.pop(0)()

    def _round(self, parked: str, cutting_card: bool) -> None:
        game = self.game
        cards = [*(["3D"] if game.config.round_burn else []), LOSING, *(["CUT"] if cutting_card else []), WINNING]
        if game.rules.wagers.player_card:
            self._press("player_card", player=GUEST, box=1)
        stake = Lay(f"{OWN}earlier {len(self.cards)}", GUEST, 1, "main", game.table.state.limits.least)
        self._turns.append(lambda: stake)
        if game.rules.wagers.close == "call":
            self._press("no_more_bets")
        self.cards += cards
        self._turns += [_drawing(card) for card in cards]
        if parked:
            self.cards.append(parked)
            self._turns += [_drawing(parked), self._unseen]
        self._press("settled")
        self._press("player_left", player=GUEST)
        self._press("place_bets")

    def _press(self, key: str, **args: str | int) -> None:
        self._turns.append(lambda: Press(key, dict(args), DEALER))

    def _unseen(self) -> Action:
        asked = self.game.asked("surplus:")
        if asked is None:
            raise self._kinds["parked_card"].wrong(
                "the table did not take the card of the round before as one too many"
            )
        return Answer(asked.prompt, "unseen", {}, DEALER)


def _drawing(card: str) -> Turn:
    return lambda: Draw((card,))
