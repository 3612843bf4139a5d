"""What was asked of a page's server, as the struct that it means; what does not fit is turned away in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from controller.config.tomlread import nearest

T = TypeVar("T")
KINDS = {
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "object": "an object",
    "array": "a list", "null": "nothing",
}  # fmt: skip
BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
SHORTEST = {">=": "at least ", "<=": "at most ", None: ""}


class Turned(Exception):
    """An answer that ends a request early."""

    headers: Mapping[str, str] = {}

    def __init__(self, status: int, error: str, **more: Any) -> None:
        super().__init__(error)
        self.status = status
        self.body = {"error": error, **more}


class TurnedAway(Turned):
    """The same, and the connection ends with it."""

    headers: Mapping[str, str] = {"Connection": "close"}


async def body_of(request: Request, kind: type[T]) -> T:
    """A request's JSON as this struct, or 400 with the place that is wrong."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except ClientDisconnect as gone:
        raise Turned(400, "The request was left before it was whole.") from gone
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Turned(400, f"The request does not fit: {in_words(error, kind)}.") from error


def query_of(request: Request, kind: type[T]) -> T:
    """What stands behind the ? of an address as this struct, or 400 with what is wrong."""
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except msgspec.ValidationError as error:
        raise Turned(400, f"The search does not fit: {in_words(error, kind)}.") from error


def in_words(error: Exception, kind: type[Any]) -> str:
    """What does not fit, as a person says it."""
    if not isinstance(error, msgspec.ValidationError):
        return "it is no JSON that can be read"
    message, _, where = str(error).partition(" - at `")
    place = f"'{where[2:-1]}'" if where.startswith("$.") else "it"
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", message):
        known = [field.encode_name for field in msgspec.structs.fields(kind)] if place == "it" else []
        return f"'{found[1]}' means nothing; {nearest(found[1], known)}".rstrip("; ?")
    if found := re.fullmatch(r"Object missing required field `(.*)`", message):
        return f"'{found[1]}' is missing"
    if found := re.fullmatch(r"Expected `(\w+)(?: \| null)?`, got `\w+`", message):
        return f"{place} must be {KINDS.get(found[1], found[1])}"
    if found := re.fullmatch(r"Expected `\w+` (>=|<=|>|<) ([-\d.e]+)", message):
        return f"{place} must be {BOUNDS[found[1]]} {found[2]}"
    if found := re.fullmatch(r"Expected `(?:array|str)` of length (>=|<=)? ?(\d+)", message):
        return f"{place} must be {SHORTEST[found[1]]}{found[2]} long"
    return f"{place} is none of what can stand there"
