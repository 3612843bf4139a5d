"""What every game offers to the table that runs it."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from controller.core.alarms import Alarm, Alarms
from controller.core.desk import Ask, Key, Limits
from controller.core.effects import Asked
from controller.core.machine import StrictMachine
from controller.core.questions import Questions
from controller.core.take_back import Beside
from controller.people import Person


class Game(Protocol):
    """One game at one table: a pure function of its events.

    It owns its state (a msgspec Struct, saved and restored whole), its round machine, and the keys people may press.
    """

    name: str
    machine: StrictMachine
    alarms: Alarms[Any]
    questions: Questions[Any]
    beside: Beside

    @property
    def devices(self) -> frozenset[str]:
        """Where the devices stand that it is played with now."""
        ...

    @property
    def keys(self) -> dict[str, Key]:
        """What people may press, each with the rank it needs now."""
        ...

    def handle(self, event: msgspec.Struct) -> None:
        """Take something a device saw, or a timer."""

    def command(self, key: Key, args: dict[str, Any], by: Person) -> None:
        """Take a pressed key; rank and suspension were checked."""

    def asks(self, asked: Asked, answer: str) -> tuple[Ask, ...]:
        """What is told with this answer."""
        ...

    def check_answer(self, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        """Refuse an answer that cannot be carried out, before anything changes."""

    def answered(self, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        """Take the answer to one of this game's questions."""

    def can(self, key: Key) -> bool:
        """Whether this key means anything now."""

    def idle(self) -> bool:
        """Whether no round is under way, so that the table may close."""

    def players_here(self) -> list[str]:
        """Who is at the table, as far as it is known."""
        ...

    def players_present(self) -> bool:
        """Whether closing needs notice."""

    def limit_faults(self, limits: Limits) -> list[str]:
        """Why the table's limits may not be these at this game, where they could be signed and paid at any."""
        ...

    def opening_faults(self) -> list[Alarm[Any]]:
        """What stands in the way of opening."""

    def resumed(self) -> None:
        """The table plays again after a suspension."""

    def closed(self) -> None:
        """The table is closed: what belongs to this session ends."""

    def device_lost(self, device: str, evidence_gone: bool) -> None:
        """A device of this game fell silent, or came back without its memory."""

    def chip_picture(self) -> dict[int, list[int]]:
        """Tags by area, as the table knows them; where a chip driver goes on after a restart."""

    def desired(self) -> dict[str, dict[str, Any]]:
        """What the outputs of this game's devices shall be now, by place."""

    def save(self) -> bytes:
        """The game's whole state."""

    def restore(self, saved: bytes) -> None:
        """Stand where `save` was called."""

    def came_from(self) -> str:
        """Where a round that stands still came from, in a snapshot of the version whose machine did not keep it."""

    def view(self) -> dict[str, Any]:
        """What the screens show of the round."""

    def sign(self) -> dict[str, Any]:
        """What the limit sign shows of the game."""
