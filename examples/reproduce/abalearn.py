"""The study of Abalearn, rerun part by part: its tables and figures beside ours, and what they say of each of its claims.

    python examples/reproduce/abalearn.py --part illustrations risk --seeds 3

The same as `boardgym reproduce abalearn`; it goes on where it was cut short.
"""

import sys

from boardgym.cli import main

if __name__ == "__main__":
    sys.exit(main(["reproduce", "abalearn", *sys.argv[1:]]))
