"""The rim where cards lose their faces: tags become names that say nothing, faces go under seal.

A name is a keyed hash of the tag that differs in every deal, so that the table can follow a card from a seat to the
muck without knowing it, and a face shown in one hand tells nothing about another. The seal is the face encrypted with
a key that is kept apart from the journal; with it a dispute can be looked into (`tablectl journal unseal`).
"""

from __future__ import annotations

import binascii
import csv
import hashlib
import re
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from controller import kept_file
from controller.cards.events import (
    CardBetween,
    CardDoubled,
    CardNotBetween,
    CardsCounted,
    CardSingle,
    CardsMoved,
    CardsOpened,
    SealBegun,
    Sealed,
)
from controller.config.tomlread import ConfigError
from controller.core.effects import Uncovered
from controller.journal.anew import make_folder
from drivers.card_antennas import (
    CardOffEdge,
    CardOnEdge,
    CardPicture,
    CardsSeen,
    CardTwice,
    CardTwiceOver,
    Lying,
)
from drivers.events import DeviceEvent

if TYPE_CHECKING:
    from controller.core.runtime import Dresser, Runtime, Told

KEY_OCTETS = 32
_TAG = re.compile(r"(?:0x)?[0-9a-fA-F]{1,16}")
NAME_OCTETS = 12
"""Also the nonce of the seal: as unique as the name."""

RANKS, SUITS = "23456789TJQKA", "cdhs"
CUT = "CUT"
"""The cutting card: its tag is known, and it counts for nothing."""
FACES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CardEvent = CardsSeen | CardPicture | CardOnEdge | CardOffEdge | CardTwice | CardTwiceOver


def read_deck(path: Path) -> dict[int, str]:
    """A register of one deck or more: one line a card, its tag in hexadecimal and its face: `e0040150009a1001,As`."""
    deck: dict[int, str] = {}
    try:
        with path.open(newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.reader(file), start=1):
                where = f"{path}:{number}"
                if not row or row[0].startswith("#"):
                    continue
                if len(row) != 2 or row[1].strip() not in (*FACES, CUT):
                    raise ConfigError(
                        f"{where}: a line is a tag and a card, as in e0040150009a1001,As, or a tag and CUT"
                    )
                if not _TAG.fullmatch(row[0].strip()):
                    raise ConfigError(f"{where}: '{row[0]}' is no tag; write it as 1 to 16 hexadecimal digits")
                tag = int(row[0], 16)
                if tag in deck:
                    raise ConfigError(f"{where}: this tag stands twice; each card has its own")
                deck[tag] = row[1].strip()
    except OSError as error:
        raise ConfigError(f"{path}: the deck register cannot be read ({error}); check the path") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path}: not a list of tags and cards ({error}); save it as CSV in UTF-8") from None
    decks = max(1, len(deck) // len(FACES))
    for face in FACES:
        count = sum(known == face for known in deck.values())
        if count != decks:
            raise ConfigError(f"{path}: {face} stands {count} times, not {decks}; a deck has every card once (3.1)")
    return deck


def decks_of(deck: Mapping[int, str]) -> dict[int, int]:
    """Which deck each tag of a register belongs to: the decks stand there one after the other."""
    seen: dict[str, int] = {}
    found = {}
    for tag, face in deck.items():
        found[tag] = seen.get(face, 0)
        seen[face] = found[tag] + 1
    return found


def read_key(path: Path) -> bytes:
    """The key of a table's seals."""
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path}: the seal's key cannot be read ({error}); give the file kept for disputes"
        ) from error
    if len(key) != KEY_OCTETS:
        raise ConfigError(f"{path}: a seal's key has {KEY_OCTETS} octets; this file holds another thing")
    return key


def key_at(path: Path, entropy: Callable[[int], bytes] = secrets.token_bytes) -> bytes:
    """The key at this path, made if there is none; only its owner may read the file."""
    if path.exists():
        return read_key(path)
    make_folder(path.parent)
    key = entropy(KEY_OCTETS)
    kept_file.put_new(path, key.hex().encode() + b"\n")
    return key


class Seal:
    """Names and seals the cards of a deal, and opens them again."""

    def __init__(self, key: bytes) -> None:
        # Imported here: only a poker table needs it, and it takes a while.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._naming = hashlib.blake2b(b"name", key=key).digest()
        self._cipher = AESGCM(hashlib.blake2b(b"seal", key=key, digest_size=32).digest())

    def name(self, salt: str, deal: int, tag: int) -> str:
        """What a card is called in this deal."""
        about = b"%b %d %d" % (salt.encode(), deal, tag)
        name = hashlib.blake2b(about, key=self._naming, digest_size=NAME_OCTETS).digest()
        return binascii.b2a_base64(name, newline=False).decode()

    def close(self, salt: str, deal: int, name: str, tag: int, face: str) -> str:
        """A face and its tag under seal; the same card in the same deal gives the same seal."""
        plain = face.encode() + tag.to_bytes(8, "little")
        sealed = self._cipher.encrypt(binascii.a2b_base64(name), plain, b"%b %d" % (salt.encode(), deal))
        return binascii.b2a_base64(sealed, newline=False).decode()

    def open(self, salt: str, deal: int, name: str, seal: str) -> tuple[str, int]:
        """Face and tag of a sealed card; ConfigError when the key does not fit."""
        from cryptography.exceptions import InvalidTag

        try:
            nonce, sealed = binascii.a2b_base64(name), binascii.a2b_base64(seal)
            plain = self._cipher.decrypt(nonce, sealed, b"%b %d" % (salt.encode(), deal))
        except (InvalidTag, ValueError) as error:
            raise ConfigError("this key does not open the seal; give the key of the table that wrote it") from error
        return plain[:2].decode(), int.from_bytes(plain[2:], "little")


class SealedGame(Protocol):
    """A game whose cards are sealed: the salt of its journal, the number of the deal, what waits to be opened."""

    salt: str
    deal: int

    def uncovered(self) -> dict[str, tuple[str, ...]]: ...


class Sealer:
    """Stands between the card antennas and the table, and opens what the table says lies open."""

    def __init__(
        self,
        key: bytes,
        deck: Mapping[int, str],
        game: Callable[[], SealedGame],
        rest: Dresser,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """`game` is the sealed game now at the table; other devices' events go to `rest`."""
        self._seal = Seal(key)
        self._cutting = {tag for tag, face in deck.items() if face == CUT}
        self._deck = {tag: face for tag, face in deck.items() if face != CUT}
        self._deck_of = decks_of(self._deck)
        self._game = game
        self._rest = rest
        self._entropy = entropy
        self._of: tuple[str, int] = ("", -1)
        self._names: dict[int, str] = {}
        self._faces: dict[str, str] = {}
        self._told: dict[int, str] = {}

    # -- in: what antennas saw ---------------------------------------------------------------------------------

    def dress(self, event: DeviceEvent) -> list[msgspec.Struct]:
        """A device's event as the table takes it; no tag of the deck gets past here."""
        if not isinstance(event, CardEvent):
            return self._rest.dress(event)
        begun: list[msgspec.Struct] = []
        game = self._game()
        salt = game.salt
        if not salt:
            salt = self._entropy(NAME_OCTETS).hex()
            begun.append(SealBegun(salt))
        self._begin(salt, game.deal)
        return [*begun, self._dressed(event)]

    def _begin(self, salt: str, deal: int) -> None:
        if self._of != (salt, deal):
            self._of = (salt, deal)
            self._names, self._faces = {}, {}

    def _dressed(self, event: CardEvent) -> msgspec.Struct:
        device, deal = event.device, self._of[1]
        match event:
            case CardsSeen(added=added, removed=removed):
                left = tuple(
                    [(antenna, self._told.get(tag) or self._name(tag)) for tag, antenna in self._counting(removed)]
                )
                return CardsMoved(device, deal, self._cards(added), left)
            case CardPicture(cards=cards, unread=unread):
                self._told = {}
                return CardsCounted(device, deal, self._cards(cards), unread)
            case CardOnEdge(tag=tag, antennas=antennas):
                return CardBetween(device, self._name(tag), antennas)
            case CardOffEdge(tag=tag):
                return CardNotBetween(device, self._name(tag))
            case CardTwice(tag=tag, antennas=antennas):
                return CardDoubled(device, self._name(tag), antennas)
            case CardTwiceOver(tag=tag):
                return CardSingle(device, self._name(tag))

    def _counting(self, lying: Lying) -> list[tuple[int, int]]:
        return [one for one in lying if one[0] not in self._cutting]

    def _cards(self, lying: Lying) -> tuple[Sealed, ...]:
        return tuple([self._card(tag, antenna) for tag, antenna in self._counting(lying)])

    def _card(self, tag: int, antenna: int) -> Sealed:
        name = self._name(tag)
        self._told[tag] = name
        face = self._deck.get(tag)
        deck = self._deck_of.get(tag, 0)
        if face is None or name in self._faces:
            return Sealed(antenna, name, deck=deck)
        self._faces[name] = face
        return Sealed(antenna, name, self._seal.close(*self._of, name, tag, face), deck)

    def _name(self, tag: int) -> str:
        name = self._names.get(tag)
        if name is None:
            name = self._names[tag] = self._seal.name(*self._of, tag) if tag in self._deck else f"?{tag:x}"
        return name

    # -- out: what lies open -----------------------------------------------------------------------------------

    def join(self, runtime: Runtime) -> None:
        """Open for this table what it says lies open, and after a restart what it was still waiting for."""

        def watch(told: Told) -> None:
            orders = [effect.order for effect in told.effects if isinstance(effect, Uncovered)]
            if told.seq == first:
                orders += list(self._game().uncovered())
            for order in orders:
                self._open(runtime, order)

        first = runtime.guarded.position.seq + 1
        runtime.watchers.append(watch)

    def _open(self, runtime: Runtime, order: str) -> None:
        game = self._game()
        wanted = game.uncovered().get(order)
        if wanted is None:
            return
        self._begin(game.salt, game.deal)
        known = self._faces
        if not known.keys() >= set(wanted):  # cards that were laid before this process began
            known = {self._name(tag): face for tag, face in self._deck.items()}
        runtime.submit(CardsOpened(order, tuple((name, known.get(name, "")) for name in wanted)))
