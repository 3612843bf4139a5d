"""What a case of Big Wheel may say."""

from __future__ import annotations

from typing import get_args

from controller.build import build_table
from controller.core.table import Table
from lab.scenarios.about import ABOUT, FAULTS
from lab.scenarios.forms import RANK, key_words
from lab.scenarios.words import (
    ANYTHING,
    FLAG,
    MONEY,
    NAMES,
    NOTES,
    SOME_MONEY,
    TEXT,
    Field,
    Section,
    Word,
    Words,
    by_name,
    counted,
    either,
    list_of,
    measured,
    object_of,
    one_of,
)
from lab.sim.config import default_config
from simulators.wheel_script import USUAL
from simulators.wheel_sensor import FaultKind

COMPARTMENTS = measured("compartments")
REVOLUTIONS = measured("revolutions")
SHARE = measured("shares of a compartment")
STRENGTHS = {
    "brake": "slows the wheel for 1.5 s; `strength` times its natural deceleration is added",
    "rigged": "a hidden brake from then on to the end; `strength` times the natural deceleration is added",
    "push": "speeds the wheel up at once; `strength` is the share of its speed that is added",
    "hold": "stops the wheel at the end of its way, within 1.5 / `strength` compartments",
    "nudge": "gives a wheel that is about to rest `strength` compartments a second",
    "crawl": "leads a wheel that is about to rest on over `strength` compartments",
}
"""What each hand does to the wheel, and what its strength is."""
INTERFERENCE = object_of(
    Field("kind", one_of(*STRENGTHS), "What the hand does.", optional=False),
    Field("strength", measured("its kind"), "How strong it is."),
    Field("at_revolution", REVOLUTIONS, "Where it comes, from the start of the spin."),
)
CASE = Section(
    "case",
    "What a case is made of.",
    (
        Word(
            "case",
            fields=(
                *ABOUT,
                Field("game", TEXT, "The game, for people; the rulebook says which it is."),
                Field("config", ANYTHING, "How the table is set up."),
                Field("wagers", list_of(ANYTHING), "The stakes that lie before the first spin."),
                Field("spin", ANYTHING, "How the wheel turns; without it, as it usually does."),
                Field("spins", list_of(ANYTHING), "Several spins, one after the other."),
                Field("events", list_of(ANYTHING), "What people do meanwhile."),
                Field("steps", list_of(ANYTHING), "What the world does, step by step, in place of all that."),
                Field("expected", ANYTHING, "What must come of it."),
            ),
        ),
    ),
)
PERSONAL = object_of(
    Field("min", MONEY, "Minimum."),
    Field("max", MONEY, "Maximum."),
    Field("marker", FLAG, "Whether its marker lies at the position; it does unless told."),
)
CONFIG = Section(
    "config",
    "How the table is set up; what is not told is as a simulated table has it.",
    (
        Word(
            "config",
            fields=(
                Field("option", counted(least=1), "The option of the rulebook."),
                Field("min", MONEY, "Minimum wager."),
                Field("max", MONEY, "Maximum wager."),
                Field("unit", SOME_MONEY, "The unit that wagers are multiples of, as the sign says."),
                Field("smallest_chip", SOME_MONEY, "The smallest chip."),
                Field("personal", by_name(PERSONAL, "players"), "Limits agreed for a player."),
                Field("dead_band", SHARE, "So near a divider the indicator is not clear."),
                Field("near_band", SHARE, "So near a divider somebody must confirm it."),
                Field("seats", counted(least=1), "How many players the table seats."),
                Field("ring", NAMES, "The symbols round the wheel, from compartment 0 on."),
                *NOTES,
            ),
        ),
    ),
)
WAGERS = Section(
    "wagers",
    "Stakes that lie before the spin.",
    (
        Word(
            "wager",
            fields=(
                Field("id", TEXT, "Its name; without one, player/symbol."),
                Field("player", TEXT, "Whose it is."),
                Field("owner", TEXT, same_as="player"),
                Field("symbol", TEXT, "The area it lies on.", optional=False),
                Field("amount", SOME_MONEY, "How much.", optional=False),
                *NOTES,
            ),
        ),
    ),
)
SPIN = Section(
    "spin",
    "How the wheel turns: it goes exactly so far and rests exactly there, whoever touches it on the way.",
    (
        Word(
            "spin",
            fields=(
                Field("direction", one_of("clockwise", "anticlockwise"), "Which way."),
                Field("forward_compartments", COMPARTMENTS, "How far, from rest to its farthest; 210 unless told."),
                Field("rest_symbol", TEXT, "The symbol it rests on: the first compartment that has it."),
                Field("rest_compartment", counted(least=0), "The compartment it rests in."),
                Field("rest_offset_from_divider", SHARE, "How far from the next divider; 0.4 unless told."),
                Field("reversal_compartments", COMPARTMENTS, "How far it swings back from its farthest."),
                Field("interference", INTERFERENCE, "A hand on the turning wheel."),
                Field(
                    "sensor_fault",
                    either(
                        FLAG,
                        one_of(*get_args(FaultKind)),
                        object_of(
                            Field("kind", one_of(*get_args(FaultKind)), "What is wrong.", optional=False),
                            Field("at_revolution", REVOLUTIONS, "From where on."),
                            Field("strength", measured("its kind"), "How bad it is."),
                        ),
                    ),
                    "What is wrong with the sensor in this spin; true is lost counts.",
                ),
                Field("wagers", list_of(ANYTHING), "Stakes laid before this spin."),
                Field("events", list_of(ANYTHING), "What people do in this spin."),
                *NOTES,
            ),
        ),
    ),
)
HANDS = Section(
    "interference",
    "What a hand does to the turning wheel. On the way (brake, rigged, push) it comes at `at_revolution`, 1.5 unless "
    "told. Where it decides how the spin ends (hold, nudge, crawl), `forward_compartments` says where that is; without "
    "it the hand comes at `at_revolution`, and the spin ends there.",
    tuple(Word(kind, f"{what[0].upper()}{what[1:]}; {USUAL[kind]:g} unless told.") for kind, what in STRENGTHS.items()),
    tag="kind",
)
WHEN = (
    Field("at_revolution", either(REVOLUTIONS, one_of("never")), "When the wheel has turned so far in this spin."),
    Field(
        "when",
        one_of("before_bets", "before_spin", "before_result"),
        "Before betting opens, before the wheel is spun, or before the result is announced.",
    ),
    Field("rank", RANK, "The rank of whoever does it; the dealer unless told."),
    *NOTES,
)
BY_HAND = (
    Word(
        "late_chips",
        "Somebody lays chips.",
        (
            Field("symbol", TEXT, "On which area.", optional=False),
            Field("amount", SOME_MONEY, "How much.", optional=False),
            Field("player", TEXT, "Whose they are; the dealer says so."),
            Field("wager", TEXT, "The name of this stake; without one, player/symbol."),
        ),
    ),
    Word("bet", same_as="late_chips"),
    Word("withdraw", "A stake is lifted.", (Field("wager", TEXT, "Which stake, by its id.", optional=False),)),
    Word(
        "move",
        "A stake is slid to another area.",
        (
            Field("wager", TEXT, "Which stake, by its id.", optional=False),
            Field("to", TEXT, "The symbol it is slid to.", optional=False),
        ),
    ),
    Word(
        "answer",
        "A question is answered; without a word of it, people answer as proposed.",
        (
            Field("subject", TEXT, "Which question; any unless told."),
            Field("answer", TEXT, "The answer.", optional=False),
            Field("reason", TEXT, "The reason that is told with it."),
            Field("args", ANYTHING, "What else the form of the answer asks for, in one object."),
        ),
    ),
)
EXPECTED = Section(
    "expected",
    "What must come of a case; a list alone is that of `wagers`.",
    (
        Word(
            "expected",
            fields=(
                Field("outcome", TEXT, "The last result: a symbol, `result` for any, or `no_spin`."),
                Field(
                    "refused",
                    NAMES,
                    "Refusals that there must have been, by their codes; any other one fails the case.",
                ),
                Field(
                    "reasons",
                    list_of(one_of("under_revs", "not_clear", "interference", "malfunction")),
                    "Why it was no spin, all of them.",
                ),
                Field("wagers", list_of(ANYTHING), "What became of every wager; of no other."),
                *NOTES,
            ),
        ),
    ),
)
SETTLED = Section(
    "expected wagers",
    "What became of one wager.",
    (
        Word(
            "wager",
            fields=(
                Field("wager", TEXT, "Its id.", optional=False),
                Field("player", TEXT, "Whose it is."),
                Field("result", one_of("win", "lose", "void", "returned"), "How it ended."),
                Field("pays", MONEY, "What is paid on it."),
                Field("stake_taken", MONEY, "What is taken of it."),
                Field("stake_returned", MONEY, "What goes back of it."),
                *NOTES,
            ),
        ),
    ),
)


def events(table: Table) -> Section:
    """What people do during a spin: chips, answers, and every key of this table."""
    meaning = "What people do, each at its time: a word for chips and answers, or a key by its name."
    by_hand = {word.name for word in BY_HAND}
    return Section("events", meaning, (*BY_HAND, *key_words(table, but=tuple(by_hand))), tag="do", common=WHEN)


def words() -> Words:
    """All words, with the keys of a usual table."""
    from lab.scenarios.wheel.steps import STEPS

    table = build_table(default_config("wheel"))
    return Words("Big Wheel", (CASE, CONFIG, WAGERS, SPIN, HANDS, events(table), STEPS, EXPECTED, SETTLED, FAULTS))
