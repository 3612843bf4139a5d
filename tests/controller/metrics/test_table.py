"""A playing table in numbers, over its own pages' server, to whom may read them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from controller.config.tomlread import ConfigError
from controller.config.types import MetricsSection, TableConfig
from controller.metrics import names
from controller.metrics.served import Served as Numbers
from lab.sim.config import default_config
from tests.controller.web.client import Answer, Served, served


def with_metrics(token: str = "") -> TableConfig:
    return msgspec.structs.replace(default_config(), metrics=MetricsSection(token))


def sampled(answer: Answer) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    assert answer.status == 200
    families = text_string_to_metric_families(answer.body.decode())
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for each in families for one in each.samples}


def test_a_table_that_plays_tells_its_rounds_events_devices_and_its_way_to_the_disk(tmp_path: Path) -> None:
    async def act() -> None:
        async with served(tmp_path, play=True, speed=60.0, config=with_metrics()) as table:
            await table.until(lambda: table.table.runtime.table.state.round > 3, 60.0)
            found = sampled(await table.client().get("/metrics"))
            state, journal = table.table.runtime.table.state, table.table.runtime.journal
            assert found[("tablectl_rounds_total", ())] == state.round - 1
            assert 0 < found[("tablectl_events_total", ())] <= journal.last_seq
            assert found[("tablectl_to_disk_seconds_count", ())] == found[("tablectl_events_total", ())]
            assert found[("tablectl_life", (("state", state.life),))] == 1
            assert found[("tablectl_device_up", (("place", "wheel"),))] == 1
            assert found[("tablectl_device_link_total", (("place", "chips"), ("what", "frames_in")))] > 10
            assert found[("tablectl_started_unclean", ())] == found[("tablectl_journal_broken", ())] == 0
            assert ("tablectl_uplink_up", ()) not in found
            known = {one.name for one in names.ALL}
            told = {name for name, _ in found if name.startswith("tablectl_")}
            assert {name.removesuffix("_bucket").removesuffix("_count").removesuffix("_sum") for name in told} <= known

    asyncio.run(act())


def test_a_table_that_was_not_asked_to_tells_nothing(tmp_path: Path) -> None:
    async def act() -> None:
        async with served(tmp_path) as table:
            assert (await table.client().get("/metrics")).status == 404

    asyncio.run(act())


def test_with_a_token_only_who_shows_it_is_answered(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a long and random word\n")

    async def ask(table: Served, **headers: str) -> int:
        return (await table.client().get("/metrics", **headers)).status

    async def act() -> None:
        async with served(tmp_path, config=with_metrics(str(tmp_path / "token"))) as table:
            assert await ask(table) == await ask(table, authorization="Bearer another word") == 401
            assert await ask(table, authorization="Bearer a long and random word") == 200

    asyncio.run(act())


@pytest.mark.parametrize("text", [None, "short", "é" * 20])
def test_a_token_that_protects_nothing_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "token").write_text(text, "utf-8")
    with pytest.raises(ConfigError, match="token"):
        Numbers(str(tmp_path / "token"))
