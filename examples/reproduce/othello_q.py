"""The study of Othello by neural Q-learning rerun: both experiments, and a verdict on each of its claims.

    python examples/reproduce/othello_q.py --size small --processes 2

The same as `boardgym reproduce othello-q`; it goes on where it was cut short.
"""

import sys

from boardgym.cli import main

if __name__ == "__main__":
    sys.exit(main(["reproduce", "othello-q", *sys.argv[1:]]))
