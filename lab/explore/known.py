"""Findings that are known and not mended yet, each with its reason; a new one, or one that is gone, is told."""

from __future__ import annotations

import tomllib
from importlib import resources


def known_findings(rulebook: str) -> dict[str, str]:
    """The reason of each known finding of a rulebook, by the finding's name."""
    text = resources.files("lab.explore").joinpath("known.toml").read_text("utf-8")
    listed: dict[str, dict[str, str]] = tomllib.loads(text)
    return listed.get(rulebook, {})
