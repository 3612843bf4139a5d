"""What shoe and shuffler tell, in the words of the game."""

from __future__ import annotations

import msgspec

from controller.games.war import alarms, checking, dealing, device, doubts, shoe
from controller.games.war.cards import CUT, FOREIGN, RANK, UNKNOWN
from controller.games.war.events import CardCame, CardsCameTogether, SourceMode
from controller.games.war.play import War
from controller.games.war.state import Drawn
from controller.people import TABLE
from drivers.cards import CardDrawn, CardPushedBack, CardReadAgain, CardUnread, CuttingCard, GateForced, TwoDrawn
from drivers.events import DeviceEvent, DeviceTrouble
from drivers.shoe import ShoeEmpty, ShoeLoaded
from drivers.shuffler import (
    DeckChecked,
    ShufflerJam,
    ShufflerLoaded,
    ShufflerMode,
    ShufflerPoweredUp,
    ShufflerState,
    ShufflerSwapped,
)

STOPPING = ("jam", "mouth_empty", "stopped", "door_open")
"""Troubles of a shuffler that keep a round from being dealt on."""
NOT_COUNTED = -1
"""The shuffler said nothing about how many cards it holds."""
CARDS = (CardDrawn, CardUnread, CuttingCard, TwoDrawn)


def take(game: War, event: DeviceEvent) -> None:
    """One event of the card source."""
    if isinstance(event, CARDS):
        game.state.supply.draws += 2 if isinstance(event, TwoDrawn) else 1
    match event:
        case CardDrawn():
            _drawn(game, CardCame(event.card, event.face_up), event.draw)
        case CardUnread():
            _unread(game, event)
        case CuttingCard():
            dealing.came(game, CardCame(CUT))
        case TwoDrawn():
            faces = tuple(card or UNKNOWN for card in event.cards)
            dealing.together(game, CardsCameTogether(faces, event.order_known))
        case CardPushedBack():
            _pushed_back(game, event)
        case CardReadAgain():
            _read_again(game, event)
        case GateForced():
            alarms.GateForced().happened(game)
        case ShoeEmpty():
            shoe.source_empty(game)
        case ShoeLoaded():
            shoe.filled_again(game)
        case DeviceTrouble(code=code, text=text) if code in STOPPING:
            device.stopped(game, text)
        case _:
            _shuffler(game, event)


def evidence_gone(game: War) -> None:
    """The source lost what it had not told yet: a card may have left that nobody told of, so people are asked."""
    if game.machine.state not in ("betting", "closed", *dealing.DEALS) or game.is_asked("unseen"):
        return
    game.ask("unseen")


def left_unseen(game: War, face: str) -> None:
    """A card that the source could not tell of."""
    game.state.supply.draws += 1
    dealing.came(game, CardCame(face))


def from_elsewhere(game: War, event: DeviceEvent) -> None:
    """A device that is not dealt from now, such as a spare: its cards are nobody's."""
    game.desk.note("source", (), device=event.device, told=type(event).__name__)
    if isinstance(event, CARDS):
        alarms.OtherSource(device=event.device).happened(game)


def _cite(game: War) -> tuple[str, ...]:
    return game.rules.cites["from_the_source"]


def _drawn(game: War, event: CardCame, draw: int, seen: tuple[tuple[str, int], ...] = ()) -> None:
    """Take the card, and keep what the reader told beside what the table concludes."""
    dealing.came(game, event, draw, [list(one) for one in seen])


def _unread(game: War, event: CardUnread) -> None:
    if event.why in ("joker", "foreign"):
        _drawn(game, CardCame(FOREIGN, event.face_up), event.draw, event.seen)
    elif event.why == "face_up" or event.face_up:
        face = event.seen[0][0] if event.seen and event.seen[0][0] in RANK else UNKNOWN
        _drawn(game, CardCame(face, True), event.draw, event.seen)
    else:
        _drawn(game, CardCame(UNKNOWN), event.draw, event.seen)


def _pushed_back(game: War, event: CardPushedBack) -> None:
    """A card that went back was never drawn, whatever was told before."""
    game.desk.note("pushed_back", _cite(game), draw=event.draw, card=event.card, told=event.told)
    if not event.told:
        return
    index = next((at for at, card in enumerate(game.state.round.drawn) if card.draw == event.draw), None)
    if index is not None and game.machine.state in dealing.DEALS:
        dealing.not_drawn(game, index, TABLE)
        return
    alarms.PushedBack(card=event.card or "A card").happened(game)
    card = game.state.shoe.last if index is None else game.state.round.drawn[index]
    if card is not None and card.draw == event.draw and game.state.supply.source == "shoe":
        _inside_again(game, card)


def _inside_again(game: War, card: Drawn) -> None:
    """What it decided stands until people rule on it, but it will come again, and then no card came twice."""
    shoe_ = game.state.shoe
    doubts.unaccount(game, card)
    shoe_.carried = [parked for parked in shoe_.carried if parked.draw != card.draw]  # no longer the next round's
    card.draw = 0  # told once more, it has gone back already


def _read_again(game: War, event: CardReadAgain) -> None:
    game.desk.note("read_again", _cite(game), draw=event.draw, card=event.card, before=event.before)
    if event.before and event.card and event.card != event.before:
        alarms.ReadDiffers(before=event.before, now=event.card).happened(game)


def _shuffler(game: War, event: msgspec.Struct) -> None:
    match event:
        case ShufflerJam(recovering=False, place=place):
            device.stopped(game, f"a card is stuck at the {place}")
        case ShufflerMode(mode=mode):
            checking.source_mode(game, SourceMode(mode, NOT_COUNTED))
        case ShufflerState(state="empty"):
            shoe.source_empty(game)
        case ShufflerLoaded(inside=inside) | ShufflerState(state="ready", inside=inside):
            shoe.filled_again(game)
            game.desk.note("shuffler_count", (), inside=inside)
        case ShufflerPoweredUp(kept_memory=kept, inside=inside, occupied=occupied):
            if not kept and occupied:
                checking.source_mode(game, SourceMode(event.mode, inside))
        case ShufflerSwapped(before=before, now=now, left_inside=left):
            _swapped(game, before, now, left)
        case DeckChecked():
            checking.machine_checked(game, event)
        case _:
            game.desk.note("source", (), told=type(event).__name__)


def _swapped(game: War, before: str, now: str, left: int | None) -> None:
    """Cards in a machine that was carried away are missing from the table."""
    if left == 0:
        game.desk.note("shuffler_swapped", (), before=before, now=now)
        return
    many = "an unknown number of" if left is None else str(left)
    rank = game.table.house.power("resume").rank
    game.table.fault(alarms.LeftInside(before=before, now=now, many=many), rank=rank)
