"""What a case of a tournament may say: its terms, what people do at the hall and at tables, and what comes of it."""

from __future__ import annotations

from floor.hall import acts
from lab.scenarios.about import ABOUT
from lab.scenarios.words import (
    ANYTHING,
    COUNT,
    FLAG,
    MONEY,
    NAMES,
    NOTES,
    SECONDS,
    TEXT,
    Field,
    Kind,
    Section,
    Word,
    Words,
    by_name,
    counted,
    list_of,
    object_of,
    one_of,
)

UNITS = counted("units")
SLIP = object_of(Field("zone", TEXT, "Where.", optional=False), Field("units", UNITS, "How much.", optional=False))
CASE = Section(
    "case",
    "What a case is made of. A case with `terms` is one of a tournament; its game is the rulebook's.",
    (
        Word(
            "case",
            fields=(
                *(field for field in ABOUT if field.name != "faults"),
                Field("terms", by_name(ANYTHING, "places in the terms"), "What differs from the terms that "
                      "`tablectl hall terms GAME` prints: each place with dots and numbers from 1, as in "
                      "`sessions.1.rounds`, and its value; null leaves it out.", optional=False),
                Field("tables", counted("", 1, 100), "How many tables the first session has; 1 if it is not said."),
                Field("entrants", counted("", 0, 1000), "How many enter: numbers from 1 on; none if it is not said."),
                Field("seed", COUNT, "Of what is left to chance."),
                Field("steps", list_of(ANYTHING), "What happens, in order: a list of steps."),
                Field("expected", ANYTHING, "What came of it in the end."),
            ),
        ),
    ),
)  # fmt: skip
WHO = one_of("director", "deputy", "desk", "dealer", "HDD", "AM", "ACM", "operator", "COO")
COMMON = (
    Field("expect", TEXT, "What comes of it: `ok`, or `refused` with the clauses it must name, as in `refused 10.2.3`; "
          "`ok` if it is not said."),
    *NOTES,
)  # fmt: skip
TABLE = Field("table", TEXT, "Which table; the only one if it is not said.")
BY = Field("by", WHO, "Who does it.")
AT_TABLES = (
    Word("begin", "Papers, entries, designation, draw and briefing, as far as the first round of every table."),
    Word("set_up", "Terms, entries and designated tables, as far as the draw."),
    Word("round", "One round at a table, as it is said here; poker hands are played as they come.", (
        TABLE,
        Field("stakes", by_name(by_name(UNITS, "zones or symbols"), "entrants"), "What entrants lay, and where."),
        Field("cards", NAMES, "The cards that leave the shoe next, in order."),
        Field("rests_on", TEXT, "The symbol that the wheel comes to rest on."),
        Field("surrender", NAMES, "Who surrenders at a tie; the others go to war if they can."),
        Field("pass", NAMES, "Who lays a Pass marker."),
        Field("all_in", by_name(TEXT, "entrants"), "Who lays an All-In marker, and on which zone."),
        Field("secret", by_name(SLIP, "entrants"), "Whose slips are opened, and what they say."),
        Field("rebuy", NAMES, "Who uses a Re-Buy marker before it."),
    )),
    Word("play", "People play by themselves, until every table has played so many more rounds or its session is over.",
         (Field("rounds", counted("", 1, 10_000), "How many.", optional=False),)),
    Word("finish", "People play and decide by themselves until prizes are listed and the tables are free again."),
    Word("press", "Somebody presses a key at a table.", (
        TABLE, BY, Field("key", TEXT, "Which key.", optional=False),
        Field("form", by_name(ANYTHING, "fields"), "What its form asks for."),
    )),
    Word("answer", "Somebody answers a question at a table.", (
        TABLE, BY, Field("question", TEXT, "What it is about, as `breach`.", optional=False),
        Field("answer", TEXT, "Which answer.", optional=False),
        Field("form", by_name(ANYTHING, "fields"), "What the answer asks for."),
    )),
    Word("sign_out", "The Director or a deputy signs out at a table, and shows no card.", (TABLE, BY)),
    Word("sign_in", "The Director or a deputy signs in at a table.", (TABLE, BY)),
    Word("kill", "A table's controller, or the hall, is killed and comes up again.",
         (Field("what", TEXT, "The table, or `hall`.", optional=False),)),
    Word("cut", "A table's line to the floor is cut.", (TABLE,)),
    Word("mend", "The line is back.", (TABLE,)),
    Word("wait", "Time passes.", (Field("seconds", SECONDS, "How long.", optional=False),)),
)  # fmt: skip
_KINDS = {"flag": FLAG, "number": COUNT, "text": TEXT, "names": NAMES}
WITHIN = {"load_terms": ("text",), "approve": ("digest",), "draw": ("entropy",)}
"""What the case itself says, or chance: its terms, their digest, the entropy of a draw."""


def _kind(field: acts.Field) -> Kind:
    if field.choices:
        return one_of(*field.choices)
    if field.name == "cents":
        return MONEY if field.kind == "number" else by_name(MONEY, "entrants")
    return _KINDS[field.kind]


def name_of(field: acts.Field) -> str:
    """Money is said in dollars, so it has another name here."""
    return "dollars" if field.name == "cents" else field.name


def _at_hall(name: str, act: type[acts.Act]) -> Word:
    """An act as the hall declares it."""
    asked = [field for field in acts.fields(act) if field.name not in WITHIN.get(name, ())]
    taken = {field.name for field in COMMON}
    fields = tuple(
        Field(name_of(one), _kind(one), f"{name_of(one).replace('_', ' ').capitalize()}.", one.optional)
        for one in asked if one.name not in taken
    )  # fmt: skip
    remarks = tuple(
        Field(one.name, _kind(one), "What is put on record.", one.optional) for one in asked if one.name in taken
    )
    return Word(name, f"At the hall: {act.words[0].lower()}{act.words[1:]}.", (*fields, *remarks, BY))


STEPS = Section(
    "steps", "What happens, one thing after the other.",
    (*AT_TABLES, *(_at_hall(name, act) for name, act in acts.BY_NAME.items())), tag="do", common=COMMON,
)  # fmt: skip
EXPECTED = Section(
    "expected",
    "What came of it in the end; what is not said is not looked at, but that no unit is lost is always.",
    (
        Word("expected", fields=(
            Field("refused", NAMES, "The clauses that the terms are refused with; nothing is played then."),
            Field("banks", by_name(UNITS, "entrants"), "What entrants have."),
            Field("markers", by_name(by_name(COUNT, "kinds"), "entrants"), "Markers that are left."),
            Field("standing", by_name(TEXT, "entrants"), "How entrants stand at the hall: `playing`, `eliminated` …"),
            Field("places", by_name(COUNT, "entrants"), "Places."),
            Field("prizes", by_name(MONEY, "entrants"), "Prizes."),
            Field("refunds", by_name(MONEY, "entrants"), "What was given back."),
            Field("left", COUNT, "How many are still in."),
            Field("entered", COUNT, "How many have entered."),
            Field("scored", by_name(COUNT, "tables"), "Scored rounds of tables."),
            Field("tables", by_name(TEXT, "tables"), "How the session stands at tables: `playing`, `held` …"),
            Field("event", TEXT, "How the event stands: `running`, `between` …"),
            Field("tickets", list_of(object_of(
                Field("entrant", TEXT, "Who."), Field("from", TEXT, "Which table."), Field("to", TEXT, "Which table."),
                Field("stack", UNITS, "With how much."), Field("state", TEXT, "`accepted`, `in_transit` …"),
            )), "All tickets, in order."),
            Field("asked", NAMES, "Questions that are open at tables, by what they are about."),
            Field("alarms", NAMES, "What alarms of the hall say, in part; none is an empty list."),
            *NOTES,
        )),
    ),
)  # fmt: skip


def words() -> Words:
    from lab.scenarios.tournament.worked import words as worked

    return Words("Tournaments", (CASE, STEPS, EXPECTED, worked.CASE, worked.GIVEN, worked.EVENTS, worked.EXPECTED))
