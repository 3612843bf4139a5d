"""The control socket of a simulated device: whoever sits at the bench moves its world through lines of text."""

from __future__ import annotations

import asyncio
from pathlib import Path

from simulators.hands import Hands, Linked
from simulators.swipe import WiredReader

LINE_OCTETS = 1 << 20


async def serve(path: str, device: Linked | WiredReader) -> asyncio.AbstractServer:
    """Answer lines at this socket until it is closed; a socket that a dead program left behind is replaced."""
    hands = Hands(device)

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                writer.write(hands.answer(line.decode("utf-8", "replace")).encode() + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError):
            pass  # the bench is gone, or sent a line without end; the device itself goes on
        finally:
            writer.close()

    Path(path).unlink(missing_ok=True)
    return await asyncio.start_unix_server(client, path, limit=LINE_OCTETS)
