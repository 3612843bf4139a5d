"""Cards before the dealer: burns, streets, boxed cards and discards, each once and in its time."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.poker.board import boxed, burn, discard, once, turn_up
from controller.games.poker.inputs import Board, Boxed, Burn, Discard
from controller.games.poker.outputs import Output, Prompt, Recorded
from controller.games.poker.state import Hand, Refusal
from tests.controller.games.poker.hands import hand, player, refused
from tests.controller.games.poker.seen import clause

# -- the board --------------------------------------------------------------------------------------------------------


def at(phase: str, *, ready: bool = True, seen: tuple[str, ...] = (), **more: Any) -> Hand:
    one = hand(player(1, 500), player(2, 500), player(3, 500), phase=phase, **more)
    one.burn_ready = ready
    one.seen = list(seen)
    return one


@clause("1.1 'Muck'", "1.1 'Burn'", "1.1 'Burn card'")
def test_a_card_leaves_the_deck_once_and_a_burn_is_taken_once_a_street() -> None:
    one = at("flop", ready=False, seen=("As",))
    with pytest.raises(Refusal, match="card A♠ has already left"):
        once(one, ("As",))
    with pytest.raises(Refusal, match="card K♦ has already left"):
        once(one, ("Kd", "Kd"))
    once(one, ("Kd", "Kh"))
    assert refused(burn, one, Burn("As")) == "3.1"
    out: list[Output] = []
    burn(one, Burn("2c"), out)
    assert (one.seen, one.burns, one.burn_ready, out) == (["As", "2c"], ["2c"], True, [])
    assert refused(burn, one, Burn("3c")) == "1.1 'Burn'"
    assert refused(burn, at("showdown", ready=False), Burn("3c")) == "1.1 'Burn'"
    early = at("bet1", ready=False)
    burn(early, Burn("2c"), out)
    assert out == [Recorded("burned before the round was over", "1.1 'Burn'", cards=("2c",))]


@clause("8.18.1", "8.19.1", "8.20.1", "1.1 'Flop'")
def test_a_street_is_turned_up_whole_after_its_burn_or_ruled_on() -> None:
    assert refused(turn_up, at("flop"), Board(())) == "8.18.1"
    assert refused(turn_up, at("showdown"), Board(("2c",))) == "8.18.1"
    assert refused(turn_up, at("flop", seen=("2c",)), Board(("2c", "3c", "4c"))) == "3.1"

    def asked(one: Hand, *cards: str) -> list[str]:
        out: list[Output] = []
        turn_up(one, Board(cards), out)
        return [prompt.what for prompt in out if isinstance(prompt, Prompt)]

    whole = at("flop", round=1)
    assert asked(whole, "2c", "3c", "4c") == []
    assert (whole.board, whole.seen[-3:], whole.burn_ready) == (["2c", "3c", "4c"], ["2c", "3c", "4c"], False)
    assert whole.phase == "bet2"
    assert asked(at("flop", ready=False), "2c", "3c", "4c") == ["no_burn"]
    short = at("flop")
    out: list[Output] = []
    turn_up(short, Board(("2c", "3c")), out)
    assert out == [Prompt("short_flop", "13.10", 1, "complete_flop", ("complete_flop",), 0, 1)]
    assert (short.board, short.phase) == (["2c", "3c"], "flop")
    many = at("flop")
    assert len(asked(many, "2c", "3c", "4c", "5c")) == 1
    assert many.board == []
    assert asked(at("bet1"), "2c", "3c", "4c") == ["premature_flop"]
    assert asked(at("bet2"), "2c") == ["premature_turn"]
    assert asked(at("bet3"), "2c") == ["premature_river"]


@clause("9.3", "1.1 'Boxed Card'", "1.1 'Defective deck'")
def test_a_boxed_card_is_mucked_and_the_fifth_spoils_the_deck() -> None:
    one = at("dealing")
    for number, card in enumerate(("2c", "3c", "4c", "5c", "6c"), 1):
        out: list[Output] = []
        boxed(one, Boxed(card), out)
        assert Recorded("boxed card to the muck, the next card replaces it", "9.3", cards=(card,)) in out
        asked = [prompt.what for prompt in out if isinstance(prompt, Prompt)]
        assert asked == (["defective_deck"] if number == 5 else [])
    assert (one.boxed, one.muck, one.seen) == (5, ["2c", "3c", "4c", "5c", "6c"], ["2c", "3c", "4c", "5c", "6c"])
    assert refused(boxed, at("bet1"), Boxed("2c")) == "9.3"
    assert refused(boxed, at("dealing", seen=("2c",)), Boxed("2c")) == "3.1"


@clause("8.17.4", "8.18.4")
def test_a_card_is_given_up_once_in_its_round_by_a_live_hand_that_holds_it() -> None:
    def pineapple(phase: str = "discard1", **more: Any) -> Hand:
        of = {"game": "Pineapple Holdem"}
        both = player(1, 500, cards=["a", "b", "c"]), player(2, 500, cards=["d", "e", "f"])
        return hand(*both, phase=phase, of=of, **more)

    assert refused(discard, pineapple("bet1"), Discard(1, "a")) == "8.17.4"
    assert refused(discard, hand(player(1, 500, cards=["a", "b"]), phase="bet1"), Discard(1, "a")) == "8.17.4"
    one = pineapple()
    assert refused(discard, one, Discard(1, "d")) == "8.17.4"
    discard(one, Discard(1, "a"), [])
    assert (one.betting.players[0].cards, one.muck) == (["b", "c"], ["a"])
    assert refused(discard, one, Discard(1, "b")) == "8.17.4"
    one.betting.players[1].live = False
    assert refused(discard, one, Discard(2, "d")) == "8.17.4"
