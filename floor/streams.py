"""The streams that the floor makes at the broker, and what they keep."""

from __future__ import annotations

import nats.errors
import nats.js.errors
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig

from controller.uplink.messages import ROWS_STREAM, ROWS_SUBJECTS, WITNESS_STREAM, WITNESS_SUBJECTS


def rows_stream(replicas: int = 1, max_bytes: int = -1) -> StreamConfig:
    """Every row of every table. Nothing is ever dropped to make room: a full stream refuses, and tables wait."""
    return StreamConfig(
        name=ROWS_STREAM,
        subjects=[ROWS_SUBJECTS],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.NEW,
        max_bytes=max_bytes,
        num_replicas=replicas,
        allow_direct=True,
    )


def witness_stream(replicas: int = 1) -> StreamConfig:
    """The newest head of each journal that the floor has countersigned."""
    return StreamConfig(
        name=WITNESS_STREAM,
        subjects=[WITNESS_SUBJECTS],
        storage=StorageType.FILE,
        max_msgs_per_subject=1,
        num_replicas=replicas,
        allow_direct=True,
    )


async def made(stream: JetStreamContext, *wanted: StreamConfig) -> None:
    """Make each of these where it is not there; one that is there stays as it was set up."""
    for config in wanted:
        assert config.name is not None
        try:
            await stream.stream_info(config.name)
        except nats.js.errors.NotFoundError:
            await stream.add_stream(config)
