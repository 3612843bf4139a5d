"""Steps: how much a device holds, and what it does when it can hold no more."""

from __future__ import annotations

import itertools

from firmware_specs import link
from lab.conformance.probe import Failed, NotTried
from lab.conformance.restart import BOOT_S, restarted
from lab.conformance.suite import Steps, Trial

STEPS = Steps("memory", "Events")
step = STEPS.step
MOST = 600
"""A device that holds this many more is not filled here."""
LIVES = 4


@step("E10")
def holds_what_its_page_asks(t: Trial) -> None:
    """It holds as many events as its page says, and loses none of them."""
    probe = t.probe
    probe.drain()
    before = probe.hello()
    for number in range(t.declaration.least_events):
        try:
            t.stimulus.events(1)
        except NotTried as refused:
            if number == 0:
                raise
            raise Failed(f"it would not hold more than {number} events: {refused}") from refused
    probe.rest(0.1 + probe.slack)
    after = probe.hello()
    wanted = t.declaration.least_events
    if after.epoch != before.epoch or after.oldest != before.next or after.next - after.oldest < wanted:
        held = after.next - after.oldest if after.epoch == before.epoch else 0
        raise Failed(f"of {wanted} events it holds {held}, from {after.oldest} on; its page asks for {wanted}")


@step("E11")
def forgets_all_or_nothing(t: Trial) -> None:
    """When it can hold no more it takes no more, or forgets everything and draws a new epoch; never some."""
    probe = t.probe
    if not t.stimulus.costs_nothing:
        raise NotTried(f"needs some hundred events, and {t.stimulus.reason}")
    probe.drain()
    before = probe.hello()
    taken = 0
    for _ in range(MOST):
        try:
            t.stimulus.events(1)
        except NotTried:
            if taken == 0:
                raise
            break
        taken += 1
    probe.rest(0.1 + probe.slack)
    after = probe.hello()
    if after.epoch != before.epoch:
        return
    if after.oldest != before.next or after.next != before.next + taken:
        raise Failed(
            f"{taken} events happened from number {before.next} on, and it holds {after.oldest} to {after.next - 1} in "
            "the same epoch: some were forgotten, and nobody is told"
        )
    _come_whole(t, after.oldest, after.next)


def _come_whole(t: Trial, oldest: int, following: int) -> None:
    """Everything that is held comes, in windows, without a gap."""
    probe = t.probe
    since = probe.mark()
    probe.accept()
    seen = oldest - 1
    while seen < following - 1:
        before = seen
        probe.wait(
            f"send event {seen + 1} of those it holds",
            lambda before=before: any(number > before for number, _ in probe.events(since)),  # type: ignore[misc]
            1.0,
        )
        probe.rest(0.1)
        numbers = {number for number, _ in probe.events(since)}
        while seen + 1 in numbers:
            seen += 1
        if seen == before:
            raise Failed(f"event {seen + 1} does not come though later ones do")
        probe.ack(seen, seen)


@step("E2")
def draws_its_epochs(t: Trial) -> None:
    """Epochs are drawn by chance: none comes twice, and none can be told from the one before."""
    epochs = [t.probe.hello().epoch]
    for _ in range(LIVES):
        restarted(t, keep_memory=False)
        epochs.append(t.probe.hello().epoch)
    steps = {(after - before) & 0xFFFFFFFF for before, after in itertools.pairwise(epochs)}
    if len(set(epochs)) != len(epochs):
        raise Failed(f"an epoch came twice in {LIVES} losses of memory: {_hex(epochs)}")
    if len(steps) == 1 or max(epochs) < 1 << 16:
        raise Failed(f"epochs are counted, not drawn: {_hex(epochs)}; another device may have the same")


def _hex(epochs: list[int]) -> str:
    return ", ".join(f"{epoch:08x}" for epoch in epochs)


def _count_from(t: Trial, number: int) -> link.Identity:
    """The device as if so many events had been numbered before, with nothing held."""
    t.probe.drain()
    since = t.probe.mark()
    t.stimulus.count_from(number)
    t.probe.expect_announcement("announce itself after a restart", since, BOOT_S)
    identity = t.probe.hello()
    if not number <= identity.next <= number + 1:  # a start may be told by an event
        raise Failed(f"the next number was made {number}, and IDENTITY says {identity.next}")
    return identity


@step("E1")
def counts_in_32_bits(t: Trial) -> None:
    """Behind event 65535 comes 65536."""
    _count_from(t, (1 << 16) - 6)
    try:
        oldest, following = t.hold_events(10)
    except NotTried as refused:
        raise Failed(f"it numbers nothing more behind 65535: {refused}") from refused
    if oldest + 10 > following or following <= 1 << 16:
        raise Failed(f"of ten events behind {oldest - 1} the next number is {following}")
    _come_whole(t, oldest, following)


@step("E12")
def begins_anew_after_the_last_number(t: Trial) -> None:
    """When all events up to the last number are durable, it draws a new epoch by itself and announces."""
    probe = t.probe
    before = _count_from(t, link.LAST_NUMBER - 3)
    t.stimulus.events(link.LAST_NUMBER + 1 - before.next)
    since = probe.mark()
    probe.accept()
    probe.wait(
        f"send event {link.LAST_NUMBER}",
        lambda: any(number == link.LAST_NUMBER for number, _ in probe.events(since)),
        1.0,
    )
    probe.rest(0.3)
    since = probe.mark()
    probe.ack(link.LAST_NUMBER, link.LAST_NUMBER)
    probe.expect_announcement("end the session and announce a new epoch behind the last number", since)
    after = probe.hello()
    if after.epoch == before.epoch or after.oldest != 1:
        raise Failed(f"behind the last number the epoch is {after.epoch:08x} as before, or counts from {after.oldest}")


@step("E5")
def is_not_acknowledged_away(t: Trial) -> None:
    """An ACK that is dropped accepts nobody: no event comes because of it."""
    probe = t.probe
    t.hold_events(2)
    identity = probe.hello()
    since = probe.mark()
    probe.ack(identity.next + 7, identity.oldest - 1)
    probe.send(link.encode_ack(identity.epoch, identity.oldest - 1, identity.oldest - 1)[:-1] + b"\2")
    probe.rest(0.5)
    if probe.events(since):
        raise Failed("events came after ACKs that must be dropped")
