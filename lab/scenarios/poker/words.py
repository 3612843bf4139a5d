"""What a case of Crown Poker may say."""

from __future__ import annotations

from typing import Any

from controller.build import build_table
from controller.core.table import Table
from controller.games.poker.cards import BIT
from controller.games.poker.offers import GAMES, KINDS
from lab.scenarios.about import ABOUT, FAULTS
from lab.scenarios.file import ScenarioError
from lab.scenarios.forms import RANK, key_words
from lab.scenarios.words import (
    ANYTHING,
    COUNT,
    FLAG,
    MONEY,
    NAMES,
    NOTES,
    SOME_MONEY,
    TEXT,
    Field,
    Kind,
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

STREETS = {"preflop": 0, "deal": 0, "flop": 3, "turn": 4, "river": 5}


def _cards(value: Any, where: str) -> list[str]:
    if isinstance(value, str):
        value = [value[at : at + 2] for at in range(0, len(value), 2)]
    if not isinstance(value, list):
        raise ScenarioError(f"{where}: cards are a list, or written one after the other: AsKd; not {value!r}")
    for card in value:
        _card(card, where)
    if len(set(value)) != len(value):
        raise ScenarioError(f"{where}: a card stands twice")
    return list(value)


def _card(value: Any, where: str) -> str:
    if not isinstance(value, str) or value not in BIT:
        raise ScenarioError(f"{where}: {value!r} is no card; write rank and suit, as in As or Td")
    return value


def _seats(value: Any, where: str) -> dict[int, int]:
    """Every seat's stack; from an object by seat, or a list of objects."""
    if isinstance(value, list):
        told = [SEAT_AND_STACK.read(one, f"{where} {number}") for number, one in enumerate(value, 1)]
    elif isinstance(value, dict):
        told = [SEAT_AND_STACK.read({"seat": _number(seat), "stack": stack}, where) for seat, stack in value.items()]
    else:
        told = []
    stacks = {one["seat"]: one["stack"] for one in told}
    if len(stacks) < len(told):
        raise ScenarioError(f"{where}: a seat is told twice; each seat has one stack")
    if len(stacks) < 2:
        raise ScenarioError(f"{where}: a hand needs two seats or more, each with its stack")
    return stacks


def _number(value: Any) -> Any:
    """A seat as an object names it; whatever is no number stays as it is, to be refused."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 3 else value


SEATED_MOST = 11
"""More players than that sit at no game of the rulebook."""
SEAT = counted(least=1, most=SEATED_MOST)
SEAT_AND_STACK = object_of(
    Field("seat", SEAT, "Which seat.", optional=False), Field("stack", SOME_MONEY, "Its stack.", optional=False)
)
SEATS = Kind("stacks by seat, as an object or as a list of objects with `seat` and `stack`", _seats, "dollars")
CARD = Kind("a card, rank 2-9 T J Q K A and suit s h d c, such as As", _card)
CARDS = Kind("cards, as a list or written one after the other", _cards)
BY_SEAT = by_name(MONEY, "seats")

CASE = Section(
    "case",
    "What a case is made of: a hand that is played, or `inputs`, a question that hands are played to answer.",
    (
        Word(
            "case",
            fields=(
                *ABOUT,
                Field("game", TEXT, "The game that is played, where `config` does not say it."),
                Field("option", ANYTHING, "Nothing reads it."),
                Field("config", ANYTHING, "The terms that are played by."),
                Field("seats", SEATS, "Who plays, each with what lies before them."),
                Field("button", SEAT, "Where the button lies; the last seat unless told."),
                Field("deck", CARDS, "The deck from the top, burns included; the rest follows in order of suits."),
                Field("shuffled", CARDS, "What lies on top once the stub was shuffled."),
                Field("actions", list_of(ANYTHING), "What happens, one after the other."),
                Field("events", list_of(ANYTHING), "The same, after all `actions`."),
                Field("steps", list_of(ANYTHING), "What hands do, one after the other, in place of `actions`."),
                Field("seated_then", list_of(list_of(SEAT)), "Hands that follow, each with the seats that stay."),
                Field("inputs", ANYTHING, "A question to the rules, in place of a hand."),
                Field("expected", ANYTHING, "What must come of it."),
            ),
        ),
    ),
)
RAKE = object_of(
    Field("method", one_of("none", "percentage", "time", "per_hand", "per_person"), "How it is taken."),
    Field("percent", measured("per cent"), "Of the pot, in percent."),
    Field("pct", measured("per cent"), same_as="percent"),
    Field("cap", MONEY, "At most."),
    Field("minimum", MONEY, "At least."),
    Field("fee", MONEY, "For each person."),
    Field("fees", by_name(MONEY, "numbers of players"), "By how many are dealt in."),
    Field("stand_alone", FLAG, "Whether the table stands alone."),
)
BONUS = object_of(
    Field("name", TEXT, "What it is called.", optional=False),
    Field("hand", TEXT, "The least kind of hand that earns it, such as `flush`.", optional=False),
    Field("kind", one_of("cash", "goods", "services"), "What it is; cash unless told."),
    Field("amount", MONEY, "How much it is."),
)
CONFIG = Section(
    "config",
    "The terms that are played by.",
    (
        Word(
            "config",
            fields=(
                Field("game", one_of(*GAMES, *GAMES.values()), "The game; Holdem unless told."),
                Field("structure", one_of(*KINDS, pot="pot_limit", structured="fixed"), "The limit; none unless told."),
                Field("levels", list_of(MONEY), "For a fixed limit: the wager of each round."),
                Field("blinds", list_of(MONEY), "The blinds; 5 and 10 unless told."),
                Field("chip", SOME_MONEY, "The smallest chip; 1 unless told."),
                Field("min", MONEY, "The least wager."),
                Field("max", MONEY, "The greatest wager, for a spread limit."),
                Field("rake", RAKE, "The commission; none unless told."),
                Field("straddle", FLAG, "Whether one may straddle."),
                Field("over_blinds", FLAG, "Whether there may be over-blinds."),
                Field("side_wagers", FLAG, "Whether Flop Chase is offered."),
                Field("time_to_act_s", counted("seconds"), "How long a player has."),
                Field("extensions", COUNT, "How often that may be extended."),
                Field("extension_s", counted("seconds"), "By how much."),
                Field("extension_fee", MONEY, "For which fee."),
                Field("bonus", list_of(BONUS), "The prizes on the sign."),
                *NOTES,
            ),
        ),
    ),
)
WHO = Field("seat", SEAT, "Who; the seat in turn unless told.")
AT = Field("seat", SEAT, "Which seat.", optional=False)
AFTER = Field("after_cards", COUNT, "After so many cards of the deal.")
TO = (
    WHO,
    Field("to", MONEY, "The total of this round.", optional=False),
    Field("amount", MONEY, same_as="to"),
)
DO = (
    Word("fold", "The cards go into the muck.", (WHO,)),
    Word("check", "A check is said.", (WHO,)),
    Word("call", "A call is said, and the chips follow.", (WHO,)),
    Word("bet", "A bet is said, and the chips follow.", TO),
    Word("raise", "A raise is said, and the chips follow.", TO),
    Word("all_in", "All-in is said, and the chips follow.", (WHO,)),
    Word("chips", "Chips are put forward, silently or after a word; `do` may be left out.", (
        WHO,
        Field("chips", either(SOME_MONEY, list_of(SOME_MONEY)), "How much, or chip by chip.", optional=False),
        Field("single", FLAG, "Whether they are one chip; not told, as few as there are."),
        Field("said", one_of("raise", "call"), "What was said before."),
        Field("announced", one_of("raise", "call"), same_as="said"))),
    Word("straddle", "A straddle or over-blind is put up before the cards.", (
        AT, Field("amount", SOME_MONEY, "How much.", optional=False))),
    Word("side", "A side wager is laid before the cards.", (
        AT, Field("colour", one_of("red", "black"), "On which colour.", optional=False),
        Field("color", one_of("red", "black"), same_as="colour"),
        Field("amount", SOME_MONEY, "How much.", optional=False))),
    Word("deal_to", "The next card goes to a seat, rightly or not.", (AT, AFTER)),
    Word("exposed", "The last card of a seat is shown by the dealer, who says so.", (AT, AFTER)),
    Word("boxed", "The next card lies face up in the deck: it goes to the muck, and the dealer says so.", (AFTER,)),
    Word("turn_up", "Board cards are opened: rightly, too many, without a burn, or too early.", (
        Field("cards", counted(least=1, most=10), "How many; three on the flop, else one, unless told."),
        Field("burn", FLAG, "Whether one is burned before; not when it is too early, unless told."),
        Field("early", FLAG, "Before the round of wagers is over."))),
    Word("discard", "A card is thrown away, in a game that asks for it.", (
        AT, Field("card", CARD, "Which one.", optional=False))),
    Word("show", "A hand is tabled at the showdown.", (WHO,)),
    Word("muck", "A hand is given up at the showdown: the cards go into the muck.", (WHO,)),
    Word("answer", "A question is answered; without a word of it, people answer as proposed.", (
        Field("subject", TEXT, "Which question; the next one unless told."),
        Field("answer", TEXT, "The answer.", optional=False),
        Field("reason", TEXT, "The reason that is told with it."),
        Field("args", ANYTHING, "What else the form of the answer asks for, in one object."))),
    Word("until", "Everybody checks or calls up to a street.", (
        Field("street", one_of(*STREETS), "Up to which.", optional=False),)),
    Word("probe", "Somebody looks at what the seat in turn may do."),
)  # fmt: skip
SAME = {
    "folds": "fold", "checks": "check", "stand": "check", "calls": "call", "bets": "bet", "bet_to": "bet",
    "bet_out_of_turn": "bet", "raises": "raise", "raise_to": "raise", "raises_to": "raise", "allin": "all_in",
    "all_ins": "all_in", "goes_all_in": "all_in", "table_hand": "show", "shows": "show", "tables": "show",
    "mucks": "muck", "muck_hand": "muck", "give_up": "muck", "discards": "discard", "straddles": "straddle",
    "side_wager": "side", "flop_chase": "side", "post": "posts", "turned_up": "turn_up", "deal_board": "turn_up",
    "cancel": "cancel_disruption", "expose": "exposed", "time": "time_up", "ruling": "answer", "rule": "answer",
}  # fmt: skip
"""Words that mean the same as another."""
COMMON = (
    Field("rank", RANK, "The rank of whoever does it; the dealer unless told."),
    Field("out_of_turn", FLAG, "A remark for people; nothing reads it."),
    *NOTES,
)
POT = object_of(
    Field("amount", MONEY, "What lies in it.", optional=False),
    Field("eligible", list_of(SEAT), "The seats that may win it."),
)
EXPECTED = Section(
    "expected",
    "What must come of a hand.",
    (
        Word(
            "expected",
            fields=(
                Field("pots", list_of(either(MONEY, POT)), "The pots, the main pot first."),
                Field("award", BY_SEAT, same_as="awards"),
                Field("awards", BY_SEAT, "What each seat wins of the pots."),
                Field("stacks", BY_SEAT, "The stacks after the hand."),
                Field("rake", MONEY, "The commission."),
                Field("rulings", list_of(either(TEXT, by_name(ANYTHING))), "What was ruled, as `subject: answer`."),
                Field("outcome", TEXT, "How the hand ended."),
                Field("board", CARDS, "The board."),
                Field("high_winners", list_of(either(SEAT, TEXT)), "Seats that win high."),
                Field("low_winners", list_of(either(SEAT, TEXT)), "Seats that win low."),
                Field("refund", BY_SEAT, "What went back to each seat."),
                Field("side", BY_SEAT, "What Flop Chase pays each seat."),
                Field("refused", NAMES, "The clauses of every refusal, in order."),
                *NOTES,
            ),
        ),
    ),
)


def actions(table: Table) -> Section:
    """What happens in a hand: what players and dealer do, and every key of this table."""
    mine = {word.name for word in DO} | set(SAME)
    return Section(
        "actions",
        "What happens, one after the other; what is not told is checked or called, shown, and answered as proposed. "
        "`action` is another name of `do`.",
        (*DO, *key_words(table, but=tuple(mine)), *(Word(name, same_as=other) for name, other in SAME.items())),
        tag="do",
        common=COMMON,
    )


def words() -> Words:
    """All words, with the keys of a usual table."""
    from lab.scenarios.poker.shapes import QUESTIONS
    from lab.scenarios.poker.steps import STEPS

    table = build_table(default_config("poker"))
    return Words("Crown Poker", (CASE, CONFIG, actions(table), STEPS, EXPECTED, QUESTIONS, FAULTS))
