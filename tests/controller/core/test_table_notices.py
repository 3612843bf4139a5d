"""Notice given on the limit sign: higher minimums and closing times, from when the sign shows them; and its devices."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.build import build_table
from controller.config.kept import plain
from controller.core.desk import Limits
from controller.core.effects import Announced, Desired, Noted, Refused, Ruled, TimerSet
from controller.core.events import Command, SignShown, Started, TimerDue
from controller.people import Person
from drivers.events import DeviceTrouble, DeviceTroubleOver, DeviceUp
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, note, ruled

clause = pytest.mark.clause
WHEEL = "melbourne-wheel"
MINUTE = 60_000


@pytest.fixture
def play() -> Play:
    return Play().opened()


# -- limits -----------------------------------------------------------------------------------------------------------


@clause(WHEEL, "footnote 1 s 66(2)", "footnote 1 s 66(1)(c)", "4.1")
def test_a_higher_minimum_is_on_the_sign_with_its_time_for_twenty_minutes_before_it_holds(play: Play) -> None:
    pressed = play.press("limits", 3, least=1000, most=20_000)
    assert (ruled(play).subject, ruled(play).answer, ruled(play).clauses) == (
        "limits", "1000-20000", ("footnote 1 s 66(2)",),
    )  # fmt: skip
    (timer,) = [effect for effect in pressed if isinstance(effect, TimerSet)]
    assert timer.at >= play.at + 20 * MINUTE
    (shown,) = [effect.outputs for effect in pressed if isinstance(effect, Desired)]
    assert (shown["least"], shown["most"], shown["unit"]) == (500, 10_000, 500)
    assert shown["coming"] == {"least": 1000, "most": 20_000, "at": timer.at}
    assert play.table.state.limits.least == 500
    play.time((timer.at - play.at - 1) / MINUTE)
    assert play.table.state.limits.least == 500
    play.time(0.1)
    assert play.table.state.limits == Limits(1000, 20_000, 500, 100)
    assert (note(play, "limits").facts, note(play, "limits").clauses) == (
        {"least": 1000, "most": 20_000}, ("footnote 1 s 66(2)",),
    )  # fmt: skip
    assert play.table.sign()["coming"] is None
    assert [effect for effect in play.told if isinstance(effect, Desired)][-1].outputs["least"] == 1000


@clause(WHEEL, "footnote 1 s 66(2)")
def test_the_twenty_minutes_run_from_when_the_sign_shows_the_new_minimum() -> None:
    play = Play().opened()
    play.table.state.sign_shown = play.table.state.sign
    play.press("limits", 3, least=1000, most=10_000)
    announced = play.table.state.sign
    play.time(15)
    play.event(SignShown(announced))
    coming = play.table.state.coming
    assert coming is not None
    assert coming.at >= play.at + 20 * MINUTE
    assert [effect for effect in play.told if isinstance(effect, Desired)][-1].outputs["coming"]["at"] == coming.at
    play.event(SignShown(play.table.state.sign))
    assert play.table.state.coming == coming
    play.time(19)
    assert play.table.state.limits.least == 500
    play.time(2)
    assert play.table.state.limits.least == 1000


@clause(WHEEL, "footnote 1 s 66(2)")
def test_where_the_house_watches_its_sign_itself_the_notice_runs_from_the_key() -> None:
    config = default_config("wheel")
    play = Play(config=msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, sign=False)))
    play.opened()
    play.table.state.sign_shown = play.table.state.sign
    play.press("limits", 3, least=1000, most=10_000)
    assert play.table.state.desk.timers["limits"] == play.at + 20 * MINUTE
    play.event(SignShown(play.table.state.sign))
    play.time(20 - 1 / 60)
    assert play.table.state.limits.least == 1000
    play.press("limits", 3, least=1500, most=10_000)
    play.time(20)
    assert (play.table.state.limits.least, play.table.state.desk.alarms) == (1500, {})


@clause(WHEEL, "footnote 1 s 66(2)")
def test_a_notice_is_moved_only_when_the_sign_shows_that_notice_too_late() -> None:
    for after_ms, moved in ((3000, False), (3001, True)):
        play = Play().opened()
        play.table.state.sign_shown = play.table.state.sign
        play.press("limits", 3, least=1000, most=10_000)
        announced = play.table.state.coming
        assert announced is not None
        play.event(SignShown(announced.revision), after_ms)
        assert (play.table.state.coming != announced) is moved
    play = Play().opened()
    play.table.state.sign_shown = play.table.state.sign - 1
    play.press("limits", 3, least=1000, most=10_000)
    announced = play.table.state.coming
    assert announced is not None
    play.event(SignShown(announced.revision - 1), 10 * MINUTE)
    assert play.table.state.coming == announced
    prompt = Play().opened()
    prompt.table.state.sign_shown = prompt.table.state.sign
    prompt.press("limits", 3, least=1000, most=10_000)
    announced = prompt.table.state.coming
    prompt.event(SignShown(prompt.table.state.sign))
    prompt.press("close", 2)
    prompt.event(SignShown(prompt.table.state.sign), 10 * MINUTE)
    assert prompt.table.state.coming == announced


@clause(WHEEL, "footnote 1 s 66(2)")
def test_a_sign_that_never_shows_the_new_minimum_is_alarmed_until_it_does_and_then_notice_begins() -> None:
    play = Play().opened()
    play.table.state.sign_shown = play.table.state.sign
    play.press("limits", 3, least=1000, most=10_000)
    play.time(25)
    retried = play.table.state.desk.timers["limits"]
    play.event(TimerDue("limits"))
    assert retried > play.at - MINUTE
    assert play.table.state.desk.timers["limits"] == play.at + MINUTE
    alarm = play.table.state.desk.alarms["sign"]
    assert alarm.clauses == ("footnote 1 s 66(2)",)
    assert "cannot take effect" in alarm.text
    play.event(SignShown(play.table.state.sign))
    play.event(SignShown(play.table.state.sign))
    play.time(19)
    assert play.table.state.limits.least == 500
    play.time(2)
    assert (play.table.state.limits.least, play.table.state.desk.alarms) == (1000, {})


@clause(WHEEL, "footnote 1 s 66(2)", "4.1")
def test_a_change_that_needs_no_notice_takes_the_place_of_one_that_waits(play: Play) -> None:
    play.press("limits", 3, least=1000, most=10_000)
    play.press("limits", 3, least=400, most=10_000)
    assert (play.table.state.limits.least, play.table.state.coming) == (400, None)
    assert "limits" not in play.table.state.desk.timers
    assert play.event(TimerDue("limits")) == []
    play.time(30)
    assert play.table.state.limits.least == 400
    play.press("limits", 3, least=400, most=20_000)
    assert (play.table.state.limits.most, play.table.state.coming) == (20_000, None)


@clause(WHEEL, "9.8", "7.2")
def test_spins_of_notice_are_given_to_the_players_whatever_the_sign_shows_and_a_no_spin_is_none_of_them() -> None:
    play = Play().opened()
    play.press("sit", seat=1, player="Ann")
    play.table.state.sign_shown = 0
    play.press("close", 2)
    play.press("place_bets")
    play.spin_to("D", "under_revs")
    play.answer("no_spin")
    left = []
    for _ in range(4):
        left.append(play.table.sign()["closing"])
        play.press("place_bets")
        play.result("D")
        play.settle_up()
    assert left == [f"{spins} spins to come" for spins in (3, 2, 1, 0)]
    assert play.table.sign()["closing"] == "0 spins to come"
    play.press("close", 2)
    assert (play.life, ruled(play).answer) == ("closed", "closed")


# -- at the houses of Casino War --------------------------------------------------------------------------------------


class War:
    """A table of Casino War with its devices and its sign, and nothing in the shoe."""

    def __init__(self, rulebook: str) -> None:
        config = default_config("war", rulebook=rulebook, source="shuffler")
        self.table = build_table(config)
        self.at = 0
        self.told: list[Any] = []
        self.event(Started("test", plain(config)))
        for place in config.devices:
            self.event(DeviceUp(place, place, f"{place}-1", "1.0"))
        self.press("open")
        self.show()
        assert self.table.state.life == "open"

    def event(self, event: Any, after_ms: int = 1000) -> list[Any]:
        self.at += after_ms
        self.told = self.table.apply(self.at, self.at, event)
        return self.told

    def press(self, key: str, rank: int = 4, **args: Any) -> list[Any]:
        return self.event(Command(key, Person("S4", rank), args))

    def show(self) -> None:
        """The sign shows what it was last told."""
        self.event(SignShown(self.table.state.sign))

    def wait(self, minutes: float) -> None:
        self.at += round(minutes * MINUTE)
        for timer, at in list(self.table.state.desk.timers.items()):
            if at <= self.at:
                self.event(TimerDue(timer), 0)

    def all(self, kind: type) -> list[Any]:
        return [effect for effect in self.told if isinstance(effect, kind)]


@clause("perth-war", "6.4", "6.4(a)", "6.4(b)", "6.4(c)")
def test_at_perth_every_change_waits_unless_nobody_plays_or_all_agree_and_the_same_again_is_no_change() -> None:
    war = War("perth-war")
    war.press("limits", least=1000, most=40_000)
    assert war.table.state.limits.least == 1000
    war.press("player_card", box=1, player="Ann")
    war.press("limits", least=1000, most=40_000)
    assert war.table.state.coming is None
    war.press("limits", least=500, most=40_000)
    coming = war.table.state.coming
    assert coming is not None
    assert war.all(Ruled)[-1].clauses == ("6.4(c)",)
    assert (war.table.state.limits.least, coming.at >= war.at + 10 * MINUTE) == (1000, True)
    war.press("limits", least=500, most=40_000, consent=True)
    assert (war.table.state.limits.least, war.table.state.coming) == (500, None)


@clause("star-war", "6.5", "6.5.2")
def test_at_the_star_agreement_does_not_shorten_the_notice_of_a_higher_minimum() -> None:
    war = War("star-war")
    war.press("limits", least=1000, most=50_000, consent=True)
    assert (war.all(Refused)[-1].code, war.table.state.coming) == ("unknown_argument", None)
    war.press("limits", least=1000, most=50_000)
    assert (war.table.state.limits.least, war.table.state.coming is not None) == (500, True)


@clause("perth-war", "6.7")
@clause("star-war", "13.9")
@pytest.mark.parametrize(("rulebook", "minutes", "cited"), [("perth-war", 10, "6.7"), ("star-war", 20, "13.9")])
def test_a_table_with_players_closes_when_the_sign_has_shown_the_time_for_long_enough(
    rulebook: str, minutes: int, cited: str
) -> None:
    war = War(rulebook)
    war.press("player_card", box=1, player="Ann")
    war.press("close")
    notice = war.table.state.closing
    assert notice is not None
    assert notice.until >= war.at + minutes * MINUTE
    assert war.table.state.desk.timers["closing"] == notice.until
    assert [(one.answer, one.clauses) for one in war.all(Ruled)] == [("notice", (cited,))]
    (said,) = war.all(Announced)
    assert (said.to, said.code, said.clauses) == ("all", "closing", (cited,))
    assert said.text == f"The table closes: in {minutes + 1} minutes."
    assert war.all(Desired)[-1].outputs["closing"] == f"in {minutes + 1} minutes"
    war.wait(minutes + 5)
    war.press("close")
    (refused,) = war.all(Refused)
    assert (refused.code, refused.clauses) == ("notice_runs", (cited,))
    assert refused.text == "Closing notice still runs: in 0 minutes."
    war.show()
    later = war.table.state.closing
    assert later is not None
    assert later.until >= war.at + minutes * MINUTE
    war.show()
    assert war.table.state.closing == later
    war.at = later.until - 5 * MINUTE - 1000
    war.event(SignShown(war.table.state.sign))
    assert war.table.sign()["closing"] == "in 5 minutes"
    war.event(SignShown(war.table.state.sign), -1)
    assert war.table.sign()["closing"] == "in 6 minutes"
    war.at = later.until - 2000
    war.press("close")
    assert [one.code for one in war.all(Refused)] == ["notice_runs"]
    war.press("close")
    assert [(one.subject, one.answer, one.clauses) for one in war.all(Ruled)] == [("close", "closed", (cited,))]
    assert (war.table.state.life, war.table.state.closing, war.table.sign()["closing"]) == ("closed", None, "")
    assert "closing" not in war.table.state.desk.timers
    assert not war.table.game.players_present()


@clause("star-war", "13.9")
@pytest.mark.parametrize(("after_ms", "moved"), [(3000, False), (3001, True)])
def test_the_time_of_closing_is_moved_when_the_sign_shows_it_too_late(after_ms: int, moved: bool) -> None:
    war = War("star-war")
    war.press("player_card", box=1, player="Ann")
    war.press("close")
    notice = war.table.state.closing
    war.event(SignShown(war.table.state.sign), after_ms)
    assert (war.table.state.closing != notice) is moved
    notice = war.table.state.closing
    war.show()
    war.press("limits", least=500, most=40_000)
    war.event(SignShown(war.table.state.sign), 10 * MINUTE)
    assert war.table.state.closing == notice


@clause("star-war", "13.9")
def test_a_table_that_nobody_is_left_at_closes_before_its_time() -> None:
    war = War("star-war")
    war.press("player_card", box=1, player="Ann")
    war.press("close")
    war.press("player_left", player="Ann")
    war.press("close")
    assert war.table.state.life == "closed"
    assert "closing" not in war.table.state.desk.timers


# -- what devices shall be --------------------------------------------------------------------------------------------


def gates(war: War) -> list[dict[str, Any]]:
    return [effect.outputs for effect in war.all(Desired) if effect.device == "shuffler"]


@clause("perth-war", "5.6")
def test_a_device_is_told_what_it_shall_be_once_and_again_after_every_start() -> None:
    war = War("perth-war")
    war.event(DeviceTrouble("shuffler", "jam", "A card is stuck.", "Open the lid."))
    assert [effect.facts["cause"] for effect in war.all(Noted) if effect.what == "device_stopped"] == [
        "A card is stuck."
    ]
    assert gates(war) == [{"locked": True, "lamp": "amber"}]
    war.show()
    assert gates(war) == []
    war.event(DeviceTroubleOver("shuffler", "jam"))
    assert {"told": "DeviceTroubleOver"} in [effect.facts for effect in war.all(Noted)]
    assert gates(war) == [{"locked": True, "lamp": "red"}]
    war.told = war.table.failed(war.at, war.at, "a defect")
    assert gates(war) == [{"locked": True, "lamp": "amber"}]
    war.event(Started("test", plain(default_config("war", rulebook="perth-war", source="shuffler"))))
    assert gates(war) == [{"locked": True, "lamp": "amber"}]


# -- one limit changes while a notice of the other runs --------------------------------------------------------------


@clause(WHEEL, "footnote 1 s 66(2)", "4.1")
def test_another_maximum_holds_at_once_and_the_notice_of_the_minimum_runs_on(play: Play) -> None:
    play.press("limits", 3, least=1000, most=10_000)
    coming = play.table.state.coming
    assert coming is not None
    play.time(5)
    play.press("limits", 3, least=500, most=20_000)
    assert play.table.state.limits.most == 20_000
    assert play.table.state.coming == msgspec.structs.replace(coming, limits=Limits(1000, 20_000, 500, 100))
    play.time(16)
    assert (play.table.state.limits, play.table.state.coming) == (Limits(1000, 20_000, 500, 100), None)


@clause(WHEEL, "footnote 1 s 66(2)")
def test_limits_entered_as_they_are_take_a_notice_back(play: Play) -> None:
    play.press("limits", 3, least=1000, most=10_000)
    play.press("limits", 3, least=500, most=10_000)
    assert (play.table.state.coming, play.table.state.desk.timers.get("limits")) == (None, None)
    play.time(25)
    assert play.table.state.limits.least == 500


@pytest.mark.parametrize(("least", "most", "why"), [
    (575, 50_000, "'min' $5.75 cannot be made of $2.50 chips"),
    (500, 50_010, "'max' $500.10 cannot be made of $2.50 chips"),
    (750, 50_000, "the minimum must be a multiple of the betting unit"),
])  # fmt: skip
@clause("perth-war", "6.4")
def test_limits_that_a_configuration_may_not_have_are_refused_by_key_too(least: int, most: int, why: str) -> None:
    war = War("perth-war")
    war.press("limits", least=least, most=most)
    (refused,) = war.all(Refused)
    assert (refused.code, refused.text) == ("bad_limits", f"These limits cannot be: {why}.")
    assert (war.table.state.limits.least, war.table.state.coming) == (500, None)
