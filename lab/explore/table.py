"""The explored table: the pure table under its guard, what truly lies on its felt, and its journal in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

from controller import games
from controller.config.kept import plain
from controller.config.types import TableConfig
from controller.core.desk import Key
from controller.core.effects import Alarmed, AnyEffect, Desired, Moved, Ordered, Ruled, Uncovered, refusal_of
from controller.core.events import (
    Chip,
    ChipPlaced,
    ChipsCounted,
    ChipsMoved,
    ChipsSwept,
    ChipUnclear,
    Command,
    SignShown,
    Started,
    TimerDue,
)
from controller.core.forms import NOBODY_HERE
from controller.core.guarded import GuardedTable
from controller.core.table import Table
from controller.journal import row as record
from controller.people import Person
from drivers.events import DeviceDown, DeviceTrouble, DeviceTroubleOver, DeviceUp
from lab.explore import beneath, steps
from lab.explore.found import Found
from lab.explore.judges import Judge, Seen
from lab.explore.steps import AnyStep, Piece

TRAY = 0
POCKET = -1
"""Where chips are that lie nowhere on this table."""
STOCK = {100_000: 4, 10_000: 12, 2_500: 20, 500: 30, 250: 12}
"""Chips of each value in the float tray at the start."""
PLAYERS_TAGS = 1_000
"""Tags from here on are chips that players bring."""
NOT_PRESSED = frozenset({"answer"})
"""Questions are answered otherwise."""
CHIPS = "chips"
VERSION = "explored"
STEP_MS = 700
QUICK_MS = 100
"""Between two halves of one movement."""
LONGEST_TIMERS = 50
"""Timers that may fall due while one step waits; more would be a timer that sets itself without end."""

_encode = msgspec.json.Encoder().encode


class Row(msgspec.Struct, frozen=True):
    """One event of the journal, with what the table concluded, also as the disk would hold it."""

    at: int
    event: msgspec.Struct
    effects: list[AnyEffect]
    body: bytes


def refused(effects: list[AnyEffect], what: str) -> bool:
    """Whether a key itself was refused, and not something else on the way."""
    return refusal_of(what, effects) is not None


def named(subject: str, answer: str) -> str:
    """An answer as it is counted, whatever its question is about."""
    return f"{subject.partition(':')[0]}={answer}"


class Devices(Protocol):
    """What the devices of a game say."""

    called_wrong: bool
    """The cards in the dealer's hand are a deck that a machine has found to be wrong."""

    def tell(self, table: ExploredTable, step: AnyStep) -> list[msgspec.Struct] | None:
        """What they say of a step that is theirs; None where it cannot be done now."""

    def obey(self, table: ExploredTable, effect: AnyEffect) -> list[msgspec.Struct]:
        """What they answer to an order."""

    def heard_again(self, table: ExploredTable, place: str) -> list[msgspec.Struct]:
        """What one tells when it is heard again."""


class ExploredTable:
    """One table from its first event on; `do` plays a step, or tells that it cannot be played now."""

    def __init__(
        self,
        config: TableConfig,
        devices: Devices,
        judges: Sequence[Judge] = (),
    ) -> None:
        """`devices` are those of the game; `judges` look at every event."""
        self.config, self.judges = config, judges
        self.judged: dict[str, Found] = {}
        self.carried: list[tuple[int, int, Piece]] = []
        self.playable = games.find(config.table.game)
        self.areas = range(1, self.playable.areas(config)) if CHIPS in config.devices else range(0)
        self.felt: dict[int, dict[int, Piece]] = {}
        self.straddling: dict[int, Piece] = {}
        self.down: set[str] = set()
        self.troubled: dict[str, str] = {}
        self.missed = False
        self.standing: dict[str, str] = {}
        """What went wrong beneath the table, with what is told once it is put right."""
        self.sign_dark = False
        self.halfway = False
        """Chips have moved of which the mat has told one half only."""
        self.rows: list[Row] = []
        self.rounds = 0
        self.draws = self.spins = 0
        self.defects: list[str] = []
        self.pressed: list[tuple[str, bool]] = []
        self.answered: list[tuple[str, bool]] = []
        self.alarmed: list[str] = []
        self.next_tag = PLAYERS_TAGS
        self.devices = devices
        self._at = 1_000_000
        self._keys: dict[str, Key | None] = {}
        self._keys_at = -1
        self._guard(GuardedTable(config))

    def _guard(self, guarded: GuardedTable) -> None:
        self.guarded = guarded
        guarded.defect = lambda seq, trace: self.defects.append(trace)

    @property
    def table(self) -> Table:
        return self.guarded.table

    @property
    def at(self) -> int:
        """The time of the last event."""
        return self._at

    @property
    def state(self) -> str:
        return self.table.game.machine.state

    @property
    def ranks(self) -> int:
        return len(self.table.house.rulebook.ranks)

    def without(self, kind: str) -> bool:
        """Whether it is played without such a device, so that people key what it would tell."""
        return any(self.config.devices[place].kind == kind for place in self.table.state.by_hand)

    def keyed(self, name: str, **args: Any) -> steps.Press | None:
        """Somebody keys what a device would have told, where the page asks for it."""
        key = self.offered(name)
        return steps.Press(name, max(key.rank, 1), args) if key is not None else None

    def switch_on(self) -> None:
        """The controller comes up, the devices are heard, and a full float lies in the tray."""
        self._start()
        if CHIPS in self.config.devices and self.config.chips.float_tray:
            values = [value for value, count in STOCK.items() for _ in range(count)]
            self.felt[TRAY] = {tag: Piece(tag, cents) for tag, cents in enumerate(values, 1)}
        for place in self.config.devices:
            self._up(place, False)

    def _start(self) -> None:
        self.event(Started(VERSION, plain(self.config)))
        self.down = set(self.config.devices)

    # -- one event ---------------------------------------------------------------------------------------------

    def event(self, event: msgspec.Struct, after_ms: int = STEP_MS) -> list[AnyEffect]:
        """One event, as the journal keeps it; the sign follows at once."""
        self._at += after_ms
        kept = record.as_kept(event)
        before = self.state, self.rounds, dict(self.table.state.desk.prompts)
        effects = self.guarded.apply(self._at, kept)
        row = Row(self._at, kept, effects, _encode(effects))
        self.rows.append(row)
        self._count_rounds(effects)
        self._judge(Seen(row, *before))
        kinds = self.table.state.desk.kinds
        self.alarmed += [kinds.get(effect.code, effect.code) for effect in effects if isinstance(effect, Alarmed)]
        shown = any(isinstance(effect, Desired) and effect.device == "sign" for effect in effects)
        if shown and not self.sign_dark and self.table.state.sign > self.table.state.sign_shown:
            effects = [*effects, *self.event(SignShown(self.table.state.sign), 0)]
        for effect in row.effects:
            if isinstance(effect, Ordered | Uncovered | Ruled):
                effects = [*effects, *self._all(self.devices.obey(self, effect))]
        return effects

    def _judge(self, seen: Seen) -> None:
        for judge in self.judges:
            for found in judge.look(self, seen):
                self.judged.setdefault(found.name, found)

    def _count_rounds(self, effects: list[AnyEffect]) -> None:
        side, state = self.playable.round_over
        machine = self.table.game.machine.name
        for effect in effects:
            if isinstance(effect, Moved) and effect.machine == machine:
                self.rounds += getattr(effect, side) == state

    # -- one step ----------------------------------------------------------------------------------------------

    def do(self, step: AnyStep) -> list[AnyEffect] | None:
        """What came of a step; None where it cannot be done now, so that nothing happened."""
        effects = self._done(step)
        if effects is not None:
            self._fall_due(self._at + STEP_MS - 1)  # nobody is so quick that the table does not come to rest first
        return effects

    def _done(self, step: AnyStep) -> list[AnyEffect] | None:
        match step:
            case steps.Press():
                return self._press(step)
            case steps.Reply():
                return self._reply(step)
            case steps.Plug():
                return self._plug(step)
            case steps.Trouble():
                return self._trouble(step)
            case steps.Wait():
                return self._wait(step.seconds)
            case steps.Restart():
                return self._restart()
            case steps.Told(what) if what in beneath.TELLS:
                told = beneath.told(self, what)
                return None if told is None else self._all(told)
            case steps.Lay() | steps.Lift() | steps.Slide() | steps.Swap() | steps.Straddle():
                return self._chips(step)
            case steps.Fumble():
                return self._fumble(step)
        told = self.devices.tell(self, step)
        return None if told is None else self._all(told)

    def _all(self, events: list[msgspec.Struct]) -> list[AnyEffect]:
        return [effect for event in events for effect in self.event(event)]

    # -- keys and questions ------------------------------------------------------------------------------------

    def offered(self, name: str) -> Key | None:
        """A key as the page offers it now."""
        if self._keys_at != len(self.rows):
            self._keys_at, self._keys = len(self.rows), {}
        if name not in self._keys:
            self._keys[name] = self.table.offered(name)
        return self._keys[name]

    def keys(self) -> list[str]:
        """The names of all keys that the page offers now, but for the one that answers."""
        return [key.name for key in self.table.pressable() if key.name not in NOT_PRESSED]

    def _press(self, step: steps.Press) -> list[AnyEffect] | None:
        key = self.offered(step.key)
        if key is None:
            return None
        by = Person("R1", 0, (step.role,)) if step.role else Person(f"S{step.rank}", step.rank)
        new = [ask.new_word for ask in key.asks if ask.new_word and ask.name in step.args]
        effects = self.event(Command(step.key, by, {**dict.fromkeys(new, False), **step.args}))
        no = refusal_of(step.key, effects)
        if no is not None and no.code == NOBODY_HERE:
            effects = self.event(Command(step.key, by, {**step.args, **dict.fromkeys(new, True)}))
        elif step.accept and no is not None:
            taken = {ask.name: True if ask.kind == "accept" else "it lies there" for ask in key.asks
                     if ask.kind.startswith("accept")}  # fmt: skip
            taken |= dict.fromkeys(new, True)
            effects = self.event(Command(step.key, by, {**step.args, **taken})) if taken else effects
        if step.role or step.rank >= key.rank:
            self.pressed.append((step.key, not refused(effects, step.key)))
        return effects

    def _reply(self, step: steps.Reply) -> list[AnyEffect] | None:
        asked = next((one for one in self.table.state.desk.prompts.values() if one.subject == step.subject), None)
        if asked is None or step.answer not in {option.answer for option in asked.options}:
            return None
        args = {"prompt": asked.prompt, "answer": step.answer, **step.args}
        effects = self.event(Command("answer", Person(f"S{step.rank}", step.rank), args))
        self.answered.append((named(step.subject, step.answer), not refused(effects, "answer")))
        return effects

    # -- chips -------------------------------------------------------------------------------------------------

    def lying(self, area: int) -> dict[int, Piece]:
        """The chips on an area as people see them."""
        return self.felt.setdefault(area, {})

    def worth(self, area: int) -> int:
        return sum(piece.cents for piece in self.lying(area).values())

    def tag(self) -> int:
        """The tag of a chip that no table has seen yet."""
        self.next_tag += 1
        return self.next_tag

    def _chips(
        self, step: steps.Lay | steps.Lift | steps.Slide | steps.Swap | steps.Straddle
    ) -> list[AnyEffect] | None:
        moves = self._moves(step)
        if moves is None:
            return None
        if CHIPS in self.down:
            self.missed = True
            return []
        if len(moves) > 1 and not (isinstance(step, steps.Slide | steps.Lay) and step.apart):
            return self.event(ChipsSwept(CHIPS, tuple(moves)))  # type: ignore[arg-type]
        return self._in_halves(moves, (isinstance(step, steps.Lay) and step.ms) or QUICK_MS)

    def _in_halves(self, moves: list[msgspec.Struct], apart: int = QUICK_MS) -> list[AnyEffect]:
        found: list[AnyEffect] = []
        for left, move in reversed(list(enumerate(reversed(moves)))):
            self.halfway = left > 0
            self._fall_due(self._at + apart - 1)
            found += self.event(move, apart)
        return found

    def _fumble(self, step: steps.Fumble) -> list[AnyEffect] | None:
        """Nothing has moved once it is over."""
        lying = self.lying(step.area)
        if CHIPS in self.down or not step.tags or not lying.keys() >= set(step.tags):
            return None
        chips = seen([lying[tag] for tag in step.tags])
        gone = ChipsMoved(CHIPS, step.area, (), step.tags, partial=step.in_part)
        return self._in_halves([gone, ChipsMoved(CHIPS, step.area, chips)], step.ms)

    def _moves(self, step: Any) -> list[msgspec.Struct] | None:
        match step:
            case steps.Straddle():
                return self._straddle(step)
            case steps.Lay(area, chips):
                if not self._new(area, chips):
                    return None
                self._laid(area, chips, POCKET)
                stacks = [(chip,) for chip in chips] if step.apart else [chips]
                return [ChipsMoved(CHIPS, area, seen(stack)) for stack in stacks]
            case steps.Lift(area, tags):
                return None if self._taken(area, tags) is None else [ChipsMoved(CHIPS, area, (), tags)]
            case steps.Slide(area, to, tags):
                found = self._taken(area, tags, to) if area != to else None
                if found is None:
                    return None
                self._laid(to, found)
                return [ChipsMoved(CHIPS, area, (), tags), ChipsMoved(CHIPS, to, seen(found))]
            case steps.Swap(area, tags, chips):
                if not self._new(area, chips) or self._taken(area, tags) is None:
                    return None
                self._laid(area, chips, POCKET)
                return [ChipsMoved(CHIPS, area, seen(chips), tags)]
        return None

    def _laid(self, area: int, chips: Iterable[Piece], source: int | None = None) -> None:
        self.lying(area).update({piece.tag: piece for piece in chips})
        if source is not None:
            self.carried += [(source, area, piece) for piece in chips]

    def _new(self, area: int, chips: tuple[Piece, ...]) -> bool:
        known = {tag for pieces in self.felt.values() for tag in pieces} | self.straddling.keys()
        return area in (TRAY, *self.areas) and not known & {piece.tag for piece in chips}

    def _taken(self, area: int, tags: tuple[int, ...], to: int = POCKET) -> list[Piece] | None:
        lying = self.lying(area)
        if not tags or not lying.keys() >= set(tags):
            return None
        taken = [lying.pop(tag) for tag in tags]
        self.carried += [(area, to, piece) for piece in taken]
        return taken

    def _straddle(self, step: steps.Straddle) -> list[msgspec.Struct] | None:
        tag = step.chip.tag
        if step.over:
            return [ChipPlaced(CHIPS, tag)] if self.straddling.pop(tag, None) else None
        if tag in self.straddling or not self._new(step.areas[0], (step.chip,)):
            return None
        self.straddling[tag] = step.chip
        return [ChipUnclear(CHIPS, seen((step.chip,))[0], step.areas)]

    # -- devices, time, restart --------------------------------------------------------------------------------

    def _plug(self, step: steps.Plug) -> list[AnyEffect] | None:
        if step.place not in self.config.devices or step.up is not (step.place in self.down):
            return None
        if step.up:
            return self._up(step.place, step.lost)
        self.down.add(step.place)
        return self.event(DeviceDown(step.place, "nothing is heard", "look at the cable"))

    def _trouble(self, step: steps.Trouble) -> list[AnyEffect] | None:
        place, code = step.place, step.code
        if place not in self.config.devices or place in self.down or step.over is not (place in self.troubled):
            return None
        if step.over:
            return self.event(DeviceTroubleOver(place, self.troubled.pop(place)))
        self.troubled[place] = code
        return self.event(DeviceTrouble(place, code, "a card is stuck", "open the door and take it out"))

    def _up(self, place: str, lost: bool) -> list[AnyEffect]:
        self.down.discard(place)
        effects = self.event(DeviceUp(place, self.config.devices[place].kind, f"{place}-1", "1.0.0", lost))
        if place == CHIPS:
            self.missed = False
            areas = {area: seen(tuple(self.lying(area).values())) for area in (TRAY, *self.areas)}
            effects = [*effects, *self.event(ChipsCounted(CHIPS, areas))]
        effects = [*effects, *self._all(self.devices.heard_again(self, place))]
        if place in self.troubled:
            effects = [*effects, *self.event(DeviceTrouble(place, self.troubled[place], "a card is stuck", "open it"))]
        return effects

    def _wait(self, seconds: int) -> list[AnyEffect]:
        until = self._at + seconds * 1000
        found = self._fall_due(until)
        self._at = max(self._at, until)
        return found

    def _fall_due(self, until: int) -> list[AnyEffect]:
        """Timers whose time comes before then."""
        found: list[AnyEffect] = []
        for _ in range(LONGEST_TIMERS):
            timers = self.table.state.desk.timers
            due = min(((at, timer) for timer, at in timers.items() if at <= until), default=None)
            if due is None:
                break
            found += self.event(TimerDue(due[1]), max(0, due[0] - self._at))
        return found

    def _restart(self) -> list[AnyEffect]:
        self._guard(replayed(self.config, self.rows))
        before = len(self.rows)
        self._start()
        for place in self.config.devices:
            self._up(place, False)
        return [effect for row in self.rows[before:] for effect in row.effects]


def seen(chips: tuple[Piece, ...] | list[Piece]) -> tuple[Chip, ...]:
    """Chips as the mat and the register tell of them."""
    return tuple(Chip(piece.tag, piece.kind, piece.cents) for piece in chips)


class Differs(Exception):
    """A replay concludes otherwise than the live table did."""


def replayed(config: TableConfig, rows: list[Row]) -> GuardedTable:
    """A fresh table brought to where these rows end; Differs where it concludes anything else."""
    fresh = GuardedTable(config)
    for row in rows:
        effects = fresh.apply(row.at, row.event)
        if (body := _encode(effects)) != row.body:
            raise Differs(f"{type(row.event).__name__}: {body.decode()} and not {row.body.decode()}")
    return fresh
