"""Somebody who presses whatever the page offers at a tournament's table, as anybody, with anything it offers."""

from __future__ import annotations

from random import Random
from typing import Any

from controller.core.desk import Ask
from controller.core.events import Command, SignedIn, SignedOut, TimerDue
from controller.people import Person
from controller.tournament.questions import QUESTIONS
from tests.controller.tournament.cup import DEALER, DEPUTY, DIRECTOR

PEOPLE = (DIRECTOR, DIRECTOR, DEPUTY, DEALER, DEALER, Person("H1", 2), Person("A1", 3), Person("C1", 4))
SELDOM = ("answer", "close", "abandon", "disqualify", "retire", "end_certain", "bar_player", "exclude")
WORDS = ("x", "main", "P9", "red")


def told(rng: Random, ask: Ask, owner: Any) -> Any:
    """Something that fits what is asked for; nothing where there is nothing to choose."""
    offered = [value for value, _ in ask.shown(owner).choices]
    if ask.kind == "slip" or (ask.kind == "choice" and not offered):
        return None
    if offered and ask.number:
        return int(rng.choice(offered))
    simple = {"number": (0, 1, 500, 10_000), "money": (10_000, 50_000, 100_000), "flag": (True, False)}
    values = {**simple, "accept": (True, False), "rate": (5,), "card": ("KS",)}
    if ask.kind in values:
        return rng.choice(values[ask.kind])
    if ask.kind in ("names", "numbers", "cards", "amounts") or ask.several:
        return rng.sample(offered, rng.randint(0, len(offered)))
    return rng.choice(offered or list(WORDS))


def form(rng: Random, asks: tuple[Ask, ...], owner: Any) -> dict[str, Any]:
    wanted = {ask.name: told(rng, ask, owner) for ask in asks if not ask.optional or rng.random() < 0.5}
    return {name: value for name, value in wanted.items() if value is not None}


def step(rng: Random, play: Any) -> None:
    """One thing that somebody does, or that happens by itself; whatever is refused changes nothing."""
    table = play.table
    chance = rng.random()
    if chance < 0.1:
        who = rng.choice((DIRECTOR, DEPUTY))
        came = rng.random() < 0.7
        play.event(SignedIn("pit", who) if came else SignedOut("pit", who, "signed out by card"))
    elif chance < 0.15 and table.state.desk.timers:
        timer = rng.choice(sorted(table.state.desk.timers))
        play.at = max(play.at, table.state.desk.timers[timer])
        play.event(TimerDue(timer))
    elif chance < 0.35 and table.state.desk.prompts:
        asked = rng.choice(list(table.state.desk.prompts.values()))
        option = rng.choice(asked.options)
        mine = asked.subject.partition(":")[0] in QUESTIONS
        owner, questions = (table.session, QUESTIONS) if mine else (table.game, type(table.game).questions)
        args = form(rng, questions.asks(owner, asked, option.answer), owner)
        said = {"prompt": asked.prompt, "answer": option.answer, "reason": "walk"}
        play.event(Command("answer", rng.choice(PEOPLE), {**args, **said}))
    else:
        keys = [key for key in table.available() if key.name not in SELDOM or rng.random() < 0.02]
        if keys:
            key = rng.choice(keys)
            owner = table.owned(key).owner if key.name in table.keys else table.game
            play.event(Command(key.name, rng.choice(PEOPLE), form(rng, key.asks, owner)))
