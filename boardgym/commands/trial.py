"""`boardgym trial`: the tests of the Pessimistic Q-learning study, for any policy."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from tyro.conf import Positional, arg

from boardgym.baselines.arena.game import as_policy
from boardgym.baselines.thesis_tests.answers import PositionsTest, positions_test
from boardgym.baselines.thesis_tests.base import BaseTest, base_test, has_base_test
from boardgym.baselines.thesis_tests.play import CLONE_GAMES, RANDOM_GAMES, CloneTest, RandomTest, clone_test, random_test
from boardgym.baselines.thesis_tests.positions import BaseSet, check_set, file_name, read_positions, rows_of
from boardgym.commands.common import (
    INTERRUPTED,
    GameWord,
    RuleOptions,
    Trust,
    UsageError,
    load_game,
    print_json,
    print_table,
    say,
)
from boardgym.core.game import Game
from boardgym.core.policy import Policy
from boardgym.core.random import check_seed

TESTS = ("random", "clone", "base", "positions")
Result = RandomTest | CloneTest | BaseTest | PositionsTest


@dataclass
class Trial:
    """Run the tests of the Pessimistic Q-learning study: random play, policy against policy, fixed replies, known positions."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym trial greedy TicTacToe",
        "boardgym trial file:agent.safetensors ConnectFour --test base",
        "boardgym trial minimax:2 ConnectFour --test clone --opponent uct:50 --games 200",
        "boardgym trial greedy CardPoints --option n_cards=12 --test base --json",
        "boardgym trial minimax:4 ConnectFour --test positions --positions connect-four.tsv",
    )

    spec: Positional[Annotated[str, arg(metavar="SPEC")]]
    """The policy to test, such as file:PATH for a trained agent."""
    game: GameWord
    """Id of the game."""
    test: Literal["random", "clone", "base", "positions", "all"] = "all"
    """What to do: random play of all seats; the policy's first seat against the opponent's second; every line of tic-tac-toe
    and of rows of CardPoints, or fixed replies in Connect Four; positions whose right moves are known; all that there are."""
    opponent: str = ""
    """The second player of the clone test; empty: the policy itself."""
    games: int = 0
    """Games of the random test and of the clone test; 0: 100,000 and 1,000."""
    rows: bool = False
    """Begin the games of the clone test at the rows of the base test, in order: CardPoints with 8 or 12 cards."""
    positions: Annotated[Path | None, arg(metavar="FILE")] = None
    """A file of positions in place of the package's own, as `python -m benchmarks.base_positions` makes them."""
    seed: int = 0
    """Seed of all random choices: the same seed gives the same result."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead of tables."""
    trust: Trust = False

    def run(self) -> int:
        """Prints the results; those of the finished tests if Ctrl-C or an error ends it."""
        game = load_game(self.game, self.option)
        wanted = self._tests(game)
        self._check(wanted, game)
        check_seed(self.seed)
        known = self._known(game) if "positions" in wanted else None
        first = self._policy(self.spec, game) if wanted != ["random"] else None
        second = self._policy(self.opponent or self.spec, game) if "clone" in wanted else None
        results: dict[str, Result] = {}
        try:
            for name in wanted:
                results[name] = self._perform(name, game, first, second, known)
        except KeyboardInterrupt:
            if not results:
                raise
            say(f"interrupted; finished: {', '.join(results)} of {', '.join(wanted)}", style="yellow")
            return INTERRUPTED
        finally:
            self._print(results)
        return 0

    def _print(self, results: dict[str, Result]) -> None:
        if self.json and results:
            print_json({name: result.to_dict() for name, result in results.items()})
            return
        for number, result in enumerate(results.values()):
            if number:
                print()
            print_table(result.table())

    def _known(self, game: Game) -> BaseSet | None:
        """The positions of the file, checked; None for the package's own."""
        if self.positions is None:
            return None
        known = read_positions(self.positions)
        check_set(game, known, str(self.positions))
        return known

    def _policy(self, spec: str, game: Game) -> Policy:
        return as_policy(spec, game, seed=self.seed, trust=self.trust)

    def _tests(self, game: Game) -> list[str]:
        """The tests to perform; of all, those that there are for the game."""
        if self.test != "all":
            return [self.test]
        has_positions = self.positions is not None or file_name(game.id, game.options) is not None
        there_are = {"random": True, "clone": game.num_seats == 2, "base": has_base_test(game), "positions": has_positions}
        missing = [name for name in TESTS if not there_are[name]]
        if missing:
            say(f"there is no {' and no '.join(missing)} test of {game.id} {dict(game.options)}")
        return [name for name in TESTS if there_are[name]]

    def _check(self, wanted: list[str], game: Game) -> None:
        """Raises UsageError for numbers that cannot be, and for options that none of the tests reads."""
        if self.games < 0:
            raise UsageError(f"--games {self.games}: expected at least 1, or 0 for the usual number")
        uses = (
            ("--opponent", self.opponent, ("clone",)),
            ("--games", self.games, ("random", "clone")),
            ("--rows", self.rows, ("clone",)),
            ("--positions", self.positions, ("positions",)),
        )
        for option, value, tests in uses:
            if value and not set(tests) & set(wanted):
                raise UsageError(
                    f"{option} is for the {' and the '.join(tests)} test; there is none among: {', '.join(wanted)}"
                )
        if self.rows and not rows_of(game):
            raise UsageError(f"--rows: there are rows of CardPoints with 8 or 12 cards, none of {game.id} {dict(game.options)}")

    def _perform(self, name: str, game: Game, first: Any, second: Any, known: BaseSet | None) -> Result:
        if name == "random":
            return random_test(game, games=self.games or RANDOM_GAMES, seed=self.seed)
        if name == "base":
            return base_test(first, game, seed=self.seed)
        if name == "positions":
            return positions_test(first, game, known=known, seed=self.seed)
        return clone_test(
            first, second, game, games=self.games or CLONE_GAMES, seed=self.seed, starts=rows_of(game) if self.rows else None
        )
