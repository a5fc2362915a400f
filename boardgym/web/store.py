"""The studio's database: SQLite in the user's data folder, its schema brought up to date when it is opened.

Its write-ahead log is written before an answer is sent, so that a process that is killed has lost nothing that it answered.
"""

import asyncio
import contextlib
import importlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, inspect, text
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from boardgym.web.models import Base

T = TypeVar("T")

FILE = "studio.sqlite"
MIGRATIONS = Path(__file__).parent / "migrations"
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=NORMAL",  # what is written outlives the process; a power failure may take the last moves
    "foreign_keys=ON",
    "busy_timeout=5000",
)


class Store:
    """The database of a data folder.

    Args:
        folder: made if it is not there.

    `session()` is a transaction for threads, which must be short: all others wait for it. `run(work)` is one from the event
    loop.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE
        self.engine = open_engine(self.path)
        self._writing = threading.Lock()
        self._thread = ThreadPoolExecutor(1, "store")
        migrate(self.engine)

    @contextlib.contextmanager
    def session(self) -> Iterator[Session]:
        """A transaction: committed at the end of the context, taken back if it raises."""
        with self._writing, Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    def do(self, work: Callable[[Session], T]) -> T:
        """What `work` gives, in such a transaction."""
        with self.session() as session:
            return work(session)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What `work` gives, in a transaction from the event loop: at once, unless a thread has one; then when that has ended.

        work: some statements that take less than a millisecond, in SQLAlchemy's core, which costs a fifth of a session.
        """
        if self._writing.acquire(blocking=False):
            try:
                with self.engine.begin() as connection:
                    return work(connection)
            finally:
                self._writing.release()
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        with self._writing, self.engine.begin() as connection:
            return work(connection)

    def close(self) -> None:
        """Ends what is asked for, and closes the file."""
        self._thread.shutdown()
        self.engine.dispose()


def open_engine(path: Path) -> Engine:
    """A database file by its one connection, which has `PRAGMAS`: transactions come one after the other."""
    engine = create_engine(f"sqlite:///{path}", poolclass=StaticPool, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin below, so that changes of the schema are within one too
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


@contextlib.contextmanager
def reading(path: Path) -> Iterator[Connection]:
    """A connection of its own to a database file, that only reads and sees one state throughout: nobody waits for it."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    engine = create_engine("sqlite://", poolclass=NullPool, creator=lambda: sqlite3.connect(address, uri=True))
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        yield connection


def latest() -> str:
    """The newest version of the schema: the greatest number that the steps have in their names."""
    return max(path.name[1:5] for path in (MIGRATIONS / "versions").glob("v[0-9][0-9][0-9][0-9]_*.py"))


def version_of(engine: Engine) -> str | None:
    """The version of a database's schema; None before the first."""
    with engine.begin() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def migrate(engine: Engine) -> None:
    """Brings the schema to the newest version. Raises what SQLite raises; then it is as it was."""
    version = version_of(engine)
    if version is None:
        create(engine)
    elif version != latest():
        upgrade(engine)


def create(engine: Engine) -> None:
    """Makes the tables of a new database as the models have them: the steps make the same, but Alembic takes long to load."""
    load_models()
    with engine.begin() as connection:
        Base.metadata.create_all(connection)
        connection.execute(text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": latest()})


def upgrade(engine: Engine) -> None:
    """Goes all steps that a database has not gone yet."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def load_models() -> None:
    """Imports the modules that hold tables, those whose names end in "models": `Base.metadata` is whole then."""
    for path in sorted(Path(__file__).parent.glob("*models.py")):
        importlib.import_module(f"boardgym.web.{path.stem}")
