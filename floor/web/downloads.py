"""Exports from the floor's pages: made into a file of its own beside the loop, sent, and removed."""

from __future__ import annotations

import asyncio
import tempfile
import zipfile
from pathlib import Path

import msgspec
from sqlalchemy import Engine
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from controller.web.answers import Turned, query_of
from floor.web.access import Session

AT_ONCE = 2
"""Exports that are made at the same time, at most."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which part is asked for; times in milliseconds."""

    form: str = "csv"
    table: str = ""
    since: int = 0
    until: int = 0


class Downloads:
    """What anybody who is signed in may take along."""

    def __init__(self, engine: Engine, venue: str) -> None:
        self._engine, self._venue = engine, venue
        self._making = asyncio.Semaphore(AT_ONCE)

    async def export(self, request: Request, session: Session) -> Response:
        from floor.exports.sheets import FORMS
        from floor.exports.write import WHAT

        what = request.path_params["what"]
        asked = query_of(request, Asked)
        if what not in WHAT or asked.form not in FORMS:
            raise Turned(400, f"There are exports of {', '.join(WHAT)}, as {' or '.join(FORMS)}.")
        async with self._making:
            made = await asyncio.to_thread(self._made, what, asked)
        return FileResponse(made, filename=made.name, background=BackgroundTask(_remove, made))

    def _made(self, what: str, asked: Asked) -> Path:
        from floor.exports.sheets import Part
        from floor.exports.write import export

        folder = Path(tempfile.mkdtemp(prefix="tablectl-export-"))
        wanted = Part(asked.table, asked.since, asked.until)
        with self._engine.connect() as connection:
            files = [Path(one.file) for one in export(connection, folder, what, wanted, asked.form, self._venue)]
        if len(files) == 1:
            return files[0]
        packed = folder / f"{what}.zip"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.name)
        return packed


def _remove(made: Path) -> None:
    for file in made.parent.iterdir():
        file.unlink()
    made.parent.rmdir()
