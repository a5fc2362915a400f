"""The study of Pessimistic Q-learning, rerun: its tables beside ours, and what the sweep itself does.

    python examples/reproduce/pessimistic_q.py --game tic-tac-toe --seeds 3

The same as `boardgym reproduce pessimistic-q`. Tic-tac-toe takes minutes, everything hours; it goes on where it was cut short.
"""

import sys

from boardgym.cli import main

if __name__ == "__main__":
    sys.exit(main(["reproduce", "pessimistic-q", *sys.argv[1:]]))
