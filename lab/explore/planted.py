"""Defects that were mended, planted again: each mend taken out in memory, and what walks then have to find."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from controller.core.desk import Limits, LimitsInForce
from controller.core.effects import Refused
from controller.core.keys import Keys
from controller.games.poker import deck
from controller.games.poker.keys import KEYS as POKER_KEYS
from controller.games.war import alarms as war_alarms
from controller.games.war import betting, dealing, seen, voids
from controller.games.war.keys import KEYS as WAR_KEYS
from controller.games.war.play import War
from controller.games.war.round import Consequences
from controller.games.wheel import lines
from controller.games.wheel.game import WheelGame
from controller.money import payment
from controller.money.table_money import Money
from controller.web import routes
from lab.explore.campaign import AT_THE_USUAL, shows, shrunk, tables, walked
from lab.explore.coverage import IN_VAIN, Coverage
from lab.explore.steps import Walk

Patched = tuple[Any, str, Any]
WALKS = 3_000
"""So many walks are made until a planted defect is found."""
LENGTH = (5, 60)


TRIED_OFTEN = 100.0


class Planted(NamedTuple):
    """One defect: its name, where it shows, what is found of it, and what is changed to have it again."""

    name: str
    rulebook: str
    finding: str
    changed: tuple[Patched, ...]
    table: str = ""
    """Where it shows, if that is one table of its rulebook alone."""

    def seldom(self, kind: str, name: str) -> float:
        """A key that may be offered in vain is pressed more often than any other, wherever it is offered."""
        return TRIED_OFTEN if kind == "keys" and self.finding == f"{IN_VAIN}: {name}" else 1.0

    @property
    def game(self) -> str:
        return self.rulebook.rpartition("-")[2]

    @contextmanager
    def planted(self) -> Iterator[None]:
        """While this holds, the mend is out."""
        with ExitStack() as stack:
            for owner, name, value in self.changed:
                stack.enter_context(
                    patch.dict(owner, {name: value}) if isinstance(owner, dict) else patch.object(owner, name, value)
                )
            yield


def _nothing(*args: Any, **kwargs: Any) -> None:
    """What a mend does is not done."""


def _any_refusal(key: str, effects: Any) -> Refused | None:
    return next((effect for effect in effects if isinstance(effect, Refused)), None)


def _stays(owner: Any, about: Any) -> bool:
    return True


def _without_end(alarm: Any) -> tuple[Patched, ...]:
    return ((alarm, "while_", staticmethod(_stays)), (alarm, "for_the_round", False), (alarm, "seen_to", ""))


def _always_offered(keys: Keys[Any], name: str) -> tuple[Patched, ...]:
    """A key means something wherever a row for what it fires starts, whatever else it needs."""
    return ((keys._declared, name, keys._declared[name]._replace(when=None)),)


_limits_of = LimitsInForce.of


def _personal_first(limits: LimitsInForce, player: str, bet: str) -> Limits:
    own = limits.personal.get(player)
    if own is not None and own.marker:
        return msgspec.structs.replace(limits.table, least=own.least, most=own.most)
    return _limits_of(limits, player, bet)


_now_in_play: Callable[[War, Any], None] = betting._now_in_play


def _but_for_ties_alone(game: War, wagers: Any) -> None:
    invalid = {stake.id for stake in game.state.round.stakes if stake.status == "invalid"}
    _now_in_play(game, set(wagers) - invalid)


def _all_owed(money: Money) -> frozenset[int]:
    watch = money.state.watch
    return frozenset(watch.came.keys() & watch.house) if money.state.called_off and watch is not None else frozenset()


_onto = payment._onto


def _onto_and_still_the_houses(watch: payment.Watch, tag: int, area: int, cents: int) -> None:
    swept_in = tag in watch.house and tag not in watch.slid
    _onto(watch, tag, area, cents)
    watch.house |= {tag} if swept_in else set()


PLANTED = (
    Planted("a card pushed back after the round stays counted as drawn", "melbourne-war", "cards not conserved",
            ((seen, "_inside_again", _nothing),)),
    Planted("chips of the tray on a Tie alone count as a payment", "star-war",
            "a right payment is called paid without win",
            ((betting, "_now_in_play", _but_for_ties_alone), (Money, "bets_closed", _nothing))),
    Planted("refused chips of the tray count as a payment", "star-war", "closed as paid and is not",
            ((Money, "bets_closed", _nothing),)),
    Planted("a war stake out of the tray counts as a payment", "melbourne-war", "closed as paid and is not",
            ((Money, "staked", _nothing),)),
    Planted("a paid winner's chips that are slid on are paid again", "perth-war",
            "the page orders a payment where nothing was won", ((payment, "_paid_as_due", lambda *asked: False),)),
    Planted("chips laid while the cards are unchecked never become a stake", "melbourne-war",
            "chips lie there and are no stake", ((Consequences, "take_lying", _nothing),)),
    Planted("a round begins and is paid while a wrong deck is asked about or known", "star-war",
            "a round begins while asked: wrong_deck", ((War, "stopped_by", None), (War, "unanswered", None))),
    Planted("blocked cards are played", "star-war", "a round begins while known: the cards are blocked",
            ((War, "stopped_by", None), (War, "unanswered", None))),
    Planted("a card through a locked gate begins a round though a check is due", "perth-war",
            "a round begins while known: a check of all cards is due", ((War, "stopped_by", None),)),
    Planted("the outcome is cancelled after the next round has begun, and that one is void", "melbourne-war",
            "an answer about an earlier round voids this one", ((voids.Cancel, "stops_play", False),)),
    Planted("a question asked during a shuffle does not hold the round", "melbourne-war",
            "paid while asked: void_round", ((Consequences, "take_up", dealing.deal_on),)),
    Planted("a key that was carried out is answered as refused", "star-war",
            "a key carried out is answered as refused: refuse_stake", ((routes, "refusal_of", _any_refusal),)),
    Planted("the alarm of a moved stake never ends", "melbourne-war", "alarm outlives its cause: moved",
            _without_end(war_alarms.StakeMoved)),
    Planted("the alarm of chips astray never ends", "perth-war", "alarm outlives its cause: astray",
            _without_end(war_alarms.Astray)),
    Planted("the alarm of a card out of turn never ends", "star-war", "alarm outlives its cause: card_out_of_turn",
            _without_end(war_alarms.OutOfTurn)),
    Planted("the alarm of a card pushed back never ends", "melbourne-war", "alarm outlives its cause: pushed_back",
            _without_end(war_alarms.PushedBack)),
    Planted("the alarm of a second reading never ends", "melbourne-war", "alarm outlives its cause: read_differs",
            _without_end(war_alarms.ReadDiffers)),
    Planted("the alarm of an early cutting card never ends", "perth-war",
            "alarm outlives its cause: cutting_card_early", _without_end(war_alarms.CutEarly)),
    Planted("the alarm of a card set aside never ends", "melbourne-war", "alarm outlives its cause: set_aside",
            _without_end(war_alarms.SetAside)),
    Planted("the alarm of a chip on a line never ends", "star-war", "alarm outlives its cause: unclear",
            _without_end(war_alarms.AcrossTheLine)),
    Planted("a player's own limits hold for a bet that has its own", "star-war",
            "an amount that the stake does not give", ((LimitsInForce, "of", _personal_first),), "own limits"),
    Planted("a burned card is offered to be shown where none ever is", "perth-war", f"{IN_VAIN}: show_burn",
            _always_offered(WAR_KEYS, "show_burn")),
    Planted("a fee by time is collected where commission is none by time", "melbourne-poker",
            f"{IN_VAIN}: collect_time", _always_offered(POKER_KEYS, "collect_time")),
    Planted("a fee by time is checked where none is taken", "melbourne-poker", f"{IN_VAIN}: check_time_charge",
            _always_offered(POKER_KEYS, "check_time_charge")),
    Planted("all is recorded and the cards stay blocked", "star-war",
            "a round begins while known: the cards are blocked", ((Consequences, "release_cards", _nothing),)),
    Planted("a chip on the line that was lifted stays a wager", "melbourne-wheel",
            "a wager of chips that did not lie there", ((lines, "left_line", lines.seen_on_area),)),
    Planted("a stake taken by mistake and given back is paid when it is slid on", "melbourne-wheel",
            "the page orders a payment where nothing was won", ((payment, "_onto", _onto_and_still_the_houses),)),
    Planted("chips that lie in place of a stake taken back are no wager", "melbourne-wheel",
            "chips that lay there are no wager", ((Money, "owed_back", _all_owed),)),
    Planted("winnings are paid while it is asked about a player's device", "melbourne-wheel",
            "paid while asked: device", ((WheelGame, "_standing", lambda game: (set(), set(), set(), frozenset())),)),
    Planted("a hand is dealt from a deck that its shuffler calls defective", "melbourne-poker",
            "paid while known: the deck is defective", ((deck, "deck_is_defective", lambda **found: False),)),
)  # fmt: skip


class Caught(NamedTuple):
    """A planted defect that walks have found: how many it took, and the shortest that shows it."""

    walks: int
    walk: Walk


def caught(one: Planted, seed: int = 1, walks: int = WALKS, shorten: bool = False) -> Caught | None:
    """Walk over the tables of its rulebook with the mend taken out, until it is found; None where it never is."""
    known, cover = list(tables(one.game, one.rulebook)), Coverage(one.game, one.rulebook)
    with one.planted():
        for number in range(1, walks + 1):
            draw = random.Random(f"{one.name} {seed} {number}")
            name = known[0] if draw.random() < AT_THE_USUAL else draw.choice(known)
            start = Walk(
                one.game, one.rulebook, draw.randrange(10**9), (), finding=one.finding, table=one.table or name
            )
            table, walk, end = walked(start, draw.randint(*LENGTH), one.seldom)
            cover.take(table)
            if any(found.name == one.finding for found in cover.in_vain()):
                return Caught(number, walk)
            for found in end.found:
                if found.name.startswith(one.finding):
                    walk = msgspec.structs.replace(walk, finding=found.name, text=found.text)
                    return Caught(number, shrunk(walk, found.name) if shorten and shows(walk, found.name) else walk)
    return None
