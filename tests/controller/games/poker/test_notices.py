"""Notices counted in hands."""

from __future__ import annotations

from controller.games.poker.notices import change_fault as game_change_fault
from controller.games.poker.notices import raise_minimum_fault
from tests.controller.games.poker.seen import clause


@clause("6.10", "footnote 2 s 66(2)")
def test_notices_run_for_as_many_hands_as_the_document_says_unless_players_agree() -> None:
    def change(rank: int = 3, hands: int = 0, agree: int = 0, between: bool = True) -> str:
        return game_change_fault(rank, 3, hands, agree, 6, between_hands=between, notice_hands=3)

    assert [change(hands=hands) for hands in (2, 3, 4)] == ["6.10", "", ""]
    assert [change(agree=agree) for agree in (3, 4)] == ["6.10", ""]
    assert [change(rank, 3) for rank in (2, 3, 4)] == ["6.10", "", ""]
    assert change(hands=3, between=False) == "6.10"
    assert [raise_minimum_fault(shown, 20) for shown in (1199, 1200, 1201)] == ["footnote 2 s 66(2)", "", ""]
