"""The host end of the link: identify, resume, take each event once and in order, make outputs so.

Told by its port's bytes and its clock's timers alone; it never waits and holds no thread.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec
import structlog

from firmware_specs import link
from firmware_specs.clock import Action, Clock, Timer
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.link import Identity
from firmware_specs.port import Port, PortTrouble
from firmware_specs.spec import BadMessage, DeviceSpec, Message

from .events import Mark
from .identify import why_refused
from .pairing import UNPAIRED, Pairing

HELLO_S = 0.25  # first wait before saying HELLO or opening the port again
HELLO_MOST_S = 4.0  # the wait doubles up to this
ACK_S = 0.02  # how long an ACK waits for the journal before it goes out with `received` alone
ACK_EVENTS = 8  # or this many events, whichever is first
DUMP_EVERY_S = 10.0  # a bad line is counted frame by frame but dumped no more often than this

#: status (done, refused, failed, late, unknown), the result when done, and words for a person
OnResult = Callable[[str, Message | None, str], None]
State = Literal["stopped", "closed", "hello", "refused", "up"]

_log = structlog.get_logger("link")


class LinkListener(Protocol):
    """Who is told what happens on a link."""

    def link_up(self, identity: Identity, lost: bool) -> None: ...

    def link_down(self, cause: str, remedy: str) -> None: ...

    def link_refused(self, reason: str, remedy: str) -> None: ...

    def event(self, number: int, message: Message) -> None: ...

    def bad_event(self, number: int, text: str) -> None:
        """A numbered event that does not fit the spec was skipped; it must be settled like any other."""

    def live(self, message: Message) -> None: ...

    def applied(self, outputs: Message) -> None: ...


class Recorder(Protocol):
    """Keeps the raw traffic of a line."""

    def record(self, direction: str, octets: bytes) -> None:
        """Bytes that went "in" or "out"."""


class _Position(msgspec.Struct):
    """How far one device's events have come in one epoch."""

    epoch: int
    received: int
    durable: int
    settled: set[int] = msgspec.field(default_factory=set)  # durable ahead of their turn


class _Pending(msgspec.Struct):
    """A command on its way."""

    frame: bytes
    content: bytes
    message: Message
    on_result: OnResult
    deadline: Timer
    sent_to: tuple[str, int] | None = None  # serial and epoch of the device that may have acted on it
    again_at: float = 0.0
    wait: float = link.RESEND_S


class HostLink:
    """One device's line, kept alive; everything it learns goes to its listener."""

    def __init__(
        self,
        clock: Clock,
        port: Port,
        spec: DeviceSpec,
        listener: LinkListener,
        *,
        name: str,
        serial: str | None = None,
        resume: Mark | None = None,
        recorder: Recorder | None = None,
        pairing: Pairing = UNPAIRED,
    ) -> None:
        self.clock = clock
        self.port = port
        self.spec = spec
        self.listener = listener
        self.name = name
        self.expected_serial = serial
        self.recorder = recorder
        self.secret = False  # what passes here must not be seen in a log
        self.pairing = pairing
        self.state: State = "stopped"
        self.identity: Identity | None = None
        self.counters: Counter[str] = Counter()
        self._beat = spec.beat_ms / 1000
        self._silence = spec.silence_ms / 1000
        self._events = spec.events
        self._decoder = FrameDecoder()
        self._damage = 0
        self._recent: deque[tuple[float, str, bytes]] = deque(maxlen=2 * 32)
        self._dumped = float("-inf")
        self._timers: dict[str, Timer] = {}
        self._told = ""
        # where the events of each device known so far have come to
        self._positions: dict[str, _Position] = {}
        self._serial = ""
        self.epoch = 0
        if resume is not None:
            self._positions[resume.serial] = _Position(resume.epoch, resume.number, resume.number)
            self._serial, self.epoch = resume.serial, resume.epoch
        self._received = self._durable = resume.number if resume is not None else 0
        self._settled: set[int] = set()
        # this session
        self._nonce = 0
        self._asked = b""
        self._wait = HELLO_S
        self._hello_since = 0.0
        self._heard = 0.0
        self._sent = 0.0
        self._taking = False
        self._ack_owed = False
        self._ack_timed = False
        self._acked = 0
        self._gap_asked = (-1, 0.0)  # after which event, and when
        # what the device shall be and do
        self._desired: Message | None = None
        self._revision = 0
        self._applied = True
        self._set_again_at = 0.0
        self._set_wait = link.RESEND_S
        self._commands: dict[int, _Pending] = {}

    # --- for the driver ----------------------------------------------------------------------

    def start(self) -> None:
        """Open the port and keep trying until `stop`."""
        if self.state == "stopped":
            self.state = "closed"
            self._nonce = self.clock.wall() & 0xFFFFFFFF
            self._open()

    def stop(self) -> None:
        """Close the port; nothing is told afterwards, and pending commands stay unanswered."""
        self.state = "stopped"
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for pending in self._commands.values():
            pending.deadline.cancel()
        self._commands.clear()
        self._ack_timed = False
        self.port.close()

    def durable(self, number: int, epoch: int | None = None) -> None:
        """This event needs no resending ever again; the device is told once all before it are settled too."""
        if epoch is not None and epoch != self.epoch:
            return  # of a life of the device that is over
        if number == self._durable + 1 and number <= self._received:
            self._durable = number
            settled = self._settled
            while settled and self._durable + 1 in settled:
                self._durable += 1
                settled.remove(self._durable)
        elif self._durable < number <= self._received:
            self._settled.add(number)
            return
        else:
            return
        if self.state != "up":
            # The journal may finish after the cable was pulled; the next session starts from here.
            position = self._positions.get(self._serial)
            if position is not None:
                position.durable = self._durable
            return
        self._ack_owed = True
        if not self._taking and self._durable == self._received:
            self._send_ack()
        elif not self._taking:
            self._ack_soon()

    def command(self, command_id: int, message: Message, on_result: OnResult, deadline: float) -> None:
        """Have a command done once; the answer comes within `deadline` seconds, whatever happens."""
        if command_id in self._commands:
            raise ValueError(f"{self.name}: command {command_id} is already on its way")
        content = link.pack_event(link.COMMAND, command_id, message.ID) + message.encode()
        timer = self.clock.call_later(deadline, self._late, command_id)
        self._commands[command_id] = pending = _Pending(encode_frame(content), content, message, on_result, timer)
        if self.state == "up":
            self._send_command(pending)
            self._retry_soon()

    def desire(self, outputs: Message) -> None:
        """Make the outputs so, now and after every reconnect."""
        if outputs == self._desired:
            return
        outputs.encode()  # a value out of range is the caller's mistake and raised here
        self._desired = outputs
        self._revision = (self._revision + 1) & 0xFFFF
        self._applied = False
        if self.state == "up":
            self._send_set()

    @property
    def stats(self) -> dict[str, int]:
        """Counters for screens and `doctor`."""
        return {**self.counters, "frames_in": self._decoder.good}

    # --- opening and identifying -------------------------------------------------------------

    def _later(self, what: str, delay: float, action: Action, *args: Any) -> None:
        timer = self._timers.get(what)
        if timer is not None:
            timer.cancel()
        self._timers[what] = self.clock.call_later(delay, action, *args)

    def _open(self) -> None:
        if self.state != "closed":
            return
        try:
            self.port.open(self._on_bytes, self._on_lost)
        except PortTrouble as trouble:
            self._tell_down(trouble.text, trouble.remedy)
            self._later("open", self._wait, self._open)
            self._wait = min(2 * self._wait, HELLO_MOST_S)
            return
        self._decoder.reset()
        self._begin()

    def _on_lost(self, trouble: PortTrouble) -> None:
        if self.state == "stopped":
            return
        self._leave("closed")
        self._tell_down(trouble.text, trouble.remedy)
        self._later("open", HELLO_S, self._open)

    def _begin(self) -> None:
        """Ask who is there, as for the first time."""
        self._leave("hello")
        self._nonce = (self._nonce * 1_664_525 + 1_013_904_223) & 0xFFFFFFFF or 1
        self._asked = self.pairing.challenge()
        self._hello_since = self.clock.now()
        self._say_hello()

    def _say_hello(self) -> None:
        if self.state == "hello" and self.clock.now() - self._hello_since >= self._silence:
            self._tell_down(
                f"Nothing answers at {self.port.name}.",
                f"Check that the {self.spec.title} has power and that its cable is in.",
            )
        self._send(link.Hello(self._nonce, self.epoch, self._received, challenge=self._asked).encode())
        self._later("hello", self._wait, self._say_hello)
        self._wait = min(2 * self._wait, HELLO_MOST_S)

    def _leave(self, state: State) -> None:
        """End whatever session there is."""
        if self.state == "up":
            self.counters["downs"] += 1
            position = self._positions[self._serial]
            position.received, position.durable = self._received, self._durable
        self.state = state
        self._wait = HELLO_S
        for what in ("hello", "pulse", "ack", "retry", "open"):
            timer = self._timers.pop(what, None)
            if timer is not None:
                timer.cancel()
        self._ack_timed = False

    def _tell_down(self, cause: str, remedy: str) -> None:
        if self._told != cause:
            self._told = cause
            self.listener.link_down(cause, remedy)

    def _on_identity(self, identity: Identity) -> None:
        if identity.nonce == 0:
            self._on_announcement(identity)
        elif identity.nonce != self._nonce or self.state not in ("hello", "refused"):
            self.counters["stale"] += 1
        else:
            known = self._positions.get(identity.serial)
            recorded = known.received if known is not None and known.epoch == identity.epoch else 0
            problem = why_refused(identity, self.spec, self.port.name, self.expected_serial, recorded)
            problem = problem or self.pairing.why_refused(identity, self.spec.title, self._asked)
            if problem is None:
                self._come_up(identity)
            else:
                self._refuse(*problem)

    def _on_announcement(self, identity: Identity) -> None:
        if self.state == "up":
            restarted = self.identity is None or identity.boot != self.identity.boot
            self._begin()
            if restarted:
                self._tell_down(
                    f"The {self.spec.title} restarted.", "Nothing to do unless it happens again; then check its power."
                )
            else:
                self._tell_down(
                    f"The {self.spec.title} did not hear the table for a while.",
                    "Nothing to do unless it happens again; then check its cable.",
                )
        elif self.state == "hello" and self.clock.now() - self._sent >= HELLO_S / 2:
            self._wait = HELLO_S
            self._say_hello()

    def _refuse(self, reason: str, remedy: str) -> None:
        self.state = "refused"
        if self._told != reason:
            self._told = reason
            self.counters["refusals"] += 1
            self._dump("refused", reason)
            self.listener.link_refused(reason, remedy)

    def _come_up(self, identity: Identity) -> None:
        before = self._positions.get(identity.serial)
        lost = before is not None and (before.epoch != identity.epoch or identity.oldest > before.received + 1)
        if before is None or lost:
            before = _Position(identity.epoch, identity.oldest - 1, identity.oldest - 1)
            self._positions[identity.serial] = before
        self._serial, self.epoch = identity.serial, identity.epoch
        self._received, self._durable, self._settled = before.received, before.durable, before.settled
        self.identity = identity
        self._leave("up")
        self._told = ""
        self.counters["ups"] += 1
        self._heard = self._sent = self.clock.now()
        if identity.proof:
            self._send(link.encode_proof(self._nonce, self.pairing.proof(identity, self._asked)))
        self._send_ack()  # accepts the device: only now does it send events
        self._pulse()
        self.listener.link_up(identity, lost)
        if self.state != "up":
            return
        if self._desired is not None:
            self._applied = False
            self._send_set()
        for command_id, pending in list(self._commands.items()):
            if pending.sent_to not in (None, (self._serial, self.epoch)):
                # The device that may have acted has forgotten; repeating could do it twice.
                self._answer(command_id, "unknown", None, f"the {self.spec.title} lost its memory meanwhile")
            else:
                pending.wait = link.RESEND_S
                self._send_command(pending)
        self._retry_soon()

    # --- beats and silence -------------------------------------------------------------------

    def _pulse(self) -> None:
        now = self.clock.now()
        if now >= self._heard + self._silence:
            self._begin()
            self._hello_since = float("inf")  # silence is told here and needs no second telling
            self._tell_down(
                f"Nothing was heard from the {self.spec.title} at {self.port.name} for {self._silence:g} s.",
                "Check its power and its cable.",
            )
            return
        if now >= self._sent + self._beat:
            self._send_ack()  # the host's beat repeats its ACK, which heals a lost one
        due = min(self._sent + self._beat, self._heard + self._silence)
        self._timers["pulse"] = self.clock.call_at(due, self._pulse)

    # --- sending -----------------------------------------------------------------------------

    def _send(self, content: bytes) -> None:
        self._send_frame(content, encode_frame(content))

    def _send_frame(self, content: bytes, frame: bytes) -> None:
        now = self._sent = self.clock.now()
        self._recent.append((now, "out", content))
        if self.recorder is not None:
            self.recorder.record("out", frame)
        self.port.write(frame)

    def _send_ack(self, resend: bool = False) -> None:
        self._ack_owed = False
        self._acked = self._received
        content = link.encode_ack(self.epoch, self._received, self._durable, resend)
        self._send_frame(content, encode_frame(content))

    def _ack_soon(self) -> None:
        if not self._ack_timed and self.state == "up":
            self._ack_timed = True
            self._later("ack", ACK_S, self._ack_now)

    def _ack_now(self) -> None:
        self._ack_timed = False
        if self._ack_owed and self.state == "up":
            self._send_ack()

    def _send_set(self) -> None:
        assert self._desired is not None
        self._set_wait = link.RESEND_S
        self._set_again_at = self.clock.now() + self._set_wait
        self._send(link.HEAD_SET.pack(link.SET, self._revision) + self._desired.encode())
        self._retry_soon()

    def _send_command(self, pending: _Pending) -> None:
        pending.sent_to = (self._serial, self.epoch)
        pending.again_at = self.clock.now() + pending.wait
        pending.wait = min(2 * pending.wait, link.RESEND_MOST_S)
        self._send_frame(pending.content, pending.frame)

    def _retry_soon(self) -> None:
        if "retry" not in self._timers and (self._commands or not self._applied):
            self._later("retry", link.RESEND_S, self._retry)

    def _retry(self) -> None:
        """Send again what was not answered in time."""
        del self._timers["retry"]
        now = self.clock.now()
        if not self._applied and self._desired is not None and now >= self._set_again_at:
            self.counters["repeats"] += 1
            self._set_wait = min(2 * self._set_wait, link.RESEND_MOST_S)
            self._set_again_at = now + self._set_wait
            self._send(link.HEAD_SET.pack(link.SET, self._revision) + self._desired.encode())
        for pending in self._commands.values():
            if now >= pending.again_at:
                self.counters["repeats"] += 1
                self._send_command(pending)
        self._retry_soon()

    def _late(self, command_id: int) -> None:
        sent = self._commands[command_id].sent_to is not None
        text = "no answer came in time; it may have been done" if sent else "the device was not there in time"
        self._answer(command_id, "late", None, text)

    def _answer(self, command_id: int, status: str, result: Message | None, text: str) -> None:
        pending = self._commands.pop(command_id)
        pending.deadline.cancel()
        pending.on_result(status, result, text)

    # --- hearing -----------------------------------------------------------------------------

    def _on_bytes(self, octets: bytes) -> None:
        if self.recorder is not None:
            self.recorder.record("in", octets)
        decoder = self._decoder
        contents = decoder.feed(octets)
        if decoder.damaged + decoder.overlong != self._damage:
            self._on_damage()
        if not contents:
            return
        now = self._heard = self.clock.now()
        self._taking = True
        try:
            for content in contents:
                self._recent.append((now, "in", content))
                try:
                    if content[0] == link.EVENT:
                        self._on_event(content)
                    elif content[0] != link.BEAT:
                        self._on_other(content)
                except BadMessage as bad:
                    self.counters["bad"] += 1
                    self._dump("bad frame", str(bad))
        finally:
            self._taking = False
        if self._ack_owed and self.state == "up":
            if self._durable == self._received or self._received - self._acked >= ACK_EVENTS:
                self._send_ack()
            else:
                self._ack_soon()

    def _on_event(self, content: bytes) -> None:
        if self.state != "up":
            self.counters["stray"] += 1
            return
        if len(content) < 6:
            raise BadMessage("EVENT", "length", len(content), "at least 6 bytes")
        _, number, message_id = link.unpack_event(content)
        expected = self._received + 1
        if number != expected:
            self._on_wrong_number(number)
            return
        kind = self._events.get(message_id)
        self._received = number
        self._ack_owed = True
        try:
            if kind is None:
                raise BadMessage("EVENT", "message id", message_id, "a declared event")
            message = kind.decode(content[6:])
        except BadMessage as bad:
            self.counters["bad"] += 1
            self._dump("bad event", str(bad))
            self.listener.bad_event(number, str(bad))
        else:
            self.listener.event(number, message)

    def _on_wrong_number(self, number: int) -> None:
        if number <= self._received:
            self.counters["duplicates"] += 1
            self._ack_owed = True  # the device does not know yet that we have it
            return
        self.counters["gaps"] += 1
        if number > self._received + link.WINDOW_EVENTS:
            self._dump("event out of order", f"number {number} after {self._received}")
        now = self.clock.now()
        after, asked = self._gap_asked
        if after != self._received or now - asked >= link.RESEND_S:
            self._gap_asked = (self._received, now)
            self._send_ack(resend=True)

    def _on_other(self, content: bytes) -> None:
        kind = content[0]
        if kind == link.IDENTITY:
            self._on_identity(Identity.decode(content))
        elif self.state != "up":
            self.counters["stray"] += 1
        elif kind == link.LIVE:
            message_type = self.spec.live.get(content[1]) if len(content) > 1 else None
            if message_type is None:
                raise BadMessage("LIVE", "message id", content[1:2].hex(), "a declared live message")
            self.listener.live(message_type.decode(content[2:]))
        elif kind == link.APPLIED:
            self._on_applied(content)
        elif kind == link.RESULT:
            self._on_result(content)
        else:
            self.counters["unknown"] += 1
            self._dump("unknown frame", f"kind {kind}")

    def _on_applied(self, content: bytes) -> None:
        if len(content) != link.HEAD_SET.size:
            raise BadMessage("APPLIED", "length", len(content), f"{link.HEAD_SET.size} bytes")
        revision = link.HEAD_SET.unpack(content)[1]
        if self._applied or self._desired is None or revision != self._revision:
            self.counters["stale"] += 1
        else:
            self._applied = True
            self.listener.applied(self._desired)

    def _on_result(self, content: bytes) -> None:
        if len(content) < link.HEAD_EVENT.size:
            raise BadMessage("RESULT", "length", len(content), f"at least {link.HEAD_EVENT.size} bytes")
        _, command_id, status = link.unpack_event(content)
        pending = self._commands.get(command_id)
        if pending is None:
            self.counters["stale"] += 1
            return
        body = content[link.HEAD_EVENT.size :]
        result: Message | None = None
        text = ""
        try:
            if status == link.Status.DONE:
                result = self.spec.results[pending.message.ID].decode(body)
            elif status in (link.Status.REFUSED, link.Status.FAILED):
                text = link.decode_reason(body)
            else:
                raise BadMessage("RESULT", "status", status, "0 to 2")
        except BadMessage as bad:
            # The stored answer will not get better by asking again.
            self._answer(command_id, "unknown", None, f"the device's answer cannot be understood: {bad}")
            raise
        self._answer(command_id, link.Status(status).name.lower(), result, text)

    # --- what went wrong ---------------------------------------------------------------------

    def _on_damage(self) -> None:
        decoder = self._decoder
        self.counters["damaged"] = decoder.damaged
        self.counters["overlong"] = decoder.overlong
        self._damage = decoder.damaged + decoder.overlong
        self._dump("damaged frame", "not shown" if self.secret else decoder.last_damaged.hex())

    def _dump(self, what: str, detail: str) -> None:
        """Log what is wrong with the frames around it, but not for every frame of a bad line."""
        now = self.clock.now()
        if now - self._dumped < DUMP_EVERY_S:
            self.counters["undumped"] += 1
            return
        self._dumped = now
        _log.warning(
            what,
            device=self.name,
            port=self.port.name,
            detail=detail,
            counters=dict(self.counters),
            recent=[f"{at:.3f} {way} {link.describe(content, self.secret)}" for at, way, content in self._recent],
        )
