"""Pots: what nobody called goes back, all-ins make levels, and what is left is shared to the lowest chip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from controller.games.poker.betting import Player
from controller.games.poker.cards import highest_card


class Pot(msgspec.Struct, gc=False):
    """The main pot or a side pot, and the seats that may win it."""

    amount: int
    seats: list[int]


class Share(msgspec.Struct, frozen=True, gc=False):
    """What one seat gets out of one pot."""

    pot: int
    seat: int
    amount: int
    side: str
    """whole, high or low."""
    clause: str


def uncalled(players: Sequence[Player]) -> tuple[int, int]:
    """The index of the seat whose wager nobody matched, and how much of it; (-1, 0) when all was called."""
    best = second = -1
    at = -1
    for index, player in enumerate(players):
        amount = player.in_hand
        if amount > best:
            best, second, at = amount, best, index
        elif amount > second:
            second = amount
    if second < 0 or best == second or not players[at].live:  # what a dead hand wagered stays (9.1.1(f))
        return -1, 0
    return at, best - second


def make_pots(players: Sequence[Player], given_up: Sequence[int] = ()) -> list[Pot]:
    """One pot for each distinct level among live hands; folded chips fill the levels they reached.

    A hand given up at the showdown was live when the pots were made, so its level still counts.
    """
    claims = [player.live or player.seat in given_up for player in players]
    levels = sorted({player.in_hand for player, claim in zip(players, claims, strict=True) if claim and player.in_hand})
    if len(levels) <= 1:  # nobody is short: one pot, by far the most common case
        amount = 0
        seats = []
        for player, claim in zip(players, claims, strict=True):
            amount += player.in_hand
            if claim:
                seats.append(player.seat)
        return [Pot(amount, seats)]
    pots: list[Pot] = []
    below = 0
    for level in levels:
        amount = 0
        seats = []
        for player, claim in zip(players, claims, strict=True):
            if player.in_hand > below:
                amount += min(player.in_hand, level) - below
            if claim and player.in_hand >= level:
                seats.append(player.seat)
        pots.append(Pot(amount, seats))
        below = level
    # A dead hand may have wagered more than any live one.
    pots[-1].amount += sum(player.in_hand - below for player in players if player.in_hand > below)
    return pots


def split(amount: int, winners: Sequence[int], chip: int, order: Sequence[int]) -> dict[int, int]:
    """Equal shares in the lowest chip; odd chips go one each in the given order (8.5, 8.5.1, P-A17)."""
    if len(winners) == 1:
        return {winners[0]: amount}
    each = amount // len(winners)
    each -= each % chip
    shares = dict.fromkeys(winners, each)
    rest = amount - each * len(winners)
    for seat in (seat for seat in order if seat in shares):
        if rest <= 0:
            break
        odd = min(chip, rest)
        shares[seat] += odd
        rest -= odd
    return shares


def halves(amount: int, chip: int) -> tuple[int, int]:
    """The high and the low half; the odd chip goes to the high side (8.20.4(b)(v), (d)(v))."""
    low = amount // 2
    low -= low % chip
    return amount - low, low


def order_without_button(hole: Mapping[int, Sequence[str]]) -> list[int]:
    """Who gets odd chips first when no dealer button is in use: the best kept hole card (8.5.2, P-A18)."""
    return sorted(hole, key=lambda seat: highest_card(hole[seat]), reverse=True)


def share_pot(
    number: int,
    amount: int,
    highs: Mapping[int, int],
    lows: Mapping[int, int],
    chip: int,
    order: Sequence[int],
    *,
    omaha: bool = False,
    button: bool = True,
) -> list[Share]:
    """Who gets what of one pot, from the values of the tabled hands that may win it."""
    best = max(highs.values())
    winners = [seat for seat, value in highs.items() if value == best]
    qualified = [value for value in lows.values() if value]
    odd = "8.5.1" if button else "8.5.2"
    rule = "8.20.4(d)" if omaha else "8.20.4(b)"
    if not qualified:
        clause = odd if len(winners) > 1 else "8.7"
        if lows and len(winners) == 1:
            clause = f"{rule}(iv)"
        shares = split(amount, winners, chip, order)
        return [Share(number, seat, share, "whole", clause) for seat, share in shares.items()]
    best_low = min(qualified)
    low_winners = [seat for seat, value in lows.items() if value == best_low]
    high_half, low_half = halves(amount, chip)
    result = [
        Share(number, seat, share, "high", odd if len(winners) > 1 else f"{rule}(i)")
        for seat, share in split(high_half, winners, chip, order).items()
    ]
    result += [
        Share(number, seat, share, "low", odd if len(low_winners) > 1 else f"{rule}(ii)")
        for seat, share in split(low_half, low_winners, chip, order).items()
    ]
    return result
