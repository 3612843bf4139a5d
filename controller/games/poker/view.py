"""What screens and the limit sign show of a poker table; of cards only those that lie open, and how many lie where."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games.poker import offers
from controller.games.poker.betting import Player
from controller.games.poker.evaluate import describe
from controller.games.poker.hand import expected, options_now
from controller.games.poker.instructions import next_words
from controller.games.poker.pots import make_pots
from controller.games.poker.state import Hand, Seat
from controller.games.poker.table import ACT_TIMER, PokerTable


def sign(game: PokerTable) -> dict[str, Any]:
    """What the limit sign shows of the game."""
    coming = game.state.coming
    return {
        **offers.sign_of(game.state.terms),
        "change": offers.sign_of(coming.terms) if coming is not None else None,
    }


def view(game: PokerTable) -> dict[str, Any]:
    """What the screens show of the round."""
    state, hand = game.state, game.state.hand
    positions = state.in_play.positions if state.in_play is not None else state.positions
    return {
        "state": game.machine.state,
        "phase": game.machine.state,
        "hand": game.table.state.round,
        "game": state.terms.game.name,
        "button": positions.button if positions is not None else 0,
        "seats": _seats(state.seats, hand),
        "results": msgspec.to_builtins(state.results),
        "lay_open": msgspec.to_builtins(state.lay_open),
        "act_by": game.desk.state.timers.get(ACT_TIMER, 0),
        "deck": state.deck.status,
        **(_hand(hand) if hand is not None else _NO_HAND),
    }


_NO_HAND: dict[str, Any] = {"board": [], "pots": [], "rake": 0, "turn": 0, "instruction": ""}


def _hand(hand: Hand) -> dict[str, Any]:
    wanted, may = expected(hand), options_now(hand)
    return {
        "board": list(hand.board),
        "pots": _pots(hand),
        "rake": hand.rake,
        "turn": may.seat if may is not None else 0,
        "instruction": next_words(hand),
        "expected": {
            "what": wanted.what,
            "clause": wanted.clause,
            "seats": wanted.seats,
            "amount": wanted.amount,
        },
        "options": msgspec.to_builtins(may) if may is not None else None,
        "tabled": {player.seat: player.shown for player in hand.betting.players if player.shown},
        "awards": _awards(hand) if hand.phase == "award" else [],
    }


def _awards(hand: Hand) -> list[dict[str, Any]]:
    """What is pushed where: each share of each pot, with the hand that won it."""
    held = {read.seat: describe(read.high) for read in hand.hands}
    return [
        {
            "seat": share.seat,
            "pot": share.pot,
            "cents": share.amount,
            "side": share.side,
            "hand": held.get(share.seat, "") if share.side != "low" else "low",
            "clause": share.clause,
        }
        for share in hand.awards
        if share.amount
    ]


def _pots(hand: Hand) -> list[int]:
    """The pots as they stand; a side pot as soon as what was gathered has one, chips of this round not among them."""
    if hand.pots:
        return [pot.amount for pot in hand.pots]
    if not hand.betting.kept:
        return []
    gathered = [_before_this_round(player) for player in hand.betting.players]
    pots = [pot.amount for pot in make_pots(gathered)]
    pots[-1] += hand.betting.kept - sum(pots)  # fees and dead money lie with what was gathered last
    return pots


def _before_this_round(player: Player) -> Player:
    return msgspec.structs.replace(player, in_hand=player.in_hand - player.in_round)


def _seats(seats: dict[int, Seat], hand: Hand | None) -> list[dict[str, Any]]:
    players = {player.seat: player for player in hand.betting.players} if hand is not None else {}
    return [_seat(number, seats[number], players.get(number)) for number in sorted(seats)]


def _seat(number: int, seat: Seat, player: Player | None) -> dict[str, Any]:
    if player is None:
        flags = [name for name, on in msgspec.to_builtins(seat.flags).items() if on]
        return {"seat": number, "player": seat.player, "stack": seat.stack, "status": " ".join(flags)}
    return {
        "seat": number,
        "player": seat.player,
        "stack": player.stack,
        "in_round": player.in_round,
        "cards": len(player.cards) if player.live else 0,
        "folded": not player.live,
        "status": player.out or ("all_in" if player.all_in else ""),
    }
