"""Steps: commands are answered, done once, and refused when they make no sense."""

from __future__ import annotations

from firmware_specs import link
from firmware_specs.spec import BadMessage
from lab.conformance.probe import ANSWER_S, Failed, NotTried
from lab.conformance.suite import Steps, Trial

STEPS = Steps("commands", "Commands")
step = STEPS.step
LONG_S = 10.0
"""A command that takes longer than the host would wait is no answer."""


def ask(t: Trial, command_id: int, message_id: int, body: bytes = b"", within: float = LONG_S) -> bytes:
    """The content of the RESULT to a command."""
    probe = t.probe
    since = probe.mark()
    probe.command(command_id, message_id, body)

    def answer() -> bytes | None:
        for passed in probe.heard(since, link.RESULT):
            if len(passed.content) >= link.HEAD_EVENT.size and link.unpack_event(passed.content)[1] == command_id:
                return passed.content
        return None

    probe.wait(f"answer command {message_id} with a RESULT of its id", lambda: answer() is not None, within)
    found = answer()
    assert found is not None
    return found


def status_of(content: bytes) -> int:
    return int(link.unpack_event(content)[2])


def refused(t: Trial, command_id: int, message_id: int, body: bytes, what: str) -> bytes:
    """This command must be refused with a reason; the content of the answer."""
    answer = ask(t, command_id, message_id, body, ANSWER_S + t.line_s(len(body)))
    if status_of(answer) != link.Status.REFUSED:
        raise Failed(f"{what} was answered with status {status_of(answer)}, not refused")
    if not link.decode_reason(answer[link.HEAD_EVENT.size :]):
        raise Failed(f"{what} was refused without a reason")
    return answer


def unknown_id(t: Trial) -> int:
    return next(number for number in range(255, 0, -1) if number not in t.spec.commands)


@step("C6")
def are_answered_at_their_limits(t: Trial) -> None:
    """Every command, lowest and highest, gets a RESULT of its id that fits its declaration."""
    t.needs_commands()
    t.probe.drain()
    for command in t.declaration.commands:
        for what, body in t.bodies.within(command.message):
            answer = ask(t, t.next_id(), command.message.id, body)
            rest = answer[link.HEAD_EVENT.size :]
            try:
                if status_of(answer) == link.Status.DONE:
                    t.spec.results[command.message.id].decode(rest)
                elif status_of(answer) in (link.Status.REFUSED, link.Status.FAILED):
                    link.decode_reason(rest)
                else:
                    raise Failed(f"{command.message.name} with {what}: status {status_of(answer)} is unknown")
            except BadMessage as bad:
                raise Failed(f"{command.message.name} with {what}: {bad}") from bad


@step("C4")
def are_refused_beyond_their_limits(t: Trial) -> None:
    """Every command just outside its declaration is refused with a reason."""
    t.needs_commands()
    t.probe.drain()
    for command in t.declaration.commands:
        for what, body in t.bodies.beyond(command.message):
            refused(t, t.next_id(), command.message.id, body, f"{command.message.name} {what}")


@step("C4")
def are_refused_when_unknown(t: Trial) -> None:
    """A command that is not declared is refused with a reason."""
    t.probe.drain()
    refused(t, t.next_id(), unknown_id(t), b"", f"command {unknown_id(t)}, which is not declared,")
    refused(t, t.next_id(), 0, b"\1\2\3", "command 0, which is not declared,")


@step("C4")
def are_refused_however_long(t: Trial) -> None:
    """A COMMAND longer than any, known or not, is refused by its id."""
    t.probe.drain()
    known = t.declaration.commands[0].message.id if t.declaration.commands else unknown_id(t)
    for message_id, length in ((unknown_id(t), 100), (unknown_id(t), 1000), (known, 300), (known, 1018)):
        refused(t, t.next_id(), message_id, b"\x5a" * length, f"a COMMAND of {length + 6} bytes")


@step("S6")
def are_done_before_the_first_ack(t: Trial) -> None:
    """COMMAND and SET that come before the first ACK are answered: the ACK may have been lost."""
    t.probe.hello()
    t.probe.rest(0.05)
    since = t.probe.mark()
    t.probe.set(3, t.spec.safe.encode())
    t.probe.expect("answer a SET before the first ACK", since, link.APPLIED)
    refused(t, t.next_id(), unknown_id(t), b"", "a command that is not declared")


@step("C1")
def are_done_once(t: Trial) -> None:
    """A repeated command is answered with the stored RESULT and not done again."""
    t.needs_commands()
    t.probe.drain()
    command = t.declaration.commands[0].message
    body = t.bodies.body(command)
    command_id = t.next_id()
    first = ask(t, command_id, command.id, body)
    acted = t.stimulus.acted()
    for _ in range(3):
        again = ask(t, command_id, command.id, body, ANSWER_S)
        if again != first:
            raise Failed(f"a repeated command got another answer: {first.hex()} then {again.hex()}")
    if acted is not None and t.stimulus.acted() != acted:
        raise Failed("a repeated command was acted on again")


@step("C2")
def are_known_by_their_id(t: Trial) -> None:
    """An id that was answered stays answered, whatever comes under it, also after a new HELLO."""
    t.needs_commands()
    t.probe.drain()
    command = t.declaration.commands[0].message
    command_id = t.next_id()
    first = refused(t, command_id, unknown_id(t), b"", "a command that is not declared")
    acted = t.stimulus.acted()
    for what in ("in the same session", "in the next session"):
        answer = ask(t, command_id, command.id, t.bodies.body(command))
        if answer != first or t.stimulus.acted() != acted:
            raise Failed(f"a command under an id that was answered before was acted on {what}")
        t.probe.drain()


@step("C1")
def are_remembered_32_deep(t: Trial) -> None:
    """The results of the last 32 commands are remembered."""
    t.needs_commands()
    t.probe.drain()
    command = t.declaration.commands[0].message
    ids = [t.next_id() for _ in range(link.COMMANDS_REMEMBERED)]
    first = {
        command_id: refused(t, command_id, unknown_id(t), b"", "a command that is not declared") for command_id in ids
    }
    acted = t.stimulus.acted()
    for place, command_id in enumerate(ids):
        answer = ask(t, command_id, command.id, t.bodies.body(command))
        if answer != first[command_id] or t.stimulus.acted() != acted:
            raise Failed(f"the command {len(ids) - place} commands ago was forgotten; 32 must be remembered")


@step("C4")
def are_not_taken_cut_short(t: Trial) -> None:
    """A COMMAND too short for its id and message is dropped."""
    probe = t.probe
    probe.drain()
    for length in range(1, link.HEAD_EVENT.size):
        since = probe.mark()
        probe.send(link.pack_event(link.COMMAND, t.next_id(), 1)[:length])
        probe.rest(0.1)
        if probe.heard(since, link.RESULT):
            raise Failed(f"a COMMAND of {length} bytes was answered")


@step("C1")
def hold_up_nothing(t: Trial) -> None:
    """Events come while commands are answered."""
    if not t.declaration.commands:
        raise NotTried("this device has no commands")
    oldest, _ = t.hold_events(3)
    since = t.probe.mark()
    t.probe.accept()
    command = t.declaration.commands[0].message
    ask(t, t.next_id(), command.id, t.bodies.body(command))
    t.probe.wait(
        "send events beside commands", lambda: any(number == oldest for number, _ in t.probe.events(since)), 1.0
    )
