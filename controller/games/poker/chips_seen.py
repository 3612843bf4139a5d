"""Chips as the antennas see them: blinds, wagers on the lines, side wagers, the pot and the drop.

The ledger of the hand says what each seat has wagered; the antennas say what lies there. Chips beyond the ledger on
the line of the seat in turn are its action; anything else that differs is told until it is put right.
"""

from __future__ import annotations

from typing import cast

from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.core.table_keys import without
from controller.games.poker import alarms, pot_seen
from controller.games.poker.actions import Announced
from controller.games.poker.inputs import Chips, LiftSideWager, PlaceSideWager, Post, Pushed
from controller.games.poker.lying import beyond, blind_due, held, own, pot_over, pot_short, side_missing, to_push, total
from controller.games.poker.outputs import Acted, Output, Prompt
from controller.games.poker.round import ROUND_OF
from controller.games.poker.state import Hand
from controller.games.poker.table import PokerTable
from controller.money.amounts import dollars

SETTLE_MS = 300
"""Chips laid on a line within this time of each other are one placement (P-A10)."""
ONE_PLACEMENT_MS = pot_seen.WATCH_MS
"""Chips that are read this long after the first of a placement may have lain there: they belong to it (P-A10)."""
LINE = "line:"
PUSH = "push"
SIDE = "side:"
PUSH_MS = 700
"""Chips on their way from a line to the pot are nowhere for a moment; gone for this long, they were pushed."""
COUNTS = frozenset({"cash"})
"""Only chips form a wager (6.2)."""


def moved(game: PokerTable, event: ChipsMoved) -> None:
    """Chips came to an area or left it."""
    if game.state.terms.commission.stand_alone and event.area in (0, game.layout.drop):
        from controller.games.poker import stand_alone

        stand_alone.came(game, event)
    if event.area == 0:
        return
    lay = game.state.felt.chips.get(event.area, {})
    left = {tag: lay[tag] for tag in event.removed if tag in lay}
    came = {chip.tag: chip.cents for chip in event.added if chip.kind in COUNTS}
    _step(game, event.area, event.added, event.removed)
    pot_seen.follow(game, event.area, came, left, event.ago)
    _look(game, event.area, len(event.added), event.partial)


def counted(game: PokerTable, event: ChipsCounted) -> None:
    """Everything was read anew: every area that differs is looked at."""
    before = game.state.felt.chips
    now = {area: {c.tag: c.cents for c in chips if c.kind in COUNTS} for area, chips in event.areas.items() if area}
    game.state.felt.chips = {area: chips for area, chips in now.items() if chips}
    for area in sorted(before.keys() | now.keys()):
        was, here = before.get(area, {}), now.get(area, {})
        if was.keys() != here.keys():
            came = {tag: cents for tag, cents in here.items() if tag not in was}
            pot_seen.follow(game, area, came, {tag: cents for tag, cents in was.items() if tag not in here})
            _look(game, area, len(here.keys() - was.keys()), False)


def lying_about(game: PokerTable) -> list[int]:
    """Chips that lie anywhere before a hand begins."""
    return [tag for chips in game.state.felt.chips.values() for tag in chips]


def _step(game: PokerTable, area: int, added: tuple[Chip, ...], removed: tuple[int, ...]) -> None:
    chips = game.state.felt.chips.setdefault(area, {})
    for tag in removed:
        chips.pop(tag, None)
    for chip in added:
        if chip.kind in COUNTS:
            chips[chip.tag] = chip.cents
        else:
            chips.pop(chip.tag, None)
    if not chips:
        del game.state.felt.chips[area]


def _look(game: PokerTable, area: int, added: int, partial: bool) -> None:
    layout = game.layout
    if layout.is_line(area):
        if (played := game.state.in_play) is not None:
            played.base[area] = min(played.base.get(area, 0), total(game, area))
            played.fresh[area] = played.fresh.get(area, 0) + added
            _line(game, played.hand, area, added, partial)
    elif (wager := layout.wager_at(area)) is not None:
        if added:
            _side(game, area, *wager)
        if game.state.hand is not None and side_missing(game, game.state.hand, *wager):
            game.desk.timer(f"{SIDE}{area}", game.desk.at + pot_seen.WATCH_MS)
    else:
        check_pot(game)


# -- lines -------------------------------------------------------------------------------------------------------


def _line(game: PokerTable, hand: Hand, seat: int, added: int, partial: bool) -> None:
    timer = f"{LINE}{seat}"
    if hand.phase == "posting" or (hand.phase in ("shuffling", "dealing") and not hand.dealt):
        if not partial:
            post(game, hand, seat)
    elif hand.phase in ROUND_OF:
        if added and timer not in game.desk.state.timers and not _placed_last(hand, seat):
            game.in_play.since[seat] = game.desk.at
        if added or timer in game.desk.state.timers:
            game.desk.timer(timer, game.desk.at + SETTLE_MS)
        else:
            check_line(game, hand, seat)
    elif added:
        rule_line(game, seat)
    check_pot(game)


def post(game: PokerTable, hand: Hand, seat: int) -> None:
    """Chips before the deal: a blind that is due, or a straddle (8.9.2, 6.5)."""
    laid = own(game, seat)
    due = blind_due(hand, seat)
    if due is not None:
        if laid == due:
            game.give(Post(seat, laid))
        elif laid:
            alarms.BlindWrong(seat=seat, laid=dollars(laid), due=dollars(due)).holds(game, seat)
    elif beyond(game, hand, seat) > 0:
        game.give(Post(seat, laid, "straddle"))


def line_due(game: PokerTable, timer: str) -> None:
    """A placement has come to rest; a chip that no antenna reads may be lifted, so it is waited for."""
    seat = int(timer.removeprefix(LINE))
    if game.money.unread(seat):
        game.desk.timer(timer, game.desk.at + SETTLE_MS)
    else:
        rule_line(game, seat)


def rule_line(game: PokerTable, seat: int) -> None:
    """Rule on chips that lie on a line beyond what was wagered."""
    hand = game.state.hand
    if hand is None or hand.ruling is not None:
        return
    more, fresh = beyond(game, hand, seat), game.in_play.fresh.pop(seat, None)
    early = held(hand, seat)
    if more > early:
        # Chips that were put forward early lie there too, so all of them are what the seat in turn now wagers.
        said = cast(Announced, game.in_play.announced.pop(seat, ""))
        same = game.desk.at - game.in_play.since.get(seat, 0) <= ONE_PLACEMENT_MS + SETTLE_MS
        game.give(Chips(seat, more, fresh == 1 and not early, said, same))
    check_line(game, hand, seat)


def _placed_last(hand: Hand, seat: int) -> bool:
    """Whether nobody has acted since this seat put chips forward."""
    return hand.placed is not None and hand.betting.players[hand.placed.index].seat == seat


def rule_waiting(game: PokerTable, hand: Hand) -> None:
    """Somebody acts after a seat some of whose chips have only just been read: those are ruled on first."""
    if hand.placed is None:
        return
    timer = f"{LINE}{(seat := hand.betting.players[hand.placed.index].seat)}"
    if timer in game.desk.state.timers and not game.money.unread(seat):
        game.desk.timer_off(timer)
        rule_line(game, seat)


def check_line(game: PokerTable, hand: Hand, seat: int) -> None:
    """Tell the dealer when a line and the ledger differ."""
    if f"{LINE}{seat}" in game.desk.state.timers or without(game.table, "chips"):
        return
    more = beyond(game, hand, seat)
    owed = max(0, -more)
    differing = game.in_play.differing
    if hand.phase not in ROUND_OF or more in (0, held(hand, seat)):
        game.in_play.differing = [other for other in differing if other != seat]
        return
    game.in_play.differing = sorted({*differing, seat})
    if owed:
        alarms.LineOwes(seat=seat, owed=dollars(owed)).holds(game, seat)
    else:
        alarms.LineNoWager(seat=seat, more=dollars(more)).holds(game, seat)


def round_begins(game: PokerTable) -> None:
    """Whatever lies on the lines beyond the ledger when a round begins was not wagered in it."""
    players = game.hand.betting.players
    game.in_play.base = {player.seat: max(0, total(game, player.seat) - player.in_round) for player in players}
    game.in_play.fresh, game.in_play.announced, game.in_play.change = {}, {}, {}
    for player in players:
        game.desk.timer_off(f"{LINE}{player.seat}")


def round_goes_on(game: PokerTable, hand: Hand) -> None:
    """A ruling is over: what the seat in turn laid meanwhile is ruled on now, what others laid is told."""
    for index, player in enumerate(hand.betting.players):
        if index == hand.betting.turn and beyond(game, hand, player.seat) > 0:
            game.desk.timer(f"{LINE}{player.seat}", game.desk.at + SETTLE_MS)
        else:
            check_line(game, hand, player.seat)


def round_undone(game: PokerTable, hand: Hand) -> None:
    """A misdeal: nothing is owed to a line any more, and what lies there goes back or is a blind."""
    game.in_play.base, game.in_play.differing = {player.seat: 0 for player in hand.betting.players}, []


def lines_after(game: PokerTable, hand: Hand, outs: list[Output]) -> None:
    """After an action: what was said of it is done with, and the lines of those it changed are compared."""
    for out in outs:
        if isinstance(out, Acted):
            game.in_play.announced.pop(out.seat, None)
    if hand.phase in ROUND_OF:
        for seat in {out.seat for out in outs if isinstance(out, Acted | Prompt)}:
            check_line(game, hand, seat)


# -- side wagers -------------------------------------------------------------------------------------------------


def _side(game: PokerTable, area: int, seat: int, colour: str) -> None:
    hand = game.state.hand
    if hand is None:
        return
    known = sum(wager.amount for wager in hand.side if wager.seat == seat and wager.colour == colour)
    more = total(game, area) - known
    if more > 0 and not hand.side_results:
        game.give(PlaceSideWager(seat, "red" if colour == "red" else "black", more))


def side_due(game: PokerTable, timer: str) -> None:
    """Chips of a side wager are off their spot: before the first card they are taken back (8.15.2)."""
    hand, area = game.state.hand, int(timer.removeprefix(SIDE))
    wager = game.layout.wager_at(area)
    if hand is None or wager is None or not (missing := side_missing(game, hand, *wager)):
        return
    seat, colour = wager
    if hand.dealt or hand.ruling is not None:
        alarms.SideLifted(seat=seat, colour=colour, missing=dollars(missing)).holds(game, area)
    else:
        game.give(LiftSideWager(seat, colour, missing))


# -- pot and drop ------------------------------------------------------------------------------------------------


def award_begins(game: PokerTable, hand: Hand) -> None:
    """The pots are decided: hold what lies there against the ledger (chips may still wait for their return)."""
    lying, taken = to_push(game, hand), total(game, game.layout.drop)
    asked = sum(pot.amount for pot in hand.pots)
    game.in_play.pot_seen = bool(lying)
    game.desk.timer_off(pot_seen.TIMER)
    if over := pot_over(game, hand):
        pot_seen.too_much(game, hand, over)
    lies = min(lying + taken, asked - pot_short(game, hand, game.desk.at))
    if game.in_play.pot_seen and lies < asked:
        alarms.PotDiffers(lies=dollars(lies), asked=dollars(asked)).happened(game)


def check_pot(game: PokerTable) -> None:
    """Once the chips of a decided pot are gone they were pushed."""
    hand = game.state.hand
    if hand is None or hand.phase != "award":
        return
    lying = to_push(game, hand)
    if lying:
        game.in_play.pot_seen = True
        game.desk.timer_off(PUSH)
    elif game.in_play.pot_seen and PUSH not in game.desk.state.timers:
        game.desk.timer(PUSH, game.desk.at + PUSH_MS)


def push_due(game: PokerTable) -> None:
    """The pot has been empty for a while: it was pushed."""
    hand = game.state.hand
    if hand is not None and hand.phase == "award" and not to_push(game, hand):
        game.give(Pushed())
