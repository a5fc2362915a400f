"""`boardgym regret`: how much value a policy gives away against perfect play."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from tyro.conf import Positional, arg

from boardgym.baselines.arena.regret import Tally, measure_regret
from boardgym.commands.common import INTERRUPTED, RuleOptions, load_game, print_json, say
from boardgym.commands.compete import OpeningSet


@dataclass
class Regret:
    """The value that a policy gives away per ply against perfect play, at the positions that it meets in games."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym regret uct:100 TicTacToe",
        "boardgym regret greedy CardPoints --opponent random --games 400 --json",
        "boardgym regret minimax:4 Othello --solver perfect:empties=14,mode=result",
    )

    spec: Positional[Annotated[str, arg(metavar="SPEC")]]
    """The policy to be judged."""
    game: Positional[Annotated[str, arg(metavar="GAME")]]
    """Id of the game; it must have a solver."""
    opponent: str = ""
    """What it plays against; empty: itself, and both seats are judged."""
    games: int = 100
    """How many games; an even number."""
    openings: OpeningSet = "heldout"
    """Where games begin: random plies into a fixed quarter of all positions, into the others, or the standard start."""
    seed: int = 0
    """Of openings and draws: the same seed gives the same result."""
    draws: bool = False
    """Let the policy play as its spec says, with draws, instead of its best actions."""
    solver: str = "perfect"
    """The judge: perfect, with settings of the game's solver if wanted."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead of text."""
    trust: bool = False
    """Load model files that could execute code."""

    def run(self) -> int:
        """Prints the result; over the games that were judged if Ctrl-C ends it."""
        latest: list[Tally] = []

        def keep(tally: Tally) -> None:
            latest[:] = [tally]

        status = 0
        try:
            measure_regret(self.spec, load_game(self.game, self.option), opponent=self.opponent or None, games=self.games,
                           openings=self.openings, seed=self.seed, deterministic=not self.draws, solver=self.solver,
                           trust=self.trust, on_game=keep)  # fmt: skip
        except KeyboardInterrupt:
            if not latest:
                raise
            status = INTERRUPTED
            say(f"interrupted after {len(latest[0].rows)} of {self.games} games", style="yellow")
        result = latest[0].result()
        if self.json:
            print_json(result.to_dict())
        else:
            print(result)
        return status
