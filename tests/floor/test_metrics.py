"""Debian's Prometheus scrapes a table that plays and its floor, takes the rules, and answers every query of the
dashboard."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.types import MetricsSection, UplinkSection
from controller.journal.cosignature import read_witness_key
from controller.metrics import machine
from controller.uplink import following
from controller.uplink.link import UplinkThread
from lab.floor.server import NatsServer, free_port
from lab.needs import PROMETHEUS
from lab.sim.config import default_config
from tests import ROOT
from tests.controller.metrics.pi import machine as pi
from tests.controller.web.client import served
from tests.floor.running import FloorProcess, floor_file
from tests.needed import needed
from tests.uplinks import until

FILES = ROOT / "install" / "prometheus"
SCRAPE = """
global: {{ scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }}
rule_files: ["{rules}"]
scrape_configs:
  - job_name: tablectl
    static_configs: [{{ targets: ["127.0.0.1:{table}"] }}]
  - job_name: tablectl-floor
    static_configs: [{{ targets: ["127.0.0.1:{floor}"] }}]
"""


class Prometheus:
    """The real one, on a folder of its own."""

    def __init__(self, folder: Path, table: int, floor: int) -> None:
        self._port, config = free_port(), folder / "prometheus.yml"
        config.write_text(SCRAPE.format(rules=FILES / "tablectl-rules.yml", table=table, floor=floor))
        words = [f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}"]
        self._log = (folder / "prometheus.log").open("wb")
        self._process = subprocess.Popen(
            [PROMETHEUS.found(), *words, f"--web.listen-address=127.0.0.1:{self._port}"], stderr=self._log
        )

    def ask(self, path: str, **query: str) -> Any:
        url = f"http://127.0.0.1:{self._port}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            said = json.load(answer)
        assert said["status"] == "success", said
        return said["data"]

    def value(self, query: str) -> list[Any]:
        """What a query finds now; nothing while the server comes up."""
        try:
            found: list[Any] = self.ask("query", query=query)["result"]
        except (OSError, AssertionError):
            return []
        return found

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)
        self._log.close()


def queries() -> Iterator[str]:
    """Every query of the dashboard, for all tables."""
    for panel in json.loads((FILES / "tablectl-dashboard.json").read_text("utf-8"))["panels"]:
        for target in panel["targets"]:
            yield target["expr"].replace("$table", ".*")


def test_promtool_takes_rules_and_configuration(tmp_path: Path) -> None:
    tool = str(Path(needed(PROMETHEUS, "no rule was checked")).with_name("promtool"))
    for words in (["check", "rules", "tablectl-rules.yml"], ["check", "config", "--syntax-only", "prometheus.yml"]):
        done = subprocess.run([tool, *words], cwd=FILES, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_scrapes_a_playing_table_and_its_floor_and_answers_every_query(
    server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed(PROMETHEUS, "nothing was scraped")
    monkeypatch.setattr(machine, "ROOT", pi(tmp_path / "pi", temp="50000", type="cpu", throttled="0", boot="0"))
    floor_port = free_port()
    path = floor_file(tmp_path, server)
    path.write_text(path.read_text("utf-8").replace(":0", f":{floor_port}") + "[metrics]\n", "utf-8")
    process = FloorProcess(path)
    try:
        asyncio.run(_play(server, tmp_path, floor_port, _judge))
    finally:
        process.stop()


async def _play(server: NatsServer, folder: Path, floor: int, judge: Callable[[Prometheus], None]) -> None:
    config = msgspec.structs.replace(default_config(), metrics=MetricsSection())
    witness = read_witness_key(folder / "floor.key").public.text()
    async with served(folder, play=True, speed=20.0, config=config) as table:
        uplink = UplinkThread(following(table.table.runtime, UplinkSection((server.url,), witness=witness)))
        prometheus = Prometheus(folder, int(table.server.url.rstrip("/").rpartition(":")[2]), floor)
        try:
            await asyncio.to_thread(judge, prometheus)
        finally:
            prometheus.stop()
            uplink.close()


def _judge(prometheus: Prometheus) -> None:
    until(lambda: len(prometheus.value("up == 1")) == 2, 40)
    until(lambda: prometheus.value("rate(tablectl_rounds_total[1m]) > 0"), 40)
    until(lambda: prometheus.value("sum(tablectl_floor_rows_total) > 0 and sum(tablectl_floor_table_here) == 1"), 40)
    wanted = list(queries())
    assert len(wanted) > 30
    named = {name for query in wanted for name in re.findall(r"\b(?:tablectl|process)_\w+", query)}
    seen = {one["metric"]["__name__"] for one in prometheus.value('{__name__=~"(tablectl|process)_.+"}')}
    assert named - seen <= {"tablectl_floor_findings", "tablectl_alarms"}, "numbers that only trouble brings"
    for query in wanted:
        assert prometheus.ask("query", query=query)["resultType"] == "vector", query
    until(lambda: _evaluated(prometheus))


def _evaluated(prometheus: Prometheus) -> bool:
    """Whether every rule was evaluated, and none of them is wrong."""
    rules = [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]
    assert len(rules) > 20
    assert [rule["lastError"] for rule in rules if rule.get("lastError")] == []
    return all(rule["health"] == "ok" for rule in rules)
