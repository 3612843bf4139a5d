"""One poker hand of an event, card by card through the game's own hand; people act at random."""

from __future__ import annotations

import random

from controller.games.poker import hand as engine
from controller.games.poker import inputs
from controller.games.poker.betting import Options
from controller.games.poker.cards import DECK
from controller.games.poker.outputs import Refused
from controller.games.poker.positions import Positions, first_positions, next_positions
from controller.games.poker.rules import PokerRules, Terms
from controller.games.poker.structures import Structure
from controller.rules.rulebook import load_rules

NAMES = {"holdem": 0, "pineapple": 1}


class PokerFelt:
    """A table's button and its hands; stacks are whole units by seat."""

    def __init__(self, rulebook: str, chip: int, rng: random.Random) -> None:
        self._rules, self._chip, self._rng = load_rules(rulebook, PokerRules), chip, rng
        self._positions: Positions | None = None

    def play(self, stacks: dict[int, int], blinds: tuple[int, int]) -> dict[int, int]:
        """The stacks after one hand; nothing is raked, so they come to the same."""
        live = sorted(stacks)
        before = self._positions
        self._positions = (
            next_positions(before, live, "usual") if before is not None else first_positions(live, 2, "usual")
        )
        terms = Terms(self._rules.games[0], Structure("no_limit", blinds[1], self._chip), blinds)
        hand = engine.start(terms, dict(stacks), self._positions)
        deck = self._rng.sample(DECK, len(DECK))
        while (due := engine.expected(hand)).what != "nothing":
            given = self._next(hand, due, deck)
            if (
                refused := next((one for one in engine.apply(hand, given) if isinstance(one, Refused)), None)
            ) is not None:
                raise AssertionError(f"{given} was refused: {refused}")
        return {player.seat: player.stack for player in hand.betting.players}

    def _next(self, hand: engine.Hand, due: engine.Expected, deck: list[str]) -> inputs.Input:
        match due.what:
            case "blind":
                player = next(one for one in hand.betting.players if one.seat == due.seats[0])
                return inputs.Post(due.seats[0], min(due.amount, player.stack))
            case "shuffle":
                return inputs.Shuffled()
            case "cut":
                return inputs.Cut()
            case "card":
                return inputs.CardTo(due.seats[0], deck.pop())
            case "action":
                assert due.options is not None
                return self._act(due.options)
            case "burn":
                return inputs.Burn(deck.pop())
            case "board":
                return inputs.Board(tuple(deck.pop() for _ in range(due.amount)))
            case "show":
                player = next(one for one in hand.betting.players if one.seat == due.seats[0])
                return inputs.Table(player.seat, tuple(player.cards))
            case "push":
                return inputs.Pushed()
            case "drop":
                return inputs.Dropped()
        raise AssertionError(f"a hand waits for {due.what}, which nobody does here")

    def _act(self, may: Options) -> inputs.Act:
        """Mostly quiet, now and then all in: events end, and stacks of all sizes meet."""
        luck = self._rng.random()
        if may.raise_min and luck < 0.06:
            return inputs.Act(may.seat, "bet" if may.opening else "raise", may.raise_max)
        if may.raise_min and luck < 0.16:
            return inputs.Act(may.seat, "bet" if may.opening else "raise", may.raise_min)
        if not may.to_call:
            return inputs.Act(may.seat, "check")
        return inputs.Act(may.seat, "call" if luck > 0.6 else "fold")
