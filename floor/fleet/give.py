"""What people want of the fleet, from the floor's own machine: a roll-out begun or ended, and how all machines are."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from controller.fleet.messages import Kind
from controller.journal.cosignature import WitnessKey
from controller.uplink.messages import BadMessage
from floor.acts import Person, check_both
from floor.config import FloorConfig
from floor.fleet.line import FleetLine, FleetTrouble
from floor.fleet.plan import ALL, Fleet, Plan, Wanted, halt
from floor.fleet.shepherd import carry_out
from floor.known import Known
from floor.listen import TROUBLES
from floor.run import key_of, known_to

T = TypeVar("T")
STAGES = (1, 10, ALL)
SETTLE_S = 60


class Order(NamedTuple):
    """A roll-out that two persons want: which tables get which file, a few at a time, and why."""

    kind: Kind
    files: dict[str, tuple[str, bytes]]
    """By table: how it is called, and the file itself."""
    by: tuple[Person, Person]
    why: str
    stages: tuple[int, ...] = STAGES
    settle_s: int = SETTLE_S


def at_broker(config: FloorConfig, do: Callable[[FleetLine, WitnessKey, Known], Awaitable[T]]) -> T:
    """Do something on a connection of the floor."""
    key = key_of(config)
    if key is None:
        raise FleetTrouble("the floor has no key to sign with; make one: tablectl floor key")

    async def done() -> T:
        line = await FleetLine.reach(config.broker, key.public, config.revisions)
        try:
            return await do(line, key, known_to(config, key))
        finally:
            await line.close()

    try:
        return asyncio.run(done())
    except BadMessage as bad:
        raise FleetTrouble(str(bad)) from bad
    except TROUBLES as error:
        raise FleetTrouble(
            f"the broker does not answer ({error or type(error).__name__}); see how things stand first: "
            "tablectl fleet status"
        ) from error


async def look(line: FleetLine, known: Known) -> Fleet:
    return Fleet(await line.machines(await line.tables(), known), await line.plans())


async def begin(line: FleetLine, key: WitnessKey, known: Known, order: Order) -> Plan:
    """Begin a roll-out; the running floor follows it."""
    check_both("A roll-out", order.by, order.why)
    _check_stages(order)
    for table in order.files:
        if table not in known:
            raise FleetTrouble(f"the floor knows no key of a table {table!r}; see tablectl fleet status")
    before, number = await line.plan(order.kind)
    if before is not None and before.state == "running":
        raise FleetTrouble(
            f"roll-out {before.id} of {order.kind} is not over ({before.text}); wait, or end it: tablectl fleet halt"
        )
    laid: dict[tuple[str, bytes], Wanted] = {}
    for one in order.files.values():
        if one not in laid:
            laid[one] = await line.lay(one[1], one[0])
    wanted = {table: laid[one] for table, one in order.files.items()}
    plan = Plan(
        secrets.token_hex(4), order.kind, int(time.time() * 1000), (order.by[0].id, order.by[1].id), order.why,
        order.stages, order.settle_s, tuple(order.files), wanted, text="begun",
    )  # fmt: skip
    await line.keep(plan, number, key)
    with contextlib.suppress(*TROUBLES):  # it is begun; the next one tidies up as well
        await line.forget_pieces({one.digest for plan in await line.plans() for one in plan.wanted.values()})
    return plan


def _check_stages(order: Order) -> None:
    if not order.files:
        raise FleetTrouble("no table is named; see tablectl fleet status")
    if not order.stages or order.stages[-1] != ALL or ALL in order.stages[:-1] or min(order.stages) < 0:
        raise FleetTrouble("stages are numbers of tables, and the last is 'all', such as 1,10,all")


async def end(line: FleetLine, key: WitnessKey, known: Known, kind: Kind, by: tuple[Person, Person], why: str) -> Plan:
    """End a roll-out where it stands; whoever has not switched yet stays as they are."""
    check_both("Ending a roll-out", by, why)
    plan, number = await line.plan(kind)
    if plan is None or plan.state != "running":
        raise FleetTrouble(f"no roll-out of {kind} is running")
    machines = await line.machines(plan.tables, known)
    then = halt(plan, machines, f"ended by {by[0].id} and {by[1].id}: {why}")
    await carry_out(line, then, number, key)
    return then.plan
