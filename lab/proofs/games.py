"""The games that can be put to the proof; a game joins by saying how it is staged (`Played.staged`)."""

from __future__ import annotations

from collections.abc import Callable

from controller import games
from lab.proofs.stage import StagedGame
from lab.scenarios.played import find

VARIANTS: dict[str, dict[str, Callable[[], StagedGame]]] = {
    name: forms for name in games.names() if (forms := find(name).staged())
}
"""Each game in every form it is played in: the seven of poker, each in one of the betting structures."""
GAMES: dict[str, Callable[[], StagedGame]] = {name: next(iter(forms.values())) for name, forms in VARIANTS.items()}
"""Each in its usual form."""
