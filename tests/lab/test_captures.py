"""Captures of a line: shown, played against the driver, made into scenarios, held against the simulator."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.commands import main
from controller.config.tomlread import ConfigError
from controller.config.types import DeviceSection
from controller.devices import real_port
from drivers.capture import BadCapture, Recorder, ReplayPort, read_capture
from drivers.events import DeviceEvent, Mark
from drivers.motion import simulated_wheel
from drivers.shoe import Shoe
from drivers.wheel import Wheel
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import encode_frame
from lab.captures.replay import Replayed, as_scenario
from simulators.shoe import CardShoe
from simulators.wheel import Wheel as WheelOnItsStand
from simulators.wheel_script import SpinScript
from simulators.wire import Wire
from tests import SCENARIOS


class Sink:
    def take(self, event: DeviceEvent, mark: Mark | None, durable: object) -> None:
        if durable is not None:
            durable()  # type: ignore[operator]

    def glimpse(self, device: str, live: object) -> None: ...


def captured_wheel(path: Path, *, wild: bool = False) -> Path:
    """Three spins of a wheel whose line is recorded."""
    clock = VirtualClock()
    wire = Wire(clock)
    stand = WheelOnItsStand(clock, wire.device)
    recorder = Recorder(path, clock, device="wheel", kind="wheel")
    driver = Wheel("wheel", clock, wire.host, Sink(), profile=simulated_wheel(), recorder=recorder)
    stand.start()
    driver.start()
    clock.run_for(2.0)
    driver.desire({"lamp": "steady"})
    driver.order(1, "ReadAngle", {}, lambda status, result: None)
    for sense, forward in ((1, 210.0), (-1, 180.0), (1, 120.0)):
        stand.play(SpinScript(forward, 7, 0.4, sense))
        clock.run_for(60.0)
    if wild:
        wire.host.hear(b"\x05\x01\x02\x00")  # damage
        wire.host.hear(encode_frame(b"\x82\xff\xff\x00\x00\x63"))  # an event that is not declared, far ahead
        clock.run_for(1.0)
    driver.stop()
    recorder.close()
    return path


def captured_shoe(path: Path) -> Path:
    clock = VirtualClock()
    wire = Wire(clock)
    shoe = CardShoe(clock, wire.device)
    recorder = Recorder(path, clock, device="shoe", kind="shoe")
    driver = Shoe("shoe", clock, wire.host, Sink(), recorder=recorder)
    shoe.start()
    driver.start()
    clock.run_for(2.0)
    driver.desire({"locked": False, "lamp": "green"})
    shoe.load(["KS", "2H"])
    clock.run_for(1.0)
    for _ in range(2):
        shoe.draw()
        clock.run_for(3.0)
    driver.stop()
    recorder.close()
    return path


def tell(*words: object) -> Result:
    return CliRunner().invoke(main, ["capture", *(str(word) for word in words)])


def test_a_capture_is_shown_with_what_each_frame_says(tmp_path: Path) -> None:
    told = tell("show", captured_shoe(tmp_path / "shoe.capture"))
    assert told.exit_code == 0, told.output
    assert "in  EVENT    4 CardOut" in told.output or "CardOut at=" in told.output
    assert "out SET      1 Outputs locked=False lamp=green" in told.output
    assert "in  APPLIED  1" in told.output
    assert "IDENTITY" in told.output
    assert "serial=SHOE-1" in told.output


def test_a_capture_is_played_against_the_driver(tmp_path: Path) -> None:
    told = tell("replay", captured_shoe(tmp_path / "shoe.capture"))
    assert told.exit_code == 0, told.output
    lines = [json.loads(line) for line in told.output.splitlines()]
    assert [line["card"] for line in lines if line["type"] == "CardDrawn"] == ["KS", "2H"]
    assert lines[0]["type"] == "DeviceUp"


def test_captured_spins_become_a_scenario_that_plays_alike(tmp_path: Path) -> None:
    made = tmp_path / "made.json"
    told = tell("scenario", captured_wheel(tmp_path / "wheel.capture"), "--output", made)
    assert told.exit_code == 0, told.output
    cases = json.loads(made.read_text("utf-8"))["cases"]
    assert [case["spin"]["direction"] for case in cases] == ["clockwise", "anticlockwise", "clockwise"]
    assert [case["spin"]["rest_compartment"] for case in cases] == [7, 7, 7]
    assert [round(case["spin"]["forward_compartments"]) for case in cases] == [210, 180, 120]
    assert cases[2]["expected"] == {"outcome": "no_spin", "reasons": ["under_revs"]}
    played = CliRunner().invoke(main, ["scenario", str(made)])
    assert played.exit_code == 0, played.output


def test_captured_cards_become_a_scenario_in_which_they_come_again(tmp_path: Path) -> None:
    made = tmp_path / "made.json"
    told = tell("scenario", captured_shoe(tmp_path / "shoe.capture"), "--output", made)
    assert told.exit_code == 0, told.output
    (case,) = json.loads(made.read_text("utf-8"))["cases"]
    assert case["steps"] == [
        {"do": "load", "next": ["KS", "2H"]},
        {"do": "draw", "cards": ["KS"]},
        {"do": "draw", "cards": ["2H"]},
    ]
    played = CliRunner().invoke(main, ["scenario", str(made)])
    assert played.exit_code == 0, played.output
    case["steps"][1]["cards"] = ["3C"]
    made.write_text(json.dumps([case]), "utf-8")
    played = CliRunner().invoke(main, ["scenario", str(made)])
    assert played.exit_code == 1
    assert "KS came where 3C should" in played.output


def test_what_cannot_become_a_scenario_is_told_plainly() -> None:
    with pytest.raises(BadCapture, match="it tells which tags lay where, but not what they are worth"):
        as_scenario(Replayed("chips", [], {}), 1)


def test_a_simulators_own_capture_does_not_differ_from_it(tmp_path: Path) -> None:
    told = tell("compare", captured_wheel(tmp_path / "wheel.capture"), "--json")
    assert told.exit_code == 0, told.output
    found = json.loads(told.output)
    assert found["same"]
    assert len(found["spins"]) == 3
    for spin in found["spins"]:
        assert spin["captured"] == spin["simulated"]
        assert spin["captured"][0] == "SpinStarted"
        assert spin["captured"][-1] == "SpinRested"
        assert spin["captured_s"][-1] == pytest.approx(spin["simulated_s"][-1], abs=0.2)
    assert found["answers_ms"]["IDENTITY"]["captured"]["worst"] < 50
    assert found["answers_ms"]["RESULT"]["simulated"]["typical"] > 0
    assert "nothing differs" in tell("compare", tmp_path / "wheel.capture").output


def test_what_differs_from_the_simulator_is_told_with_its_time(tmp_path: Path) -> None:
    told = tell("compare", captured_wheel(tmp_path / "wheel.capture", wild=True))
    assert told.exit_code == 1
    assert "DAMAGED" in told.output
    assert "message id is 99" in told.output
    assert "event 65535 came after" in told.output


def test_what_is_no_capture_is_told(tmp_path: Path) -> None:
    for name, content in (("none", None), ("empty", b""), ("other", b"\x7fELF\n")):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        for verb in ("show", "replay", "scenario", "compare"):
            told = tell(verb, path)
            assert told.exit_code == 1, told.output
            assert "record one with `tablectl run --captures FOLDER`" in told.output
    whole = captured_shoe(tmp_path / "shoe.capture")
    assert "holds 1 runs; there is no run 4" in tell("show", whole, "--run", 4).output


def test_a_capture_is_a_port_of_the_configuration(tmp_path: Path) -> None:
    path = captured_shoe(tmp_path / "shoe.capture")
    loop = asyncio.new_event_loop()
    try:
        assert isinstance(real_port(DeviceSection("shoe", f"capture:{path}"), loop), ReplayPort)
        with pytest.raises(ConfigError, match="cannot be read"):
            real_port(DeviceSection("shoe", "capture:/nowhere"), loop)
    finally:
        loop.close()


def test_any_scenario_can_be_recorded_and_its_spins_made_into_a_scenario_again(tmp_path: Path) -> None:
    played = CliRunner().invoke(
        main, ["scenario", str(SCENARIOS / "wheel.json"), "--case", "BW-012", "--captures", str(tmp_path)]
    )
    assert played.exit_code == 0, played.output
    assert {path.name for path in (tmp_path / "BW-012").iterdir()} == {"wheel.capture", "chips.capture"}
    (run,) = read_capture(tmp_path / "BW-012" / "wheel.capture")
    assert "ACK" in list(run.lines())[-1]  # whole to its end: nothing waits unwritten
    told = CliRunner().invoke(main, ["capture", "scenario", str(tmp_path / "BW-012" / "wheel.capture")])
    assert told.exit_code == 0, told.output
    assert "rest_compartment" in told.output
