"""The staff register: who somebody is by their card, which rank each rulebook gives them, and their PIN's hash."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from itertools import pairwise
from pathlib import Path

import msgspec

from controller import kept_file
from controller.config.tomlread import ConfigError, nearest
from controller.people import Person
from controller.rules.rulebook import Rulebook, load_rulebook

SALT_BYTES = 16
KEY_BYTES = 32
PIN_FROM_LEVEL = 2
"""From this step of a ladder on, the card alone is not enough."""
ROLES = {"director": "Tournament Director", "deputy": "deputy of a Tournament Director", "chip_runner": "chip runner"}
"""What people do beside the ladder, given for an event or a shift."""
PIN_ROLES = frozenset({"director", "deputy"})
"""Roles that decide, so that the card alone is not enough."""
# What a guess costs: 16 MB and tens of milliseconds, so the check is kept off the loop.
_LOG_N, _R, _P = 14, 8, 1
_MOST_LOG_N, _MOST_R, _MOST_P = 17, 8, 4


class Member(msgspec.Struct, frozen=True):
    """One member of staff; shows neither card nor PIN."""

    id: str
    name: str
    ranks: dict[str, str]
    card: str = ""
    pin: str = ""
    roles: dict[str, int] = {}
    """Each with the moment it ends, 0 where it lasts until it is taken back."""

    def __repr__(self) -> str:
        return f"Member({self.id!r}, {self.ranks!r}, card={bool(self.card)}, pin={bool(self.pin)})"

    def level(self, book: Rulebook) -> int:
        """The step on this rulebook's ladder; 0 when it gives them no rank."""
        return book.level(self.ranks.get(book.id, ""))

    def roles_at(self, at: int) -> tuple[str, ...]:
        """What this person does beside the ladder at this moment."""
        return tuple(sorted(role for role, until in self.roles.items() if not until or at < until))

    def person(self, book: Rulebook, at: int) -> Person:
        """Who this is at a table under this rulebook at this moment."""
        return Person(self.id, self.level(book), self.roles_at(at) or msgspec.UNSET)


class Staff(msgspec.Struct):
    """Everybody, by id."""

    members: dict[str, Member] = {}

    def by_card(self, card: str) -> Member | None:
        """Whose card this is, by its pseudonym."""
        return next((each for each in self.members.values() if each.card and each.card == card), None)


def with_member(staff: Staff, member: Member) -> Staff:
    """The register with this person added or changed; ConfigError when a rank or the card cannot be."""
    if not member.id.strip() or not member.name.strip():
        raise ConfigError("a member of staff needs an id and a name")
    for rulebook, rank in member.ranks.items():
        ladder = load_rulebook(rulebook).ladder
        if rank not in ladder:
            raise ConfigError(f"{rulebook} knows no rank '{rank}'; {nearest(rank, list(ladder))}")
    owner = staff.by_card(member.card) if member.card else None
    if owner is not None and owner.id != member.id:
        raise ConfigError(f"this card is the card of {owner.id}; a card has one owner")
    return Staff({**staff.members, member.id: member})


def with_pin(staff: Staff, member: str, pin: str, salt: bytes) -> Staff:
    """The register with a new PIN for this person."""
    changed = msgspec.structs.replace(known_member(staff, member), pin=hashed_pin(pin, salt))
    return Staff({**staff.members, member: changed})


def with_role(staff: Staff, member: str, role: str, until: int = 0) -> Staff:
    """The register with a role given to this person until this moment, or until it is taken back."""
    if role not in ROLES:
        raise ConfigError(f"there is no role '{role}'; {nearest(role, list(ROLES))}")
    known = known_member(staff, member)
    changed = msgspec.structs.replace(known, roles={**known.roles, role: until})
    return Staff({**staff.members, member: changed})


def without_role(staff: Staff, member: str, role: str) -> Staff:
    """The register with a role taken back."""
    known = known_member(staff, member)
    if role not in known.roles:
        raise ConfigError(f"{member} has no role '{role}'; 'tablectl staff list' shows who has which")
    changed = msgspec.structs.replace(known, roles={one: until for one, until in known.roles.items() if one != role})
    return Staff({**staff.members, member: changed})


def known_member(staff: Staff, member: str) -> Member:
    """This person, or ConfigError with the nearest."""
    known = staff.members.get(member)
    if known is None:
        raise ConfigError(f"there is no member of staff '{member}'; {nearest(member, list(staff.members))}")
    return known


def without_cards(staff: Staff) -> Staff:
    """The register as it is under another key: nobody's card is known, everything else stays."""
    return Staff({id_: msgspec.structs.replace(member, card="") for id_, member in staff.members.items()})


def hashed_pin(pin: str, salt: bytes) -> str:
    """What is kept of a PIN: the costs of its hash, the salt, the hash."""
    check_pin(pin)
    if len(salt) < SALT_BYTES:
        raise ValueError(f"a salt needs {SALT_BYTES} bytes or more")
    return f"scrypt${_LOG_N}${_R}${_P}${salt.hex()}${_scrypt(pin, salt, _LOG_N, _R, _P).hex()}"


def pin_fits(pin: str, kept: str) -> bool:
    """Whether this is the PIN; slow on purpose."""
    kind, *rest = kept.split("$")
    if kind != "scrypt" or len(rest) != 5:
        return False
    try:
        log_n, r, p = (int(number) for number in rest[:3])
        salt, found = (bytes.fromhex(part) for part in rest[3:])
    except ValueError:
        return False
    # An edited register must not make a sign-in take all memory, or all day.
    if not (1 <= log_n <= _MOST_LOG_N and 1 <= r <= _MOST_R and 1 <= p <= _MOST_P):
        return False
    return hmac.compare_digest(_scrypt(pin, salt, log_n, r, p), found)


def _scrypt(pin: str, salt: bytes, log_n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=1 << log_n, r=r, p=p, maxmem=256 << 20, dklen=32)


def check_pin(pin: str) -> None:
    """Refuse a PIN that is none or that anybody would try first."""
    if not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 12):
        raise ConfigError("a PIN has four to twelve digits")
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise ConfigError("this PIN is one that anybody would try first; choose digits that do not run in order")


def check_card(number: str) -> None:
    """Refuse what is no card's number."""
    if not (number.isascii() and number.isdigit() and len(number) >= 4):
        raise ConfigError("a card's number has four digits or more")


# -- on disk -----------------------------------------------------------------------------------------------------


def read_staff(path: str | Path) -> Staff:
    """The register in this file; an empty one when there is none yet."""
    octets = read_private(Path(path))
    if octets is None:
        return Staff()
    try:
        staff = msgspec.json.decode(octets, type=Staff)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as trouble:
        raise ConfigError(f"{path}: the staff register is damaged ({trouble}); restore it from a copy") from None
    for id_, member in staff.members.items():
        if id_ != member.id:
            raise ConfigError(f"{path}: '{id_}' holds the entry of '{member.id}'; restore it from a copy")
    return staff


def write_staff(path: str | Path, staff: Staff) -> None:
    """Put the register in place, readable by its owner only."""
    _write_private(Path(path), msgspec.json.format(msgspec.json.encode(staff), indent=2) + b"\n")


def read_key(path: str | Path) -> bytes:
    """The key that turns card numbers into pseudonyms."""
    octets = read_private(Path(path))
    if octets is None:
        raise ConfigError(
            f"{path}: there is no key for cards; 'tablectl staff new-key' makes one, with --players for theirs"
        )
    try:
        key = bytes.fromhex(octets.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigError(f"{path}: this is no key for cards ({2 * KEY_BYTES} hexadecimal digits); restore it")
    return key


def write_key(path: str | Path, key: bytes) -> None:
    """Keep a first key; one that is there already is not replaced, since every pseudonym would change."""
    if Path(path).exists():
        raise ConfigError(f"{path}: there is a key already; with another one no card would be known any more")
    replace_key(path, key)


def replace_key(path: str | Path, key: bytes) -> None:
    """Keep a key in place of whatever was there: pseudonyms of before belong to nobody any more."""
    _write_private(Path(path), key.hex().encode("ascii") + b"\n")


def read_private(path: Path) -> bytes | None:
    """A file that its owner alone may read; none where there is none."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if mode & 0o077:
                raise ConfigError(f"{path}: other users may read or change it; run 'chmod 600 {path}' and check it")
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise ConfigError(f"{path}: cannot be read ({trouble.strerror}); check its owner") from None


def _write_private(path: Path, octets: bytes) -> None:
    try:
        kept_file.replace(path, octets)
    except OSError as trouble:
        raise ConfigError(f"{path}: cannot be written ({trouble.strerror}); check the folder") from None
