"""Colour chips at the wheel: issued, staked at the ledger's value for their owner, redeemed (3.1.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipUnclear
from controller.core.keys import Keys
from controller.core.questions import Answer, Question
from controller.games.wheel import alarms
from controller.games.wheel.seats import known_players
from controller.money import colours as ledgers
from controller.money.amounts import dollars
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

E = TypeVar("E", ChipsMoved, ChipsCounted, ChipUnclear)

KEYS: Keys[WheelGame] = Keys()
COLOUR = Ask("colour", "choice", "Colour", offered=lambda game: ((colour, colour) for colour in game.setup.colours))
PLAYER = Ask("player", "player", "Player", offered=known_players)
BUYER = Ask("player", "player", "Player", offered=known_players, suggested=True)
COUNT = Ask("count", "number", "How many")
ISSUED = (
    COLOUR,
    BUYER,
    Ask("value", "money", "Value of one chip"),
    COUNT,
    Ask("marker", "money", "Value on the marker that was laid", optional=True, least=0),
    Ask(
        "consent",
        "names",
        "Who holds this colour and agrees (names, with commas)",
        optional=True,
        offered=known_players,
    ),
    Ask("in_chips", "money", "How much of it was paid in cash chips", optional=True, least=0),
)
WANTING = Ask("wanting", "names", "Who else waits for a colour (names, with commas)", optional=True,
              offered=known_players, suggested=True)  # fmt: skip
CLOSED_TABLE = (
    Ask("set", "text", "Mark of the set"),
    Ask("open", "flag", "That table is open"),
    COUNT,
    Ask("issue_value", "money", "Value of one chip at issue, where it is known", optional=True, least=0),
    Ask("lowest_minimum", "money", "Else the lowest minimum now offered for that game", optional=True, least=0),
)


class Sale(msgspec.Struct, frozen=True):
    """What was told of an issue."""

    colour: str
    player: str
    value: int
    count: int
    marker: int
    consent: tuple[str, ...]
    in_chips: int


# -- what colour chips on the layout are worth ------------------------------------------------------------------


def valued(game: WheelGame, event: E) -> E:
    """The event with this table's colour chips at the value the ledger gives them."""
    match event:
        case ChipsMoved():
            return msgspec.structs.replace(event, added=tuple(worth(game, chip) for chip in event.added))
        case ChipsCounted():
            areas = {area: tuple(worth(game, chip) for chip in chips) for area, chips in event.areas.items()}
            return msgspec.structs.replace(event, areas=areas)
        case ChipUnclear():
            return msgspec.structs.replace(event, chip=worth(game, event.chip))


def worth(game: WheelGame, chip: Chip) -> Chip:
    """The chip at the value it has here."""
    if chip.kind != "colour":
        return chip
    return msgspec.structs.replace(chip, cents=game.state.ledger.worth(colour_of(chip))[0])


def colour_of(chip: Chip) -> str:
    """The colour in a chip's mark, which is `set/colour`."""
    return chip.mark.partition("/")[2]


def give_owners(game: WheelGame, chips: Iterable[Chip]) -> None:
    """Colour chips on the layout are their holder's; one that nobody was issued is asked about."""
    picture = game.state.picture
    for chip in chips:
        laid = picture.get(chip.tag)
        if chip.kind != "colour" or laid is None:
            continue
        cents, owner = game.state.ledger.worth(colour_of(chip))
        if owner:
            picture[chip.tag] = msgspec.structs.replace(laid, owner=owner)
        if not cents:
            alarms.NotIssued(colour=colour_of(chip), where=game.symbol(laid.area)).holds(game, chip.tag)


def _ledger_changed(game: WheelGame, colour: str) -> None:
    """Chips of this colour that lie on the layout without a value have one now, also where betting is closed."""
    cents, owner = game.state.ledger.worth(colour)
    for picture in (game.state.picture, game.state.round.frozen or {}):
        for tag, laid in picture.items():
            if laid.chip.kind == "colour" and colour_of(laid.chip) == colour and not laid.chip.cents:
                chip = msgspec.structs.replace(laid.chip, cents=cents)
                picture[tag] = msgspec.structs.replace(laid, chip=chip, owner=owner or laid.owner)


def remind_of_markers(game: WheelGame) -> None:
    """The minimum is no longer what these chips were issued at: each needs its marker from now on (W-A14)."""
    ledger = game.state.ledger
    for line in ledgers.markers_due(ledger, game.table.state.limits.least):
        ledgers.marked(ledger, line)
        game.desk.announce(
            "dealer",
            "colour_marker",
            f"Lay a {line.colour} chip with the marker {dollars(line.cents)}.",
            ("3.1.2(e)",),
        )


# -- keys ---------------------------------------------------------------------------------------------------------


@KEYS.key("issue_colour", "Issue colour chips", power="issue_colour", asks=ISSUED)
def issue_colour(
    game: WheelGame, by: Person, *, colour: str, player: str, value: int, count: int, marker: int = 0,
    consent: tuple[str, ...] = (), in_chips: int = 0,
) -> None:  # fmt: skip
    sale = Sale(colour, player, value, count, marker, consent, in_chips)
    wanted, minimum, below = _wanted(game, sale, by)
    line = ledgers.issue(game.state.ledger, game.setup.colours, minimum, wanted, below_minimum=below)
    _issued(game, line, wanted, ("3.1.2(e)",))
    _sold(game, in_chips, by, line.owner)


@KEYS.key("extra_colour", "Issue a further colour", power="extra_colour", asks=(*ISSUED, WANTING))
def extra_colour(
    game: WheelGame, by: Person, *, colour: str, player: str, value: int, count: int, marker: int = 0,
    consent: tuple[str, ...] = (), in_chips: int = 0, wanting: tuple[str, ...] = (),
) -> None:  # fmt: skip
    sale = Sale(colour, player, value, count, marker, consent, in_chips)
    wanted, minimum, below = _wanted(game, sale, by)
    line = ledgers.issue_further(
        game.state.ledger, game.setup.colours, minimum, wanted, sorted(set(wanting)), below_minimum=below
    )
    game.desk.ruled("extra_colour", f"{wanted.owner}: {wanted.colour}", by, ("3.1.2(f)",))
    _issued(game, line, wanted, ("3.1.2(f)(i)", "3.1.2(e)"))
    _sold(game, in_chips, by, line.owner)


def _sold(game: WheelGame, in_chips: int, by: Person, player: str) -> None:
    """What was paid in cash chips goes into the float; notes go into the drop box, unseen."""
    if in_chips:
        game.money.book("bought_back", in_chips, by, player=player)


def _wanted(game: WheelGame, sale: Sale, by: Person) -> tuple[ledgers.Issue, int, bool]:
    if sale.in_chips < 0:
        raise Refusal("bad_amount", "What was paid in cash chips cannot be below nothing.", ("3.1.2(e)",))
    wanted = ledgers.Issue(
        sale.colour, sale.player, sale.value, sale.count, game.desk.at, by.id, sale.marker, frozenset(sale.consent)
    )
    return wanted, game.table.state.limits.least, game.setup.rules.colour_chips.least_value == "any"


def _issued(game: WheelGame, line: ledgers.Holding, wanted: ledgers.Issue, clauses: tuple[str, ...]) -> None:
    if wanted.consent:
        clauses = (*clauses, "3.1.2(d)")
    game.desk.note(
        "colour_issued",
        clauses,
        set=game.setup.set_mark,
        colour=line.colour,
        player=line.owner,
        cents=line.cents,
        count=wanted.count,
        marker=wanted.marker,
        consent=sorted(wanted.consent),
        by=wanted.by,
    )
    _ledger_changed(game, line.colour)


@KEYS.key(
    "redeem_colour",
    "Redeem colour chips",
    power="redeem_colour",
    asks=(COLOUR, PLAYER, COUNT, Ask("keeps", "flag", "Keeps some of this colour", optional=True)),
)
def redeem_colour(game: WheelGame, by: Person, *, colour: str, player: str, count: int, keeps: bool = False) -> None:
    line, pays = ledgers.redeem(game.state.ledger, colour, player, count, keeps=keeps)
    game.desk.note(
        "colour_redeemed",
        ("3.1.2(c)(i)",),
        set=game.setup.set_mark,
        colour=colour,
        player=player,
        count=count,
        cents=line.cents,
        pays=pays,
        by=by.id,
    )
    game.money.book("redeem", pays, by, player=player)
    game.desk.announce(
        "dealer", "colour_redeemed", f"{count} {colour}: pay {dollars(pays)} in cash chips.", ("3.1.2(c)(i)",)
    )


@KEYS.key("exchange_colour", "Another table's colour chips", power="redeem_colour", asks=CLOSED_TABLE)
def exchange_colour(
    game: WheelGame, by: Person, *, set: str, open: bool, count: int, issue_value: int = 0, lowest_minimum: int = 0
) -> None:
    """Chips of another table's set: refused while it is open, else Surveillance is told and an Area Manager asked."""
    found = ledgers.exchange(set, game.setup.set_mark, open, count, issue_value, lowest_minimum)
    clauses = ("3.1.2(c)(ii)",)
    game.desk.announce(
        "surveillance", "closed_table_chips", f"{count} colour chips of closed table {set} to exchange.", clauses
    )
    game.ask("colour", Exchange(found, by.id))


class Exchange(NamedTuple):
    """Chips of a closed table that somebody wants to exchange."""

    found: ledgers.Exchange
    by: str


class ClosedTableChips(Question["WheelGame"]):
    """Are the chips of a closed table worth what they are said to be (3.1.2(c)(ii))?"""

    subject, proposal = "colour", "verified"
    clauses = ("3.1.2(c)(ii)",)
    answers = (
        Answer("verified", "Value verified: exchange", "closed_table_chips"),
        Answer("declined", "Not exchanged", "redeem_colour"),
    )

    def named(self, about: Exchange) -> str:
        return about.found.set_mark

    def text(self, game: WheelGame, about: Exchange) -> str:
        found = about.found
        return (
            f"{found.count} chips of the closed table {found.set_mark} at {dollars(found.cents)} ({found.basis}): "
            f"pay {dollars(found.pays)}?"
        )

    def evidence(self, game: WheelGame, about: Exchange) -> dict[str, Any]:
        return {**msgspec.to_builtins(about.found), "pays": about.found.pays, "by": about.by}

    def _facts(self, asked: Asked) -> dict[str, Any]:
        return {name: asked.evidence[name] for name in ("set_mark", "count", "cents", "basis", "pays")}

    def verified(self, game: WheelGame, asked: Asked, by: Person) -> None:
        facts = self._facts(asked)
        game.desk.note("colour_exchanged", self.clauses, **facts, verified_by=by.id)
        game.money.book("redeem", int(facts["pays"]), by)
        text = f"Exchange the chips of {facts['set_mark']} for {dollars(facts['pays'])}."
        game.desk.announce("dealer", "colour_exchanged", text, self.clauses)

    def declined(self, game: WheelGame, asked: Asked, by: Person) -> None:
        game.desk.note("colour_not_exchanged", self.clauses, **self._facts(asked), by=by.id)
