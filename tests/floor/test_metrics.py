"""Debian's Prometheus scrapes a table that plays and its floor, takes the rules, and answers every query of the
dashboard."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator
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


def series(name: str, value: str, **labels: str) -> str:
    said = ", ".join(f'{label}="{text}"' for label, text in {"instance": "t1", **labels}.items())
    return f"      - series: '{name}{{{said}}}'\n        values: '{value}'\n"


FIRES = {
    "Hot": series("tablectl_machine_temperature_celsius", "85x200", zone="0:cpu-thermal"),
    "Throttled": series("tablectl_machine_throttled", "1x200", what="throttled", when="now"),
    "Undervoltage": series("tablectl_machine_throttled", "1x200", what="undervoltage", when="since_boot"),
    "DiskFull": series("tablectl_machine_disk_free_bytes", "100000000x200"),
    "DiskErrors": series("tablectl_machine_disk_errors", "2x200", disk="mmcblk0p2"),
    "CardWorn": series("tablectl_machine_card_worn_percent", "90x200", card="mmcblk0"),
    "CardSpareUsed": series("tablectl_machine_card_spare", "2x200", card="mmcblk0"),
    "ClockOff": series("tablectl_machine_clock_synchronised", "0x200"),
    "WatchdogBit": series("tablectl_machine_watchdog_reset", "1x200"),
    "FloorNotHeard": series("tablectl_uplink_up", "0x200"),
    "UplinkBehind": series("tablectl_uplink_behind_rows", "2000x200"),
    "RestartsOften": series("process_start_time_seconds", "0+1x200", job="tablectl"),
    "StartedUnclean": series("tablectl_started_unclean", "1x200"),
    "RollOutHalted": series("tablectl_fleet_roll_out", "1x200", kind="program", state="halted")
    + series("tablectl_fleet_lagging", "3x200", kind="program"),
    "RollOutRefused": series("tablectl_fleet_refused", "1x200", kind="program", table="t1"),
    "MachineLags": series("tablectl_fleet_lagging", "3x3000", kind="program")
    + series("tablectl_fleet_roll_out", "1x3000", kind="program", state="running"),
    "MachineNotHeard": series("tablectl_fleet_here", "0x3000", table="t1"),
    "VersionsDiffer": "".join(
        series("tablectl_fleet_version", "1x3000", table=f"t{number}", version=f"{number}.0") for number in (1, 2, 3)
    ),
    "MachineUnwell": series("tablectl_fleet_found", "1x200", table="t1", level="failed"),
    "MachineTwice": series("tablectl_fleet_doubled", "1x200", table="t1"),
}
"""For each alert about a machine, numbers by which it must fire."""


def ruled(folder: Path, numbers: str, minutes: int, names: Iterable[str], wanted: int) -> str:
    """What promtool says of these numbers: each alert is up so many times, by its name alone."""
    asked = "".join(
        f'      - expr: \'count(ALERTS{{alertname="{name}",alertstate="firing"}}) or vector(0)\'\n'
        f"        eval_time: {minutes}m\n        exp_samples: [{{labels: '{{}}', value: {wanted}}}]\n"
        for name in names
    )
    path = folder / "tests.yml"
    path.write_text(
        f"rule_files: [{FILES / 'tablectl-rules.yml'}]\nevaluation_interval: 1m\ntests:\n"
        f"  - interval: 1m\n    input_series:\n{numbers}    promql_expr_test:\n{asked}"
    )
    tool = str(Path(needed(PROMETHEUS, "no rule was tried")).with_name("promtool"))
    done = subprocess.run([tool, "test", "rules", str(path)], capture_output=True, text=True, timeout=60, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_every_alert_about_a_machine_fires_when_its_number_says_so(tmp_path: Path) -> None:
    text = (FILES / "tablectl-rules.yml").read_text("utf-8")
    machines, fleet = text.partition("name: tablectl-machines")[2], text.partition("name: tablectl-fleet")[2]
    about = {*re.findall(r"alert: (\w+)", machines.partition("- name:")[0]), *re.findall(r"alert: (\w+)", fleet)}
    assert about <= FIRES.keys()
    for name, numbers in FIRES.items():
        minutes = 2000 if "x3000" in numbers else 100
        assert ruled(tmp_path, numbers, minutes, [name], 1) == "", name


def test_no_alert_about_a_machine_fires_while_all_is_well(tmp_path: Path) -> None:
    well = series("tablectl_machine_temperature_celsius", "55x200", zone="0:cpu-thermal")
    well += series("tablectl_machine_disk_free_bytes", "20000000000x200")
    well += series("tablectl_machine_card_worn_percent", "20x200", card="mmcblk0")
    well += series("tablectl_machine_card_spare", "1x200", card="mmcblk0")
    well += series("tablectl_machine_clock_synchronised", "1x200") + series("tablectl_uplink_up", "1x200")
    well += series("tablectl_machine_clock_offset_seconds", "0.001x200") + series(
        "tablectl_uplink_behind_rows", "3x200"
    )
    well += series("process_start_time_seconds", "5x200", job="tablectl") + series(
        "tablectl_fleet_here", "1x200", table="t1"
    )
    well += series("tablectl_machine_watchdog_reset", "0x200") + series(
        "tablectl_machine_disk_errors", "0x200", disk="a"
    )
    well += series("tablectl_fleet_roll_out", "0x200", kind="program", state="halted")
    well += series("tablectl_fleet_lagging", "3x200", kind="program") + series(
        "tablectl_fleet_doubled", "0x200", table="t1"
    )
    assert ruled(tmp_path, well, 100, FIRES, 0) == ""


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
