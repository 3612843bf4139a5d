"""One random walk: a crew that plays, and in between anybody who does anything."""

from __future__ import annotations

import random
from collections.abc import Callable

from lab.explore import beneath, steps
from lab.explore.crew import Crew
from lab.explore.forms import NoForm, filled
from lab.explore.hands import Hands
from lab.explore.steps import AnyStep, Piece
from lab.explore.table import CHIPS, TRAY, ExploredTable, named

IN_ORDER = 0.55
"""How often the crew does the next thing due; the rest is anybody doing anything."""
ANSWERED = 0.5
"""How often it sees to what is asked before anything else; people leave questions open as long as they can play on."""
VALUES = (250, 500, 500, 1_000, 2_500, 10_000)
SLOPPY_MS = (50, 600)
"""How long sloppy hands take between two chips of a stack, and an antenna to find one again."""
NEAR = 3
"""How many areas away chips are laid that match others."""
BY_ROLE = 0.5
"""How often a key that is also somebody's beside the ladder is pressed by them."""
FOREIGN = 0.05
"""How often a chip that is laid is none of this casino."""


Seldom = Callable[[str, str], float]
"""The weight of a key ("keys", its name) or of an answer ("answers", subject and answer) among those offered."""


def all_alike(kind: str, name: str) -> float:
    """Every key and every answer as often as any other."""
    return 1.0


class Walker:
    """Draws the steps of one walk, each from what the table shows when it is due."""

    def __init__(self, table: ExploredTable, hands: Hands, seed: int, seldom: Seldom = all_alike) -> None:
        """`seldom` tells how much a key or an answer is worth trying, by what other walks have reached."""
        self.table, self.hands, self.seldom = table, hands, seldom
        self.draw = random.Random(seed)
        self._crew = Crew(table, hands, self.draw)
        self._crew.first, self._crew.uses_again = self._first, False

    def walk(self, count: int) -> list[AnyStep]:
        """The steps that were done."""
        done = []
        for _ in range(count):
            orderly = self.draw.random() < IN_ORDER
            self._crew.answers = self.draw.random() < ANSWERED
            step = self._crew.next() if orderly else self._anything()
            if step is None:
                continue
            effects = self.table.do(step)
            if orderly:
                self._crew.heard(step, effects)
            if effects is not None:
                done.append(step)
        return done

    def _anything(self) -> AnyStep | None:
        kind = self.draw.random()
        if kind < 0.35:
            return self._chips()
        if kind < 0.55:
            return self.hands.any(self.table, self.draw)
        if kind < 0.8:
            return self._press()
        if kind < 0.92:
            return self._reply()
        return self._trouble()

    def _trouble(self) -> AnyStep:
        kind = self.draw.random()
        if kind < 0.3:
            return steps.Wait(self.draw.choice((1, 6, 30, 900)))
        if kind < 0.45:
            return steps.Restart()
        if kind < 0.6:
            return steps.Told(self.draw.choice(beneath.GOES_WRONG))
        place = self.draw.choice(sorted(self.table.config.devices))
        if kind < 0.68:
            return steps.Trouble(place, over=place in self.table.troubled)
        return steps.Plug(place, place in self.table.down, self.draw.random() < 0.3)

    # -- chips -------------------------------------------------------------------------------------------------

    def _chips(self) -> AnyStep | None:
        areas = [area for area in (TRAY, *self.table.areas) if self.table.lying(area)]
        kind = self.draw.random()
        if kind < 0.3 or not areas:
            apart = self.draw.random() < 0.3
            return steps.Lay(self.draw.choice(self.table.areas), self._pieces(), apart, self._ms() if apart else 0)
        area = self.draw.choice(areas)
        if kind < 0.35:
            return self._fumble(area)
        if kind < 0.4:
            return self._as_much_again(area)
        tags = self._some(area)
        if kind < 0.6:
            return steps.Lift(area, tags)
        if kind < 0.85:
            to = self.draw.choice((TRAY, *self.table.areas))
            return steps.Slide(area, to, tags, apart=self.draw.random() < 0.3)
        if kind < 0.92:
            return steps.Swap(area, tags, self._pieces())
        return self._straddle()

    def _fumble(self, area: int) -> AnyStep:
        """A stack is straightened, or some of it is not read for a moment."""
        whole = area != TRAY and self.draw.random() < 0.5
        tags = tuple(self.table.lying(area)) if whole else self._some(area)
        return steps.Fumble(area, tags, self._ms(), in_part=self.draw.random() < 0.3)

    def _ms(self) -> int:
        """What lies between two chips of one stack, or how long one is out of sight."""
        return self.draw.randint(*SLOPPY_MS)

    def _as_much_again(self, area: int) -> AnyStep | None:
        """As much as lies on an area is laid near it, in one chip or in parts, as people match and raise stakes."""
        cents = self.table.worth(area)
        near = self.table.areas[max(0, area - 1 - NEAR) : area + NEAR]
        if area == TRAY or not cents:
            return None
        parts = (cents,) if self.draw.random() < 0.7 else (cents // 2, cents - cents // 2)
        return steps.Lay(self.draw.choice(near), tuple(Piece(self.table.tag(), part) for part in parts if part))

    def _straddle(self) -> AnyStep | None:
        if CHIPS in self.table.down:
            return None
        for tag, chip in self.table.straddling.items():
            return steps.Straddle(chip, (), over=bool(tag))
        first = self.draw.choice(self.table.areas[:-1])
        return steps.Straddle(self._piece(), (first, first + 1))

    def _pieces(self) -> tuple[Piece, ...]:
        return tuple(self._piece() for _ in range(self.draw.choice((1, 1, 2, 3))))

    def _piece(self) -> Piece:
        if self.draw.random() < FOREIGN:
            return Piece(self.table.tag(), 0, "unknown")
        return Piece(self.table.tag(), self.draw.choice(VALUES))

    def _some(self, area: int) -> tuple[int, ...]:
        """A whole stack, or a part of it; of the tray a few chips."""
        tags = list(self.table.lying(area))
        most = min(len(tags), 3)
        whole = area != TRAY and self.draw.random() < 0.5
        return tuple(tags if whole else self.draw.sample(tags, self.draw.randint(1, most)))

    # -- keys and answers --------------------------------------------------------------------------------------

    def _press(self) -> AnyStep | None:
        names = self.table.keys()
        if not names:
            return None
        key = self.table.offered(self.draw.choices(names, [self.seldom("keys", name) for name in names])[0])
        if key is None:
            return None
        try:
            args = filled(key.asks, self.draw)
        except NoForm:
            return None
        role = key.role if key.role and self.draw.random() < BY_ROLE else ""
        return steps.Press(key.name, self._rank(key.rank), args, accept=self.draw.random() < 0.3, role=role)

    def _reply(self) -> AnyStep | None:
        prompts = list(self.table.table.state.desk.prompts.values())
        if not prompts:
            return None
        asked = self.draw.choice(prompts)
        weights = [self.seldom("answers", named(asked.subject, option.answer)) for option in asked.options]
        option = self.draw.choices(asked.options, weights)[0]
        try:
            args = filled(tuple(self.table.table.game.asks(asked, option.answer)), self.draw)
        except NoForm:
            return None
        reason = {"reason": "as seen"} if option.needs_reason else {}
        return steps.Reply(asked.subject, option.answer, self._rank(option.rank), {**args, **reason})

    def _first(self, subject: str, answer: str) -> float:
        """A crew on its walk takes any answer, those before others that were seldom taken."""
        return self.draw.random() / self.seldom("answers", named(subject, answer))

    def _rank(self, least: int) -> int:
        """Mostly somebody who may, sometimes anybody."""
        return self.draw.randint(1 if self.draw.random() < 0.1 else max(least, 1), self.table.ranks)
