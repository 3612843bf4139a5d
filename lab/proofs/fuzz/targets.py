"""Everything that can be put under fire, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lab.proofs.fuzz import files
from lab.proofs.fuzz.campaign import Target
from lab.proofs.fuzz.noise import LineNoise
from lab.proofs.fuzz.samples import DEVICES
from lab.proofs.fuzz.sessions import DeviceSessions, HostSessions
from lab.proofs.fuzz.tables import Tables
from lab.proofs.fuzz.wires import Captures, Frames, LinkFrames, Messages, Swipe

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
