"""Random hands played by our hand and by PokerKit's state side by side.

Where the rules agree both must allow the same wagers and pay the same stacks. Where Crown's rules differ, the
difference is one of DIFFERENCES, by clause, and is counted; anything else is a fault.
"""

from __future__ import annotations

import functools
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    Deck,
    EightOrBetterLowHand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from controller.games.poker.betting import Options
from controller.games.poker.cards import DECK
from controller.games.poker.hand import Hand, apply, expected, start
from controller.games.poker.inputs import Act, Board, Burn, CardTo, Cut, Discard, Dropped, Post, Pushed, Shuffled, Table
from controller.games.poker.outputs import Refused
from controller.games.poker.positions import first_positions
from controller.games.poker.rules import Game, Terms
from controller.games.poker.state import chips_on_table
from controller.games.poker.structures import Structure
from tests.controller.games.poker.dealer import RULES

DIFFERENCES = {
    "6.8": "spread: the judge knows no such structure, so its limits to a raise are not compared",
    "6.9": "raises are counted without the opening bet and without short all-ins, and head to head not at all",
    "6.16.2(a)": "limit: an all-in under half of the raise leaves the level to complete, and re-opens nothing",
    "6.16.3": "pot and no limit: an all-in short of a full raise re-opens nothing, and several do not add up",
    "8.5.1": "odd chips go one each clockwise and pot by pot, not all to the first hand of pots thrown together",
    "8.20.4(b)(iv)": "a side pot without a low of its own goes to its high hand, whoever has a low elsewhere",
}
KINDS = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot": BettingStructure.POT_LIMIT,
    "fixed": BettingStructure.FIXED_LIMIT,
    "half_pot": BettingStructure.NO_LIMIT,
    "spread": BettingStructure.NO_LIMIT,
}
"""Structures as the judge knows them: half pot is its no limit under a ceiling worked out from its own pot (6.7)."""
SPREAD_MAXIMUM = 50
SLICE = 100
"""Hands of one game and structure before the next one and the log have their turn."""
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
SMALL, BIG = 5, 10


def _remembered(hand_type: Any) -> Any:
    """The judge's own hand type, which does not work the same cards out twice."""

    class Remembered(hand_type):
        known: ClassVar[dict[Any, Any]] = {}

        @classmethod
        def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> Any:
            key = (Card.clean(hole_cards), Card.clean(board_cards))
            if key not in cls.known:
                try:
                    cls.known[key] = super().from_game(*key)
                except ValueError as error:
                    cls.known[key] = error
            found = cls.known[key]
            if isinstance(found, ValueError):
                raise found
            return found

        def __init__(self, cards: Any) -> None:
            self._Hand__cards = cards = tuple(cards)
            self.found = self.lookup.get_entry_or_none(cards)
            if self.found is None:
                raise ValueError(f"{cards} form no hand")

        @property
        def entry(self) -> Any:
            return self.found

    return Remembered


HIGH, OMAHA_HIGH = _remembered(StandardHighHand), _remembered(OmahaHoldemHand)
LOW, OMAHA_LOW = _remembered(EightOrBetterLowHand), _remembered(OmahaEightOrBetterLowHand)


def _forget() -> None:
    for hand_type in (HIGH, OMAHA_HIGH, LOW, OMAHA_LOW):
        hand_type.known.clear()


class Played(msgspec.Struct):
    """What a run of random hands came to."""

    hands: int = 0
    decisions: int = 0
    showdowns: int = 0
    differences: Counter[str] = msgspec.field(default_factory=Counter)
    faults: list[str] = []


def kit_state(
    game: Game,
    kind: str,
    stacks: Sequence[int],
    automations: Sequence[Automation] = AUTOMATIONS,
    *,
    as_it_comes: bool = False,
) -> State:
    """The same table in PokerKit's terms; Pineapple games are dealt as the cards that are kept."""
    omaha = game.omaha
    high = OMAHA_HIGH if omaha else HIGH
    low = OMAHA_LOW if omaha else LOW
    if as_it_comes:  # to be timed
        high = OmahaHoldemHand if omaha else StandardHighHand
        low = OmahaEightOrBetterLowHand if omaha else EightOrBetterLowHand
    levels = (BIG, BIG, 2 * BIG, 2 * BIG) if kind == "fixed" else (BIG,) * 4
    streets = tuple(
        Street(
            False,
            (False,) * game.kept if number == 0 else (),
            (0, 3, 1, 1)[number],
            False,
            Opening.POSITION,
            level,
            (3 if number == 0 else 4) if kind == "fixed" else None,
        )
        for number, level in enumerate(levels)
    )
    return State(
        tuple(automations),
        Deck.STANDARD,
        (high, low) if game.hilo else (high,),
        streets,
        KINDS[kind],
        True,
        0,
        (SMALL, BIG),
        0,
        tuple(stacks),
        len(stacks),
    )


@functools.cache
def our_terms(game: Game, kind: str) -> Terms:
    levels = (BIG, BIG, 2 * BIG, 2 * BIG) if kind == "fixed" else ()
    most = SPREAD_MAXIMUM if kind == "spread" else 0
    return Terms(game, Structure(kind, BIG, 1, levels, most), (SMALL, BIG))  # type: ignore[arg-type]


def our_hand(game: Game, kind: str, stacks: Sequence[int]) -> Hand:
    """The table in our terms: seat 1 is left of the button, heads-up in the usual form."""
    seats = list(range(1, len(stacks) + 1))
    terms = our_terms(game, kind)
    return start(terms, dict(zip(seats, stacks, strict=True)), first_positions(seats, 2, "usual"))


def _tell(hand: Hand, given: Any, faults: list[str]) -> None:
    before = chips_on_table(hand)
    out = apply(hand, given)
    if out and isinstance(out[0], Refused):
        faults.append(f"{given} refused: {out[0].text}")
    if chips_on_table(hand) != before:
        faults.append(f"{given} lost or made chips")


def play_one(rng: random.Random, game: Game, kind: str, played: Played) -> None:
    """Deal one random hand to both."""
    _forget()
    count = rng.randint(2, min(9, game.seats))
    short = rng.random() < 0.5
    stacks = [rng.randint(BIG, 6 * BIG if short else 40 * BIG) for _ in range(count)]
    kit = kit_state(game, kind, stacks)
    hand = our_hand(game, kind, stacks)
    faults: list[str] = []
    deck = rng.sample(DECK, 52)
    for due in list(hand.dues):
        _tell(hand, Post(due.seat, due.amount), faults)
    _tell(hand, Shuffled(), faults)
    _tell(hand, Cut(), faults)
    while expected(hand).what == "card":
        _tell(hand, CardTo(expected(hand).seats[0], deck.pop()), faults)
    for player in hand.betting.players:
        kit.deal_hole("".join(player.cards[: game.kept]))
    script: list[str] = []
    while hand.phase != "between_hands" and not faults:
        wanted = expected(hand)
        if wanted.what == "action":
            assert wanted.options is not None
            _decide(rng, hand, kit, wanted.options, played, script, faults)
        elif wanted.what == "burn":
            _tell(hand, Burn(deck.pop()), faults)
        elif wanted.what == "board":
            cards = tuple(deck.pop() for _ in range(wanted.amount))
            _tell(hand, Board(cards), faults)
            if kit.actor_index is not None and not kit.checking_or_calling_amount:
                kit.check_or_call()  # it asks the last seat with chips for a check that changes nothing
            if not kit.can_deal_board():
                faults.append(f"the judge deals no board at {hand.phase}")
                break
            kit.deal_board("".join(cards))
        elif wanted.what == "discard":
            player = next(player for player in hand.betting.players if player.seat == wanted.seats[0])
            _tell(hand, Discard(player.seat, player.cards[-1]), faults)
        elif wanted.what == "show":
            player = next(player for player in hand.betting.players if player.seat == wanted.seats[0])
            _tell(hand, Table(player.seat, tuple(player.cards)), faults)
            played.showdowns += 1
        elif wanted.what == "push":
            odd, lowless = _odd_chips_differ(hand), _side_pot_without_low(hand)
            if (odd or lowless) and _won(hand) != by_hand(hand):
                faults.append(f"awards {_won(hand)} against {by_hand(hand)} worked out by hand")
            _tell(hand, Pushed(), faults)
        else:
            _tell(hand, Dropped(), faults)
    played.hands += 1
    if not faults:
        ours = [player.stack for player in hand.betting.players]
        if kit.status:
            faults.append("the judge's hand is not over")
        elif ours != list(kit.stacks):
            gap = sum(abs(one - two) for one, two in zip(ours, kit.stacks, strict=True))
            if lowless:
                played.differences["8.20.4(b)(iv)"] += 1
            elif odd and gap <= 4 * len(ours):
                played.differences["8.5.1"] += 1
            else:
                faults.append(f"stacks {ours} against {list(kit.stacks)}")
    played.faults += [f"{game.name}, {kind}, {stacks}, {' '.join(script)}: {fault}" for fault in faults]


def _won(hand: Hand) -> dict[int, int]:
    won: Counter[int] = Counter()
    for share in hand.awards:
        won[share.seat] += share.amount
    return {seat: amount for seat, amount in won.items() if amount}


def by_hand(hand: Hand) -> dict[int, int]:
    """Share the pots by Crown's rules, slowly and plainly, with the judge's hand values."""
    game = hand.terms.game
    high_type = OMAHA_HIGH if game.omaha else HIGH
    low_type = OMAHA_LOW if game.omaha else LOW
    board = "".join(hand.board)
    won: Counter[int] = Counter()
    shown = {player.seat: "".join(player.shown) for player in hand.betting.players if player.shown}
    for pot in hand.pots:
        high = {seat: high_type.from_game(shown[seat], board) for seat in pot.seats}
        low = {seat: low_type.from_game_or_none(shown[seat], board) for seat in pot.seats} if game.hilo else {}
        low = {seat: value for seat, value in low.items() if value is not None}
        parts = [(pot.amount - pot.amount // 2, high), (pot.amount // 2, low)] if low else [(pot.amount, high)]
        for amount, values in parts:
            best = max(values.values())
            winners = [seat for seat in sorted(values) if values[seat] == best]  # seat 1 is left of the button
            for place, seat in enumerate(winners):
                won[seat] += amount // len(winners) + (place < amount % len(winners))
    return {seat: amount for seat, amount in won.items() if amount}


def _odd_chips_differ(hand: Hand) -> bool:
    """Whether pots are shared in a way that leaves odd chips: by three or more, or several pots at once."""
    sharers = Counter((share.pot, share.side) for share in hand.awards)
    shared = [number for number in sharers.values() if number > 1]
    halved = any(share.side == "low" for share in hand.awards)
    return any(number > 2 for number in shared) or (len(hand.pots) > 1 and (bool(shared) or halved))


def _side_pot_without_low(hand: Hand) -> bool:
    """Whether somebody has a low, but nobody among those who may win some pot."""
    lows = {read.seat for read in hand.hands if read.low}
    return bool(lows) and any(not lows & set(pot.seats) for pot in hand.pots)


def _decide(
    rng: random.Random, hand: Hand, kit: State, may: Options, played: Played, script: list[str], faults: list[str]
) -> None:
    betting = hand.betting
    played.decisions += 1
    if kit.actor_index != betting.turn:
        faults.append(f"turn {betting.turn} against {kit.actor_index}")
        return
    if kit.checking_or_calling_amount != may.to_call:
        faults.append(f"call {may.to_call} against {kit.checking_or_calling_amount}")
        return
    ours = (may.raise_min, may.raise_max) if may.raise_max else None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        least = kit.min_completion_betting_or_raising_to_amount
        most = kit.max_completion_betting_or_raising_to_amount
    theirs = (least, most) if least is not None and most is not None else None
    if theirs and betting.structure.kind == "half_pot":
        player = betting.players[betting.turn]
        pot = kit.total_pot_amount + may.to_call
        theirs = (theirs[0], min(theirs[1], player.in_round + may.to_call + pot // 2))
        theirs = theirs if theirs[0] <= theirs[1] else None
    if betting.structure.kind == "spread":
        played.differences["6.8"] += ours != theirs
    elif ours != theirs:
        clause = _explained(hand, may, ours, theirs)
        if not clause:
            faults.append(f"seat {may.seat} may raise {ours} against {theirs} ({may.no_raise})")
            return
        played.differences[clause] += 1
    if ours and theirs and max(ours[0], theirs[0]) <= min(ours[1], theirs[1]) and rng.random() < 0.4:
        low, top = max(ours[0], theirs[0]), min(ours[1], theirs[1])
        total = rng.choice((low, top, rng.randint(low, top)))
        if rng.random() < 0.7:
            total = min(total, low + rng.randint(0, 3 * BIG))
        kit.complete_bet_or_raise_to(total)
        _tell(hand, Act(may.seat, "bet" if may.opening else "raise", total), faults)
        script.append(f"{may.seat}r{total}")
    elif may.to_call and rng.random() < 0.25:
        kit.fold()
        _tell(hand, Act(may.seat, "fold"), faults)
        script.append(f"{may.seat}f")
    else:
        kit.check_or_call()
        _tell(hand, Act(may.seat, "call" if may.to_call else "check"), faults)
        script.append(f"{may.seat}c")


def _explained(hand: Hand, may: Options, ours: Any, theirs: Any) -> str:
    """The clause by which our answer differs from the judge's, or nothing."""
    betting = hand.betting
    short_all_in = any(player.all_in == betting.round for player in betting.players)
    if not betting.structure.limited:
        return "6.16.3" if ours is None and may.no_raise == "6.16.3" and short_all_in else ""
    if may.no_raise == "6.9" or (theirs is None and ours is not None and not short_all_in):
        return "6.9"
    if not short_all_in:
        return ""
    if ours is None:
        return may.no_raise if may.no_raise in DIFFERENCES else ""
    # A short all-in this round: the level is completed, or the judge has counted it as a raise.
    under_half = betting.high != betting.full
    return "6.16.2(a)" if theirs is not None and under_half else "6.9" if theirs is None else ""


PAIRS = {f"{game.name}, {kind}": (game, kind) for game in RULES.games for kind in KINDS}


def play_numbered(pair: str, number: int, seed: int, played: Played) -> None:
    """One hand of a game and structure: the same for the same number and seed, whatever was played before."""
    game, kind = PAIRS[pair]
    play_one(random.Random(f"{seed} {pair} {number}"), game, kind, played)


def play_against(count: int, seed: int) -> Played:
    """Random hands, spread over every game and every structure."""
    played = Played()
    for number, pair in zip(range(count), _round_and_round(), strict=False):
        play_numbered(pair, number, seed, played)
        if len(played.faults) >= 5:
            break
    return played


def play_on(log: Path, each: int, seed: int = 21, tell: Callable[[str], None] = print) -> dict[str, Played]:
    """Play until every game and structure has had so many hands, from where the log stands; faults stop nothing."""
    so_far: dict[str, Played] = {}
    if log.exists():
        kept = msgspec.json.decode(log.read_bytes())
        so_far = {pair: Played(**{**one, "differences": Counter(one["differences"])}) for pair, one in kept.items()}
    while True:
        least = min((so_far.setdefault(pair, Played()).hands for pair in PAIRS), default=each)
        if least >= each:
            return so_far
        for pair, played in so_far.items():
            for number in range(played.hands, min(least + SLICE, each)):
                play_numbered(pair, number, seed, played)
        fresh = log.with_name(log.name + ".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(so_far)))
        fresh.replace(log)
        faults = sum(len(played.faults) for played in so_far.values())
        tell(f"{sum(played.hands for played in so_far.values())} hands, {faults} faults")


def _round_and_round() -> Iterator[str]:
    while True:
        yield from PAIRS
