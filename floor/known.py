"""The tables that the floor knows, each by the public keys its heads are signed with.

They stand in a file with one line a table, from when the house was set up; what changed since is a chain of acts
(`floor/acts.py`), each of two persons and signed by the floor.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from controller.fleet.messages import HAS
from controller.journal.head import HeadTrouble, Note, PublicKey, read_public_key
from controller.uplink.messages import Address, BadMessage, Beat


class Known:
    """Keys by table; a table that is not in it is heard, and nothing of it is countersigned."""

    def __init__(self, keys: dict[str, tuple[bytes, ...]], revoked: dict[bytes, int] | None = None) -> None:
        """`revoked` says of keys since when nothing new of them is believed; what is older keeps its worth."""
        self._keys, self._revoked = keys, revoked or {}

    def __contains__(self, table: str) -> bool:
        return table in self._keys

    def signed(self, address: Address, note: Note, at: int = 0) -> str:
        """Whose key stands under a head that came at this time: `known`, `revoked` or `wrong`.

        Keys stay when a table begins a new journal.
        """
        mine = [one for one in self._of(address) if one.signed(note)]
        if not mine:
            return "wrong"
        return "known" if any(self._holds(one, at) for one in mine) else "revoked"

    def beats(self, address: Address, beat: Beat, at: int) -> bool:
        """Whether a table said itself that it is there; of one whose key nobody knows, anybody's word is taken."""
        if address.table not in self._keys:
            return True
        words = beat.words(address.origin)
        return any(self._holds(one, at) and one.said(words, beat.signature) for one in self._of(address))

    def machine(self, table: str, text: bytes, signature: bytes, at: int) -> bool:
        """Whether what a table's machine says of itself is its word; a table without a key is not believed."""
        mine = (PublicKey("", octets) for octets in self._keys.get(table, ()))
        return any(self._holds(one, at) and one.said(HAS + text, signature) for one in mine)

    def _of(self, address: Address) -> Iterable[PublicKey]:
        return (PublicKey(address.origin, octets) for octets in self._keys.get(address.table, ()))

    def _holds(self, key: PublicKey, at: int) -> bool:
        revoked = self._revoked.get(key.octets)
        return revoked is None or at < revoked


def key_line(line: str) -> tuple[str, bytes]:
    """The table and the key in a line that `tablectl evidence key` printed; HeadTrouble when it is none."""
    key = read_public_key(line)
    try:
        return Address.of(key.name).table, key.octets
    except BadMessage as bad:
        raise HeadTrouble(str(bad)) from bad


def read_lines(path: Path) -> dict[str, tuple[bytes, ...]]:
    """The lines that `tablectl evidence key` printed at each table; HeadTrouble names a line that is none."""
    keys: dict[str, tuple[bytes, ...]] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise HeadTrouble(f"{path}: no tables' keys to read ({error}); check the path and its rights") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            table, octets = key_line(line)
        except HeadTrouble as trouble:
            raise HeadTrouble(f"{path}:{number}: {trouble}") from trouble
        keys[table] = (*keys.get(table, ()), octets)
    return keys
