"""The table's way to the floor: rows that are on disk go to a broker, in order and once each; off unless configured."""

from __future__ import annotations

import asyncio

from controller.config.types import UplinkSection
from controller.core.runtime import Runtime
from controller.journal.cosignature import read_witness
from controller.journal.head import TableKey
from controller.uplink.link import Uplink, UplinkThread
from controller.uplink.orders import Gate


def joined(runtime: Runtime, section: UplinkSection, key: TableKey | None = None) -> UplinkThread:
    """Send what this table writes, on a thread of its own."""
    uplink = following(runtime, section, key)
    return UplinkThread(uplink)


def following(runtime: Runtime, section: UplinkSection, key: TableKey | None = None) -> Uplink:
    """The uplink that hears of every row of this table, whose state its pit shows and whose orders it takes.

    Somebody runs it, on another thread than the loop on which this is called and the table runs.
    """
    uplink = Uplink(runtime.journal.path, section, lambda: runtime.newest_head(), key)
    runtime.watchers.append(uplink.wake)
    runtime.uplink_sign = lambda: uplink.shown(runtime.journal.last_seq)
    loop, witness = asyncio.get_running_loop(), read_witness(section.witness) if section.witness else None
    gate = Gate(witness, runtime.journal.origin, lambda event: loop.call_soon_threadsafe(runtime.submit, event))
    uplink.order = gate.take
    return uplink
