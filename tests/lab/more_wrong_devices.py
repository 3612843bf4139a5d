"""More devices that are wrong on purpose, each breaking one sentence of the link's page or of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from firmware_specs import link, pairing
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import shuffler as shuffler_wire
from firmware_specs.sealing import SEALS
from firmware_specs.spec import BadMessage, Message
from simulators.behaviour import Refusal
from simulators.link import DeviceLink

KEY = bytes(range(100, 132))


# --- who it says it is ------------------------------------------------------------------------


def _lies(name: str, why: str, change: Callable[[link.Identity], link.Identity]) -> type[DeviceLink]:
    """A device whose IDENTITY differs in one field."""

    def write(self: DeviceLink, frame: bytes) -> None:
        content = _content(frame)
        if content[0] == link.IDENTITY:
            said = link.Identity.decode(content)
            frame = encode_frame(change(said).encode())
        DeviceLink._write(self, frame)

    return type(name, (DeviceLink,), {"__doc__": why, "_write": write})


def _content(frame: bytes) -> bytes:
    (content,) = FrameDecoder().feed(frame)
    return content


replace = msgspec.structs.replace
WrongCode = _lies("WrongCode", "Says that it is another kind.", lambda i: replace(i, code=99))
WrongVersion = _lies("WrongVersion", "Speaks a later spec.", lambda i: replace(i, spec_version=i.spec_version + 1))
OtherLink = _lies("OtherLink", "Speaks another link.", lambda i: replace(i, link_version=2))
CountsTheNul = _lies("CountsTheNul", "Its serial ends with a zero.", lambda i: replace(i, serial=i.serial + "\0"))
AddsToIdentity = _lies("AddsToIdentity", "Adds four bytes.", lambda i: replace(i, challenge=b"", proof=b"\1\2\3\4"))
UndeclaredBits = _lies("UndeclaredBits", "Sets bits that mean nothing.", lambda i: replace(i, capabilities=0x00FF0000))
NoAreas = _lies("NoAreas", "Has not one area.", lambda i: replace(i, capabilities=SEALS))
OtherAreas = _lies("OtherAreas", "Has other areas.", lambda i: replace(i, capabilities=i.capabilities ^ 2))
NothingIsNew = _lies("NothingIsNew", "Says it holds everything.", lambda i: replace(i, oldest=1))


class DropsLongHello(DeviceLink):
    """Has a buffer for a HELLO and no more."""

    def _on_bytes(self, octets: bytes) -> None:
        if len(octets) < 45:
            super()._on_bytes(octets)


class IgnoresOtherVersions(DeviceLink):
    """Says nothing to a host of another version."""

    def _on_hello(self, hello: link.Hello) -> None:
        if hello.link_version == link.LINK_VERSION:
            super()._on_hello(hello)


class KeepsSessionForOthers(DeviceLink):
    """Answers a HELLO of another version and goes on as before."""

    def _on_hello(self, hello: link.Hello) -> None:
        if hello.link_version == link.LINK_VERSION:
            super()._on_hello(hello)
        else:
            self._identify(hello.nonce)


class SessionForAnyVersion(DeviceLink):
    """Begins a session with whoever says HELLO."""

    def _on_hello(self, hello: link.Hello) -> None:
        super()._on_hello(hello)
        self._begin_session(hello)


class TakesNonceZero(DeviceLink):
    """Answers a HELLO without a nonce."""

    def _on_bytes(self, octets: bytes) -> None:
        before = self.counters["bad"]
        super()._on_bytes(octets)
        if self.counters["bad"] != before:
            self._identify(77)


class AnnouncesRarely(DeviceLink):
    """Announces itself every ten seconds."""

    def _pulse(self) -> None:
        if not self._nonce and self.clock.now() < self._announced + 10:
            self._sent = self.clock.now()
        super()._pulse()


class AnswersStraysInHaste(DeviceLink):
    """Answers every stray frame."""

    def _announce(self) -> None:
        self._identify(0)


class SilentStart(DeviceLink):
    """Says nothing when it starts, and announces itself with its first beat."""

    def _open(self) -> None:
        self._announced = self.clock.now() + 1e-6
        super()._open()

    def _announce(self) -> None:
        if self.clock.now() > self._announced:
            super()._announce()


# --- what it does without a session -----------------------------------------------------------


class AppliesStraySet(DeviceLink):
    """Applies a SET that belongs to no session, and says nothing of it."""

    def _on_set(self, content: bytes) -> None:
        if not self._nonce:
            self._set_outputs(self.spec.outputs.decode(content[3:]), "host")
        super()._on_set(content)


class DoesStrayCommands(DeviceLink):
    """Does a command that belongs to no session."""

    def _on_command(self, content: bytes) -> None:
        if not self._nonce and len(content) > 5 and content[5] in self.spec.commands:
            self.behaviour.command(1, self.spec.commands[content[5]].decode(b""))
        super()._on_command(content)


class WaitsForAck(DeviceLink):
    """Takes nothing before the first ACK."""

    def _on_set(self, content: bytes) -> None:
        if self._flowing:
            super()._on_set(content)


class HearsNoise(DeviceLink):
    """Takes any bytes for a sign of its host."""

    def _on_bytes(self, octets: bytes) -> None:
        super()._on_bytes(octets)
        self._heard = self.clock.now()


class DroppedAcksHold(DeviceLink):
    """Lets an ACK that it drops keep its outputs."""

    def _on_ack(self, content: bytes) -> None:
        if self._nonce:
            self._heard = self._ruled = self.clock.now()
        super()._on_ack(content)


class DroppedAcksAccept(DeviceLink):
    """Takes an ACK of nonsense for its acceptance."""

    def _on_ack(self, content: bytes) -> None:
        if self._nonce and not self._flowing and link.decode_ack(content)[1] >= self._next:
            content = link.encode_ack(self.epoch, self._oldest - 1, self._oldest - 1)
        super()._on_ack(content)


# --- events -----------------------------------------------------------------------------------


class SixteenBitNumbers(DeviceLink):
    """Counts its events in 16 bits."""

    def _on_ack(self, content: bytes) -> None:
        epoch, received, durable, resend = link.decode_ack(content)
        super()._on_ack(link.encode_ack(epoch, received & 0xFFFF, durable & 0xFFFF, bool(resend)))


class OverwritesOldest(DeviceLink):
    """Has a ring that goes round."""

    def post(self, message: Message) -> int:
        if len(self._held) >= self.capacity:
            del self._held[self._oldest]
            self._oldest += 1
            self._received = max(self._received, self._oldest - 1)
        return super().post(message)


class LeavesOutTheNewest(DeviceLink):
    """Leaves out what finds no room."""

    def post(self, message: Message) -> int:
        return self._next - 1 if len(self._held) >= self.capacity else super().post(message)


class HoldsFew(DeviceLink):
    """Has room for twenty events."""

    def post(self, message: Message) -> int:
        self.capacity = 20
        return super().post(message)


class RefusesEarly(DeviceLink):
    """Takes no more than thirty events."""

    def post(self, message: Message) -> int:
        return 0 if len(self._held) >= 30 else super().post(message)


class CountsEpochs(DeviceLink):
    """Counts its lives."""

    def _forget(self) -> None:
        before = self.epoch
        super()._forget()
        self.epoch = before + 1


class TwoEpochs(DeviceLink):
    """Has two epochs and takes turns."""

    def _forget(self) -> None:
        before = self.epoch
        super()._forget()
        self.epoch = 0xAAAAAAAA if before != 0xAAAAAAAA else 0x55555555


class PhantomEvent(DeviceLink):
    """Makes an event of its own with every start."""

    def start(self) -> None:
        super().start()
        kind = next(iter(self.spec.events.values()))
        self.post(_least(kind))


def _least(kind: type[Message]) -> Message:
    for length in range(400):
        for fill in (b"\0", b"\1"):
            try:
                return kind.decode(fill * length)
            except BadMessage:
                continue
    raise AssertionError(kind)


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
        content = _content(frame)
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


# --- live, beats and time ---------------------------------------------------------------------


class FloodsLive(DeviceLink):
    """Shows something a hundred times a second."""

    def start(self) -> None:
        super().start()
        self._show()

    def _show(self) -> None:
        if self.powered:
            kind = next(iter(self.spec.live.values()))
            self.live(_least(kind))
            self._later("show", 0.01, self._show)


class ShowsToAnybody(FloodsLive):
    """Shows something before it was accepted."""

    def live(self, message: Message) -> None:
        if self._nonce:
            self._write(encode_frame(link.HEAD_LIVE.pack(link.LIVE, message.ID) + message.encode()))


class BeatsInHaste(DeviceLink):
    """Beats four times a second."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._beat = 0.25


class GivesUpEarly(DeviceLink):
    """Misses its host after three seconds."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._silence = 3.0


class SlowApplied(DeviceLink):
    """Answers SET after half a second."""

    def _on_set(self, content: bytes) -> None:
        self.clock.call_later(0.5, self._later_set, content)

    def _later_set(self, content: bytes) -> None:
        if self.powered:
            super()._on_set(content)


# --- commands and outputs ---------------------------------------------------------------------


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
        content = _content(frame)
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


class AppliedAnyRevision(DeviceLink):
    """Answers SET with a count of its own."""

    def _write(self, frame: bytes) -> None:
        content = _content(frame)
        super()._write(encode_frame(link.HEAD_SET.pack(link.APPLIED, 777)) if content[0] == link.APPLIED else frame)


class OnlySaysApplied(DeviceLink):
    """Answers SET and leaves the outputs alone."""

    def _set_outputs(self, outputs: Message, why: str) -> None:
        if why != "host":
            super()._set_outputs(outputs, why)


class TakesShortSets(DeviceLink):
    """Answers a SET without outputs."""

    def _on_set(self, content: bytes) -> None:
        if len(content) < 3 and self._nonce:
            self._write(encode_frame(link.HEAD_SET.pack(link.APPLIED, 0)))
        else:
            super()._on_set(content)


class OutputsSurvive(DeviceLink):
    """Starts with its outputs as they were."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        before = self.outputs
        super().power_cycle(keep_memory, off_for)
        self.outputs = before


class FallsBackInSilence(DeviceLink):
    """Puts an output to safe and does not tell."""

    def _fall_back(self, now: float) -> None:
        self._set_outputs(self.spec.safe, "silence")
        self._hold = float("inf")


# --- pairing and sealing ----------------------------------------------------------------------


class ProvesToEverybody(DeviceLink):
    """Adds its proof to announcements too."""

    def _write(self, frame: bytes) -> None:
        content = _content(frame)
        if content[0] == link.IDENTITY and link.Identity.decode(content).nonce == 0 and self.key:
            frame = encode_frame(content + b"\1" * 32)
        super()._write(frame)


class ForgetsItsChallenge(DeviceLink):
    """Asks anew when the same HELLO comes again."""

    def _on_hello(self, hello: link.Hello) -> None:
        self._hello = None
        super()._on_hello(hello)


class IgnoresTheHostsChallenge(DeviceLink):
    """Proves its key, but not that it heard this host."""

    def _identify(self, nonce: int) -> None:
        if self._hello is not None:
            self._hello = replace(self._hello, challenge=b"")
        super()._identify(nonce)


class TakesAnyProof(DeviceLink):
    """Hears whoever says PROOF."""

    def _on_proof(self, content: bytes) -> None:
        if self._hello is not None and not self._nonce:
            self._begin_session(self._hello)


class AnswersBare(DeviceLink):
    """Opens seals and makes none."""

    def _put(self, frame: bytes) -> None:
        seal, self._seal = self._seal, None
        super()._put(frame)
        self._seal = seal


class TakesBare(DeviceLink):
    """In a sealed session takes what is not sealed too."""

    def _on_bytes(self, octets: bytes) -> None:
        super()._on_bytes(octets)
        if self._seal is not None:
            seal, self._seal = self._seal, None
            for content in FrameDecoder().feed(octets):
                if content[0] in (link.SET, link.ACK):
                    self._decoder.reset()
                    seal_was, self._seal = self._seal, None
                    DeviceLink._on_bytes(self, encode_frame(content))
                    self._seal = seal_was
            if self._nonce:
                self._seal = seal


class TakesReplays(DeviceLink):
    """Does not look at the counter."""

    def _on_bytes(self, octets: bytes) -> None:
        if self._seal is not None:
            self._seal.taken = 0
        super()._on_bytes(octets)


# --- chips, cards, shufflers ------------------------------------------------------------------


def _tells(name: str, why: str, change: Callable[[Any], Message | None]) -> type[DeviceLink]:
    """A device that says something else than it sees, or nothing."""

    def post(self: DeviceLink, message: Message) -> int:
        changed = change(message)
        return self._next if changed is None else DeviceLink.post(self, changed)

    return type(name, (DeviceLink,), {"__doc__": why, "post": post})


def _is(message: Message, *names: str) -> bool:
    return type(message).__name__ in names


ForgetsAnArea = _tells("ForgetsAnArea", "", lambda m: None if _is(m, "Inventory") and m.area == 2 else m)
SaysMoreAtTheEnd = _tells("SaysMoreAtTheEnd", "", lambda m: replace(m, more=True) if _is(m, "Inventory") else m)
EndsTooEarly = _tells(
    "EndsTooEarly", "", lambda m: replace(m, more=m.area != 1 and m.more) if _is(m, "Inventory") else m
)
TellsSeconds = _tells("TellsSeconds", "", lambda m: replace(m, at=m.at // 1000) if hasattr(m, "at") else m)
NextDrawIsNonsense = _tells(
    "NextDrawIsNonsense", "", lambda m: replace(m, next_draw=4711 + m.at) if _is(m, "PoweredUp") else m
)
ChecksInSilence = _tells("ChecksInSilence", "", lambda m: None if _is(m, "DeckChecked") else m)
ChecksUnderAnotherId = _tells(
    "ChecksUnderAnotherId", "", lambda m: replace(m, check=m.check ^ 1) if _is(m, "DeckChecked") else m
)
TellsAnotherMode = _tells(
    "TellsAnotherMode", "", lambda m: replace(m, mode=shuffler_wire.Mode.SORT) if _is(m, "ModeChanged") else m
)
StartsInAnotherMode = _tells(
    "StartsInAnotherMode", "", lambda m: replace(m, mode=shuffler_wire.Mode.SORT) if _is(m, "PoweredUp") else m
)
MiscountsAtStart = _tells(
    "MiscountsAtStart", "", lambda m: replace(m, inside=m.inside + 3) if _is(m, "PoweredUp") else m
)


class CalibratesAnyway(DeviceLink):
    """Calibrates an area on which tags lie."""

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        calibrated = next((kind for kind in self.spec.results.values() if kind.__name__ == "CalibrateResult"), None)
        if isinstance(result, Refusal) and calibrated is not None and "lie on area" in result.text:
            result = calibrated.decode(b"\5\7")
        super().finish(command_id, result)


class AnswersAnotherMode(DeviceLink):
    """Answers SetMode with the mode it likes."""

    def finish(self, command_id: int, result: Message | Refusal) -> None:
        if isinstance(result, shuffler_wire.SetModeResult):
            result = shuffler_wire.SetModeResult(shuffler_wire.Mode.SORT)
        super().finish(command_id, result)


class NoProofOfSealing(DeviceLink):
    """Does not know the PROOF that demands sealed frames, though it says so."""

    def _on_proof(self, content: bytes) -> None:
        _, proof = link.decode_proof(content)
        if self._hello is not None and proof == pairing.host_proof(self.key, self._hello.challenge, self._challenge):
            super()._on_proof(content)


#: each with the kind it is tried as, the step that must catch it, and the sentence it breaks
MORE: list[tuple[type[DeviceLink], str, str, str]] = [
    (WrongCode, "shoe", "identify.is_what_it_should_be", "K1"),
    (WrongVersion, "shoe", "identify.is_what_it_should_be", "K1"),
    (OtherLink, "shoe", "identify.is_what_it_should_be", "K1"),
    (CountsTheNul, "shoe", "identify.is_what_it_should_be", "F1"),
    (AddsToIdentity, "shoe", "identify.is_what_it_should_be", "K3"),
    (UndeclaredBits, "shoe", "identify.says_what_it_can", "K5"),
    (NoAreas, "chips", "identify.says_what_it_can", "K5"),
    (NoAreas, "cards", "identify.says_what_it_can", "K5"),
    (OtherAreas, "chips", "kind.reads_everything_when_asked", "K5"),
    (OtherAreas, "cards", "kind.reads_everything_when_asked", "K5"),
    (NothingIsNew, "shoe", "events.are_forgotten_when_durable", "K4"),
    (DropsLongHello, "shoe", "identify.understands_a_longer_hello", "K1"),
    (IgnoresOtherVersions, "shoe", "identify.tells_another_link_version", "S4"),
    (KeepsSessionForOthers, "shoe", "identify.ends_its_session_for_another_link_version", "S4"),
    (SessionForAnyVersion, "shoe", "identify.tells_another_link_version", "S4"),
    (TakesNonceZero, "shoe", "identify.answers_no_wrong_hello", "S5"),
    (AnnouncesRarely, "shoe", "identify.announces_itself", "S7"),
    (AnswersStraysInHaste, "shoe", "identify.answers_strays", "S8"),
    (SilentStart, "shoe", "restart.is_announced_at_once", "S7"),
    (AppliesStraySet, "shoe", "identify.answers_strays", "S8"),
    (DoesStrayCommands, "wheel", "identify.answers_strays", "S8"),
    (WaitsForAck, "shoe", "commands.are_done_before_the_first_ack", "S6"),
    (HearsNoise, "shoe", "timing.does_not_hear_noise", "F6"),
    (HearsNoise, "wheel", "timing.does_not_hear_noise", "T2"),
    (DroppedAcksHold, "shoe", "outputs.are_not_held_by_wrong_frames", "O5"),
    (DroppedAcksHold, "wheel", "timing.does_not_hear_noise", "E5"),
    (DroppedAcksAccept, "shoe", "memory.is_not_acknowledged_away", "E5"),
    (SixteenBitNumbers, "shoe", "events.survive_wrong_acks", "E5"),
    (OverwritesOldest, "shoe", "memory.forgets_all_or_nothing", "E11"),
    (OverwritesOldest, "chips", "memory.forgets_all_or_nothing", "E11"),
    (LeavesOutTheNewest, "shoe", "memory.forgets_all_or_nothing", "E11"),
    (HoldsFew, "shoe", "memory.holds_what_its_page_asks", "E10"),
    (RefusesEarly, "shoe", "memory.holds_what_its_page_asks", "E10"),
    (CountsEpochs, "shoe", "memory.draws_its_epochs", "E2"),
    (TwoEpochs, "shoe", "memory.draws_its_epochs", "E2"),
    (PhantomEvent, "wheel", "restart.numbers_nothing_by_itself", "R2"),
    (PhantomEvent, "chips", "restart.numbers_nothing_by_itself", "R2"),
    (SkipsOldest, "shoe", "events.are_numbered_without_gaps", "E1"),
    (OtherMessageIds, "shoe", "events.are_numbered_without_gaps", "E13"),
    (StuckWindow, "shoe", "events.move_with_the_window", "E6"),
    (SlowToGoBack, "shoe", "events.go_back_when_nothing_is_received", "E7"),
    (NeverQuickAgain, "shoe", "events.go_back_quickly_after_an_advance", "E7"),
    (RepeatsReceived, "shoe", "events.are_not_repeated_once_received", "E3"),
    (SendsAllAgain, "shoe", "events.resume_in_the_middle", "E3"),
    (FloodsLive, "shoe", "timing.shows_live_sparingly", "V2"),
    (ShowsToAnybody, "shoe", "timing.shows_live_sparingly", "V1"),
    (BeatsInHaste, "shoe", "timing.beats_when_it_has_nothing_to_say", "T1"),
    (GivesUpEarly, "shoe", "timing.notices_a_silent_host", "T2"),
    (SlowApplied, "shoe", "timing.answers_in_time", "O1"),
    (DropsLongCommands, "wheel", "commands.are_refused_however_long", "C4"),
    (AnswersShortCommands, "wheel", "commands.are_not_taken_cut_short", "C4"),
    (RefusesWithoutReason, "wheel", "commands.are_refused_when_unknown", "C4"),
    (SilentAboutUnknown, "wheel", "commands.are_refused_when_unknown", "C4"),
    (AddsToResults, "wheel", "commands.are_answered_at_their_limits", "C6"),
    (StopsForCommands, "wheel", "commands.hold_up_nothing", "C1"),
    (AppliedAnyRevision, "shoe", "outputs.are_applied_at_their_limits", "O1"),
    (OnlySaysApplied, "shoe", "outputs.are_applied_at_their_limits", "O1"),
    (TakesShortSets, "shoe", "outputs.are_not_applied_from_a_short_frame", "O2"),
    (OutputsSurvive, "shoe", "outputs.are_safe_after_a_restart", "O4"),
    (FallsBackInSilence, "shoe", "outputs.fall_back_when_the_host_is_silent", "O6"),
    (ProvesToEverybody, "shoe", "pairing.asks_anew_every_time", "P1"),
    (ForgetsItsChallenge, "shoe", "pairing.asks_anew_every_time", "P3"),
    (IgnoresTheHostsChallenge, "shoe", "pairing.proves_itself", "P1"),
    (TakesAnyProof, "shoe", "pairing.hears_nobody_without_proof", "P2"),
    (NoProofOfSealing, "shoe", "sealing.answers_sealed_frames_sealed", "L1"),
    (AnswersBare, "shoe", "sealing.answers_sealed_frames_sealed", "L2"),
    (TakesBare, "shoe", "sealing.hears_nothing_else", "L2"),
    (TakesBare, "shoe", "sealing.is_not_kept_alive_by_strangers", "L2"),
    (TakesReplays, "shoe", "sealing.hears_nothing_else", "L3"),
    (ForgetsAnArea, "chips", "kind.reads_everything_when_asked", ""),
    (SaysMoreAtTheEnd, "chips", "kind.reads_everything_when_asked", ""),
    (EndsTooEarly, "chips", "kind.reads_everything_when_asked", ""),
    (TellsSeconds, "chips", "kind.tells_its_time_in_milliseconds", "E14"),
    (TellsSeconds, "cards", "kind.tells_its_time_in_milliseconds", "E14"),
    (CalibratesAnyway, "chips", "kind.calibrates_only_what_is_empty", ""),
    (NextDrawIsNonsense, "shoe", "kind.tells_its_start", ""),
    (NextDrawIsNonsense, "shuffler", "kind.tells_its_start", ""),
    (ChecksInSilence, "shuffler", "shuffler.tells_its_check", ""),
    (ChecksUnderAnotherId, "shuffler", "shuffler.tells_its_check", ""),
    (TellsAnotherMode, "shuffler", "shuffler.is_in_the_mode_it_tells", ""),
    (AnswersAnotherMode, "shuffler", "shuffler.is_in_the_mode_it_tells", ""),
    (StartsInAnotherMode, "shuffler", "shuffler.is_in_the_mode_it_tells", ""),
    (MiscountsAtStart, "shuffler", "shuffler.counts_what_it_told", ""),
]
NEED_KEY = {each for each, _, step, _ in MORE if step.startswith(("pairing.", "sealing."))}
