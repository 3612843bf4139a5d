"""The tester's end of a device's line: says anything, well-formed or not, and remembers every frame both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from drivers.capture import Recorder
from firmware_specs import link, pairing
from firmware_specs.clock import DeadlineMissed, Deadlock
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.link import Identity
from firmware_specs.port import Port, PortTrouble
from firmware_specs.spec import BadMessage, DeviceSpec
from lab.conformance.damage import explain
from lab.sim.loop_clock import SteppedClock

ANSWER_S = 0.25
"""A device answers within the time after which the host repeats itself."""
LAST_FRAMES = 64
REOPEN_S = 0.1


class Failed(Exception):
    """The device did something else than the spec says."""


class NotTried(Exception):
    """A step needs something that is not to be had here."""


class Passed(msgspec.Struct, frozen=True):
    """One frame that passed the line."""

    at: float
    way: str
    content: bytes
    octets: int = 0

    def line(self) -> str:
        if self.way == "bad":
            return f"{self.at:10.3f} bad {self.content.hex()}"
        return f"{self.at:10.3f} {self.way:3} {link.describe(self.content)}"


class Probe:
    """Stands where the host stands, on any port and any clock that can be stepped."""

    def __init__(self, clock: SteppedClock, port: Port, spec: DeviceSpec, slack: float = 0.0, key: bytes = b"") -> None:
        self.clock = clock
        self.port = port
        self.spec = spec
        self.key = key  # of a paired device
        self.slack = slack  # how much later than told a frame may be seen here
        self.passed: list[Passed] = []
        self.damaged = 0
        self.lost = ""
        self.identity: Identity | None = None
        self._decoder = FrameDecoder()
        self.recorder: Recorder | None = None
        self.overheard: Callable[[bytes], object] | None = None  # for a step that looks at the bytes themselves
        self._nonce = 1000
        self._wanted = False

    def open(self) -> None:
        self.port.open(self._on_bytes, self._on_lost)
        self._wanted = True
        self.lost = ""

    def close(self) -> None:
        self._wanted = False
        self.port.close()
        if self.recorder is not None:
            self.recorder.close()

    def _on_bytes(self, octets: bytes) -> None:
        if self.recorder is not None:
            self.recorder.record("in", octets)
        if self.overheard is not None:
            self.overheard(octets)
        now = self.clock.now()
        for content in self._decoder.feed(octets):
            self.passed.append(Passed(now, "in", content, len(encode_frame(content))))
            if content[0] == link.IDENTITY:
                try:
                    self.identity = Identity.decode(content)
                except BadMessage:
                    continue
        damaged = self._decoder.damaged + self._decoder.overlong
        if damaged != self.damaged:
            self.damaged = damaged
            self.passed.append(Passed(now, "bad", self._decoder.last_damaged))

    def _on_lost(self, trouble: PortTrouble) -> None:
        """A device whose port goes with its power has another one when it is back."""
        self.lost = trouble.text
        self.clock.call_later(REOPEN_S, self._reopen)

    def _reopen(self) -> None:
        if not self._wanted or not self.lost:
            return
        self.port.close()
        try:
            self.port.open(self._on_bytes, self._on_lost)
        except PortTrouble as trouble:
            self.lost = trouble.text
            self.clock.call_later(REOPEN_S, self._reopen)
            return
        self._decoder.reset()
        self.lost = ""

    # --- saying ------------------------------------------------------------------------------

    def raw(self, octets: bytes) -> None:
        """Put bytes on the line as they are."""
        if self.recorder is not None:
            self.recorder.record("out", octets)
        self.port.write(octets)

    def send(self, content: bytes) -> None:
        self.passed.append(Passed(self.clock.now(), "out", content))
        self.raw(encode_frame(content))

    def ack(self, received: int, durable: int, resend: bool = False, epoch: int | None = None) -> None:
        self.send(link.encode_ack(self.known.epoch if epoch is None else epoch, received, durable, resend))

    def set(self, revision: int, body: bytes) -> None:
        self.send(link.HEAD_SET.pack(link.SET, revision & 0xFFFF) + body)

    def command(self, command_id: int, message_id: int, body: bytes = b"") -> None:
        self.send(link.pack_event(link.COMMAND, command_id, message_id) + body)

    def say_hello(
        self,
        epoch: int = 0,
        number: int = 0,
        version: int = link.LINK_VERSION,
        challenge: bytes = b"",
        more: bytes = b"",
    ) -> int:
        """Ask who is there, with what a later version might add at the end."""
        self._nonce += 1
        self.send(link.Hello(self._nonce, epoch, number, version, challenge).encode() + more)
        return self._nonce

    # --- hearing -----------------------------------------------------------------------------

    @property
    def known(self) -> Identity:
        if self.identity is None:
            raise Failed("the device has not identified itself")
        return self.identity

    def mark(self) -> int:
        """A place in what passed; hand it to `heard`."""
        return len(self.passed)

    def why_damaged(self) -> str:
        """What is wrong with the last frame that could not be taken, as far as it can be told."""
        bad = [passed for passed in self.passed if passed.way == "bad"]
        return explain(bad[-1].content) if bad else "none was kept"

    def _damage_since(self, since: int) -> str:
        bad = [passed for passed in self.passed[since:] if passed.way == "bad"]
        return f"; {explain(bad[-1].content)}" if bad else ""

    def heard(self, since: int, *kinds: int) -> list[Passed]:
        return [p for p in self.passed[since:] if p.way == "in" and (not kinds or p.content[0] in kinds)]

    def events(self, since: int) -> list[tuple[int, bytes]]:
        """Numbers and contents (message id and body) of the events heard."""
        found = []
        for passed in self.heard(since, link.EVENT):
            if len(passed.content) < link.HEAD_EVENT.size:
                raise Failed(f"an EVENT of {len(passed.content)} bytes has no room for its number")
            found.append((link.unpack_event(passed.content)[1], passed.content[5:]))
        return found

    def announcements(self, since: int) -> list[Passed]:
        return [p for p in self.heard(since, link.IDENTITY) if Identity.decode(p.content).nonce == 0]

    def wait(self, what: str, condition: Callable[[], bool], within: float) -> None:
        """Wait for something the device must do; `what` completes the sentence "the device did not …"."""
        begun = self.mark()
        try:
            self.clock.run_until(condition, within + self.slack)
        except (DeadlineMissed, Deadlock):
            lost = f" (the port was lost: {self.lost})" if self.lost else ""
            lost += self._damage_since(begun)
            raise Failed(f"the device did not {what} within {within:g} s{lost}") from None

    def expect(self, what: str, since: int, kind: int, within: float = ANSWER_S) -> None:
        """Wait for a frame of this kind."""
        self.wait(what, lambda: bool(self.heard(since, kind)), within)

    def expect_answer(self, what: str, since: int, nonce: int, within: float = ANSWER_S) -> None:
        """Wait for the IDENTITY that answers the HELLO of this nonce."""
        self.wait(what, lambda: self.answer(since, {nonce}) is not None, within)

    def expect_announcement(self, what: str, since: int, within: float = ANSWER_S) -> None:
        """Wait for the device to announce itself."""
        self.wait(what, lambda: bool(self.announcements(since)), within)

    def rest(self, seconds: float) -> None:
        """Let time pass and listen."""
        self.clock.run_for(seconds)

    def alive_for(self, seconds: float, received: int, durable: int) -> None:
        """Let time pass as a healthy host does, with an ACK every second."""
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            self.ack(received, durable)
            self.rest(min(1.0, until - self.clock.now()))

    def last_frames(self, count: int = LAST_FRAMES) -> list[str]:
        return [passed.line() for passed in self.passed[-count:]]

    # --- the usual beginnings ----------------------------------------------------------------

    def hello(self, epoch: int = 0, number: int = 0) -> Identity:
        """Say HELLO until it is answered, as a host does; the identity that answers it."""
        since = self.mark()
        nonces: set[int] = set()
        for wait in (ANSWER_S, 0.5, 1.0, 2.0):
            nonces.add(self.say_hello(epoch, number))
            try:
                self.clock.run_until(lambda: self.answer(since, nonces) is not None, wait + self.slack)
            except (DeadlineMissed, Deadlock):
                continue
            break
        found = self.answer(since, nonces)
        if found is None:
            raise Failed(
                "the device did not answer HELLO with an IDENTITY of the same nonce, though it was repeated"
                + self._damage_since(since)
            )
        self.identity = found
        if found.proof:
            if not self.key:
                raise Failed("the device is paired and hears only who holds its key; give the key with --key")
            self.send(link.encode_proof(found.nonce, pairing.host_proof(self.key, b"", found.challenge)))
        return found

    def answer(self, since: int, nonces: Iterable[int]) -> Identity | None:
        """The IDENTITY that answers one of these HELLOs."""
        for passed in self.heard(since, link.IDENTITY):
            try:
                identity = Identity.decode(passed.content)
            except BadMessage as bad:
                raise Failed(f"an IDENTITY cannot be read: {bad}") from bad
            if identity.nonce in nonces:
                return identity
        return None

    def accept(self) -> Identity:
        """HELLO and the ACK that lets events flow, with nothing received yet."""
        identity = self.hello()
        self.ack(identity.oldest - 1, identity.oldest - 1)
        return identity

    def drain(self) -> Identity:
        """A session in which the device holds nothing any more."""
        identity = self.hello()
        last = identity.next - 1
        self.ack(last, last)
        self.rest(0.05 + self.slack)
        return identity

    def leave(self) -> None:
        """End the session the quick way: an ACK of another epoch."""
        since = self.mark()
        self.ack(0, 0, epoch=self.known.epoch ^ 1)
        within = self.spec.beat_ms / 1000 + 0.3  # an announcement just made is not made again at once
        self.expect_announcement("end the session and announce itself after an ACK of another epoch", since, within)
