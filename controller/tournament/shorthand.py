"""The shorter ways in which a terms file may say a thing, written out before it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _step(value: Any) -> Any:
    if isinstance(value, list) and 2 <= len(value) <= 3:
        later = str(value[2]).removeprefix("not before").strip() if len(value) == 3 else ""
        return {"from": value[0], "units": value[1], "not_before": later}
    return value


def _steps(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return [{"from": 1, "units": value}]
    return [_step(one) for one in value] if isinstance(value, list) else value


def _secret(value: Any) -> Any:
    return {"each": value} if isinstance(value, int) and not isinstance(value, bool) else value


def _through(value: Any) -> Any:
    return {value: True} if value in ("winner", "survivors") else value


def _eliminated(value: Any) -> Any:
    return {"bank_below_compulsory": "below_compulsory"}.get(value, value) if isinstance(value, str) else value


def _carried(value: Any) -> Any:
    return "carried" if value == "carry" else value


def _moment(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _none(value: Any) -> Any:
    return 0 if value == "none" else value


def _pool(value: Any) -> Any:
    """`pool = "buy_ins"` is a pool of nothing but what entrants paid."""
    if isinstance(value, dict) and isinstance(value.get("pool"), str):
        return {**value, "pool": 0, "made_of": value["pool"]}
    return value


SHORT: dict[tuple[str, ...], Callable[[Any], Any]] = {
    ("wagers", "compulsory"): _steps,
    ("wagers", "secret"): _secret,
    ("sessions", "*", "through"): _through,
    ("sessions", "*", "bank"): _carried,
    ("result", "eliminated"): _eliminated,
    ("result", "ties"): lambda value: {"how": value} if isinstance(value, str) else value,
    ("result", "prizes"): _pool,
    ("tournament", "starts"): _moment,
    ("tournament", "withdraw", "free_until"): _moment,
    ("tournament", "withdraw", "substitute_until"): _moment,
    ("tournament", "approved", "at"): _moment,
    **{("tournament", "money", name): _none for name in ("entry_fee", "buy_in", "rebuy", "add_on")},
}
ABSENT = (("again", "buy_back"), ("again", "rebuy"), ("again", "add_on"), ("wagers", "secret"), ("wagers", "markers"))
"""What a file may answer with "none" where it is a table otherwise."""


def _apply(value: Any, path: tuple[str, ...], short: Callable[[Any], Any]) -> Any:
    if not path:
        return short(value)
    head, *rest = path
    if head == "*":
        return [_apply(one, tuple(rest), short) for one in value] if isinstance(value, list) else value
    if isinstance(value, dict) and head in value:
        return {**value, head: _apply(value[head], tuple(rest), short)}
    return value


def _levels(values: dict[str, Any]) -> dict[str, Any]:
    """`levels = [[50, 100], …]` with one `level_minutes` for all of them."""
    wagers = values.get("wagers")
    if not isinstance(wagers, dict) or ("level_minutes" not in wagers and "levels" not in wagers):
        return values
    stated, minutes = wagers.get("levels", []), wagers.get("level_minutes", 20)
    if not isinstance(stated, list):
        return values
    levels = [
        {"small": one[0], "big": one[1], "minutes": one[2] if len(one) == 3 else minutes}
        if isinstance(one, list) and 2 <= len(one) <= 3
        else one
        for one in stated
    ]
    rest = {key: value for key, value in wagers.items() if key != "level_minutes"}
    return {**values, "wagers": {**rest, "levels": levels}}


def at_length(values: dict[str, Any]) -> dict[str, Any]:
    """What a file says, with every shorter way of saying it written out."""
    for table, key in ABSENT:
        if isinstance(inside := values.get(table), dict) and inside.get(key) == "none":
            values = {**values, table: {name: value for name, value in inside.items() if name != key}}
    for path, short in SHORT.items():
        values = _apply(values, path, short)
    return _levels(values)
