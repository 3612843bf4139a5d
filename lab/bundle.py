"""The offline bundle: our wheel, hash-locked wheels for the Pi, check sums, installer; and the lock they come from."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from controller.journal.file import SCHEMA
from lab import sbom

ARCHES = ("aarch64", "x86_64")
PYTHONS = ("3.11", "3.13")  # Debian 12 and 13, and the Raspberry Pi OS made from each
PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_28", "manylinux_2_34")  # Debian 12 has glibc 2.36
LOCK = "requirements.lock"
BUILDER, SIGNATURE = "builder.gpg", "SHA256SUMS.gpg"
PIP_S = 600
EPOCH = 1_700_000_000  # every file in the archive has this time, so that one source gives one archive

UPKEEP = ("doctor", "backup", "export", "retain")
TIMERS = tuple(f"tablectl-{what}.{kind}" for what in UPKEEP for kind in ("service", "timer"))
"""What the machine does by itself, beside the table."""
SHARE = (
    *TIMERS,
    "launch",
    "tablectl",
    "versions.sh",
    "prove.sh",
    "tablectl.service",
    "tablectl-kiosk.service",
    "tablectl-fleet.service",
    "kiosk.sh",
    "backoff.sh",
    "70-tablectl.rules",
    "tablectl.modules",
    "tablectl.sysusers",
    "tablectl-kiosk.sysusers",
    "tablectl.tmpfiles",
    "upkeep.conf",
)
PAGES = ("docs/pi.md", "docs/spare-pi.md", "docs/spare-device.md")
PACKAGES = ("controller", "drivers", "firmware_specs")

_PIP = re.compile(r"^pip==.*\n(?: .*\n)*", re.MULTILINE)

Say = Callable[[str], None]


class BundleTrouble(Exception):
    """The bundle cannot be made: what, and what to do."""


def source() -> Path:
    """The source tree this program runs from; a bundle is made there and nowhere else."""
    tree = Path(__file__).resolve().parents[1]
    if not (tree / "pyproject.toml").is_file() or not (tree / "install" / "install.sh").is_file():
        raise BundleTrouble("a bundle is built in the source tree; check it out and run make bundle there")
    return tree


def project(tree: Path) -> dict[str, Any]:
    facts: dict[str, Any] = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    return facts


# --- the lock --------------------------------------------------------------------------------


def write_lock(tree: Path, say: Say) -> Path:
    """Ask the package registry which files fit, for every machine and Python, and write their hashes down."""
    wanted = [*project(tree)["dependencies"], "pip"]
    found: dict[tuple[str, str], set[str]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for arch in ARCHES:
            for python in PYTHONS:
                say(f"asking for {arch}, Python {python}")
                folder = Path(scratch) / f"{arch}-{python}"
                _download(folder, arch, python, wanted)
                for wheel in folder.iterdir():
                    found.setdefault(_named(wheel), set()).add(_digest(wheel))
    versions: dict[str, set[str]] = {}
    for name, version in found:
        versions.setdefault(name, set()).add(version)
    for name, several in versions.items():
        if len(several) > 1:
            raise BundleTrouble(f"{name} comes in versions {', '.join(sorted(several))}; bound it in pyproject.toml")
    lines = [
        "# What a bundle is made of, by hash. Written by `tablectl bundle lock`; do not edit.",
        f"# From pyproject.toml {_wanted_digest(tree)}",
    ]
    for (name, version), hashes in sorted(found.items()):
        lines.append(f"{name}=={version}" + "".join(f" \\\n    --hash=sha256:{one}" for one in sorted(hashes)))
    path = tree / "install" / LOCK
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _wanted_digest(tree: Path) -> str:
    """Changes whenever the dependencies in pyproject.toml do."""
    return hashlib.sha256("\n".join(project(tree)["dependencies"]).encode()).hexdigest()[:16]


def check_lock(tree: Path) -> Path:
    """The lock, if it belongs to pyproject.toml as it is now."""
    path = tree / "install" / LOCK
    if not path.exists() or f"# From pyproject.toml {_wanted_digest(tree)}" not in path.read_text("utf-8"):
        raise BundleTrouble(f"{path}: does not belong to pyproject.toml as it is now; run: tablectl bundle lock")
    return path


def _named(wheel: Path) -> tuple[str, str]:
    name, version = wheel.name.split("-")[:2]
    return re.sub(r"[-_.]+", "-", name).lower(), version


def _download(folder: Path, arch: str, python: str, wanted: Iterable[str]) -> None:
    pip("download", "--quiet", "--dest", str(folder), *platforms(arch, python), *wanted)


def platforms(arch: str, python: str) -> list[str]:
    """What tells pip for which machine and Python, whatever it runs on itself."""
    tag = f"cp{python.replace('.', '')}"
    words = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python]
    words += ["--abi", tag, "--abi", "abi3", "--abi", "none"]
    return [*words, *(word for platform in PLATFORMS for word in ("--platform", f"{platform}_{arch}"))]


def pip(*arguments: str, cwd: Path | None = None) -> None:
    """Have pip do this, or say why not."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
    try:
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=PIP_S)
    except subprocess.TimeoutExpired as error:
        raise BundleTrouble(f"pip did not end within {PIP_S} s; check the network, then try again") from error
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()[-1:]
        raise BundleTrouble(
            f"pip {arguments[0]} failed: {' '.join(last)[:500]}; a package registry must be reachable for this"
        )


# --- the bundle ------------------------------------------------------------------------------


def build(tree: Path, arch: str, to: Path, say: Say, pythons: Iterable[str] = PYTHONS, key: str = "") -> Path:
    """Make the archive of a bundle for one kind of machine, signed when a key of gpg is named."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = assemble(tree, arch, Path(scratch), say, pythons)
        if key:
            sign(folder, key)
        to.mkdir(parents=True, exist_ok=True)
        archive = to / f"{folder.name}.tar.gz"
        _pack(folder, archive)
    return archive


def assemble(tree: Path, arch: str, scratch: Path, say: Say, pythons: Iterable[str] = PYTHONS) -> Path:
    """Put everything a bundle holds into a folder."""
    lock = check_lock(tree)
    version = build_version(tree)
    folder = scratch / f"tablectl-{version}-{arch}"
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    for python in pythons:
        say(f"wheels for {arch}, Python {python}")
        _download(wheels, arch, python, ["--require-hashes", "--no-deps", "--requirement", str(lock)])
    say(f"our own wheel, {version}")
    own = build_wheel(tree, wheels, scratch, version)
    (folder / "requirements.txt").write_text(
        f"{without_pip(lock)}tablectl=={version} --hash=sha256:{_digest(own)}\n", "utf-8"
    )
    for name, words in (("VERSION", version), ("ARCH", arch), ("PYTHONS", " ".join(pythons)), ("SCHEMA", str(SCHEMA))):
        (folder / name).write_text(words + "\n")
    _copy_share(tree, folder)
    parts = list(wheels.glob("*.whl"))
    (folder / "share" / "sbom.cdx.json").write_text(json.dumps(sbom.bill(parts, version), indent=1) + "\n", "utf-8")
    (folder / "share" / "licences.txt").write_text(sbom.texts(parts) + "\n", "utf-8")
    write_sums(folder)
    return folder


def build_version(tree: Path) -> str:
    """Every build has a version of its own: the release, and the date and name of the commit it was made from."""
    release = str(project(tree)["version"])

    def git(*words: str) -> str:
        command = ["git", "-C", str(tree), *words]
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return ""

    made = git("log", "-1", "--format=%cd.g%h", "--date=format:%Y%m%d%H%M", "--abbrev=8")
    if not made:
        return release  # unpacked from an archive: there is no commit to tell
    changed = ".changed" if git("status", "--porcelain", "--untracked-files=no") else ""
    return f"{release}+{made}{changed}"


def without_pip(lock: Path) -> str:
    """What a table is given: pip installs the others and then has no place there."""
    return _PIP.sub("", lock.read_text("utf-8"))


def build_wheel(tree: Path, to: Path, scratch: Path, version: str = "") -> Path:
    """Our own wheel, built from a clean copy: leftovers of earlier builds must not travel to a table."""
    clean = scratch / "source"
    clean.mkdir()
    for name in ("pyproject.toml", "README.md"):
        if (tree / name).exists():
            shutil.copy(tree / name, clean / name)
    if version:
        text = (clean / "pyproject.toml").read_text("utf-8")
        (clean / "pyproject.toml").write_text(
            re.sub(r'^version = ".*"', f'version = "{version}"', text, count=1, flags=re.MULTILINE), "utf-8"
        )
    for package in PACKAGES:
        shutil.copytree(tree / package, clean / package, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", str(to), str(clean))
    return next(to.glob("tablectl-*.whl"))


def _copy_share(tree: Path, folder: Path) -> None:
    share = folder / "share"
    share.mkdir()
    for name in SHARE:
        shutil.copy(tree / "install" / name, share / name)
    for page in PAGES:
        shutil.copy(tree / page, share / Path(page).name)
    examples = tree / "controller" / "examples"
    shutil.copy(examples / "table.toml", share / "table.toml")
    (share / "examples").mkdir()
    for example in sorted(examples.glob("*.toml")):
        shutil.copy(example, share / "examples" / example.name)
    shutil.copy(tree / "install" / "install.sh", folder / "install.sh")


def write_sums(folder: Path) -> None:
    """SHA256SUMS over everything in the bundle; the installer reads it before it touches anything."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    lines = [f"{_digest(folder / name)}  {name}\n" for name in names if name not in ("SHA256SUMS", SIGNATURE)]
    (folder / "SHA256SUMS").write_text("".join(lines))


def sign(folder: Path, key: str, home: str = "") -> None:
    """The builder's public key into the bundle, and a signature over its check sums, so over everything in it."""
    (folder / BUILDER).write_bytes(gpg(["--export", key], home))
    write_sums(folder)
    signature = ["--local-user", key, "--detach-sign", "--output", "-", str(folder / "SHA256SUMS")]
    (folder / SIGNATURE).write_bytes(gpg(signature, home))


def gpg(words: list[str], home: str = "") -> bytes:
    """Have gpg do this, or say why not."""
    command = ["gpg", "--batch", "--yes", *(["--homedir", home] if home else []), *words]
    try:
        done = subprocess.run(command, capture_output=True, timeout=120)
    except FileNotFoundError as error:
        raise BundleTrouble("gpg is not here; apt install gpg") from error
    if done.returncode or not done.stdout:
        why = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["there is no such key"]
        raise BundleTrouble(f"nothing can be signed: {why[0]}")
    return done.stdout


def _pack(folder: Path, archive: Path) -> None:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in (folder, *sorted(folder.rglob("*"))):
            member = tar.gettarinfo(path, str(path.relative_to(folder.parent)))
            member.uid = member.gid = 0
            member.uname = member.gname = "root"
            member.mtime = EPOCH
            member.mode = 0o755 if path.is_dir() or path.suffix == ".sh" else 0o644
            if path.is_dir():
                tar.addfile(member)
            else:
                with path.open("rb") as file:
                    tar.addfile(member, file)
    part = archive.with_name(archive.name + ".part")
    part.write_bytes(gzip.compress(raw.getvalue(), mtime=0))
    os.replace(part, archive)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
