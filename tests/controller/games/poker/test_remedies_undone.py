"""Hands undone: misdeals, defective decks, invalidation, and what each seat gets back."""

from __future__ import annotations

from typing import Literal

from controller.games.poker import rulings
from controller.games.poker.flop_chase import SideResult, SideWager
from controller.games.poker.inputs import Cancel
from controller.games.poker.outputs import Finished, Output, Prompt, RakeSetAside, Returned
from controller.games.poker.remedies import Remedy
from controller.games.poker.state import Due, Hand, OpenRuling, move
from tests.controller.games.poker.hands import hand, player, refused
from tests.controller.games.poker.seen import clause

# -- deals that are undone --------------------------------------------------------------------------------------------


def rule_on(one: Hand, what: str, cure: Remedy, out: list[Output]) -> None:
    """Something went wrong, and this is what it calls for."""
    move(one, "irregularity", out, OpenRuling(what, cure), Prompt(what, cure.clause, cure.rank, cure.ruling))


def undone() -> Hand:
    """A hand in its second betting round, with blinds, later wagers and commission set aside."""
    one = hand(
        player(1, 500, posted=100, in_round=200, cards=["a", "b"]),
        player(2, 700, 0, posted=200, in_round=400, cards=["c", "d"], all_in=2),
        player(3, 300, in_round=0, cards=["e", "f"], live=False, out="folded"),
        phase="bet2", kept=900, rake=50,
    )  # fmt: skip
    one.board, one.burns, one.seen, one.muck = ["2c", "3c", "4c"], ["5c"], ["2c", "3c", "4c", "5c"], ["e", "f"]
    one.shuffled = one.cut = one.burn_ready = True
    one.dealt, one.boxed, one.actors, one.street_actors = 6, 1, 7, 3
    return one


@clause("9.1.1")
def test_a_misdeal_leaves_the_blinds_gives_later_wagers_back_and_starts_with_a_whole_deck() -> None:
    one, out = undone(), list[Output]()
    rule_on(one, "misdeal", Remedy("misdeal", "9.1.1", 1), out)
    move(one, "misdeal", out)
    assert [effect for effect in out if isinstance(effect, Returned)] == [
        Returned(1, 400, "9.1.1"), Returned(2, 500, "9.1.1"), Returned(3, 300, "9.1.1"),
    ]  # fmt: skip
    assert [seat.stack for seat in one.betting.players] == [1400, 500, 1300]
    assert [(seat.in_hand, seat.in_round, seat.all_in) for seat in one.betting.players] == [
        (100, 100, 0), (200, 200, 0), (0, 0, 0),
    ]  # fmt: skip
    assert RakeSetAside(-50, 0, "9.1.1") in out
    assert (one.rake, one.betting.kept, one.ruling, one.misdeals) == (0, 0, None, 1)
    assert (one.seen, one.board, one.burns, one.muck, one.aside) == ([], [], [], [], [])
    assert (one.shuffled, one.cut, one.burn_ready, one.dealt, one.boxed) == (False, False, False, 0, 0)
    assert (one.actors, one.street_actors) == (0, 0)
    assert all(seat.live and not seat.out and not seat.cards for seat in one.betting.players)
    broke = undone()
    broke.betting.players[1].in_hand = broke.betting.players[1].in_round = 200
    rule_on(broke, "misdeal", Remedy("misdeal", "9.1.1", 1), [])
    move(broke, "misdeal", [])
    assert broke.betting.players[1].all_in == 1


@clause("9.1.1(h)", "1.1 'Defective deck'", "13.6")
def test_a_defective_deck_gives_everything_back_and_the_blinds_are_posted_anew() -> None:
    one, out = undone(), list[Output]()
    one.blinds = [Due(1, 100), Due(2, 200)]
    one.side = [SideWager(1, "red", 300)]
    one.straddle, one.straddler = 400, 2
    rule_on(one, "defective_deck", Remedy("misdeal", "9.1.1(h)", 1), out)
    rulings._deal_again_refunded(one, "9.1.1(h)", out)
    assert [seat.stack for seat in one.betting.players] == [1800, 700, 1300]
    assert (one.dues, one.straddle, one.straddler, one.side) == ([Due(1, 100), Due(2, 200)], 0, -1, [])
    assert one.ruling is None
    settled, out = undone(), []
    settled.side = [SideWager(1, "red", 300)]
    settled.side_results = [SideResult(1, "red", 300, 2100, "10.1.1(c)")]
    rule_on(settled, "defective_deck", Remedy("misdeal", "9.1.1(h)", 1), out)
    rulings._deal_again_refunded(settled, "9.1.1(h)", out)
    assert settled.ruling is not None
    assert (settled.ruling.what, settled.side_results[0].won) == ("settled_side_wagers", 2100)


@clause("13.5.1", "13.5.2", "13.6")
def test_an_invalidated_hand_gives_everything_back_and_needs_level_two_in_time() -> None:
    reasons: dict[Literal["disruption", "fraud"], str] = {"disruption": "13.5.1", "fraud": "13.5.2"}
    for reason, named in reasons.items():
        low = undone()
        assert refused(rulings.cancel, low, Cancel(reason, 1)) == named
        for phase in ("drop", "between_hands"):
            late = undone()
            late.phase = phase
            assert refused(rulings.cancel, late, Cancel(reason, 4)) == named
        one, out = undone(), list[Output]()
        one.side = [SideWager(1, "red", 300)]
        rulings.cancel(one, Cancel(reason, 2), out)
        (finished,) = [effect for effect in out if isinstance(effect, Finished)]
        assert finished.stacks == {1: 1800, 2: 700, 3: 1300}
        assert (finished.rake, one.ruling, one.side) == (0, None, [])
        assert {effect.clause for effect in out if isinstance(effect, Returned)} == {"13.6"}
