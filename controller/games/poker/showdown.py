"""The showdown: who shows first, which hands are read, and who wins which pot."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.games.poker.betting import Player
from controller.games.poker.evaluate import hand_values
from controller.games.poker.pots import Pot, Share, order_without_button, share_pot
from controller.games.poker.rules import Game


class TabledHand(msgspec.Struct, frozen=True, gc=False):
    """A hand that lies open: its values as the controller reads them (1.1 'Cards speak')."""

    seat: int
    high: int
    low: int


def show_order(players: Sequence[Player], called: int) -> list[int]:
    """Live seats in the order they show: the one that was called, then clockwise (8.20.4, P-A29)."""
    start = called if called >= 0 and players[called].live else 0
    turned = [*players[start:], *players[:start]]
    return [player.seat for player in turned if player.live]


def read_hand(seat: int, hole: Sequence[str], board: Sequence[str], game: Game) -> TabledHand:
    """Read a tabled hand, whatever its owner says about it (8.7)."""
    high, low = hand_values(hole, board, omaha=game.omaha, hilo=game.hilo)
    return TabledHand(seat, high, low)


def share_pots(
    pots: Sequence[Pot],
    net: Sequence[int],
    hands: Sequence[TabledHand],
    given_up: Sequence[int],
    game: Game,
    chip: int,
    order: Sequence[int],
    *,
    button: bool = True,
) -> list[Share]:
    """Share every pot among the tabled hands that may win it (8.7, 8.20.4).

    `given_up` are the seats that mucked at the showdown, in order: a pot all of whose claimants did so belongs to
    the last of them, who was alone in it by then.
    """
    shares: list[Share] = []
    for number, pot in enumerate(pots):
        amount = net[number]
        if amount == 0:
            continue
        claims = [hand for hand in hands if hand.seat in pot.seats]
        if not claims:
            alone = [seat for seat in given_up if seat in pot.seats]
            shares.append(Share(number, (alone or pot.seats)[-1], amount, "whole", "8.20.3(a)"))
            continue
        highs = {hand.seat: hand.high for hand in claims}
        lows = {hand.seat: hand.low for hand in claims} if game.hilo else {}
        shares += share_pot(number, amount, highs, lows, chip, order, omaha=game.omaha, button=button)
    return shares


def tied_seats(hands: Sequence[TabledHand]) -> list[int]:
    """The seats whose hands are all of equal value, high and low; empty when one differs (7.8, P-A15)."""
    first = hands[0]
    if all(hand.high == first.high and hand.low == first.low for hand in hands):
        return [hand.seat for hand in hands]
    return []


def odd_chip_order(players: Sequence[Player], *, button: bool) -> list[int]:
    """Who comes first for odd chips: clockwise of the button, or by the best hole card without one."""
    if button:
        return [player.seat for player in players]
    return order_without_button({player.seat: player.shown for player in players if player.shown})


def best_tabled(hands: Sequence[TabledHand]) -> list[int]:
    """Who would win at this moment: the 'pot winner' whose request keeps a mucked hand live (9.5, P-A38)."""
    if not hands:
        return []
    best = max(hand.high for hand in hands)
    lows = [hand.low for hand in hands if hand.low]
    low = min(lows) if lows else 0
    return [hand.seat for hand in hands if hand.high == best or (low and hand.low == low)]


def asked_hand_is_live(asker: int, hands: Sequence[TabledHand]) -> bool:
    """Whether a discarded called hand can still win when this seat asks to see it (9.5)."""
    return asker in best_tabled(hands)
