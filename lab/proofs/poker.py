"""Poker on the stage: how to play it into every state of a hand, and what is true about its money."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import msgspec

from controller.config.tomlread import Cents
from controller.config.types import TableConfig
from controller.core.effects import Settled
from controller.core.table import Table
from controller.games.poker.config import PokerSection, RakeSection
from controller.games.poker.evaluate import hand_values
from controller.games.poker.game import PokerGame
from controller.games.poker.hand import expected
from controller.games.poker.layout import Layout
from controller.games.poker.offers import GAMES, poker_rules
from controller.games.poker.round import STATES
from controller.journal import row as record
from controller.journal.file import JournalFile
from firmware_specs.messages.shuffler import State
from lab.proofs.poker_mishaps import MISHAPS
from lab.proofs.stage import World
from lab.sim.config import default_config
from lab.sim.devices import SimulatedDevices
from simulators.decks import simulated_decks
from simulators.link import DeviceLink
from simulators.people.chips import Felt
from simulators.people.patient_poker import Course, PatientPokerCrew
from simulators.people.poker_screen import Areas
from simulators.shuffler import CardShuffler

SEATS = 3
STRUCTURE = {
    "pineapple": "no_limit",
    "holdem": "no_limit",
    "crazy_pineapple": "fixed",
    "crazy_pineapple_hilo": "spread",
    "holdem_hilo": "half_pot",
    "omaha": "pot_limit",
    "omaha_hilo": "fixed",
}
"""Each game in one of the structures, and each structure in some game; the usual one first."""
_COURSES: dict[str, Course] = {
    "ruling": "asked",
    "side_flop": "side flop",
    **dict.fromkeys(("flop", "bet2", "turn", "bet3", "river", "bet4", "showdown", "discard1", "discard2"), "showdown"),
}
_DISCARDS = {"discard1": 1, "discard2": 2}
_FACE = re.compile(rb'"([2-9TJQKA][cdhs])"')


class Machine:
    """The single-deck shuffler as people see it: its own display, its feed and its lift."""

    def __init__(self, shuffler: CardShuffler) -> None:
        self.load, self.lift_deck, self.take_out = shuffler.load, shuffler.lift_deck, shuffler.take_out
        self._shuffler = shuffler

    @property
    def helpless(self) -> bool:
        works = self._shuffler
        given_up = works._jam is not None and not works._recovering
        return works._on and not works.door_open and (given_up or works.state is State.STOPPED)

    @property
    def idle(self) -> bool:
        works = self._shuffler
        return not (works.feed or works.inside or works.mouth or works.stuck)


class CrownPoker:
    """What a proof must know of the game, any of the seven; side wagers are offered, a shuffler reads the deck."""

    name = "poker"
    places: tuple[str, ...] = ("cards", "chips", "shuffler")

    def __init__(self, game: str = "pineapple") -> None:
        base = default_config("poker")
        kind = STRUCTURE[game]
        poker = PokerSection(
            game=cast(Any, game),
            structure=cast(Any, kind),
            blinds=(Cents(500), Cents(1_000)),
            levels=tuple(Cents(level) for level in (1_000, 1_000, 2_000, 2_000)) if kind == "fixed" else (),
            most=Cents(5_000) if kind == "spread" else None,
            least_buy_in=Cents(10_000),
            rake=RakeSection("percentage", 10, Cents(1_000)),
            side_wagers=True,
        )
        limits = msgspec.structs.replace(base.limits, min=Cents(1_000), unit=Cents(500), smallest_chip=Cents(100))
        seats = msgspec.structs.replace(base.seats, count=SEATS)
        self.config: TableConfig = msgspec.structs.replace(base, play=poker, limits=limits, seats=seats)
        self.deck = simulated_decks()[0]
        self.rules = poker_rules(self.config.table.rulebook).game(GAMES[game])
        self.states: tuple[str, ...] = tuple(
            state for state in STATES if _DISCARDS.get(state, self.rules.discard_after) == self.rules.discard_after
        )
        self.mishaps = MISHAPS

    def links(self, devices: SimulatedDevices) -> dict[str, DeviceLink]:
        """The wire of each device."""
        return {"cards": devices.antennas.link, "chips": devices.mat.link, "shuffler": _shuffler(devices).link}

    def wagers(self, table: Table) -> dict[tuple[str, str], int]:
        """What each seat has in the hand, as the screen shows it."""
        hand = _poker(table).state.hand
        players = hand.betting.players if hand is not None else []
        return {(str(player.seat), "hand"): player.in_hand for player in players}

    def details(self, table: Table) -> dict[str, Any]:
        """What the hand waits for, and who sits where."""
        game = _poker(table)
        hand = game.state.hand
        wanted: dict[str, Any] = {"what": "nothing"}
        if hand is not None:
            found, may = expected(hand), None
            wanted = {"what": found.what, "seats": list(found.seats), "amount": found.amount, "dealt": hand.dealt}
            wanted["deck"] = game.state.deck.status
            may = found.options
            if may is not None:
                wanted |= {
                    "to_call": may.to_call,
                    "in_round": hand.betting.players[hand.betting.turn].in_round,
                    "raise_min": may.raise_min,
                    "raise_max": may.raise_max,
                    "opening": may.opening,
                }
        stacks = {str(number): seat.stack for number, seat in game.state.seats.items()}
        return {"wanted": wanted, "stacks": stacks, "cards": len(game.state.felt.cards), "deck": game.state.deck.status}

    def crew(self, world: World, seed: int, through: str = "", at_round: int = 0) -> PatientPokerCrew:
        """People who play by the seed's plan; in one hand they take the course that leads through this state."""

        def course(number: int) -> Course:
            return _COURSES.get(through, "plain") if number == at_round else "plain"

        return PatientPokerCrew(
            world.clock,
            world.see,
            world.press,
            Felt(world.devices.mat, world.bank),
            world.devices.antennas,
            self.deck,
            cast(Areas, Layout(SEATS)),
            SEATS,
            seed,
            course,
            machine=Machine(_shuffler(world.devices)),
        )

    def money_problems(self, world: World, crew: PatientPokerCrew, settled: Settled) -> list[str]:
        """How a settlement differs from what was truly put in, and from the cards that truly lay there."""
        hands = [result for result in settled.results if result.bet == "hand"]
        problems = []
        staked = {int(r.wager.rpartition("/")[2]): r.stake_taken + r.stake_returned for r in hands}
        # The blinds nobody matched go back before the pots are made, and so does a wager that was not called.
        if any(staked.get(seat, 0) > cents for seat, cents in crew.put_in.items()):
            problems.append(f"settled on stakes of {staked}, the players put in {crew.put_in}")
        house = sum(r.stake_taken - r.pays for r in hands)
        if not 0 <= house <= 1_000:
            problems.append(f"the house took {house} of the pots")
        won = {int(r.wager.rpartition("/")[2]) for r in hands if r.result == "win"}
        if won != self._winners(crew):
            problems.append(f"seats {sorted(won)} won; by the cards it is {sorted(self._winners(crew))}")
        return problems

    def _winners(self, crew: PatientPokerCrew) -> set[int]:
        if len(crew.held) == 1:
            return set(crew.held)
        board = [self.deck[tag] for tag in crew.board]
        values = {
            seat: hand_values([self.deck[tag] for tag in tags], board, omaha=self.rules.omaha, hilo=self.rules.hilo)
            for seat, tags in crew.held.items()
        }
        best = max(high for high, _ in values.values())
        lows = [low for _, low in values.values() if low]
        return {seat for seat, (high, low) in values.items() if high == best or (low and low == min(lows))}


def sealed_problems(path: Path, opened: list[set[str]]) -> list[str]:
    """Faces that stand in the journal though the card never lay open in its hand."""
    journal = JournalFile.read_only(path)
    problems = []
    hand = 0
    for row in journal.rows():
        known = {face.decode() for face in _FACE.findall(row.body)}
        hidden = known - (opened[hand] if hand < len(opened) else set())
        if hidden:
            problems.append(f"row {row.seq} of hand {hand + 1} tells {', '.join(sorted(hidden))}, which lay face down")
        hand += any(isinstance(effect, Settled) for effect in record.decode(row.body).effects)
    journal.close()
    return problems


def _shuffler(devices: SimulatedDevices) -> CardShuffler:
    shuffler = devices.sources["shuffler"]
    assert isinstance(shuffler, CardShuffler)
    return shuffler


def _poker(table: Table) -> PokerGame:
    assert isinstance(table.game, PokerGame)
    return table.game
