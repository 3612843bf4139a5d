"""A gaming day as one page to print: tables and plots, drawn inline, with nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from itertools import pairwise
from typing import Any

from controller.money.amounts import dollars
from controller.report.day import HOUR_MS, Report
from controller.report.text import NO_PLAY, When, figures, percent, provenance, tables

LATER = frozenset({"rounds by hour", "results", "landings", "landings together", "devices", "staff at the table"})
"""What belongs behind the pictures."""
FEW = 4
"""Fewer columns than this do not fill a page."""
_FIGURE = re.compile(r"-?\$?[0-9][0-9,]*(\.[0-9]+)?( %| s)?|[0-9]+ h [0-9]{2} min")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}([+-][0-9:]{5,8})?")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 720, 200, 76, 24
_STYLE = """
body { font: 13px/1.4 system-ui, sans-serif; color: #1a1a1a; margin: 2em auto; max-width: 76em; padding: 0 1em }
h1 { font-size: 1.7em; margin: 0 } h1 + p { margin: .1em 0 1em; font-size: 1.15em }
h2 { font-size: 1.1em; margin: 1.6em 0 .4em }
table { border-collapse: collapse; width: 100% } th { text-align: left; border-bottom: 1.5px solid #444 }
th, td { padding: .15em 1em .15em 0; vertical-align: top } .n { text-align: right; font-variant-numeric: tabular-nums }
.n, .t { white-space: nowrap } table.few { width: auto; min-width: 30em } tr + tr td { border-top: 1px solid #ddd }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1.2em; overflow-wrap: anywhere } dd { margin: 0 }
dl.proof { border: 1.5px solid #444; padding: .6em 1em } dl.figures { font-size: 1.05em } dt { color: #444 }
.alert { border: 2px solid #b00020; padding: .5em 1em; font-weight: 600 }
svg { width: 100%; max-width: 62em; height: auto } svg text { font: 11px system-ui, sans-serif; fill: #444 }
.bar { fill: #3b6ea5 } .mark { stroke: #b3541e; stroke-width: 2 } .axis { stroke: #999 } .line { stroke: #3b6ea5;
fill: none; stroke-width: 1.5 } .up { fill: #5a9367 } .down { fill: #e3e3e3 } .none { color: #777 }
@media (max-width: 900px) { body { font-size: 10px } th, td { padding-right: .6em } }
@page { size: A4; margin: 14mm }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10px }
h2 { break-after: avoid } table, figure { break-inside: auto }
tr, figure { break-inside: avoid } }
figure { margin: .4em 0 }
"""


def page(day: Report, when: When) -> str:
    """The whole document."""
    title = f"Gaming day report: {day.table}, from {when(day.start)}"
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        f"<style>{_STYLE}</style></head><body>",
        "<h1>Gaming day report</h1>",
        f"<p>{escape(day.table)}, {escape(when(day.start))} to {escape(when(day.end))}</p>",
        _list("proof", [("played by", day.rulebook), *provenance(day)]),
        *([] if day.rounds else [f'<p class="alert">Rounds: {escape(NO_PLAY)}.</p>']),
        "<h2>The day in figures</h2>",
        _list("figures", figures(day)),
        *_tables(day, when, lambda name: name not in LATER),
        "<h2>Rounds an hour</h2>",
        _hours(day, when),
        "<h2>Won by the house over the day</h2>",
        _won(day, when),
    ]
    if day.outcomes:
        parts += ["<h2>Results and what was to be expected</h2>", _outcomes(day)]
    if day.landings.get("spins"):
        parts += ["<h2>Where the wheel came to rest</h2>", _landings(day), f"<p>{escape(day.landings['text'])}</p>"]
    parts += ["<h2>Devices over the day</h2>", _devices(day)]
    parts += _tables(day, when, LATER.__contains__)
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _list(kind: str, lines: list[tuple[str, str]]) -> str:
    inner = "".join(f"<dt>{escape(name.capitalize())}</dt><dd>{escape(words)}</dd>" for name, words in lines)
    return f'<dl class="{kind}">{inner}</dl>'


def _tables(day: Report, when: When, wanted: Callable[[str], bool]) -> list[str]:
    """Tables with their names; of what did not happen it is said that it did not."""
    parts = []
    for name, columns, lines in tables(day, when):
        if wanted(name):
            parts.append(f"<h2>{escape(name.capitalize())}</h2>")
            parts.append(_table(columns, lines) if lines else '<p class="none">None.</p>')
    return parts


def _table(columns: tuple[str, ...], lines: list[tuple[Any, ...]]) -> str:
    """Figures stand under each other, and so does what their column is called."""
    kinds = [_kind([str(line[place]) for line in lines]) for place in range(len(columns))]
    head = "".join(f"<th{kind}>{escape(column)}</th>" for kind, column in zip(kinds, columns, strict=True))
    cells = [
        "".join(f"<td{kind}>{escape(str(cell))}</td>" for kind, cell in zip(kinds, line, strict=True)) for line in lines
    ]
    body = "".join(f"<tr>{line}</tr>\n" for line in cells)
    few = ' class="few"' if len(columns) < FEW else ""
    return f"<table{few}><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"


def _kind(cells: list[str]) -> str:
    told = [cell for cell in cells if cell]
    if told and all(map(_FIGURE.fullmatch, told)):
        return ' class="n"'
    return ' class="t"' if told and all(map(_MOMENT.fullmatch, told)) else ""


# -- plots -------------------------------------------------------------------------------------------------------


def _plot(shapes: list[str], what: str, height: int = _HEIGHT) -> str:
    drawn = "\n".join(shapes)
    return f'<figure><svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(what)}">{drawn}</svg></figure>'


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _hour(moment: str) -> str:
    """The time of day without its seconds, with the offset where it has one."""
    return moment[11:16] + moment[19:]


def _axis() -> str:
    base = _HEIGHT - _BOTTOM
    return f'<line class="axis" x1="{_LEFT}" y1="{base}" x2="{_WIDTH}" y2="{base}"/>'


def _hours(day: Report, when: When) -> str:
    hours = list(range(day.start, day.end, HOUR_MS))
    most = max(day.hours.values(), default=0) or 1
    step, base = (_WIDTH - _LEFT) / max(len(hours), 1), _HEIGHT - _BOTTOM
    shapes = [_axis(), _text(_LEFT - 6, 20, str(most), "end"), _text(_LEFT - 6, base, "0", "end")]
    for place, hour in enumerate(hours):
        tall = day.hours.get(hour, 0) / most * (base - 12)
        x = _LEFT + place * step
        shapes.append(
            f'<rect class="bar" x="{x + 2:.1f}" y="{base - tall:.1f}" width="{step - 4:.1f}" height="{tall:.1f}"/>'
        )
        if place % 3 == 0:
            shapes.append(_text(x + step / 2, _HEIGHT - 6, _hour(when(hour))))
    return _plot(shapes, "rounds in each hour of the gaming day")


def _won(day: Report, when: When) -> str:
    points = [(day.start, 0), *day.won_at]
    low, high = min(won for _, won in points), max(won for _, won in points)
    base, reach = _HEIGHT - _BOTTOM, max(high - low, 1)

    def at(moment: int, won: int) -> tuple[float, float]:
        across = (moment - day.start) / max(day.end - day.start, 1)
        return _LEFT + across * (_WIDTH - _LEFT), base - (won - low) / reach * (base - 12)

    # A page needs no more points than it has dots across; between two settlements nothing was won or lost.
    thin = points[:: max(1, len(points) // 700)] + points[-1:]
    steps = [
        thin[0],
        *(corner for (_, won), (moment, now) in pairwise(thin) for corner in ((moment, won), (moment, now))),
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in steps))
    zero = at(day.start, 0)[1] if low <= 0 <= high else base
    shapes = [
        f'<line class="axis" x1="{_LEFT}" y1="{zero:.1f}" x2="{_WIDTH}" y2="{zero:.1f}"/>',
        f'<polyline class="line" points="{path}"/>',
        _text(_LEFT - 6, 16, dollars(high), "end"),
        _text(_LEFT - 6, base, dollars(low), "end"),
        _text(_LEFT, _HEIGHT - 6, _hour(when(day.start)), "start"),
        _text(_WIDTH, _HEIGHT - 6, _hour(when(day.end)), "end"),
    ]
    return _plot(shapes, "what the house has won, over the day")


def _outcomes(day: Report) -> str:
    names = sorted(day.outcomes)
    wanted = {name: day.expected.get(name, 0.0) * day.rounds for name in names}
    most = max([*day.outcomes.values(), *wanted.values()]) or 1
    step, base = (_WIDTH - _LEFT) / len(names), _HEIGHT - _BOTTOM
    shapes = [_axis(), _text(_LEFT - 6, 20, f"{most:.0f}", "end")]
    for place, name in enumerate(names):
        tall, x = day.outcomes[name] / most * (base - 12), _LEFT + place * step
        shapes.append(
            f'<rect class="bar" x="{x + 4:.1f}" y="{base - tall:.1f}" width="{step - 8:.1f}" height="{tall:.1f}"/>'
        )
        if wanted[name]:
            y = base - wanted[name] / most * (base - 12)
            shapes.append(f'<line class="mark" x1="{x + 2:.1f}" y1="{y:.1f}" x2="{x + step - 2:.1f}" y2="{y:.1f}"/>')
        shapes.append(_text(x + step / 2, _HEIGHT - 6, name))
    return _plot(shapes, "how often each result came, and how often it should have")


def _landings(day: Report) -> str:
    counts, due = day.landings["counts"], day.landings["due"]
    most = max([*counts, due]) or 1
    step, base = (_WIDTH - _LEFT) / len(counts), _HEIGHT - _BOTTOM
    shapes = [_axis(), _text(_LEFT - 6, 20, f"{most:.0f}", "end")]
    for place, (symbol, count) in enumerate(zip(day.landings["symbols"], counts, strict=True)):
        tall, x = count / most * (base - 12), _LEFT + place * step
        shapes.append(
            f'<rect class="bar" x="{x + 1:.1f}" y="{base - tall:.1f}" width="{step - 2:.1f}" height="{tall:.1f}"/>'
        )
        shapes.append(_text(x + step / 2, _HEIGHT - 6, symbol))
    y = base - due / most * (base - 12)
    shapes.append(f'<line class="mark" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH}" y2="{y:.1f}"/>')
    return _plot(shapes, "spins that came to rest in each compartment, and how many were due")


def _devices(day: Report) -> str:
    height = 22 * max(len(day.devices), 1) + 4
    across = (_WIDTH - _LEFT - 60) / max(day.end - day.start, 1)
    shapes = []
    for row, (place, line) in enumerate(sorted(day.devices.items())):
        y = row * 22 + 4
        whole = _WIDTH - _LEFT - 60
        shapes.append(f'<rect class="down" x="{_LEFT}" y="{y}" width="{whole}" height="14"/>')
        for since, until in line.spans:
            x, wide = _LEFT + (since - day.start) * across, max((until - since) * across, 0.5)
            shapes.append(f'<rect class="up" x="{x:.1f}" y="{y}" width="{wide:.1f}" height="14"/>')
        shapes += [
            _text(_LEFT - 6, y + 11, place, "end"),
            _text(_WIDTH, y + 11, percent(line.share), "end"),
        ]
    return _plot(shapes, "when each device was up", height)
