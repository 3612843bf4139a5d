"""The tables that the floor knows, each by the public key its heads are signed with: one line a table in a file."""

from __future__ import annotations

from pathlib import Path

from controller.journal.head import HeadTrouble, Note, PublicKey, read_public_key
from controller.uplink.messages import Address, BadMessage


class Known:
    """Keys by table; a table that is not in it is heard, and nothing of it is countersigned."""

    def __init__(self, keys: dict[str, tuple[bytes, ...]]) -> None:
        self._keys = keys

    def __contains__(self, table: str) -> bool:
        return table in self._keys

    def signed(self, address: Address, note: Note) -> bool:
        """Whether a key of this table stands under the head; keys stay when a table begins a new journal."""
        return any(PublicKey(address.origin, octets).signed(note) for octets in self._keys.get(address.table, ()))


def read_known(path: Path) -> Known:
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
            key = read_public_key(line)
            table = Address.of(key.name).table
        except (HeadTrouble, BadMessage) as trouble:
            raise HeadTrouble(f"{path}:{number}: {trouble}") from trouble
        keys[table] = (*keys.get(table, ()), key.octets)
    return Known(keys)
