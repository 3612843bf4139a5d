"""Devices that are silent, hasty or deaf."""

from __future__ import annotations

from typing import Any

from firmware_specs import link
from firmware_specs.frames import encode_frame
from firmware_specs.spec import Message
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, least


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


class FloodsLive(DeviceLink):
    """Shows something a hundred times a second."""

    def start(self) -> None:
        super().start()
        self._show()

    def _show(self) -> None:
        if self.powered:
            kind = next(iter(self.spec.live.values()))
            self.live(least(kind))
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


WRONG = [
    Wrong(HearsNoise, "shoe", "timing.does_not_hear_noise", "F6"),
    Wrong(HearsNoise, "wheel", "timing.does_not_hear_noise", "T2"),
    Wrong(DroppedAcksHold, "wheel", "timing.does_not_hear_noise", "E5"),
    Wrong(DroppedAcksHold, "shoe", "outputs.are_not_held_by_wrong_frames", "O5"),
    Wrong(ShowsToAnybody, "shoe", "timing.shows_live_sparingly", "V1"),
    Wrong(FloodsLive, "shoe", "timing.shows_live_sparingly", "V2"),
    Wrong(NoBeat, "shoe", "timing.beats_when_it_has_nothing_to_say", "T1"),
    Wrong(BeatsInHaste, "shoe", "timing.beats_when_it_has_nothing_to_say", "T1"),
    Wrong(NeverMissesTheHost, "wheel", "timing.notices_a_silent_host", "T2"),
    Wrong(GivesUpEarly, "shoe", "timing.notices_a_silent_host", "T2"),
]
