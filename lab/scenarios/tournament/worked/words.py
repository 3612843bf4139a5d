"""What a worked case may say: what is given, what happens, and what is expected."""

from __future__ import annotations

from lab.scenarios.about import ABOUT
from lab.scenarios.tournament.worked.kinds import (
    BANKS,
    CERTAIN,
    COMMISSION,
    DIRECTS,
    DOLLARS,
    ENTRANTS,
    FOREIGN,
    FROM_TO,
    LAID,
    MARKERS,
    PER_ENTRANT,
    PLAYER,
    PRACTISED,
    REFUSALS,
    ROUND,
    ROUNDS,
    SEAT,
    SPIN,
    SPUN,
    TABLE,
    TIME,
    UNDER_WAY,
    UNITS,
    WHO,
    by_key,
    once,
)
from lab.scenarios.words import (
    ANYTHING,
    COUNT,
    FLAG,
    MONEY,
    NAMES,
    NOTES,
    TEXT,
    Field,
    Section,
    Word,
    by_name,
    counted,
    either,
    list_of,
    object_of,
    one_of,
)

ALTERNATIVE = object_of(Field("terms", by_name(ANYTHING, "terms")), Field("events", list_of(ANYTHING)), *NOTES)
LEVEL = counted("", 1, 40)
FACTS = by_name(ANYTHING, "facts")
FOR = Field("for", PLAYER, "Whom.", optional=False)
ITS_BANKS = Field("bank", BANKS, "Banks.", optional=False)
DUE = Field("amount_dollars", MONEY, "For how much.", optional=False)
AFTER = object_of(
    Field("bank_at_hall", BANKS), Field("hall_rows_from_table", ANYTHING), Field("duplicates_ignored", ANYTHING)
)
CASE = Section(
    "worked case",
    "A case that is told as rules are discussed: from a given stand, who does what, and what is answered. One "
    "with `events`, `given` or `level` is read so. Entrants are P1, P2 and so on, at the box or seat of their number.",
    (
        Word(
            "worked",
            fields=(
                *(field for field in ABOUT if field.name != "faults"),
                Field("level", one_of("config", "hall", "table", "hall+table", "offline"), "What it is about."),
                Field(
                    "terms",
                    by_name(ANYTHING, "terms"),
                    "What the case sets on top of `base`, which the file's `meta` may say for each "
                    "rulebook, and of the example of the game.",
                    optional=False,
                ),
                Field("tables", counted("", 1, 40), "How many tables; 1 if it is not said."),
                Field("entrants", ENTRANTS, "Who enters; everybody whom the case names if it is not said."),
                Field("given", ANYTHING, "What stands before the first event; it is brought about by play."),
                Field("events", list_of(ANYTHING), "What happens, in order."),
                Field("round", either(ROUND, list_of(ROUND)), "A round as in a case of Casino War, or a list of them."),
                Field("spin", SPIN, "A spin as in a case of Big Wheel."),
                Field("wagers", SPUN, "Wagers of the spin."),
                Field("option", ANYTHING, "Options of the rulebook, each with the values it is played with."),
                Field(
                    "alternative",
                    ALTERNATIVE,
                    "Other terms or events from the same stand, with answers in `expected`.",
                ),
                Field("expected", ANYTHING, "What came of it."),
            ),
        ),
    ),
)

AT = Field("at", TIME, "When: HH:MM or HH:MM:SS of the event's day.")
BY = Field("by", WHO, "Who does it: TD, DEP, a rank, or an entrant.")
WHOM = Field("player", PLAYER, "Which entrant.", optional=False)
MAYBE = Field("player", PLAYER, "Which entrant; who does it, or the first, if it is not said.")
BOX = Field("box", SEAT, "Which box; entrants sit at the box of their number.")
ZONE = Field("zone", TEXT, "On which zone.")
AMOUNT = Field("amount", UNITS, "How much.")
WHEN = Field("when", TEXT, "In what moment, in words; in the midst of the round if it speaks of one under way.")
COMMON = (AT, BY, *NOTES)
GIVEN = Section(
    "given",
    "What stands before the first event.",
    (
        Word(
            "given",
            fields=(
                Field("bank", BANKS, "Banks."),
                Field("scored", ROUNDS, "Scored rounds."),
                Field("markers", MARKERS, "Markers that are left."),
                Field("secret_left", PER_ENTRANT, "Secret wagers that are left."),
                Field("warnings", by_key(PLAYER, counted("", 0, 20), "entrants"), "Warnings."),
                Field("present", once(DIRECTS), "Which of TD and DEP are there."),
                Field("deputies", once(DIRECTS), "Who is enrolled as deputy."),
                Field("rounds_left", ROUNDS, "Rounds of the session that are still to be played."),
                Field("advance", COUNT, "How many go on from the table."),
                Field("void_rounds", list_of(ROUNDS), "Rounds of the session of no effect."),
                Field("issued_read", BANKS, "What is read of the banks that were issued."),
                Field("chips_on", FOREIGN, "Chips on the layout that are none of the event's."),
                Field("round_under_way", UNDER_WAY, "Who has what in a round that is under way, and how it will end."),
                Field("on_layout", LAID, "Wagers that lie there."),
                Field("away", ENTRANTS, "Who is away."),
                Field("left", either(ENTRANTS, counted("", 2, 100)), "Who is still in, or how many."),
                Field("colours", by_key(PLAYER, TEXT, "entrants"), "Colours of chips."),
                Field("designated", FLAG, "Whether the table is designated and waits for its session."),
                Field("state", one_of("entering"), "How the event stands: `entering`."),
                Field("entrants", either(ENTRANTS, counted("", 2, 100)), "Who has entered."),
                Field("terms_approved", TIME, "When the terms were approved."),
                Field("paid_dollars", DOLLARS, "What entrants paid."),
                Field("pool_dollars", MONEY, "What is to be won."),
                Field("ledger", either(BANKS, by_key(TABLE, UNITS, "tables")), "Banks by the ledger."),
                Field("options", by_key(TABLE, COUNT, "tables"), "Wheels of tables."),
                Field(
                    "hall_has_rows_to", COUNT, "Up to which row the hall has heard the table; where that is, play says."
                ),
                Field("bank_after_round_20", BANKS, "Banks that play is to come to."),
                Field("sign_shown", TIME, "Since when the sign shows the schedule."),
                Field("schedule_released_by", WHO, "Who released the schedule."),
                Field("play_began", TIME, "When play began."),
                Field("play_begins", TIME, "When play begins."),
                Field("session", TEXT, "A remark."),
                Field("all_seats_used", FLAG, "A remark."),
                Field("level", counted("", 0, 40), "The level of the blinds."),
                Field("stack", BANKS, "Stacks."),
                Field("blinds", list_of(COUNT), "Blinds."),
                Field("commission", COMMISSION, "`method` and `percent` of the commission that the table takes."),
                Field("hand_60", by_key(PLAYER, TEXT, "entrants"), "Who is all in when the first re-buy is asked for."),
                Field("rebuys", counted("", 0, 100), "How many bought again."),
                Field("removed", COUNT, "Units that went out of play."),
                *NOTES,
            ),
        ),
    ),
)
EVENTS = Section(
    "worked events",
    "What happens, one thing after the other; each has an answer.",
    (
        Word("terms_available", "Terms are made available.", (Field("how", TEXT, "How."),)),
        Word("inspectorate_told", "The inspectorate is told.", (Field("whom", TEXT, "Whom."),)),
        Word("open_entries", "Entries are opened."),
        Word("close_entries", "Entries are closed."),
        Word("draw", "Seats are drawn."),
        Word(
            "enter",
            "Somebody enters.",
            (WHOM, Field("employee", FLAG, "Staff."), Field("signed", FLAG, "Has signed.")),
        ),
        Word("sign", "An entrant signs.", (WHOM,)),
        Word("withdraw", "An entrant withdraws.", (WHOM,)),
        Word("approval", "An executive lets a member of staff enter.", (FOR,)),
        Word(
            "move_start",
            "The start is moved.",
            (
                Field("from", TIME, "From."),
                Field("to", TIME, "To.", optional=False),
                Field("told", TEXT, "How players were told."),
            ),
        ),
        Word("regulator_told", "The regulator is told."),
        Word(
            "final_order",
            "The session is played until entrants stand in this order, and the order is fixed.",
            (Field("order", ENTRANTS, "The order.", optional=False),),
        ),
        Word(
            "final",
            "The session is played until these banks are agreed, and the order is fixed.",
            (ITS_BANKS,),
        ),
        Word(
            "deal",
            "Those who are left agree about prizes.",
            (
                Field("dollars", DOLLARS, "Who gets what.", optional=False),
                Field("yes", ENTRANTS, "Who agrees.", optional=False),
                Field("terms", by_name(ANYTHING, "terms"), "Other terms, from the same stand."),
            ),
        ),
        Word("to_cash", "Chips are turned into cash."),
        Word(
            "start_round",
            "A round begins; it is played out before the next event that is not in the midst of it.",
            (Field("round", ROUNDS, "Which one: those before it are played first."), Field("then", TEXT, "A remark.")),
        ),
        Word(
            "place_bets",
            "The same as a round that begins, with who is present.",
            (Field("present", once(DIRECTS), "Who is."),),
        ),
        Word(
            "signed_out",
            "The Director or a deputy signs out.",
            (Field("who", DIRECTS, "Who.", optional=False), Field("then", TEXT, "A remark.")),
        ),
        Word("signed_in", "The Director or a deputy signs in.", (Field("who", DIRECTS, "Who.", optional=False),)),
        Word(
            "card",
            "Somebody shows a card at the table.",
            (Field("who", DIRECTS, "Who.", optional=False), Field("where", TEXT, "A remark.")),
        ),
        Word(
            "practice_round",
            "A practice round; each entrant with `main`, `result` or `pass`.",
            (Field("players", PRACTISED, "What each does.", optional=False),),
        ),
        Word(
            "counted",
            "Banks are counted; or, with names of tables, all chips of each.",
            (
                Field("bank", BANKS, "What is counted; what entrants have if it is not said."),
                Field("tables", by_key(TABLE, UNITS, "tables"), "What each table is counted to hold."),
            ),
        ),
        Word("agreed", "The Director agrees the counts."),
        Word("practice_over", "Practice is over."),
        Word("briefed", "The players were briefed."),
        Word("start_session", "The session is begun at the table."),
        Word("all_in_marker", "An All-In marker for the round that follows.", (BOX, ZONE)),
        Word(
            "pass",
            "A Pass marker, and a round in which everybody else stakes.",
            (BOX, Field("round", ROUNDS, "Which round.")),
        ),
        Word(
            "secret",
            "A slip for the round that follows; where none follows, it is only laid.",
            (BOX, Field("round", TEXT, "A remark.")),
        ),
        Word("no_more_bets", "Betting is closed; part of the round."),
        Word("reveal", "The slip is opened.", (BOX, AMOUNT, ZONE, Field("symbol", TEXT, "On which symbol."))),
        Word("laid", "The dealer lays what the slip says; part of the round.", (BOX,)),
        Word("round", "The case's round is played."),
        Word("spin", "A spin.", (Field("rest_symbol", TEXT, "Where it comes to rest."),)),
        Word("report_phone", "A telephone is reported.", (WHOM,)),
        Word("penalty", "A penalty.", (MAYBE, Field("what", TEXT, "Which.", optional=False))),
        Word("disqualify", "An entrant is disqualified.", (WHOM, WHEN)),
        Word("retire", "An entrant retires.", (WHOM, WHEN)),
        Word("void_wager", "Somebody wants a player's wagers void.", (WHOM,)),
        Word("substitute", "A substitute in play.", (WHOM, Field("for", PLAYER, "For whom.", optional=False))),
        Word(
            "round_over",
            "Play goes on to so many scored rounds; else the round under way ends.",
            (Field("scored", ROUNDS, "How many."),),
        ),
        Word("spin_over", "Play goes on to so many scored spins.", (Field("scored", ROUNDS, "How many."),)),
        Word(
            "ask_early_end",
            "The Director asks for an end, with these banks.",
            (ITS_BANKS,),
        ),
        Word(
            "early_end",
            "The Director ends early by agreement.",
            (Field("yes", ENTRANTS, "Who agrees.", optional=False), Field("absent", ENTRANTS, "Who is absent.")),
        ),
        Word("network_lost", "The table's line is cut."),
        Word(
            "play",
            "Rounds are played.",
            (Field("rounds", FROM_TO, "From which to which.", optional=False), Field("rows", ANYTHING, "A remark.")),
        ),
        Word("network_back", "The line is back.", (Field("sends", ANYTHING, "A remark."),)),
        Word("open_for_cash", "Somebody opens the table for cash play."),
        Word("buy_in", "Somebody buys in for money.", (DUE,)),
        Word("release", "The hall sets the table free."),
        Word(
            "dispute",
            "A dispute about the tournament or, where it speaks of cards, wagers or the deal, about the game.",
            (Field("about", TEXT, "About what.", optional=False),),
        ),
        Word("answer", "Somebody decides the open dispute.", (Field("what", TEXT, "What is decided."),)),
        Word("level", "A level comes.", (Field("n", LEVEL, "Which.", optional=False),)),
        Word(
            "bring_forward",
            "A level is brought forward.",
            (Field("n", LEVEL, "Which.", optional=False), Field("to", TIME, "To when.", optional=False)),
        ),
        Word(
            "start_hand",
            "A hand begins; it is played out.",
            (Field("hand", counted("", 1, 1000), "Which one."), Field("table", TABLE, "Which table.")),
        ),
        Word(
            "hand_over",
            "The hand is over; or one is played that makes other stacks of those that are stated.",
            (
                Field("hand", counted("", 1, 1000), "Which one."),
                Field("table", TABLE, "Which table."),
                Field("stacks_before", BANKS, "Stacks when it begins."),
                Field("stacks_after", BANKS, "Stacks when it is over: one wins what the others lose."),
            ),
        ),
        Word(
            "hand",
            "A poker hand that two of those who are there play for; everybody else folds.",
            (
                Field("n", COUNT, "Which one.", optional=False),
                Field("others", TEXT, "A remark."),
                Field("players", by_key(PLAYER, TEXT, "entrants"), "Remarks."),
            ),
        ),
        Word("rebuy", "A re-buy.", (WHOM, WHEN, Field("level", LEVEL, "At which level."))),
        Word("add_on", "An add-on.", (WHOM, WHEN, Field("level", LEVEL, "At which level."))),
        Word("break", "The stated break is waited for.", (Field("after_level", COUNT, "After which level."),)),
        Word("break_over", "The break is waited out."),
        Word("designate", "The hall designates the table."),
        Word("waive_commission", "Somebody makes the commission nil."),
        Word(
            "share_pot",
            "Players want to share a pot; no table has a key for it, so that is refused with 8.6.",
            (Field("seats", list_of(SEAT), "Which seats."),),
        ),
    ),
    tag="do",
    common=COMMON,
)
EXPECTED = Section(
    "worked expected",
    "What came of it. Answers are held against `ok`, `refused` with its clauses, `asked`. Prose that cannot be held "
    "against anything is read by people: it is listed under `remarks` of what is printed, and fails nothing.",
    (
        Word(
            "expected",
            fields=(
                Field("answers", NAMES, "One for each event."),
                Field("bank", BANKS, "Banks."),
                Field("scored", COUNT, "Scored rounds."),
                Field("rounds_dealt", COUNT, "Rounds that were dealt."),
                Field("spins_made", COUNT, "Spins that were made."),
                Field("refused", REFUSALS, "What is refused, with its clauses; or a list of such."),
                Field("markers", MARKERS, "Markers."),
                Field("secret_left", PER_ENTRANT, "Secret wagers that are left."),
                Field("warnings", PER_ENTRANT, "Warnings."),
                Field("counted_stake", UNITS, "The stake that was settled."),
                Field(
                    "settlement",
                    by_key(PLAYER, FACTS, "entrants"),
                    "`result` and `pays` of an entrant's wager.",
                ),
                Field("choices", NAMES, "What an entrant may choose at a tie."),
                Field(
                    "rounds",
                    list_of(FACTS),
                    "Of each round `result`, `pays`, `card_to_box`, `breach`, `pass_left`, `refused`.",
                ),
                Field("cards_to", NAMES, "Where cards went."),
                Field("breach", NAMES, "Who missed the compulsory wager."),
                Field("alarm", either(TEXT, NAMES), "What an alarm says, in part."),
                Field("told", TEXT, "What is told, in part."),
                Field("pages_before_reveal", TEXT, "What pages show of a closed slip."),
                Field("pages_after_reveal", TEXT, "What pages show of an opened slip."),
                Field("removed_from_play", UNITS, "Units that went out of play."),
                Field("tray_gains", UNITS, "Units that came to the tray."),
                Field("seat", TEXT, "`closed`: whose seat was given up."),
                Field("state", by_key(PLAYER, TEXT, "entrants"), "How entrants stand."),
                Field(
                    "order",
                    list_of(either(TEXT, NAMES)),
                    "The order of the session; who are equal are a list. At a spin: what came after what.",
                ),
                Field("through", ENTRANTS, "Who goes on."),
                Field("eliminated", ENTRANTS, "Who is out."),
                Field("play_off", FACTS, "`players` and `rounds` of a play-off."),
                Field("left", COUNT, "How many are still in."),
                Field("first", CERTAIN, "Of the first early end asked for: `certain`, `why`."),
                Field("second", CERTAIN, "Of the second."),
                Field("alternative", NAMES, "Answers of the alternative."),
                Field("entrants", COUNT, "How many have entered."),
                Field("places", PER_ENTRANT, "Places."),
                Field("prizes_dollars", DOLLARS, "Prizes."),
                Field("sum_dollars", MONEY, "What all prizes or all cash comes to."),
                Field("refunds_dollars", DOLLARS, "Refunds."),
                Field("cash_dollars", DOLLARS, "Chips as cash."),
                Field("compulsory_by_round", by_name(UNITS, "rounds"), "The compulsory wager of rounds."),
                Field("blinds_by_hand", by_name(list_of(UNITS), "hands"), "Blinds of hands."),
                Field("coming_on_sign", list_of(ANYTHING), "What the sign says of coming levels."),
                Field("asked", NAMES, "Questions that are open."),
                Field("default", NAMES, "Answers as the rulebook's file stands."),
                Field("after", AFTER, "When the line is back: `bank_at_hall`."),
                Field("announcements", NAMES, "Announcements of seats."),
                Field("accepted", NAMES, "What is lawful: a remark."),
                Field("misdeal", FACTS, "Of a dispute about the game: `clauses`."),
                Field("place", FACTS, "Of one about the event: `clauses`."),
                Field("expected_total", UNITS, "What all chips of all tables should come to."),
                Field("found_total", UNITS, "What they are counted to be."),
                Field("stack", BANKS, "Stacks."),
                Field("paid_dollars", DOLLARS, "What entrants paid for it."),
                Field("stack_by_hand", by_name(UNITS, "hands"), "The stack of whoever is away, after each hand."),
                Field("eliminated_after_hand", COUNT, "After which hand whoever is away is out."),
                Field("warned", ENTRANTS, "Who has a warning."),
                Field("offered", TEXT, "`re-buy marker`: what whoever is below the compulsory wager may still use."),
                Field("play", TEXT, "`goes on`, and a remark after it."),
                *(
                    Field(name, ANYTHING, "A remark.")
                    for name in (
                        "picked_up",
                        "total_change",
                        "eliminated_unless",
                        "first_card_locked_until",
                        "records",
                        "sign",
                        "refused_first",
                        "during",
                        "betting",
                        "with_option",
                        "told_if_called_first",
                    )
                ),
                *NOTES,
            ),
        ),
    ),
)
REMARKS = (
    "picked_up",
    "total_change",
    "first_card_locked_until",
    "records",
    "sign",
    "refused_first",
    "during",
    "with_option",
    "told_if_called_first",
    "accepted",
    "eliminated_unless",
    "betting",
)
"""What is read by people alone."""
