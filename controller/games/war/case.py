"""A written case of Casino War: what the world does, and what should come of it."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import msgspec

from controller.desk import Limits
from controller.games.war.cards import BadCard, parse
from controller.games.war.config import WarConfig
from controller.games.war.rules import war_rules

ZONES = ("main", "tie", "war", "a_bomb", "perfect_pairs")
STAGES = {"initial": "initial", "first": "initial", "war": "war"}
CHOICES = {"war": "war", "go_to_war": "war", "surrender": "surrender", "decline": "decline", "none": "decline"}
CARD_SOURCES = {"shoe": "shoe", "csm": "csm", "shuffler": "csm"}


class BadCase(Exception):
    """A case that cannot be played as it is written; the text names the place."""


class CaseStake(NamedTuple):
    """One stake of a case, in cents."""

    id: str
    player: str
    box: int
    zone: str
    stage: str
    amount: int
    late: bool
    token: bool


class Case(msgspec.Struct):
    """A case with its money in cents and its set-up in the engine's terms."""

    id: str
    rulebook: str
    config: WarConfig
    limits: Limits
    personal: dict[str, tuple[int, int]]
    kept_minimum: dict[str, int]
    stakes: list[CaseStake]
    cards: list[str]
    decisions: dict[tuple[int, str], str]
    events: list[dict[str, Any]]
    expected: list[dict[str, Any]] | None
    to: list[str] | None


def cents(amount: Any, place: str) -> int:
    """Dollars as scenarios write them, in cents."""
    try:
        exact = Decimal(str(amount)) * 100
    except InvalidOperation:
        raise BadCase(f"{place}: {amount!r} is no amount of money") from None
    if isinstance(amount, bool) or exact != int(exact) or exact < 0:
        raise BadCase(f"{place}: {amount!r} is no amount in whole cents")
    return int(exact)


def read_case(raw: dict[str, Any]) -> Case:
    """A case from its JSON form."""
    place = f"case {raw.get('id', '?')}"
    for field in ("id", "rulebook"):
        if not isinstance(raw.get(field), str):
            raise BadCase(f"{place}: {field!r} is missing")
    config = raw.get("config") or {}
    if not isinstance(config, dict):
        raise BadCase(f"{place}: 'config' must be an object")
    stakes = _stakes(raw, place)
    limits = _limits(config, place)
    decisions = _decisions(raw, place)
    cards = [str(card) for card in _listed(raw, "cards", place)]
    for number, card in enumerate(cards):
        try:
            parse(card)
        except BadCard as wrong:
            raise BadCase(f"{place}: card {number + 1}: {wrong}") from None
    return Case(
        id=raw["id"],
        rulebook=raw["rulebook"],
        config=_config(raw, config, stakes, place),
        limits=limits,
        personal=_personal(config, limits, place),
        kept_minimum={name: cents(least, place) for name, least in (config.get("kept_min") or {}).items()},
        stakes=stakes,
        cards=cards,
        decisions=decisions,
        events=_events(raw, place),
        expected=raw.get("expected"),
        to=raw.get("to"),
    )


def _listed(raw: dict[str, Any], key: str, place: str) -> list[Any]:
    found = raw.get(key) or []
    if not isinstance(found, list):
        raise BadCase(f"{place}: {key!r} must be a list")
    return found


def _events(raw: dict[str, Any], place: str) -> list[dict[str, Any]]:
    found = _listed(raw, "events", place)
    for number, event in enumerate(found, 1):
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise BadCase(f"{place}: event {number}: must be an object that says what the 'event' is")
    return [dict(event) for event in found]


def _box(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadCase(f"{where}: 'box' is the number of a box from 1, not {value!r}")
    return value


def _decisions(raw: dict[str, Any], place: str) -> dict[tuple[int, str], str]:
    found = {}
    for number, one in enumerate(_listed(raw, "decisions", place), 1):
        where = f"{place}: decision {number}"
        if not isinstance(one, dict):
            raise BadCase(f"{where}: must be an object")
        choice = CHOICES.get(str(one.get("choice", "")))
        if choice is None:
            raise BadCase(f"{where}: choice {one.get('choice')!r}; use {', '.join(CHOICES)}")
        if not isinstance(one.get("player"), str):
            raise BadCase(f"{where}: 'player' is missing")
        found[_box(one.get("box"), where), one["player"]] = choice
    return found


def _stakes(raw: dict[str, Any], place: str) -> list[CaseStake]:
    found: list[CaseStake] = []
    for number, entry in enumerate(_listed(raw, "wagers", place), 1):
        if not isinstance(entry, dict):
            raise BadCase(f"{place}: wagers {number}: must be an object with a box and its wagers")
        for wager in _listed(entry, "wagers", f"{place}: wagers {number}") if "wagers" in entry else [entry]:
            found.append(_stake(wager, wager.get("box", entry.get("box")), place))
    return found


def _stake(wager: dict[str, Any], box: Any, place: str) -> CaseStake:
    where = f"{place}: wager {wager.get('id', '?')}"
    for field in ("id", "player"):
        if not isinstance(wager.get(field), str):
            raise BadCase(f"{where}: {field!r} is missing")
    zone = str(wager.get("type") or wager.get("zone") or "")
    if zone not in ZONES:
        raise BadCase(f"{where}: type {zone!r}; use {', '.join(ZONES)}")
    stage = STAGES.get(str(wager.get("stage") or ("war" if zone == "war" else "initial")))
    if stage is None:
        raise BadCase(f"{where}: stage {wager['stage']!r}; use initial or war")
    amount = cents(wager.get("amount"), where)
    late, token = bool(wager.get("late")), bool(wager.get("token"))
    return CaseStake(wager["id"], wager["player"], _box(box, where), zone, stage, amount, late, token)


def _limits(config: dict[str, Any], place: str) -> Limits:
    return Limits(
        cents(config.get("min", 1), place),
        cents(config.get("max", 1_000_000), place),
        cents(config.get("unit") or 0, place),
        cents(config.get("smallest_chip", 1), place),
    )


def _personal(config: dict[str, Any], limits: Limits, place: str) -> dict[str, tuple[int, int]]:
    least, most = config.get("personal_min") or {}, config.get("personal_max") or {}
    return {
        name: (
            cents(least[name], place) if name in least else limits.least,
            cents(most[name], place) if name in most else limits.most,
        )
        for name in {**least, **most}
    }


def _config(raw: dict[str, Any], config: dict[str, Any], stakes: list[CaseStake], place: str) -> WarConfig:
    source = CARD_SOURCES.get(str(config.get("source", "shoe")))
    if source is None:
        raise BadCase(f"{place}: card source {config.get('source')!r}; use shoe or csm")
    rules = war_rules(raw["rulebook"])
    values: dict[str, Any] = {
        "decks": raw.get("decks", rules.cards.decks[0]),
        "source": source,
        "boxes": max([9, *[stake.box for stake in stakes]]) if not rules.layout.boxes_most else rules.layout.boxes_most,
        "war_method": config.get("war_method") or "A",
        "round_burn": bool(config.get("round_burn", False)),
        "start_burn": bool(config.get("shoe_burn", True)),
        "optional_zones": list(rules.layout.optional_zones),
        "column": _column(config.get("perfect_pairs"), place),
        "readings": dict(config.get("readings") or config.get("options") or {}),
    }
    if not values["column"]:
        values["optional_zones"] = [zone for zone in values["optional_zones"] if zone != "perfect_pairs"]
    try:
        return msgspec.convert(values, WarConfig)
    except msgspec.ValidationError as wrong:
        raise BadCase(f"{place}: {wrong}") from None


def _column(written: Any, place: str) -> int:
    """The payout column out of `col2:6d 25/12/5`, or its number."""
    if written in (None, "", False):
        return 0
    if isinstance(written, int):
        return written
    found = re.match(r"col(?:umn)?\s*(\d+)", str(written))
    if found is None:
        raise BadCase(f"{place}: payout column {written!r}; write col2:6d 25/12/5")
    return int(found[1])
