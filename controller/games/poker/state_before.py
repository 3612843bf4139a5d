"""What a snapshot of the version before holds, which kept everything side by side, as it is nested now."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games.poker.state import PokerState


def read_state(saved: bytes) -> PokerState:
    """The state that was saved, by this version or by the one before; msgspec.ValidationError where it is neither."""
    try:
        return msgspec.json.decode(saved, type=PokerState)
    except msgspec.ValidationError:
        plain = msgspec.json.decode(saved)
        if not isinstance(plain, dict) or not isinstance(plain.get("deck"), str):
            raise
        return msgspec.json.decode(msgspec.json.encode(nested(plain)), type=PokerState)


LATER = ("dealt_from", "strangers")
"""What a deal knows that the version before did not."""


def nested(flat: dict[str, Any]) -> dict[str, Any]:
    """Everything in its place; a hand that was over left nothing of itself but its results."""
    hand = flat.get("hand")
    in_play = {
        "hand": hand,
        "positions": flat.get("next_positions"),
        **_of(flat, "base", "differing", "fresh", "announced", "pot_seen", "refunds", "stakes"),
    }
    return {
        **_of(flat, "terms", "coming", "seats", "positions", "button", "time_charge", "results"),
        "felt": _of(flat, "cards", "chips"),
        "deck": {
            "status": flat["deck"],
            "defective": flat["deck"] == "bad",  # before it was kept by itself
            **_of(flat, "defective", "salt", "checks", "opened"),
        },
        "deal": {
            "number": flat.get("deal", 1),
            **_of(flat, "faces", "waiting", "between", "doubled", "openings", *LATER),
        },
        "in_play": in_play if hand is not None else None,
    }


def _of(flat: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: flat[name] for name in names if name in flat}
