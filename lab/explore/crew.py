"""A plain crew: it does only what the page shows, one thing after the other, until rounds are finished."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from controller.core.desk import Key
from controller.core.effects import AnyEffect, Asked, Option, Refused
from firmware_specs.cards import DECK
from lab.explore import steps
from lab.explore.forms import NoForm, filled
from lab.explore.hands import Hands
from lab.explore.steps import AnyStep, Piece
from lab.explore.table import CHIPS, TRAY, ExploredTable, refused
from simulators.people.chips import worth_exactly

SEARCH_AFTER = 12
"""So many things that led nowhere, and the crew looks through all the keys there are."""
ANSWERS_TRIED = 4
KEYS_TRIED = 5
"""How often an answer is tried, each time with its form filled otherwise."""
STAKE = 1_000
TAKE = ("not_collected", "overpaid", "paid_twice", "paid_without_win")
PAY = ("underpaid", "overcollected")
CARRIED_TWICE = 2
STAKES_TRIED = 6
HEEDED = {
    "float": "float_explained",
    "float_not_seen": "float_explained",
    "configuration": "limits",
    "unsigned": "sign_booking",
}
"""The key that the remedy of such an alarm speaks of, at any game."""
USUAL: dict[str, dict[str, Any]] = {"limits": {"least": 500, "most": 50_000}}
"""What a crew enters that wants a form to be right."""


class Crew:
    """What the crew remembers between two looks at the page: what was refused, and what chips have followed."""

    def __init__(self, table: ExploredTable, hands: Hands, draw: random.Random) -> None:
        self.table, self.hands, self.draw = table, hands, draw
        self.tried: dict[str, int] = {}
        self.refused_answers: dict[str, set[str]] = {}
        self.idle = 0
        self.answers = self.uses_again = True
        self.first: Callable[[str, str], float] = lambda subject, answer: 0.0
        """Which answers are tried before others, the lowest first; the proposal where none is."""
        self._carried: dict[str, int] = {}
        self._taken: set[str] = set()
        self._told: set[str] = set()
        self._laid_in = -1
        self._stakes = 0
        self._stood = self._stands()

    def next(self) -> AnyStep:
        """The next thing to do."""
        self._stood = self._stands()
        return (
            self._plug()
            or self._use_again()
            or self._see_to_life()
            or self._answer()
            or self._seen_by_mat(self.hands.chips_asked(self.table))
            or self._seen_by_mat(self._take_and_pay())
            or self._press("taken_and_paid")
            or self._clear_felt()
            or self._seen_by_mat(self._stake())
            or self._seen_by_mat(self._hands_on())
            or self._seen_by_mat(self._stake(again=True))
            or self._press_main()
            or self._search()
            or steps.Wait(30)
        )

    def heard(self, step: AnyStep, effects: list[AnyEffect] | None) -> None:
        """What came of it: what was refused is not tried again until something else has happened."""
        match step:
            case steps.Press():
                name = step.key
            case steps.Reply():
                name = f"{step.subject}={step.answer}"
            case _:
                name = ""
        self._told = {effect.code for effect in effects or () if isinstance(effect, Refused)}
        what = "answer" if isinstance(step, steps.Reply) else name
        nothing = effects is None or (bool(name) and refused(effects, what))
        if not nothing and (not name or self._stood != self._stands()):
            self.tried.clear()
            self._taken.clear()
        elif not nothing and name not in self._taken:
            # It led nowhere by itself, and may have been what another key was waiting for.
            self._taken.add(name)
            self.tried = {one: times for one, times in self.tried.items() if one in self._taken}
        if name:
            self.tried[name] = self.tried.get(name, 0) + 1
        if isinstance(step, steps.Reply):
            known = self.refused_answers.setdefault(step.subject, set())
            known.add(step.answer) if nothing else known.clear()
        self.idle = self.idle + 1 if nothing else 0

    def _stands(self) -> tuple[str, str, int, tuple[str, ...]]:
        """Where the table stands, for telling whether a key led anywhere."""
        state = self.table.table.state
        return state.life, self.table.state, self.table.rounds, tuple(state.desk.prompts)

    # -- what is down or closed --------------------------------------------------------------------------------

    def _plug(self) -> AnyStep | None:
        for place in sorted(self.table.down):
            return steps.Plug(place, True)
        for place in sorted(self.table.troubled):
            return steps.Trouble(place, over=True)
        for put_right in self.table.standing.values():
            return steps.Told(put_right)
        for tag, chip in self.table.straddling.items():
            return steps.Straddle(chip, (), over=bool(tag))
        return self._take_off_foreign()

    def _use_again(self) -> AnyStep | None:
        """A crew that ends a walk listens again to what is heard; one on its way may play on without."""
        by_hand = [place for place in self.table.table.state.by_hand if place not in self.table.down]
        over = self.table.offered("by_hand_over") if self.uses_again and by_hand else None
        if over is None or self.tried.get(over.name, 0) >= KEYS_TRIED:
            return None
        return steps.Press(over.name, max(over.rank, 1), {"device": by_hand[0]})

    def _seen_by_mat(self, step: AnyStep | None) -> AnyStep | None:
        """Chips that no mat reads are keyed: what is laid, with whose it is; what is taken off is told at once."""
        if not self.table.without(CHIPS):
            return step
        match step:
            case steps.Lay(area, chips) if player := self.hands.player_at(self.table, area):
                return self.table.keyed("chips_laid", area=area, player=player, cents=sum(one.cents for one in chips))
            case steps.Lay() | steps.Lift() | steps.Slide():
                return None
        return step

    def _take_off_foreign(self) -> AnyStep | None:
        """What is no chip of this casino is taken off, as the page says."""
        for area, pieces in self.table.felt.items():
            if foreign := tuple(tag for tag, piece in pieces.items() if not piece.cents):
                return steps.Lift(area, foreign)
        return None

    def _see_to_life(self) -> AnyStep | None:
        state = self.table.table.state
        stands = not self.table.table.playing or state.faults or state.troubles
        return (stands and (self._press("clear_fault") or self._press("open"))) or self._heed_alarms()

    def _heed_alarms(self) -> AnyStep | None:
        """An alarm or a refusal that speaks of what a key does has it pressed."""
        kinds = self._told | set(self.table.table.state.desk.kinds.values())
        for kind, name in {**HEEDED, **self.hands.heeded}.items():
            if kind in kinds and (step := self._press(name)):
                return step
        return None

    # -- questions ---------------------------------------------------------------------------------------------

    def _answer(self) -> AnyStep | None:
        if not self.answers:
            return None
        for asked in self.table.table.state.desk.prompts.values():
            options = sorted(asked.options, key=partial(self._order, asked))
            for option in options:
                if self.tried.get(f"{asked.subject}={option.answer}", 0) < ANSWERS_TRIED:
                    args = self._form_of(asked, option.answer)
                    if args is not None:
                        reason = {"reason": "looked at"} if option.needs_reason else {}
                        return steps.Reply(asked.subject, option.answer, self.table.ranks, {**args, **reason})
        return None

    def _order(self, asked: Asked, option: Option) -> tuple[float, bool]:
        return self.first(asked.subject, option.answer), option.answer != asked.proposal

    def _form_of(self, asked: Asked, answer: str) -> dict[str, object] | None:
        asks = self.table.table.game.asks(asked, answer)
        try:
            return filled(tuple(asks), self.draw, plainly=self.idle < SEARCH_AFTER)
        except NoForm:
            return None

    # -- chips -------------------------------------------------------------------------------------------------

    def _take_and_pay(self) -> AnyStep | None:
        """What the page names as not yet taken or paid; what did not help twice is left to whoever may accept it."""
        for one in self.table.table.money.findings():
            name = f"{one.kind} {one.area} {one.cents}"
            if one.kind not in TAKE + PAY:
                continue
            self._carried[name] = self._carried.get(name, 0) + 1
            if self._carried[name] > CARRIED_TWICE:
                continue
            step = (
                self._carry(one.area, TRAY, one.cents) if one.kind in TAKE else self._carry(TRAY, one.area, one.cents)
            )
            if step is not None:
                return step
        return None

    def _carry(self, area: int, to: int, cents: int) -> AnyStep | None:
        lying = self.table.lying(area)
        values = {tag: piece.cents for tag, piece in lying.items()}
        if area == TRAY:
            tags = from_tray(values, cents)
        elif sum(values.values()) <= cents:
            tags = list(values)
        else:
            tags = worth_exactly(list(values), cents, values) or []
        return steps.Slide(area, to, tuple(tags)) if tags else None

    def _clear_felt(self) -> AnyStep | None:
        """Between two rounds players take what is theirs."""
        if self.table.state not in self.hands.resting:
            return None
        for area in self.table.areas:
            if lying := self.table.lying(area):
                return steps.Lift(area, tuple(lying))
        return None

    def _stake(self, again: bool = False) -> AnyStep | None:
        """A player stakes in each round; where that led nowhere, chips are lifted and laid `again`, then elsewhere."""
        table = self.table
        if table.state not in self.hands.betting or not table.table.playing:
            return None
        if self._laid_in != table.rounds:
            self._laid_in, self._stakes = table.rounds, 0
            self._carried.clear()
        if self._stakes > (STAKES_TRIED if again else 0):
            return None
        if (step := self.hands.before_staking(table)) is not None:
            return step
        if not (areas := self.hands.stakes(table)):
            return None
        self._stakes += 1
        area = areas[self._stakes // 3]
        if lying := table.lying(area):
            return steps.Lift(area, tuple(lying)) if again else None
        return steps.Lay(area, tuple(Piece(table.tag(), STAKE // 2) for _ in range(2)))

    def _hands_on(self) -> AnyStep | None:
        """What the page asks of hands; a key among it is not pressed for ever."""
        step = self.hands.next(self.table, self.draw)
        worn = isinstance(step, steps.Press) and self.tried.get(step.key, 0) >= KEYS_TRIED
        return None if worn else step

    # -- keys --------------------------------------------------------------------------------------------------

    def _press_main(self) -> AnyStep | None:
        """The large key of the page."""
        for name in self.hands.main(self.table):
            if step := self._press(name, self.hands.main_args(self.table)):
                return step
        return None

    def _press(self, name: str, told: dict[str, Any] | None = None) -> AnyStep | None:
        key = self.table.offered(name) if self.tried.get(name, 0) < KEYS_TRIED else None
        return self._filled(key, told or {}) if key is not None else None

    def _filled(self, key: Key, told: dict[str, Any]) -> AnyStep | None:
        """First as somebody of its rank would, then as the highest, who takes what cannot be put right as it is."""
        again = self.tried.get(key.name, 0) > 0
        try:
            args = USUAL.get(key.name) or filled(key.asks, self.draw, self.idle < SEARCH_AFTER, self._cards_named())
        except NoForm:
            return None
        known = {name: value for name, value in told.items() if name in key.args or name in {a.name for a in key.asks}}
        return steps.Press(key.name, self.table.ranks if again else max(key.rank, 1), {**args, **known}, accept=again)

    def _cards_named(self) -> tuple[str, ...]:
        """Cards that alarms are about."""
        codes = (code.rpartition(":")[2] for code in self.table.table.state.desk.alarms)
        return tuple(card for card in codes if card in DECK)

    def _search(self) -> AnyStep | None:
        """Nothing usual helps: whatever else the page offers to put things right, in any order."""
        names = list(self.hands.remedies)
        self.draw.shuffle(names)
        for name in names:
            if step := self._press(name):
                return step
        return None


def from_tray(values: dict[int, int], cents: int) -> list[int]:
    """Chips of the tray worth so much, or as near below as it can."""
    chosen = []
    for tag, value in sorted(values.items(), key=lambda one: -one[1]):
        if value <= cents:
            chosen.append(tag)
            cents -= value
    return chosen
