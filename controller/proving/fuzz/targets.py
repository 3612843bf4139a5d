"""Everything that can be put under fire, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from controller.proving.fuzz import files
from controller.proving.fuzz.campaign import Target
from controller.proving.fuzz.noise import LineNoise
from controller.proving.fuzz.samples import DEVICES
from controller.proving.fuzz.sessions import DeviceSessions, HostSessions
from controller.proving.fuzz.tables import Tables
from controller.proving.fuzz.wires import Captures, Frames, LinkFrames, Messages, Swipe

WAR = ("melbourne-war", "perth-war", "star-war")
TARGETS: dict[str, Callable[[int], Target]] = {
    "frames": Frames,
    "link-frames": LinkFrames,
    **{f"messages-{device}": partial(Messages, device=device) for device in DEVICES},
    "host-link": HostSessions,
    "device-link": DeviceSessions,
    "swipe": Swipe,
    "capture": Captures,
    **files.TARGETS,
    "table-wheel": partial(Tables, game="wheel"),
    **{f"table-{book}": partial(Tables, game="war", rulebook=book) for book in WAR},
    "table-poker": partial(Tables, game="poker"),
    "line-noise": LineNoise,
}
