"""Changes of game, stakes and commission: what is taken, what is refused, and what the table hears and sees of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.config.types import TableConfig
from controller.core.effects import Desired, Ruled
from controller.games.poker.structures import Structure
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import after_the_deal, clause, notes, ruled, seated, words


def signs(play: PokerPlay) -> list[dict[str, Any]]:
    """What the sign was told by the last event."""
    return [effect.outputs for effect in play.effects if isinstance(effect, Desired) and effect.device == "sign"]


def coming(play: PokerPlay) -> Any:
    assert play.game.state.coming is not None
    return play.game.state.coming.terms


def of_seats(count: int) -> TableConfig:
    setup = config()
    return msgspec.structs.replace(setup, seats=msgspec.structs.replace(setup.seats, count=count))


# -- another game -----------------------------------------------------------------------------------------------------


@clause("6.10")
def test_a_change_of_game_is_on_record_announced_to_all_and_on_the_sign_before_it_comes() -> None:
    play = seated()
    play.press("change_game", 3, game="omaha", structure="", blinds="", levels=None, minimum="", buy_in=None)
    assert ruled(play, "change_game") == Ruled("change_game", "Omaha", "S3", 3, ("6.10",))
    (told,) = words(play, "change_comes")
    assert (told.to, told.clauses) == ("all", ("6.10",))
    assert told.text == "Omaha with other terms after 3 hands, or once most agree."
    (sign,) = signs(play)
    assert (sign["game"], sign["change"]["game"]) == ("Holdem", "Omaha")
    now = play.game.state.terms
    assert (coming(play).structure, coming(play).blinds) == (now.structure, now.blinds)
    assert coming(play).minimum_buy_in == now.minimum_buy_in
    play.press("agree", seat=1)
    play.press("agree", seat=1)
    assert play.game.state.coming is not None
    assert play.game.state.coming.notice.agreed == [1]
    play.press("agree", seat=2)
    play.press("start_hand")
    assert notes(play, "terms")[-1].facts == {"game": "Omaha", "blinds": [500, 1_000]}
    assert (play.game.hand.terms.game.name, play.game.state.coming) == ("Omaha", None)
    assert signs(play)[0]["change"] is None


@clause("6.10")
@pytest.mark.parametrize("told", ["5 10", "$5/$10", [500, 1_000]])
def test_blinds_are_told_in_dollars_on_a_screen_and_in_cents_otherwise(told: Any) -> None:
    play = seated()
    play.press("change_game", 3, blinds=told, game="omaha")
    assert coming(play).blinds == (500, 1_000)


@clause("6.10")
def test_an_empty_table_may_announce_a_game_and_a_full_one_only_a_game_for_as_many() -> None:
    empty = PokerPlay()
    empty.press("change_game", 3, game="omaha")
    assert coming(empty).game.name == "Omaha"
    full = seated(*[200] * 11, setup=of_seats(11))
    refusal = full.refused("change_game", 3, game="omaha")
    assert (refusal.code, refusal.clauses) == ("not_allowed", ("4.1 Omaha",))


@clause("6.10")
def test_of_several_faults_the_first_is_told() -> None:
    play = seated()
    refusal = play.refused("change_game", 3, structure="fixed", levels="10 10", blinds="0 10")
    assert refusal.clauses == ("1.1 'Structured limit'",)
    assert refusal.text.startswith("This is not allowed: ")


@clause("6.10")
def test_limits_of_the_same_structure_are_changed_one_by_one() -> None:
    setup = config(structure="spread", most=Cents(5_000))
    play = seated(setup=setup)
    before = play.game.state.terms.structure
    assert (before.kind, before.minimum, before.maximum) == ("spread", 1_000, 5_000)
    play.press("change_game", 3, structure="spread", minimum=500)
    assert coming(play).structure == msgspec.structs.replace(before, minimum=500)
    play.press("change_game", 3, maximum=9_000)
    assert coming(play).structure == msgspec.structs.replace(before, maximum=9_000)
    play.press("change_game", 3, structure="no_limit")
    assert coming(play).structure == Structure("no_limit", 1_000, before.chip, raises=before.raises)


@clause("6.10")
def test_the_structure_that_holds_may_be_announced_anew() -> None:
    play = seated()
    play.press("change_game", 3, structure="no_limit")
    assert coming(play) == play.game.state.terms


BLINDS = "“Blinds from first to last, in dollars: 5 10”: "


@clause("6.10")
@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({}, "Tell what changes"),
        ({"game": ""}, "Tell what changes"),
        ({"blinds": "five ten"}, BLINDS + "not 'five ten'; it needs amounts in dollars, as in 5 10."),
        ({"blinds": "inf"}, BLINDS + "not 'inf'; it needs amounts in dollars, as in 5 10."),
        ({"blinds": 5}, BLINDS + "not 5; it needs amounts in dollars, as in 5 10."),
        ({"game": "stud"}, "“Game”: there is no 'stud' here; there is holdem, pineapple, "),
    ],
)
def test_what_is_no_change_of_game_is_refused_with_what_to_write_instead(told: dict[str, Any], why: str) -> None:
    play = seated()
    refusal = play.refused("change_game", 3, **told)
    assert (refusal.code, refusal.clauses) == ("bad_argument", ("6.10",))
    assert refusal.text.startswith(why)
    assert play.game.state.coming is None


@clause("6.10")
def test_nobody_agrees_to_what_was_not_announced_or_without_a_seat() -> None:
    play = seated()
    assert play.refused("agree", seat=1).code == "nothing_announced"
    play.press("change_game", 3, game="omaha")
    assert play.refused("agree", seat=7).code == "seat_empty"


# -- closing ----------------------------------------------------------------------------------------------------------


@clause("13.3")
def test_players_can_only_agree_to_close_when_a_notice_runs_and_that_is_on_record_and_on_the_sign() -> None:
    play = seated()
    assert play.refused("close_agreed", 3).code == "no_notice"
    assert play.table.state.closing is None
    play.press("close", 3)
    play.press("close_agreed", 3)
    assert ruled(play, "close") == Ruled("close", "agreed", "S3", 3, ("13.3",))
    assert len(signs(play)) == 1
    assert play.table.state.life == "closing"
    play.press("close", 3)
    assert play.table.state.life == "closed"


# -- commission -------------------------------------------------------------------------------------------------------


@clause("7.3", "7.4")
def test_the_commission_is_changed_and_waived_on_record_and_on_the_sign() -> None:
    play = seated()
    play.press("change_commission", 3, method="percentage", percent=10, cap=1_500, minimum="", fee=None)
    assert ruled(play, "change_commission") == Ruled("change_commission", "percentage", "S3", 3, ("7.3",))
    assert [sign["commission"]["cap"] for sign in signs(play)] == [1_500]
    play.press("waive_commission", 3)
    assert ruled(play, "waive_commission") == Ruled("waive_commission", "none", "S3", 3, ("7.4",))
    assert [sign["commission"]["method"] for sign in signs(play)] == ["none"]


@clause("7.3", "7.2.3(b)")
@pytest.mark.parametrize("told", ["2:3 6:5.50", "2:$3, 6:$5.50", {2: 300, 6: 550}])
def test_fees_by_the_number_of_players_are_written_in_dollars_or_given_in_cents(told: Any) -> None:
    play = seated()
    play.press("change_commission", 3, method="per_hand", fees=told)
    assert play.game.state.terms.commission.fees == {2: 300, 6: 550}


@clause("7.3", "7.2.3(b)", "7.1")
@pytest.mark.parametrize(
    ("told", "code", "named"),
    [
        ({}, "bad_argument", "7.3"),
        ({"method": ""}, "bad_argument", "7.3"),
        ({"method": 5}, "bad_argument", "7.3"),
        ({"method": "percentage", "percent": "lots"}, "bad_argument", "7.3"),
        ({"method": "tips"}, "bad_argument", "7.3"),
        ({"method": "per_hand", "fees": {"two": 300}}, "bad_argument", "7.3"),
        ({"method": "per_hand", "fees": "two:3"}, "bad_argument", "7.2.3(b)"),
        ({"method": "per_hand", "fees": "2:3/5"}, "bad_argument", "7.2.3(b)"),
        ({"method": "per_hand", "fees": "2:inf"}, "bad_argument", "7.2.3(b)"),
        ({"method": "per_hand", "fees": 3}, "bad_argument", "7.2.3(b)"),
        ({"method": "per_hand"}, "not_allowed", "7.2.3(b)"),
        ({"method": "percentage", "percent": 11}, "not_allowed", "7.2.1"),
        ({"method": "percentage", "percent": 5}, "not_allowed", "7.1"),
    ],
)
def test_what_is_no_commission_or_not_an_allowed_one_is_refused(told: dict[str, Any], code: str, named: str) -> None:
    play = seated()
    before = play.game.state.terms
    refusal = play.refused("change_commission", 3, **told)
    assert (refusal.code, refusal.clauses) == (code, (named,))
    assert play.game.state.terms == before


@clause("7.3", "7.4")
@pytest.mark.parametrize(("key", "named"), [("change_commission", "7.3"), ("waive_commission", "7.4")])
def test_the_commission_is_not_changed_during_a_hand(key: str, named: str) -> None:
    play = after_the_deal()
    told = {"method": "time", "fee": 500} if key == "change_commission" else {}
    refusal = play.refused(key, 3, **told)
    assert (refusal.code, refusal.clauses) == ("hand_under_way", (named,))
