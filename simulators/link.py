"""The device end of the link: what a firmware author writes, here for every simulated device."""

from __future__ import annotations

import random
from collections import Counter

import msgspec

from firmware_specs import link, pairing
from firmware_specs.clock import Action, Clock, Timer
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.port import Port, PortTrouble
from firmware_specs.sealing import LAST_COUNT, SEALS, Seal, sealed_proof
from firmware_specs.spec import BadMessage, DeviceSpec, Message
from simulators.behaviour import Behaviour, Refusal
from simulators.device_memory import DeviceMemory

_BEAT_FRAME = encode_frame(link.BEAT_CONTENT)
_NEVER = float("inf")
_REOPEN_S = 0.25
_ANNOUNCE_AGAIN_S = 0.25  # stray frames are answered with an announcement no more often than this


class DeviceLink(DeviceMemory):
    """Holds numbered events until they are durable at the host, acts on each command once, falls back to safe."""

    def __init__(
        self,
        clock: Clock,
        port: Port,
        spec: DeviceSpec,
        behaviour: Behaviour,
        *,
        serial: str,
        firmware: str = "1.0.0",
        capabilities: int | None = None,
        seed: int = 0,
        capacity: int = 10_000,
        key: bytes = b"",
        seals: bool = True,
    ) -> None:
        super().__init__(random.Random(f"{serial} {seed}"))
        self.clock = clock
        self.port = port
        self.spec = spec
        self.behaviour = behaviour
        self.serial = serial
        self.firmware = firmware
        self.capabilities = sum(spec.capabilities.values()) if capabilities is None else capabilities
        self.capabilities |= SEALS if seals else 0
        self.capacity = capacity
        self.counters: Counter[str] = Counter()
        self.outputs: Message = spec.safe
        self.powered = False
        self._beat = spec.beat_ms / 1000
        self._silence = spec.silence_ms / 1000
        self._holds = {name: hold / 1000 for name, hold in spec.hold_ms.items()}
        self._decoder = FrameDecoder()
        self._timers: dict[str, Timer] = {}
        self.key = key  # kept with the events' memory, but not lost with it
        # session: ends with silence or power
        self.boot = 0
        self._started = 0.0
        self._hello: link.Hello | None = None  # answered, and its session not over
        self._challenge = b""
        self._seal: Seal | None = None
        self._nonce = 0
        self._flowing = False
        self._received = 0
        self._cursor = 1
        self._flying = 0
        self._resend_at = 0.0
        self._resend_wait = link.RESEND_S
        self._resending = False
        self._revision: int | None = None
        self._heard = 0.0  # any valid frame
        self._ruled = 0.0  # any valid frame but HELLO: only a host that accepted us keeps outputs alive
        self._sent = 0.0
        self._announced = -_NEVER
        self._begun = b""  # what goes before the first frame after the line was opened
        self._hold = _NEVER  # shortest hold among outputs that are not safe

    # --- power -------------------------------------------------------------------------------

    def start(self) -> None:
        """Power on."""
        if self.powered:
            return
        self.powered = True
        self.boot = self._draw()
        self._sent = self._started = self.clock.now()
        self._announced = -_NEVER
        self._open()
        self._pulse()

    def stop(self) -> None:
        """Power off; memory stays until `power_cycle` says otherwise."""
        if not self.powered:
            return
        self.powered = False
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._resending = False
        self.port.close()
        self._end_session()
        self._set_outputs(self.spec.safe, "power")
        self.behaviour.powered(False, True)

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        """Lose power for a while; without memory, what was held is lost and the epoch changes."""
        self.stop()
        if not keep_memory:
            self._forget()
        else:
            self._interrupt_commands()
        self._later("power", off_for, self._power_back, keep_memory)

    def _power_back(self, kept_memory: bool) -> None:
        self.start()
        self.behaviour.powered(True, kept_memory)

    def _later(self, what: str, delay: float, action: Action, *args: object) -> None:
        timer = self._timers.get(what)
        if timer is not None:
            timer.cancel()
        self._timers[what] = self.clock.call_later(delay, action, *args)

    def _open(self) -> None:
        try:
            self.port.open(self._on_bytes, self._on_lost)
        except PortTrouble:
            self._later("open", _REOPEN_S, self._open)
            return
        self._decoder.reset()
        self._begun = link.AFRESH
        self._announce()

    def _on_lost(self, trouble: PortTrouble) -> None:
        self._end_session()
        self._later("open", _REOPEN_S, self._open)

    # --- what the device says ----------------------------------------------------------------

    def at(self) -> int:
        """The device's own time: milliseconds since its start."""
        return int((self.clock.now() - self._started) * 1000) & 0xFFFFFFFF

    @property
    def in_session(self) -> bool:
        """Whether a host has accepted this device and is heard."""
        return self._flowing

    def post(self, message: Message) -> int:
        """Number an event and hold it until it is durable at the host; 0 when the power is off."""
        if not self.powered:
            return 0
        if len(self._held) >= self.capacity or self._next > link.LAST_NUMBER:
            # Real firmware stops before this; forgetting evidence must at least be told.
            self.counters["overflow"] += 1
            self._begin_epoch()
        number = self._next
        frame = encode_frame(link.pack_event(link.EVENT, number, message.ID) + message.encode())
        self._held[number] = frame
        self._next = number + 1
        if self._flowing:
            self._pump()
        return number

    def holds(self, number: int) -> bool:
        """Whether this event is not durable at the host yet, as far as the device knows."""
        return number in self._held

    def _begin_epoch(self) -> None:
        self._forget()
        self._end_session()
        self._announce()

    def live(self, message: Message) -> None:
        """Show something; lost when nobody listens."""
        if self._flowing:
            self._write(encode_frame(link.HEAD_LIVE.pack(link.LIVE, message.ID) + message.encode()))

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        """Answer a command that was still being done; a restart in between has answered it already."""
        if not self.powered or command_id not in self._commands or self._commands[command_id] is not None:
            return
        if isinstance(result, Refusal):
            status = link.Status.FAILED if result.failed else link.Status.REFUSED
            body = link.encode_reason(result.text)
        else:
            status, body = link.Status.DONE, result.encode()
        frame = encode_frame(link.pack_event(link.RESULT, command_id, status) + body)
        self._commands[command_id] = frame
        if self._nonce:
            self._write(frame)

    def _write(self, frame: bytes) -> None:
        self._sent = self.clock.now()
        self._put(frame)

    def _put(self, frame: bytes) -> None:
        """Onto the line, sealed when the session is."""
        if self._seal is None:
            self.port.write(frame)
            return
        (content,) = FrameDecoder().feed(frame)
        if content[0] in link.BARE:
            self.port.write(frame)
        elif self._seal.sent == LAST_COUNT:
            self._end_session()
            self._announce()
        else:
            self.port.write(encode_frame(self._seal.close(content)))

    def _identify(self, nonce: int) -> None:
        spec = self.spec
        identity = link.Identity(
            nonce=nonce,
            code=spec.code,
            spec_version=spec.version,
            digest=spec.digest,
            capabilities=self.capabilities,
            boot=self.boot,
            epoch=self.epoch,
            oldest=self._oldest,
            next=self._next,
            serial=self.serial,
            firmware=self.firmware,
        )
        proof = b""
        if nonce and self.key:
            asked = self._hello.challenge if self._hello is not None else b""
            proof = self._challenge + pairing.device_proof(self.key, asked, self._challenge, identity.claims())
        self._write(self._begun + encode_frame(identity.encode() + proof))
        self._begun = b""

    def _announce(self) -> None:
        if self.clock.now() - self._announced >= _ANNOUNCE_AGAIN_S:
            self._announced = self.clock.now()
            self._identify(0)

    def _pump(self) -> None:
        """Send held events as far as the window allows."""
        cursor, held = self._cursor, self._held
        until = min(self._next, self._received + 1 + link.WINDOW_EVENTS)
        if cursor >= until:
            return
        idle = cursor == self._received + 1
        write = self._put
        while cursor < until:
            frame = held[cursor]
            if self._flying and self._flying + len(frame) > link.WINDOW_BYTES:
                break
            self._flying += len(frame)
            cursor += 1
            write(frame)
        self._cursor = cursor
        now = self._sent = self.clock.now()
        if idle and now + self._resend_wait > self._resend_at:
            self._resend_at = now + self._resend_wait
        if not self._resending:
            self._resending = True
            self._timers["resend"] = self.clock.call_at(self._resend_at, self._resend)

    def _resend(self) -> None:
        if not self._flowing or self._cursor == self._received + 1:
            self._resending = False
            return
        now = self.clock.now()
        if now >= self._resend_at:
            self.counters["resends"] += 1
            self._resend_wait = min(2 * self._resend_wait, link.RESEND_MOST_S)
            self._resend_at = now + self._resend_wait
            self._go_back()
        self._timers["resend"] = self.clock.call_at(self._resend_at, self._resend)

    def _go_back(self) -> None:
        self._cursor = self._received + 1
        self._flying = 0
        self._pump()

    # --- what the host says ------------------------------------------------------------------

    def _on_bytes(self, octets: bytes) -> None:
        for content in self._decoder.feed(octets):
            if self._seal is not None and content[0] not in link.BARE:
                opened = self._seal.open(content)
                if opened is None:
                    self.counters["unsealed"] += 1
                    continue
                content = opened
            kind = content[0]
            try:
                if kind == link.ACK:
                    self._on_ack(content)
                elif kind == link.HELLO:
                    self._on_hello(link.Hello.decode(content))
                elif kind == link.SET:
                    self._on_set(content)
                elif kind == link.COMMAND:
                    self._on_command(content)
                elif kind == link.PROOF:
                    self._on_proof(content)
                elif kind == link.PAIR:
                    self._on_pair(content)
                else:
                    self.counters["unknown"] += 1
            except BadMessage:
                self.counters["bad"] += 1

    def _accepted(self) -> bool:
        """Whether this frame comes from a host in session; it then keeps the session and outputs alive."""
        if not self._nonce:
            self.counters["stray"] += 1
            self._announce()
            return False
        self._heard = self._ruled = self.clock.now()
        return True

    def _on_hello(self, hello: link.Hello) -> None:
        if self.key and (self._nonce or self._hello != hello):
            # Fresh for every session, else a recorded one could be played back; the same for a repeat, whose
            # answer may be on its way.
            self._challenge = self._random.randbytes(link.CHALLENGE_BYTES)
        self._end_session()
        self._hello = hello
        if hello.link_version == link.LINK_VERSION and not self.key:
            self._begin_session(hello)
        self._identify(hello.nonce)  # a host of another version learns from this that it is one
        self._pulse()

    def _begin_session(self, hello: link.Hello) -> None:
        """This host may be heard."""
        self._nonce = hello.nonce
        self._heard = self.clock.now()
        self._received = self._oldest - 1
        if hello.epoch == self.epoch and self._oldest <= hello.number < self._next:
            self._received = hello.number

    def _on_proof(self, content: bytes) -> None:
        nonce, proof = link.decode_proof(content)
        hello = self._hello
        if not self.key or hello is None or nonce != hello.nonce:
            self.counters["stale"] += 1
        elif self.capabilities & SEALS and proof == sealed_proof(self.key, hello.challenge, self._challenge):
            if not self._nonce:
                self._begin_session(hello)
                self._seal = Seal(self.key, hello.challenge, self._challenge, host=False)
        elif proof != pairing.host_proof(self.key, hello.challenge, self._challenge):
            self.counters["unproved"] += 1
        elif not self._nonce:
            self._begin_session(hello)

    def _on_pair(self, content: bytes) -> None:
        """Take a key when there is none, or another one from a host that proved it holds the present one."""
        nonce, key = link.decode_pair(content)
        hello = self._hello
        proved = not self.key or (self._nonce and (self._seal is not None or not self.capabilities & SEALS))
        if hello is None or nonce != hello.nonce or self._flowing or not proved:
            self.counters["unproved"] += 1
            return
        self.key = b"" if key == pairing.NO_KEY else key
        self._end_session()
        self._on_hello(hello)

    def _on_ack(self, content: bytes) -> None:
        epoch, received, durable, resend = link.decode_ack(content)
        if self._nonce and (epoch != self.epoch or received >= self._next):
            self.counters["stale"] += 1  # dropped: it keeps nothing alive
            if epoch != self.epoch:  # the host lives in another life of ours
                self._end_session()
                self._announce()
            return
        if not self._accepted():
            return
        oldest = self._oldest
        if durable >= oldest:
            held = self._held
            for number in range(oldest, durable + 1):
                del held[number]
            self._oldest = oldest = durable + 1
            if oldest > link.LAST_NUMBER:  # all numbers are used up, and all of them are safe
                self._begin_epoch()
                return
        if not self._flowing:
            self._flowing = True
            self._received = max(received, oldest - 1)
            self._go_back()
            return
        if received > self._received:
            self._received = received
            self._resend_wait = link.RESEND_S
            self._resend_at = self.clock.now() + link.RESEND_S
            if self._cursor <= received:  # it was there all the time, only its ACK was not
                self._cursor = received + 1
            flying = 0
            for number in range(received + 1, self._cursor):
                flying += len(self._held[number])
            self._flying = flying
        if resend:
            self._go_back()
        elif self._cursor < self._next:
            self._pump()

    def _on_set(self, content: bytes) -> None:
        if len(content) < link.HEAD_SET.size:
            raise BadMessage("SET", "length", len(content), f"at least {link.HEAD_SET.size} bytes")
        _, revision = link.HEAD_SET.unpack_from(content)
        outputs = self.spec.outputs.decode(content[link.HEAD_SET.size :])
        if not self._accepted():  # asked only now: a SET out of range must not keep outputs alive
            return
        if self._revision is None or (revision - self._revision) & 0xFFFF < 0x8000:
            self._revision = revision
            self._set_outputs(outputs, "host")
        else:
            self.counters["stale"] += 1
        self._write(encode_frame(link.HEAD_SET.pack(link.APPLIED, self._revision)))

    def _on_command(self, content: bytes) -> None:
        if len(content) < link.HEAD_EVENT.size:
            raise BadMessage("COMMAND", "length", len(content), f"at least {link.HEAD_EVENT.size} bytes")
        if not self._accepted():
            return
        _, command_id, message_id = link.unpack_event(content)
        if command_id in self._commands:
            self.counters["repeats"] += 1
            frame = self._commands[command_id]
            if frame is not None:
                self._write(frame)
            return
        self._commands[command_id] = None
        while len(self._commands) > link.COMMANDS_REMEMBERED:
            del self._commands[next(iter(self._commands))]
        kind = self.spec.commands.get(message_id)
        result: Message | Refusal | None
        try:
            if kind is None:
                raise BadMessage("COMMAND", "message id", message_id, "a declared command")
            message = kind.decode(content[link.HEAD_EVENT.size :])
        except BadMessage as bad:
            self.counters["bad"] += 1
            result = Refusal(str(bad))
        else:
            result = self.behaviour.command(command_id, message)
        if result is not None:
            self.finish(command_id, result)

    # --- beats, silence and safe outputs -----------------------------------------------------

    def _pulse(self) -> None:
        """Send a beat when nothing else was sent, notice silence, and set the next time to look."""
        now = self.clock.now()
        if now >= self._ruled + self._hold:
            self._fall_back(now)
        if self._nonce and now >= self._heard + self._silence:
            self.counters["silences"] += 1
            self._end_session()
            self._announce()
        if now >= self._sent + self._beat:
            if self._nonce:
                self._write(_BEAT_FRAME)
            else:
                self._identify(0)
        due = min(self._sent + self._beat, self._ruled + self._hold)
        if self._nonce:
            due = min(due, self._heard + self._silence)
        timer = self._timers.get("pulse")
        if timer is not None:
            timer.cancel()
        self._timers["pulse"] = self.clock.call_at(due, self._pulse)

    def _fall_back(self, now: float) -> None:
        """Put every output to safe whose hold is over."""
        ruled = self._ruled
        safe = {name: getattr(self.spec.safe, name) for name, hold in self._holds.items() if now >= ruled + hold}
        self._set_outputs(msgspec.structs.replace(self.outputs, **safe), "silence")
        # The host believes its SET still stands: a new HELLO makes it say so again.
        self._end_session()
        self._announce()

    def _set_outputs(self, outputs: Message, why: str) -> None:
        changed = outputs != self.outputs
        self.outputs = outputs
        safe = self.spec.safe
        hold = _NEVER
        for name, seconds in self._holds.items():
            if seconds < hold and getattr(outputs, name) != getattr(safe, name):
                hold = seconds
        if hold != self._hold:
            self._hold = hold
            if self.powered and why == "host":
                self._pulse()
        if changed:
            self.behaviour.outputs(outputs, why)

    def _end_session(self) -> None:
        self._nonce = 0
        self._seal = None
        self._flowing = False
        self._revision = None
        self._hello = None
