"""The broker that the tests of the uplink share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.uplink import broker, link
from lab.floor.server import NatsServer
from lab.needs import NATS_SERVER
from tests.needed import needed
from tests.uplinks import prepared


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    needed(NATS_SERVER, "no row was sent")
    made = prepared(NatsServer(tmp_path_factory.mktemp("broker")))
    yield made
    made.stop()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is broken is noticed and tried again at once, so that a test can break it often."""
    monkeypatch.setattr(link, "AGAIN_S", (0.01, 0.02))
    monkeypatch.setattr(link, "PARTED_S", 0.1)
    monkeypatch.setattr(broker, "ANSWER_S", 0.5)
    monkeypatch.setattr(broker, "CONNECT_S", 0.2)
