"""The floor's part in a roll-out: looks what machines say, and asks the next ones when those before went well."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping

import structlog

from controller.fleet.messages import KINDS, Kind
from controller.journal.cosignature import WitnessKey
from controller.uplink.broker import Away
from controller.uplink.messages import BadMessage
from floor.config import BrokerSection
from floor.fleet.line import FleetLine, FleetTrouble
from floor.fleet.plan import Fleet, Heard, Next, Plan, follow
from floor.known import Known
from floor.listen import TROUBLES

LOOK_S = 2.0
AGAIN_S = 5.0

log = structlog.get_logger()


class Shepherd:
    """Follows every roll-out until it is cancelled; all it knows lies at the broker."""

    def __init__(self, broker: BrokerSection, key: WitnessKey, known: Callable[[], Known]) -> None:
        self._broker, self._key, self._known = broker, key, known
        self.fleet = Fleet({}, [])
        self.trouble = "not connected yet"

    async def run(self) -> None:
        while True:
            try:
                line = await FleetLine.reach(self._broker, self._key.public)
                try:
                    await self._look(line)
                finally:
                    with contextlib.suppress(*TROUBLES):
                        await asyncio.wait_for(line.close(), AGAIN_S)
            except FleetTrouble as trouble:
                log.info("roll_out_changed", why=str(trouble))
            except BadMessage as bad:
                log.error("roll_out_not_believed", why=str(bad))
            except TROUBLES as error:
                self.trouble = f"the broker: {error or type(error).__name__}"
                log.info("fleet_away", why=self.trouble)
            await asyncio.sleep(AGAIN_S)

    async def _look(self, line: FleetLine) -> None:
        for kind in KINDS:
            await self._ask_again(line, kind)
        machines = await line.hear(self._known)
        self.trouble = ""
        while not line.closed:
            for kind in KINDS:
                await self._follow(line, kind, machines)
            self.fleet = Fleet(dict(machines), await line.plans())
            await asyncio.sleep(LOOK_S)
        raise Away("the connection was lost")

    async def _ask_again(self, line: FleetLine, kind: Kind) -> None:
        """A floor that died between keeping and asking asks now."""
        plan, _ = await line.plan(kind)
        for table in plan.asked if plan is not None and plan.state == "running" else ():
            assert plan is not None
            if not await line.asked(plan, table):
                await line.want(plan, table, self._key, plan.asked[table])

    async def _follow(self, line: FleetLine, kind: Kind, machines: Mapping[str, Heard]) -> None:
        plan, number = await line.plan(kind)
        if plan is None or plan.state != "running":
            return
        then = follow(plan, machines, int(time.time() * 1000))
        if then.plan != plan:
            await carry_out(line, then, number, self._key)
            _tell(plan, then.plan)


async def carry_out(line: FleetLine, then: Next, number: int, key: WitnessKey) -> None:
    """Keep how a roll-out stands, then ask and withdraw: nobody is asked under a number that was not kept."""
    await line.keep(then.plan, number, key)
    for table in then.ask:
        await line.want(then.plan, table, key, then.plan.asked[table])
    for table in then.withdraw:
        await line.want(then.plan, table, key, then.plan.asked[table] + 1)


def _tell(before: Plan, now: Plan) -> None:
    if now.state != before.state:
        say = log.error if now.state == "halted" else log.info
        say("roll_out", kind=now.kind, id=now.id, state=now.state, why=now.text)
