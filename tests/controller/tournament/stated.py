"""Terms for tests: the examples that ship, with a change here and there."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from controller.tournament import __file__ as _package
from controller.tournament.checks import BadTerms, terms_of
from controller.tournament.required import Finding
from controller.tournament.terms import Terms

EXAMPLES = Path(_package).parent / "examples"


def text(game: str) -> str:
    """The example of a game as it ships."""
    return (EXAMPLES / f"{game}.toml").read_text("utf-8")


def changed(game: str, *changes: tuple[str, str]) -> str:
    """The example with some of its text replaced; each must be there."""
    said = text(game)
    for old, new in changes:
        assert old in said, old
        said = said.replace(old, new)
    return said


def terms(game: str = "war", *changes: tuple[str, str]) -> Terms:
    return terms_of(changed(game, *changes))


def refused(game: str, *changes: tuple[str, str]) -> tuple[Finding, ...]:
    """All that is wrong with the example once it is changed so."""
    try:
        terms_of(changed(game, *changes))
    except BadTerms as bad:
        return bad.findings
    return ()


def values(game: str) -> dict[str, Any]:
    return tomllib.loads(text(game))
