"""What is said of each wrong device: the step that must catch it and the sentence it breaks."""

from __future__ import annotations

from typing import NamedTuple

from firmware_specs.frames import FrameDecoder
from firmware_specs.spec import BadMessage, Message
from simulators.link import DeviceLink

KEY = bytes(range(100, 132))
"""Of the wrong devices that are paired."""


class Wrong(NamedTuple):
    """A device that is wrong in one way in which firmware has been wrong before."""

    device: type[DeviceLink]
    kind: str  # it is tried as
    step: str  # that must catch it
    sentence: str  # of the link's page, note of the device's own, or the message whose meaning there is broken

    @property
    def key(self) -> bytes:
        """Only what is paired proves and seals."""
        return KEY if self.step.startswith(("pairing.", "sealing.")) and not self.unpaired else b""

    @property
    def unpaired(self) -> bool:
        return bool(getattr(self.device, "unpaired", False))

    @property
    def name(self) -> str:
        return f"{self.device.__name__}-{self.kind}-{self.step}"


def content_of(frame: bytes) -> bytes:
    (content,) = FrameDecoder().feed(frame)
    return content


def least(kind: type[Message]) -> Message:
    """A message of this kind, whatever it says."""
    for length in range(400):
        for fill in (b"\0", b"\1"):
            try:
                return kind.decode(fill * length)
            except BadMessage:
                continue
    raise AssertionError(kind)
