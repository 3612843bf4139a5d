"""Tests lie where what they hold lies: `tests/drivers/test_link.py` and `test_link_others.py` hold `drivers/link.py`.

What only a whole table shows lies in `tests/whole`; what holds the source itself lies here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import ROOT
from tests.architecture.source import PACKAGES

BESIDE = ("architecture", "whole")
CLAUSE_BY_CLAUSE = "follows its document, clause by clause, where no written case speaks"
NO_MODULE_OF_ITS_NAME = {
    "tests/controller/games/war/test_clauses.py": CLAUSE_BY_CLAUSE,
    "tests/controller/games/poker/test_clauses.py": CLAUSE_BY_CLAUSE,
}
TESTED_AT_LEAST = 0.6
"""The share of the modules beside the felt that have a test of their name; it only goes up."""
LONGEST = 500


def modules(folder: Path) -> set[str]:
    """The modules and packages of a folder, by name."""
    here = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    return here - {"__init__"}


def files_of_tests(root: Path) -> list[Path]:
    return [path for package in PACKAGES for path in sorted((root / "tests" / package).rglob("test_*.py"))]


def held_by(path: Path, root: Path) -> Path | None:
    """The module that a test file holds: the longest name that its own begins with."""
    folder = root / path.parent.relative_to(root / "tests")
    subject = path.stem.removeprefix("test_")
    names = [name for name in modules(folder) if subject == name or subject.startswith(f"{name}_")]
    return folder / max(names, key=len) if names else None


def astray(root: Path) -> list[str]:
    """Test files beside no module of their name."""
    return [path.relative_to(root).as_posix() for path in files_of_tests(root) if held_by(path, root) is None]


def untested(root: Path, *packages: str) -> tuple[list[str], int]:
    """Modules without a test of their name, and how many modules there are; an empty package is none."""
    every = {
        path.parent if path.stem == "__init__" else path.with_suffix("")
        for package in packages
        for path in (root / package).rglob("*.py")
        if path.stem != "__init__" or path.read_text(encoding="utf-8").count("\n") > 1
    }
    held = {held_by(path, root) for path in files_of_tests(root)}
    return sorted(module.relative_to(root).as_posix() for module in every - held), len(every)


def test_every_test_lies_beside_the_module_of_its_name() -> None:
    assert {*astray(ROOT)} == {*NO_MODULE_OF_ITS_NAME}


def test_every_folder_of_tests_is_that_of_a_package_or_of_whole_tables() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {*PACKAGES, *BESIDE}


def test_every_folder_of_tests_is_a_package_so_that_equal_names_live_side_by_side() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_most_modules_beside_the_felt_have_a_test_of_their_name() -> None:
    without, count = untested(ROOT, "controller", "drivers")
    share = 1 - len(without) / count
    told = f"{count - len(without)} of {count} modules have a test of their name; these have none: {', '.join(without)}"
    assert share >= TESTED_AT_LEAST, told


def test_a_file_of_tests_holds_one_idea() -> None:
    lines = {path.relative_to(ROOT).as_posix(): _lines(path) for path in (ROOT / "tests").rglob("test_*.py")}
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("drivers/link.py", "drivers/link_layer.py", "drivers/ports/__init__.py", "drivers/ports/usb.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("NOTHING = 0\nNEITHER = 1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("drivers/test_link.py", "drivers/link"),
        ("drivers/test_link_on_a_pty.py", "drivers/link"),
        ("drivers/test_link_layer_cut.py", "drivers/link_layer"),
        ("drivers/test_ports.py", "drivers/ports"),
        ("drivers/ports/test_usb.py", "drivers/ports/usb"),
        ("drivers/test_usb.py", None),
        ("drivers/test_links.py", None),
    ],
)
def test_this_finds_what_a_test_holds_and_what_nothing_holds(tree: Path, name: str, holds: str | None) -> None:
    path = tree / "tests" / name
    path.parent.mkdir(parents=True)
    path.touch()
    assert held_by(path, tree) == (tree / holds if holds else None)
    assert astray(tree) == ([] if holds else [f"tests/{name}"])
    without, count = untested(tree, "drivers")
    assert (count, len(without), holds in without) == (4, 3 if holds else 4, False)
