"""The uplink at work: asks the broker where it stands, sends what is missing, and begins again after any break.

Nothing of the table waits for it: it reads the journal beside the writer, on a thread and loop of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from controller.config.types import UplinkSection
from controller.journal.cosignature import Witness, kept_beside, read_witness
from controller.journal.file import JournalTrouble
from controller.journal.head import Head, HeadTrouble, Note, TableKey, read_note
from controller.journal.heads import put
from controller.uplink.broker import Away, Broker, Overtaken, Unready
from controller.uplink.messages import BadMessage, Stands, encode
from controller.uplink.outbox import Outbox, Parted, opened

LINGER_S = 0.05
"""Rows that come within it share a message: one event at the table often brings several."""
BEAT_S = 5.0
AGAIN_S = (0.2, 2.0)
"""How long until the next attempt: after the first failure, and at most."""
UNREADY_S = (0.5, 20.0, 5.0)
"""How often a broker is asked whose stream takes nothing: so often for so long, as elections go; then more seldom."""
PARTED_S = 30.0
STOP_S = 3.0

log = structlog.get_logger()


class Sign(msgspec.Struct, frozen=True):
    """How the uplink is doing, for the pit's screen: `away`, `up` or `parted`, why, since when, and rows not sent."""

    state: str
    text: str
    since: int
    behind: int = 0
    witnessed: int = 0


class Uplink:
    """Sends one journal; `run` on some loop, `wake` from any thread."""

    def __init__(
        self, journal: Path, section: UplinkSection, newest_head: Callable[[], Note | None],
        key: TableKey | None = None,
    ) -> None:  # fmt: skip
        """`key` is what the table signs its heads with, and that it is there."""
        self._journal, self._section, self._newest_head, self._key = journal, section, newest_head, key
        self._witness: Witness | None = read_witness(section.witness) if section.witness else None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = threading.Event()
        self._wake = asyncio.Event()
        self._stopped = False
        self._disowned = ""
        self._reached = self._listens = False
        self._stood, self._unready = Stands(), 0.0
        self._beaten = 0.0
        self._sent = 0
        self._said_at = 0
        self.witnessed = _kept(self.keeps)
        self.sign = Sign("away", "not connected yet", _now())
        self.order: Callable[[bytes], None] = lambda data: None

    @property
    def keeps(self) -> Path:
        """Where the newest countersigned head is kept, beside the journal that it proves."""
        return kept_beside(self._journal)

    def shown(self, last: int) -> Sign:
        """The sign with how many of so many rows the floor's stream is not known to have."""
        return msgspec.structs.replace(self.sign, behind=max(0, last - max(self._sent, self.sign.witnessed)))

    def wake(self, *_: object) -> None:
        """There is something new on disk."""
        if self._loop is not None and not self._woken.is_set():
            self._woken.set()
            with contextlib.suppress(RuntimeError):  # its loop has ended: what is on disk goes out with the next start
                self._loop.call_soon_threadsafe(self._wake.set)

    def stop(self) -> None:
        """End as soon as what is on disk was sent, or cannot be."""
        self._stopped = True
        self.wake()

    async def run(self) -> None:
        """Until it is stopped."""
        self._loop = asyncio.get_running_loop()
        pause = AGAIN_S[0]
        while True:
            self._reached = False
            try:
                pause = await self._once()
            except Overtaken as overtaken:
                log.warning("uplink_overtaken", why=str(overtaken))
            except (Away, BadMessage) as away:
                self._say("away", str(away))
            except (JournalTrouble, sqlite3.Error) as trouble:
                self._say("away", f"the journal cannot be read beside the table: {trouble}")
            except Exception as error:  # an uplink that ended in silence would never send again
                log.exception("uplink_defect")
                why = f"a defect ({type(error).__name__}: {error})"
                self._say("away", f"{why}; it begins again. Report it with the table's log")
            if self._stopped:
                return
            if self._reached:
                pause = AGAIN_S[0]
            await self._pause(pause)
            pause = min(2 * pause, AGAIN_S[1])

    async def _once(self) -> float:
        """One connection from its beginning to its end; how long to wait for the next one, where not as usual."""
        outbox = opened(self._journal, self._newest_head)
        if outbox is None:
            return AGAIN_S[0]
        try:
            broker = await Broker.reach(self._section, outbox.address.origin)
            try:
                return await self._speak(broker, outbox)
            finally:
                await broker.close()
        finally:
            outbox.close()

    async def _speak(self, broker: Broker, outbox: Outbox) -> float:
        """On one connection; it is kept while the broker's stream has nobody who takes rows."""
        self._listens = False
        while True:
            try:
                return await self._in_step(broker, outbox)
            except Unready as unready:
                self._say("away", str(unready))
                if self._stopped:
                    return 0.0
                await self._wait_for_it(broker, outbox)
            except Parted as parted:
                said = f"{parted}. The table plays on; call the supervisor and keep this journal as evidence."
                self._say("parted", said)
                await self._beat(broker, outbox, self._stood, str(parted))
                return PARTED_S

    async def _in_step(self, broker: Broker, outbox: Outbox) -> float:
        """Ask where the stream stands, and send whatever comes after it, until told to stop."""
        stands = self._stood = await broker.stands(outbox.address)
        self._sent = stands.row
        outbox.agree(stands)
        await self._listen(broker, outbox)
        await self._beat(broker, outbox, stands)
        while not broker.lost.is_set():
            self._woken.clear()
            self._wake.clear()
            stands = self._stood = await self._send(broker, outbox, stands)
            self._unready = 0.0
            if self._stopped and not self._wake.is_set():
                return 0.0
            await self._rest(broker)
            if time.monotonic() - self._beaten >= BEAT_S:
                await self._beat(broker, outbox, stands)
        raise Away(broker.refused or "the connection to the broker was lost")

    async def _listen(self, broker: Broker, outbox: Outbox) -> None:
        """Hear heads and orders, once on each connection."""
        if not self._listens:
            await broker.witnessed(outbox.address, lambda data: self._take(outbox, data))
            await broker.ordered(outbox.address, self.order)
            self._listens = True
        await broker.newest_witnessed(outbox.address, lambda data: self._take(outbox, data))

    async def _wait_for_it(self, broker: Broker, outbox: Outbox) -> None:
        """Say meanwhile how much there is: that needs no stream, and the floor shows what is missing."""
        often, long, seldom = UNREADY_S
        self._unready = self._unready or time.monotonic()
        await self._beat(broker, outbox, self._stood)
        await self._pause(often if time.monotonic() - self._unready < long else seldom)

    async def _send(self, broker: Broker, outbox: Outbox, stands: Stands) -> Stands:
        """Everything that is on disk and not in the stream yet; what comes meanwhile wakes anew."""
        if self._disowned:
            raise Parted(self._disowned)
        while (rows := outbox.after(stands)) is not None:
            number = await broker.publish(outbox.address, encode(rows), stands.message)
            stands = outbox.sent(rows, number)
            self._sent = stands.row
            self._say("up", broker.refused)
            if not outbox.more:
                break
        self._say("up", broker.refused)
        return stands

    async def _beat(self, broker: Broker, outbox: Outbox, stands: Stands, parted: str = "") -> None:
        self._beaten = time.monotonic()
        beat = msgspec.structs.replace(outbox.beat(stands, parted), at=self._later())
        if self._key is not None:
            beat = msgspec.structs.replace(beat, signature=self._key.say(beat.words(outbox.address.origin)))
        await broker.beat(outbox.address, encode(beat))

    def _later(self) -> int:
        """The time, and always a later one than the last: of two beats the floor believes the newer."""
        self._said_at = max(_now(), self._said_at + 1)
        return self._said_at

    async def _rest(self, broker: Broker) -> None:
        """Until there is something new, it is time to be heard of, or the line is lost."""
        due = asyncio.get_running_loop().call_later(BEAT_S, self._wake.set)
        broker.tell_when_lost(self._wake)
        await self._wake.wait()
        due.cancel()
        if not self._stopped and not broker.lost.is_set():
            await asyncio.sleep(LINGER_S)

    async def _pause(self, seconds: float) -> None:
        if self._stopped:
            return
        until = time.monotonic() + seconds
        while not self._stopped and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.5))

    def _take(self, outbox: Outbox, data: bytes) -> None:
        """A head came back from the floor: kept when it is of this journal, and signed by the witness known here."""
        if self._witness is None:
            return
        try:
            note = read_note(data.decode(), "the floor's head")
        except (HeadTrouble, UnicodeDecodeError) as trouble:
            log.error("witness_unreadable", why=str(trouble))
            return
        if not self._witness.signed(note):
            log.error("witness_unknown", remedy="compare witness in [uplink] with `tablectl floor key`")
            return
        self._keep(outbox, note)

    def _keep(self, outbox: Outbox, note: Note) -> None:
        if (
            self.witnessed is not None
            and note.head.size <= self.witnessed.size
            and self.witnessed.origin == note.head.origin
        ):
            return
        try:
            outbox.prove(note.head)
            put(note, self.keeps)
        except JournalTrouble as trouble:
            self._disowned = f"the floor has countersigned another past of this journal: {trouble}"
            self._wake.set()
            return
        except OSError as error:
            log.error("witness_not_kept", path=str(self.keeps), why=error.strerror)
            return
        self.witnessed = note.head

    def _say(self, state: str, text: str) -> None:
        before, witnessed = self.sign, self.witnessed.size if self.witnessed is not None else 0
        if (before.state, before.text) != (state, text):
            log.info("uplink", state=state, why=text)
        self._reached = self._reached or state == "up"
        since = before.since if before.state == state else _now()
        self.sign = Sign(state, text, since, witnessed=witnessed)


def _now() -> int:
    return int(time.time() * 1000)


def _kept(path: Path) -> Head | None:
    """The newest head that was countersigned before this start."""
    try:
        return read_note(path.read_text("utf-8"), str(path)).head
    except (OSError, UnicodeDecodeError, HeadTrouble):
        return None


class UplinkThread:
    """A table's uplink on a thread of its own, so that no network ever holds up the table's loop."""

    def __init__(self, uplink: Uplink) -> None:
        self.uplink = uplink
        self._thread = threading.Thread(target=lambda: asyncio.run(uplink.run()), name="uplink", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send what is there, if somebody takes it at once, and end."""
        self.uplink.stop()
        self._thread.join(STOP_S)
