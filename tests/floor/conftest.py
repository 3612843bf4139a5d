"""The broker that the tests of the floor share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.floor.server import NatsServer
from lab.needs import NATS_SERVER
from tests.needed import needed


@pytest.fixture
def server(tmp_path: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    """A broker of its own, with nothing in it: the floor makes its streams."""
    needed(NATS_SERVER, "no floor heard anything")
    made = NatsServer(tmp_path_factory.mktemp("broker"))
    made.start()
    yield made
    made.stop()
