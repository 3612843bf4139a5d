"""Casino War as a tournament at its table sees it: boxes, stakes in units, and when a round is dealt and over."""

from __future__ import annotations

from typing import Any

from controller.core.desk import Refusal
from controller.core.effects import AnyEffect, Moved, Noted
from controller.games.war import players
from controller.games.war.play import War
from controller.games.war.state import PLAYING
from controller.money.amounts import UNIT
from controller.tournament.terms import Terms


class WarFelt:
    """The layout of one table; boxes are the entrants' places."""

    begins = frozenset({"place_bets"})
    closes = frozenset({"no_more_bets"})
    barred = frozenset({"sit", "player_left", "allow_several", "share", "reserve"})
    opened_before_close = False

    def __init__(self, game: War) -> None:
        self.game = game

    def places(self) -> int:
        return self.game.layout.boxes

    def seat(self, seat: int, player: str, units: int) -> None:
        players.seat(self.game, seat, player)

    def leave(self, player: str) -> None:
        """The box is closed; what the player was told of the minimum goes with them."""
        seated = self.game.state.players
        seated.at_box = {box: name for box, name in seated.at_box.items() if name != player}
        seated.arrivals = [name for name in seated.arrivals if name != player]
        seated.warned = [name for name in seated.warned if name != player]

    def under_way(self) -> bool:
        return self.game.state.round.started and self.game.machine.state in (*PLAYING, "reshuffling", "recutting")

    def closed(self) -> bool:
        return self.game.machine.state not in ("betting", "over", "unchecked", "unshuffled", "uncut", "burning")

    def staked(self, player: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for stake in self.game.state.round.stakes:
            if stake.player == player and stake.dealt and stake.stage == "first":
                found[stake.zone] = found.get(stake.zone, 0) + stake.amount // UNIT
        return found

    def open_stakes(self, player: str) -> int:
        round_ = self.game.state.round
        open_ = (one for one in round_.stakes if one.player == player and one.dealt and one.id not in round_.booked)
        return sum(one.amount for one in open_) // UNIT

    def lying(self, player: str) -> int:
        felt = self.game.state.felt
        theirs = {wager for wager, stack in felt.stacks.items() if stack.player == player}
        return sum(one.cents for one in felt.lying.values() if one.wager in theirs) // UNIT

    def zones(self) -> tuple[str, ...]:
        return self.game.layout.staked

    def most(self, zone: str) -> int:
        return self.game.table.limits_of("", zone).most // UNIT

    def dealt(self, effects: list[AnyEffect]) -> bool:
        return any(isinstance(one, Moved) and one.trigger in ("first_card", "parked_card") for one in effects)

    def over(self, effects: list[AnyEffect]) -> str:
        for one in effects:
            if isinstance(one, Noted) and one.what == "round":
                return "valid" if one.facts["valid"] else "void"
        return ""

    def keep(self) -> dict[str, list[str]]:
        return {"warned": list(self.game.state.players.warned)}

    def put_back(self, kept: dict[str, list[str]]) -> None:
        self.game.state.players.warned = list(kept["warned"])

    def allows(self, terms: Terms) -> Refusal | None:
        return None

    def hold(self, player: str, units: int) -> None:
        """A bank lies before its entrant, and the game does not know it."""

    def in_hand(self, player: str) -> bool:
        return self.under_way()

    def lay_aside(self) -> dict[str, Any]:
        return {}

    def take_up(self, kept: dict[str, Any]) -> None:
        """The game is the same for cash."""

    def take_level(self, small: int, big: int) -> None:
        """There are no blinds."""

    def claim(self, holders: dict[str, str]) -> None:
        """Chips are known by the box they lie on."""

    def strangers(self, players: set[str]) -> list[str]:
        """A stake of nobody's was refused when it was laid."""
        return []


FELT = WarFelt
