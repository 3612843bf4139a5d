"""A gaming day as text for a terminal, and as tables for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

from controller.money.amounts import dollars
from controller.report import HOUR_MS, Report

When = Callable[[int], str]
"""A moment as the house writes it."""
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
    hold = f"{dollars(day.won)}" + (f" ({percent(day.won / day.staked)} of what was staked)" if day.staked else "")
    return [
        ("table", f"{day.table}, {day.rulebook}"),
        ("gaming day", f"{when(day.start)} to {when(day.end)}"),
        ("rounds", f"{day.rounds} in {span(day.open_ms)} open, {day.pace:.1f} an hour"),
        ("staked", dollars(day.staked)),
        ("won by the house", hold),
        ("drop", dollars(day.drop)),
        ("alarms", str(sum(line.count for line in day.alarms.values()))),
        ("late changes", str(len(day.late))),
        ("mispayments", str(len(day.mispayments))),
        ("voids", str(len(day.voids))),
        ("events in the journal", str(day.events)),
        *([("journal head", day.head)] if day.head else []),
    ]


def tables(day: Report, when: When, money: Callable[[int], str] = dollars) -> Iterator[Table]:
    """Everything else, one table after the other, amounts in the words of `money`."""

    def _cents(cents: int | None) -> str:
        return "" if cents is None else money(cents)

    yield (
        "money by bet",
        ("bet", "wagers", "staked", "paid", "won", "hold"),
        [
            (bet, line.wagers, _cents(line.staked), _cents(line.paid), _cents(line.won),
             percent(line.won / line.staked) if line.staked else "")
            for bet, line in sorted(day.bets.items())
        ],
    )  # fmt: skip
    yield (
        "rounds by hour",
        ("from", "rounds"),
        [(when(hour), day.hours.get(hour, 0)) for hour in range(day.start, day.end, HOUR_MS) if day.hours.get(hour)],
    )
    yield "results", ("result", "rounds", "expected"), [
        (outcome, count, f"{day.expected[outcome] * day.rounds:.1f}" if outcome in day.expected else "")
        for outcome, count in day.outcomes.items()
    ]  # fmt: skip
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
        "bookings",
        ("kind", "amount"),
        [(kind.replace("_", " "), _cents(cents)) for kind, cents in sorted(day.booked.items())],
    )
    yield (
        "alarms",
        ("alarm", "times", "first", "last", "stood", "last words"),
        [
            (line.code, line.count, when(line.first), when(line.last), span(line.stood_ms), line.text)
            for line in sorted(day.alarms.values(), key=lambda line: -line.count)
        ],
    )
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
        [(when(void.at), void.round or "", void.what, void.why, _cents(void.cents)) for void in day.voids],
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
        ("time", "who", "rank", "about", "decision", "reason", "clauses"),
        [
            (when(one.at), one.who, one.rank, one.subject, one.answer, one.reason, "; ".join(one.clauses))
            for one in day.decisions
        ],
    )
    yield (
        "staff at the table",
        ("time", "what", "place", "who", "rank", "why"),
        [
            (when(one["at"]), one["what"].replace("_", " "), one["place"], one.get("who", ""), one.get("rank", ""),
             one.get("reason", one.get("code", "")))
            for one in day.attendance
        ],
    )  # fmt: skip


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
