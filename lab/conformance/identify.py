"""Steps: who is there, and when a session begins and ends."""

from __future__ import annotations

import itertools

from firmware_specs import link
from firmware_specs.frames import MAX_CONTENT
from firmware_specs.link import Identity
from firmware_specs.sealing import SEALS
from lab.conformance.probe import ANSWER_S, Failed
from lab.conformance.suite import Steps, Trial

STEPS = Steps("identify", "A session")
step = STEPS.step


@step("S2")
def answers_hello(t: Trial) -> None:
    """HELLO is answered with an IDENTITY of the same nonce in time."""
    probe = t.probe
    probe.rest(0.1)
    since = probe.mark()
    nonce = probe.say_hello()
    probe.expect_answer("answer HELLO", since, nonce)


@step("K1", "K4", "F1")
def is_what_it_should_be(t: Trial) -> None:
    """Device code, spec version and digest are those of this device, and the numbering makes sense."""
    identity, spec = t.probe.hello(), t.spec
    if identity.link_version != link.LINK_VERSION:
        raise Failed(f"link version is {identity.link_version}, not {link.LINK_VERSION}")
    if identity.code != spec.code:
        raise Failed(f"device code is {identity.code}; a {spec.title} has {spec.code}")
    if identity.spec_version != spec.version:
        raise Failed(f"spec version is {identity.spec_version}, not {spec.version}")
    if identity.digest != spec.digest:
        raise Failed(f"spec digest is {identity.digest.hex()}, not {spec.digest.hex()}: made from another declaration")
    for what, text in (("serial", identity.serial), ("firmware", identity.firmware)):
        if any(ord(letter) < 32 for letter in text):
            raise Failed(f"the {what} is {text!r}: a str has no closing zero and no other control character")
    content = t.probe.heard(0, link.IDENTITY)[-1].content
    if len(content) != len(identity.encode()):
        raise Failed(f"IDENTITY has {len(content)} bytes; link version 1 knows {len(identity.encode())} of them")


@step("K5")
def says_what_it_can(t: Trial) -> None:
    """Its capabilities are bits that its page declares, and bit 31 for sealing."""
    can = t.probe.hello().capabilities
    known = sum(t.spec.capabilities.values()) | SEALS
    if can & ~known:
        raise Failed(f"capabilities are {can:08x}; bits {can & ~known:08x} are not declared")
    counts = {"chips": 0x3F, "cards": 0x0F}
    if t.spec.kind in counts and not can & counts[t.spec.kind]:
        raise Failed(f"capabilities are {can:08x}: there is not one area or seat")


@step("S4")
def ends_its_session_for_another_link_version(t: Trial) -> None:
    """A HELLO of another link version ends the session that is open."""
    probe = t.probe
    last = probe.drain().next - 1
    probe.rest(0.3)
    since = probe.mark()
    nonce = probe.say_hello(version=link.LINK_VERSION + 1)
    probe.expect_answer("answer a HELLO of another link version", since, nonce)
    probe.rest(0.3)
    since = probe.mark()
    probe.set(1, t.spec.safe.encode())
    probe.ack(last, last)
    probe.rest(0.3)
    if probe.heard(since, link.APPLIED):
        raise Failed("a SET was applied after a HELLO of another link version: its session was still open")


@step("S2", "S3")
def answers_every_hello(t: Trial) -> None:
    """A HELLO repeated with the same nonce, and one with a new nonce, are each answered."""
    probe = t.probe
    first = probe.hello()
    since = probe.mark()
    probe.send(link.Hello(first.nonce, 0, 0).encode())
    probe.wait("answer a repeated HELLO", lambda: probe.answer(since, {first.nonce}) is not None, ANSWER_S)
    again = probe.hello()
    if (again.epoch, again.boot, again.serial) != (first.epoch, first.boot, first.serial):
        raise Failed(f"two answers differ without a restart: {first} and {again}")


@step("S4")
def tells_another_link_version(t: Trial) -> None:
    """A HELLO of another link version is answered, and begins no session."""
    probe = t.probe
    probe.drain()
    probe.leave()
    probe.rest(0.3)
    since = probe.mark()
    nonce = probe.say_hello(version=link.LINK_VERSION + 1)
    probe.expect_answer("answer a HELLO of another link version", since, nonce)
    probe.rest(0.3)
    since = probe.mark()
    last = probe.known.next - 1
    probe.ack(last, last)
    probe.expect_announcement("treat an ACK after a HELLO of another link version as one without a session", since)


@step("S7")
def announces_itself(t: Trial) -> None:
    """Without a session it announces itself, with nonce 0, every beat."""
    probe = t.probe
    probe.drain()
    probe.leave()
    since = probe.mark()
    beat = t.spec.beat_ms / 1000
    probe.rest(3 * beat + t.late)
    times = [passed.at for passed in probe.announcements(since)]
    if len(times) < 2:
        raise Failed(
            f"{len(times)} announcements in {3 * beat:g} s without a session; one every {beat:g} s is asked for"
        )
    for before, after in itertools.pairwise(times):
        if not beat - t.early <= after - before <= beat + t.late:
            raise Failed(f"{after - before:.3f} s between two announcements, {beat:g} s is asked for")


@step("S8")
def answers_strays(t: Trial) -> None:
    """ACK, COMMAND and SET without a session are answered with an announcement, not more than every 250 ms."""
    probe = t.probe
    last = probe.drain().next - 1
    probe.leave()
    probe.rest(0.3)
    before, acted = t.stimulus.outputs(), t.stimulus.acted()
    for what in ("ACK", "SET", "COMMAND"):
        since = probe.mark()
        _stray(t, what, last)
        probe.expect_announcement(f"announce itself after a stray {what}", since)
        if probe.heard(since, link.APPLIED, link.RESULT):
            raise Failed(f"a {what} without a session was acted on")
        probe.rest(0.3)
    if before is not None and t.stimulus.outputs() != before:
        raise Failed(f"a SET without a session was applied: the outputs were {before} and are {t.stimulus.outputs()}")
    if acted is not None and t.stimulus.acted() != acted:
        raise Failed("a COMMAND without a session was done")
    since = probe.mark()
    for _ in range(20):
        probe.ack(last, last)
        probe.rest(0.02)
    probe.rest(0.1)
    if len(probe.announcements(since)) > 3:
        raise Failed(f"{len(probe.announcements(since))} announcements within half a second of stray frames")


def _stray(t: Trial, what: str, last: int) -> None:
    if what == "ACK":
        t.probe.ack(last, last)
    elif what == "SET":
        unsafe = t.unsafe_outputs()  # what is safe already would show nothing
        t.probe.set(1, unsafe[0][2] if unsafe else t.spec.safe.encode())
    else:
        t.probe.command(t.next_id(), next(iter(t.spec.commands), 1))


@step("S5", "F6")
def answers_no_wrong_hello(t: Trial) -> None:
    """A HELLO with nonce 0, or too short, is dropped."""
    probe = t.probe
    right = link.Hello(77, 0, 0).encode()
    probe.hello()
    for what, wrong in (
        ("with nonce 0", right[:2] + bytes(4) + right[6:]),
        ("one byte short", right[:-1]),
        ("of its kind alone", right[:1]),
    ):
        since = probe.mark()
        probe.send(wrong)
        probe.rest(ANSWER_S)
        if any(Identity.decode(passed.content).nonce in (0, 77) for passed in probe.heard(since, link.IDENTITY)):
            raise Failed(f"a HELLO {what} was answered")


@step("K1", "K2", "F4")
def understands_a_longer_hello(t: Trial) -> None:
    """A HELLO with fields that a later version added at its end is understood as far as it is known."""
    probe = t.probe
    probe.hello()
    for more in (1, 4, 18, 200, MAX_CONTENT - len(link.Hello(1, 0, 0).encode())):
        for version in (link.LINK_VERSION + 1, link.LINK_VERSION):
            since = probe.mark()
            nonce = probe.say_hello(version=version, more=b"\x5a" * more)
            within = ANSWER_S + t.line_s(more)
            probe.expect_answer(f"answer a HELLO of version {version} with {more} bytes more", since, nonce, within)
