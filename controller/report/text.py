"""A gaming day as text for a terminal, and as tables for a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

import msgspec

from controller.money.amounts import dollars
from controller.report.books import Booked
from controller.report.day import HOUR_MS, Report
from controller.report.tally import Tally

When = Callable[[int], str]
"""A moment as the house writes it."""
NO_PLAY = "none: nothing was played on this day"
Table = tuple[str, tuple[str, ...], list[tuple[Any, ...]]]
"""A name, its columns, its lines."""


def percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def span(milliseconds: int) -> str:
    """Hours and minutes, or seconds where it is short."""
    seconds = round(milliseconds / 1000)
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"


def summary(day: Report, when: When) -> list[tuple[str, str]]:
    """The day in a few lines."""
    return [
        ("table", f"{day.table}, {day.rulebook}"),
        ("gaming day", f"{when(day.start)} to {when(day.end)}"),
        *provenance(day),
        *figures(day),
    ]


def provenance(day: Report) -> list[tuple[str, str]]:
    """When this was made, from which journal, and whether that was found whole."""
    told = (("made", day.made), ("journal head", day.head), ("checked", day.checked), ("signature", day.signature))
    return [(name, words) for name, words in told if words]


def figures(day: Report) -> list[tuple[str, str]]:
    """What was played, won, and what went wrong, each as a figure and what it is made of."""
    share = f" ({percent(day.won / day.staked)} of what was staked)" if day.staked else ""
    books = day.books
    return [
        ("rounds", f"{day.rounds} in {span(day.open_ms)} open, {day.pace:.1f} an hour" if day.rounds else NO_PLAY),
        ("headcount", f"{day.headcount:.1f} players a round"),
        ("staked", f"{dollars(day.staked)}, {dollars(day.average_bet)} a wager"),
        ("won by settlements", f"{dollars(day.won)}{share}"),
        *_win(day),
        ("fills", dollars(books.net("fill"))),
        ("credits", dollars(books.net("credit"))),
        ("alarms", str(sum(line.count for line in day.alarms.values()))),
        ("late changes", str(len(day.late))),
        ("mispayments", str(len(day.mispayments))),
        ("voids", str(len(day.voids))),
        ("decisions of staff", str(len(day.decisions))),
        ("events of the day", str(day.events)),
    ]


def _win(day: Report) -> list[tuple[str, str]]:
    """Drop, win and hold as the count room reads them."""
    books = day.books
    lines = [("drop", dollars(day.drop))]
    if books.counted_box is not None:
        off = f", {dollars(books.box_difference)} beside what was booked" if books.box_difference else ", as booked"
        lines.append(("drop box counted", dollars(books.counted_box) + off))
    how = "closing - opening - fills + credits + drop" if books.win is not None else "no float tray is watched"
    if books.win is not None and books.hands:
        how += " + commission dropped"
    lines.append(("win", f"{dollars(day.win)} ({how}), {dollars(day.win_an_hour)} an hour"))
    if day.beside_settlements:
        why = "wrong payments, a round that is not paid yet, colour chips still out"
        lines.append(("beside settlements", f"{dollars(day.beside_settlements)} ({why})"))
    if day.hold is not None:
        lines.append(("hold", f"{percent(day.hold)} of the drop"))
    if day.theoretical_win is not None:
        lines.append(("theoretical win", f"{dollars(day.theoretical_win)} by the exact edges of what was staked"))
    if books.hands:
        what = f"rake {dollars(books.rake)}, fees {dollars(books.fees)}, side wagers {dollars(books.side_wagers)}"
        lines.append(("taken of the game", what))
        held = f"{dollars(books.brought)} brought to the table, {dollars(books.carried_off)} carried off"
        lines.append(("players' chips", held))
    return lines


def tables(day: Report, when: When, money: Callable[[int], str] = dollars) -> Iterator[Table]:
    """Everything else, one table after the other, amounts in the words of `money`."""

    def _cents(cents: int | None) -> str:
        return "" if cents is None else money(cents)

    yield from _of_the_books(day, when, money)
    yield (
        "money by bet",
        ("bet", "wagers", "staked", "paid", "won", "hold", "theoretical"),
        [
            (bet, line.wagers, _cents(line.staked), _cents(line.paid), _cents(line.won),
             percent(line.won / line.staked) if line.staked else "",
             _cents(round(day.theoretical[bet])) if bet in day.theoretical else "")
            for bet, line in sorted(day.bets.items())
        ],
    )  # fmt: skip
    yield from _by_whom(day, when, money)
    yield (
        "rounds by hour",
        ("from", "rounds", "players"),
        [
            (when(hour), day.hours.get(hour, 0), day.heads.get(hour, 0))
            for hour in range(day.start, day.end, HOUR_MS)
            if day.hours.get(hour)
        ],
    )
    yield "results", ("result", "rounds", "expected"), [
        (outcome, count, f"{day.expected[outcome] * day.rounds:.1f}" if outcome in day.expected else "")
        for outcome, count in day.outcomes.items()
    ]  # fmt: skip
    if day.landings.get("spins"):
        landed = day.landings
        yield "landings", ("compartment", "symbol", "spins", "due"), [
            (place, symbol, count, landed["due"])
            for place, (symbol, count) in enumerate(zip(landed["symbols"], landed["counts"], strict=True))
        ]  # fmt: skip
        yield "landings together", ("spins", "what they say"), [(landed["spins"], landed["text"])]
    yield (
        "float",
        ("time", "what", "value", "since the last closing", "won in chips", "gap"),
        [
            (when(line["at"]), line["what"].replace("_", " "), _cents(line["cents"]),
             _cents(line.get("since_closing")), _cents(line.get("won")), _cents(line.get("gap")))
            for line in day.floats
        ],
    )  # fmt: skip
    yield (
        "alarms",
        ("alarm", "times", "by keys taken back", "first", "last", "stood", "last words"),
        [
            (line.code.replace("_", " "), line.count, line.taken_back or "", when(line.first), when(line.last),
             span(line.stood_ms), line.text)
            for line in sorted(day.alarms.values(), key=lambda line: -line.count)
        ],
    )  # fmt: skip
    yield (
        "late bets",
        ("time", "what", "amount", "from area", "to area", "tag", "after the close"),
        [
            (when(late.at), late.kind, _cents(late.cents), late.was if late.was >= 0 else "",
             late.now if late.now >= 0 else "", f"{late.tag:x}", f"{late.after_ms / 1000:.3f} s")
            for late in day.late
        ],
    )  # fmt: skip
    yield "mispayments", MISPAID, [mispaid(item, when, money) for item in day.mispayments.values()]
    yield (
        "voids",
        ("time", "round", "what", "why", "returned"),
        [
            (
                when(void.at),
                void.round or "",
                void.what.replace("_", " "),
                void.why.replace("_", " "),
                _cents(void.cents),
            )
            for void in day.voids
        ],
    )
    yield (
        "devices",
        ("place", "up", "down", "share up", "fell silent", "troubles"),
        [
            (place, span(line.up_ms), span(line.down_ms), percent(line.share), line.losses, line.troubles)
            for place, line in sorted(day.devices.items())
        ],
    )
    yield (
        "staff decisions",
        ("time", "who", "title", "about", "decision", "reason", "clauses", "taken back by"),
        [
            (when(one.at), day.called(one.who), day.titled(one.rank), one.about, one.said, one.reason,
             "; ".join(one.clauses), day.called(one.taken_back_by))
            for one in day.decisions
        ],
    )  # fmt: skip
    yield (
        "keys taken back",
        ("pressed", "pressed by", "key", "taken back", "taken back by", "title", "reason"),
        [
            (when(one.pressed), day.called(one.pressed_by), one.key, when(one.at), day.called(one.by),
             day.titled(one.rank), one.reason)
            for one in day.taken_back
        ],
    )  # fmt: skip
    yield (
        "player cards entered by hand",
        ("time", "player", "box", "by"),
        [(when(one.at), one.player, one.box or "", day.called(one.by)) for one in day.typed_cards],
    )
    yield (
        "played by hand",
        ("without", "from", "until", "rounds", "declared by", "ended by", "told and not counted", "why"),
        [
            (one.place, f"{'before ' if one.before else ''}{when(one.since)}", when(one.until) if one.until else "",
             one.rounds, day.called(one.by), day.called(one.ended_by), one.unheard or "", one.reason)
            for one in day.by_hand
        ],
    )  # fmt: skip
    yield (
        "staff at the table",
        ("time", "what", "place", "who", "rank", "why"),
        [
            (when(one["at"]), one["what"].replace("_", " "), one["place"], one.get("who", ""), one.get("rank", ""),
             one.get("reason", one.get("code", "")))
            for one in day.attendance
        ],
    )  # fmt: skip


def _of_the_books(day: Report, when: When, money: Callable[[int], str]) -> Iterator[Table]:
    """The float from opening to closing, its chips, and everything that people booked."""
    books = day.books
    yield "float, line by line", ("line", "amount"), [(line, money(cents)) for line, cents in books.column()]
    opening, closing = books.opening or {}, books.closing or {}
    yield (
        "float by denomination",
        ("chip", "opening", "closing", "opening value", "closing value"),
        [
            (money(worth), opening.get(worth, 0), closing.get(worth, 0),
             money(worth * opening.get(worth, 0)), money(worth * closing.get(worth, 0)))
            for worth in sorted(opening.keys() | closing.keys(), reverse=True)
        ],
    )  # fmt: skip
    yield (
        "bookings",
        ("time", "number", "kind", "amount", "slip", "by", "second signature", "player", "corrects", "reason"),
        [
            (when(one.at), one.booking or "", one.kind.replace("_", " "), money(one.cents), one.slip,
             day.called(one.by), day.called(one.second), one.player, _corrects(one), one.reason)
            for one in books.booked
        ],
    )  # fmt: skip
    yield (
        "drop box",
        ("time", "counted", "booked", "difference", "slip", "by", "second signature"),
        [
            (when(box.at), money(box.cents), money(box.should), money(box.cents - box.should), box.slip,
             day.called(box.by), day.called(box.second))
            for box in books.boxes
        ],
    )  # fmt: skip
    yield (
        f"cash of {dollars(day.cash_threshold)} and more",
        ("player", "amount", "transactions", "largest", "first", "last"),
        [
            (line.player, money(line.cents), line.times, money(line.largest), when(line.first), when(line.last))
            for line in day.large_cash()
        ],
    )


def _corrects(one: Booked) -> str:
    if not one.corrects:
        return ""
    return f"{one.corrects}, of a float closed since" if one.earlier else str(one.corrects)


def _by_whom(day: Report, when: When, money: Callable[[int], str]) -> Iterator[Table]:
    """Shifts, dealers, and players who showed a card."""

    def played(tally: Tally) -> tuple[Any, ...]:
        return (
            tally.rounds, tally.wagers, money(tally.staked), money(tally.average_bet), money(tally.won),
            money(round(tally.theoretical)) if day.expectations else "",
        )  # fmt: skip

    figures = ("rounds", "wagers", "staked", "average bet", "won", "theoretical")
    yield (
        "shifts",
        ("from", "to", *figures, "drop", "fills", "credits"),
        [
            (when(one.start), when(one.end), *played(one.played), money(one.drop), money(one.fills), money(one.credits))
            for one in day.shifts
        ],
    )
    for name, people in (("dealers", day.dealers), ("players by card", day.players)):
        yield (
            name,
            ("who", *figures, "first", "last"),
            [(day.called(who), *played(one), when(one.first), when(one.last)) for who, one in sorted(people.items())],
        )


MISPAID = ("item", "found", "round", "bet", "kind", "amount", "patron", "intended", "cause", "remedy", "put right")


def mispaid(item: dict[str, Any], when: When, money: Callable[[int], str] = dollars) -> tuple[Any, ...]:
    """One wrong payment as a line; `mispaid` notes of a game hold less than records of the table."""
    intended = item.get("intended")
    return (
        item["item"],
        when(item.get("found_at", item.get("at", 0))),
        item.get("round", ""),
        item.get("bet", item.get("wager", "")),
        str(item.get("kind", "")).replace("_", " "),
        money(item["cents"]),
        item.get("patron", ""),
        "" if intended is None else "yes" if intended else "no",
        item.get("cause", ""),
        item.get("remedy", ""),
        when(item["put_right_at"]) if item.get("put_right_at") else "",
    )


def plain(cents: int) -> str:
    """An amount as a spreadsheet reads it."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def as_text(day: Report, when: When, longest: int = 12) -> str:
    """The day for a terminal; long tables are cut, the other forms hold them whole."""
    width = max(len(name) for name, _ in summary(day, when)) + 2
    parts = ["\n".join(f"{name:<{width}}{value}" for name, value in summary(day, when))]
    for name, columns, lines in tables(day, when):
        if lines:
            shown = columned(columns, lines[:longest])
            more = f"\n  … and {len(lines) - longest} more" if len(lines) > longest else ""
            parts.append(f"{name}\n{shown}{more}")
    return "\n\n".join(parts)


def columned(columns: tuple[str, ...], lines: Iterable[tuple[Any, ...]]) -> str:
    """Lines under their columns, cut to what a terminal shows."""
    texts = [[str(cell)[:60] for cell in line] for line in (columns, *lines)]
    widths = [max(len(line[place]) for line in texts) for place in range(len(columns))]
    return "\n".join(
        "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in texts
    )


def write_csv(day: Report, when: When, out: TextIO) -> None:
    """Every table whole, one after the other, each line with its table's name in front."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("table", "what", "value"))
    writer.writerows(("summary", name, value) for name, value in summary(day, when))
    for name, columns, lines in tables(day, when, plain):
        writer.writerow(())
        writer.writerow((name, *columns))
        writer.writerows((name, *line) for line in lines)


def as_json(day: Report) -> str:
    """Everything, with amounts in cents and moments in milliseconds since the epoch; what is counted out included."""
    books = day.books
    counted_out = {
        "rounds_an_hour": day.pace,
        "staked": day.staked,
        "won": day.won,
        "drop": day.drop,
        "win": day.win,
        "hold": day.hold,
        "beside_settlements": day.beside_settlements,
        "theoretical_win": day.theoretical_win,
        "average_bet": day.average_bet,
        "win_an_hour": day.win_an_hour,
        "headcount": day.headcount,
        "column": [{"line": line, "cents": cents} for line, cents in books.column()],
        "large_cash": day.large_cash(),
    }
    return json.dumps(msgspec.to_builtins({**msgspec.structs.asdict(day), **counted_out}, str_keys=True), indent=2)
