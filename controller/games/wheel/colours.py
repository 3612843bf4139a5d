"""Colour chips at the wheel: issued, staked at the ledger's value for their owner, redeemed (3.1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from controller.chips import colours as ledgers
from controller.desk import Refusal, told
from controller.effects import Asked, Option
from controller.events import Chip, ChipsCounted, ChipsMoved, ChipUnclear
from controller.people import Person
from controller.words import dollars

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

E = TypeVar("E", ChipsMoved, ChipsCounted, ChipUnclear)

KEYS = (
    # name, words, power, arguments, while suspended
    ("issue_colour", "Issue colour chips", "issue_colour", ("colour", "player", "value", "count", "marker"), False),
    ("extra_colour", "Issue a further colour", "extra_colour", ("colour", "player", "value", "count", "marker"), False),
    ("redeem_colour", "Redeem colour chips", "redeem_colour", ("colour", "player", "count"), False),
    ("exchange_colour", "Another table's colour chips", "redeem_colour", ("set", "open", "count"), False),
)


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
            game.desk.alarm(
                f"foreign:{chip.tag}",
                f"A {colour_of(chip)} chip lies on {game.symbol(laid.area)} and nobody was issued this colour.",
                "Find out whose it is and enter its issue, or take it off; until then it counts for nothing.",
                ("3.1.2",),
            )


def _ledger_changed(game: WheelGame, colour: str) -> None:
    """Chips of this colour that lie on the layout without a value have one now, also where betting is closed."""
    cents, owner = game.state.ledger.worth(colour)
    for picture in (game.state.picture, game.state.round.frozen or {}):
        for tag, laid in picture.items():
            if laid.chip.kind == "colour" and colour_of(laid.chip) == colour and not laid.chip.cents:
                chip = msgspec.structs.replace(laid.chip, cents=cents)
                picture[tag] = msgspec.structs.replace(laid, chip=chip, owner=owner or laid.owner)
                game.desk.alarm_over(f"foreign:{tag}")


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


def issue_colour(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    wanted, minimum, below = _wanted(game, args, by)
    in_chips = _in_chips(args)
    line = ledgers.issue(game.state.ledger, game.setup.colours, minimum, wanted, below_minimum=below)
    _issued(game, line, wanted, ("3.1.2(e)",))
    _sold(game, in_chips, by, line.owner)


def extra_colour(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    wanted, minimum, below = _wanted(game, args, by)
    wanting, in_chips = _names(args, "wanting"), _in_chips(args)
    line = ledgers.issue_further(
        game.state.ledger, game.setup.colours, minimum, wanted, sorted(wanting), below_minimum=below
    )
    game.desk.ruled("extra_colour", f"{wanted.owner}: {wanted.colour}", by, ("3.1.2(f)",))
    _issued(game, line, wanted, ("3.1.2(f)(i)", "3.1.2(e)"))
    _sold(game, in_chips, by, line.owner)


def _in_chips(args: dict[str, Any]) -> int:
    """How much of the price was paid in cash chips, which go into the float; notes go into the drop box, unseen."""
    cents: int = told(args, "in_chips", int) if args.get("in_chips") else 0
    if cents < 0:
        raise Refusal("bad_amount", "What was paid in cash chips cannot be below nothing.", ("3.1.2(e)",))
    return cents


def _sold(game: WheelGame, in_chips: int, by: Person, player: str) -> None:
    if in_chips:
        game.money.book("bought_back", in_chips, by, player=player)


def _wanted(game: WheelGame, args: dict[str, Any], by: Person) -> tuple[ledgers.Issue, int, bool]:
    wanted = ledgers.Issue(
        told(args, "colour"),
        told(args, "player"),
        told(args, "value", int),
        told(args, "count", int),
        game.desk.at,
        by.id,
        told(args, "marker", int) if args.get("marker") is not None else 0,
        _names(args, "consent"),
    )
    return wanted, game.table.state.limits.least, game.setup.rules.colour_chips.least_value == "any"


def _names(args: dict[str, Any], name: str) -> frozenset[str]:
    names = args.get(name) or []
    if not isinstance(names, list | tuple) or not all(isinstance(each, str) for each in names):
        raise Refusal("bad_argument", f"{name!r} is a list of players; got {names!r}.")
    return frozenset(names)


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


def redeem_colour(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    colour, player, count = told(args, "colour"), told(args, "player"), told(args, "count", int)
    line, pays = ledgers.redeem(game.state.ledger, colour, player, count, keeps=bool(args.get("keeps")))
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


def exchange_colour(game: WheelGame, args: dict[str, Any], by: Person) -> None:
    """Chips of another table's set: refused while it is open, else Surveillance is told and an Area Manager asked."""
    set_mark, is_open, count = told(args, "set"), told(args, "open", bool), told(args, "count", int)
    at_issue, lowest = (told(args, name, int) if args.get(name) else 0 for name in ("issue_value", "lowest_minimum"))
    found = ledgers.exchange(set_mark, game.setup.set_mark, is_open, count, at_issue, lowest)
    clauses = ("3.1.2(c)(ii)",)
    game.desk.announce(
        "surveillance", "closed_table_chips", f"{count} colour chips of closed table {set_mark} to exchange.", clauses
    )
    verify = game.table.house.power("closed_table_chips")
    decline = game.table.house.power("redeem_colour")
    game.desk.ask(
        f"colour:{set_mark}",
        f"{count} chips of the closed table {set_mark} at {dollars(found.cents)} ({found.basis}): "
        f"pay {dollars(found.pays)}?",
        {**msgspec.to_builtins(found), "pays": found.pays, "by": by.id},
        "verified",
        (
            Option("verified", "Value verified: exchange", verify.rank, verify.clause),
            Option("declined", "Not exchanged", decline.rank, decline.clause),
        ),
        clauses,
    )


def answered(game: WheelGame, asked: Asked, answer: str, by: Person) -> bool:
    """Carry out the answer about a closed table's chips; False when the question is another one."""
    if not asked.subject.startswith("colour:"):
        return False
    facts = {name: asked.evidence[name] for name in ("set_mark", "count", "cents", "basis", "pays")}
    if answer == "verified":
        game.desk.note("colour_exchanged", ("3.1.2(c)(ii)",), **facts, verified_by=by.id)
        game.money.book("redeem", int(facts["pays"]), by)
        text = f"Exchange the chips of {facts['set_mark']} for {dollars(facts['pays'])}."
        game.desk.announce("dealer", "colour_exchanged", text, ("3.1.2(c)(ii)",))
    else:
        game.desk.note("colour_not_exchanged", ("3.1.2(c)(ii)",), **facts, by=by.id)
    return True


DO: dict[str, Callable[[WheelGame, dict[str, Any], Person], None]] = {
    "issue_colour": issue_colour,
    "extra_colour": extra_colour,
    "redeem_colour": redeem_colour,
    "exchange_colour": exchange_colour,
}
