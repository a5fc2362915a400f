"""`boardgym train coevolution`: a linear player that climbs by playing against mutants of itself."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import tyro

from boardgym.baselines.arena.compare import Comparison
from boardgym.baselines.learning.coevolution import Climbed, CoevolutionConfig, HillClimber, train_coevolution
from boardgym.baselines.learning.runs import CHECKPOINT_S
from boardgym.baselines.progress import ProgressBar
from boardgym.commands.common import INTERRUPTED, print_json, say, terminal
from boardgym.commands.training import COMPARE_GAMES, JUDGES, check_compared, compare_briefly, plain, show_comparison
from boardgym.core.game import get_game

BLOCK = 100  # generations of a line of what is printed


@dataclass
class Coevolution:
    """Train a linear player by co-evolution: hill climbing in which a champion moves towards mutants that beat it.

    The same command continues an interrupted training; with more generations, also a finished one.

    Attributes:
        config: the settings.
        out: folder for the agent and the champions.
        threads: threads that share the games of a generation, 0 for one per core; the result does not depend on it.
        compare_games: games against each of a few opponents at the end; an even number, 0 for none.
        json: print the result as JSON.
        checkpoint_s: seconds between checkpoints.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train coevolution",
        "boardgym train coevolution --generations 10000 --games 20 --threads 0 --out runs/climb",
        "boardgym train coevolution --features 'atributos(is_scaled=1)' --noise 0.05",
        "boardgym train coevolution --game TicTacToe --adds-reward --games 20 --out runs/tictactoe",
    )

    config: tyro.conf.OmitArgPrefixes[CoevolutionConfig] = field(default_factory=CoevolutionConfig)
    out: Path = Path("runs/coevolution")
    threads: int = 1
    compare_games: int = COMPARE_GAMES
    json: bool = False
    checkpoint_s: float = CHECKPOINT_S

    def run(self) -> int:
        """Climbs, says where the agent is, and compares it. Ctrl-C keeps what was reached until then."""
        check_compared(self.compare_games)
        steps = 0
        with ProgressBar(self.config.generations, "generations") as bar:

            def show(climber: HillClimber) -> None:
                nonlocal steps
                steps += climber.has_moved
                bar.show(climber.generation, note=f"{steps} mutants followed")

            climbed = train_coevolution(self.config, self.out, checkpoint_s=self.checkpoint_s, num_threads=self.threads,
                                        on_generation=show)  # fmt: skip
        self._tell(climbed)
        if climbed.is_finished:
            return 0
        say("interrupted: the same command goes on", style="yellow")
        return INTERRUPTED

    def _tell(self, climbed: Climbed) -> None:
        """Prints how the training ended."""
        climber, results = climbed.climber, climbed.climber.results()
        followed = int(climber.followed().sum())
        won, drawn, lost = (int(n) for n in results.sum(axis=0))
        games = self.compare_games if climbed.is_finished else 0

        def compared() -> Comparison | None:
            return compare_briefly(f"file:{climbed.agent_path}", climber.agent.game, JUDGES, games=games)

        if self.json:
            blocks = [results[k : k + BLOCK].sum(axis=0).tolist() for k in range(0, len(results), BLOCK)]
            print_json({"agent": str(climbed.agent_path), "champions": str(climbed.champions_path),
                        "generations": climber.generation, "resumed": climbed.resumed, "seconds": round(climbed.seconds, 3),
                        "is_finished": climbed.is_finished, "followed": followed, "block": BLOCK,
                        "results": blocks, "comparison": plain(compared())})  # fmt: skip
            return
        usual = get_game(climber.game.id).options
        changed = [f" --option {name}={value}" for name, value in climber.agent.game.options.items() if value != usual[name]]
        options, game, speed = (
            "".join(changed),
            climber.config.game,
            (climber.generation - climbed.resumed) / max(climbed.working_seconds, 1e-9),
        )
        terminal().print(
            f"agent      {climbed.agent_path}\n"
            f"champions  {climbed.champions_path}\n"
            f"climbed    {climber.generation:,} generations in {climbed.seconds:.1f} s ({speed:,.1f} a second), "
            f"{followed:,} mutants followed\n"
            f"games      {won:,} won, {drawn:,} drawn, {lost:,} lost by mutants\n"
            f"compare    boardgym compare file:{climbed.agent_path} --game {game}{options}\n"
            f"play       boardgym play {game} human file:{climbed.agent_path}{options}",
            markup=False, soft_wrap=True,
        )  # fmt: skip
        show_comparison(compared())
