"""Hostile sessions: both ends of the link against a far end that says anything, in any order, at any time."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from drivers.link import HostLink
from drivers.wanted import OnResult
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import MAX_CONTENT, FrameDecoder, encode_frame
from firmware_specs.link import Identity
from firmware_specs.spec import Message
from lab.proofs.fuzz.campaign import Nonsense
from lab.proofs.fuzz.mutate import Mutator
from lab.proofs.fuzz.samples import DEVICES, kinds, require_declared, right_message, spec_of
from lab.proofs.fuzz.wires import Pipe, identity
from simulators.behaviour import Refusal
from simulators.link import DeviceLink

STEPS = 60
COMMAND_S = 5.0
MOST_TIMERS = 12
HOST_KINDS = (link.HELLO, link.ACK, link.COMMAND, link.SET, link.PROOF, link.PAIR)


def seeds(draw: random.Random) -> bytes:
    """A session is played from its seed alone, so that a finding can be played again."""
    return draw.randbytes(8)


def spoilt(draw: random.Random, mutator: Mutator, content: bytes) -> bytes:
    """The bytes of a frame on the line: right, wrong with a right check sum, or damaged on the way."""
    chance = draw.random()
    if chance < 0.45:
        return encode_frame(content)
    if chance < 0.85:
        return encode_frame(content[:1] + mutator.octets(content[1:])[: MAX_CONTENT - 1])
    return mutator.octets(encode_frame(content))


def in_pieces(draw: random.Random, octets: bytes) -> Sequence[bytes]:
    """As a line may hand bytes over."""
    if draw.random() < 0.7:
        return (octets,)
    at = draw.randint(0, len(octets))
    return (octets[:at], octets[at:])


class _Ears:
    """Hears the host's link and holds it to its promises."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._next: dict[str, tuple[int, int]] = {}
        self._serial = ""
        self.taken: list[int] = []
        self.up = False

    def link_up(self, identity: Identity, lost: bool) -> None:
        self.up = True
        epoch, following = self._next.get(identity.serial, (identity.epoch, identity.oldest))
        if lost or epoch != identity.epoch:
            following = identity.oldest
        self._serial = identity.serial
        self._next[identity.serial] = (identity.epoch, following)

    def link_down(self, cause: str, remedy: str) -> None:
        self.up = False
        if not cause or not remedy:
            raise Nonsense("a line went down without cause or remedy")

    def link_refused(self, reason: str, remedy: str) -> None:
        self.up = False
        if not reason or not remedy:
            raise Nonsense("a device was refused without reason or remedy")

    def event(self, number: int, message: Message) -> None:
        self._number(number)
        fields = kinds(self._device)["events", message.ID][1]
        require_declared(self._device, message, fields)

    def bad_event(self, number: int, text: str) -> None:
        self._number(number)

    def _number(self, number: int) -> None:
        epoch, following = self._next[self._serial]
        if number != following:
            raise Nonsense(f"event {number} was taken where {following} was due")
        self._next[self._serial] = (epoch, number + 1)
        self.taken.append(number)

    def flooding(self, on: bool) -> None:
        """Told to the table elsewhere."""

    def live(self, message: Message) -> None:
        require_declared(self._device, message, kinds(self._device)["live", message.ID][1])

    def applied(self, outputs: Message) -> None:
        """The host's own wish came true."""


class HostSessions:
    """The host's end of the link against a hostile device."""

    refusals: tuple[type[Exception], ...] = ()

    def __init__(self, seed: int) -> None:
        self.name, self.what = "host-link", "the host's end of the link against a hostile device"
        self._draw = random.Random(f"{seed} host link")

    def next(self) -> bytes:
        return seeds(self._draw)

    def take(self, octets: bytes) -> int:
        draw, mutator = random.Random(octets), Mutator(octets.hex())
        device = draw.choice(DEVICES)
        clock, port, ears = VirtualClock(), Pipe(), _Ears(device)
        host = HostLink(clock, port, spec_of(device), ears, name=device)
        results: Counter[int] = Counter()
        host.start()
        asked, heard = 0, 0
        for _ in range(STEPS):
            chance = draw.random()
            if chance < 0.70:
                for piece in in_pieces(draw, spoilt(draw, mutator, self._says(draw, device, host, port))):
                    port.hear(piece)
                heard += 1
            elif chance < 0.85:
                clock.run_for(draw.choice((0.01, 0.3, 2.1, 7.0)))
            elif chance < 0.90 and ears.taken:
                host.durable(draw.choice((ears.taken[-1], ears.taken[0], draw.choice(ears.taken))))
            elif chance < 0.94:
                group = [number for name, number in kinds(device) if name == "commands"]
                if group:
                    asked += 1
                    message = right_message(draw, device, "commands", draw.choice(group))
                    host.command(asked, message, _counting(results, asked), COMMAND_S)
            elif chance < 0.98:
                host.desire(right_message(draw, device, "outputs", 0))
            else:
                port.lose()
            self._look(host, port)
        clock.run_for(COMMAND_S + 1)
        self._look(host, port)
        if any(results[number] != 1 for number in range(1, asked + 1)):
            raise Nonsense(f"of {asked} commands these were answered: {dict(results)}")
        host.stop()
        return heard

    def _says(self, draw: random.Random, device: str, host: HostLink, port: Pipe) -> bytes:
        """What a device of this kind might say next."""
        chance = draw.random()
        if host.state != "up" and chance < 0.7:
            return identity(
                draw, device, draw.choice((host._nonce, host._nonce, 0)), draw.choice((1, 1, 1, 2))
            ).encode()
        number = max(0, host._at.received + draw.choice((1, 1, 1, 1, 0, 2, 40)))
        found = [key for key in kinds(device) if key[0] in ("events", "events", "live", "results")]
        group, message = draw.choice(found)
        if chance > 0.9:
            return draw.choice(
                (
                    identity(draw, device, 0, 1).encode(),
                    link.HEAD_SET.pack(link.APPLIED, host._wanted._revision),
                    link.BEAT_CONTENT,
                )
            )
        body = right_message(draw, device, group, message).encode()
        if group == "events":
            return link.pack_event(link.EVENT, number & 0xFFFFFFFF, message) + body
        if group == "live":
            return link.HEAD_LIVE.pack(link.LIVE, message) + body
        order = next(iter(host._wanted._commands), 1)
        status = draw.choice((0, 0, 1, 2))
        return link.pack_event(link.RESULT, order, status) + (link.encode_reason("no") if status else body)

    def _look(self, host: HostLink, port: Pipe) -> None:
        """What the host sends is right, whatever it was told; and nothing piles up."""
        decoder = FrameDecoder()
        for content in decoder.feed(b"".join(port.sent)):
            if content[0] not in HOST_KINDS:
                raise Nonsense(f"the host sent {link.describe(content)}")
            if content[0] == link.ACK:
                link.decode_ack(content)
            elif content[0] == link.HELLO:
                link.Hello.decode(content)
        if decoder.damaged or decoder.overlong:
            raise Nonsense("the host sent a damaged frame")
        port.sent.clear()
        if len(host._timers) > MOST_TIMERS or len(host._recent) > 64 or host._at.durable > host._at.received:
            raise Nonsense(f"{len(host._timers)} timers, {host._at.durable} durable of {host._at.received} received")

    def close(self) -> None:
        """Nothing is held."""


def _counting(results: Counter[int], number: int) -> OnResult:
    def done(status: str, result: Message | None, text: str) -> None:
        results[number] += 1

    return done


class _Deeds:
    """Does what a device is told, and counts it."""

    def __init__(self, device: str, draw: random.Random) -> None:
        self._device = device
        self._draw = draw
        self.done: Counter[int] = Counter()

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        require_declared(self._device, message, kinds(self._device)["commands", message.ID][1])
        self.done[command_id] += 1
        if ("results", message.ID) in kinds(self._device) and self._draw.random() < 0.6:
            return right_message(self._draw, self._device, "results", message.ID)
        return self._draw.choice((Refusal("not now"), None))

    def outputs(self, outputs: Message, why: str) -> None:
        require_declared(self._device, outputs, kinds(self._device)["outputs", 0][1])

    def powered(self, on: bool, kept_memory: bool) -> None:
        """Power is not cut here."""


class DeviceSessions:
    """The device's end of the link against a hostile host."""

    refusals: tuple[type[Exception], ...] = ()

    def __init__(self, seed: int) -> None:
        self.name, self.what = "device-link", "the device's end of the link against a hostile host"
        self._draw = random.Random(f"{seed} device link")

    def next(self) -> bytes:
        return seeds(self._draw)

    def take(self, octets: bytes) -> int:
        draw, mutator = random.Random(octets), Mutator(octets.hex())
        device = draw.choice(DEVICES)
        clock, port = VirtualClock(), Pipe()
        deeds = _Deeds(device, draw)
        end = DeviceLink(
            clock, port, spec_of(device), deeds, serial="A-1", key=draw.choice((b"", b"", bytes(range(32))))
        )
        end.start()
        events = sorted(number for group, number in kinds(device) if group == "events")
        heard = 0
        for _ in range(STEPS):
            chance = draw.random()
            if chance < 0.70:
                for piece in in_pieces(draw, spoilt(draw, mutator, self._says(draw, device, end))):
                    port.hear(piece)
                heard += 1
            elif chance < 0.85:
                end.post(right_message(draw, device, "events", draw.choice(events)))
            else:
                clock.run_for(draw.choice((0.01, 0.3, 2.1, 7.0)))
            self._look(end, port)
        again = [number for number, times in deeds.done.items() if times > 1]
        if again and len(deeds.done) <= link.COMMANDS_REMEMBERED:
            raise Nonsense(f"commands {again} were done twice")
        clock.run_for(60.0)
        self._look(end, port)
        wrong = [name for name in spec_of(device).hold_ms if getattr(end.outputs, name) != getattr(end.spec.safe, name)]
        if wrong:
            raise Nonsense(f"a minute after the last word, {', '.join(wrong)} did not fall back to safe")
        end.power_cycle(False, 1.0)
        return heard

    def _says(self, draw: random.Random, device: str, end: DeviceLink) -> bytes:
        chance = draw.random()
        if not end._nonce and chance < 0.6:
            return link.Hello(draw.getrandbits(32) or 1, draw.choice((end.epoch, 0, 7)), draw.randint(0, 5)).encode()
        if chance < 0.5:
            received = max(0, end._next - 1 - draw.choice((0, 0, 1, 5)) + draw.choice((0, 0, 0, 1)))
            durable = max(0, received - draw.choice((0, 0, 1, 3)))
            return link.encode_ack(
                draw.choice((end.epoch, end.epoch, end.epoch, 9)), received, durable, draw.random() < 0.2
            )
        commands = [number for group, number in kinds(device) if group == "commands"]
        if chance < 0.75 and commands:
            number = draw.choice(commands)
            body = right_message(draw, device, "commands", number).encode()
            return link.pack_event(link.COMMAND, draw.randint(1, 12), number) + body
        if chance < 0.9:
            body = right_message(draw, device, "outputs", 0).encode()
            return link.HEAD_SET.pack(link.SET, draw.choice((1, 2, 3, 0xFFFF))) + body
        return draw.choice(
            (
                link.Hello(draw.getrandbits(32) or 1, end.epoch, end._next).encode(),
                link.encode_proof(1, draw.randbytes(16)),
                link.encode_pair(end._hello.nonce if end._hello else 1, draw.randbytes(32)),
                link.BEAT_CONTENT,
            )
        )

    def _look(self, end: DeviceLink, port: Pipe) -> None:
        decoder = FrameDecoder()
        for content in decoder.feed(b"".join(port.sent)):
            if content[0] < 0x80:
                raise Nonsense(f"the device sent {link.describe(content)}")
        if decoder.damaged or decoder.overlong:
            raise Nonsense("the device sent a damaged frame")
        port.sent.clear()
        if set(end._held) != set(range(end._oldest, end._next)):
            raise Nonsense("the device holds other events than those it has not been told are durable")
        if len(end._timers) > MOST_TIMERS or len(end._commands) > link.COMMANDS_REMEMBERED:
            raise Nonsense("timers or commands pile up")

    def close(self) -> None:
        """Nothing is held."""
