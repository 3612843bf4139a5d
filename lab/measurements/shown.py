"""The measured numbers that a page shows: taken from the history, kept under version control, put between two marks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lab.measurements.measure import Line

BEGIN = "<!-- measured: written by `tablectl bench readme` -->"
END = "<!-- end of measured -->"
MISSING = "—"

PEERS: dict[str, tuple[str, str, str]] = {
    "peer_lewis": ("lewis", "a simulated device asked over TCP, 500 questions at a time", "questions"),
    "peer_mpf": ("Mission Pinball Framework", "a switch told in memory, to whoever listens", "events"),
    "peer_pokerkit": ("PokerKit", "six-handed no-limit hands to a showdown", "hands"),
    "peer_python-statemachine": ("python-statemachine", "transitions with guard and action", "transitions"),
}
"""What each peer is called and what both sides did."""

Say = Callable[[Line], str]


def _ratio(found: Line) -> str:
    return f"{found['ratio']:.2f} × the machine's own limit"


def _value(found: Line) -> str:
    return f"{found['value']:,} {found['unit']}"


def _times(found: Line) -> str:
    return f"{found['value']:,} × real time"


def _power(found: Line) -> str:
    return f"exponent {found['value']:+.3f}"


def _count(found: Line) -> str:
    return f"{found['value']:,}" + (f" of {found['spins']:,}" if "spins" in found else "")


OURS: dict[str, tuple[str, Say]] = {
    "latency_acknowledged": ("last byte of an event to its durable acknowledgement, p50", _ratio),
    "play_wheel_1": ("simulated Big Wheel through frames and journal, one core", _times),
    "play_melbourne_war": ("simulated Casino War", _times),
    "play_poker": ("simulated poker", _times),
    "wheel_wrong": ("wrong winners among random spins", _count),
    "growth_event": ("cost of an event as the journal grows to a million", _power),
    "growth_round": ("cost of a round as the journal grows to a million events", _power),
    "growth_tags": ("cost of a chip as more chips lie on the mat", _power),
    "growth_seats_war": ("cost of a round of Casino War as boxes are played", _power),
    "growth_seats_poker": ("cost of a hand of poker as seats are taken", _power),
    "growth_devices": ("cost of an event as up to sixteen devices are joined", _power),
    "restart": ("restart on a million events, left in mid-play", _value),
    "memory": ("memory with every device and four pages open", _value),
    "memory_growth": ("memory growth", _value),
}
"""What of our own numbers is shown, in this order; the others are in the history."""


def newest(history: Iterable[str]) -> dict[str, Line]:
    """The last result of each bench that a full run measured; a line that was cut off tells nothing."""
    found: dict[str, Line] = {}
    for row in history:
        try:
            kept = json.loads(row)
        except ValueError:
            continue
        if isinstance(kept, dict) and kept.get("bench") in {*PEERS, *OURS} and not kept.get("quick"):
            if kept.get("value") is None and "times" not in kept:
                continue  # skipped or broken: what was measured before still stands
            found[kept["bench"]] = kept
    return found


def kept_lines(found: dict[str, Line]) -> str:
    """Results as the file beside the sources holds them."""
    order = [name for name in (*PEERS, *OURS) if name in found]
    return "".join(json.dumps(found[name], ensure_ascii=False) + "\n" for name in order)


def rendered(found: dict[str, Line]) -> str:
    """The tables, with when and where they were measured."""
    parts = [BEGIN, ""]
    peers = [(name, found[name]) for name in PEERS if name in found]
    if peers:
        parts += [
            "| instead of | the same work | theirs, a second | ours, a second | times |",
            "|---|---|---|---|---|",
            *(_peer_row(name, result) for name, result in peers),
            "",
            f"{_when([result for _, result in peers])} To repeat: `make bench-peers && tablectl bench readme`.",
            *_with_care(found),
            "",
        ]
    ours = [(name, found[name]) for name in OURS if name in found]
    if ours:
        parts += [
            "| what | measured | goal | |",
            "|---|---|---|---|",
            *(_our_row(name, result) for name, result in ours),
            "",
            f"{_when([result for _, result in ours])} To repeat: `make bench && tablectl bench readme`.",
            "",
        ]
    return "\n".join([*parts, END])


def _peer_row(name: str, found: Line) -> str:
    title, what, _ = PEERS[name]
    version = f" {found['version']}" if found.get("version") else ""
    return f"| {title}{version} | {what} | {found['theirs']:,.0f} | {found['ours']:,.0f} | {found['times']:g} |"


def _with_care(found: dict[str, Line]) -> list[str]:
    """What the same run measured besides, without which a row could be read as more than it says."""
    lewis, mpf = found.get("peer_lewis", {}), found.get("peer_mpf", {})
    said = []
    if "theirs_one_at_a_time" in lewis:
        said.append(
            f"Asked one question at a time, lewis answers {lewis['theirs_one_at_a_time']:,.0f} a second and ours "
            f"{lewis['ours_one_at_a_time']:,.0f}; that compares a delay, not the work."
        )
    if "ours_whole_stack" in mpf:
        said.append(
            "The row of MPF leaves out frames and journal on both sides; through frames, driver and journal ours takes "
            f"{mpf['ours_whole_stack']:,.0f} events a second."
        )
    if "peer_pokerkit" in found:
        said.append("PokerKit deals and shows cards by itself, where ours is told every card.")
    return said


def _our_row(name: str, found: Line) -> str:
    what, say = OURS[name]
    return f"| {what} | {say(found)} | {found['goal']} | {'met' if found['ok'] else 'MISSED'} |"


def _when(results: Sequence[Line]) -> str:
    """Which runs these are: days, commits and how busy the machine was."""
    moments = sorted({datetime.fromtimestamp(one["at"], UTC).date() for one in results if "at" in one})
    days = ", ".join(f"{day.day} {day:%B %Y}" for day in moments)
    commits = ", ".join(sorted({str(one["commit"]) for one in results if one.get("commit")}))
    loads = [float(one["load"]) for one in results if "load" in one]
    load = f", load {min(loads):g} to {max(loads):g}" if loads and min(loads) != max(loads) else ""
    load = load or (f", load {loads[0]:g}" if loads else "")
    return f"Measured {days or MISSING} at {commits or MISSING}{load}."


def put_between_marks(text: str, tables: str) -> str:
    """A page with its tables replaced; ValueError when it has no marks for them."""
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f"the page has no place for the tables; put '{BEGIN}' and '{END}' where they shall stand")
    return text[:begin] + tables + text[end + len(END) :]


def read(path: Path) -> dict[str, Line]:
    """What was kept."""
    return newest(path.read_text(encoding="utf-8").splitlines()) if path.exists() else {}
