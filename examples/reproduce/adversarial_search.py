"""The ten claims of the notes on adversarial search, measured, with a verdict on each.

    python examples/reproduce/adversarial_search.py --size small

The same as `boardgym reproduce adversarial-search`; it goes on where it was cut short.
"""

import sys

from boardgym.cli import main

if __name__ == "__main__":
    sys.exit(main(["reproduce", "adversarial-search", *sys.argv[1:]]))
