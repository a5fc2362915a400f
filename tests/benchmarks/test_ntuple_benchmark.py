"""The benchmark of n-tuple networks, in its smallest form."""

import dataclasses
import json

import pytest

from benchmarks import ntuple as benchmark
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.compile import as_python
from boardgym.core.board import Board
from boardgym.core.game import get_game
from tests.support import ROOT

SOLVED = ROOT / "tests" / "data" / "reference" / "connect4_random.txt"


@pytest.fixture
def python(monkeypatch):
    """Trains in plain Python."""
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))


@pytest.fixture(autouse=True)
def few_writes(monkeypatch):
    """Of the plain loop, which plain Python goes through too."""
    monkeypatch.setattr(benchmark, "WRITES", 4_000)


def settings_of(**changed):
    """The smallest run, against random moves, as perfect ones take longer."""
    return benchmark.Settings(quick=True, **{"game": "TicTacToe-v0", "first": ("random",), "second": (), **changed})


@pytest.mark.plain
def test_batches(capsys):
    """The games that are not measured are a batch."""
    trained, _ = benchmark.main(settings_of(batch=30))
    assert trained.config.games == 100
    assert trained.games_s == pytest.approx(70 / (60.0 * trained.minutes))
    assert "s of the clock" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="expected more than 120 games"):
        benchmark.main(settings_of(batch=120))


def test_trainings_are_as_the_settings_say():
    same = {"game": "Othello-v0", "tuples": ("lines(3)",), "step_size": "2", "epsilon": "0.3", "learn_through": "both",
            "batch": 64, "threads": 2, "device": "cuda"}  # fmt: skip
    settings = benchmark.Settings(**same, seeds=(1, 2), lengths=(100, 200), average_from=(1.0, 0.5))
    configs = benchmark.configs_of(settings)
    assert [(config.seed, config.games, config.average_from) for config in configs] == [
        (seed, games, share) for seed in (1, 2) for games in (100, 200) for share in (1.0, 0.5)
    ]
    assert all({name: getattr(config, name) for name in same} == same for config in configs)
    files = {benchmark.file_of(settings, config, name).name for config in configs for name in ("latest", "mean")}
    assert len(files) == 16


def test_agents_are_kept(python, tmp_path):
    trained, _, _ = benchmark.main(settings_of(average_from=(0.5,), out=str(tmp_path / "agents")))
    training = NTupleTraining(trained.config)
    training.play_to(100)
    agents = {file.name: load_ntuple_agent(file).weights for file in (tmp_path / "agents").iterdir()}
    latest, mean = (agents.pop(f"seed-1-games-100-from-0.5-{name}.safetensors") for name in ("latest", "mean"))
    assert not agents
    assert (latest == training.agent(latest=True).weights).all()
    assert (mean == training.agent().weights).all()
    assert (mean != latest).any()


def test_one_kind_of_weights(python):
    _, point = benchmark.main(settings_of(average_from=(0.5,), weights=("mean",)))
    assert point.agent == "mean"


def test_the_agent_has_its_seat():
    """It plays the top row, the other the middle one: who begins wins, so all games are one."""

    class Row:
        def __init__(self, cells):
            self.game, self.cells = get_game("TicTacToe-v0"), cells

        def act(self, board):
            return next(cell for cell in self.cells if cell in board.legal_actions)

    agent, other = Row((0, 1, 2)), Row((3, 4, 5))
    assert benchmark.play(agent, other, 3, 0) == ([1.0, 1.0, 1.0], 1)
    assert benchmark.play(agent, other, 2, 1) == ([-1.0, -1.0], 1)


def test_other_agents(capsys):
    """In place of trainings."""
    points = benchmark.main(settings_of(agents=("minimax:9", "random"), first=("random",), second=("minimax:9",), json=True))
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows == [{"kind": "point", **dataclasses.asdict(point)} for point in points]
    assert [(row["agent"], row["seat"], row["opponent"]) for row in rows] == [
        (agent, seat, opponent) for agent in ("minimax:9", "random") for seat, opponent in ((0, "random"), (1, "minimax:9"))
    ]
    assert rows[0]["lost"] == rows[1]["won"] == rows[1]["lost"] == rows[3]["won"] == 0
    assert rows[0]["won"] > 0 < rows[3]["lost"]


def test_agent_and_opponent_draw_apart(monkeypatch):
    """One does not repeat the draws of the other."""
    seen = {}

    def record(agent, opponent, games, seat):
        board = Board("ConnectFour-v0")
        seen["agent"], seen["opponent"] = ([policy.act(board) for _ in range(20)] for policy in (agent, opponent))
        return [0.0] * games, games

    monkeypatch.setattr(benchmark, "play", record)
    benchmark.main(settings_of(game="ConnectFour-v0", agents=("random",)))
    assert seen["agent"] != seen["opponent"]


def test_it_runs(python, capsys):
    found = benchmark.main(settings_of(second=("random",), average_from=(1.0, 0.5)))
    said = capsys.readouterr().out
    trained, points = ([one for one in found if isinstance(one, kind)] for kind in (benchmark.Trained, benchmark.Point))
    assert [one.config.average_from for one in trained] == [1.0, 0.5]
    assert [(point.agent, point.seat) for point in points] == [
        (agent, seat) for agent in ("latest", "latest", "mean") for seat in (0, 1)
    ]
    for one in trained:
        assert one.games_s > 0 < one.updates_s
        assert f"average_from={one.config.average_from}" in said
    for point in points:
        assert point.won + point.drawn + point.lost == 4
        assert 1 <= point.distinct <= 4
        assert point.low <= point.win_rate == point.won / 4 <= point.high
        assert f"{point.won} won, {point.drawn} drawn, {point.lost} lost" in said
        assert f"{point.agent}, {'first' if point.seat == 0 else 'second'} against random" in said


# ---------------------------------------------------------------- solved positions


def test_wrong_moves(tmp_path):
    """A move is wrong if it gives the result away, not if it wins later."""
    path, seen = tmp_path / "solved.txt", []
    path.write_text("# moves score scores\n- 1 -2,-1,0,1,0,-1,-2\n\n111111 1 x,3,0,1,-1,0,-2\n12 -1 -1,-2,-1,-2,-1,-3,-2\n")
    positions = benchmark.read_solved(path)

    class Columns:
        def __init__(self, columns):
            self.columns = iter([0, *columns])

        def act(self, board, deterministic):
            assert deterministic
            seen.append(tuple(board.actions))
            return next(self.columns)

    for columns, wrong in (((3, 1, 0), 0), ((0, 2, 6), 2), ((3, 3, 3), 0), ((2, 5, 1), 2), ((3, 4, 0), 1)):
        assert benchmark.wrong_moves(Columns(columns), positions)[:3] == (wrong, 2, 3)
    assert seen == [(), (), (0,) * 6, (0, 1)] * 5  # the first one loads kernels


def test_wrong_moves_of_a_search(capsys):
    (found,) = benchmark.main(
        settings_of(game="ConnectFour-v0", agents=("greedy",), first=(), positions=str(SOLVED), json=True)
    )
    assert json.loads(capsys.readouterr().out) == {"kind": "moves", **dataclasses.asdict(found)}
    assert (found.positions, found.choices) == (400, 271)
    assert 0 < found.wrong < 271
    assert f"greedy: {found.wrong} wrong moves in 400 positions, of which 271 have one" in benchmark.text_of(found)


@pytest.mark.parametrize(
    "line",
    ["1 2", "8 1 0,0,0,0,0,0,0", "1 1 0,0,0,0,0,0", "1 1 x,0,0,0,0,0,0", "1111111 1 0,0,0,0,0,0,0", "1 1 0,0,0,0,0,0,half"],
)
def test_files_of_no_positions(tmp_path, line):
    path = tmp_path / "solved.txt"
    path.write_text(f"# moves\n{line}\n")
    with pytest.raises(SystemExit, match=r"solved\.txt, line 2: expected moves, a score, and the scores of the columns"):
        benchmark.main(settings_of(game="ConnectFour-v0", agents=("random",), positions=str(path)))


# ---------------------------------------------------------------- what is refused, before anything is measured


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"games": 0, "quick": False}, "at least one game"),
        ({"seeds": ()}, "one seed"),
        ({"lengths": (), "quick": False}, "one length"),
        ({"average_from": ()}, "one length and share"),
        ({"average_from": (0.5, 2.0)}, "average_from=2.0"),
        ({"batch": 0}, "batch=0"),
        ({"epsilon": "2"}, "epsilon"),
        ({"game": "Chess"}, "Chess"),
        ({"second": ("minimax:1", "nobody")}, "nobody"),
        ({"agents": ("nobody",)}, "nobody"),
        ({"agents": ("random",), "positions": "none.txt"}, "solved positions are of ConnectFour-v0"),
        ({"agents": ("random",), "game": "ConnectFour-v0", "positions": "none.txt"}, "none.txt"),
        ({"average_from": (0.5, 0.5)}, "none of them twice"),
        ({"agents": ("random",)}, "expected trainings"),
    ],
)
def test_what_is_refused(changed, message, tmp_path):
    settings = dataclasses.replace(settings_of(out=str(tmp_path / "out")), **changed)
    with pytest.raises(SystemExit, match=message):
        benchmark.main(settings)
    assert not (tmp_path / "out").exists()


def test_agents_are_not_written_over(tmp_path):
    (tmp_path / "seed-1-games-100-from-0.5-mean.safetensors").write_bytes(b"")
    with pytest.raises(SystemExit, match=r"from-0\.5-mean\.safetensors is there already; give another folder"):
        benchmark.main(settings_of(average_from=(0.5,), out=str(tmp_path)))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SystemExit, match=r"File exists: .*file"):
        benchmark.main(settings_of(out=str(tmp_path / "file")))
