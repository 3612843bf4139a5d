"""The money of a hand: who has wagered what, whose turn it is, and what a wager does to everybody else's rights."""

from __future__ import annotations

import msgspec

from controller.games.poker.structures import UNLIMITED, Structure, pot_limit_total


class Player(msgspec.Struct, gc=False):
    """One seat in a hand; amounts are cents, hole cards are sealed tokens until the hand is tabled."""

    seat: int
    stack: int
    posted: int = 0
    in_round: int = 0
    in_hand: int = 0
    live: bool = True
    """Has a claim to the pot; a folded, dead or void hand has none."""
    out: str = ""
    """Why it has none: folded, dead, void or mucked."""
    all_in: int = 0
    """The round in which the last chip went in; 0 while chips are left."""
    owes: bool = False
    """Still has to act in this round."""
    may_raise: bool = False
    """Has not yet acted on the last full bet or raise (6.16.2, 6.16.3)."""
    closed: str = ""
    """The clause that took bet and raise from this seat for the round: 6.18.3 or 6.17."""
    time_bought: int = 0
    """How often this player has bought time to act in the hand (6.15.2)."""
    cards: list[str] = []
    shown: list[str] = []


class Options(msgspec.Struct, frozen=True, gc=False):
    """What the seat in turn may do; totals are what would lie before it in this round."""

    seat: int
    to_call: int
    """Chips to add for a call, no more than the stack; 0 means it may check or stand."""
    call_total: int
    raise_min: int
    """Lowest legal total of a bet or raise; 0 when neither is open."""
    raise_max: int
    opening: bool
    """A wager would be the first of the round."""
    no_raise: str = ""
    """The clause that closes raising."""


class Betting(msgspec.Struct, gc=False):
    """The betting of a hand; players stand in deal order, the button last."""

    structure: Structure
    players: list[Player]
    round: int = 0
    high: int = 0
    """Highest wager of the round: what a call must reach."""
    full: int = 0
    """Highest wager that counts as a bet or raise: an under-half all-in is above it (6.16.2(a))."""
    last_raise: int = 0
    """Size of the last bet or raise ([6.6], 6.8)."""
    raises: int = 0
    turn: int = -1
    aggressor: int = -1
    """Index of whoever last raised the wager to call: the one who is called (8.20.4)."""
    called: int = -1
    """The aggressor of the last betting round that took place."""
    kept: int = 0
    """Chips in the pot from earlier rounds."""
    opening: tuple[int, int] = (0, 0)
    """The wager to call and the size of a raise as the round began."""
    wagers: list[tuple[int, int]] = []
    """Bets and raises of the round in order: the index of whoever made it, and its total."""


def open_first_round(betting: Betting, last_blind: int, last_blind_index: int, straddle: int = 0) -> None:
    """Begin round one: the last blind is the bet, a straddle raises the call and nothing else (6.5.1, P-A8, P-A42)."""
    betting.round = 1
    betting.high = betting.full = straddle or last_blind
    betting.last_raise = last_blind
    if betting.structure.kind == "fixed":
        betting.last_raise = betting.structure.levels[0]
    betting.raises = 0
    betting.kept = 0
    betting.aggressor = -1
    betting.opening, betting.wagers = (betting.high, betting.last_raise), []
    _everyone_owes(betting)
    betting.turn = last_blind_index
    betting.turn = next_turn(betting)


def open_round(betting: Betting, betting_round: int) -> None:
    """Begin a later round with the first live seat left of the button (8.18.2, 8.19.2, 8.20.2)."""
    betting.round = betting_round
    betting.high = betting.full = betting.raises = 0
    betting.last_raise = betting.structure.step(betting_round)
    betting.aggressor = -1
    betting.opening, betting.wagers = (0, betting.last_raise), []
    _everyone_owes(betting)
    betting.turn = -1
    betting.turn = next_turn(betting)
    if betting.turn >= 0:
        betting.called = -1


def _everyone_owes(betting: Betting) -> None:
    for player in betting.players:
        able = player.live and not player.all_in
        player.owes = player.may_raise = able
        player.closed = ""


def next_turn(betting: Betting) -> int:
    """The index of the next seat that has to act, or -1 when the round is over (1.1 'Betting round')."""
    players = betting.players
    live = 0
    able = None
    several = False
    for player in players:
        if player.live:
            live += 1
            if not player.all_in:
                several = able is not None
                if several:
                    break
                able = player
    if not several:
        # One seat against all-ins: it answers what they wagered, and has nobody left to bet against.
        if able is None or live == 1 or not able.owes or able.in_round >= _contested(betting, able):
            return -1
        return players.index(able)
    count = len(players)
    at = betting.turn
    for _ in range(count):
        at += 1
        if at == count:
            at = 0
        player = players[at]
        if player.owes and player.live and not player.all_in:
            return at
    return -1


def _contested(betting: Betting, able: Player) -> int:
    """What the only seat that can still act has to meet: a short blind contests no more than it put up (6.16.1)."""
    most = max(player.in_round for player in betting.players if player.live and player is not able)
    if most < betting.high:
        betting.high = most
    return betting.high


def head_to_head(betting: Betting) -> bool:
    """Whether two players remain in the betting of this round (1.1 'Head to Head', P-A3)."""
    remaining = 0
    for player in betting.players:
        if player.live and (not player.all_in or player.all_in == betting.round):
            remaining += 1
    return remaining <= 2


def pot_total(betting: Betting) -> int:
    """Everything wagered so far, before any rake (1.1 'Pot', P-A16)."""
    total = betting.kept
    for player in betting.players:
        total += player.in_round
    return total


def options(betting: Betting, index: int) -> Options:
    """What this seat may do if it is its turn."""
    player = betting.players[index]
    high = betting.high
    behind = player.in_round + player.stack
    to_call = high - player.in_round
    if to_call < 0:
        to_call = 0
    elif to_call > player.stack:
        to_call = player.stack
    low, top, clause = _raise_bounds(betting, player, index, behind)
    return Options(player.seat, to_call, player.in_round + to_call, low, top, high == 0, clause)


def _raise_bounds(betting: Betting, player: Player, index: int, behind: int) -> tuple[int, int, str]:
    structure = betting.structure
    high = betting.high
    if behind <= high:
        return 0, 0, "6.16.1"
    if player.closed:
        return 0, 0, player.closed
    if structure.limited:
        if not player.may_raise:
            return 0, 0, "6.16.2(a)"
        if betting.raises >= structure.raises and betting.full and not head_to_head(betting):
            return 0, 0, "6.9"
        low = betting.full + betting.last_raise
        top = low if structure.kind == "fixed" else betting.full + structure.maximum
    else:
        if not player.may_raise:
            return 0, 0, "6.16.3"
        low = high + betting.last_raise
        if structure.kind == "no_limit":
            top = UNLIMITED
        else:
            top = pot_limit_total(structure.kind, high, high - player.in_round, pot_total(betting), structure.chip)
            if top < low:  # the sign's minimum is a legal wager even when the ratio is below it
                top = low
    for at, other in enumerate(betting.players):
        if at != index and other.live and other.in_round + other.stack > high:
            break
    else:
        return 0, 0, "6.16.1"  # everybody else is all-in: nobody is left to answer a raise
    if top > behind:
        top = behind
    if low > behind:
        low = behind
    return low, top, ""


def fold(betting: Betting, index: int, why: str = "folded") -> None:
    """Give up a hand; its chips stay (1.1 'Fold')."""
    player = betting.players[index]
    player.live = player.owes = player.may_raise = False
    player.out = why


def call(betting: Betting, index: int) -> int:
    """Match the highest wager, or as much of it as the stack reaches (1.1 'Call', 6.16.1); check when there is none."""
    player = betting.players[index]
    added = betting.high - player.in_round
    if added > 0:
        if added >= player.stack:
            added = player.stack
            player.all_in = betting.round
        player.stack -= added
        player.in_round += added
        player.in_hand += added
    else:
        added = 0
    player.owes = player.may_raise = False
    return added


def wager(betting: Betting, index: int, total: int) -> bool:
    """Bet or raise to a legal total; returns whether it counts as a bet or raise and so re-opens the action."""
    player = betting.players[index]
    added = total - player.in_round
    player.stack -= added
    player.in_round = total
    player.in_hand += added
    if player.stack == 0:
        player.all_in = betting.round
    counts = _counts(betting, total)
    betting.high = total
    betting.aggressor = index
    betting.wagers.append((index, total))
    for other in betting.players:
        if other is not player and other.live and not other.all_in:
            other.owes = True
            if counts:
                other.may_raise = True
    player.owes = player.may_raise = False
    return counts


def _counts(betting: Betting, total: int) -> bool:
    if betting.structure.limited:
        over = total - betting.full
        due = betting.last_raise
        if 2 * over < due:
            return False  # 6.16.2(a)
        # 6.16.2(b). Completing an under-half opening bet is still the bet, not a raise (P-A4).
        if betting.full:
            betting.raises += 1
        if over > due:
            betting.last_raise = over
        betting.full = total
        return True
    over = total - betting.high
    if over < betting.last_raise:
        return False  # 6.16.3; several short ones do not add up (P-A7)
    if betting.high:
        betting.raises += 1
    betting.last_raise = over
    betting.full = total
    return True


def wager_void(betting: Betting, index: int, acted: int) -> list[tuple[int, int]]:
    """Set the betting as if this seat had not wagered in the round; what others put in beyond that, by their index.

    `acted` has a bit for every index that has acted in the round: whoever did so owes no answer to what is void.
    """
    betting.high, betting.last_raise = betting.opening
    betting.full, betting.raises, betting.aggressor = betting.high, 0, -1
    betting.wagers = [(at, total) for at, total in betting.wagers if at != index]
    for at, total in betting.wagers:
        if total > betting.high:
            _counts(betting, total)
            betting.high, betting.aggressor = total, at
    back = []
    for at, player in enumerate(betting.players):
        over = player.in_round - betting.high
        if player.live and at != index and over > 0:
            player.stack, player.in_round, player.in_hand = player.stack + over, betting.high, player.in_hand - over
            player.all_in = 0
            back.append((at, over))
        able = player.live and not player.all_in
        player.owes = able and (player.in_round < betting.high or not acted >> at & 1)
    return back


def close_round(betting: Betting) -> int:
    """Bring the round's wagers into the pot; returns what was brought in."""
    brought = 0
    for player in betting.players:
        brought += player.in_round
        player.in_round = 0
        player.owes = player.may_raise = False
    betting.kept += brought
    if betting.aggressor >= 0:
        betting.called = betting.aggressor
    betting.high = betting.full = 0
    betting.turn = -1
    return brought


def restart_round(betting: Betting) -> None:
    """Take back the wagers of a round whose board card was replaced; folds stand."""
    for player in betting.players:
        player.stack += player.in_round
        player.in_hand -= player.in_round
        player.in_round = 0
        if player.all_in == betting.round:
            player.all_in = 0
    open_round(betting, betting.round)
