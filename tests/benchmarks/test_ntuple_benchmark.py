"""The benchmark of n-tuple networks, in its smallest form."""

import json

from benchmarks import ntuple as benchmark
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.compile import as_python


def test_it_runs(monkeypatch, capsys):
    """Not compiled, but for the choices of the agent; against random moves, as perfect ones take longer."""
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))
    (point,) = benchmark.main(benchmark.Settings(game="TicTacToe-v0", quick=True, json=True, opponent="random"))
    (found,) = json.loads(capsys.readouterr().out)
    assert found["won"] + found["drawn"] + found["lost"] == 4
    assert 1 <= found["distinct"] <= 4
    assert found["low"] <= found["win_rate"] == point.won / 4 <= found["high"]
    assert found["games"] > 0 < found["updates_s"]
    benchmark.tell(point)
    assert f"{point.won} won, {point.drawn} drawn" in capsys.readouterr().out
