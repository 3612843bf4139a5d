"""Captures: what passed on a line is on file, can be read by a person, and plays again as the device."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from drivers.capture import BadCapture, Recorder, ReplayPort, read_capture
from drivers.chips import Chips, ChipsSeen
from drivers.events import DeviceDown, DeviceEvent, DeviceUp, Mark
from drivers.ports import PortTrouble
from firmware_specs.clock import VirtualClock
from simulators.chips import ChipMat
from simulators.wire import Wire


class Told:
    """Notes what the table was told, and when."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.events: list[tuple[float, DeviceEvent]] = []
        self.mark: Mark | None = None

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        self.events.append((self.clock.now(), event))
        if durable is not None:
            self.mark = mark
            durable()

    def glimpse(self, device: str, live: msgspec.Struct) -> None: ...

    def of(self, *kinds: type[DeviceEvent]) -> list[DeviceEvent]:
        return [event for _, event in self.events if isinstance(event, kinds)]

    def times(self, *kinds: type[DeviceEvent]) -> list[float]:
        when = [at for at, event in self.events if isinstance(event, kinds)]
        return [at - when[0] for at in when]


def recorded_evening(path: Path, *, resumed: bool = False) -> Told:
    """Chips come and go on a mat whose line is captured."""
    clock = VirtualClock()
    wire = Wire(clock)
    mat = ChipMat(clock, wire.device)
    told = Told(clock)
    mat.start()
    resume = None
    if resumed:
        first = Chips("chips", clock, wire.host, told)
        first.start()
        mat.place([90, 91], 7)
        clock.run_for(3.0)
        first.stop()
        resume, told = told.mark, Told(clock)
    recorder = Recorder(path, clock, device="chips", kind="chips")
    driver = Chips("chips", clock, wire.host, told, resume=resume, recorder=recorder)
    driver.start()
    clock.run_for(1.0)
    mat.place(range(1, 101), 3)
    clock.run_for(2.0)
    wire.device.meddle = lambda octets: [(0.0, octets[:3] + b"\x55" + octets[4:])]
    mat.place([200], 4)
    clock.run_for(0.2)
    wire.device.meddle = None
    clock.run_for(2.0)
    mat.remove(range(1, 51))
    clock.run_for(2.0)
    driver.stop()
    mat.stop()
    recorder.close()
    return told


def replayed(path: Path) -> tuple[Told, Chips]:
    clock = VirtualClock()
    told = Told(clock)
    driver = Chips("chips", clock, ReplayPort(clock, read_capture(path)[0]), told)
    driver.start()
    clock.run_for(30.0)
    return told, driver


@pytest.mark.parametrize("resumed", [False, True])
def test_a_replayed_capture_tells_the_table_the_same_at_the_same_times(tmp_path: Path, resumed: bool) -> None:
    path = tmp_path / "chips.capture"
    live = recorded_evening(path, resumed=resumed)
    again, driver = replayed(path)
    assert again.of(ChipsSeen) == live.of(ChipsSeen)
    assert again.times(ChipsSeen) == pytest.approx(live.times(ChipsSeen), abs=1e-4)
    assert len(live.of(ChipsSeen)) >= 4
    assert len(again.of(DeviceUp)) == 1
    assert driver.link.counters["damaged"] >= 1, "damage is part of what happened"


def test_a_replay_that_is_over_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "chips.capture"
    recorded_evening(path)
    told, _ = replayed(path)
    over = told.of(DeviceDown)[0]
    assert isinstance(over, DeviceDown)
    assert over.cause == "the capture of chips is over"


def test_a_capture_reads_as_lines_for_a_person(tmp_path: Path) -> None:
    path = tmp_path / "chips.capture"
    recorded_evening(path)
    (run,) = read_capture(path)
    assert (run.heading.device, run.heading.kind) == ("chips", "chips")
    lines = list(run.lines())
    assert " HELLO " in lines[0] or " IDENTITY " in lines[0]
    for word in ("HELLO", "IDENTITY", "ACK", "COMMAND", "RESULT", "EVENT", "DAMAGED"):
        assert any(f" {word} " in line for line in lines), word


def test_a_second_start_appends_a_run_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "chips.capture"
    for _ in range(2):
        recorded_evening(path)
    first, second = read_capture(path)
    assert len(first.pieces) == len(second.pieces) > 10


def test_a_line_torn_by_a_power_cut_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "chips.capture"
    recorded_evening(path)
    whole = read_capture(path)[0].pieces
    path.write_bytes(path.read_bytes()[:-9])
    recorded_evening(path)
    first, second = read_capture(path)
    assert first.pieces == whole[:-1]
    assert len(second.pieces) == len(whole)


def test_what_passes_reaches_the_file_within_a_second_and_at_once_when_it_is_much(tmp_path: Path) -> None:
    clock = VirtualClock()
    path = tmp_path / "wheel.capture"
    recorder = Recorder(path, clock, device="wheel")
    recorder.record("in", b"\x01\x02")
    assert read_capture(path)[0].pieces == []
    clock.run_for(1.1)
    assert [piece.octets for piece in read_capture(path)[0].pieces] == [b"\x01\x02"]
    for _ in range(40):
        recorder.record("out", bytes(1_000))
    assert len(read_capture(path)[0].pieces) > 10
    recorder.close()
    recorder.record("in", b"after closing")
    assert len(read_capture(path)[0].pieces) == 41


def test_a_forgotten_capture_does_not_fill_the_card(tmp_path: Path) -> None:
    path = tmp_path / "wheel.capture"
    recorder = Recorder(path, VirtualClock(), device="wheel", limit=100_000)
    for _ in range(1_000):
        recorder.record("in", bytes(500))
    recorder.close()
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 300_000
    assert read_capture(f"{path}.1")[0].pieces
    assert read_capture(path)[0].heading.device == "wheel"


def test_a_capture_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PortTrouble, match="cannot be written"):
        Recorder(tmp_path / "file" / "chips.capture", VirtualClock(), device="chips")


@pytest.mark.parametrize("text", ["", "hello\n", '{"capture":9,"device":"x","kind":"","wall":0,"now":0}\n', "[1,2]\n"])
def test_a_file_that_is_no_capture_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other"
    path.write_text(text)
    with pytest.raises(BadCapture, match="other"):
        read_capture(path)
    with pytest.raises(BadCapture, match="cannot be read"):
        read_capture(tmp_path / "missing")


def test_a_replay_waits_for_the_table_to_speak_first(tmp_path: Path) -> None:
    path = tmp_path / "chips.capture"
    recorded_evening(path)
    clock = VirtualClock()
    heard: list[Any] = []
    port = ReplayPort(clock, read_capture(path)[0])
    port.open(heard.append, heard.append)
    clock.run_for(10.0)
    assert heard == []
