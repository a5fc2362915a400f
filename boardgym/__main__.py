"""`python -m boardgym` is the command `boardgym`."""

import sys

from boardgym.cli import main

sys.exit(main())
