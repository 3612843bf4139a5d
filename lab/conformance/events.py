"""Steps: numbered events, the window, going back, and what may be forgotten when."""

from __future__ import annotations

import itertools
from typing import Any

from firmware_specs import link
from firmware_specs.declaration import MessageDeclaration
from firmware_specs.spec import BadMessage
from lab.conformance.probe import Failed, NotTried
from lab.conformance.suite import Steps, Trial

STEPS = Steps("events", "Events")
step = STEPS.step
AT_ONCE_S = 0.15


@step("S3")
def wait_for_acceptance(t: Trial) -> None:
    """No event is sent between HELLO and the first ACK."""
    probe = t.probe
    t.hold_events(3)
    probe.hello()
    since = probe.mark()
    probe.rest(1.0)
    if probe.events(since):
        raise Failed("events came before the host had accepted the device with an ACK")


@step("E1", "E13")
def are_numbered_without_gaps(t: Trial) -> None:
    """Held events come from the oldest on, one number after the other, each fitting its declaration."""
    probe = t.probe
    oldest, following = t.hold_events(8)
    since = probe.mark()
    probe.accept()
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= min(8, following - oldest), 1.0)
    numbers = [number for number, _ in probe.events(since)]
    if numbers[:8] != list(range(oldest, oldest + 8)):
        raise Failed(f"numbers are {numbers[:8]}, and the oldest held is {oldest}")
    for number, content in probe.events(since):
        read(t, number, content)


@step("E15", "K4")
def go_on_from_the_oldest(t: Trial) -> None:
    """An ACK from before the oldest event held is taken, and nothing from before it comes."""
    probe = t.probe
    oldest, _ = t.hold_events(4)
    probe.accept()
    probe.ack(oldest, oldest)
    probe.rest(0.1)
    held = probe.hello()
    since = probe.mark()
    probe.ack(0, 0)
    probe.wait("send what it holds after an ACK of 0", lambda: bool(probe.events(since)), 1.0)
    first = probe.events(since)[0][0]
    if first != held.oldest:
        raise Failed(f"IDENTITY says that {held.oldest} is the oldest event held, and after an ACK of 0 came {first}")


def read(t: Trial, number: int, content: bytes) -> Any:
    """The event with this content, which must fit its declaration."""
    kind = t.spec.events.get(content[0])
    if kind is None:
        raise Failed(f"event {number} has message id {content[0]}, which is not declared")
    try:
        return kind.decode(content[1:])
    except BadMessage as bad:
        raise Failed(f"event {number} does not fit its declaration: {bad}") from bad


@step("E6")
def stay_within_the_window(t: Trial) -> None:
    """Not more than 32 events, nor 2048 bytes of frames, are in flight at once."""
    probe = t.probe
    oldest, _ = t.hold_events(t.many)
    since = probe.mark()
    probe.accept()
    probe.rest(0.2)  # a slow line needs this long for a full window; going back comes later
    _within_window(t, since, oldest - 1)


def _within_window(t: Trial, since: int, received: int) -> None:
    first: dict[int, int] = {}
    for passed in t.probe.heard(since, link.EVENT):
        first.setdefault(link.unpack_event(passed.content)[1], passed.octets)
    flying = {number: octets for number, octets in first.items() if number > received}
    if len(flying) > link.WINDOW_EVENTS:
        raise Failed(f"{len(flying)} events are in flight; {link.WINDOW_EVENTS} may be")
    if len(flying) > 1 and sum(flying.values()) > link.WINDOW_BYTES:
        raise Failed(f"{sum(flying.values())} bytes of events are in flight; {link.WINDOW_BYTES} may be")


@step("E6")
def stay_within_the_window_when_long(t: Trial) -> None:
    """Of the longest events too, not more than 2048 bytes are in flight at once."""
    longest = max(t.declaration.events, key=lambda message: message.longest)
    each = longest.longest + 13
    if each * link.WINDOW_EVENTS <= link.WINDOW_BYTES:
        raise NotTried("no event of this device is long enough to fill the window with less than 32 of them")
    probe = t.probe
    probe.drain()
    oldest = probe.hello().next
    for _ in range(link.WINDOW_BYTES // each + 3):
        t.stimulus.post(t.spec.events[longest.id].decode(t.bodies.body(longest, "highest")))
    probe.hello()
    since = probe.mark()
    probe.ack(oldest - 1, oldest - 1)
    probe.rest(0.6)  # more than a full window takes this long on a slow line; what comes again has its old number
    if not probe.events(since):
        raise Failed("no event came")
    _within_window(t, since, oldest - 1)


@step("E6")
def move_with_the_window(t: Trial) -> None:
    """An ACK of a part lets as much more come, and not more."""
    probe = t.probe
    oldest, _ = t.hold_events(t.many)
    since = probe.mark()
    probe.accept()
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= 5, 1.0)
    probe.rest(0.2 - min(0.1, probe.slack))  # the whole window, and not yet the going back
    before = max(number for number, _ in probe.events(since))
    probe.ack(oldest + 4, oldest - 1)
    probe.wait(
        "send on after a part was received",
        lambda: max(number for number, _ in probe.events(since)) > before,
        0.5,
    )
    probe.rest(0.1)
    _within_window(t, since, oldest + 4)


@step("E7")
def go_back_when_nothing_is_received(t: Trial) -> None:
    """Unreceived events come again after 250 ms, then after twice as long each time, at most 2 s."""
    probe = t.probe
    oldest, _ = t.hold_events(2)
    since = probe.mark()
    probe.accept()
    waits = (link.RESEND_S, 0.5, 1.0, link.RESEND_MOST_S, link.RESEND_MOST_S)
    for _ in range(8):
        probe.rest(1.0)
        probe.ack(oldest - 1, oldest - 1)  # a host in its beats, still without the event
    times = [passed.at for passed in probe.heard(since, link.EVENT) if link.unpack_event(passed.content)[1] == oldest]
    if len(times) < len(waits):
        raise Failed(f"event {oldest} came {len(times)} times in 8 s without being received; it must be repeated")
    found = [round(after - before, 3) for before, after in itertools.pairwise(times)]
    for wait, real in zip(waits, found, strict=False):
        if not wait - t.early <= real <= wait + t.late:
            raise Failed(f"waits between repetitions are {found} s; {list(waits)} are asked for")


@step("E7")
def go_back_quickly_after_an_advance(t: Trial) -> None:
    """Once something is received, the wait is 250 ms again."""
    probe = t.probe
    oldest, _ = t.hold_events(4)
    probe.accept()
    probe.rest(1.2)  # by now the wait has doubled more than once
    probe.ack(oldest, oldest - 1)
    since, begun = probe.mark(), t.clock.now()
    probe.wait(
        "repeat the next event 250 ms after an advance",
        lambda: any(number == oldest + 1 for number, _ in probe.events(since)),
        link.RESEND_S + t.late,
    )
    if t.clock.now() - begun < link.RESEND_S - t.early - AT_ONCE_S:
        raise Failed("after an advance events were repeated at once instead of after 250 ms")


@step("E8")
def go_back_when_asked(t: Trial) -> None:
    """An ACK that asks to resend is followed at once."""
    probe = t.probe
    oldest, _ = t.hold_events(4)
    since = probe.mark()
    probe.accept()
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= 4, 1.0)
    probe.ack(oldest, oldest - 1)
    probe.rest(0.02)
    since = probe.mark()
    probe.ack(oldest, oldest - 1, resend=True)
    probe.wait(
        "go back at once when asked to",
        lambda: any(number == oldest + 1 for number, _ in probe.events(since)),
        AT_ONCE_S,
    )
    if any(number == oldest for number, _ in probe.events(since)):
        raise Failed(f"event {oldest} was repeated though it had been received")


@step("E3")
def are_not_repeated_once_received(t: Trial) -> None:
    """What is received is not sent again in this session, even before it is durable."""
    probe = t.probe
    oldest, following = t.hold_events(5)
    since = probe.mark()
    probe.accept()
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= min(5, following - oldest), 1.0)
    seen = max(number for number, _ in probe.events(since))
    probe.ack(seen, oldest - 1)
    probe.rest(0.1)
    since = probe.mark()
    probe.alive_for(2.5, seen, oldest - 1)
    repeated = [number for number, _ in probe.events(since) if number <= seen]
    if repeated:
        raise Failed(f"events {repeated[:5]} came again though they were received")


@step("E3")
def are_held_until_durable(t: Trial) -> None:
    """Received events that are not durable come again, unchanged, in the next session."""
    probe = t.probe
    oldest, following = t.hold_events(5)
    since = probe.mark()
    probe.accept()
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= min(5, following - oldest), 1.0)
    first = dict(probe.events(since))
    seen = max(first)
    probe.ack(seen, oldest - 1)
    probe.rest(0.1)
    identity = probe.hello()
    if identity.oldest != oldest:
        raise Failed(f"oldest held is {identity.oldest}: events {oldest} to {seen} were received, none was durable")
    since = probe.mark()
    probe.ack(oldest - 1, oldest - 1)
    probe.wait("send undurable events again", lambda: len(probe.events(since)) >= min(5, following - oldest), 1.0)
    for number, content in probe.events(since):
        if number in first and first[number] != content:
            raise Failed(f"event {number} says something else than before: {first[number].hex()} then {content.hex()}")


@step("E3", "K4")
def are_forgotten_when_durable(t: Trial) -> None:
    """Durable events are never sent again, and IDENTITY says so."""
    probe = t.probe
    oldest, following = t.hold_events(5)
    since = probe.mark()
    probe.accept()
    probe.wait("send the events it holds", lambda: len(probe.events(since)) >= min(5, following - oldest), 1.0)
    durable = oldest + 2
    probe.ack(durable, durable)
    probe.rest(0.1)
    identity = probe.hello()
    if identity.oldest != durable + 1:
        raise Failed(f"oldest held is {identity.oldest} after everything up to {durable} was durable")
    since = probe.mark()
    probe.ack(durable, durable)
    probe.rest(1.0)
    again = [number for number, _ in probe.events(since) if number <= durable]
    if again:
        raise Failed(f"events {again[:5]} came again though they were durable")
    if not probe.events(since):
        raise Failed(f"event {durable + 1} did not come after the session was resumed")


@step("S1")
def survive_a_hint_in_hello(t: Trial) -> None:
    """A HELLO that claims to hold everything lets nothing be forgotten."""
    probe = t.probe
    oldest, following = t.hold_events(4)
    identity = probe.hello(probe.known.epoch, following - 1)
    if identity.oldest != oldest:
        raise Failed("HELLO made the device forget; only an ACK may")
    since = probe.mark()
    probe.ack(oldest - 1, oldest - 1)
    probe.wait(
        "send from the oldest event when the first ACK asks for it",
        lambda: any(number == oldest for number, _ in probe.events(since)),
        1.0,
    )


@step("S1", "E3")
def resume_in_the_middle(t: Trial) -> None:
    """A host that restarts with half of the events on disk gets the other half only."""
    probe = t.probe
    oldest, _ = t.hold_events(6)
    probe.hello(probe.known.epoch, oldest + 2)
    since = probe.mark()
    probe.ack(oldest + 2, oldest + 2)
    probe.wait("send the rest", lambda: len(probe.events(since)) >= 3, 1.0)
    if probe.events(since)[0][0] != oldest + 3:
        raise Failed(f"the first event after resuming at {oldest + 2} is {probe.events(since)[0][0]}")


@step("E5", "K3")
def survive_wrong_acks(t: Trial) -> None:
    """An ACK beyond what was numbered, with durable above received, or cut short, lets nothing be forgotten."""
    probe = t.probe
    oldest, following = t.hold_events(4)
    epoch = probe.accept().epoch
    right = link.encode_ack(epoch, following - 1, following - 1)
    for what, wrong in (
        ("beyond what was numbered", link.encode_ack(epoch, following + 4, following + 4)),
        ("65536 beyond what was numbered", link.encode_ack(epoch, following + 65535, following + 65535)),
        ("with durable above received", link.encode_ack(epoch, oldest - 1, following - 1)),
        ("with resend 2", right[:-1] + b"\2"),
        ("one byte short", right[:-1]),
        ("one byte long", right + b"\0"),
    ):
        probe.send(wrong)
        probe.rest(0.05 + probe.slack)
        if probe.hello().oldest != oldest:
            raise Failed(f"an ACK {what} made the device forget")
        probe.ack(oldest - 1, oldest - 1)


@step("E4")
def survive_an_ack_of_another_epoch(t: Trial) -> None:
    """An ACK of another epoch ends the session with an announcement and lets nothing be forgotten."""
    probe = t.probe
    oldest, following = t.hold_events(4)
    probe.accept()
    probe.rest(0.3)
    since = probe.mark()
    probe.ack(following - 1, following - 1, epoch=probe.known.epoch ^ 0x55)
    probe.expect_announcement("announce itself after an ACK of another epoch", since)
    if probe.hello().oldest != oldest:
        raise Failed("an ACK of another epoch made the device forget")


@step("E13", "F1", "F4")
def pass_at_their_limits(t: Trial) -> None:
    """Every event with all fields lowest and all highest arrives as it was made."""
    probe = t.probe
    probe.drain()
    last = probe.known.next - 1
    for message in t.declaration.events:
        for what, body in t.bodies.within(message):
            t.stimulus.post(t.spec.events[message.id].decode(body))
            since = probe.mark()
            arrived = _arrival(t, since, message, body)
            if not arrived:
                probe.ack(last, last)
                probe.wait(
                    f"send {message.name} with {what}",
                    lambda since=since, message=message, body=body: _arrival(t, since, message, body),  # type: ignore[misc]
                    1.0,
                )
            last = max(number for number, _ in probe.events(0) if number > last)
            probe.ack(last, last)


def _arrival(t: Trial, since: int, message: MessageDeclaration, body: bytes) -> bool:
    return any(content == bytes([message.id]) + body for _, content in t.probe.events(since))
