"""A written case of Casino War: what the world does, and what should come of it."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import msgspec

from controller.config.tomlread import nearest
from controller.core.desk import Limits
from controller.games.war.cards import BadCard, parse
from controller.games.war.config import WarConfig
from controller.games.war.rules import WarRules, war_rules
from controller.rules.rulebook import load_rulebook
from lab.scenarios.war.errors import BadCase
from lab.scenarios.war.happenings import Happening, happening

ZONES = {
    "main": "main", "casino_war": "main", "initial_wager": "main", "tie": "tie", "war": "war", "go_to_war": "war",
    "war_wager": "war", "a_bomb": "a_bomb", "abomb": "a_bomb", "perfect_pairs": "perfect_pairs",
    "perfect_pair": "perfect_pairs",
}  # fmt: skip
STAGES = {"initial": "initial", "first": "initial", "war": "war", "second": "war"}
CHOICES = {
    "war": "war", "go_to_war": "war", "surrender": "surrender", "decline": "decline", "none": "decline",
    "no_answer": "decline", "silent": "decline",
}  # fmt: skip
CARD_SOURCES = {"shoe": "shoe", "csm": "csm", "shuffler": "csm"}
RESULTS = {
    "win": "win", "lose": "lose", "standoff": "standoff", "stand_off": "standoff", "stand-off": "standoff",
    "surrender": "surrender", "void": "void", "returned": "void", "refused": "void",
}  # fmt: skip
PLACES = {
    "shoe_start_up": "shoe-start-up", "shoe_burn": "shoe-burn", "war_burn": "war-burn", "round_burn": "round-burn",
    "next_round": "next-round", "parked": "next-round", "held": "next-round", "carried": "next-round",
    "next": "next-round", "discards": "discard", "cutting-card": "cut",
}  # fmt: skip
WAGER_FIELDS = ("id", "box", "player", "type", "zone", "amount", "stage", "late", "refused", "token", "why", "note")
LINE_FIELDS = (
    "wager", "box", "player", "type", "stage", "result", "pays", "stake_taken", "stake_returned", "clauses", "why",
    "note",
)  # fmt: skip
CONFIG_ALIASES = {
    "method": "war_method", "payout_column": "perfect_pairs", "column": "perfect_pairs", "start_burn": "shoe_burn",
    "kept_minimum": "kept_min", "chip": "smallest_chip", "card_source": "source", "places": "boxes",
    "options": "readings", "limits_per": "count_per", "limit_per": "count_per", "per": "count_per",
}  # fmt: skip
CONFIG_FIELDS = (
    "min", "max", "unit", "smallest_chip", "source", "war_method", "personal_min", "personal_max", "kept_min",
    "shoe_burn", "round_burn", "perfect_pairs", "boxes", "zones", "share_most", "tournament", "bets", "readings",
)  # fmt: skip


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
    refused: bool = False


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
    events: list[Happening]
    expected: list[dict[str, Any]] | None
    to: list[str] | None
    places: int = 0


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
    rules = war_rules(raw["rulebook"])
    config = _config_told(raw, rules, place)
    stakes = _stakes(raw, place)
    limits = _limits(config, place)
    cards = [str(card) for card in _listed(raw, "cards", place)]
    for number, card in enumerate(cards):
        try:
            parse(card)
        except BadCard as wrong:
            raise BadCase(f"{place}: card {number + 1}: {wrong}") from None
    kept = _by_player(config, "kept_min", place)
    return Case(
        id=raw["id"],
        rulebook=raw["rulebook"],
        config=_config(raw, config, rules, stakes, place),
        limits=limits,
        personal=_personal(config, limits, place),
        kept_minimum={name: cents(least, place) for name, least in kept.items()},
        stakes=stakes,
        cards=cards,
        decisions=_decisions(raw, stakes, place),
        events=_events(raw, stakes, place),
        expected=_expected(raw, stakes, place),
        to=None if raw.get("to") is None else [_resting(one, place) for one in _listed(raw, "to", place)],
        places=_box(config["boxes"], place) if "boxes" in config else 0,
    )


def known(fields: dict[str, Any], allowed: tuple[str, ...], place: str) -> None:
    """Refuse a field that means nothing, with the nearest that does."""
    for field in fields:
        if field not in allowed:
            raise BadCase(f"{place}: {field!r} means nothing here; {nearest(field, list(allowed))}")


def _resting(place: Any, where: str) -> str:
    """Where a card ends, as the table writes it."""
    told = PLACES.get(str(place), str(place))
    fixed = ("dealer", "war-burn", "round-burn", "shoe-start-up", "shoe-burn", "discard", "cut", "void", "next-round")
    if told not in fixed and not re.fullmatch(r"box[1-9]\d*", told):
        raise BadCase(f"{where}: to: {place!r} is no place for a card; {nearest(told, ['box1', *fixed])}")
    return told


def _listed(raw: dict[str, Any], key: str, place: str) -> list[Any]:
    found = raw.get(key) or []
    if not isinstance(found, list):
        raise BadCase(f"{place}: {key!r} must be a list")
    return found


def _events(raw: dict[str, Any], stakes: list[CaseStake], place: str) -> list[Happening]:
    found = []
    named: dict[str, set[Any]] = {
        "player": {stake.player for stake in stakes},
        "box": {stake.box for stake in stakes},
        "wager": {stake.id for stake in stakes},
    }
    only = {field: next(iter(values)) for field, values in named.items() if len(values) == 1}
    for number, event in enumerate(_listed(raw, "events", place), 1):
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise BadCase(f"{place}: event {number}: must be an object that says what the 'event' is")
        found.append(happening(number, event, only))
    return found


def _expected(raw: dict[str, Any], stakes: list[CaseStake], place: str) -> list[dict[str, Any]] | None:
    """What should come of every wager; a result that means nothing, or of no wager, is an error of the case."""
    if raw.get("expected") is None:
        return None
    by_id = {stake.id: stake for stake in stakes}
    found = []
    for number, line in enumerate(_listed(raw, "expected", place), 1):
        where = f"{place}: expected {number}"
        if not isinstance(line, dict):
            raise BadCase(f"{where}: must be an object with a wager and its result")
        known(line, LINE_FIELDS, where)
        wager = str(line.get("wager"))
        stake = by_id.get(wager)
        if stake is None and by_id:
            raise BadCase(f"{where}: there is no wager {wager!r}; {nearest(wager, list(by_id))}")
        if "result" in line and line["result"] not in RESULTS:
            raise BadCase(f"{where}: result {line['result']!r}; {nearest(str(line['result']), list(RESULTS))}")
        if stake is not None:
            _fits(line, stake, where)
        read = {key: value for key, value in line.items() if key not in ("why", "note")}
        if "result" in line:
            read |= {"result": RESULTS[line["result"]], "refused": line["result"] == "refused"}
        found.append(read)
    return found


def _fits(line: dict[str, Any], stake: CaseStake, where: str) -> None:
    """An expectation must be about the wager it names."""
    told = {"box": stake.box, "player": stake.player, "type": stake.zone, "stage": stake.stage}
    for field, value in told.items():
        given = line.get(field, value)
        if field == "type":
            given = ZONES.get(str(given), given)
        if field == "stage":
            given = STAGES.get(str(given), given)
        if given != value:
            raise BadCase(f"{where}: wager {stake.id} has {field} {value!r}, not {line[field]!r}")
    parts = [cents(line[field], where) for field in ("stake_taken", "stake_returned") if field in line]
    if len(parts) == 2 and sum(parts) != stake.amount:
        raise BadCase(f"{where}: stake_taken and stake_returned do not make up the stake of wager {stake.id}")


def _box(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadCase(f"{where}: 'box' is the number of a box from 1, not {value!r}")
    return value


def _decisions(raw: dict[str, Any], stakes: list[CaseStake], place: str) -> dict[tuple[int, str], str]:
    found = {}
    mains = {(stake.box, stake.player) for stake in stakes if stake.zone == "main"}
    for number, one in enumerate(_listed(raw, "decisions", place), 1):
        where = f"{place}: decision {number}"
        if not isinstance(one, dict):
            raise BadCase(f"{where}: must be an object")
        known(one, ("box", "player", "choice", "why", "note"), where)
        choice = CHOICES.get(str(one.get("choice", "")))
        if choice is None:
            raise BadCase(f"{where}: choice {one.get('choice')!r}; use {', '.join(CHOICES)}")
        if not isinstance(one.get("player"), str):
            raise BadCase(f"{where}: 'player' is missing")
        place_ = _box(one.get("box"), where), one["player"]
        if place_ in found:
            raise BadCase(f"{where}: {one['player']} has decided on box {place_[0]} already")
        if mains and place_ not in mains:
            raise BadCase(f"{where}: {one['player']} has no main stake on box {place_[0]}")
        found[place_] = choice
    return found


def _stakes(raw: dict[str, Any], place: str) -> list[CaseStake]:
    found: list[CaseStake] = []
    for number, entry in enumerate(_listed(raw, "wagers", place), 1):
        if not isinstance(entry, dict):
            raise BadCase(f"{place}: wagers {number}: must be an object with a box and its wagers")
        if "wagers" in entry:
            known(entry, ("box", "wagers", "why", "note"), f"{place}: wagers {number}")
        for wager in _listed(entry, "wagers", f"{place}: wagers {number}") if "wagers" in entry else [entry]:
            if not isinstance(wager, dict):
                raise BadCase(f"{place}: wagers {number}: a wager is an object, not {wager!r}")
            found.append(_stake(wager, wager.get("box", entry.get("box")), place))
            if any(other.id == found[-1].id for other in found[:-1]):
                raise BadCase(f"{place}: wager {found[-1].id}: two wagers have this id")
    return found


def _stake(wager: dict[str, Any], box: Any, place: str) -> CaseStake:
    where = f"{place}: wager {wager.get('id', '?')}"
    for field in ("id", "player"):
        if not isinstance(wager.get(field), str):
            raise BadCase(f"{where}: {field!r} is missing")
    known(wager, WAGER_FIELDS, where)
    zone = ZONES.get(str(wager.get("type") or wager.get("zone") or ""), "")
    if not zone:
        told = str(wager.get("type") or wager.get("zone"))
        raise BadCase(f"{where}: type {told!r}; {nearest(told, list(ZONES))}")
    stage = STAGES.get(str(wager.get("stage") or ("war" if zone == "war" else "initial")))
    if stage is None:
        raise BadCase(f"{where}: stage {wager['stage']!r}; use initial or war")
    amount = cents(wager.get("amount"), where)
    if (zone == "war") != (stage == "war") and zone != "perfect_pairs":
        raise BadCase(f"{where}: a {zone} stake is never laid at the {stage} stage")
    flags = [wager.get(flag, False) for flag in ("late", "token", "refused")]
    if not all(isinstance(flag, bool) for flag in flags):
        raise BadCase(f"{where}: 'late', 'token' and 'refused' are true or false")
    return CaseStake(wager["id"], wager["player"], _box(box, where), zone, stage, amount, *flags)


def _config_told(raw: dict[str, Any], rules: WarRules, place: str) -> dict[str, Any]:
    """The table as the case has it, under the names used here; a reading may be told by the last part of its name."""
    config = raw.get("config") or {}
    if not isinstance(config, dict):
        raise BadCase(f"{place}: 'config' must be an object")
    readings_open = load_rulebook(raw["rulebook"]).readings.values()
    short = {reading.option.split(".")[-1]: reading.option for reading in readings_open}
    told: dict[str, Any] = {}
    readings: dict[str, Any] = {}
    for field, value in config.items():
        name = CONFIG_ALIASES.get(field, field)
        if name in CONFIG_FIELDS:
            if name in told:
                raise BadCase(f"{place}: config: {field!r} says {name!r} a second time")
            told[name] = value
        elif name in short and isinstance(value, str | int):
            readings[short[name]] = value
        elif name not in ("why", "note"):
            raise BadCase(f"{place}: config: {field!r} means nothing here; {nearest(field, list(CONFIG_FIELDS))}")
    given = told.get("readings") or {}
    if not isinstance(given, dict):
        raise BadCase(f"{place}: config: 'options' must be an object of readings and their choices")
    told["readings"] = {**given, **readings}
    return told


def _limits(config: dict[str, Any], place: str) -> Limits:
    least, most = cents(config.get("min", 1), place), cents(config.get("max", 1_000_000), place)
    bets = {}
    for bet, own in (config.get("bets") or {}).items():
        known(own, ("min", "max"), f"{place}: config: bets: {bet}")
        zone = ZONES.get(bet)
        if zone is None:
            raise BadCase(f"{place}: config: bets: {bet!r}; {nearest(bet, list(ZONES))}")
        bets[zone] = (cents(own.get("min", least / 100), place), cents(own.get("max", most / 100), place))
    unit, chip = cents(config.get("unit") or 0, place), cents(config.get("smallest_chip", 1), place)
    return Limits(least, most, unit, chip, bets)


def _by_player(config: dict[str, Any], field: str, place: str) -> dict[str, Any]:
    found = config.get(field) or {}
    if not isinstance(found, dict):
        raise BadCase(f"{place}: config: {field!r} must be an object of players and amounts")
    return found


def _personal(config: dict[str, Any], limits: Limits, place: str) -> dict[str, tuple[int, int]]:
    least, most = _by_player(config, "personal_min", place), _by_player(config, "personal_max", place)
    return {
        name: (
            cents(least[name], place) if name in least else limits.least,
            cents(most[name], place) if name in most else limits.most,
        )
        for name in {**least, **most}
    }


def _config(
    raw: dict[str, Any], config: dict[str, Any], rules: WarRules, stakes: list[CaseStake], place: str
) -> WarConfig:
    source = CARD_SOURCES.get(str(config.get("source", "shoe")))
    if source is None:
        raise BadCase(f"{place}: card source {config.get('source')!r}; use shoe or csm")
    most = rules.layout.boxes_most or max([9, *[stake.box for stake in stakes]])
    values: dict[str, Any] = {
        "decks": raw.get("decks", rules.cards.decks[0]),
        "source": source,
        "boxes": config.get("boxes", most),
        "war_method": config.get("war_method") or "A",
        "round_burn": config.get("round_burn", False),
        "start_burn": config.get("shoe_burn", True),
        "optional_zones": config.get("zones", list(rules.layout.optional_zones)),
        "share_most": config.get("share_most", 0),
        "tournament": config.get("tournament", False),
        "column": _column(config.get("perfect_pairs"), rules, place),
        "readings": config["readings"],
    }
    if not values["column"] and "zones" not in config:
        values["optional_zones"] = [zone for zone in values["optional_zones"] if zone != "perfect_pairs"]
    try:
        return msgspec.convert(values, WarConfig)
    except msgspec.ValidationError as wrong:
        raise BadCase(f"{place}: {wrong}") from None


def _column(written: Any, rules: WarRules, place: str) -> int:
    """The payout column out of `col2:6d 25/12/5`, or its number; decks and odds must be those of that column."""
    if written in (None, "", False):
        return 0
    if isinstance(written, int):
        return written
    found = re.fullmatch(r"col(?:umn)?\s*(\d+)(?:\s*:\s*(\d+)d\s+(\d+)/(\d+)/(\d+))?", str(written))
    if found is None:
        raise BadCase(f"{place}: payout column {written!r}; write col2:6d 25/12/5")
    column = rules.column(int(found[1]))
    if column is not None and found[2] is not None:
        told = tuple(int(part) for part in found.groups()[1:])
        if told != (column.decks, column.perfect, column.coloured, column.mixed):
            text = f"col{column.number}:{column.decks}d {column.perfect}/{column.coloured}/{column.mixed}"
            raise BadCase(f"{place}: payout column {written!r}; the rulebook has {text}")
    return int(found[1])
