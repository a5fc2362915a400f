"""What a search believes of every child of every root, as examples to learn from: played, kept in files, filtered, split.

`generate_examples` plays the games, `load_examples` reads the file, the functions of `filters` make data sets of it. After
the example generation of the UCT-CCNN study: M. A. Rezende, master's dissertation (Universidade Federal de Minas Gerais,
2017), sections 4.6 and 5.3.
"""

from boardgym.baselines.learning.examples.columns import Examples, load_examples
from boardgym.baselines.learning.examples.filters import (
    FILTERS,
    apply_filters,
    averaged_duplicates,
    data_sets,
    least_visits,
    most_visited_duplicates,
    split,
    symmetric_forms,
    winners_decisions,
)
from boardgym.baselines.learning.examples.generation import Generated, generate_examples
from boardgym.baselines.learning.examples.settings import ExamplesConfig

__all__ = [
    "FILTERS",
    "Examples",
    "ExamplesConfig",
    "Generated",
    "apply_filters",
    "averaged_duplicates",
    "data_sets",
    "generate_examples",
    "least_visits",
    "load_examples",
    "most_visited_duplicates",
    "split",
    "symmetric_forms",
    "winners_decisions",
]
