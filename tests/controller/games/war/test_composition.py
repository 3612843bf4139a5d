"""Every card of every deck accounted for by name, and runs as the factory packs them."""

from __future__ import annotations

from controller.games.war.cards import FACES
from controller.games.war.composition import Composition, factory_run
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause

# -- the set of cards -------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "3.1")
@clause(PERTH, "2.2", "1.1 [Deck]")
@clause(STAR, "3.1")
def test_every_card_of_every_deck_is_accounted_for_by_name() -> None:
    cards = Composition(2)
    assert (cards.total, cards.drawn, cards.left("KS"), cards.should_have("KS")) == (104, 0, 2, 2)
    assert cards.draw("KS") is None
    assert cards.draw("KS") is None
    assert (cards.drawn, cards.known, cards.left("KS")) == (2, 2, 0)
    trouble = cards.draw("KS")
    assert trouble == ("impossible_card", "K♠ came 3 times from a set that holds it 2 times.", "KS")
    cards.undraw("KS")
    assert (cards.drawn, cards.left("KS")) == (2, 0)
    cards.undraw("QS")
    assert cards.drawn == 2
    cards.undraw("KS")
    cards.undraw("KS")
    assert (cards.out, cards.drawn) == ({}, 0)
    assert cards.draw_unknown() is None
    assert (cards.drawn, cards.unknown) == (1, 1)
    assert cards.identify("2C") is None
    assert (cards.drawn, cards.unknown, cards.out) == (1, 0, {"2C": 1})
    cards.put_aside("2C")
    assert (cards.total, cards.should_have("2C"), cards.left("2C")) == (103, 1, 0)
    assert cards.replace("3C") is False
    assert cards.replace("2C") is True
    assert cards.total == 104
    cards.shuffled()
    assert (cards.drawn, cards.out, cards.unknown) == (0, {}, 0)
    whole = Composition(1)
    assert [whole.draw(face) for face in FACES] == [None] * 52
    one = Composition(1)
    for face in FACES[:51]:
        assert one.draw(face) is None
    assert one.draw_unknown() is None
    assert one.draw_unknown() == ("too_many_cards", "53 cards came from a set of 52.", "")
    assert one.draw(FACES[51]) == ("too_many_cards", "54 cards came from a set of 52.", FACES[51])


@clause(MELBOURNE, "4.1.1(c)")
def test_a_run_as_the_factory_packs_it_is_counted_up_and_down_within_a_suit() -> None:
    assert [factory_run(cards) for cards in ((), ("AS",), ("AS", "2S"), ("AS", "2S", "4S"), ("AS", "2H"))] == [
        0,
        1,
        2,
        1,
        1,
    ]
    assert factory_run(("KD", "9H", "8H", "7H")) == 3
    assert factory_run(("QC", "KC", "AC")) == 1
    assert factory_run(("2C", "3C", "4C", "5C", "6C", "7C")) == 6
