"""Answers on the controller's own loop alone: files that were read at the start, and a channel that stays open.

Those of starlette use threads and task groups of anyio, which it would load when the first page is opened, in mid-play.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from mimetypes import guess_type
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send


class File:
    """One file as it was when the table started."""

    def __init__(self, path: Path, **headers: str) -> None:
        self._octets = path.read_bytes()
        self._type = guess_type(path.name)[0] or "application/octet-stream"
        self._headers = {name.replace("_", "-"): value for name, value in headers.items()}

    async def show(self, request: Request) -> Response:
        return Response(self._octets, headers=self._headers, media_type=self._type)


class Files:
    """The files of one folder by name."""

    def __init__(self, folder: Path) -> None:
        self._files = {path.name: File(path) for path in folder.iterdir() if path.is_file()}

    async def show(self, request: Request) -> Response:
        file = self._files.get(request.path_params["name"])
        return await file.show(request) if file is not None else PlainTextResponse("Not Found", 404)


class Channel(Response):
    """Server-sent events, one frame after the other until there are no more or the page is gone."""

    media_type = "text/event-stream"

    def __init__(self, frames: AsyncGenerator[bytes, None], left: Callable[[], None]) -> None:
        """`left` is called once at the end, also of a page that was gone before its first frame."""
        self._frames = frames
        self._left = left
        self.status_code = 200
        self.background = None
        self.init_headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            sending.cancel()
            await asyncio.wait((sending, leaving))
            await self._frames.aclose()
            self._left()
        if not sending.cancelled():
            sending.result()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for frame in self._frames:
            await send({"type": "http.response.body", "body": frame, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
