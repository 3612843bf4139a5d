"""What a table knows of the tournament it is part of; plain values, saved and restored whole."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from controller.core.desk import Limits
from controller.money.table_money import MoneyState
from controller.tournament.ledger import Ledger
from controller.tournament.markers import Laid
from controller.tournament.presence import Presence
from controller.tournament.terms import SessionTerms, Terms

Standing = Literal["playing", "eliminated", "retired", "disqualified", "replaced", "moved"]


class Seated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entrant of a roster: number, box or seat, the agreed bank where it is carried, and the colour of the chips."""

    entrant: str
    seat: int
    bank: int = 0
    colour: str = ""


class Designation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hall's order that a table is used for an event and for nothing else."""

    terms: Terms


class Roster(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hall's order that holds all a table needs to play one session alone.

    `released_by` is whoever of rank released the schedule at the hall, empty where that is done at the table.
    """

    digest: str
    session: str
    entrants: tuple[Seated, ...]
    director: str
    deputies: tuple[str, ...] = ()
    released_by: str = ""


class Entrant(msgspec.Struct):
    """One entrant at this table; `owes` are rounds to be missed, `counted` the last physical count of the bank."""

    number: str
    seat: int
    standing: Standing = "playing"
    away: bool = False
    late: bool = False
    markers: dict[str, int] = {}
    warnings: int = 0
    penalties: int = 0
    owes: int = 0
    counted: int | None = None
    rebought: int = 0
    added_on: int = 0
    short: bool = False  # below the compulsory wager, and out with the next round unless a marker is used
    agreed: bool = False  # to an early end
    place: int = 0

    @property
    def plays(self) -> bool:
        return self.standing == "playing"


class Moving(msgspec.Struct, frozen=True):
    """Somebody who was ordered to this table: seat, stack by the ticket, and its number."""

    seat: int
    stack: int
    ticket: int
    came_from: str
    markers: dict[str, int] | None = None
    warnings: int = 0


class Pending(msgspec.Struct, frozen=True):
    """What the Director has decided and what happens once the round is over."""

    what: Literal["disqualify", "retire", "substitute", "end", "pause", "move_out"]
    entrant: str = ""
    other: str = ""
    by: str = ""
    reason: str = ""


class RoundUnderWay(msgspec.Struct):
    """What belongs to one round; `number` is the table's, 0 before one was let begin."""

    number: int = 0
    compulsory: int = 0
    dealt: bool = False
    began_at: int = 0
    before: dict[str, int] = {}  # banks when it began
    laid: Laid = msgspec.field(default_factory=Laid)
    breaches: list[str] = []


class PlayOff(msgspec.Struct):
    """Equal banks play for a place; everybody else sits out."""

    players: list[str]
    left: int
    rounds: int


class Practice(msgspec.Struct):
    """What a practice leaves nothing of: what each has won or lost in it, and what the game knew before."""

    nets: dict[str, int] = {}
    game: dict[str, list[str]] = {}


class EventState(msgspec.Struct):
    """The event at this table, from its designation to its release."""

    stands: str = "free"
    came_from: str = ""
    terms: Terms | None = None
    session: SessionTerms | None = None
    entrants: dict[str, Entrant] = {}
    colours: dict[str, str] = {}  # whose chips of a colour are
    presence: Presence = msgspec.field(default_factory=Presence)
    ledger: Ledger = msgspec.field(default_factory=Ledger)
    round: RoundUnderWay = msgspec.field(default_factory=RoundUnderWay)
    scored: int = 0
    dealt: int = 0
    briefed_by: str = ""
    released_by: str = ""
    sign_from: int = 0  # the sign's revision that first says the schedule
    shown_at: int = 0  # and since when it is shown
    ends_at: int = 0
    pending: list[Pending] = []
    practice: Practice | None = None
    play_off: PlayOff | None = None
    over_by: str = ""
    issued: int | None = None  # all units of this table: banks and tray, once play began
    cash_money: MoneyState | None = None
    cash_limits: Limits | None = None
    cash_game: dict[str, Any] = {}
    began_at: int = 0
    paused_at: int = 0
    clock_from: int = 0  # when the first table of the session began, where the hall has said so
    moved_ms: int = 0  # how much later the timetable is by pauses
    level: int = 0
    hand_for_hand: bool = False
    next_hand: bool = False  # the hall lets one more hand begin
    moving: dict[str, Moving] = {}  # who comes with a ticket, by number
    tickets: list[int] = []  # those that were used here

    def playing(self) -> list[Entrant]:
        """Who is still in at this table, by seat."""
        return sorted((one for one in self.entrants.values() if one.plays), key=lambda one: one.seat)

    def at_seat(self, seat: int) -> Entrant | None:
        return next((one for one in self.entrants.values() if one.plays and one.seat == seat), None)
