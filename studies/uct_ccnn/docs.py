"""The figures of the UCT-CCNN study's rerun in the repository, and the page that is made of them."""

from collections.abc import Mapping
from typing import Any

from boardgym.studies.staged import Pages
from boardgym.studies.uct_ccnn.mcts import SETTING
from boardgym.studies.uct_ccnn.plans import GAMES, SETTINGS
from boardgym.studies.uct_ccnn.study import STUDY
from boardgym.studies.uct_ccnn.tuning import constants

ROUNDED = 1e-5  # how far a constant may lie from the mean of tunings that the files have with six digits
DATA, PICTURE = "data/uct_ccnn", "study_uct_ccnn_{}_{}.png"


def of_other_runs(figures: Mapping[str, list[Any]]) -> str:
    """What shows that figures are not all of one run; empty if nothing does.

    Examples must be played with the mean of the tunings, and matches with the networks of the same numbers.
    """
    means = constants(figures)
    for game, setting in ((game, setting) for game in GAMES for setting in SETTINGS):
        for one in figures.get(f"examples_{game}_{setting}", ()):
            if game in means and abs(one["constant"] - means[game]) > ROUNDED:
                ours = f"constant {one['constant']:g}, of the tunings {means[game]:g}"
                return f"examples_{game}_{setting}: data set {one['seed']}: {ours}"
        kind = f"networks_{game}_{setting}"
        grown = {one["seed"]: one["network"] for one in figures.get(kind, ())}
        for other in (f"minimax_{game}_{setting}", f"mcts_{game}") if setting == SETTING else (f"minimax_{game}_{setting}",):
            for one in figures.get(other, ()):
                if kind in figures and one["network"] != grown.get(one["seed"]):
                    return f"{other}: network {one['seed']} is not that of {kind}"
    return ""


FIGURES = Pages(STUDY, DATA, "study_uct_ccnn.md", PICTURE, of_other_runs)
PAGES, path_of, read_figures = FIGURES.PAGES, FIGURES.path_of, FIGURES.read_figures
take_figures, write_part, make_pages = FIGURES.take_figures, FIGURES.write_part, FIGURES.make_pages
