"""The tables of the store. What is under `PROJECTED` can be made anew from the rows at any time."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA = MetaData()


def _journal(key: bool = True) -> Column[int]:
    return Column("journal", ForeignKey("journals.id"), primary_key=key, nullable=False)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default="0")


def _number(name: str) -> Column[int]:
    """Part of what a row is known by."""
    return Column(name, BigInteger, primary_key=True, autoincrement=False)


POSITION = Table(
    "position", METADATA,
    Column("stream", Text, primary_key=True), _text("created"), _count("message"),
)  # fmt: skip

JOURNALS = Table(
    "journals", METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("origin", Text, nullable=False, unique=True), Column("slug", Text, nullable=False, index=True),
    # where the chain stands
    _count("size"), Column("hash", LargeBinary, nullable=False), _count("head"),
    Column("peaks", LargeBinary, nullable=False), _text("note"), _count("witnessed"), _text("key"), _text("broken"),
    _count("removed"), _count("heard"),
    # what the table said of itself last
    _text("name"), _text("game"), _text("rulebook"), _text("version"), _count("last_at"), _text("life"), _text("state"),
    _count("round"), _count("open_round"), _count("rounds"), _count("handle"), _count("win"), _count("min"),
    _count("max"), _count("unread"), _text("dealer"), _count("opened"), _count("ended"),
    _count("started"), _count("reading"),
)  # fmt: skip

ROWS = Table(
    "rows", METADATA,
    _journal(), _number("seq"), _count("at"),
    Column("hash", LargeBinary, nullable=False), Column("body", LargeBinary, nullable=False),
)  # fmt: skip

HEADS = Table(
    "heads", METADATA,
    _journal(), _number("size"), _count("at"), _text("note"),
)  # fmt: skip

ROUNDS = Table(
    "rounds", METADATA,
    _journal(), _number("first"), _count("last"), _count("at"), _count("ended"), _count("round"), _text("outcome"),
    _count("staked"), _count("taken"), _count("paid"), _text("dealer"), _text("clauses"), _text("cards"),
    _count("theoretical"), _count("span"),
    Index("rounds_ended", "ended"),
)  # fmt: skip

WAGERS = Table(
    "wagers", METADATA,
    _journal(), _number("first"), _number("number"), _text("wager"), _text("player"), _text("bet"), _text("result"),
    _count("pays"), _count("taken"), _count("returned"), _text("clauses"),
)  # fmt: skip

RULINGS = Table(
    "rulings", METADATA,
    _journal(), _number("seq"), _number("number"), _count("at"), _text("subject"), _text("answer"), _text("by"),
    _count("rank"), _text("reason"), _text("clauses"),
)  # fmt: skip

ALARMS = Table(
    "alarms", METADATA,
    _journal(), Column("code", Text, primary_key=True), _number("since"), _count("at"), _text("text"), _text("remedy"),
    _text("clauses"), _count("count"), _count("over"),
    Index("alarms_over", "over"),
)  # fmt: skip

QUESTIONS = Table(
    "questions", METADATA,
    _journal(), Column("prompt", Text, primary_key=True), _count("seq"), _count("at"), _text("text"), _text("proposal"),
    _count("rank"), _text("clauses"),
)  # fmt: skip

DEVICES = Table(
    "devices", METADATA,
    _journal(), Column("place", Text, primary_key=True), _count("at"), _text("state"), _text("serial"),
    _text("firmware"), _text("text"), _count("losses"),
)  # fmt: skip

STAFF = Table(
    "staff", METADATA,
    _journal(), Column("place", Text, primary_key=True), _count("at"), _text("person"), _count("rank"),
)  # fmt: skip

FLOATS = Table(
    "floats", METADATA,
    _journal(), _number("seq"), _count("at"), _text("what"), _count("cents"), _text("by"),
)  # fmt: skip

FACTS = Table(
    "facts", METADATA,
    _journal(), _number("seq"), _number("number"), _count("at"), _text("kind"), _count("cents"), _text("dealer"),
    Index("facts_at", "at"),
)  # fmt: skip
"""What statistics add up besides rounds: cash for chips (drop), late bets (late)."""

MISPAID = Table(
    "mispaid", METADATA,
    _journal(), Column("item", Text, primary_key=True), _count("at"), _count("cents"), _text("dealer"),
    Column("told", Boolean, nullable=False),
)  # fmt: skip
"""Wrong payments, each once: found by antennas, told by a person, or both."""

LANDINGS = Table(
    "landings", METADATA,
    _journal(), _number("seq"), _count("at"), Column("start", Float, nullable=False),
    Column("rest", Float, nullable=False), _count("sense"), _text("dealer"),
    Index("landings_at", "at"),
)  # fmt: skip
"""Where wheels came to rest on valid spins, in compartments."""

ANSWERS = Table(
    "answers", METADATA,
    _journal(), Column("order", Text, primary_key=True), _count("seq"), _count("at"), _text("code"), _text("text"),
)  # fmt: skip
"""What became of each order at its table; without a code it was carried out."""

ORDERS = Table(
    "orders", METADATA,
    Column("id", Text, primary_key=True), _text("slug"), _text("origin"), _text("kind"), _text("by"), _text("rank"),
    _count("at"), _text("args"), Column("message", LargeBinary, nullable=False), _count("heard"),
    Index("orders_slug", "slug", "at"),
)  # fmt: skip
"""What the floor has ordered, as it was signed, and when the table's uplink had it."""

TAKEN = Table(
    "taken", METADATA,
    _journal(), Column("code", Text, primary_key=True), _number("since"), _count("at"), _text("person"),
)  # fmt: skip
"""Who has taken an alarm of a table upon themselves."""

FINDINGS = Table(
    "findings", METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True), _text("slug"), _text("origin"), _text("code"),
    _text("text"), _text("remedy"), _count("at"), _count("count"), Column("open", Boolean, nullable=False),
    _text("person"), _count("taken_at"),
    Index("findings_open", "open"),
)  # fmt: skip
"""What the floor itself found about a table."""

HELD = Table(
    "held", METADATA,
    _number("message"), _text("origin"), _text("why"), Column("data", LargeBinary, nullable=False),
)  # fmt: skip
"""Messages that could not be taken, as they came."""

PROJECTED = (ROUNDS, WAGERS, RULINGS, ALARMS, QUESTIONS, DEVICES, STAFF, FLOATS, ANSWERS, FACTS, MISPAID, LANDINGS)
