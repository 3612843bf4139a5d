"""The page of the subjects says what tables and floor really send each other."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.commands import main
from floor.asyncapi import asyncapi
from lab.floor.server import NatsServer
from tests.floor.fits import fits
from tests.floor.running import floor_file, listening
from tests.uplinks import Writer, ask, until

PAGE = asyncapi("1")
KINDS = {"rows", "beat", "witness"}


def of(subject: str) -> str:
    """The channel on which this was said."""
    for name, channel in PAGE["channels"].items():
        parts = channel["address"].split(".")
        if len(parts) == len(said := subject.split(".")) and parts[0] == said[0]:
            return str(name)
    return ""


def test_real_traffic_fits_the_page(server: NatsServer, tmp_path: Path) -> None:
    heard: list[Msg] = []
    table = Writer(tmp_path, server.url)
    path = floor_file(tmp_path, server, table)

    async def listen(client: Client) -> None:
        all_kinds = asyncio.Event()

        async def take(message: Msg) -> None:
            heard.append(message)
            if {of(one.subject) for one in heard} == KINDS:
                all_kinds.set()

        for kind in KINDS:
            await client.subscribe(f"{kind}.>", cb=take)
        await client.flush()
        table.write(100)
        table.connect()
        await asyncio.wait_for(all_kinds.wait(), 20)

    with listening(path) as floor:
        until(lambda: floor.listener.trouble == "")
        ask(server.url, listen)
    table.close()
    assert {of(one.subject) for one in heard} == KINDS
    for one in heard:
        message = PAGE["components"]["messages"][of(one.subject)]
        said: Any = one.data.decode() if message["contentType"] == "text/plain" else msgspec.msgpack.decode(one.data)
        assert fits(said, message["payload"], PAGE) == []
    assert fits({"form": "one"}, {"$ref": "#/components/schemas/Rows"}, PAGE)


def test_the_page_is_printed() -> None:
    printed = CliRunner().invoke(main, ["floor", "interface", "asyncapi"])
    assert json.loads(printed.output)["channels"]["rows"]["address"] == "rows.{table}.{journal}"
