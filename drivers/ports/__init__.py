"""Where bytes come in: the port that an address in the table's configuration names."""

from __future__ import annotations

import asyncio
from typing import Any

from firmware_specs.port import Port, PortTrouble
from firmware_specs.ports import port_at

__all__ = ["Port", "PortTrouble", "open_port"]


def open_port(address: str, loop: asyncio.AbstractEventLoop, *, usb_backend: Any = None) -> Port:
    """The port at an address, ready for its link to open; a wrong address raises PortTrouble.

    Serial paths (`/dev/ttyUSB0`, `/dev/ttyUSB0@57600`), `tcp://HOST:PORT`, `usb:VENDOR:PRODUCT[:SERIAL]`;
    `pty[:LINK]` and `tcp:HOST:PORT` are the simulators' ends of such lines.
    """
    if address.startswith("usb:"):
        from drivers.ports.usb import UsbPort  # with pyusb, which a table on serial lines does without

        return UsbPort(address, loop=loop, backend=usb_backend)
    return port_at(address, loop)
