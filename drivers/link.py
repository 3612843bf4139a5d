"""The host end of the link: identify, resume, take each event once and in order, make outputs so.

Told by its port's bytes and its clock's timers alone; it never waits and holds no thread.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any, Literal

from firmware_specs import link
from firmware_specs.clock import Action, Clock, Timer
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.link import Identity
from firmware_specs.port import Port, PortTrouble
from firmware_specs.spec import BadMessage, DeviceSpec, Message

from . import identify
from .events import Mark
from .identify import UNPAIRED, Pairing
from .listener import LinkListener, Recorder, Traffic
from .numbering import GAP_ASKS, Gap, Missing, Positions
from .unrest import TOO_MANY, WAIT_MOST_S, Flood, Unrest, why_closed
from .wanted import OnResult, Wanted

if TYPE_CHECKING:
    from firmware_specs.sealing import Seal

HELLO_S = 0.25  # first wait before saying HELLO or opening the port again
HELLO_MOST_S = 4.0  # the wait doubles up to this
ACK_S = 0.02  # how long an ACK waits for the journal before it goes out with `received` alone
ACK_EVENTS = 8  # or this many events, whichever is first
OWN_NONCES = 16  # of earlier HELLOs, whose answers may still be on their way

State = Literal["stopped", "closed", "hello", "refused", "up"]


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
        self.pairing = pairing
        self.state: State = "stopped"
        self.identity: Identity | None = None
        self.counters: Counter[str] = Counter()
        self._beat = spec.beat_ms / 1000
        self._silence = spec.silence_ms / 1000
        self._events = spec.events
        self._decoder = FrameDecoder()
        self.traffic = Traffic(name, port, clock, self.counters)
        self._recent = self.traffic.recent
        self._timers: dict[str, Timer] = {}
        self._told = ""
        self._positions = Positions(resume)
        self._serial = resume.serial if resume is not None else ""
        self._at = self._positions.of(self._serial)
        self._missing: Missing | None = None  # what the last session could not bring
        self._skipped = False  # events were passed over: evidence is lost, and told with the next session
        self._unrest = Unrest(clock)
        # this session
        self._nonce = 0
        self._nonces: deque[int] = deque(maxlen=OWN_NONCES)
        self._seal: Seal | None = None
        self._flood = Flood(clock, self._after_flood, listener.flooding)
        self._asked = b""
        self._wait = HELLO_S
        self._hello_since = 0.0
        self._instead: identify.Instead = "nothing"
        self._heard = 0.0
        self._sent = 0.0
        self._taking = False
        self._ack_owed = False
        self._ack_timed = False
        self._acked = 0
        self._gap: Gap | None = None
        self._wanted = Wanted(name, clock, spec, self.counters, self._send_frame)

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
        self._flood.stop()
        self._wanted.drop()
        self._ack_timed = False
        self.port.close()

    def durable(self, number: int, epoch: int | None = None) -> None:
        """This event needs no resending ever again; the device is told once all before it are settled too."""
        if epoch is not None and epoch != self.epoch:
            return  # of a life of the device that is over
        at = self._at
        if not at.settle(number) or self.state != "up":
            return  # the journal may finish after the cable was pulled; the next session starts from there
        self._ack_owed = True
        if not self._taking and at.durable == at.received:
            self._send_ack()
        elif not self._taking:
            self._ack_soon()

    def command(self, command_id: int, message: Message, on_result: OnResult, deadline: float) -> None:
        """Have a command done once; the answer comes within `deadline` seconds, whatever happens."""
        self._wanted.command(command_id, message, on_result, deadline)

    def desire(self, outputs: Message) -> None:
        """Make the outputs so, now and after every reconnect."""
        self._wanted.desire(outputs)

    @property
    def epoch(self) -> int:
        """The life of the device whose events are being taken."""
        return self._at.epoch

    @property
    def last_durable(self) -> int:
        """The event up to which all are settled."""
        return self._at.durable

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
        self._later("open", self._unrest.pause(), self._open)

    def _on_babble(self) -> None:
        """Nobody can listen to so much: the port is let be for a while."""
        if self.state != "refused":
            self._tell_down(*why_closed(self.spec.title, self.port.name))
        self._leave("closed")
        self.port.close()
        self._later("open", WAIT_MOST_S, self._open)

    def _begin(self) -> None:
        """Ask who is there, as for the first time."""
        self._leave("hello")
        self._nonce = (self._nonce * 1_664_525 + 1_013_904_223) & 0xFFFFFFFF or 1
        self._nonces.append(self._nonce)
        self._asked = self.pairing.challenge()
        self._hello_since = self.clock.now()
        self._instead = "nothing"
        self._say_hello()

    def _say_hello(self) -> None:
        if self.state == "hello" and self.clock.now() - self._hello_since >= self._silence:
            self._tell_down(*identify.why_no_answer(self.spec, self.port.name, self._instead))
        hello = link.Hello(self._nonce, self.epoch, self._at.received, challenge=self._asked).encode()
        self._send_frame(hello, link.AFRESH + encode_frame(hello))
        self._later("hello", self._wait, self._say_hello)
        self._wait = min(2 * self._wait, HELLO_MOST_S)

    def _leave(self, state: State) -> None:
        """End whatever session there is."""
        if self.state == "up":
            self.counters["downs"] += 1
            self._unrest.ended()
        self.state = state
        self._wait = HELLO_S
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._ack_timed = False
        self._gap = None
        self._seal = None
        self._wanted.pause()

    def _tell_down(self, cause: str, remedy: str) -> None:
        if self._told != cause:
            self._told = cause
            self.listener.link_down(cause, remedy)

    def _on_identity(self, identity: Identity) -> None:
        if identity.nonce == 0:
            self._on_announcement(identity)
        elif identity.nonce not in self._nonces:
            self._on_other_talker()
        elif identity.nonce != self._nonce or self.state not in ("hello", "refused"):
            self.counters["stale"] += 1
        else:
            recorded = self._positions.recorded(identity)
            problem = identify.why_refused(identity, self.spec, self.port.name, self.expected_serial, recorded)
            problem = problem or self.pairing.why_refused(identity, self.spec.title, self._asked)
            problem = problem or self._positions.why_worn_out(identity, self.spec.title)
            problem = problem or self._positions.why_untrue(identity, self.spec.title)
            problem = problem or self._unrest.why_refused(identity, self.spec.title)
            if problem is None:
                self._come_up(identity)
            else:
                self._refuse(*problem)

    def _read_identity(self, content: bytes) -> Identity:
        try:
            return Identity.decode(content)
        except BadMessage as bad:
            if self.state in ("hello", "refused"):
                self._refuse(*identify.why_no_sense(self.port.name, bad))
            raise

    def _on_announcement(self, identity: Identity) -> None:
        if self.state == "up":
            restarted = self.identity is None or identity.boot != self.identity.boot
            self._begin()
            self._tell_down(*identify.why_announced(self.spec, restarted))
        elif self.state == "hello" and self.clock.now() - self._sent >= HELLO_S / 2:
            self._wait = HELLO_S
            self._say_hello()

    def _on_other_talker(self) -> None:
        """The device answers a HELLO that is not ours, and has begun a session with whoever said it."""
        self.counters["other_talker"] += 1
        self._instead = "another"
        if self.state != "up":
            return
        self.traffic.dump("another talker", "an IDENTITY answers a HELLO that this table did not say")
        self._begin()
        self._tell_down(*identify.why_another_talker(self.spec, self.port.name))

    def _refuse(self, reason: str, remedy: str) -> None:
        self.state = "refused"
        if self._told != reason:
            self._told = reason
            self.traffic.note("refusals", "refused", reason)
            self.listener.link_refused(reason, remedy)

    def _come_up(self, identity: Identity) -> None:
        self._at, lost = self._positions.take_up(identity)
        lost, self._skipped = lost or self._skipped, False
        self._serial = identity.serial
        self.identity = identity
        self._leave("up")
        self._told = ""
        self.counters["ups"] += 1
        self._heard = self._sent = self._unrest.began()
        if identity.proof:
            self._send(link.encode_proof(self._nonce, self.pairing.proof(identity, self._asked)))
            self._seal = self.pairing.seal(identity, self._asked)
        self._send_ack()  # accepts the device: only now does it send events
        self._pulse()
        standing = self._wanted.begin((self._serial, self.epoch))
        self.listener.link_up(identity, lost)  # what it orders or desires meanwhile is sent at once
        if self.state == "up":
            self._wanted.resume(standing)

    # --- beats and silence -------------------------------------------------------------------

    def _pulse(self) -> None:
        now = self.clock.now()
        if now >= self._heard + self._silence:
            self._begin()
            self._hello_since = float("inf")  # silence is told here and needs no second telling
            self._tell_down(*identify.why_silent(self.spec, self.port.name, self._decoder.half))
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
        if self._seal is not None and content[0] not in link.BARE:
            try:
                frame = encode_frame(self._seal.close(content))
            except link.UsedUp:  # as long as any session may last
                self._begin()
                return
        if self.recorder is not None:
            self.recorder.record("out", frame)
        self.port.write(frame)

    def _send_ack(self, resend: bool = False) -> None:
        self._ack_owed = False
        at = self._at
        self._acked = at.received
        self._send(link.encode_ack(at.epoch, *at.acknowledged, resend))

    def _ack_soon(self) -> None:
        if not self._ack_timed and self.state == "up":
            self._ack_timed = True
            self._later("ack", ACK_S, self._ack_now)

    def _ack_now(self) -> None:
        self._ack_timed = False
        if self._ack_owed and self.state == "up":
            self._send_ack()

    # --- hearing -----------------------------------------------------------------------------

    def _on_bytes(self, octets: bytes) -> None:
        if self.recorder is not None:
            self.recorder.record("in", octets)
        if not self._unrest.takes(len(octets)):
            self._on_babble()
            return
        decoder = self._decoder
        contents = decoder.feed(octets)
        if self.traffic.damaged(decoder):
            self._instead = "damaged"
        if self._seal is not None:
            contents = self.traffic.opened(self._seal, contents)
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
                    self.traffic.note("bad", "bad frame", str(bad))
        finally:
            self._taking = False
        if self._ack_owed and self.state == "up":
            at = self._at
            if at.durable == at.received or at.received - self._acked >= ACK_EVENTS:
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
        at = self._at
        if self._flood.paused:
            self.counters["held_back"] += 1
            return
        if number != at.received + 1:
            self._on_wrong_number(number)
            return
        if not self._flood.take(self._heard):
            self._hold_back()
            return
        kind = self._events.get(message_id)
        at.received = number
        self._ack_owed = True
        try:
            if kind is None:
                raise BadMessage("EVENT", "message id", message_id, "a declared event")
            message = kind.decode(content[6:])
        except BadMessage as bad:
            self.traffic.note("bad", "bad event", str(bad))
            self.listener.bad_event(number, str(bad))
        else:
            self.listener.event(number, message)

    def _hold_back(self) -> None:
        if self._flood.hold_back():
            self.traffic.note("floods", "flood", TOO_MANY)
            self.listener.flooding(True)

    def _after_flood(self) -> None:
        if self.state == "up":
            self._send_ack(resend=True)

    def _on_wrong_number(self, number: int) -> None:
        received = self._at.received
        if number <= received and self._at.denies(number):
            self._on_untrue(number)
            return
        if number <= received:
            self.counters["duplicates"] += 1
            self._ack_owed = True  # the device does not know yet that we have it
            return
        self.counters["gaps"] += 1
        if number > received + link.WINDOW_EVENTS:
            self.traffic.dump("event out of order", f"number {number} after {received}")
        gap = self._gap
        if gap is None or gap.after != received:
            self._gap = Gap(received, number)
            self._ask_again()
            return
        gap.first = min(gap.first, number)
        gap.fresh = True

    def _on_untrue(self, number: int) -> None:
        """An event came that the device said it does not hold; it is refused until it says otherwise."""
        why = self._positions.contradict(self._serial, number, self.spec.title)
        self._at = self._positions.of(self._serial)
        self._begin()
        self._refuse(*why)

    def _ask_again(self) -> None:
        """Ask for the missing event until it comes, or until it is clear that it will not."""
        gap = self._gap
        if gap is None or gap.after != self._at.received:
            self._gap = None
            return
        if gap.fresh:
            if gap.asked == GAP_ASKS:
                self._give_up(gap)
                return
            gap.asked += 1
            gap.fresh = False
            self._send_ack(resend=True)
        self._later("gap", link.RESEND_S, self._ask_again)

    def _give_up(self, gap: Gap) -> None:
        """Begin anew; when that did not help either, what is missing is lost, and said so."""
        missing = Missing(self._serial, self.epoch, gap.after)
        self.traffic.dump("gap", f"{gap.events} did not come though asked for {GAP_ASKS} times")
        if self._missing != missing:
            self._missing = missing
            self._begin()
            self._tell_down(*gap.why_asked_anew(self.spec.title))
            return
        self._missing = None
        self._at.skip_to(gap.first)
        self._skipped = True
        self.counters["lost_events"] += gap.first - 1 - gap.after
        self._begin()
        self._tell_down(*gap.why_lost(self.spec.title))

    def _on_other(self, content: bytes) -> None:
        kind = content[0]
        if kind == link.IDENTITY:
            self._on_identity(self._read_identity(content))
        elif self.state != "up":
            self.counters["stray"] += 1
        elif kind == link.LIVE:
            message_type = self.spec.live.get(content[1]) if len(content) > 1 else None
            if message_type is None:
                raise BadMessage("LIVE", "message id", content[1:2].hex(), "a declared live message")
            self.listener.live(message_type.decode(content[2:]))
        elif kind == link.APPLIED:
            applied = self._wanted.on_applied(content)
            if applied is not None:
                self.listener.applied(applied)
        elif kind == link.RESULT:
            self._wanted.on_result(content)
        else:
            self.traffic.note("unknown", "unknown frame", f"kind {kind}")
