"""A written case of Casino War: what the world does, and what should come of it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from controller.config.tomlread import nearest
from controller.core.desk import Limits
from controller.games.war.config import WarConfig
from controller.games.war.rules import WarRules, war_rules
from controller.rules.rulebook import Rulebook
from lab.scenarios.file import ScenarioError, dollars
from lab.scenarios.war.words import BOXED, CASE, CONFIG, DECISIONS, EVENTS, EXPECTED, RANKS, WAGERS

TOLD_OTHERWISE = ("wagers", "cards", "decisions", "events", "to")
"""What a case of steps has no use for."""
AMOUNTS = ("pays", "stake_taken", "stake_returned")


class CaseEvent(msgspec.Struct):
    """One event of a case: the word it means, the name it was told by, its fields, and where it stands; `done` once it
    came about at the table."""

    kind: str
    name: str
    told: dict[str, Any]
    where: str = ""
    done: bool = False

    @property
    def card_index(self) -> int | None:
        """The card of the case that this is about."""
        index: int | None = self.told.get("card_index")
        return index

    @property
    def after_card(self) -> int | None:
        """After how many cards of the case it happens."""
        after = self.told.get("after_card")
        return after if after is not None or self.card_index is None else self.card_index + 1

    @property
    def stage(self) -> str:
        return str(self.told.get("stage", ""))

    @property
    def players(self) -> list[str]:
        """Everybody it names."""
        return [*self.told.get("players", []), *([self.told["player"]] if "player" in self.told else [])]

    @property
    def wagers(self) -> list[str]:
        """Every wager it names."""
        return [*self.told.get("wagers", []), *([self.told["wager"]] if "wager" in self.told else [])]

    def wrong(self, what: str) -> ScenarioError:
        """What is wrong with it, with the place."""
        return ScenarioError(f"{self.where}: event {self.name!r}: {what}")

    def level(self, book: Rulebook) -> int:
        """The rank that rules in this event as a step of the ladder; 0 where it does not say."""
        named = str(self.told.get("rank", ""))
        level = book.level(RANKS.get(named, named)) if named else 0
        if named and not level:
            raise self.wrong(f"{book.id} knows no rank {named!r}; it has {' < '.join(book.ladder)}")
        return level


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
    events: list[CaseEvent]
    expected: list[dict[str, Any]] | None
    to: list[str] | None
    where: str
    places: int = 0


def read_case(raw: dict[str, Any], where: str = "") -> Case:
    """A case from its JSON form; ScenarioError with the place where it is wrong."""
    where = where or f"case {raw.get('id', '?')}"
    said = CASE.read(raw, where).said
    if "steps" in said and (told := [field for field in TOLD_OTHERWISE if said.get(field)]):
        raise ScenarioError(f"{where}: {told[0]!r} means nothing beside steps; tell it as steps too")
    rules = war_rules(said["rulebook"])
    config = CONFIG.read(said.get("config") or {}, f"{where}: config").said
    stakes = _stakes(said.get("wagers") or [], where)
    limits = _limits(config)
    return Case(
        id=said["id"],
        rulebook=said["rulebook"],
        config=_config(said, config, rules, stakes, where),
        limits=limits,
        personal=_personal(config, limits),
        kept_minimum=config.get("kept_min", {}),
        stakes=stakes,
        cards=said.get("cards", []),
        decisions=_decisions(said.get("decisions") or [], stakes, where),
        events=_events(said.get("events") or [], stakes, where),
        expected=_expected(said["expected"], stakes, where) if "expected" in said else None,
        to=said.get("to"),
        where=where,
        places=config.get("boxes", 0),
    )


def _events(raw: Any, stakes: list[CaseStake], where: str) -> list[CaseEvent]:
    """Events need not name the player, box or wager of a case that has but one."""
    there: dict[str, set[Any]] = {
        "player": {stake.player for stake in stakes},
        "box": {stake.box for stake in stakes},
        "wager": {stake.id for stake in stakes},
    }
    only = {field: next(iter(values)) for field, values in there.items() if len(values) == 1}
    return [CaseEvent(told.word.name, told.name, told.said, where) for told in EVENTS.read_all(raw, where, only)]


def _expected(raw: Any, stakes: list[CaseStake], where: str) -> list[dict[str, Any]]:
    """What should come of every wager; a line of no wager, or not about the wager it names, is an error of the case."""
    by_id = {stake.id: stake for stake in stakes}
    found = []
    for number, told in enumerate(EXPECTED.read_all(raw, where), 1):
        line, place = told.said, f"{where}: expected {number}"
        stake = by_id.get(line["wager"])
        if stake is None and by_id:
            raise ScenarioError(f"{place}: there is no wager {line['wager']!r}; {nearest(line['wager'], list(by_id))}")
        if stake is not None:
            _fits(line, stake, place)
        refused, returned = (line.get("result") == how for how in ("refused", "returned"))
        line |= {field: dollars(line[field]) for field in AMOUNTS if field in line}
        found.append({
            **line, "refused": refused, **({"result": "void"} if refused or returned else {}),
            **({"stake_taken": 0} if returned else {}),
        })  # fmt: skip
    return found


def _fits(line: dict[str, Any], stake: CaseStake, where: str) -> None:
    """An expectation must be about the wager it names."""
    told = {"box": stake.box, "player": stake.player, "type": stake.zone, "stage": stake.stage}
    for field, value in told.items():
        if line.get(field, value) != value:
            raise ScenarioError(f"{where}: wager {stake.id} has {field} {value!r}, not {line[field]!r}")
    parts = [line[field] for field in AMOUNTS[1:] if field in line]
    if len(parts) == 2 and sum(parts) != stake.amount:
        raise ScenarioError(f"{where}: stake_taken and stake_returned do not make up the stake of wager {stake.id}")


def _decisions(raw: Any, stakes: list[CaseStake], where: str) -> dict[tuple[int, str], str]:
    found: dict[tuple[int, str], str] = {}
    mains = {(stake.box, stake.player) for stake in stakes if stake.zone == "main"}
    for number, told in enumerate(DECISIONS.read_all(raw, where), 1):
        box, player = told.said["box"], told.said["player"]
        if (box, player) in found:
            raise ScenarioError(f"{where}: decisions {number}: {player} has decided on box {box} already")
        if mains and (box, player) not in mains:
            raise ScenarioError(f"{where}: decisions {number}: {player} has no main stake on box {box}")
        found[box, player] = told.said["choice"]
    return found


def _stakes(raw: Any, where: str) -> list[CaseStake]:
    found: list[CaseStake] = []
    for place, wager in _flat(raw, where):
        stake = _stake(WAGERS.read(wager, place).said, place)
        if any(other.id == stake.id for other in found):
            raise ScenarioError(f"{place}: two wagers have the id {stake.id!r}")
        found.append(stake)
    return found


def _flat(raw: Any, where: str) -> list[tuple[str, Any]]:
    """Every wager with its own box, where the case tells them box by box."""
    if not isinstance(raw, list):
        raise ScenarioError(f"{where}: wagers must be a list, not {raw!r}")
    found: list[tuple[str, Any]] = []
    for number, entry in enumerate(raw, 1):
        place = f"{where}: wagers {number}"
        if isinstance(entry, dict) and "wagers" in entry:
            said = BOXED.read(entry, place).said
            found += [
                (f"{place}: wager {one.get('id', at)}", {"box": said["box"], **one})
                for at, one in enumerate(said["wagers"], 1)
            ]
        else:
            found.append((place, entry))
    return found


def _stake(said: dict[str, Any], where: str) -> CaseStake:
    zone = said["type"]
    stage = said.get("stage", "war" if zone == "war" else "initial")
    if "box" not in said:
        raise ScenarioError(f"{where}: 'box' is missing; it says which box the stake lies on")
    if (zone == "war") != (stage == "war") and zone != "perfect_pairs":
        raise ScenarioError(f"{where}: a {zone} stake is never laid at the {stage} stage")
    late, token, refused = (said.get(flag, False) for flag in ("late", "token", "refused"))
    return CaseStake(said["id"], said["player"], said["box"], zone, stage, said["amount"], late, token, refused)


def _limits(config: dict[str, Any]) -> Limits:
    least, most = config.get("min", 100), config.get("max", 100_000_000)
    bets = {bet: (own.get("min", least), own.get("max", most)) for bet, own in config.get("bets", {}).items()}
    return Limits(least, most, config.get("unit", 0), config.get("smallest_chip", 100), bets)


def _personal(config: dict[str, Any], limits: Limits) -> dict[str, tuple[int, int]]:
    least, most = config.get("personal_min", {}), config.get("personal_max", {})
    return {name: (least.get(name, limits.least), most.get(name, limits.most)) for name in {**least, **most}}


def _config(
    said: dict[str, Any], config: dict[str, Any], rules: WarRules, stakes: list[CaseStake], where: str
) -> WarConfig:
    most = rules.layout.boxes_most or max([9, *[stake.box for stake in stakes]])
    values: dict[str, Any] = {
        "decks": said.get("decks", rules.cards.decks[0]),
        "source": config.get("source", "shoe"),
        "boxes": config.get("boxes", most),
        "war_method": config.get("war_method", "A"),
        "round_burn": config.get("round_burn", False),
        "start_burn": config.get("shoe_burn", True),
        "optional_zones": config.get("zones", list(rules.layout.optional_zones)),
        "share_most": config.get("share_most", 0),
        "tournament": config.get("tournament", False),
        "column": _column(config.get("perfect_pairs"), rules, f"{where}: config"),
        "readings": config.get("options", {}),
    }
    if not values["column"] and "zones" not in config:
        values["optional_zones"] = [zone for zone in values["optional_zones"] if zone != "perfect_pairs"]
    try:
        return msgspec.convert(values, WarConfig)
    except msgspec.ValidationError as wrong:
        raise ScenarioError(f"{where}: config: {wrong}") from None


def _column(written: str | int | None, rules: WarRules, where: str) -> int:
    """The payout column out of `col2:6d 25/12/5`, or its number; decks and odds must be those of that column."""
    if not written or isinstance(written, int):
        return written or 0
    found = re.fullmatch(r"col(?:umn)?\s*(\d+)(?:\s*:\s*(\d+)d\s+(\d+)/(\d+)/(\d+))?", written)
    if found is None:
        raise ScenarioError(f"{where}: payout column {written!r}; write col2:6d 25/12/5")
    column = rules.column(int(found[1]))
    if column is not None and found[2] is not None:
        told = tuple(int(part) for part in found.groups()[1:])
        if told != (column.decks, column.perfect, column.coloured, column.mixed):
            text = f"col{column.number}:{column.decks}d {column.perfect}/{column.coloured}/{column.mixed}"
            raise ScenarioError(f"{where}: payout column {written!r}; the rulebook has {text}")
    return int(found[1])
