"""The Debian package and what is told about it: from stand-ins for the locked wheels, without a package registry."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lab import bundle, deb
from lab.bundle import build_version, project, source
from lab.sbom import UNKNOWN, bill
from tests.bundles import TREE, stub_wheel, wheel

NEEDS_DPKG = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not here (apt install dpkg)")


@pytest.fixture
def stubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds from a stub of our program, and no others."""
    monkeypatch.setattr(bundle, "_download", lambda folder, arch, python, wanted: None)
    monkeypatch.setattr(bundle, "without_pip", lambda lock: "")
    monkeypatch.setattr(bundle, "build_version", lambda tree: "1.0+202601010000.gabcdef12")
    monkeypatch.setattr(bundle, "build_wheel", lambda tree, to, scratch, version: stub_wheel(to, version))


@NEEDS_DPKG
def test_two_builds_of_one_source_are_equal_bit_for_bit(stubbed: None, tmp_path: Path) -> None:
    first, second = (deb.build_deb(source(), "x86_64", tmp_path / name, lambda text: None) for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    assert first.name == "tablectl_1.0+202601010000.gabcdef12_amd64.deb"


@NEEDS_DPKG
def test_the_package_has_everything_in_its_place(stubbed: None, tmp_path: Path) -> None:
    made = deb.build_deb(source(), "aarch64", tmp_path, lambda text: None)
    subprocess.run(["dpkg-deb", "-R", made, tmp_path / "out"], check=True, timeout=60)
    out = tmp_path / "out"
    for name in (
        "lib/systemd/system/tablectl.service",
        "lib/systemd/system/tablectl-doctor.timer",
        "usr/lib/sysusers.d/tablectl.conf",
        "usr/lib/tmpfiles.d/tablectl.conf",
        "lib/udev/rules.d/70-tablectl.rules",
        "usr/lib/tablectl/launch",
        "usr/lib/tablectl/program/lib/python3.11/site-packages/controller/commands/__init__.py",
        "usr/lib/tablectl/program/lib/python3.13/site-packages/controller/commands/__init__.py",
        "usr/share/doc/tablectl/sbom.cdx.json",
    ):
        assert (out / name).is_file(), name
    assert (out / "DEBIAN" / "conffiles").read_text() == "/etc/tablectl/upkeep.conf\n"
    control = (out / "DEBIAN" / "control").read_text()
    assert "Architecture: arm64" in control
    for script in ("preinst", "postinst", "prerm", "postrm"):
        text = (out / "DEBIAN" / script).read_text()
        assert "@" not in re.sub(r"\$@|\"\$@\"", "", text), f"{script}: something was not filled in"
        subprocess.run(["sh", "-n", out / "DEBIAN" / script], check=True, timeout=10)
    if shutil.which("lintian"):
        said = subprocess.run(["lintian", "--fail-on", "error", made], capture_output=True, text=True, timeout=300)
        assert [line for line in said.stdout.splitlines() if line.startswith("E:")] == []


@NEEDS_DPKG
def test_apt_is_told_what_lies_in_the_repository_and_by_whom(stubbed: None, tmp_path: Path) -> None:
    made = deb.build_deb(source(), "x86_64", tmp_path, lambda text: None)
    if shutil.which("gpg") is None:
        pytest.skip("gpg is not here (apt install gpg): nothing was signed")
    home = tmp_path / "gpg"
    home.mkdir(mode=0o700)
    make = [
        "gpg",
        "--batch",
        "--homedir",
        str(home),
        "--passphrase",
        "",
        "--quick-generate-key",
        "table@example.invalid",
    ]
    if subprocess.run(make, capture_output=True, timeout=120).returncode:
        pytest.skip("gpg makes no key here: nothing was signed")
    to = deb.repository([made], tmp_path / "repository", "table@example.invalid", str(home))
    assert f"Filename: pool/{made.name}" in (to / "Packages").read_text()
    verify = ["gpg", "--homedir", str(home), "--verify", "InRelease"]
    subprocess.run(verify, cwd=to, check=True, capture_output=True, timeout=60)
    text = (to / "InRelease").read_text().replace("Origin: tablectl", "Origin: somebody")
    (to / "InRelease").write_text(text)
    assert subprocess.run(verify, cwd=to, capture_output=True, timeout=60).returncode != 0


def test_every_build_has_a_version_of_its_own(tmp_path: Path) -> None:
    version = build_version(TREE)
    release = project(TREE)["version"]
    assert re.fullmatch(rf"{re.escape(release)}(\+\d{{12}}\.g[0-9a-f]{{8,}}(\.changed)?)?", version)
    shutil.copy(TREE / "pyproject.toml", tmp_path)
    assert build_version(tmp_path) == release, "without a commit there is nothing to add"


def test_the_bill_of_materials_names_every_package_with_hash_and_licence(tmp_path: Path) -> None:
    made = [wheel(tmp_path, "alpha", "1.2", {"alpha.py": b""}), wheel(tmp_path, "beta", "3", {"beta.py": b""})]
    told = bill([*made, stub_wheel(tmp_path, "1.0")], "1.0")
    assert json.loads(json.dumps(told))["bomFormat"] == "CycloneDX"
    assert told["metadata"]["component"]["version"] == "1.0"
    assert [(part["name"], part["version"]) for part in told["components"]] == [("alpha", "1.2"), ("beta", "3")]
    assert all(len(part["hashes"][0]["content"]) == 64 for part in told["components"])
    assert told["components"][0]["licenses"] == [{"license": {"name": UNKNOWN}}]
    assert told == bill([*made, stub_wheel(tmp_path, "1.0")], "1.0")


TIMERS = sorted(path.name for path in (TREE / "install").glob("*.timer"))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here; apt install systemd")
@pytest.mark.parametrize("timer", TIMERS)
def test_systemd_understands_the_timers_and_what_they_start(timer: str) -> None:
    for unit in (timer, timer.replace(".timer", ".service")):
        command = ["systemd-analyze", "verify", "--man=no", str(TREE / "install" / unit)]
        said = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert [line for line in said.stderr.splitlines() if unit in line and "not executable" not in line] == []


@pytest.mark.parametrize("what", ["backup", "export", "retain", "doctor"])
def test_what_a_timer_starts_is_a_command_that_exists(what: str) -> None:
    import click

    from controller.commands import main

    text = (TREE / "install" / f"tablectl-{what}.service").read_text()
    (words,) = re.findall(r"/opt/tablectl/launch ([a-z -]+)", text)
    command: click.Command | None = main
    context = click.Context(main)
    for word in words.split():
        if word.startswith("--"):
            assert command is not None
            assert word in [option for one in command.params for option in one.opts]
        elif isinstance(command, click.Group):
            command = command.get_command(context, word)
            assert command is not None, word
