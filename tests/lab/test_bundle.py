"""The bundle: its locked packages with their hashes, its check sums, and nothing of the lab."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from lab.bundle import BundleTrouble, build_wheel, check_lock, without_pip, write_sums
from tests.bundles import TREE

# --- the lock --------------------------------------------------------------------------------


def test_the_lock_belongs_to_the_dependencies_and_holds_a_hash_for_each_machine() -> None:
    text = check_lock(TREE).read_text("utf-8")
    pinned = re.findall(r"^([a-z0-9-]+)==\S+", text, re.MULTILINE)
    assert {
        "msgspec",
        "click",
        "starlette",
        "uvicorn",
        "transitions",
        "pyserial",
        "pyusb",
        "cobs",
        "nats-py",
        "pip",
    } <= set(pinned)
    compiled = text[text.index("msgspec==") :].split("\nnats-py==")[0]
    assert compiled.count("--hash=sha256:") == 4, "two machines, two Pythons"
    assert "://" not in text


def test_a_table_is_given_every_locked_package_with_its_own_hashes_and_no_pip() -> None:
    whole = re.sub(r" \\\n +", " ", check_lock(TREE).read_text("utf-8"))
    given = re.sub(r" \\\n +", " ", without_pip(check_lock(TREE)))
    assert [line for line in whole.splitlines() if line not in given.splitlines()] == [
        line for line in whole.splitlines() if line.startswith("pip==")
    ]
    assert all(re.match(r"#|[a-z0-9-]+==\S+ --hash", line) for line in given.splitlines())


def test_a_lock_that_is_older_than_the_dependencies_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "install").mkdir()
    shutil.copy(TREE / "install" / "requirements.lock", tmp_path / "install")
    project = (TREE / "pyproject.toml").read_text("utf-8")
    (tmp_path / "pyproject.toml").write_text(project.replace("click>=8.1", "click>=8.2"), "utf-8")
    with pytest.raises(BundleTrouble, match="run: tablectl bundle lock"):
        check_lock(tmp_path)


def test_check_sums_cover_every_file_of_a_bundle(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "a.whl").write_text("a")
    (tmp_path / "VERSION").write_text("1")
    write_sums(tmp_path)
    names = [line.split("  ")[1] for line in (tmp_path / "SHA256SUMS").read_text().splitlines()]
    assert names == ["VERSION", "wheels/a.whl"]


def test_a_table_is_given_the_controller_and_nothing_of_the_lab(tmp_path: Path) -> None:
    wheel = build_wheel(TREE, tmp_path, tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"controller", "drivers", "firmware_specs"}
    on_disk = {
        str(path.relative_to(TREE))
        for top in tops
        for path in (TREE / top).rglob("*.py")
        if "__pycache__" not in path.parts
    }
    assert {name for name in names if name.endswith(".py")} == on_disk - {
        name for name in on_disk if name.startswith("firmware_specs/reference/")
    }
