"""The reference devices in C conform to the millisecond and survive a power cut at every write and a killed program."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from reference import Reference, build_library

from controller.conform import report as reports
from controller.conform.bench import SERIAL_BAUD, conform_port, declaration_of, sample_event, spec_of
from controller.conform.probe import Probe
from controller.conform.program import Program
from controller.conform.stimulus import Control
from controller.conform.suite import all_steps, conform
from controller.simulated.loop_clock import LoopClock
from drivers.ports import open_port
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import FrameDecoder
from firmware_specs.messages import shoe
from simulators.wire import Wire

KINDS = ("shoe", "wheel")
Fresh = Callable[[str], tuple[Reference, Probe]]
SPEED = 20.0
SLACK_S = 0.06


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_library(tmp_path_factory.mktemp("reference"))


@pytest.fixture
def fresh(library: Path) -> Fresh:
    def make(kind: str) -> tuple[Reference, Probe]:
        clock = VirtualClock()
        wire = Wire(clock, SERIAL_BAUD, name="reference")
        device = Reference(library, kind, clock, wire.device)
        device.start()
        probe = Probe(clock, wire.host, spec_of(kind), slack=0.05)
        return device, probe

    return make


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_conforms_to_the_millisecond(kind: str, fresh: Fresh) -> None:
    device, probe = fresh(kind)
    report = conform(probe, declaration_of(kind), device)
    assert report.ok, reports.as_text(report)


def test_the_paired_reference_conforms_and_keeps_its_key(fresh: Fresh) -> None:
    device, probe = fresh("wheel")
    key = bytes(range(200, 232))
    probe.open()
    identity = probe.hello()
    assert not identity.proof
    since = probe.mark()
    probe.send(link.encode_pair(identity.nonce, key))
    probe.expect_answer("answer PAIR as if HELLO had come again", since, identity.nonce)
    probe.close()
    probe.key = key
    report = conform(probe, declaration_of("wheel"), device)
    assert report.ok, reports.as_text(report)
    passed = {step.step for step in report.steps if step.verdict == "passed"}
    assert {"pairing.proves_itself", "pairing.asks_anew_every_time", "pairing.hears_nobody_without_proof"} <= passed
    probe.open()
    identity = probe.hello()
    since = probe.mark()
    probe.rest(0.1)
    probe.send(link.encode_pair(identity.nonce, bytes(link.KEY_BYTES)))
    probe.expect_answer("forget its key when asked by who holds it", since, identity.nonce)
    probe.rest(0.1)
    assert not probe.known.proof


@pytest.mark.parametrize("kind", KINDS)
def test_the_reference_conforms_on_a_pseudo_terminal(kind: str, program: Path) -> None:
    steps = all_steps()
    for speed in (SPEED, 4.0, 1.0):  # where this machine is too busy to be that quick, more slowly
        with Program(program, kind, speed=speed) as running:
            stimulus = Control(running.control, spec_of(kind), sample_event(kind))
            report = conform_port(kind, running.port, stimulus, steps, speed=speed, slack=SLACK_S)
        assert report.serial == f"REF-{kind.upper()}"
        failed = {step.step for step in report.steps if step.verdict == "failed"}
        if not failed:
            break
        steps = [step for step in steps if step.name in failed]
    assert not failed, reports.as_text(report)


def held(probe: Probe) -> dict[int, bytes]:
    """Everything the device holds, by number."""
    since = probe.mark()
    identity = probe.accept()
    probe.wait("send what it holds", lambda: len(dict(probe.events(since))) == identity.next - identity.oldest, 2.0)
    return dict(probe.events(since))


def test_a_power_cut_at_any_write_loses_no_card_and_doubles_none(fresh: Fresh) -> None:
    saves = 0
    while True:
        saves += 1
        device, probe = fresh("shoe")
        probe.open()
        probe.drain()
        for card in (1, 2):
            device.card(card)
        device.cut_after(saves)
        told = []
        for card in (11, 12, 13):
            device.card(card)
            if device.is_cut:
                break
            told.append(card)
        finished = not device.is_cut
        device.restart(keep_memory=True)
        probe.rest(0.3)
        seen = held(probe)
        cards = [shoe.CardOut.decode(content[1:]) for content in seen.values() if content[0] == shoe.CardOut.ID]
        assert [card.card for card in cards][: 2 + len(told)] == [1, 2, *told]
        assert [card.draw for card in cards] == list(range(1, len(cards) + 1))
        assert len(cards) - 2 - len(told) in (0, 1)  # the one that was being written is there wholly or not at all
        up = [shoe.PoweredUp.decode(content[1:]) for content in seen.values() if content[0] == shoe.PoweredUp.ID]
        assert up[-1].kept_memory
        assert up[-1].next_draw == len(cards) + 1
        if finished:
            break
    assert saves > 10


def test_a_power_cut_at_any_write_of_a_command_never_lets_it_be_done_twice(fresh: Fresh) -> None:
    for saves in range(1, 8):
        device, probe = fresh("wheel")
        probe.open()
        probe.drain()
        device.cut_after(saves)
        probe.command(7, 1)
        probe.rest(0.1)
        answered = [p.content for p in probe.heard(0, link.RESULT)]
        cut = device.is_cut
        device.restart(keep_memory=True)
        probe.rest(0.3)
        probe.drain()
        since = probe.mark()
        probe.command(7, 1)
        probe.rest(0.1)
        (again,) = [p.content for p in probe.heard(since, link.RESULT)]
        if answered:
            assert again == answered[0]
        elif saves == 1:
            assert again[5] == link.Status.DONE  # cut before it was begun: done now
        else:
            assert again[5] == link.Status.FAILED  # it may have been done: told so, not tried again
        if not cut:
            break
    assert not cut


@pytest.mark.parametrize("at", [0, 20, 70, 5000, 6000])
def test_a_spoilt_memory_is_told_by_a_new_epoch_or_does_not_matter(fresh: Fresh, at: int) -> None:
    device, probe = fresh("shoe")
    probe.open()
    probe.drain()
    for card in range(1, 31):
        device.card(card)
    before, epoch = held(probe), probe.known.epoch
    device.spoil(at)
    device.restart(keep_memory=True)
    probe.rest(0.3)
    after = held(probe)
    if probe.known.epoch == epoch:
        assert {number: after[number] for number in before} == before
    else:
        assert min(after) == 1


def test_one_copy_of_the_head_is_enough(fresh: Fresh) -> None:
    device, probe = fresh("shoe")
    probe.open()
    probe.drain()
    device.card(5)
    epoch = probe.hello().epoch
    device.spoil(4)
    device.restart(keep_memory=True)
    probe.rest(0.3)
    assert probe.hello().epoch == epoch


def test_a_card_that_was_leaving_when_the_power_went_is_told_as_unread(fresh: Fresh) -> None:
    device, probe = fresh("shoe")
    probe.open()
    probe.drain()
    device.card(5)
    device.begin_card()
    device.restart(keep_memory=True)
    probe.rest(0.3)
    cards = [shoe.CardOut.decode(content[1:]) for content in held(probe).values() if content[0] == shoe.CardOut.ID]
    assert [(card.draw, card.reading) for card in cards] == [(1, shoe.Reading.CARD), (2, shoe.Reading.UNREADABLE)]


def test_the_gate_locks_before_the_memory_is_full_and_forgetting_is_told(fresh: Fresh) -> None:
    device, probe = fresh("shoe")
    probe.open()
    last = probe.drain().next - 1
    probe.set(1, shoe.Outputs(locked=False, lamp=shoe.Lamp.GREEN).encode())
    probe.rest(0.1)
    assert not device.gate_locked
    drawn = 0
    while not device.gate_locked:
        device.card(1 + drawn % 52)
        drawn += 1
        assert drawn < 2000
    assert drawn > 300  # a shoe of eight decks while the host restarts
    assert device.free > 100
    epoch = probe.known.epoch
    while device.free >= 23:
        device.card(1)
    device.card(2)  # forced out all the same
    probe.rest(0.5)
    after = probe.hello()
    assert after.epoch != epoch
    assert (after.oldest, after.next) == (1, 2)
    assert last < drawn


def test_events_survive_a_killed_program(program: Path, tmp_path: Path) -> None:
    running = Program(program, "shoe", speed=SPEED, folder=tmp_path, serial="R-7")
    loop = asyncio.new_event_loop()
    try:
        running.start()
        control = Control(running.control, spec_of("shoe"), sample_event("shoe"))
        clock = LoopClock(loop, SPEED)
        probe = Probe(clock, open_port(running.port, loop), spec_of("shoe"), slack=1.0)
        probe.open()
        probe.drain()
        control.events(5)
        before = held(probe)
        epoch = probe.known.epoch
        probe.close()
        control.close()
        running.kill()
        running.start()
        probe.open()
        after = held(probe)
        assert probe.known.epoch == epoch
        assert probe.known.serial == "R-7"
        assert {number: after[number] for number in before} == before
        probe.close()
    finally:
        running.stop()
        loop.close()


def test_the_longest_names_and_bodies_fit_the_frames_of_the_reference(fresh: Fresh) -> None:
    device, probe = fresh("wheel")
    device.serial = "W" * link.NAME_BYTES
    device.restart(keep_memory=True)
    probe.open()
    assert probe.hello().serial == "W" * link.NAME_BYTES
    assert all(FrameDecoder().feed(frame) for frame in device.sent)


REFERENCE = Path(__file__).parents[2] / "firmware_specs" / "reference"


def size(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", "-C", str(REFERENCE), "size", f"BUILD={folder}", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here; apt install make")
def test_the_reference_fits_a_cortex_m0_and_says_what_it_takes(tmp_path: Path) -> None:
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("no compiler for a Cortex-M0+ (apt install gcc-arm-none-eabi libnewlib-arm-none-eabi)")
    told = size(tmp_path)
    assert told.returncode == 0, told.stderr
    lines = re.findall(r"^(\w+) +Cortex-M0\+ +flash +(\d+) bytes +RAM +(\d+) bytes", told.stdout, re.MULTILINE)
    assert [line[0] for line in lines] == ["shoe", "wheel"]
    for _, flash, ram in lines:
        assert int(flash) < 16 * 1024
        assert int(ram) < 16 * 1024, "boards of this kind have 16 kB and more"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here; apt install make")
def test_without_its_compiler_the_size_is_not_told_and_the_remedy_is(tmp_path: Path) -> None:
    told = size(tmp_path, "ARM=no-such-compiler")
    assert told.returncode != 0
    assert "no-such-compiler is not on this machine; on Debian: apt install gcc-arm-none-eabi" in told.stdout
