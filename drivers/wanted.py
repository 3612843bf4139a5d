"""What a device shall do and be: commands until they are answered, outputs until they are applied, both repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from firmware_specs import link
from firmware_specs.clock import Clock, Timer
from firmware_specs.frames import encode_frame
from firmware_specs.spec import BadMessage, DeviceSpec, Message

#: status (done, refused, failed, late, unknown), the result when done, and words for a person
OnResult = Callable[[str, Message | None, str], None]
Send = Callable[[bytes, bytes], None]  # a content and its frame
Owner = tuple[str, int]  # serial and epoch: one life of one device


class _Pending(msgspec.Struct):
    """A command on its way."""

    frame: bytes
    content: bytes
    message: Message
    on_result: OnResult
    deadline: Timer
    sent_to: Owner | None = None  # the life of the device that may have acted on it
    again_at: float = 0.0
    wait: float = link.RESEND_S


class Standing(msgspec.Struct, frozen=True):
    """What was wanted when a session began; what is wanted later is sent by itself."""

    commands: list[tuple[int, _Pending]]
    revision: int


class Wanted:
    """Sends what is wanted while there is a session, and again after every interruption."""

    def __init__(self, name: str, clock: Clock, spec: DeviceSpec, counters: Counter[str], send: Send) -> None:
        self._name = name
        self._clock = clock
        self._spec = spec
        self._counters = counters
        self._send = send
        self._device: Owner | None = None  # who hears us now
        self._retrying: Timer | None = None
        self._desired: Message | None = None
        self._revision = 0
        self._applied = True
        self._set_again_at = 0.0
        self._set_wait = link.RESEND_S
        self._commands: dict[int, _Pending] = {}

    # --- sessions ----------------------------------------------------------------------------

    def begin(self, device: Owner) -> Standing:
        """A session with this device has begun."""
        self._device = device
        return Standing(list(self._commands.items()), self._revision)

    def resume(self, standing: Standing) -> None:
        """Say again what stood before the session."""
        if self._desired is not None and self._revision == standing.revision:
            self._applied = False
            self._send_set()
        for command_id, pending in standing.commands:
            if self._commands.get(command_id) is not pending:
                continue
            if pending.sent_to not in (None, self._device):
                # The device that may have acted has forgotten; repeating could do it twice.
                self._answer(command_id, "unknown", None, f"the {self._spec.title} lost its memory meanwhile")
            else:
                pending.wait = link.RESEND_S
                self._send_command(pending)
        self._retry_soon()

    def pause(self) -> None:
        """The session is over; deadlines run on."""
        self._device = None
        if self._retrying is not None:
            self._retrying.cancel()
            self._retrying = None

    def drop(self) -> None:
        """Nothing more is wanted; pending commands stay unanswered."""
        self.pause()
        for pending in self._commands.values():
            pending.deadline.cancel()
        self._commands.clear()

    # --- wanting -----------------------------------------------------------------------------

    def command(self, command_id: int, message: Message, on_result: OnResult, deadline: float) -> None:
        if command_id in self._commands:
            raise ValueError(f"{self._name}: command {command_id} is already on its way")
        content = link.pack_event(link.COMMAND, command_id, message.ID) + message.encode()
        timer = self._clock.call_later(deadline, self._late, command_id)
        self._commands[command_id] = pending = _Pending(encode_frame(content), content, message, on_result, timer)
        if self._device is not None:
            self._send_command(pending)
            self._retry_soon()

    def desire(self, outputs: Message) -> None:
        if outputs == self._desired:
            return
        outputs.encode()  # a value out of range is the caller's mistake and raised here
        self._desired = outputs
        self._revision = (self._revision + 1) & 0xFFFF
        self._applied = False
        if self._device is not None:
            self._send_set()

    def _send_set(self) -> None:
        self._set_wait = link.RESEND_S
        self._set_again_at = self._clock.now() + self._set_wait
        self._say_set()
        self._retry_soon()

    def _say_set(self) -> None:
        assert self._desired is not None
        content = link.HEAD_SET.pack(link.SET, self._revision) + self._desired.encode()
        self._send(content, encode_frame(content))

    def _send_command(self, pending: _Pending) -> None:
        pending.sent_to = self._device
        pending.again_at = self._clock.now() + pending.wait
        pending.wait = min(2 * pending.wait, link.RESEND_MOST_S)
        self._send(pending.content, pending.frame)

    def _retry_soon(self) -> None:
        if self._retrying is None and self._device is not None and (self._commands or not self._applied):
            self._retrying = self._clock.call_later(link.RESEND_S, self._retry)

    def _retry(self) -> None:
        """Send again what was not answered in time."""
        self._retrying = None
        now = self._clock.now()
        if not self._applied and self._desired is not None and now >= self._set_again_at:
            self._counters["repeats"] += 1
            self._set_wait = min(2 * self._set_wait, link.RESEND_MOST_S)
            self._set_again_at = now + self._set_wait
            self._say_set()
        for pending in list(self._commands.values()):
            if now >= pending.again_at and self._device is not None:
                self._counters["repeats"] += 1
                self._send_command(pending)
        self._retry_soon()

    # --- answers -----------------------------------------------------------------------------

    def on_applied(self, content: bytes) -> Message | None:
        """The outputs that have become so, once."""
        if len(content) != link.HEAD_SET.size:
            raise BadMessage("APPLIED", "length", len(content), f"{link.HEAD_SET.size} bytes")
        revision = link.HEAD_SET.unpack(content)[1]
        if self._applied or self._desired is None or revision != self._revision:
            self._counters["stale"] += 1
            return None
        self._applied = True
        return self._desired

    def on_result(self, content: bytes) -> None:
        if len(content) < link.HEAD_EVENT.size:
            raise BadMessage("RESULT", "length", len(content), f"at least {link.HEAD_EVENT.size} bytes")
        _, command_id, status = link.unpack_event(content)
        pending = self._commands.get(command_id)
        if pending is None:
            self._counters["stale"] += 1
            return
        body = content[link.HEAD_EVENT.size :]
        result: Message | None = None
        text = ""
        try:
            if status == link.Status.DONE:
                result = self._spec.results[pending.message.ID].decode(body)
            elif status in (link.Status.REFUSED, link.Status.FAILED):
                text = link.decode_reason(body)
            else:
                raise BadMessage("RESULT", "status", status, "0 to 2")
        except BadMessage as bad:
            # The stored answer will not get better by asking again.
            self._answer(command_id, "unknown", None, f"the device's answer cannot be understood: {bad}")
            raise
        self._answer(command_id, link.Status(status).name.lower(), result, text)

    def _late(self, command_id: int) -> None:
        sent = self._commands[command_id].sent_to is not None
        text = "no answer came in time; it may have been done" if sent else "the device was not there in time"
        self._answer(command_id, "late", None, text)

    def _answer(self, command_id: int, status: str, result: Message | None, text: str) -> None:
        pending = self._commands.pop(command_id)
        pending.deadline.cancel()
        pending.on_result(status, result, text)
