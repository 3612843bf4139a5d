"""A dealer for tests: sets up tables, deals from a deck that is given, and plays hands from short scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.games.poker import hand as course_of_hand
from controller.games.poker.betting import Betting, Player, call, fold, next_turn, open_first_round, open_round, wager
from controller.games.poker.cards import DECK
from controller.games.poker.commission import Commission
from controller.games.poker.hand import Hand, apply, expected, start
from controller.games.poker.inputs import (
    Act,
    Board,
    Burn,
    CardTo,
    Cut,
    Discard,
    Dropped,
    Input,
    Post,
    Pushed,
    Rule,
    Shuffled,
    StepDone,
    Table,
)
from controller.games.poker.outputs import Award, Output, Refused
from controller.games.poker.positions import positions_at
from controller.games.poker.rules import PokerRules, Terms
from controller.games.poker.state import chips_on_table
from controller.games.poker.structures import Structure
from controller.rules.rulebook import load_rules

RULES = load_rules("melbourne-poker", PokerRules)


def cents(dollars: float) -> int:
    return round(dollars * 100)


def structure(kind: str, **amounts: Any) -> Structure:
    """A structure in dollars: minimum, levels, maximum, chip."""
    level = amounts.get("level", amounts.get("minimum", 10))
    levels = tuple(cents(level) for level in amounts.get("levels", [level] * 4)) if kind == "fixed" else ()
    return Structure(
        kind,  # type: ignore[arg-type]
        cents(amounts.get("minimum", level)),
        cents(amounts.get("chip", 1)),
        levels,
        cents(amounts.get("maximum", 0)),
    )


def seats_betting(
    limits: Structure, count: int, *, stack: float = 10_000, stacks: Sequence[float] = (), first: float = 0
) -> Betting:
    """A betting among seats 1 to `count`, chips not yet wagered; `first` is a last blind to open round one with."""
    held = list(stacks) or [stack] * count
    betting = Betting(limits, [Player(seat, cents(held[seat - 1])) for seat in range(1, count + 1)])
    if first:
        open_first_round(betting, cents(first), count - 1)
    return betting


def bet(betting: Betting, dollars: float) -> None:
    """The seat in turn bets or raises to a total."""
    wager(betting, betting.turn, cents(dollars))
    betting.turn = next_turn(betting)


def match(betting: Betting) -> None:
    """The seat in turn calls or checks."""
    call(betting, betting.turn)
    betting.turn = next_turn(betting)


def give_up(betting: Betting) -> None:
    fold(betting, betting.turn)
    betting.turn = next_turn(betting)


def opened(kind: str, count: int = 3, betting_round: int = 2, pot: float = 0, **amounts: Any) -> Betting:
    """A betting round after the flop, with a pot from before."""
    betting = seats_betting(structure(kind, **amounts), count)
    open_round(betting, betting_round)
    betting.kept = cents(pot)
    return betting


def terms(game: str = "Holdem", kind: str = "no_limit", *, blinds: Sequence[float] = (5, 10), **more: Any) -> Terms:
    """What the sign says, in dollars."""
    rake = more.pop("rake", Commission())
    flags = {name: more.pop(name) for name in list(more) if name in Terms.__struct_fields__}
    more.setdefault("level", blinds[-1])
    return Terms(RULES.game(game), structure(kind, **more), tuple(map(cents, blinds)), rake, **flags)


def percentage(percent: int, cap: float) -> Commission:
    return Commission("percentage", percent, cents(cap))


class Dealer:
    """Deals one hand from a known deck; whoever must show, shows, and rulings are confirmed by the dealer."""

    def __init__(
        self,
        sign: Terms,
        stacks: dict[int, float],
        button: int,
        deck: Iterable[str] = (),
        posts: Sequence[int] = (),
        *,
        seal: bool = True,
    ) -> None:
        seats = sorted(stacks)
        self.hand = start(
            sign,
            {seat: cents(stacks[seat]) for seat in seats},
            positions_at(button, seats, len(sign.blinds)),
            posts,
        )
        given = list(deck)
        self.deck = given + [card for card in DECK if card not in given]
        self.seal = seal
        self.faces: dict[str, str] = {}
        self.out: list[Output] = []
        self.chips = chips_on_table(self.hand)

    def tell(self, *given: Input) -> list[Output]:
        """Hand inputs over one by one; nothing may be refused and no chip may be lost."""
        told: list[Output] = []
        for one in given:
            new = apply(self.hand, one)
            refused = [output for output in new if isinstance(output, Refused)]
            assert not refused, f"{one}: {refused[0]}"
            assert chips_on_table(self.hand) == self.chips, f"{one} lost or made chips"
            told += new
        self.out += told
        return told

    def refused(self, given: Input) -> Refused:
        """Hand over an input that must be refused, and must change nothing."""
        before = course_of_hand.save(self.hand)
        new = apply(self.hand, given)
        assert len(new) == 1, new
        assert isinstance(new[0], Refused), new
        assert course_of_hand.save(self.hand) == before, "a refused input changed the hand"
        return new[0]

    def draw(self) -> str:
        return self.deck.pop(0)

    def draw_sealed(self) -> str:
        """The next card as an antenna tells it: a token that does not say its face."""
        face = self.draw()
        if not self.seal:
            return face
        token = f"sealed-{len(self.faces)}"
        self.faces[token] = face
        return token

    def post_blinds(self) -> None:
        for due in list(self.hand.dues):
            player = next(player for player in self.hand.betting.players if player.seat == due.seat)
            self.tell(Post(due.seat, min(due.amount, player.stack)))

    def deal(self) -> None:
        """Blinds, shuffle, cut and hole cards."""
        self.post_blinds()
        if self.hand.phase == "shuffling":
            self.tell(Shuffled(), Cut())
        while expected(self.hand).what == "card":
            self.tell(CardTo(expected(self.hand).seats[0], self.draw_sealed()))

    def act(self, *acts: str) -> None:
        """Actions in words: '3 call', '4 raise 40', '5 fold'; amounts are totals in dollars."""
        for words in acts:
            seat, kind, *amount = words.split()
            self.tell(Act(int(seat), kind, cents(float(amount[0])) if amount else 0))  # type: ignore[arg-type]

    def go_on(self) -> None:
        """Deal what is due until somebody has to act, decide or show."""
        while True:
            wanted = expected(self.hand)
            if wanted.what == "burn":
                self.tell(Burn(self.draw()))
            elif wanted.what == "board":
                self.tell(Board(tuple(self.draw() for _ in range(wanted.amount))))
            elif wanted.what == "discard":
                player = next(p for p in self.hand.betting.players if p.seat == wanted.seats[0])
                self.tell(Discard(player.seat, player.cards[-1]))
            elif wanted.what == "card":
                self.tell(CardTo(wanted.seats[0], self.draw_sealed()))
            else:
                return

    def check_down(self) -> None:
        """Everybody checks or calls until the showdown."""
        self.go_on()
        while expected(self.hand).what == "action":
            self.tell(Act(expected(self.hand).seats[0], "call"))
            self.go_on()

    def show(self, seat: int) -> None:
        player = next(player for player in self.hand.betting.players if player.seat == seat)
        self.tell(Table(seat, tuple(self.faces.get(card, card) for card in player.cards)))

    def show_all(self) -> None:
        while expected(self.hand).what == "show":
            self.show(expected(self.hand).seats[0])

    def finish(self) -> dict[int, int]:
        """Show, push and drop; returns what each seat was awarded, in cents."""
        self.show_all()
        awards = [output for output in self.out if isinstance(output, Award)]
        self.tell(Pushed(), Dropped())
        won: dict[int, int] = {}
        for award in awards:
            won[award.seat] = won.get(award.seat, 0) + award.amount
        return won

    def decide(self, choice: str = "", rank: int = 3) -> None:
        """Rule as proposed, or as told, and carry out every step that needs no card from the deck."""
        ruling = self.hand.ruling
        assert ruling is not None, "no ruling is open"
        self.tell(Rule(choice or ruling.remedy.ruling, rank))
        while self.hand.ruling is not None and self.hand.ruling.steps:
            step = self.hand.ruling.steps[0]
            self.tell(StepDone(self.draw_sealed() if step.needs_card else ""))

    def stacks(self) -> dict[int, int]:
        return {player.seat: player.stack for player in self.hand.betting.players}


def seats_of(hand: Hand) -> list[int]:
    return [player.seat for player in hand.betting.players]


def dealt(**more: Any) -> Dealer:
    dealer = Dealer(terms(**more), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    return dealer


def at_flop(**more: object) -> Dealer:
    dealer = dealt(**more)
    dealer.act("3 call", "1 call", "2 check")
    return dealer


def at_turn() -> Dealer:
    dealer = at_flop()
    dealer.tell(Burn("b1"), Board(("7d", "8d", "9d")))
    dealer.act("1 check", "2 check", "3 check")
    return dealer


def at_river() -> Dealer:
    dealer = at_turn()
    dealer.tell(Burn("b2"), Board(("Td",)))
    dealer.act("1 check", "2 check", "3 check")
    return dealer


def proposal(dealer: Dealer) -> tuple[str, str]:
    assert dealer.hand.ruling is not None
    return dealer.hand.ruling.remedy.ruling, dealer.hand.ruling.remedy.clause
