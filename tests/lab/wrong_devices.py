"""Devices that are wrong on purpose, each in one way that firmware has been wrong before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import msgspec
from cobs import cobs

from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.spec import BadMessage, Message
from simulators.behaviour import Refusal
from simulators.link import DeviceLink
from simulators.swipe import Card, WiredReader, card, report


class _Gullible(FrameDecoder):
    def _check(self, stuffed: bytes) -> bytes | None:
        try:
            whole: bytes = cobs.decode(stuffed)
        except cobs.DecodeError:
            return None
        return whole[:-4] or None


class IgnoresCheckSums(DeviceLink):
    """Takes a frame for good whatever its check sum says."""

    def start(self) -> None:
        self._decoder = _Gullible()
        super().start()


class SendsWrongCheckSums(DeviceLink):
    """Makes the check sum of its beats over the wrong bytes."""

    def _write(self, frame: bytes) -> None:
        if len(frame) < 8:
            content = bytes((link.BEAT,))
            stuffed: bytes = cobs.encode(content + crc32(content + b"\0").to_bytes(4, "little"))
            frame = stuffed + b"\0"
        super()._write(frame)


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


class Renumbers(DeviceLink):
    """Numbers what it holds from 1 again after a restart, in the same epoch."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        held = [frame for _, frame in sorted(self._held.items())]
        super().power_cycle(keep_memory, off_for)
        if keep_memory:
            self._held = {}
            for number, frame in enumerate(held, start=1):
                content = FrameDecoder().feed(frame)[0]
                self._held[number] = encode_frame(link.pack_event(link.EVENT, number, content[5]) + content[6:])
            self._oldest, self._next = 1, len(held) + 1


class NewEpochEveryTime(DeviceLink):
    """Draws a new epoch with every start, though nothing was lost."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        super().power_cycle(keep_memory, off_for)
        self.epoch = self._draw()


class SameEpochAlways(DeviceLink):
    """Keeps its epoch though its memory was lost."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        epoch = self.epoch
        super().power_cycle(keep_memory, off_for)
        self.epoch = epoch


class SameBoot(DeviceLink):
    """Does not tell its restarts apart."""

    def start(self) -> None:
        super().start()
        self.boot = 7


class IgnoresHold(DeviceLink):
    """Leaves its outputs as they are when the host falls silent."""

    def _fall_back(self, now: float) -> None:
        self._hold = float("inf")


class LetsHelloHoldOutputs(DeviceLink):
    """Counts HELLO as a sign of a host that accepted it."""

    def _on_hello(self, hello: link.Hello) -> None:
        super()._on_hello(hello)
        self._ruled = self.clock.now()


class FallsBackEarly(DeviceLink):
    """Gives its outputs up after half of their hold."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._holds = {name: hold / 2 for name, hold in self._holds.items()}


class TakesAnyOutputs(DeviceLink):
    """Says APPLIED to outputs that are out of range."""

    def _on_set(self, content: bytes) -> None:
        try:
            super()._on_set(content)
        except BadMessage:
            self._write(encode_frame(content[:3].replace(bytes((link.SET,)), bytes((link.APPLIED,)), 1)))


class TakesAnyCommand(DeviceLink):
    """Does not refuse a command that is out of range."""

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        if isinstance(result, Refusal):
            result = Refusal(result.text, failed=True)
        super().finish(command_id, result)


class TakesOldOutputs(DeviceLink):
    """Applies a SET whatever its revision."""

    def _on_set(self, content: bytes) -> None:
        self._revision = None
        super()._on_set(content)


class KeepsRevision(DeviceLink):
    """Does not begin a session without a revision."""

    def _on_hello(self, hello: link.Hello) -> None:
        revision = self._revision
        super()._on_hello(hello)
        self._revision = revision


class WrongDigest(DeviceLink):
    """Was built from another declaration."""

    def _identify(self, nonce: int) -> None:
        right = self.spec
        self.spec = _other_digest(right)
        try:
            super()._identify(nonce)
        finally:
            self.spec = right


def _other_digest(spec: Any) -> Any:
    return msgspec.structs.replace(spec, digest=bytes(reversed(spec.digest)))


class WrongNonce(DeviceLink):
    """Answers HELLO as if it announced itself."""

    def _identify(self, nonce: int) -> None:
        super()._identify(0)


class NoBeat(DeviceLink):
    """Says nothing when it has nothing to say."""

    def _pulse(self) -> None:
        if self._nonce:
            self._sent = self.clock.now()
        super()._pulse()


class NeverMissesTheHost(DeviceLink):
    """Does not notice that the host is gone."""

    def _pulse(self) -> None:
        self._heard = self.clock.now()
        super()._pulse()


class NeverAnnounces(DeviceLink):
    """Waits to be asked."""

    def _announce(self) -> None:
        self.counters["quiet"] += 1


class SendsAtOnce(DeviceLink):
    """Sends events before it was accepted."""

    def _on_hello(self, hello: link.Hello) -> None:
        super()._on_hello(hello)
        for frame in list(self._held.values())[:4]:
            self._write(frame)


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


class GoesDeaf(DeviceLink):
    """Never finds back after too many bytes without a zero."""

    def _on_bytes(self, octets: bytes) -> None:
        if self._decoder.overlong == 0:
            super()._on_bytes(octets)


class RestartsOnNoise(DeviceLink):
    """A frame of unknown kind runs into its watchdog."""

    def _on_bytes(self, octets: bytes) -> None:
        before = self.counters["unknown"]
        super()._on_bytes(octets)
        if self.counters["unknown"] != before:
            self.boot = self._draw()


class DropsWhatComesTogether(DeviceLink):
    """Reads one frame from a buffer and throws the rest away."""

    def _on_bytes(self, octets: bytes) -> None:
        whole = [piece for piece in octets.split(b"\0") if piece]
        if len(whole) > 1:
            octets = whole[-1] + b"\0"
        super()._on_bytes(octets)


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


class Sluggish(DeviceLink):
    """Answers HELLO after half a second."""

    def _identify(self, nonce: int) -> None:
        if nonce:
            self.clock.call_later(0.5, super()._identify, nonce)
        else:
            super()._identify(nonce)


class ProvesNothing(DeviceLink):
    """Fills the place of the proof with something."""

    def _identify(self, nonce: int) -> None:
        key, self.key = self.key, bytes(reversed(self.key))
        try:
            super()._identify(nonce)
        finally:
            self.key = key


class HearsAnybody(DeviceLink):
    """Proves its key and then hears whoever speaks."""

    def _on_hello(self, hello: link.Hello) -> None:
        super()._on_hello(hello)
        self._begin_session(hello)


class OneChallenge(DeviceLink):
    """Asks the same of every host."""

    def _identify(self, nonce: int) -> None:
        self._challenge = b"\7" * link.CHALLENGE_BYTES
        super()._identify(nonce)


class MiscountsItsPicture(DeviceLink):
    """Tells more tags on an area than it names."""

    def post(self, message: Message) -> int:
        if type(message).__name__ == "Inventory":
            message = msgspec.structs.replace(message, total=7)
        return super().post(message)


class ForgetsWhatWasAsked(DeviceLink):
    """Tells its picture under a snapshot of its own."""

    def post(self, message: Message) -> int:
        if type(message).__name__ in ("Inventory", "Picture"):
            message = msgspec.structs.replace(message, snapshot=1)
        return super().post(message)


class LosesTheThread(DeviceLink):
    """Names tags without the antennas they lie on."""

    def post(self, message: Message) -> int:
        if type(message).__name__ == "Picture":
            message = msgspec.structs.replace(message, tags=(5, 6))
        return super().post(message)


class StartsInSilence(DeviceLink):
    """Says nothing of its starts."""

    def post(self, message: Message) -> int:
        return 0 if type(message).__name__ == "PoweredUp" else super().post(message)


class ClaimsToRemember(DeviceLink):
    """Says at every start that its memory is whole."""

    def post(self, message: Message) -> int:
        if type(message).__name__ == "PoweredUp":
            message = msgspec.structs.replace(message, kept_memory=True)
        return super().post(message)


class _Restless(DeviceLink):
    """Answers one question in another way every time."""

    answer, field = "", ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        command, asked = self.behaviour.command, 0

        def restless(command_id: int, message: Message) -> Any:
            nonlocal asked
            result = command(command_id, message)
            if type(result).__name__ == self.answer:
                asked += 1
                assert isinstance(result, Message)
                return msgspec.structs.replace(result, **{self.field: 50 * asked})
            return result

        self.behaviour.command = restless  # type: ignore[method-assign]


class CountsByGuess(_Restless):
    """Counts other cards every time it is asked."""

    answer, field = "CountResult", "inside"


class DriftsAtRest(_Restless):
    """Has another angle every time, though the wheel stands."""

    answer, field = "ReadAngleResult", "angle"


KEY = bytes(range(100, 132))
PAIRED = (ProvesNothing, HearsAnybody, OneChallenge)

#: each with the step that must catch it and the kind of device it is tried as
WRONG: list[tuple[type[DeviceLink], str, str]] = [
    (IgnoresCheckSums, "wheel", "hostile.flipped_bits_are_dropped"),
    (IgnoresCheckSums, "wheel", "hostile.wrong_check_sums_are_dropped"),
    (SendsWrongCheckSums, "wheel", "timing.beats_when_it_has_nothing_to_say"),
    (RepeatsCommands, "wheel", "commands.are_known_by_their_id"),
    (RepeatsCommands, "wheel", "commands.are_done_once"),
    (RemembersFewCommands, "wheel", "commands.are_remembered_32_deep"),
    (ForgetsCommandsWithPower, "wheel", "restart.keeps_commands_done"),
    (ForgetsEarly, "shoe", "events.are_held_until_durable"),
    (ForgetsWithHello, "shoe", "events.survive_a_hint_in_hello"),
    (KeepsForEver, "shoe", "events.are_forgotten_when_durable"),
    (Renumbers, "shoe", "restart.with_memory_keeps_events"),
    (NewEpochEveryTime, "shoe", "restart.with_memory_keeps_events"),
    (SameEpochAlways, "shoe", "restart.without_memory_changes_the_epoch"),
    (SameBoot, "shoe", "restart.with_memory_keeps_events"),
    (IgnoresHold, "shoe", "outputs.fall_back_when_the_host_is_silent"),
    (LetsHelloHoldOutputs, "shoe", "outputs.fall_back_when_the_host_is_silent"),
    (FallsBackEarly, "shoe", "outputs.fall_back_when_the_host_is_silent"),
    (TakesAnyOutputs, "shoe", "outputs.are_not_applied_beyond_their_limits"),
    (TakesAnyCommand, "wheel", "commands.are_refused_beyond_their_limits"),
    (TakesOldOutputs, "shoe", "outputs.ignore_older_revisions"),
    (KeepsRevision, "shoe", "outputs.forget_revisions_with_hello"),
    (WrongDigest, "shoe", "identify.is_what_it_should_be"),
    (WrongNonce, "shoe", "identify.answers_hello"),
    (NoBeat, "shoe", "timing.beats_when_it_has_nothing_to_say"),
    (NeverMissesTheHost, "wheel", "timing.notices_a_silent_host"),
    (NeverAnnounces, "shoe", "identify.answers_strays"),
    (SendsAtOnce, "shoe", "events.wait_for_acceptance"),
    (NeverGoesBack, "shoe", "events.go_back_when_nothing_is_received"),
    (GoesBackInHaste, "shoe", "events.go_back_when_nothing_is_received"),
    (DeafToResend, "shoe", "events.go_back_when_asked"),
    (KnowsNoWindow, "shoe", "events.stay_within_the_window"),
    (KnowsNoWindow, "wheel", "events.stay_within_the_window_when_long"),
    (BelievesAnyAck, "shoe", "events.survive_an_ack_of_another_epoch"),
    (GoesDeaf, "shoe", "hostile.overlong_frames_are_dropped"),
    (RestartsOnNoise, "shoe", "hostile.unknown_kinds_are_dropped"),
    (DropsWhatComesTogether, "shoe", "hostile.pieces_are_joined"),
    (CutsLongLists, "wheel", "events.pass_at_their_limits"),
    (Sluggish, "shoe", "identify.answers_hello"),
    (ProvesNothing, "shoe", "pairing.proves_itself"),
    (HearsAnybody, "shoe", "pairing.hears_nobody_without_proof"),
    (OneChallenge, "shoe", "pairing.asks_anew_every_time"),
    (MiscountsItsPicture, "chips", "kind.reads_everything_when_asked"),
    (ForgetsWhatWasAsked, "chips", "kind.reads_everything_when_asked"),
    (ForgetsWhatWasAsked, "cards", "kind.reads_everything_when_asked"),
    (LosesTheThread, "cards", "kind.reads_everything_when_asked"),
    (StartsInSilence, "shoe", "kind.tells_its_start"),
    (StartsInSilence, "shuffler", "kind.tells_its_start"),
    (ClaimsToRemember, "shoe", "kind.tells_its_start"),
    (ClaimsToRemember, "shuffler", "kind.tells_its_start"),
    (CountsByGuess, "shuffler", "kind.counts_without_guessing"),
    (DriftsAtRest, "wheel", "kind.stands_still_when_it_stands"),
]


class ChattersAlone(WiredReader):
    """Sends something though no card was drawn through."""

    def start(self) -> None:
        super().start()
        self._port.write(b"\0" * 8)


class TypesLikeAKeyboard(WiredReader):
    """Stands in keyboard mode: the stripe comes as text."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(held.track2.encode())


class SwallowsTheEnd(WiredReader):
    """Leaves the last track of a report away."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(held, bad)[:-110])


class StuttersTwice(WiredReader):
    """Sends every report twice."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(held, bad) * 2)


class ReadsEverybodyAlike(WiredReader):
    """Has read one card, and sends it for ever."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(card("6011000990139424"), bad))


class ReadsAnotherEveryTime(WiredReader):
    """Takes a digit for another one."""

    swipes = 0

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self.swipes += 1
        self._port.write(report(card(f"60110009901394{self.swipes:02}"), bad))


class GuessesHalfACard(WiredReader):
    """Fills in what it could not read."""

    def swipe(self, held: Card, bad: Sequence[int] = ()) -> None:
        self._port.write(report(held))


WRONG_READERS: list[tuple[type[WiredReader], str]] = [
    (ChattersAlone, "swipe.says_nothing_by_itself"),
    (TypesLikeAKeyboard, "swipe.sends_one_report_a_swipe"),
    (SwallowsTheEnd, "swipe.sends_one_report_a_swipe"),
    (StuttersTwice, "swipe.sends_one_report_a_swipe"),
    (ReadsAnotherEveryTime, "swipe.knows_a_card_again"),
    (ReadsEverybodyAlike, "swipe.tells_cards_apart"),
    (GuessesHalfACard, "swipe.never_guesses_half_a_card"),
]
