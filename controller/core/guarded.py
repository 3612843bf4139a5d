"""A table that no event can break: an error while handling one suspends it with the cause, and nothing is lost.

Recovery after a restart, `journal replay` and live play all go through here, so they are one path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from controller import rules, withheld
from controller.build import build_table
from controller.config.kept import from_plain, of_start, plain
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.core import take_back
from controller.core.effects import AnyEffect
from controller.core.events import Command, Started, TimerDue
from controller.core.tabletime import TableTime
from drivers.events import Mark

SNAPSHOT_EVERY = 256
"""Events between snapshots; what a restart replays at most."""


LONG_SINCE = 4
"""So many times as many events are kept in memory where nobody asks for snapshots, as in the replay of a journal."""


class Position(msgspec.Struct):
    """Where the journal stands: its last event, and the last one taken from each device."""

    seq: int = 0
    marks: dict[str, Mark] = {}
    time: TableTime = msgspec.field(default_factory=TableTime)


SAVED_FORM = 1
"""The form of what a snapshot holds; one without a number is of the first."""


class SteadySaved(msgspec.Struct):
    """What a snapshot holds."""

    position: Position
    config: dict[str, Any]
    table: msgspec.Raw
    form: int = SAVED_FORM
    edition: str = ""
    """The amended rulebook that it stands under, word for word; nothing for the one that the program carries."""
    played_by: str = ""
    """The name of the edition, carried or amended."""


class Taken(NamedTuple):
    """An event taken since the last snapshot, and the defect that it met, if any."""

    seq: int
    at: int
    event: msgspec.Struct
    defect: str = ""


class GuardedTable:
    """Applies events in order; after a defect it stands where it stood before, suspended."""

    def __init__(self, config: TableConfig) -> None:
        self.config = config
        self.table = build_table(config)
        self.position = Position()
        self.played_by = ""
        """The name of the edition that the last start came up under."""
        self._good = self.save()
        self._since: list[Taken] = []
        self.defect: Callable[[int, str], None] = lambda seq, trace: None

    def apply(self, at: int, event: msgspec.Struct, device: str = "", mark: Mark | None = None) -> list[AnyEffect]:
        """What the table concludes; never raises."""
        seq = self.position.seq + 1
        effects = self._apply(seq, self._time(at, event), event)
        self.position.seq = seq
        if mark is not None:
            self.position.marks[device] = mark
        return effects

    def _time(self, at: int, event: msgspec.Struct) -> int:
        """The table's own time: a notice runs its minutes and no longer, whatever becomes of the clock."""
        state, time = self.table.state, self.position.time
        timers = state.desk.timers
        at = time.at(at, state.life == "closed" and not timers)
        return time.due(at, timers.get(event.timer, 0)) if isinstance(event, TimerDue) else at

    def _apply(self, seq: int, at: int, event: msgspec.Struct) -> list[AnyEffect]:
        taken = Taken(seq, at, event)
        try:
            effects = self._do(taken)
        except Exception as error:
            if isinstance(error, ConfigError) and isinstance(event, Started):
                raise  # a start that is refused: whoever starts it is told, and nothing here went wrong
            self.defect(seq, withheld.trace(error))
            self._step_back()
            taken = taken._replace(defect=f"{type(error).__name__}: {error}")
            effects = self._do(taken)
        if self.table.taking_back:
            return self._take_back(taken)
        self._since.append(taken)
        if len(self._since) >= LONG_SINCE * SNAPSHOT_EVERY and take_back.last_key(self.table) is None:
            self._stand_from_here()
        return effects

    def _take_back(self, taken: Taken) -> list[AnyEffect]:
        """Stand as if the last key had not been pressed, or tell why what followed cannot stand without it."""
        seq, at, event, _ = taken
        assert isinstance(event, Command)
        old, config, last = self.table, self.config, self.table.state.pressed
        assert last is not None  # by `take_back.check`
        try:
            self._step_back(without=last.seq)
            effects = take_back.stand_in(old, self.table, seq, at, event)
        except Exception as error:
            self.defect(seq, withheld.trace(error))
            self.table, self.config = old, config
            effects = take_back.cannot(old, seq, at)
        self.table.taking_back = False
        self._stand_from_here()
        return effects

    def _stand_from_here(self) -> None:
        """Nothing before this is gone through again."""
        self._good = self.save()
        self._since = []

    def _do(self, taken: Taken) -> list[AnyEffect]:
        seq, at, event, defect = taken
        if isinstance(event, Started) and (config := of_start(event)) != self.config:
            self._reconfigure(config)
        if isinstance(event, Started) and event.edition is not None:
            self.played_by = event.edition.name
        # What is known to fail is not tried again: each trial would step back over all that failed before it.
        return self.table.failed(seq, at, defect) if defect else self.table.apply(seq, at, event)

    def _reconfigure(self, config: TableConfig) -> None:
        """Go on with another configuration; what stood on the table still stands, limits come from the sign's key."""
        saved = self.table.save()
        fresh = build_table(config)
        old, new = self.config.table.rulebook, config.table.rulebook
        if fresh.game.name != self.table.game.name or rules.carried(new) != rules.carried(old):
            raise ConfigError(
                f"this journal is of a table under {old}; give the table under {new} a journal of its own"
            )
        if new != old and self.table.state.life != "closed":
            raise ConfigError(f"the table stands open under {old}; close it before it plays by {new}")
        limits = fresh.state.limits
        fresh.restore(saved)
        if fresh.state.life == "closed":
            fresh.state.limits = limits
        fresh.state.devices = dict.fromkeys(sorted(config.devices), "down")
        self.table, self.config = fresh, config

    def _step_back(self, without: int = 0) -> None:
        """Stand before the event that failed, or without one that went well: the last snapshot, and what came since."""
        good = msgspec.json.decode(self._good, type=SteadySaved)
        self.config, self.played_by = from_plain(good.config), good.played_by
        self.table = build_table(self.config)
        self.table.restore(bytes(good.table))
        for taken in self._since:
            if taken.seq != without:
                self._do(taken)

    def snapshot(self, now: bool = False) -> bytes | None:
        """A snapshot when one is due, or wanted now; none that would stand on a key which may still be taken back."""
        if not now and (len(self._since) < SNAPSHOT_EVERY or take_back.last_key(self.table) is not None):
            return None
        self._stand_from_here()
        return self._good

    def save(self) -> bytes:
        rulebook = self.config.table.rulebook
        text = rules.text_of(rulebook) if rules.is_amended(rulebook) else ""
        table = msgspec.Raw(self.table.save())
        saved = SteadySaved(self.position, plain(self.config), table, edition=text, played_by=self.played_by)
        return msgspec.json.encode(saved)

    def restore(self, saved: bytes) -> None:
        """Stand where a snapshot was taken; msgspec.ValidationError where it is none, or in a form unknown here."""
        parts = msgspec.json.decode(saved, type=SteadySaved)
        if parts.form != SAVED_FORM:
            raise msgspec.ValidationError(f"it is in form {parts.form}, and this program knows {SAVED_FORM}")
        self.position = parts.position
        if parts.edition:
            rules.hold(rules.carried(parts.config["table"]["rulebook"]), parts.edition)
        self.config, self.played_by = from_plain(parts.config), parts.played_by
        self.table = build_table(self.config)
        self.table.restore(bytes(parts.table))
        self._good = saved
        self._since = []
