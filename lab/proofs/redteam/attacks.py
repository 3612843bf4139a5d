"""What strangers do at the socket of the screens, played by a process of its own that comes last on this machine.

Whoever attacks a table in a house does it from another machine; here both share the processors, so that the attackers
must not be what a dealer waits for.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import ssl
import sys
from collections.abc import Awaitable, Callable

from controller.web.waiting import now, pause
from lab.proofs.redteam.priority import LAST, give_turn
from lab.proofs.redteam.stand import WHOEVER, Screen, Screens

THIEF = 66
"""The last number of the address at which a stolen token is used."""

Attack = Callable[[Screens, Screen, float], Awaitable[None]]


async def _silent(table: Screens, dealer: Screen, until: float) -> None:
    """Hundreds who connect and say nothing, again and again."""
    await _hold(table, b"", 260, until, tls=False)


async def _hello(table: Screens, dealer: Screen, until: float) -> None:
    """Hundreds who begin a handshake of TLS and do not go on with it."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        WHOEVER.wrap_bio(incoming, outgoing).do_handshake()
    await _hold(table, outgoing.read(), 260, until, tls=False)


async def _handshakes(table: Screens, dealer: Screen, until: float) -> None:
    """Whole handshakes, one after the other and sixteen at once, and not a word after them."""
    await asyncio.gather(*(_shake(table, until) for _ in range(16)))


async def _shake(table: Screens, until: float) -> None:
    while now() < until:
        with contextlib.suppress(OSError):
            (await table.call())[1].transport.abort()
        await pause(0.001)


async def _half(table: Screens, dealer: Screen, until: float) -> None:
    """The same with half a request each."""
    await _hold(table, b"GET / HTTP/1.1\r\nHost: x\r\n", 260, until)


async def _live(table: Screens, dealer: Screen, until: float) -> None:
    """A thousand live pages with the dealer's own token, none of which reads."""
    await _hold(table, dealer.request("GET", "/api/live?place=dealer"), 1000, until)


async def _flood(table: Screens, dealer: Screen, until: float) -> None:
    """Requests without a token, as fast as they go."""
    stranger, path, asked = table.stranger(), "/api/state?place=dealer", 0
    while now() < until:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await stranger.ask("GET", path)
            asked += 1
        await pause(0)
    stranger.hang_up()
    if asked:
        table.calls.append(asked * len(stranger.request("GET", path)))


async def _garbage(table: Screens, dealer: Screen, until: float) -> None:
    """What is no HTTP at all."""
    await _hold(table, b"\x16\x03\x01\x02\x00 no HTTP\r\n\r\n", 100, until)


async def _plain(table: Screens, dealer: Screen, until: float) -> None:
    """HTTP without TLS, and other talk that is no handshake."""
    await _hold(table, f"GET / HTTP/1.1\r\nHost: {table.host}\r\n\r\n".encode(), 100, until, tls=False)


async def _hold(table: Screens, said: bytes, count: int, until: float, tls: bool = True) -> None:
    held: list[asyncio.StreamWriter] = []
    while now() < until:
        with contextlib.suppress(OSError):
            held.append((await table.call(said, tls))[1])
        if len(held) >= count:
            held.pop(0).transport.abort()
            await pause(0.005)
    for writer in held:
        writer.transport.abort()


async def _slow_body(table: Screens, dealer: Screen, until: float) -> None:
    """Commands whose body comes one byte at a time, from a hundred at once."""
    head = f"POST /api/command HTTP/1.1\r\nHost: {table.host}\r\nOrigin: https://{table.host}\r\n"
    await _trickle(table, f"{head}Content-Type: application/json\r\nContent-Length: 16000\r\n\r\n".encode(), until)


async def _slow(table: Screens, dealer: Screen, until: float) -> None:
    """Requests whose head comes one byte at a time, from a hundred at once."""
    await _trickle(table, b"GET /api/state?place=dealer HTTP/1.1\r\nHost: x\r\nX-A: ", until)


async def _trickle(table: Screens, begin: bytes, until: float) -> None:
    held: list[asyncio.StreamWriter] = []
    while now() < until:
        with contextlib.suppress(OSError):
            if len(held) < 100:
                held.append((await table.call(begin))[1])
        for writer in held:
            if not writer.is_closing():
                writer.write(b"{")
        held = [writer for writer in held if not writer.is_closing()]
        await pause(0.05)
    for writer in held:
        writer.transport.abort()


async def _headers(table: Screens, dealer: Screen, until: float) -> None:
    """Heads as large as they may be and larger: a thousand fields, one endless field, a cookie of a thousand parts."""
    begin = f"GET /api/state?place=dealer HTTP/1.1\r\nHost: {table.host}\r\n".encode()
    many = begin + b"".join(b"X-%d: y\r\n" % number for number in range(1_000))
    endless = begin + b"X: " + b"y" * 60_000
    cookies = begin + b"Cookie: " + b"; ".join(b"c%d=v" % number for number in range(1_000)) + b"\r\n\r\n"
    await _knock(table, (many, endless, many[:16_000], cookies), until)


async def _pipeline(table: Screens, dealer: Screen, until: float) -> None:
    """Hundreds of requests in one breath on each connection, none of which waits for an answer."""
    one = f"GET /api/state?place=dealer HTTP/1.1\r\nHost: {table.host}\r\n\r\n".encode()
    held: list[asyncio.StreamWriter] = []
    while now() < until:
        with contextlib.suppress(OSError):
            if len(held) < 40:
                held.append((await table.call(one * 300))[1])
        for writer in held:
            if not writer.is_closing() and writer.transport.get_write_buffer_size() == 0:
                writer.write(one * 300)
                table.calls.append(300 * len(one))
        held = [writer for writer in held if not writer.is_closing()]
        await pause(0.02)
    for writer in held:
        writer.transport.abort()


async def _oddities(table: Screens, dealer: Screen, until: float) -> None:
    """Paths, hosts, origins, ranges, upgrades, encodings and lengths that no browser would send."""
    host = f"Host: {table.host}\r\n"
    post = f"{host}Origin: https://{table.host}\r\nContent-Type: application/json\r\n"
    said = (
        f"GET /static/../../../etc/passwd HTTP/1.1\r\n{host}\r\n",
        f"GET /static/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\n{host}\r\n",
        f"GET //{table.host}/static//common.js HTTP/1.1\r\n{host}\r\n",
        f"GET /static/common.js HTTP/1.1\r\n{host}Range: bytes=0-0,{','.join(f'{n}-' for n in range(500))}\r\n\r\n",
        f"GET /api/live?place=dealer HTTP/1.1\r\n{host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        f"GET /api/rounds/1/{'9' * 4_000}?place=pit HTTP/1.1\r\n{host}\r\n",
        f"GET /api/rounds/1/{'9' * 5_000}?place=pit HTTP/1.1\r\n{host}\r\n",
        f"GET /api/me HTTP/1.1\r\n{host}X-Forwarded-For: 192.0.2.1, 127.0.0.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        f"GET http://elsewhere/ HTTP/1.1\r\n{host}\r\n",
        f"TRACE / HTTP/1.1\r\n{host}\r\n",
        f"POST /api/command HTTP/1.1\r\n{post}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{{}}",
        f"POST /api/command HTTP/1.1\r\n{post}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        f"POST /api/command HTTP/1.1\r\n{post}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{{}}",
        f"POST /api/command HTTP/1.1\r\n{post}Content-Length: 12000\r\n\r\n{'[' * 12_000}",
        f"POST /api/pair HTTP/1.1\r\n{post}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n",
    )
    await _knock(table, tuple(each.encode("latin-1") for each in said), until)


async def _knock(table: Screens, said: tuple[bytes, ...], until: float) -> None:
    """Say each of these in turn on connections of their own, read a little, and go."""
    held: list[asyncio.StreamWriter] = []
    turn = 0
    while now() < until:
        with contextlib.suppress(OSError):
            held.append((await table.call(said[turn % len(said)]))[1])
        turn += 1
        if len(held) >= 50:
            held.pop(0).transport.abort()
        await pause(0.002)
    for writer in held:
        writer.transport.abort()


async def _aborted(table: Screens, dealer: Screen, until: float) -> None:
    """Pages that are asked for and left in the middle, and live ones with a window of a few octets."""
    live = dealer.request("GET", "/api/live?place=dealer")
    file = f"GET /static/common.js HTTP/1.1\r\nHost: {table.host}\r\n\r\n".encode()
    while now() < until:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await table.call(file if int(now() * 100) % 2 else live)
            await asyncio.wait_for(reader.readexactly(200), 1.0)
            writer.transport.abort()
        await pause(0.002)


async def _dear(table: Screens, dealer: Screen, until: float) -> None:
    """What costs a table most of all that anybody may ask for, under ever another address."""
    asked = [
        f"GET {path} HTTP/1.1\r\nHost: {table.host}\r\nX-Forwarded-For: 192.0.2.{number}\r\n\r\n".encode()
        for number in range(100)
        for path in ("/words/zh", "/static/common.js", "/pair")
    ]
    await _knock(table, tuple(asked), until)


async def _sign_ins(table: Screens, dealer: Screen, until: float) -> None:
    """Whoever has a screen's token guesses PINs elsewhere, many at once, of people whose number nobody has.

    At the screen's own address nobody can tell them from the screen.
    """
    post = dealer.request("POST", "/api/sign-in", {"staff": "S9", "place": "dealer", "pin": "00000000"})
    await _knock(table.from_elsewhere(THIEF), (post,), until)


ONE_BY_ONE: dict[str, Attack] = {
    "silent": _silent, "half": _half, "slow": _slow, "live": _live, "flood": _flood, "garbage": _garbage,
    "slow-body": _slow_body, "headers": _headers, "pipeline": _pipeline, "oddities": _oddities, "aborted": _aborted,
    "sign-ins": _sign_ins, "hello": _hello, "handshakes": _handshakes, "plain": _plain, "dear": _dear,
}  # fmt: skip


async def _all(table: Screens, dealer: Screen, until: float) -> None:
    """All of them at once, each from a machine of its own; three of them have the dealer's token."""
    each = enumerate(ONE_BY_ONE.values(), 2)
    await asyncio.gather(*(attack(table.from_elsewhere(number), dealer, until) for number, attack in each))


ATTACKS: dict[str, Attack] = {**ONE_BY_ONE, "all": _all}


async def _play() -> None:
    """The attack that is named on standard input, on a table that is told there with the dealer's tokens."""
    told = json.loads(sys.stdin.readline())
    table = Screens(told["host"])
    dealer = table.stranger()
    dealer.cookies = told["cookies"]
    await ATTACKS[told["attack"]](table, dealer, now() + told["seconds"])
    print(json.dumps({"connections": len(table.calls), "said_kb": sum(table.calls) // 1000}))


if __name__ == "__main__":
    give_turn(LAST)
    logging.disable()  # who is refused in mid-sentence is told so by the loop, line by line
    asyncio.run(_play())
