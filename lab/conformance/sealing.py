"""Steps: a device that can seal does so when it is demanded, and then hears nothing else."""

from __future__ import annotations

from firmware_specs import link
from firmware_specs.sealing import SEALS, Seal, sealed_proof
from lab.conformance.pairing import ASKED, asked
from lab.conformance.probe import Failed, NotTried
from lab.conformance.suite import Steps, Trial

STEPS = Steps("sealing", "Sealed sessions")
step = STEPS.step


def sealed(t: Trial) -> tuple[Seal, link.Identity]:
    """A sealed session, accepted, with nothing held any more."""
    identity = asked(t)
    if not identity.proof:
        raise NotTried("the device holds no key; pair it and give --key to try this")
    if not identity.capabilities & SEALS:
        raise NotTried("the device cannot seal (capability bit 31 is 0)")
    probe = t.probe
    seal = Seal(probe.key, ASKED, identity.challenge, host=True)
    probe.send(link.encode_proof(identity.nonce, sealed_proof(probe.key, ASKED, identity.challenge)))
    last = identity.next - 1
    probe.send(seal.close(link.encode_ack(identity.epoch, last, last)))
    probe.rest(0.1)
    return seal, identity


def inside(t: Trial, seal: Seal, since: int) -> list[bytes]:
    """What the device said in the session; anything bare is a failure."""
    found = []
    for passed in t.probe.heard(since):
        if passed.content[0] == link.IDENTITY:
            continue
        content = seal.open(passed.content)
        if content is None:
            raise Failed(f"in a sealed session this came without a right seal: {passed.line().strip()}")
        found.append(content)
    return found


def _set(t: Trial, revision: int) -> bytes:
    return link.HEAD_SET.pack(link.SET, revision) + t.spec.safe.encode()


@step("L1", "L2")
def answers_sealed_frames_sealed(t: Trial) -> None:
    """A SET inside SEALED is applied, and everything the device says in the session is sealed."""
    seal, _ = sealed(t)
    since = t.probe.mark()
    t.probe.send(seal.close(_set(t, 5)))
    t.probe.rest(t.spec.beat_ms / 1000 + t.late)
    kinds = [content[0] for content in inside(t, seal, since)]
    if link.APPLIED not in kinds:
        raise Failed("a SET inside SEALED was not answered with a sealed APPLIED")


@step("L2", "L3")
def hears_nothing_else(t: Trial) -> None:
    """Bare frames, a wrong tag, a counter that came before: none is acted on in a sealed session."""
    seal, identity = sealed(t)
    probe = t.probe
    right = seal.close(_set(t, 5))
    probe.send(right)
    probe.rest(0.2)
    since = probe.mark()
    probe.send(right)
    probe.send(_set(t, 9))
    wrong = seal.close(_set(t, 11))
    probe.send(wrong[:-1] + bytes((wrong[-1] ^ 1,)))
    probe.send(wrong[:6] + bytes((wrong[6] ^ 1,)) + wrong[7:])
    probe.send(link.encode_ack(identity.epoch, identity.next - 1, identity.next - 1))
    probe.rest(0.3)
    if any(content[0] == link.APPLIED for content in inside(t, seal, since)):
        raise Failed("a SET that was bare, spoilt or played back was answered")
    since = probe.mark()
    probe.send(seal.close(_set(t, 12)))
    probe.rest(0.3)
    if not any(content[0] == link.APPLIED for content in inside(t, seal, since)):
        raise Failed("after wrong frames a right one was not answered any more")


@step("L2", "T2")
def is_not_kept_alive_by_strangers(t: Trial) -> None:
    """Bare frames do not keep a sealed session alive."""
    _, identity = sealed(t)
    since, silence = t.probe.mark(), t.spec.silence_ms / 1000
    until = t.clock.now() + silence + t.late
    while t.clock.now() < until:
        t.probe.send(link.encode_ack(identity.epoch, identity.next - 1, identity.next - 1))
        t.probe.rest(0.5)
    if not t.probe.announcements(since):
        raise Failed(f"bare ACKs kept a sealed session alive for {silence:g} s")
