"""Plays written cases of Casino War through table and game alone, without devices."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.desk import Limits, PersonalLimit
from controller.core.effects import Announced, AnyEffect, Noted, Refused, Reversed, Ruled, Settled, WagerResult
from controller.core.events import Command
from controller.core.table import Table
from controller.games.war.cards import parse
from controller.games.war.config import WarConfig, house_of, not_allowed
from controller.games.war.events import CardCame, CardsCameTogether, SourceStopped, StakeLaid
from controller.games.war.game import WarGame
from controller.people import Person
from lab.scenarios.war.acts import OWN, Action, Answer, Draw, Lay, Press, Stop
from lab.scenarios.war.case import Case, read_case
from lab.scenarios.war.script import Script
from tests.controller.alarm_stories import no_flicker

LIMITS = Limits(1000, 50000, 0, 250)


class Play:
    """A table of Casino War that takes what it is told and keeps what it concluded."""

    def __init__(self, rulebook: str, config: WarConfig, limits: Limits = LIMITS) -> None:
        self.table = Table(house_of(rulebook), limits, frozenset(), sign_needed=False)
        self.game = WarGame(self.table, config)
        self.table.game = self.game
        self.effects: list[AnyEffect] = []
        self.seq = 0
        self.at = 0
        self.press("open", rank=4)

    @property
    def phase(self) -> str:
        return self.game.machine.state

    def take(self, event: msgspec.Struct) -> list[AnyEffect]:
        self.seq += 1
        self.at += 1000
        effects = self.table.apply(self.seq, self.at, event)
        self.effects += effects
        no_flicker(effects)
        return effects

    def press(self, key: str, rank: int = 4, **args: Any) -> list[AnyEffect]:
        return self.take(Command(key, Person(f"rank{rank}", rank), args))

    def answer(self, subject: str, answer: str, rank: int = 4, **args: Any) -> list[AnyEffect]:
        asked = self.game.asked(subject)
        assert asked is not None, f"nobody asks about {subject}; open: {self.questions()}"
        return self.press("answer", rank, prompt=asked.prompt, answer=answer, **args)

    def questions(self) -> list[str]:
        return [asked.subject for asked in self.table.state.desk.prompts.values()]

    def card(self, text: str) -> list[AnyEffect]:
        drawing = parse(text)
        return self.take(CardCame(drawing.face, drawing.face_up))

    def cards(self, *texts: str) -> None:
        for text in texts:
            self.card(text)

    def lay(self, wager: str, player: str, box: int, zone: str, amount: int) -> list[AnyEffect]:
        return self.take(StakeLaid(wager, player, box, zone, amount))

    def new_shoe(self, *burn: str) -> None:
        """Check, shuffle, cut and burn, so that betting is open."""
        self.press("check_cards", how="by hand")
        self.press("shuffled")
        if self.phase == "uncut":
            self.answer("cut", "cut")
        self.cards(*burn)

    def refusals(self) -> list[Refused]:
        return [effect for effect in self.effects if isinstance(effect, Refused)]

    def rulings(self) -> list[Ruled]:
        return [effect for effect in self.effects if isinstance(effect, Ruled)]

    def results(self) -> dict[str, WagerResult]:
        """How every wager ended, later words over earlier ones."""
        found: dict[str, WagerResult] = {}
        for effect in self.effects:
            if isinstance(effect, Settled | Reversed):
                found |= {result.wager: result for result in effect.results}
        return found


class Played:
    """One case from beginning to end."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.case: Case = read_case(raw)
        self.play = Play(self.case.rulebook, self.case.config, self.case.limits)
        for player, (least, most) in self.case.personal.items():
            self.play.table.state.personal[player] = PersonalLimit(least, most, marker=True)
        self.script = Script(self.case, self.play.game)
        self.actions: list[Action] = []
        for _ in range(400):
            action = self.script.next()
            if action is None:
                break
            self.actions.append(action)
            self._do(action)

    def _do(self, action: Action) -> None:
        play = self.play
        match action:
            case Lay(wager, player, box, zone, amount, token):
                play.take(StakeLaid(wager, player, box, zone, amount, token))
            case Draw(cards, order_known) if len(cards) > 1:
                play.take(CardsCameTogether(tuple(parse(card).face for card in cards), order_known))
            case Draw(cards, _, how, seen):
                play.card(seen or ("??" if how else cards[0]))
            case Press(key, args, rank, about):
                refused = [effect for effect in play.press(key, rank, **args) if isinstance(effect, Refused)]
                self.script.wrong += [f"{about}: {effect.text}" for effect in refused if about and effect.what == key]
            case Answer(prompt, answer, args, rank):
                play.press("answer", rank, prompt=prompt, answer=answer, **args)
            case Stop(cause):
                play.take(SourceStopped(cause))

    def differences(self) -> list[str]:
        """What came out otherwise than the case expects."""
        wrong = []
        results = {wager: result for wager, result in self.play.results().items() if not wager.startswith(OWN)}
        for line in self.case.expected or []:
            result = results.get(line["wager"])
            if result is None:
                wrong.append(f"{line['wager']}: no result")
                continue
            told = {
                "result": result.result,
                "player": result.player,
                "pays": result.pays / 100,
                "stake_taken": result.stake_taken / 100,
                "stake_returned": result.stake_returned / 100,
            }
            differing = [name for name in told if name in line and told[name] != line[name]]
            wrong += [f"{line['wager']}: {name} {told[name]}, not {line[name]}" for name in differing]
        extra = set(results) - {line["wager"] for line in self.case.expected or []}
        wrong += [f"{wager}: not expected" for wager in sorted(extra)]
        wrong += self.script.differences()
        if self.play.phase not in ("over", "unshuffled", "uncut", "burning", "betting", "blocked"):
            wrong.append(f"stands at {self.play.phase} with {self.play.questions()}")
        return wrong


MELBOURNE, PERTH, STAR = "melbourne-war", "perth-war", "star-war"
BURN = {MELBOURNE: ("2C",), PERTH: ("AC", "2C"), STAR: ("2C",)}
clause = pytest.mark.clause
PERTH_ZONES: dict[str, Any] = {"optional_zones": ("a_bomb", "tie", "perfect_pairs"), "column": 2}


def opened(rulebook: str, limits: Limits = Limits(1000, 50_000, 0, 250), **config: Any) -> Play:  # noqa: B008
    if rulebook == PERTH:
        config = {**PERTH_ZONES, **config}
    play = Play(rulebook, WarConfig(**{"decks": 6, **config}), limits)
    play.new_shoe(*BURN[rulebook])
    for player in ("Ann", "Bob", "Cyd", "Dot"):
        play.press("player_card", player=player)
    assert play.phase == "betting"
    return play


def announced(play: Play, code: str) -> list[tuple[str, tuple[str, ...]]]:
    found = [effect for effect in play.effects if isinstance(effect, Announced) and effect.code == code]
    return [(effect.text, effect.clauses) for effect in found]


def noted(play: Play, what: str) -> list[dict[str, Any]]:
    return [effect.facts for effect in play.effects if isinstance(effect, Noted) and effect.what == what]


def codes(play: Play) -> list[str]:
    return [refusal.code for refusal in play.refusals()]


def wrong(house: str, limits: Limits = Limits(1000, 50_000, 0, 250), **config: Any) -> list[tuple[str, str]]:  # noqa: B008
    base: dict[str, Any] = {"decks": 6, **config}
    return [(one.about, one.clause) for one in not_allowed(house, WarConfig(**base), limits)]


def tied(house: str, **config: Any) -> Play:
    """Ann and Bob tie on boxes 1 and 2, Cyd has lost on 3; the choice is open."""
    play = opened(house, **config)
    for number, player in enumerate(("Ann", "Bob", "Cyd"), 1):
        play.lay(f"m{player}", player, number, "main", 1000)
    play.press("no_more_bets")
    play.cards("KH", "KD", "2C", "KS")
    play.press("settled")
    assert play.phase == "choosing"
    return play
