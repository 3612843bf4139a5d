"""The table's life whatever the game: opening, suspension and its causes, devices that come and go, a restart."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.kept import plain
from controller.config.types import DeviceSection
from controller.core.desk import Fault, Refusal
from controller.core.effects import Alarmed, AlarmOver, Desired, Moved, Noted, Refused
from controller.core.events import Command, NotSignedIn, SignedIn, SignShown, Started, Stopped
from controller.core.guarded import GuardedTable
from controller.core.machine import HalfDone
from controller.games.wheel.game import WheelGame
from controller.people import Person
from drivers.events import DeviceRefused, DeviceTrouble, DeviceTroubleOver
from lab.sim.config import default_config
from tests.controller.core.machine_watch import watched
from tests.controller.games.wheel.play import Play, money, note, ruled
from tests.controller.money.play import MoneyPlay

clause = pytest.mark.clause
WHEEL = "melbourne-wheel"
SIGN = ("4.1", "footnote 1 s 66(1)(c)", "footnote 1 s 66(2)")


@pytest.fixture
def play() -> Play:
    return Play().opened()


def started(**config: Any) -> Play:
    play = Play(config=msgspec.structs.replace(default_config("wheel"), **config))
    play.event(Started("7.1", plain(play.config)))
    return play


def moves(play: Play) -> list[tuple[str, str]]:
    return [
        (effect.source, effect.dest)
        for effect in play.effects
        if isinstance(effect, Moved) and effect.machine == "life"
    ]


def told(play: Play, kind: type) -> list[Any]:
    return [effect for effect in play.told if isinstance(effect, kind)]


# -- opening ----------------------------------------------------------------------------------------------------------


@clause(WHEEL, *SIGN)
@clause("melbourne-poker", "6.1")
def test_a_table_opens_once_its_devices_are_there_and_the_sign_shows_the_limits() -> None:
    play = started()
    assert note(play, "started").facts == {"version": "7.1", "rulebook": WHEEL}
    (shown,) = told(play, Desired)
    assert (shown.device, shown.outputs["revision"], shown.outputs["least"]) == ("sign", 1, 500)
    alarms = play.table.state.desk.alarms
    assert list(alarms) == ["chips:down", "wheel:down"]
    assert alarms["wheel:down"].text == "No device has identified itself at “wheel” yet."
    assert alarms["wheel:down"].remedy == "Check the power and the cable of “wheel”."
    play.press("open")
    assert (ruled(play).subject, ruled(play).answer, ruled(play).clauses) == ("open", "opened", ("2.1",))
    assert moves(play) == [("closed", "opening"), ("opening", "suspended")]
    play.up("wheel")
    assert (play.life, list(alarms)) == ("suspended", ["chips:down"])
    play.up("chips")
    assert note(play, "device_up").facts == {"device": "chips", "serial": "chips-1", "firmware": "1.0", "lost": False}
    assert (play.life, list(alarms), alarms["sign"].clauses) == ("opening", ["sign"], ("2.1",))
    assert play.event(SignShown(1)) == []
    assert play.life == "opening"
    play.event(SignShown(2))
    assert (play.life, alarms, moves(play)[-2:]) == ("open", {}, [("suspended", "opening"), ("opening", "open")])
    play.press("give_up_opening")
    assert (play.life, play.refused) == ("open", "not_now")


@clause(WHEEL, "4.1")
def test_a_table_whose_house_watches_the_sign_itself_opens_without_it() -> None:
    play = started(table=msgspec.structs.replace(default_config("wheel").table, sign=False))
    play.up("wheel")
    play.up("chips")
    play.press("open")
    assert (play.life, play.table.state.desk.alarms) == ("open", {})


@clause(WHEEL, "4.1", "5.1.1")
def test_a_table_does_not_open_under_a_turning_wheel_and_says_so_only_until_it_rests() -> None:
    play = started()
    play.up("wheel")
    play.up("chips")
    play.launch()
    play.press("open")
    play.event(SignShown(99))
    assert (play.life, list(play.table.state.desk.alarms)) == ("opening", ["wheel_turns"])
    assert play.table.state.desk.alarms["wheel_turns"].remedy == "Wait until it rests."
    play.rest("A")
    assert (play.life, play.table.state.desk.alarms) == ("open", {})


@clause(WHEEL, "4.1")
def test_what_hinders_the_opening_is_told_one_after_the_other_and_ends_when_the_table_stays_closed() -> None:
    play = started()
    play.up("wheel")
    play.up("chips")
    play.launch()
    play.press("open")
    play.rest("A")
    assert list(play.table.state.desk.alarms) == ["sign"]
    assert [effect.code for effect in told(play, AlarmOver)] == ["wheel_turns"]
    play.press("give_up_opening")
    assert (play.life, play.table.state.desk.alarms) == ("closed", {})


@clause(WHEEL, "4.1")
def test_a_table_that_is_suspended_while_it_opens_may_stay_closed() -> None:
    play = started()
    play.press("open")
    assert play.life == "suspended"
    assert "give_up_opening" in [key.name for key in play.table.available()]
    play.press("give_up_opening")
    assert (play.life, moves(play)[-2:]) == ("closed", [("opening", "suspended"), ("suspended", "closed")])
    play.up("wheel")
    play.up("chips")
    assert (play.life, play.table.life.interrupted_from) == ("closed", "")


@clause(WHEEL, "4.1")
def test_an_open_table_that_is_suspended_cannot_stay_closed_instead(play: Play) -> None:
    play.down("chips")
    assert "give_up_opening" not in [key.name for key in play.table.available()]
    play.press("give_up_opening")
    assert (play.refused, play.life) == ("not_now", "suspended")
    play.up("chips")
    assert play.life == "open"


# -- devices ----------------------------------------------------------------------------------------------------------


@clause(WHEEL, "7.1.3", "3.5")
def test_a_silent_device_suspends_the_table_with_its_first_cause_until_it_is_back(play: Play) -> None:
    play.press("place_bets")
    play.down("chips")
    since = play.at
    play.event(DeviceTroubleOver("chips", "jam"))
    alarm = play.table.state.desk.alarms["chips:down"]
    assert (alarm.text, alarm.remedy) == ("“chips” is silent: the cable was pulled", "Plug it in.")
    assert play.table.state.devices == {"wheel": "up", "chips": "down"}
    assert note(play, "device_lost").facts == {"device": "chips", "evidence_gone": False}
    assert note(play, "device_lost").clauses == ("7.1.3",)
    play.down("chips")
    assert play.table.state.faults == {
        "chips:down": Fault("chips:down", "“chips” is silent: the cable was pulled", "Plug it in.", since)
    }
    play.press("place_bets")
    (refused,) = told(play, Refused)
    assert (refused.what, refused.code) == ("place_bets", "suspended")
    assert refused.text == "The table is suspended: “chips” is silent: the cable was pulled"
    play.up("chips")
    assert (play.life, play.table.state.desk.alarms, play.table.state.devices["chips"]) == ("open", {}, "up")
    assert len(play.noted("device_lost")) == 2


@clause(WHEEL, "7.1.3", "3.5", "9.11")
def test_antennas_that_lose_their_memory_after_the_close_do_not_undo_that_they_saw_it(play: Play) -> None:
    play.press("place_bets")
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    play.up("chips", lost=True)
    assert note(play, "device_up").facts["lost"] is True
    assert note(play, "device_lost").facts == {"device": "chips", "evidence_gone": True}
    play.rest("D")
    assert play.table.state.desk.prompts == {}
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)


@clause(WHEEL, "7.1.3", "3.5", "9.11")
def test_antennas_that_are_out_at_the_close_put_it_in_doubt(play: Play) -> None:
    play.press("place_bets")
    play.bet("Ann", "D", 10)
    play.launch()
    play.down("chips")
    play.press("no_more_bets")
    play.up("chips", lost=True)
    play.rest("D")
    assert play.question.subject == "close_unseen"


@clause(WHEEL, "7.1.3", "5.1.3")
def test_a_spin_that_rests_while_the_table_is_suspended_is_decided_when_it_plays_again(play: Play) -> None:
    play.press("place_bets")
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    play.down("chips")
    play.rest("D")
    assert play.state == "check"
    play.up("chips")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)


@clause(WHEEL, "7.1.3")
def test_what_does_not_belong_at_a_place_is_refused_there_until_the_right_device_comes(play: Play) -> None:
    play.event(DeviceRefused("wheel", "it is a shoe", "Swap the cables."))
    assert (play.life, play.table.state.devices["wheel"]) == ("suspended", "refused")
    alarm = play.table.state.desk.alarms["wheel:refused"]
    assert alarm.text == "What answers at “wheel” does not belong there: it is a shoe"
    assert alarm.remedy == "Swap the cables."
    play.up("wheel")
    assert (play.life, play.table.state.desk.alarms) == ("open", {})


@clause(WHEEL, "7.1.3", "1.2")
@clause("perth-war", "5.6")
@clause("star-war", "12.1.3")
def test_a_trouble_is_over_when_the_device_says_so_unless_only_a_person_can(play: Play) -> None:
    play.event(DeviceTrouble("chips", "noise", "The antennas are disturbed.", "Look for metal."))
    play.press("clear_fault", 4, fault="chips:noise")
    assert (play.refused, play.life) == ("not_by_hand", "suspended")
    play.event(DeviceTroubleOver("chips", "noise"))
    assert (play.life, play.table.state.desk.alarms) == ("open", {})
    play.event(DeviceTrouble("chips", "moved", "An antenna was moved.", "Measure it.", by_hand=True))
    play.press("clear_fault", 2, fault="chips:noise")
    assert play.refused == "no_such_fault"
    play.press("clear_fault", 1, fault="chips:moved")
    assert play.refused == "rank_too_low"
    play.press("clear_fault", 2, fault="chips:moved", reason="measured")
    ruling = ruled(play)
    assert (ruling.subject, ruling.answer, ruling.clauses, ruling.reason) == (
        "fault", "chips:moved", ("7.1.3",), "measured",
    )  # fmt: skip
    assert (play.life, play.table.state.desk.alarms) == ("open", {})


@clause(WHEEL, "7.1.3")
@clause("perth-war", "5.6")
def test_a_device_the_game_can_do_without_is_an_alarm_and_no_suspension() -> None:
    devices = default_config("wheel").devices | {"door": DeviceSection("swipe", simulated=True)}
    play = started(devices=devices)
    assert "door:down" not in play.table.state.desk.alarms
    play.up("wheel")
    play.up("chips")
    play.press("open")
    play.event(SignShown(99))
    assert play.life == "open"
    play.down("door")
    assert (play.life, play.table.state.faults, list(play.table.state.desk.alarms)) == ("open", {}, ["door:down"])
    play.up("door")
    assert (play.life, play.table.state.desk.alarms) == ("open", {})


# -- what goes wrong inside -------------------------------------------------------------------------------------------


@clause(WHEEL, "7.1.3", "1.2")
def test_an_event_that_could_not_be_handled_suspends_the_table_until_somebody_has_looked(play: Play) -> None:
    play.press("place_bets")
    effects = play.table.failed(77, play.at, "division by zero")
    assert [type(effect) for effect in effects] == [Alarmed, Moved]
    fault = play.table.state.faults["error:77"]
    assert (fault.text, fault.rank) == ("The controller could not handle event 77: division by zero", 2)
    assert play.life == "suspended"
    play.press("clear_fault", 2, fault="error:77")
    assert (play.life, play.state, play.table.state.desk.alarms) == ("open", "betting_open", {})


class Careless(WheelGame):
    """A defect: it refuses what it has begun."""

    def command(self, *_: Any) -> None:
        self.desk.note("begun")
        raise Refusal("too_late", "After all not.")


@clause(WHEEL, "7.1.3")
def test_a_refusal_after_something_was_concluded_is_a_defect_and_not_a_refusal(play: Play) -> None:
    game = play.table.game
    play.table.game = Careless(play.table, game.setup)  # type: ignore[attr-defined]
    with pytest.raises(RuntimeError, match="refused after it had begun: After all not"):
        play.press("place_bets")


class Reluctant(WheelGame):
    """A defect: it refuses what follows from a change that was made."""

    def closed(self) -> None:
        raise Refusal("too_late", "After all not.")

    def resumed(self) -> None:
        raise Refusal("too_late", "After all not.")


@clause(WHEEL, "7.1.3")
def test_a_refusal_of_what_follows_a_change_is_a_defect_and_not_a_refusal(play: Play) -> None:
    game = play.table.game
    play.table.game = Reluctant(play.table, game.setup)  # type: ignore[attr-defined]
    with pytest.raises(HalfDone, match="refused after it had begun: After all not"):
        play.press("close", 2)
    play.table.life.restore("open")
    play.down("chips")
    with pytest.raises(HalfDone, match="refused after it had begun: After all not"):
        play.up("chips")


@clause(WHEEL, "7.1.3", "1.2")
def test_a_defect_in_what_follows_a_change_leaves_the_table_where_it_stood_suspended(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = GuardedTable(play.config)
    table.table.restore(play.table.save())
    table.snapshot(now=True)
    broken: list[str] = []
    table.defect = lambda seq, trace: broken.append(trace)
    monkeypatch.setattr(WheelGame, "closed", Reluctant.closed)
    effects = table.apply(play.at + 1, Command("close", Person("S2", 2), {}))
    assert len(broken) == 1
    assert not [effect for effect in effects if isinstance(effect, Refused)]
    assert [(effect.source, effect.dest) for effect in effects if isinstance(effect, Moved)] == [("open", "suspended")]
    assert table.table.life.saved() == ("suspended", "open")
    assert "HalfDone: refused after it had begun" in table.table.state.faults["error:1"].text


# -- coming and going -------------------------------------------------------------------------------------------------


@clause(WHEEL, "4.1", "1.1 'Dealer'")
def test_after_a_restart_nobody_stands_there_no_device_is_known_and_the_sign_is_told_again(play: Play) -> None:
    play.event(SignedIn("dealer", Person("S1", 1)))
    assert play.table.state.people.standing == {"dealer": Person("S1", 1)}
    play.event(NotSignedIn("dealer", "locked", "Too many wrong PINs.", "S2", 5, play.at + 60_000))
    assert "locked:S2" in play.table.state.desk.alarms
    play.event(Stopped())
    assert [effect.what for effect in told(play, Noted)] == ["stopped"]
    revision = play.table.state.sign
    play.event(Started("7.2", plain(play.config)))
    assert play.table.state.people.standing == {}
    assert note(play, "signed_out").facts["reason"] == "the controller restarted"
    assert (play.life, play.table.state.devices) == ("suspended", {"wheel": "down", "chips": "down"})
    assert [effect.outputs["revision"] for effect in told(play, Desired)] == [revision + 1]
    play.up("wheel")
    play.up("chips")
    assert play.life == "open"


def before(play: Play) -> Any:
    """The snapshot as the version before wrote it: the round's machine said nothing of an interruption."""
    saved = msgspec.json.decode(play.table.save())
    del saved["round_from"]
    return saved


@clause(WHEEL, "4.1", "7.1.3")
@pytest.mark.parametrize("came_from", ["opening", "open", "closing"])
def test_a_table_that_the_version_before_left_suspended_resumes_where_it_came_from(came_from: str) -> None:
    play = started() if came_from == "opening" else Play().opened()
    if came_from == "opening":
        play.press("open")
    elif came_from == "closing":
        play.press("sit", seat=1, player="Ann")
        play.press("close", 2)
    play.event(Started("7.2", plain(play.config)))
    saved = before(play)
    assert (saved["table"]["life"], saved["table"]["resume_to"]) == ("suspended", came_from)
    other = Play(config=play.config)
    other.table.restore(msgspec.json.encode(saved))
    other.seq, other.at = play.seq, play.at
    other.up("wheel")
    assert other.life == "suspended"
    other.up("chips")
    assert moves(other)[0] == ("suspended", came_from)


@clause(WHEEL, "4.1", "7.1.3")
def test_what_the_version_before_kept_of_an_earlier_suspension_means_nothing(play: Play) -> None:
    saved = before(play)
    saved["table"]["resume_to"] = "opening"
    other = Play(config=play.config)
    other.table.restore(msgspec.json.encode(saved))
    assert (other.life, other.table.life.interrupted_from) == ("open", "")
    other.press("give_up_opening")
    assert (other.refused, other.life) == ("not_now", "open")


@clause(WHEEL, "4.1", "7.1.3", "5.1.2")
def test_whatever_moves_the_table_and_its_round_is_a_transition_that_fired() -> None:
    with watched() as watch:
        play = started()
        play.press("open")
        play.press("give_up_opening")
        play.press("open")
        play.up("wheel")
        play.up("chips")
        play.event(SignShown(99))
        play.press("place_bets")
        play.bet("Ann", "D", 10)
        play.launch()
        play.press("no_more_bets")
        play.down("chips")
        play.rest("D")
        play.up("chips")
        play.press("acknowledge")
        play.press("cancel_disruption", 2, reason="fire")
        play.press("close", 2)
        assert (play.life, play.state) == ("closing", "idle")
    changes = [effect.dest for effect in play.effects if isinstance(effect, Moved)]
    assert (watch.fired, watch.restored, watch.past_the_machine) == (changes, [], 0)
    assert set(changes) >= {"suspended", "closing", "check", "collect", "cancelled"}


@clause(WHEEL, "4.1")
def test_a_table_that_has_closed_says_so_on_its_sign_and_takes_its_notice_down(play: Play) -> None:
    play.press("sit", seat=1, player="Ann")
    play.press("close", 2)
    announced = [effect for effect in play.told if isinstance(effect, Desired)][-1]
    assert announced.outputs["closing"]
    play.press("leave", seat=1)
    play.press("close", 2)
    assert play.life == "closed"
    shown = [effect for effect in play.told if isinstance(effect, Desired) and effect.device == "sign"][-1]
    assert (shown.outputs["closing"], shown.outputs["revision"]) == ("", announced.outputs["revision"] + 1)


# -- the float, and standing where one stood --------------------------------------------------------------------------


@clause(WHEEL, "3.6.2", "4.2.3", "4.1")
def test_after_a_restart_the_float_opens_with_what_is_read_then() -> None:
    play = MoneyPlay().opened(slip={10_000: 40, 2_500: 40, 500: 40, 100: 39})
    assert "of $1 39 are on the slip and 40 in the tray" in play.alarms["float_count"].text
    play.press("cancel_disruption", rank=2, reason="nobody plays")
    play.press("close", 2, float={10_000: 40, 2_500: 40, 500: 40, 100: 40})
    assert (play.life, play.alarms) == ("closed", {})
    assert note(play, "float_closed").facts["cents"] == 40 * 13_100
    play.event(Started("test", plain(play.config)))
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
        table.down("wheel")
        assert table.life == "suspended"
        table.up("wheel")
        assert table.life == "closing"
        table.rest("D")
        table.answer("as_closed")
        table.press("acknowledge")
        assert money(table.results["Ann/D"]) == (110, 0, 10)
        assert table.table.state.money.due == table.table.money.state.due
    assert other.table.save() == play.table.save()
