"""Strangers at the floor's own door."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.floor.web.served import served


def test_who_talks_no_http_to_the_floor_is_counted_and_not_logged_line_by_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(tmp_path, "wheel") as floor:
        host = ("127.0.0.1", int(floor.server.url.rstrip("/").rpartition(":")[2]))
        for _ in range(30):
            with socket.create_connection(host, timeout=10) as line:
                line.sendall(b"\x16\x03\x01 no HTTP\r\n\r\n")
                assert line.recv(12) == b"HTTP/1.1 400"
        counted = floor.server.callers.refused._counts
        assert sum(counted.values()) >= 29, counted  # the first was told at once
    assert [record for record in caplog.records if "Invalid HTTP" in record.getMessage()] == []
