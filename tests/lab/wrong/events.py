"""Devices that number, send and forget events wrongly."""

from __future__ import annotations

from firmware_specs import link
from firmware_specs.frames import encode_frame
from firmware_specs.spec import Message
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, content_of


class ForgetsEarly(DeviceLink):
    """Forgets what the host has received but not yet on disk."""

    def _on_ack(self, content: bytes) -> None:
        epoch, received, _, resend = link.decode_ack(content)
        super()._on_ack(link.encode_ack(epoch, received, received, bool(resend)))


class ForgetsWithHello(DeviceLink):
    """Takes the hint in HELLO for an acknowledgement."""

    def _on_hello(self, hello: link.Hello) -> None:
        if hello.epoch == self.epoch:
            for number in [number for number in self._held if number <= hello.number]:
                del self._held[number]
                self._oldest = number + 1
        super()._on_hello(hello)


class KeepsForEver(DeviceLink):
    """Sends events again that were durable: it forgets nothing."""

    def _on_ack(self, content: bytes) -> None:
        epoch, received, _, resend = link.decode_ack(content)
        super()._on_ack(link.encode_ack(epoch, received, 0, bool(resend)))

    def _on_hello(self, hello: link.Hello) -> None:
        super()._on_hello(hello)
        self._received = 0


class NeverGoesBack(DeviceLink):
    """Sends each event once a session."""

    def _resend(self) -> None:
        self._resending = False


class GoesBackInHaste(DeviceLink):
    """Repeats events every 40 ms until they are received."""

    def _pump(self) -> None:
        self._resend_wait = 0.02
        super()._pump()

    def _resend(self) -> None:
        self._resend_wait = 0.02
        super()._resend()


class DeafToResend(DeviceLink):
    """Does not go back when asked to."""

    def _on_ack(self, content: bytes) -> None:
        super()._on_ack(content[:-1] + b"\0")


class KnowsNoWindow(DeviceLink):
    """Sends all it holds at once."""

    def _pump(self) -> None:
        while self._cursor < self._next:
            self.port.write(self._held[self._cursor])
            self._cursor += 1
        self._sent = self.clock.now()


class BelievesAnyAck(DeviceLink):
    """Forgets events of another epoch's ACK."""

    def _on_ack(self, content: bytes) -> None:
        _, received, durable, resend = link.decode_ack(content)
        super()._on_ack(link.encode_ack(self.epoch, received, durable, bool(resend)))


class CutsLongLists(DeviceLink):
    """Has a buffer too short for its longest event."""

    def post(self, message: Message) -> int:
        body = message.encode()
        if len(body) > 12 and self.powered:
            number = self._next
            self._held[number] = encode_frame(link.pack_event(link.EVENT, number, message.ID) + body[:12])
            self._next += 1
            if self._flowing:
                self._pump()
            return number
        return super().post(message)


class SixteenBitNumbers(DeviceLink):
    """Counts its events in 16 bits."""

    def _on_ack(self, content: bytes) -> None:
        epoch, received, durable, resend = link.decode_ack(content)
        super()._on_ack(link.encode_ack(epoch, received & 0xFFFF, durable & 0xFFFF, bool(resend)))


class DroppedAcksAccept(DeviceLink):
    """Takes an ACK of nonsense for its acceptance."""

    def _on_ack(self, content: bytes) -> None:
        if self._nonce and not self._flowing and link.decode_ack(content)[1] >= self._next:
            content = link.encode_ack(self.epoch, self._oldest - 1, self._oldest - 1)
        super()._on_ack(content)


class DropsEarlyAcks(DeviceLink):
    """Hears no ACK that lies before what it holds."""

    def _on_ack(self, content: bytes) -> None:
        if link.decode_ack(content)[1] >= self._oldest - 1:
            super()._on_ack(content)


class SaysThatItHoldsLess(DeviceLink):
    """Tells a later event for its oldest than it sends."""

    def _identify(self, nonce: int) -> None:
        oldest = self._oldest
        self._oldest = min(oldest + 1, self._next)
        super()._identify(nonce)
        self._oldest = oldest


class SkipsOldest(DeviceLink):
    """Begins with the second event it holds."""

    def _go_back(self) -> None:
        super()._go_back()
        self._first = True

    def _pump(self) -> None:
        if self._cursor == self._received + 1 and self._cursor < self._next:
            self._cursor += 1
        super()._pump()


class OtherMessageIds(DeviceLink):
    """Numbers its messages from 200 on."""

    def _put(self, frame: bytes) -> None:
        content = content_of(frame)
        if content[0] == link.EVENT:
            frame = encode_frame(content[:5] + bytes((200,)) + content[6:])
        super()._put(frame)


class StuckWindow(DeviceLink):
    """Sends the next window only when the last one has come whole."""

    def _on_ack(self, content: bytes) -> None:
        if self._flowing and link.decode_ack(content)[1] + 1 < self._cursor and not content[-1]:
            self._heard = self._ruled = self.clock.now()
            return
        super()._on_ack(content)


class SlowToGoBack(DeviceLink):
    """Waits two seconds before it repeats anything."""

    def _pump(self) -> None:
        self._resend_wait = link.RESEND_MOST_S
        super()._pump()


class NeverQuickAgain(DeviceLink):
    """Keeps its long wait though events are received again."""

    def _on_ack(self, content: bytes) -> None:
        wait, flowing = self._resend_wait, self._flowing
        super()._on_ack(content)
        if flowing and wait > link.RESEND_S:
            self._resend_wait = wait
            self._resend_at = self.clock.now() + wait


class RepeatsReceived(DeviceLink):
    """Repeats what is received until it is durable."""

    def _on_ack(self, content: bytes) -> None:
        super()._on_ack(content)
        if self._flowing:
            for frame in list(self._held.values())[:3]:
                self._put(frame)


class SendsAllAgain(DeviceLink):
    """Begins with the oldest it holds, whatever the first ACK says."""

    def _on_ack(self, content: bytes) -> None:
        epoch, received, durable, resend = link.decode_ack(content)
        if not self._flowing and durable == received and received >= self._oldest:
            content = link.encode_ack(epoch, self._oldest - 1, self._oldest - 1, bool(resend))
        super()._on_ack(content)


class TakesShortAcks(DeviceLink):
    """Reads an ACK that is a byte short as if its end were zero."""

    def _on_ack(self, content: bytes) -> None:
        super()._on_ack(content + b"\0" if len(content) == 13 else content)


class CountsInSixteenBits(DeviceLink):
    """Numbers its events in 16 bits: after 65535 comes 0."""

    def post(self, message: Message) -> int:
        if self._next > 0xFFFF:
            self._held = {number & 0xFFFF: frame for number, frame in self._held.items()}
            self._oldest, self._next = self._oldest & 0xFFFF, self._next & 0xFFFF
        return super().post(message)


class NumbersBeyondTheLast(DeviceLink):
    """Does not begin a new epoch when its numbers are used up."""

    def _begin_epoch(self) -> None:
        self._oldest = self._next = 1


WRONG = [
    Wrong(SkipsOldest, "shoe", "events.are_numbered_without_gaps", "E1"),
    Wrong(DropsEarlyAcks, "shoe", "events.go_on_from_the_oldest", "E15"),
    Wrong(SaysThatItHoldsLess, "shoe", "events.go_on_from_the_oldest", "K4"),
    Wrong(CountsInSixteenBits, "shoe", "memory.counts_in_32_bits", "E1"),
    Wrong(ForgetsWithHello, "shoe", "events.survive_a_hint_in_hello", "S1"),
    Wrong(ForgetsEarly, "shoe", "events.are_held_until_durable", "E3"),
    Wrong(KeepsForEver, "shoe", "events.are_forgotten_when_durable", "E3"),
    Wrong(RepeatsReceived, "shoe", "events.are_not_repeated_once_received", "E3"),
    Wrong(SendsAllAgain, "shoe", "events.resume_in_the_middle", "E3"),
    Wrong(BelievesAnyAck, "shoe", "events.survive_an_ack_of_another_epoch", "E4"),
    Wrong(TakesShortAcks, "shoe", "events.survive_wrong_acks", "K3"),
    Wrong(SixteenBitNumbers, "shoe", "events.survive_wrong_acks", "E5"),
    Wrong(DroppedAcksAccept, "shoe", "memory.is_not_acknowledged_away", "E5"),
    Wrong(KnowsNoWindow, "shoe", "events.stay_within_the_window", "E6"),
    Wrong(KnowsNoWindow, "wheel", "events.stay_within_the_window_when_long", "E6"),
    Wrong(StuckWindow, "shoe", "events.move_with_the_window", "E6"),
    Wrong(NeverGoesBack, "shoe", "events.go_back_when_nothing_is_received", "E7"),
    Wrong(GoesBackInHaste, "shoe", "events.go_back_when_nothing_is_received", "E7"),
    Wrong(SlowToGoBack, "shoe", "events.go_back_when_nothing_is_received", "E7"),
    Wrong(NeverQuickAgain, "shoe", "events.go_back_quickly_after_an_advance", "E7"),
    Wrong(DeafToResend, "shoe", "events.go_back_when_asked", "E8"),
    Wrong(NumbersBeyondTheLast, "shoe", "memory.begins_anew_after_the_last_number", "E12"),
    Wrong(CutsLongLists, "wheel", "events.pass_at_their_limits", "E13"),
    Wrong(OtherMessageIds, "shoe", "events.are_numbered_without_gaps", "E13"),
]
