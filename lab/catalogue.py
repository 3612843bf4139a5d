"""Every text that a key, order, answer or alarm declares, with what is filled into it: for translators and the docs.

Texts are collected from tables as they are built, one a rulebook, so that nothing is listed that no table says.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from controller import games
from controller.build import build_table
from controller.config.types import TournamentSection
from controller.core import table_alarms, table_keys
from controller.core.alarms import Alarm, Alarms, has_condition, placeholders
from controller.core.desk import Ask
from controller.core.orders import orderable
from controller.core.table import Table
from controller.money import alarms as money_alarms
from controller.tournament import alarms as event_alarms
from controller.tournament import session
from controller.tournament.book import has_chapter
from controller.web.catalogue import catalogue
from lab import page_words
from lab.sim.config import default_config

GAP = re.compile(r"\{\w+\}")
"""What is filled in."""


class Text(NamedTuple):
    """One text as it stands in a declaration, and which."""

    text: str
    where: str


def tables() -> Iterator[Table]:
    """A table of every rulebook, offered for tournaments where it has a chapter on them."""
    for rulebook, path in sorted(games.rulebooks().items()):
        game = next(name for name in games.names() if name in path.parts)
        config = default_config(game, rulebook=rulebook)
        offered = TournamentSection() if has_chapter(rulebook) else None
        yield build_table(msgspec.structs.replace(config, tournament=offered))


def lists(standing: Iterable[Table]) -> dict[str, Alarms[Any]]:
    """The declared alarms by whose they are."""
    found: dict[str, Alarms[Any]] = {"table": table_alarms.ALARMS, "money": money_alarms.ALARMS}
    return found | {table.game.name: table.game.alarms for table in standing} | {"tournament": event_alarms.ALARMS}


# -- the catalogue -------------------------------------------------------------------------------------------------


def texts() -> dict[str, list[str]]:
    """Every declared text with the declarations it stands in, in the order of these."""
    found: dict[str, list[str]] = {}
    standing = list(tables())
    declared = (_of_keys(standing), _of_orders(standing), _of_answers(standing), _of_alarms(lists(standing)))
    for one in (*chain(*declared), *_of_states(standing)):
        if one.text and one.where not in found.setdefault(one.text, []):
            found[one.text].append(one.where)
    for further in _of_further_asks():
        if further.text and further.text not in found:
            found[further.text] = [further.where]
    return found


def all_texts() -> dict[str, list[str]]:
    """What is declared, and besides what pages write by themselves and sentences that the table makes up."""
    found = texts()
    for besides in (_of_places(), page_words.plain(), page_words.of_pages(), page_words.of_sentences()):
        for text, where in besides.items():
            found.setdefault(text, where)
    return {text: where for text, where in found.items() if page_words.WORDS.search(GAP.sub("", text))}


def wrong_in(language: str) -> dict[str, str]:
    """What is wrong with a translation, by text: not there, left in English, or with other gaps to fill."""
    known = catalogue(language)
    found = {}
    for text in all_texts():
        said = known.get(text, "")
        if not said:
            found[text] = "is not translated"
        elif said == text:
            found[text] = "is left as it is in English"
        elif sorted(GAP.findall(said)) != sorted(GAP.findall(text)):
            found[text] = f"has other gaps than its translation {said!r}"
    return found


def _of_places() -> dict[str, list[str]]:
    """What keys are about, and the ranks of every ladder, as pages name them."""
    found = {
        key.about: ["about a key"] for table in tables() for key in (*table.keys.values(), *table.game.keys.values())
    }
    return found | {rank.name: ["rank"] for table in tables() for rank in table.house.rulebook.ranks}


def _of_keys(standing: Iterable[Table]) -> Iterator[Text]:
    for table in standing:
        by_hand = table_keys.told_by_hand(table)
        for owner, keys in (("table", table.keys), ("by_hand", by_hand), (table.game.name, table.game.keys)):
            for key in keys.values():
                yield Text(key.label, f"key {owner}.{key.name}")
                yield from _of_asks(key.asks, f"key {owner}.{key.name}")


def _of_orders(standing: Iterable[Table]) -> Iterator[Text]:
    for table in standing:
        for _, _, key in orderable(table):
            yield Text(key.label, f"order {key.name}")
            yield from _of_asks(key.asks, f"order {key.name}")


def _of_answers(standing: Iterable[Table]) -> Iterator[Text]:
    for table in standing:
        for question in table.game.questions:
            for answer in question.answers:
                where = f"answer {table.game.name}.{question.subject}.{answer.answer}"
                yield Text(answer.label, where)
                yield from _of_asks(answer.asks, where)


def _of_states(standing: Iterable[Table]) -> Iterator[Text]:
    """How a refusal says where a machine stands."""
    for table in standing:
        for owner, machine in (("table", table.life), (table.game.name, table.game.machine)):
            yield from (Text(words, f"while {owner}.{state}") for state, words in machine.words.items())
    yield from (Text(words, f"while tournament.{state}") for state, words in session.WHILE.items())


def _of_further_asks() -> Iterator[Text]:
    """What an answer asks for in some cases only stands in its module."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("controller.games."):
            yield from _of_asks(_asks_in(list(vars(module).values())), f"asked {name}")


def _asks_in(value: Any) -> Iterator[Ask]:
    if isinstance(value, Ask):
        yield value
    elif isinstance(value, list | tuple | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _asks_in(one)


def _of_asks(asks: Iterable[Ask], where: str) -> Iterator[Text]:
    for ask in asks:
        yield Text(ask.label, f"{where}.{ask.name}")
        for value, words in ask.choices:
            yield Text(words, f"{where}.{ask.name}.{value}")


def _of_alarms(owned: dict[str, Alarms[Any]]) -> Iterator[Text]:
    for owner, alarms in owned.items():
        for kind in alarms:
            yield Text(kind.text, f"alarm {owner}.{kind.code}")
            yield Text(kind.remedy, f"alarm {owner}.{kind.code}.remedy")


def pot(known: dict[str, str] | None = None) -> str:
    """The catalogue as a template that gettext's tools read, with what is translated by now filled in."""
    parts = ['msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n']
    for text, where in all_texts().items():
        lines = [f"#. {one}" for one in where]
        if named := sorted(placeholders(text)):
            lines += [f"#. filled in: {', '.join(named)}", "#, python-brace-format"]
        parts.append(
            "\n".join([*lines, f"msgid {_quoted(text)}", f"msgstr {_quoted((known or {}).get(text, ''))}"]) + "\n"
        )
    return "\n".join(parts)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# -- the page on alarms --------------------------------------------------------------------------------------------

HEAD = """# Alarms

Made by `tablectl words --alarms`; a test compares them. An alarm is declared once (`controller/core/alarms.py`), with
what ends it; what stands in braces is filled in. Every alarm stands on the page with its remedy and how often it has
happened; its end is in the journal. “Seen to” is the key by which the rank that an alarm names ends it by hand.
The day's report counts every time that one happened, all of a kind together, those of a device by its place; told in
other words while it stands, it has not happened again. What a key raised that was taken back counts, and is marked.
"""


def alarms_page() -> str:
    """Code, words and end of every alarm, as docs/alarms.md."""
    parts = [HEAD]
    for owner, alarms in lists(tables()).items():
        parts.append(f"## {owner.capitalize()}\n\n| alarm | words | remedy | ends |\n|---|---|---|---|\n")
        parts += [f"| `{kind.code}` | {kind.text} | {kind.remedy} | {ends(kind)} |\n" for kind in alarms]
        parts.append("\n")
    return "\n".join((parts[0], "".join(parts[1:]).rstrip("\n") + "\n"))


def ends(kind: type[Alarm[Any]]) -> str:
    """What ends an alarm, in words."""
    found = []
    if kind.held:
        found.append("with its cause, or when the fault is cleared")
    if has_condition(kind):
        found.append(_uncapped(str(kind.while_.__doc__)))
    if kind.for_the_round:
        found.append("with the round")
    if kind.seen_to:
        found.append(f"seen to by whoever has the power `{kind.seen_to}`")
    return "; ".join(found)


def _uncapped(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:].rstrip(".")
