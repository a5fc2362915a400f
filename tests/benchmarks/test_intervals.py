"""The simulation of coverage: chances by hand, and a short run."""

import re

import pytest

from benchmarks import intervals


def test_chances_of_a_pair():
    assert intervals.pair_chances(0.6, 0.2, 0.0) == pytest.approx([0.09, 0.12, 0.34, 0.2, 0.25])
    assert intervals.pair_chances(0.6, 0.2, 1.0) == pytest.approx([0.3, 0.0, 0.2, 0.0, 0.5])
    assert intervals.pair_chances(1.0, 0.2, 0.5) == pytest.approx([0, 0, 0, 0, 1])


def test_a_short_run(capsys):
    intervals.main(["--pairs", "4", "--rates", "0.5", "0.99", "--samples", "300"])
    found = re.search(r"4 pairs: mean (\S+), least (\S+) \[", capsys.readouterr().out)
    assert 0.95 <= float(found[2]) <= float(found[1]) <= 1.0
