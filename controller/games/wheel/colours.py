"""Colour chips at the wheel: issued, staked at the ledger's value for their owner, redeemed (3.1.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from controller.core.desk import ACCEPT, Ask, Refusal
from controller.core.effects import Asked
from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipUnclear
from controller.core.keys import CHIPS, Keys
from controller.core.questions import Answer, Question
from controller.games.wheel import alarms
from controller.games.wheel.seats import known_players
from controller.games.wheel.state import BOOKED
from controller.money import colour_tags as tagged
from controller.money import colours as ledgers
from controller.money.amounts import dollars
from controller.money.bookings import check_amount
from controller.money.float import FLOAT
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame
    from controller.games.wheel.layout import Laid

E = TypeVar("E", ChipsMoved, ChipsCounted, ChipUnclear)

KEYS: Keys[WheelGame] = Keys(about=CHIPS)
COLOUR = Ask("colour", "choice", "Colour", offered=lambda game: ((colour, colour) for colour in game.setup.colours))
HOLDER = Ask("player", "player", "Player", offered=known_players, suggested=True)
COUNT = Ask("count", "number", "How many")
OWNER = Ask("player", "player", "Player", offered=lambda game: ((one, one) for one in _owners(game)), suggested=True)
ISSUED = (
    COLOUR,
    HOLDER,
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
    ledger = game.state.ledger
    tags = ledger.tags
    slipped = chip.tag in tags.earlier or (chip.tag in tags.astray and not _by_house(game, chip.tag))
    return msgspec.structs.replace(chip, cents=0 if slipped else ledger.worth(colour_of(chip))[0])


def _by_house(game: WheelGame, tag: int) -> bool:
    """Whether a chip that comes out of the rack is paid now, or goes back where it was taken from."""
    watch = game.money.state.watch
    return game.machine.state in BOOKED or (watch is not None and tag in watch.lay)


# -- where they are, tag by tag -----------------------------------------------------------------------------------


def followed(game: WheelGame, event: ChipsMoved) -> None:
    """Colour chips came to the tray or to an area, or left the tray."""
    tags = game.state.ledger.tags
    for chip in event.added:
        if chip.kind == "colour":
            _seen(game, chip, event.area)
    watch = game.money.state.watch
    for tag in event.removed if event.area == FLOAT else ():
        tagged.out_of_tray(tags, tag, game.desk.at, by_house=watch is not None and tag in watch.lay)


def counted(game: WheelGame, areas: Mapping[int, Iterable[Chip]]) -> None:
    """Everything was read anew."""
    tags = game.state.ledger.tags
    if FLOAT in areas:
        lying = {chip.tag for chip in areas[FLOAT]}
        for tag in [tag for tag in (*tags.rack, *tags.back, *tags.earlier_back) if tag not in lying]:
            tagged.out_of_tray(tags, tag, game.desk.at)
    for area, chips in areas.items():
        for chip in chips:
            if chip.kind == "colour":
                _seen(game, chip, area)


def _seen(game: WheelGame, chip: Chip, area: int) -> None:
    ledger, colour, at = game.state.ledger, colour_of(chip), game.desk.at
    if area == FLOAT:
        lost = _has_lost(game, chip.tag)
        tagged.into_tray(ledger.tags, chip.tag, colour, at, lost=lost, unseen=_unseen(ledger, colour))
        return
    unseen = _unseen(ledger, colour)
    tagged.onto_layout(ledger.tags, chip.tag, colour, at, by_house=_by_house(game, chip.tag), unseen=unseen)


def _unseen(ledger: ledgers.ColourLedger, colour: str) -> int:
    """How many chips of a colour are issued, not lost and not redeemed, and were never read; chips won are read."""
    tags, past = ledger.tags, ledger.past.get(colour)
    lines = [*ledger.of(colour), *([past] if past is not None else [])]
    leaving = tags.leaving.get(colour)
    waiting, out = tags.of_earlier(colour)
    known = len(tags.with_players(colour)) + tags.returned(colour) + (leaving.count if leaving is not None else 0)
    known += waiting + len(out)
    return max(0, sum(line.issued - line.lost - line.redeemed for line in lines) - known)


def _has_lost(game: WheelGame, tag: int) -> bool:
    """A stake of this round that goes to the tray has lost, unless it lay on the winner."""
    round_ = game.state.round
    laid = (round_.frozen or {}).get(tag)
    return laid is not None and (not round_.winner or game.symbol(laid.area) != round_.winner)


def round_played(game: WheelGame) -> None:
    """What the round can have brought and cost the holder of each colour, in chips; for colours nobody reads."""
    ledger, round_ = game.state.ledger, game.state.round
    for result in round_.results:
        area = game.areas[result.bet]
        laid = [one for one in (round_.frozen or {}).values() if one.area == area and one.chip.kind == "colour"]
        for colour in {colour_of(one.chip) for one in laid if one.owner == result.player}:
            staked = sum(colour_of(one.chip) == colour and one.owner == result.player for one in laid)
            cents = ledger.worth(colour)[0]
            won = result.pays // cents if cents and not result.withheld else 0
            ledgers.played(ledger, colour, result.player, won, staked if result.result == "lose" else 0)


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
        _, owner = game.state.ledger.worth(colour_of(chip))
        if owner and not game.state.ledger.tags.is_nobodys(chip.tag):
            picture[chip.tag] = msgspec.structs.replace(laid, owner=owner)
        if not laid.chip.cents:
            _not_issued(game, laid)


def _not_issued(game: WheelGame, laid: Laid) -> None:
    colour, where = colour_of(laid.chip), game.symbol(laid.area)
    tags = game.state.ledger.tags
    slipped = tags.is_nobodys(laid.chip.tag)
    cause = "it left the rack without being issued" if slipped else "nobody was issued this colour"
    if laid.chip.tag in tags.earlier:
        cause = "it is of an earlier issue of this colour: redeem it at what it was issued for"
    known = alarms.NotIssued.coded(laid.chip.tag) in game.desk.state.alarms
    alarms.NotIssued(colour=colour, where=where, cause=cause).holds(game, laid.chip.tag)
    if slipped and not known:
        text = f"A {colour} chip that was not issued lies on {where}."
        game.desk.announce("surveillance", "colour_not_issued", text, ("3.1.2", "3.1.2(c)(i)"))


def _ledger_changed(game: WheelGame, colour: str) -> None:
    """Chips of this colour that lie on the layout without a value have one now, also where betting is closed."""
    cents, owner = game.state.ledger.worth(colour)
    for picture in (game.state.picture, game.state.round.frozen or {}):
        for tag, laid in picture.items():
            of_it = laid.chip.kind == "colour" and colour_of(laid.chip) == colour
            if of_it and not laid.chip.cents and not game.state.ledger.tags.is_nobodys(tag):
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


def _owners(game: WheelGame) -> list[str]:
    """Whoever colour chips of this table were issued to."""
    ledger = game.state.ledger
    return list(dict.fromkeys(line.owner for line in (*ledger.holdings, *ledger.past.values())))


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
    _sold(game, wanted, in_chips, by)


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
    _sold(game, wanted, in_chips, by)


def _sold(game: WheelGame, wanted: ledgers.Issue, in_chips: int, by: Person) -> None:
    """What was paid in cash chips goes into the float; notes go into the drop box, unseen."""
    game.money.took_cash(wanted.cents * wanted.count - in_chips)
    if in_chips:
        game.money.book("bought_back", in_chips, by, player=wanted.owner)


def _wanted(game: WheelGame, sale: Sale, by: Person) -> tuple[ledgers.Issue, int, bool]:
    if not 0 <= sale.in_chips <= sale.value * sale.count:
        text = "What was paid in cash chips is neither below nothing nor above what the colour chips cost."
        raise Refusal("bad_amount", text, ("3.1.2(e)",))
    if sale.in_chips:
        check_amount(game.money, sale.in_chips)
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
    ledger, past = game.state.ledger, game.state.ledger.past.get(line.colour)
    first = line.issued == wanted.count and ledger.of(line.colour) == [line]
    if first and past is not None and (past.owner, past.cents) != (line.owner, line.cents):
        tagged.issued_anew(ledger.tags, line.colour)
    tagged.issued(ledger.tags, line.colour, wanted.count, game.desk.at)
    _ledger_changed(game, line.colour)
    game.owners_changed()


@KEYS.key(
    "redeem_colour",
    "Redeem colour chips",
    power="redeem_colour",
    asks=(COLOUR, OWNER, COUNT, Ask("keeps", "flag", "Keeps some of this colour", optional=True), *ACCEPT),
    when=lambda game: bool(_owners(game)),
)
def redeem_colour(
    game: WheelGame, by: Person, *, colour: str, player: str, count: int, keeps: bool = False,
    confirmed: bool = False, reason: str = "",
) -> None:  # fmt: skip
    if count < 1:
        raise Refusal("no_chips", "Redeem one chip or more.", ("3.1.2(c)(i)",))
    line, wanted = ledgers.line_of(game.state.ledger, colour, player), Redemption(colour, player, count, keeps, by.id)
    there, possible = _can_be(game, line)
    if count > possible:
        _ask_about(game, wanted, possible)
    elif count > there and not (confirmed and by.rank >= game.money.release.rank):
        text = f"{count} {colour} are to be redeemed and {there} of them lie in the rack; lay them in first."
        raise Refusal("not_in_the_rack", text, ("3.1.2(c)(i)",))
    else:
        if count > there:
            game.desk.ruled("redeem", f"{count} {colour} not seen in the rack", by, ("3.1.2(c)(i)",), reason)
        _redeem(game, wanted, by)


def _can_be(game: WheelGame, line: ledgers.Holding) -> tuple[int, int]:
    """How many of a player's chips are there to be redeemed now, and how many at most can be brought."""
    tags = game.state.ledger.tags
    if line.colour not in tags.followed:
        return line.balance, line.balance
    if _is_earlier(game, line):
        waiting, out = tags.of_earlier(line.colour)
        return waiting, waiting + len(out - game.state.picture.keys())
    there, out = tags.returned(line.colour), tags.with_players(line.colour) - game.state.picture.keys()
    return there, there + len(out) + _unseen(game.state.ledger, line.colour)


def _is_earlier(game: WheelGame, line: ledgers.Holding) -> bool:
    """Whether this colour was given up, and issued anew since."""
    return line not in game.state.ledger.holdings and bool(game.state.ledger.of(line.colour))


class Redemption(msgspec.Struct, frozen=True):
    """Colour chips that somebody wants cash chips for."""

    colour: str
    player: str
    count: int
    keeps: bool
    by: str


def _ask_about(game: WheelGame, wanted: Redemption, possible: int) -> None:
    subject = f"{MoreThanIssued.subject}:{wanted.colour}/{wanted.player}"
    game.desk.withdraw(subject)
    text = f"{wanted.player} brings {wanted.count} {wanted.colour} chips and can have {possible}."
    game.desk.announce("surveillance", "colour_more_than_issued", text, MoreThanIssued.clauses)
    game.ask(MoreThanIssued.subject, wanted)


def _redeem(game: WheelGame, wanted: Redemption, by: Person) -> None:
    colour, player, count = wanted.colour, wanted.player, wanted.count
    earlier = _is_earlier(game, ledgers.line_of(game.state.ledger, colour, player))
    line, pays = ledgers.redeem(game.state.ledger, colour, player, count, keeps=wanted.keeps)
    (tagged.redeemed_earlier if earlier else tagged.redeemed)(game.state.ledger.tags, colour, count)
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


class MoreThanIssued(Question["WheelGame"]):
    """Are colour chips redeemed of which more are brought than were issued and won (3.1.2(c)(i))?"""

    subject, proposal = "redeem", "declined"
    clauses = ("3.1.2(c)(i)", "9.11")
    answers = (
        Answer("redeem", "They were issued here: redeem them", "dispute", needs_reason=True),
        Answer("declined", "Not redeemed", "redeem_colour"),
    )

    def named(self, about: Redemption) -> str:
        return f"{about.colour}/{about.player}"

    def text(self, game: WheelGame, about: Redemption) -> str:
        line = ledgers.line_of(game.state.ledger, about.colour, about.player)
        there, possible = _can_be(game, line)
        seen = f", of which {there} lie in the rack" if about.colour in game.state.ledger.tags.followed else ""
        return (
            f"{about.player} has {possible} {about.colour} chips by what was issued, won, lost and redeemed{seen}; "
            f"{about.count} are to be redeemed for {dollars(about.count * line.cents)}. Were they issued here?"
        )

    def evidence(self, game: WheelGame, about: Redemption) -> dict[str, Any]:
        line = ledgers.line_of(game.state.ledger, about.colour, about.player)
        there, possible = _can_be(game, line)
        counts = {name: getattr(line, name) for name in ("issued", "won", "lost", "redeemed", "cents")}
        return {**msgspec.structs.asdict(about), **counts, "in_rack": there, "possible": possible}

    def redeem(self, game: WheelGame, asked: Asked, by: Person) -> None:
        wanted = msgspec.convert({name: asked.evidence[name] for name in Redemption.__struct_fields__}, Redemption)
        _redeem(game, wanted, by)

    def declined(self, game: WheelGame, asked: Asked, by: Person) -> None:
        facts = {name: asked.evidence[name] for name in ("colour", "player", "count", "possible")}
        game.desk.note("colour_not_redeemed", self.clauses, **facts, by=by.id)


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
