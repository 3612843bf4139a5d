"""What is asked of a page's server, and how it is answered on the controller's own loop.

What does not fit is turned away in words. Files were read at the start, channels stay open, and only what has to be
looked up in the journal goes to a thread: those of starlette use threads and task groups of anyio, which it would load
when the first page is opened, in mid-play.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from mimetypes import guess_type
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from controller.config.tomlread import nearest

T = TypeVar("T")
KINDS = {
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "object": "an object",
    "array": "a list", "null": "nothing",
}  # fmt: skip
BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
SHORTEST = {">=": "at least ", "<=": "at most ", None: ""}
WAITING_MOST = 4
LOOKUP_S = 20.0


# -- what is asked -------------------------------------------------------------------------------------------------


class Turned(Exception):
    """An answer that ends a request early."""

    headers: Mapping[str, str] = {}

    def __init__(self, status: int, error: str, **more: Any) -> None:
        super().__init__(error)
        self.status = status
        self.body = {"error": error, **more}


class TurnedAway(Turned):
    """The same, and the connection ends with it."""

    headers: Mapping[str, str] = {"Connection": "close"}


async def body_of(request: Request, kind: type[T]) -> T:
    """A request's JSON as this struct, or 400 with the place that is wrong."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except ClientDisconnect as gone:
        raise Turned(400, "The request was left before it was whole.") from gone
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Turned(400, f"The request does not fit: {in_words(error, kind)}.") from error


def query_of(request: Request, kind: type[T]) -> T:
    """What stands behind the ? of an address as this struct, or 400 with what is wrong."""
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except msgspec.ValidationError as error:
        raise Turned(400, f"The search does not fit: {in_words(error, kind)}.") from error


def in_words(error: Exception, kind: type[Any]) -> str:
    """What does not fit, as a person says it."""
    if not isinstance(error, msgspec.ValidationError):
        return "it is no JSON that can be read"
    message, _, where = str(error).partition(" - at `")
    place = f"'{where[2:-1]}'" if where.startswith("$.") else "it"
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", message):
        known = [field.encode_name for field in msgspec.structs.fields(kind)] if place == "it" else []
        return f"'{found[1]}' means nothing; {nearest(found[1], known)}".rstrip("; ?")
    if found := re.fullmatch(r"Object missing required field `(.*)`", message):
        return f"'{found[1]}' is missing"
    if found := re.fullmatch(r"Expected `(\w+)(?: \| null)?`, got `\w+`", message):
        return f"{place} must be {KINDS.get(found[1], found[1])}"
    if found := re.fullmatch(r"Expected `\w+` (>=|<=|>|<) ([-\d.e]+)", message):
        return f"{place} must be {BOUNDS[found[1]]} {found[2]}"
    if found := re.fullmatch(r"Expected `(?:array|str)` of length (>=|<=)? ?(\d+)", message):
        return f"{place} must be {SHORTEST[found[1]]}{found[2]} long"
    return f"{place} is none of what can stand there"


# -- what is answered at once --------------------------------------------------------------------------------------


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


# -- what is looked up ---------------------------------------------------------------------------------------------


class TooManyLookups(Exception):
    """Others wait for their records already."""


class Lookups:
    """A thread, made when it is needed first, and the few who may wait for it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "lookups")
        self._waiting = 0

    async def beside(self, look: Callable[[], T]) -> T:
        """What `look` finds, without holding up the loop; it must not touch what the loop changes."""
        if self._waiting >= WAITING_MOST:
            raise TooManyLookups("Other records are being looked up; try again in a moment.")
        self._waiting += 1
        try:
            async with asyncio.timeout(LOOKUP_S):
                return await asyncio.get_running_loop().run_in_executor(self._thread, look)
        except TimeoutError as late:
            raise TooManyLookups("The record could not be read in time; try again in a moment.") from late
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
