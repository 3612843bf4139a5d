"""Steps: outputs become what the host says, and safe when it says nothing."""

from __future__ import annotations

from firmware_specs import link
from firmware_specs.spec import Message
from lab.conformance.probe import ANSWER_S, Failed, NotTried
from lab.conformance.suite import Steps, Trial

STEPS = Steps("outputs", "Outputs")
step = STEPS.step


def put(t: Trial, revision: int, body: bytes, what: str = "a SET") -> int:
    """Send a SET and wait for its APPLIED; the revision that came back."""
    probe = t.probe
    since = probe.mark()
    probe.set(revision, body)
    probe.expect(f"answer {what} with APPLIED", since, link.APPLIED)
    content = probe.heard(since, link.APPLIED)[-1].content
    if len(content) != link.HEAD_SET.size:
        raise Failed(f"APPLIED has {len(content)} bytes, not {link.HEAD_SET.size}")
    return int(link.HEAD_SET.unpack(content)[1])


def look(t: Trial, wanted: bytes, why: str) -> None:
    """Where the outputs can be seen, they must be these."""
    seen = t.stimulus.outputs()
    if seen is not None and seen.encode() != wanted:
        raise Failed(f"{why}: the outputs are {_words(seen)}, not {_words(t.spec.outputs.decode(wanted))}")


def _words(outputs: Message) -> str:
    return ", ".join(f"{name} {value}" for name, value in outputs.plain().items())


def safe_session(t: Trial) -> int:
    """A session with nothing held and all outputs safe; the last event number."""
    last = t.probe.drain().next - 1
    put(t, 1, t.spec.safe.encode())
    return last


@step("O1")
def are_applied_at_their_limits(t: Trial) -> None:
    """SET with all outputs lowest and highest is applied and answered with its revision."""
    t.needs_outputs()
    t.probe.drain()
    for revision, (what, body) in enumerate(t.bodies.within(t.declaration.outputs_message), start=1):
        if put(t, revision, body, f"a SET with {what}") != revision:
            raise Failed(f"APPLIED of a SET with {what} has another revision")
        look(t, body, f"after a SET with {what}")
    put(t, 9, t.spec.safe.encode())


@step("O2")
def are_not_applied_beyond_their_limits(t: Trial) -> None:
    """SET just outside the declaration is dropped: no APPLIED, nothing changed."""
    t.needs_outputs()
    safe_session(t)
    for what, body in t.bodies.beyond(t.declaration.outputs_message):
        since = t.probe.mark()
        t.probe.set(2, body)
        t.probe.rest(ANSWER_S)
        if t.probe.heard(since, link.APPLIED):
            raise Failed(f"a SET {what} was applied")
        look(t, t.spec.safe.encode(), f"after a SET {what}")


@step("O2", "F6")
def are_not_applied_from_a_short_frame(t: Trial) -> None:
    """SET without a whole revision is dropped."""
    safe_session(t)
    since = t.probe.mark()
    t.probe.send(bytes((link.SET,)))
    t.probe.send(bytes((link.SET, 1)))
    t.probe.rest(ANSWER_S)
    if t.probe.heard(since, link.APPLIED):
        raise Failed("a SET without a whole revision was answered")


@step("O3")
def ignore_older_revisions(t: Trial) -> None:
    """Within a session an older SET is not applied, and APPLIED tells the newer revision; 0 follows 65535."""
    t.needs_outputs()
    t.probe.drain()
    name, _, unsafe = t.unsafe_outputs()[0]
    safe = t.spec.safe.encode()
    put(t, 65535, safe)
    if put(t, 0, unsafe) != 0:
        raise Failed("revision 0 after 65535 was taken for older")
    look(t, unsafe, f"{name} was set by revision 0 after 65535")
    if put(t, 65535, safe) != 0:
        raise Failed("an older SET was not answered with the newer revision")
    look(t, unsafe, "an older SET came")
    if put(t, 0, unsafe) != 0:
        raise Failed("a repeated SET was not answered with its revision")
    put(t, 1, safe)


@step("S3")
def forget_revisions_with_hello(t: Trial) -> None:
    """A new session begins without a revision, so that a host which restarted is heard."""
    t.needs_outputs()
    t.probe.drain()
    _, _, unsafe = t.unsafe_outputs()[0]
    put(t, 30000, unsafe)
    t.probe.drain()
    if put(t, 1, t.spec.safe.encode()) != 1:
        raise Failed("after a new HELLO a SET of revision 1 was taken for older")
    look(t, t.spec.safe.encode(), "after a new HELLO the outputs were set to safe")


@step("O5")
def stay_while_the_host_is_heard(t: Trial) -> None:
    """Outputs hold as long as ACKs come, and the session goes on."""
    t.needs_outputs()
    last = safe_session(t)
    holds = t.unsafe_outputs()
    _, hold, unsafe = min(holds, key=lambda each: each[1])
    put(t, 2, unsafe)
    since = t.probe.mark()
    t.probe.alive_for(hold / 1000 + 1.5, last, last)
    if t.probe.announcements(since):
        raise Failed("the session ended although the host sent an ACK every second")
    look(t, unsafe, "the host sent an ACK every second")


@step("O5", "O6")
def fall_back_when_the_host_is_silent(t: Trial) -> None:
    """Each output goes to safe by itself after its hold, though HELLOs go on, and the session is over."""
    t.needs_outputs()
    for name, hold, unsafe in t.unsafe_outputs():
        safe_session(t)
        put(t, 2, unsafe)
        ruled = t.probe.passed[_last_out(t)].at
        since = t.probe.mark()
        _hello_until(t, ruled + hold / 1000 - 0.3 - t.early)
        if t.probe.announcements(since):
            raise Failed(f"{name} gave up before its hold of {hold} ms was over")
        look(t, unsafe, f"{name} has a hold of {hold} ms that is not over")
        t.probe.expect_announcement(
            f"end the session and announce itself when the hold of {name} ({hold} ms) was over, though HELLOs came",
            since,
            max(0.0, ruled + hold / 1000 - t.clock.now()) + t.late,
        )
        look(t, t.spec.safe.encode(), f"the hold of {name} ({hold} ms) is over")


def _last_out(t: Trial) -> int:
    return max(place for place, passed in enumerate(t.probe.passed) if passed.way == "out")


def _hello_until(t: Trial, when: float) -> None:
    """A host that refuses the device: it asks on and says nothing else."""
    while t.clock.now() < when:
        t.probe.hello()
        t.probe.rest(min(1.0, max(0.0, when - t.clock.now())))


@step("O5", "E5", "F6")
def are_not_held_by_wrong_frames(t: Trial) -> None:
    """SETs out of range and damaged ACKs do not keep an output alive."""
    t.needs_outputs()
    beyond = next(iter(t.bodies.beyond(t.declaration.outputs_message)))[1]
    last = safe_session(t)
    name, hold, unsafe = min(t.unsafe_outputs(), key=lambda each: each[1])
    put(t, 2, unsafe)
    since = t.probe.mark()
    ruled = t.probe.passed[_last_out(t)].at
    right = link.encode_ack(t.probe.known.epoch, last, last)
    while t.clock.now() < ruled + hold / 1000 + t.late:
        t.probe.set(3, beyond)
        t.probe.send(right[:-1] + b"\7")
        t.probe.ack(last + 9, last)
        t.probe.raw(b"\x05\x02" + right[1:4] + b"\x99\0")
        t.probe.rest(0.5)
    if not t.probe.announcements(since):
        raise Failed(f"wrong frames alone kept the session and {name} alive beyond the hold of {hold} ms")
    look(t, t.spec.safe.encode(), f"only wrong frames came for the hold of {name}")


@step("O4")
def are_safe_after_a_restart(t: Trial) -> None:
    """After a restart every output is safe until it is set again."""
    t.needs_outputs()
    t.probe.drain()
    for _, _, unsafe in t.unsafe_outputs()[:1]:
        put(t, 2, unsafe)
        t.stimulus.restart(keep_memory=True)
        t.probe.rest(0.2)
        if t.stimulus.outputs() is None:
            raise NotTried("the outputs cannot be seen from here; look at the device after a restart")
        look(t, t.spec.safe.encode(), "after a restart")
