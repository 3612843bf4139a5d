"""A simulated device served over USB/IP: any Linux machine attaches it as a true USB device.

What travels is described in the kernel's documentation of the protocol; a device list, one import, then the
transfers of the kernel's own USB stack, each answered in its time.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
from array import array
from collections import deque

import structlog
from usb.core import USBError

from firmware_specs.port import PortTrouble
from simulators.gadget import Gadget
from simulators.usb import UsbBus

VERSION = 0x0111
BUSID = b"1-1"
BUS, DEVICE = 1, 2
FULL_SPEED = 2
_OP = struct.Struct(">HHI")
_DEVICE = struct.Struct(">256s32sIIIHHHBBBBBB")
_HEAD = struct.Struct(">IIIII")  # command, seqnum, devid, direction, endpoint
_SUBMIT = struct.Struct(">IiIII8s")  # flags, length, start frame, packets, interval, setup
_RETURN = struct.Struct(">IIIIIiiIII8x")
_UNLINKED = struct.Struct(">IIIIIi24x")
_SETUP = struct.Struct("<BBHHH")
_LIST, _IMPORT = 0x8005, 0x8003
_LISTED, _IMPORTED = 0x0005, 0x0003
_CMD_SUBMIT, _CMD_UNLINK, _RET_SUBMIT, _RET_UNLINK = 1, 2, 3, 4
_CLEAR_FEATURE, _SET_CONFIGURATION, _SET_INTERFACE = 0x01, 0x09, 0x0B
_LONGEST = 1 << 20

log = structlog.get_logger("usbip")


class _Waiting:
    """A transfer of the kernel that the device has nothing for yet."""

    def __init__(self, seqnum: int, length: int) -> None:
        self.seqnum = seqnum
        self.length = length
        self.got = bytearray()


class NetworkBus(UsbBus):
    """A bus whose only host is a kernel at the other end of a TCP connection; the device is in while it is attached."""

    def __init__(self, gadget: Gadget, address: str) -> None:
        """`address` is `usbip:PORT` or `usbip:HOST:PORT`; raises PortTrouble when nothing can be served there."""
        super().__init__(blocking=False)
        self.gadget = gadget
        self._socket = _listening(address)
        self.host, self.port = self._socket.getsockname()[:2]
        self._server: asyncio.Server | None = None
        self._attached: asyncio.StreamWriter | None = None
        self._reading: dict[int, deque[_Waiting]] = {}

    @property
    def name(self) -> str:
        return f"usbip:{self.host}:{self.port}"

    async def serve(self) -> None:
        """Listen; the device is plugged in whenever a kernel attaches it."""
        self._server = await asyncio.start_server(self._connected, sock=self._socket)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        if self._attached is not None:
            self._attached.close()

    def send(self, gadget: Gadget, address: int, octets: bytes) -> bool:
        loaded = super().send(gadget, address, octets)
        self._fill(address)
        return loaded

    # --- a connection ------------------------------------------------------------------------

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if await self._asked(reader, writer):
                await self._transfer(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the cable was pulled
        except ValueError as error:
            log.warning("not_usbip", error=str(error))
        finally:
            if self._attached is writer:
                self._attached = None
                self._reading.clear()
                self.unplug(self.gadget)
            writer.close()

    async def _asked(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether this connection has imported the device."""
        version, code, _ = _OP.unpack(await reader.readexactly(_OP.size))
        if code == _LIST:
            interface = bytes((self.gadget.interface_class, 0, 0, 0))
            writer.write(_OP.pack(VERSION, _LISTED, 0) + struct.pack(">I", 1) + self._described() + interface)
            await writer.drain()
            return False
        if code != _IMPORT:
            raise ValueError(f"code {code:#06x} of version {version:#06x}")
        busid = (await reader.readexactly(32)).rstrip(b"\0")
        if busid != BUSID or self._attached is not None:
            writer.write(_OP.pack(VERSION, _IMPORTED, 1))
            await writer.drain()
            return False
        self._attached = writer
        self.plug(self.gadget)
        writer.write(_OP.pack(VERSION, _IMPORTED, 0) + self._described())
        await writer.drain()
        return True

    def _described(self) -> bytes:
        gadget = self.gadget
        return _DEVICE.pack(
            b"/sys/devices/simulated/1-1", BUSID, BUS, DEVICE, FULL_SPEED, gadget.vendor, gadget.product,
            gadget.release, 0, 0, 0, gadget.configured, 1, 1,
        )  # fmt: skip

    # --- transfers ---------------------------------------------------------------------------

    async def _transfer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handle = self.open_device(next(self.enumerate_devices()))
        while True:
            head = await reader.readexactly(_HEAD.size + _SUBMIT.size)
            command, seqnum, _, inward, endpoint = _HEAD.unpack_from(head)
            if command == _CMD_UNLINK:
                self._unlink(writer, seqnum, struct.unpack_from(">I", head, _HEAD.size)[0])
            elif command == _CMD_SUBMIT:
                _, length, _, _, _, setup = _SUBMIT.unpack_from(head, _HEAD.size)
                if not 0 <= length <= _LONGEST:
                    raise ValueError(f"a transfer of {length} bytes")
                octets = await reader.readexactly(length) if not inward else b""
                if endpoint == 0:
                    self._control(writer, handle, seqnum, setup, length, octets)
                elif inward:
                    self._read_later(writer, seqnum, 0x80 | endpoint, length)
                else:
                    self._take(writer, seqnum, endpoint, octets)
            else:
                raise ValueError(f"command {command}")
            await writer.drain()

    def _control(
        self, writer: asyncio.StreamWriter, handle: object, seqnum: int, setup: bytes, length: int, octets: bytes
    ) -> None:
        kind, request, value, index, _ = _SETUP.unpack(setup)
        answer = b""
        try:
            if (kind, request) == (0x00, _SET_CONFIGURATION):
                self.gadget.configured = value
            elif (kind, request) == (0x02, _CLEAR_FEATURE):
                self.clear_halt(handle, index)  # type: ignore[arg-type]
            elif (kind, request) != (0x01, _SET_INTERFACE):
                room = array("B", octets if not kind & 0x80 else bytes(length))
                got = self.ctrl_transfer(handle, kind, request, value, index, room, 0)  # type: ignore[arg-type]
                answer = room.tobytes()[:got] if kind & 0x80 else b""
        except USBError as error:
            self._answer(writer, seqnum, -(error.errno or errno.EPIPE), b"", 0)
            return
        self._answer(writer, seqnum, 0, answer, len(answer) if kind & 0x80 else length)

    def _take(self, writer: asyncio.StreamWriter, seqnum: int, endpoint: int, octets: bytes) -> None:
        pipe = self.gadget.endpoints.get(endpoint)
        if pipe is None or pipe.stalled or pipe.on_out is None:
            self._answer(writer, seqnum, -errno.EPIPE, b"", 0)
            return
        pipe.on_out(octets)
        self._answer(writer, seqnum, 0, b"", len(octets))

    def _read_later(self, writer: asyncio.StreamWriter, seqnum: int, address: int, length: int) -> None:
        if address not in self.gadget.endpoints:
            self._answer(writer, seqnum, -errno.EPIPE, b"", 0)
            return
        self._reading.setdefault(address, deque()).append(_Waiting(seqnum, length))
        self._fill(address)

    def _fill(self, address: int) -> None:
        """Answer waiting transfers with what the device has ready; a short packet ends a transfer."""
        writer, waiting = self._attached, self._reading.get(address)
        if writer is None or not waiting:
            return
        pipe = self.gadget.endpoints[address]
        while waiting and pipe.has_packet and not pipe.silent:
            transfer = waiting[0]
            packet = pipe.take_packet()
            transfer.got += packet
            if len(transfer.got) > transfer.length:
                waiting.popleft()
                self._answer(writer, transfer.seqnum, -errno.EOVERFLOW, b"", 0)
            elif len(packet) < pipe.packet or len(transfer.got) == transfer.length:
                waiting.popleft()
                self._answer(writer, transfer.seqnum, 0, bytes(transfer.got), len(transfer.got))

    def _unlink(self, writer: asyncio.StreamWriter, seqnum: int, unwanted: int) -> None:
        status = 0
        for waiting in self._reading.values():
            for transfer in waiting:
                if transfer.seqnum == unwanted:
                    waiting.remove(transfer)
                    status = -errno.ECONNRESET
                    break
        writer.write(_UNLINKED.pack(_RET_UNLINK, seqnum, 0, 0, 0, status))

    def _answer(self, writer: asyncio.StreamWriter, seqnum: int, status: int, octets: bytes, done: int) -> None:
        writer.write(_RETURN.pack(_RET_SUBMIT, seqnum, 0, 0, 0, status, done, 0, 0, 0) + octets)


def _listening(address: str) -> socket.socket:
    host, _, port = address.removeprefix("usbip:").rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise PortTrouble(f"'{address}' is not a place to serve USB/IP at", "Write usbip:PORT or usbip:HOST:PORT.")
    try:
        return socket.create_server((host or "127.0.0.1", int(port)), reuse_port=False)
    except OSError as error:
        raise PortTrouble(
            f"{address} cannot be served ({error.strerror})", "Choose another port, or end what uses this one."
        ) from error
