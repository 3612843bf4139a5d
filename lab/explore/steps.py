"""What can happen at an explored table, one step each; a walk is a list of them, and plays again from its file."""

from __future__ import annotations

from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, omit_defaults=True):
    """Something that people or devices do."""


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """One chip: its tag, its value in cents, and its kind."""

    tag: int
    cents: int
    kind: str = "cash"


class Lay(Step, frozen=True):
    """Chips come to an area from a pocket; `apart` is one after the other, quickly, or so many milliseconds apart."""

    area: int
    chips: tuple[Piece, ...]
    apart: bool = False
    ms: int = 0


class Lift(Step, frozen=True):
    """Chips leave an area for a pocket."""

    area: int
    tags: tuple[int, ...]


class Slide(Step, frozen=True):
    """Chips go from one area to another, the float tray being 0; `apart` is told as two changes and not as one."""

    area: int
    to: int
    tags: tuple[int, ...]
    apart: bool = False


class Fumble(Step, frozen=True):
    """Sloppy hands: chips are lost from sight for so long, or a whole stack is lifted, straightened and laid back.

    `in_part` when the antenna tells that it reads in part only, as long as it does.
    """

    area: int
    tags: tuple[int, ...]
    ms: int
    in_part: bool = False


class Swap(Step, frozen=True):
    """Chips are taken away and others lie in their place."""

    area: int
    tags: tuple[int, ...]
    chips: tuple[Piece, ...]


class Straddle(Step, frozen=True):
    """A chip comes to lie on the line between areas; `over` when it is taken away again."""

    chip: Piece
    areas: tuple[int, ...]
    over: bool = False


class Press(Step, frozen=True):
    """Somebody presses an offered key; `accept` takes what was refused as it is, where the form lets one.

    With a `role` it is somebody who has no rank and does this beside the ladder, such as a chip runner.
    """

    key: str
    rank: int
    args: dict[str, Any] = {}
    accept: bool = False
    role: str = ""


class Reply(Step, frozen=True):
    """Somebody answers an open question."""

    subject: str
    answer: str
    rank: int
    args: dict[str, Any] = {}


class Card(Step, frozen=True):
    """A card leaves the shoe, or two at once; a face, CUT, JOKER, FOREIGN, or ?? for one that cannot be read."""

    face: str
    second: str = ""
    face_up: bool = False
    forced: bool = False


class PushBack(Step, frozen=True):
    """The card that left last goes back into the shoe."""


class Put(Step, frozen=True):
    """Cards come to lie over an antenna of a poker table, wherever they were; below nothing, they are taken up.

    A face names the card of the deck in use, with a prime the same card of the other deck; `?` is no card of either.
    """

    cards: tuple[str, ...]
    antenna: int


class Load(Step, frozen=True):
    """A deck goes into the shuffler of a poker table, with cards missing or a stranger among them."""

    missing: tuple[str, ...] = ()
    foreign: int = 0


class LiftDeck(Step, frozen=True):
    """The shuffled deck is taken off the shuffler."""


class Push(Step, frozen=True):
    """Somebody pushes the wheel."""

    sense: str = "clockwise"


class Turn(Step, frozen=True):
    """The wheel has turned so often."""

    turns: int


class Rest(Step, frozen=True):
    """The wheel comes to rest, and this is what the sensor makes of it; None where no compartment can be told.

    Not `homed` where it has lost its index mark on the way and found it anew.
    """

    compartment: int | None
    reasons: tuple[str, ...] = ()
    clear: str = "clear"
    homed: bool = True


class Trouble(Step, frozen=True):
    """A device that is heard tells of a trouble, such as a jam; `over` when somebody has cleared it."""

    place: str
    code: str = "jam"
    over: bool = False


class DeckCheck(Step, frozen=True):
    """The shuffler has read its cards: all there, some missing, or broken off on the way."""

    missing: tuple[str, ...] = ()
    foreign: int = 0
    complete: bool = True


class Plug(Step, frozen=True):
    """A device falls silent or is heard again; `lost` when it has forgotten what it had not told."""

    place: str
    up: bool
    lost: bool = False


class Restart(Step, frozen=True):
    """The controller goes down and comes up from its journal."""


class Told(Step, frozen=True):
    """The machine beneath, the sign, a reader or a source of cards tells something besides cards and chips."""

    what: str


class Wait(Step, frozen=True):
    """Time passes."""

    seconds: int


AnyStep = (
    Lay
    | Lift
    | Slide
    | Fumble
    | Swap
    | Straddle
    | Press
    | Reply
    | Card
    | PushBack
    | Put
    | Load
    | LiftDeck
    | Push
    | Turn
    | Rest
    | Trouble
    | DeckCheck
    | Plug
    | Restart
    | Told
    | Wait
)


class Walk(msgspec.Struct, frozen=True, omit_defaults=True):
    """A walk as its file holds it: the table, the seed of the crew that ends it, the steps, and what was found."""

    game: str
    rulebook: str
    seed: int
    steps: tuple[AnyStep, ...]
    finding: str = ""
    text: str = ""
    table: str = ""
    """Which of the tables that a rulebook allows; the first of them where none is named."""


def written(walk: Walk) -> bytes:
    """The file of a walk."""
    return msgspec.json.format(msgspec.json.encode(walk), indent=1) + b"\n"


def read(body: bytes) -> Walk:
    """The walk of a file; msgspec.MsgspecError where it holds none."""
    return msgspec.json.decode(body, type=Walk)
