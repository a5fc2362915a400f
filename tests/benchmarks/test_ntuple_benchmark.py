"""The benchmark of n-tuple networks, in its smallest form."""

import json

import pytest

from benchmarks import ntuple as benchmark
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.compile import as_python


@pytest.mark.plain
def test_batches(capsys):
    """The games that are not measured are a batch."""
    settings = benchmark.Settings(game="TicTacToe-v0", quick=True, first=("random",), second=(), batch=30)
    (point,) = benchmark.main(settings)
    assert point.games == 100
    assert point.games_s == pytest.approx(70 / (60.0 * point.minutes))
    assert "s of the clock" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="lengths above 120"):
        benchmark.main(benchmark.Settings(game="TicTacToe-v0", quick=True, batch=120))


def test_it_trains_as_it_is_told_and_keeps_the_agents(monkeypatch, tmp_path):
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))
    settings = benchmark.Settings(
        game="TicTacToe-v0", quick=True, json=True, first=("random",), second=(), average_from=(0.5,), weights=("mean",),
        epsilon="0.3", learn_through="first", out=str(tmp_path / "agents"),
    )  # fmt: skip
    (point,) = benchmark.main(settings)
    assert point.is_mean
    (file,) = (tmp_path / "agents").iterdir()
    agent = load_ntuple_agent(file)
    assert [agent.facts["training"][name] for name in ("epsilon", "learn_through", "average_from")] == ["0.3", "first", 0.5]
    assert file.name == "games-100-mean-from-0.5-seed-1-mean.safetensors"


def test_it_runs(monkeypatch, capsys):
    """Not compiled, but for the choices of the agent; against random moves, as perfect ones take longer."""
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))
    settings = benchmark.Settings(
        game="TicTacToe-v0", quick=True, json=True, first=("random",), second=("random",), average_from=(1.0, 0.5)
    )
    points = benchmark.main(settings)
    rows = json.loads(capsys.readouterr().out)
    wanted = [(share, is_mean, seat) for share, is_mean in ((1.0, False), (0.5, False), (0.5, True)) for seat in (0, 1)]
    assert [(row["average_from"], row["is_mean"], row["seat"]) for row in rows] == wanted
    for point, row in zip(points, rows, strict=True):
        assert row["won"] + row["drawn"] + row["lost"] == 4
        assert 1 <= row["distinct"] <= 4
        assert row["low"] <= row["win_rate"] == point.won / 4 <= row["high"]
        assert row["games"] > 0 < row["updates_s"]
        benchmark.tell([point])
        said = capsys.readouterr().out
        assert f"{point.won} won, {point.drawn} drawn" in said
        assert ("mean of the weights from 0.5" in said) == (point.average_from == 0.5)
        assert (", the mean of the weights:" in said) == point.is_mean
