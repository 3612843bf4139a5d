"""The course of a hand as a declared machine: states, and every way from one to the next with its clause."""

from __future__ import annotations

from typing import Final, NamedTuple


class Way(NamedTuple):
    """One declared transition; ways of one trigger and source are tried in order, `guard` names a test of the hand."""

    trigger: str
    source: str
    dest: str
    guard: str
    clause: str


STATES: Final = (
    "posting",
    "shuffling",
    "dealing",
    "bet1",
    "discard1",
    "flop",
    "side_flop",
    "bet2",
    "discard2",
    "turn",
    "bet3",
    "river",
    "bet4",
    "showdown",
    "award",
    "drop",
    "over",
    "ruling",
)
INITIAL: Final = "posting"
BOARD: Final = ("flop", "turn", "river", "side_flop")
PLAYING: Final = STATES[: STATES.index("drop")]
"""From the blinds to the push: where rulings, misdeals and cancellation are possible."""

_COURSE: Final = (
    Way("blinds_up", "posting", "shuffling", "", "8.9.2(b)"),
    Way("blind_refused", "posting", "over", "", "8.9.3"),
    Way("cut_done", "shuffling", "dealing", "", "5.2"),
    Way("deal_done", "dealing", "bet1", "", "8.16.1(a)"),
    Way("round_done", "bet1", "side_flop", "one_left_with_side_wagers", "8.17.3(a)(i)"),
    Way("round_done", "bet1", "award", "one_left", "8.17.3(a)"),
    Way("round_done", "bet1", "discard1", "discards_now", "8.17.4"),
    Way("round_done", "bet1", "flop", "", "8.17.3(b)"),
    Way("discards_done", "discard1", "flop", "", "8.17.4"),
    Way("board_done", "flop", "bet2", "", "8.18.1"),
    Way("board_done", "side_flop", "award", "", "8.17.3(a)(i)"),
    Way("round_done", "bet2", "award", "one_left", "8.18.3(a)"),
    Way("round_done", "bet2", "discard2", "discards_now", "8.18.4"),
    Way("round_done", "bet2", "turn", "", "8.18.3(b)"),
    Way("discards_done", "discard2", "turn", "", "8.18.4"),
    Way("board_done", "turn", "bet3", "", "8.19.1"),
    Way("round_done", "bet3", "award", "one_left", "8.19.3(a)"),
    Way("round_done", "bet3", "river", "", "8.19.3(b)"),
    Way("board_done", "river", "bet4", "", "8.20.1"),
    Way("round_done", "bet4", "award", "one_left", "8.20.3(a)"),
    Way("round_done", "bet4", "showdown", "", "8.20.3(b)"),
    Way("hands_read", "showdown", "award", "", "8.20.4"),
    Way("hand_asked", "award", "showdown", "", "9.5"),
    Way("pots_pushed", "award", "drop", "", "1.1 'Round of Play'"),
    Way("dropped", "drop", "over", "", "7.2.1(b)"),
)

# A hand declared dead or folded out of turn may leave one seat while cards are given up.
_LEFT_ALONE: Final = (
    Way("left_alone", "discard1", "side_flop", "one_left_with_side_wagers", "8.17.3(a)(i)"),
    Way("left_alone", "discard1", "award", "", "8.17.3(a)"),
    Way("left_alone", "flop", "side_flop", "one_left_with_side_wagers", "8.17.3(a)(i)"),
    Way("left_alone", "flop", "award", "", "8.17.3(a)"),
    Way("left_alone", "discard2", "award", "", "8.18.3(a)"),
    Way("left_alone", "turn", "award", "", "8.18.3(a)"),
    Way("left_alone", "river", "award", "", "8.19.3(a)"),
    Way("left_alone", "showdown", "award", "", "8.20.3(a)"),
)

_RULING: Final = (
    *(Way("irregularity", source, "ruling", "", "9.1.1") for source in PLAYING),
    *(Way("ruled", "ruling", dest, f"back_to_{dest}", "9.1.1") for dest in PLAYING),
    Way("misdeal", "ruling", "shuffling", "", "9.1.1"),
    Way("misdeal_refunded", "ruling", "posting", "", "9.1.1(h)"),
    Way("all_refunded", "ruling", "over", "", "9.1.1(g)"),
    *(Way("cancel", source, "over", "", "13.5.1") for source in (*PLAYING, "ruling")),
)

WAYS: Final = (*_COURSE, *_LEFT_ALONE, *_RULING)


def _index() -> dict[tuple[str, str], tuple[Way, ...]]:
    table: dict[tuple[str, str], tuple[Way, ...]] = {}
    for way in WAYS:
        key = (way.trigger, way.source)
        table[key] = (*table.get(key, ()), way)
    return table


FROM: Final = _index()

ROUND_OF: Final = {"bet1": 1, "bet2": 2, "bet3": 3, "bet4": 4}
BOARD_TARGET: Final = {"flop": 3, "side_flop": 3, "turn": 4, "river": 5}
PREMATURE: Final = {
    "bet1": "flop",
    "discard1": "flop",
    "bet2": "turn",
    "discard2": "turn",
    "bet3": "river",
}
"""What a board card would be if it came up in this state, too early (9.10 to 9.12, 9.15.1)."""
