"""The bots of a studio: their rows in the database, their folders, and the processes in which they train."""

import asyncio
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from boardgym.baselines.learning.agent_files import load_any, read_agent_header
from boardgym.core.errors import BoardgymError
from boardgym.core.files import share_file
from boardgym.core.game import Game, get_game, read_options
from boardgym.core.policy_spec import PATH_SPECS
from boardgym.web import wisebots
from boardgym.web.bot_models import BotRow
from boardgym.web.bot_rows import UNDER_WAY, changed_options, find, game_of, interrupt_all, kind_of, new_key
from boardgym.web.bot_snapshots import Snapshots
from boardgym.web.clock import now
from boardgym.web.errors import CONFLICT, UNPROCESSABLE, StudioError
from boardgym.web.forms import REDRAWS, FormError, LearnerForm, Value, form_of, game_word, read_form
from boardgym.web.jobs import OUT, PROGRESS, RUN, Ended, Jobs, last_line, progress_of, training_words
from boardgym.web.part_tests import PartTests
from boardgym.web.store import Store
from boardgym.web.verdicts import RULE, figures_of, verdict_of

FOLDER, AGENT, START, TRIALS = "bots", "agent.safetensors", "start.safetensors", "trials"
UPLOADED = "uploaded"
STOP_S = 20.0  # for a process that is deleted
MOST_BOTS = 1000
TRIALS_AT_ONCE = 1


class Bots:
    """All bots of a data folder.

    Args:
        store: the database.
        folder: of the studio's data.
        jobs: runs their processes.
        move_limit_s: how long a player may think about a move, where bots are tested.

    Bots that trained when the studio last ended are interrupted: `resume` goes on with them.
    """

    def __init__(self, store: Store, folder: Path, jobs: Jobs, move_limit_s: float = 60.0) -> None:
        self.store, self.folder, self.jobs = store, folder / FOLDER, jobs
        self.trial_jobs = Jobs(TRIALS_AT_ONCE)  # which do not wait for trainings
        self.uploading = asyncio.Lock()  # files are large: one at a time
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store.do(interrupt_all)
        self.snapshots = Snapshots(store, self.folder)
        self.tests = PartTests(self.folder, lambda key: self.jobs.state(key) != "", move_limit_s)

    async def close(self) -> None:
        """Ends all processes, which keep their checkpoints."""
        await asyncio.gather(*(asyncio.to_thread(one.close) for one in (self.tests, self.trial_jobs, self.jobs)))

    # ------------------------------------------------------------ what there is

    def rows(self) -> list[BotRow]:
        """All bots, the newest first."""
        return self.store.do(lambda session: list(session.scalars(select(BotRow).order_by(BotRow.created.desc()))))

    def row(self, key: str) -> BotRow:
        """A bot. Raises StudioError."""
        return self.store.do(lambda session: find(session, key))

    def get(self, key: str) -> BotRow | None:
        """A bot; None if there is none, as after it was deleted."""
        return self.store.do(lambda session: session.get(BotRow, key))

    def folder_of(self, key: str) -> Path:
        """The folder of a bot that there is."""
        return self.folder / key

    def agent_of(self, row: BotRow) -> Path | None:
        """The file of what it has learnt so far; None before there is one."""
        name = progress_of(self.folder_of(row.id)).get("agent")
        path = Path(name) if isinstance(name, str) else self.folder_of(row.id) / RUN / AGENT
        path = self.folder_of(row.id) / RUN / path.name  # wherever the data folder was when it was written
        return path if path.is_file() else None

    def described(self, row: BotRow) -> dict[str, Any]:
        """A bot as the page has it."""
        progress, agent, game = progress_of(self.folder_of(row.id)), self.agent_of(row), game_of(row)
        return {
            "id": row.id,
            "created": row.created,
            "name": row.name,
            "description": row.description,
            "form": row.form,
            "given": row.given,
            "learner": row.learner,
            "command": " ".join(["boardgym train", row.learner, *row.words]) if row.learner else "",
            "game": row.game,
            "title": row.game if game is None else game.title,
            "seats": [] if game is None else [game.seat_name(seat) for seat in range(game.num_seats)],
            "options": row.options,
            "seat": row.seat,
            "state": row.state,
            "message": row.message,
            "progress": {name: progress.get(name) for name in ("done", "total", "unit", "size")} if progress else None,
            "has_agent": agent is not None,
            "has_memory": agent is not None and game is not None and kind_of(agent) == "tabular",
            "trials": self.trials_of(row),
        }

    def trials_of(self, row: BotRow) -> dict[str, Any]:
        """The trials of a bot as the page has them."""
        found, game = row.trials or {}, game_of(row)
        seats = [row.seat] if row.seat >= 0 else list(range(0 if game is None else game.num_seats))
        return {
            "state": row.trials_state,
            "message": row.trials_message,
            "done": row.trials_done,
            "rule": RULE,
            "seats": [
                {"seat": seat, "verdict": verdict_of(found, seat), "figures": [vars(one) for one in figures_of(found, seat)]}
                for seat in seats
                if found
            ],
        }

    # ------------------------------------------------------------ to make and to train

    def form(self, name: str, given: Mapping[str, Any]) -> LearnerForm:
        """A form by its name. given: fields on which others depend. Raises FormError."""
        if name == wisebots.NAME:
            return wisebots.create_bot_form(self.loadable())
        return form_of(name, {field: str(given[field]) for field in REDRAWS if given.get(field)})

    def loadable(self) -> list[tuple[str, str]]:
        """(id, name) of the bots whose table another one may start from."""
        found = ((row, self.agent_of(row)) for row in self.rows())
        return [
            (row.id, f"{row.name} ({game.title})")
            for row, agent in found
            if agent is not None and kind_of(agent) == "tabular" and (game := game_of(row)) is not None
        ]

    def create(
        self,
        name: str,
        description: str,
        form: str,
        given: dict[str, Value],
        prepare: Callable[[Game, Path], None] = lambda game, folder: None,
    ) -> BotRow:
        """Makes a bot, which begins to train. Raises FormError, StudioError.

        prepare: called with its game and folder before it begins; what it raises makes no bot.
        """
        self.check_room()
        key = new_key()
        folder = self.folder_of(key)
        learner, words, settings = self.read(form, given, folder)
        config = getattr(settings, "config", settings)
        game = get_game(config.game, **read_options(getattr(config, "option", None) or ()))
        seat = str(getattr(config, "seat", "random"))
        plays_all = getattr(config, "opponent", "") == "self" or not seat.isdecimal()
        row = BotRow(
            id=key,
            created=now(),
            name=name,
            description=description,
            form=form,
            given=given,
            learner=learner,
            words=words,
            game=game.id,
            options=dict(game.options),
            seat=-1 if plays_all else int(seat),
            state="waiting",
        )
        folder.mkdir()
        try:
            if loaded := given.get("load_bot"):
                self.copy_start(str(loaded), folder)
            prepare(game, folder)
            self.store.do(lambda session: session.add(row))
            self.begin(row)
        except BaseException:
            self.forget(key)
            raise
        return self.row(key)

    def check_room(self) -> None:
        """Raises StudioError if there are as many bots as there may be."""
        if len(self.rows()) >= MOST_BOTS:
            raise StudioError(CONFLICT, f"there are {MOST_BOTS} bots already; delete some")

    def forget(self, key: str) -> None:
        """Deletes the row and the folder of a bot whose processes have ended."""
        self.store.do(lambda session: session.execute(delete(BotRow).where(BotRow.id == key)))
        shutil.rmtree(self.folder_of(key), ignore_errors=True)

    def read(self, form: str, given: Mapping[str, Value], folder: Path) -> tuple[str, list[str], Any]:
        """(learner, words, settings) of a filled form. folder: of the bot. Raises FormError."""
        made = self.form(form, given)
        if form != wisebots.NAME:
            words, settings = read_form(made, given)
            return made.name, words, settings
        loads = str(given.get("load_bot") or wisebots.NONE) != wisebots.NONE
        values = wisebots.tabular_values(made, given, str(folder / START) if loads else "")
        try:
            words, settings = read_form(form_of(wisebots.LEARNER), values)
        except FormError as error:
            raise wisebots.renamed(error) from None
        return wisebots.LEARNER, words, settings

    def copy_start(self, loaded: str, folder: Path) -> None:
        """The agent that a bot starts from, kept with it. Raises FormError."""
        if loaded == wisebots.NONE:
            return
        agent = self.agent_of(self.row(loaded))
        if agent is None:
            raise FormError({"load_bot": "it has learnt nothing yet"})
        share_file(agent, folder / START)

    def begin(self, row: BotRow) -> None:
        """Lets a bot train, now or when there is room."""
        folder = self.folder_of(row.id)
        self.jobs.begin(
            row.id,
            folder,
            training_words(row.learner, row.words, folder),
            lambda ended: self.end(row.id, ended),
            lambda: self.change(row.id, state="training", message=""),
            lambda: self.change(row.id, state="waiting", message="waits until another one has ended"),
        )
        self.tests.watch(row.id)

    def end(self, key: str, ended: Ended) -> None:
        """A bot's process has ended."""
        self.change(key, state=ended.state, message=ended.message)

    def change(self, key: str, **values: Any) -> None:
        """Sets what the row of a bot says, if it is still there."""

        def work(session: Session) -> None:
            row = session.get(BotRow, key)
            for name, value in values.items() if row is not None else ():
                setattr(row, name, value)

        self.store.do(work)

    def stop(self, key: str) -> None:
        """Stops a bot as Ctrl-C does. Raises StudioError."""
        self.row(key)
        if not self.jobs.stop(key):
            raise StudioError(CONFLICT, "it does not train")

    def resume(self, key: str) -> None:
        """Goes on with a bot from its last checkpoint. Raises StudioError."""
        row = self.row(key)
        if not row.learner:
            raise StudioError(CONFLICT, "it was uploaded: its file says what it has learnt, not how to go on")
        if row.state in UNDER_WAY:
            raise StudioError(CONFLICT, "it trains already")
        if game_of(row) is None:  # nor is a file run that the user has not named this time
            raise StudioError(CONFLICT, f"the game {row.game} is of a file of your own: start the studio with --load FILE.py")
        self.begin(row)

    def delete(self, key: str) -> None:
        """Ends a bot and deletes all that it has learnt. Raises StudioError."""
        self.row(key)
        for jobs in (self.jobs, self.trial_jobs):
            jobs.stop(key)
            if not jobs.wait(key, STOP_S):
                raise StudioError(CONFLICT, "it is still writing its last checkpoint; try again in a moment")
        if not self.tests.forget(key):
            raise StudioError(CONFLICT, "its tests are still ending; try again in a moment")
        self.forget(key)

    # ------------------------------------------------------------ trials

    def try_out(self, key: str) -> None:
        """Begins the trials of what a bot has learnt so far. Raises StudioError."""
        row = self.row(key)
        if row.trials_state == "running":
            raise StudioError(CONFLICT, "its trials are under way")
        spec = self.snapshot(row)
        if get_game(row.game).num_seats > 2:
            raise StudioError(CONFLICT, "the trials are for games of at most two seats")
        options = [f"--option={name}={value}" for name, value in changed_options(row).items()]
        folder = self.folder_of(key) / TRIALS
        done = int(progress_of(self.folder_of(key)).get("done") or 0)
        words = ["trial", spec, game_word(row.game), *options, "--json"]
        self.trial_jobs.begin(
            key,
            folder,
            words,
            lambda ended: self.tried(key, folder, done, ended),
            on_wait=lambda: self.change(key, trials_state="running", trials_message=""),
        )

    def tried(self, key: str, folder: Path, done: int, ended: Ended) -> None:
        """The trials have ended."""
        if ended.state != "finished":
            said = ended.message if ended.state == "failed" else "they were interrupted; begin them anew"
            self.change(key, trials_state="failed", trials_message=said)
            return
        try:
            found = json.loads((folder / OUT).read_bytes())
        except (OSError, ValueError):
            self.change(key, trials_state="failed", trials_message=last_line(folder) or "no result")
            return
        for test in found.values():  # outcomes of single games and positions are many, and the page does not show them
            for line in test.get("lines", ()):
                line.pop("outcomes", None)
        self.change(key, trials=found, trials_state="done", trials_message="", trials_done=done)

    # ------------------------------------------------------------ agents

    def snapshot(self, row: BotRow) -> str:
        """The spec of what a bot has learnt so far, in a file that stays as it is while it goes on. Raises StudioError."""
        agent = self.agent_of(row)
        if agent is None:
            raise StudioError(CONFLICT, "it has learnt nothing yet")
        return self.spec_of(row, self.snapshots.take(row.id, agent))

    def spec_of(self, row: BotRow, path: Path) -> str:
        """The spec of what a bot had learnt when a file was written: `path`, of the same kind as its agent's."""
        progress = progress_of(self.folder_of(row.id))
        name, spec = Path(str(progress.get("agent") or AGENT)).name, str(progress.get("spec") or f"file:{AGENT}")
        kind, _, named = spec.partition(":")
        if kind in PATH_SPECS and Path(named).name == name:
            return f"{kind}:{path}"
        return spec.replace(str(self.folder_of(row.id) / RUN / name), str(path))

    def upload(self, name: str, description: str, game: str, content: bytes) -> BotRow:
        """Takes an agent's file of elsewhere; reading it executes nothing. game: the one it has to be for; empty: any.

        Raises StudioError for what is no agent's file, or of another game, and if there are too many bots.
        """
        self.check_room()
        key = new_key()
        folder = self.folder_of(key)
        path = folder / RUN / AGENT
        path.parent.mkdir(parents=True)
        try:
            path.write_bytes(content)
            row = self.row_of_file(key, path, name, description, game)
            self.store.do(lambda session: session.add(row))
        except BaseException as error:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, BoardgymError) and not isinstance(error, StudioError):
                raise StudioError(UNPROCESSABLE, str(error).replace(f"{path}", "the file")) from None
            raise
        return self.row(key)

    def row_of_file(self, key: str, path: Path, name: str, description: str, game: str) -> BotRow:
        """The row of an uploaded agent, which is read as a whole. Raises BoardgymError."""
        header = read_agent_header(path)
        agent = load_any(path)  # of the game that it names, which has to be known here
        if game and get_game(game).id != agent.game.id:
            raise StudioError(
                UNPROCESSABLE,
                f"the file is an agent for {agent.game.title}, asked for is {get_game(game).title}; upload it as what it is",
            )
        said = header.get("training")
        training: dict[str, Any] = said if isinstance(said, dict) else {}
        seat = str(training.get("seat", ""))
        done, unit = header.get("episodes"), "episodes"
        if isinstance(done, int):
            progress = {"done": done, "total": done, "unit": unit, "size": f"{header.get('entries', '')} entries"}
            (path.parents[1] / PROGRESS).write_text(json.dumps(progress))
        return BotRow(
            id=key,
            created=now(),
            name=name,
            description=description,
            form="",
            given={},
            learner="",
            words=[],
            game=agent.game.id,
            options=dict(agent.game.options),
            seat=int(seat) if seat in ("0", "1") and training.get("opponent") != "self" else -1,
            state=UPLOADED,
            message=f"uploaded: {header.get('method', header.get('kind'))}",
        )
