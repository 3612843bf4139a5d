"""Sockets as ports on the loop: the host's end, and a simulated device's end."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from typing import Any

from firmware_specs.port import OnBytes, OnLost, PortTrouble
from firmware_specs.ports_io import WAITING_LIMIT, DescriptorPort, because

CONNECT_DEADLINE = 3.0
# A host that vanished without closing is noticed about as fast as the link notices silence.
SOCKET_SILENCE_MS = 6_000

_Place = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]


class TcpPort(DescriptorPort):
    """A socket to a device elsewhere; what is written before it is connected waits."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, host: str, number: int, deadline: float = CONNECT_DEADLINE
    ) -> None:
        super().__init__(loop, f"tcp://{host}:{number}")
        self._host = host
        self._number = number
        self._deadline = deadline
        self._socket: socket.socket | None = None
        self._limit: asyncio.TimerHandle | None = None
        self._attempt = 0

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self.close()
        self._on_bytes, self._on_lost = on_bytes, on_lost
        attempt = self._attempt
        self._limit = self._loop.call_later(self._deadline, self._too_late, attempt)
        try:
            places = self._look_up(socket.AI_NUMERICHOST)
        except OSError:
            # A name server may take its time, so it is asked beside the loop.
            found = self._loop.run_in_executor(None, self._look_up, 0)
            found.add_done_callback(lambda done: self._found(attempt, done))
        else:
            self._loop.call_soon(self._connect, attempt, places)

    def write(self, octets: bytes) -> None:
        if self._fd < 0 and self._on_lost is not None:
            if len(self._waiting) + len(octets) <= WAITING_LIMIT:
                self._waiting += octets
            return
        super().write(octets)

    def close(self) -> None:
        self._attempt += 1
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        super().close()

    def _release(self) -> None:
        connection, self._socket = self._socket, None
        if connection is not None:
            self._loop.remove_writer(connection.fileno())
            connection.close()

    def _look_up(self, flags: int) -> list[_Place]:
        return list(socket.getaddrinfo(self._host, self._number, type=socket.SOCK_STREAM, flags=flags))

    def _found(self, attempt: int, done: asyncio.Future[list[_Place]]) -> None:
        failure = done.exception()
        if attempt != self._attempt:
            return
        if failure is None:
            self._connect(attempt, done.result())
        else:
            self._refused(
                PortTrouble(
                    f"no machine is known by the name {self._host}",
                    "Correct the host in the table's configuration, or write its number.",
                )
            )

    def _connect(self, attempt: int, places: list[_Place]) -> None:
        if attempt != self._attempt:
            return
        family, kind, protocol, _, where = places[0]
        connection = socket.socket(family, kind, protocol)
        connection.setblocking(False)
        self._socket = connection
        code = connection.connect_ex(where)
        if code in (0, errno.EINPROGRESS):
            self._loop.add_writer(connection.fileno(), self._connected, attempt, places)
        else:
            self._next_place(attempt, places, code)

    def _connected(self, attempt: int, places: list[_Place]) -> None:
        connection = self._socket
        if attempt != self._attempt or connection is None:
            return
        self._loop.remove_writer(connection.fileno())
        code = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            self._next_place(attempt, places, code)
            return
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        _tune(connection)
        self._watch(connection.fileno())
        waiting = bytes(self._waiting)
        self._waiting.clear()
        self.write(waiting)

    def _next_place(self, attempt: int, places: list[_Place], code: int) -> None:
        self._release()
        if len(places) > 1:
            self._loop.call_soon(self._connect, attempt, places[1:])
            return
        self._refused(
            PortTrouble(
                f"{self.name} cannot be reached ({os.strerror(code)})",
                "Check that the device or its simulator runs there, and the host and number in the configuration.",
            )
        )

    def _too_late(self, attempt: int) -> None:
        if attempt == self._attempt:
            self._refused(
                PortTrouble(
                    f"{self.name} did not answer within {self._deadline:g} s",
                    "Check the network between this machine and that one, and that it is switched on.",
                )
            )

    def _refused(self, trouble: PortTrouble) -> None:
        on_lost = self._on_lost
        self.close()
        if on_lost is not None:
            on_lost(trouble)


class TcpListener(DescriptorPort):
    """A simulated device's end of a socket: one host at a time, and hosts may come and go."""

    drops_when_full = True

    def __init__(self, loop: asyncio.AbstractEventLoop, host: str, number: int) -> None:
        super().__init__(loop, f"tcp:{host}:{number}")
        self._host = host
        self._asked = number
        self._door: socket.socket | None = None
        self._guest: socket.socket | None = None

    @property
    def address(self) -> str:
        """What a host writes to reach this port; the number is real even when 0 was asked for."""
        number = self._door.getsockname()[1] if self._door else self._asked
        return f"tcp://{self._host}:{number}"

    @property
    def has_host(self) -> bool:
        return self._guest is not None

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self.close()
        try:
            family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            self._door = socket.create_server((self._host, self._asked), family=family, reuse_port=False)
        except OSError as failure:
            raise PortTrouble(
                f"{self.name} cannot be listened on{because(failure)}",
                "Choose another number, or stop the program that has it (`ss -ltnp` names it).",
            ) from failure
        self._door.setblocking(False)
        self._on_bytes, self._on_lost = on_bytes, on_lost
        self._loop.add_reader(self._door.fileno(), self._knock)

    def close(self) -> None:
        super().close()
        door, self._door = self._door, None
        if door is not None:
            self._loop.remove_reader(door.fileno())
            door.close()

    def _release(self) -> None:
        guest, self._guest = self._guest, None
        if guest is not None:
            guest.close()

    def _knock(self) -> None:
        if self._door is None:
            return
        try:
            guest, _ = self._door.accept()
        except OSError:
            return
        if self._guest is not None:
            # A line has one host; the second finds it busy, as with a serial port held exclusively.
            guest.close()
            return
        _tune(guest)
        self._guest = guest
        self._watch(guest.fileno())

    def _lose(self, generation: int, trouble: PortTrouble) -> None:
        # A host that leaves is no loss to the device: the door stays open for the next.
        if generation == self._generation and self._fd >= 0:
            self._unwatch()
            self._waiting.clear()
            self._release()


def _tune(connection: socket.socket) -> None:
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SOCKET_SILENCE_MS)
