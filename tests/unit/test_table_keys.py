"""The table's own keys whatever the game: who may press them and when, limits and their notice, closing, the sign."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.build import build_table
from controller.config.file import default_config
from controller.desk import Limits
from controller.effects import Announced, Desired, Noted, Refused, Ruled, TimerSet
from controller.events import Command, SignShown, Started, TimerDue
from controller.games.war.config import WarConfig
from controller.people import Person
from drivers.events import DeviceTrouble, DeviceTroubleOver, DeviceUp
from tests.unit import war_play
from tests.unit.money_play import MoneyPlay
from tests.unit.wheel_play import Play, money, note, ruled

clause = pytest.mark.clause
WHEEL = "melbourne-wheel"
MINUTE = 60_000


@pytest.fixture
def play() -> Play:
    return Play().opened()


def told(play: Play, kind: type) -> list[Any]:
    return [effect for effect in play.told if isinstance(effect, kind)]


def last_refusal(play: Play) -> Refused:
    (refused,) = told(play, Refused)
    return refused


# -- who may press what, and when -------------------------------------------------------------------------------------


@clause(WHEEL, "1.2", "1.1 'Dealer'", "1.1 'TG Higher Duties Dealer'", "1.1 'TG Area Manager'", "4.1", "4.3", "9.8")
@pytest.mark.parametrize(
    ("key", "rank", "cited"),
    [
        ("open", 1, ("2.1",)),
        ("give_up_opening", 1, ("2.1",)),
        ("close", 2, ("9.8",)),
        ("limits", 3, ("4.1",)),
        ("personal_limit", 3, ("4.3",)),
        ("marker", 1, ("4.3",)),
        ("clear_fault", 2, ("7.1.3",)),
        ("answer", 1, ()),
    ],
)
def test_a_key_needs_its_rank_or_a_higher_one(play: Play, key: str, rank: int, cited: tuple[str, ...]) -> None:
    play.press(key, rank - 1)
    refused = last_refusal(play)
    assert (refused.what, refused.code, refused.clauses) == (key, "rank_too_low", cited)
    for enough in (rank, 4):
        play.press(key, enough)
        assert play.refused != "rank_too_low"


OFTEN = {"fill", "credit"}


def offered(play: Play) -> set[str]:
    return {key.name for key in play.table.available()} & set(play.table.keys)


def game_keys(play: Play) -> set[str]:
    return {key.name for key in play.table.available()} - set(play.table.keys)


@clause(WHEEL, "4.1", "4.3", "9.8", "1.2")
def test_the_keys_that_mean_something_follow_the_life_of_the_table() -> None:
    play = Play()
    play.event(Started("test", play.config))
    assert (offered(play), game_keys(play)) == ({"open", "limits"} | OFTEN, set())
    play.press("open")
    assert play.life == "suspended"
    assert offered(play) == {"give_up_opening"} | OFTEN
    play.up("wheel")
    play.up("chips")
    assert (play.life, offered(play), game_keys(play)) == ("opening", {"give_up_opening", "limits"} | OFTEN, set())
    play.event(SignShown(99))
    at_play = {"limits", "personal_limit", "marker", "buy_in"} | OFTEN
    assert offered(play) == at_play | {"close"}
    assert game_keys(play) >= {"place_bets", "sit", "idle_spins"}
    play.event(DeviceTrouble("chips", "noise", "The antennas are disturbed.", "Look for metal."))
    assert (play.life, offered(play)) == ("suspended", OFTEN)
    assert game_keys(play) >= {"sit", "dispute"}
    assert not game_keys(play) & {"place_bets", "idle_spins"}
    play.event(DeviceTrouble("chips", "moved", "An antenna was moved.", "Measure it.", by_hand=True))
    assert offered(play) == {"clear_fault"} | OFTEN
    play.press("device_seen", player="Ann")
    assert offered(play) == {"clear_fault", "answer"} | OFTEN
    play.answer("nothing", 4, reason="a telephone")
    assert ruled(play).answer == "nothing"


@clause(WHEEL, "9.8")
def test_the_key_to_close_is_offered_to_give_notice_and_again_when_the_notice_is_over(play: Play) -> None:
    play.press("sit", seat=1, player="Ann")
    assert "close" in offered(play)
    play.press("place_bets")
    assert "close" in offered(play)
    play.press("close", 2)
    for left in (3, 2, 1):
        assert "close" not in offered(play)
        assert play.table.sign()["closing"] == f"{left} spins to come"
        if play.state == "idle":
            play.press("place_bets")
        play.bet("Ann", "A", 10)
        play.result("D")
        play.settle_up()
    assert (play.life, "close" in offered(play)) == ("closing", True)
    play.press("place_bets")
    assert "close" not in offered(play)


@clause("star-war", "11.19.1", "11.19.2")
def test_a_wrong_payment_may_always_be_recorded_where_the_rulebook_asks_for_it() -> None:
    star = war_play.Play("star-war", WarConfig(decks=8))
    assert "mispayment" in {key.name for key in star.table.available()}


@clause(WHEEL, "3.6.2", "1.2")
def test_the_float_may_be_explained_while_it_does_not_balance() -> None:
    play = MoneyPlay().opened()
    assert "float_explained" not in offered(play)
    play.out(10_000)
    play.time(1)
    assert "float_explained" in offered(play)


@clause(WHEEL, "1.2", "5.1.1")
def test_a_key_that_is_not_there_is_refused_with_the_nearest_one(play: Play) -> None:
    play.press("place_bet")
    refused = last_refusal(play)
    assert (refused.what, refused.code) == ("place_bet", "unknown_command")
    assert refused.text.endswith("Did you mean 'place_bets'?")
    play.press("xyzzy")
    assert last_refusal(play).text == "There is no key 'xyzzy' at this table."


@clause(WHEEL, "4.1", "5.1.1")
def test_the_games_keys_wait_for_the_table_to_open() -> None:
    play = Play()
    play.press("place_bets")
    assert (last_refusal(play).what, play.refused) == ("place_bets", "table_closed")
    play.press("place_bets", rank=0)
    assert play.refused == "rank_too_low"


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
    assert told(play, Desired)[-1].outputs["least"] == 1000


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
    assert told(play, Desired)[-1].outputs["coming"]["at"] == coming.at
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
    play.time(20)
    assert play.table.state.limits.least == 1000


@clause(WHEEL, "footnote 1 s 66(2)")
def test_a_sign_that_never_shows_the_new_minimum_is_alarmed_until_it_does_and_then_notice_begins() -> None:
    play = Play().opened()
    play.table.state.sign_shown = play.table.state.sign
    play.press("limits", 3, least=1000, most=10_000)
    play.time(25)
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
    play.time(30)
    assert play.table.state.limits.least == 400
    play.press("limits", 3, least=400, most=20_000)
    assert (play.table.state.limits.most, play.table.state.coming) == (20_000, None)


@clause(WHEEL, "4.1", "4.3")
@pytest.mark.parametrize("key", ["limits", "personal_limit"])
@pytest.mark.parametrize(
    ("least", "most", "right"), [(0, 100, False), (300, 200, False), (200, 200, True), (1, 1, True)]
)
def test_a_minimum_is_above_nothing_and_not_above_the_maximum(
    play: Play, key: str, least: int, most: int, right: bool
) -> None:
    play.press(key, 3, player="Ann", least=least, most=most)
    assert play.refused == ("" if right else "bad_limits")


@clause(WHEEL, "4.3", "1.1 'Distinctive Marker'")
def test_personal_limits_are_agreed_marked_and_lifted_for_one_player(play: Play) -> None:
    play.press("marker", player="Ann")
    assert (play.refused, last_refusal(play).clauses) == ("no_personal_limit", ("4.3",))
    play.press("personal_limit", 3, player="Ann", least=100, most=90_000)
    assert (ruled(play).answer, ruled(play).clauses) == ("Ann: 100-90000", ("4.3",))
    (said,) = told(play, Announced)
    assert (said.to, said.code, said.text, said.clauses) == (
        "dealer", "marker", "Lay the limit marker at the position of Ann.", ("4.3",),
    )  # fmt: skip
    assert play.table.limits_of("Ann", "A") == Limits(500, 10_000, 500, 100)
    play.press("marker", player="Ann")
    assert (note(play, "marker").facts, note(play, "marker").clauses) == (
        {"player": "Ann", "laid": True, "by": "S1"}, ("4.3",),
    )  # fmt: skip
    assert play.table.limits_of("Ann", "A") == Limits(100, 90_000, 500, 100)
    assert play.table.limits_of("Bob", "A") == Limits(500, 10_000, 500, 100)
    play.press("marker", player="Ann", laid=False)
    assert play.table.limits_of("Ann", "A") == Limits(500, 10_000, 500, 100)


@clause(WHEEL, "4.3", "4.2.2")
def test_a_bet_with_limits_of_its_own_is_measured_with_them_unless_the_player_has_others(play: Play) -> None:
    play.table.state.limits = Limits(500, 10_000, 500, 100, {"D": (200, 2_000)})
    play.table.state.personal.clear()
    assert play.table.limits_of("Ann", "D") == Limits(200, 2_000, 500, 100, {"D": (200, 2_000)})
    assert play.table.limits_of("Ann", "A") == play.table.state.limits
    play.press("place_bets")
    play.bet("Ann", "D", 30)
    assert money(play.result("D")["Ann/D"]) == (220, 0, 30)


# -- at the houses of Casino War --------------------------------------------------------------------------------------


class War:
    """A table of Casino War with its devices and its sign, and nothing in the shoe."""

    def __init__(self, rulebook: str) -> None:
        config = default_config("war", rulebook=rulebook, source="shuffler")
        self.table = build_table(config)
        self.at = 0
        self.told: list[Any] = []
        self.event(Started("test", config))
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
    war.press("limits", least=400, most=40_000)
    assert war.table.state.limits.least == 400
    war.press("player_card", box=1, player="Ann")
    war.press("limits", least=400, most=40_000)
    assert war.table.state.coming is None
    war.press("limits", least=300, most=40_000)
    coming = war.table.state.coming
    assert coming is not None
    assert war.all(Ruled)[-1].clauses == ("6.4(c)",)
    assert (war.table.state.limits.least, coming.at >= war.at + 10 * MINUTE) == (400, True)
    war.press("limits", least=300, most=40_000, consent=True)
    assert (war.table.state.limits.least, war.table.state.coming) == (300, None)


@clause("star-war", "6.5", "6.5.2")
def test_at_the_star_agreement_does_not_shorten_the_notice_of_a_higher_minimum() -> None:
    war = War("star-war")
    war.press("limits", least=1000, most=50_000, consent=True)
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
    war.wait(minutes - 1)
    war.press("close")
    assert [one.code for one in war.all(Refused)] == ["notice_runs"]
    war.wait(2)
    war.press("close")
    assert [(one.subject, one.answer, one.clauses) for one in war.all(Ruled)] == [("close", "closed", (cited,))]
    assert (war.table.state.life, war.table.state.closing, war.table.sign()["closing"]) == ("closed", None, "")
    assert "closing" not in war.table.state.desk.timers


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
    war.event(Started("test", default_config("war", rulebook="perth-war", source="shuffler")))
    assert gates(war) == [{"locked": True, "lamp": "amber"}]
    war.table.failed(war.at, war.at, "a defect")
    assert war.table.state.outputs["shuffler"] == {"locked": True, "lamp": "amber"}


# -- the float, and standing where one stood --------------------------------------------------------------------------


@clause(WHEEL, "3.6.2", "4.1")
def test_after_a_restart_the_float_opens_with_what_is_read_then() -> None:
    play = MoneyPlay().opened()
    play.press("cancel_disruption", rank=2, reason="nobody plays")
    play.press("close", 2)
    assert play.life == "closed"
    play.event(Started("test", play.config))
    for place in ("wheel", "chips"):
        play.up(place)
    play.press("open")
    play.event(SignShown(9999))
    assert (play.life, len(play.noted("float_opened"))) == ("open", 1)
    play.count()
    assert len(play.noted("float_opened")) == 2


@clause(WHEEL, "4.1", "9.8", "5.1.2")
def test_a_table_restored_goes_on_where_it_stood(play: Play) -> None:
    play.press("sit", seat=1, player="Ann")
    play.press("close", 2)
    play.press("place_bets")
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    play.bet("", "A", 5)
    other = Play(config=play.config)
    other.table.restore(play.table.save())
    assert other.table.save() == play.table.save()
    assert (other.life, other.state, other.table.desk.state.alarms) == (
        "closing",
        "spin_closed",
        play.table.desk.state.alarms,
    )
    other.spins, other.seq, other.at = play.spins, play.seq, play.at
    for table in (play, other):
        table.rest("D")
        table.answer("as_closed")
        table.press("acknowledge")
        assert money(table.results["Ann/D"]) == (110, 0, 10)
        assert table.table.state.money.due == table.table.money.state.due
    assert other.table.save() == play.table.save()
