"""What one round does to the banks at a table, by the game's own settlement; people stake at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from controller.core.desk import Limits
from controller.games.war import settle as war
from controller.games.war.rules import war_rules
from controller.games.war.state import Stake
from controller.games.wheel import settle as wheel
from controller.games.wheel.rules import wheel_rules
from controller.rules.rulebook import load_rulebook
from controller.tournament.terms import Terms
from firmware_specs.cards import DECK

Round = Callable[[Mapping[str, int], int, random.Random], dict[str, int]]
"""Banks and the compulsory wager before a round; what it changed of each."""


def round_of(terms: Terms) -> Round:
    """How a round of this event's game goes."""
    game = load_rulebook(terms.rulebook).game
    return {"war": _war, "wheel": _wheel}[game](terms)


def _stake(bank: int, least: int, terms: Terms, rng: random.Random) -> int:
    chip, most = terms.bank.chips.smallest, min(bank, terms.wagers.maximum)
    wanted = min(most, least + chip * rng.choice((0, 0, 1, 5, 10, 40)))
    return wanted // chip * chip


def _war(terms: Terms) -> Round:
    rules, chip = war_rules(terms.rulebook), terms.bank.chips.smallest

    def play(banks: Mapping[str, int], least: int, rng: random.Random) -> dict[str, int]:
        shoe = rng.sample(DECK * 6, 2 * len(banks) + 2)
        dealer, dealer_at_war = shoe.pop(), shoe.pop()
        changes = {}
        for box, (number, bank) in enumerate(banks.items(), 1):
            first, second = shoe.pop(), shoe.pop()
            main = Stake(
                f"{number}/main", number, box, "main", amount := _stake(bank, least, terms, rng), counted=amount
            )
            results = []
            if (side := min(bank - amount, amount)) >= terms.wagers.minimum and rng.random() < 0.2:
                tie = Stake(f"{number}/tie", number, box, "tie", side, counted=side)
                results.append(war.book(rules, tie, war.on_first_cards(rules, None, "tie", first, dealer), chip))
            so_far = bank + sum(one.pays - one.stake_taken for one in results)
            outcome = war.on_first_cards(rules, None, "main", first, dealer)
            if outcome.result != "tied":
                results.append(war.book(rules, main, outcome, chip))
            elif so_far < 2 * amount or rng.random() < 0.3:
                results.append(war.surrender(rules, main, chip))
            else:
                further = Stake(f"{number}/war", number, box, "war", amount, stage="war", counted=amount)
                for stake in (main, further):
                    judged = war.on_war_cards(rules, None, stake.zone, second, dealer_at_war)
                    results.append(war.book(rules, stake, judged, chip))
            changes[number] = sum(one.pays - one.stake_taken for one in results)
        return changes

    return play


def _wheel(terms: Terms) -> Round:
    number = int(terms.game.get("option", 1))
    option = next(one for one in wheel_rules(terms.rulebook).options if one.number == number)
    compartments = [symbol.symbol for symbol in option.symbols for _ in range(symbol.compartments)]
    limits = Limits(terms.wagers.minimum, terms.wagers.maximum, 0, terms.bank.chips.smallest)

    def play(banks: Mapping[str, int], least: int, rng: random.Random) -> dict[str, int]:
        laid = [
            wheel.Wager(number, rng.choice(compartments), _stake(bank, least, terms, rng))
            for number, bank in banks.items()
        ]
        found = wheel.settle(option, rng.choice(compartments), laid, lambda owner, symbol: limits)
        return {one.player: one.pays - one.stake_taken for one in found.results}

    return play
