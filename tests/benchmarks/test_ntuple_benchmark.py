"""The benchmark of n-tuple networks, in its smallest form."""

import json

import pytest

from benchmarks import ntuple as benchmark
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.compile import as_python


@pytest.fixture
def python(monkeypatch):
    """Trains in plain Python."""
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))


def settings_of(**changed):
    """The smallest run, against random moves, as perfect ones take longer."""
    return benchmark.Settings(quick=True, **{"game": "TicTacToe-v0", "first": ("random",), "second": (), **changed})


@pytest.mark.plain
def test_batches(capsys):
    """The games that are not measured are a batch."""
    (point,) = benchmark.main(settings_of(batch=30))
    assert point.trained.config.games == 100
    assert point.trained.games_s == pytest.approx(70 / (60.0 * point.trained.minutes))
    assert "s of the clock" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="lengths above 120"):
        benchmark.main(settings_of(batch=120))


def test_it_trains_as_it_is_told_and_keeps_the_agents(python, tmp_path):
    how = {"epsilon": "0.3", "step_size": "0.5", "learn_through": "first", "out": str(tmp_path / "agents")}
    points = benchmark.main(settings_of(average_from=(1.0, 0.5), **how))
    assert [(point.agent, point.trained.config.average_from) for point in points] == [
        ("latest", 1.0), ("latest", 0.5), ("mean", 0.5)
    ]  # fmt: skip
    whole = {name: getattr(points[0].trained.config, name) for name in ("tuples", "epsilon", "step_size", "learn_through")}
    assert whole == {"tuples": ("walk(2, 3)",), "epsilon": "0.3", "step_size": "0.5", "learn_through": "first"}
    training = NTupleTraining(points[-1].trained.config)
    training.play_to(100)
    agents = {file.name: load_ntuple_agent(file) for file in (tmp_path / "agents").iterdir()}
    latest, mean = (agents.pop(f"seed-1-games-100{name}.safetensors").weights for name in ("", "-mean-from-0.5"))
    assert not agents
    assert (latest == training.agent(latest=True).weights).all()
    assert (mean == training.agent().weights).all()
    assert (mean != latest).any()


def test_one_kind_of_weights(python):
    assert [point.agent for point in benchmark.main(settings_of(average_from=(0.5,), weights=("mean",)))] == ["mean"]


def test_agents_are_not_written_over(python, tmp_path):
    (tmp_path / "seed-1-games-100-mean-from-0.5.safetensors").write_bytes(b"")
    with pytest.raises(SystemExit, match=r"mean-from-0\.5\.safetensors is there already; give another folder"):
        benchmark.main(settings_of(average_from=(0.5,), out=str(tmp_path)))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SystemExit, match=r"out=.*file: .*; expected a folder, or a new one"):
        benchmark.main(settings_of(out=str(tmp_path / "file")))
    assert {path.name for path in tmp_path.iterdir()} == {"file", "seed-1-games-100-mean-from-0.5.safetensors"}


def test_other_agents(capsys):
    """In place of trainings, each with each seed."""
    points = benchmark.main(settings_of(agents=("greedy", "minimax:1"), seeds=(1,), second=("random",)))
    assert [(point.agent, point.seat, point.trained) for point in points] == [
        (agent, seat, None) for agent in ("greedy", "minimax:1") for seat in (0, 1)
    ]
    assert "minimax:1, second against random: " in capsys.readouterr().out


def test_wrong_moves(tmp_path, capsys):
    path = tmp_path / "solved.txt"
    path.write_text("# moves score scores\n- 1 -2,-1,0,1,0,-1,-2\n111111 1 x,3,0,1,-1,0,-2\n1 2 -1,-2,-1,-2,-1,-3,-2\n")
    right = [{3}, {1, 3}, {*range(7)}]  # the one win; any win is as good as another; all lose

    class Columns:
        def __init__(self, columns):
            self.columns = iter([0, *columns])

        def act(self, board, deterministic):
            assert deterministic
            return next(self.columns)

    for columns in ((3, 1, 0), (0, 2, 6), (3, 3, 3), (2, 5, 1)):
        wrong, count, _ = benchmark.wrong_moves(Columns(columns), path)
        assert count == 3
        assert wrong == sum(column not in known for column, known in zip(columns, right, strict=True))
    (found,) = benchmark.main(settings_of(game="ConnectFour-v0", agents=("greedy",), first=(), positions=str(path)))
    assert (found.positions, found.agent) == (3, "greedy")
    assert f"greedy: {found.wrong} wrong moves in 3 positions" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="there is no such file"):
        benchmark.main(settings_of(positions=str(tmp_path / "none")))


def test_it_runs(python, capsys):
    points = benchmark.main(settings_of(json=True, second=("random",), average_from=(1.0, 0.5)))
    rows = json.loads(capsys.readouterr().out)
    wanted = [(share, agent, seat) for share, agent in ((1.0, "latest"), (0.5, "latest"), (0.5, "mean")) for seat in (0, 1)]
    assert [(row["trained"]["config"]["average_from"], row["agent"], row["seat"]) for row in rows] == wanted
    for point, row in zip(points, rows, strict=True):
        assert row["won"] + row["drawn"] + row["lost"] == 4
        assert 1 <= row["distinct"] <= 4
        assert row["low"] <= row["win_rate"] == point.won / 4 <= row["high"]
        assert row["trained"]["games_s"] > 0 < row["trained"]["updates_s"]
        benchmark.tell([point])
        said = capsys.readouterr().out
        assert f"{point.won} won, {point.drawn} drawn" in said
        assert f"average_from={point.trained.config.average_from}" in said
        assert f"{point.agent}, {'first' if point.seat == 0 else 'second'} against random" in said
