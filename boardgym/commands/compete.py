"""`boardgym match`, `compare` and `ladder`: how good policies are against each other."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tyro.conf import Positional, arg

from boardgym.baselines.arena.compare import Comparison, Row, compare, comparison_of
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.arena.ladder import Ladder, play_ladder
from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.match_games import GameWorkers
from boardgym.commands.arguments import OutputFile, Policy
from boardgym.commands.common import (
    INTERRUPTED,
    Executor,
    GameWord,
    OpeningSet,
    RuleOptions,
    Trust,
    UsageError,
    load_game,
    print_json,
    print_table,
    say,
    until_interrupted,
)

FAILED = 1  # the exit status where a player never played
Processes = Annotated[int, arg(help="Games that are played at a time, each by a process; the result does not depend on it.")]
Resume = Annotated[bool, arg(help="Go on where the games of --record end: they are not played again.")]
LADDER = ("random", "greedy", "minimax:2", "minimax:4", "minimax:6", "uct:50", "uct:200", "uct:1000")


@dataclass
class Match:
    """Play pairs of games between two agents, from varied openings with the seats swapped."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym match minimax:4 uct:200",
        "boardgym match greedy random --game Othello --games 400 --record games.jsonl",
        "boardgym match 'mix(0.5*greedy, 0.5*random)' 'epsilon:0.1(minimax:2)' --json",
        "boardgym match positional mobility --game Othello --openings openings-244 --seat 0 --games 244",
    )

    a: Positional[Annotated[str, arg(metavar="A"), Policy]]
    """The agent under test. It plays its best actions."""
    b: Positional[Annotated[str, arg(metavar="B"), Policy]]
    """Its opponent. It plays as its spec says, with randomness."""
    game: str = "ConnectFour"
    """Id of the game."""
    games: int = 100
    """How many games; an even number, unless there is a seat."""
    openings: OpeningSet = "heldout"
    seat: Literal[0, 1] | None = None
    """A has this seat in all games, each from an opening of its own; by default the seats are swapped in pairs."""
    max_plies: int = 0
    """Stop a game after this many plies, as a draw; 0: the longest that the rules allow."""
    seed: int = 0
    """Seed of openings and random choices: the same seed gives the same match."""
    draws: bool = False
    """Let A play as its spec says too, with randomness."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    record: OutputFile = ""
    """Append each game to this file as it ends, for boardgym replay: as text if its name ends in .game, else as JSON lines."""
    resume: Resume = False
    processes: Processes = 1
    executor: Executor = "processes"
    json: bool = False
    """Print JSON instead of a table."""
    trust: Trust = False

    def run(self) -> int:
        """Prints the result; of the pairs that were finished if Ctrl-C ends the match."""
        game = load_game(self.game, self.option)
        workers = GameWorkers(self.processes, self.executor)
        with GameLog(self.record, resume=self.resume) as log, workers:
            try:
                match = play_match(
                    self.a,
                    self.b,
                    game,
                    games=self.games,
                    openings=self.openings,
                    seat=self.seat,
                    seed=self.seed,
                    deterministic=not self.draws,
                    max_plies=self.max_plies or None,
                    trust=self.trust,
                    log=log,
                    processes=workers,
                )
                status = 0
            except KeyboardInterrupt:
                if log.match is None or not log.match.finished_games:
                    raise
                match, status = log.match, INTERRUPTED
                what = "pairs" if self.seat is None else "games"
                say(f"interrupted after {len(match.games)} of {self.games} games; finished {what} count", style="yellow")
        if self.record:
            say(f"{len(match.games) - log.taken} games are appended to {self.record}")
        return show(comparison_of(match), self.json) or status


@dataclass
class Compare:
    """Play an agent against a list of opponents: score rates, Elo differences and their intervals."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym compare minimax:4",
        "boardgym compare sb3:runs/demo/model.zip --trust",
        "boardgym compare uct:500 --game Othello --opponents random greedy minimax:4 --games 100 --processes 4 --json",
        "boardgym compare uct:10000 --game Abalone --opponents minimax:3 --processes 64 --executor ray://head:10001",
        "boardgym compare uct:10000 --game Abalone --opponents minimax:3 --processes 64 --executor slurm",
        "boardgym compare greedy --game Othello --opponents positional --openings openings-244 --games 488 --by-seat",
    )

    spec: Positional[Annotated[str, arg(metavar="SPEC"), Policy]]
    """The agent: a policy such as uct:1000, or sb3:PATH for a trained model."""
    opponents: Annotated[tuple[str, ...], Policy] = LADDER
    """The opponents, by spec."""
    game: str = "ConnectFour"
    """Id of the game."""
    games: int = 400
    """Games against each opponent; an even number."""
    openings: OpeningSet = "heldout"
    by_seat: bool = False
    """Show the games of the agent at each seat apart, in two rows an opponent, with the shares won and not lost."""
    max_plies: int = 0
    """Stop a game after this many plies, as a draw; 0: the longest that the rules allow."""
    seed: int = 0
    """Seed of openings and random choices: the same seed gives the same table."""
    draws: bool = False
    """Let the agent play as its spec says, with randomness, instead of its best actions."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    record: OutputFile = ""
    """Append each game to this file as it ends, as boardgym match does."""
    resume: Resume = False
    processes: Processes = 1
    executor: Executor = "processes"
    json: bool = False
    """Print JSON instead of a table."""
    trust: Trust = False

    def run(self) -> int:
        """Prints the table; the finished rows if Ctrl-C ends it."""
        game = load_game(self.game, self.option)

        def work(keep: Callable[[Comparison], None]) -> None:
            compare(
                self.spec,
                game,
                self.opponents,
                games=self.games,
                openings=self.openings,
                by_seat=self.by_seat,
                seed=self.seed,
                deterministic=not self.draws,
                max_plies=self.max_plies or None,
                trust=self.trust,
                on_row=keep,
                log=log,
                processes=workers,
            )

        workers = GameWorkers(self.processes, self.executor)
        with GameLog(self.record, resume=self.resume) as log, workers:
            comparison, is_whole = until_interrupted(work)
        if not is_whole:
            rows = len(self.opponents) * (2 if self.by_seat else 1)
            say(f"interrupted: {len(comparison.rows)} of {rows} rows are finished", style="yellow")
        return show(comparison, self.json) or (0 if is_whole else INTERRUPTED)


@dataclass
class LadderCommand:
    """Compare a row of policies, each with the one before it: how far apart the bundled players are in a game."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym ladder TicTacToe --games 100",
        "boardgym ladder Othello --out othello.json",
        "boardgym ladder ConnectFour --rungs greedy minimax:2 minimax:4 sb3:runs/demo/model.zip --trust",
    )

    game: GameWord = "ConnectFour"
    """Id of the game."""
    rungs: Annotated[tuple[str, ...], Policy] = ()
    """The policies, by spec, the weakest first; by default random, greedy, minimax:1 to 6, uct:100 to 20000, and perfect."""
    games: int = 400
    """Games of each policy against the one before it; an even number."""
    openings: OpeningSet = "heldout"
    seed: int = 0
    """Seed of openings and random choices: the same seed gives the same table."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    out: OutputFile = ""
    """Write the result to this JSON file after each row; the same command with the same settings continues from it."""
    record: OutputFile = ""
    """Append each game to this file as it ends, as boardgym match does."""
    resume: Resume = False
    processes: Processes = 1
    executor: Executor = "processes"
    json: bool = False
    """Print JSON instead of a table."""
    trust: Trust = False

    def run(self) -> int:
        """Prints the table; the finished rows if Ctrl-C ends it."""
        if self.out and self.resume:
            raise UsageError("--out continues by itself; --resume is for a ladder that has a --record and no --out")
        game = load_game(self.game, self.option)

        def work(keep: Callable[[Ladder], None]) -> None:
            play_ladder(
                game,
                self.rungs or None,
                games=self.games,
                openings=self.openings,
                seed=self.seed,
                trust=self.trust,
                file=self.out or None,
                on_row=keep,
                log=log,
                processes=workers,
            )

        workers = GameWorkers(self.processes, self.executor)
        with GameLog(self.record, resume=self.resume) as log, workers:
            ladder, is_whole = until_interrupted(work)
        if not is_whole:
            say(f"interrupted: {len(ladder.rows)} of {len(ladder.rungs) - 1} rows are finished", style="yellow")
        if self.json:
            print_json(ladder.to_json())
        else:
            print_table(ladder.table())
        return tell_absent(zip(ladder.rungs[1:], ladder.rows, strict=False)) or (0 if is_whole else INTERRUPTED)


def show(comparison: Comparison, as_json: bool) -> int:
    """Prints a comparison: JSON, a table that fits the terminal, or, into a file or pipe, all of it as text.

    Returns the exit status, as `tell_absent`.
    """
    if as_json:
        print_json(comparison.to_json())
    else:
        print_table(comparison.table())
    return tell_absent((comparison.agent, row) for row in comparison.rows)


def tell_absent(rows: Iterable[tuple[str, Row]]) -> int:
    """Says on stderr which players forfeited every game of a row. Returns FAILED, or 0 if none did.

    rows: (the agent, its row).
    """
    status = 0
    for agent, row in rows:
        if row.absent is not None:
            player, other = (agent, row.opponent) if row.absent == "agent" else (row.opponent, agent)
            why = f": {row.messages[0]}" if row.messages else ""
            say(f"{player} never played: it forfeited all {row.games} games against {other}{why}", style="bold red")
            status = FAILED
    return status
