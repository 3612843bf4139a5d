"""The floor's pages: who sees them, what they show, and who may do what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from floor.findings import Finding, tell
from floor.web.lookup import MOST
from tests.floor.tables import changed, heard, played
from tests.floor.web.served import PIN, Served, served


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("floor"), "wheel", "war", "poker") as made:
        yield made


LOOKING = ["/api/live", "/api/table/the-wheel-1", "/api/alarms", "/api/rounds", "/api/results"]


@pytest.mark.parametrize("path", LOOKING)
def test_nobody_sees_anything_without_signing_in(floor: Served, path: str) -> None:
    assert floor.caller().get(path).status == 401


@pytest.mark.parametrize("path", ["/", "/alarms", "/rounds", "/results", "/table/the-wheel-1"])
def test_a_page_leads_to_the_sign_in_and_after_it_is_there(floor: Served, path: str) -> None:
    answer = floor.caller().get(path)
    assert (answer.status, answer.headers["location"]) == (303, "/sign-in")
    assert floor.caller().get("/sign-in").status == 200
    answer = floor.caller("F1").get(path)
    assert answer.status == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_one_table_is_shown_whole(floor: Served) -> None:
    found = floor.caller("F1").get("/api/table/the-wheel-1").body
    assert found["face"]["name"] == "The wheel 1"
    assert found["face"]["witnessed"] == found["face"]["size"]
    assert {one["place"] for one in found["devices"]} == {"wheel", "chips"}
    assert found["rounds"]
    assert found["rounds"][0]["wagers"]
    assert floor.caller("F1").get("/api/table/nowhere").status == 404


def test_rounds_are_found_by_whatever_is_known_of_them(floor: Served) -> None:
    caller = floor.caller("F1")

    def search(**asked: object) -> list[dict[str, object]]:
        query = "&".join(f"{name}={value}" for name, value in asked.items())
        found: list[dict[str, object]] = caller.get(f"/api/rounds?{query}").body["rounds"]
        return found

    everything = search()
    assert 8 <= len(everything) <= MOST
    one = next(each for each in everything if each["slug"] == "the-war-1")
    assert {each["slug"] for each in search(table="the-war-1")} == {"the-war-1"}
    assert one in search(since=one["ended"], until=one["ended"])
    assert one in search(dealer=one["dealer"])
    assert one in search(staked=one["staked"])
    assert all(each["staked"] >= one["staked"] for each in search(staked=one["staked"]))  # type: ignore[operator]
    assert one in search(clause=str(one["clauses"][0]).replace(" ", "%20"))  # type: ignore[index]
    assert one in search(player=one["wagers"][0]["player"])  # type: ignore[index]
    assert search(player="nobody") == search(clause="99.99") == search(dealer="nobody") == []
    assert caller.get("/api/rounds?staked=much").status == 400
    assert caller.get("/api/rounds?colour=red").status == 400


@pytest.mark.parametrize("by", ["game", "table", "dealer", "day"])
def test_results_add_up_to_the_rounds(floor: Served, by: str) -> None:
    caller = floor.caller("F1")
    found = caller.get(f"/api/results?by={by}").body["results"]
    rounds = [one for one in caller.get("/api/rounds").body["rounds"] if by == "game" or one["game"] != "poker"]
    assert sum(one["rounds"] for one in found) == len(rounds)
    assert sum(one["win"] for one in found) == sum(one["taken"] - one["paid"] for one in rounds)
    assert sum(one["staked"] for one in found) == sum(one["staked"] for one in rounds)


def test_results_by_something_else_are_refused(floor: Served) -> None:
    assert floor.caller("F1").get("/api/results?by=colour").status == 400


def test_an_order_from_another_site_is_refused(floor: Served) -> None:
    caller = floor.caller("F3")
    assert caller.post("/api/take-finding", {"id": 1}, origin="http://elsewhere").status == 403


# -- people --------------------------------------------------------------------------------------------------------


def test_real_people_need_their_pin_and_five_wrong_ones_lock(tmp_path: Path) -> None:
    with served(tmp_path, "wheel", practice=False) as floor:
        caller = floor.caller()
        assert caller.get("/api/me").body["staff"] == []
        assert caller.sign_in("F1", PIN).body["person"]["ranked"] == "inspector"
        assert caller.get("/api/alarms").status == 200
        assert caller.post("/api/sign-out", {}).status == 200
        assert caller.get("/api/alarms").status == 401
        assert caller.sign_in("nobody", PIN).status == 403
        for _ in range(5):
            answer = caller.sign_in("F2", "1234")
            assert answer.status == 403
        assert "Too many wrong PINs" in caller.sign_in("F2", PIN).body["error"]
        assert caller.sign_in("F3", PIN).status == 200


def test_whoever_is_idle_for_long_is_signed_out(floor: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = floor.caller("F1")
    before = floor.server.access._now
    monkeypatch.setattr(floor.server.access, "_now", lambda: before() + 11 * 60)
    assert caller.get("/api/alarms").status == 401


def test_an_alarm_is_taken_by_one_person_of_rank(tmp_path: Path) -> None:
    with served(tmp_path) as floor:
        path, _ = played("wheel")
        first = next(iter(heard(path, 1, signed=False)))  # the devices have not been heard yet
        floor.intake.take([first])
        alarms = floor.caller("F1").get("/api/alarms").body["alarms"]
        assert alarms
        key = {name: alarms[0][name] for name in ("journal", "code", "since")}
        assert "Only a supervisor" in floor.caller("F1").post("/api/take-alarm", key).body["error"]
        assert floor.caller("F2").post("/api/take-alarm", key).status == 200
        assert "F2 has taken it" in floor.caller("F3").post("/api/take-alarm", key).body["error"]
        standing = floor.caller("F1").get("/api/alarms").body["alarms"]
        assert [one["person"] for one in standing if one["code"] == key["code"]] == ["F2"]
        gone = {**key, "code": "none"}
        assert floor.caller("F2").post("/api/take-alarm", gone).status == 409


def test_what_the_floor_found_is_taken_and_then_closed_by_a_manager(tmp_path: Path) -> None:
    with served(tmp_path, "wheel") as floor:
        with floor.intake._engine.begin() as store:
            tell(store, Finding("tablectl/the-wheel-1/00ff", "two", "two at once", "look"), 5)
        found = floor.caller("F1").get("/api/alarms").body["findings"][0]
        supervisor, manager = floor.caller("F2"), floor.caller("F3")
        assert supervisor.post("/api/take-finding", {"id": found["id"]}).status == 200
        assert "Only a manager" in supervisor.post("/api/take-finding", {"id": found["id"], "over": True}).body["error"]
        assert manager.post("/api/take-finding", {"id": found["id"]}).status == 409
        assert manager.post("/api/take-finding", {"id": found["id"], "over": True}).status == 200
        assert floor.caller("F1").get("/api/alarms").body["findings"] == []
        assert manager.post("/api/take-finding", {"id": found["id"], "over": True}).status == 409


def test_the_table_that_needs_a_person_most_stands_first(tmp_path: Path) -> None:
    from floor.presence import Presence
    from floor.web.glance import tables

    with served(tmp_path, "wheel", "poker") as floor:
        path, _ = played("war")
        broken = list(heard(path))
        floor.intake.take([changed(broken[0]._replace(message=9000), hash=bytes(32))])
        with floor.intake._engine.connect() as store:
            lines = tables(store, Presence())
        assert lines[0]["slug"] == "the-war-1"
        assert "found by the floor" in lines[0]["why"]
        assert all(one["silent"] for one in lines)


def test_a_supervisor_orders_something_of_a_table_and_sees_what_became_of_it(floor: Served) -> None:
    wanted = {"table": "the-war-1", "kind": "message", "args": {"text": "Call the desk"}}
    caller = floor.caller("F2")
    assert caller.post("/api/order", wanted).status == 200
    found = caller.get("/api/table/the-war-1").body
    (given,) = found["orders"]
    assert (given["by"], given["args"], given["stands"]["state"]) == ("F2", {"text": "Call the desk"}, "waiting")
    assert [one["kind"] for one in found["orderable"]] == ["limits", "closing", "message"]


@pytest.mark.parametrize(
    ("who", "change", "status", "words"),
    [
        ("F1", {}, 403, "Only a supervisor"),
        ("F2", {"table": "nowhere"}, 409, "no table"),
        ("F2", {"kind": "open"}, 409, "Nobody can order"),
        ("F2", {"args": {}}, 409, "Message"),
        ("F2", {"args": {"text": "x", "more": "y"}}, 409, "knows no 'more'"),
        ("F2", {"args": {"text": ["x"]}}, 400, ""),
    ],
)
def test_an_order_that_cannot_be_is_refused_in_words(
    floor: Served, who: str, change: dict[str, object], status: int, words: str
) -> None:
    wanted = {"table": "the-wheel-1", "kind": "message", "args": {"text": "Hello"}, **change}
    answer = floor.caller(who).post("/api/order", wanted)
    assert (answer.status, words in answer.body["error"]) == (status, True)
    assert floor.caller("F1").get("/api/table/the-wheel-1").body["orders"] == []
