"""The decks of a simulated table, each card with its tag."""

from __future__ import annotations

SIMULATED_TAGS = 0xE004_0CA2_D000_0000
"""Where the tags of a simulated deck begin."""
FACES = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")


def simulated_decks() -> tuple[dict[int, str], ...]:
    """The decks of a simulated table, cards by tag: one is shuffled while the other is played."""
    return tuple(
        {SIMULATED_TAGS + (deck << 24) + 0x9E37 * number: face for number, face in enumerate(FACES, start=1)}
        for deck in range(2)
    )
