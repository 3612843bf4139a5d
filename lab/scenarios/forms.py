"""Keys as words of a case: what may be pressed, and what its form asks for, follow from what the table declares."""

from __future__ import annotations

import importlib
from typing import Any

from controller.config.tomlread import nearest
from controller.core import table_keys
from controller.core.desk import Ask, Key
from controller.core.table import Table
from lab.scenarios.file import ScenarioError, cents_of, dollars
from lab.scenarios.words import (
    COUNT,
    FLAG,
    MONEY,
    NAMES,
    TEXT,
    Field,
    Kind,
    Word,
    by_name,
    counted,
    either,
    list_of,
    measured,
    object_of,
)
from simulators.people.table import Question

ANSWER = "answer"
"""The key that answers a question is a word of its own."""


def _either_way(value: Any, where: str) -> int:
    return -cents_of(-value, where) if isinstance(value, int) and value < 0 else cents_of(value, where)


RATE = measured("per cent")
SIGNED_MONEY = Kind("an amount, with a minus where too little was paid", _either_way, "dollars")
RANK = either(counted(least=1, most=9), TEXT)
"""A rank by its step on the rulebook's ladder, the dealer's being 1, or by its name there."""
KINDS = {
    "money": MONEY,
    "amounts": list_of(MONEY),
    "number": COUNT,
    "rate": RATE,
    "numbers": list_of(COUNT),
    "names": NAMES,
    "cards": NAMES,
    "flag": FLAG,
    "accept": FLAG,
    "slip": either(TEXT, by_name(COUNT, "values")),
}


def kind_of(ask: Ask) -> Kind:
    """What a form takes for it; a choice may be told by its value or by the label that the page shows."""
    if ask.kind == "money" and "minus" in ask.label:
        return SIGNED_MONEY
    if ask.name == "reason":  # also of what is accepted, which is told as a flag
        return TEXT
    if ask.kind == "choice":
        one = either(COUNT, TEXT) if ask.number else TEXT
        return list_of(one) if ask.several else one
    return KINDS.get(ask.kind, TEXT)


def keys_of(table: Table) -> dict[str, Key]:
    """Every key that people have at this table, but for the one that answers."""
    keys = {**table.keys, **table.game.keys, **table_keys.told_by_hand(table)}
    return {name: key for name, key in keys.items() if name != ANSWER}


def fields_of(key: Key) -> tuple[Field, ...]:
    """What its form asks for."""
    found = []
    for ask in key.asks:
        choices = f" One of {', '.join(value for value, _ in ask.choices)}." if ask.choices else ""
        found.append(Field(ask.name, kind_of(ask), f"{ask.label or ask.name.capitalize()}.{choices}"))
        if ask.new_word:
            found.append(
                Field(ask.new_word, FLAG, "Somebody new is meant; false has whoever is not here refused, as on a page.")
            )
    return tuple(found)


def key_words(table: Table, but: tuple[str, ...] = ()) -> tuple[Word, ...]:
    """A word for every key; what its form asks for stands beside the word or in `args`."""
    return tuple(
        Word(
            key.name,
            f"The key “{key.label}” is pressed.",
            (*fields_of(key), Field("args", object_of(*fields_of(key)), "What its form asks for, in one object.")),
        )
        for key in keys_of(table).values()
        if key.name not in but
    )


def written(key: Key, args: dict[str, Any]) -> dict[str, Any]:
    """What was entered into its form as a case writes it: money in dollars."""
    money = {field.name for field in fields_of(key) if field.kind in (MONEY, SIGNED_MONEY)}
    return {name: dollars(value) if name in money else value for name, value in args.items()}


def filled_in(table: Table, key: Key, said: dict[str, Any]) -> dict[str, Any]:
    """What a person enters into the form: a choice told by its label becomes the value that the page sends."""
    given = {**said, **said.get("args", {})}
    owner = table.game if key.name in table.game.keys else table.owned(key).owner
    asks = {ask.name: ask for ask in key.shown(owner).asks}
    return {name: _chosen(asks.get(name), given[name]) for name in key.args if name in given}


def _chosen(ask: Ask | None, value: Any) -> Any:
    if ask is None or ask.kind != "choice" or not isinstance(value, str):
        return value
    labels = {label: chosen for chosen, label in ask.choices}
    found = labels.get(value, value)
    return int(found) if ask.number and found.isdigit() else found


def rank_of(table: Table, rank: Any, where: str) -> int:
    """The step of a rank on the rulebook's ladder."""
    if rank is None:
        return 1
    book = table.house.rulebook
    level = rank if isinstance(rank, int) else book.level(rank)
    if not 1 <= level <= len(book.ranks):
        names = [one.id for one in book.ranks]
        raise ScenarioError(f"{where}: {book.id} knows no rank {rank!r}; {nearest(str(rank), names)}")
    return level


def subjects_of(game: str) -> tuple[str, ...]:
    """What a table of this game may ask; nothing where the game does not declare its questions in one place."""
    try:
        declared = importlib.import_module(f"controller.games.{game}.questions")
    except ModuleNotFoundError:
        return ()
    return tuple(question.subject for question in declared.QUESTIONS)


def check_subject(game: str, subject: str | None, where: str) -> None:
    """Refuse a subject that no table of this game ever asks about."""
    known, kind = subjects_of(game), (subject or "").partition(":")[0]
    if known and kind and kind not in known:
        raise ScenarioError(f"{where}: nobody is ever asked about {subject!r}; {nearest(kind, list(known))}")


def is_about(question: Question, subject: str | None) -> bool:
    """Whether a question is of this subject, whichever of its kind it is."""
    return subject is None or subject in (question.subject, question.subject.partition(":")[0])


def answered(question: Question, said: dict[str, Any], where: str) -> dict[str, Any]:
    """What is pressed to give this answer; refused when the question has no such answer."""
    answers = [answer for answer, _, _ in question.answers]
    if said["answer"] not in answers:
        hint = nearest(said["answer"], answers)
        raise ScenarioError(f"{where}: {said['answer']!r} is no answer to {question.subject!r}; {hint}")
    args = {"prompt": question.id, "answer": said["answer"], "reason": said.get("reason", "")}
    return {**args, **said.get("args", {})}
