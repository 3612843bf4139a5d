"""A roll-out: what which tables shall have, in which stages, and what follows from what their machines say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

import msgspec

from controller.fleet.messages import Doing, Has, Kind
from controller.journal.cosignature import Witness, WitnessKey
from controller.uplink.messages import FORM, UNREADABLE, BadMessage, Signed, decode, encode

PLAN = b"tablectl-plan/v1\n"
"""How everything begins that the floor signs as a roll-out."""
HERE_MS = 60_000
"""A machine that has said nothing for so long is off."""
ALL = 0
"""A stage of everybody who is left."""
PlanState = Literal["running", "halted", "over"]


class Wanted(msgspec.Struct, frozen=True):
    """What one table shall have: how it is called, the digest of the file, and its size."""

    name: str
    digest: str
    size: int


class Plan(msgspec.Struct, frozen=True):
    """A roll-out as it is kept and signed.

    `tables` stand in the order in which they are reached, `stages` say how many at a time. `asked` has the number under
    which each table was asked, `refused` what it said against it, `well` since when the floor has seen it run with it.
    Every word about one roll-out has a higher `revision` than the one before.
    """

    id: str
    kind: Kind
    at: int
    by: tuple[str, str]
    why: str
    stages: tuple[int, ...]
    settle_s: int
    tables: tuple[str, ...]
    wanted: dict[str, Wanted]
    state: PlanState = "running"
    text: str = ""
    asked: dict[str, int] = {}
    refused: dict[str, str] = {}
    well: dict[str, int] = {}
    revision: int = 0


class Heard(NamedTuple):
    """What a machine said last, and when the broker had it."""

    has: Has
    at: int


class Fleet(NamedTuple):
    """Every machine that ever said anything, as it said it last, and the newest roll-out of each kind."""

    machines: dict[str, Heard]
    plans: list[Plan]


class Next(NamedTuple):
    """What follows: the plan as it is now, who is asked, and of whom nothing is wanted any more."""

    plan: Plan
    ask: tuple[str, ...] = ()
    withdraw: tuple[str, ...] = ()


def sign_plan(plan: Plan, key: WitnessKey) -> bytes:
    text = msgspec.json.encode(plan)
    return encode(Signed(FORM, text, key.say(PLAN + text)))


def read_plan(data: bytes, floor: Witness) -> Plan:
    """A roll-out that this floor has signed; BadMessage when it is none."""
    message = decode(data, Signed)
    if not floor.said(PLAN + message.order, message.signature):
        raise BadMessage("a roll-out at the broker is not signed by this floor; find out who writes there")
    try:
        return msgspec.json.decode(message.order, type=Plan)
    except UNREADABLE as error:
        raise BadMessage(f"the roll-out at the broker cannot be read ({error}); a newer floor wrote it") from error


def here(heard: Heard | None, now: int) -> bool:
    return heard is not None and now - heard.at < HERE_MS


def doubled(machines: Mapping[str, Heard], now: int) -> dict[str, str]:
    """Tables whose computer answers under another name as well, each with that name: nothing is sent to either."""
    by: dict[str, list[str]] = {}
    for table, heard in machines.items():
        if heard.has.machine and here(heard, now):
            by.setdefault(heard.has.machine, []).append(table)
    pairs = [sorted(names) for names in by.values() if len(names) > 1]
    return {name: next(other for other in names if other != name) for names in pairs for name in names}


def doing(plan: Plan, table: str, heard: Heard | None) -> Doing | None:
    """How far a table is with this roll-out, as far as it has said."""
    if heard is None:
        return None
    mine = (one for one in heard.has.doing if one.kind == plan.kind and one.roll_out == plan.id)
    return next((one for one in mine if one.number == plan.asked.get(table)), None)


def follow(plan: Plan, machines: Mapping[str, Heard], now: int) -> Next:
    """What follows from what the machines have said until now."""
    if plan.state == "halted":
        return Next(plan)
    strange = doubled(machines, now)
    refused = dict(_refusals(plan, machines))
    if refused:
        return _halt(plan, machines, refused)
    plan = msgspec.structs.replace(plan, well=_seen_well(plan, machines, now))
    done = {one for one, since in plan.well.items() if now - since >= plan.settle_s * 1000}
    if len(done) == len(plan.tables):
        over: Plan = msgspec.structs.replace(plan, state="over", text="every table has it")
        return Next(over)
    reached = _reached(plan, machines, done, now)
    ask = tuple(one for one in reached if one not in plan.asked and one not in strange)
    numbers = {one: _number(plan, machines.get(one), now) for one in ask}
    text = _told(plan, machines, reached, done, strange, now)
    return Next(msgspec.structs.replace(plan, asked={**plan.asked, **numbers}, text=text), ask)


def _seen_well(plan: Plan, machines: Mapping[str, Heard], now: int) -> dict[str, int]:
    """Since when, by the floor's clock, each table has been seen to run with what it was given.

    Who falls silent or stands still before it has run for long enough begins anew; who has, has.
    """
    seen = {}
    for table in plan.asked:
        since = plan.well.get(table)
        settled = since is not None and now - since >= plan.settle_s * 1000
        if settled or _well(plan, table, machines.get(table), now):
            seen[table] = since if since is not None else now
    return seen


def _well(plan: Plan, table: str, heard: Heard | None, now: int) -> bool:
    runs = heard is not None and heard.has.running and here(heard, now)
    return runs and _done(plan, table, heard)


def dark(plan: Plan, machines: Mapping[str, Heard], done: set[str], now: int) -> list[str]:
    """Tables that were not heard again after they had begun to switch, or stand still since: they hold up the rest."""
    found = []
    for table in plan.asked:
        said = doing(plan, table, machines.get(table))
        begun = said is not None and said.state in ("switching", "done")
        if table not in done and begun and not _well(plan, table, machines.get(table), now):
            silent = not here(machines.get(table), now)
            if silent or (said is not None and said.state == "done"):
                found.append(table)
    return found


def _number(plan: Plan, heard: Heard | None, now: int) -> int:
    """A number above any that the machine knows, though the floor's clock may have gone back."""
    known = [one.number for one in heard.has.doing if one.kind == plan.kind] if heard is not None else []
    return max(now, max(known, default=0) + 1)


def halt(plan: Plan, machines: Mapping[str, Heard], text: str) -> Next:
    """People want it to end here."""
    halted = _halt(plan, machines, {})
    return halted._replace(plan=msgspec.structs.replace(halted.plan, text=text))


def _refusals(plan: Plan, machines: Mapping[str, Heard]) -> Iterable[tuple[str, str]]:
    for table in plan.asked:
        said = doing(plan, table, machines.get(table))
        if said is not None and said.state == "refused":
            yield table, said.text


def _done(plan: Plan, table: str, heard: Heard | None) -> bool:
    said = doing(plan, table, heard)
    well = heard is not None and not heard.has.instead_of
    return well and said is not None and said.state == "done"


def lagging(plan: Plan, machines: Mapping[str, Heard]) -> tuple[str, ...]:
    """Who does not have yet, by its own word, what the roll-out brings."""
    return tuple(one for one in plan.tables if not _done(plan, one, machines.get(one)))


def unswitched(plan: Plan, machines: Mapping[str, Heard]) -> tuple[str, ...]:
    """Who was asked, and has neither switched nor refused."""
    return tuple(one for one in plan.asked if one not in plan.refused and not _done(plan, one, machines.get(one)))


def _halt(plan: Plan, machines: Mapping[str, Heard], refused: dict[str, str]) -> Next:
    """Whoever has not switched yet is left as they are."""
    left = unswitched(msgspec.structs.replace(plan, refused=refused), machines)
    text = "; ".join(f"{table}: {why}" for table, why in refused.items())
    return Next(msgspec.structs.replace(plan, state="halted", text=text, refused=refused), withdraw=left)


def _reached(plan: Plan, machines: Mapping[str, Heard], done: set[str], now: int) -> tuple[str, ...]:
    """The tables of every stage that may have begun: one begins when the one before it went well.

    A stage is of machines that are on, or have it; who was off before anything began there holds up nobody, and is
    asked with the last one. Who went dark while it switched holds up all that were not asked yet.
    """
    asked = tuple(one for one in plan.tables if one in plan.asked)
    if dark(plan, machines, done, now):
        return asked
    on = [one for one in plan.tables if one in done or here(machines.get(one), now)]
    on.sort(key=lambda one: one not in plan.asked)
    upto = 0
    for size in plan.stages:
        if size == ALL:
            return plan.tables
        upto += size
        if not on[:upto] or not done.issuperset(on[:upto]):
            break
    return tuple(on[:upto])


def _told(
    plan: Plan, machines: Mapping[str, Heard], reached: tuple[str, ...], done: set[str], strange: dict[str, str],
    now: int,
) -> str:  # fmt: skip
    """Where it stands, in words."""
    off = [one for one in reached if one not in done and not here(machines.get(one), now)]
    words = f"{len(done)} of {len(plan.tables)} have it"
    if off:
        words += f"; {len(off)} are off and get it when they come back ({', '.join(off[:5])})"
    for one in dark(plan, machines, done, now):
        words += f"; {one} was not heard, or stands still, since it switched: go and look, the others wait"
    for one, other in strange.items():
        if one in plan.tables:
            words += f"; {one} is not asked: its computer answers as {other}, too"
    return words
