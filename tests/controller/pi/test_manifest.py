"""The manifest of an installed program: changed, missing and added files found by name."""

from __future__ import annotations

import subprocess
from pathlib import Path

from controller.pi import manifest

# --- the manifest ----------------------------------------------------------------------------


def test_an_untouched_program_passes_and_sha256sum_says_the_same(program: Path) -> None:
    checked = manifest.check(program)
    assert (checked.files, checked.wrong) == (2, ())
    subprocess.run(["sha256sum", "--check", "--quiet", "MANIFEST"], cwd=program.parent, check=True, timeout=10)


def test_changed_missing_and_added_files_are_found_by_name(program: Path) -> None:
    folder = program.parent
    (folder / "lib" / "rules.py").write_text("PAYS = 3\n")
    (folder / "lib" / "table.py").unlink()
    (folder / "sitecustomize.py").write_text("evil")
    wrong = manifest.check(program).wrong
    assert wrong == ("sitecustomize.py: added", "lib/rules.py: changed", "lib/table.py: missing")


def test_a_missing_or_damaged_manifest_is_no_pass(program: Path) -> None:
    program.write_text("rubbish\n" + program.read_text())
    assert "MANIFEST:1: not a line" in manifest.check(program).wrong[0]
    program.unlink()
    assert "cannot be read" in manifest.check(program).wrong[0]
