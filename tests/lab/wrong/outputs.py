"""Devices whose outputs are not what was said, or do not fall back."""

from __future__ import annotations

from typing import Any

from firmware_specs import link
from firmware_specs.frames import encode_frame
from firmware_specs.spec import BadMessage, Message
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, content_of


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


class TakesOldOutputs(DeviceLink):
    """Applies a SET whatever its revision."""

    def _on_set(self, content: bytes) -> None:
        self._revision = None
        super()._on_set(content)


class SlowApplied(DeviceLink):
    """Answers SET after half a second."""

    def _on_set(self, content: bytes) -> None:
        self.clock.call_later(0.5, self._later_set, content)

    def _later_set(self, content: bytes) -> None:
        if self.powered:
            super()._on_set(content)


class AppliedAnyRevision(DeviceLink):
    """Answers SET with a count of its own."""

    def _write(self, frame: bytes) -> None:
        content = content_of(frame)
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


class HeldBySetsAlone(DeviceLink):
    """Lets its outputs fall back though ACKs come."""

    def _on_ack(self, content: bytes) -> None:
        ruled = self._ruled
        super()._on_ack(content)
        self._ruled = ruled


WRONG = [
    Wrong(SlowApplied, "shoe", "timing.answers_in_time", "O1"),
    Wrong(AppliedAnyRevision, "shoe", "outputs.are_applied_at_their_limits", "O1"),
    Wrong(OnlySaysApplied, "shoe", "outputs.are_applied_at_their_limits", "O1"),
    Wrong(TakesAnyOutputs, "shoe", "outputs.are_not_applied_beyond_their_limits", "O2"),
    Wrong(TakesShortSets, "shoe", "outputs.are_not_applied_from_a_short_frame", "O2"),
    Wrong(TakesOldOutputs, "shoe", "outputs.ignore_older_revisions", "O3"),
    Wrong(OutputsSurvive, "shoe", "outputs.are_safe_after_a_restart", "O4"),
    Wrong(IgnoresHold, "shoe", "outputs.fall_back_when_the_host_is_silent", "O5"),
    Wrong(LetsHelloHoldOutputs, "shoe", "outputs.fall_back_when_the_host_is_silent", "O5"),
    Wrong(FallsBackEarly, "shoe", "outputs.fall_back_when_the_host_is_silent", "O5"),
    Wrong(HeldBySetsAlone, "shoe", "outputs.stay_while_the_host_is_heard", "O5"),
    Wrong(FallsBackInSilence, "shoe", "outputs.fall_back_when_the_host_is_silent", "O6"),
]
