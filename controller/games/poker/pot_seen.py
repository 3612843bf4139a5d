"""The pot chip by chip, from the first bet to the push: what left it, what came to it that nobody wagered.

What every seat has wagered lies on its line or has gone from there to the pot; commission lies on the drop slide. The
ledger says how much that must be, so that a chip too few or too many is known wherever else chips wait to go back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.games.poker import alarms
from controller.games.poker.lying import of_the_hand, place_of, pot_over, pot_short
from controller.games.poker.outputs import Acted, Output, Returned
from controller.games.poker.state import Gone, HandInPlay
from controller.games.poker.table import PokerTable
from controller.money.amounts import dollars

TIMER = "pot"
WATCH_MS = 900
"""A chip may be unread for most of a second, or in the dealer's hand; after this long it is gone."""
UNWATCHED = ("award", "drop")
"""The pots are decided: what lies there is pushed."""


def follow(game: PokerTable, area: int, came: Mapping[int, int], left: Mapping[int, int]) -> None:
    """Chips came to an area or left it: know where each has been."""
    played = game.state.in_play
    if played is None or played.hand.phase in UNWATCHED or game.layout.wager_at(area) is not None:
        return
    for tag, cents in came.items():
        _came(game, played, area, tag, cents)
    for tag, cents in left.items():
        off = _off_the_line(game, played, area, cents)
        if tag not in played.before and place_of(game, tag) is None:
            played.gone[tag] = Gone(area, cents, game.desk.at, off)
    watch(game, played)


def _came(game: PokerTable, played: HandInPlay, area: int, tag: int, cents: int) -> None:
    """Take note where a chip came from: back to its line, or from the pot to somebody's."""
    missing = played.gone.pop(tag, None)
    played.taken.pop(tag, None)
    origin = missing.area if missing is not None else place_of(game, tag, other_than=area)
    if missing is not None and origin == area:
        played.off[area] = played.off.get(area, 0) - missing.off
    elif origin is not None and game.layout.is_line(area) and not game.layout.is_line(origin):
        played.taken[tag] = Gone(area, cents, game.desk.at)


def _off_the_line(game: PokerTable, played: HandInPlay, area: int, cents: int) -> int:
    """As much of a chip that leaves a line was wagered: what lies there to go back leaves first."""
    wagered = sum(player.in_hand for player in played.hand.betting.players if player.seat == area)
    before = played.off.get(area, 0)
    off = min(cents, max(0, wagered - of_the_hand(game, area) - before))
    if off:
        played.off[area] = before + off
    return off


def watch(game: PokerTable, played: HandInPlay) -> None:
    """Look again in a while, as long as the pot is not what the ledger says."""
    now = game.desk.at
    short = pot_short(game, played.hand, now)
    if not short:
        played.gone = {tag: gone for tag, gone in played.gone.items() if now - gone.at < WATCH_MS}
    if not (short or pot_over(game, played.hand)):
        game.desk.timer_off(TIMER)
    elif TIMER not in game.desk.state.timers:
        game.desk.timer(TIMER, now + WATCH_MS)


def due(game: PokerTable) -> None:
    """Chips have been gone for a while, or have come: tell what the ledger does not know of."""
    played = game.state.in_play
    if played is None or played.hand.phase in UNWATCHED:
        return
    hand, now = played.hand, game.desk.at
    if short := pot_short(game, hand, now - WATCH_MS):
        alarms.PotShort(missing=dollars(short), chips=", ".join(_chips(game))).holds(game)
    if over := pot_over(game, hand):
        alarms.PotOver(more=dollars(over)).holds(game)
    young = [gone.at for gone in played.gone.values() if now - gone.at < WATCH_MS]
    if young and pot_short(game, hand, now) > short:
        game.desk.timer(TIMER, min(young) + WATCH_MS)


def _chips(game: PokerTable) -> Iterator[str]:
    """The chips that are gone: where they lay, and where they lie now."""
    played, name = game.in_play, game.layout.name
    for gone in played.gone.values():
        yield f"{dollars(gone.cents)} left {name(gone.area)} and lies nowhere"
    for taken in played.taken.values():
        yield f"{dollars(taken.cents)} of the pot lies on {name(taken.area)}"


def told(game: PokerTable, outs: list[Output]) -> None:
    """What goes back to a seat: change may come out of the pot, and so does what no longer lies on its line."""
    played = game.state.in_play
    if played is None:
        return
    for out in outs:
        if isinstance(out, Acted) and out.returned:
            played.change[out.seat] = out.returned
        elif isinstance(out, Returned):
            played.back[out.seat] = played.back.get(out.seat, 0) + out.amount
