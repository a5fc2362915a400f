"""Recorded games, files of them, tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "record_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_record_files"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("indexed", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_created", "tournaments", ["created"])
    make_records()


def make_records() -> None:
    """The table of all games that are found again."""
    op.create_table(
        "records",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("play_id", sa.String(16), nullable=True),
        sa.Column("file_id", sa.Integer(), nullable=True),
        sa.Column("tournament_id", sa.String(16), nullable=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("version", "number", "line", "seat")),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("date", sa.String(40), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("opening", sa.Text(), nullable=False),
        sa.Column("positions", sa.LargeBinary(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["play_id"], ["plays.id"], name="fk_records_play_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["file_id"], ["record_files.id"], name="fk_records_file_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_records_tournament_id", ondelete="CASCADE"),
        sa.UniqueConstraint("play_id", name="uq_records_play_id"),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
    )
    for name in ("file_id", "tournament_id", "game"):
        op.create_index(f"ix_records_{name}", "records", [name])
