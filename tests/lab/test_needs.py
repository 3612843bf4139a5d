"""What becomes of tests on a machine that lacks what they need: skipped and told, refused, or made to run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from lab.needs import MAKE, NEEDS, PIPS_WHEEL, ROOT
from tests import ROOT as TREE
from tests.needed import skip_without

BROWSER = "def test_a_browser_is_there(chromium):\n    assert chromium.endswith('chromium')\n"
OTHERS = """
import pytest
from lab.needs import MOUNTS

def test_of_a_right():
    pytest.skip(MOUNTS.missing)

def test_that_nobody_declared():
    pytest.skip("not in the mood")
"""
JUDGED = "import pytest\npytest.importorskip('no_such_judge', reason='no judge')\n"


def programs(folder: Path, scripts: dict[str, str]) -> str:
    """A folder with nothing but these programs."""
    (folder / "bin").mkdir()
    for name, script in scripts.items():
        program = folder / "bin" / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    return str(folder / "bin")


def run(folder: Path, tests: str, *options: str, **scripts: str) -> subprocess.CompletedProcess[str]:
    """These tests under the project's own arrangements, on a machine where only these programs can be found."""
    for source, name in (
        ("tests/conftest.py", "conftest.py"),
        ("tests/whole/browser/conftest.py", "browser/conftest.py"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(TREE / source, folder / name)
    (folder / "browser" / "test_one.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    world = {"PATH": programs(folder, scripts), "PYTHONPATH": str(TREE)}
    return subprocess.run(
        [*command, *options, str(folder)],
        cwd=folder,
        env={**os.environ, **world},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_without_a_browser_the_run_says_plainly_that_browser_tests_did_not_run(tmp_path: Path) -> None:
    done = run(tmp_path, BROWSER)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "BROWSER TESTS DID NOT RUN" in done.stdout
    assert "apt install chromium" in done.stdout
    assert "1 skipped" in done.stdout


def test_with_a_browser_its_tests_run(tmp_path: Path) -> None:
    done = run(tmp_path, BROWSER, "--nothing-missing", chromium="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_where_nothing_may_be_missing_a_missing_browser_is_a_failure(tmp_path: Path) -> None:
    done = run(tmp_path, BROWSER, "--nothing-missing")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "must run here and was skipped" in done.stdout
    assert "apt install chromium" in done.stdout


def test_where_nothing_may_be_missing_only_a_right_that_is_refused_excuses_a_test(tmp_path: Path) -> None:
    done = run(tmp_path, OTHERS, "--nothing-missing")  # without unshare there is nothing to mount with
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 skipped" in done.stdout
    assert "must run here and was skipped: Skipped: not in the mood" in done.stdout


def test_where_nothing_may_be_missing_a_file_that_is_skipped_whole_is_a_failure(tmp_path: Path) -> None:
    done = run(tmp_path, JUDGED, "--nothing-missing")
    assert done.returncode != 0, done.stdout + done.stderr
    assert "must run here and was skipped: Skipped: no judge" in done.stdout


def tools(folder: Path, **scripts: str) -> subprocess.CompletedProcess[str]:
    """Bring what is missing, on a machine that has a shell, Python and these programs."""
    there = {"python3": sys.executable, "id": shutil.which("id"), "dirname": shutil.which("dirname")}
    path = programs(folder, {name: f'exec {true} "$@"' for name, true in there.items()} | scripts)
    command = [str(shutil.which("bash")), str(TREE / ".ci" / "tools")]
    return subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, timeout=60, check=False)


@skip_without(ROOT, "nobody else may install")
def test_what_tests_need_and_this_machine_lacks_is_installed(tmp_path: Path) -> None:
    done = tools(tmp_path, **{"apt-get": f'echo "$@" >> {tmp_path}/asked', "make": ""})
    assert done.returncode == 0, done.stderr
    lists, install = (tmp_path / "asked").read_text().splitlines()
    assert lists == "update"
    assert install.split()[:3] == ["install", "-y", "--no-install-recommends"]
    packages = {package for need in NEEDS if need not in (MAKE, PIPS_WHEEL) for package in need.debian}
    assert set(install.split()[3:]) - set(PIPS_WHEEL.debian) == packages, "make is here already"
    assert "chromium" in packages


@skip_without(ROOT, "nobody else may install")
def test_an_installation_that_fails_is_told_with_its_reason(tmp_path: Path) -> None:
    done = tools(tmp_path, **{"apt-get": "echo 'E: Unable to locate package chromium' >&2; exit 100"})
    assert done.returncode == 100
    assert "Unable to locate package chromium" in done.stderr


def test_where_nobody_may_install_it_says_what_to_install(tmp_path: Path) -> None:
    done = tools(tmp_path, id="echo 1000")
    assert done.returncode == 1
    said = done.stderr.partition("only root may install it: apt install ")[2]
    assert "chromium" in said.split()
