"""Orders that the floor gives, and what became of them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)


def upgrade() -> None:
    op.create_table(
        "orders",
        sa.Column("id", sa.Text(), nullable=False),
        *(_text(name) for name in ("slug", "origin", "kind", "by", "rank")),
        _count("at"),
        _text("args"),
        sa.Column("message", sa.LargeBinary(), nullable=False),
        _count("heard"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("orders_slug", "orders", ["slug", "at"], unique=False)
    op.create_table(
        "answers",
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("order", sa.Text(), nullable=False),
        *(_count(name) for name in ("seq", "at")),
        *(_text(name) for name in ("code", "text")),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"]),
        sa.PrimaryKeyConstraint("journal", "order"),
    )


def downgrade() -> None:
    op.drop_table("answers")
    op.drop_index("orders_slug", "orders")
    op.drop_table("orders")
