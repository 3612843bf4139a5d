"""A device that is dead for the night: people tell at the page what it would have told, until it is used again.

What is keyed becomes the event that the device would have sent, so that rules, settlement and books are the same.
Loaded only where somebody plays by hand; what is asked for instead of each device, the game says (`Part`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import msgspec

from controller import games
from controller.core import device_faults
from controller.core.desk import Ask, Key, Refusal
from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipsSwept
from controller.core.keys import CHIPS, Keys
from controller.core.state import ByHand
from controller.core.table import Table
from controller.money import payment, unseen
from controller.money.amounts import dollars
from controller.people import TABLE, Person

G = TypeVar("G")
MAT = "chips"
FIRST_TAG = 1 << 62
"""Chips that nobody reads are numbered from here on; no tag of a real one is that long."""


class Part(Generic[G]):
    """What one game asks for instead of its devices."""

    keys: Keys[G]

    def begins(self, game: G, kind: str) -> None:
        """Nothing that such a device told last is waited for any more."""

    def ends(self, game: G, kind: str) -> None:
        """It is listened to again, between two rounds."""

    def meanwhile(self, game: G, event: msgspec.Struct) -> None:
        """It tells something that does not count; what must be known of it when it is used again."""

    def lying(self, game: G) -> dict[int, list[Chip]]:
        """The chips that lie on the layout, as the mat told them last."""
        return {}

    def areas(self, game: G) -> Iterator[tuple[str, str]]:
        """Where chips are laid."""
        return iter(())

    def players(self, game: G) -> Iterator[tuple[str, str]]:
        """Who may lay them, as far as it is known."""
        return iter(())

    def lays(self, game: G, area: int, player: str) -> None:
        """The next chips on this area are this player's."""

    def laid(self, game: G, tag: int, player: str) -> None:
        """These chips were."""


def _part(table: Table) -> Part[Any]:
    return games.find(table.game.name).by_hand()


def told(table: Table) -> dict[str, Key]:
    """The keys that stand in for the devices."""
    return {**KEYS.of(table.house), **_part(table).keys.of(table.house)}


def owned(table: Table, name: str) -> tuple[Keys[Any], Any]:
    """Whose such a key is."""
    return (KEYS, table) if name in KEYS else (_part(table).keys, table.game)


# -- it begins and ends ----------------------------------------------------------------------------------------------


def begin(table: Table, place: str, by: Person, reason: str) -> None:
    """From now on nothing counts that this device tells."""
    state, kind = table.state, table.kind_of(place)
    clause = table.house.own("by_hand", "resume").clause
    declared = state.by_hand[place] = ByHand(table.desk.at, by.id, state.round, reason)
    for code in [code for code in state.faults if code.partition(":")[0] == place]:
        state.troubles[code] = state.faults.pop(code)
    if kind == MAT:
        tray = [Chip(tag, "cash", cents) for tag, cents in table.money.state.tray.tray.items()]
        rack = [Chip(tag, "colour", 0) for tag in table.money.state.rack]
        declared.seen = {**_part(table).lying(table.game), 0: [*tray, *rack]}
        unseen.begin(table.money)
    _part(table).begins(table.game, kind)
    table.desk.ruled("by_hand", f"play on without “{place}”", by, (clause,) if clause else (), reason)
    table.desk.note("by_hand", place=place, kind=kind, round=state.round, by=by.id, reason=reason)
    table.desk.announce("all", "by_hand", f"Played without “{place}” from now on: key in what it would tell.")
    table.show_sign()


def over(table: Table, place: str, by: Person) -> None:
    """It is listened to again; what it knows by now takes the place of what was keyed."""
    _check_usable(table, place)
    clause = table.house.own("by_hand", "resume").clause
    table.desk.ruled("by_hand", f"use “{place}” again", by, (clause,) if clause else ())
    _end(table, place, by)
    table.desk.announce("all", "by_hand", f"“{place}” is used again: what it tells counts from now on.")
    table.show_sign()


def _check_usable(table: Table, place: str) -> None:
    if table.state.devices[place] != "up":
        text = f"“{place}” is not heard; check its power and its cable, then use it again."
        raise Refusal("not_heard", text)
    if not table.game.idle():
        raise Refusal("in_round", f"“{place}” is used again between two {table.house.round_word}s, not within one.")


def closing(table: Table) -> None:
    """The night is over, and with it what was declared for it: whoever opens again declares it again."""
    for place in list(table.state.by_hand):
        _end(table, place, TABLE)


def _end(table: Table, place: str, by: Person) -> None:
    state, kind = table.state, table.kind_of(place)
    if kind == MAT:
        clear_layout(table)
    over = state.by_hand.pop(place)
    table.desk.note(
        "by_hand_over", place=place, kind=kind, round=state.round, by=by.id,
        since=over.since, rounds=over.rounds, unheard=over.unheard, declared_by=over.by,
    )  # fmt: skip
    for code in [code for code in state.troubles if code.partition(":")[0] == place]:
        state.faults[code] = state.troubles.pop(code)
    if kind == MAT and state.devices[place] == "up":
        _count_anew(table, place, over)
    elif kind == MAT:
        unseen.keyed(table.money, over.taken, over.paid)
    _part(table).ends(table.game, kind)


def _count_anew(table: Table, place: str, over: ByHand) -> None:
    """What the mat sees now is what lies there; in the tray only the difference to what was keyed is told."""
    areas = {area: tuple(over.seen.get(area, ())) for area in sorted({*over.seen, 0})}
    unseen.keyed(table.money, over.taken, over.paid)
    unseen.end(table.money, areas[0])
    table.game.handle(table.money.counted(ChipsCounted(place, areas)))


# -- what the device tells meanwhile ---------------------------------------------------------------------------------


def not_heard(table: Table, event: msgspec.Struct, place: str) -> None:
    """A device that is not listened to tells something: it is on record, and changes nothing."""
    by_hand = table.state.by_hand[place]
    by_hand.unheard += 1
    table.desk.note("by_hand_unheard", place=place, told=type(event).__name__)
    if table.state.devices[place] == "up":
        device_faults.NotListenedTo(place=place).holds(table, place)
    if isinstance(event, ChipsMoved | ChipsSwept | ChipsCounted):
        _see(by_hand, event)
    else:
        _part(table).meanwhile(table.game, event)


def _see(by_hand: ByHand, event: ChipsMoved | ChipsSwept | ChipsCounted) -> None:
    """Know where chips really lie, for when the mat is used again."""
    if isinstance(event, ChipsCounted):
        by_hand.seen = {area: list(chips) for area, chips in event.areas.items()}
        return
    for move in event.moves if isinstance(event, ChipsSwept) else (event,):
        gone = {*move.removed, *(chip.tag for chip in move.added)}
        here = [chip for chip in by_hand.seen.get(move.area, []) if chip.tag not in gone]
        by_hand.seen[move.area] = [*here, *move.added]


def round_over(table: Table, valid: bool) -> None:
    """A round was played by hand, or a part of it."""
    for by_hand in table.state.by_hand.values():
        by_hand.rounds += valid
    table.desk.note("played_by_hand", places=sorted(table.state.by_hand), round=table.state.round, valid=valid)


# -- chips that nobody reads -----------------------------------------------------------------------------------------


def mat_of(table: Table) -> str:
    """The mat that is played without; empty where it is listened to."""
    return next((place for place in table.state.by_hand if table.kind_of(place) == MAT), "")


def _areas(table: Table) -> Iterator[tuple[str, str]]:
    return _part(table).areas(table.game)


def _lying_areas(table: Table) -> Iterator[tuple[str, str]]:
    lying = table.money.picture()
    return ((area, words) for area, words in _areas(table) if lying.get(int(area)))


def _players(table: Table) -> Iterator[tuple[str, str]]:
    return _part(table).players(table.game)


def _no_mat(table: Table) -> bool:
    return table.playing and bool(mat_of(table)) and any(True for _ in _areas(table))


KEYS: Keys[Table] = Keys(about=CHIPS)
AREA = Ask("area", "choice", "Where", number=True, offered=_areas)
LYING = Ask("area", "choice", "Where", number=True, offered=_lying_areas)
WHO = Ask("player", "player", "Whose", offered=_players, suggested=True)
AMOUNT = Ask("cents", "money", "How much")


@KEYS.key(
    "chips_laid", "Chips laid", power="told_by_hand", like="open_table", rank=1, asks=(AREA, WHO, AMOUNT), when=_no_mat,
)  # fmt: skip
def chips_laid(table: Table, by: Person, *, area: int, player: str, cents: int) -> None:
    """A stake, or a payment where one is owed: who, where and how much."""
    smallest = table.state.limits.smallest_chip
    if smallest and cents % smallest:
        raise Refusal("bad_amount", f"No chips make {dollars(cents)}; the smallest is {dollars(smallest)}.")
    _lay(table, area, player, cents)


@KEYS.key(
    "chips_taken", "Chips taken off", power="told_by_hand", like="open_table", rank=1, asks=(LYING,),
    when=lambda table: _no_mat(table) and any(True for _ in _lying_areas(table)),
)  # fmt: skip
def chips_taken(table: Table, by: Person, *, area: int) -> None:
    """All that lies there was lifted; what stays is keyed anew."""
    _lift(table, area)


def _owed(table: Table) -> dict[int, payment.Due]:
    money = table.money.state
    return payment.remaining(money.watch, money.due, float_watched=False) if money.watch is not None else {}


@KEYS.key(
    "taken_and_paid", "Taken and paid as shown", power="told_by_hand", like="open_table", rank=1,
    when=lambda table: _no_mat(table) and bool(_owed(table)),
)  # fmt: skip
def taken_and_paid(table: Table, by: Person) -> None:
    """The dealer has taken what lost and paid what won, as the settlement asks."""
    owed = _owed(table)
    if not owed:
        raise Refusal("nothing_owed", "Nothing is to be taken or paid.")
    table.desk.note(
        "taken_and_paid_by_hand", by=by.id,
        areas={table.money.layout.name(area): due.net for area, due in owed.items()},
    )  # fmt: skip
    for area, due in owed.items():
        if due.taken:
            _lift(table, area)
    for area, due in owed.items():
        if due.pays:
            _lay(table, area, "", due.pays)
    _take_at_their_word(table)


def _take_at_their_word(table: Table) -> None:
    """Chips that were last seen somewhere else are taken and paid all the same."""
    by_hand, dues, unseen_there = table.state.by_hand[mat_of(table)], table.money.state.due, _owed(table)
    for area, left in unseen_there.items():
        by_hand.taken, by_hand.paid = by_hand.taken + left.taken, by_hand.paid + left.pays
        asked = dues.get(area, payment.Due(area, left.bet))
        dues[area] = msgspec.structs.replace(asked, pays=asked.pays - left.pays, taken=asked.taken - left.taken)
    for area in unseen_there:
        _move(table, ChipsMoved(mat_of(table), area))


def _lay(table: Table, area: int, player: str, cents: int) -> None:
    by_hand, part = table.state.by_hand[mat_of(table)], _part(table)
    if area in _owed(table):
        by_hand.paid += cents
    by_hand.chips += 1
    chip = Chip(FIRST_TAG + by_hand.chips, "cash", cents)
    if player:
        part.lays(table.game, area, player)
    _move(table, ChipsMoved(mat_of(table), area, (chip,)))
    if player:
        part.laid(table.game, chip.tag, player)


def _lift(table: Table, area: int) -> None:
    by_hand, laid = table.state.by_hand[mat_of(table)], table.money.state.laid
    tags = tuple(tag for tag, spot in laid.items() if spot.area == area)
    if (due := _owed(table).get(area)) is not None:
        by_hand.taken += min(due.taken, sum(laid[tag].cents for tag in tags))
    _move(table, ChipsMoved(mat_of(table), area, (), tags))


def _move(table: Table, move: ChipsMoved) -> None:
    for seen in table.money.moved((move,)):
        table.game.handle(seen)


def clear_layout(table: Table) -> None:
    """The round is over and settled: whoever stakes again is keyed again."""
    if not mat_of(table):
        return
    for area in sorted({spot.area for spot in table.money.state.laid.values()}):
        _lift(table, area)
