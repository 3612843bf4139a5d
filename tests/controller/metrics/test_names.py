"""Rules and dashboard speak of what is told, and of nothing else."""

from __future__ import annotations

import json
import re

import pytest

from controller.metrics import names
from tests import ROOT

FILES = ROOT / "install" / "prometheus"
SUFFIXES = ("_bucket", "_count", "_sum")


def spoken_of(text: str) -> set[str]:
    """The numbers that a file names, as they are declared."""
    found = set()
    for name in re.findall(r"\btablectl_\w+", text):
        ending = next((each for each in SUFFIXES if name.endswith(each)), "")
        found.add(name.removesuffix(ending))
    return found


def test_every_number_is_declared_once() -> None:
    declared = [one.name for one in names.ALL]
    assert len(declared) == len(set(declared))
    assert all(one.says and one.name.startswith("tablectl_") for one in names.ALL)
    assert all(one.name.endswith("_total") == (one.kind == "counter") for one in names.ALL)


@pytest.mark.parametrize("file", ["tablectl-rules.yml", "tablectl-dashboard.json"])
def test_rules_and_dashboard_name_what_is_declared(file: str) -> None:
    found = spoken_of((FILES / file).read_text("utf-8"))
    assert len(found) > 15
    assert found - {one.name for one in names.ALL} == set()


def test_every_number_is_shown_or_watched() -> None:
    files = (FILES / "tablectl-rules.yml", FILES / "tablectl-dashboard.json")
    found = spoken_of("".join(path.read_text("utf-8") for path in files))
    assert {one.name for one in names.ALL} - found == set()


def test_panels_lie_beside_each_other_each_with_a_query() -> None:
    panels = json.loads((FILES / "tablectl-dashboard.json").read_text("utf-8"))["panels"]
    places = [(one["gridPos"]["x"], one["gridPos"]["y"]) for one in panels]
    assert len(set(places)) == len(panels) > 20
    assert all(one["title"] and all(target["expr"] for target in one["targets"]) for one in panels)
