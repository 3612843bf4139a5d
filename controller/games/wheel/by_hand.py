"""What is keyed at a Big Wheel table while its wheel sensor or its chip mat is dead for the night."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from controller.core.by_hand import MAT, Part
from controller.core.desk import Ask
from controller.core.events import Chip
from controller.core.keys import Keys
from controller.core.table_keys import without
from controller.games.wheel import lines, seats
from controller.games.wheel.game import WheelGame
from controller.games.wheel.state import Spin
from controller.people import Person
from drivers.motion import SpinVerdict

SENSOR = "wheel"
KEYS: Keys[WheelGame] = Keys()
SENSE = Ask("sense", "choice", "Direction", choices=(("clockwise", "Clockwise"), ("anticlockwise", "Anticlockwise")))
SYMBOL = Ask(
    "symbol", "choice", "The indicator rests in",
    offered=lambda game: ((symbol, symbol) for symbol in game.setup.option.names),
)  # fmt: skip
TURNS = Ask(
    "turns", "choice", "Full turns", clauses=("7.1.1",),
    choices=(("enough", "Three or more"), ("too_few", "Fewer than three")),
)  # fmt: skip


def _no_sensor(game: WheelGame) -> bool:
    return without(game.table, SENSOR)


@KEYS.key("wheel_spun", "The wheel is spun", power="told_by_hand", like="open_table", rank=1, asks=(SENSE,),
          fires="spin_started", when=_no_sensor)  # fmt: skip
def wheel_spun(game: WheelGame, by: Person, *, sense: str) -> None:
    game.machine.fire("spin_started", Spin(0, sense, game.desk.at))


@KEYS.key("wheel_rests", "The wheel rests", power="told_by_hand", like="open_table", rank=1, asks=(SYMBOL, TURNS),
          fires="rested", when=_no_sensor)  # fmt: skip
def wheel_rests(game: WheelGame, by: Person, *, symbol: str, turns: str) -> None:
    """Where it rests by eye, and that it made its turns; fewer than three are put to people as ever."""
    game.state.turning = False
    round_ = game.state.round
    assert round_.spin is not None  # by the row
    game.desk.note("symbol_by_eye", ("5.1.3",), symbol=symbol, turns=turns, by=by.id)
    if turns == "enough":
        round_.winner, round_.named_by = symbol, by.id
    game.machine.fire("rested", _verdict(round_.spin.sense, turns))


def _verdict(sense: str, turns: str) -> SpinVerdict:
    """What a spin is judged by that no sensor saw."""
    return SpinVerdict(
        clear="clear", compartment=None, forward=0.0, reversal=0.0,
        reasons=() if turns == "enough" else ("under_revs",), findings=(),
        sense="clockwise" if sense == "clockwise" else "anticlockwise",
        offset=None, since_release=0.0, fastest=0.0, trace=b"",
    )  # fmt: skip


class WheelByHand(Part[WheelGame]):
    """The spin is told by key: begun, and at rest in a symbol; stakes and payments by who, where and how much."""

    keys = KEYS

    def begins(self, game: WheelGame, kind: str) -> None:
        if kind == SENSOR:
            game.state.turning = False  # nothing will tell that it rests
        if kind == MAT:
            for tag in (*game.state.unclear, *game.state.placed):
                lines.left_line(game, tag)  # nothing will tell that it lies there no more; what counts is keyed

    def areas(self, game: WheelGame) -> Iterator[tuple[str, str]]:
        return ((str(area), symbol) for area, symbol in game.setup.areas.items())

    def players(self, game: WheelGame) -> Iterator[tuple[str, str]]:
        return seats.known_players(game)

    def lying(self, game: WheelGame) -> dict[int, list[Chip]]:
        found: dict[int, list[Chip]] = {}
        for laid in game.state.picture.values():
            found.setdefault(laid.area, []).append(laid.chip)
        return found

    def laid(self, game: WheelGame, tag: int, player: str) -> None:
        """Whose they are is told with them."""
        laid = game.state.picture.get(tag)
        if laid is not None:
            game.state.picture[tag] = msgspec.structs.replace(laid, owner=player)
            game.owners_changed()
