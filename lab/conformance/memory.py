"""Steps: how much a device holds, and what it does when it can hold no more."""

from __future__ import annotations

import itertools

from firmware_specs import link
from lab.conformance.probe import Failed, NotTried
from lab.conformance.restart import restarted
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
