"""Who decided what and why, out of the journal: each ruling with the question it answers, or the key that it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from controller.core.effects import Asked, Noted, Ruled
from controller.core.events import Command


class Ruling(msgspec.Struct, frozen=True):
    """What was asked, what was answered, by whom and why, and the clauses it rests on."""

    seq: int
    at: int
    subject: str
    code: str
    """The answer as the table keeps it."""
    question: str
    """As it was put; nothing where somebody used a power that nobody had asked about."""
    answer: str
    """As whoever answered read it."""
    by: str
    rank: int
    reason: str
    clauses: tuple[str, ...]
    key: str = ""
    """The key by which a power was used."""

    @property
    def about(self) -> str:
        """The question, or what the power is about."""
        return self.question or sentence(self.subject.partition(":")[0])

    def in_words(self) -> str:
        """Question, answer and reason in one line."""
        said = f"{self.about}{'' if self.question else ':'} {self.answer}"
        return f"{said} ({self.reason})" if self.reason else said


class Rulings:
    """Follows the journal row by row and joins each ruling with its question."""

    def __init__(self, asked: Mapping[str, Asked] = MappingProxyType({})) -> None:
        self._asked = dict(asked)
        """The questions that are open, by their ids."""

    def follow(self, seq: int, at: int, event: msgspec.Struct, effects: Iterable[msgspec.Struct]) -> Iterator[Ruling]:
        """What was ruled in one row."""
        for effect in effects:
            match effect:
                case Asked(prompt=prompt):
                    self._asked[prompt] = effect
                case Noted("question_withdrawn", {"prompt": prompt}):
                    self._asked.pop(prompt, None)
                case Ruled():
                    yield self._ruling(seq, at, effect, event)

    def _ruling(self, seq: int, at: int, ruled: Ruled, event: msgspec.Struct) -> Ruling:
        whose = (ruled.by, ruled.rank, ruled.reason)
        about = (seq, at, ruled.subject, ruled.answer)
        asked = self._asked.pop(ruled.prompt, None)
        if asked is None:
            used = event.name if isinstance(event, Command) and not ruled.prompt else ""
            return Ruling(*about, "", words(ruled.answer), *whose, ruled.clauses, used)
        label = next((one.label for one in asked.options if one.answer == ruled.answer), words(ruled.answer))
        return Ruling(*about, asked.text, label, *whose, tuple(dict.fromkeys((*ruled.clauses, *asked.clauses))))


def words(code: str) -> str:
    """A code as people say it."""
    return code.replace("_", " ")


def sentence(code: str) -> str:
    """The same at the beginning of a sentence."""
    said = words(code)
    return said[:1].upper() + said[1:]
