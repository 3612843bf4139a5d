"""Checks every configured value against the rulebook; a problem names the clause it breaks and the remedy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from controller import clauses
from controller.config.tomllines import Keys
from controller.config.tomlread import nearest
from controller.config.types import RULEBOOK_OF, TableConfig
from controller.desk import Limits
from controller.games.poker.offers import faults_of
from controller.games.war.config import not_allowed, war_config, zones_of
from controller.games.war.rules import war_rules
from controller.rulebook import Rulebook, load_rulebook, rulebook_ids, wheel_rules
from controller.rulebooks.wheel import RETURN, WheelOption

_PORTS = (
    re.compile(r"wire|pty(:\S+)?"),
    re.compile(r"tcp:(//)?[^\s:/]+:\d{1,5}"),
    re.compile(r"usb:[0-9a-fA-F]{4}:[0-9a-fA-F]{4}(:\S+)?"),
    re.compile(r"/\S+"),
    re.compile(r"capture:\S.*"),
)
_NEEDED = {"wheel": ("wheel", "chips"), "poker": ("cards", "chips")}


class Problem(msgspec.Struct, frozen=True):
    """What is wrong at which key, and what to do."""

    keys: Keys
    what: str
    remedy: str = ""


def problems(config: TableConfig) -> Iterator[Problem]:
    """What keeps this table from opening; the first one is the one to tell."""
    ids = rulebook_ids()
    rulebook = config.table.rulebook
    if rulebook not in ids:
        yield Problem(("table", "rulebook"), f"there is no rulebook '{rulebook}'", nearest(rulebook, list(ids)))
        return
    book = load_rulebook(rulebook)
    if book.game != config.table.game:
        remedy = f"set game = \"{book.game}\", or a rulebook such as '{RULEBOOK_OF[config.table.game]}'"
        what = f"rulebook '{rulebook}' is for the game '{book.game}', not '{config.table.game}'"
        yield Problem(("table", "rulebook"), what, remedy)
        return
    yield from check_tournament(config)
    yield from _web(config)
    yield from _sections(config)
    if book.game == "wheel" and config.wheel is not None:
        yield from check_wheel(config)
    if book.game == "war" and config.war is not None:
        yield from check_war(config)
    if book.game == "poker" and config.poker is not None:
        yield from check_poker(config)
    yield from check_limits(config)
    yield from check_personal_limits(config, book)
    yield from check_devices(config)
    yield from check_staff(config, book)


def warnings(config: TableConfig) -> Iterator[Problem]:
    """What is allowed but deserves a look."""
    if not config.loopback():
        what = f"the pages at {config.table.web} can be reached from other machines"
        yield Problem(("table", "web"), what, "use 127.0.0.1 unless that is meant")
    wheel = config.wheel
    if wheel is not None:
        measured = wheel.measured_dead_band
        if measured is None and wheel.dead_band is None:
            what = "the dead band is the rulebook's assumption, not this wheel's (7.1.2, W-A3)"
            yield Problem(("wheel",), what, "measure and set compartment_mm, peg_mm and pointer_mm")
        if measured is not None and wheel.dead_band is not None and wheel.dead_band < measured:
            what = f"'dead_band' {wheel.dead_band:g} is below the {measured:.3f} that the geometry gives (W-A3)"
            yield Problem(("wheel", "dead_band"), what, "leave dead_band out to use the geometry")
        if not wheel.profile and not all(device.simulated for device in config.devices.values()):
            what = "no friction profile is named, so weak interference is not detected (7.1.3)"
            yield Problem(("wheel",), what, "run 'tablectl wheel calibrate' and set profile")
    if config.staff and config.table.rulebook in rulebook_ids():
        book = load_rulebook(config.table.rulebook)
        highest = max(book.level(person.rank) for person in config.staff)
        if highest < len(book.ranks):
            what = f"nobody of rank {book.ladder[-1]} is on the staff list, so some rulings cannot be given"
            yield Problem(("staff",), what, "add a person of that rank")


def check_wheel(config: TableConfig) -> Iterator[Problem]:
    """Ring, counts, odds and layout of the chosen option (2.1, 2.1.x, 2.2, 6.1)."""
    wheel, rules = config.the_wheel(), wheel_rules(config.table.rulebook)
    option = next((known for known in rules.options if known.number == wheel.option), None)
    if option is None:
        known = ", ".join(str(known.number) for known in rules.options)
        yield Problem(("wheel", "option"), f"the rulebook has no option {wheel.option} (2.1)", f"it has {known}")
        return
    yield from check_ring(wheel.ring, option, rules.spin.compartments)
    yield from check_odds(wheel.ring, option)
    yield from check_layout(wheel.layout, option)
    for label in wheel.labels:
        if label not in option.names:
            remedy = nearest(label, list(option.names))
            yield Problem(("wheel", "labels", label), f"option {option.number} has no symbol '{label}'", remedy)
    if len(set(wheel.labels.values())) != len(wheel.labels):
        yield Problem(("wheel", "labels"), "two symbols have the same label (2.1)", "give each its own")
    dead = wheel.dead_band or wheel.measured_dead_band or rules.spin.dead_band
    if dead >= 0.5:
        what = f"the geometry gives a dead band of {dead:.2f}, so no spin could ever be clear (7.1.2)"
        yield Problem(("wheel", "compartment_mm"), what, "check the measurements, which are in millimetres")
    elif wheel.near_band is not None and wheel.near_band < dead:
        what = f"'near_band' {wheel.near_band:g} lies inside the dead band {dead:.3f} (7.1.2, W-A3)"
        yield Problem(("wheel", "near_band"), what, "make it larger, or leave it out")


def check_war(config: TableConfig) -> Iterator[Problem]:
    """Decks, card source, layout, options and readings that the rulebook allows, each with its clause."""
    section = config.limits
    limits = Limits(section.min, section.max, section.unit, section.smallest_chip)
    for one in not_allowed(config.table.rulebook, war_config(config.the_war()), limits):
        keys: Keys = ("limits" if hasattr(section, one.about) else "war", one.about)
        yield Problem(keys, f"{one.text} ({one.clause})", "choose what the rulebook allows")


def check_poker(config: TableConfig) -> Iterator[Problem]:
    """Game, seats, structure, blinds and rake that the rulebook allows, each with its clause; cards that are known."""
    for players in config.the_poker().rake.fees:
        if not players.isdigit():
            yield Problem(("poker", "rake", "fees"), f"'{players}' is no number of players (7.2.3(b))", "write 2 to 11")
    for clause, what in faults_of(config):
        yield Problem(("poker",), f"{what} ({clause})", "choose what the rulebook allows")
    cards = [place for place, device in config.devices.items() if device.kind == "cards"]
    if not config.the_poker().deck and any(not config.devices[place].simulated for place in cards):
        what = "the tags of the deck are not known, so no card can be told (3.1)"
        yield Problem(("poker",), what, "set deck to the register of this table's cards")


def check_tournament(config: TableConfig) -> Iterator[Problem]:
    """No table is opened for a tournament: where the rulebook has that chapter, this version does not play it yet."""
    asked: list[Keys] = [("tournament",)] if config.tournament is not None else []
    if config.table.tournament:
        asked.append(("table", "tournament"))
    if config.war is not None and config.war.tournament:
        asked.append(("war", "tournament"))
    chapter = next((one for one in clauses.later(config.table.rulebook) if one.about == "tournament"), None)
    for keys in asked:
        if chapter is not None:
            what = (
                f"tournament play is not offered by this version ({chapter.begins}), so the table cannot open for one"
            )
        else:
            what = "this rulebook has no tournament play"
            if config.table.game == "war":
                what += f" ({war_rules(config.table.rulebook).tournament.clause})"
        yield Problem(keys, what, "leave it out; the table then plays for cash")


def check_ring(ring: tuple[str, ...], option: WheelOption, compartments: int) -> Iterator[Problem]:
    """Exactly 52 compartments, each with a symbol of the option, as many of each as the document says."""
    keys: Keys = ("wheel", "ring")
    if len(ring) != compartments:
        what = f"'ring' has {len(ring)} compartments, not {compartments} ({option.wheel_clause})"
        yield Problem(keys, what, "list every compartment once, in the order they pass the indicator")
    for number, name in enumerate(ring):
        if name not in option.names:
            what = f"'ring' compartment {number + 1} is '{name}', which option {option.number} does not have"
            yield Problem((*keys, number), what + " (2.1)", f"its symbols are {', '.join(option.names)}")
    counts = Counter(ring)
    for symbol in option.symbols:
        if counts[symbol.symbol] != symbol.compartments:
            what = (
                f"'ring' has {counts[symbol.symbol]} compartments of symbol {symbol.symbol}, "
                f"not {symbol.compartments} ({symbol.wheel_clause})"
            )
            yield Problem(keys, what, "correct the ring, or the option")


def check_odds(ring: tuple[str, ...], option: WheelOption) -> Iterator[Problem]:
    """Compartments x (odds + 1) is 48 for every symbol, or ring and pay table do not belong together."""
    counts = Counter(ring)
    for symbol in option.symbols:
        product = counts[symbol.symbol] * (symbol.odds + 1)
        if product != RETURN:
            what = (
                f"symbol {symbol.symbol}: {counts[symbol.symbol]} compartments x ({symbol.odds} + 1) is "
                f"{product}, not {RETURN} ({symbol.pay_clause})"
            )
            yield Problem(("wheel", "ring"), what, "ring and pay table belong to different wheels")


def check_layout(layout: str, option: WheelOption) -> Iterator[Problem]:
    """The layout is the partner of the wheel (2.2)."""
    if layout != option.layout:
        what = f"layout '{layout}' is not the partner of option {option.number} (2.2, {option.layout_clause})"
        yield Problem(("wheel", "layout"), what, f'set layout = "{option.layout}", or the other option')


def check_limits(config: TableConfig) -> Iterator[Problem]:
    """Limits that can be signed and paid (4.1, 4.2.3)."""
    limits = config.limits
    units = () if config.table.game == "war" else ("unit",)  # Casino War may be played without one on the sign
    for name in ("min", *units, "smallest_chip"):
        if getattr(limits, name) <= 0:
            yield Problem(("limits", name), f"'{name}' must be more than nothing", "write dollars, such as 5")
            return
    if limits.max < limits.min:
        what = f"the maximum {_dollars(limits.max)} is below the minimum {_dollars(limits.min)}"
        yield Problem(("limits", "max"), what, "raise max, or lower min")
    for name in ("min", "max", "unit"):
        amount = getattr(limits, name)
        if amount % limits.smallest_chip:
            what = f"'{name}' {_dollars(amount)} cannot be made of {_dollars(limits.smallest_chip)} chips"
            yield Problem(("limits", name), what, "correct it, or smallest_chip")
    bets = _bets(config)
    for bet, own in limits.bets.items():
        if bets and bet not in bets:
            what = f"limits for '{bet}', which is no bet here"
            yield Problem(("limits", "bets", bet), what, nearest(bet, list(bets)))
            continue
        least, most = limits.of(bet)
        if not 0 < least <= most:
            what = f"'{bet}': minimum {_dollars(least)} and maximum {_dollars(most)} do not go together"
            yield Problem(("limits", "bets", bet), what, "the minimum is above zero and at most the maximum")
        for name, amount in (("min", own.min), ("max", own.max)):
            if amount is not None and amount % limits.smallest_chip:
                what = f"'{bet}': {_dollars(amount)} cannot be made of {_dollars(limits.smallest_chip)} chips"
                yield Problem(("limits", "bets", bet, name), what, "correct it, or smallest_chip")


def check_personal_limits(config: TableConfig, book: Rulebook) -> Iterator[Problem]:
    """A player's own limits: one entry each, at a seat that exists, agreed by the rank that may (4.3)."""
    power = book.powers.get("personal_limit")
    if config.personal_limits and power is None:
        what = f"{book.id} knows no personal limits"
        yield Problem(("personal_limits", 0), what, "remove the section")
        return
    seen: set[str] = set()
    for number, own in enumerate(config.personal_limits):
        place: Keys = ("personal_limits", number)
        least = config.limits.min if own.min is None else own.min
        most = config.limits.max if own.max is None else own.max
        if own.player in seen:
            yield Problem((*place, "player"), f"'{own.player}' has limits twice", "keep one entry")
        seen.add(own.player)
        if own.seat > config.seats.count:
            what = f"seat {own.seat} does not exist; the table has {config.seats.count}"
            yield Problem((*place, "seat"), what, "correct seat, or [seats] count")
        if not 0 < least <= most:
            what = f"minimum {_dollars(least)} and maximum {_dollars(most)} do not go together"
            yield Problem((*place, "max"), what, "the minimum is above zero and at most the maximum")
        if own.agreed_by and power is not None:
            person = config.person(own.agreed_by)
            if person is None:
                what = f"'{own.agreed_by}' is not on the staff list"
                yield Problem((*place, "agreed_by"), what, "use the id of a [[staff]] entry")
            elif not book.may(person.rank, "personal_limit"):
                what = f"{person.name} is {person.rank}; personal limits need {power.rank} ({power.clause})"
                yield Problem((*place, "agreed_by"), what, f"have a {power.rank} or higher agree them")


def check_devices(config: TableConfig) -> Iterator[Problem]:
    """Every device the game needs stands somewhere, on a port that can be opened, told apart by serial number."""
    game = config.table.game
    needed = list(_NEEDED.get(game, ()))
    if game == "war":
        needed = [config.war.source if config.war is not None else "shoe", "chips"]
    kinds = {device.kind for device in config.devices.values()}
    for kind in needed:
        if kind not in kinds:
            what = f"{game} needs a device of kind '{kind}'"
            yield Problem(("devices",), what, f'add [devices.{kind}] with kind = "{kind}" and its port')
    ports: dict[tuple[str, str], str] = {}
    for place, device in config.devices.items():
        keys: Keys = ("devices", place, "port")
        if not any(pattern.fullmatch(device.port) for pattern in _PORTS):
            remedy = "use /dev/…[@BAUD], pty[:LINK], tcp://HOST:PORT, usb:VID:PID[:SERIAL], capture:FILE or wire"
            yield Problem(keys, f"'{device.port}' is no port", remedy)
        if device.paired and device.kind == "swipe":
            what = "a card reader off the shelf holds no key, so it cannot be paired"
            yield Problem(("devices", place, "paired"), what, "remove paired here; demand it of our own devices")
        if device.port == "wire" and not device.simulated:
            what = "'wire' runs inside the process and reaches no real device"
            yield Problem(keys, what, "give the device's port, or set simulated = true")
        if device.port in ("wire", "pty"):
            continue
        shared = (device.port, device.serial if device.port.startswith("usb:") else "")
        if shared in ports:
            what = f"'{device.port}' is already the port of [devices.{ports[shared]}]"
            yield Problem(keys, what, "give each device its own port, or its serial number")
        ports[shared] = place


def check_staff(config: TableConfig, book: Rulebook) -> Iterator[Problem]:
    """Every person once, with a rank of the rulebook's ladder."""
    seen: set[str] = set()
    for number, person in enumerate(config.staff):
        if person.rank not in book.ladder:
            what = f"{person.name or person.id} has the rank '{person.rank}', which {book.id} does not know"
            yield Problem(("staff", number, "rank"), what, f"its ranks are {' < '.join(book.ladder)}")
        if person.id in seen:
            yield Problem(("staff", number, "id"), f"id '{person.id}' is given twice", "one id a person")
        seen.add(person.id)


def _web(config: TableConfig) -> Iterator[Problem]:
    host, _, port = config.table.web.rpartition(":")
    if not host or not port.isdigit() or not 1 <= int(port) <= 65535:
        what = f"'{config.table.web}' is no address"
        yield Problem(("table", "web"), what, 'write HOST:PORT, such as "127.0.0.1:8642"')
        return
    if not config.loopback() and not (config.table.certificate and config.table.certificate_key):
        what = f"the pages at {config.table.web} would travel in clear"
        yield Problem(("table", "web"), what, "give certificate and certificate_key, or serve on 127.0.0.1")


def _sections(config: TableConfig) -> Iterator[Problem]:
    """The game's own section is there, and no other game's."""
    for game in RULEBOOK_OF:
        given = getattr(config, game) is not None
        if game == "wheel" and config.table.game == game and not given:
            yield Problem((game,), f"section [{game}] is missing", "the wheel's ring and option go there (2.1)")
        if game == "poker" and config.table.game == game and not given:
            yield Problem((game,), f"section [{game}] is missing", "game, blinds and buy-in go there (6.1.1)")
        if game != config.table.game and given:
            what = f"section [{game}] belongs to another game; this table plays {config.table.game}"
            yield Problem((game, ""), what, "remove it, or change game in [table]")


def _bets(config: TableConfig) -> tuple[str, ...]:
    if config.war is not None:
        rules_of_war = war_rules(config.table.rulebook)
        return (*zones_of(rules_of_war, war_config(config.war)), "war")
    if config.wheel is None:
        return ()
    rules = wheel_rules(config.table.rulebook)
    option = next((known for known in rules.options if known.number == config.wheel.option), None)
    return option.names if option is not None else ()


def _dollars(cents: int) -> str:
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"
