"""What the hall's pages ask and answer."""

from __future__ import annotations

from pathlib import Path

from tests.controller.tournament.stated import text
from tests.floor.hall.halls import clock
from tests.floor.hall.pages import midway, pages
from tests.floor.web.served import served


def test_nobody_sees_or_does_anything_without_signing_in(tmp_path: Path) -> None:
    with served(tmp_path, hall=pages(tmp_path / "hall.journal")) as floor:
        nobody = floor.caller()
        assert nobody.get("/api/hall").status == 401
        assert nobody.post("/api/hall/do", {"act": "seen"}).status == 401
        assert nobody.get("/hall").status == 303


def test_a_floor_without_a_hall_has_none_of_its_pages(tmp_path: Path) -> None:
    with served(tmp_path) as floor:
        assert floor.caller("F3").get("/hall").status == 404
        assert floor.caller("F3").get("/api/me").body["hall"] is False


def test_an_event_is_made_through_the_pages_forms_and_a_name_goes_into_the_register_alone(tmp_path: Path) -> None:
    opened: list = []
    with served(
        tmp_path, hall=pages(tmp_path / "hall.journal", clock("10:00"), opened, F1="Chief Operating Officer")
    ) as floor:
        manager, looker = floor.caller("F3"), floor.caller("F1")
        refused = looker.post("/api/hall/do", {"act": "load_terms", "args": {"text": text("war")}})
        assert refused.status == 409
        assert manager.get("/api/hall").body["event"] is None
        assert [one["act"] for one in manager.get("/api/hall").body["offered"]] == ["load_terms"]
        for act, args in (("load_terms", {"text": text("war")}), ("name_director", {"person": "F3"})):
            assert manager.post("/api/hall/do", {"act": act, "args": args}).body["said"] == "ok"
        wrong = manager.post("/api/hall/do", {"act": "approve", "args": {"digest": "x"}})
        assert wrong.body["said"] == "refused 10.2.1: AM is not the person whom the casino operator named."
        assert manager.post("/api/hall/do", {"act": "nonsense", "args": {}}).status == 409
        offered = {one["act"]: one for one in manager.get("/api/hall").body["offered"]}
        assert [field["name"] for field in offered["enrol_deputy"]["fields"]] == ["person"]
        assert "approve" not in offered
        digest = manager.get("/api/hall").body["event"]["digest"]
        officer = floor.caller("F1")
        assert officer.get("/api/hall").body["offered"][0]["act"] == "approve"
        assert officer.post("/api/hall/do", {"act": "approve", "args": {"digest": digest}}).body["said"] == "ok"
        assert manager.get("/api/hall").body["phase"] == "approved"
    for service in opened:
        service.close()


def test_everything_a_page_shows_of_a_running_event_comes_from_its_journal(tmp_path: Path) -> None:
    path, at = midway(tmp_path, "poker", 3, 24, 30)
    opened: list = []
    with served(tmp_path, hall=pages(path, at, opened)) as floor:
        seen = floor.caller("F1").get("/api/hall").body
        again = floor.caller("F1").get("/api/hall").body
        assert seen == again
        assert seen["phase"] == "running"
        assert seen["field"]["left"] == sum(table["sit"] for table in seen["tables"])
        units = sum(table["units"] for table in seen["tables"]) + seen["field"]["in_transit"]
        assert units == opened[0].work.hall.state.issued
        assert seen["clock"]["level"] >= 1
        assert [one["act"] for one in seen["offered"]] == ["rebuy", "open_dispute", "close_dispute"] or seen["offered"]
    opened[0].close()
