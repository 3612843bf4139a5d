"""Casino War's people at a simulated table: the screen they look at, and what the house knows of their bets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import cast

import msgspec

from controller.config.types import TableConfig
from controller.core.effects import WagerResult
from controller.core.runtime import Runtime
from controller.games.war import dealing
from controller.games.war.cards import CUT
from controller.games.war.config import WarSection
from controller.games.war.edge import edges
from controller.games.war.game import WarGame
from controller.games.war.layout import HOUSE, Layout
from firmware_specs.clock import Clock
from lab.sim.devices import SimulatedDevices
from lab.sim.screen import DealerScreen
from lab.sim.summary import Bet
from simulators.people.chips import Felt
from simulators.people.table import Due
from simulators.people.war import Habits, WarCrew
from simulators.swipe import card

MAIN_AND_WAR = "main and war"


class WarDealerScreen(DealerScreen):
    """The dealer's screen of Casino War."""

    @property
    def game(self) -> WarGame:
        return cast(WarGame, self.runtime.table.game)

    def next_card(self) -> str:
        game = self.game
        return dealing.expected(game) if game.may_draw() else ""

    def main_stake(self, box: int, player: str) -> int:
        main = self.game.state.round.tied_main(box, player)
        return main.amount if main is not None else 0

    def drawn(self) -> int:
        return len(self.game.state.round.drawn)

    def cards(self) -> int:
        return len([card for card in self.game.state.round.drawn if card.face != CUT])

    def causes(self) -> list[str]:
        return [code for code, fault in self.runtime.table.state.faults.items() if fault.rank]

    def blocked_by(self) -> list[str]:
        blocked = self.game.state.supply.blocked
        return list(blocked.needs) if blocked is not None else []

    def dues(self) -> list[Due]:
        return [due_of(booked.result) for booked in self.game.state.round.booked.values()]


def area_name(box: int, zone: str) -> str:
    """What people call the part of a box where chips of a kind lie."""
    return f"box {box} {zone.replace('_', ' ')}"


def areas_of(layout: Layout) -> dict[str, int]:
    """Every place for chips by its name."""
    places = ((box, zone) for box in range(1, layout.boxes + 1) for zone in (*layout.zones, HOUSE))
    named = {area_name(box, zone): layout.area(box, zone) for box, zone in places}
    return {name: area for name, area in named.items() if area is not None}


def due_of(result: WagerResult) -> Due:
    """What the table owes on a wager, as people read it."""
    pays, taken, back = result.pays, result.stake_taken, result.stake_returned
    return Due(result.player, result.bet, result.result, pays, taken, back, result.wager)


def war_crew(
    runtime: Runtime,
    devices: SimulatedDevices,
    config: TableConfig,
    clock: Clock,
    seed: int,
    habits: Habits | None = None,
) -> WarCrew:
    """A crew that plays this table by itself."""
    screen = WarDealerScreen(runtime, config)
    game = screen.game
    habits = habits or Habits()
    most = config.own(WarSection).places
    if habits.boxes > most:
        habits = msgspec.structs.replace(habits, boxes=most, players=min(habits.players, most))
    crew = WarCrew(
        clock,
        screen,
        Felt(devices.mat, devices.bank),
        devices.sources[game.source_place],
        game.layout,
        config.own(WarSection).decks,
        (config.limits.min, config.limits.max),
        random.Random(seed).getrandbits(32),
        habits,
        cards_needed=game.rules.wagers.player_card,
        feeds_later=game.rules.cards.feed == "after_first_deal",
        read_card=_reader(devices),
    )
    runtime.watchers.append(lambda told: crew.look())
    return crew


def card_number(player: str) -> str:
    """The number on the card of a simulated player, P1, P2 and so on."""
    return f"60070199{player.removeprefix('P'):0>8}"


def _reader(devices: SimulatedDevices) -> Callable[[str], None] | None:
    """A player's card drawn through the first reader that stands here."""
    for reader in devices.readers.values():
        return lambda player: reader.swipe(card(card_number(player)))
    return None


def zone_of(result: WagerResult) -> str:
    """What a wager is counted under: its zone, and for Perfect Pairs the part of the round."""
    zone = result.bet.partition(" ")[0]
    at_war = zone == "perfect_pairs" and " at war " in result.wager
    return f"{zone} at war" if at_war else zone


def mains_with_their_wars(results: Iterable[WagerResult]) -> Iterator[tuple[str, int, int]]:
    """A main stake and the war stake beside it are one bet: its main stake, and what the house gained on both."""
    stakes: dict[tuple[str, str], int] = {}
    gains: dict[tuple[str, str], int] = {}
    for result in results:
        zone, _, box = result.bet.partition(" ")
        key = (result.player, box)
        if zone not in ("main", "war") or result.result == "void":
            continue
        if zone == "main":
            stakes[key] = result.stake_taken + result.stake_returned
        gains[key] = gains.get(key, 0) + result.stake_taken - result.pays
    for key, stake in stakes.items():
        yield MAIN_AND_WAR, stake, gains[key]


def exact(config: TableConfig, bets: dict[str, Bet]) -> dict[str, Fraction]:
    """What each zone is worth in the long run; a main stake with its war stake, for the surrenders there were."""
    war = config.own(WarSection)
    found: dict[str, Fraction] = {}
    ways: dict[str, Fraction] = {}
    for edge in edges(config.table.rulebook, war.decks):
        if edge.wager == "main":
            ways[edge.way] = edge.expectation
        elif edge.wager == "perfect_pairs":
            if edge.way == f"column {war.payout_column}":
                found["perfect_pairs at war" if edge.stage == "war" else "perfect_pairs"] = edge.expectation
        else:
            found[edge.wager] = edge.expectation
    fought = bets["war"].wagers if "war" in bets else 0
    given_up = bets["main"].surrendered if "main" in bets else 0
    share = Fraction(given_up, fought + given_up) if fought + given_up else Fraction(0)
    found[MAIN_AND_WAR] = ways["always to war"] * (1 - share) + ways["always surrender"] * share
    return found
