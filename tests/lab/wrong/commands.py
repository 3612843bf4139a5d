"""Devices that do, remember and answer commands wrongly."""

from __future__ import annotations

from firmware_specs import link
from firmware_specs.frames import encode_frame
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, content_of


class RepeatsCommands(DeviceLink):
    """Does a command again when the host asks again."""

    def _on_command(self, content: bytes) -> None:
        if len(content) >= link.HEAD_EVENT.size:
            self._commands.pop(link.unpack_event(content)[1], None)
        super()._on_command(content)


class RemembersFewCommands(DeviceLink):
    """Remembers eight commands instead of 32."""

    def _on_command(self, content: bytes) -> None:
        while len(self._commands) > 7:
            del self._commands[next(iter(self._commands))]
        super()._on_command(content)


class ForgetsCommandsWithPower(DeviceLink):
    """Keeps events through a restart, but not what it has done."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        self._commands.clear()
        super().power_cycle(keep_memory, off_for)


class TakesAnyCommand(DeviceLink):
    """Does not refuse a command that is out of range."""

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        if isinstance(result, Refusal):
            result = Refusal(result.text, failed=True)
        super().finish(command_id, result)


class DropsLongCommands(DeviceLink):
    """Does not answer a command that is longer than its buffer."""

    def _on_command(self, content: bytes) -> None:
        if len(content) < 64:
            super()._on_command(content)


class AnswersShortCommands(DeviceLink):
    """Refuses even what has no id."""

    def _on_command(self, content: bytes) -> None:
        if len(content) < 6:
            self._write(encode_frame(link.pack_event(link.RESULT, 0, 1) + link.encode_reason("short")))
        else:
            super()._on_command(content)


class RefusesWithoutReason(DeviceLink):
    """Refuses and does not say why."""

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        super().finish(command_id, Refusal("") if isinstance(result, Refusal) else result)


class SilentAboutUnknown(DeviceLink):
    """Drops a command that it does not know."""

    def _on_command(self, content: bytes) -> None:
        if len(content) >= 6 and content[5] in self.spec.commands:
            super()._on_command(content)


class AddsToResults(DeviceLink):
    """Sends a byte more than its results have."""

    def _write(self, frame: bytes) -> None:
        content = content_of(frame)
        super()._write(encode_frame(content + b"\0") if content[0] == link.RESULT and not content[5] else frame)


class StopsForCommands(DeviceLink):
    """Sends no event for ten seconds after a command."""

    def _on_command(self, content: bytes) -> None:
        super()._on_command(content)
        self._busy_until = self.clock.now() + 10

    def _pump(self) -> None:
        if self.clock.now() >= getattr(self, "_busy_until", 0.0) and self.clock.now() > self._slow():
            super()._pump()

    def _slow(self) -> float:
        """The first event waits a moment, so that a command comes before it."""
        return getattr(self, "_accepted_at", 0.0) + 0.02

    def _on_ack(self, content: bytes) -> None:
        if not self._flowing:
            self._accepted_at = self.clock.now()
            self.clock.call_later(0.05, self._go_on)
        super()._on_ack(content)

    def _go_on(self) -> None:
        if self._flowing:
            self._pump()


class BeginsAgainAfterPower(DeviceLink):
    """Does a command again that a power loss interrupted."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        self._commands = {number: frame for number, frame in self._commands.items() if frame is not None}
        super().power_cycle(keep_memory, off_for)


WRONG = [
    Wrong(RepeatsCommands, "wheel", "commands.are_done_once", "C1"),
    Wrong(RemembersFewCommands, "wheel", "commands.are_remembered_32_deep", "C1"),
    Wrong(StopsForCommands, "wheel", "commands.hold_up_nothing", "C1"),
    Wrong(RepeatsCommands, "wheel", "commands.are_known_by_their_id", "C2"),
    Wrong(BeginsAgainAfterPower, "chips", "restart.fails_a_command_cut_short", "C3"),
    Wrong(TakesAnyCommand, "wheel", "commands.are_refused_beyond_their_limits", "C4"),
    Wrong(DropsLongCommands, "wheel", "commands.are_refused_however_long", "C4"),
    Wrong(AnswersShortCommands, "wheel", "commands.are_not_taken_cut_short", "C4"),
    Wrong(RefusesWithoutReason, "wheel", "commands.are_refused_when_unknown", "C4"),
    Wrong(SilentAboutUnknown, "wheel", "commands.are_refused_when_unknown", "C4"),
    Wrong(AddsToResults, "wheel", "commands.are_answered_at_their_limits", "C6"),
    Wrong(ForgetsCommandsWithPower, "wheel", "restart.keeps_commands_done", "R1"),
]
