"""Whether browser tests run, are made to run, or say that they did not: on machines without a Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parent.parent / "browser" / "conftest.py"
ONE = "def test_a_browser_is_there(chromium):\n    assert chromium.endswith('chromium')\n"


def run(folder: Path, programs: dict[str, str], **world: str) -> subprocess.CompletedProcess[str]:
    """The browser tests' own arrangements on a machine where only these programs can be found."""
    (folder / "bin").mkdir()
    for name, script in programs.items():
        program = folder / "bin" / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "test_one.py").write_text(ONE)
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "PATH")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)],
        cwd=folder,
        env={**kept, "PATH": str(folder / "bin"), **world},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_without_a_browser_the_run_says_plainly_that_browser_tests_did_not_run(tmp_path: Path) -> None:
    done = run(tmp_path, {})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "BROWSER TESTS DID NOT RUN" in done.stdout
    assert "apt install chromium" in done.stdout
    assert "1 skipped" in done.stdout


def test_in_continuous_integration_a_missing_browser_is_a_failure(tmp_path: Path) -> None:
    done = run(tmp_path, {}, CI="true")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "browser tests must run here" in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may install")
def test_where_it_may_the_run_installs_a_browser_and_says_so(tmp_path: Path) -> None:
    lists, program = tmp_path / "lists", tmp_path / "bin" / "chromium"
    apt = f"""
case "$1" in
update) : > {lists} ;;
install) [ -e {lists} ] || exit 100
    echo '#!/bin/sh' > {program}; {shutil.which("chmod")} 755 {program} ;;
esac
"""
    done = run(tmp_path, {"apt-get": apt}, CI="true")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "was installed for the browser tests: apt-get install" in done.stdout
    assert "1 passed" in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may install")
def test_an_installation_that_fails_is_told_with_its_reason(tmp_path: Path) -> None:
    done = run(tmp_path, {"apt-get": "echo 'E: Unable to locate package chromium' >&2; exit 100"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "BROWSER TESTS DID NOT RUN" in done.stdout
    assert "Unable to locate package chromium" in done.stdout
