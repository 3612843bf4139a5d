"""Where a command writes: refused before any work is done, and there only once it is whole."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import click

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class _NewFile(click.Path):
    """A file that will be written: its folder is there, and whoever asks may write to it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            why = _trouble(path)
        except OSError as error:
            why = error.strerror or str(error)
        if why:
            self.fail(f"{path} cannot be written ({why}); choose a folder that is there and that you may write to",
                      param, ctx)  # fmt: skip
        return path


def _trouble(path: Path) -> str:
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return "it belongs to somebody else"
    return ""


NEW_FILE = _NewFile(path_type=Path, dir_okay=False)
TO_FILE = click.option("--output", type=NEW_FILE, help="A file instead of the terminal.")


@contextlib.contextmanager
def opened(output: Path | None) -> Iterator[TextIO]:
    """The terminal, or a file that takes the place of the one before once all of it is written."""
    if output is None:
        yield sys.stdout
        return
    place = output.resolve()
    fresh = place if place.exists() and not place.is_file() else place.with_name(place.name + ".new")
    try:
        with fresh.open("w", encoding="utf-8", newline="") as out:
            yield out
        if fresh != place:
            if place.exists():
                shutil.copymode(place, fresh)
            fresh.replace(place)
    except BaseException as error:
        if fresh != place:
            fresh.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in FULL:
            raise click.ClickException(
                f"{output} was not written ({error.strerror}); make room there, or choose another folder"
            ) from error
        raise


def give(text: str, output: Path | None) -> None:
    """Write a whole text to the terminal or into a file."""
    with opened(output) as out:
        out.write(text)
