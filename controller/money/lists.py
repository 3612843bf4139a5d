"""Chip lists: CSV files that a register is made from and written back to; what is wrong is told with its line."""

from __future__ import annotations

import contextlib
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TextIO

from controller.config.tomlread import ConfigError, nearest
from controller.money.register import (
    DENOMINATIONS,
    KINDS,
    MOST_CLASSES,
    STATES,
    ChipClass,
    RegisterFile,
    write_register,
)

COLUMNS = ("tag", "kind", "value", "set", "colour", "table", "state")
LONGEST_AMOUNT = 20
_TAG = re.compile(r"(?:0x)?([0-9a-fA-F]{1,16})\Z")
_NEEDED = ("tag", "kind")
# A row is one number while it is sorted: tag, list, line, class, state; a million of them fit a small machine.
_STATE_BITS, _CLASS_BITS, _LINE_BITS, _LIST_BITS = 8, 16, 32, 16
_LINE_AT = _STATE_BITS + _CLASS_BITS
_LIST_AT = _LINE_AT + _LINE_BITS
_TAG_AT = _LIST_AT + _LIST_BITS
_WHAT = (1 << _LINE_AT) - 1


def import_lists(
    register: str | Path,
    lists: Sequence[str | Path],
    *,
    denominations: Sequence[int] | None = None,
    replace: bool = False,
) -> int:
    """Add these lists to a register, which is made when it is not there; the number of tags it then holds.

    Nothing is written unless every line is right. `replace` lets a list overrule what the register says of a tag.
    """
    known = RegisterFile(register) if Path(register).exists() else None
    if denominations is None:
        denominations = known.head.denominations if known else DENOMINATIONS
    gathering = _Gathering(frozenset(denominations), [str(register), *map(str, lists)])
    if known is not None:
        with contextlib.closing(known):
            gathering.take_register(known)
    for number, path in enumerate(lists, start=1):
        with _opened(path) as file:
            gathering.take_list(number, file)
    rows = gathering.merged(replace)
    write_register(register, gathering.classes, sorted(denominations), rows)
    return len(rows)


def export_list(register: RegisterFile, out: TextIO) -> int:
    """Write the whole register as one list, which imports to the same register; the number of tags."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in register:
        chip = entry.chip
        value = in_a_list(chip.cents) if chip.cents else ""
        writer.writerow((f"{entry.tag:016x}", chip.kind, value, chip.set_mark, chip.colour, chip.table, entry.state))
    return len(register)


def in_a_list(cents: int) -> str:
    """An amount as lists write it: 5, 2.50."""
    return f"{cents // 100}.{cents % 100:02d}" if cents % 100 else str(cents // 100)


def cents_of(text: str) -> int:
    """An amount in dollars as integer cents; ValueError when it is none or holds parts of a cent."""
    if len(text) > LONGEST_AMOUNT or "e" in text.lower():
        # A power of ten may have a million digits.
        raise ValueError(f"'{text[:LONGEST_AMOUNT]}' is no amount in dollars; write it as 5 or 2.50")
    try:
        amount = Decimal(text) * 100
    except InvalidOperation:
        raise ValueError(f"'{text}' is no amount in dollars") from None
    if not amount.is_finite() or amount != amount.to_integral_value() or not 0 < amount <= 10_000_000_000:
        raise ValueError(f"'{text}' is no amount in whole cents")
    return int(amount)


class _Gathering:
    """What the lists say so far."""

    def __init__(self, denominations: frozenset[int], names: list[str]) -> None:
        self.denominations = denominations
        self.names = names
        self.classes: list[ChipClass] = []
        self._numbers: dict[ChipClass, int] = {}
        self._tables: dict[str, tuple[str, str]] = {}
        self._rows: list[int] = []

    def take_register(self, known: RegisterFile) -> None:
        for line, entry in enumerate(known, start=1):
            self._own_table(entry.chip, f"{known.path}, tag {line}")
            self._add(entry.tag, 0, line, self._number(entry.chip), STATES.index(entry.state))

    def take_list(self, number: int, file: TextIO) -> None:
        reader = csv.reader(file, strict=True)
        name = self.names[number]
        where = [-1] * len(COLUMNS)
        # Most lines repeat what another line said of kind and value, so each wording is checked once.
        wordings: dict[tuple[str, ...], tuple[int, int]] = {}
        for line, row in _lines(reader, name):
            if where[0] < 0:
                where = _columns(row, f"{name}:{line}")
                width = len(row)
                continue
            if not row:
                continue
            if len(row) != width:
                raise ConfigError(f"{name}:{line}: {len(row)} fields, not {width} as in the first line")
            match = _TAG.match(row[where[0]].strip())
            if match is None:
                what = f"'{row[where[0]]}' is no tag; write 1 to 16 hexadecimal digits"
                raise ConfigError(f"{name}:{line}: {what}")
            wording = tuple(row[at].strip() if at >= 0 else "" for at in where[1:])
            what_it_is = wordings.get(wording)
            if what_it_is is None:
                what_it_is = wordings[wording] = self._understand(wording, f"{name}:{line}")
            self._add(int(match[1], 16), number, line, *what_it_is)
        if where[0] < 0:
            raise ConfigError(f"{name}:1: the list is empty; its first line names the columns {', '.join(COLUMNS)}")

    def _add(self, tag: int, source: int, line: int, number: int, state: int) -> None:
        self._rows.append(tag << _TAG_AT | source << _LIST_AT | line << _LINE_AT | number << _STATE_BITS | state)

    def _number(self, chip: ChipClass) -> int:
        number = self._numbers.get(chip)
        if number is None:
            number = self._numbers[chip] = len(self.classes)
            self.classes.append(chip)
        return number

    def _understand(self, wording: tuple[str, ...], place: str) -> tuple[int, int]:
        kind, value, set_mark, colour, table, state = wording
        if kind not in KINDS:
            raise ConfigError(f"{place}: there is no kind '{kind}'; {nearest(kind, list(KINDS))}")
        state = state or "live"
        if state not in STATES:
            raise ConfigError(f"{place}: there is no state '{state}'; {nearest(state, list(STATES))}")
        chip = self._colour(set_mark, colour, value, table, place) if kind == "colour" else None
        if chip is None:
            if colour or (set_mark and kind != "tournament"):
                raise ConfigError(f"{place}: a {kind} chip has a value and neither set nor colour; empty those fields")
            chip = ChipClass(kind, self._value(kind, value, place), set_mark, table=table)
        number = self._number(chip)
        if number >= MOST_CLASSES:
            raise ConfigError(f"{place}: more than {MOST_CLASSES} different chips; are values and tags mixed up?")
        return number, STATES.index(state)

    def _value(self, kind: str, value: str, place: str) -> int:
        try:
            cents = cents_of(value)
        except ValueError as trouble:
            raise ConfigError(f"{place}: {trouble}") from None
        if kind == "tournament":
            if cents % 100:
                raise ConfigError(f"{place}: '{value}' is no whole number of units, in which tournament chips count")
            return cents
        if cents not in self.denominations:
            known = ", ".join(in_a_list(each) for each in sorted(self.denominations))
            what = f"no {kind} chip is worth ${in_a_list(cents)}"
            raise ConfigError(f"{place}: {what}; known denominations: {known}; name others with --denominations")
        return cents

    def _colour(self, set_mark: str, colour: str, value: str, table: str, place: str) -> ChipClass:
        if not set_mark or not colour:
            raise ConfigError(f"{place}: a colour chip needs the mark of its set and its colour (3.1.2(a))")
        if value:
            raise ConfigError(f"{place}: a colour chip has no value of its own (3.1.2); empty the field 'value'")
        if "/" in set_mark:
            raise ConfigError(f"{place}: the mark '{set_mark}' of a set must hold no '/'")
        chip = ChipClass("colour", 0, set_mark, colour, table)
        self._own_table(chip, place)
        return chip

    def _own_table(self, chip: ChipClass, place: str) -> None:
        if chip.kind != "colour":
            return
        table, first = self._tables.setdefault(chip.set_mark, (chip.table, place))
        if table != chip.table:
            what = f"the set '{chip.set_mark}' belongs to '{chip.table}' here and to '{table}' at {first}"
            raise ConfigError(f"{place}: {what}; a set is one table's alone (3.1.2(a))")

    def merged(self, replace: bool) -> list[tuple[int, int, int]]:
        """Every tag once, in order; two lines that disagree, or say the same tag twice in one list, are refused."""
        rows: list[tuple[int, int, int]] = []
        before = 0
        for row in sorted(self._rows):
            tag = row >> _TAG_AT
            what = (row & _WHAT) >> _STATE_BITS, row & ((1 << _STATE_BITS) - 1)
            if rows and rows[-1][0] == tag:
                self._refuse_unless(before, row, replace)
                rows[-1] = (tag, *what)
            else:
                rows.append((tag, *what))
            before = row
        return rows

    def _refuse_unless(self, before: int, row: int, replace: bool) -> None:
        tag = row >> _TAG_AT
        first, second = self._source(before), self._source(row)
        if first == second:
            raise ConfigError(
                f"{self._place(row)}: tag {tag:x} stands already on line {self._line(before)}; a tag is one chip"
            )
        if before & _WHAT != row & _WHAT and not (replace and first == 0):
            ours, theirs = (self._words(each) for each in (row, before))
            remedy = "find out which is right"
            if first == 0:
                remedy += ", then import with --replace if it is this list"
            raise ConfigError(
                f"{self._place(row)}: tag {tag:x} is {ours} here and {theirs} in {self._place(before)}; {remedy}"
            )

    def _source(self, row: int) -> int:
        return row >> _LIST_AT & ((1 << _LIST_BITS) - 1)

    def _line(self, row: int) -> int:
        return row >> _LINE_AT & ((1 << _LINE_BITS) - 1)

    def _place(self, row: int) -> str:
        source = self._source(row)
        return f"{self.names[source]}:{self._line(row)}" if source else f"the register {self.names[0]}"

    def _words(self, row: int) -> str:
        chip = self.classes[(row & _WHAT) >> _STATE_BITS]
        state = STATES[row & ((1 << _STATE_BITS) - 1)]
        worth = f"{chip.set_mark}/{chip.colour}" if chip.kind == "colour" else f"${in_a_list(chip.cents)}"
        where = f" of {chip.table}" if chip.table else ""
        return f"{chip.kind} {worth}{where}" + ("" if state == "live" else f", {state}")


def _columns(row: list[str], place: str) -> list[int]:
    """Where each column stands in this list; -1 where it is left out."""
    names = [name.strip().lower().lstrip("\ufeff") for name in row]
    for name in names:
        if name not in COLUMNS:
            raise ConfigError(f"{place}: there is no column '{name}'; {nearest(name, list(COLUMNS))}")
    if len(set(names)) != len(names):
        raise ConfigError(f"{place}: a column is named twice")
    for name in _NEEDED:
        if name not in names:
            raise ConfigError(f"{place}: the column '{name}' is missing; the first line names the columns")
    return [names.index(name) if name in names else -1 for name in COLUMNS]


def _lines(reader: Iterable[list[str]], name: str) -> Iterator[tuple[int, list[str]]]:
    lines = iter(reader)
    while True:
        try:
            row = next(lines)
        except StopIteration:
            return
        except UnicodeDecodeError:
            line = getattr(reader, "line_num", 0) + 1
            raise ConfigError(f"{name}:{line}: not UTF-8 text from about here on; save the list as UTF-8") from None
        except csv.Error as trouble:
            raise ConfigError(f"{name}:{getattr(reader, 'line_num', 0)}: not CSV, {trouble}") from None
        yield getattr(reader, "line_num", 0), row


def _opened(path: str | Path) -> TextIO:
    try:
        return Path(path).open(encoding="utf-8", newline="")
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such list; check the path") from None
    except OSError as trouble:
        raise ConfigError(f"{path}: cannot be read ({trouble.strerror}); check its permissions") from None
