"""A steward does what was signed, once and between rounds, and says why where it does not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from controller.fleet.messages import Kind, Want
from controller.fleet.steward import Steward
from tests.controller.fleet.pretended import Pretended

FILE = b"a bundle"


@pytest.fixture
def machine(tmp_path: Path) -> Pretended:
    return Pretended(tmp_path)


@pytest.fixture
def steward(machine: Pretended) -> Steward:
    return begun(machine)


def begun(machine: Pretended) -> Steward:
    """A steward of this machine as it starts."""
    return Steward(machine, machine.root / "fleet", "t1", lambda: 5, wait_s=0)


def want(number: int = 1, kind: Kind = "program", file: bytes = FILE, table: str = "t1") -> Want:
    digest = hashlib.sha256(file).hexdigest() if file else ""
    return Want(table, kind, number, "aa", 5, ("F2", "F3"), "2.0", digest, len(file))


def given(steward: Steward, wanted: Want, file: bytes = FILE) -> None:
    assert steward.take(wanted)
    assert steward.missing() == wanted
    steward.part(wanted).write_bytes(file)
    steward.fetched(wanted)


def carry_out(steward: Steward) -> None:
    """It says that it begins, and then does it."""
    assert steward.step()
    steward.step()


def states(steward: Steward) -> list[tuple[str, str]]:
    return [(one.state, one.text) for one in steward.doing()]


def test_what_was_fetched_is_installed_and_a_successor_goes_on(machine: Pretended, steward: Steward) -> None:
    given(steward, want())
    assert steward.step()
    assert (states(steward), machine.given) == ([("switching", "")], [])  # said before it is done
    assert steward.step()
    assert (states(steward), machine.given, steward.renewed) == ([("done", "")], [FILE], True)
    again = begun(machine)
    assert not again.step()
    assert states(again) == [("done", "")]
    assert list((machine.root / "fleet").glob("*.file")) == []


def test_an_older_word_and_another_tables_change_nothing(steward: Steward) -> None:
    given(steward, want(7))
    assert not steward.take(want(7))
    assert not steward.take(want(6, file=b"older"))
    assert not steward.take(want(9, table="t2"))
    assert steward.doing()[0].number == 7


def test_what_is_not_what_was_signed_is_thrown_away(machine: Pretended, steward: Steward) -> None:
    given(steward, want(), b"another")
    assert "not what the floor signed" in states(steward)[0][1]
    assert not steward.step()
    assert machine.given == []


def test_nothing_interrupts_a_round(machine: Pretended, steward: Steward) -> None:
    machine.round = "A round is under way."
    given(steward, want())
    assert steward.step()
    assert not steward.step()
    assert (states(steward), machine.given) == ([("waiting", "A round is under way.")], [])
    machine.round = ""
    carry_out(steward)
    assert states(steward) == [("done", "")]


def begin_while_installing(machine: Pretended) -> None:
    """A round begins each time that something is installed."""

    def begins() -> None:
        machine.round, machine.refuses = "A round is under way.", "A round is under way."

    machine.while_installing = begins


def test_a_round_that_begins_during_the_installation_is_nobodys_fault(machine: Pretended, steward: Steward) -> None:
    begin_while_installing(machine)
    given(steward, want())
    for _ in range(5):
        machine.round = ""
        carry_out(steward)
    assert states(steward)[0][0] == "waiting"
    machine.round, machine.refuses, machine.while_installing = "", "", lambda: None
    carry_out(steward)
    assert states(steward) == [("done", "")]


def test_a_table_that_never_stops_playing_is_not_tried_for_ever(machine: Pretended, steward: Steward) -> None:
    begin_while_installing(machine)
    given(steward, want())
    for _ in range(100):
        machine.round = ""
        steward.step()
    assert "close the table for it" in states(steward)[0][1]
    assert len(machine.given) < 30


def test_a_version_that_is_there_and_damaged_is_installed_again(machine: Pretended, steward: Steward) -> None:
    machine.current, machine.damaged = "2.0", "2.0"
    given(steward, want())
    carry_out(steward)
    assert machine.given == [FILE]


def test_a_version_that_went_back_is_not_tried_again(machine: Pretended, steward: Steward) -> None:
    machine.refuses = "version 2.0 was taken back"
    given(steward, want())
    carry_out(steward)
    assert states(steward) == [("refused", "version 2.0 was taken back")]
    assert not begun(machine).step()
    assert len(machine.given) == 1


def test_a_version_that_went_back_under_a_busy_table_is_not_tried_again_either(
    machine: Pretended, steward: Steward
) -> None:
    def begins() -> None:
        machine.round = "A round is under way."

    machine.refuses, machine.while_installing = "version 2.0 was taken back", begins
    given(steward, want())
    carry_out(steward)
    assert states(steward) == [("refused", "version 2.0 was taken back")]


def test_a_power_cut_in_an_installation_begins_it_anew_and_not_for_ever(machine: Pretended, steward: Steward) -> None:
    class Cut(BaseException):
        """The power is gone."""

    def cut() -> None:
        raise Cut

    machine.while_installing = cut
    given(steward, want())
    for _ in range(3):
        steward.step()
        with pytest.raises(Cut):
            steward.step()
        steward = begun(machine)
    steward.step()
    steward.step()
    assert "cut short 3 times" in states(steward)[0][1]


def test_a_power_cut_right_after_the_switch_is_seen_as_done(machine: Pretended, steward: Steward) -> None:
    class Cut(BaseException):
        """The power is gone."""

    def cut() -> None:
        machine.current = "2.0.1"
        raise Cut

    machine.while_installing = cut
    given(steward, want())
    steward.step()
    with pytest.raises(Cut):
        steward.step()
    steward = begun(machine)
    assert steward.step()
    assert states(steward) == [("done", "")]


def test_what_is_withdrawn_before_the_switch_stays_undone(machine: Pretended, steward: Steward) -> None:
    machine.round = "A round is under way."
    given(steward, want())
    steward.step()
    assert steward.take(want(2, file=b""))
    machine.round = ""
    assert not steward.step()
    assert (states(steward), machine.given) == ([("withdrawn", "")], [])


def test_a_word_that_comes_during_an_installation_is_followed_after_it(machine: Pretended, steward: Steward) -> None:
    machine.while_installing = lambda: steward.take(want(2, file=b"next"))  # type: ignore[assignment]
    given(steward, want())
    carry_out(steward)
    assert steward.doing()[0].number == 2
    assert steward.missing() == want(2, file=b"next")


def test_a_configuration_is_checked_then_waits_then_takes_effect(machine: Pretended, steward: Steward) -> None:
    machine.round = "A round is under way."
    given(steward, want(kind="configuration"))
    steward.step()
    assert states(steward)[0][0] == "waiting"
    machine.round = ""
    carry_out(steward)
    assert (states(steward), machine.given, steward.renewed, machine.again) == ([("done", "")], [FILE], False, False)
    machine.refuses = "it is another table's"
    given(steward, want(2, "configuration", b"bad"), b"bad")
    steward.step()
    assert states(steward) == [("refused", "it is another table's")]
    assert machine.given == [FILE]


def test_a_round_that_begins_right_after_it_was_announced_is_the_installers_to_wait_for(
    machine: Pretended, steward: Steward
) -> None:
    given(steward, want())
    steward.step()
    machine.round = "A round is under way."
    steward.step()
    assert (states(steward), machine.given) == ([("done", "")], [FILE])


def test_rounds_that_begin_right_after_it_was_announced_are_no_power_cuts(machine: Pretended, steward: Steward) -> None:
    """A table whose rounds follow each other closely: the file is not refused for the machine's power and card."""
    given(steward, want(kind="configuration"))
    for _ in range(6):
        machine.round = ""
        steward.step()
        machine.round = "A round is under way."
        steward.step()
        assert (states(steward), machine.given) == ([("waiting", "A round is under way.")], [])
    machine.round = ""
    carry_out(steward)
    assert (states(steward), machine.given, machine.again) == ([("done", "")], [FILE], False)


def test_a_table_is_started_anew_between_rounds_once_a_rulebook_is_in_force(
    machine: Pretended, steward: Steward, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.fleet.steward.EDITION_MS", 0)
    machine.due = "version 5.1"
    assert not steward.step(), "nothing that the floor did not send"
    given(steward, want(kind="rulebook"))
    machine.due = ""
    steward.step()
    assert (states(steward), machine.restarts) == ([("done", "in force from tomorrow")], 0)
    machine.due, machine.round = "version 5.1", "A round is under way."
    assert not steward.step()
    machine.round = ""
    assert steward.step()
    assert machine.restarts == 1
    assert "the table was started anew for version 5.1" in states(steward)[0][1]
    assert not steward.step(), "what a restart does not mend is not tried again and again"
    assert machine.restarts == 1
