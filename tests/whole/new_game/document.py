"""The files that docs/adding-a-game.md shows, and a tree in which they lie."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests import ROOT

DOCUMENT = ROOT / "docs" / "adding-a-game.md"
PACKAGES = ("controller", "drivers", "firmware_specs", "simulators", "floor", "lab", "tests")
_BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    """Every block of the document that has a path, in order."""
    found = _BLOCK.findall(DOCUMENT.read_text("utf-8"))
    assert len(dict(found)) == len(found), "a file stands in the document twice"
    return dict(found)


def lay(tree: Path) -> None:
    """A copy of the whole tree with the game of the document in it, and not one other line changed."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "pyproject.toml", tree)
    for path, text in files().items():
        place = tree / path
        assert not place.exists(), f"{path} is there already; a game may change nothing"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
