"""The conformance suite: right devices pass it, every wrong one is caught, and its reports say so."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import msgspec
import pytest
from click.testing import CliRunner
from cobs import cobs

from drivers.capture import read_capture
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import FrameDecoder
from firmware_specs.spec import Message
from lab.commands.certificate import certificate as certificate_command
from lab.commands.conform import conform as command
from lab.conformance import report as reports
from lab.conformance.bench import SERIAL_BAUD, conform_simulator, declaration_of, sample_event, spec_of
from lab.conformance.bodies import Bodies
from lab.conformance.certificate import verified
from lab.conformance.probe import NotTried, Probe
from lab.conformance.sentences import UNTRIED, notes, sentences
from lab.conformance.simulated import MAKE, BackDoor, simulated_reader
from lab.conformance.stimulus import Person, Stimulus
from lab.conformance.suite import Report, all_steps, conform
from lab.conformance.swipe import Swiper, conform_swipe
from simulators import link as device_end
from simulators.swipe import WiredReader
from simulators.wire import Wire
from tests.lab.wrong.device import Wrong
from tests.lab.wrong.every import WRONG
from tests.lab.wrong.readers import WRONG_READERS

STEPS = {step.name: step for step in all_steps()}
DIFFERENT = {wrong.device: wrong for wrong in reversed(WRONG)}
"""Each wrong device once, with the step it is listed with first."""


def against(kind: str, wrong: type[device_end.DeviceLink], monkeypatch: pytest.MonkeyPatch, key: bytes = b"") -> Report:
    """The suite against a device whose end of the link is this one."""
    put_in(wrong, monkeypatch)
    return conform_simulator(kind, key=key)


def named(name: str) -> type[device_end.DeviceLink]:
    return next(wrong.device for wrong in WRONG if wrong.device.__name__ == name)


def put_in(wrong: type[device_end.DeviceLink], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("wheel", "shoe", "shuffler", "chips", "card_antennas"):
        monkeypatch.setattr(f"simulators.{module}.DeviceLink", wrong)


@pytest.mark.parametrize("kind", sorted(MAKE))
def test_the_simulator_conforms(kind: str) -> None:
    report = conform_simulator(kind)
    assert [(step.step, step.text) for step in report.steps if step.verdict == "failed"] == []
    assert report.ok
    untried = {step.text for step in report.steps if step.verdict == "not tried"}
    assert untried <= {
        "this device has no commands",
        "this device has no outputs",
        "no event of this device is long enough to fill the window with less than 32 of them",
        "the device holds no key; pair it and give --key to try this",
        "this is for cards",
        "this is for chips",
        "this is for chips and cards",
        "this is for chips and cards and shoe and shuffler",
        "every command of this device is answered at once",
        "this is for shoe",
        "this is for shoe and shuffler",
        "this is for shuffler",
        "this is for wheel",
    }


@pytest.mark.parametrize("kind", ["shoe", "wheel"])
def test_a_paired_simulator_conforms(kind: str) -> None:
    report = conform_simulator(kind, key=bytes(range(32)))
    assert report.ok, reports.as_text(report)
    tried = {step.step for step in report.steps if step.verdict == "passed"}
    assert {"pairing.proves_itself", "pairing.hears_nobody_without_proof"} <= tried


def test_a_paired_device_cannot_be_tried_without_its_key() -> None:
    clock = VirtualClock()
    wire = Wire(clock, SERIAL_BAUD)
    device = MAKE["shoe"](clock, wire.device, "S-1", 1)
    device.link.key = bytes(range(32))
    device.start()
    without = conform(Probe(clock, wire.host, spec_of("shoe"), 0.05), declaration_of("shoe"), Stimulus())
    assert not without.ok
    assert any("give the key with --key" in step.text for step in without.steps)


def test_a_command_that_was_only_answered_late_was_not_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Probe._on_bytes
    monkeypatch.setattr(
        Probe, "_on_bytes", lambda probe, octets: probe.clock.call_later(0.07, lambda: heard(probe, octets))
    )
    (result,) = conform_simulator("wheel", [STEPS["restart.fails_a_command_cut_short"]]).steps
    assert (result.verdict, result.text) == ("not tried", "every command of this device is answered at once")


@pytest.mark.parametrize("wrong", WRONG, ids=[wrong.name for wrong in WRONG])
def test_a_wrong_device_is_caught_by_the_step_that_names_its_sentence(
    wrong: Wrong, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in(wrong.device, monkeypatch)
    (result,) = conform_simulator(wrong.kind, [STEPS[wrong.step]], key=wrong.key).steps
    assert result.verdict == "failed", result
    assert result.text
    assert wrong.sentence in STEPS[wrong.step].sentences


@pytest.mark.parametrize("wrong", DIFFERENT.values(), ids=[device.__name__ for device in DIFFERENT])
def test_a_wrong_device_does_not_pass_the_whole_suite(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    report = against(wrong.kind, wrong.device, monkeypatch, wrong.key)
    assert not report.ok
    found = {result.step: result for result in report.steps}
    assert found[wrong.step].verdict == "failed", reports.as_text(report)


@pytest.mark.parametrize("kind", sorted(MAKE))
def test_every_wrong_device_is_caught_whatever_kind_it_is(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wrong link stands in a device of every kind; only what a kind has no use for is not tried."""
    caught, untried = list[str](), list[str]()
    for wrong in WRONG:
        if wrong.step.startswith(("kind.", "shuffler.", "notes.")) or wrong.kind != "shoe":
            continue
        with monkeypatch.context() as patch:
            put_in(wrong.device, patch)
            (result,) = conform_simulator(kind, [STEPS[wrong.step]], key=wrong.key).steps
        if (kind, wrong.device) == ("cards", named("AppliesStraySet")):
            continue  # it has no output that could be applied
        assert result.verdict != "passed", wrong.name
        (caught if result.verdict == "failed" else untried).append(f"{wrong.name} {result.text}")
    assert len(caught) >= 60, untried
    assert all("this device has no" in text or "long enough" in text for text in untried), untried


def test_a_simulated_reader_passes_the_suite_of_readers() -> None:
    report = conform_swipe(simulated_reader())
    assert [(step.step, step.text) for step in report.steps if step.verdict != "passed"] == []
    assert len(report.steps) == 5


@pytest.mark.parametrize(("wrong", "step"), WRONG_READERS, ids=[wrong.__name__ for wrong, _ in WRONG_READERS])
def test_a_wrong_reader_is_caught(wrong: type[WiredReader], step: str) -> None:
    report = conform_swipe(simulated_reader(wrong))
    found = {result.step: result for result in report.steps}
    assert found[step].verdict == "failed", reports.as_text(report)
    assert "6011" not in reports.as_text(report)  # nothing of a stripe is told


def test_a_reader_without_anybody_to_swipe_is_told_as_not_tried() -> None:
    trial = simulated_reader()
    trial.swiper = Swiper()
    report = conform_swipe(trial)
    assert report.count("passed") == 1
    assert report.count("not tried") == 4
    told = CliRunner().invoke(command, ["swipe", "--port", "simulated", "--step", "swipe.k*"])
    assert told.exit_code == 0, told.output
    assert "ok        swipe.knows_a_card_again" in told.output
    told = CliRunner().invoke(command, ["swipe", "--port", "/dev/not-there"])
    assert told.exit_code == 1
    assert "/dev/not-there is not there" in told.output


def test_every_step_is_shown_to_fail_by_one_of_a_hundred_different_devices() -> None:
    assert set(STEPS) - {wrong.step for wrong in WRONG} == set()
    assert len(DIFFERENT) >= 100


NUMBERED = set(sentences()).union(*(notes(kind) for kind in MAKE))
"""The sentences of the link's page and the notes of every device's own."""


def test_every_numbered_sentence_is_broken_by_a_device_or_says_why_none_can_be_caught() -> None:
    assert len(NUMBERED) - len(sentences()) == 21
    assert NUMBERED - {wrong.sentence for wrong in WRONG} == set(UNTRIED)


def messages_of(kind: str) -> set[str]:
    declared = declaration_of(kind)
    return {message.name for message in declared.events} | {command.message.name for command in declared.commands}


def test_every_step_names_what_it_tries_and_nothing_that_is_not_there() -> None:
    known = NUMBERED.union(*(messages_of(kind) for kind in MAKE))
    assert {step.name for step in STEPS.values() if not step.sentences} == set()
    assert {name for step in STEPS.values() for name in step.sentences} <= known


def test_every_numbered_sentence_is_tried_by_a_step_or_says_why_not() -> None:
    tried = {number for step in STEPS.values() for number in step.sentences}
    assert NUMBERED - tried == set(UNTRIED)


class RefusesWhenFull(device_end.DeviceLink):
    """Has room for forty events, and takes no more."""

    def post(self, message: Message) -> int:
        return 0 if len(self._held) >= 40 else super().post(message)


class ShowsTwiceASecond(device_end.DeviceLink):
    """Sends LIVE every 500 ms, and so needs no BEAT."""

    def start(self) -> None:
        super().start()
        self._show()

    def _show(self) -> None:
        if self.powered:
            kind = next(iter(self.spec.live.values()))
            self.live(kind.decode(bytes(len(Bodies(declaration_of("shoe")).body(declaration_of("shoe").live[0])))))
            self._later("show", 0.5, self._show)


@pytest.mark.parametrize("right", [RefusesWhenFull, ShowsTwiceASecond])
def test_a_right_device_of_another_kind_of_right_passes(
    right: type[device_end.DeviceLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = against("shoe", right, monkeypatch)
    assert report.ok, reports.as_text(report)


def _check_sum(how: Callable[[bytes], bytes]) -> type[device_end.DeviceLink]:
    class Spoils(device_end.DeviceLink):
        """Makes its check sums otherwise."""

        def _write(self, frame: bytes) -> None:
            (content,) = FrameDecoder().feed(frame)
            stuffed: bytes = cobs.encode(content + how(content))
            self._sent = self.clock.now()
            self.port.write(stuffed + b"\0")

    return Spoils


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (lambda content: crc32(content).to_bytes(4, "big"), "greatest byte first"),
        (lambda content: (crc32(content) ^ 0xFFFFFFFF).to_bytes(4, "little"), "the last inversion is missing"),
        (lambda content: crc32(content[1:]).to_bytes(4, "little"), "over the body without the kind"),
        (lambda content: b"\1\2\3\4", "ours over this content"),
    ],
)
def test_a_wrong_check_sum_is_named_for_what_it_is_and_told_once(
    how: Callable[[bytes], bytes], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = against("shoe", _check_sum(how), monkeypatch)
    first = report.steps[0]
    assert "frames arrive but their CRC does not fit" in first.text
    assert told in first.text
    assert any(" bad " in frame for frame in first.frames)
    again = [step for step in report.steps if step.text.startswith("the same as in ")]
    assert len(again) > 10
    assert not any(step.frames for step in again)


def test_a_dead_line_fails_every_step_and_takes_no_harm() -> None:
    clock = VirtualClock()
    probe = Probe(clock, Wire(clock, SERIAL_BAUD).host, spec_of("shoe"))
    report = conform(probe, declaration_of("shoe"), Stimulus())
    assert report.count("passed") == 0
    assert not report.ok
    assert "did not answer HELLO" in report.steps[1].text


def test_what_nobody_can_do_is_told_as_not_tried() -> None:
    clock = VirtualClock()
    wire = Wire(clock, SERIAL_BAUD)
    device = MAKE["shoe"](clock, wire.device, "S-1", 1)
    device.start()
    report = conform(Probe(clock, wire.host, spec_of("shoe"), 0.05), declaration_of("shoe"), Stimulus())
    assert report.ok
    untried = [step for step in report.steps if step.verdict == "not tried"]
    assert any("needs 40 events of the device" in step.text and "--ask" in step.text for step in untried)
    assert any("restart of the device with its memory" in step.text for step in untried)
    assert report.count("failed") == 0


def test_an_engineer_is_asked_and_may_pass() -> None:
    clock = VirtualClock()
    wire = Wire(clock, SERIAL_BAUD)
    device = MAKE["shoe"](clock, wire.device, "S-1", 1)
    device.start()
    back_door = BackDoor(device.link, sample_event("shoe"))
    asked: list[str] = []

    def ask(text: str) -> bool:
        asked.append(text)
        if "memory" in text or "Do this at the Card shoe: clear" in text:
            return False
        back_door.events(int(next(word for word in text.split() if word.isdigit())))
        return True

    probe = Probe(clock, wire.host, spec_of("shoe"), 0.05)
    report = conform(probe, declaration_of("shoe"), Person(spec_of("shoe"), ask))
    assert report.ok, reports.as_text(report)
    assert any("see something" in text for text in asked)
    passed_over = next(step for step in report.steps if step.step == "notes.tells_each_card_of_a_shoe_once")
    assert (passed_over.verdict, "passed over this" in passed_over.text) == ("not tried", True)
    assert any("the engineer passed over this" in step.text for step in report.steps)
    with pytest.raises(NotTried):
        Person(spec_of("shoe"), lambda text: False).events(3)


def test_the_reports_agree_and_are_well_formed(monkeypatch: pytest.MonkeyPatch) -> None:
    report = against("shoe", named("WrongDigest"), monkeypatch)
    text = reports.as_text(report)
    assert "FAILED    identify.is_what_it_should_be" in text
    assert "DOES NOT CONFORM" in text
    assert "in  IDENTITY" in text  # the frames before a failure
    plain = json.loads(reports.as_json(report))
    assert plain["ok"] is False
    assert len(plain["steps"]) == len(report.steps)
    suite = ET.fromstring(reports.as_junit(report))
    assert int(suite.get("failures", "")) == report.count("failed") > 0
    assert int(suite.get("skipped", "")) == report.count("not tried")
    assert len(suite.findall("testcase")) == len(report.steps)
    page = reports.as_html(report)
    assert page.count("<tr class=") == len(report.steps)
    assert "http" not in page  # one file that needs nothing beside itself


def test_the_command_writes_every_report_and_tells_by_its_status(tmp_path: Path) -> None:
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "junit", "html")}
    arguments = ["shoe", "--port", "simulated"]
    for kind, path in files.items():
        arguments += [f"--{kind}", str(path)]
    told = CliRunner().invoke(command, arguments)
    assert told.exit_code == 0, told.output
    assert "conforms: " in told.output
    assert json.loads(files["json"].read_text("utf-8"))["ok"] is True
    assert files["junit"].read_text("utf-8").startswith("<?xml")
    assert "<!doctype html>" in files["html"].read_text("utf-8")


def test_the_command_fails_for_a_wrong_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulators.shoe.DeviceLink", named("NoBeat"))
    told = CliRunner().invoke(command, ["shoe", "--port", "simulated", "--step", "timing.*"])
    assert told.exit_code == 1
    assert "FAILED" in told.output


def test_the_command_tells_a_port_that_is_not_there_and_a_step_that_is_none() -> None:
    told = CliRunner().invoke(command, ["shoe", "--port", "/dev/not-there"])
    assert told.exit_code == 1
    assert "/dev/not-there is not there" in told.output
    told = CliRunner().invoke(command, ["shoe", "--port", "simulated", "--step", "nonsense"])
    assert told.exit_code == 2
    assert "nonsense" in told.output


def test_a_certificate_says_every_sentence_and_holds_only_as_it_was_signed(tmp_path: Path) -> None:
    paper, key, capture = tmp_path / "shoe.cert", tmp_path / "tester.pem", tmp_path / "shoe.capture"
    arguments = ["shoe", "--port", "simulated", "--certificate", str(paper), "--tester", "E. Engineer"]
    told = CliRunner().invoke(command, arguments)
    assert told.exit_code == 2
    assert "--sign" in told.output
    told = CliRunner().invoke(command, [*arguments, "--sign", str(key), "--record", str(capture)])
    assert told.exit_code == 0, told.output
    assert key.stat().st_mode & 0o077 == 0
    claims, public = verified(paper.read_text("utf-8"))
    assert claims["conforms"] is True
    assert set(claims["sentences"]) == set(sentences()) | set(notes("shoe"))
    assert claims["sentences"]["shoe N2"]["verdict"] == "kept"
    assert claims["sentences"]["shoe N1"]["why"] == UNTRIED["shoe N1"]
    assert claims["sentences"]["E5"]["verdict"] == "kept"
    assert claims["sentences"]["P5"]["why"] == UNTRIED["P5"]
    assert spec_of("shoe").digest.hex() in claims["spec"]
    shown = CliRunner().invoke(certificate_command, [str(paper), "--signer", public])
    assert shown.exit_code == 0, shown.output
    assert "SIM-SHOE, firmware 1.0.0" in shown.output
    assert CliRunner().invoke(certificate_command, [str(paper), "--signer", "another"]).exit_code == 1
    changed = paper.read_text("utf-8").replace("SIM-SHOE", "SIM-SHOF")
    (tmp_path / "changed").write_text(changed, "utf-8")
    told = CliRunner().invoke(certificate_command, [str(tmp_path / "changed")])
    assert told.exit_code == 1
    assert "was changed" in told.output
    (run,) = read_capture(capture)
    assert len(run.pieces) > 1000


def test_a_faster_clock_says_what_it_no_longer_shows() -> None:
    report = msgspec.structs.replace(conform_simulator("shoe", []), remarks=["At speed 20 ..."])
    assert "At speed 20" in reports.as_text(report)
