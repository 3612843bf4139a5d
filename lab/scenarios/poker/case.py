"""Reads a case of Crown Poker: the terms, who sits where, the deck, what happens, and what must come of it."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.build import build_table
from controller.config.file import require_right
from controller.config.tomlread import Cents, ConfigError, nearest
from controller.config.types import TableConfig
from controller.games.poker.config import BonusSection, PokerSection, RakeSection
from controller.games.poker.offers import GAMES
from lab.scenarios.file import Case
from lab.scenarios.forms import check_subject, rank_of
from lab.scenarios.poker import words
from lab.sim.config import default_config

SWITCHES = ("straddle", "over_blinds", "side_wagers", "time_to_act_s", "extensions", "extension_s")

USUAL_SEATS = 9
"""A table seats so many, or more where the case has somebody sit further on."""
BESIDE_STEPS = ("actions", "events", "seated_then", "inputs")


class Act(msgspec.Struct):
    """One thing that happens in a hand, in the words it is played by."""

    do: str
    said: dict[str, Any]
    place: str
    where: str
    rank: int

    def get(self, name: str, otherwise: Any = None) -> Any:
        return self.said.get(name, otherwise)


class PokerCase:
    """A hand that can be played."""

    def __init__(self, case: Case, body: dict[str, Any]) -> None:
        said = words.CASE.read(body, case.where).said
        self.where = case.where
        if "seats" not in said:
            raise case.wrong("seats", "a hand needs two seats or more, each with its stack")
        self.stacks: dict[int, int] = said["seats"]
        self.config = _config(case, said, max(self.stacks))
        self.button: int = said.get("button", max(self.stacks))
        self.deck: list[str] = said.get("deck", [])
        self.shuffled: list[str] = said.get("shuffled", [])
        self.seated_then: list[list[int]] = said.get("seated_then", [])
        self.faults: list[Any] = said.get("faults", [])
        self.steps: list[Any] | None = said.get("steps")
        if self.steps is not None and (beside := [name for name in BESIDE_STEPS if name in said]):
            raise case.wrong(beside[0], "'steps' say it all; this is a step of them")
        self.actions = self._actions(said)
        self.expected: dict[str, Any] = said.get("expected", {})
        if self.expected:
            words.EXPECTED.read(self.expected, f"{self.where}: expected")

    def _actions(self, said: dict[str, Any]) -> list[Act]:
        table = build_table(self.config)
        section = words.actions(table)
        found = []
        for number, body in enumerate([*said.get("actions", []), *said.get("events", [])], 1):
            where = f"{self.where}: actions {number}"
            told = section.read(_with_do(body), where)
            if told.word.name == "answer":
                check_subject("poker", told.said.get("subject"), where)
            rank = rank_of(table, told.said.get("rank"), where)
            found.append(Act(told.word.name, told.said, f"actions {number} ({told.name})", where, rank))
        return found


def _with_do(body: Any) -> Any:
    """An action with its `do`, which is also called `action`, and goes without saying where chips are told."""
    if not isinstance(body, dict) or "do" in body:
        return body
    if "action" in body:
        return {"do" if name == "action" else name: value for name, value in body.items()}
    return {"do": "chips", **body} if "chips" in body else body


def _config(case: Case, said: dict[str, Any], highest: int) -> TableConfig:
    body = said.get("config", {})
    if isinstance(body, dict) and "game" not in body:
        body = {"game": said.get("game", "holdem"), **body}
    given = words.CONFIG.read(body, f"{case.where}: config").said
    chip = Cents(given.get("chip", 100))
    blinds = tuple(Cents(blind) for blind in given.get("blinds", (500, 1000)))
    levels = tuple(Cents(level) for level in given.get("levels", ()))
    least = Cents(given.get("min", levels[0] if levels else blinds[-1] if blinds else 100))
    try:
        base = default_config("poker", rulebook=case.rulebook)
        poker = PokerSection(
            game={full: short for short, full in GAMES.items()}.get(given["game"], given["game"]),
            structure=given.get("structure", "no_limit"),
            blinds=blinds,
            levels=levels,
            most=Cents(given["max"]) if given.get("max") else None,
            least_buy_in=chip,
            rake=_rake(given.get("rake")),
            **{name: given[name] for name in SWITCHES if name in given},
            extension_fee=Cents(given["extension_fee"]) if given.get("extension_fee") else None,
            bonus=tuple(_bonus(one) for one in given.get("bonus", ())),
        )
        limits = msgspec.structs.replace(base.limits, min=least, unit=least, max=Cents(10**9), smallest_chip=chip)
        limits = msgspec.structs.replace(limits, max=Cents(limits.max - limits.max % chip))
        devices = {place: device for place, device in base.devices.items() if device.kind != "shuffler"}
        seats = msgspec.structs.replace(base.seats, count=max(highest, USUAL_SEATS))
        config = msgspec.structs.replace(base, play=poker, limits=limits, devices=devices, seats=seats)
        return require_right(config, case.where)
    except (ConfigError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise case.wrong("config", str(error)) from error


def _rake(given: dict[str, Any] | None) -> RakeSection:
    if given is None:
        return RakeSection()
    amounts = {name: Cents(given[name]) for name in ("cap", "minimum", "fee") if name in given}
    fees = {players: Cents(fee) for players, fee in given.get("fees", {}).items()}
    percent = given.get("percent", 0)
    return RakeSection(
        given.get("method", "percentage"),
        int(percent) if percent == int(percent) else percent,
        **amounts,
        fees=fees,
        stand_alone=given.get("stand_alone", False),
    )


def _bonus(given: dict[str, Any]) -> BonusSection:
    return BonusSection(**{**given, "amount": Cents(given["amount"]) if "amount" in given else None})


def unknown(name: str, known: list[str]) -> str:
    """The words for an answer that a question does not have."""
    return f"{name!r} means nothing here; {nearest(name, known)}"
