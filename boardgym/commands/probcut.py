"""`boardgym probcut`: the regression by which `minimax:D,probcut=t` guesses a deep value from a shallow one."""

from dataclasses import asdict, dataclass
from typing import ClassVar

from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.search.probcut import fit_regression, save_regression
from boardgym.commands.common import GameWord, RuleOptions, UsageError, load_game, print_json


@dataclass
class ProbCut:
    """Fit a game's regression of deep on shallow values, and keep it for `minimax:D,probcut=t` on this machine."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym probcut Othello",
        "boardgym probcut Othello --deep 5 --shallow 3 --positions 2000",
    )

    game: GameWord
    """Id of the game."""
    deep: int = 4
    """Depth in plies of the searches whose values are predicted."""
    shallow: int = 2
    """Depth in plies of the searches that predict them."""
    positions: int = 500
    """Positions to search to both depths."""
    plies: int = 40
    """Most random plies before a position."""
    seed: int = 0
    """Seed of the random plies."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead of text."""

    def run(self) -> int:
        """Fits, keeps and prints."""
        game = load_game(self.game, self.option)
        for name, number in (("--plies", self.plies), ("--seed", self.seed)):
            if number < 0:
                raise UsageError(f"{name} {number}: expected at least 0")
        with ProgressBar(self.positions, f"{game.title}, depths {self.shallow} and {self.deep}") as bar:
            fit = fit_regression(
                game,
                self.deep,
                self.shallow,
                positions=self.positions,
                most_plies=self.plies,
                seed=self.seed,
                progress=bar.show,
            )
        path = save_regression(game, fit)
        if self.json:
            print_json({**asdict(fit), "path": str(path)})
        else:
            print(
                f"{game.id}: value at depth {fit.deep} = {fit.slope:.3f} * value at depth {fit.shallow} + {fit.offset:.3f}, "
                f"standard deviation {fit.deviation:.3f}, correlation {fit.correlation:.3f}, {fit.positions} positions\n"
                f"kept in {path}"
            )
        return 0
