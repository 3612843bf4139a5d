"""What the population found, for people: every wheel and every kind of hand, the worst first, with intervals."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import drivers.motion
from lab.wheels.chance import at_most, interval
from lab.wheels.evening import MOVED, Tally, kept, plain
from lab.wheels.population import KINDS, Kind

GOALS = {"brake": 0.3, "rigged": 0.1, "push": 0.02, "hold": 0.3, "nudge": 1.0}
"""From this strength on, nine in ten are to be noticed."""
NOTICED = 0.9
FALSE = 0.001
ASKED = 0.05


OVER_MANY = frozenset({"fairness.py"})
"""Of the analysis, what looks at landings over many spins and judges none."""


@cache
def program() -> str:
    """Which analysis this is: what was counted for another one counts apart."""
    folder = Path(drivers.motion.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        if file.name not in OVER_MANY:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def load(path: Path) -> tuple[int, dict[str, Tally]]:
    """How many evenings were played with this very analysis before, and what came of them."""
    held = _analyses(path).get(program())
    return (int(held["evenings"]), kept(held["tallies"])) if held else (0, {})


def save(path: Path, evenings: int, tallies: dict[str, Tally]) -> None:
    """Keep it beside what was counted for other analyses, so that the next run goes on from there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = {**_analyses(path), program(): {"evenings": evenings, "tallies": plain(tallies)}}
    new = path.with_suffix(".new")
    new.write_text(json.dumps({"analyses": made}), encoding="utf-8")
    new.replace(path)


def _analyses(path: Path) -> dict[str, Any]:
    held = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found: dict[str, Any] = held.get("analyses", {})
    return found


def kinds(tuning: bool = False) -> tuple[Kind, ...]:
    """All kinds of wheels, or those that the analysis may be tried on while it is changed."""
    if tuning:
        return tuple(kind for kind in KINDS if not kind.kept_apart)
    from lab.wheels.strangers import STRANGERS  # not even read while tuning

    return KINDS + STRANGERS


def total(tallies: dict[str, Tally], kept_apart: bool | None = None) -> Tally:
    """All wheels together, or only those that were kept apart."""
    known = {kind.name for kind in kinds(tuning=True)}
    found = Tally()
    for name, tally in tallies.items():
        if kept_apart is None or (name not in known) == kept_apart:
            found.add(tally)
    return found


def hands(tally: Tally) -> list[tuple[str, float, dict[str, int]]]:
    """Kind, strength and counts of every hand, the least noticed first."""
    found = [(kind, float(strength), count) for name, count in tally.hands.items() for kind, strength in [name.split()]]
    return sorted(found, key=lambda hand: hand[2]["noticed"] / hand[2]["spins"])


def missed(tallies: dict[str, Tally]) -> list[str]:
    """The goals that the interval of these counts does not even reach."""
    found = []
    everything = total(tallies)
    if everything.wrong:
        found.append(f"{everything.wrong} wrong winners")
    if everything.missed_short:
        found.append(f"{everything.missed_short} missed short spins")
    if interval(everything.false_alarms, everything.clean)[0] > FALSE:
        found.append(f"false alarms {everything.false_alarms} of {everything.clean}")
    if interval(everything.asked, everything.clean)[0] > ASKED:
        found.append(f"asked {everything.asked} of {everything.clean}")
    for kind, strength, count in hands(everything):
        if strength >= GOALS.get(kind, 9e9) and interval(count["noticed"], count["spins"])[1] < NOTICED:
            found.append(f"{kind} {strength:g} noticed {count['noticed']} of {count['spins']}")
    return found


def text(evenings: int, tallies: dict[str, Tally]) -> str:
    """Everything, the worst first."""
    everything = total(tallies)
    apart = total(tallies, kept_apart=True)
    lines = ["Wheels, those with the most false alarms first; (kept apart: no detector was tuned on them)"]
    ranked = sorted(tallies.items(), key=lambda item: -item[1].false_alarms / max(item[1].clean, 1))
    known = {kind.name for kind in kinds(tuning=True)}
    for name, tally in ranked:
        causes = ", ".join(f"{cause} {count}" for cause, count in sorted(tally.causes.items(), key=lambda c: -c[1]))
        lines.append(
            f"  {name + ('' if name in known else ' (kept apart)'):31}{_share(tally.false_alarms, tally.clean)}  "
            f"asked {_per_cent(tally.asked, tally.clean)}  not clear {_per_cent(tally.unclear, tally.clean)}  "
            f"refused {tally.refused} of {tally.wheels}  {causes}"
        )
    for title, tally in (("Hands on all wheels", everything), ("Hands on the wheels kept apart", apart)):
        lines += ["", f"{title}, the least noticed first; beside it what an ideal detector would notice"]
        for kind, strength, count in hands(tally):
            best = count["ideal"] / max(count["spins"], 1)
            goal = " *" if strength >= GOALS.get(kind, 9e9) else ""
            lines.append(
                f"  {kind:8}{strength:>7g}{goal:2}  {_share(count['noticed'], count['spins'])}  ideal {best:5.1f} %"
                f"{_moved(count)}"
            )
    lines += ["", "Hands that are to be noticed (*), by wheel, where fewer than nine in ten were"]
    lines += _weak(tallies) or ["  none"]
    lines += [
        "",
        f"{evenings} evenings a kind of wheel, {everything.spins} spins, analysis {program()}",
        f"wrong winners {everything.wrong}, missed short spins {everything.missed_short}"
        f" (each below {at_most(everything.spins):.2e} a spin, 95 %, if none)",
        f"false alarms on all wheels {_share(everything.false_alarms, everything.clean)}",
        f"false alarms on those kept apart {_share(apart.false_alarms, apart.clean)}",
        f"asked, near a divider {_share(everything.asked, everything.clean)}; "
        f"a sensor without any error would ask about {_per_cent(everything.wide, everything.clean)} "
        "by the margin of a wheel that nobody measured",
        f"readings lay at most {everything.furthest:.4f} of a compartment from the truth",
        f"judged in {1000 * everything.judging_s / max(everything.spins, 1):.2f} ms a spin, "
        f"evidence at most {everything.most_bytes} bytes; "
        f"{everything.spins / max(everything.playing_s, 1e-9):.0f} spins of the evening a second of one core, "
        "with physics and calibration",
    ]
    return "\n".join([*lines, *(f"  {example}" for example in everything.examples)])


def _moved(count: dict[str, int]) -> str:
    """Of nudges: how many of those were noticed that changed where the wheel rests."""
    if not count.get("moved"):
        return ""
    share = _share(count["moved_noticed"], count["moved"])
    return f"  of those that moved the rest by {MOVED:g} of a compartment or more: {share}"


def _weak(tallies: dict[str, Tally]) -> list[str]:
    found = []
    for name, tally in tallies.items():
        for kind, strength, count in hands(tally):
            if strength >= GOALS.get(kind, 9e9) and count["noticed"] < NOTICED * count["spins"]:
                best = count["ideal"] / count["spins"]
                share = _share(count["noticed"], count["spins"])
                found.append(
                    (
                        count["noticed"] / count["spins"],
                        f"  {name:20}{kind:8}{strength:>5g}  {share}  ideal {best:5.1f} %",
                    )
                )
    return [line for _, line in sorted(found)]


def _share(found: int, of: int) -> str:
    low, high = interval(found, of)
    return f"{found:>5} of {of:<6} {100 * found / max(of, 1):6.2f} % [{100 * low:.2f}, {100 * high:.2f}]"


def _per_cent(found: int, of: int) -> str:
    return f"{100 * found / max(of, 1):.1f} %"


def as_json(evenings: int, tallies: dict[str, Tally]) -> dict[str, Any]:
    """For --json."""
    return {"program": program(), "evenings": evenings, "missed": missed(tallies), "wheels": plain(tallies)}
