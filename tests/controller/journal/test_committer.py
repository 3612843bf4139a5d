"""The committer's thread: nothing leaves before the disk has it, and no failure is silent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from controller.journal.committer import ThreadCommitter
from controller.journal.file import Entry, JournalFile


@pytest.fixture
def journal(tmp_path: Path) -> JournalFile:
    return JournalFile.open(tmp_path / "table.sqlite", "T1")


def on_a_loop(play: Callable[[asyncio.AbstractEventLoop], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(20):
            await play(asyncio.get_running_loop())

    asyncio.run(limited())


def test_what_is_released_is_in_the_file_already(journal: JournalFile) -> None:
    async def play(loop: asyncio.AbstractEventLoop) -> None:
        over = asyncio.Event()
        seen: list[tuple[int, int]] = []
        reader = JournalFile.read_only(journal.path)

        def released(number: int) -> None:
            (last,) = reader._connection.execute("SELECT MAX(seq) FROM entries").fetchone()
            seen.append((number, last))
            if number == 300:
                over.set()

        committer = ThreadCommitter(journal, loop, lambda error: over.set())
        for number in range(1, 301):
            committer.add(Entry(number, b"%d" % number), lambda number=number: released(number))  # type: ignore[misc]
        await over.wait()
        committer.close()
        assert [number for number, _ in seen] == list(range(1, 301))
        assert all(last >= number for number, last in seen)

    on_a_loop(play)


def test_a_failure_of_any_kind_reaches_the_table(journal: JournalFile, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(loop: asyncio.AbstractEventLoop) -> None:
        failed: asyncio.Future[Exception] = loop.create_future()
        committer = ThreadCommitter(journal, loop, failed.set_result)
        committer.add(Entry(2**80, b"a time no disk can hold"), lambda: pytest.fail("released, but not written"))
        assert isinstance(await failed, OverflowError)
        committer.close()

    on_a_loop(play)


def test_a_screen_that_fails_keeps_no_acknowledgement_back(journal: JournalFile) -> None:
    async def play(loop: asyncio.AbstractEventLoop) -> None:
        complaints: list[str] = []
        loop.set_exception_handler(lambda loop, context: complaints.append(str(context["exception"])))
        over = asyncio.Event()

        def fail() -> None:
            raise RuntimeError("the page has a defect")

        committer = ThreadCommitter(journal, loop, lambda error: over.set())
        committer.add(Entry(1, b"one"), fail)
        committer.add(Entry(2, b"two"), over.set)
        await over.wait()
        committer.close()
        assert journal.last_seq == 2
        assert complaints == ["the page has a defect"]

    on_a_loop(play)
