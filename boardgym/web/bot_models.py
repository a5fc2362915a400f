"""The table of bots."""

from typing import Any

from sqlalchemy import JSON, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from boardgym.web.models import Base


class BotRow(Base):
    """A bot: an agent that is trained here, or whose file was uploaded.

    Attributes:
        id: random letters and digits, in the page's address; also the name of its folder.
        created: time, see `models.now`.
        name, description: what people call it.
        form: the form that it was made with. given: its fields as they were filled.
        learner, words: of `boardgym train LEARNER WORDS`; empty for one that was uploaded.
        game, options: what it plays. seat: the one that it learns, -1 for all.
        state: see `jobs.State`. message: why it is in it.
        trials: what `boardgym trial` found; null before. trials_state: empty, "running", "done", "failed".
        trials_message: why it failed. trials_done: how much it had learnt then.
    """

    __tablename__ = "bots"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    created: Mapped[str] = mapped_column(String(40), index=True)
    name: Mapped[str] = mapped_column(String(80))
    description: Mapped[str] = mapped_column(Text)
    form: Mapped[str] = mapped_column(String(40))
    given: Mapped[dict[str, Any]]
    learner: Mapped[str] = mapped_column(String(40))
    words: Mapped[list[Any]]
    game: Mapped[str] = mapped_column(String(80))
    options: Mapped[dict[str, Any]]
    seat: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(20))
    message: Mapped[str] = mapped_column(Text, default="")
    trials: Mapped[dict[str, Any] | None] = mapped_column(JSON, nullable=True)
    trials_state: Mapped[str] = mapped_column(String(20), default="")
    trials_message: Mapped[str] = mapped_column(Text, default="")
    trials_done: Mapped[int] = mapped_column(Integer, default=0)
