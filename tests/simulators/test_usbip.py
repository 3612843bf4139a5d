"""A simulated device over USB/IP, asked by a kernel made of a few lines; `make test-kernel` asks with a real one."""

from __future__ import annotations

import asyncio
import errno
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_specs import link
from firmware_specs.clock import RealClock
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages import chips
from firmware_specs.port import PortTrouble
from simulators.chips import ChipMat, chip_gadget
from simulators.usb import GadgetPort
from simulators.usbip import NetworkBus
from tests.standing import tablectl

IMPORT, LIST = 0x8003, 0x8005
IN, OUT = 1, 0


class Kernel:
    """The far end: imports the device and submits transfers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.seqnum = 0

    async def read(self, length: int) -> bytes:
        return await asyncio.wait_for(self.reader.readexactly(length), 10)

    async def attach(self, busid: bytes = b"1-1") -> int:
        self.writer.write(struct.pack(">HHI32s", 0x0111, IMPORT, 0, busid))
        _, code, status = struct.unpack(">HHI", await self.read(8))
        assert code == 0x0003
        if status == 0:
            described = await self.read(312)
            assert struct.unpack_from(">IIIHH", described, 288) == (1, 2, 2, 0x1209, 0x7AB1)
        return int(status)

    def submit(self, endpoint: int, inward: int, length: int, octets: bytes = b"", setup: bytes = bytes(8)) -> int:
        self.seqnum += 1
        head = struct.pack(">IIIII", 1, self.seqnum, 0x10002, inward, endpoint)
        self.writer.write(head + struct.pack(">IiIII8s", 0, length, 0, 0, 0, setup) + octets)
        return self.seqnum

    async def returned(self, inward: int) -> tuple[int, int, bytes]:
        """The number, the status and what came of the next transfer that ends."""
        command, seqnum, _, _, _, status, length = struct.unpack(">IIIIIii", (await self.read(48))[:28])
        assert command == 3
        return seqnum, status, await self.read(length) if inward and status == 0 else b""

    async def control(self, kind: int, request: int, value: int, index: int, length: int) -> tuple[int, bytes]:
        self.submit(0, kind >> 7, length, b"", struct.pack("<BBHHH", kind, request, value, index, length))
        _, status, octets = await self.returned(kind >> 7)
        return status, octets


def with_a_mat(talk: Callable[[NetworkBus, ChipMat, Callable[[], Awaitable[Kernel]]], Awaitable[None]]) -> None:
    """Serve a chip mat, and let `talk` connect kernels to it."""

    async def play() -> None:
        loop = asyncio.get_running_loop()
        bus = NetworkBus(chip_gadget("CM-7"), "usbip:0")
        mat = ChipMat(RealClock(loop), GadgetPort(bus, bus.gadget, loop.call_soon), areas=4, serial="CM-7", seed=1)
        await bus.serve()
        mat.start()
        kernels: list[Kernel] = []

        async def connect() -> Kernel:
            kernels.append(Kernel(*await asyncio.open_connection("127.0.0.1", bus.port)))
            return kernels[-1]

        try:
            await asyncio.wait_for(talk(bus, mat, connect), 30)
        finally:
            mat.stop()
            for kernel in kernels:
                kernel.writer.close()
            await bus.stop()

    asyncio.run(play())


async def until(condition: Callable[[], bool]) -> None:
    turn = asyncio.Event()
    async with asyncio.timeout(10):
        while not condition():
            asyncio.get_running_loop().call_later(0.01, turn.set)
            await turn.wait()
            turn.clear()


def test_a_kernel_lists_attaches_describes_and_speaks_to_the_mat() -> None:
    async def talk(bus: NetworkBus, mat: ChipMat, connect: Callable[[], Awaitable[Kernel]]) -> None:
        asking = await connect()
        asking.writer.write(struct.pack(">HHI", 0x0111, LIST, 0))
        assert struct.unpack(">HHII", await asking.read(12)) == (0x0111, 0x0005, 0, 1)
        kernel = await connect()
        assert await kernel.attach() == 0
        status, device = await kernel.control(0x80, 6, 0x0100, 0, 64)
        assert (status, len(device)) == (0, 18)
        assert struct.unpack_from("<HH", device, 8) == (0x1209, 0x7AB1)
        _, configuration = await kernel.control(0x80, 6, 0x0200, 0, 255)
        assert len(configuration) == struct.unpack_from("<H", configuration, 2)[0] == 32
        _, serial = await kernel.control(0x80, 6, 0x0303, 0x0409, 255)
        assert serial[2:].decode("utf-16-le") == "CM-7"
        assert await kernel.control(0x80, 6, 0x0600, 0, 10) == (-errno.EPIPE, b""), "a full-speed device has no other"
        assert await kernel.control(0x00, 9, 1, 0, 0) == (0, b"")
        assert bus.gadget.configured == 1
        await until(lambda: bus.gadget.endpoints[0x01].on_out is not None)
        hello = encode_frame(link.Hello(7, 0, 0).encode())
        writing = kernel.submit(1, OUT, len(hello), hello)
        assert await kernel.returned(OUT) == (writing, 0, b"")
        decoder, heard = FrameDecoder(), list[bytes]()
        while not any(content[0] == link.IDENTITY and link.Identity.decode(content).nonce == 7 for content in heard):
            kernel.submit(1, IN, 512)
            heard += decoder.feed((await kernel.returned(IN))[2])
        identity = next(link.Identity.decode(content) for content in heard if content[1:6] == b"\x01\x07\x00\x00\x00")
        assert (identity.code, identity.serial) == (chips.SPEC.code, "CM-7")

    with_a_mat(talk)


def test_a_transfer_that_waits_can_be_taken_back_and_nothing_is_lost_by_it() -> None:
    async def talk(bus: NetworkBus, mat: ChipMat, connect: Callable[[], Awaitable[Kernel]]) -> None:
        mat.stop()  # a mat without power says nothing
        kernel = await connect()
        assert await kernel.attach() == 0
        waiting = kernel.submit(1, IN, 512)
        kernel.seqnum += 1
        kernel.writer.write(struct.pack(">IIIIII24x", 2, kernel.seqnum, 0, 0, 0, waiting))
        command, seqnum, _, _, _, status = struct.unpack(">IIIIIi", (await kernel.read(48))[:24])
        assert (command, seqnum, status) == (4, kernel.seqnum, -errno.ECONNRESET)
        bus.send(bus.gadget, 0x81, b"x" * 64)
        reading = kernel.submit(1, IN, 512)
        assert await kernel.returned(IN) == (reading, 0, b"x" * 64)

    with_a_mat(talk)


def test_a_cut_connection_unplugs_the_mat_and_the_next_kernel_has_it_anew() -> None:
    async def talk(bus: NetworkBus, mat: ChipMat, connect: Callable[[], Awaitable[Kernel]]) -> None:
        first = await connect()
        assert await first.attach() == 0
        assert bus.is_plugged(bus.gadget)
        second = await connect()
        assert await second.attach() == 1, "it is in use"
        first.writer.close()
        await until(lambda: not bus.is_plugged(bus.gadget))
        third = await connect()
        assert await third.attach() == 0

    with_a_mat(talk)


@pytest.mark.parametrize("rubbish", [b"\x01\x11\x99\x99\x00\x00\x00\x00", b"GET / HTTP/1.1\r\n\r\n"])
def test_whoever_speaks_something_else_is_hung_up_on(rubbish: bytes) -> None:
    async def talk(bus: NetworkBus, mat: ChipMat, connect: Callable[[], Awaitable[Kernel]]) -> None:
        stranger = await connect()
        stranger.writer.write(rubbish)
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await stranger.read(8)
        assert await (await connect()).attach(b"9-9") == 1

    with_a_mat(talk)


def test_a_place_that_cannot_be_served_is_told(tmp_path: Path) -> None:
    taken = NetworkBus(chip_gadget(), "usbip:0")
    with pytest.raises(PortTrouble, match="cannot be served"):
        NetworkBus(chip_gadget(), f"usbip:{taken.port}")
    with pytest.raises(PortTrouble, match="is not a place"):
        NetworkBus(chip_gadget(), "usbip:here")
    result = tablectl("simulate", "wheel", "--port", "usbip:0")
    assert result.exit_code == 2
    assert "a wheel is no USB device" in result.output
    taken._socket.close()
