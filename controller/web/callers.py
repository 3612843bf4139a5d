"""Everybody who is connected to the screens: how long each may take, and how many of a kind there may be.

Nobody is known before a request shows the token of a paired screen. Until then a caller has a place among the strangers
only, where who waits longest makes room for who comes; so strangers cannot keep a screen out, however many there are.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import ipaddress
import logging
import os
import socket
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import h11
import msgspec
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.web.waiting import pause

if TYPE_CHECKING:
    import asyncio

STRANGERS_MOST = 96
STRANGERS_AN_ADDRESS = 64
"""Everything on a machine has one address, its own screens too: enough that one who comes has time to say who it is."""
CALLERS_A_PLACE = 32
CHANNELS_A_PLACE = 16
"""Live pages of one place; what is left of its connections is for keys."""
REQUEST_S = 10.0
"""From the first byte of a request, or the connection, to the last byte of it; a handshake of TLS included."""
STALLED_S = 20.0
"""How long a page may leave unread what was sent to it."""
LOOK_EVERY_S = 1.0
TELL_EVERY_S = 60.0
KINDS_TOLD = 32
AT_ONCE = 8
"""Connections taken before everybody else has a turn."""
ARRIVALS_A_SECOND = 20.0
ARRIVALS_AT_ONCE = 128.0
"""Connections from an address where no paired screen is; beyond it they are ended before anything is spent on them."""
HOMES_KNOWN = 512
ENDED_AT_ONCE = 64
HELD_BACK_S = 0.5
"""How long an answer waits that only says "too often": who does not listen to it is slowed down by it."""
QUEUE = 512
UNSENT_MOST = 64 * 1024
TLS_READ = 32 * 1024
"""What is read of a connection at once; a page's largest request is half of it."""

Address = tuple[str, int]

log = structlog.get_logger()


def home(host: str) -> str:
    """Whose address this is: one machine has a whole network of them under IPv6."""
    if ":" not in host:
        return host
    address = ipaddress.IPv6Address(host.partition("%")[0])
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))


class Allowance(msgspec.Struct):
    """So many a second, and a number at once."""

    left: float
    at: float

    def take(self, now: float, rate: float, most: float) -> bool:
        """One more, if it is allowed."""
        self.left = min(most, self.left + (now - self.at) * rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Refused:
    """Counts who was refused and why; a log that a stranger can fill hides everything else in it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._told = float("-inf")
        self._counts: dict[str, int] = {}

    def count(self, why: str) -> None:
        """One more; the first after a quiet minute is told at once."""
        known = why if why in self._counts or len(self._counts) < KINDS_TOLD else "for other reasons"
        self._counts[known] = self._counts.get(known, 0) + 1
        self.look()

    def look(self) -> None:
        if self._counts and self._now() - self._told >= TELL_EVERY_S:
            self.tell()

    def tell(self) -> None:
        """A line for each reason, with how often."""
        self._told = self._now()
        counts, self._counts = self._counts, {}
        for why, times in counts.items():
            log.warning("refused_at_the_screens", why=why, times=times)


class Caller:
    """One connection, from the moment it was taken."""

    def __init__(self, wire: socket.socket, address: Address, until: float) -> None:
        self.wire = wire
        self.address = address
        self.home = home(address[0])
        self.place = ""
        self.held_back = False
        self.until: float | None = until
        self.connection: Connection | None = None

    @property
    def gone(self) -> bool:
        return self.wire.fileno() < 0

    @property
    def busy(self) -> bool:
        return self.connection is not None and self.connection.answering and not self.held_back

    def let_go(self) -> None:
        """End the connection; in the middle of a handshake only its socket is there to be ended."""
        if self.connection is not None:
            self.connection.transport.abort()
            return
        with contextlib.suppress(OSError):
            self.wire.shutdown(socket.SHUT_RDWR)


def keep_what_stands() -> None:
    """Take all that a process has made until it is ready out of what is looked through.

    It stays until the process ends; looking through it took 20 ms on a fast machine, in the middle of play.
    """
    gc.collect()
    gc.freeze()


class Leftovers:
    """Sweeps up what connections leave behind shortly after somebody has gone; where nobody comes or goes, never.

    Libraries leave objects that hold each other, buffers and all. Left to itself Python sweeps them up when a quarter
    of all that it knows is new, all at once: a hundred strangers a second cost a table 30 MB, and a key 50 ms.
    """

    def __init__(self) -> None:
        self._gone = self._gone_before = 0

    def gone(self) -> None:
        """One connection is over, or nearly so."""
        self._gone += 1

    def look(self) -> None:
        """Sweep up after those who were gone at the last look: by now their ends are over."""
        if self._gone_before:
            gc.collect()
        self._gone_before, self._gone = self._gone, 0


class Callers:
    """All of them, in the order in which they came."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._all: dict[Address, Caller] = {}
        self._arrivals: dict[str, Allowance] = {}
        self._screens: dict[str, None] = {}
        """Where paired screens are, by the order in which they were seen first."""
        self._leftovers = Leftovers()
        self.refused = Refused(now)
        self._counting = CountedWarnings(self.refused, now)

    def count_warnings(self) -> None:
        """Keep the server's own lines about single requests out of the log from now on."""
        chatter = logging.getLogger("uvicorn.error")
        chatter.setLevel(logging.WARNING)  # whatever else is logged: its warnings are counted
        chatter.addFilter(self._counting)

    def stop_counting(self) -> None:
        logging.getLogger("uvicorn.error").removeFilter(self._counting)

    def may_come(self, address: Address) -> bool:
        """Whether another connection from there is worth a handshake; a screen's own address always is."""
        whose = home(address[0])
        if whose in self._screens:
            return True
        if len(self._arrivals) >= HOMES_KNOWN:
            self._arrivals.clear()
        now = self._now()
        allowance = self._arrivals.setdefault(whose, Allowance(ARRIVALS_AT_ONCE, now))
        if allowance.take(now, ARRIVALS_A_SECOND, ARRIVALS_AT_ONCE):
            return True
        self.refused.count("connects too often")
        return False

    def came(self, wire: socket.socket, address: Address) -> None:
        """Somebody new, who is a stranger so far."""
        self._forget_gone()
        strangers = [caller for caller in self._all.values() if not caller.place]
        whose = home(address[0])
        same = [caller for caller in strangers if caller.home == whose]
        if len(same) >= STRANGERS_AN_ADDRESS:
            self._let_go(same, "too many strangers at one address")
        elif len(strangers) >= STRANGERS_MOST:
            self._let_go(strangers, "too many strangers")
        self._all[address] = Caller(wire, address, self._now() + REQUEST_S)

    def belongs(self, address: Address | None, place: str) -> None:
        """This caller may see this place, and has a share of its connections from now on."""
        caller = self._all.get(address) if address is not None else None
        if caller is None or caller.place == place:
            return
        self._screens[caller.home] = None
        if len(self._screens) > HOMES_KNOWN:
            del self._screens[next(iter(self._screens))]
        there = [other for other in self._all.values() if other.place == place]
        if len(there) >= CALLERS_A_PLACE:
            self._let_go(there, f"too many connections of {place}")
        caller.place = place

    def _let_go(self, among: list[Caller], why: str) -> None:
        """Who waits longest without being answered makes room, among those of the address that has most of them."""
        ((crowded, _),) = Counter(caller.home for caller in among).most_common(1)
        there = [caller for caller in among if caller.home == crowded]
        self._end(next((caller for caller in there if not caller.busy), there[0]), why)

    async def hold_back(self, address: Address | None) -> None:
        """Let one who asks too often wait for being told so; its connection is the first to make room meanwhile."""
        caller = self._all.get(address) if address is not None else None
        if caller is None:
            return
        caller.held_back = True
        await pause(HELD_BACK_S)
        caller.held_back = False

    def _end(self, caller: Caller, why: str) -> None:
        if self._all.get(caller.address) is caller:
            self._forget(caller)
        self.refused.count(why)
        caller.let_go()

    def look(self) -> None:
        """Let go of everybody whose time is over."""
        self._forget_gone()
        now = self._now()
        for caller in [each for each in self._all.values() if each.until is not None and each.until <= now]:
            self._end(caller, "too slow")
        self.refused.look()
        self._leftovers.look()

    def _forget_gone(self) -> None:
        for caller in [caller for caller in self._all.values() if caller.gone]:
            self._forget(caller)

    def _forget(self, caller: Caller) -> None:
        self._leftovers.gone()
        del self._all[caller.address]

    def talking(self, connection: Connection) -> Caller | None:
        """The caller of a connection that is ready to talk; None when it had to make room meanwhile."""
        caller = self._all.get(connection.client) if connection.client is not None else None
        if caller is not None:
            caller.connection = connection
        return caller

    def due(self, caller: Caller, seconds: float) -> None:
        """This much time from now, unless it is running already."""
        if caller.until is None:
            caller.until = self._now() + seconds

    def left(self, caller: Caller) -> None:
        if self._all.get(caller.address) is caller:
            self._forget(caller)

    def listening(self, family: socket.AddressFamily) -> Listening:
        return Listening(self, family)

    def connection(self, **parts: Any) -> Connection:
        """What the server makes for each connection."""
        return Connection(self, **parts)


def spare_buffers() -> None:
    """Let a connection over TLS begin with a small buffer.

    The loop's own is 256 kB from the first octet of a handshake, and is given back only when garbage is collected: a
    thousand silent strangers took 100 MB.
    """
    from asyncio.sslproto import SSLProtocol

    SSLProtocol.max_size = TLS_READ


class Listening(socket.socket):
    """A listening socket that tells who comes, and does not stop the loop or the log when files run out."""

    def __init__(self, callers: Callers, family: socket.AddressFamily) -> None:
        # With its protocol named, else the loop does not know that it may send at once what it has: an answer of two
        # parts waited 40 ms for a page that was in no hurry to say that it had the first.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._callers = callers
        self._spare = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)

    def listen(self, backlog: int = QUEUE, /) -> None:
        """With a queue of our own length: the loop's number is how many it takes at once."""
        super().listen(QUEUE)

    def accept(self) -> tuple[socket.socket, Any]:
        for _ in range(ENDED_AT_ONCE):
            wire, address = self._next()
            if self._callers.may_come(address[:2]):
                return self._taken(wire, address)
            wire.close()
        raise BlockingIOError  # the rest have their turn after everybody else

    def _next(self) -> tuple[socket.socket, Any]:
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            self._hang_up()
            raise BlockingIOError from error

    def _taken(self, wire: socket.socket, address: Any) -> tuple[socket.socket, Any]:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_MOST)
        self._callers.came(wire, address[:2])
        return wire, address

    def _hang_up(self) -> None:
        """Take the one who waits with a file kept for this, and end it: left in the queue it would wake the loop again
        and again."""
        self._callers.refused.count("no file descriptors left")
        os.close(self._spare)
        with contextlib.suppress(OSError):
            super().accept()[0].close()
        self._spare = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)

    def close(self) -> None:
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1
        super().close()


class Connection(H11Protocol):
    """One connection that is given only so much time for each request, and for reading what it asked for."""

    def __init__(self, callers: Callers, **parts: Any) -> None:
        super().__init__(**parts)
        self._callers = callers
        self._caller: Caller | None = None

    @property
    def answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._caller = self._callers.talking(self)
        if self._caller is None:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # the server's own does so only where nothing went wrong
        if self._caller is not None:
            self._callers.left(self._caller)
            self._caller.connection = None  # nobody holds the other from here on, so that both are gone at once
            self._caller = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        """A request that has begun must end in time; between two of them the server's own limit holds."""
        caller = self._caller
        if caller is None or self.flow.write_paused:
            return
        unfinished = self.conn.their_state is h11.SEND_BODY
        begun = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if unfinished or (begun and not self.answering):
            self._callers.due(caller, REQUEST_S)
        else:
            caller.until = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._caller is not None:
            self._caller.until = None
            self._callers.due(self._caller, STALLED_S)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._caller is not None:
            self._caller.until = None
            self._look()


class CountedWarnings(logging.Filter):
    """Keeps the server's warnings about single requests out of the log, and counts them.

    A defect is told with its trace, and once a minute at each place: what one request brings about, thousands can.
    """

    def __init__(self, refused: Refused, now: Callable[[], float]) -> None:
        super().__init__()
        self._refused, self._now = refused, now
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno == logging.WARNING:
            self._refused.count(record.getMessage())
            return False
        return not record.exc_info or self._is_new(_where(record))

    def _is_new(self, where: str) -> bool:
        if self._now() - self._told.get(where, float("-inf")) < TELL_EVERY_S:
            self._refused.count(f"failed again in {where}")
            return False
        self._told[where] = self._now()
        return True


def _where(record: logging.LogRecord) -> str:
    """The kind of an error, and the line that raised it."""
    kind, _, trace = record.exc_info or (None, None, None)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    line = f" {trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace is not None else ""
    return f"{kind.__name__ if kind else record.getMessage()}{line}"
