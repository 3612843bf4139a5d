"""The games that can be put to the proof; a new game joins by its line here."""

from __future__ import annotations

from collections.abc import Callable

from controller.proving.poker import CrownPoker
from controller.proving.stage import StagedGame
from controller.proving.war import CasinoWar
from controller.proving.wheel import BigWheel

GAMES: dict[str, Callable[[], StagedGame]] = {"poker": CrownPoker, "war": CasinoWar, "wheel": BigWheel}
