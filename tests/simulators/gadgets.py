"""A gadget on the simulated USB bus, for tests."""

from __future__ import annotations

from simulators.gadget import BULK, Endpoint, Gadget

VENDOR, PRODUCT = 0x1209, 0x7AB1


def gadget(serial: str = "M-1") -> Gadget:
    return Gadget(
        VENDOR,
        PRODUCT,
        serial=serial,
        manufacturer="Table works",
        title="Chip mat ü",
        endpoints=(Endpoint(0x81, BULK, 64), Endpoint(0x01, BULK, 64)),
    )
