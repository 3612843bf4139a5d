"""Crown Poker as a tournament at its table sees it: seats with stacks, levels as terms, and when a hand is over."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.desk import Refusal
from controller.core.effects import AnyEffect, Moved, Noted, Settled
from controller.games.poker.lying import total
from controller.games.poker.offers import GAMES
from controller.games.poker.positions import SeatFlags
from controller.games.poker.rules import Terms as PokerTerms
from controller.games.poker.state import Seat
from controller.games.poker.table import PokerTable
from controller.money.amounts import UNIT
from controller.tournament.terms import Terms


class PokerFelt:
    """One table; stacks are the entrants' banks."""

    begins = frozenset({"start_hand"})
    closes: frozenset[str] = frozenset()
    barred = frozenset({
        "sit", "leave", "move", "add_chips", "lammer", "runner_bank", "change", "walk", "pick_up", "deal_out",
        "change_game", "agree", "change_commission", "newcomer_waits", "newcomer_posts", "posts", "collect_time",
    })  # fmt: skip
    opened_before_close = False

    def __init__(self, game: PokerTable) -> None:
        self.game = game

    # -- seats and stacks --------------------------------------------------------------------------------------

    def places(self) -> int:
        return self.game.layout.seats

    def seat(self, seat: int, player: str, units: int) -> None:
        """A drawn or moved player is dealt in at once: moved by level 2, or from a game that has closed (8.10)."""
        state = self.game.state
        flags = SeatFlags(new=state.positions is not None, excused=True)
        state.seats[seat] = Seat(player, units * UNIT, flags)

    def leave(self, player: str) -> None:
        for number in [number for number, seat in self.game.state.seats.items() if seat.player == player]:
            del self.game.state.seats[number]

    def hold(self, player: str, units: int) -> None:
        """A stack is what its ledger says; one that plays a hand gets the difference after it (6.11)."""
        hand = self.game.state.hand
        for number, seat in self.game.state.seats.items():
            if seat.player != player:
                continue
            if hand is not None and any(one.seat == number for one in hand.betting.players):
                continue
            seat.stack = units * UNIT

    def in_hand(self, player: str) -> bool:
        """Whether this player holds cards, or a claim, in the hand under way."""
        hand, seats = self.game.state.hand, self.game.state.seats
        mine = {number for number, seat in seats.items() if seat.player == player}
        return hand is not None and any(one.seat in mine and one.live for one in hand.betting.players)

    # -- rounds ------------------------------------------------------------------------------------------------

    def closed(self) -> bool:
        return self.under_way()

    def under_way(self) -> bool:
        return self.game.state.hand is not None

    def staked(self, player: str) -> dict[str, int]:
        return {}

    def open_stakes(self, player: str) -> int:
        return 0

    def lying(self, player: str) -> int:
        mine = [number for number, seat in self.game.state.seats.items() if seat.player == player]
        return sum(total(self.game, number) for number in mine) // UNIT

    def zones(self) -> tuple[str, ...]:
        return ()

    def most(self, zone: str) -> int:
        return 0

    def dealt(self, effects: list[AnyEffect]) -> bool:
        return any(isinstance(one, Moved) and one.trigger == "start_hand" for one in effects)

    def over(self, effects: list[AnyEffect]) -> str:
        if not any(isinstance(one, Noted) and one.what == "hand_over" for one in effects):
            return ""
        refunded = any(isinstance(one, Settled) and one.outcome == "refunded" for one in effects)
        return "void" if refunded else "valid"

    def keep(self) -> dict[str, list[str]]:
        return {}

    def put_back(self, kept: dict[str, list[str]]) -> None:
        """Practice leaves nothing with the game but stacks, which the ledger gives back."""

    # -- terms -------------------------------------------------------------------------------------------------

    def allows(self, terms: Terms) -> Refusal | None:
        """No commission, no side wagers, nobody seated, and the game of the terms (7.4, T-37, T-38)."""
        now, game = self.game.state.terms, terms.game
        if now.commission.method != "none":
            text = f"A {now.commission.method.replace('_', ' ')} commission stands; level 3 sets it to nil first."
            return Refusal("commission", text, ("7.1", "7.4"))
        if now.side_wagers:
            return Refusal("side_wagers", "Side wagers are offered here, and a tournament knows none.", ("10.2.1",))
        if self.game.state.seats:
            return Refusal("seats_taken", "Players sit here; free their seats first.", ("8.3", "12.2.5"))
        wanted = str(game.get("variant", ""))
        if wanted and self.game.rules.game(GAMES.get(wanted, now.game.name)) != now.game:
            text = f"The terms are for {wanted}, and this table plays {now.game.name}."
            return Refusal("other_game", text, ("12.1",))
        return None

    def lay_aside(self) -> dict[str, Any]:
        """What this table plays for cash."""
        found: dict[str, Any] = msgspec.to_builtins(self.game.state.terms)
        return found

    def take_up(self, kept: dict[str, Any]) -> None:
        state = self.game.state
        state.terms = msgspec.convert(kept, PokerTerms)
        state.seats, state.positions, state.button = {}, None, 0

    def take_level(self, small: int, big: int) -> None:
        """Blinds and minimum of a level, from the next hand on (6.10, 8.9.2(a))."""
        state = self.game.state
        chip = self.game.table.state.limits.smallest_chip
        structure = msgspec.structs.replace(state.terms.structure, minimum=big * UNIT, chip=chip)
        blinds = (small * UNIT, big * UNIT)
        state.terms = msgspec.structs.replace(state.terms, blinds=blinds, structure=structure, minimum_buy_in=0)

    def claim(self, holders: dict[str, str]) -> None:
        """Chips are known by the line they lie on."""

    def strangers(self, players: set[str]) -> list[str]:
        return []


FELT = PokerFelt
