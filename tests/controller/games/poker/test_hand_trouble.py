"""Hands in which anything may happen at any time: no chip is lost, nothing breaks, and every hand can be ended."""

from __future__ import annotations

import random

from controller.games.poker.cards import DECK
from controller.games.poker.commission import Commission
from controller.games.poker.hand import Hand, apply, expected, restore, save, start
from controller.games.poker.inputs import (
    Act,
    AskToSee,
    Board,
    Boxed,
    Burn,
    BuyTime,
    Cancel,
    CardTo,
    Chips,
    Cut,
    Discard,
    Dropped,
    Exposed,
    Input,
    Irregular,
    Muck,
    PlaceSideWager,
    Post,
    Pushed,
    Rule,
    Shuffled,
    StepDone,
    Table,
    TimeUp,
)
from controller.games.poker.outputs import Finished, Refused
from controller.games.poker.positions import positions_at
from controller.games.poker.remedies import _REMEDIES
from controller.games.poker.round import STATES
from controller.games.poker.rules import Terms
from controller.games.poker.rulings import REPORTED
from controller.games.poker.state import chips_on_table, choices
from controller.games.poker.structures import Structure
from tests.controller.games.poker.dealer import RULES, cents, percentage

STRUCTURES = (
    Structure("fixed", 1000, 100, (1000, 1000, 2000, 2000)),
    Structure("spread", 1000, 100, maximum=5000),
    Structure("half_pot", 1000, 100),
    Structure("pot", 1000, 100),
    Structure("no_limit", 1000, 100),
)
RAKES = (
    percentage(10, 8),
    percentage(5, 3),
    Commission(),
    Commission("per_hand", fees={2: 300}),
    Commission("per_person", fee=100),
)


class Muddle:
    """Plays one hand with a mixture of what is due and what is not."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        game = rng.choice(RULES.games)
        self.terms = Terms(
            game,
            rng.choice(STRUCTURES),
            (500, 1000),
            rng.choice(RAKES),
            straddle=rng.random() < 0.5,
            over_blinds=rng.random() < 0.5,
            side_wagers=rng.random() < 0.7,
            time_to_act_s=30,
            extensions=1,
            extension_s=10,
            extension_fee=200,
        )
        seats = sorted(rng.sample(range(1, 10), rng.randint(2, 6)))
        stacks = {seat: cents(rng.randint(3, rng.choice((30, 900, 900)))) for seat in seats}
        self.seats = seats
        self.hand: Hand = start(self.terms, stacks, positions_at(rng.choice(seats), seats, 2))
        self.deck = rng.sample(DECK, 52)
        self.gave_up: dict[int, list[str]] = {}
        self.trouble = rng.choice((0.02, 0.1, 0.3))

    def card(self) -> str:
        if not self.deck:
            self.deck = [card for card in self.rng.sample(DECK, 52) if card not in self.hand.seen]
        card = self.deck.pop()
        return card if card not in self.hand.seen else self.card()

    def a_report(self) -> Input:
        """Something that may be reported now, about somebody who is in the hand."""
        rng, hand = self.rng, self.hand
        fitting = [what for what, phases in REPORTED.items() if hand.phase in phases]
        if not fitting:
            return Cut()
        what = rng.choice(fitting)
        player = rng.choice([player for player in hand.betting.players if player.live])
        cards: tuple[str, ...] = ()
        if what == "kept_three":
            given_up = [card for card in hand.muck if card in self.gave_up.get(player.seat, ())]
            cards = tuple(given_up[:1])
        return Irregular(what, player.seat, cards, rng.random() < 0.5)  # type: ignore[arg-type]

    def due(self) -> Input:
        """What the hand waits for, done right."""
        hand, rng = self.hand, self.rng
        wanted = expected(hand)
        if hand.ruling is not None:
            if wanted.what == "decision":
                return Rule(rng.choice(choices(hand.ruling.remedy)), 4)
            return StepDone(self.card() if hand.ruling.steps[0].needs_card else "")
        match wanted.what:
            case "fee":
                return Post(wanted.seats[0], wanted.amount, "fee")
            case "blind":
                stack = next(p.stack for p in hand.betting.players if p.seat == wanted.seats[0])
                return Post(wanted.seats[0], min(wanted.amount, stack))
            case "shuffle":
                self.deck = rng.sample(DECK, 52)
                return Shuffled()
            case "cut":
                return Cut()
            case "card":
                return CardTo(wanted.seats[0], self.card())
            case "burn":
                return Board((self.card(), *self.slip())) if rng.random() < self.trouble else Burn(self.card())
            case "board":
                return Board((*(self.card() for _ in range(wanted.amount)), *self.slip()))
            case "discard":
                player = next(p for p in hand.betting.players if p.seat == wanted.seats[0])
                card = rng.choice(player.cards)
                self.gave_up.setdefault(player.seat, []).append(card)
                return Discard(player.seat, card)
            case "show":
                player = next(p for p in hand.betting.players if p.seat == wanted.seats[0])
                if rng.random() < 0.25:
                    return Muck(player.seat)
                return Table(player.seat, tuple(player.cards))
            case "push":
                return Pushed()
            case "drop":
                return Dropped()
        may = wanted.options
        assert may is not None
        if may.raise_max and rng.random() < 0.35:
            total = rng.choice((may.raise_min, may.raise_max, rng.randint(may.raise_min, may.raise_max) // 100 * 100))
            return Act(may.seat, "raise", max(total, may.raise_min))
        if rng.random() < self.trouble / 3:  # a card on the board while somebody still has to act
            return Board((self.card(), *self.slip()))
        return Act(may.seat, rng.choice(("call",) * 12 + ("fold", "all_in")))

    def slip(self) -> list[str]:
        """Sometimes more cards come off the deck than were wanted."""
        cards = {self.card() for _ in range(self.rng.randint(1, 3))} if self.rng.random() < self.trouble else set()
        return sorted(cards)

    def anything(self) -> Input:
        rng, seat = self.rng, self.rng.choice([*self.seats, 11])
        amount = 100 * rng.randint(0, 60)
        card = rng.choice([self.card(), *self.hand.seen[-3:], *self.hand.muck[-3:]])
        return rng.choice(
            (
                lambda: Act(seat, rng.choice(("fold", "check", "call", "bet", "raise", "all_in")), amount),
                lambda: Chips(seat, amount, rng.random() < 0.5, rng.choice(("", "call", "raise"))),
                lambda: Post(seat, amount, rng.choice(("blind", "straddle", "fee"))),
                lambda: PlaceSideWager(seat, rng.choice(("red", "black")), amount),
                lambda: CardTo(seat, card),
                lambda: Exposed(seat, card),
                lambda: Boxed(card),
                lambda: Burn(card),
                lambda: Board(tuple({card, *(self.card() for _ in range(rng.randint(0, 4)))})),
                lambda: Discard(seat, card),
                lambda: Muck(seat),
                lambda: Table(seat, tuple(self.card() for _ in range(rng.randint(1, 4)))),
                lambda: TimeUp(seat),
                lambda: BuyTime(seat),
                lambda: AskToSee(seat, rng.choice(self.seats)),
                lambda: Irregular(rng.choice(list(_REMEDIES)), seat, (card,), rng.random() < 0.5),
                self.a_report,
                self.a_report,
                self.a_report,
                lambda: Rule(rng.choice(("misdeal", "play_on", "hand_dead")), rng.randint(1, 4)),
                lambda: StepDone(card),
                lambda: Shuffled(),
                lambda: Cut(),
                lambda: Pushed(),
                lambda: Dropped(),
                lambda: Cancel("fraud", 2 if rng.random() < 0.05 else 1),
            )
        )()

    def check_cards(self, place: str) -> None:
        """Every card lies in one place, and the board has no more than the street allows."""
        hand = self.hand
        lying = [*hand.board, *hand.burns, *hand.aside, *hand.muck]
        for player in hand.betting.players:
            lying += [card for card in player.cards if card not in hand.muck]
        assert len(lying) == len(set(lying)), f"a card lies in two places: {place}"
        assert set(lying) <= set(hand.seen), f"a card was lost sight of: {place}"
        allowed = {"bet2": 3, "discard2": 3, "turn": 3, "bet3": 4, "river": 4, "bet4": 5, "showdown": 5}
        if hand.phase in allowed:
            assert len(hand.board) == allowed[hand.phase], place
        elif hand.phase in ("posting", "shuffling", "dealing", "bet1", "discard1"):
            assert hand.board == [], place

    def play(self) -> None:
        chips = chips_on_table(self.hand)
        for step in range(2000):
            if self.hand.phase == "between_hands":
                return
            given = self.anything() if step < 400 and self.rng.random() < self.trouble else self.due()
            before = save(self.hand)
            out = apply(self.hand, given)
            place = f"{given} while {restore(before).phase}"
            if out and isinstance(out[0], Refused):
                assert save(self.hand) == before, f"refused, yet changed: {place}"
            assert chips_on_table(self.hand) == chips, f"chips lost or made: {place}"
            assert all(player.stack >= 0 and player.in_hand >= 0 for player in self.hand.betting.players), place
            assert self.hand.phase in STATES
            self.check_cards(place)
            if self.hand.phase == "between_hands":
                assert any(isinstance(output, Finished) for output in out)
        raise AssertionError(f"the hand never ended: {self.hand.phase}, {expected(self.hand)}")


def test_whatever_happens_no_chip_is_lost_and_every_hand_comes_to_an_end() -> None:
    for seed in range(400):
        Muddle(seed).play()
