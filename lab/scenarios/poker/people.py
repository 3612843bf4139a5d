"""Poker's people at a simulated table: the screen they look at."""

from __future__ import annotations

import random
from typing import cast

from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from controller.games.poker.betting import pot_total
from controller.games.poker.cards import is_face
from controller.games.poker.config import PokerSection
from controller.games.poker.game import PokerGame
from controller.games.poker.hand import expected
from controller.games.poker.lying import beyond, on_line
from firmware_specs.clock import Clock
from lab.sim.devices import SimulatedDevices
from lab.sim.screen import DealerScreen
from simulators.decks import simulated_decks
from simulators.people.chips import Felt
from simulators.people.poker import PokerCrew
from simulators.people.poker_habits import Habits
from simulators.people.poker_screen import Areas, Step, Wanted
from simulators.shuffler import CardShuffler

NOTHING = Wanted("nothing")


class PokerDealerScreen(DealerScreen):
    """The dealer's screen of a poker table."""

    @property
    def game(self) -> PokerGame:
        return cast(PokerGame, self.runtime.table.game)

    def wanted(self) -> Wanted:
        hand = self.game.state.hand
        if hand is None:
            return NOTHING
        found = expected(hand)
        may = found.options
        if found.what == "card":
            order = tuple(player.seat for player in hand.betting.players)
            return Wanted(found.what, found.seats, found.amount, order=order, hole=hand.terms.game.hole)
        if may is None:
            return Wanted(found.what, found.seats, found.amount)
        player = hand.betting.players[hand.betting.turn]
        return Wanted(found.what, found.seats, found.amount, may.to_call, player.in_round, may.raise_min,
                      may.raise_max, pot_total(hand.betting))  # fmt: skip

    def step(self) -> Step | None:
        hand = self.game.state.hand
        if hand is None or hand.ruling is None or not hand.ruling.steps:
            return None
        step = hand.ruling.steps[0]
        return Step(step.kind, step.seat, tuple(card for card in step.cards if is_face(card)))

    def stacks(self) -> dict[int, int]:
        return {number: seat.stack for number, seat in self.game.state.seats.items()}

    def refunds(self) -> bool:
        hand = self.game.state.hand
        return hand is not None and not any(player.in_round for player in hand.betting.players)

    def side_due(self) -> list[tuple[int, int]]:
        hand, layout = self.game.state.hand, self.game.layout
        results = hand.side_results if hand is not None else []
        return [(layout.side(side.seat, side.colour), side.won or -side.amount) for side in results]

    def owes(self, seat: int) -> int:
        hand = self.game.state.hand
        return max(0, -beyond(self.game, hand, seat)) if hand is not None else 0

    def on_line(self, seat: int) -> tuple[int, int]:
        hand = self.game.state.hand
        players = hand.betting.players if hand is not None else []
        return next((on_line(self.game, player) for player in players if player.seat == seat), (0, 0))

    def rake(self) -> int:
        hand = self.game.state.hand
        return hand.rake + hand.fees if hand is not None else 0

    def deck_is_bad(self) -> bool:
        return self.game.state.deck.status == "bad"


def shuffler_of(devices: SimulatedDevices) -> CardShuffler | None:
    """The shuffler of this table, where there is one."""
    return next((source for source in devices.sources.values() if isinstance(source, CardShuffler)), None)


def poker_crew(
    runtime: Runtime,
    devices: SimulatedDevices,
    config: TableConfig,
    clock: Clock,
    seed: int,
    habits: Habits | None = None,
) -> PokerCrew:
    """A crew that plays this table by itself."""
    screen = PokerDealerScreen(runtime, config)
    habits = habits or Habits(players=min(6, config.seats.count))
    poker = config.own(PokerSection)
    crew = PokerCrew(
        clock,
        screen,
        Felt(devices.mat, devices.bank),
        devices.antennas,
        shuffler_of(devices),
        simulated_decks(),
        cast(Areas, screen.game.layout),
        random.Random(seed).getrandbits(32),
        habits,
        buy_in=max(poker.least_buy_in or 0, 100 * poker.blinds[-1]),
        chip=config.limits.smallest_chip,
        side_wagers=poker.side_wagers,
    )
    runtime.watchers.append(lambda told: crew.look())
    return crew
