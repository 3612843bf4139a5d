"""Player cards where the rulebook asks for them (Star 5.1, 13.1): valid, the player's own, read before the first stake.

Only keyed pseudonyms are kept; the numbers on cards stay in the reader and in the list that is imported. Pure.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping

import msgspec

from controller.config.tomlread import ConfigError, nearest
from controller.core.desk import Refusal

STATES = ("valid", "blocked", "withdrawn")
CLAUSES = ("5.1", "13.1")
_UNTIL_DIGITS = 15
"""A moment in milliseconds has thirteen digits; many more are a slip that no journal could keep."""


class PlayerCard(msgspec.Struct, frozen=True):
    """What the house says of a card; `until` is the moment its validity ends, 0 for never."""

    card: str
    state: str = "valid"
    until: int = 0

    def valid(self, at: int) -> bool:
        return self.state == "valid" and (not self.until or at < self.until)


class Bound(msgspec.Struct, frozen=True):
    """A box or seat and the card its player presented there, with the moment its validity ends, 0 for never."""

    card: str
    player: str
    at: int
    until: int = 0


class CardsAtTable(msgspec.Struct):
    """Which card was presented at which box; part of a game's state."""

    boxes: dict[int, Bound] = {}

    def boxes_of(self, player: str) -> tuple[int, ...]:
        return tuple(sorted(box for box, bound in self.boxes.items() if bound.player == player))

    def ran_out(self, player: str, at: int) -> bool:
        """Whether the card this player presented was valid then and no longer is; the last reading counts."""
        shown = [bound for bound in self.boxes.values() if bound.player == player]
        last = max(shown, key=lambda bound: bound.at, default=None)
        return last is not None and not PlayerCard(last.card, until=last.until).valid(at)


def player_name(card: str, taken: Mapping[str, str] | None = None) -> str:
    """The short name a card's owner has at this table: enough of the pseudonym to tell players apart.

    `taken` holds the cards of the names in use.
    """
    length = 6
    while taken and taken.get(f"P-{card[:length]}", card) != card:
        length += 2
    return f"P-{card[:length]}"


def present(
    table: CardsAtTable, box: int, card: str, at: int, known: Callable[[str], PlayerCard | None], *, staff: bool = False
) -> Bound:
    """A card is presented at a box: refused unless it is valid and a player's; its owner is the box's player."""
    if staff:
        raise Refusal("staff_card", "This is a staff card; staff do not play.", CLAUSES)
    held = known(card)
    if held is None:
        raise Refusal("unknown_card", "This card is no player card of this house.", CLAUSES)
    if not held.valid(at):
        why = "has run out" if held.state == "valid" else f"is {held.state}"
        raise Refusal("card_not_valid", f"This player card {why}; the player cannot stake with it.", CLAUSES)
    there = table.boxes.get(box)
    if there is not None and there.card != card:
        raise Refusal(
            "box_taken",
            f"Box {box} is played with the card of {there.player}; enter that they left before another card is read.",
            ("13.1",),
        )
    names = {bound.player: bound.card for bound in table.boxes.values()}
    table.boxes[box] = bound = Bound(card, player_name(card, names), at, held.until)
    return bound


def left(table: CardsAtTable, box: int) -> None:
    """The player left the box: whoever comes next presents a card of their own (S21)."""
    if table.boxes.pop(box, None) is None:
        raise Refusal("no_card_there", f"No card was presented at box {box}.", ("13.1",))


def read_player_list(
    name: str, text: str, pseudonym: Callable[[str], str], as_read: Callable[[str], str] | None = None
) -> dict[str, PlayerCard]:
    """A list of card numbers (CSV: number,state,until in ms) as pseudonyms; a wrong line is told without its number.

    They go by what a reader tells of the card, where its key is another than the players'.
    """
    rows = csv.reader(text.splitlines(keepends=True), strict=True)
    cards: dict[str, PlayerCard] = {}
    lines: dict[str, int] = {}
    columns: list[str] = []
    try:
        for row in rows:
            place = f"{name}:{rows.line_num}"
            if not columns:
                columns = [word.strip().lower() for word in row]
                if sorted(columns) not in (["number"], ["number", "state"], ["number", "state", "until"]):
                    raise ConfigError(f"{place}: the columns are number, state and until; the last two may be left out")
                continue
            if not row:
                continue
            number, card = _row(row, columns, place, pseudonym)
            if card.card in lines:
                raise ConfigError(f"{place}: this number stands already on line {lines[card.card]}")
            lines[card.card] = rows.line_num
            cards[as_read(number) if as_read is not None else card.card] = card
    except csv.Error as trouble:
        raise ConfigError(f"{name}:{rows.line_num}: not CSV, {trouble}") from None
    if not columns:
        raise ConfigError(f"{name}:1: the list is empty; its first line names the columns number, state and until")
    return cards


def _row(row: list[str], columns: list[str], place: str, pseudonym: Callable[[str], str]) -> tuple[str, PlayerCard]:
    if len(row) != len(columns):
        raise ConfigError(f"{place}: {len(row)} fields, not {len(columns)} as in the first line")
    fields = dict(zip(columns, (field.strip() for field in row), strict=True))
    number, state, until = fields["number"], fields.get("state") or "valid", fields.get("until") or "0"
    if not (number.isascii() and number.isdigit() and len(number) >= 4):
        raise ConfigError(f"{place}: the number is not four digits or more")
    if state not in STATES:
        raise ConfigError(f"{place}: there is no state '{state}'; {nearest(state, list(STATES))}")
    if not (until.isascii() and until.isdigit() and len(until) <= _UNTIL_DIGITS):
        raise ConfigError(f"{place}: 'until' is a moment in milliseconds since 1970, not '{until}'")
    return number, PlayerCard(pseudonym(number), state, int(until))
