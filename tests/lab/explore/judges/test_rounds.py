"""An answer that voids another round than the one it was asked about is seen."""

from __future__ import annotations

from controller.core.effects import Asked, Moved, Ruled
from lab.explore.campaign import opened
from lab.explore.judges import Seen
from lab.explore.judges.rounds import OwnRound
from lab.explore.table import Row

ASKED = Asked("p1", "cancel", "?", {}, "", (), ())
RULED = Ruled("cancel", "yes", "S2", 2, (), "", "p1")
VOIDED = Moved("round", "betting", "over", "voided")


def answered(rounds_later: int) -> list[str]:
    table, _ = opened("war", "star-war")
    judge = OwnRound()
    assert list(judge.look(table, Seen(Row(0, ASKED, [ASKED], b""), "over", 0, {}))) == []
    seen = Seen(Row(0, ASKED, [RULED, VOIDED], b""), "betting", rounds_later, {})
    return [found.name for found in judge.look(table, seen)]


def test_a_question_decides_its_own_round_and_no_later_one() -> None:
    assert answered(0) == []
    assert answered(1) == ["an answer about an earlier round voids this one: cancel"]
