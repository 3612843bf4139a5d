"""Who may see and do what through a screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

import msgspec
import pytest

from controller.config.types import DeviceSection
from controller.core.events import Command, SignedIn, SignedOut
from controller.core.runtime import Told
from controller.people import Person
from controller.people.staff import Staff, write_staff
from controller.web.access import IDLE_S, Denied, PairingFile
from drivers.swipe import pseudonym
from lab.sim.config import default_config
from lab.sim.devices import SIMULATED_KEY
from simulators.swipe import card
from tests.controller.web.client import Client, Served, served
from tests.controller.web.tables import give_pin

PAGES = ("/", "/dealer", "/pit", "/sign")
LOOKING = ("/api/state?place=pit", "/api/live?place=pit", "/api/me?place=pit", "/api/rounds/1/2?place=pit")


DOING = (
    ("/api/command", {"name": "open", "place": "dealer"}),
    ("/api/sign-in", {"staff": "S4", "place": "pit", "pin": "1234"}),
    ("/api/pin", {"place": "dealer", "pin": "1234"}),
    ("/api/sign-shown", {"revision": 1}),
)


def at_table(folder: Path, act: Callable[[Served, Client], Awaitable[None]], real: bool = False) -> None:
    async def run() -> None:
        async with served(folder, real=real) as table:
            await act(table, table.client())

    asyncio.run(run())


def commands_of(table: Served) -> list[Command]:
    """What reaches the table from people, from now on."""
    pressed: list[Command] = []

    def watch(told: Told) -> None:
        if isinstance(told.event, Command):
            pressed.append(told.event)

    table.table.runtime.watchers.append(watch)
    return pressed


def test_nobody_presses_a_key_without_signing_in(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        pressed = commands_of(table)
        for place in ("dealer", "pit", "bench"):
            answer = await client.press("open", place)
            assert answer.status == 401
        assert pressed == []

    at_table(tmp_path, act)


def test_every_key_above_the_dealers_rank_is_refused_to_the_dealer_and_the_attempt_is_on_record(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await client.sign_in("S1")
        keys = {**table.table.runtime.table.keys, **table.table.runtime.table.game.keys}
        above = [key for key in keys.values() if key.rank > 1]
        assert len(above) > 8
        pressed = commands_of(table)
        for key in above:
            answer = await client.press(key.name)
            assert (answer.status, answer.body["code"]) == (403, "rank_too_low"), key.name
        assert [(command.name, command.by.id) for command in pressed] == [(key.name, "S1") for key in above]
        assert table.table.shift.refusals["rank_too_low"] == len(above)

    at_table(tmp_path, act)


def test_the_sign_and_the_status_page_have_no_keys_even_for_the_highest_rank(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        for place in ("sign", "status"):
            assert (await client.sign_in("S4", place)).status == 403
            body = {"name": "open", "place": place, "args": {}, "sign": {"staff": "S4", "pin": ""}}
            assert (await client.post("/api/command", body)).status == 403
        shown = (await client.get("/api/state?place=sign")).body["set"]
        assert set(shown) == {"table", "life", "sign", "journal"}
        assert set(shown["journal"]) == {"slow", "head"}
        for place, told in (("sign", False), ("status", False), ("dealer", False), ("pit", True)):
            seen = (await client.get(f"/api/state?place={place}")).body["set"]
            assert ("uplink" in seen) is told, f"{place}: only the pit is told what the floor hears"

    at_table(tmp_path, act)


def test_a_command_is_answered_once_it_is_durable_and_a_refusal_carries_its_reason(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await table.until(lambda: not table.table.runtime.table.state.faults)
        await client.sign_in("S1")
        answer = await client.press("open")
        assert answer.status == 200
        assert answer.body["seq"] <= table.table.runtime.journal.last_seq
        await table.until(lambda: table.table.runtime.table.state.life == "open")
        refused = await client.press("paid")
        assert refused.status == 409
        assert refused.body["code"] == "not_now"
        unknown = await client.press("pay_myself")
        assert unknown.status == 404

    at_table(tmp_path, act)


def test_an_unpaired_screen_sees_nothing_of_a_real_table(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        for page in PAGES:
            answer = await client.get(page)
            assert (answer.status, answer.headers.get("location")) == (303, "/pair"), page
        for path in LOOKING:
            assert (await client.get(path)).status == 401, path
        for path, body in DOING:
            assert (await client.post(path, body)).status == 401, path
        assert (await client.get("/bench")).status == 404
        assert (await client.get("/api/bench")).status == 404
        assert (await client.post("/api/bench/pull", {"name": "spin"})).status == 404
        assert (await client.post("/api/bench/play", {"case": {}})).status == 404
        assert (await client.get("/api/bench/scenario")).status == 404

    at_table(tmp_path, act, real=True)


def test_a_paired_screen_sees_its_own_place_and_a_person_still_signs_in(tmp_path: Path) -> None:
    access = PairingFile(tmp_path / "screens.json")
    token = access.pair("dealer")
    give_pin(tmp_path, "S1", "dealer", "2468")

    async def act(table: Served, client: Client) -> None:
        assert (await client.post("/api/pair", {"token": "guess"})).status == 403
        assert (await client.post("/api/pair", {"token": token})).body == {"place": "dealer"}
        assert (await client.get("/dealer")).status == 200
        assert (await client.get("/pit")).status == 303
        assert (await client.get("/api/state?place=pit")).status == 401
        assert (await client.press("open")).status == 401
        assert (await client.sign_in("S1", pin="1111")).status == 403
        assert (await client.sign_in("S1", pin="2468")).status == 200
        assert (await client.press("open")).status in (200, 409)
        assert (await client.post("/api/sign-out", {"place": "dealer"})).status == 200
        assert (await client.press("open")).status == 401
        assert (await client.get("/api/me?place=dealer")).body["staff"] == []  # names are told in practice only

    at_table(tmp_path, act, real=True)
    assert (tmp_path / "screens.json").stat().st_mode & 0o077 == 0
    assert token not in (tmp_path / "screens.json").read_text()


def test_wrong_pins_lock_the_number_also_for_the_right_one_and_after_a_restart(tmp_path: Path) -> None:
    access = PairingFile(tmp_path / "screens.json")
    token = access.pair("pit")
    give_pin(tmp_path, "S4", "ACM", "2468")

    async def guess(table: Served, client: Client) -> None:
        await client.post("/api/pair", {"token": token})
        for _ in range(4):
            assert "do not fit" in (await client.sign_in("S4", "pit", "0000")).body["error"]
            assert "do not fit" in (await client.sign_in("9999", "pit", "0000")).body["error"]
        for staff in ("S4", "9999"):  # whoever does not work here is locked out just the same
            assert "Too many wrong PINs" in (await client.sign_in(staff, "pit", "0000")).body["error"]
        assert "Too many wrong PINs" in (await client.sign_in("S4", "pit", "2468")).body["error"]
        assert set(table.table.runtime.table.state.people.wrong_pins) == {"S4@pit"}

    async def come_back(table: Served, client: Client) -> None:
        await client.post("/api/pair", {"token": token})
        assert "Too many wrong PINs" in (await client.sign_in("S4", "pit", "2468")).body["error"]

    at_table(tmp_path, guess, real=True)
    at_table(tmp_path, come_back, real=True)


def events_of(table: Served, *kinds: type) -> list[object]:
    """What the journal is told of these kinds, from now on."""
    found: list[object] = []

    def watch(told: Told) -> None:
        if isinstance(told.event, kinds):
            found.append(told.event)

    table.table.runtime.watchers.append(watch)
    return found


def test_an_idle_session_ends_on_record(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        heard = events_of(table, SignedIn, SignedOut)
        await client.sign_in("S2", "pit")
        access, now = table.server.access, [monotonic()]
        access._now = lambda: now[0]
        now[0] += IDLE_S - 1
        access.look()
        assert (await client.get("/api/me?place=pit")).body["person"]["id"] == "S2"  # and that counts as use
        now[0] += IDLE_S + 1
        access.look()
        assert (await client.get("/api/me?place=pit")).body["person"] is None
        assert heard == [SignedIn("pit", Person("S2", 2)), SignedOut("pit", Person("S2", 2), "idle")]

    at_table(tmp_path, act)


def test_whoever_loses_the_rank_is_signed_out_of_the_screen_at_once(tmp_path: Path) -> None:
    token = PairingFile(tmp_path / "screens.json").pair("pit")
    give_pin(tmp_path, "S4", "ACM", "2468")

    async def act(table: Served, client: Client) -> None:
        heard = events_of(table, SignedOut)
        await client.post("/api/pair", {"token": token})
        assert (await client.sign_in("S4", "pit", "2468")).status == 200
        write_staff(tmp_path / "staff.json", Staff())
        assert (await client.press("limits", "pit", least=500, most=1000)).status == 401
        await table.until(lambda: [event.reason for event in heard] == ["rank changed"])  # type: ignore[attr-defined]

    at_table(tmp_path, act, real=True)


def test_a_card_through_the_reader_beside_a_screen_and_the_pin_typed_on_it_sign_in(tmp_path: Path) -> None:
    number = "6007010000000002"
    files = PairingFile(tmp_path / "screens.json")
    dealer, other = files.pair("dealer"), files.pair("dealer", "second")
    give_pin(tmp_path, "M1", "AM", "2580", pseudonym(SIMULATED_KEY, number))
    config = default_config()
    config = msgspec.structs.replace(
        config, devices={**config.devices, "dealer": DeviceSection("swipe", simulated=True)}
    )

    async def act() -> None:
        async with served(tmp_path, real=True, config=config) as table:
            screen, second = table.client(), table.client()
            await screen.post("/api/pair", {"token": dealer})
            await second.post("/api/pair", {"token": other})
            me = (await screen.get("/api/me?place=dealer")).body
            assert (me["reader"], me["card"], me["person"]) == ("dealer", "", None)
            await table.until(lambda: table.table.runtime.table.state.devices["dealer"] == "up")
            table.table.devices.readers["dealer"].swipe(card(number))
            table.table.clock.speed = 1.0  # type: ignore[attr-defined]
            await table.until(lambda: bool(table.server.access.door and table.server.access.door.wants_pin("dealer")))
            assert (await screen.get("/api/state?place=dealer")).body["set"]["people"]["waiting"] == {"dealer": "M1"}
            assert (await screen.get("/api/me?place=dealer")).body["card"] == "M1"
            # another screen of the same place, where no reader stands, takes no PIN for it
            assert (await second.post("/api/pin", {"place": "dealer", "pin": "2580"})).status == 403
            assert (await screen.post("/api/pin", {"place": "dealer", "pin": "1111"})).status == 403
            table.table.devices.readers["dealer"].swipe(card(number))
            await table.until(lambda: bool(table.server.access.door and table.server.access.door.wants_pin("dealer")))
            assert (await screen.post("/api/pin", {"place": "dealer", "pin": "2580"})).body["person"]["id"] == "M1"
            assert (await screen.press("limits", least=500, most=60_000)).status == 200
            assert (await second.press("limits", least=500, most=60_000)).status == 401
            assert table.table.runtime.table.state.people.standing == {"dealer": Person("M1", 3)}
            await screen.post("/api/sign-out", {"place": "dealer"})
            assert (await screen.press("limits", least=500, most=60_000)).status == 401

    asyncio.run(act())


def test_a_session_holds_at_its_own_screen_only(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        answer = await client.sign_in("S2", "pit")
        (name, cookie), *_ = answer.cookies.items()
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        stolen = table.client()
        stolen.cookies = {name.replace("-pit", "-dealer"): client.cookies[name]}
        assert (await stolen.press("open")).status == 401

    at_table(tmp_path, act)


def test_one_person_is_signed_in_at_one_screen(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await client.sign_in("S3", "dealer")
        assert (await client.press("limits", least=500, most=60_000)).status == 200
        other = table.client()
        await other.sign_in("S3", "pit")
        assert (await client.press("limits", least=500, most=60_000)).status == 401
        assert (await client.sign_in("S1", "dealer")).status == 200
        assert (await other.get("/api/me?place=pit")).body["person"]["id"] == "S3"

    at_table(tmp_path, act)


def test_a_damaged_access_file_lets_nobody_in(tmp_path: Path) -> None:
    (tmp_path / "screens.json").write_text("{")
    with pytest.raises(Denied, match="cannot be read"):
        PairingFile(tmp_path / "screens.json").read()
