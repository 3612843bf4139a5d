"""Devices that frame wrongly or take what is no frame."""

from __future__ import annotations

from zlib import crc32

from cobs import cobs

from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, content_of


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


class ServesTheNextOnlyOnce(DeviceLink):
    """Throws away the next good frame with what was damaged before it."""

    def _on_bytes(self, octets: bytes) -> None:
        for piece in octets.split(b"\0"):
            if not piece:
                continue
            sound = bool(FrameDecoder().feed(piece + b"\0"))
            if sound and not getattr(self, "_dizzy", False):
                super()._on_bytes(piece + b"\0")
            self._dizzy = not sound


class _AnyLength(FrameDecoder):
    def _check(self, stuffed: bytes) -> bytes | None:
        try:
            whole: bytes = cobs.decode(stuffed)
        except cobs.DecodeError:
            return None
        return whole[:-4] if crc32(whole[:-4]).to_bytes(4, "little") == whole[-4:] else None


class TakesAnyLength(DeviceLink):
    """Takes frames that are longer than any may be."""

    def start(self) -> None:
        self._decoder = _AnyLength()
        super().start()


class _ShortBlocks(FrameDecoder):
    def _check(self, stuffed: bytes) -> bytes | None:
        at = 0
        while at < len(stuffed):
            if stuffed[at] == 0xFF:
                return None
            at += stuffed[at]
        return super()._check(stuffed)


class KnowsNoFullBlock(DeviceLink):
    """Cannot read a block of 254 bytes without a zero."""

    def start(self) -> None:
        self._decoder = _ShortBlocks()
        super().start()


class EndsFullBlocksWithAZero(DeviceLink):
    """Stuffs a block of 254 bytes as if a zero stood behind it."""

    def _put(self, frame: bytes) -> None:
        content = content_of(frame)
        whole = content + crc32(content).to_bytes(4, "little")
        if any(len(run) >= 254 for run in whole.split(b"\0")):
            frame = encode_frame(content).replace(b"\xff", b"\xff\x01", 1)
        super()._put(frame)


class CutByItsReset(DeviceLink):
    """Begins in the middle of what its reset cut off."""

    def _write(self, frame: bytes) -> None:
        super()._write(frame.lstrip(b"\0"))


class ChokesOnShortFrames(DeviceLink):
    """A frame too short for its kind runs into its watchdog."""

    def _on_bytes(self, octets: bytes) -> None:
        before = self.counters["bad"]
        super()._on_bytes(octets)
        if self.counters["bad"] != before:
            self.boot = self._draw()
            self._end_session()
            self._announce()


WRONG = [
    Wrong(IgnoresCheckSums, "wheel", "hostile.flipped_bits_are_dropped", "F2"),
    Wrong(IgnoresCheckSums, "wheel", "hostile.wrong_check_sums_are_dropped", "F2"),
    Wrong(SendsWrongCheckSums, "wheel", "timing.beats_when_it_has_nothing_to_say", "F2"),
    Wrong(TakesAnyLength, "shoe", "hostile.overlong_frames_are_dropped", "F3"),
    Wrong(KnowsNoFullBlock, "shoe", "identify.understands_a_longer_hello", "F4"),
    Wrong(EndsFullBlocksWithAZero, "chips", "events.pass_at_their_limits", "F4"),
    Wrong(GoesDeaf, "shoe", "hostile.overlong_frames_are_dropped", "F5"),
    Wrong(ServesTheNextOnlyOnce, "shoe", "hostile.cut_frames_are_dropped", "F5"),
    Wrong(RestartsOnNoise, "shoe", "hostile.unknown_kinds_are_dropped", "F6"),
    Wrong(ChokesOnShortFrames, "shoe", "hostile.noise_does_nothing", "F6"),
    Wrong(DropsWhatComesTogether, "shoe", "hostile.pieces_are_joined", "F7"),
    Wrong(CutByItsReset, "shoe", "restart.begins_afresh", "F9"),
]
