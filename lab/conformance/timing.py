"""Steps: beats and silence."""

from __future__ import annotations

from firmware_specs import link
from lab.conformance.probe import ANSWER_S, Failed
from lab.conformance.suite import Steps, Trial

STEPS = Steps("timing", "Silence")
step = STEPS.step


@step("T1", "F2")
def beats_when_it_has_nothing_to_say(t: Trial) -> None:
    """In a session a device that has sent nothing for a beat sends BEAT."""
    probe = t.probe
    beat = t.spec.beat_ms / 1000
    last = probe.drain().next - 1
    begun, since = t.clock.now(), probe.mark()
    probe.alive_for(3 * beat + 0.5, last, last)
    times = [begun, *(passed.at for passed in probe.heard(since))]
    gaps = [after - before for before, after in zip(times, [*times[1:], t.clock.now()], strict=True)]
    if max(gaps) > beat + t.late:
        raise Failed(f"nothing was heard for {max(gaps):.2f} s in a session; a beat every {beat:g} s is asked for")
    beats = len(probe.heard(since, link.BEAT))
    if not beats and not probe.heard(since, link.LIVE):
        raise Failed("no BEAT was heard")
    if beats > 5:
        raise Failed(f"{beats} beats in {3 * beat:g} s; a beat is sent only after {beat:g} s without another frame")


@step("T2")
def notices_a_silent_host(t: Trial) -> None:
    """After the silence time without a valid frame the session is over, and it announces itself."""
    probe = t.probe
    silence = t.spec.silence_ms / 1000
    last = probe.drain().next - 1
    probe.ack(last, last)
    begun, since = t.clock.now(), probe.mark()
    probe.rest(silence - 0.3 - t.early)
    if probe.announcements(since):
        raise Failed(f"the session was given up {silence - (t.clock.now() - begun):.1f} s before its time")
    probe.expect_announcement(
        f"announce itself when the host was silent for {silence:g} s", since, 0.3 + t.early + t.late
    )
    since = probe.mark()
    probe.ack(last, last)
    probe.expect_announcement(
        "treat an ACK after the silence as one without a session", since, ANSWER_S + t.spec.beat_ms / 1000
    )


@step("T2", "F6", "E5")
def does_not_hear_noise(t: Trial) -> None:
    """Damaged frames, unknown kinds and ACKs that are dropped are not heard: the session ends all the same."""
    probe = t.probe
    silence = t.spec.silence_ms / 1000
    last = probe.drain().next - 1
    probe.ack(last, last)
    since, until = probe.mark(), t.clock.now() + silence + t.late
    while t.clock.now() < until:
        probe.raw(b"\x07\x55\x66\x77\x88\x99\xaa\0")
        probe.send(b"\x42noise")
        probe.ack(last + 5, last)
        probe.rest(0.4)
    if not probe.announcements(since):
        raise Failed(f"noise alone kept the session alive for more than {silence:g} s")


@step("V1", "V2")
def shows_live_sparingly(t: Trial) -> None:
    """No LIVE comes before the first ACK, and not more than 20 a second after it."""
    probe = t.probe
    last = probe.hello().next - 1
    since = probe.mark()
    probe.rest(0.5)
    if probe.heard(since, link.LIVE):
        raise Failed("LIVE came before the host had accepted the device with an ACK")
    since = probe.mark()
    probe.alive_for(3.0, last, last)
    heard = len(probe.heard(since, link.LIVE))
    if heard > 66:
        raise Failed(f"{heard} LIVE in 3 s; 20 a second may be")


@step("S2", "O1")
def answers_in_time(t: Trial) -> None:
    """HELLO and SET are answered before a host would repeat them, ten times in a row."""
    probe = t.probe
    worst = 0.0
    for turn in range(10):
        since, begun = probe.mark(), t.clock.now()
        nonce = probe.say_hello()
        probe.expect_answer("answer HELLO in time", since, nonce, 1.0)
        worst = max(worst, probe.heard(since, link.IDENTITY)[-1].at - begun)
        last = probe.hello().next - 1
        probe.ack(last, last)
        since, begun = probe.mark(), t.clock.now()
        probe.set(turn, t.spec.safe.encode())
        probe.expect("answer SET in time", since, link.APPLIED, 1.0)
        worst = max(worst, probe.heard(since, link.APPLIED)[-1].at - begun)
    if worst > ANSWER_S + probe.slack:
        raise Failed(f"the slowest answer took {worst * 1000:.0f} ms; the host repeats itself after 250 ms")
