"""What a set-up asks about the table itself: game, rulebook, limits, the game's own section, staff."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
import msgspec

from controller import examples, games
from controller.config.tomlread import ConfigError, Keys
from controller.config.types import WEB
from controller.people.staff import SALT_BYTES, Member, Staff, check_card, check_pin, with_member, with_pin
from controller.pi.setup.answers import Answers
from controller.rules.rulebook import load_rulebook

SHARED = ("limits", "seats")
LOOPBACK = ("127.", "localhost:", "[::1]")


class PersonAsked(msgspec.Struct, frozen=True):
    """Somebody who will work here, as answered."""

    id: str
    name: str
    rank: str
    pin: str
    card: str


def example_of(game: str) -> dict[str, Any]:
    """The example that ships for this game: it says what is asked, and what is usual."""
    for path in sorted(Path(examples.__path__[0]).glob("*.toml")):
        values = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
        if values["table"]["game"] == game:
            return values
    raise ConfigError(f"no example ships for the game '{game}'; write the table's file by hand")


def table_section(answers: Answers, journal: str) -> dict[str, Any]:
    """Which table this is and what it plays."""
    game = answers.choose(("table", "game"), "What is played here", games.names(), games.USUAL)
    books = [book for book in games.rulebooks() if load_rulebook(book).game == game]
    book = answers.choose(("table", "rulebook"), "Under which rulebook", books, games.find(game).rulebook)
    name = answers.value(("table", "name"), "Name of the table", example_of(game)["table"]["name"])
    kept = answers.value(("table", "journal"), "Where its journal is kept", journal) or journal
    web = answers.value(("table", "web"), "Address of its pages", WEB)
    section = {"name": name, "game": game, "rulebook": book, "journal": kept, "web": web}
    if web is not None and not str(web).startswith(LOOPBACK):
        for key in ("certificate", "certificate_key"):
            section[key] = answers.value(("table", key), f"{key.replace('_', ' ').capitalize()} of the pages", None)
    return {key: value for key, value in section.items() if value is not None}


def own_sections(answers: Answers, game: str, before: Mapping[str, Any]) -> dict[str, Any]:
    """Limits, seats, chips and the game's own section; `before` is what was answered the last time round."""
    if not answers.by_person:
        given = {name: answers.value((name,), "", None) for name in (*SHARED, game)}
        return {name: value for name, value in given.items() if value is not None}
    example = example_of(game)
    return {
        name: dict(_asked(answers, (name,), {**example.get(name, {}), **before.get(name, {})}))
        for name in (*SHARED, game)
        if name in example
    }


def _asked(answers: Answers, at: Keys, usual: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in usual.items():
        keys = (*at, key)
        if isinstance(value, Mapping):
            if part := dict(_asked(answers, keys, value)):
                yield key, part
        elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
            click.echo(f"  {'.'.join(map(str, keys))}: none; add them to the file afterwards, as the example shows.")
        else:
            answer = answers.value(keys, ".".join(map(str, keys)), value)
            if answer is not None:
                yield key, answer


def chips_section(answers: Answers, game: str) -> tuple[dict[str, Any], list[str]]:
    """What is said of chips, and the lists of the house that the register is made from."""
    usual = example_of(game).get("chips", {})
    section = {}
    for key in ("set_mark", "colours", "float_tray", "mispayment"):
        if not answers.by_person or key in usual:
            section[key] = answers.value(("chips", key), f"chips.{key}", usual.get(key))
    lists = answers.value(("chips", "lists"), "Lists of the house's chips (CSV)", None) or []
    names = [lists] if isinstance(lists, str) else list(lists)
    return {key: value for key, value in section.items() if value is not None}, names


def player_list(answers: Answers, table: Mapping[str, Any], beside: Path) -> dict[str, Any]:
    """Which player cards are valid, where nobody stakes without one."""
    if not games.find(table["game"]).asks_player_cards(table["rulebook"]):
        return {}
    listed = answers.value(("people", "players"), "List of the house's player cards (CSV: number,state,until)", None)
    return {"people": {"players": str((beside / str(listed)).absolute())}} if listed else {}


def people(answers: Answers, rulebook: str) -> list[PersonAsked]:
    """Everybody who will work here."""
    ladder = load_rulebook(rulebook).ladder
    asked: list[PersonAsked] = []
    while answers.more(("staff", len(asked)), "Add somebody to the staff register?"):
        at: Keys = ("staff", len(asked))
        asked.append(
            PersonAsked(
                str(answers.value((*at, "id"), "Staff number", f"S{100 * (len(asked) + 1)}") or ""),
                str(answers.value((*at, "name"), "Name", None) or ""),
                answers.choose((*at, "rank"), "Rank", ladder, ladder[0]),
                _right(answers, (*at, "pin"), "PIN (Enter for none)", check_pin),
                _right(answers, (*at, "card"), "Number on the card (Enter for none)", check_card),
            )
        )
    return asked


def _right(answers: Answers, keys: Keys, question: str, check: Callable[[str], None]) -> str:
    """A secret that may be; a person is asked again."""
    while True:
        secret = answers.secret(keys, question)
        try:
            if secret:
                check(secret)
            return secret
        except ConfigError as error:
            if not answers.by_person:
                raise
            click.echo(f"  {error}")


def registered(known: Staff, asked: list[PersonAsked], rulebook: str, pseudonym_of: Callable[[str], str]) -> Staff:
    """The staff register with these people; who stood there before stays."""
    for one in asked:
        before = known.members.get(one.id, Member(one.id, one.name, {}))
        card = pseudonym_of(one.card) if one.card else before.card
        ranks = {**before.ranks, rulebook: one.rank}
        known = with_member(known, Member(one.id, one.name or before.name, ranks, card, before.pin))
        if one.pin:
            known = with_pin(known, one.id, one.pin, secrets.token_bytes(SALT_BYTES))
    return known
