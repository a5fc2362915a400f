"""Rows of bots and files of agents: small questions about one of them."""

import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from boardgym.baselines.learning.agent_files import read_agent_header
from boardgym.core.errors import BoardgymError, UnknownGameError
from boardgym.core.game import Game, get_game
from boardgym.web.bot_models import BotRow
from boardgym.web.errors import NOT_FOUND, StudioError

UNDER_WAY = ("training", "waiting")
MOST_KINDS = 1000  # of files, that are remembered


def find(session: Session, key: str) -> BotRow:
    """The row of a bot. Raises StudioError."""
    row = session.get(BotRow, key)
    if row is None:
        raise StudioError(NOT_FOUND, f"there is no bot {key!r}")
    return row


def game_of(row: BotRow) -> Game | None:
    """What a bot plays; None for a game of a user's file that this studio was not told of (--load)."""
    try:
        return get_game(row.game)
    except UnknownGameError:
        return None


def interrupt_all(session: Session) -> None:
    """What the rows say of processes that ended with the last studio."""
    for row in session.scalars(select(BotRow).where(BotRow.state.in_(UNDER_WAY))):
        row.state, row.message = "interrupted", "the studio ended while it trained; what its last checkpoint has is kept"
    for row in session.scalars(select(BotRow).where(BotRow.trials_state == "running")):
        row.trials_state, row.trials_message = "failed", "the studio ended meanwhile; begin them anew"


def kind_of(agent: Path) -> str:
    """Of an agent's file; empty for one that is of none of our kinds."""
    try:
        return kind_at(agent, agent.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(MOST_KINDS)
def kind_at(agent: Path, changed: int) -> str:
    """The same of a file as it is since a time."""
    try:
        return str(read_agent_header(agent)["kind"])
    except BoardgymError:
        return ""


def changed_options(row: BotRow) -> dict[str, Any]:
    """The rule options in which a bot's game is not the usual one."""
    usual = get_game(row.game).options
    return {name: value for name, value in row.options.items() if value != usual.get(name)}


def new_key() -> str:
    """An id."""
    return secrets.token_hex(6)
