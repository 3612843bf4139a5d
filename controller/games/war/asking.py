"""What is put to people: who may say, what they may answer, and the round that stands still until they do."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from controller.core.desk import Refusal, told
from controller.core.effects import Option
from controller.games.war import alarms
from controller.games.war.cards import BadCard, parse
from controller.games.war.play import War
from controller.games.war.rules import Clauses, Remedy
from controller.people import Person


class Question(NamedTuple):
    """A question that holds the round; `alarm` is said aloud first, and `anew` takes back the same one asked before."""

    subject: str
    text: str
    evidence: dict[str, Any]
    proposal: str
    options: tuple[Option, ...]
    clauses: Clauses
    alarm: str = ""
    anew: bool = False


def hold(game: War, question: Question | None = None) -> None:
    """The round stands still until somebody rules; outside a round there is nothing to hold, and it is only asked."""
    if game.machine.can("irregular"):
        game.machine.fire("irregular", question)
    elif question is not None:
        ask(game, question)


def ask(game: War, question: Question) -> None:
    """Put it to people."""
    if question.anew:
        game.desk.withdraw(question.subject)
    if question.alarm:
        alarms.WrongDeck(finding=question.alarm).happened(game)
    game.desk.ask(*question[:6])


def option(game: War, answer: str, label: str, power: str, needs_reason: bool = False) -> Option:
    """An answer with the rank and clause of a power."""
    rank, clause = game.table.house.power(power)
    return Option(answer, label, rank, clause, needs_reason)


def may(game: War, by: Person, remedy: Remedy) -> bool:
    """Whether this person may rule at once."""
    return by.rank >= game.table.house.power(remedy.power).rank


def put(game: War, subject: str, text: str, evidence: dict[str, Any], remedy: Remedy, label: str) -> None:
    """Ask the rank the rulebook names to rule as it proposes, or to let play stand; said twice, it is asked once."""
    options = (option(game, "rule", label, remedy.power), option(game, "stand", "Play on", "dispute"))
    hold(game, Question(subject, text, evidence, "rule", options, remedy.clauses, anew=True))


def face_told(args: dict[str, Any]) -> str:
    """A card somebody entered."""
    try:
        drawing = parse(told(args, "face"))
    except BadCard as wrong:
        raise Refusal("bad_card", str(wrong)) from None
    if drawing.kind != "card":
        raise Refusal("bad_card", f"{drawing.face} is no card of the decks.")
    return drawing.face


def listed(args: dict[str, Any], name: str) -> list[str]:
    """Several names as people enter them: a list, or one after the other with commas."""
    given = args.get(name) or []
    parts = re.split("[,;]", given) if isinstance(given, str) else [str(one) for one in given]
    return [part.strip() for part in parts if part.strip()]
