"""What a simulated device does, apart from talking, and how it refuses a command."""

from __future__ import annotations

from typing import Protocol

import msgspec

from firmware_specs.spec import Message


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not done; `failed` when it was tried."""

    text: str
    failed: bool = False


class Behaviour(Protocol):
    """What the device does, apart from talking."""

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        """Act once; the result, a refusal, or None when `finish` will be called later."""

    def outputs(self, outputs: Message, why: str) -> None:
        """The outputs are now these, because of "host", "silence" or "power"."""

    def powered(self, on: bool, kept_memory: bool) -> None:
        """The power came or went."""
