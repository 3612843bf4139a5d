"""Scenarios with every kind of device real: another process on its own line, moved by its control or by a person."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.config.tomlread import ConfigError
from controller.money.register import ChipClass, write_register
from firmware_specs.clock import VirtualClock
from firmware_specs.port import PortTrouble
from lab.conformance import report as reports
from lab.conformance.bench import conform_port, sample_event, spec_of
from lab.conformance.program import Program
from lab.conformance.stimulus import CannotDo, Control
from lab.conformance.suite import all_steps
from lab.rig.bench import RigBench
from lab.rig.felt import bench_chips
from lab.rig.file import Rig, RigDevice
from lab.rig.stage import RigStage
from lab.scenarios.file import Case, read_cases
from lab.scenarios.outcome import Outcome
from lab.scenarios.play import play_case
from lab.sim.loop_clock import LoopClock
from simulators.chips import ChipMat
from simulators.decks import simulated_decks
from simulators.hands import Hands
from simulators.wire import Wire
from tests import SCENARIOS

SPEED = 20.0
VALUES = [100] * 10 + [500] * 12 + [1_000] * 8 + [2_500] * 8
BENCH = {0x1000 + 16 * number: value for number, value in enumerate(VALUES)}
"""The chips of a small bench."""
LEFT = max(BENCH)
"""One that an earlier case left on the mat."""


def case_of(file: str, name: str) -> Case:
    return next(case for case in read_cases(SCENARIOS / file) if case.id == name)


# --- moved through the control socket ---------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "file", "case"),
    [
        (("wheel", "chips", "swipe"), "wheel.json", "BW-012"),
        pytest.param(("shoe",), "war.json", "mel-01", marks=pytest.mark.slow),
        (("shuffler",), "war-more.json", "mel-csm-jam-cleared"),
        (("cards", "chips"), "poker-hands.json", "PH-001"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_a_device_in_its_own_process_plays_a_case(
    places: tuple[str, ...], file: str, case: str, tmp_path: Path
) -> None:
    """A case is played with these devices on pseudo-terminals of their own processes."""
    rig = [f"speed = {SPEED}"]
    for place in places:
        rig += [f"[devices.{place}]", 'program = "simulate"']
        rig += ['options = ["--areas", "40"]'] if place == "chips" else []
    path = tmp_path / "rig.toml"
    path.write_text("\n".join(rig), "utf-8")
    told = CliRunner().invoke(main, ["scenario", "--on", str(path), str(SCENARIOS / file), "--case", case])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["ok"]


@pytest.mark.slow
def test_a_case_that_the_rig_cannot_play_fails_and_the_next_is_played(tmp_path: Path) -> None:
    """A mat with eight areas has no place for fourteen symbols."""
    path = tmp_path / "rig.toml"
    path.write_text(f'speed = {SPEED}\n[devices.chips]\nprogram = "simulate"\n', "utf-8")
    known = {case["id"]: case for case in json.loads((SCENARIOS / "wheel.json").read_text("utf-8"))["cases"]}
    both = tmp_path / "both.json"
    both.write_text(json.dumps([known["anticlockwise"], known["BW-012"]]), "utf-8")
    told = CliRunner().invoke(main, ["scenario", "--on", str(path), str(both)])
    assert told.exit_code == 1, told.output
    first, second = (json.loads(line) for line in told.stdout.splitlines())
    assert first["errors"] == ["it did not go on: there is no area 14; this mat has 8"]
    assert second["ok"]


# --- moved by a person --------------------------------------------------------------------------


class Person:
    """Whoever does at the devices what the rig says; here through the control sockets that the rig is not told of."""

    def __init__(self, controls: dict[str, Control], areas: dict[str, int]) -> None:
        self.controls = controls
        self.areas = areas
        self.asked: list[str] = []
        self.faces = {face: tag for tag, face in simulated_decks()[0].items()}
        self.loaded: list[str] = []

    def __call__(self, text: str) -> bool:
        self.asked.append(text)
        if found := re.match(r"Lay on (.+?): (.+)\.$", text):
            self._lay(found[1], found[2].split(", "))
        elif found := re.match(r"(?:Take away|Still to be done): (.+?)(?: away)?\.$", text):
            for kind, tags in self._tags(found[1].split(", ")).items():
                self.controls[kind].hand("remove", tags=tags)
        elif found := re.match(r"Put these \d+ cards into the shuffler: ", text):
            self.controls["shuffler"].hand("load", cards=self.loaded)
        elif "take every card out" in text:
            self.controls["shuffler"].hand("take_out")
        elif found := re.match(r"Take the card from the mouth of the shuffler: (\w+) should come", text):
            self._draw(found[1])
        elif "through the reader" in text:
            self.controls["swipe"].hand("swipe", track2=";6011000990139424=3012101?")
        return True

    def _draw(self, card: str) -> None:
        self.controls["shuffler"].hand("draw", force=True)

    def _lay(self, where: str, names: list[str]) -> None:
        for kind, tags in self._tags(names).items():
            if kind == "chips":
                self.controls[kind].hand("place", tags=tags, area=self.areas[where])
            else:
                seat = re.fullmatch(r"seat (\d+)", where)
                antenna = {"the muck": 0, "the board": 13, "the burn pile": 14}.get(where)
                antenna = int(seat[1]) if seat else antenna
                self.controls[kind].hand("place", tags=tags, antenna=antenna)

    def _tags(self, names: list[str]) -> dict[str, list[int]]:
        tags: dict[str, list[int]] = {}
        for name in names:
            chip = re.fullmatch(r"\$[\d.]+ chip (\w+)", name)
            tags.setdefault("chips" if chip else "cards", []).append(int(chip[1], 16) if chip else self.faces[name])
        return tags


class AskedBench(RigBench):
    """A rig whose keyboard is somebody in this test."""

    def __init__(self, rig: Rig, person: Person) -> None:
        super().__init__(rig, self._hears)
        self.person = person

    def ask(self, text: str) -> bool:
        return self.person(text)

    def _hears(self, text: str) -> None:
        self.person(text)


Hire = Callable[..., Outcome]


@pytest.fixture
def played_by_hand(tmp_path: Path) -> Iterator[Hire]:
    """Plays a case with real devices that only a person can move."""
    programs: list[Program] = []
    people: list[Person] = []

    def play(
        case: Case,
        kinds: tuple[str, ...],
        areas: dict[str, int],
        loaded: list[str] | None = None,
        left: tuple[int, ...] = (),
    ) -> Outcome:
        devices: dict[str, RigDevice] = {}
        controls: dict[str, Control] = {}
        for kind in kinds:
            (tmp_path / kind).mkdir()
            options = ("--areas", "40") if kind == "chips" else ()
            program = Program(None, kind, speed=SPEED, folder=tmp_path / kind, options=options)
            program.launch()
            programs.append(program)
            devices[kind] = RigDevice(
                port=program.port, register=str(tmp_path / "chips.register"), deck=str(tmp_path / "deck.csv")
            )
        for kind, program in zip(kinds, programs, strict=True):
            program.come_up()
            controls[kind] = Control(program.control)
        if left:
            controls["chips"].hand("place", tags=left, area=2)
        person = Person(controls, areas)
        person.loaded = loaded or []
        people.append(person)
        classes = [ChipClass("cash", value) for value in sorted(set(BENCH.values()))]
        index = {each.cents: number for number, each in enumerate(classes)}
        write_register(
            tmp_path / "chips.register",
            classes,
            sorted(index),
            [(tag, index[worth], 0) for tag, worth in BENCH.items()],
        )
        deck = "".join(f"{tag:x},{face}\n" for tag, face in simulated_decks()[0].items())
        (tmp_path / "deck.csv").write_text(deck, "utf-8")
        with AskedBench(Rig(devices, name="bench", speed=SPEED), person) as bench:
            play.asked = person.asked  # type: ignore[attr-defined]
            return play_case(case, RigStage(bench))

    yield play
    for person in people:
        for control in person.controls.values():
            control.close()
    for program in programs:
        program.stop()


def test_a_person_lays_the_chips_of_a_case_on_a_real_mat(played_by_hand: Any) -> None:
    areas = {symbol: area for area, symbol in enumerate("ABCDEFG", start=1)} | {"the float tray": 0}
    outcome = played_by_hand(case_of("wheel.json", "BW-012"), ("chips", "swipe"), areas, left=(LEFT,))
    assert outcome.ok, outcome.errors
    assert f"Still to be done: $25 chip {LEFT:x} away." in played_by_hand.asked
    assert played_by_hand.asked[0].startswith("Lay on the float tray: $1 chip 1000, ")
    assert "Draw any staff or player card through the reader." in played_by_hand.asked
    assert any(re.match(r"Lay on A: \$10 chip \w+\.$", text) for text in played_by_hand.asked)
    assert any(text.startswith("Take away: $") for text in played_by_hand.asked)


@pytest.mark.slow
def test_a_person_deals_the_cards_and_lays_the_chips_of_a_poker_hand(played_by_hand: Any) -> None:
    areas = {f"the line of seat {seat}": seat for seat in range(1, 10)} | {"the pot": 10, "the drop": 11}
    case = case_of("poker-hands.json", "PH-001")
    outcome = played_by_hand(case, ("cards", "chips"), areas)
    assert outcome.ok, outcome.errors
    assert any(text.startswith("Lay on seat 1: ") for text in played_by_hand.asked)
    assert any(text.startswith("Lay on the board: ") for text in played_by_hand.asked)


@pytest.mark.slow
def test_a_shuffler_under_a_persons_hands_is_taken_at_its_word_for_what_came(played_by_hand: Any) -> None:
    """Nobody can order its cards, so the case says which card came instead of the one it has."""
    case = case_of("war-more.json", "mel-csm-jam-cleared")
    case.body["events"] = []
    outcome = played_by_hand(case, ("shuffler",), {}, loaded=["2S", "2H", "2D", "2C"] * 13)
    assert not outcome.ok
    assert any("came where" in error for error in outcome.errors), outcome.errors


def test_a_person_is_not_asked_for_chips_that_the_bench_does_not_know(tmp_path: Path) -> None:
    rig = Rig({"chips": RigDevice(port="/dev/ttyUSB7")}, name="bench")
    with RigBench(rig, print) as bench, pytest.raises(ConfigError, match="add register = the file that has them"):
        play_case(case_of("wheel.json", "BW-012"), RigStage(bench))


def test_two_chips_that_a_person_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "chips.register"
    write_register(path, [ChipClass("cash", 500)], [500], [(0x1_2222, 0, 0), (0x2_2222, 0, 0)])
    with pytest.raises(ConfigError, match=r"two \$5 chips end in 2222"):
        bench_chips(str(path))
    write_register(path, [ChipClass("cash", 500)], [500], [(0x1_2221, 0, 0), (0x2_2222, 0, 0)])
    with pytest.raises(CannotDo, match=r"chips cannot make \$15; outside the table are 2 of \$5"):
        bench_chips(str(path)).make(1_500)


@pytest.mark.slow
def test_nobody_at_the_keyboard_or_at_the_reader_is_told_and_not_waited_for(tmp_path: Path) -> None:
    with Program(None, "swipe", speed=SPEED, folder=tmp_path) as running:
        rig = Rig({"swipe": RigDevice(port=running.port)}, name="bench", speed=SPEED)
        for there, told in ((False, "nobody is at the keyboard"), (True, "no card was read at the reader 'swipe'")):
            with RigBench(rig, print) as bench:
                bench.ask = lambda text, there=there: there  # type: ignore[misc, method-assign]
                stage = RigStage(bench)
                stage.person_s = 5.0
                with pytest.raises(PortTrouble, match=told):
                    play_case(case_of("wheel.json", "BW-012"), stage)


@pytest.mark.slow
def test_a_device_whose_port_goes_with_its_power_is_found_again_by_the_suite(tmp_path: Path) -> None:
    """A pseudo-terminal ends with the device that made it, as the port of a USB device does."""
    steps = [step for step in all_steps() if step.name.startswith(("restart.with", "kind."))]
    with Program(None, "chips", speed=10.0, folder=tmp_path) as running:
        control = Control(running.control, spec_of("chips"), sample_event("chips"))
        report = conform_port("chips", running.port, control, steps, speed=10.0, slack=0.06)
    assert report.ok, reports.as_text(report)
    assert report.count("passed") == 4


@pytest.mark.slow
def test_a_rig_that_is_killed_leaves_no_device_behind(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    path.write_text('[devices.chips]\nprogram = "simulate"\n', "utf-8")
    command = [sys.executable, "-c", "from controller.commands import main; main()", "rig", "up", str(path)]
    rig = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert rig.stdout is not None
    line = rig.stdout.readline().removeprefix("chips on ").strip()
    assert Path(line).exists()
    rig.kill()
    rig.wait(10)
    clock = LoopClock(asyncio.new_event_loop())
    clock.run_until(lambda: not Path(line).exists(), 20.0)


def test_a_hand_that_cannot_do_something_says_why() -> None:
    clock = VirtualClock()
    hands = Hands(ChipMat(clock, Wire(clock).device))
    assert hands.answer("hands").startswith("hands place remove clear ")
    assert hands.answer('hand place {"tags": [1], "area": 3}') == "did null"
    assert hands.answer('hand lying {"area": 3}') == "did [1]"
    assert hands.answer('hand place {"tags": [1], "area": 9}') == "cannot there is no area 9; this mat has 8"
    assert hands.answer("hand fly").startswith("cannot no hand can fly here; hands can place, remove")
    assert "unexpected keyword" in hands.answer('hand place {"chips": [1]}')
    assert hands.answer("hand place {").startswith("cannot ")
    assert hands.answer("post 200 00") == "number 0"
    assert hands.answer("dance") == "not understood"


def test_what_goes_wrong_in_the_lines_of_a_rig_is_told_at_once_and_not_waited_for() -> None:
    with RigBench(Rig({}), print) as bench:
        bench.clock.call_later(0.0, lambda: bench_chips("/no/such/register"))
        with pytest.raises(ConfigError, match="there is no such chip register"):
            bench.clock.run_until(lambda: False, 30.0)
