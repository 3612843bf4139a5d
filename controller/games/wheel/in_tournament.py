"""Big Wheel as a tournament at its table sees it: seats, wagers in units by symbol, and when a spin counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.core.desk import Refusal
from controller.core.effects import AnyEffect, Moved
from controller.games.wheel import seats
from controller.games.wheel.state import BOOKED, UNSETTLED_SPIN
from controller.money.amounts import UNIT
from controller.tournament.terms import Terms

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

ENDS = {"paid": "valid", "refunded": "void", "call_no_spin": "again", "take_back": "again"}
"""What the end of a spin is to a session; after a no spin wagers stay and betting is open again (7.2)."""


class WheelFelt:
    """The layout of one table; seats are the entrants' places."""

    begins = frozenset({"place_bets"})
    closes = frozenset({"no_more_bets"})
    barred = frozenset({"sit", "leave", "issue_colour", "extra_colour", "redeem_colour", "exchange_colour"})
    opened_before_close = True

    def __init__(self, game: WheelGame) -> None:
        self.game = game

    def places(self) -> int:
        return self.game.setup.seats

    def seat(self, seat: int, player: str, units: int) -> None:
        seats.sit(self.game, seat, player)

    def leave(self, player: str) -> None:
        for seat in [seat for seat, name in self.game.state.seats.items() if name == player]:
            seats.leave(self.game, seat)

    def closed(self) -> bool:
        return self.game.machine.state not in ("idle", "betting_open", "spin_open")

    def under_way(self) -> bool:
        return self.game.machine.state in (*UNSETTLED_SPIN, "closed_wait_spin", *BOOKED)

    def staked(self, player: str) -> dict[str, int]:
        return {wager.symbol: wager.cents // UNIT for wager in self.game.wagers() if wager.owner == player}

    def open_stakes(self, player: str) -> int:
        return 0 if self.game.state.round.settled else sum(self.staked(player).values())

    def lying(self, player: str) -> int:
        return sum(laid.chip.cents for laid in self.game.state.picture.values() if laid.owner == player) // UNIT

    def zones(self) -> tuple[str, ...]:
        return tuple(self.game.areas)

    def most(self, zone: str) -> int:
        return self.game.table.limits_of("", zone).most // UNIT

    def dealt(self, effects: list[AnyEffect]) -> bool:
        moves = [(one.trigger, one.source) for one in effects if isinstance(one, Moved) and one.machine == "round"]
        return any(
            trigger == "no_more_bets" or (trigger, source) == ("rested", "spin_open") for trigger, source in moves
        )

    def over(self, effects: list[AnyEffect]) -> str:
        moves = (one for one in effects if isinstance(one, Moved) and one.machine == "round")
        return next((ENDS[one.trigger] for one in moves if one.trigger in ENDS), "")

    def keep(self) -> dict[str, list[str]]:
        return {"advised": sorted(self.game.state.advised)}

    def put_back(self, kept: dict[str, list[str]]) -> None:
        self.game.state.advised = set(kept["advised"])

    def allows(self, terms: Terms) -> Refusal | None:
        option = terms.game.get("option")
        own = self.game.setup.option.number
        if option is not None and option != own:
            return Refusal(
                "other_option", f"The terms are for option {option}, and this wheel has option {own}.", ("8.1",)
            )
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
        """Chips of a colour are its holder's."""
        picture, named = self.game.state.picture, False
        for tag, laid in picture.items():
            if not laid.owner and laid.chip.mark in holders:
                picture[tag] = msgspec.structs.replace(laid, owner=holders[laid.chip.mark])
                named = True
        if named:
            self.game.owners_changed()

    def strangers(self, players: set[str]) -> list[str]:
        """Where wagers lie that are nobody's of these."""
        return sorted({wager.symbol for wager in self.game.wagers() if wager.owner not in players})


FELT = WheelFelt
