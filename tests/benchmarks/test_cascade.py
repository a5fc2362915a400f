"""The benchmark of cascade correlation, in its smallest form."""

import json

import numpy as np
import pytest

from benchmarks import cascade
from boardgym.core.game import get_game


def test_it_runs(tmp_path, capsys):
    cascade.main(["--quick", "--out", str(tmp_path)])
    shown = capsys.readouterr().out
    assert [line.split(" | ")[0] for line in shown.splitlines() if line.startswith("| ")][2:] == ["| 1", "| 2"]
    found = json.loads((tmp_path / "quick" / "results.json").read_text())
    for it in found.values():  # FANN's too where it is installed
        assert len(it["stages"]) == 3
        assert all(stage["epochs"] >= 2 and stage["wall_s"] > 0.0 for stage in it["stages"][1:])
    assert (tmp_path / "quick" / "table.md").read_text() == shown
    with pytest.raises(SystemExit, match="expected at least 5 and 1"):
        cascade.main(["--units", "0"])


def test_its_examples_are_two_bits_a_cell():
    X, y = cascade.positions(130, 1)
    assert X.shape == (130, 128)
    assert set(np.unique(X)) == {0.0, 1.0}
    assert set(np.unique(y)) <= {-1.0, 0.0, 1.0}
    assert (X[:, ::2] * X[:, 1::2] == 0.0).all()
    assert get_game("Othello-v0").planes[:2] == ("own", "other")
