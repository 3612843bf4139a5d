"""Acts of two persons on the keys of tables: one joins, one is revoked; chained, and each signed by the floor's key."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from controller.journal.cosignature import Witness, WitnessKey
from controller.journal.head import HeadTrouble
from controller.uplink.nkey import is_user
from floor.known import Known, key_line, read_lines

WHAT = b"tablectl-act/v1\n"
SUPERVISOR, MANAGER = 2, 3
_encode = msgspec.json.Encoder().encode


class Act(msgspec.Struct, frozen=True):
    """One act: its number, the hash of the line before it, what is done with which key, when, by whom and why.

    `key` is the line of a table's signing key, `nkey` its key at the broker, if it has one there.
    """

    number: int
    before: str
    what: Literal["join", "revoke"]
    key: str
    nkey: str
    at: int
    by: tuple[str, str]
    why: str


class Line(msgspec.Struct, frozen=True):
    """An act as it is kept, with the floor's signature."""

    act: Act
    signature: str


class Person(NamedTuple):
    """Somebody of the floor who takes part in an act."""

    id: str
    step: int


class ActTrouble(Exception):
    """An act that cannot be, or a chain of them that is not what was signed: what, and what to do."""


def read_acts(path: Path, floor: Witness | None) -> list[Act]:
    """Every act in the file, if each is signed by this floor and follows the one before it."""
    if not path.exists():
        return []
    if floor is None:
        raise ActTrouble(f"{path}: acts are there, and the floor's key is not; restore it from its backup")
    acts, before = [], ""
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        act = _read(line, floor, f"{path}:{number}")
        if (act.number, act.before) != (number, before):
            raise ActTrouble(f"{path}:{number}: does not follow the act before it; restore the file from its backup")
        acts.append(act)
        before = hashlib.sha256(line).hexdigest()
    return acts


def _read(line: bytes, floor: Witness, where: str) -> Act:
    try:
        kept = msgspec.json.decode(line, type=Line)
        signature = base64.b64decode(kept.signature)
    except (msgspec.MsgspecError, ValueError) as error:
        raise ActTrouble(f"{where}: no act ({error}); restore the file from its backup") from error
    if not floor.said(WHAT + _encode(kept.act), signature):
        raise ActTrouble(f"{where}: this floor did not sign it; find out who wrote it, and restore the file's backup")
    return kept.act


class Wanted(NamedTuple):
    """What two persons want done with a key."""

    what: Literal["join", "revoke"]
    key: str
    why: str
    nkey: str = ""


def add(path: Path, floor: WitnessKey, wanted: Wanted, by: tuple[Person, Person], at: int) -> Act:
    """Sign an act of these two and keep it; ActTrouble where it cannot be."""
    acts = read_acts(path, floor.public)
    _check(acts, wanted, by)
    last = path.read_bytes().splitlines()[-1] if acts else b""
    before = hashlib.sha256(last).hexdigest() if acts else ""
    act = Act(len(acts) + 1, before, wanted.what, wanted.key.strip(), wanted.nkey, at, (by[0].id, by[1].id), wanted.why)
    line = _encode(Line(act, base64.b64encode(floor.say(WHAT + _encode(act))).decode()))
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
    with open(opened, "ab") as file:
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return act


def check_both(what: str, by: tuple[Person, Person], why: str) -> None:
    """Refuse what is not the act of a manager and a second person, with a reason."""
    if by[0].id == by[1].id:
        raise ActTrouble(f"{what} needs two persons; these are one.")
    steps = sorted(one.step for one in by)
    if steps[0] < SUPERVISOR or steps[1] < MANAGER:
        raise ActTrouble(f"{what} needs a manager and a second person who is supervisor or manager.")
    if not why.strip():
        raise ActTrouble("Say why, in words.")


def _check(acts: list[Act], wanted: Wanted, by: tuple[Person, Person]) -> None:
    check_both("An act on keys", by, wanted.why)
    if wanted.nkey and not is_user(wanted.nkey):
        raise ActTrouble(f"{wanted.nkey!r} is no key of a broker; copy what `tablectl evidence broker-key` printed")
    try:
        _, octets = key_line(wanted.key)
    except HeadTrouble as trouble:
        raise ActTrouble(str(trouble)) from trouble
    if any(act.what == "revoke" and key_line(act.key)[1] == octets for act in acts):
        raise ActTrouble("This key was revoked, and a revoked key never comes back; make a new one at the table.")
    if wanted.what == "join" and any(key_line(act.key)[1] == octets for act in acts):
        raise ActTrouble("This key has joined already.")


def known(lines: Path, acts: list[Act]) -> Known:
    """The tables by the lines of the set-up and by all acts since."""
    keys = read_lines(lines) if lines.exists() else {}
    revoked: dict[bytes, int] = {}
    for act in acts:
        table, octets = key_line(act.key)
        if octets not in keys.get(table, ()):
            keys[table] = (*keys.get(table, ()), octets)
        if act.what == "revoke":
            revoked[octets] = act.at
    return Known(keys, revoked)


def broker_users(acts: list[Act]) -> dict[str, tuple[str, ...]]:
    """The keys at the broker that each table may use now."""
    gone = {key_line(act.key)[1] for act in acts if act.what == "revoke"}
    users: dict[str, tuple[str, ...]] = {}
    for act in acts:
        table, octets = key_line(act.key)
        if act.what == "join" and act.nkey and octets not in gone:
            users[table] = (*users.get(table, ()), act.nkey)
    return users
