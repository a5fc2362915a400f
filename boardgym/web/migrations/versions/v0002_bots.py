"""Bots."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "bots",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("form", sa.String(40), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("learner", sa.String(40), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("trials", sa.JSON(), nullable=True),
        sa.Column("trials_state", sa.String(20), nullable=False),
        sa.Column("trials_message", sa.Text(), nullable=False),
        sa.Column("trials_done", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
    )
    op.create_index("ix_bots_created", "bots", ["created"])
