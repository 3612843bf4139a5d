"""Makes wrong inputs out of right ones: flipped, spliced, cut, grown, and pushed to the boundaries of their fields."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, cast

LONGEST = 65_536
_NUMBERS = (0, 1, 2, 51, 52, 127, 128, 255, 256, 8_319, 8_320, 32_767, 32_768, 65_535, 2**31 - 1, 2**31, 2**32 - 1)
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_ODD_NUMBERS = (
    "0", "-0", "-1", "1", "2", "00", "1e999", "-1e999", "1e-999", "nan", "inf", "0.001", "2.505", "1_000", "0x1f",
    "1.0", "99999999999999999999", "9" * 4_400, "0.1e1", "true", "1979-05-27T07:32:00Z", "100000000", "100000001",
)  # fmt: skip
_ODD_TEXTS = (
    "", " ", "\0", "\n", "\r", "\t", '"', "'", "\\", "/", "..", "\ufeff", "\u202e", "\u0663", "\uff11", "é", "𝔸", "#",
    "=", ",", ";", "[", "]", "{", "}", "[[", "]]", '"""', "'''", "%s", "$(x)", "<b>", "null", "None", "\x7f", "²",
)  # fmt: skip
_ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 0.5, 1e308, -0.0, "", " ", "0", "\0",
    "x" * 300, [], {}, [[]], [None], {"": None}, {"id": 1},
)  # fmt: skip
_NESTED = (("[", "]"), ("{a=", "}"), ('{"a":', "}"), ("(", ")"), ("[[", "]]"))


class Mutator:
    """One seeded source of wrong inputs."""

    def __init__(self, seed: str) -> None:
        self.draw = random.Random(seed)

    def octets(self, sample: bytes, others: Sequence[bytes] = ()) -> bytes:
        """A few changes to these bytes."""
        made = bytearray(sample)
        for _ in range(self._times()):
            self.draw.choice(_BYTE_CHANGES)(self.draw, made, others)
        return bytes(made[:LONGEST])

    def text(self, sample: str, words: Sequence[str] = (), others: Sequence[str] = ()) -> str:
        """A few changes to this text, most of them to whole words, numbers and lines."""
        draw = self.draw
        for _ in range(self._times()):
            change = draw.choice(_TEXT_CHANGES)
            sample = change(draw, sample, words, others)[:LONGEST]
        return sample

    def tree(self, sample: Any, others: Sequence[Any] = ()) -> Any:
        """A few changes to values anywhere in this tree of dictionaries and lists; the sample stays as it is."""
        grown: Any = json.loads(json.dumps(sample, default=_plain))
        for _ in range(self._times()):
            grown = self._branch(grown, others)
        return grown

    def _times(self) -> int:
        return min(int(self.draw.expovariate(0.6)) + 1, 8)

    def _branch(self, tree: Any, others: Sequence[Any]) -> Any:
        draw = self.draw
        node, above, key = tree, cast(Any, None), cast(Any, None)
        while isinstance(node, dict | list) and node and draw.random() < 0.8:
            above, key = node, draw.choice(list(node) if isinstance(node, dict) else range(len(node)))
            node = node[key]
        if above is None:
            return tree if isinstance(tree, dict | list) and draw.random() < 0.9 else _odd(draw)
        match draw.randrange(6):
            case 0:
                above[key] = _odd(draw)
            case 1:
                del above[key]
            case 2 if isinstance(above, dict):
                above[draw.choice((*map(str, above), "odd", ""))] = above.pop(key)
            case 2:
                above.insert(key, above[key])
            case 3 if others:
                above[key] = _anywhere(draw, draw.choice(others))
            case 4 if isinstance(node, int | float) and not isinstance(node, bool):
                above[key] = draw.choice((-node, node + 1, node - 1, node * 1000, node / 3, str(node)))
            case 4 if isinstance(node, str):
                above[key] = self.text(node)
            case _:
                above[key] = [node] if draw.random() < 0.5 else {"id": node}
        return tree


def _odd(draw: random.Random) -> Any:
    """An odd value of its own: what is put into it later must not show up everywhere."""
    return copy.deepcopy(draw.choice(_ODD_VALUES))


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else str(value)


def _anywhere(draw: random.Random, tree: Any) -> Any:
    """Some part of another sample."""
    while isinstance(tree, dict | list) and tree and draw.random() < 0.8:
        tree = tree[draw.choice(list(tree) if isinstance(tree, dict) else range(len(tree)))]
    return json.loads(json.dumps(tree, default=_plain))


# -- bytes -------------------------------------------------------------------------------------------------------

ByteChange = Callable[[random.Random, bytearray, Sequence[bytes]], None]


def _flip(draw: random.Random, made: bytearray, others: Sequence[bytes]) -> None:
    if made:
        made[draw.randrange(len(made))] ^= 1 << draw.randrange(8)


def _boundary(draw: random.Random, made: bytearray, others: Sequence[bytes]) -> None:
    width = draw.choice((1, 1, 2, 4, 8))
    if len(made) >= width:
        at = draw.randrange(len(made) - width + 1)
        number = draw.choice(_NUMBERS) * draw.choice((1, 1, 1, -1))
        made[at : at + width] = (number % (1 << 8 * width)).to_bytes(width, "little")


def _grow(draw: random.Random, made: bytearray, others: Sequence[bytes]) -> None:
    at = draw.randrange(len(made) + 1)
    made[at:at] = draw.randbytes(draw.choice((1, 1, 2, 4, 16, 300)))


def _cut(draw: random.Random, made: bytearray, others: Sequence[bytes]) -> None:
    if made:
        at = draw.randrange(len(made))
        del made[at : at + draw.choice((1, 1, 2, 4, 16))]


def _truncate(draw: random.Random, made: bytearray, others: Sequence[bytes]) -> None:
    if made:
        del made[draw.randrange(len(made)) :]


def _repeat(draw: random.Random, made: bytearray, others: Sequence[bytes]) -> None:
    if made and len(made) < LONGEST:
        at = draw.randrange(len(made))
        made[at:at] = made[at : at + draw.choice((1, 4, 40))] * draw.choice((1, 2, 50))


def _splice(draw: random.Random, made: bytearray, others: Sequence[bytes]) -> None:
    if made and others:
        other = draw.choice(others)
        made[draw.randrange(len(made)) :] = other[draw.randrange(len(other) + 1) :]


_BYTE_CHANGES: tuple[ByteChange, ...] = (_flip, _flip, _boundary, _boundary, _grow, _cut, _truncate, _repeat, _splice)


# -- text --------------------------------------------------------------------------------------------------------

TextChange = Callable[[random.Random, str, Sequence[str], Sequence[str]], str]


def _other_token(draw: random.Random, text: str, words: Sequence[str], others: Sequence[str]) -> str:
    tokens = _TOKEN.findall(text)
    if not tokens:
        return draw.choice(_ODD_TEXTS)
    at = draw.randrange(len(tokens))
    if tokens[at].isdigit() or draw.random() < 0.2:
        tokens[at] = draw.choice(_ODD_NUMBERS)
    elif words and draw.random() < 0.7:
        tokens[at] = draw.choice(words)
    else:
        tokens[at] = draw.choice(_ODD_TEXTS)
    return "".join(tokens)


def _lines(draw: random.Random, text: str, words: Sequence[str], others: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    one, two = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(two, lines[one])
        case 2:
            lines[one], lines[two] = lines[two], lines[one]
        case _ if others:
            there = draw.choice(others).splitlines(keepends=True)
            lines.insert(one, draw.choice(there) if there else "")
    return "".join(lines)


def _odd_text(draw: random.Random, text: str, words: Sequence[str], others: Sequence[str]) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(_ODD_TEXTS) * draw.choice((1, 1, 1, 3, 400)) + text[at + draw.choice((0, 1, 5)) :]


def _nested(draw: random.Random, text: str, words: Sequence[str], others: Sequence[str]) -> str:
    opening, closing = draw.choice(_NESTED)
    deep = draw.choice((2, 30, 2_000))
    at = text.find("=", draw.randrange(len(text) + 1)) + 1 or draw.randrange(len(text) + 1)
    middle = "1"
    return f"{text[:at]} {opening * deep}{middle}{closing * deep}{text[at:]}"


def _text_cut(draw: random.Random, text: str, words: Sequence[str], others: Sequence[str]) -> str:
    return text[: draw.randrange(len(text) + 1)]


def _text_splice(draw: random.Random, text: str, words: Sequence[str], others: Sequence[str]) -> str:
    if not others:
        return text
    other = draw.choice(others)
    return text[: draw.randrange(len(text) + 1)] + other[draw.randrange(len(other) + 1) :]


_TEXT_CHANGES: tuple[TextChange, ...] = (
    _other_token, _other_token, _other_token, _other_token, _lines, _lines, _odd_text, _nested, _text_cut, _text_splice,
)  # fmt: skip


def words_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Every word that the samples use, to be put where it does not belong."""
    return tuple(sorted({word for text in texts for word in re.findall(r"[A-Za-z_][\w.-]*|\d[\w.]*", text)}))
