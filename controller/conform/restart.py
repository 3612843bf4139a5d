"""Steps: who restarts, and what resumes."""

from __future__ import annotations

from controller.conform.commands import ask, refused, unknown_id
from controller.conform.probe import Failed
from controller.conform.suite import Steps, Trial

STEPS = Steps("restart", "Who restarts, and what happens")
step = STEPS.step
BOOT_S = 5.0


def restarted(t: Trial, keep_memory: bool) -> None:
    """Restart the device and wait until it announces itself."""
    since = t.probe.mark()
    t.stimulus.restart(keep_memory)
    t.probe.expect_announcement("announce itself after a restart", since, BOOT_S)


@step
def with_memory_keeps_events(t: Trial) -> None:
    """With its memory the device keeps epoch, numbers and bodies; only `boot` is new."""
    probe = t.probe
    if probe.hello().oldest == 1:  # a device that renumbers must have something to renumber
        t.hold_events(1)
        probe.drain()
    oldest, following = t.hold_events(5)
    since = probe.mark()
    before = probe.accept()
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= 5, 1.0)
    first = dict(probe.events(since))
    restarted(t, keep_memory=True)
    after = probe.hello()
    if after.epoch != before.epoch:
        raise Failed("the epoch changed although the memory was kept: the table would be told that evidence is lost")
    if after.boot == before.boot:
        raise Failed("boot is the same after a restart")
    if after.oldest != oldest or after.next < following:
        raise Failed(f"held were {oldest} to {following - 1} before, and are {after.oldest} to {after.next - 1} now")
    since = probe.mark()
    probe.ack(oldest - 1, oldest - 1)
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= 5, 1.0)
    for number, content in probe.events(since):
        if number in first and first[number] != content:
            raise Failed(f"event {number} says something else after the restart")


@step
def with_memory_goes_on_counting(t: Trial) -> None:
    """After a restart the next event has the next number, also when nothing is held."""
    probe = t.probe
    t.hold_events(2)
    before = probe.drain()
    restarted(t, keep_memory=True)
    after = probe.hello()
    if after.epoch != before.epoch or after.next < before.next:
        raise Failed(f"next was {before.next} in epoch {before.epoch:08x}, and is {after.next} in {after.epoch:08x}")
    if after.oldest < before.next:
        raise Failed(f"event {after.oldest} is held again though it was durable before the restart")


@step
def without_memory_changes_the_epoch(t: Trial) -> None:
    """Without its memory the device draws a new epoch and counts from 1."""
    probe = t.probe
    t.hold_events(2)
    before = probe.hello()
    restarted(t, keep_memory=False)
    after = probe.hello()
    if after.epoch == before.epoch:
        raise Failed("the epoch is the same though the memory was lost: the table would take new events for old ones")
    if after.oldest != 1:
        raise Failed(f"the oldest event after the memory was lost is {after.oldest}, not 1")


@step
def keeps_commands_done(t: Trial) -> None:
    """A command done before a restart is answered from memory after it."""
    t.needs_commands()
    t.probe.drain()
    command = t.declaration.commands[0].message
    command_id = t.next_id()
    first = refused(t, command_id, unknown_id(t), b"", "a command that is not declared")
    restarted(t, keep_memory=True)
    t.probe.drain()
    answer = ask(t, command_id, command.id, t.bodies.body(command))
    if answer != first:
        raise Failed("a command answered before the restart was acted on after it")


@step
def of_the_host_is_survived(t: Trial) -> None:
    """A host that vanishes and says HELLO again finds everything it had not made durable."""
    probe = t.probe
    oldest, following = t.hold_events(4)
    probe.accept()
    probe.rest(t.spec.silence_ms / 1000 + 1.0)
    identity = probe.hello()
    if identity.oldest != oldest or identity.next < following:
        raise Failed(f"held were {oldest} to {following - 1}, and are {identity.oldest} to {identity.next - 1} now")
