"""What a page is told of the key that was pressed on it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from controller.core.effects import Refused, refusal_of
from controller.rules.clauses import meaning
from lab.sim.config import default_config
from tests.controller.web.client import Client, Served, served


def at_war(folder: Path, act: Callable[[Served, Client], Awaitable[None]]) -> None:
    """A Casino War table that takes bets, and its dealer at the screen."""

    async def run() -> None:
        async with served(folder, config=default_config("war")) as table:
            client = table.client()
            await client.sign_in("S4")
            await _open(table, client)
            await act(table, client)

    asyncio.run(run())


async def _open(table: Served, client: Client) -> None:
    at = table.table.runtime.table
    await table.until(lambda: not at.state.faults)
    await client.press("open")
    await table.until(lambda: at.state.life == "open")
    await client.press("check_cards")
    await table.until(lambda: at.game.machine.state == "unshuffled")
    table.levers.pull("load", {})
    await table.until(lambda: not at.state.faults)
    await client.press("shuffled")
    await client.press("answer", prompt=next(iter(at.state.desk.prompts)), answer="cut")
    while at.game.machine.state != "betting":
        cards = len(at.game.view()["cards"])
        await table.until(lambda: not table.levers.source.locked)  # type: ignore[attr-defined]
        table.levers.pull("draw", {})
        await table.until(lambda: len(at.game.view()["cards"]) > cards or at.game.machine.state == "betting")  # noqa: B023


def test_a_key_that_was_carried_out_is_not_answered_with_what_it_refused(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        at = table.table.runtime.table
        table.levers.pull("place", {"area": "box 1 main", "dollars": 20, "player": ""})
        await table.until(lambda: at.game.view()["stakes"])
        wager = at.game.view()["stakes"][0]["id"]
        done = await client.press("refuse_stake", wager=wager)
        assert (done.status, done.body.keys()) == (200, {"seq"})
        assert at.game.view()["stakes"][0]["status"] == "refused"
        again = await client.press("refuse_stake", wager=wager)
        assert (again.status, again.body["code"]) == (409, "in_play")

    at_war(tmp_path, act)


def test_a_refusal_is_the_keys_own_only_where_it_names_the_key() -> None:
    stake, key = Refused("stake 7", "refused", "Ann's stake was refused."), Refused("settled", "mispaid", "Not paid.")
    assert refusal_of("refuse_stake", [stake]) is None
    assert refusal_of("settled", [stake, key]) is key


def test_what_a_clause_asks_is_told_in_our_words_and_of_a_part_what_its_whole_asks(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        answer = await client.get("/api/clauses?place=dealer&clause=5.15.2&clause=5.15.2(z)&clause=99.9")
        told = answer.body["clauses"]
        assert told["5.15.2"] == told["5.15.2(z)"] == meaning("melbourne-war", "5.15.2") != ""
        assert told["99.9"] == ""

    at_war(tmp_path, act)


def test_what_a_key_would_do_is_told_and_not_done(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        at = table.table.runtime
        table.levers.pull("place", {"area": "box 1 main", "dollars": 20, "player": "Ann"})
        await table.until(lambda: any(stake["player"] == "Ann" for stake in at.table.game.view()["stakes"]))
        wager, before, seq = at.table.game.view()["stakes"][0]["id"], at.table.save(), at.guarded.position.seq
        told = await client.post("/api/preview", {"name": "refuse_stake", "place": "dealer", "args": {"wager": wager}})
        assert (told.status, told.body["lines"][-1]) == (200, "Give $20 back to Ann.")
        assert (at.table.save(), at.guarded.position.seq) == (before, seq)
        wrong = await client.post(
            "/api/preview", {"name": "refuse_stake", "place": "dealer", "args": {"wager": "none"}}
        )
        assert wrong.body["lines"][0].startswith("It would be refused: ")

    at_war(tmp_path, act)


def test_what_a_key_would_do_is_told_to_whoever_is_signed_in_alone(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        stranger = await table.client().post("/api/preview", {"name": "misdeal", "place": "dealer", "args": {}})
        assert (stranger.status, stranger.body) == (401, {"error": "Sign in first."})

    at_war(tmp_path, act)


def test_a_key_that_only_asks_when_a_dealer_presses_it_is_shown_as_asking_and_to_a_supervisor_as_done(
    tmp_path: Path,
) -> None:
    async def act(table: Served, client: Client) -> None:
        table.levers.pull("place", {"area": "box 1 main", "dollars": 20, "player": "Ann"})
        await table.until(lambda: bool(table.table.runtime.table.game.view()["stakes"]))
        assert (await client.press("no_more_bets")).status == 200
        table.levers.pull("draw", {})
        await table.until(lambda: table.table.runtime.table.game.machine.state == "dealing")
        body = {"name": "misdeal", "place": "dealer", "args": {}}
        supervisor = (await client.post("/api/preview", body)).body["lines"]
        await client.sign_in("S1")
        dealer = (await client.post("/api/preview", body)).body["lines"]
        assert any(line.startswith("It is asked first: ") for line in dealer)
        assert not any(line.startswith("It is asked first: ") for line in supervisor)
        assert "Ann, main 1: $20 goes back." in supervisor
        assert "Ann, main 1: $20 goes back." not in dealer

    at_war(tmp_path, act)


@pytest.mark.parametrize("key", ["warned", "withhold", "allow_several", "bar_player", "personal_limit"])
def test_a_page_that_names_nobody_who_is_here_is_asked_whether_it_is_somebody_new(tmp_path: Path, key: str) -> None:
    async def act(table: Served, client: Client) -> None:
        assert (await client.press("sit", box=1, player="Margaret", player_is_new=True)).status == 200
        told: dict[str, Any] = {"least": 500, "most": 1_000} if key == "personal_limit" else {}
        no = await client.press(key, player="Zebedee", **told)
        assert (no.status, no.body["code"]) == (409, "nobody_here")
        assert "there is Margaret" in no.body["error"]
        for said in (None, False, "yes", 1):
            assert (await client.press(key, player="Zebedee", player_is_new=said, **told)).body["code"] == "nobody_here"
        near = await client.press(key, player="Margarete", **told)
        assert (near.status, near.body["code"]) == (409, "much_alike")
        assert (await client.press(key, player="Margaret", **told)).status == 200
        assert (await client.press(key, player="Zebedee", player_is_new=True, **told)).status == 200

    at_war(tmp_path, act)
