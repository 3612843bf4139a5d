"""The words of pages and of sentences that the table makes up, for translators: read from the source, nothing is run.

A page writes its words as literals in JavaScript, the table those that it fills in as f-strings; what is filled in is
numbered, as `{0}`. Words that only name something to the program (classes, keys, addresses) are left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCRIPTS = ("controller/web/static/*.js", "controller/games/*/page.js")
SENTENCES = ("controller/core", "controller/games", "controller/money", "controller/tournament", "controller/web")
HAND = "poker"
"""The game whose hand refuses without capital letter and full stop."""
NAMED = re.compile(
    r"""(?:\bclass|\btype|\brole|\bviewBox|\bd|\binputmode|\bautocomplete|\btransform|\bkind|href|rel|fill|stroke|src|name)
        :\s*(?:"[^"]*"|`[^`]*`)"""
    r"""|(?:querySelector(?:All)?|matches|closest|matchMedia|addEventListener|removeEventListener|getItem|setItem
        |setAttribute|toggle|add|remove|contains|startsWith|endsWith|includes|post|get|import|split|join|replace|test)\(\s*(?:"[^"]*"|`[^`]*`)"""
    r"""|[!=]==\s*"[^"]*" | \bfrom\s+"[^"]*" | \bimport\s+"[^"]*" | \bcase\s+"[^"]*":""",
    re.VERBOSE,
)
"""Literals that the program reads, and nobody else."""
CODES = frozenset(
    {"Aa", "GET", "POST", "Escape", "Tab", "ArrowLeft", "ArrowRight", "Enter", "Desired", "TimerOff", "TimerSet"}
)
WORDS = re.compile(r"[A-Za-z]{2}")
NOT_READ = re.compile(
    r"""[<>#=;"]|\\|\$\d|^data-|^input,|tablectl|px\b|^[./]|^\w+\.\w+$|w3\.org|en-AU|json$|rotate\(|^[MmAaLl][\d -]"""
)
"""Selectors, paths, addresses and drawings."""
PLAIN = (
    "win", "lose", "won", "lost", "standoff", "stand-off", "surrender", "void", "returned", "refused", "tie", "winner",
    "main", "war", "perfect pairs", "result", "turning", "clockwise", "anticlockwise", "turns", "pointer at",
    "from the divider", "rolled back", "fastest", "wheel", "chips", "cards", "shoe", "shuffler", "swipe", "up", "down",
    "silent", "wrong", "folded", "all in", "uncontested", "no spin", "near", "spin", "player", "box", "amount", "card",
    "dealer", "dealer war", "war burn", "round burn", "shoe burn", "short", "closed", "opening", "open", "closing",
    "suspended", "none", "unknown", "yes", "no", "sign out", "chips have moved", "cards have moved",
    "the wheel has moved", "of no rank here", "by hand",
)  # fmt: skip
"""Single words by which the table names results, places and states, and pages show them."""


def of_pages() -> dict[str, list[str]]:
    """Every text that a page writes by itself, with the scripts it stands in."""
    found: dict[str, list[str]] = {}
    for pattern in SCRIPTS:
        for path in sorted(ROOT.glob(pattern)):
            for text in literals(path.read_text(encoding="utf-8")):
                where = f"page {path.relative_to(ROOT / 'controller').as_posix()}"
                if where not in found.setdefault(text, []):
                    found[text].append(where)
    return found


def plain() -> dict[str, list[str]]:
    """Words for results, places and states."""
    return {word: ["a word for a result, a place or a state"] for word in PLAIN}


def literals(script: str) -> Iterator[str]:
    """The texts of a script that people read."""
    lines = (line for line in script.splitlines() if not line.lstrip().startswith("//"))
    for text in _quoted(NAMED.sub("", "\n".join(lines))):
        bare = re.sub(r"\{\d+\}", "", text)
        if WORDS.search(bare) and text not in CODES and _for_people(text, bare):
            yield text


def _for_people(text: str, bare: str) -> bool:
    if NOT_READ.search(text):
        return False
    return bool(re.match(r"[A-Z“]", bare.strip())) or " " in bare.strip() or "{" in text


def _quoted(script: str) -> Iterator[str]:
    """Plain literals, and templates with what is filled in numbered; templates inside templates too."""
    at = 0
    while at < len(script):
        if script[at] == '"':
            end = at + 1
            while end < len(script) and script[end] not in '"\n':
                end += 2 if script[end] == "\\" else 1
            yield script[at + 1 : end]
            at = end + 1
        elif script[at] == "`":
            text, inner, at = _template(script, at + 1)
            yield text
            for part in inner:
                yield from _quoted(part)
        else:
            at += 1


def _template(script: str, at: int) -> tuple[str, list[str], int]:
    text, inner = "", list[str]()
    while at < len(script) and script[at] != "`":
        if script.startswith("${", at):
            start, depth, at = at + 2, 1, at + 2
            while depth:
                if script[at] == "`":
                    at = _template(script, at + 1)[2]
                    continue
                depth += {"{": 1, "}": -1}.get(script[at], 0)
                at += 1
            text += f"{{{len(inner)}}}"
            inner.append(script[start : at - 1])
        else:
            text += script[at]
            at += 1
    return text, inner, at + 1


def of_sentences() -> dict[str, list[str]]:
    """Every sentence that the table makes up, with the modules it stands in."""
    found: dict[str, list[str]] = {}
    for folder in SENTENCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            bare = bare_refusals(tree) if folder.endswith("games") and HAND in path.parts else ()
            for text in (*sentences(tree), *bare):
                where = f"said {path.relative_to(ROOT / 'controller').with_suffix('').as_posix()}"
                if where not in found.setdefault(text, []):
                    found[text].append(where)
    return found


def sentences(tree: ast.Module) -> Iterator[str]:
    """Strings that are sentences, and are no documentation."""
    besides: set[ast.AST] = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    besides |= {
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if node not in besides and (text := _text(node)) and re.fullmatch(r"[A-Z{“].* .*[.?!]", text):
            yield text


def bare_refusals(tree: ast.Module) -> Iterator[str]:
    """What a hand refuses with, as people are told it: the hand leaves capital letter and full stop to its table."""
    for node in ast.walk(tree):
        called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal"
        named = isinstance(node, ast.Assign) and [getattr(one, "id", "") for one in node.targets] == ["text"]
        said = node.args[1:2] if called else [node.value] if named else []  # type: ignore[attr-defined]
        for text in map(_text, said):
            if re.fullmatch(r"[a-z{“'].* .*[^.?!: ]", text):
                yield f"{text[:1].upper()}{text[1:]}."


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts, filled = [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        else:
            parts.append(f"{{{filled}}}")
            filled += 1
    return "".join(parts)
