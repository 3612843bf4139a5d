"""A key stands on the function that does it; what does not fit together fails when the module is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller import games
from controller.core import table_keys
from controller.core.desk import Ask, Key, Refusal
from controller.core.keys import Keys
from controller.core.rows import BadDeclaration
from controller.games.poker.keys import KEYS as POKER
from controller.games.war.keys import KEYS as WAR
from controller.games.wheel.keys import KEYS as WHEEL
from controller.games.wheel.round import ROWS
from controller.games.wheel.state import STATES
from controller.money.keys import KEYS as MONEY
from controller.people import Person
from controller.rules.rulebook import load_rulebook
from tests.controller.core.reading import names_read

DEALER = Person("D", 1)
HOUSE = games.find("wheel").house(load_rulebook("melbourne-wheel"))
CENTS = Ask("cents", "money", "Amount")


def declared(keys: Keys[Any], *asks: Ask, power: str = "place_bets", **more: Any) -> Any:
    return keys.key("pay", "Pay", power=power, asks=asks, **more)


def test_what_is_asked_for_and_never_read_is_refused_with_its_place() -> None:
    def pay(game: object, by: Person) -> None: ...

    with pytest.raises(BadDeclaration, match=r"test_keys\.py:\d+: key 'pay' asks for cents, which nothing reads"):
        declared(Keys(), CENTS)(pay)


def test_what_is_read_and_never_asked_for_is_refused() -> None:
    def pay(game: object, by: Person, *, cents: int) -> None: ...

    with pytest.raises(BadDeclaration, match="reads cents, which it does not ask for"):
        declared(Keys())(pay)


def test_an_ask_and_its_argument_are_of_one_kind_and_agree_whether_it_may_be_left_out() -> None:
    def word(game: object, by: Person, *, cents: str) -> None: ...

    def left_out(game: object, by: Person, *, cents: int = 0) -> None: ...

    with pytest.raises(BadDeclaration, match="asks for 'cents' as int, and its function takes str"):
        declared(Keys(), CENTS)(word)
    with pytest.raises(BadDeclaration, match="do not agree whether 'cents' may be left out"):
        declared(Keys(), CENTS)(left_out)


def test_two_keys_of_one_name_are_refused_with_both_places() -> None:
    keys: Keys[object] = Keys()

    def pay(game: object, by: Person) -> None: ...

    declared(keys)(pay)
    with pytest.raises(BadDeclaration, match=r"is declared twice, first at .*test_keys\.py:\d+"):
        declared(keys)(pay)


def test_a_power_that_the_rulebook_does_not_know_is_refused_unless_the_key_may_be_missing() -> None:
    def pay(game: object, by: Person) -> None: ...

    strange: Keys[object] = Keys()
    declared(strange, power="levitate")(pay)
    with pytest.raises(BadDeclaration, match="the power 'levitate', which melbourne-wheel does not know"):
        strange.of(HOUSE)
    missing: Keys[object] = Keys()
    declared(missing, power="levitate", only_where_known=True)(pay)
    assert missing.of(HOUSE) == {}


def test_a_key_that_fires_what_no_row_knows_is_refused() -> None:
    keys: Keys[object] = Keys()

    def pay(game: object, by: Person) -> None: ...

    declared(keys, fires="levitate")(pay)
    with pytest.raises(BadDeclaration, match="fires 'levitate', for which there is no row"):
        keys.check_machine(ROWS, STATES)
    WHEEL.check_machine(ROWS, STATES)


def test_keys_kept_in_modules_of_their_own_are_joined_and_two_of_one_name_are_refused() -> None:
    def pay(game: object, by: Person) -> None: ...

    one: Keys[object] = Keys(while_suspended=True)
    other: Keys[object] = Keys()
    declared(one)(pay)
    declared(other)(pay)
    assert Keys(one).of(HOUSE)["pay"].while_suspended
    assert not Keys(other).of(HOUSE)["pay"].while_suspended
    with pytest.raises(BadDeclaration, match=r"is declared twice, first at .*test_keys\.py:\d+"):
        Keys(one, other)


class At:
    """A machine in one state, from which these may be fired."""

    def __init__(self, state: str, *triggers: str) -> None:
        self.state = state
        self.can = triggers.__contains__


def test_a_key_means_something_where_one_of_its_rows_starts_or_besides() -> None:
    def pay(game: bool, by: Person) -> None: ...

    keys: Keys[bool] = Keys()
    declared(keys, fires=("pay_all", "pay_one"), during=("over",), when=lambda game: game)(pay)
    assert keys.means_something(True, "pay", At("final", "pay_one"))
    assert keys.means_something(True, "pay", At("over"))
    assert not keys.means_something(True, "pay", At("final"))
    assert not keys.means_something(False, "pay", At("over"))
    assert keys.starts_here("pay", At("over"))


def test_what_this_house_does_not_know_is_refused() -> None:
    def pay(paid: list[int], by: Person, *, cents: int = 0) -> None:
        paid.append(cents)

    keys: Keys[list[int]] = Keys()
    declared(keys, Ask("cents", "money", "Amount", optional=True, known=lambda house: False))(pay)
    paid: list[int] = []
    with pytest.raises(Refusal, match="“Pay” knows no 'cents' here; it asks for nothing"):
        keys.press(paid, keys.of(HOUSE)["pay"], {"cents": 5}, DEALER)
    keys.press(paid, keys.of(HOUSE)["pay"], {}, DEALER)
    assert paid == [0]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({}, "“Amount”: nothing was told; it needs an amount in dollars, such as 25 or 2.50"),
        ({"cents": " "}, "“Amount”: nothing was told"),
        ({"cents": "5"}, "“Amount”: not '5'; it needs an amount in dollars"),
        ({"cents": True}, "an amount in dollars"),
        ({"cents": 500, "unasked": 1}, "“Pay” knows no 'unasked' here; it asks for cents"),
        ({"cent": 500}, "“Pay” knows no 'cent' here; did you mean 'cents'"),
    ],
)
def test_a_key_is_refused_before_it_is_done_where_something_is_missing_or_of_another_kind(
    args: dict[str, Any], said: str
) -> None:
    keys: Keys[list[int]] = Keys()

    @declared(keys, CENTS)
    def pay(paid: list[int], by: Person, *, cents: int) -> None:
        paid.append(cents)

    paid: list[int] = []
    with pytest.raises(Refusal, match=said):
        keys.press(paid, keys.of(HOUSE)["pay"], args, DEALER)
    assert paid == []
    keys.press(paid, keys.of(HOUSE)["pay"], {"cents": 500}, DEALER)
    assert paid == [500]


def test_a_page_is_told_what_there_is_to_choose_from_now() -> None:
    ask = Ask("seat", "choice", "Seat", number=True, offered=lambda seats: ((str(seat), str(seat)) for seat in seats))
    key = Key("leave", "Leave", 1, "", ("seat",), asks=(ask,)).shown([3, 5])
    assert key.asks[0].choices == (("3", "3"), ("5", "5"))
    assert key.asks[0].offered is None


@pytest.mark.parametrize(
    "keys", [WHEEL, WAR, POKER, MONEY, table_keys.KEYS], ids=["wheel", "war", "poker", "money", "table"]
)
def test_every_argument_of_a_key_is_used_by_its_function(keys: Keys[Any]) -> None:
    """The parameters are what the key asks for; here it is held that none of them is taken in vain."""
    for one in keys:
        assert {ask.name for ask in one.asks} <= names_read(one.do), one.place


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_the_page_keeps_no_table_of_fields_for_what_is_declared_here(game: str) -> None:
    assert "fields" not in (Path(games.folder(game)) / "page.js").read_text("utf-8").lower()


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (Ask("one", "txt", "One"), "asks for 'one' as a 'txt', which no page knows"),  # type: ignore[arg-type]
        (Ask("one", "choice", "One"), "asks for 'one' as a choice of nothing"),
        (Ask("one", "choice", "One", choices=(("a", "A"), ("a", "B"))), "asks for 'one' with one choice twice"),
        (Ask("one", "text"), "asks for 'one' without words for it"),
        (Ask("one", "player", "One"), "asks for 'one' without saying who or what there is"),
    ],
)
def test_what_no_page_could_ask_for_is_refused_when_it_is_declared(ask: Ask, why: str) -> None:
    keys: Keys[Any] = Keys()
    with pytest.raises(BadDeclaration, match=r"test_keys\.py:\d+: key 'do' " + why):

        @keys.key("do", "Do", power="dispute", asks=(ask,))
        def do(owner: Any, by: Person, *, one: str) -> None: ...
