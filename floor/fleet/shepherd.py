"""The floor's part in a roll-out: looks what machines say, and asks the next ones when those before went well."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import structlog

from controller.fleet.messages import KINDS, Kind
from controller.journal.cosignature import WitnessKey
from controller.uplink.broker import Away
from floor.config import BrokerSection
from floor.fleet.line import FleetLine, FleetTrouble
from floor.fleet.plan import Fleet, Heard, Next, Plan, follow, unswitched
from floor.known import Known
from floor.listen import TROUBLES

LOOK_S = 2.0
AGAIN_S = 5.0

log = structlog.get_logger()


class Shepherd:
    """Follows every roll-out until it is cancelled; all it knows lies at the broker."""

    def __init__(self, broker: BrokerSection, key: WitnessKey, known: Callable[[], Known], kept: Path) -> None:
        self._broker, self._key, self._known, self._kept = broker, key, known, kept
        self.fleet = Fleet({}, [])
        self.trouble = "not connected yet"

    async def run(self) -> None:
        while True:
            try:
                line = await FleetLine.reach(self._broker, self._key.public, self._kept)
                try:
                    await self._look(line)
                finally:
                    with contextlib.suppress(*TROUBLES):
                        await asyncio.wait_for(line.close(), AGAIN_S)
            except FleetTrouble as trouble:
                log.info("roll_out_changed", why=str(trouble))
            except TROUBLES as error:
                self.trouble = f"the broker: {error or type(error).__name__}"
                log.info("fleet_away", why=self.trouble)
            await asyncio.sleep(AGAIN_S)

    async def _look(self, line: FleetLine) -> None:
        machines = await line.hear(self._known)
        for kind in KINDS:
            await self._ask_again(line, kind, machines)
        while not line.closed:
            for kind in KINDS:
                await self._follow(line, kind, machines)
            self.fleet = Fleet(dict(machines), await line.plans())
            self._say("; ".join(line.troubles.values()))
            await asyncio.sleep(LOOK_S)
        raise Away("the connection was lost")

    def _say(self, trouble: str) -> None:
        if trouble and trouble != self.trouble:
            log.error("roll_out_not_believed", why=trouble)
        self.trouble = trouble

    async def _ask_again(self, line: FleetLine, kind: Kind, machines: Mapping[str, Heard]) -> None:
        """A floor that died between keeping and saying says it now: who is asked, and of whom nothing is wanted."""
        plan, _ = await line.plan(kind)
        if plan is None or plan.state == "over":
            return
        numbers = dict(plan.asked)
        if plan.state == "halted":
            numbers = {table: plan.asked[table] + 1 for table in unswitched(plan, machines)}
        for table, number in numbers.items():
            if await line.said(plan, table) < number:
                await line.want(plan, table, self._key, number)

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
