"""Holds what was really said against a JSON schema, as far as our own pages use it."""

from __future__ import annotations

from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list, tuple), "string": (str, bytes), "integer": (int,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def fits(said: Any, schema: dict[str, Any], page: dict[str, Any], where: str = "") -> list[str]:
    """What of it does not fit, by place."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return fits(said, page["components"]["schemas"][name], page, where)
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(said, TYPES[kind]) for kind in kinds):
        return [f"{where}: {said!r} is no {kinds}"]
    wrong: list[str] = []
    if isinstance(said, dict):
        known = schema.get("properties", {})
        wrong += [f"{where}.{name} is missing" for name in schema.get("required", []) if name not in said]
        wrong += [
            one for name in said if name in known for one in fits(said[name], known[name], page, f"{where}.{name}")
        ]
    if isinstance(said, list | tuple) and isinstance(schema.get("items"), dict):
        wrong += [
            one for place, each in enumerate(said) for one in fits(each, schema["items"], page, f"{where}[{place}]")
        ]
    return wrong
