"""What a simulated device keeps without power: its epoch, the events it holds, and the commands it has done."""

from __future__ import annotations

import random

from firmware_specs import link
from firmware_specs.frames import encode_frame

ONE_CARD = 8
"""Events that one card can bring: its looks, its conditions, a jam."""


class DeviceMemory:
    """Survives a restart that keeps it; without it everything is forgotten and the epoch is another."""

    capacity: int
    """How many events it can hold."""

    def __init__(self, chance: random.Random) -> None:
        self._random = chance
        self.epoch = 0
        self._held: dict[int, bytes] = {}
        self._oldest = 1
        self._next = 1
        self._commands: dict[int, bytes | None] = {}  # id -> RESULT frame, None while it is being done
        self._forget()

    @property
    def held(self) -> int:
        """How many events wait to become durable at the host."""
        return len(self._held)

    @property
    def nearly_full(self) -> bool:
        """Whether there is no room for all that one card can bring."""
        return len(self._held) > self.capacity - ONE_CARD

    def _draw(self) -> int:
        return self._random.randrange(1, 2**32)

    def _forget(self) -> None:
        before = self.epoch
        while self.epoch == before:
            self.epoch = self._draw()
        self._held.clear()
        self._commands.clear()
        self._oldest = self._next = 1

    def count_from(self, number: int) -> None:
        """As if all events before this number had been, with nothing held."""
        self._held.clear()
        self._oldest = self._next = number

    def _interrupt_commands(self) -> None:
        """A command that was being done when the power went is told as interrupted, never done again."""
        body = link.encode_reason("the device lost power while doing it")
        for command_id, frame in self._commands.items():
            if frame is None:
                head = link.pack_event(link.RESULT, command_id, link.Status.FAILED)
                self._commands[command_id] = encode_frame(head + body)
