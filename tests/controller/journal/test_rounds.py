"""A round is recalled with its errors and their corrections."""

from __future__ import annotations

from controller.journal import row as record
from controller.journal.rounds import Recall
from controller.people import Person
from tests.controller.core.stand import Stand

PIT = Person("S3", 3)


def test_a_key_taken_back_stands_in_the_record_of_the_round_beside_its_correction() -> None:
    stand = Stand()
    stand.press("place_bets")
    stand.back()
    stand.press("place_bets")
    stand.press("limits", PIT, least=500, most=20_000)
    stand.back(PIT)
    stand.press("limits", PIT, least=500, most=30_000)
    stand.press("cancel_disruption", Person("S4", 4), reason="a fire alarm")
    recall = Recall("wheel")
    recall.follow((row.seq, row.at, record.read(row)) for row in stand.journal())
    (recalled,) = recall.rounds
    told = [(line.what, line.text, line.taken_back) for line in recalled.lines if line.what in ("key", "ruled")]
    assert told == [
        ("key", "place_bets by S1", True),
        ("key", "take_back by S1", False),
        ("ruled", "taken_back: Place your bets by S1 (rank 1)", False),
        ("key", "place_bets by S1", False),
        ("key", "limits by S3 (least 500, most 20000)", True),
        ("ruled", "limits: 500-20000 by S3 (rank 3)", True),
        ("key", "take_back by S3", False),
        ("ruled", "taken_back: Change the limits by S3 (rank 3)", False),
        ("key", "limits by S3 (least 500, most 30000)", False),
        ("ruled", "limits: 500-30000 by S3 (rank 3)", False),
        ("key", "cancel_disruption by S4 (reason a fire alarm)", False),
        ("ruled", "invalidate: round 1 by S4 (rank 4): a fire alarm", False),
    ]
    assert "  ruled    (taken back) limits: 500-20000 by S3 (rank 3)" in recalled.as_text()
