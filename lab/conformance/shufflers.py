"""Steps: what a shuffler promises beyond its messages."""

from __future__ import annotations

from typing import Any

from firmware_specs import link
from firmware_specs.cards import DECK
from firmware_specs.messages import shuffler as wire
from lab.conformance.commands import ask, status_of
from lab.conformance.kinds import done, hands, only, told
from lab.conformance.probe import Failed, NotTried
from lab.conformance.restart import restarted
from lab.conformance.suite import Steps, Trial

STEPS = Steps("shuffler", "the device's own page (tablectl spec page shuffler)")
step = STEPS.step
CHECK_S = 120.0
"""Eight decks take a machine a while."""
TOLD_S = 2.0
LOAD_S = 120.0
"""A deck goes through the feed card by card."""


def _wait(t: Trial, since: int, what: str, kind: str, within: float) -> Any:
    probe = t.probe

    def found() -> list[Any]:
        return [event for event in told(t, since) if type(event).__name__ == kind]

    until = t.clock.now() + within
    while not found() and t.clock.now() < until:
        seen = max((number for number, _ in probe.events(since)), default=probe.known.next - 1)
        probe.ack(seen, seen)
        probe.rest(1.0)
    if not found():
        raise Failed(f"the shuffler did not {what} within {within:g} s")
    return found()[-1]


@step("StartCheck", "DeckChecked")
def tells_its_check(t: Trial) -> None:
    """StartCheck is followed by DeckChecked under the id and for the decks that were asked for."""
    only(t, "shuffler")
    identity = t.probe.drain()
    if not identity.capabilities & wire.SPEC.capabilities["deck_check"]:
        raise NotTried("this shuffler cannot check its cards")
    if not done(t, "Count").inside:
        hands(t, "load", cards=list(DECK))
        t.probe.rest(LOAD_S)
        identity = t.probe.drain()
    since = t.probe.mark()
    wanted = (identity.boot & 0xFFFF) ^ 0x3C3C
    command = wire.StartCheck(check=wanted, decks=1)
    answer = ask(t, t.next_id(), command.ID, command.encode())
    if status_of(answer) != link.Status.DONE:
        raise NotTried(f"the check was not begun: {link.decode_reason(answer[link.HEAD_EVENT.size :])}")
    checked = _wait(t, since, "tell the outcome of a check that it had begun", "DeckChecked", CHECK_S)
    if (checked.check, checked.decks) != (wanted, 1):
        raise Failed(f"check {wanted} of 1 deck was asked for, and {checked.check} of {checked.decks} is told")


@step("SetMode", "ModeChanged", "PoweredUp")
def is_in_the_mode_it_tells(t: Trial) -> None:
    """SetMode is answered with the mode asked for, and every later telling says the same."""
    only(t, "shuffler")
    t.probe.drain()
    before = _start_of(t).mode
    for wanted in (wire.Mode.SORT, wire.Mode.SINGLE_DECK, wire.Mode.SHUFFLE):
        t.probe.drain()
        since = t.probe.mark()
        command = wire.SetMode(mode=wanted)
        answer = ask(t, t.next_id(), command.ID, command.encode())
        if status_of(answer) != link.Status.DONE:
            continue
        said = wire.SetModeResult.decode(answer[link.HEAD_EVENT.size :]).mode
        if said is not wanted:
            raise Failed(f"SetMode {wanted.name.lower()} was answered with {said.name.lower()}")
        if wanted is not before:
            changed = _wait(t, since, "tell ModeChanged", "ModeChanged", TOLD_S).mode
            if changed is not wanted:
                raise Failed(f"ModeChanged tells {changed.name.lower()} after SetMode {wanted.name.lower()}")
        before = wanted
    mode = _start_of(t).mode
    if mode is not before:
        raise Failed(f"PoweredUp tells {mode.name.lower()}, and the mode was set to {before.name.lower()}")


def _start_of(t: Trial) -> Any:
    """What is told at a start that keeps the memory."""
    restarted(t, keep_memory=True)
    since = t.probe.mark()
    t.probe.accept()
    return _wait(t, since, "tell PoweredUp after a start", "PoweredUp", TOLD_S)


@step("Count", "PoweredUp")
def counts_what_it_told(t: Trial) -> None:
    """PoweredUp and Count tell the same number of cards while nothing happens."""
    only(t, "shuffler")
    up = _start_of(t)
    counted = done(t, "Count")
    if (counted.inside, counted.certain) != (up.inside, up.certain):
        raise Failed(f"PoweredUp tells {up.inside} cards inside, and Count {counted.inside}")
