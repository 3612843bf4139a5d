"""Sealed cards: followed by name, opened only by whoever has the key or lays them open."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.cards.events import CardBetween, CardsCounted, CardsMoved, SealBegun, Sealed, is_foreign
from controller.cards.seal import FACES, Seal, decks_of, key_at, read_deck, read_key
from controller.config.tomlread import ConfigError
from controller.journal import row as record
from drivers.card_antennas import MUCK, CardOnEdge, CardPicture, CardsSeen
from drivers.events import DeviceDown
from tests.controller.cards.sealed_cards import ACE, DECK, KEY, KING, OTHER, Game, moved, sealer


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_what_leaves_the_rim_holds_neither_tag_nor_face() -> None:
    game = Game()
    rim = sealer(game)
    body = b"".join(
        msgspec.json.encode(event)
        for event in (
            *rim.dress(CardsSeen("cards", tuple((tag, 3) for tag in DECK), ())),
            *rim.dress(CardPicture("cards", tuple((tag, 4) for tag in DECK))),
            *rim.dress(CardOnEdge("cards", ACE, (3, 4))),
        )
    )
    for tag, face in DECK.items():
        assert str(tag).encode() not in body
        assert f"{tag:x}".encode() not in body
        assert f'"{face}"'.encode() not in body


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_a_card_keeps_its_name_from_the_seat_to_the_muck_and_its_seal_is_told_once() -> None:
    game = Game()
    rim = sealer(game)
    dealt = moved(rim, (ACE, 3), (KING, 3))
    mucked = moved(rim, (ACE, MUCK), removed=((ACE, 3),))
    assert dealt.added[0].card == mucked.added[0].card == mucked.removed[0][1]
    assert dealt.added[0].card != dealt.added[1].card
    assert dealt.added[0].seal
    assert not mucked.added[0].seal


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_the_same_card_has_another_name_in_the_next_deal_but_leaves_under_the_one_it_came_with() -> None:
    game = Game()
    rim = sealer(game)
    game.salt = "aa"
    first = moved(rim, (ACE, 3)).added[0]
    game.deal = 2
    gone = moved(rim, (ACE, 4), removed=((ACE, 3),))
    assert gone.removed == ((3, first.card),)
    assert gone.added[0].card != first.card
    assert gone.added[0].seal not in ("", first.seal)


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_a_restarted_rim_gives_the_same_names() -> None:
    game = Game()
    game.salt = "aa"
    one = moved(sealer(game), (ACE, 3))
    assert moved(sealer(game), (ACE, 3)) == one


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_the_salt_is_told_before_the_first_card_and_only_then() -> None:
    game = Game()
    rim = sealer(game)
    begun, first = rim.dress(CardsSeen("cards", ((ACE, 3),), ()))
    assert isinstance(begun, SealBegun)
    game.salt = begun.salt
    assert [type(event) for event in rim.dress(CardsSeen("cards", ((KING, 3),), ()))] == [CardsMoved]
    assert isinstance(first, CardsMoved)


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_the_key_opens_a_seal_and_another_key_does_not() -> None:
    game = Game()
    game.salt = "aa"
    (card,) = moved(sealer(game), (ACE, 3)).added
    assert Seal(KEY).open("aa", 1, card.card, card.seal) == ("As", ACE)
    for wrong, salt, deal in ((bytes(32), "aa", 1), (KEY, "bb", 1), (KEY, "aa", 2)):
        with pytest.raises(ConfigError, match="does not open"):
            Seal(wrong).open(salt, deal, card.card, card.seal)


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_a_foreign_tag_is_named_as_what_it_is() -> None:
    (card,) = moved(sealer(Game()), (0xBEEF, 3)).added
    assert card == Sealed(3, "?beef")
    assert is_foreign(card.card)


@pytest.mark.clause("melbourne-poker", "8.7", "1.1 'Cards speak'")
def test_the_whole_picture_is_sealed_and_other_devices_pass() -> None:
    rim = sealer(Game())
    counted = rim.dress(CardPicture("cards", ((ACE, 3),), (14,)))[-1]
    assert isinstance(counted, CardsCounted)
    assert counted.unread == (14,)
    between = rim.dress(CardOnEdge("cards", ACE, (3, 4)))[-1]
    assert between == CardBetween("cards", counted.cards[0].card, (3, 4))
    down = DeviceDown("chips", "silent", "look")
    assert rim.dress(down) == [down]


def test_the_journal_cannot_hold_what_the_antennas_say_unsealed() -> None:
    with pytest.raises(msgspec.ValidationError):
        record.as_kept(CardsSeen("cards", ((ACE, 3),), ()))


def test_a_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "cards.seal"
    key = key_at(path)
    assert len(key) == 32
    assert key_at(path) == read_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("nonsense")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_key(path)


def test_a_deck_register_holds_every_card_once(tmp_path: Path) -> None:
    path = tmp_path / "deck.csv"
    lines = [f"{tag:x},{face}" for tag, face in DECK.items()]
    path.write_text("# blue deck\n" + "\n".join(lines))
    assert read_deck(path) == DECK
    both = [*lines, *(f"{tag:x},{face}" for tag, face in OTHER.items())]
    path.write_text("\n".join(both))
    assert read_deck(path) == {**DECK, **OTHER}
    path.write_text("\n".join(lines[1:]))
    with pytest.raises(ConfigError, match=f"{FACES[0]} stands 0 times"):
        read_deck(path)
    path.write_text("\n".join([*lines, lines[0]]))
    with pytest.raises(ConfigError, match="stands twice"):
        read_deck(path)
    path.write_text("zz,As")
    with pytest.raises(ConfigError, match="hexadecimal"):
        read_deck(path)


def test_a_card_says_which_registered_deck_it_is_of_and_nothing_of_its_face() -> None:
    two = {100 + number: face for number, face in enumerate(FACES)} | {
        200 + number: face for number, face in enumerate(FACES)
    }
    assert {decks_of(two)[tag] for tag in range(100, 152)} == {0}
    assert {decks_of(two)[tag] for tag in range(200, 252)} == {1}
