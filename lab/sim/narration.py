"""What a simulated table does, one short line an event for whoever watches the terminal; the log file has the rest."""

from __future__ import annotations

import time
from collections.abc import Callable

from controller.core.effects import Alarmed, AlarmOver, Announced, AnyEffect, Asked, Refused, Reversed, Ruled, Settled
from controller.core.runtime import Runtime, Told
from controller.money.amounts import dollars

Say = Callable[[str], None]

PATIENCE_S = 2.0
"""An alarm that is over by then was a device that starts, or a sign that has just been told: nothing to look at."""
TO_STAFF = ("dealer", "all", "console")
REMINDER = "remind"
"""What a dealer is reminded to say is told once it is said."""


class Narration:
    """Follows one table; an alarm is told once it has stood for a moment, and its end only where it was told."""

    def __init__(self, runtime: Runtime, say: Say) -> None:
        self._runtime, self._say = runtime, say
        self._told: dict[str, str] = {}
        self._waiting: set[str] = set()
        self._round = runtime.table.state.round
        runtime.watchers.append(self.watch)

    def watch(self, told: Told) -> None:
        """One line for what this event led to; its own round, which a settlement has already counted."""
        lines = [line for effect in told.effects if (line := self._words(effect))]
        if lines:
            self._line(told.at, "; ".join(dict.fromkeys(lines)))
        self._round = self._runtime.table.state.round

    def _line(self, at: int, text: str) -> None:
        clock = time.strftime("%H:%M:%S", time.localtime(at / 1000))
        self._say(f"{clock}  {self._runtime.table.house.round_word} {self._round:<4} {text}")

    def _words(self, effect: AnyEffect) -> str:
        match effect:
            case Announced(to, code, text, _) if to in TO_STAFF and not code.startswith(REMINDER):
                return text
            case Asked():
                return f"Asked: {effect.text}"
            case Ruled():
                said = dict.fromkeys((_plain(effect.subject), effect.answer.replace("_", " ")))
                return f"{self._name(effect.by)}: {', '.join(filter(None, said))}"
            case Refused():
                return f"Refused: {effect.text}"
            case Settled():
                return _settled(effect)
            case Reversed():
                return "The settlement is taken back"
            case Alarmed():
                self._soon(effect)
            case AlarmOver() if effect.code in self._told:
                return f"Over: {self._told.pop(effect.code)}"
        return ""

    def _name(self, who: str) -> str:
        known = self._runtime.guarded.config.person(who)
        return known.name if known else who

    def _soon(self, alarm: Alarmed) -> None:
        if alarm.code in self._waiting or alarm.code in self._told:
            return
        self._waiting.add(alarm.code)
        self._runtime.clock.call_later(PATIENCE_S, self._still, alarm)

    def _still(self, alarm: Alarmed) -> None:
        self._waiting.discard(alarm.code)
        state = self._runtime.table.state
        if alarm.code in state.desk.alarms or alarm.code in state.faults:
            self._told[alarm.code] = alarm.text
            self._line(self._runtime.clock.wall(), f"ALARM: {alarm.text} {alarm.remedy}")


def _settled(settled: Settled) -> str:
    pays = sum(result.pays for result in settled.results)
    takes = sum(result.stake_taken for result in settled.results)
    return f"Settled, {_plain(settled.outcome)}: pays {dollars(pays)}, takes {dollars(takes)}"


def _plain(code: str) -> str:
    return code.partition(":")[0].replace("_", " ")
