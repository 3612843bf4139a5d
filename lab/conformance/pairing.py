"""Steps: a paired device proves its key, and hears only who holds it."""

from __future__ import annotations

from firmware_specs import link, pairing
from firmware_specs.link import CHALLENGE_BYTES, PROOF_BYTES, Identity
from firmware_specs.sealing import SEALS
from lab.conformance.probe import ANSWER_S, Failed, NotTried
from lab.conformance.suite import Steps, Trial

STEPS = Steps("pairing", "Pairing")
step = STEPS.step
ASKED = bytes(range(1, CHALLENGE_BYTES + 1))
STRANGE_KEY = b"\x5a" * link.KEY_BYTES


def asked(t: Trial, challenge: bytes = ASKED) -> Identity:
    """The answer to a HELLO with a challenge, which proves nothing to the device yet."""
    since = t.probe.mark()
    nonce = t.probe.say_hello(challenge=challenge)
    t.probe.expect_answer("answer a HELLO with a challenge", since, nonce)
    identity = t.probe.answer(since, {nonce})
    assert identity is not None
    return identity


def _needs_key(t: Trial) -> None:
    if not t.probe.hello().proof:
        raise NotTried("the device holds no key; pair it and give --key to try this")


@step("K2", "P1")
def takes_a_challenge(t: Trial) -> None:
    """A HELLO with a challenge is answered, by a device that cannot be paired too."""
    identity = asked(t)
    if bool(identity.challenge) != bool(identity.proof):
        raise Failed("IDENTITY carries a challenge without a proof, or a proof without a challenge")
    if identity.proof and not t.probe.key:
        raise Failed(
            "IDENTITY carries a proof: the device is paired, and its key must be given with --key; or something else "
            "stands where challenge and proof belong"
        )


@step("P2")
def drops_what_proves_nothing(t: Trial) -> None:
    """PROOF with a wrong proof, PROOF and PAIR of another HELLO, and both cut short, change nothing."""
    probe = t.probe
    before = probe.hello()
    for wrong in (
        link.encode_proof(before.nonce, bytes(PROOF_BYTES)),
        link.encode_proof(before.nonce ^ 1, bytes(PROOF_BYTES)),
        link.encode_pair(before.nonce ^ 1, b"\1" * link.KEY_BYTES),
        link.encode_proof(before.nonce, bytes(PROOF_BYTES))[:-1],
        link.encode_pair(before.nonce, b"\1" * link.KEY_BYTES)[:-1],
    ):
        since = probe.mark()
        probe.send(wrong)
        probe.rest(0.1)
        if probe.heard(since, link.IDENTITY, link.RESULT, link.APPLIED):
            raise Failed(f"{link.describe(wrong)} was answered")
    after = probe.hello()
    if bool(after.proof) != bool(before.proof) or after.boot != before.boot:
        raise Failed("frames that prove nothing changed the device")


@step("P1")
def proves_itself(t: Trial) -> None:
    """The proof answers the host's challenge with the key, over exactly what IDENTITY says."""
    _needs_key(t)
    for challenge in (ASKED, bytes(reversed(ASKED)), b""):
        identity = asked(t, challenge)
        if not pairing.proves(identity, t.probe.key, challenge):
            raise Failed("the proof in IDENTITY is not what the key gives")


@step("P3", "P1")
def asks_anew_every_time(t: Trial) -> None:
    """Its challenge is new for each HELLO, the same for a HELLO repeated, and never in an announcement."""
    _needs_key(t)
    probe = t.probe
    first, second = asked(t), asked(t)
    if first.challenge == second.challenge:
        raise Failed("two HELLOs got the same challenge: a recorded session could be played back")
    since = probe.mark()
    probe.send(link.Hello(second.nonce, 0, 0, challenge=ASKED).encode())
    probe.expect_answer("answer a repeated HELLO", since, second.nonce)
    again = probe.answer(since, {second.nonce})
    if again is None or again.challenge != second.challenge:
        raise Failed("a HELLO repeated before its PROOF got another challenge")
    since = probe.mark()
    probe.rest(t.spec.beat_ms / 1000 + t.late)
    if any(Identity.decode(passed.content).proof for passed in probe.announcements(since)):
        raise Failed("an announcement carries a proof")


@step("P4")
def takes_no_key_from_strangers(t: Trial) -> None:
    """A paired device takes another key only after the right PROOF, before any ACK, and sealed if it can seal."""
    _needs_key(t)
    probe = t.probe
    asked(t)
    _offer(t, "before PROOF")
    probe.accept()
    _offer(t, "after an ACK")
    if probe.hello().capabilities & SEALS:
        _offer(t, "bare, though it can seal")


def _offer(t: Trial, when: str) -> None:
    """Give it a key that it must not take."""
    probe = t.probe
    probe.send(link.encode_pair(probe.known.nonce, STRANGE_KEY))
    probe.rest(0.2)
    if not pairing.proves(asked(t), probe.key, ASKED):
        raise Failed(f"it took another key {when}: its key is {STRANGE_KEY.hex()} now; clear it by hand")


@step("P2")
def hears_nobody_without_proof(t: Trial) -> None:
    """Without the right PROOF, ACK, COMMAND and SET belong to no session."""
    _needs_key(t)
    probe = t.probe
    for what, wrong in (("no PROOF", b""), ("a wrong PROOF", b"\x5a" * PROOF_BYTES)):
        identity = asked(t)
        if wrong:
            probe.send(link.encode_proof(identity.nonce, wrong))
        probe.rest(0.3)
        since = probe.mark()
        probe.set(1, t.spec.safe.encode())
        probe.rest(0.3)
        probe.ack(identity.next - 1, identity.next - 1)
        probe.command(t.next_id(), 1)
        probe.rest(ANSWER_S)
        if probe.heard(since, link.APPLIED, link.RESULT, link.EVENT):
            raise Failed(f"a host with {what} was heard")
        if probe.hello().oldest != identity.oldest:
            raise Failed(f"a host with {what} made the device forget")
