"""A table's machine that was installed from the Debian package: apt takes the next from a repository that was sent."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

LONGEST_S = 1800.0
KEYRINGS = ("etc/apt/keyrings/tablectl.gpg", "etc/tablectl/builder.gpg")
"""Where the key of who builds for this table lies, the first that is there."""
ROUND_FIRST = 75
"""How the package's own script ends where only a round held it up."""
_ROUND = f"error exit status {ROUND_FIRST}"


class PackageTrouble(Exception):
    """The package was not taken: why; `round_first` where nothing was wrong but a round."""

    def __init__(self, text: str, round_first: bool = False) -> None:
        super().__init__(text)
        self.round_first = round_first


def packaged(root: Path) -> bool:
    """Whether this machine's program came with the Debian package."""
    return (root / "usr/lib/tablectl/versions.sh").exists()


def take(repository: Path, version: str, scratch: Path, wait_s: float, root: Path = Path("/")) -> None:
    """Have apt install this version from the repository, which the house's key must have signed.

    The package's script builds it beside the running one, waits so long for the end of a round, and goes back by itself
    where the new version does not become ready.
    """
    key = next((root / one for one in KEYRINGS if (root / one).exists()), None)
    if key is None:
        raise PackageTrouble(f"this machine knows no builder's key; put the house's at /{KEYRINGS[0]}")
    apt = _apt(repository, key, scratch)
    looked = _done([*apt, "update"], LONGEST_S)
    if looked.returncode:
        raise PackageTrouble(f"the repository that was sent is not the house's, or damaged ({_said(looked)})")
    _after_a_cut(root, wait_s)
    wanted = ["install", "--yes", "--no-remove", "--no-install-recommends", f"tablectl={version}"]
    done = _done([*apt, *wanted], wait_s + LONGEST_S, wait_s)
    if done.returncode:
        told = done.stdout + done.stderr
        raise PackageTrouble(_said(done), _ROUND in told)


def _apt(repository: Path, key: Path, scratch: Path) -> list[str]:
    """apt with this repository and no other, its lists and caches beside it."""
    sources = scratch / "sources.list"
    sources.write_text(f"deb [signed-by={key}] file:{repository} ./\n", "utf-8")
    for folder in ("lists/partial", "cache/archives/partial"):
        (scratch / folder).mkdir(parents=True, exist_ok=True)
    options = {
        "Dir::Etc::SourceList": sources, "Dir::Etc::SourceParts": "/dev/null", "Dir::State::Lists": scratch / "lists",
        "Dir::Cache": scratch / "cache", "APT::Sandbox::User": "root", "Acquire::Languages": "none",
        "APT::Update::Error-Mode": "any", "DPkg::Lock::Timeout": 300, "Dpkg::Options::": "--force-confold",
    }  # fmt: skip
    return ["apt-get", "--quiet", *(word for name, said in options.items() for word in ("-o", f"{name}={said}"))]


def _after_a_cut(root: Path, wait_s: float) -> None:
    """What a power cut left half done is ended first: dpkg does nothing else before."""
    if any((root / "var/lib/dpkg/updates").glob("[0-9]*")):
        _done(["dpkg", "--configure", "--pending"], wait_s + LONGEST_S, wait_s)


def _done(command: list[str], seconds: float, wait_s: float = 0.0) -> subprocess.CompletedProcess[str]:
    said = {"LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive", "TABLECTL_WAIT": str(int(wait_s))}
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=seconds, env={**os.environ, **said}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PackageTrouble(f"{command[0]} does not come to its end ({error}); look at the machine") from error


def _said(done: subprocess.CompletedProcess[str]) -> str:
    """What the package's own script said, or else what apt did."""
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
    ours = [number for number, line in enumerate(lines) if line.startswith("tablectl: ")]
    if ours:
        told = lines[ours[-1] : ours[-1] + 2]
        return ". ".join(line.removeprefix("tablectl: ").rstrip(".") for line in told)
    errors = [line for line in lines if line.startswith("dpkg: error")]
    errors += [line.removeprefix("E: ") for line in lines if line.startswith("E: ")]
    return "; ".join(errors[:2]) or f"apt ended with {done.returncode}"
