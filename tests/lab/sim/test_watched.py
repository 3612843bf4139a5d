"""`tablectl sim` as a person meets it: a running program whose bench starts other tables and plays scenario files."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests import SCENARIOS

DEADLINE_S = 60.0


class Sim:
    """The program, and its address."""

    def __init__(self, *args: str) -> None:
        command = "from controller.commands import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", command, "sim", "--port", "0", "--no-browser", *args],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if found := re.search(r"http://\S+/", line):
                self.url = found[0]
                break

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=5) as answer:
            return json.load(answer)

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        request = urllib.request.Request(
            self.url + path,
            json.dumps(body).encode(),
            {"content-type": "application/json", "origin": self.url.rstrip("/")},
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)

    def until(self, condition: Callable[[], bool]) -> None:
        """Ask again until it is so; while one table follows the other nobody answers for a moment."""
        late = time.monotonic() + DEADLINE_S
        while time.monotonic() < late:
            try:
                if condition():
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            threading.Event().wait(0.1)
        raise TimeoutError("not in time")

    def table(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("api/state")["set"]["table"]
        return found

    def told(self) -> str:
        return str(self.get("api/bench")["bench"]["told"])

    def end(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=30)
        return self.process.returncode, said


@pytest.fixture
def sim() -> Iterator[Sim]:
    running = Sim("--speed", "20")
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate(timeout=10)


def case(name: str, number: str) -> dict[str, Any]:
    cases = json.loads((SCENARIOS / name).read_text())
    cases = cases["cases"] if isinstance(cases, dict) else cases
    return next(one for one in cases if one["id"] == number)


def test_another_table_and_then_a_scenario_are_started_from_the_bench(sim: Sim) -> None:
    assert sim.table()["game"] == "wheel"
    status, said = sim.post("api/bench/pull", {"name": "anew", "args": {"table": "perth-war, shuffler", "seed": 7}})
    assert status == 200, said
    sim.until(lambda: sim.table()["game"] == "war")
    assert sim.table()["source"] == "shuffler"
    assert sim.get("api/bench")["bench"]["seed"] == 7

    status, said = sim.post("api/bench/play", {"case": case("war.json", "mel-01")})
    assert status == 200, said
    sim.until(lambda: sim.table()["rulebook"] == "Casino War, Crown Melbourne")
    sim.until(lambda: "over: everything was as expected" in sim.told())
    results = sim.get("api/state")["set"]["game"]["results"]
    assert [(one["result"], one["pays"]) for one in results] == [("win", 5_000)]

    wheel = case("wheel.json", json.loads((SCENARIOS / "wheel.json").read_text())["cases"][0]["id"])
    assert sim.post("api/bench/play", {"case": wheel})[0] == 200
    sim.until(lambda: sim.table()["game"] == "wheel")
    sim.until(lambda: "is over" in sim.told())
    code, said = sim.end()
    assert code == 0
    assert "rounds in" in said


def test_a_case_that_cannot_be_played_leaves_a_table_that_says_why(sim: Sim) -> None:
    status, answer = sim.post("api/bench/play", {"case": {"id": "x", "rulebook": "no-such-book"}})
    assert (status, "no rulebook" in answer["error"]) == (400, True)
    wrong = {**case("war.json", "mel-01"), "colour": "blue"}
    assert sim.post("api/bench/play", {"case": wrong})[0] == 200
    sim.until(lambda: "'colour' means nothing here" in sim.told())
    assert sim.end()[0] == 0
