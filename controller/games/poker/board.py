"""Cards in front of the dealer: burns, the board, discards and boxed cards, each checked against what is due."""

from __future__ import annotations

from controller.games.poker.cards import face_in_words
from controller.games.poker.inputs import Board, Boxed, Burn, Discard
from controller.games.poker.outputs import Output, Prompt, Recorded
from controller.games.poker.play import discards_when_done
from controller.games.poker.remedies import DEALER, Facts, Irregularity, opened_together
from controller.games.poker.round import BOARD_TARGET, PREMATURE, WHILE
from controller.games.poker.state import Hand, Refusal, index_of, move, propose


def once(hand: Hand, cards: tuple[str, ...]) -> None:
    """Refuse a card that has already left the deck: an antenna that reads twice must not deal twice."""
    for card in cards:
        if card in hand.seen or cards.count(card) > 1:
            raise Refusal(
                "3.1", f"card {face_in_words(card)} has already left the deck; check the antennas, then the deck"
            )


def burn(hand: Hand, given: Burn, out: list[Output]) -> None:
    """The burn before a street; one taken while a betting round is still open counts for the next street."""
    if hand.phase not in BOARD_TARGET and hand.phase not in PREMATURE:
        raise Refusal("1.1 'Burn'", f"no burn is due while {WHILE[hand.phase]}; put the card back on top")
    if hand.burn_ready:
        raise Refusal("1.1 'Burn'", "no further burn is due before the next board card; put the card back on top")
    once(hand, (given.card,))
    hand.seen.append(given.card)
    hand.burns.append(given.card)
    hand.burn_ready = True
    if hand.phase in PREMATURE:
        out.append(Recorded("burned before the round was over", "1.1 'Burn'", cards=(given.card,)))


def turn_up(hand: Hand, given: Board, out: list[Output]) -> None:
    """Board cards were turned up: the right number at the right time, or a ruling."""
    phase = hand.phase
    cards = given.cards
    if not cards:
        raise Refusal("8.18.1", "no card was turned up")
    once(hand, cards)
    if phase in PREMATURE:
        street = PREMATURE[phase]
        facts = Facts(street, cards, burned=hand.burn_ready)
        what: Irregularity = "premature_flop"
        if street == "turn":
            what = "premature_turn"
        elif street == "river":
            what = "premature_river"
        propose(hand, what, facts, out)
        return
    if phase not in BOARD_TARGET:
        raise Refusal("8.18.1", f"no board card is due while {WHILE[phase]}; take it back")
    street = "flop" if phase == "side_flop" else phase
    missing = BOARD_TARGET[phase] - len(hand.board)
    if not hand.burn_ready:
        propose(hand, "no_burn", Facts(street, cards), out)
        return
    if len(cards) > missing:
        shown = (*hand.board, *cards) if street == "flop" else cards
        facts = Facts(street, shown, burned=True)
        propose(hand, opened_together(street, len(cards)), facts, out)
        return
    add_to_board(hand, cards)
    if len(cards) < missing:
        # Fewer than three: the rest comes off the top before anybody acts (P-A25).
        out.append(Prompt("short_flop", "13.10", DEALER, "complete_flop", ("complete_flop",), 0, missing - len(cards)))
        return
    board_complete(hand, out)


def add_to_board(hand: Hand, cards: tuple[str, ...]) -> None:
    hand.board += cards
    hand.seen += cards


def board_complete(hand: Hand, out: list[Output]) -> None:
    """The street stands: go on to its betting, or to the award when it was dealt for side wagers only."""
    hand.burn_ready = False
    move(hand, "board_done", out)


def discard(hand: Hand, given: Discard, out: list[Output]) -> None:
    """A live hand gives up one card; the next street waits for all of them (8.17.4, 8.18.4, 9.15.1)."""
    game = hand.terms.game
    if hand.phase not in ("discard1", "discard2"):
        raise Refusal(game.discard_clause or "8.17.4", "no card is to be given up now")
    player = hand.betting.players[index_of(hand, given.seat)]
    if not player.live or len(player.cards) != game.hole:
        raise Refusal(game.discard_clause, f"seat {given.seat} has no card to give up")
    if given.card not in player.cards:
        raise Refusal(game.discard_clause, f"that card was not dealt to seat {given.seat}")
    at = player.cards.index(given.card)
    del player.cards[at], player.shown[at : at + 1]  # of a hand that lies open the face goes with the card
    hand.muck.append(given.card)
    discards_when_done(hand, out)


def boxed(hand: Hand, given: Boxed, out: list[Output]) -> None:
    """A card found face up does not exist: muck it, the next one replaces it; the fifth spoils the deck (9.3)."""
    if hand.phase not in ("dealing", *BOARD_TARGET):
        raise Refusal("9.3", "no card is being dealt")
    once(hand, (given.card,))
    hand.seen.append(given.card)
    hand.muck.append(given.card)
    hand.boxed += 1
    out.append(Recorded("boxed card to the muck, the next card replaces it", "9.3", cards=(given.card,)))
    if hand.boxed >= hand.terms.boxed_limit:
        propose(hand, "defective_deck", Facts(shown=(given.card,)), out)


def street_cards(hand: Hand) -> tuple[str, tuple[str, ...]]:
    """The street on which the betting now open takes place, and its cards."""
    street, first = {2: ("flop", 0), 3: ("turn", 3), 4: ("river", 4)}[hand.betting.round]
    return street, tuple(hand.board[first:])


def take_from_board(hand: Hand, cards: tuple[str, ...]) -> None:
    """Cards leave the board; those that go back into the stub may come again."""
    hand.board = [card for card in hand.board if card not in cards]


def back_into_stub(hand: Hand, cards: tuple[str, ...]) -> None:
    hand.seen = [card for card in hand.seen if card not in cards]
