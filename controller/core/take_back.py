"""A key pressed by mistake: who may take it back, until when, and how the table stands as if it had not been pressed.

What it means to take a key back is the fold of all rows but that one. So the live table, a restart and a replay agree,
and a key costs nothing that is never taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from controller.core.desk import Refusal
from controller.core.effects import (
    AlarmOver,
    AnyEffect,
    Moved,
    Noted,
    Ordered,
    Refused,
    Reversed,
    Ruled,
    Settled,
    TimerOff,
    TimerSet,
    Uncovered,
    refusal_of,
)
from controller.core.events import (
    ChipPlaced,
    ChipsCounted,
    ChipsMoved,
    ChipsSwept,
    ChipUnclear,
    ClockCompared,
    Command,
    DiskLow,
    EditionDue,
    FellBack,
    FloorOrder,
    JournalChecked,
    LockLifted,
    NotSignedIn,
    OrdersTurnedAway,
    PlayerCardRead,
    ProgramChecked,
    SignedIn,
    SignedOut,
    SignShown,
    TimerDue,
    TwinSeen,
)
from controller.money.twice import TIMERS
from controller.people import Person
from drivers.events import DeviceDown, DeviceRefused, DeviceTrouble, DeviceTroubleOver, DeviceUp

if TYPE_CHECKING:
    from controller.core.table import Table

Until = Literal["followed", "never"]
"""Until something has followed from it that cannot be undone, or not at all: it is corrected in another way."""
Beside = Mapping[type[msgspec.Struct], Callable[[Any, Any, bool], bool]]
"""What a game's devices tell whatever was keyed: by kind of event, whether this one, just taken, does; it is told too
whether the round stands elsewhere for it."""
NOTHING_BESIDE: Beside = {}
"""At a game where whatever a device tells follows from what was keyed."""
KEY = "take_back"
NOTE = "taken_back"
"""How the journal names a correction, and the moves it makes."""
LONGEST = 200
"""So many events a key is remembered; as long, no snapshot is taken that would already stand on it."""
NOTHING_FOLLOWS = (
    SignShown, SignedIn, SignedOut, NotSignedIn, LockLifted, DiskLow, ProgramChecked, JournalChecked, TwinSeen,
    OrdersTurnedAway, ClockCompared, EditionDue, FellBack,
    DeviceUp, DeviceDown, DeviceRefused, DeviceTrouble, DeviceTroubleOver,
)  # fmt: skip
"""What happens beside the game; whoever pressed the key may take it back as if nothing had happened. Where it has play
suspended, it would have been without the key."""
LIFE = "life"
"""The machine that is suspended."""
TIME = (TimerDue, PlayerCardRead)
"""What falls due or is read whatever was keyed, as long as nothing comes of it but words and alarms."""
CHIPS = (ChipsMoved, ChipsSwept, ChipUnclear, ChipPlaced, ChipsCounted)
"""Chips may have moved on the strength of it: a rank decides that they did not."""
NOT_UNDONE = (Ordered, Settled, Reversed, Uncovered)
"""What a device has done and what was settled stays; the rulebook says how each is put right. A pot that is awarded and
not pushed is neither."""
ON_THE_BOOKS = ("booked", "round", "hand", "hand_over")


class Pressed(msgspec.Struct, frozen=True):
    """The key that may still be taken back; `chips` once chips have moved since."""

    seq: int
    name: str
    label: str
    by: str
    chips: bool = False


class Correction(msgspec.Struct, frozen=True):
    """A key that was taken back, as the journal tells it: the row it was pressed in, and who took it back and why."""

    row: int
    label: str
    pressed_by: str
    by: str
    rank: int = 0
    reason: str = ""


def correction(effects: Iterable[AnyEffect]) -> Correction | None:
    """The key that these conclusions take back."""
    facts = next((one.facts for one in effects if isinstance(one, Noted) and one.what == NOTE), {})
    if "row" not in facts:
        return None
    ruled = next((one for one in effects if isinstance(one, Ruled) and one.subject == NOTE), None)
    told = (ruled.answer, ruled.rank, ruled.reason) if ruled is not None else (facts["key"], 0, "")
    return Correction(facts["row"], told[0], facts.get("pressed_by", ""), facts.get("by", ""), *told[1:])


def last_key(table: Table) -> Pressed | None:
    """The key that may be taken back now."""
    last = table.state.pressed
    return last if last is not None and table.desk.seq - last.seq <= LONGEST else None


def remember(table: Table, seq: int, event: msgspec.Struct, effects: list[AnyEffect], round_before: int) -> None:
    """What may be taken back after this event."""
    last = table.state.pressed
    if isinstance(event, FloorOrder):
        _ordered(table, seq, event, effects, round_before)
    elif isinstance(event, Command):
        if event.name != KEY and refusal_of(event.name, effects) is None:
            table.state.pressed = _pressed(table, seq, event, effects, round_before)
    elif last is not None and isinstance(event, CHIPS) and not _concludes(effects):
        table.state.pressed = msgspec.structs.replace(last, chips=True)
    elif last is not None and not _beside(table, event, effects):
        table.state.pressed = None


def _beside(table: Table, event: msgspec.Struct, effects: list[AnyEffect]) -> bool:
    """Whether this would have happened without the key, and nothing of it rests on the key."""
    if isinstance(event, NOTHING_FOLLOWS):
        return not _follows(effects)
    if isinstance(event, TIME):
        money = isinstance(event, TimerDue) and event.timer.startswith(TIMERS)
        return not _follows(effects) and (money or not any(isinstance(each, Noted | Ruled) for each in effects))
    beside = table.game.beside.get(type(event))
    return beside is not None and not _concludes(effects) and beside(table.game, event, _follows(effects))


def _ordered(table: Table, seq: int, event: FloorOrder, effects: list[AnyEffect], round_before: int) -> None:
    """An order is a key that somebody of the floor pressed; one that was refused for the table's sake ends the one
    before it, because without that it might have been carried out."""
    from controller.core import orders

    refused, order = refusal_of(type(event).__name__, effects), event.order
    if refused is not None:
        if orders.stands_in_the_way(refused):
            table.state.pressed = None
        return
    key = next(key for _, _, key in orders.orderable(table) if key.name == order.kind)
    if key.undo != "never":
        kept = not _concludes(effects) and table.state.round == round_before
        table.state.pressed = Pressed(seq, order.kind, key.label, order.by) if kept else None


def _pressed(table: Table, seq: int, event: Command, effects: list[AnyEffect], round_before: int) -> Pressed | None:
    key = table.keys.get(event.name) or table.game.keys[event.name]
    if key.undo == "never" or _concludes(effects) or (table.state.round != round_before and not _undealt(effects)):
        return None
    return Pressed(seq, event.name, _label(key.label, event), event.by.id)


def _label(label: str, event: Command) -> str:
    """The key in words; of an answer, what was answered."""
    return f"{label}: {str(event.args.get('answer', '')).replace('_', ' ')}" if event.name == "answer" else label


def _concludes(effects: Iterable[AnyEffect]) -> bool:
    """Whether something was settled, booked or done; a round that is over before anybody staked has nothing of that."""
    effects = tuple(effects)
    if _undealt(effects):
        return any(isinstance(each, Ordered | Reversed | Uncovered) for each in effects)
    return any(
        isinstance(each, NOT_UNDONE) or (isinstance(each, Noted) and each.what in ON_THE_BOOKS) for each in effects
    )


def _undealt(effects: Iterable[AnyEffect]) -> bool:
    """Whether a round was given up in which nobody had staked anything."""
    return any(isinstance(each, Settled) and not each.results for each in effects)


def _follows(effects: Iterable[AnyEffect]) -> bool:
    return any(isinstance(each, Moved) and each.machine != LIFE for each in effects) or _concludes(effects)


def check(table: Table, by: Person, reason: str) -> None:
    """Refuse who may not take the last key back, or where it is too late."""
    last, (rank, clause) = last_key(table), table.house.own(KEY, "resume")
    cited = (clause,) if clause else ()
    if last is None:
        text = "Nothing can be taken back: something has followed from the last key. Have it ruled on as a dispute."
        raise Refusal("has_followed", text, cited)
    if last.by == by.id and not last.chips:
        return
    if by.rank < rank:
        why = "chips have moved since" if last.chips else f"{last.by} pressed it"
        text = (
            f"“{last.label}” can be taken back by {table.desk.title(rank)} or above only: {why}; "
            f"{by.id} is {table.desk.title(by.rank)}."
        )
        raise Refusal("rank_too_low", text, cited)
    if not reason:
        raise Refusal("reason_needed", f"Say why “{last.label}” of {last.by} is taken back.", cited)


def shown(table: Table) -> dict[str, Any] | None:
    """The key that may be taken back, as a page offers it: by whom at once, and from which rank on with a reason."""
    last = last_key(table)
    if last is None:
        return None
    rank = table.house.own(KEY, "resume").rank
    return {"label": last.label, "by": last.by, "at_once": not last.chips, "rank": rank}


def stand_in(old: Table, new: Table, seq: int, at: int, command: Command) -> list[AnyEffect]:
    """The new table takes the old one's place: what differs is said, and made so at devices and screens."""
    last = old.state.pressed
    assert last is not None  # by `check`
    desk, clause = new.desk, old.house.own(KEY, "resume").clause
    cited = (clause,) if clause else ()
    desk.begin(seq, at)
    desk.ruled(NOTE, last.label, command.by, cited, str(command.args.get("reason", "")))
    desk.note(NOTE, cited, row=last.seq, key=last.name, pressed_by=last.by, by=command.by.id)
    for machine, was, now in _machines(old, new):
        if was != now:
            desk.moved(machine, was, now, NOTE)
    _questions(old, new)
    _alarms(old, new)
    _timers(old, new)
    _sign(old, new)
    new.state.pressed = None
    new.state.orders = old.state.orders  # what was heard once is not heard again
    new.state.outputs = old.state.outputs
    new.make_so()
    desk.announce("all", NOTE, f"“{last.label}” is taken back; the table stands as before it.", cited)
    return desk.end()


def cannot(table: Table, seq: int, at: int) -> list[AnyEffect]:
    """What followed cannot stand without the key."""
    last = table.state.pressed
    assert last is not None  # by `check`
    table.state.pressed = None
    table.desk.begin(seq, at)
    text = f"What followed from “{last.label}” cannot stand without it. Have it ruled on as a dispute."
    table.desk.emit(Refused(KEY, "has_followed", text))
    return table.desk.end()


def _machines(old: Table, new: Table) -> Iterable[tuple[str, str, str]]:
    yield new.life.name, old.state.life, new.state.life
    yield new.game.machine.name, old.game.machine.state, new.game.machine.state
    before = old.machines_besides()
    yield from ((name, before[name], state) for name, state in new.machines_besides().items())


def _questions(old: Table, new: Table) -> None:
    before, now = old.state.desk.prompts, new.state.desk.prompts
    for prompt, asked in before.items():
        if now.get(prompt) != asked:
            new.desk.note("question_withdrawn", prompt=prompt, subject=asked.subject)
    for prompt, asked in now.items():
        if before.get(prompt) != asked:
            new.desk.emit(asked)
    # A number that a page has seen is not given to another question.
    new.state.desk.asked = max(old.state.desk.asked, new.state.desk.asked)


def _alarms(old: Table, new: Table) -> None:
    before, now = old.state.desk.alarms, new.state.desk.alarms
    for code in sorted(before.keys() - now.keys()):
        new.desk.emit(AlarmOver(code))
    for code, alarm in now.items():
        if before.get(code) != alarm:
            new.desk.emit(alarm)


def _timers(old: Table, new: Table) -> None:
    before, now = old.state.desk.timers, new.state.desk.timers
    for timer in sorted(before.keys() - now.keys()):
        new.desk.emit(TimerOff(timer))
    for timer, at in now.items():
        if before.get(timer) != at:
            new.desk.emit(TimerSet(timer, at))


def _sign(old: Table, new: Table) -> None:
    """The sign is never told an older number than it has shown."""
    changed = old.sign() != new.sign()
    new.state.sign, new.state.sign_shown = old.state.sign, old.state.sign_shown
    if changed:
        new.show_sign()
