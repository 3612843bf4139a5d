"""The JSON interface of the floor's pages as OpenAPI, made from the types that requests are read into."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import BigInteger, Boolean, Float, Integer, Table

from floor.exports.sheets import FORMS
from floor.exports.write import WHAT
from floor.store.schema import ALARMS, FINDINGS, JOURNALS, QUESTIONS, ROUNDS, WAGERS
from floor.web.downloads import Asked
from floor.web.lookup import Wanted
from floor.web.routes import Ordered, Results, SignIn, Since, TakenAlarm, TakenFinding

JSON = "application/json"
ASKED: dict[str, tuple[str, type[msgspec.Struct] | None]] = {
    "/api/me": ("Who is signed in at this browser, and who could be.", None),
    "/api/live": ("Every table's line as it changes, as server-sent events: tables, beat.", None),
    "/api/table/{slug}": ("Everything the floor knows of one table.", None),
    "/api/alarms": ("Everything that a person should look at, with who has taken it.", None),
    "/api/rounds": ("The newest rounds that fit, each with its wagers.", Wanted),
    "/api/results": ("Results by game, table, dealer or day.", Results),
    "/api/fairness": ("How evenly every wheel lands.", Since),
    "/api/export/{what}": ("An export as a file.", Asked),
    "/api/fleet": ("Every table's machine, and the newest roll-outs; of a floor that has a key.", None),
    "/api/openapi.json": ("This page.", None),
}
TOLD: dict[str, tuple[str, type[msgspec.Struct] | None]] = {
    "/api/sign-in": ("Sign in by number and PIN; the answer sets a cookie.", SignIn),
    "/api/sign-out": ("Sign out.", None),
    "/api/take-alarm": ("Take an alarm of a table upon oneself; for supervisors and above.", TakenAlarm),
    "/api/order": ("Order something of a table; the floor signs it.", Ordered),
    "/api/take-finding": ("Take what the floor found, or close it; for supervisors, and managers.", TakenFinding),
}
OPEN = ("/api/me", "/api/sign-in", "/api/sign-out")
REFUSED = {
    "400": "What was sent does not fit.", "401": "Nobody is signed in.", "403": "Not allowed for this rank.",
    "404": "There is no such table.", "409": "It is so already, or over.",
}  # fmt: skip
KINDS = {BigInteger: "integer", Integer: "integer", Boolean: "boolean", Float: "number"}


def _row(table: Table, **more: Any) -> dict[str, Any]:
    """A line of the store as it is answered."""
    said: dict[str, Any] = {column.name: {"type": KINDS.get(type(column.type), "string")} for column in table.c}
    if "clauses" in said:
        said["clauses"] = {"type": "array", "items": {"type": "string"}}
    return _object(**said, **more)


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": sorted(properties)}


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


TEXT, COUNT = {"type": "string"}, {"type": "integer"}
WHOSE = {"slug": TEXT, "name": TEXT}
PERSON = {"type": ["string", "null"]}
STANDING = _row(ALARMS, **WHOSE, person=PERSON, taken_at={"type": ["integer", "null"]})
ROUND = _row(ROUNDS, **WHOSE, game=TEXT, wagers=_list(_row(WAGERS)))
RESULT = _object(
    what={"type": ["string", "integer"]}, hold={"type": ["number", "null"]}, an_hour={"type": ["number", "null"]},
    **dict.fromkeys(("rounds", "staked", "win", "drop", "theoretical", "late", "mispaid"), COUNT),
)  # fmt: skip
NOW = _object(
    since=COUNT, cards=_list(_object(card=TEXT, to=TEXT)), layout=_list(_object(area=TEXT, cents=COUNT)),
    lines=_list(_object(seq=COUNT, at=COUNT, what=TEXT, text=TEXT, clauses=_list(TEXT))),
) | {"type": ["object", "null"]}  # fmt: skip
"""What a table plays now; null while it is closed."""
DOING = _object(**dict.fromkeys(("kind", "roll_out", "state", "name", "text"), TEXT), number=COUNT, at=COUNT)
MACHINE = _object(
    **dict.fromkeys(("table", "machine", "program", "before", "instead_of", "configuration", "rulebook"), TEXT),
    **{key: {"type": "boolean"} for key in ("running", "here", "packaged")}, editions=_list(TEXT), doing=_list(DOING),
    found=_list(_object(check=TEXT, level=TEXT, text=TEXT, remedy=TEXT)), at=COUNT, heard=COUNT, free_mb=COUNT,
    worst=TEXT, clock_ms={"type": ["integer", "null"]}, worn={"type": ["integer", "null"]},
)  # fmt: skip
ROLL_OUT = _object(
    **dict.fromkeys(("id", "kind", "why", "state", "text"), TEXT), at=COUNT, settle_s=COUNT, revision=COUNT,
    by=_list(TEXT), stages=_list(COUNT), tables=_list(TEXT),
    **{key: {"type": "object"} for key in ("wanted", "asked", "refused", "well")},
)  # fmt: skip
ANSWERS: dict[str, dict[str, Any]] = {
    "/api/fleet": _object(machines=_list(MACHINE), plans=_list(ROLL_OUT), trouble=TEXT),
    "/api/me": _object(person={"type": ["object", "null"]}, staff=_list({}), pin={"type": "boolean"}, floor=TEXT),
    "/api/table/{slug}": _object(
        face={"type": "object", "properties": {column.name: {} for column in JOURNALS.c}}, now=NOW,
        alarms=_list(STANDING), findings=_list(_row(FINDINGS)), questions=_list(_row(QUESTIONS)), rounds=_list(ROUND),
    ),
    "/api/alarms": _object(
        findings=_list(_row(FINDINGS)), alarms=_list(STANDING), questions=_list(_row(QUESTIONS, **WHOSE))
    ),
    "/api/rounds": _object(rounds=_list(ROUND), most=COUNT),
    "/api/results": _object(by=TEXT, results=_list(RESULT)),
    "/api/fairness": _object(wheels=_list(_object(**WHOSE, spins=COUNT, counts=_list(COUNT), text=TEXT))),
    "/api/sign-in": _object(person={"type": "object"}),
    "/api/sign-out": _object(person={"type": "null"}),
    "/api/take-alarm": _object(person=TEXT),
    "/api/order": _object(id=TEXT),
    "/api/take-finding": _object(person=TEXT),
}  # fmt: skip


def openapi(version: str) -> dict[str, Any]:
    """The whole page."""
    kinds = [kind for _, kind in (*ASKED.values(), *TOLD.values()) if kind is not None]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    paths = {path: {"get": _get(path, components)} for path in ASKED}
    paths |= {path: {"post": _post(path)} for path in TOLD}
    return {
        "openapi": "3.1.0",
        "info": {"title": "The floor's JSON interface", "version": version},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "tablectl-floor-PORT"}},
        },
    }


def _get(path: str, components: dict[str, Any]) -> dict[str, Any]:
    words, kind = ASKED[path]
    asked = components[kind.__name__]["properties"] if kind is not None else {}
    within = [name.strip("{}") for name in path.split("/") if name.startswith("{")]
    limits = {"what": {"enum": list(WHAT)}, "form": {"enum": list(FORMS)}}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": TEXT | limits.get(name, {})} for name in within
    ]
    parameters += [{"name": name, "in": "query", "schema": said | limits.get(name, {})} for name, said in asked.items()]
    return {"summary": words, "parameters": parameters, **_answers(path)}


def _post(path: str) -> dict[str, Any]:
    words, kind = TOLD[path]
    said: dict[str, Any] = {"summary": words, **_answers(path)}
    if kind is not None:
        schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
        said["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    return said


def _answers(path: str) -> dict[str, Any]:
    media = {"/api/live": "text/event-stream", "/api/export/{what}": "application/octet-stream"}.get(path, JSON)
    found = {"description": "Done.", "content": {media: {"schema": ANSWERS.get(path, {})}}}
    refused = {code: {"description": words} for code, words in REFUSED.items()}
    return {"responses": {"200": found, **refused}, "security": [] if path in OPEN else [{"session": []}]}
