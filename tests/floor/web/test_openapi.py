"""The page of the JSON interface says what the interface really takes and answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from controller.commands import main
from floor.findings import Finding, tell
from floor.fleet.web import FleetPages
from floor.store.schema import ALARMS, FINDINGS
from floor.web.openapi import ANSWERS, ASKED, JSON, TOLD, openapi
from tests.floor.fits import fits
from tests.floor.fleet.machines import FLEET
from tests.floor.web.served import Served, served

PAGE = openapi("1")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    fleet = FleetPages(lambda: FLEET, lambda: "")
    with served(tmp_path_factory.mktemp("floor"), "wheel", "war", "poker", fleet=fleet) as made:
        yield made


def answer(path: str) -> dict[str, Any]:
    found = PAGE["paths"][path]
    (said,) = found.values()
    schema: dict[str, Any] = said["responses"]["200"]["content"][JSON]["schema"]
    return schema


@pytest.mark.parametrize("path", [path for path in ASKED if path in ANSWERS])
def test_what_is_answered_fits_the_page(floor: Served, path: str) -> None:
    found = floor.caller("F1").get(path.replace("{slug}", "the-war-1"))
    assert found.status == 200
    assert fits(found.body, answer(path), PAGE) == []


def body_of(path: str) -> dict[str, Any]:
    schema: dict[str, Any] = PAGE["paths"][path]["post"]["requestBody"]["content"][JSON]["schema"]
    return schema


def test_what_is_posted_and_answered_fits_the_page(floor: Served) -> None:
    with floor.intake.engine.begin() as store:
        tell(store, Finding("tablectl/the-war-1/00ff", "rolled_back", "its journal was put back", "call"), 5)
        one = {"journal": 1, "code": "late_change", "since": 7, "at": 7, "text": "late", "count": 1}
        store.execute(ALARMS.insert().values(**one))
        number = store.execute(select(FINDINGS.c.id).where(FINDINGS.c.open)).scalar()
    caller = floor.caller()
    posted: dict[str, Any] = {
        "/api/sign-in": {"staff": "F2", "pin": ""},
        "/api/take-alarm": {name: one[name] for name in ("journal", "code", "since")},
        "/api/take-finding": {"id": number},
        "/api/order": {"table": "the-wheel-1", "kind": "message", "args": {"text": "Count your float"}},
        "/api/sign-out": {},
    }
    assert posted.keys() == TOLD.keys()
    for path, body in posted.items():
        if TOLD[path][1] is not None:
            assert fits(body, body_of(path), PAGE) == []
            assert caller.post(path, {**body, "nonsense": 1}).status == 400
        found = caller.post(path, body)
        assert (path, found.status) == (path, 200), found.body
        assert fits(found.body, answer(path), PAGE) == []


def test_an_answer_that_says_less_does_not_fit(floor: Served) -> None:
    found = floor.caller("F1").get("/api/rounds").body
    del found["rounds"][0]["wagers"]
    found["rounds"][1]["staked"] = "much"
    assert fits(found, answer("/api/rounds"), PAGE) == [
        ".rounds[0].wagers is missing", ".rounds[1].staked: 'much' is no ['integer']",
    ]  # fmt: skip


def test_every_address_of_the_interface_is_on_the_page(floor: Served) -> None:
    pages: Any = floor.server._server.config.app
    served_at = {route.path for route in pages._app.routes if route.path.startswith("/api/")}
    assert served_at == set(PAGE["paths"]) == {*ASKED, *TOLD}


def test_what_is_asked_for_is_what_the_page_says(floor: Served) -> None:
    caller = floor.caller("F1")
    for path in ("/api/rounds", "/api/results", "/api/fairness", "/api/export/{what}"):
        known = {one["name"] for one in PAGE["paths"][path]["get"]["parameters"] if one["in"] == "query"}
        assert known
        asked = path.replace("{what}", "rounds")
        assert caller.get(f"{asked}?nonsense=1").status == 400
        for name in known & {"since", "until", "staked", "paid"}:
            assert caller.get(f"{asked}?{name}=1").status == 200


def test_the_page_is_served_and_printed(floor: Served) -> None:
    assert floor.caller("F1").get("/api/openapi.json").body["paths"].keys() == PAGE["paths"].keys()
    printed = CliRunner().invoke(main, ["floor", "interface", "openapi"])
    assert json.loads(printed.output)["openapi"] == "3.1.0"
