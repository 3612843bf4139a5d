"""What a table is given, as a bill of materials (CycloneDX 1.5): every package, its hashes, its licence."""

from __future__ import annotations

import hashlib
import json
import uuid
import zipfile
from collections.abc import Iterable
from email.parser import Parser
from pathlib import Path
from typing import Any

UNKNOWN = "not stated by the package"


def bill(wheels: Iterable[Path], version: str) -> dict[str, Any]:
    """The bill of these wheels; our own among them is what the bill is of."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for wheel in sorted(wheels):
        facts = _metadata(wheel)
        name, number = facts["Name"].lower().replace("_", "-"), facts["Version"]
        if name in ("tablectl", "pip"):  # pip installs the others and has no place on a table
            continue
        part = found.setdefault((name, number), _component(name, number, licence(facts)))
        part["hashes"].append({"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()})
    parts = [found[key] for key in sorted(found)]
    told = json.dumps(parts, sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, version + told)}",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "tablectl", "version": version}},
        "components": parts,
    }


def _component(name: str, version: str, licensed: str) -> dict[str, Any]:
    return {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "licenses": [{"license": {"name": licensed}}],
        "hashes": [],
    }


def _metadata(wheel: Path) -> dict[str, Any]:
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        message = Parser().parsestr(archive.read(name).decode("utf-8"))
    return {**dict(message.items()), "classifiers": message.get_all("Classifier") or []}


def licence(facts: dict[str, Any]) -> str:
    """The licence as the package states it: as an expression, in its classifiers, or in a line of its own."""
    if expression := facts.get("License-Expression"):
        return str(expression)
    named = [one.rpartition(" :: ")[2] for one in facts["classifiers"] if one.startswith("License :: OSI Approved :: ")]
    if named:
        return " or ".join(named)
    line = str(facts.get("License") or "").strip()
    return line if line and "\n" not in line and len(line) < 80 else UNKNOWN


def texts(wheels: Iterable[Path]) -> str:
    """The text of every licence that the wheels carry, one after the other, each once."""
    said: dict[str, list[str]] = {}
    for wheel in sorted(wheels):
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                last = name.rpartition("/")[2].upper()
                if ".dist-info/" in name and last.startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE")):
                    text = archive.read(name).decode("utf-8", "replace").strip()
                    said.setdefault(text, []).append("-".join(wheel.name.split("-")[:2]))
    return "\n\n".join(
        f"{', '.join(dict.fromkeys(whose))}\n{'=' * 72}\n{text}"
        for text, whose in said.items()
        if "pip-" not in whose[0]
    )
