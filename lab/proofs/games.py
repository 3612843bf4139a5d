"""The games that can be put to the proof; a new game joins by its line here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lab.proofs.poker import STRUCTURE, CrownPoker
from lab.proofs.stage import StagedGame
from lab.proofs.war import CasinoWar
from lab.proofs.wheel import BigWheel

GAMES: dict[str, Callable[[], StagedGame]] = {"poker": CrownPoker, "war": CasinoWar, "wheel": BigWheel}
VARIANTS: dict[str, dict[str, Callable[[], StagedGame]]] = {
    "poker": {name: partial(CrownPoker, name) for name in STRUCTURE},
    "war": {"war": CasinoWar},
    "wheel": {"wheel": BigWheel},
}
"""Each game in every form it is played in: the seven of poker, each in one of the betting structures."""
