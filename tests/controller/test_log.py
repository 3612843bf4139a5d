"""Every line of the log says which table, which round and which event."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import sqlite3
import sys
import threading
from collections.abc import Iterator

import pytest
import structlog

from controller import log, withheld


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """Give the process its logging and its place back."""
    root, handlers, level = logging.getLogger(), logging.getLogger().handlers[:], logging.getLogger().level
    before = structlog.get_config()
    place = (log.place.table, log.place.round, log.place.event)
    yield
    structlog.configure(**before)
    root.handlers[:] = handlers
    root.setLevel(level)
    log.place.table, log.place.round, log.place.event = place


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def at(table: str, round_number: int, event: int) -> None:
    log.place.table, log.place.round, log.place.event = table, round_number, event


def test_a_line_under_a_service_is_json_with_table_round_and_event() -> None:
    out = io.StringIO()
    log.setup(json=True, stream=out, wall=lambda: 1_767_225_600_250)
    at("Big Wheel 1", 7, 4711)
    log.get_logger("wheel").info("no spin", reasons=["under_revs"])
    assert lines(out) == [
        {
            "event": "no spin",
            "source": "wheel",
            "reasons": ["under_revs"],
            "table": "Big Wheel 1",
            "round": 7,
            "event_number": 4711,
            "level": "info",
            "timestamp": "2026-01-01T00:00:00.250Z",
        }
    ]


def test_a_line_follows_the_table_to_the_next_round_even_through_a_logger_used_before() -> None:
    out = io.StringIO()
    log.setup(json=True, stream=out)
    logger = log.get_logger("wheel")
    at("T", 1, 1)
    logger.info("first")
    at("T", 2, 9)
    logger.info("second")
    assert [(line["round"], line["event_number"]) for line in lines(out)] == [(1, 1), (2, 9)]


def test_a_line_in_a_terminal_is_readable_and_says_the_same() -> None:
    out = io.StringIO()
    log.setup(json=False, stream=out)
    at("T", 3, 12)
    log.get_logger("wheel").warning("rests near a divider", offset=0.11)
    text = out.getvalue()
    assert "rests near a divider" in text
    for part in ("table=T", "round=3", "event_number=12", "offset=0.11", "warning"):
        assert part in text
    assert "\x1b[" not in text


def test_lines_below_the_level_are_not_written() -> None:
    out = io.StringIO()
    log.setup(json=True, level="warning", stream=out)
    logger = log.get_logger("wheel")
    logger.info("quiet")
    logger.error("loud")
    assert [line["event"] for line in lines(out)] == ["loud"]


def test_an_exception_is_logged_with_its_trace_in_one_json_line() -> None:
    out = io.StringIO()
    log.setup(json=True, stream=out)
    try:
        raise ValueError("the ring has 51 compartments")
    except ValueError:
        log.get_logger("wheel").exception("refused")
    (line,) = lines(out)
    assert 'raise ValueError("the ring has 51 compartments")' in str(line["exception"])  # the line, as it was written
    assert str(line["exception"]).endswith("ValueError\n")


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ValueError("Quillon Vexworth has no PIN"), "ValueError"),
        (KeyError("Quillon"), "KeyError"),
        (RuntimeError(b"Quillon"), "RuntimeError"),
        (OSError(28, "Quillon", "/home/Quillon"), "OSError: No space left on device"),
        (OSError("Quillon"), "OSError"),
        (sqlite3.OperationalError("database is locked"), "OperationalError: database is locked"),
    ],
)
def test_of_an_errors_words_only_the_systems_own_are_told(raised: Exception, told: str) -> None:
    assert withheld.error(raised) == told


def test_a_thread_the_collector_and_the_program_end_with_a_line_of_the_log_that_tells_no_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module, hook in ((sys, "excepthook"), (threading, "excepthook"), (sys, "unraisablehook")):
        monkeypatch.setattr(module, hook, getattr(module, hook))
    out = io.StringIO()
    log.setup(json=True, stream=out)
    log.tell_what_nobody_took()
    about = "Quillon Vexworth"

    def fails(*_: object) -> None:
        raise ValueError(about)

    class Gone:
        __del__ = fails

    thread = threading.Thread(target=fails, name="heads")
    thread.start()
    thread.join(10)
    Gone()
    with contextlib.suppress(ValueError):
        fails()
    try:
        fails()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    assert [line["source"] for line in lines(out)] == ["heads", "collector", "program"]
    assert all("raise ValueError(about)" in str(line["exception"]) for line in lines(out))
    assert "Quillon" not in out.getvalue() + "".join(capsys.readouterr())


def test_values_json_does_not_know_are_written_as_text() -> None:
    out = io.StringIO()
    log.setup(json=True, stream=out)
    log.get_logger("wheel").info("odd", what=complex(1, 2))
    assert lines(out)[0]["what"] == "(1+2j)"


def test_what_a_library_warns_about_comes_out_the_same_way() -> None:
    out = io.StringIO()
    log.setup(json=True, stream=out)
    at("T", 1, 2)
    logging.getLogger("some.library").warning("port %s is slow", "/dev/ttyUSB0")
    logging.getLogger("transitions.core").info("chatter")
    (line,) = lines(out)
    assert (line["event"], line["source"], line["round"]) == ("port … is slow", "some.library", 1)


@pytest.mark.parametrize(
    ("variable", "under_service", "is_json"),
    [("json", False, True), ("text", True, False), ("", True, True), ("", False, False)],
)
def test_the_form_is_chosen_by_the_variable_else_by_the_service_manager(
    monkeypatch: pytest.MonkeyPatch, variable: str, under_service: bool, is_json: bool
) -> None:
    monkeypatch.setenv(log.FORM_VARIABLE, variable)
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    if under_service:
        monkeypatch.setenv("JOURNAL_STREAM", "8:1")
    out = io.StringIO()
    log.setup(stream=out)
    log.get_logger("wheel").info("hello")
    assert out.getvalue().startswith("{") == is_json
