"""The screens over TLS, with a certificate made for the test and a client that trusts no other."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from controller.people.staff import Member, Staff, with_pin, write_staff
from controller.web.access import PairingFile
from controller.web.server import WebSettings, WebTrouble, _refuse_unsafe
from lab.certificates import certificate
from lab.sim.config import default_config
from lab.sim.page import serve
from tests.controller.web.client import Client, Served, served
from tests.controller.web.tables import give_pin


def test_pages_and_sign_in_go_over_tls_and_every_cookie_is_for_tls_only(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    token = PairingFile(tmp_path / "screens.json").pair("dealer")
    dealer = Member("S1", "Sam", {"melbourne-wheel": "dealer"})
    write_staff(tmp_path / "staff.json", with_pin(Staff({"S1": dealer}), "S1", "2468", bytes(16)))

    async def act() -> None:
        async with served(tmp_path, real=True, certificate=files) as table:
            assert table.server.url.startswith("https://127.0.0.1:")
            client = Client(table.server, ssl.create_default_context(cafile=files[0]))
            paired = await client.post("/api/pair", {"token": token})
            signed = await client.sign_in("S1", pin="2468")
            for answer in (paired, signed):
                assert answer.status == 200, answer.body
                (cookie,) = answer.cookies.values()
                assert {"secure", "httponly", "samesite=strict"} <= {part.strip().lower() for part in cookie.split(";")}
            page = await client.get("/dealer")
            assert page.status == 200
            assert "max-age" in page.headers["strict-transport-security"]
            assert (await client.press("open")).status in (200, 409)
            plain = await client.post(
                "/api/command", {"name": "open", "place": "dealer"}, origin=f"http://{client.host}"
            )
            assert plain.status == 403

    asyncio.run(act())


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_nobody_is_served_in_the_clear_or_with_an_old_protocol(tmp_path: Path) -> None:
    files = certificate(tmp_path)

    async def act() -> None:
        async with served(tmp_path, certificate=files) as table:
            client = Client(table.server)
            with pytest.raises((ConnectionError, IndexError)):
                await client.get("/")
            with pytest.raises(ssl.SSLCertVerificationError):
                await Client(table.server, ssl.create_default_context()).get("/")
            old = ssl.create_default_context(cafile=files[0])
            old.set_ciphers("DEFAULT:@SECLEVEL=0")
            old.minimum_version = ssl.TLSVersion.TLSv1
            old.maximum_version = ssl.TLSVersion.TLSv1_1
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await Client(table.server, old).get("/")

    asyncio.run(act())


def test_a_certificate_that_does_not_fit_its_key_is_told_before_anything_listens(tmp_path: Path) -> None:
    one, other = certificate(tmp_path, "one"), certificate(tmp_path, "other")

    async def act() -> None:
        async with served(tmp_path) as table:
            for files in ((one[0], other[1]), (one[0], str(tmp_path / "gone.key"))):
                settings = WebSettings(port=0, certificate=files[0], key=files[1])
                with pytest.raises(WebTrouble, match="cannot be used"):
                    await serve(table.table.runtime, table.table.config, settings=settings)

    asyncio.run(act())


def at_table(folder: Path, act: Callable[[Served, Client], Awaitable[None]], real: bool = False) -> None:
    async def run() -> None:
        async with served(folder, real=real) as table:
            await act(table, table.client())

    asyncio.run(run())


def test_other_addresses_are_refused_without_tls_and_sign_in(tmp_path: Path) -> None:
    files: dict[str, Any] = {"pairings": str(tmp_path / "screens.json"), "staff": str(tmp_path / "staff.json")}
    with pytest.raises(WebTrouble, match="TLS"):
        _refuse_unsafe(WebSettings(host="0.0.0.0", **files))
    with_tls = WebSettings(host="192.0.2.7", certificate="c.pem", key="k.pem", **files)
    with pytest.raises(WebTrouble, match="sign-in"):
        _refuse_unsafe(with_tls)
    PairingFile(tmp_path / "screens.json").pair("pit")
    give_pin(tmp_path, "S1", "dealer", "2468")
    _refuse_unsafe(with_tls)


def test_the_bench_is_refused_beside_a_real_device(tmp_path: Path) -> None:
    from tests.controller.web.client import with_real_device

    async def act(table: Served, client: Client) -> None:
        with pytest.raises(WebTrouble, match="simulated"):
            await serve(table.table.runtime, with_real_device(table.table.config), bench=table.levers)

    at_table(tmp_path, act)


def test_a_taken_port_is_told_with_what_to_do(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            settings = WebSettings(port=taken.getsockname()[1], pairings=str(tmp_path / "x.json"))
            with pytest.raises(WebTrouble, match="another port"):
                await serve(table.table.runtime, default_config(), settings=settings)

    at_table(tmp_path, act)
