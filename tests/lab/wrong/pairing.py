"""Devices that prove, seal and hear wrongly."""

from __future__ import annotations

import msgspec

from firmware_specs import link, pairing
from firmware_specs.frames import FrameDecoder, encode_frame
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, content_of


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


class ProvesToEverybody(DeviceLink):
    """Adds its proof to announcements too."""

    def _write(self, frame: bytes) -> None:
        content = content_of(frame)
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
            self._hello = msgspec.structs.replace(self._hello, challenge=b"")
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


class NoProofOfSealing(DeviceLink):
    """Does not know the PROOF that demands sealed frames, though it says so."""

    def _on_proof(self, content: bytes) -> None:
        _, proof = link.decode_proof(content)
        if self._hello is not None and proof == pairing.host_proof(self.key, self._hello.challenge, self._challenge):
            super()._on_proof(content)


class AnswersAnyProof(DeviceLink):
    """Says who it is to whoever says PROOF."""

    def _on_proof(self, content: bytes) -> None:
        super()._on_proof(content)
        self._identify(0)


class TakesAnyKey(DeviceLink):
    """Takes another key from whoever gives it one."""

    def _on_pair(self, content: bytes) -> None:
        nonce, key = link.decode_pair(content)
        if self._hello is not None and nonce == self._hello.nonce:
            self.key = key


WRONG = [
    Wrong(ProvesNothing, "shoe", "pairing.proves_itself", "P1"),
    Wrong(ProvesToEverybody, "shoe", "pairing.asks_anew_every_time", "P1"),
    Wrong(IgnoresTheHostsChallenge, "shoe", "pairing.proves_itself", "P1"),
    Wrong(HearsAnybody, "shoe", "pairing.hears_nobody_without_proof", "P2"),
    Wrong(TakesAnyProof, "shoe", "pairing.hears_nobody_without_proof", "P2"),
    Wrong(AnswersAnyProof, "shoe", "pairing.drops_what_proves_nothing", "P2"),
    Wrong(OneChallenge, "shoe", "pairing.asks_anew_every_time", "P3"),
    Wrong(ForgetsItsChallenge, "shoe", "pairing.asks_anew_every_time", "P3"),
    Wrong(TakesAnyKey, "shoe", "pairing.takes_no_key_from_strangers", "P4"),
    Wrong(NoProofOfSealing, "shoe", "sealing.answers_sealed_frames_sealed", "L1"),
    Wrong(AnswersBare, "shoe", "sealing.answers_sealed_frames_sealed", "L2"),
    Wrong(TakesBare, "shoe", "sealing.hears_nothing_else", "L2"),
    Wrong(TakesBare, "shoe", "sealing.is_not_kept_alive_by_strangers", "L2"),
    Wrong(TakesReplays, "shoe", "sealing.hears_nothing_else", "L3"),
]
