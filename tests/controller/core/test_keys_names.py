"""Whom a key may name is decided key by key: somebody who is at the table, or somebody new as well."""

from __future__ import annotations

import pytest

from controller.core.desk import Refusal
from controller.core.forms import read
from controller.core.guarded import GuardedTable
from controller.core.table import Table
from controller.rules.rulebook import load_rulebook, rulebook_ids
from lab.sim.config import default_config

BOOKS = [(load_rulebook(book).game, book) for book in rulebook_ids()]
NEWCOMERS = {
    "sit": "takes a place",
    "draw_for_seat": "wants a seat that others want too",
    "buy_in": "buys chips before anything else",
    "mispayment": "was paid, and may have gone",
    "personal_limit": "is given limits before they come",
    "player_card": "shows a card",
    "reserve": "a box is kept for them until they come",
    "spoken": "calls a bet out before anybody has asked their name",
    "assign": "laid chips before anybody has asked their name",
    "dealer_placed": "calls a wager to the dealer",
    "warned": "is told of the minimum before they lay a first stake below it",
    "withhold": "is under inquiry before they stake here; at a wheel they have staked",
    "allow_several": "asks before they lay their first stake",
    "bar_player": "is barred from where they stand, before they ever stake",
    "exclude": "is excluded from where they stand, before they ever stake",
    "issue_colour": "buys colour",
    "extra_colour": "buys colour; others wait for one",
}
"""Keys that may name somebody new, and who that is."""
NOBODY_NEW = {"marker": "there are no limits of theirs", "redeem_colour": "the ledger knows no chips of theirs"}
"""Keys whose function tells why nobody of this name can be meant."""


def of(rulebook: str, game: str) -> Table:
    return GuardedTable(default_config(game, rulebook=rulebook)).table


def test_who_may_be_new_to_a_table_is_decided_for_every_key() -> None:
    tables = [of(book, game) for game, book in BOOKS]
    wheel = of("melbourne-wheel", "wheel").game.keys["withhold"]
    assert not any(ask.new_word for ask in wheel.asks)
    keys = [key for one in tables for key in (*one.keys.values(), *one.game.keys.values())]
    new = {key.name for key in keys if any(ask.new_word for ask in key.asks)}
    assert {*NEWCOMERS, *NOBODY_NEW} == new


@pytest.mark.parametrize(("game", "rulebook"), BOOKS)
def test_whoever_must_be_at_the_table_is_refused_where_nobody_is(game: str, rulebook: str) -> None:
    at = of(rulebook, game).game
    asks = [(key.name, ask) for key in at.keys.values() for ask in key.asks if ask.kind == "player"]
    known = {name: ask for name, ask in asks if not ask.suggested}
    assert {"void_player", "player_left", "device_seen", "void"} & at.keys.keys() <= known.keys()
    for ask in known.values():
        with pytest.raises(Refusal, match="there is no 'Zoe' here; there is none now") as no:
            read(ask, "Zoe", at)
        assert no.value.code == "not_there"
