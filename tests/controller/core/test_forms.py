"""What is entered into a form is of its kind, within its bounds and there, or it is refused before anything is done."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from controller.core.desk import Ask, Kind, Refusal
from controller.core.forms import MOST, read, read_form, wanting

PLAYERS = ["Ann", "Bob"]


def offered(names: list[str]) -> Any:
    return ((name, f"Seat of {name}") for name in names)


def refused(ask: Ask, value: Any, owner: Any = PLAYERS) -> Refusal:
    with pytest.raises(Refusal) as no:
        read(ask, value, owner, ("1.1",))
    return no.value


@pytest.mark.parametrize(
    ("kind", "told", "taken"),
    [
        ("names", ["Ann", "Bob"], ("Ann", "Bob")),
        ("names", " Ann,Bob ;", ("Ann", "Bob")),
        ("numbers", "1, 2", (1, 2)),
        ("numbers", [], ()),
    ],
)
def test_several_may_be_told_as_a_list_or_with_commas(kind: Any, told: Any, taken: tuple[Any, ...]) -> None:
    assert read(Ask("who", kind, "Who"), told) == taken


@pytest.mark.parametrize(("kind", "told"), [("names", [1]), ("names", 1), ("numbers", "one, 2"), ("numbers", {"1": 2})])
def test_several_of_another_kind_are_refused(kind: Any, told: Any) -> None:
    with pytest.raises(Refusal, match=r"“Who”: not .*; it needs .* with commas between them"):
        read(Ask("who", kind, "Who"), told)


def test_a_choice_is_one_of_those_that_are_declared() -> None:
    ask = Ask("why", "choice", "Why", choices=(("fraud", "Fraud"), ("riot", "Riot")))
    assert read(ask, "riot") == "riot"
    assert (refused(ask, "whim").code, refused(ask, "whim").text) == (
        "bad_argument",
        "“Why”: there is no 'whim' here; there is fraud, riot.",
    )
    assert refused(ask, "roit").text == "“Why”: there is no 'roit' here; did you mean 'riot'?"


@pytest.mark.parametrize(
    ("ask", "right", "wrong", "said"),
    [
        (Ask("player", "player", "Player", offered=offered), "Ann", "ann", "no 'ann' here; did you mean 'Ann'?"),
        (Ask("player", "player", "Player", offered=offered), "Bob", "Zoe", "no 'Zoe' here; there is Ann, Bob."),
        (Ask("who", "names", "Who", offered=offered), "Ann, Bob", "Ann, Bbo", "no 'Bbo' here; did you mean 'Bob'?"),
        (Ask("item", "text", "Item", offered=offered), "Ann", "Xerxes", "no 'Xerxes' here; there is Ann, Bob."),
        (Ask("who", "choice", "Who", offered=offered), "Ann", "Seat of Ann", "no 'Seat of Ann' here;"),
    ],
)
def test_who_or_what_is_not_there_is_refused_with_the_nearest(ask: Ask, right: str, wrong: str, said: str) -> None:
    read(ask, right, PLAYERS)
    no = refused(ask, wrong)
    assert (no.code, no.clauses) == ("not_there", ("1.1",))
    assert said in no.text


def test_where_nobody_is_there_that_is_told() -> None:
    ask = Ask("player", "player", "Player", offered=offered)
    assert refused(ask, "Ann", []).text == "“Player”: there is no 'Ann' here; there is none now."


def test_somebody_new_may_be_named_where_it_is_declared() -> None:
    assert read(Ask("player", "player", "Player", offered=offered, suggested=True), "Zoe", PLAYERS) == "Zoe"


NEWCOMER = Ask("player", "player", "Player", offered=offered, suggested=True)


@pytest.mark.parametrize("told", ["Anm", "Anna", "Nan", "ANNE", "Rob", "Obb", "A nnn"])
def test_a_new_name_that_is_almost_somebodys_is_taken_once_it_is_said_to_be_somebody_new(told: str) -> None:
    near = "Bob" if "b" in told.lower() else "Ann"
    with pytest.raises(Refusal) as no:
        read_form("Sit", (NEWCOMER,), {"player": told}, PLAYERS, ())
    assert no.value.code == "much_alike"
    assert (
        f"nobody here is called {told!r}; did you mean {near!r}? If not, say that it is somebody new." in no.value.text
    )
    assert read_form("Sit", (NEWCOMER,), {"player": told, "player_is_new": True}, PLAYERS, ()) == {"player": told}


@pytest.mark.parametrize("told", ["Zoe", "Annabel", "P7"])
def test_whoever_is_not_there_is_refused_with_the_nearest_until_they_are_said_to_be_somebody_new(told: str) -> None:
    said = {"Zoe": "there is Ann, Bob.", "Annabel": "did you mean 'Ann'?", "P7": "there is Ann, Bob."}[told]
    with pytest.raises(Refusal) as no:
        read_form("Sit", (NEWCOMER,), {"player": told, "player_is_new": False}, PLAYERS, ())
    assert no.value.code == "nobody_here"
    assert no.value.text == f"“Player”: nobody here is called {told!r}; {said} If not, say that it is somebody new."
    assert read_form("Sit", (NEWCOMER,), {"player": told, "player_is_new": True}, PLAYERS, ()) == {"player": told}
    assert read_form("Sit", (NEWCOMER,), {"player": "Ann", "player_is_new": False}, PLAYERS, ()) == {"player": "Ann"}


def test_where_nobody_is_there_yet_whoever_comes_first_is_said_to_be_somebody_new() -> None:
    with pytest.raises(Refusal, match="there is none now") as no:
        read_form("Sit", (NEWCOMER,), {"player": "Ann", "player_is_new": False}, [], ())
    assert no.value.code == "nobody_here"


@pytest.mark.parametrize(
    ("told", "there"), [("Zoe", "Ann"), ("P1", "P2"), ("P1", "P11"), ("Al", "Ali"), ("An", "Ann"), ("Ann", "Ann")]
)
def test_names_that_nobody_mistakes_for_one_another_are_taken_at_once(told: str, there: str) -> None:
    assert read_form("Sit", (NEWCOMER,), {"player": told}, [there], ()) == {"player": told}


def test_that_somebody_is_new_is_told_only_where_somebody_new_may_be_named() -> None:
    known = Ask("player", "player", "Player", offered=offered)
    with pytest.raises(Refusal, match="knows no 'player_is_new'"):
        read_form("Leave", (known,), {"player": "Ann", "player_is_new": True}, PLAYERS, ())


def test_numbers_of_things_are_those_that_are_there() -> None:
    boxes = Ask("box", "choice", "Box", number=True, offered=lambda seats: ((str(seat), "Box") for seat in seats))
    several = Ask("boxes", "numbers", "Boxes", offered=boxes.offered)
    assert read(boxes, 3, [3, 5]) == 3
    assert read(several, "3, 5", [3, 5]) == (3, 5)
    assert refused(boxes, 4, [3, 5]).text == "“Box”: there is no '4' here; there is 3, 5."
    assert refused(several, [3, 6], [3, 5]).code == "not_there"


@pytest.mark.parametrize(
    ("ask", "wrong", "said"),
    [
        (Ask("cents", "money", "Amount"), 0, "$0 is too little; $0.01 or more"),
        (Ask("cents", "money", "Amount"), -500, "-$5 is too little"),
        (Ask("cents", "money", "Amount", least=0), -1, "too little; $0 or more"),
        (Ask("cents", "money", "Amount", least=None), -MOST["money"] - 1, "is too much; $100,000,000 at most"),
        (Ask("cents", "money", "Amount"), 10**30, "is too much"),
        (Ask("percent", "number", "Rate", least=2, most=10), 11, "11 is too much; 10 at most"),
        (Ask("percent", "number", "Rate", least=2, most=10), 1, "1 is too little; 2 or more"),
        (Ask("blinds", "amounts", "Blinds"), "5 0", "$0 is too little"),
    ],
)
def test_a_number_out_of_its_bounds_is_refused_in_dollars_where_it_is_money(ask: Ask, wrong: Any, said: str) -> None:
    assert refused(ask, wrong).code == ("bad_argument" if ask.kind == "number" else "bad_amount")
    assert said in refused(ask, wrong).text


def test_a_number_within_its_bounds_is_taken() -> None:
    assert read(Ask("cents", "money", "Amount", least=None), -500) == -500
    assert read(Ask("paid", "money", "Paid", least=0), 0) == 0
    assert read(Ask("percent", "number", "Rate", least=2, most=10), 10) == 10


@pytest.mark.parametrize(
    ("told", "hint"), [("ks", "did you mean 'KS'?"), ("10S", "did you mean 'TS'?"), ("joker", "write rank 2-9")]
)
def test_a_card_is_written_as_a_card(told: str, hint: str) -> None:
    ask = Ask("face", "card", "The card is")
    assert read(ask, "KS") == "KS"
    assert refused(ask, told).code == "bad_card"
    assert hint in refused(ask, told).text
    assert refused(Ask("faces", "cards", "Cards"), ["KS", told]).code == "bad_card"


def test_cards_may_be_more_than_those_of_a_deck_where_it_is_declared() -> None:
    assert read(Ask("faces", "cards", "Cards", choices=(("JOKER", "Joker"),)), "KS, JOKER") == ("KS", "JOKER")


def test_words_are_taken_without_the_spaces_around_them_and_blanks_are_nothing() -> None:
    ask = Ask("reason", "text", "Reason")
    assert read_form("Pay", (ask,), {"reason": " seen "}, None, ()) == {"reason": "seen"}
    with pytest.raises(Refusal, match="“Reason”: nothing was told; it needs a word"):
        read_form("Pay", (ask,), {"reason": "  "}, None, ())


def test_what_is_missing_is_told_with_what_it_needs() -> None:
    assert wanting(Ask("seat", "choice", "Seat", number=True)).text == "“Seat”: nothing was told; it needs a choice."
    assert wanting(Ask("float", "slip", "Slip"), 5).text == "“Slip”: not 5; it needs pairs, as in 5:40 25:20."


@pytest.mark.parametrize(
    ("told", "taken"), [("5 10", (500, 1_000)), ("$2.50/$5, $1", (250, 500, 100)), ([500, 1_000], (500, 1_000))]
)
def test_amounts_are_written_in_dollars_or_given_in_cents(told: Any, taken: tuple[int, ...]) -> None:
    assert read(Ask("blinds", "amounts", "Blinds"), told) == taken


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("five", "'five'"), ("5 ten", "'5 ten'"), ("inf", "'inf'"), ("nan", "'nan'"), (5, "5"),
        (True, "yes"), (["5"], "'5'"), ({5: 5}, "several entries"),
    ],
)  # fmt: skip
def test_what_are_no_amounts_is_refused_with_what_to_write(told: Any, said: str) -> None:
    no = refused(Ask("blinds", "amounts", "Blinds", clauses=("6.10",)), told)
    assert no.text == f"“Blinds”: not {said}; it needs amounts in dollars, as in 5 10."
    assert no.clauses == ("6.10",)


NEWCOMER = Ask("player", "player", "Player", offered=offered, suggested=True)


@pytest.mark.parametrize("rubbish", ["...", "-", "\x07\x07", "x" * 41])
def test_somebody_new_has_a_name_and_no_rubbish(rubbish: str) -> None:
    assert read(NEWCOMER, "Zoë 2", PLAYERS) == "Zoë 2"
    no = refused(NEWCOMER, rubbish)
    assert (no.code, "is no name; it needs letters or digits" in no.text) == ("bad_words", True)


def test_who_is_there_already_is_not_named_in_another_spelling() -> None:
    assert read(NEWCOMER, "Anna", PLAYERS) == "Anna"
    no = refused(NEWCOMER, "aNN")
    assert (no.code, no.text) == ("not_there", "“Player”: there is no 'aNN' here; did you mean 'Ann'?")


NO_WORDS: tuple[Any, ...] = (
    [],
    {},
    [None],
    [[]],
    {"a": []},
    {"5": None},
    True,
    None,
    10**5000,
    -(10**50),
    float("nan"),
    float("inf"),
    "\x00",
    "a" * 9000,
)
"""What a program may send, or a cat on the keys, where a person types an entry."""


@pytest.mark.parametrize("kind", sorted(get_args(Kind)))
@pytest.mark.parametrize("told", NO_WORDS, ids=range(len(NO_WORDS)))
def test_whatever_is_told_in_place_of_an_entry_is_refused_in_words(kind: Any, told: Any) -> None:
    try:
        read(Ask("what", kind, "What"), told, PLAYERS, ("1.1",))
    except Refusal as no:
        words = no.text
        assert len(words) < 250
        assert words.isprintable()
        assert not re.search(r"[\[\]{}\\]|None|True|False|\bnan\b|\binf\b|\d{41}", words), words
