"""`boardgym trial`: the tests of the Pessimistic Q-learning study, for any policy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tyro.conf import Positional, arg

from boardgym.baselines.trials.base import BaseTest, base_test
from boardgym.baselines.trials.play import CLONE_GAMES, RANDOM_GAMES, CloneTest, RandomTest, clone_test, random_test
from boardgym.baselines.trials.positions import file_name
from boardgym.commands.common import (
    INTERRUPTED,
    RuleOptions,
    Trust,
    UsageError,
    load_game,
    print_json,
    print_table,
    say,
    until_interrupted,
)
from boardgym.core.game import Game

Results = dict[str, RandomTest | CloneTest | BaseTest]


@dataclass
class Trial:
    """The tests of the Pessimistic Q-learning study: random play, a policy against a policy, positions with a right move."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym trial greedy TicTacToe",
        "boardgym trial file:agent.safetensors ConnectFour --test base",
        "boardgym trial minimax:2 ConnectFour --test clone --opponent uct:50 --games 200",
        "boardgym trial greedy CardPoints --option n_cards=12 --test base --json",
    )

    spec: Positional[Annotated[str, arg(metavar="SPEC")]]
    """The policy to be tested, such as file:PATH for an agent that has learnt."""
    game: Positional[Annotated[str, arg(metavar="GAME")]]
    """Id of the game."""
    test: Literal["random", "clone", "base", "all"] = "all"
    """What to do: random play of all seats; the policy's first seat against the opponent's second; every line of
    tic-tac-toe, or positions of Connect Four and CardPoints whose right moves are known; all of them."""
    opponent: str = ""
    """What plays second in the clone test; empty: the policy itself."""
    games: int = 0
    """Of the random test and the clone test each; 0: 100,000 and 1,000."""
    seed: int = 0
    """Of all draws: the same seed gives the same result."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead of tables."""
    trust: Trust = False

    def run(self) -> int:
        """Prints the results; those of the finished tests if Ctrl-C ends it."""
        game = load_game(self.game, self.option)
        if self.games < 0:
            raise UsageError(f"--games {self.games}: expected at least 1, or 0 for the usual number")
        wanted = self._tests(game)

        def work(keep: Callable[[Results], None]) -> None:
            results: Results = {}
            for name in wanted:
                results[name] = self._perform(name, game)
                keep(dict(results))

        results, is_whole = until_interrupted(work)
        if not is_whole:
            say(f"interrupted; finished: {', '.join(results)} of {', '.join(wanted)}", style="yellow")
        if self.json:
            print_json({name: result.to_dict() for name, result in results.items()})
        else:
            for number, result in enumerate(results.values()):
                if number:
                    print()
                print_table(result.table())
        return 0 if is_whole else INTERRUPTED

    def _tests(self, game: Game) -> list[str]:
        """The tests to perform; of all, those that there are for the game."""
        if self.test != "all":
            return [self.test]
        tests = ["random"]
        if game.num_seats == 2:
            tests.append("clone")
        if game.name == "TicTacToe" or file_name(game.id, game.options) is not None:
            tests.append("base")
        missing = [name for name in ("clone", "base") if name not in tests]
        if missing:
            say(f"there is no {' and no '.join(missing)} test of {game.id} {dict(game.options)}")
        return tests

    def _perform(self, name: str, game: Game) -> RandomTest | CloneTest | BaseTest:
        if name == "random":
            return random_test(game, games=self.games or RANDOM_GAMES, seed=self.seed)
        if name == "base":
            return base_test(self.spec, game, seed=self.seed, trust=self.trust)
        return clone_test(self.spec, self.opponent or self.spec, game, games=self.games or CLONE_GAMES, seed=self.seed,
                          trust=self.trust)  # fmt: skip
