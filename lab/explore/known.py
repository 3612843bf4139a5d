"""Findings that are known and not mended yet, each with its reason; a new one, or one that is gone, is told."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib import resources


def cannot_be_reached(rulebook: str, kind: str, names: Iterable[str]) -> dict[str, str]:
    """Which of these keys, answers, rows or alarms no walk under this rulebook can reach, each with its reason."""
    text = resources.files("lab.explore").joinpath("unreached.toml").read_text("utf-8")
    listed: dict[str, dict[str, dict[str, str]]] = tomllib.loads(text)
    rules = {**listed["all"].get(kind, {}), **listed.get(rulebook, {}).get(kind, {})}
    return {name: why for name in names for like, why in rules.items() if _meant(name, like)}


def _meant(name: str, like: str) -> bool:
    return name.startswith(like[:-1]) if like.endswith("*") else name == like


def known_findings(rulebook: str) -> dict[str, str]:
    """The reason of each known finding of a rulebook, by the finding's name."""
    text = resources.files("lab.explore").joinpath("known.toml").read_text("utf-8")
    listed: dict[str, dict[str, str]] = tomllib.loads(text)
    return listed.get(rulebook, {})
