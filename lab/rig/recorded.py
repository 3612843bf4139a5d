"""The lines of a rig, kept as captures whoever uses them."""

from __future__ import annotations

from pathlib import Path

from drivers.capture import IN, OUT, Recorder
from firmware_specs.clock import Clock
from firmware_specs.port import OnBytes, OnLost, Port

NEVER = ("cards", "swipe")
"""Hole cards and the numbers of people's cards pass there."""


class RecordedPort:
    """A port whose traffic goes into a capture."""

    def __init__(self, port: Port, recorder: Recorder) -> None:
        self._port = port
        self._recorder = recorder

    @property
    def name(self) -> str:
        return self._port.name

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        def heard(octets: bytes) -> None:
            self._recorder.record(IN, octets)
            on_bytes(octets)

        self._port.open(heard, on_lost)

    def write(self, octets: bytes) -> None:
        self._recorder.record(OUT, octets)
        self._port.write(octets)

    def close(self) -> None:
        self._port.close()
        self._recorder.flush()


class Captures:
    """One file a place in a folder; every use of a line is a run of its own in it."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._recorders: dict[str, Recorder] = {}

    def of(self, place: str, kind: str, port: Port) -> Port:
        """This port, recorded where that may be."""
        if kind in NEVER:
            return port
        if place in self._recorders:
            self._recorders[place].close()
        recorder = Recorder(self._folder / f"{place}.capture", self._clock, device=place, kind=kind)
        self._recorders[place] = recorder
        return RecordedPort(port, recorder)

    def close(self) -> None:
        for recorder in self._recorders.values():
            recorder.close()
        self._recorders.clear()
