"""The games that can be put to the proof; a new game joins by its line here."""

from __future__ import annotations

from collections.abc import Callable

from controller.proving.wheel import BigWheel

GAMES: dict[str, Callable[[], BigWheel]] = {"wheel": BigWheel}
