"""Rigs: a file that says what is real, the reference in place of a simulator, and scenarios on real lines."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.config.tomlread import ConfigError
from drivers.capture import read_capture
from firmware_specs.frames import FrameDecoder
from firmware_specs.link import EVENT
from firmware_specs.messages import shuffler
from lab.conformance.bench import sample_event, spec_of
from lab.conformance.program import Program
from lab.conformance.stimulus import Control
from lab.rig.bench import RigBench
from lab.rig.file import Rig, RigDevice, read_rig
from lab.rig.stage import RigStage
from lab.scenarios.file import read_cases
from lab.scenarios.play import play_case
from simulators.wheel import Wheel
from simulators.wheel_script import SpinScript
from tests import SCENARIOS

SPEED = 20

WRONG = {
    "twice": (
        '[devices.wheel]\nsimulated = true\n\n[devices.wheel]\nport = "/dev/ttyUSB0"\n',
        r"rig.toml:4: the device 'wheel' is named twice, first on line 1; delete one of the two",
    ),
    "one port for two": (
        '[devices.wheel]\nport = "/dev/ttyUSB0"\n[devices.shoe]\nport = "/dev/ttyUSB0"\n',
        r"rig.toml:4: \[devices.shoe\] 'shoe' and 'wheel' are both on /dev/ttyUSB0; a port has one device",
    ),
    "no port": ("[devices.wheel]\n", r"'wheel' is real and has no port; add port"),
    "a simulator's port": ('[devices.wheel]\nport = "pty"\n', r"'wheel' is real, and 'pty' is a simulator's port"),
    "a typing mistake": ('[devices.wheel]\nprot = "/dev/x"\n', r"unknown key 'prot'; did you mean 'port'\?"),
    "an unknown kind": ('[devices.left]\nport = "/dev/x"\n', r"'kind' is missing for 'left'; add one of wheel"),
    "one end of a cable": (
        '[devices.wheel]\nsimulated = true\nport = "/dev/ttyUSB0"\n',
        r"its other end is not named; add simulator_port",
    ),
    "both": ('[devices.wheel]\nsimulated = true\nprogram = "x"\n', r"a device is either simulated or real"),
    "a real device in a hurry": ('speed = 10\n[devices.wheel]\nport = "/dev/x"\n', r"a real device lives in real time"),
    "no devices": ('name = "x"\n', r"'devices' is missing"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=list(WRONG))
def test_a_wrong_rig_file_is_told_in_one_message_with_the_remedy(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rig.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=message) as told:
        read_rig(path)
    assert "\n" not in str(told.value)
    assert CliRunner().invoke(main, ["rig", "check", str(path)]).exit_code == 2


def test_a_missing_rig_file_is_told() -> None:
    told = CliRunner().invoke(main, ["scenario", "--on", "none.toml", str(SCENARIOS / "wheel.json")])
    assert told.exit_code == 2
    assert "none.toml: there is no such file" in told.output


def test_a_vanished_port_is_told_with_its_remedy(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    path.write_text('[devices.wheel]\nport = "/dev/not-there"\n[devices.chips]\nsimulated = true\n', "utf-8")
    told = CliRunner().invoke(main, ["rig", "check", str(path)])
    assert told.exit_code == 1
    assert "BROKEN wheel: real wheel at /dev/not-there" in told.output
    assert "/dev/not-there is not there. Plug the device in" in told.output
    assert "ok     chips: simulated chips at pty" in told.output
    played = CliRunner().invoke(
        main, ["scenario", "--on", str(path), str(SCENARIOS / "wheel.json"), "--case", "BW-012"]
    )
    assert played.exit_code == 1
    assert played.output.count("/dev/not-there is not there") == 1  # nothing was played


def write_rig(folder: Path, text: str) -> str:
    path = folder / "rig.toml"
    path.write_text(f"speed = {SPEED}\n{text}", "utf-8")
    return str(path)


def test_a_rig_names_what_stands_on_it(program: Path, tmp_path: Path) -> None:
    rig = write_rig(tmp_path, f'[devices.wheel]\nprogram = "{program}"\nserial = "W-9"\n')
    told = CliRunner().invoke(main, ["rig", "check", rig, "--json"])
    assert told.exit_code == 0, told.output
    (found,) = json.loads(told.output)
    assert (found["place"], found["serial"], found["firmware"], found["ok"]) == ("wheel", "W-9", "reference 1.0", True)
    wrong = write_rig(tmp_path, f'[devices.wheel]\nkind = "shoe"\nprogram = "{program}"\n')
    assert CliRunner().invoke(main, ["rig", "check", wrong]).exit_code == 0
    other = write_rig(tmp_path, '[devices.wheel]\nprogram = "/bin/false"\n')
    told = CliRunner().invoke(main, ["rig", "check", other])
    assert told.exit_code == 1
    assert "/bin/false did not come up" in told.output


def test_a_check_of_the_rig_can_be_recorded_but_not_the_line_of_hole_cards(program: Path, tmp_path: Path) -> None:
    rig = write_rig(tmp_path, f'[devices.wheel]\nprogram = "{program}"\n[devices.cards]\nprogram = "{program}"\n')
    told = CliRunner().invoke(main, ["rig", "check", rig, "--captures", str(tmp_path / "captures")])
    assert told.exit_code == 0, told.output
    assert [path.name for path in (tmp_path / "captures").iterdir()] == ["wheel.capture"]
    shown = CliRunner().invoke(main, ["capture", "show", str(tmp_path / "captures" / "wheel.capture")])
    assert "HELLO" in shown.output
    assert "serial=REF-WHEEL" in shown.output


@pytest.mark.parametrize("case", ["BW-012", "BW-010", "two-spins"])
def test_the_reference_wheel_plays_a_scenario_on_its_pseudo_terminal(program: Path, tmp_path: Path, case: str) -> None:
    rig = write_rig(tmp_path, f'[devices.wheel]\nprogram = "{program}"\n[devices.chips]\nsimulated = true\n')
    told = CliRunner().invoke(main, ["scenario", "--on", rig, str(SCENARIOS / "wheel.json"), "--case", case])
    assert told.exit_code == 0, told.output
    outcome = json.loads(told.stdout)
    assert outcome["ok"]
    assert outcome["id"] == case


def test_the_reference_shoe_deals_a_scenario_on_its_pseudo_terminal(program: Path, tmp_path: Path) -> None:
    rig = write_rig(tmp_path, f'[devices.shoe]\nprogram = "{program}"\n[devices.chips]\nsimulated = true\n')
    told = CliRunner().invoke(main, ["scenario", "--on", rig, str(SCENARIOS / "war.json"), "--case", "mel-01"])
    assert told.exit_code == 0, told.output
    outcome = json.loads(told.stdout)
    assert outcome["settlement"][0]["pays"] == 50


def test_simulators_play_a_scenario_on_real_lines_through_faults(tmp_path: Path) -> None:
    both = '[devices.wheel]\nsimulated = true\n[devices.chips]\nsimulated = true\nport = "pty"\n'
    rig = write_rig(tmp_path, both)
    (case,) = [case for case in read_cases(SCENARIOS / "wheel.json") if case.id == "BW-012"]
    case.body["faults"] = [
        {"device": "wheel", "fault": "drop", "at_event": 2},
        {"device": "wheel", "fault": "duplicate", "rate": 0.2},
        {"device": "chips", "fault": "corrupt", "at_event": 1},
    ]
    with RigBench(read_rig(rig), print) as bench:
        outcome = play_case(case, RigStage(bench))
    assert outcome.ok, outcome.errors


def test_a_person_spins_a_real_wheel_as_the_case_says(program: Path, tmp_path: Path) -> None:
    """The real wheel is the reference program, and the person turns it through its control."""
    asked: list[str] = []
    with Program(program, "wheel", speed=SPEED, folder=tmp_path) as running:
        rig = Rig(
            {"wheel": RigDevice(port=running.port), "chips": RigDevice(simulated=True)}, name="bench", speed=SPEED
        )
        control = Control(running.control, spec_of("wheel"), sample_event("wheel"))

        def person(text: str) -> None:
            asked.append(text)
            hand = Wheel(bench.clock, _Nowhere())
            hand.link.post = lambda message: control.post(message) or 1  # type: ignore[func-returns-value, method-assign]
            hand.link.powered = True
            hand.play(SpinScript(forward=210, compartment=0, offset=0.4))

        with RigBench(rig, person) as bench:
            (case,) = [case for case in read_cases(SCENARIOS / "wheel.json") if case.id == "BW-012"]
            case.body["spin"] = {"forward_compartments": 210, "rest_compartment": 0}
            case.body["expected"] = {"outcome": "result"}
            outcome = play_case(case, RigStage(bench))
        control.close()
    assert outcome.ok, outcome.errors
    assert asked[0].startswith("Spin the wheel clockwise through about 4.0 turns")


class _Nowhere:
    name = "nowhere"

    def open(self, on_bytes: object, on_lost: object) -> None: ...

    def write(self, octets: bytes) -> None: ...

    def close(self) -> None: ...


def test_rig_up_puts_simulators_on_their_ports_until_it_is_stopped(tmp_path: Path) -> None:
    line = tmp_path / "chips.line"
    path = tmp_path / "rig.toml"
    path.write_text(f'[devices.chips]\nsimulated = true\nport = "pty:{line}"\nserial = "C-5"\n', "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", "from controller.commands import main; main()", "rig", "up", str(path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"chips on {line}\n"
        assert process.stdout.readline() == "rig rig is up\n"
        with RigBench(Rig({"chips": RigDevice(port=str(line), serial="C-5")}), print) as bench:
            (finding,) = bench.check()
        assert finding.ok, finding.trouble
        with RigBench(Rig({"chips": RigDevice(port=str(line), serial="C-6")}), print) as bench:
            (finding,) = bench.check()
        assert "serial C-5 answers where C-6 belongs" in finding.trouble
    finally:
        process.terminate()
        process.communicate(timeout=10)
    assert not line.exists()


def test_a_program_that_talks_without_end_does_not_stop_the_bench(program: Path, tmp_path: Path) -> None:
    chatty = tmp_path / "chatty"
    chatty.write_text(
        "#!/usr/bin/env python3\n"
        "import signal, subprocess, sys\n"
        f"device = subprocess.Popen([{str(program)!r}, *sys.argv[1:]], stdout=subprocess.PIPE)\n"
        "signal.signal(signal.SIGTERM, lambda *_: (device.kill(), sys.exit()))\n"
        "print(device.stdout.readline().decode(), end='', flush=True)\n"
        "for _ in range(3000):\n"
        "    print('x' * 100)\n"
        "    print('y' * 100, file=sys.stderr)\n"
        "sys.stdout.flush()\n"
        "print('all said', file=sys.stderr, flush=True)\n"
        "device.wait()\n"
    )
    chatty.chmod(0o755)
    with Program(chatty, "shoe", speed=SPEED) as running:
        until, tick = time.monotonic() + 60, threading.Event()
        while not any("all said" in line for line in running.said()) and time.monotonic() < until:
            tick.wait(0.01)
        assert any("all said" in line for line in running.said())


def test_a_poker_hand_is_dealt_from_the_shuffler_of_the_rig_and_recorded(tmp_path: Path) -> None:
    """The case has no shuffler of its own; the one on the rig joins its table, and it is its deck that is dealt."""
    rig = write_rig(tmp_path, "[devices.shuffler]\nsimulated = true\n[devices.chips]\nsimulated = true\n")
    file, captures = str(SCENARIOS / "poker-hands.json"), tmp_path / "captures"
    told = CliRunner().invoke(main, ["scenario", "--on", rig, file, "--case", "PH-016", "--captures", str(captures)])
    assert told.exit_code == 0, told.output
    assert {path.name for path in (captures / "PH-016").iterdir()} == {"shuffler.capture", "chips.capture"}
    (run,) = read_capture(captures / "PH-016" / "shuffler.capture")
    frames = FrameDecoder().feed(b"".join(piece.octets for piece in run.pieces if piece.direction == "in"))
    events = [shuffler.SPEC.events[each[5]].decode(each[6:]) for each in frames if each[0] == EVENT]
    assert any(isinstance(event, shuffler.DeckChecked) and event.complete for event in events)
    states = [event.state for event in events if isinstance(event, shuffler.StateChanged)]
    assert states[-2:] == [shuffler.State.READY, shuffler.State.EMPTY]  # lifted, and the deck is in play
