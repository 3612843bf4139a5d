"""The reference devices as machine code on an emulated Cortex-M3: they conform, play a table, and outlive resets."""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from drivers.link import HostLink
from drivers.ports import open_port
from firmware_specs.clock import DeadlineMissed
from firmware_specs.link import Identity
from firmware_specs.messages import shoe
from firmware_specs.spec import Message
from lab.conformance import report as reports
from lab.conformance.bench import conform_port, sample_event, spec_of
from lab.conformance.probe import NotTried
from lab.conformance.program import Program
from lab.conformance.stimulus import Control
from lab.conformance.suite import all_steps
from lab.needs import ARM_COMPILER, EMULATED_ARM
from lab.sim.loop_clock import LoopClock
from tests import SCENARIOS
from tests.needed import needed
from tests.reference import SOURCES

EMULATED = SOURCES / "emulated"
RESETS = int(os.environ.get("RESETS", "8"))
SLACK_S = 0.25  # two busy cores share themselves between the board, this test and others
#: a few steps of every part that wait for nothing long; `tablectl conform` runs them all
pytestmark = (
    pytest.mark.slow
)  # a board in QEMU lives in real time: beside other work on two cores its answers come late

QUICK = (
    *("identify.answers_hello", "identify.is_what_it_should_be", "identify.understands_a_longer_hello"),
    *("events.are_numbered_without_gaps", "events.stay_within_the_window", "events.are_held_until_durable"),
    *("events.are_forgotten_when_durable", "events.pass_at_their_limits", "memory.holds_what_its_page_asks"),
    *("commands.are_refused_however_long", "commands.are_remembered_32_deep", "outputs.are_applied_at_their_limits"),
    *("restart.with_memory_keeps_events", "restart.without_memory_changes_the_epoch", "restart.keeps_commands_done"),
    *("kind.reads_everything_when_asked", "kind.tells_its_start", "hostile.pieces_are_joined"),
)


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


@pytest.mark.parametrize("kind", ["shoe", "wheel", "chips", "cards", "shuffler"])
def test_the_firmware_conforms_on_its_board(kind: str, boards: Path) -> None:
    steps = [step for step in all_steps() if step.name in QUICK]
    assert len(steps) == len(QUICK)
    with Program(EMULATED, kind) as running:
        stimulus = Control(running.control, spec_of(kind), sample_event(kind))
        report = conform_port(kind, running.port, stimulus, steps, slack=SLACK_S)
    assert report.ok, reports.as_text(report)
    assert report.serial == f"REF-{kind.upper()}"
    assert report.count("passed") >= 14


class Ledger:
    """Takes every event once and remembers which."""

    def __init__(self) -> None:
        self.link: HostLink | None = None
        self.draws: list[int] = []
        self.lost = 0

    def link_up(self, identity: Identity, lost: bool) -> None:
        self.lost += lost

    def event(self, number: int, message: Message) -> None:
        assert self.link is not None
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


def in_step(control: Control) -> None:
    """After an answer that did not come in time, no late one may be taken for that of the next line."""
    for _ in range(50):
        try:
            control._waiting = b""
            control._socket.sendall(b"\noutputs\n")
            while b"outputs " not in control._waiting or not control._waiting.endswith(b"\n"):
                control._waiting += control._socket.recv(65536)
        except TimeoutError:
            continue
        control._waiting = b""
        control._socket.settimeout(0.05)
        try:
            while control._socket.recv(65536):
                pass
        except TimeoutError:
            control._socket.settimeout(0.3)
        return
    raise AssertionError("the board does not answer its control lines any more")


def test_what_the_board_said_had_happened_is_never_lost_nor_doubled_by_resets(boards: Path, tmp_path: Path) -> None:
    """The board is reset at any moment; every event whose number it told arrives once."""
    import asyncio

    chance = random.Random(18)
    qmp = str(tmp_path / "qmp")
    loop = asyncio.new_event_loop()
    happened: list[int] = []
    resets = 0
    with Program(EMULATED, "shoe", folder=tmp_path, options=("--qmp", qmp)) as running:
        emulator = Emulator(qmp)
        clock = LoopClock(loop)
        ledger = Ledger()
        host = HostLink(clock, open_port(running.port, loop), shoe.SPEC, ledger, name="shoe")
        ledger.link = host
        host.start()
        control = Control(running.control, shoe.SPEC, sample_event("shoe"))
        control._socket.settimeout(0.3)
        until = time.monotonic() + 30 + 3 * RESETS
        draw = 0
        while resets < RESETS and time.monotonic() < until:
            for _ in range(chance.randrange(1, 8)):
                draw += 1
                card = shoe.CardOut(0, draw, 1, shoe.Reading.CARD, 1 + draw % 52, 97, 0, 0, False, False)
                try:
                    control.post(card)
                    happened.append(draw)
                except NotTried:  # the reset took the line or its answer: it may have happened or not
                    in_step(control)
                clock.run_for(chance.random() * 0.05)
            emulator.reset()
            resets += 1
            clock.run_for(chance.random() * 0.5)
        with contextlib.suppress(DeadlineMissed):
            clock.run_until(lambda: set(happened) <= set(ledger.draws), 60)
        clock.run_for(1)
        host.stop()
        control.close()
        emulator.close()
    loop.close()
    assert sorted(set(happened) - set(ledger.draws)) == []
    assert resets == RESETS
    assert len(happened) > RESETS
    assert len(ledger.draws) == len(set(ledger.draws))
    assert ledger.lost == 0


@pytest.mark.parametrize(
    ("game", "case", "devices"),
    [
        ("wheel", "BW-012", {"wheel": (), "chips": ("--areas", "8")}),
        ("war", "mel-01", {"shoe": (), "chips": ("--areas", "40")}),
    ],
)
def test_a_whole_table_plays_with_every_device_on_emulated_silicon(
    game: str, case: str, devices: dict[str, tuple[str, ...]], boards: Path, tmp_path: Path
) -> None:
    rig = tmp_path / "rig.toml"
    rig.write_text(
        "".join(
            f'[devices.{kind}]\nprogram = "{EMULATED}"\noptions = {json.dumps(options)}\n'
            for kind, options in devices.items()
        ),
        "utf-8",
    )
    told = CliRunner().invoke(main, ["scenario", "--on", str(rig), str(SCENARIOS / f"{game}.json"), "--case", case])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["ok"]
