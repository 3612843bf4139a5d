"""Finds the line on which each key of a TOML text stands.

It reads only text that `tomllib` has already accepted, so it can be lenient and small.
"""

from __future__ import annotations

import re

from controller.config.tomlread import Keys

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}\n#]*")
_QUOTES = ('"""', "'''", '"', "'")
_STRING = {
    '"""': re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")', re.DOTALL),
    "'''": re.compile(r"'''.*?'{3,5}(?!')", re.DOTALL),
    '"': re.compile(r'"(?:[^"\\]|\\.)*"'),
    "'": re.compile(r"'[^']*'"),
}


def key_lines(text: str) -> dict[Keys, int]:
    """The line number, from 1, of every key, table and list entry."""
    return _Scan(text).run()


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Keys, int] = {}
        self.entries: dict[Keys, int] = {}

    def run(self) -> dict[Keys, int]:
        table: Keys = ()
        self._skip(_SPACE)
        while self.at < len(self.text):
            if self.text.startswith("[[", self.at):
                self.at += 2
                table = self._entry(self._dotted())
                self.at += 2
            elif self.text[self.at] == "[":
                self.at += 1
                table = self._resolve(self._dotted())
                for length in range(1, len(table) + 1):
                    self._mark(table[:length])
                self.at += 1
            else:
                self._pair(table)
            self._skip(_SPACE)
        return self.lines

    def _entry(self, name: Keys) -> Keys:
        """A further entry of an array of tables."""
        name = self._resolve(name, up_to=len(name) - 1)
        number = self.entries.get(name, -1) + 1
        self.entries[name] = number
        self._mark(name)
        self._mark((*name, number))
        return (*name, number)

    def _resolve(self, name: Keys, up_to: int | None = None) -> Keys:
        """A table's name with the current entry of each array of tables it passes through."""
        full: Keys = ()
        for position, key in enumerate(name):
            full = (*full, key)
            if (up_to is None or position < up_to) and full in self.entries:
                full = (*full, self.entries[full])
        return full

    def _pair(self, table: Keys) -> None:
        line_at = self.at
        keys = table
        for key in self._dotted():
            keys = (*keys, key)
            self._mark(keys, line_at)
        self._skip(_BLANK)
        self.at += 1  # the equals sign
        self._skip(_BLANK)
        self._pass_value(keys)

    def _dotted(self) -> Keys:
        keys: list[str] = []
        while True:
            self._skip(_BLANK)
            if self.text[self.at] in "\"'":
                keys.append(self._string()[1:-1])
            else:
                found = _BARE.match(self.text, self.at)
                if found is None:
                    break
                keys.append(found[0])
                self.at = found.end()
            self._skip(_BLANK)
            if self.at >= len(self.text) or self.text[self.at] != ".":
                break
            self.at += 1
        return tuple(keys)

    def _pass_value(self, keys: Keys) -> None:
        first = self.text[self.at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._pass_list(keys)
        elif first == "{":
            self._pass_inline_table(keys)
        else:
            self._skip(_SCALAR)

    def _pass_list(self, keys: Keys) -> None:
        self.at += 1
        number = 0
        self._skip(_SPACE)
        while self.text[self.at] != "]":
            self._mark((*keys, number))
            self._pass_value((*keys, number))
            number += 1
            self._skip(_SPACE)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(_SPACE)
        self.at += 1

    def _pass_inline_table(self, keys: Keys) -> None:
        self.at += 1
        self._skip(_SPACE)
        while self.text[self.at] != "}":
            self._pair(keys)
            self._skip(_SPACE)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(_SPACE)
        self.at += 1

    def _string(self) -> str:
        quote = next(quote for quote in _QUOTES if self.text.startswith(quote, self.at))
        found = _STRING[quote].match(self.text, self.at)
        if found is None:  # tomllib accepted the text, so this cannot be; go on rather than hang
            self.at = len(self.text)
            return quote * 2
        self.at = found.end()
        return found[0]

    def _mark(self, keys: Keys, at: int | None = None) -> None:
        where = self.at if at is None else at
        self.lines.setdefault(keys, self.text.count("\n", 0, where) + 1)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
