"""Rounds on the screen: opened into their record, stepped through, and still there after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from controller.core.desk import Ask
from controller.web.rounds import NoSuchRound, given
from tests.controller.web.client import Served, served


def at_table(folder: Path, act: Callable[[Served], Awaitable[None]], play: bool = False, speed: float = 20.0) -> None:
    async def run() -> None:
        async with served(folder, play=play, speed=speed) as table:
            await act(table)

    asyncio.run(run())


def test_a_round_opens_into_its_record_and_can_be_stepped_through(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        rounds = table.server.board.rounds
        await table.until(lambda: len(rounds.summaries()) >= 2, 60)
        line = rounds.summaries()[0]
        client = table.client()
        answer = await client.get(f"/api/rounds/{line.first}/{line.last}?place=pit")
        rows = answer.body["rows"]
        assert [row["seq"] for row in rows] == list(range(line.first, line.last + 1))
        assert rows[0]["view"]["state"] == "betting_open"
        assert rows[-1]["view"]["state"] == "idle"
        assert any(row.get("speeds") for row in rows)
        settled = [e for row in rows for e in row["effects"] if e["type"] == "Settled"]
        assert settled[0]["outcome"] == line.outcome
        assert sum(result["pays"] for result in settled[0]["results"]) == line.paid
        pressed = {row["event"]["name"]: row["label"] for row in rows if row["event"]["type"] == "Command"}
        assert pressed["no_more_bets"] == "No more bets"
        moved = [move for row in rows for move in row.get("moves", ())]
        assert sum(move["laid"] for move in moved if move["name"]) > 0
        assert {"A", "B", "C"} & {move["name"] for move in moved}
        assert (await client.get("/api/rounds/1/999999?place=pit")).status == 404
        assert (await client.get(f"/api/rounds/{line.first}/{line.last}?place=dealer")).status == 403
        with pytest.raises(NoSuchRound):
            rounds.full(5, 4)

    at_table(tmp_path, act, play=True, speed=100.0)


def test_a_key_taken_back_stands_marked_in_the_record_of_its_round_and_what_it_ruled_does_not_count(
    tmp_path: Path,
) -> None:
    async def act(table: Served) -> None:
        rounds = table.server.board.rounds
        client = table.client()
        await client.sign_in("S4", "pit")

        async def press(key: str, **args: Any) -> None:
            answer = await client.press(key, place="pit", **args)
            assert answer.status == 200, answer.body

        await press("open")
        await table.until(lambda: table.table.runtime.table.playing)
        for key in ("place_bets", "take_back", "place_bets"):
            await press(key)
        await press("limits", least=500, most=20_000)
        await press("take_back")
        await press("cancel_disruption", reason="a fire alarm")
        await table.until(lambda: rounds.summaries())
        (line,) = rounds.summaries()
        assert (line.outcome, line.rulings, line.taken_back) == ("invalidated", 1, 2)
        shown = (await client.get(f"/api/rounds/{line.first}/{line.last}?place=pit")).body["rows"]
        keys = [row for row in shown if row["event"]["type"] == "Command"]
        assert [row["event"]["name"] for row in keys if row["taken_back"]] == ["place_bets", "limits"]
        corrections = [row["seq"] for row in keys if row["event"]["name"] == "take_back"]
        assert [row["taken_back"]["seq"] for row in keys if row["taken_back"]] == corrections
        assert [row["view"]["state"] for row in keys[:3]] == ["betting_open", "idle", "betting_open"]
        assert [row["told"] for row in keys if row["event"]["name"] == "limits"] == [
            [["Minimum", "$5"], ["Maximum", "$200"]]
        ]
        ruled = [one for row in keys for one in row["ruled"] if one["key"] == "cancel_disruption"]
        assert [(one["by"], one["rank"], one["reason"]) for one in ruled] == [("S4", 4, "a fire alarm")]

    at_table(tmp_path, act, speed=1.0)  # at twenty times real time a busy machine makes devices late, which follows


def test_after_a_restart_the_last_rounds_are_still_there_and_replay_the_same(tmp_path: Path) -> None:
    seen: list[Any] = []

    async def first(table: Served) -> None:
        rounds = table.server.board.rounds
        await table.until(lambda: len(rounds.summaries()) >= 2, 60)
        line = rounds.summaries()[-1]
        seen.extend([line, rounds.full(line.first, line.last)])

    async def second(table: Served) -> None:
        rounds = table.server.board.rounds
        assert rounds.summaries()[-1] == seen[0]
        assert rounds.full(seen[0].first, seen[0].last) == seen[1]

    at_table(tmp_path, first, play=True, speed=100.0)
    at_table(tmp_path, second)


@pytest.mark.parametrize(
    ("ask", "value", "said"),
    [
        (Ask("least", "money", "Minimum"), 500, ("Minimum", "$5")),
        (Ask("stakes", "amounts", "Stakes"), [500, 1000], ("Stakes", "$5, $10")),
        (Ask("card", "card", "Which card"), "TS", ("Which card", "10♠")),
        (Ask("faces", "cards"), ["AH", "9C"], ("Faces", "A♥, 9♣")),
        (Ask("how", "choice", "How", choices=(("by_hand", "By hand"),)), "by_hand", ("How", "By hand")),
        (Ask("zone", "choice", "Where"), "perfect_pairs", ("Where", "perfect pairs")),
        (Ask("seen", "flag", "Seen"), True, ("Seen", "yes")),
        (Ask("float", "slip", "Slip"), {"5": 40, "25": 20}, ("Slip", "5 40, 25 20")),
        (Ask("box", "number", "Box"), 3, ("Box", "3")),
    ],
)
def test_each_kind_is_told_in_the_words_of_its_form(ask: Ask, value: Any, said: tuple[str, str]) -> None:
    assert given((ask,), {ask.name: value}) == [said]


def test_what_was_not_told_is_not_named_and_a_reason_has_its_own_place() -> None:
    asks = (Ask("player", "player"), Ask("seen", "flag"), Ask("reason", "accept_why"), Ask("confirmed", "accept"))
    assert given(asks, {"seen": False, "reason": "a fire alarm", "confirmed": True}) == []
