"""Which port an address names; USB is the host's alone and lives with the drivers."""

from __future__ import annotations

import asyncio

from firmware_specs.port import Port, PortTrouble
from firmware_specs.ports_io import PtyPort, SerialPort


def port_at(address: str, loop: asyncio.AbstractEventLoop) -> Port:
    """The port an address names: a serial path, `pty`, `pty:LINK`, `tcp://HOST:PORT` or `tcp:HOST:PORT`."""
    if address.startswith("tcp:"):
        return _socket(address, loop)
    if address == "pty":
        return PtyPort(loop)
    if address.startswith("pty:") and len(address) > len("pty:"):
        return PtyPort(loop, link=address[len("pty:") :])
    if address.startswith("/"):
        path, at, baud = address.rpartition("@")
        if at and baud.isdigit():
            return SerialPort(loop, path, int(baud))
        return SerialPort(loop, address)
    raise wrong_address(address)


def _socket(address: str, loop: asyncio.AbstractEventLoop) -> Port:
    from firmware_specs.ports_tcp import TcpListener, TcpPort  # a table on serial lines does without

    if address.startswith("tcp://"):
        return TcpPort(loop, *_host_and_number(address, address[len("tcp://") :]))
    return TcpListener(loop, *_host_and_number(address, address[len("tcp:") :]))


def wrong_address(address: str) -> PortTrouble:
    """The trouble told about an address that names no kind of port."""
    return PortTrouble(
        f"'{address}' is not a port address",
        "Write a serial path such as /dev/ttyUSB0, or tcp://HOST:PORT, or usb:VENDOR:PRODUCT[:SERIAL].",
    )


def _host_and_number(address: str, rest: str) -> tuple[str, int]:
    host, colon, number = rest.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not number.isdigit() or int(number) > 65_535:
        raise PortTrouble(
            f"'{address}' is not a socket address",
            "Write a host and a port number between 1 and 65535, such as tcp://127.0.0.1:7001.",
        )
    return host, int(number)
