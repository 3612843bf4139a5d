"""The reference devices as machine code on an emulated Cortex-M3: they conform, play a table, and outlive resets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from drivers.link import HostLink
from drivers.ports import open_port
from firmware_specs.clock import DeadlineMissed
from firmware_specs.frames import FrameDecoder
from firmware_specs.link import EVENT, IDENTITY, Identity, unpack_event
from firmware_specs.messages import shoe
from firmware_specs.spec import Message
from lab.conformance import report as reports
from lab.conformance.bench import conform_port, sample_event, spec_of
from lab.conformance.program import Program
from lab.conformance.stimulus import Control
from lab.conformance.suite import Report, all_steps
from lab.needs import ARM_COMPILER, EMULATED_ARM
from lab.sim.loop_clock import LoopClock
from tests import SCENARIOS
from tests.needed import needed
from tests.reference import SOURCES

EMULATED = SOURCES / "emulated"
RESETS = int(os.environ.get("RESETS", "40"))
PATIENT_S = 60.0
SLACK_S = 0.25  # two busy cores share themselves between the board, this test and others
#: a few steps of every part that wait for nothing long; `tablectl conform` runs them all
QUICK = (
    *("identify.answers_hello", "identify.is_what_it_should_be", "identify.understands_a_longer_hello"),
    *("events.are_numbered_without_gaps", "events.stay_within_the_window", "events.are_held_until_durable"),
    *("events.are_forgotten_when_durable", "events.pass_at_their_limits", "memory.holds_what_its_page_asks"),
    *("commands.are_refused_however_long", "commands.are_remembered_32_deep", "outputs.are_applied_at_their_limits"),
    *("restart.with_memory_keeps_events", "restart.without_memory_changes_the_epoch", "restart.keeps_commands_done"),
    *("kind.reads_everything_when_asked", "kind.tells_its_start", "hostile.pieces_are_joined"),
)


#: of those the ones that do not look at the clock: beside other work on two cores a board in QEMU answers late
SHORT = (
    *("identify.is_what_it_should_be", "events.are_held_until_durable", "events.are_forgotten_when_durable"),
    *("commands.are_refused_however_long", "restart.with_memory_keeps_events", "restart.begins_afresh"),
    *("memory.counts_in_32_bits", "memory.begins_anew_after_the_last_number"),
)
PATIENCE_S = 0.6
KINDS = ("shoe", "wheel", "chips", "cards", "shuffler")


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    for need in (EMULATED_ARM, ARM_COMPILER):
        needed(need)
    folder = tmp_path_factory.mktemp("boards")
    command = ["make", "--no-print-directory", "-C", str(SOURCES), "boards", f"BUILD={folder}"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert told.returncode == 0, told.stderr
    before = os.environ.get("FIRMWARE_BUILD")
    os.environ["FIRMWARE_BUILD"] = str(folder)
    yield folder
    if before is None:
        del os.environ["FIRMWARE_BUILD"]
    else:
        os.environ["FIRMWARE_BUILD"] = before


def conformed(kind: str, names: tuple[str, ...], slack: float) -> Report:
    steps = [step for step in all_steps() if step.name in names]
    assert len(steps) == len(names)
    with Program(EMULATED, kind) as running:
        stimulus = Control(running.control, spec_of(kind), sample_event(kind))
        return conform_port(kind, running.port, stimulus, steps, slack=slack)


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind in ("shoe", "chips") else pytest.mark.slow) for kind in KINDS]
)
def test_the_firmware_keeps_what_no_clock_is_needed_for_on_its_board(kind: str, boards: Path) -> None:
    report = conformed(kind, SHORT, PATIENCE_S)
    assert report.ok, reports.as_text(report)
    assert report.serial == f"REF-{kind.upper()}"
    assert report.count("passed") == len(SHORT)


@pytest.mark.slow  # the suite looks at the clock: beside other work on two cores a board in QEMU answers late
@pytest.mark.parametrize("kind", KINDS)
def test_the_firmware_conforms_on_its_board(kind: str, boards: Path) -> None:
    report = conformed(kind, QUICK, SLACK_S)
    assert report.ok, reports.as_text(report)
    assert report.serial == f"REF-{kind.upper()}"
    assert report.count("passed") >= 14


class Ledger:
    """Takes every event once and remembers its number."""

    def __init__(self) -> None:
        self.link: HostLink | None = None
        self.numbers: list[int] = []
        self.draws: list[int] = []
        self.boots: set[int] = set()
        self.lost = 0

    def link_up(self, identity: Identity, lost: bool) -> None:
        self.boots.add(identity.boot)
        self.lost += lost

    def event(self, number: int, message: Message) -> None:
        assert self.link is not None
        self.numbers.append(number)
        if isinstance(message, shoe.CardOut):
            self.draws.append(message.draw)
        self.link.durable(number)

    def bad_event(self, number: int, text: str) -> None:
        raise AssertionError(text)

    def link_down(self, cause: str, remedy: str) -> None: ...

    def link_refused(self, reason: str, remedy: str) -> None:
        raise AssertionError(reason)

    def flooding(self, on: bool) -> None:
        """Told to the table elsewhere."""

    def live(self, message: Message) -> None: ...

    def applied(self, outputs: Message) -> None: ...


class Line:
    """Watches the line: a number that an event was sent with is never free again, whatever happens to the board."""

    def __init__(self) -> None:
        self.used_again: list[tuple[int, int]] = []
        self._frames = FrameDecoder()
        self._last = 0

    def record(self, direction: str, octets: bytes) -> None:
        if direction == "out":
            return
        for content in self._frames.feed(octets):
            if content[0] == EVENT:
                self._last = max(self._last, unpack_event(content)[1])
            elif content[0] == IDENTITY and (then := Identity.decode(content).next) <= self._last:
                self.used_again.append((self._last, then))


class Emulator:
    """The emulator's own commands."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(10)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rw")
        self._lines.readline()
        self._say("qmp_capabilities")

    def _say(self, command: str) -> None:
        self._lines.write(json.dumps({"execute": command}) + "\n")
        self._lines.flush()
        while "return" not in json.loads(self._lines.readline()):
            pass

    def reset(self) -> None:
        self._say("system_reset")

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


class Promises:
    """Posts without waiting for an answer; whatever number the board tells is a promise, whichever line it was for.

    To wait for each answer would keep resets out of the moments in which the board writes, and to pair late answers
    with lines after a reset would be guessing.
    """

    def __init__(self, path: str, loop: asyncio.AbstractEventLoop) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._heard = b""
        self._loop = loop
        loop.add_reader(self._socket, self._hear)

    def post(self, message: Message) -> None:
        self._socket.sendall(f"post {message.ID} {message.encode().hex()}\n".encode())

    def mark(self) -> None:
        """Ask for something that is told after all that was posted before."""
        self._socket.sendall(b"\nheld\n")

    @property
    def marks(self) -> int:
        return len(re.findall(rb"^held \d+$", self._heard, re.MULTILINE))

    @property
    def told(self) -> set[int]:
        """Numbers told whole: what a reset cut is followed by the word of the next answer."""
        return {int(number) for number in re.findall(rb"^number ([1-9]\d*)$", self._heard, re.MULTILINE)}

    def _hear(self) -> None:
        self._heard += self._socket.recv(65536)

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._socket.close()


def happening(kind: str, turn: int) -> Message:
    """Something for the device to see: a card that no other turn has, where cards are counted."""
    if kind == "shoe":
        return shoe.CardOut(0, turn, 1, shoe.Reading.CARD, 1 + turn % 52, 97, 0, 0, False, False)
    return sample_event(kind)


def reset_at_any_moment(kind: str, folder: Path, resets: int, chance: random.Random) -> tuple[Promises, Ledger, Line]:
    """Have the board see something while it is reset; everything that was promised has had time to come."""
    qmp = str(folder / "qmp")
    loop = asyncio.new_event_loop()
    ledger, line = Ledger(), Line()
    clock = LoopClock(loop)
    with Program(EMULATED, kind, folder=folder, options=("--qmp", qmp)) as running:
        emulator = Emulator(qmp)
        host = HostLink(clock, open_port(running.port, loop), spec_of(kind), ledger, name=kind, recorder=line)
        ledger.link = host
        host.start()
        clock.run_until(lambda: host.state == "up", PATIENT_S)
        promises = Promises(running.control, loop)
        draw = 0
        for _ in range(resets):
            for _ in range(chance.randrange(1, 12)):
                draw += 1
                promises.post(happening(kind, draw))
                clock.run_for(chance.choice((0, 0, 0.01)) * chance.random())
            clock.run_for(chance.random() * 0.006)
            emulator.reset()
            clock.run_for(chance.choice((0.0, 0.01, 0.05, 0.2)) * chance.random())
        promises.mark()
        clock.run_until(lambda: promises.marks > 0, PATIENT_S)
        with contextlib.suppress(DeadlineMissed):
            clock.run_until(lambda: promises.told <= set(ledger.numbers), PATIENT_S)
        host.stop()
        promises.close()
        emulator.close()
    loop.close()
    return promises, ledger, line


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_board_said_had_happened_is_never_lost_nor_doubled_by_resets(
    kind: str, boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board is reset at any moment; every event whose number it told arrives once, and in order."""
    resets = RESETS if kind == "shoe" else RESETS // 4
    monkeypatch.setattr("drivers.unrest.SHORT_MOST", resets + 1)  # a table would let such a board be
    promises, ledger, line = reset_at_any_moment(kind, tmp_path, resets, random.Random(f"18 {kind}"))
    assert sorted(promises.told - set(ledger.numbers)) == []
    assert ledger.numbers == sorted(set(ledger.numbers))
    assert len(ledger.draws) == len(set(ledger.draws))
    assert line.used_again == []
    assert ledger.lost == 0
    assert len(promises.told) > resets
    assert len(ledger.boots) > resets // 4  # resets that follow at once are noticed as one


def test_a_board_answers_a_restart_when_it_is_over(boards: Path) -> None:
    """A line sent after the answer is heard whole, and nothing of it is lost with what the board had heard before."""
    with Program(EMULATED, "chips", options=("--areas", "8")) as running:
        control = Control(running.control, spec_of("chips"), sample_event("chips"))
        for time in range(30):
            control.restart(keep_memory=time % 2 == 0)
            control.hand("place", tags=list(range(1, 21)), area=3)
            control.hand("clear")
        control.close()


def test_a_board_that_is_reset_leaves_no_file_of_its_machine_open(boards: Path) -> None:
    with Program(EMULATED, "shoe") as running:
        control = Control(running.control, spec_of("shoe"), sample_event("shoe"))
        for _ in range(10):
            control.restart(keep_memory=True)
        control.close()
        opened = open_files(running)
        assert opened.count(running.memory) == 1
        assert opened.count(Path("/dev/urandom")) <= 2  # the emulator itself may want random numbers too


def open_files(running: Program) -> list[Path]:
    """Of the emulator, which is the one child of the device's program."""
    assert running.pid is not None
    (child,) = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
    found = []
    for each in Path(f"/proc/{child}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            found.append(each.readlink())
    return found


CHIPS = ("--areas", "40")
TABLES = {
    "war from a shoe": ("war", "mel-01", {"shoe": (), "chips": CHIPS}),
    "war from a shuffler": ("war-more", "mel-shuffler-no-burn", {"shuffler": (), "chips": CHIPS}),
    "the wheel": ("wheel", "BW-012", {"wheel": (), "chips": ("--areas", "8")}),
    "poker": ("poker-hands", "PH-016", {"shuffler": (), "cards": ("--seats", "9"), "chips": CHIPS}),
}
SHORTEST = "war from a shoe"
"""Seconds, and nothing in it depends on how fast the boards are; the others are left to `-m slow`, a minute each."""


@pytest.mark.parametrize(
    "table", [pytest.param(name, marks=() if name == SHORTEST else pytest.mark.slow) for name in TABLES]
)
def test_a_whole_table_plays_with_every_device_on_emulated_silicon(table: str, boards: Path, tmp_path: Path) -> None:
    file, case, devices = TABLES[table]
    rig = tmp_path / "rig.toml"
    rig.write_text(
        "".join(
            f'[devices.{kind}]\nprogram = "{EMULATED}"\noptions = {json.dumps(options)}\n'
            for kind, options in devices.items()
        ),
        "utf-8",
    )
    told = CliRunner().invoke(main, ["scenario", "--on", str(rig), str(SCENARIOS / f"{file}.json"), "--case", case])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["ok"]
