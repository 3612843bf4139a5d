"""Checks every configured value against the rulebook; a problem names the clause it breaks and the remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controller import games, rules
from controller.config.tomlread import Keys, nearest
from controller.config.types import IN_PROCESS, Problem, TableConfig
from controller.core.desk import Limits, limit_faults
from controller.money.amounts import dollars
from controller.rules.rulebook import Rulebook, load_rulebook, rulebook_ids

_MADE_UP = re.compile(r"wire|pty(:\S+)?")
_CAPTURED = re.compile(r"capture:\S.*")
_PORTS = (
    _MADE_UP,
    re.compile(r"tcp:(//)?[^\s:/]+:\d{1,5}"),
    re.compile(r"usb:[0-9a-fA-F]{4}:[0-9a-fA-F]{4}(:\S+)?"),
    re.compile(r"/\S+"),
    _CAPTURED,
)
_BROKER = re.compile(r"(nats|tls)://(\[[0-9a-fA-F:]+\]|[^\s:/@\[\]]+):\d{1,5}")


def problems(config: TableConfig) -> Iterator[Problem]:
    """What keeps this table from opening; the first one is the one to tell."""
    ids = rulebook_ids()
    rulebook = config.table.rulebook
    if not rules.known(rulebook):
        yield Problem(("table", "rulebook"), f"there is no rulebook '{rulebook}'", nearest(rulebook, list(ids)))
        return
    book = load_rulebook(rulebook)
    if book.game != config.table.game:
        remedy = f"set game = \"{book.game}\", or a rulebook such as '{games.find(config.table.game).rulebook}'"
        what = f"rulebook '{rulebook}' is for the game '{book.game}', not '{config.table.game}'"
        yield Problem(("table", "rulebook"), what, remedy)
        return
    yield from check_tournament(config)
    yield from _web(config)
    yield from games.find(config.table.game).problems(config)
    yield from check_limits(config)
    yield from check_personal_limits(config, book)
    yield from check_devices(config)
    yield from check_staff(config, book)
    yield from check_books(config)
    yield from check_uplink(config)


def warnings(config: TableConfig) -> Iterator[Problem]:
    """What is allowed but deserves a look."""
    if not config.loopback():
        what = f"the pages at {config.table.web} can be reached from other machines"
        yield Problem(("table", "web"), what, "use 127.0.0.1 unless that is meant")
    uplink = config.uplink
    if uplink is not None and not uplink.encrypted and not all(_here(server) for server in uplink.servers):
        what = "what this table writes goes to the floor in clear"
        yield Problem(("uplink", "servers"), what, "write tls:// and give ca, unless the line itself is guarded")
    yield from games.find(config.table.game).warnings(config)
    if config.staff and rules.known(config.table.rulebook):
        book = load_rulebook(config.table.rulebook)
        highest = max(book.level(person.rank) for person in config.staff)
        if highest < len(book.ranks):
            what = f"nobody of rank {book.ladder[-1]} is on the staff list, so some rulings cannot be given"
            yield Problem(("staff",), what, "add a person of that rank")


def check_tournament(config: TableConfig) -> Iterator[Problem]:
    """A table takes part in tournaments only where its rulebook has a chapter on them (T-56)."""
    keys: Keys = ("tournament",)
    if config.tournament is None:
        if not config.table.tournament and not getattr(config.play, "tournament", False):
            return
        keys = ("table" if config.table.tournament else config.table.game, "tournament")
    from controller.tournament import book, felt  # only where a table may be part of one

    remedy = "leave it out; the table then plays for cash"
    if not book.has_chapter(config.table.rulebook):
        yield Problem(keys, book.NO_CHAPTER, remedy)
    elif config.tournament is None:
        yield Problem(keys, "a table is offered for tournaments by the section [tournament]", "write that instead")
    elif not felt.known(config.table.game):
        what = f"tournaments of {games.find(config.table.game).title} are not played at a table yet"
        yield Problem(("tournament",), what, remedy)


def check_limits(config: TableConfig) -> Iterator[Problem]:
    """Limits that can be signed and paid (4.1, 4.2.3)."""
    limits = config.limits
    game = games.find(config.table.game)
    table = Limits(limits.min, limits.max, limits.unit, limits.smallest_chip)
    faults = limit_faults(table, unit_on_sign=game.unit_on_sign)
    yield from (Problem(("limits", one.name), one.what, one.remedy) for one in faults)
    if limits.min <= 0 or limits.smallest_chip <= 0:
        return
    bets = game.bets(config)
    for bet, own in limits.bets.items():
        if bets and bet not in bets:
            what = f"limits for '{bet}', which is no bet here"
            yield Problem(("limits", "bets", bet), what, nearest(bet, list(bets)))
            continue
        least, most = limits.of(bet)
        if not 0 < least <= most:
            what = f"'{bet}': minimum {dollars(least)} and maximum {dollars(most)} do not go together"
            yield Problem(("limits", "bets", bet), what, "the minimum is above zero and at most the maximum")
        for name, amount in (("min", own.min), ("max", own.max)):
            if amount is not None and amount % limits.smallest_chip:
                what = f"'{bet}': {dollars(amount)} cannot be made of {dollars(limits.smallest_chip)} chips"
                yield Problem(("limits", "bets", bet, name), what, "correct it, or smallest_chip")


def check_books(config: TableConfig) -> Iterator[Problem]:
    """A zone that this machine knows, and shifts in the order of the gaming day."""
    books = config.books
    if books.zone:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(books.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            what = f"'{books.zone}' is no time zone that this machine knows"
            yield Problem(("books", "zone"), what, "write a name such as Australia/Melbourne")
    since = [minutes_between(books.day_starts, shift) for shift in books.shifts]
    if since != sorted(set(since)):
        what = f"the shifts {', '.join(books.shifts)} do not follow one another from {books.day_starts} on"
        yield Problem(("books", "shifts"), what, "name each beginning once, in the order of the gaming day")


def minutes_between(first: str, second: str) -> int:
    """From one time of day, as HH:MM, to the next time that it is another."""
    minutes = [int(at[:2]) * 60 + int(at[3:]) for at in (first, second)]
    return (minutes[1] - minutes[0]) % (24 * 60)


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
            what = f"minimum {dollars(least)} and maximum {dollars(most)} do not go together"
            yield Problem((*place, "max"), what, "the minimum is above zero and at most the maximum")
        elif config.limits.smallest_chip > 0:
            faults = limit_faults(Limits(least, most, smallest_chip=config.limits.smallest_chip))
            yield from (Problem((*place, one.name), one.what, one.remedy) for one in faults)
        if own.agreed_by and power is not None:
            person = config.person(own.agreed_by)
            if person is None:
                what = f"'{own.agreed_by}' is not on the staff list"
                yield Problem((*place, "agreed_by"), what, "use the id of a [[staff]] entry")
            elif book.level(person.rank) and not book.may(person.rank, "personal_limit"):
                what = f"{person.name} is {person.rank}; personal limits need {power.rank} ({power.clause})"
                yield Problem((*place, "agreed_by"), what, f"have a {power.rank} or higher agree them")


def check_devices(config: TableConfig) -> Iterator[Problem]:
    """Every device the game needs stands somewhere, on a port that can be opened, told apart by serial number."""
    game = config.table.game
    kinds = {device.kind for device in config.devices.values()}
    for kind in games.find(game).needs(config.play):
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
        if device.sealed and not device.paired:
            what = "frames are sealed with the key of a paired device"
            yield Problem(("devices", place, "sealed"), what, "set paired = true beside it, or remove sealed")
        if device.port == IN_PROCESS and not device.simulated:
            what = "'wire' runs inside the process and reaches no real device"
            yield Problem(keys, what, "give the device's port, or set simulated = true")
        if device.simulated and not (_MADE_UP.fullmatch(device.port) or _CAPTURED.fullmatch(device.port)):
            # Were it believed, a table with real devices would be practice: people sign in without a PIN.
            what = f"simulated = true on '{device.port}', the port of a real device"
            remedy = "remove one of the two; simulated devices on real ports belong in the file of a rig: tablectl rig"
            yield Problem(("devices", place, "simulated"), what, remedy)
        if device.port in (IN_PROCESS, "pty"):
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


def check_uplink(config: TableConfig) -> Iterator[Problem]:
    """Brokers that can be asked for, each by scheme, host and port, and a witness whose key can be read."""
    uplink = config.uplink
    if uplink is None:
        return
    if not uplink.servers:
        what = "'servers' names no broker"
        yield Problem(("uplink", "servers"), what, 'write servers = ["nats://10.0.0.5:4222"], or remove [uplink]')
    for server in uplink.servers:
        if not _BROKER.fullmatch(server):
            yield Problem(
                ("uplink", "servers"), f"'{server}' is no broker", "write nats://HOST:PORT or tls://HOST:PORT"
            )
    if any(server.startswith("tls:") for server in uplink.servers) and not uplink.encrypted:
        what = "some brokers would be spoken to in clear and others not"
        yield Problem(("uplink", "servers"), what, "write tls:// for all of them")
    if uplink.witness:
        from controller.journal.cosignature import read_witness
        from controller.journal.head import HeadTrouble

        try:
            read_witness(uplink.witness)
        except HeadTrouble as trouble:
            yield Problem(("uplink", "witness"), str(trouble), "copy the whole line that `tablectl floor key` printed")


def _here(server: str) -> bool:
    return bool(re.match(r"\w+://(127\.|localhost[:/]|\[::1\])", server))


def _web(config: TableConfig) -> Iterator[Problem]:
    host, _, port = config.table.web.rpartition(":")
    if not host or not port.isdigit() or not 1 <= int(port) <= 65535:
        what = f"'{config.table.web}' is no address"
        yield Problem(("table", "web"), what, 'write HOST:PORT, such as "127.0.0.1:8642"')
        return
    if not config.loopback() and not (config.table.certificate and config.table.certificate_key):
        what = f"the pages at {config.table.web} would travel in clear"
        yield Problem(("table", "web"), what, "give certificate and certificate_key, or serve on 127.0.0.1")
