"""Everything that can be put under fire, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lab.proofs.fuzz import files
from lab.proofs.fuzz.campaign import Target
from lab.proofs.fuzz.floor import Acts, FloorRows, OrderMessages
from lab.proofs.fuzz.noise import LineNoise
from lab.proofs.fuzz.samples import DEVICES
from lab.proofs.fuzz.sessions import DeviceSessions, HostSessions
from lab.proofs.fuzz.tables import Tables
from lab.proofs.fuzz.wires import Captures, Frames, LinkFrames, Messages, Swipe
from lab.sim.config import simulated_tables

TARGETS: dict[str, Callable[[int], Target]] = {
    "frames": Frames,
    "link-frames": LinkFrames,
    **{f"messages-{device}": partial(Messages, device=device) for device in DEVICES},
    "host-link": HostSessions,
    "device-link": DeviceSessions,
    "swipe": Swipe,
    "capture": Captures,
    **files.TARGETS,
    "order": OrderMessages,
    "acts": Acts,
    "floor-rows": FloorRows,
    **{
        f"table-{name}": partial(Tables, name=name, game=game, rulebook=book)
        for name, (game, book) in simulated_tables().items()
    },
    "line-noise": LineNoise,
}
