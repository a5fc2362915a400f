"""The study of UCT-CCNN rerun: its tables over several networks, and a verdict on each of its claims.

    python examples/reproduce/uct_ccnn.py --size small --processes 2

The same as `boardgym reproduce uct-ccnn`; it goes on where it was cut short.
"""

import sys

from boardgym.cli import main

if __name__ == "__main__":
    sys.exit(main(["reproduce", "uct-ccnn", *sys.argv[1:]]))
