"""The words that a case may use, each with one meaning, its fields and their units; anything else is refused.

    EVENTS = Section("events", "What goes wrong.", tag="event", words=(
        Word("shoe_empty", "No card is left.", (Field("after_card", COUNT, "after so many cards of the case"),)),
        Word("out_of_cards", same_as="shoe_empty"),
    ))
    told = EVENTS.read({"event": "shoe_empty", "after_card": 3}, "war.json: W-1: events 1")
    told.word.name, told.said                    # "shoe_empty", {"after_card": 3}

`tablectl scenario --words` and `docs/scenarios.md` are printed from the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from controller.config.tomlread import nearest
from lab.scenarios.file import ScenarioError, cents_of


class Kind(NamedTuple):
    """What sort of value a field takes: in words, how it is read (or refused, with the place), and its unit."""

    name: str
    read: Callable[[Any, str], Any]
    unit: str = ""


class Field(NamedTuple):
    """One thing that may be told with a word; `same_as` names the field of the same word that it is another name of."""

    name: str
    kind: Kind
    meaning: str = ""
    optional: bool = True
    same_as: str = ""

    @property
    def unit(self) -> str:
        return self.kind.unit


class Word(NamedTuple):
    """A word, its meaning in one sentence and its fields; `same_as` names the word that it means the same as."""

    name: str
    meaning: str = ""
    fields: tuple[Field, ...] = ()
    same_as: str = ""


class Told(msgspec.Struct):
    """A word of a case as it was read: the one it means, the name it was said by, and its fields (money in cents)."""

    word: Word
    name: str
    said: dict[str, Any]


class BadWords(Exception):
    """Words that are declared wrongly."""


class Section:
    """A place in a case where words stand; `tag` is the field that says which, none where there is but one."""

    def __init__(
        self, name: str, meaning: str, words: tuple[Word, ...], tag: str = "", common: tuple[Field, ...] = ()
    ) -> None:
        """`common` are fields that every word takes, `tag` what the field with the word itself is called."""
        self.name, self.meaning, self.tag, self.words, self.common = name, meaning, tag, words, common
        self._by_name = {word.name: word for word in words}
        self._check()

    def _check(self) -> None:
        if len(self._by_name) != len(self.words):
            raise BadWords(f"{self.name}: a word is declared twice")
        for word in self.words:
            if word.same_as and (word.same_as not in self._by_name or self._by_name[word.same_as].same_as):
                raise BadWords(f"{self.name}: {word.name!r} is the same as {word.same_as!r}, which is no word itself")
            if word.same_as and (word.meaning or word.fields):
                raise BadWords(f"{self.name}: {word.name!r} is the same as another word and has a meaning of its own")
            fields = self.fields(self.meant(word))
            names = {field.name for field in fields}
            if len(names) != len(fields):
                raise BadWords(f"{self.name}: {word.name!r} has a field twice")
            if stray := [field.name for field in fields if field.same_as and field.same_as not in names]:
                raise BadWords(f"{self.name}: {word.name!r}: {stray[0]!r} is the same as a field that is not there")

    def meant(self, word: Word) -> Word:
        """The word itself, or the one it means the same as."""
        return self._by_name[word.same_as] if word.same_as else word

    def fields(self, word: Word) -> tuple[Field, ...]:
        """Everything that may be told with a word."""
        own = {field.name for field in word.fields}
        return (*word.fields, *(field for field in self.common if field.name not in own))

    def word(self, name: Any, where: str) -> Word:
        """The word of this name, or a refusal with the nearest."""
        found = self._by_name.get(name) if isinstance(name, str) else None
        if found is None:
            raise ScenarioError(f"{where}: {name!r} is no word of {self.name}; {closest(name, self._by_name)}")
        return found

    def read(self, body: Any, where: str, otherwise: Mapping[str, Any] | None = None) -> Told:
        """What an object of a case says; `otherwise` are values for what must be told and may go without saying."""
        if not isinstance(body, dict):
            raise ScenarioError(f"{where}: must be an object, not {body!r}")
        if self.tag and self.tag not in body:
            raise ScenarioError(f"{where}: {self.tag!r} is missing; it says which of the {self.name} this is")
        spoken = self.word(body[self.tag], where) if self.tag else self.words[0]
        word = self.meant(spoken)
        place = f"{where} ({spoken.name})" if self.tag else where
        rest = {name: value for name, value in body.items() if not self.tag or name != self.tag}
        return Told(word, spoken.name, read_fields(self.fields(word), rest, place, otherwise))

    def read_all(self, bodies: Any, where: str, otherwise: Mapping[str, Any] | None = None) -> list[Told]:
        """What a list of them says, in order."""
        if not isinstance(bodies, list):
            raise ScenarioError(f"{where}: {self.name} must be a list, not {bodies!r}")
        return [self.read(body, f"{where}: {self.name} {number}", otherwise) for number, body in enumerate(bodies, 1)]


class Words:
    """All that may be said in a case of one game, place by place."""

    def __init__(self, game: str, sections: tuple[Section, ...]) -> None:
        self.game, self.sections = game, sections

    def section(self, name: str) -> Section:
        return next(section for section in self.sections if section.name == name)


def read_fields(
    fields: tuple[Field, ...], body: dict[str, Any], where: str, otherwise: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The fields of an object under their own names; one that is unknown, missing, twice or of another kind is
    refused."""
    known = {field.name: field for field in fields}
    said: dict[str, Any] = {}
    for name, value in body.items():
        field = known.get(name)
        if field is None:
            raise ScenarioError(f"{where}: {name!r} means nothing here; {closest(name, known)}")
        own = field.same_as or name
        if own in said:
            raise ScenarioError(f"{where}: {name!r} says {own!r} a second time")
        if value is not None:
            said[own] = field.kind.read(value, f"{where}: {name}")
    for field in fields:
        if not field.optional and field.name not in said and field.name in (otherwise or {}):
            said[field.name] = (otherwise or {})[field.name]
        if not field.optional and field.name not in said:
            raise ScenarioError(f"{where}: {field.name!r} is missing: {field.meaning}")
    return said


def closest(name: Any, known: Mapping[str, Any]) -> str:
    """The nearest of what is known, or all of it."""
    return nearest(str(name), list(known)) or "nothing may stand here"


# -- kinds of values -----------------------------------------------------------------------------------------------


def plain(name: str, *types: type, unit: str = "") -> Kind:
    """A value of these types as it stands."""

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise ScenarioError(f"{where}: {name}, not {value!r}")
        return value

    return Kind(name, read, unit)


def counted(unit: str = "", least: int = 0, most: int | None = None) -> Kind:
    """A whole number."""
    name = f"a whole number from {least}" + (f" to {most}" if most is not None else "")

    def read(value: Any, where: str) -> int:
        right = isinstance(value, int) and not isinstance(value, bool)
        if not right or value < least or (most is not None and value > most):
            raise ScenarioError(f"{where}: {name}, not {value!r}")
        return int(value)

    return Kind(name, read, unit)


def measured(unit: str, negative: bool = False, most: float = 10.0**9) -> Kind:
    """A number with decimals, in such a unit."""

    def read(value: Any, where: str) -> float:
        right = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
        if not right or not abs(value) <= most or (value < 0 and not negative):
            raise ScenarioError(f"{where}: a number of {unit}, not {value!r}")
        return float(value)

    return Kind("a number", read, unit)


def one_of(*choices: str, **same: str) -> Kind:
    """One of these words; `same` are other words for them, each with the one it stands for."""

    def read(value: Any, where: str) -> str:
        if not isinstance(value, str) or value not in (*choices, *same):
            hint = closest(value, dict.fromkeys((*choices, *same)))
            raise ScenarioError(f"{where}: {value!r} is none of its words; {hint}")
        return same.get(value, value)

    said = [f"`{choice}`" for choice in choices] + [f"`{other}` (the same as `{one}`)" for other, one in same.items()]
    return Kind("one of " + ", ".join(said), read)


def list_of(kind: Kind) -> Kind:
    """A list of such values."""

    def read(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            raise ScenarioError(f"{where}: a list, not {value!r}")
        return [kind.read(one, f"{where} {number}") for number, one in enumerate(value, 1)]

    return Kind(f"a list, each {kind.name}", read, kind.unit)


def by_name(kind: Kind, of: str = "names") -> Kind:
    """An object that has such a value for each of some names."""

    def read(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ScenarioError(f"{where}: an object of {of}, not {value!r}")
        return {name: kind.read(one, f"{where}: {name}") for name, one in value.items()}

    return Kind(f"an object of {of}, for each {kind.name}", read, kind.unit)


def object_of(*fields: Field) -> Kind:
    """An object with fields of its own."""

    def read(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ScenarioError(f"{where}: an object, not {value!r}")
        return read_fields(fields, value, where)

    named = (f"`{field.name}`" + (f" in {field.unit}" if field.unit else "") for field in fields)
    return Kind("an object of " + ", ".join(named), read)


def either(*kinds: Kind) -> Kind:
    """A value of one of these kinds; the first that takes it reads it."""

    def read(value: Any, where: str) -> Any:
        for kind in kinds:
            try:
                return kind.read(value, where)
            except ScenarioError:
                continue
        raise ScenarioError(f"{where}: {' or '.join(kind.name for kind in kinds)}, not {value!r}")

    return Kind(" or ".join(kind.name for kind in kinds), read, next((kind.unit for kind in kinds if kind.unit), ""))


TEXT = plain("a text", str)
FLAG = plain("true or false", bool)
COUNT = counted()
MONEY = Kind("an amount", cents_of, "dollars")


def _some(value: Any, where: str) -> int:
    if not (amount := cents_of(value, where)):
        raise ScenarioError(f"{where}: an amount above nothing, not {value!r}")
    return amount


SOME_MONEY = Kind("an amount above nothing", _some, "dollars")
"""What chips come to that somebody lays, hands over or takes."""
SECONDS = measured("seconds")
COMPARTMENTS = measured("compartments", negative=True)
NAMES = list_of(TEXT)
ANYTHING = Kind("anything", lambda value, where: value)

NOTES = tuple(
    Field(name, ANYTHING, "A remark for people; nothing reads it.")
    for name in ("why", "note", "description", "detail", "comment")
)
"""Remarks that may stand anywhere."""


# -- printing ------------------------------------------------------------------------------------------------------


def as_text(words: Words) -> str:
    """The words of a game, to be read on a terminal."""
    return "\n".join(_lines(words, _text_section))


def as_markdown(words: Words) -> str:
    """The words of a game as a chapter of a page."""
    return "\n".join(_lines(words, _markdown_section))


def _lines(words: Words, of: Callable[[Section], list[str]]) -> list[str]:
    head = [f"## {words.game}", ""] if of is _markdown_section else [words.game.upper(), ""]
    return head + [line for section in words.sections for line in of(section)]


def _text_section(section: Section) -> list[str]:
    lines = [f"{section.name}: {section.meaning}", *_text_fields(section.common, 4)]
    for word in section.words:
        if section.tag:
            lines.append(f"  {word.name}: {_meaning(word)}")
        lines += _text_fields(word.fields, 6 if section.tag else 4)
    return [*lines, ""]


def _text_fields(fields: tuple[Field, ...], indent: int) -> list[str]:
    told = [field for field in fields if field not in NOTES]
    return [f"{' ' * indent}{field.name} ({_value(field).replace('`', '')}): {_said(field)}" for field in told]


def _markdown_section(section: Section) -> list[str]:
    lines = [f"### {section.name}", "", section.meaning, ""]
    common = _markdown_fields(section.common)
    if common:
        lines += ["With any of them:", "", *common, ""]
    for word in section.words:
        if section.tag:
            lines.append(f"- **`{word.name}`**: {_meaning(word)}")
        lines += [("  " if section.tag else "") + line for line in _markdown_fields(word.fields)]
    return [*lines, ""]


def _markdown_fields(fields: tuple[Field, ...]) -> list[str]:
    return [f"- `{field.name}` ({_value(field)}): {_said(field)}" for field in fields if field not in NOTES]


def _meaning(word: Word) -> str:
    return f"The same as `{word.same_as}`." if word.same_as else word.meaning


def _said(field: Field) -> str:
    return f"The same as `{field.same_as}`." if field.same_as else field.meaning


def _value(field: Field) -> str:
    unit = f" in {field.unit}" if field.unit else ""
    return f"{field.kind.name}{unit}{'' if field.optional else ', must be told'}"
