"""What happens on a Casino War table in the table's own words; drivers' events are put into these."""

from __future__ import annotations

from controller.core.events import TableEvent


class CardCame(TableEvent, frozen=True):
    """A card left the source: its face, CUT, JOKER or ??; `face_up` when it lay reversed inside."""

    face: str
    face_up: bool = False


class CardsCameTogether(TableEvent, frozen=True):
    """Several cards left at once; without known order the faces are a set."""

    faces: tuple[str, ...]
    order_known: bool


class StakeLaid(TableEvent, frozen=True):
    """A player's chips came to lie on a zone; amounts in cents."""

    wager: str
    player: str
    box: int
    zone: str
    amount: int
    token: bool = False


class StakeChanged(TableEvent, frozen=True):
    """The chips of a stake became more or fewer; nothing means lifted."""

    wager: str
    amount: int


class SourceStopped(TableEvent, frozen=True):
    """The shuffler can no longer work as it should."""

    cause: str


class SourceEmpty(TableEvent, frozen=True):
    """No card is left in the source."""


class CardsRead(TableEvent, frozen=True):
    """A complete reading of the cards, one by one, by a machine or a person."""

    faces: tuple[str, ...]
    where: str = "set"


class SourceMode(TableEvent, frozen=True):
    """What a shuffler says of itself: its mode and how many cards it holds."""

    mode: str
    inside: int
