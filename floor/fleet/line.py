"""The fleet at the broker: files in pieces, roll-outs, what is wanted, and what machines say."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import nats.errors
import nats.js.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig

from controller import kept_file
from controller.fleet.messages import (
    HAS_SUBJECTS,
    KINDS,
    PIECE,
    PIECE_SUBJECTS,
    PIECES_STREAM,
    STREAM,
    WANT_SUBJECTS,
    Has,
    Kind,
    Want,
    has_subject,
    piece_subject,
    read_has,
    read_want,
    signed_want,
    want_subject,
)
from controller.journal.cosignature import Witness, WitnessKey
from controller.uplink.broker import connected
from controller.uplink.messages import EXPECTED, BadMessage
from floor.config import BrokerSection
from floor.fleet.plan import Heard, Plan, Wanted, read_plan, sign_plan
from floor.known import Known
from floor.streams import made

PLAN_SUBJECTS = "fleet.plan.*"
ASK_S = 5.0

log = structlog.get_logger()


class FleetTrouble(Exception):
    """What people want of the fleet cannot be: why, and what to do."""


def fleet_stream(replicas: int) -> StreamConfig:
    """The newest word of and to each machine, and the last roll-outs of each kind."""
    return StreamConfig(
        name=STREAM, subjects=[WANT_SUBJECTS, HAS_SUBJECTS, PLAN_SUBJECTS], storage=StorageType.FILE,
        max_msgs_per_subject=1, num_replicas=replicas, allow_direct=True,
    )  # fmt: skip


def pieces_stream(replicas: int) -> StreamConfig:
    """Files in pieces, by digest and number."""
    return StreamConfig(
        name=PIECES_STREAM, subjects=[PIECE_SUBJECTS], storage=StorageType.FILE, discard=DiscardPolicy.NEW,
        max_msgs_per_subject=1, num_replicas=replicas, allow_direct=True,
    )  # fmt: skip


class FleetLine:
    """One connection of the floor for its fleet."""

    def __init__(self, client: Client, floor: Witness, kept: Path) -> None:
        """`kept` is the floor's own file of how far each roll-out had come: a broker cannot put back an older word."""
        self._client, self._floor, self._kept = client, floor, kept
        self.troubles: dict[Kind, str] = {}
        self._stream: JetStreamContext = client.jetstream(timeout=ASK_S)

    @classmethod
    async def reach(cls, broker: BrokerSection, floor: Witness, kept: Path) -> FleetLine:
        client = await connected(broker.nkey, broker.servers, **{**broker.options(), "name": "floor-fleet"})
        line = cls(client, floor, kept)
        await made(line._stream, fleet_stream(broker.replicas), pieces_stream(broker.replicas))
        return line

    @property
    def closed(self) -> bool:
        return bool(self._client.is_closed)

    async def close(self) -> None:
        await self._client.close()

    async def lay(self, octets: bytes, name: str) -> Wanted:
        """Lay a file into the broker, in pieces; one that lies there already is not sent again."""
        digest = hashlib.sha256(octets).hexdigest()
        for number, begin in enumerate(range(0, len(octets), PIECE)):
            subject, piece = piece_subject(digest, number), octets[begin : begin + PIECE]
            last = await self._last(PIECES_STREAM, subject)
            if last is None or last[0] != piece:
                await self._stream.publish(subject, piece, stream=PIECES_STREAM)
        return Wanted(name, digest, len(octets))

    async def forget_pieces(self, keep: set[str]) -> None:
        """Drop files that no roll-out names."""
        info = await self._stream.stream_info(PIECES_STREAM, subjects_filter="piece.>")
        for digest in {subject.split(".")[1] for subject in info.state.subjects or {}} - keep:
            await self._stream.purge_stream(PIECES_STREAM, subject=f"piece.{digest}.*")

    async def plan(self, kind: Kind) -> tuple[Plan | None, int]:
        """The newest roll-out of a kind, and its number at the broker; what is not believed is none, and a trouble."""
        self.troubles.pop(kind, None)
        last = await self._last(STREAM, f"fleet.plan.{kind}")
        if last is None:
            return None, 0
        try:
            plan = read_plan(last[0], self._floor)
            if plan.revision < self._revisions().get(kind, 0):
                raise BadMessage("the broker holds an older word of the roll-out than this floor gave")
        except BadMessage as bad:
            self.troubles[kind] = f"{bad}; find out who writes to the broker, and begin a new roll-out"
            return None, last[1]
        return plan, last[1]

    def _revisions(self) -> dict[Kind, int]:
        """How far the floor itself has come with each kind."""
        return msgspec.json.decode(self._kept.read_bytes(), type=dict[Kind, int]) if self._kept.exists() else {}

    async def plans(self) -> list[Plan]:
        found = [await self.plan(kind) for kind in KINDS]
        return [plan for plan, _ in found if plan is not None]

    async def keep(self, plan: Plan, follows: int, key: WitnessKey) -> int:
        """Keep a roll-out right after the word of this number, or not at all."""
        revisions = self._revisions()
        newer = msgspec.structs.replace(plan, revision=revisions.get(plan.kind, 0) + 1)
        try:
            done = await self._stream.publish(
                f"fleet.plan.{plan.kind}", sign_plan(newer, key), stream=STREAM, headers={EXPECTED: str(follows)}
            )
        except nats.js.errors.APIError as error:
            raise FleetTrouble("somebody else has changed the roll-out meanwhile; look again") from error
        kept_file.replace(self._kept, msgspec.json.encode({**revisions, plan.kind: newer.revision}), 0o644)
        return done.seq

    async def said(self, plan: Plan, table: str) -> int:
        """The number of the word that the broker holds for a table; 0 where it holds none of this floor's."""
        last = await self._last(STREAM, want_subject(table, plan.kind))
        try:
            return read_want(last[0], self._floor).number if last is not None else 0
        except BadMessage:
            return 0

    async def want(self, plan: Plan, table: str, key: WitnessKey, number: int) -> None:
        """Ask a table for what the plan has for it; with a number that is not the plan's, nothing any more."""
        wanted = plan.wanted[table] if plan.asked.get(table) == number else Wanted("", "", 0)
        want = Want(table, plan.kind, number, plan.id, plan.at, plan.by, wanted.name, wanted.digest, wanted.size)
        await self._stream.publish(want_subject(table, plan.kind), signed_want(want, key), stream=STREAM)

    async def machines(self, tables: Iterable[str], known: Known) -> dict[str, Heard]:
        """What each of these tables' machines said last; what was not signed by its key is left out, and logged."""
        found: dict[str, Heard] = {}
        for table in tables:
            last = await self._last(STREAM, has_subject(table))
            if last is None:
                continue
            try:
                has = _believed(table, last[0], known, last[2])
            except BadMessage as bad:
                log.error("machine_not_believed", table=table, why=str(bad))
                continue
            found[table] = Heard(has, last[2])
        return found

    async def hear(self, known: Callable[[], Known]) -> dict[str, Heard]:
        """What every machine says, kept up to date as long as this connection lasts."""
        found: dict[str, Heard] = {}

        async def heard(message: Msg) -> None:
            table, now = message.subject.rpartition(".")[2], int(time.time() * 1000)
            try:
                found[table] = Heard(_believed(table, message.data, known(), now), now)
            except BadMessage as bad:
                log.error("machine_not_believed", table=table, why=str(bad))

        await self._client.subscribe(HAS_SUBJECTS, cb=heard)
        for table, last in (await self.machines(await self.tables(), known())).items():
            found.setdefault(table, last)
        return found

    async def tables(self) -> list[str]:
        """Every table whose machine has ever said anything."""
        info = await self._stream.stream_info(STREAM, subjects_filter="fleet.has.*")
        return sorted(subject.rpartition(".")[2] for subject in info.state.subjects or {})

    async def _last(self, stream: str, subject: str) -> tuple[bytes, int, int] | None:
        """The newest message on a subject: what, its number, and when the broker had it, in milliseconds."""
        try:
            last = await self._stream.get_last_msg(stream, subject, direct=False)
        except nats.js.errors.NotFoundError:
            return None
        at = last.time.timestamp() if last.time is not None else time.time()
        return last.data or b"", last.seq or 0, int(at * 1000)


def _believed(table: str, data: bytes, known: Known, at: int) -> Has:
    has, message = read_has(data)
    if has.table != table:
        raise BadMessage(f"it speaks of {has.table}")
    if not known.machine(table, message.order, message.signature, at):
        raise BadMessage("its key did not sign it; find out who uses the broker in its name")
    return has
