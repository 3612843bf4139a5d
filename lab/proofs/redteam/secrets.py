"""Secrets planted in a table that then fails in every way at hand, and searched for in everything it wrote."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import re
import sys
import threading
from pathlib import Path
from typing import Any

import structlog

from controller import log
from controller.cards.seal import Sealer
from controller.core.table import Table
from controller.money.dress import ChipRegister
from controller.web.waiting import pause
from drivers.card_antennas import CardsSeen
from lab.proofs.redteam.stand import Stand, stand
from simulators.decks import simulated_decks

PIN, NAME, CARD = "83915027", "Quillon Vexworth", "6007018839150277"
KEY = bytes.fromhex("5ec2e7" * 10 + "5e5e")
FACE = "7d"
PINS = {"S1": PIN, "S2": "71493826", "S3": "60285173"}
SECRETS: dict[str, re.Pattern[bytes]] = {
    "PIN": re.compile("|".join(PINS.values()).encode()),
    "name": re.compile(b"Quillon|Vexworth"),
    "card number": re.compile(CARD.encode()),
    "key": re.compile(KEY.hex().encode() + b"|" + re.escape(repr(KEY).encode())),
    "hole card": re.compile(rb"\b7d\b"),
}
ALLOWED = {("name", "staff.json")}
"""The register says what people are called, and nothing else does."""


class Planted(Exception):
    """An error that carries what it failed on, as errors do."""


def found(folder: Path, said: str) -> list[str]:
    """Which secret stands where, in the log or in any file of the folder."""
    written = {"log": said.encode()} | {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
    return [
        f"{kind} in {name}"
        for name, octets in written.items()
        for kind, pattern in SECRETS.items()
        if (kind, name) not in ALLOWED and pattern.search(octets)
    ]


async def fail_everywhere(folder: Path) -> int:
    """Sign in, swipe, deal and press with secrets in hand while each of them fails; how many faults there were."""
    faults = 0
    async with stand(folder, PINS, {"S1": NAME}) as table:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(log.not_handled)
        for fault in (_sign_in_fails, _wrong_fields, _key_fails, _loop_fails, _deal_fails):
            await fault(table)
            faults += 1
    return faults


async def _sign_in_fails(table: Stand) -> None:
    screen = await table.screen("dealer")
    check = table.door._check

    async def broken(pin: str, kept: str) -> bool:
        number = int(pin)  # a local, as any function has
        raise Planted(f"cannot check {pin!r} of {NAME!r}", number)

    table.door._check = broken
    with _ignored():
        await screen.sign_in("S1", PIN)
    table.door._check = check
    for staff, pin in (("S1", "2468"), (PIN, PIN), (PIN, "2468"), ("S1", PIN)):
        await screen.sign_in(staff, pin)


async def _wrong_fields(table: Stand) -> None:
    screen = await table.screen("dealer")
    for body in ({"staff": "S1", "pin": int(PIN), "place": "dealer"}, {"staff": "S1", PIN: 1}, {"pin": [PIN, NAME]}):
        await screen.ask("POST", "/api/sign-in", body)
    await screen.ask("POST", "/api/pair", {"token": KEY.hex()})


async def _key_fails(table: Stand) -> None:
    """A key whose handling fails on what somebody else answered for."""
    screen = await table.screen("pit")
    handle = Table.apply

    def broken(self: Table, seq: int, at: int, event: Any) -> Any:
        name, face = NAME, FACE
        raise Planted(f"{name} holds {face}, card {CARD}, and {name!r} {face!r}")

    Table.apply = broken  # type: ignore[method-assign]
    try:
        with _ignored():
            await screen.ask(
                "POST",
                "/api/command",
                {"name": "open", "place": "pit", "args": {}, "sign": {"staff": "S3", "pin": PINS["S3"]}},
            )
    finally:
        Table.apply = handle  # type: ignore[method-assign]


async def _loop_fails(table: Stand) -> None:
    """Callbacks that fail on bytes of a stripe and on a key."""
    loop = asyncio.get_running_loop()

    def received(octets: bytes) -> None:
        raise Planted(octets)

    loop.call_soon(received, f"%B{CARD}^{NAME}^".encode())
    loop.call_soon(received, KEY)
    logging.getLogger("asyncio").error("Exception in callback received(%r, %r)", KEY, CARD)
    logging.getLogger("nats").warning("%s was not heard", NAME)

    def ends() -> None:
        raise Planted(f"{NAME} and {PIN} end a thread")

    thread = threading.Thread(target=ends)
    thread.start()
    await loop.run_in_executor(None, thread.join, 10.0)
    await pause(0)  # both have failed when this goes on


async def _deal_fails(table: Stand) -> None:
    """A card under way to its seal meets an error, with deck, key and face in hand."""

    class Game:
        salt, deal = "aa", 1

        def uncovered(self) -> dict[str, tuple[str, ...]]:
            return {}

    deck, _ = simulated_decks()
    tag = next(tag for tag, face in deck.items() if face == FACE)
    rim = Sealer(KEY, deck, Game, ChipRegister({}), bytes)
    log_line = structlog.get_logger()
    rim._seal.close = _cannot_seal  # type: ignore[method-assign]
    try:
        rim.dress(CardsSeen("cards", ((tag, 3),), ()))
    except Planted:
        log_line.exception("card_not_sealed")


def _cannot_seal(salt: str, deal: int, name: str, tag: int, face: str) -> str:
    raise Planted(f"cannot seal {face} with {KEY.hex()}") from KeyError(face)


class _ignored:
    """The page's answer to a failed request does not matter here."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        return isinstance(error, OSError | TimeoutError | asyncio.IncompleteReadError)


def planted(folder: Path, json: bool) -> tuple[int, list[str]]:
    """How many faults there were, and every secret that was written down on their occasion."""
    said = io.StringIO()
    before, handlers = structlog.get_config(), logging.getLogger().handlers[:]
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    log.setup(json=json, stream=said, level="debug")
    log.tell_what_nobody_took()
    try:
        with contextlib.redirect_stderr(said):
            faults = asyncio.run(fail_everywhere(folder))
    finally:
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
        structlog.configure(**before)
        logging.getLogger().handlers[:] = handlers
    assert said.getvalue().count("Planted") >= 5, said.getvalue()
    return faults, found(folder, said.getvalue())
