"""`tablectl conform`: whether a device keeps to the link, shown step by step."""

from __future__ import annotations

import contextlib
import fnmatch
from pathlib import Path
from typing import TypeVar

import click

from controller import log
from controller.commands.output import NEW_FILE, give
from controller.commands.spec import KINDS
from firmware_specs.link import KEY_BYTES
from firmware_specs.port import PortTrouble
from lab.conformance import report as reports
from lab.conformance.bench import conform_port, conform_simulator, sample_event, spec_of
from lab.conformance.probe import NotTried
from lab.conformance.simulated import simulated_reader
from lab.conformance.stimulus import Control, Person, Stimulus
from lab.conformance.suite import Report, Step, StepResult, all_steps
from lab.conformance.swipe import (
    ControlSwiper,
    PersonSwiper,
    Swiper,
    SwipeStep,
    conform_reader_on,
    conform_swipe,
    swipe_steps,
)

AnyStep = TypeVar("AnyStep", Step, SwipeStep)
SIMULATED = "simulated"
READER = "swipe"
"""The one kind that speaks its maker's protocol and has a suite of its own."""


@click.command()
@click.argument("device", type=click.Choice([*KINDS, READER]))
@click.option(
    "--port", required=True, help=f"Such as /dev/ttyUSB0 or tcp://HOST:PORT; {SIMULATED} tries the simulator."
)
@click.option(
    "--program",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Start this program as the device, on a pseudo-terminal of its own (--port pty).",
)
@click.option("--control", help="The control socket of the reference program, or of firmware with the same lines.")
@click.option(
    "--ask",
    is_flag=True,
    help="Ask you to make events and to restart the device; without it, steps that need this are not tried.",
)
@click.option("--step", "wanted", multiple=True, help="Only steps of this name; * stands for anything.")
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The key of a paired device, as `tablectl pair` keeps it beside the journal.",
)
@click.option("--speed", default=1.0, show_default=True, help="How much faster the clock of a --program runs.")
@click.option("--json", "json_file", type=NEW_FILE, help="Write the report as JSON.")
@click.option("--junit", "junit_file", type=NEW_FILE, help="Write it for a build server.")
@click.option("--html", "html_file", type=NEW_FILE, help="Write it as a page.")
@click.option(
    "--certificate",
    "certificate_file",
    type=NEW_FILE,
    help="Write a signed certificate: device, firmware, spec digest, every sentence; needs --sign.",
)
@click.option(
    "--sign",
    "sign_file",
    type=NEW_FILE,
    help="The tester's Ed25519 key; made when there is none.",
)
@click.option("--tester", default="", help="Who tested, for the certificate.")
@click.option(
    "--record",
    "record_file",
    type=NEW_FILE,
    help="Record the line into this capture; `tablectl capture show` reads it.",
)
def conform(
    device: str,
    port: str,
    program: Path | None,
    control: str | None,
    ask: bool,
    wanted: tuple[str, ...],
    key_file: Path | None,
    speed: float,
    json_file: Path | None,
    junit_file: Path | None,
    html_file: Path | None,
    certificate_file: Path | None,
    sign_file: Path | None,
    tester: str,
    record_file: Path | None,
) -> None:
    """Run the conformance suite against a device; exit status 1 when something fails.

    It acknowledges whatever the device holds: never use it on a device with events that still matter.
    """
    log.setup(level="error")
    if device == READER:
        tried = _chosen(swipe_steps(), wanted)
        click.echo(f"{device} at {port}: {len(tried)} steps")
        report = _run_reader(port, control, ask, tried)
    else:
        steps = _chosen(all_steps(), wanted)
        click.echo(f"{device} at {port}: {len(steps)} steps")
        report = _run(device, port, program, control, ask, steps, _key(key_file), speed, record_file)
    for step in report.steps:
        if step.verdict == "failed":
            click.echo("")
            if not step.frames:
                continue
            click.echo(f"{step.step} failed ({reports.asked_by(step)}); the last frames:")
            for frame in step.frames[-24:]:
                click.echo(f"  {frame}")
    click.echo("")
    for remark in report.remarks:
        click.echo(remark)
    click.echo(reports.summary(report))
    if certificate_file is not None:
        _certify(certificate_file, sign_file, tester, report)
    for path, write in ((json_file, reports.as_json), (junit_file, reports.as_junit), (html_file, reports.as_html)):
        if path is not None:
            give(write(report), path)
    if not report.ok:
        raise SystemExit(1)


def _run(
    device: str,
    port: str,
    program: Path | None,
    control: str | None,
    ask: bool,
    steps: list[Step],
    key: bytes,
    speed: float,
    record: Path | None,
) -> Report:
    def tell(result: StepResult) -> None:
        click.echo(reports.line(result))

    if port == SIMULATED:
        return conform_simulator(device, steps, tell, key, record)
    try:
        with contextlib.ExitStack() as stack:
            if program is not None:
                from lab.conformance.program import Program

                running = stack.enter_context(Program(program, device, speed=speed))
                port, control = running.port, running.control
            stimulus = _stimulus(device, control, ask)
            return conform_port(device, port, stimulus, steps, tell, speed, key=key, record=record)
    except PortTrouble as trouble:
        raise click.ClickException(f"{trouble.text}. {trouble.remedy}") from trouble
    except NotTried as reason:
        raise click.ClickException(str(reason)) from reason


def _certify(path: Path, sign_file: Path | None, tester: str, report: Report) -> None:
    from lab.conformance.certificate import NotCertified, certificate, tester_key

    if sign_file is None:
        raise click.UsageError("--certificate needs --sign: the file with the tester's key (made when there is none)")
    try:
        text = certificate(report, tester, tester_key(sign_file))
    except NotCertified as why:
        raise click.ClickException(str(why)) from why
    give(text, path)


def _key(path: Path | None) -> bytes:
    if path is None:
        return b""
    try:
        key = bytes.fromhex(path.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{path} is no key file ({error}); give the one that `tablectl pair` wrote") from error
    if len(key) != KEY_BYTES:
        raise click.UsageError(f"{path} is no key file: it holds {len(key)} bytes, and a key has {KEY_BYTES}")
    return key


def _stimulus(device: str, control: str | None, ask: bool) -> Stimulus:
    if control is not None:
        return Control(control, spec_of(device), sample_event(device))
    if ask:
        return Person(spec_of(device), lambda text: click.confirm(f"{text} Done? (n passes over it)", default=True))
    return Stimulus()


def _run_reader(port: str, control: str | None, ask: bool, steps: list[SwipeStep]) -> Report:
    if port == SIMULATED:
        return conform_swipe(simulated_reader(), steps, lambda result: click.echo(reports.line(result)))
    swiper = Swiper()
    try:
        if control is not None:
            swiper = ControlSwiper(Control(control))
        elif ask:
            swiper = PersonSwiper(lambda text: click.confirm(f"{text} Done? (n passes over it)", default=True))
        return conform_reader_on(port, swiper, steps, lambda result: click.echo(reports.line(result)))
    except PortTrouble as trouble:
        raise click.ClickException(f"{trouble.text}. {trouble.remedy}") from trouble
    except NotTried as reason:
        raise click.ClickException(str(reason)) from reason


def _chosen(steps: list[AnyStep], wanted: tuple[str, ...]) -> list[AnyStep]:
    for pattern in wanted:
        if not any(fnmatch.fnmatch(step.name, pattern) for step in steps):
            names = ", ".join(step.name for step in steps)
            raise click.UsageError(f"no step is called {pattern!r}; there are {names}")
    return [step for step in steps if not wanted or any(fnmatch.fnmatch(step.name, each) for each in wanted)]
