"""`boardgym regret`: how much value a policy gives away against perfect play."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar

from tyro.conf import Positional, arg

from boardgym.baselines.arena.regret import Regret as Result
from boardgym.baselines.arena.regret import Tally, measure_regret
from boardgym.commands.common import (
    INTERRUPTED,
    GameWord,
    OpeningSet,
    RuleOptions,
    Trust,
    load_game,
    print_json,
    say,
    until_interrupted,
)


@dataclass
class Regret:
    """Measure the value that a policy gives away per ply against perfect play, in the positions that it meets in games."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym regret uct:100 TicTacToe",
        "boardgym regret greedy CardPoints --opponent random --games 400 --json",
        "boardgym regret minimax:4 Othello --solver perfect:empties=14,mode=result",
    )

    spec: Positional[Annotated[str, arg(metavar="SPEC")]]
    """The policy to be judged."""
    game: GameWord
    """Id of the game; it must have a solver."""
    opponent: str = ""
    """Its opponent; empty: it plays itself, and both seats are judged."""
    games: int = 100
    """How many games; an even number."""
    openings: OpeningSet = "heldout"
    seed: int = 0
    """Seed of openings and random choices: the same seed gives the same result."""
    draws: bool = False
    """Let the policy play as its spec says, with randomness, instead of its best actions."""
    solver: str = "perfect"
    """The judge: perfect, optionally with settings of the game's solver."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead of text."""
    trust: Trust = False

    def run(self) -> int:
        """Prints the result; over the games that were judged if Ctrl-C ends it. Returns 1 if no ply could be judged."""
        game = load_game(self.game, self.option)

        def measure(keep: Callable[[Tally], None]) -> None:
            measure_regret(
                self.spec,
                game,
                opponent=self.opponent or None,
                games=self.games,
                openings=self.openings,
                seed=self.seed,
                deterministic=not self.draws,
                solver=self.solver,
                trust=self.trust,
                on_game=keep,
            )

        tally, is_whole = until_interrupted(measure)
        result = tally.result()
        if not is_whole:
            say(f"interrupted after {result.games} of {self.games} games", style="yellow")
        if self.json:
            print_json(result.to_dict())
        else:
            print(result)
        if not is_whole:
            return INTERRUPTED
        if result.plies == 0:
            say(f"no ply could be judged: {why_none(result)}", style="yellow")
        return int(result.plies == 0)


def why_none(result: Result) -> str:
    """Where the plies of a result went of which none was judged."""
    places = [f"{result.forced} were forced"] if result.forced else []
    places += [f"{count} were beyond the solver ({reason})" for reason, count in result.reasons.items()]
    places += [f"{result.forfeits} games were forfeited"] if result.forfeits else []
    return "; ".join(places) or "the policy had none"
