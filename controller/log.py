"""Logs: readable in a terminal, JSON under a service, every line with table, round and event number.

One process speaks for one table, so the place is one object that the runtime keeps current with plain
assignments; a line that is filtered out costs nothing but the level check.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TextIO

import msgspec
import structlog

from controller import withheld

if TYPE_CHECKING:
    import asyncio

Level = Literal["debug", "info", "warning", "error"]
Wall = Callable[[], int]
"""Milliseconds since the epoch; under the virtual clock a log tells the table's time."""

FORM_VARIABLE = "TABLECTL_LOG"
_LEVELS: dict[str, int] = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_json = msgspec.json.Encoder(enc_hook=str)


class Place:
    """Where the table is: its name, the round under way and the number of the event being handled."""

    __slots__ = ("event", "round", "table")

    def __init__(self) -> None:
        self.table = ""
        self.round = 0
        self.event = 0


place = Place()


def setup(
    *, level: Level = "info", json: bool | None = None, wall: Wall | None = None, stream: TextIO | None = None
) -> None:
    """Say how this process logs; JSON when asked for, by TABLECTL_LOG=json, or under a service manager."""
    json = _wants_json(stream) if json is None else json
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True) if wall is None else _Stamp(wall)
    shared: list[Any] = [_with_place, structlog.processors.add_log_level, stamp]
    if json:
        shared += [_with_trace, _as_json]
    else:
        shared += [_with_trace, _console(stream)]
    structlog.configure(
        processors=shared,
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=lambda *_: _Lines(stream),
        cache_logger_on_first_use=False,
    )
    _take_over_libraries(level)


def get_logger(name: str) -> Any:
    """A logger for one module; `name` tells where a line comes from.

    Code that runs for every frame keeps `.bind()` of it, taken after `setup`: a filtered line then costs
    0.15 µs instead of 1 µs.
    """
    return structlog.get_logger(source=name)


def _wants_json(stream: TextIO | None) -> bool:
    chosen = os.environ.get(FORM_VARIABLE, "").lower()
    if chosen in ("json", "text"):
        return chosen == "json"
    return "JOURNAL_STREAM" in os.environ and not (stream or sys.stderr).isatty()


class _Lines:
    """Writes whole lines to the standard error of the moment, or to the stream it was given."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def msg(self, line: str) -> None:
        stream = self._stream or sys.stderr
        stream.write(line + "\n")
        stream.flush()

    log = debug = info = warn = warning = error = err = exception = critical = fatal = failure = msg


class _Stamp:
    """Stamps a line with the given clock's time."""

    def __init__(self, wall: Wall) -> None:
        self._wall = wall

    def __call__(self, _: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        when = datetime.fromtimestamp(self._wall() / 1000, UTC)
        line["timestamp"] = when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return line


def _with_place(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    line.setdefault("table", place.table)
    line.setdefault("round", place.round)
    line.setdefault("event_number", place.event)
    return line


def _with_trace(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """An error as where it came from; the values it met on its way may be secrets."""
    given = line.pop("exc_info", None)
    raised = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(raised, BaseException):
        line["exception"] = withheld.trace(raised)
    return line


def _as_json(_: Any, __: str, line: MutableMapping[str, Any]) -> str:
    return _json.encode(dict(line)).decode()


def _console(stream: TextIO | None) -> Any:
    return structlog.dev.ConsoleRenderer(
        colors=(stream or sys.stderr).isatty(),
        pad_event_to=40,
    )


class _FromLibrary(logging.Handler):
    """Passes what libraries say through the standard logging on into the table's own log."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            log = structlog.get_logger(source=record.name)
            log.log(record.levelno, withheld.said_by(record), exc_info=record.exc_info or None)
        except Exception:
            self.handleError(record)


def not_handled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a loop says of an error that nobody took: not with the bytes that the failing call was given."""
    raised = context.get("exception")
    said = str(context.get("message", "")).partition("(")[0]
    structlog.get_logger(source="loop").error("not_handled", said=said, exc_info=raised)


def tell_what_nobody_took() -> None:
    """Errors that end a thread or the program come into the log like all others: Python's own words would tell all."""
    usual = sys.excepthook

    def ended(kind: type[BaseException], raised: BaseException, trace: TracebackType | None) -> None:
        if isinstance(raised, KeyboardInterrupt):
            usual(kind, raised, trace)
        else:
            _ended("program", raised)

    sys.excepthook = ended
    threading.excepthook = lambda told: _ended(
        told.thread.name if told.thread is not None else "thread", told.exc_value
    )
    sys.unraisablehook = lambda told: _ended("collector", told.exc_value)


def _ended(source: str, raised: BaseException | None) -> None:
    structlog.get_logger(source=source).error("not_handled", exc_info=raised)


def _take_over_libraries(level: Level) -> None:
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler, _FromLibrary):
            root.removeHandler(handler)
    root.addHandler(_FromLibrary())
    root.setLevel(max(_LEVELS[level], logging.WARNING))
    # transitions writes ten lines a transition at DEBUG
    logging.getLogger("transitions").setLevel(logging.WARNING)
