"""What the population found, for people: every wheel and every kind of hand, the worst first, with intervals."""

from __future__ import annotations

from typing import Any

from lab.wheels.chance import at_most, interval
from lab.wheels.counted import Counted, program
from lab.wheels.evening import MOVED, Tally, plain
from lab.wheels.population import KINDS, Kind

GOALS = {"brake": 0.3, "rigged": 0.1, "push": 0.02, "hold": 0.3, "nudge": 1.0}
"""From this strength on, nine in ten are to be noticed."""
NOTICED = 0.9
FALSE = 0.001
ASKED = 0.05
YARDSTICK = "'energy': what its work alone would show to one who knows this wheel's law, a yardstick and no upper limit"


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


def alone(tallies: dict[str, Tally]) -> list[str]:
    """The goals that one kind of wheel by itself misses, though all of them together may not."""
    found = []
    for title, most, counts in (
        ("natural spins called touched", FALSE, {name: (t.false_alarms, t.clean) for name, t in tallies.items()}),
        ("asked about near a divider", ASKED, {name: (t.asked, t.clean) for name, t in tallies.items()}),
    ):
        over = {name: count for name, count in counts.items() if interval(*count)[0] > most}
        for name, (seen, of) in sorted(over.items(), key=lambda item: -item[1][0] / item[1][1]):
            found.append(f"{name:20}{title}: {_share(seen, of)}, where {100 * most:g} % is the goal")
    return found


def text(counted: Counted, analysis: str = "") -> str:
    """Everything, the worst first."""
    tallies = counted.tallies
    everything, apart = total(tallies), total(tallies, kept_apart=True)
    lines = [
        *_wheels(tallies),
        *_hands("Hands on all wheels", everything),
        *_hands("Hands on the wheels kept apart", apart),
        "",
        "Hands that are to be noticed (*), by wheel, where fewer than nine in ten were",
        *(_weak(tallies) or ["  none"]),
        "",
        "Wheels that miss a goal by themselves",
        *([f"  {line}" for line in alone(tallies)] or ["  none"]),
        "",
        *_statement(counted, everything, apart, analysis or program()),
    ]
    return "\n".join([*lines, *(f"  {example}" for example in everything.examples)])


def _wheels(tallies: dict[str, Tally]) -> list[str]:
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
    return lines


def _hands(title: str, tally: Tally) -> list[str]:
    lines = ["", f"{title}, the least noticed first; {YARDSTICK}"]
    for kind, strength, count in hands(tally):
        goal = " *" if strength >= GOALS.get(kind, 9e9) else ""
        share = _share(count["noticed"], count["spins"])
        lines.append(f"  {kind:8}{strength:>7g}{goal:2}  {share}  {_energy(count)}{_moved(count)}")
    return lines


def _statement(counted: Counted, everything: Tally, apart: Tally, analysis: str) -> list[str]:
    """What all of it comes to."""
    spins = everything.spins
    other = "" if analysis == program() else f", not this program's, which is {program()}"
    untold = counted.evenings - len(counted.drawn)
    return [
        f"{counted.evenings} evenings, {everything.wheels} wheels of {len(counted.tallies)} kinds, {spins} spins, "
        f"analysis {analysis}{other}",
        *([f"of {untold} evenings it was not kept which wheels were drawn"] if untold else []),
        f"wrong winners {everything.wrong}, missed short spins {everything.missed_short} "
        f"(below {at_most(spins, everything.wrong):.2e} and {at_most(spins, everything.missed_short):.2e} "
        "a spin of such evenings, 95 %)",
        f"false alarms on all wheels {_share(everything.false_alarms, everything.clean)}",
        f"false alarms on those kept apart {_share(apart.false_alarms, apart.clean)}",
        f"asked, near a divider {_share(everything.asked, everything.clean)}; "
        f"a sensor without any error would ask about {_per_cent(everything.wide, everything.clean)} "
        "by the margin of a wheel that nobody measured",
        f"readings lay at most {everything.furthest:.4f} of a compartment from the truth",
        f"judged in {1000 * everything.judging_s / max(spins, 1):.2f} ms a spin, "
        f"evidence at most {everything.most_bytes} bytes; "
        f"{spins / max(everything.playing_s, 1e-9):.0f} spins of the evening a second of one core, "
        "with physics and calibration",
    ]


def _energy(count: dict[str, int]) -> str:
    return f"energy {count['ideal'] / max(count['spins'], 1):5.1f} %"


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
                share = _share(count["noticed"], count["spins"])
                found.append(
                    (
                        count["noticed"] / count["spins"],
                        f"  {name:20}{kind:8}{strength:>5g}  {share}  {_energy(count)}",
                    )
                )
    return [line for _, line in sorted(found)]


def _share(found: int, of: int) -> str:
    low, high = interval(found, of)
    return f"{found:>5} of {of:<6} {100 * found / max(of, 1):6.2f} % [{100 * low:.2f}, {100 * high:.2f}]"


def _per_cent(found: int, of: int) -> str:
    return f"{100 * found / max(of, 1):.1f} %"


def as_json(counted: Counted, analysis: str = "") -> dict[str, Any]:
    """For --json."""
    everything = total(counted.tallies)
    return {
        "program": analysis or program(),
        "evenings": counted.evenings,
        "wheels_played": everything.wheels,
        "spins": everything.spins,
        "wrong": everything.wrong,
        "wrong_below": at_most(everything.spins, everything.wrong),
        "missed_short": everything.missed_short,
        "missed_short_below": at_most(everything.spins, everything.missed_short),
        "missed": missed(counted.tallies),
        "missed_alone": alone(counted.tallies),
        "wheels": plain(counted.tallies),
    }
