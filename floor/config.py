"""What `floor.toml` may say, checked in words."""

from __future__ import annotations

import re
import ssl
from pathlib import Path
from typing import Any

import msgspec

from controller.config.tomlread import convert, load
from controller.config.types import MetricsSection, Person, TimeOfDay
from controller.report.days import HouseDays, zone_named

_BROKER = re.compile(r"(nats|tls)://(\[[0-9a-fA-F:]+\]|[^\s/@\[\]]+@?[^\s:/@\[\]]*):\d{1,5}")


class FloorSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which floor this is, where it keeps what it hears, and the files it is trusted by.

    `key` is the key it countersigns with, `tables` the file with each table's public key, `acts` what two persons each
    have changed about them since, `archive` the folder of archived days (empty: none are written). In `practice`, on
    loopback only, people sign in without a PIN. Gaming days begin at `day_starts` in the house's `zone`; the machine's
    own holds where none is named.
    """

    name: str
    store: str = "sqlite:///floor.db"
    web: str = "127.0.0.1:8700"
    key: str = "floor.key"
    tables: str = "tables.keys"
    acts: str = "tables.acts"
    certificate: str = ""
    certificate_key: str = ""
    staff: str = "staff.json"
    archive: str = "archive"
    practice: bool = False
    zone: str = ""
    day_starts: TimeOfDay = "06:00"

    @property
    def days(self) -> HouseDays:
        """The house's gaming days."""
        return HouseDays.of(self.day_starts, self.zone)


class BrokerSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The broker, and what the floor's streams there are like; `max_bytes` -1 is no limit."""

    servers: tuple[str, ...]
    nkey: str = ""
    ca: str = ""
    replicas: int = 1
    max_bytes: int = -1

    @property
    def encrypted(self) -> bool:
        return all(server.startswith("tls://") for server in self.servers)

    def options(self) -> dict[str, Any]:
        """How the client connects."""
        return {
            "name": "floor",
            "allow_reconnect": False,
            "max_reconnect_attempts": 1,
            "connect_timeout": 5,
            "ping_interval": 5,
            "max_outstanding_pings": 2,
            "nkeys_seed": self.nkey or None,
            "tls": ssl.create_default_context(cafile=self.ca or None) if self.encrypted else None,
        }


class HallSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That tournaments are run here: the journal of the event that is on; its names lie beside it.

    `officers` are those whom the casino operator named, by their number, with the office each holds: who approves
    terms, and whose word lets members of staff enter.
    """

    journal: str = "hall.journal"
    officers: dict[str, str] = {}


class FloorConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a floor is told before it listens."""

    floor: FloorSection
    broker: BrokerSection
    staff: tuple[Person, ...] = ()
    metrics: MetricsSection | None = None
    hall: HallSection | None = None

    @property
    def revisions(self) -> Path:
        """Where the floor itself keeps how far each roll-out to its tables' machines had come."""
        return Path(self.floor.key).with_name("fleet.revisions")

    @property
    def web_host(self) -> str:
        return self.floor.web.rpartition(":")[0].strip("[]")

    @property
    def web_port(self) -> int:
        return int(self.floor.web.rpartition(":")[2])


def read_floor(path: Path) -> FloorConfig:
    """The floor of a file; ConfigError says where it is wrong."""
    document = load(path)
    config = convert(document, FloorConfig)
    host, _, port = config.floor.web.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise document.error(("floor", "web"), f"'{config.floor.web}' is no address", 'write "127.0.0.1:8700"')
    if config.floor.zone and zone_named(config.floor.zone) is None:
        what = f"'{config.floor.zone}' is no time zone that this machine knows"
        raise document.error(("floor", "zone"), what, "write a name such as Australia/Melbourne")
    if not config.broker.servers:
        raise document.error(("broker", "servers"), "'servers' names no broker", 'write ["nats://127.0.0.1:4222"]')
    for server in config.broker.servers:
        if not _BROKER.fullmatch(server):
            remedy = "write nats://HOST:PORT or tls://HOST:PORT"
            raise document.error(("broker", "servers"), f"'{server}' is no broker", remedy)
    return _beside(config, Path(path).parent)


def _beside(config: FloorConfig, folder: Path) -> FloorConfig:
    """Paths in a file are meant from where the file lies."""
    names = ("key", "archive", "tables", "acts", "certificate", "certificate_key", "staff")
    files = {name: str(folder / value) for name in names if (value := getattr(config.floor, name))}
    store = config.floor.store
    if store.startswith("sqlite:///") and not store.startswith("sqlite:////"):
        files["store"] = f"sqlite:///{(folder / store.removeprefix('sqlite:///')).absolute()}"
    broker = {name: str(folder / value) for name in ("nkey", "ca") if (value := getattr(config.broker, name))}
    metrics = config.metrics
    if metrics is not None and metrics.token:
        metrics = msgspec.structs.replace(metrics, token=str(folder / metrics.token))
    hall = config.hall
    if hall is not None:
        hall = msgspec.structs.replace(hall, journal=str(folder / hall.journal))
    return msgspec.structs.replace(
        config,
        metrics=metrics,
        hall=hall,
        floor=msgspec.structs.replace(config.floor, **files),
        broker=msgspec.structs.replace(config.broker, **broker),
    )
