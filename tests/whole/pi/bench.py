"""Simulated devices as programs of their own on pseudo-terminals, with the hands that move them, and paired screens."""

from __future__ import annotations

import json
import select
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, TypeVar

from tests.standing import DEVICE_UP_S, TABLECTL

T = TypeVar("T")
PATIENCE_S = 60.0
LOOK_EVERY_S = 0.05


class Hand:
    """What hands do to one simulated device, over its control socket."""

    def __init__(self, path: Path) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.settimeout(PATIENCE_S)
        self._line.connect(str(path))
        self._replies = self._line.makefile("r")

    def __call__(self, deed: str, **how: Any) -> Any:
        self._line.sendall(f"hand {deed} {json.dumps(how)}\n".encode())
        word, _, rest = self._replies.readline().strip().partition(" ")
        assert word == "did", rest
        return json.loads(rest)

    def close(self) -> None:
        self._replies.close()
        self._line.close()


@contextmanager
def simulated(folder: Path, *devices: tuple[str, str, tuple[str, ...]]) -> Iterator[dict[str, Hand]]:
    """Devices (kind, serial number, options) on ports named by their serial numbers; their hands by the same."""
    started, hands = [], {}
    try:
        for kind, serial, options in devices:
            command = [*TABLECTL, "simulate", kind, "--port", f"pty:{folder / serial}", "--serial", serial, *options]
            command += ["--seed", "3", "--control", str(folder / f"{serial}.control")]
            started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        for device, (_, serial, _) in zip(started, devices, strict=True):
            assert device.stdout is not None
            assert select.select([device.stdout], [], [], DEVICE_UP_S)[0], "a simulated device did not start"
            assert " on " in device.stdout.readline()
            hands[serial] = Hand(folder / f"{serial}.control")
        yield hands
    finally:
        for hand in hands.values():
            hand.close()
        for device in started:
            device.terminate()
            device.communicate(timeout=10)


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def until(look: Callable[[], T | None]) -> T:
    """What is looked for, once it is there."""
    end, tick = time.monotonic() + PATIENCE_S, threading.Event()
    while (found := look()) is None:
        assert time.monotonic() < end, "it did not come about"
        tick.wait(LOOK_EVERY_S)
    return found


class Paired:
    """A screen that was opened once with the address it was given."""

    def __init__(self, address: str, place: str) -> None:
        self._url, _, code = address.partition("/pair#")
        self._place = place
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.post("pair", token=code)

    def post(self, what: str, **body: Any) -> Any:
        headers = {"content-type": "application/json", "origin": self._url}
        request = urllib.request.Request(f"{self._url}/api/{what}", json.dumps(body).encode(), headers)
        try:
            return json.load(self._browser.open(request, timeout=PATIENCE_S))
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{what} {body}: {refused.read().decode()}") from refused

    def state(self) -> Any:
        return json.load(self._browser.open(f"{self._url}/api/state?place={self._place}", timeout=PATIENCE_S))

    def sign_in(self, staff: str, pin: str) -> None:
        self.post("sign-in", place=self._place, staff=staff, pin=pin)

    def press(self, key: str, **args: Any) -> None:
        self.post("command", place=self._place, name=key, args=args)
