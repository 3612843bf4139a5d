"""The Debian package, its environment inside, and a repository directory to serve or to carry on a stick."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import tempfile
from email.utils import formatdate
from pathlib import Path

from lab.bundle import EPOCH, PYTHONS, TIMERS, BundleTrouble, Say, assemble, gpg, pip, platforms

ARCH = {"aarch64": "arm64", "x86_64": "amd64"}
PROGRAM = "usr/lib/tablectl/program"
PLACES = {
    "tablectl.service": "lib/systemd/system/tablectl.service",
    "tablectl-kiosk.service": "lib/systemd/system/tablectl-kiosk.service",
    "tablectl-fleet.service": "lib/systemd/system/tablectl-fleet.service",
    "tablectl.sysusers": "usr/lib/sysusers.d/tablectl.conf",
    "tablectl-kiosk.sysusers": "usr/lib/sysusers.d/tablectl-kiosk.conf",
    "tablectl.tmpfiles": "usr/lib/tmpfiles.d/tablectl.conf",
    "tablectl.modules": "usr/lib/modules-load.d/tablectl.conf",
    "70-tablectl.rules": "lib/udev/rules.d/70-tablectl.rules",
    "launch": "usr/lib/tablectl/launch",
    "backoff.sh": "usr/lib/tablectl/backoff.sh",
    "kiosk.sh": "usr/lib/tablectl/kiosk.sh",
    "versions.sh": "usr/lib/tablectl/versions.sh",
    "sbom.cdx.json": "usr/share/doc/tablectl/sbom.cdx.json",
    "licences.txt": "usr/share/doc/tablectl/licences.txt",
    **{unit: f"lib/systemd/system/{unit}" for unit in TIMERS},
}
RUNS = ("launch", "backoff.sh", "kiosk.sh")
CONTROL = """Package: tablectl
Version: {version}
Architecture: {arch}
Maintainer: Table Controller <tablectl@example.invalid>
Installed-Size: {kilobytes}
Depends: libc6 (>= 2.34), python3 (>= 3.11), python3 (<< 3.14), libusb-1.0-0, systemd
Recommends: udev
Section: misc
Priority: optional
Description: table-side controller of a casino table
 Listens to the devices of a table, knows its rulebook, settles every wager
 and can prove it afterwards. Each version lies beside the one before; a
 launcher outside both takes the last whole one.
"""


def build_deb(tree: Path, arch: str, to: Path, say: Say) -> Path:
    """Make the package for one kind of machine."""
    if shutil.which("dpkg-deb") is None:
        raise BundleTrouble("dpkg-deb is not here; apt install dpkg")
    with tempfile.TemporaryDirectory() as scratch:
        folder = assemble(tree, arch, Path(scratch), say)
        version = (folder / "VERSION").read_text().strip()
        root = Path(scratch) / "package"
        say("the environment")
        _program(folder, root / PROGRAM, arch)
        _system(tree, folder, root)
        _control(tree, root, version, ARCH[arch])
        to.mkdir(parents=True, exist_ok=True)
        made = to / f"tablectl_{version}_{ARCH[arch]}.deb"
        _same_times(root)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", str(root), str(made)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise BundleTrouble(f"dpkg-deb failed: {done.stderr.strip()}")
    return made


def _program(bundle: Path, program: Path, arch: str) -> None:
    """An environment for each Python, from the locked wheels alone."""
    for python in PYTHONS:
        site = program / "lib" / f"python{python}" / "site-packages"
        site.mkdir(parents=True)
        pip(
            "install", "--quiet", "--no-index", "--no-deps", "--no-compile", "--require-hashes", "--find-links",
            str(bundle / "wheels"), "--requirement", str(bundle / "requirements.txt"), "--target", str(site),
            *platforms(arch, python),
        )  # fmt: skip
        shutil.rmtree(site / "bin", ignore_errors=True)  # they name the Python that built them
    (program / "bin").mkdir()
    (program / "bin" / "python").symlink_to("/usr/bin/python3")
    shutil.copy(bundle / "share" / "tablectl", program / "bin" / "tablectl")
    (program / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    shutil.copytree(bundle / "share", program / "share" / "tablectl")


def _system(tree: Path, bundle: Path, root: Path) -> None:
    for name, place in PLACES.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(bundle / "share" / name, path)
    command = root / "usr" / "bin" / "tablectl"
    command.parent.mkdir(parents=True)
    shutil.copy(tree / "install" / "deb" / "command", command)
    (root / "etc" / "tablectl").mkdir(parents=True)
    shutil.copy(tree / "install" / "upkeep.conf", root / "etc" / "tablectl" / "upkeep.conf")
    doc = root / "usr" / "share" / "doc" / "tablectl"
    (doc / "copyright").write_text(
        "Copyright: the authors of tablectl, and of the packages it carries.\n\n"
        "What it carries, with the licence of each, is listed in sbom.cdx.json; their texts are in licences.txt.\n",
        "utf-8",
    )
    version = (bundle / "VERSION").read_text().strip()
    words = f"tablectl ({version}) stable; urgency=medium\n\n  * Built from its commit.\n\n"
    words += f" -- Table Controller <tablectl@example.invalid>  {formatdate(EPOCH)}\n"
    (doc / "changelog.gz").write_bytes(gzip.compress(words.encode(), 9, mtime=0))
    overrides = root / "usr" / "share" / "lintian" / "overrides" / "tablectl"
    overrides.parent.mkdir(parents=True)
    shutil.copy(tree / "install" / "deb" / "lintian-overrides", overrides)


def _control(tree: Path, root: Path, version: str, arch: str) -> None:
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            continue
        runs = path.name in RUNS or path.parent.name == "bin"
        path.chmod(0o755 if path.is_dir() or runs else 0o644)
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    control = root / "DEBIAN"
    control.mkdir(mode=0o755)
    kilobytes = sum(path.stat().st_size for path in files) // 1024
    (control / "control").write_text(CONTROL.format(version=version, arch=arch, kilobytes=kilobytes))
    (control / "conffiles").write_text("/etc/tablectl/upkeep.conf\n")
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
    (control / "md5sums").write_text("".join(sums))
    timers = " ".join(unit for unit in TIMERS if unit.endswith(".timer"))
    for name in ("preinst", "postinst", "prerm", "postrm"):
        text = (tree / "install" / "deb" / name).read_text("utf-8")
        (control / name).write_text(text.replace("@VERSION@", version).replace("@TIMERS@", timers), "utf-8")
        (control / name).chmod(0o755)
    for name in ("control", "conffiles", "md5sums"):
        (control / name).chmod(0o644)


def _same_times(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)


# --- the repository --------------------------------------------------------------------------


def repository(debs: list[Path], to: Path, key: str = "", home: str = "") -> Path:
    """A directory that apt takes packages from, served or on a stick; signed when a key is named."""
    pool = to / "pool"
    pool.mkdir(parents=True, exist_ok=True)
    for deb in debs:
        shutil.copy(deb, pool / deb.name)
    entries = [_entry(deb, to) for deb in sorted(pool.glob("*.deb"))]
    (to / "Packages").write_text("\n".join(entries))
    (to / "Packages.gz").write_bytes(gzip.compress((to / "Packages").read_bytes(), 9, mtime=0))
    lines = ["Origin: tablectl", "Label: tablectl", "Suite: stable", "Architectures: amd64 arm64"]
    lines += [f"Date: {_now(pool)}", "SHA256:"]
    for name in ("Packages", "Packages.gz"):
        octets = (to / name).read_bytes()
        lines.append(f" {hashlib.sha256(octets).hexdigest()} {len(octets)} {name}")
    (to / "Release").write_text("\n".join(lines) + "\n")
    for name in ("InRelease", "Release.gpg"):
        (to / name).unlink(missing_ok=True)
    if key:
        _sign(to, key, home)
    return to


def _entry(deb: Path, to: Path) -> str:
    told = subprocess.run(["dpkg-deb", "--field", str(deb)], capture_output=True, text=True, timeout=60, check=True)
    octets = deb.read_bytes()
    return (
        f"{told.stdout.rstrip()}\nFilename: {deb.relative_to(to)}\nSize: {len(octets)}\n"
        f"SHA256: {hashlib.sha256(octets).hexdigest()}\n"
    )


def _now(pool: Path) -> str:
    newest = max(path.stat().st_mtime for path in pool.glob("*.deb"))
    return formatdate(newest, usegmt=True).replace("GMT", "UTC")


def _sign(to: Path, key: str, home: str) -> None:
    release, by = str(to / "Release"), ["--local-user", key]
    (to / "InRelease").write_bytes(gpg([*by, "--clearsign", "--output", "-", release], home))
    (to / "Release.gpg").write_bytes(gpg([*by, "--armor", "--detach-sign", "--output", "-", release], home))
    (to / "tablectl.gpg").write_bytes(gpg(["--export", key], home))
