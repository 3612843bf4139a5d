"""`/metrics` over the pages' own server: who may read it, and the text that Prometheus takes."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.core import Metric as Family
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from controller.config.tomlread import ConfigError
from controller.metrics.names import Metric

TOKEN_LEAST = 16
Sample = tuple[tuple[str, ...], float]


class Told(Protocol):
    """Whoever has numbers to tell."""

    def collect(self) -> Iterable[Family]: ...


def family(metric: Metric, samples: Iterable[Sample]) -> Family:
    """The samples of a declared number."""
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    made = kind(metric.name, metric.says, labels=metric.labels)
    for labels, value in samples:
        made.add_metric(labels, value)
    return made


def single(metric: Metric, value: float) -> Family:
    """A number without labels."""
    return family(metric, (((), value),))


class Served:
    """Answers `/metrics` with what these tell, and with what this process uses."""

    def __init__(self, token: str, *told: Told) -> None:
        """`token` is the file with what a caller must show; without one only this machine is answered."""
        self._token = _read(Path(token)) if token else ""
        self._registry = CollectorRegistry()
        for one in told:
            self._registry.register(one)
        ProcessCollector(registry=self._registry)

    async def show(self, request: Request) -> Response:
        if not self._may(request):
            return PlainTextResponse("Show the token of [metrics], as Authorization: Bearer TOKEN.\n", 401)
        return Response(await self._text(), headers={"content-type": CONTENT_TYPE_LATEST})

    async def _text(self) -> bytes:
        """Read on the loop, whose own things they are."""
        return generate_latest(self._registry)

    def _may(self, request: Request) -> bool:
        if self._token:
            shown = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
            return hmac.compare_digest(shown.encode(), self._token.encode())
        return request.client is not None and _here(request.client.host)


class ServedAside(Served):
    """The same for numbers that a store is asked for, on a thread beside the loop."""

    async def _text(self) -> bytes:
        return await asyncio.to_thread(generate_latest, self._registry)


def _here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _read(path: Path) -> str:
    try:
        token = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: the token of [metrics] cannot be read ({error})") from error
    if len(token) < TOKEN_LEAST:
        raise ConfigError(f"{path}: a token has {TOKEN_LEAST} characters or more; put a long random word into it")
    return token
