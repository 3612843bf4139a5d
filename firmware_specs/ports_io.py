"""Serial lines and pseudo-terminals as ports on the loop, for either end of a wire."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import termios
import tty

import serial

from firmware_specs.port import OnBytes, OnLost, PortTrouble

BAUD = 115_200
READ_SIZE = 65_536
# A device that takes nothing while this much waits is not listening any more.
WAITING_LIMIT = 65_536


class DescriptorPort:
    """A port over one non-blocking descriptor that the loop watches."""

    # What to do when nobody takes our bytes: a host reports it, a bare line just loses them.
    drops_when_full = False

    def __init__(self, loop: asyncio.AbstractEventLoop, name: str) -> None:
        self._loop = loop
        self._name = name
        self._fd = -1
        self._generation = 0
        self._waiting = bytearray()
        self._writing = False
        self._on_bytes: OnBytes | None = None
        self._on_lost: OnLost | None = None

    @property
    def name(self) -> str:
        return self._name

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self.close()
        fd = self._acquire()
        self._on_bytes, self._on_lost = on_bytes, on_lost
        self._watch(fd)

    def write(self, octets: bytes) -> None:
        if self._fd < 0 or not octets:
            return
        if self._waiting:
            self._queue(octets)
            return
        try:
            sent = os.write(self._fd, octets)
        except BlockingIOError:
            sent = 0
        except OSError as failure:
            # The caller may be in the middle of its own work; it hears of the loss in the next turn.
            self._loop.call_soon(self._fail, self._generation, failure)
            return
        if sent < len(octets):
            self._queue(octets[sent:])

    def close(self) -> None:
        self._on_bytes = self._on_lost = None
        self._unwatch()
        self._waiting.clear()
        self._release()

    # What differs from one kind of port to the next.

    def _acquire(self) -> int:
        raise NotImplementedError

    def _release(self) -> None:
        raise NotImplementedError

    def _gone(self, failure: OSError | None) -> PortTrouble:
        return PortTrouble(
            f"{self.name} was lost{because(failure)}",
            "Check the cable at both ends and the device's power; the line is tried again by itself.",
        )

    # What is the same for all.

    def _watch(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._loop.add_reader(fd, self._readable)

    def _unwatch(self) -> None:
        self._generation += 1
        if self._fd < 0:
            return
        self._loop.remove_reader(self._fd)
        if self._writing:
            self._loop.remove_writer(self._fd)
        self._writing = False
        self._fd = -1

    def _queue(self, octets: bytes) -> None:
        if len(self._waiting) + len(octets) > WAITING_LIMIT:
            if not self.drops_when_full:
                trouble = PortTrouble(
                    f"{self.name} takes nothing any more: {len(self._waiting)} bytes wait to be sent",
                    "Switch the device off and on; if it happens again, replace its cable, then the device.",
                )
                self._loop.call_soon(self._lose, self._generation, trouble)
            return
        self._waiting += octets
        if not self._writing:
            self._writing = True
            self._loop.add_writer(self._fd, self._writable)

    def _readable(self) -> None:
        fd = self._fd
        try:
            octets = os.read(fd, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as failure:
            self._fail(self._generation, failure)
            return
        if not octets:
            self._fail(self._generation, None)
        elif self._on_bytes is not None:
            self._on_bytes(octets)

    def _writable(self) -> None:
        fd = self._fd
        if self._waiting:
            try:
                sent = os.write(fd, self._waiting)
            except (BlockingIOError, InterruptedError):
                return
            except OSError as failure:
                self._fail(self._generation, failure)
                return
            del self._waiting[:sent]
        if not self._waiting:
            self._writing = False
            self._loop.remove_writer(fd)

    def _fail(self, generation: int, failure: OSError | None) -> None:
        self._lose(generation, self._gone(failure))

    def _lose(self, generation: int, trouble: PortTrouble) -> None:
        # A loss told late must not close what has been opened again since.
        if generation != self._generation or self._fd < 0:
            return
        on_lost = self._on_lost
        self.close()
        if on_lost is not None:
            on_lost(trouble)


def because(failure: OSError | None) -> str:
    if failure is None:
        return ""
    return f" ({os.strerror(failure.errno) if failure.errno else failure})"


def is_pseudo(path: str) -> bool:
    """Whether this is the host's end of a pseudo-terminal."""
    return os.path.realpath(path).startswith("/dev/pts/")


class SerialPort(DescriptorPort):
    """A serial line, held exclusively."""

    def __init__(self, loop: asyncio.AbstractEventLoop, path: str, baud: int = BAUD) -> None:
        super().__init__(loop, path)
        self._path = path
        self._baud = baud
        self._line: serial.Serial | None = None

    def _acquire(self) -> int:
        try:
            line = serial.Serial(self._path, self._baud, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as failure:
            raise self._cannot_open(failure) from failure
        with contextlib.suppress(OSError, ValueError):
            # FTDI adapters otherwise hold bytes back for up to 16 ms; not every line knows the setting.
            line.set_low_latency_mode(True)
        self._line = line
        self._hold(termios.TIOCEXCL)
        return line.fileno()

    def _hold(self, how: int) -> None:
        """Keep every other program from opening the line, or let it again; the lock alone stops only those that ask.

        A pseudo-terminal is held open by the program that made it, and would stay shut after a crash of this one.
        """
        if self._line is not None and not is_pseudo(self._path):
            with contextlib.suppress(OSError, termios.error):
                fcntl.ioctl(self._line.fileno(), how)

    def _release(self) -> None:
        self._hold(termios.TIOCNXCL)
        line, self._line = self._line, None
        if line is not None:
            # A line whose adapter was pulled out cannot be flushed any more.
            with contextlib.suppress(OSError, termios.error):
                line.close()

    def _cannot_open(self, failure: Exception) -> PortTrouble:
        number = getattr(failure, "errno", None)
        # pyserial wraps what the terminal said and drops its number.
        said = failure if isinstance(failure, termios.error) else failure.__context__
        if number is None and isinstance(said, termios.error):
            number = said.args[0]
        path = self._path
        if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return PortTrouble(
                f"{path} is not there",
                "Plug the device in, or correct the port in the table's configuration; "
                "`tablectl devices` lists the ports of this machine.",
            )
        if number in (errno.EBUSY, errno.EAGAIN):
            return PortTrouble(
                f"{path} is in use by another program",
                f"Stop the other program (`fuser {path}` names it), or correct the port in the configuration.",
            )
        if number in (errno.EACCES, errno.EPERM):
            return PortTrouble(
                f"{path} may not be opened by this user",
                "Add the user to the group that owns the port (`ls -l` shows it, usually dialout), "
                "log in again, and start once more.",
            )
        if number in (errno.ENOTTY, errno.EISDIR, errno.EINVAL):
            return PortTrouble(
                f"{path} is not a serial port",
                "Correct the port in the configuration; `tablectl devices` lists the ports of this machine.",
            )
        return PortTrouble(f"{path} cannot be opened: {failure}", "Check the adapter and its cable, then try again.")


class PtyPort(DescriptorPort):
    """The device's end of a pseudo-terminal; the host opens `path` (or `link`) as its serial line."""

    drops_when_full = True

    def __init__(self, loop: asyncio.AbstractEventLoop, link: str | None = None) -> None:
        super().__init__(loop, f"pty:{link}" if link else "pty")
        self._link = link
        self._master = self._slave = -1
        self.path = ""

    def _acquire(self) -> int:
        try:
            self._master, self._slave = os.openpty()
        except OSError as failure:
            raise PortTrouble(
                f"no pseudo-terminal can be made{because(failure)}", "Close programs that hold many terminals."
            ) from failure
        # The slave stays open here too, so that a host may come and go without the line breaking.
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        if self._link:
            self._point_link()
        return self._master

    def _point_link(self) -> None:
        assert self._link is not None
        try:
            if os.path.lexists(self._link):
                if not os.path.islink(self._link):
                    raise FileExistsError(errno.EEXIST, "there is a file that is not a link")
                os.unlink(self._link)
            os.symlink(self.path, self._link)
        except OSError as failure:
            self._release()
            raise PortTrouble(
                f"the pseudo-terminal cannot be shown as {self._link}: {failure}",
                "Choose a path in a folder that this user may write to, with nothing else there.",
            ) from failure

    def _release(self) -> None:
        for fd in (self._master, self._slave):
            if fd >= 0:
                os.close(fd)
        self._master = self._slave = -1
        if self._link and self.path and os.path.islink(self._link) and os.readlink(self._link) == self.path:
            os.unlink(self._link)
        self.path = ""
