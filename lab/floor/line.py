"""A line to a broker that can be cut and mended: what passes through it, passes whole or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import threading

READY_S = 10.0


class Line:
    """Carries connections from a port of its own to another; cut, it drops all of them and takes no new one."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._cut = False
        self._ends: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self.port = 0
        self._thread = threading.Thread(target=self._serve, name="line", daemon=True)
        self._thread.start()
        if not self._ready.wait(READY_S):
            raise TimeoutError(f"no port was opened within {READY_S:g} s")

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._carry, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, back}
        self._ends |= ends
        tasks = [asyncio.ensure_future(each) for each in (_pass(reader, back), _pass(there, writer))]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in ends:
            end.transport.abort()
        self._ends -= ends

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(self._drop)

    def _drop(self) -> None:
        self._cut = True
        for end in list(self._ends):
            end.transport.abort()

    def mend(self) -> None:
        self._loop.call_soon_threadsafe(setattr, self, "_cut", False)  # after the cut, however soon

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(READY_S)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
