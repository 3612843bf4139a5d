"""Steps: who restarts, and what resumes."""

from __future__ import annotations

from firmware_specs import link
from firmware_specs.frames import FrameDecoder
from lab.conformance.commands import ask, refused, status_of, unknown_id
from lab.conformance.probe import Failed, NotTried
from lab.conformance.suite import Steps, Trial

STEPS = Steps("restart", "Who restarts, and what happens")
step = STEPS.step
BOOT_S = 5.0
HALF_A_FRAME = b"\x20half of an event"


def restarted(t: Trial, keep_memory: bool) -> None:
    """Restart the device and wait until it announces itself."""
    since = t.probe.mark()
    t.stimulus.restart(keep_memory)
    t.probe.expect_announcement("announce itself after a restart", since, BOOT_S)


@step("R1", "E2", "K6")
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
    if after.boot == before.boot or 0 in (after.boot, before.boot):
        raise Failed(f"boot was {before.boot} and is {after.boot} after a restart; it is drawn at every start, never 0")
    if after.oldest != oldest or after.next < following:
        raise Failed(f"held were {oldest} to {following - 1} before, and are {after.oldest} to {after.next - 1} now")
    since = probe.mark()
    probe.ack(oldest - 1, oldest - 1)
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= 5, 1.0)
    for number, content in probe.events(since):
        if number in first and first[number] != content:
            raise Failed(f"event {number} says something else after the restart")


@step("S7")
def is_announced_at_once(t: Trial) -> None:
    """A device that has started announces itself then, and not only with its first beat."""
    if not t.stimulus.costs_nothing:
        raise NotTried("only a restart whose moment is known can show it")
    t.probe.drain()
    since = t.probe.mark()
    t.stimulus.restart(keep_memory=True)
    t.probe.expect_announcement("announce itself when it starts", since, t.spec.beat_ms / 1000 * 0.75)


@step("F9")
def begins_afresh(t: Trial) -> None:
    """The announcement of a start is understood even where the reset has cut a frame before it."""
    probe = t.probe
    probe.drain()
    cut = FrameDecoder()
    cut.feed(HALF_A_FRAME)
    understood: list[bytes] = []
    probe.overheard = lambda octets: understood.extend(cut.feed(octets))
    try:
        restarted(t, keep_memory=True)
    finally:
        probe.overheard = None
    if not any(content[0] == link.IDENTITY for content in understood):
        raise Failed("no zero came before the announcement: a frame that the reset had cut would have swallowed it")


@step("R2")
def numbers_nothing_by_itself(t: Trial) -> None:
    """A start makes no event but those its page tells of."""
    probe = t.probe
    t.hold_events(1)
    probe.drain()
    for _ in range(2):
        before = probe.drain()
        restarted(t, keep_memory=True)
        probe.rest(0.5)
        since = probe.mark()
        after = probe.accept()
        probe.rest(0.5)
        allowed = 1 if any(message.name == "PoweredUp" for message in t.declaration.events) else 0
        names = [
            t.spec.events[content[0]].__name__ for _, content in probe.events(since) if content[0] in t.spec.events
        ]
        if after.next - before.next > allowed or any(name != "PoweredUp" for name in names):
            raise Failed(f"a restart alone made {after.next - before.next} events ({', '.join(names) or 'unread'})")
        probe.drain()


@step("R1", "E1")
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


@step("E2")
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


@step("C1", "R1")
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


@step("C3")
def fails_a_command_cut_short(t: Trial) -> None:
    """A command that a power loss interrupted is answered as failed, and not tried again."""
    t.needs_commands()
    for command in t.declaration.commands:
        t.probe.drain()
        command_id, since = t.next_id(), t.probe.mark()
        t.probe.command(command_id, command.message.id, t.bodies.body(command.message))
        t.probe.rest(0.05)
        if t.probe.heard(since, link.RESULT):
            continue
        acted = t.stimulus.acted()
        restarted(t, keep_memory=True)
        t.probe.drain()
        if _answered_before_restart(t, since):
            continue
        answer = ask(t, command_id, command.message.id, t.bodies.body(command.message))
        if status_of(answer) != link.Status.FAILED or t.stimulus.acted() != acted:
            raise Failed(f"{command.message.name} was interrupted by a restart, and tried again after it")
        return
    raise NotTried("every command of this device is answered at once")


def _answered_before_restart(t: Trial, since: int) -> bool:
    """Whether the answer was only late on the line: the command was carried out, and nothing cut it short."""
    announced = t.probe.announcements(since)[0]
    return any(result.at <= announced.at for result in t.probe.heard(since, link.RESULT))


@step("E3")
def of_the_host_is_survived(t: Trial) -> None:
    """A host that vanishes and says HELLO again finds everything it had not made durable."""
    probe = t.probe
    oldest, following = t.hold_events(4)
    probe.accept()
    probe.rest(t.spec.silence_ms / 1000 + 1.0)
    identity = probe.hello()
    if identity.oldest != oldest or identity.next < following:
        raise Failed(f"held were {oldest} to {following - 1}, and are {identity.oldest} to {identity.next - 1} now")
