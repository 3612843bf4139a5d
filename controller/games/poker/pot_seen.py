"""The pot chip by chip, from the first bet to the push: what left it, what came to it that nobody wagered.

What every seat has wagered lies on its line or has gone from there to the pot; commission lies on the drop slide. The
ledger says how much that must be, so that a chip too few or too many is known wherever else chips wait to go back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from controller.games.poker import alarms
from controller.games.poker.lying import commission_laid, may_be_lifted, of_the_hand, place_of, pot_over, pot_short
from controller.games.poker.outputs import Acted, Output, Returned
from controller.games.poker.state import Gone, Hand, HandInPlay
from controller.games.poker.table import PokerTable
from controller.money.amounts import dollars

TIMER = "pot"
WATCH_MS = 900
"""A chip may be unread for most of a second, or in the dealer's hand; after this long it is gone."""
EDGE_MS = 2_000
"""A chip across the line between two areas is looked for this much longer."""
UNWATCHED = ("award", "drop")
"""The pots are decided: what lies there is pushed."""


def follow(game: PokerTable, area: int, came: Mapping[int, int], left: Mapping[int, int], ago: int = 0) -> None:
    """Chips came to an area or left it, and were last read there so long ago: know where each has been."""
    played = game.state.in_play
    if played is None or played.hand.phase in UNWATCHED or game.layout.wager_at(area) is not None:
        return
    for tag, cents in came.items():
        _came(game, played, area, tag, cents)
    for tag, cents in left.items():
        off = _off_the_line(game, played, area, cents)
        if tag in played.before:
            continue
        # Of chips that were swept in one event the mat knows where all of them lie by now.
        if not (place := game.money.place_of(tag)):
            played.gone[tag] = Gone(area, cents, game.desk.at - ago, off)
        elif off and game.layout.is_line(place):
            played.strayed[tag] = Gone(area, cents, game.desk.at, off)
            played.taken[tag] = Gone(place, cents, game.desk.at)  # wagered by one seat, it is no action of another
    watch(game, played)


def _came(game: PokerTable, played: HandInPlay, area: int, tag: int, cents: int) -> None:
    """Take note where a chip came from: back to its line, or from the pot to somebody's."""
    gone, strayed = played.gone.pop(tag, None), played.strayed.get(tag)
    missing = strayed if strayed is not None else gone
    if strayed is not None and strayed.area == area:
        del played.strayed[tag]
    played.taken.pop(tag, None)
    origin = missing.area if missing is not None else place_of(game, tag, other_than=area)
    if missing is not None and origin == area:
        played.off[area] = played.off.get(area, 0) - missing.off
    elif missing is not None and missing.off and game.layout.is_line(area):
        played.taken[tag] = Gone(area, cents, game.desk.at)
        played.strayed[tag] = missing
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
    short = pot_short(game, played.hand, now + EDGE_MS)
    if not short:
        played.gone = {tag: gone for tag, gone in played.gone.items() if now - gone.at < WATCH_MS}
    if not (short or pot_over(game, played.hand)):
        if TIMER in game.desk.state.timers:
            played.look_due = (now, game.desk.state.timers[TIMER])
        game.desk.timer_off(TIMER)
        return
    if short:
        look = max(now, min((gone.at for gone in played.gone.values()), default=now) + WATCH_MS)
    else:
        right_at, due_at = played.look_due
        look = due_at if right_at == now else now + WATCH_MS
    if look < game.desk.state.timers.get(TIMER, look + 1):
        game.desk.timer(TIMER, look)


def on_edge(game: PokerTable, tag: int, more_ms: int) -> None:
    """A chip that left its area lies across a line, or no longer does: it is looked for later, or from now on."""
    played = game.state.in_play
    if played is not None and (gone := played.gone.get(tag)) is not None:
        played.gone[tag] = msgspec.structs.replace(gone, at=game.desk.at + more_ms)
        game.desk.timer_off(TIMER)
        watch(game, played)


def due(game: PokerTable) -> None:
    """Chips have been gone for a while, or have come: tell what the ledger does not know of."""
    played = game.state.in_play
    if played is not None and played.hand.phase == "award":
        over = pot_over(game, played.hand)
        if over > commission_laid(game, played.hand):
            alarms.PotOver(more=dollars(over)).holds(game)
    if played is None or played.hand.phase in UNWATCHED:
        return
    hand, now = played.hand, game.desk.at
    if short := pot_short(game, hand, now - WATCH_MS):
        alarms.PotShort(missing=dollars(short), chips=", ".join(_chips(game))).holds(game)
    if over := pot_over(game, hand):
        alarms.PotOver(more=dollars(over)).holds(game)
    young = [gone.at for gone in played.gone.values() if now - gone.at < WATCH_MS]
    if young and pot_short(game, hand, now + EDGE_MS) > short:
        game.desk.timer(TIMER, min(young) + WATCH_MS)


def too_much(game: PokerTable, hand: Hand, over: int) -> None:
    """The pots are decided and hold too much: tell it, once no line is left whose chips may be in a hand by now."""
    if may_be_lifted(game, hand) >= over:
        game.desk.timer(TIMER, game.desk.at + WATCH_MS)
    else:
        alarms.PotOver(more=dollars(over)).holds(game)


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
