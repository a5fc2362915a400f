"""What the commands that train share: the bar, what they say at the end, and play against an agent while it learns."""

import functools
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import tyro

from boardgym.baselines.arena.compare import Comparison, compare
from boardgym.baselines.arena.match import check_games
from boardgym.baselines.arena.match_games import GameWorkers
from boardgym.baselines.engines.session import names_of
from boardgym.baselines.learning.background import Background
from boardgym.baselines.learning.run_folders import ROOT, folder_for
from boardgym.baselines.learning.runs import CHECKPOINT_S, Trained, Training, train_into
from boardgym.baselines.learning.trainer import Trainer
from boardgym.commands.common import INTERRUPTED, UsageError, print_json, print_table, say, terminal
from boardgym.commands.play import Play
from boardgym.commands.users_games import word_of
from boardgym.compile import WorkClock
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy_spec import make_policy, parse_spec

JUDGES = ("random", "greedy", "minimax:2")  # what has learnt is compared with those of them that play its game
COMPARE_GAMES = 40
PAIR = 2  # games from one opening, with the seats swapped
STATUSES = {"finished": 0, "left": 0, "interrupted": INTERRUPTED, "full": 1}
Flag = tyro.conf.FlagCreatePairsOff[bool]


@dataclass(kw_only=True)
class TrainResult:
    """What all commands that train take for their end.

    Attributes:
        compare_games: games against each of a few opponents at the end; an even number, 0 for none.
        json: print the result as JSON.
        snapshots: of the agent, kept in the folder `history` in the course of the training: at most this many; 0 for none.
    """

    compare_games: int = COMPARE_GAMES
    json: Flag = False
    snapshots: int = 0


@dataclass(kw_only=True)
class TrainInFolder(TrainResult):
    """What all commands that train take, but those of Stable-Baselines3, whose configuration has this.

    Attributes:
        out: folder for the files. None: `runs/GAME-METHOD-DATE`, or, where a run with the same settings is there already,
            its folder.
        judges: opponents of the comparison at the end.
    """

    out: Path | None = None
    judges: tuple[str, ...] = JUDGES


@dataclass(kw_only=True)
class TrainCommand(TrainInFolder):
    """What commands take whose trainings do not write checkpoints when they choose to.

    Attributes:
        checkpoint_s: seconds between checkpoints.
    """

    checkpoint_s: float = CHECKPOINT_S


def train(
    make: Callable[[], Training],
    command: TrainInFolder,
    *,
    player: str = "",
    is_inspected: bool = False,
    trust: bool = False,
    workers: GameWorkers | None = None,
) -> int:
    """Trains, says where the agent is, and compares it. Returns the exit status.

    make: the training, that has not begun. player: spec of the player to compare, {} in place of the agent's file; empty: the
    agent itself. is_inspected: whether to play against it meanwhile. workers: that play the comparison; None: this process.
    """
    if command.compare_games:
        check_games(command.compare_games)
    training = make()
    out = folder_for(training.run_in(ROOT), training.name) if command.out is None else command.out
    if is_inspected:
        return inspect(cast("Trainer[Any]", training), out, cast("TrainCommand", command), player=player)
    is_asked = is_person(getattr(training.config, "opponent", "random"))  # where a bar would write over the board
    checkpoint_s = command.checkpoint_s if isinstance(command, TrainCommand) else CHECKPOINT_S
    result = train_into(training, out, checkpoint_s=checkpoint_s, snapshots=command.snapshots, progress=not is_asked)
    spec = player.format(result.agent_path) if player else result.player

    def compared() -> Comparison | None:
        games = command.compare_games if result.is_finished else 0
        plies = training.most_plies or None
        seconds = training.compare_s
        return compare_briefly(
            spec, training.played, command.judges, games=games, max_plies=plies, seconds=seconds, trust=trust, workers=workers
        )

    tell(result, spec, as_json=command.json, compared=compared)
    return finish(result)


def compare_briefly(
    agent: Any,
    game: Game,
    judges: Sequence[str],
    *,
    games: int,
    max_plies: int | None = None,
    seconds: float | None = None,
    trust: bool = False,
    workers: GameWorkers | None = None,
) -> Comparison | None:
    """A small comparison, with those of the judges that can play the game; None without games or opponents.

    seconds: that it may take, about: with fewer games, by the time of a first pair, if so many take longer; None: no limit.
    workers: that play, but for the first pair that is timed, which this process plays; None: this process.

    What goes wrong in it is said and no more, and Ctrl-C leaves it out: the training has its files and its result.
    """
    try:
        opponents = [spec for spec in judges if game.num_seats == 2 and can_play(spec, game, trust=trust)]
        if not games or not opponents:
            return None
        workers = workers or GameWorkers(1)
        play = functools.partial(compare, agent, game, opponents, max_plies=max_plies, trust=trust)
        if seconds is not None:
            clock = WorkClock()
            first = play(games=PAIR)
            if (fitting := games_within(seconds, clock.working_seconds, workers.processes)) < games:
                say(f"{fitting} games against each opponent: {games} would take longer than the minutes allow", style="dim")
                games = fitting
            if games == PAIR:
                return first
        with workers:
            return play(games=games, processes=workers)
    except BoardgymError as error:
        say(f"not compared: {error}", style="bold red")
    except KeyboardInterrupt:
        say("the comparison was left out", style="yellow")
    return None


def games_within(seconds: float, pair_s: float, processes: int) -> int:
    """Games against each opponent that so many processes play in a time, one pair at least.

    pair_s: that one process takes for a pair against each of them; that of the first is of the time, and it is played again.
    """
    pairs = int((seconds / max(pair_s, 1e-6) - 1.0) * processes)
    return PAIR * max(pairs, 1)


def can_play(spec: str, game: Game, *, trust: bool = False) -> bool:
    """Whether a policy is for a game. Raises SpecError, UntrustedFileError."""
    try:
        make_policy(spec, game, trust=trust)
    except UnsupportedGameError:
        return False
    return True


def is_person(spec: str) -> bool:
    """Whether the opponent that a spec names asks a person, now and then or always. Raises SpecError."""
    return bool(spec) and "human" in names_of(parse_spec(spec))


def finish(result: Trained[Any]) -> int:
    """Says why a training ended. Returns the exit status."""
    say(result.message, style="dim" if result.is_finished else "yellow")
    return STATUSES[result.ending]


def tell(result: Trained[Any], spec: str, *, as_json: bool, compared: Callable[[], Comparison | None] = lambda: None) -> None:
    """Prints how a training ended. spec: of the player to show. compared: plays the games of the comparison."""
    training: Training = result.training
    if as_json:
        comparison = compared()
        print_json(
            {
                "agent": str(result.agent_path),
                training.unit: training.done,
                "resumed": result.resumed,
                "seconds": round(result.seconds, 3),
                "is_finished": result.is_finished,
                "ending": result.ending,
                **training.report(result.folder),
                "comparison": None if comparison is None else comparison.to_dict(),
            }
        )
        return
    speed = (training.done - result.resumed) / max(result.working_seconds, 1e-9)
    usual = get_game(training.played.id).options
    options = "".join(f" --option {name}={value}" for name, value in training.played.options.items() if value != usual[name])
    cap = f" --max-plies {training.most_plies}" if training.most_plies else ""
    game, quoted = shlex.quote(word_of(training.config.game)), shlex.quote(spec)
    looks = "" if spec == result.player else ", which looks ahead with what the agent has learnt"
    size = f", {training.size}" if training.size else ""
    lines = [
        ("agent", str(result.agent_path)),
        ("learnt", f"{training.done:,} {training.unit} in {result.seconds:.1f} s ({speed:,.0f} a second){size}"),
        *training.lines(result.folder),
        ("player", f"{spec}{looks}"),
        ("compare", f"boardgym compare {quoted} --game {game}{options}{cap}"),
        ("play", f"boardgym play {game} human {quoted}{options}"),
    ]
    terminal().print("\n".join(f"{what:11}{text}" for what, text in lines), markup=False, soft_wrap=True)
    if (found := compared()) is not None:
        terminal().print()
        print_table(found.table())


def inspect(trainer: Trainer[Any], out: Path, command: TrainCommand, *, player: str) -> int:
    """A game against the agent while it learns, from where its episodes begin. The training ends with it and is kept."""
    config, game = trainer.config, trainer.game
    if game.num_seats != 2:
        raise UsageError(f"--inspect is for games of two seats, {game.id} has {game.num_seats}")
    if is_person(config.opponent):
        raise UsageError(f"--inspect with opponent {config.opponent!r}: both would ask you on one terminal")
    if command.json:
        raise UsageError("--inspect with --json: the board is shown where the JSON would be")
    with Background(trainer, out, checkpoint_s=command.checkpoint_s, snapshots=command.snapshots) as background:
        seat = 0 if config.seat == "random" else int(config.seat)
        start = config.starts[0] if config.starts else ""
        if config.setup != "standard":
            start = Board(game, setup=config.setup).fen()
        specs: list[Any] = ["human", "human"]
        specs[seat] = background.policy
        say("the training goes on while you play; it ends with the game, and is kept")
        status = Play(game=game.id, option=config.option or (), position=start).play_with(specs)
    if background.error is not None:
        raise background.error
    if (result := background.result) is not None:
        tell(result, player.format(result.agent_path) if player else result.player, as_json=False)
        if result.ending != "interrupted":  # by the end of the game, as was said
            return status or finish(result)
    return status
