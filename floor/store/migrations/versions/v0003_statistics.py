"""What statistics need of rounds and beside them; rows that are in the store already are read anew by the floor."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)


def upgrade() -> None:
    for column in (_text("dealer"), _count("opened"), _count("ended"), _count("started"), _count("reading")):
        op.add_column("journals", column)
    for column in (_count("theoretical"), _count("span")):
        op.add_column("rounds", column)
    op.create_table(
        "facts",
        sa.Column("journal", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False) for name in ("seq", "number")),
        _count("at"),
        _text("kind"),
        _count("cents"),
        _text("dealer"),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"]),
        sa.PrimaryKeyConstraint("journal", "seq", "number"),
    )
    op.create_index("facts_at", "facts", ["at"], unique=False)
    op.create_table(
        "mispaid",
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        _count("at"),
        _count("cents"),
        _text("dealer"),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"]),
        sa.PrimaryKeyConstraint("journal", "item"),
    )
    op.create_table(
        "landings",
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        _count("at"),
        sa.Column("start", sa.Float(), nullable=False),
        sa.Column("rest", sa.Float(), nullable=False),
        _count("sense"),
        _text("dealer"),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"]),
        sa.PrimaryKeyConstraint("journal", "seq"),
    )
    op.create_index("landings_at", "landings", ["at"], unique=False)


def downgrade() -> None:
    for table in ("landings", "mispaid", "facts"):
        op.drop_table(table)
    for column in ("theoretical", "span"):
        op.drop_column("rounds", column)
    for column in ("dealer", "opened", "ended", "started", "reading"):
        op.drop_column("journals", column)
