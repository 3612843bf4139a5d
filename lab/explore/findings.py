"""What is looked for after each walk: dead ends, alarms without an end, chips astray, defects, another replay."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import msgspec

from controller.core.effects import Settled
from lab.explore.crew import Crew
from lab.explore.found import Found
from lab.explore.hands import Hands
from lab.explore.steps import AnyStep
from lab.explore.table import CHIPS, TRAY, Differs, ExploredTable, replayed

ACTS = 260
"""So many things may a crew do until the round and the one after it are finished; a plain round takes a dozen."""
ROUNDS = 2
LATER_ROUNDS = 2
"""Rounds after which an alarm that stood before them, and that nobody can see to, has outlived its cause."""
CREW_TAGS = 50_000
"""Tags of chips that the crew brings which ends a walk."""
_FRAME = re.compile(r'File ".*?/((?:controller|drivers)/[^"]+)", line \d+, in (\w+)')


class Ended(msgspec.Struct):
    """How a walk ended: what was found, and what the crew that ended it did."""

    found: list[Found]
    acts: list[AnyStep]


def ended(table: ExploredTable, hands: Hands, seed: int) -> Ended:
    """Let a plain crew finish the walk, and look at what stands then."""
    acts: list[AnyStep] = []
    table.next_tag = CREW_TAGS
    hands.relieved()
    found: list[Found] = []
    try:
        crew = Crew(table, hands, random.Random(f"crew {seed}"))
        if not _finished(table, crew, ROUNDS, acts):
            found.append(_stuck(table, crew))
        else:
            found += _alarms_that_stay(table, crew, acts)
        found += [*_chips_astray(table), *_cards_astray(table, hands)]
        _check_replay(table)
    except Differs as differs:
        found.append(Found("replay differs", str(differs)))
    found += _defects(table)
    found += [*_wrong_settlements(table), *table.judged.values()]
    return Ended(found, acts)


def _finished(table: ExploredTable, crew: Crew, rounds: int, acts: list[AnyStep]) -> bool:
    """Whether the crew came to the end of so many rounds, and into the next."""
    goal = table.rounds + rounds
    for _ in range(ACTS):
        if table.rounds >= goal and table.state in crew.hands.betting and table.table.playing:
            return True
        step = crew.next()
        acts.append(step)
        crew.heard(step, table.do(step))
    return False


def _stuck(table: ExploredTable, crew: Crew) -> Found:
    """Name the dead end by the question that nobody can answer, or by where the table stands."""
    state = table.table.state
    for asked in state.desk.prompts.values():
        if crew.refused_answers.get(asked.subject, set()) >= {option.answer for option in asked.options}:
            subject = asked.subject.partition(":")[0]
            return Found(f"every answer refused: {subject}", f"{asked.text} ({table.state})")
    open_ = sorted({asked.subject.partition(":")[0] for asked in state.desk.prompts.values()})
    where = table.state if table.table.playing else state.life
    asked_too = f", asked: {', '.join(open_)}" if open_ else ""
    why = "; ".join([*(fault.text for fault in state.faults.values()), *state.desk.alarms])
    return Found(f"nothing leads on: {where}{asked_too}", f"{state.life}/{table.state}: {why}")


def _alarms_that_stay(table: ExploredTable, crew: Crew, acts: list[AnyStep]) -> Iterator[Found]:
    before = dict(table.table.state.desk.alarms)
    if not any(_by_itself(table, code) for code in before):
        return
    if not _finished(table, crew, LATER_ROUNDS, acts):
        yield _stuck(table, crew)
        return
    for code, alarm in table.table.state.desk.alarms.items():
        if code in before and alarm.count == before[code].count and _by_itself(table, code):
            kind = table.table.state.desk.kinds.get(code, code)
            yield Found(f"alarm outlives its cause: {kind}", f"{alarm.text} {alarm.remedy}")


def _by_itself(table: ExploredTable, code: str) -> bool:
    """Whether an alarm must end without anybody's key."""
    state = table.table.state
    return code in state.desk.alarms and code not in state.faults and table.table.ends_by_hand(code) is None


def _chips_astray(table: ExploredTable) -> Iterator[Found]:
    """Where chips lie is what the table holds, chip by chip."""
    if CHIPS in table.down or CHIPS not in table.config.devices or table.without(CHIPS):
        return
    known = {tag: area for area, tags in table.table.money.picture().items() for tag in tags}
    true = {tag: area for area, pieces in table.felt.items() for tag in pieces}
    wrong = {tag: (true.get(tag), known.get(tag)) for tag in known.keys() | true.keys()
             if true.get(tag) != known.get(tag)}  # fmt: skip
    if wrong:
        yield Found("chips not conserved", f"tag: lies on, held to lie on: {dict(sorted(wrong.items())[:5])}")
    booked = table.table.money.state.tray.value
    if table.config.chips.float_tray and table.table.playing and booked != table.worth(TRAY):
        yield Found("the books of the float differ from its chips", f"{table.worth(TRAY)} lies there, booked {booked}")


def _cards_astray(table: ExploredTable, hands: Hands) -> Iterator[Found]:
    """Every card is in the source or out of it, as the table holds it."""
    if wrong := hands.cards_astray(table):
        yield Found("cards not conserved", wrong)


def _check_replay(table: ExploredTable) -> None:
    again = replayed(table.config, table.rows)
    if again.table.save() != table.table.save():
        raise Differs("the same conclusions, and another table after them")


def _defects(table: ExploredTable) -> Iterator[Found]:
    for trace in table.defects:
        frames = _FRAME.findall(trace)
        where = f"{frames[-1][0]}:{frames[-1][1]}" if frames else "?"
        last = trace.strip().splitlines()[-1]
        yield Found(f"defect: {last.partition(':')[0]} in {where}", last)


def _wrong_settlements(table: ExploredTable) -> Iterator[Found]:
    for row in table.rows:
        for effect in row.effects:
            for one in effect.results if isinstance(effect, Settled) else ():
                if min(one.pays, one.stake_taken, one.stake_returned) < 0:
                    yield Found("a settlement below nothing", f"{one}")
