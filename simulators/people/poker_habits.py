"""How the people of a poker table behave: how many play, and what they now and then do wrong."""

from __future__ import annotations

import msgspec


class Habits(msgspec.Struct, frozen=True):
    """How many play, and how often, per hand, somebody does what they should not."""

    players: int = 6
    side_wager: float = 0.15
    deals_wrong_seat: float = 0.004
    forgets_burn: float = 0.004
    turns_early: float = 0.004
    turns_two: float = 0.004
    shows_a_card: float = 0.004
    on_the_edge: float = 0.01
    out_of_turn: float = 0.005
    late_read: float = 0.01


HONEST = Habits(6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""People who make no mistake and want no side wager."""
