"""Walks that once showed a defect: the one is listed as known and still shows it, the other is mended and does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.explore.campaign import played
from lab.explore.known import known_findings
from lab.explore.steps import read

WALKS = sorted((Path(__file__).parent / "walks").glob("*/*.json"))


@pytest.mark.parametrize("path", WALKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_walk_shows_its_finding_as_long_as_it_is_listed_as_known(path: Path) -> None:
    walk = read(path.read_bytes())
    shown = {found.name: found.text for found in played(walk)[1].found}
    listed = walk.finding in known_findings(walk.rulebook)
    said = "is listed as known and gone: take it out of known.toml" if listed else "was mended and shows again"
    assert (walk.finding in shown) == listed, f"{walk.finding} {said}; shown: {shown}"


def test_whatever_is_listed_as_known_has_a_walk_that_shows_it() -> None:
    walks = [read(path.read_bytes()) for path in WALKS]
    for rulebook in {walk.rulebook for walk in walks}:
        shown = {walk.finding for walk in walks if walk.rulebook == rulebook}
        in_vain = {name for name in known_findings(rulebook) if name.startswith("key offered and always refused")}
        assert known_findings(rulebook).keys() - in_vain <= shown
