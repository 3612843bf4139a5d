"""The strict machine: what `transitions` would let pass is refused."""

from __future__ import annotations

from inspect import currentframe
from pathlib import Path

import pytest

from controller.core.desk import Refusal
from controller.core.machine import (
    BadDeclaration,
    HalfDone,
    NotNow,
    Row,
    Standing,
    StrictMachine,
    interrupt,
    mermaid,
    resume,
)
from tests.controller.core.machine_watch import watched


class Door:
    def __init__(self) -> None:
        self.done: list[str] = []
        self.locked = False
        self.moves: list[tuple[str, str, str, str]] = []

    def unlocked(self) -> bool:
        return not self.locked

    def swing(self) -> None:
        self.done.append("swing")

    def slam(self) -> None:
        raise ValueError("it broke")

    def chain(self) -> None:
        self.machine.fire("push")

    def squeak(self) -> None:
        self.done.append(f"squeak while {self.machine.state}, told {len(self.moves)}")

    def refuse(self) -> None:
        raise Refusal("stuck", "The door is stuck.")

    def build(self, *rows: Row) -> StrictMachine:
        self.machine = StrictMachine("door", self, ("closed", "open"), rows, "closed", self._moved)
        return self.machine

    def _moved(self, *move: str) -> None:
        self.moves.append(move)  # type: ignore[arg-type]


OPEN = Row("pull", "closed", "open", guard="unlocked", action="swing")
CLOSE = Row("push", "open", "closed")


def test_a_declared_row_moves_the_machine_and_tells_it() -> None:
    door = Door()
    machine = door.build(OPEN, CLOSE)
    machine.fire("pull")
    assert (machine.state, door.done, door.moves) == ("open", ["swing"], [("door", "closed", "open", "pull")])


def test_a_guard_that_says_no_is_a_refusal_and_not_a_silent_false() -> None:
    door = Door()
    machine = door.build(OPEN, CLOSE)
    door.locked = True
    assert (machine.can("pull"), machine.may("pull")) == (True, False)
    with pytest.raises(NotNow):
        machine.fire("pull")
    assert machine.state == "closed"
    assert door.done == []
    door.locked = False
    assert machine.may("pull")


def test_a_trigger_from_the_wrong_state_is_refused() -> None:
    machine = Door().build(OPEN, CLOSE)
    assert (machine.can("push"), machine.may("push")) == (False, False)
    with pytest.raises(NotNow, match="door cannot push while closed"):
        machine.fire("push")


def test_a_misspelt_trigger_is_a_defect() -> None:
    machine = Door().build(OPEN, CLOSE)
    with pytest.raises(BadDeclaration, match="plul"):
        machine.fire("plul")
    with pytest.raises(BadDeclaration, match="plul"):
        machine.when("plul")


def test_an_error_in_an_action_leaves_the_old_state_standing() -> None:
    machine = Door().build(Row("pull", "closed", "open", action="slam"), CLOSE)
    with pytest.raises(ValueError, match="it broke"):
        machine.fire("pull")
    assert machine.state == "closed"


def test_what_an_action_fires_runs_after_the_change_it_belongs_to() -> None:
    door = Door()
    machine = door.build(Row("pull", "closed", "open", action="chain"), CLOSE)
    machine.fire("pull")
    assert [move[3] for move in door.moves] == ["pull", "push"]
    assert machine.state == "closed"


def test_there_is_no_way_past_the_guards() -> None:
    machine = Door().build(OPEN, CLOSE)
    assert not hasattr(machine._at, "to_open")
    with pytest.raises(AttributeError):
        machine.state = "open"  # type: ignore[misc]


def test_a_saved_state_that_does_not_exist_is_refused() -> None:
    machine = Door().build(OPEN, CLOSE)
    with pytest.raises(BadDeclaration, match="garbage"):
        machine.restore("garbage")


# -- what follows -----------------------------------------------------------------------------------------------------


def test_what_follows_runs_in_the_new_state_after_the_change_was_told() -> None:
    door = Door()
    door.build(Row("pull", "closed", "open", action="swing", then="squeak"), CLOSE).fire("pull")
    assert door.done == ["swing", "squeak while open, told 1"]


def test_several_actions_and_consequences_run_in_the_order_in_which_they_stand() -> None:
    door = Door()
    row = Row("pull", "closed", "open", guard=("unlocked",), action=("swing", "swing"), then=("squeak", "chain"))
    machine = door.build(row, CLOSE)
    machine.fire("pull")
    assert door.done == ["swing", "swing", "squeak while open, told 1"]
    assert (machine.state, [move[3] for move in door.moves]) == ("closed", ["pull", "push"])


def test_what_was_fired_with_a_trigger_reaches_guard_action_and_consequence() -> None:
    class Till:
        seen: tuple[str, ...] = ()

        def positive(self, cents: int) -> bool:
            return cents > 0

        def note(self, cents: int) -> None:
            self.seen = (*self.seen, f"noted {cents}")

        def ring(self, cents: int) -> None:
            self.seen = (*self.seen, f"rang {cents}")

    till = Till()
    rows = (
        Row("paid", "shut", "drawer_out", guard="positive", action="note", then="ring"),
        Row("pushed", "drawer_out", "shut"),
    )
    machine = StrictMachine("till", till, ("shut", "drawer_out"), rows, "shut", lambda *moved: None)
    assert (machine.may("paid", 0), machine.may("paid", 5)) == (False, True)
    machine.fire("paid", 5)
    assert till.seen == ("noted 5", "rang 5")


def test_an_error_in_what_follows_comes_out_as_it_is_and_nothing_more_is_run() -> None:
    door = Door()
    machine = door.build(Row("pull", "closed", "open", then=("chain", "slam")), CLOSE)
    with pytest.raises(ValueError, match="it broke"):
        machine.fire("pull")
    assert (machine.state, len(door.moves)) == ("open", 1)
    machine.fire("push")
    assert [move[3] for move in door.moves] == ["pull", "push"]


@pytest.mark.parametrize("then", ["refuse", ("chain", "chain")])
def test_what_is_refused_after_the_state_has_changed_is_a_defect_and_no_refusal(then: str) -> None:
    machine = Door().build(Row("pull", "closed", "open", then=then), CLOSE)
    with pytest.raises(HalfDone, match=r"refused after it had begun: (The door is stuck|door cannot push)"):
        machine.fire("pull")
    assert not issubclass(HalfDone, NotNow | Refusal)


def test_a_refusal_in_an_action_is_a_refusal_also_when_an_earlier_trigger_moved_the_machine() -> None:
    door = Door()
    machine = door.build(OPEN, Row("push", "open", "closed", action="refuse"))
    machine.fire("pull")
    with pytest.raises(Refusal):
        machine.fire("push")
    assert machine.state == "open"


# -- interruptions ----------------------------------------------------------------------------------------------------


STATES = ("betting", "dealing", "settling", "ruling", "shuffling", "cutting")
PLAYING = ("betting", "dealing", "settling")


class Round:
    """A small game with what interrupts it: a ruling, and a shuffle that may follow from one."""

    def __init__(self, *more: Row) -> None:
        self.said: list[str] = []
        self.allowed = True
        rows = (*PLAY, *more)
        self.machine = StrictMachine("round", self, STATES, rows, "betting", lambda *moved: None)

    def may_go_on(self) -> bool:
        return self.allowed

    def say(self) -> None:
        self.said.append(f"{self.machine.state} from {self.machine.interrupted_from or 'nowhere'}")


PLAY = (
    Row("dealt", "betting", "dealing"),
    Row("drawn", "dealing", "settling"),
    Row("paid", "settling", "betting"),
    interrupt("irregular", PLAYING, "ruling", then="say"),
    resume("ruled", "ruling", guard="may_go_on", action="say", then="say"),
    Row("misdeal", "ruling", "betting", then="say"),
    interrupt("out_of_cards", "dealing", "shuffling"),
    Row("out_of_cards", "ruling", "shuffling"),
    Row("shuffled", "shuffling", "cutting"),
    resume("cut", "cutting"),
)


def test_a_resume_leads_back_to_where_the_interrupt_came_from() -> None:
    round_ = Round()
    machine = round_.machine
    for state, trigger in zip(PLAYING, ("dealt", "drawn", "paid"), strict=True):
        machine.fire("irregular")
        assert machine.saved() == Standing("ruling", state)
        machine.fire("ruled")
        assert machine.saved() == Standing(state, "")
        machine.fire(trigger)
    assert round_.said[:3] == ["ruling from betting", "ruling from betting", "betting from nowhere"]


def test_a_resume_has_guards_like_any_row() -> None:
    round_ = Round()
    round_.machine.fire("irregular")
    round_.allowed = False
    with pytest.raises(NotNow, match="round cannot ruled while ruling"):
        round_.machine.fire("ruled")
    assert round_.machine.saved() == Standing("ruling", "betting")


def test_a_declared_row_out_of_an_interruption_ends_it() -> None:
    round_ = Round()
    round_.machine.fire("dealt")
    round_.machine.fire("irregular")
    round_.machine.fire("misdeal")
    assert round_.machine.saved() == Standing("betting", "")
    assert round_.said[-1] == "betting from nowhere"


def test_a_row_within_an_interruption_keeps_where_it_came_from() -> None:
    machine = Round().machine
    machine.fire("dealt")
    machine.fire("irregular")
    machine.fire("out_of_cards")
    machine.fire("shuffled")
    assert machine.saved() == Standing("cutting", "dealing")
    machine.fire("cut")
    assert machine.saved() == Standing("dealing", "")


def test_a_snapshot_of_an_interruption_goes_on_where_it_came_from() -> None:
    first, second = Round().machine, Round().machine
    first.fire("dealt")
    first.fire("irregular")
    second.restore(*first.saved())
    second.fire("ruled")
    assert second.state == "dealing"


@pytest.mark.parametrize("came_from", ["", "shuffling", "garbage"])
def test_a_snapshot_of_an_interruption_that_came_from_nowhere_is_refused(came_from: str) -> None:
    machine = Round().machine
    with pytest.raises(BadDeclaration, match="cannot have come from"):
        machine.restore("ruling", came_from)
    assert machine.saved() == Standing("betting")


def test_where_an_earlier_interruption_came_from_is_nothing_to_a_state_of_play() -> None:
    machine = Round().machine
    machine.restore("dealing", "settling")
    assert machine.saved() == Standing("dealing", "")


def test_nothing_is_restored_while_a_transition_runs() -> None:
    class Hasty(Round):
        def say(self) -> None:
            self.machine.restore("dealing")

    with pytest.raises(BadDeclaration, match="restored while a transition runs"):
        Hasty().machine.fire("irregular")


def test_the_states_in_which_a_key_means_something_follow_from_the_rows() -> None:
    machine = Round().machine
    assert machine.when("irregular") == PLAYING
    assert machine.when("out_of_cards") == ("dealing", "ruling")
    assert machine.when("ruled") == ("ruling",)
    assert machine.triggers_from("ruling") == ("ruled", "misdeal", "out_of_cards")


def test_an_interrupt_is_drawn_as_one_way_out_of_a_group_and_one_way_back() -> None:
    drawn = mermaid("round", STATES, PLAY, "betting")
    assert 'state "in any of: betting, dealing, settling" as interrupted_1' in drawn
    assert "interrupted_1 --> ruling: irregular" in drawn
    assert "ruling --> interrupted_1: ruled [may_go_on]" in drawn
    assert "cutting --> interrupted_1: cut" in drawn
    assert "cutting --> interrupted_2: cut" in drawn
    assert "ruling --> betting: misdeal" in drawn
    assert "interrupted_2 --> shuffling: out_of_cards" in drawn
    assert "dealing --> ruling" not in drawn


def test_every_change_of_state_is_a_transition_that_fired_or_a_snapshot_restored() -> None:
    with watched() as watch:
        machine = Round().machine
        machine.fire("dealt")
        machine.fire("irregular")
        machine.restore(*machine.saved())
        machine.fire("ruled")
        assert (watch.fired, watch.restored) == (["dealing", "ruling", "dealing"], ["ruling"])
        assert watch.past_the_machine == 0
        machine._machine.set_state("settling", machine._at)
        assert watch.past_the_machine == 1


# -- declared wrongly -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (Row("pull", "closed", "ajar"), "row 'pull' names the unknown state 'ajar'"),
        (Row("pull", "locked", "open"), "row 'pull' names the unknown state 'locked'"),
        (Row("pull", (), "open"), "leaves from no state"),
        (Row("pull", "closed", "open", guard="unlokced"), "names 'unlokced', which Door lacks"),
        (Row("pull", "closed", "open", action="swnig"), "names 'swnig', which Door lacks"),
        (Row("pull", "closed", "open", then=("squeak", "sqaeuk")), "names 'sqaeuk', which Door lacks"),
        (Row("open", "closed", "open"), "named after its target 'open'"),
        (Row("to_open", "closed", "open"), "named after its target 'open'"),
        (Row("back_to_open", "closed", "open"), "named after its target 'open'"),
    ],
)
def test_a_misspelt_name_is_found_when_the_machine_is_built(row: Row, message: str) -> None:
    with pytest.raises(BadDeclaration, match=message):
        Door().build(row, CLOSE)


def test_a_state_that_nothing_leads_to_is_found_when_the_machine_is_built() -> None:
    with pytest.raises(BadDeclaration, match="row 'push' cannot be reached: no row leads to open"):
        Door().build(CLOSE)


def test_a_declaration_that_is_wrong_names_file_and_line_of_the_row() -> None:
    frame = currentframe()
    assert frame is not None
    line = frame.f_lineno
    rows = (
        OPEN,
        Row("push", "open", "closed", action="slma"),
        *(interrupt("stop", "open", state) for state in ("ajar",)),
        resume("go_on", "ajar"),
    )
    here = Path(__file__)
    assert [row.declared for row in rows[1:]] == [f"{here}:{line + n}" for n in (3, 4, 5)]
    with pytest.raises(BadDeclaration, match=rf"test_machine.py:{line + 3}: door: row 'push' names 'slma'"):
        Door().build(*rows[:2])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((Row("dealt", "betting", "settling"),), r"'dealt' can never fire from 'betting': the one at .*\.py:\d+"),
        ((Row("ruled", "ruling", "dealing", guard="may_go_on"),), "'ruled' can never fire from 'ruling'"),
        ((interrupt("fire", ("dealing", "ruling"), "shuffling"),), "interrupts ruling, which is an interruption"),
        ((Row("asked", "dealing", "ruling"),), "leads into the interruption 'ruling'; declare it with interrupt"),
        ((resume("woken", "betting"),), "begins in 'betting', an interruption"),
        ((resume("woken", "settling"),), "'drawn' leads into the interruption 'settling'"),
        ((Row("ended", STATES, "betting"),), "'ended' leaves from every state; only an interrupt may"),
        (tuple(Row("ended", state, "betting") for state in STATES), "'ended' leaves from every state"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_meant_is_found_when_the_machine_is_built(more: tuple[Row, ...], message: str) -> None:
    with pytest.raises(BadDeclaration, match=message):
        Round(*more)


def built(states: tuple[str, ...], *rows: Row, initial: str = "a", final: tuple[str, ...] = ()) -> StrictMachine:
    return StrictMachine("thing", object(), states, rows, initial, lambda *moved: None, final=final)


def test_a_state_from_which_nothing_leads_on_must_be_declared_final() -> None:
    rows = (Row("go_on", "a", "b"),)
    with pytest.raises(BadDeclaration, match=r"test_machine\.py:.* leads to 'b', from which nothing leads on"):
        built(("a", "b"), *rows)
    machine = built(("a", "b"), *rows, final=("b",))
    machine.fire("go_on")
    assert machine.triggers_from("b") == ()
    with pytest.raises(BadDeclaration, match="leaves 'a', which is declared final"):
        built(("a", "b"), *rows, final=("a", "b"))
    with pytest.raises(BadDeclaration, match="unknown final state 'c'"):
        built(("a", "b"), *rows, final=("c",))
    with pytest.raises(BadDeclaration, match="nothing leads on from 'a'"):
        built(("a",))


def test_rows_that_lead_only_to_each_other_are_found_though_each_state_has_a_way_in() -> None:
    rows = (Row("stay", "a", "a"), Row("there", "b", "c"), Row("and_back", "c", "b"))
    with pytest.raises(BadDeclaration, match="row 'there' cannot be reached: no row leads to b, c"):
        built(("a", "b", "c"), *rows)


def test_an_interrupt_without_its_resume_is_no_interrupt() -> None:
    rows = (Row("go_on", "a", "b"), Row("end", "b", "a"), interrupt("halt", ("a", "b"), "c"), Row("undo", "c", "a"))
    with pytest.raises(BadDeclaration, match="interrupt 'halt' is never resumed"):
        built(("a", "b", "c"), *rows)


def test_a_resume_without_its_interrupt_is_no_resume() -> None:
    rows = (Row("go_on", "a", "b"), Row("end", "b", "a"), resume("woken", "c"))
    with pytest.raises(BadDeclaration, match="resume 'woken' resumes from c, where no interrupt leads"):
        built(("a", "b", "c"), *rows)


@pytest.mark.parametrize(
    ("states", "initial", "message"),
    [(("a", "b", "a"), "a", "declares a state twice"), (("a", "b"), "c", "unknown initial state 'c'")],
)
def test_states_are_declared_once_and_one_of_them_is_the_first(
    states: tuple[str, ...], initial: str, message: str
) -> None:
    with pytest.raises(BadDeclaration, match=message):
        built(states, Row("go_on", "a", "b"), Row("end", "b", "a"), initial=initial)
