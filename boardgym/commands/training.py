"""What the commands that train share: the bar, what they say at the end, and play against an agent while it learns."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import tyro

from boardgym.baselines.arena.compare import Comparison, compare
from boardgym.baselines.arena.match import check_games
from boardgym.baselines.engines.session import names_of
from boardgym.baselines.learning.config import TrainingConfig
from boardgym.baselines.learning.runs import Background, Trained, train_into
from boardgym.baselines.learning.trainer import BLOCK, Trainer
from boardgym.baselines.progress import ProgressBar
from boardgym.commands.common import INTERRUPTED, UsageError, print_json, print_table, say, terminal
from boardgym.commands.play import Play
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import make_policy, parse_spec

JUDGES = ("random", "greedy", "minimax:2")  # what has learnt is compared with those of them that play its game
COMPARE_GAMES = 40
ITSELF = "file:{}"  # the agent of a file, as a player
STATUSES = {"finished": 0, "left": 0, "interrupted": INTERRUPTED, "full": 1}
Flag = tyro.conf.FlagCreatePairsOff[bool]
C = TypeVar("C", bound=TrainingConfig, covariant=True)


class TrainCommand(Protocol[C]):
    """What a command that trains was told, whatever it is that learns."""

    @property
    def config(self) -> C:
        """The settings."""

    @property
    def out(self) -> Path:
        """Folder of the files."""

    @property
    def inspect(self) -> bool:
        """Whether to play against the agent meanwhile."""

    @property
    def compare_games(self) -> int:
        """Games against each opponent at the end, 0 for none."""

    @property
    def json(self) -> bool:
        """Whether to print JSON."""

    @property
    def checkpoint_s(self) -> float:
        """Seconds from one checkpoint to the next."""

    @property
    def trust(self) -> bool:
        """Whether files may be loaded that could execute code."""


def train(
    command: TrainCommand[TrainingConfig],
    make: Callable[[], Trainer[Any]],
    player: str = ITSELF,
    judges: Sequence[str] = JUDGES,
) -> int:
    """Trains, says where the agent is, and compares it. Returns the exit status.

    make: the trainer of the command's settings. player: spec of the player to compare, {} in place of the agent's file.
    """
    check_compared(command.compare_games)
    if command.inspect:
        return inspect(command, make, player)
    is_asked = is_person(command.config.opponent)  # on the same terminal, where a bar would write over the board
    with ProgressBar(label="training", progress=not is_asked) as bar:

        def show(trainer: Trainer[Any]) -> None:
            bar.show(trainer.episode, total=trainer.total, note=trainer.size)

        result = train_into(make(), command.out, checkpoint_s=command.checkpoint_s, on_piece=show)
    tell(result, player, as_json=command.json, compared=lambda: compare_trained(command, result, player, judges))
    return finish(result)


def compare_trained(
    command: TrainCommand[TrainingConfig], result: Trained, player: str, judges: Sequence[str]
) -> Comparison | None:
    """A comparison of what has been learnt, if the training has come to its end."""
    if not result.is_finished:
        return None
    return compare_briefly(player.format(result.agent_path), result.trainer.agent.game, judges, games=command.compare_games,
                           max_plies=most_plies(result.trainer.config))  # fmt: skip


def check_compared(games: int) -> None:
    """Raises OptionError for a number of games that no comparison can have, nor none."""
    if games:
        check_games(games)


def compare_briefly(
    agent: Any, game: Game, judges: Sequence[str], *, games: int, max_plies: int | None = None, trust: bool = False
) -> Comparison | None:
    """A small comparison, with those of the judges that can play the game; None without games or opponents.

    What goes wrong in it is said and no more, and Ctrl-C leaves it out: the training has its files and its result.
    """
    try:
        opponents = [spec for spec in judges if game.num_seats == 2 and can_play(spec, game, trust=trust)]
        if not games or not opponents:
            return None
        return compare(agent, game, opponents, games=games, max_plies=max_plies, trust=trust)
    except BoardgymError as error:
        say(f"not compared: {error}", style="bold red")
    except KeyboardInterrupt:
        say("the comparison was left out", style="yellow")
    return None


def can_play(spec: str, game: Game, *, trust: bool = False) -> bool:
    """Whether a policy is for a game. Raises SpecError, UntrustedFileError."""
    try:
        make_policy(spec, game, trust=trust)
    except UnsupportedGameError:
        return False
    return True


def show_comparison(comparison: Comparison | None) -> None:
    """Prints the table, if there is one."""
    if comparison is not None:
        terminal().print()
        print_table(comparison.table())


def is_person(spec: str) -> bool:
    """Whether the opponent that a spec names asks a person, now and then or always. Raises SpecError."""
    return "human" in names_of(parse_spec(spec))


def finish(result: Trained) -> int:
    """Says why a training ended. Returns the exit status."""
    say(result.message, style="dim" if result.is_finished else "yellow")
    return STATUSES[result.ending]


def most_plies(config: TrainingConfig) -> int | None:
    """After which the games of a training end as a draw; None: as the rules say, by which all tables learn."""
    return getattr(config, "max_plies", 0) or None


def tell(result: Trained, player: str, *, as_json: bool, compared: Callable[[], Comparison | None] = lambda: None) -> None:
    """Prints how a training ended. compared: plays the games of the comparison."""
    trainer, results = result.trainer, result.trainer.results()
    if as_json:
        print_json({"agent": str(result.agent_path), "episodes": trainer.episode, "resumed": result.resumed,
                    "plies": trainer.plies, "seconds": round(result.seconds, 3), "is_finished": result.is_finished,
                    "ending": result.ending, "block": BLOCK, "results": results.tolist(),
                    **trainer.agent.statistics(), "comparison": plain(compared())})  # fmt: skip
        return
    config = trainer.config
    won, drawn, lost = (int(n) for n in results[-1]) if len(results) else (0, 0, 0)
    speed = (trainer.episode - result.resumed) / max(result.working_seconds, 1e-9)
    options = "".join(f" --option {option}" for option in config.option or ())
    plies = most_plies(config)
    cap = f" --max-plies {plies}" if plies else ""
    spec = player.format(result.agent_path)
    looks = "" if player == ITSELF else ", which looks ahead with what the agent has learnt"
    terminal().print(
        f"agent      {result.agent_path}\n"
        f"learnt     {trainer.episode:,} episodes in {result.seconds:.1f} s ({speed:,.0f} a second), {trainer.size}\n"
        f"last       {won} won, {drawn} drawn, {lost} lost of the last block of episodes, by the learner\n"
        f"player     {spec}{looks}\n"
        f"compare    boardgym compare {shlex.quote(spec)} --game {config.game}{options}{cap}\n"
        f"play       boardgym play {config.game} human {shlex.quote(spec)}{options}",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    show_comparison(compared())


def plain(comparison: Comparison | None) -> dict[str, Any] | None:
    """As JSON has it."""
    return None if comparison is None else comparison.to_dict()


def inspect(command: TrainCommand[TrainingConfig], make: Callable[[], Trainer[Any]], player: str) -> int:
    """A game against the agent while it learns, from where its episodes begin. The training ends with it and is kept."""
    trainer = make()
    config, game = trainer.config, trainer.game
    if game.num_seats != 2:
        raise UsageError(f"--inspect is for games of two seats, {game.id} has {game.num_seats}")
    if is_person(config.opponent):
        raise UsageError(f"--inspect with opponent {config.opponent!r}: both would ask you on one terminal")
    if command.json:
        raise UsageError("--inspect with --json: the board is shown where the JSON would be")
    with Background(trainer, command.out, checkpoint_s=command.checkpoint_s) as background:
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
    if background.result is not None:
        tell(background.result, player, as_json=command.json)
        if background.result.ending != "interrupted":  # by the end of the game, as was said
            return status or finish(background.result)
    return status
