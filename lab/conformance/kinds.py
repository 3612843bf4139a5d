"""Steps: what each kind of device promises on its own page, beyond what all links share."""

from __future__ import annotations

import itertools
from typing import Any

from firmware_specs import link
from firmware_specs.spec import Message
from lab.conformance.commands import ask, status_of
from lab.conformance.events import read
from lab.conformance.probe import Failed, NotTried
from lab.conformance.restart import restarted
from lab.conformance.stimulus import CannotDo
from lab.conformance.suite import Steps, Trial

STEPS = Steps("kind", "the device's own page (tablectl spec page DEVICE)")
step = STEPS.step
PICTURE_S = 15.0
"""Two thousand tags take a reader a while."""
TOLD_S = 2.0


def only(t: Trial, *kinds: str) -> None:
    if t.spec.kind not in kinds:
        raise NotTried(f"this is for {' and '.join(kinds)}")


def done(t: Trial, name: str, **fields: Any) -> Any:
    """The result of a command that nothing stands in the way of."""
    command = t.spec.command_named(name).build(fields)
    answer = ask(t, t.next_id(), command.ID, command.encode())
    rest = answer[link.HEAD_EVENT.size :]
    if status_of(answer) != link.Status.DONE:
        raise Failed(f"{name} was not done: {link.decode_reason(rest)}")
    return t.spec.results[command.ID].decode(rest)


def told(t: Trial, since: int) -> list[Any]:
    """The events that came, read; numbered ones once."""
    return [read(t, number, content) for number, content in dict(t.probe.events(since)).items()]


@step("E9", "K5")
def reads_everything_when_asked(t: Trial) -> None:
    """ReadAll is followed by the whole picture under its own snapshot, and the picture adds up."""
    only(t, "chips", "cards")
    identity = t.probe.drain()
    since = t.probe.mark()
    wanted = (identity.boot & 0xFFFF) ^ 0x5A5A
    read = done(t, "ReadAll", snapshot=wanted)

    def parts() -> list[Message]:
        return [event for event in told(t, since) if getattr(event, "snapshot", None) == wanted]

    def whole() -> bool:
        found = parts()
        return bool(found) and not getattr(found[-1], "more", False)

    t.probe.wait(f"tell the picture of snapshot {wanted} to its end", whole, PICTURE_S)
    _in_one_go(t, since, wanted)
    if t.spec.kind == "cards":
        for picture in parts():
            _lists_fit(picture)
        if read.seats != t.probe.known.capabilities & 0x0F:
            raise Failed(f"capabilities tell {t.probe.known.capabilities & 0x0F} seats, and ReadAll {read.seats}")
    else:
        _parts_fit(t, parts(), read.areas)
        _totals_fit(parts())


def _in_one_go(t: Trial, since: int, snapshot: int) -> None:
    """The parts of a record have numbers that follow each other."""
    numbers = [
        number
        for number, content in dict(t.probe.events(since)).items()
        if getattr(read(t, number, content), "snapshot", None) == snapshot
    ]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        raise Failed(f"the parts of one picture are numbered {numbers}: something else stands between them")


def _lists_fit(picture: Any) -> None:
    if len(picture.tags) != len(picture.on):
        raise Failed(f"the picture has {len(picture.tags)} tags and {len(picture.on)} antennas")
    if len(set(picture.tags)) != len(picture.tags):
        raise Failed("a tag stands twice in the picture")


def _parts_fit(t: Trial, parts: list[Any], areas: int) -> None:
    """Every area in its order, the last part alone without `more`."""
    if [part.more for part in parts] != [True] * (len(parts) - 1) + [False]:
        raise Failed("`more` does not say which part is the last")
    seen = [area for area, _ in itertools.groupby(part.area for part in parts)]
    if seen != list(range(areas)):
        raise Failed(f"the picture tells areas {seen}, and ReadAll was answered with {areas} areas")
    can = t.probe.known.capabilities & 0x3F
    if can != areas:
        raise Failed(f"capabilities tell {can} areas, and the picture has {areas}")


def _totals_fit(parts: list[Any]) -> None:
    tags: dict[int, set[int]] = {}
    for part in parts:
        tags.setdefault(part.area, set()).update(part.tags)
    for part in parts:
        if part.total != len(tags[part.area]):
            raise Failed(f"area {part.area} has {part.total} tags in all and {len(tags[part.area])} were told")


@step("E14")
def tells_its_time_in_milliseconds(t: Trial) -> None:
    """Two pictures two seconds apart are told 2000 ms apart."""
    only(t, "chips", "cards")
    times = []
    for turn in range(2):
        identity = t.probe.drain()
        since, wanted = t.probe.mark(), ((identity.boot >> 8) & 0xFFFF) ^ turn
        asked = t.clock.now()
        done(t, "ReadAll", snapshot=wanted)
        t.probe.wait(
            f"tell the picture of snapshot {wanted}",
            lambda since=since, wanted=wanted: any(  # type: ignore[misc]
                getattr(event, "snapshot", None) == wanted for event in told(t, since)
            ),
            PICTURE_S,
        )
        first = next(event for event in told(t, since) if getattr(event, "snapshot", None) == wanted)
        times.append((asked, first.at))
        t.probe.rest(2.0)
    (asked, before), (again, after) = times
    real, told_ms = 1000 * (again - asked), (after - before) & 0xFFFFFFFF
    if abs(told_ms - real) > 1000 * (t.late + 0.2):
        raise Failed(f"two pictures {real:.0f} ms apart are told {told_ms} apart: `at` is in milliseconds")


@step("E14")
def counts_its_time_from_its_start(t: Trial) -> None:
    """After a restart `at` is not more than has passed since."""
    only(t, "chips", "cards", "shoe", "shuffler")
    probe = t.probe
    probe.drain()
    begun = t.clock.now()
    restarted(t, keep_memory=True)
    since = probe.mark()
    probe.accept()
    if t.spec.kind in ("chips", "cards"):
        done(t, "ReadAll", snapshot=(probe.known.boot & 0xFFFF) ^ 0x1234)
    probe.wait("tell something after a start", lambda: bool(probe.events(since)), PICTURE_S)
    number, passed = probe.events(since)[-1][0], 1000 * (t.clock.now() - begun)
    at = told(t, since)[-1].at
    if at > passed + 1000 * t.late:
        raise Failed(f"event {number} is told at {at} ms, and {passed:.0f} ms have passed since the restart")


@step()
def calibrates_only_what_is_empty(t: Trial) -> None:
    """Calibrate is refused for an area on which tags lie, and done where none do."""
    only(t, "chips")
    t.probe.drain()
    hands(t, "place", tags=[0x7E570001], area=1)
    t.probe.rest(1.5)
    try:
        command = t.spec.command_named("Calibrate").build({"area": 1})
        answer = ask(t, t.next_id(), command.ID, command.encode())
        if status_of(answer) != link.Status.REFUSED:
            raise Failed("Calibrate was not refused though a tag lies on the area")
    finally:
        hands(t, "remove", tags=[0x7E570001])
    t.probe.rest(1.5)


def hands(t: Trial, name: str, **how: Any) -> Any:
    """Have hands do this, where there are any."""
    try:
        return t.stimulus.hand(name, **how)
    except CannotDo as why:
        raise NotTried(f"no hands here can {name.replace('_', ' ')}: {why}") from why


@step()
def tells_its_start(t: Trial) -> None:
    """After every start PoweredUp is told, and it says truly whether the memory was kept."""
    only(t, "shoe", "shuffler")
    probe = t.probe
    draws: list[int] = []
    for keep in (True, False):
        t.hold_events(1)
        probe.drain()
        restarted(t, keep_memory=keep)
        since = probe.mark()
        probe.accept()

        def powered(since: int = since) -> list[Any]:
            return [event for event in told(t, since) if type(event).__name__ == "PoweredUp"]

        probe.wait("tell PoweredUp after a start", lambda: bool(powered()), TOLD_S)
        if powered()[-1].kept_memory is not keep:
            said = "kept" if powered()[-1].kept_memory else "lost"
            raise Failed(f"PoweredUp says that the memory was {said}, and it was not")
        draws.append(powered()[-1].next_draw)
    if draws[1] != 1:
        raise Failed(f"next_draw is {draws[1]} after the memory was lost; draws are counted from 1")
    restarted(t, keep_memory=True)
    since = probe.mark()
    probe.accept()
    probe.wait("tell PoweredUp after a start", lambda: bool(_starts(t, since)), TOLD_S)
    if _starts(t, since)[-1].next_draw != draws[1]:
        raise Failed(
            f"next_draw was {draws[1]} and is {_starts(t, since)[-1].next_draw} after a start, with no draw between"
        )


def _starts(t: Trial, since: int) -> list[Any]:
    return [event for event in told(t, since) if type(event).__name__ == "PoweredUp"]


@step()
def counts_without_guessing(t: Trial) -> None:
    """Count gives the same answer twice while nothing happens."""
    only(t, "shuffler")
    t.probe.drain()
    first, second = done(t, "Count"), done(t, "Count")
    if first != second:
        raise Failed(f"Count gave {first} and then {second}, and nothing happened between")


@step()
def stands_still_when_it_stands(t: Trial) -> None:
    """ReadAngle of a wheel at rest gives one angle, and says that it does not move."""
    only(t, "wheel")
    t.probe.drain()
    first, second = done(t, "ReadAngle"), done(t, "ReadAngle")
    if first.moving or second.moving:
        raise NotTried("the wheel turns; let it come to rest first")
    if min((first.angle - second.angle) % 8320, (second.angle - first.angle) % 8320) > 1:
        raise Failed(f"the wheel rests, and its angle was {first.angle} and then {second.angle}")
