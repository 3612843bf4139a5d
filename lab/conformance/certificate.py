"""What a device was shown to keep, sentence by sentence, signed with the tester's key."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from lab.conformance.sentences import UNTRIED, notes, sentences
from lab.conformance.suite import Report

FORM = "tablectl conformance certificate 1"


class NotCertified(Exception):
    """A certificate cannot be made or believed: why, and what to do."""


def tester_key(path: Path) -> Ed25519PrivateKey:
    """The tester's key; made when there is none, readable by its owner alone."""
    try:
        if not path.exists():
            path.touch(mode=0o600)
            made = Ed25519PrivateKey.generate()
            path.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            return made
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        key = load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError) as error:
        raise NotCertified(f"{path} is no key ({error}); give the tester's Ed25519 key, or a new name") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise NotCertified(f"{path} is no Ed25519 key; give the tester's, or a new name")
    return key


def claims(report: Report, tester: str) -> dict[str, Any]:
    """Everything that is vouched for, as plain values."""
    said = sentences() | notes(report.device)
    tried: dict[str, list[str]] = {}
    for step in report.steps:
        for number in step.sentences:
            tried.setdefault(number, []).append(step.verdict)
    return {
        "form": FORM,
        "conforms": report.ok,
        "device": report.device,
        "serial": report.serial,
        "firmware": report.firmware,
        "spec": report.spec,
        "port": report.port,
        "tester": tester,
        "at": datetime.fromtimestamp(report.wall_ms / 1000, UTC).isoformat(timespec="seconds"),
        "remarks": report.remarks,
        "steps": [
            {"step": step.step, "shows": step.title, "verdict": step.verdict, "sentences": list(step.sentences)}
            | ({"text": step.text} if step.text else {})
            for step in report.steps
        ],
        "sentences": {
            number: {"says": text, "verdict": _verdict(tried.get(number, [])), **_why(number, tried)}
            for number, text in said.items()
        },
    }


def _verdict(verdicts: list[str]) -> str:
    if "failed" in verdicts:
        return "broken"
    return "kept" if "passed" in verdicts else "not tried"


def _why(number: str, tried: dict[str, list[str]]) -> dict[str, str]:
    return {"why": UNTRIED[number]} if number in UNTRIED and number not in tried else {}


def certificate(report: Report, tester: str, key: Ed25519PrivateKey) -> str:
    """The claims, the tester's public key and the signature over the claims as they stand."""
    body = json.dumps(claims(report, tester), indent=1, ensure_ascii=False)
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    seal = {
        "claims": body,
        "public_key": base64.b64encode(public).decode(),
        "signature": base64.b64encode(key.sign(body.encode())).decode(),
    }
    return json.dumps(seal, indent=1, ensure_ascii=False) + "\n"


def verified(text: str) -> tuple[dict[str, Any], str]:
    """The claims of a certificate whose signature holds, and the public key that made it."""
    try:
        seal = json.loads(text)
        body, public = seal["claims"], seal["public_key"]
        signer = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        signer.verify(base64.b64decode(seal["signature"], validate=True), body.encode())
        found = json.loads(body)
    except (ValueError, KeyError, TypeError, InvalidSignature) as error:
        raise NotCertified(
            "the certificate does not hold: it was changed, or it is none; ask the tester for it again"
        ) from error
    if found.get("form") != FORM:
        raise NotCertified(f"this is no {FORM}")
    return found, str(public)
