"""What a table asks of a device: commands done once and answered in time, outputs made so and made so again."""

from __future__ import annotations

from typing import Any

import pytest

from drivers.device import own_command, table_command
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from simulators.behaviour import Refusal
from tests.drivers.linked import BELL, Joined, bell, kinds, module_of, spy

GREEN = bell.Outputs(muted=False, lamp=bell.Lamp.GREEN)


# --- commands ---------------------------------------------------------------------------------


def ask(joined: Joined, command_id: int, message: Any, deadline: float = 10) -> list[Any]:
    answers: list[Any] = []
    joined.host.command(command_id, message, lambda *answer: answers.append(answer), deadline)
    return answers


def test_a_command_is_done_and_answered() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Ring(times=3))
    joined.clock.run_for(1)
    assert answers == [("done", bell.RingResult(rung=3), "")]


def test_a_refused_command_says_why() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Ring(times=9))
    joined.clock.run_for(1)
    assert answers == [("refused", None, "nine is too often")]


def test_a_command_is_done_once_though_its_result_was_lost() -> None:
    joined = Joined().start()
    joined.wire.device.meddle = lambda octets: []
    answers = ask(joined, 1, bell.Ring(times=3))
    joined.clock.run_for(1)
    joined.wire.device.meddle = None
    joined.clock.run_for(3)
    assert answers == [("done", bell.RingResult(rung=3), "")]
    assert joined.bell.acted == [1]
    assert joined.device.counters["repeats"] >= 1


def test_a_command_given_while_the_line_is_down_is_done_when_it_is_back() -> None:
    joined = Joined().start()
    joined.wire.unplug()
    answers = ask(joined, 1, bell.Ring(times=1))
    joined.clock.run_for(2)
    joined.wire.replug()
    joined.clock.run_for(5)
    assert [status for status, _, _ in answers] == ["done"]


def test_a_command_never_waits_beyond_its_deadline() -> None:
    joined = Joined().start()
    joined.wire.unplug()
    answers = ask(joined, 1, bell.Ring(times=1), deadline=3)
    joined.clock.run_for(3)
    assert answers == [("late", None, "the device was not there in time")]
    joined.wire.replug()
    joined.clock.run_for(20)
    assert joined.bell.acted == []


def test_a_long_command_is_answered_when_it_is_done() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Oil())
    joined.clock.run_for(4)
    assert (answers, joined.bell.acted) == ([], [1])
    joined.device.finish(1, bell.OilResult())
    joined.clock.run_for(1)
    assert answers == [("done", bell.OilResult(), "")]


def test_a_command_cut_off_by_a_power_loss_is_not_done_again() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Oil(), deadline=60)
    joined.clock.run_for(1)
    joined.device.power_cycle(keep_memory=True, off_for=1)
    joined.clock.run_for(10)
    joined.device.finish(1, bell.OilResult())
    joined.clock.run_for(10)
    assert answers == [("failed", None, "the device lost power while doing it")]
    assert joined.bell.acted == [1]


def test_a_command_to_a_device_that_lost_its_memory_is_unknown_and_not_repeated() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Oil(), deadline=60)
    joined.clock.run_for(1)
    joined.device.power_cycle(keep_memory=False, off_for=1)
    joined.clock.run_for(10)
    assert [status for status, _, _ in answers] == ["unknown"]
    assert joined.bell.acted == [1]


def test_a_command_the_device_does_not_know_is_refused_by_it() -> None:
    joined = Joined().start()
    other = module_of(BELL.replace('id = 2\nmeaning = "Oil', 'id = 77\nmeaning = "Oil'), "declared_other_bell")
    answers = ask(joined, 1, other.Oil())
    joined.clock.run_for(1)
    assert answers[0][0] == "refused"
    assert "declared command" in answers[0][2]


def test_the_same_command_cannot_be_given_twice_at_a_time() -> None:
    joined = Joined().start()
    ask(joined, 1, bell.Oil())
    with pytest.raises(ValueError, match="already on its way"):
        ask(joined, 1, bell.Oil())


def test_finishing_with_a_refusal_fails_the_command() -> None:
    joined = Joined().start()
    answers = ask(joined, 5, bell.Oil())
    joined.clock.run_for(1)
    joined.device.finish(5, Refusal("the can is empty", failed=True))
    joined.clock.run_for(1)
    assert answers == [("failed", None, "the can is empty")]


# --- outputs ----------------------------------------------------------------------------------


def test_outputs_are_made_so_and_made_so_again_after_every_interruption() -> None:
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.clock.run_for(1)
    assert joined.device.outputs == GREEN
    assert joined.ears.made_so == [GREEN]
    joined.device.power_cycle(keep_memory=True, off_for=1)
    assert joined.device.outputs == bell.SPEC.safe
    joined.clock.run_for(10)
    assert joined.device.outputs == GREEN
    joined.restart_host(None)
    joined.host.desire(GREEN)
    joined.clock.run_for(5)
    assert joined.device.outputs == GREEN
    assert [why for why, _ in joined.bell.outputs_seen] == ["host", "power", "host"]


def test_the_latest_desire_wins_and_an_unchanged_one_is_not_sent() -> None:
    joined = Joined().start()
    seen = spy(joined)
    joined.host.desire(GREEN)
    joined.host.desire(bell.SPEC.safe)
    joined.host.desire(bell.SPEC.safe)
    joined.clock.run_for(1)
    assert kinds(seen).count("SET") == 2
    assert joined.device.outputs == bell.SPEC.safe
    assert joined.ears.made_so == [bell.SPEC.safe]


def test_an_old_set_that_comes_late_does_not_undo_a_newer_one() -> None:
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.host.desire(bell.SPEC.safe)
    joined.clock.run_for(1)
    joined.wire.device.hear(encode_frame(link.HEAD_SET.pack(link.SET, 1) + GREEN.encode()))
    joined.clock.run_for(1)
    assert joined.device.outputs == bell.SPEC.safe


def test_a_device_falls_back_to_safe_by_itself_when_the_host_is_silent_and_output_by_output() -> None:
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.clock.run_for(1)
    joined.host.stop()
    start = joined.clock.now()
    joined.clock.run_until(lambda: joined.device.outputs != GREEN, 10)
    assert joined.clock.now() - start <= 4
    assert joined.device.outputs == bell.Outputs(muted=True, lamp=bell.Lamp.GREEN)
    joined.clock.run_until(lambda: joined.device.outputs == bell.SPEC.safe, 10)
    assert 8 <= joined.clock.now() - start <= 9


def test_outputs_come_back_after_the_device_alone_stopped_hearing() -> None:
    """Only the way to the device breaks, and for less than the host would notice."""
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.clock.run_for(1)
    joined.wire.host.meddle = lambda octets: []
    joined.clock.run_until(lambda: joined.device.outputs != GREEN, 10)
    joined.wire.host.meddle = None
    joined.ring(1)  # its acknowledgement would keep a session alive whose outputs are wrong
    joined.clock.run_until(lambda: joined.device.outputs == GREEN, 3)
    assert "did not hear the table" in joined.ears.downs[0][0]


def test_a_value_out_of_range_is_refused_where_it_is_desired() -> None:
    joined = Joined().start()
    with pytest.raises(ValueError, match="muted"):
        joined.host.desire(bell.Outputs(muted=7, lamp=bell.Lamp.RED))


def test_a_command_under_the_highest_id_and_the_one_after_the_wrap_are_each_done_once() -> None:
    joined = Joined().start()
    answers: list[str] = []
    for command_id in (2**32 - 1, 0, 1):
        joined.host.command(command_id, bell.Ring(2), lambda status, result, text: answers.append(status), 5)
    joined.clock.run_for(2)
    assert answers == ["done"] * 3
    assert joined.bell.acted == [2**32 - 1, 0, 1]


def test_ids_of_the_table_and_of_a_driver_go_round_without_meeting() -> None:
    assert [table_command(number) for number in (1, 2**31 - 1, 2**31, 2**32 + 5)] == [1, 2**31 - 1, 0, 5]
    assert [own_command(number) for number in (0, 2**31 - 1, 2**31, 2**40 + 7)] == [2**31, 2**32 - 1, 2**31, 2**31 + 7]


# --- what keeps a session alive ---------------------------------------------------------------


def test_acks_that_are_dropped_do_not_keep_an_output_alive() -> None:
    joined = Joined().start()
    joined.host.desire(bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))
    joined.clock.run_for(0.5)
    joined.wire.host.meddle = lambda octets: []
    beyond = encode_frame(link.encode_ack(joined.device.epoch, 500, 0))
    for _ in range(20):
        joined.device._on_bytes(beyond)
        joined.clock.run_for(0.5)
    assert joined.device.outputs == bell.SPEC.safe
    assert not joined.device.in_session


def test_a_command_and_a_set_made_when_a_session_begins_are_sent_once() -> None:
    joined = Joined()
    ears = joined.ears

    def link_up(identity: link.Identity, lost: bool) -> None:
        joined.host.command(5, bell.Ring(1), lambda status, result, text: None, 5)
        joined.host.desire(bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))

    ears.link_up = link_up  # type: ignore[method-assign]
    sent: list[int] = []

    def overheard(octets: bytes) -> list[tuple[float, bytes]]:
        sent.extend(content[0] for content in FrameDecoder().feed(octets))
        return [(0.0, octets)]

    joined.wire.host.meddle = overheard
    joined.start()
    joined.clock.run_for(0.2)
    assert (sent.count(link.COMMAND), sent.count(link.SET)) == (1, 1)
