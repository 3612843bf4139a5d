"""The reference devices in C conform to the millisecond and survive a power cut at every write and a killed program."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.ports import open_port
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import FrameDecoder
from firmware_specs.messages import shoe
from lab.conformance import report as reports
from lab.conformance.bench import SERIAL_BAUD, conform_port, declaration_of, sample_event, spec_of
from lab.conformance.probe import Probe
from lab.conformance.program import Program
from lab.conformance.stimulus import Control
from lab.conformance.suite import all_steps, conform
from lab.needs import ARM_COMPILER, CMAKE, EMULATED_ARM, MAKE
from lab.sim.loop_clock import LoopClock
from simulators.wire import Wire
from tests import ROOT
from tests.needed import needed, skip_without
from tests.reference import Reference, build_library

KINDS = ("shoe", "wheel", "chips", "cards", "shuffler")
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
    probe.rest(0.3)
    assert probe.answer(since, {identity.nonce}) is None  # bare, though after the right PROOF: it can seal
    assert probe.hello().proof


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
    assert device.sent[0] == link.AFRESH
    assert all(FrameDecoder().feed(frame) for frame in device.sent if frame != link.AFRESH)


REFERENCE = ROOT / "firmware_specs" / "reference"


def size(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", "-C", str(REFERENCE), "size", f"BUILD={folder}", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@skip_without(MAKE)
def test_the_reference_fits_a_cortex_m0_and_says_what_it_takes(tmp_path: Path) -> None:
    needed(ARM_COMPILER)
    told = size(tmp_path)
    assert told.returncode == 0, told.stderr
    lines = re.findall(r"^(\w+) +Cortex-M0\+ +flash +(\d+) bytes +RAM +(\d+) bytes", told.stdout, re.MULTILINE)
    assert [line[0] for line in lines] == list(KINDS)
    for kind, flash, ram in lines:
        assert int(flash) < 16 * 1024
        most = 48 if kind in ("chips", "cards") else 16  # a table of 512 tags, and a ring that holds their pictures
        assert int(ram) < most * 1024, f"boards of this kind have {most} kB and more"
    _says_what_its_page_says(told.stdout)


def _says_what_its_page_says(told: str) -> None:
    """The tables of the reference's page are what was measured; another release of the compiler may differ a little."""
    needed(EMULATED_ARM)
    page = (REFERENCE / "README.md").read_text("utf-8")
    parts = re.findall(r"^(\w+) +Cortex-M0\+ +stack +(.*?)(?=^\w|\Z)", told, re.MULTILINE | re.DOTALL)
    assert [kind for kind, _ in parts] == list(KINDS)
    for kind, part in parts:
        bare, sealed = re.findall(rf"^\| {kind} \| (.*instructions.*) \|$", page, re.MULTILINE)
        numbers = [
            int(number.replace(",", "")) for number in re.findall(r"([\d,]{3,}) ?(?:bytes|instructions|,)", bare)
        ]
        said = [
            *numbers,
            *(int(each.split(" instr")[0].split(", ")[0].replace(",", "")) for each in sealed.split(" | ")),
        ]
        measured = {
            name: int(count) for name, count in re.findall(r"^  (\S.*?) +(\d+) instructions", part, re.MULTILINE)
        }
        names = ("event", "event's ACK", "longest", "event sealed", "event's ACK sealed", "longest sealed", "PROOF")
        seen, most = map(int, re.findall(r"(\d+) bytes at", part))
        found = [seen, most, *(measured[name] for name in names)]
        assert said == [pytest.approx(each, rel=0.1) for each in found], kind
        assert seen < 1024, "a board of 16 kB has a kilobyte for its stack"
        assert seen <= most < 1536, "no way is longer than the longest, and there is room for that too"


@skip_without(MAKE)
def test_without_its_compiler_the_size_is_not_told_and_the_remedy_is(tmp_path: Path) -> None:
    told = size(tmp_path, "ARM=no-such-compiler")
    assert told.returncode != 0
    assert "no-such-compiler is not on this machine; on Debian: apt install gcc-arm-none-eabi" in told.stdout


@skip_without(CMAKE)
def test_the_library_builds_with_cmake(tmp_path: Path) -> None:
    for words in (["-S", str(REFERENCE), "-B", str(tmp_path)], ["--build", str(tmp_path)]):
        told = subprocess.run(["cmake", *words], capture_output=True, text=True, timeout=300, check=False)
        assert told.returncode == 0, told.stdout + told.stderr
    assert (tmp_path / "device").exists()


def test_a_serial_that_is_too_long_is_cut_between_characters(library: Path) -> None:
    clock = VirtualClock()
    wire = Wire(clock, SERIAL_BAUD, name="reference")
    Reference(library, "shoe", clock, wire.device, serial="S" * 31 + "é" * 30).start()
    probe = Probe(clock, wire.host, spec_of("shoe"), slack=0.05)
    probe.open()
    assert probe.hello().serial == "S" * 31


def test_a_command_longer_than_the_buffer_is_refused_by_its_id(fresh: Fresh) -> None:
    _, probe = fresh("wheel")
    probe.open()
    probe.accept()
    since = probe.mark()
    probe.command(4711, 1, bytes(900))
    probe.rest(0.2)
    (answer,) = probe.heard(since, link.RESULT)
    assert link.unpack_event(answer.content)[1:] == (4711, link.Status.REFUSED)


def test_the_reference_begins_a_new_epoch_behind_the_last_number(fresh: Fresh) -> None:
    device, probe = fresh("shoe")
    probe.open()
    probe.drain()
    device.count_from(link.LAST_NUMBER - 40)
    before = probe.hello()
    device.events(link.LAST_NUMBER + 1 - before.next)
    since = probe.mark()
    probe.accept()
    probe.rest(0.5)
    window = {number for number, _ in probe.events(since)}
    assert window == set(range(link.LAST_NUMBER - 40, link.LAST_NUMBER - 40 + link.WINDOW_EVENTS))
    probe.ack(max(window), max(window))
    probe.rest(0.5)
    assert max(number for number, _ in probe.events(since)) == link.LAST_NUMBER
    assert probe.hello().next == link.LAST_NUMBER + 1
    since = probe.mark()
    probe.ack(link.LAST_NUMBER, link.LAST_NUMBER)
    probe.expect_announcement("tell the new epoch", since)
    assert probe.hello().epoch != before.epoch
    assert (probe.known.oldest, probe.known.next) == (1, 1)
    device.restart(keep_memory=True)
    assert probe.hello().epoch != before.epoch


def test_the_reference_remembers_its_commands_across_the_wrap_of_their_count(fresh: Fresh) -> None:
    device, probe = fresh("wheel")
    probe.open()
    probe.drain()
    device.count_commands_from(2**32 - 6)
    ids = [*range(2**32 - 8, 2**32), *range(24)]
    first: dict[int, bytes] = {}
    for turn in range(3):
        for command_id in ids:
            since = probe.mark()
            probe.command(command_id, 250 if turn == 0 else 1)
            probe.expect("answer a command", since, link.RESULT)
            answer = probe.heard(since, link.RESULT)[0].content
            assert first.setdefault(command_id, answer) == answer, (turn, command_id)
        if turn == 1:
            device.restart(keep_memory=True)
            probe.drain()
