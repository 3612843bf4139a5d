"""The table's way to the floor: rows that are on disk go to a broker, in order and once each; off unless configured."""

from __future__ import annotations

from controller.config.types import UplinkSection
from controller.core.runtime import Runtime
from controller.uplink.link import Uplink, UplinkThread


def joined(runtime: Runtime, section: UplinkSection) -> UplinkThread:
    """Send what this table writes, on a thread of its own."""
    uplink = following(runtime, section)
    return UplinkThread(uplink)


def following(runtime: Runtime, section: UplinkSection) -> Uplink:
    """The uplink that hears of every row of this table, and whose state its pit shows; somebody runs it."""
    uplink = Uplink(runtime.journal.path, section, lambda: runtime.newest_head())
    runtime.watchers.append(uplink.wake)
    runtime.uplink_sign = lambda: uplink.sign
    return uplink
