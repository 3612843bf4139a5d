"""Chips on the line between two areas: asked about, ruled onto one of them, or handed back (3.4, 3.7, W-A21)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.events import ChipUnclear
from controller.games.wheel import colours
from controller.games.wheel.layout import Laid
from controller.games.wheel.settle import Wager
from controller.games.wheel.state import FROZEN, Unclear
from controller.money.float import FLOAT

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

CLAUSES = ("3.4", "3.7")


def came_to_line(game: WheelGame, event: ChipUnclear) -> None:
    """A chip is seen by several areas and counts for none of them until somebody says where it lies."""
    state, tag = game.state, event.chip.tag
    on = tuple(area for area in event.areas if area in game.setup.areas)
    if tag in state.unclear or (tag in state.placed and state.placed[tag].areas == on):
        return
    known = state.picture.pop(tag, None)
    state.placed.pop(tag, None)
    # On no area of the layout, or a chip that slid out of the float: nobody's wager.
    if on and not (game.money.handed_out(tag) or game.money.place_of(tag) == FLOAT):
        unclear = Unclear(event.chip, on, known.owner if known else "")
        if game.machine.state not in FROZEN:
            game.ask("position", unclear)
        state.unclear[tag] = unclear
    game.desk.note("position_unclear", CLAUSES, tag=tag, areas=list(event.areas))


def ruled_onto(game: WheelGame, tag: int, area: int) -> None:
    """Somebody has said where a chip on the line counts: there, as long as it lies on that line."""
    unclear = game.state.unclear.pop(tag)
    game.state.placed[tag] = unclear
    game.state.picture[tag] = Laid(unclear.chip, area, unclear.owner)
    colours.give_owners(game, (unclear.chip,))
    game.desk.note("position_told", ("3.4",), tag=tag, area=area)
    game.react_to_picture()


def seen_on_area(game: WheelGame, tag: int) -> None:
    """An area sees the chip, or saw it go: what was said of the line no longer matters."""
    game.state.placed.pop(tag, None)
    game.state.unclear.pop(tag, None)
    game.desk.withdraw(f"position:{tag}")


def left_line(game: WheelGame, tag: int) -> None:
    """The chip lies on no line any more; where it was ruled onto an area, it lies there no more either."""
    ruled = tag in game.state.placed
    seen_on_area(game, tag)
    if ruled:
        game.state.picture = {key: laid for key, laid in game.state.picture.items() if key != tag}
        game.react_to_picture()


def handed_back_at_close(game: WheelGame) -> tuple[Wager, ...]:
    """Nobody said in time where these chips lie: they are no wagers."""
    back = []
    for tag, unclear in game.state.unclear.items():
        game.desk.withdraw(f"position:{tag}")
        back.append(Wager(unclear.owner, game.symbol(unclear.areas[0]), unclear.chip.cents))
        game.desk.note("unclear_chip_no_wager", CLAUSES, tag=tag)
    return tuple(back)
