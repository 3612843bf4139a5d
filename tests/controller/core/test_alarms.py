"""An alarm is declared once, with what ends it; what does not fit together fails when it is declared."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from controller import games
from controller.core.alarms import Alarm, Alarms, check_apart, end_those_over, end_with_round
from controller.core.desk import Desk, DeskState
from controller.core.effects import Alarmed, AlarmOver, AnyEffect
from controller.core.rows import BadDeclaration
from controller.rules.rulebook import load_rulebook

PLACE = r"test_alarms\.py:\d+: alarm "


class Lamp:
    """Something that raises alarms."""

    def __init__(self) -> None:
        self.desk = Desk(DeskState())
        self.on: set[int] = set()


class Burns(Alarm[Lamp]):
    """A lamp that burns."""

    code, about = "burns", int
    text = "Lamp {number} burns."
    remedy = "Switch lamp {number} off."
    clauses = ("1.1",)
    number: int

    @staticmethod
    def while_(lamp: Lamp, number: int) -> bool:
        """Until it is out."""
        return number in lamp.on


class Flickers(Alarm[Lamp]):
    """A lamp that flickers."""

    code = "flickers"
    text = "It flickers."
    remedy = "Look at it."
    for_the_round = True


OWN: Alarms[Lamp] = Alarms(Burns, Flickers)


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


def after(lamp: Lamp) -> list[AnyEffect]:
    """What was concluded from an event that is over now."""
    end_those_over(lamp.desk, ((OWN, lamp),), ())
    concluded = lamp.desk.end()
    lamp.desk.begin(1, 1)
    return concluded


# -- declared wrongly -----------------------------------------------------------------------------------------------


def test_one_that_names_no_end_is_refused_with_its_place() -> None:
    with pytest.raises(BadDeclaration, match=f"{PLACE}Endless: names nothing that ends it"):

        class Endless(Alarm[Lamp]):
            code, text, remedy = "endless", "It goes on.", "Wait."


def test_a_placeholder_that_nobody_fills_is_refused() -> None:
    with pytest.raises(BadDeclaration, match=f"{PLACE}Unfilled: says box, player, which nobody fills"):

        class Unfilled(Alarm[Lamp]):
            code, text, remedy = "unfilled", "{player} at {box}.", "Ask {player}."
            for_the_round = True


def test_a_word_that_is_given_and_not_said_is_refused() -> None:
    with pytest.raises(BadDeclaration, match=f"{PLACE}Unsaid: is given box, which its words do not say"):

        class Unsaid(Alarm[Lamp]):
            code, text, remedy = "unsaid", "Something.", "Look."
            for_the_round = True
            box: int


def test_one_without_words_is_refused() -> None:
    with pytest.raises(BadDeclaration, match=f"{PLACE}Wordless: has no text"):

        class Wordless(Alarm[Lamp]):
            code, text, remedy = "wordless", "", "Look."
            for_the_round = True

    with pytest.raises(BadDeclaration, match=f"{PLACE}Helpless: has no remedy"):

        class Helpless(Alarm[Lamp]):
            code, text = "helpless", "It is dark."
            for_the_round = True


def test_a_condition_that_does_not_say_itself_in_words_is_refused() -> None:
    with pytest.raises(BadDeclaration, match=f"{PLACE}Mute: does not say in words how long it stands"):

        class Mute(Alarm[Lamp]):
            code, text, remedy = "mute", "It hums.", "Listen."

            @staticmethod
            def while_(lamp: Lamp, _: str) -> bool:
                return bool(lamp.on)


def test_two_of_one_code_are_refused_also_when_they_are_declared_apart() -> None:
    class Again(Alarm[Lamp]):
        code, text, remedy = "burns", "It burns.", "Look."
        for_the_round = True

    with pytest.raises(BadDeclaration, match=f"{PLACE}Again: there are two alarms 'burns'$"):
        Alarms(Burns, Again)
    with pytest.raises(BadDeclaration, match=f"{PLACE}Again: there are two alarms 'burns' at one table"):
        check_apart(OWN, Alarms(Again))


# -- raised and ended -----------------------------------------------------------------------------------------------


def test_it_is_said_with_its_words_filled_in_and_ends_once_its_condition_does(lamp: Lamp) -> None:
    lamp.on = {3}
    Burns(number=3).holds(lamp, 3)
    assert after(lamp) == [Alarmed("burns:3", "Lamp 3 burns.", "Switch lamp 3 off.", ("1.1",))]
    assert after(lamp) == []
    lamp.on = set()
    assert after(lamp) == [AlarmOver("burns:3")]


def test_what_holds_is_said_once_and_what_happened_each_time_with_its_number(lamp: Lamp) -> None:
    lamp.on = {3}
    for _ in range(2):
        Burns(number=3).holds(lamp, 3)
        Flickers().happened(lamp)
    concluded = [effect for effect in after(lamp) if isinstance(effect, Alarmed)]
    assert [(one.code, one.count) for one in concluded] == [("burns:3", 1), ("flickers", 1), ("flickers", 2)]


def test_words_that_change_are_said_again_and_count_as_the_same_occurrence(lamp: Lamp) -> None:
    lamp.on = {3}
    Burns(number=3).holds(lamp, 3)
    Burns(number=4).holds(lamp, 3)
    assert [(one.text, one.count) for one in after(lamp)] == [("Lamp 3 burns.", 1), ("Lamp 4 burns.", 1)]  # type: ignore[union-attr]


def test_what_ends_and_is_raised_in_the_same_event_goes_on_as_one(lamp: Lamp) -> None:
    Flickers().happened(lamp)
    after(lamp)
    end_with_round(lamp.desk, ((OWN, lamp),))
    Flickers().happened(lamp)
    assert after(lamp) == [Alarmed("flickers", "It flickers.", "Look at it.", (), 2)]


def test_ends_are_concluded_last_in_the_order_of_their_codes(lamp: Lamp) -> None:
    lamp.on = {2, 1}
    for number in (2, 1):
        Burns(number=number).holds(lamp, number)
    after(lamp)
    lamp.on = set()
    end_those_over(lamp.desk, ((OWN, lamp),), ())
    lamp.desk.note("something else")
    assert [type(effect).__name__ for effect in lamp.desk.end()] == ["Noted", "AlarmOver", "AlarmOver"]
    assert [effect.code for effect in lamp.desk.effects[1:]] == ["burns:1", "burns:2"]  # type: ignore[union-attr]


def test_what_belongs_to_the_round_ends_with_it_and_the_rest_does_not(lamp: Lamp) -> None:
    lamp.on = {3}
    Burns(number=3).holds(lamp, 3)
    Flickers().happened(lamp)
    after(lamp)
    end_with_round(lamp.desk, ((OWN, lamp),))
    assert after(lamp) == [AlarmOver("flickers")]


def test_one_that_an_earlier_version_raised_is_known_by_its_code_or_else_ends(lamp: Lamp) -> None:
    lamp.on = {3}
    lamp.desk.state.alarms = {code: Alarmed(code, "As it was.", "Wait.") for code in ("burns:3", "gone:7", "shoe:down")}
    end_those_over(lamp.desk, ((OWN, lamp),), {"shoe:down"})
    assert lamp.desk.end() == [AlarmOver("gone:7")]


def test_an_alarm_that_nobody_may_end_or_that_cites_nothing_keeps_the_table_from_starting() -> None:
    house = games.find("wheel").house(load_rulebook("melbourne-wheel"))

    class Glows(Flickers):
        code, seen_to = "glows", "resum"

    class Blinks(Flickers):
        code, cites = "blinks", "lamps"

    OWN.check_house(house, Lamp())
    with pytest.raises(BadDeclaration, match=PLACE + "Glows: is seen to by the power 'resum', which melbourne-wheel"):
        Alarms(Glows).check_house(house, Lamp())
    rules = SimpleNamespace(rules=SimpleNamespace(cites={"lamp": ("1.1",)}))
    with pytest.raises(BadDeclaration, match=PLACE + "Blinks: cites 'lamps', which melbourne-wheel does not name"):
        Alarms(Blinks).check_house(house, rules)
    with pytest.raises(BadDeclaration, match="Dark: has no code"):

        class Dark(Flickers):
            code = ""
