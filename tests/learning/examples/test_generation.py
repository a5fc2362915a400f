"""Example generation: a game against the search itself, start states, the same result however it is shared or cut short."""

import dataclasses
import multiprocessing
import os
import signal

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning.examples import ExamplesConfig, games, generate_examples, generation, load_examples
from boardgym.baselines.learning.examples.columns import FILE
from boardgym.baselines.learning.examples.games import GAMES, STATES, play_example_game, random_states
from boardgym.baselines.learning.examples.generation import BLOCK, blocks_in
from boardgym.baselines.networks.feature_maps import last_mover, mover_map
from boardgym.baselines.workers import WorkerError
from boardgym.commands.users_games import load_game_of
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy import Analysis
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw, stream
from tests.support import ROOT, run_python

NIM = ROOT / "tests" / "cli" / "users_nim.py"
SPEC = "uct:12,solver=0,choice=max_child"
CONFIG = ExamplesConfig(game="TicTacToe", policy=SPEC, start_games=13, states=6, games_per_state=2)  # 25 games


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder whose games were played in one go."""
    made = generate_examples(CONFIG, tmp_path_factory.mktemp("whole") / "run")
    assert made.is_finished
    assert (made.games, made.total, made.resumed) == (25, 25, 0)
    assert {path.name for path in made.folder.iterdir()} == {"config.json", FILE}
    return made


class Flat:
    """Flat Monte-Carlo search, as a user writes it: so many playouts after each action, but for the last, which gets none."""

    def __init__(self, playouts):
        self.playouts, self.rng = playouts, None

    def reset(self, *, seed=None):
        self.rng = np.random.default_rng(seed)

    def act(self, board, *, deterministic=False):
        return self.analyse(board).action

    def analyse(self, board):
        legal, values = board.legal_actions, {}
        counts = {action: self.playouts if action in legal[:-1] or len(legal) == 1 else 0 for action in legal}
        for action, count in counts.items():
            values[action] = float(np.mean([self.played(board, action) for _ in range(count)])) if count else 0.0
        best = max((action for action in legal if counts[action]), key=values.__getitem__)
        return Analysis(best, values[best], (best,), values, counts, 1, sum(counts.values()), 0.0, False)

    def played(self, board, action):
        copy, seat = board.copy(), board.to_play
        copy.push(action)
        while not copy.is_terminal:
            copy.push(int(self.rng.choice(copy.legal_actions)))
        return copy.returns()[seat]


# ---------------------------------------------------------------- a game


def test_a_game_is_what_the_search_finds(whole):
    """Every row of the first three games, from the policy and a board."""
    examples, policy = whole.load(), make_policy(SPEC, "TicTacToe-v0", seed=9)
    columns, seen, features = examples.columns, examples.inputs(), mover_map("TicTacToe-v0")
    row = 0
    for number in range(3):
        board, rng, rows = Board("TicTacToe-v0"), stream(CONFIG.seed, GAMES, number), []
        while not board.is_terminal:
            found = policy.analyse_with(board, rng)
            for action in board.legal_actions:
                if not found.visit_counts[action]:
                    continue
                child = board.copy()
                child.push(action)
                wanted = {"game": number, "ply": board.ply, "seat": board.to_play, "root": board.key, "action": action}
                wanted |= {"utility": found.action_values[action], "visits": found.visit_counts[action]}
                assert {name: columns[name][row].item() for name in wanted} == wanted
                assert columns["position"][row].tolist() == child.row.tolist()
                assert last_mover(child) == board.to_play
                assert np.array_equal(seen[row], features(child, board.to_play))
                rows.append((row, board.to_play))
                row += 1
            board.push(found.action)
        assert all(columns["result"][at] == board.returns()[seat] for at, seat in rows)
    assert columns["game"][row] == 3
    assert (np.diff(columns["game"]) >= 0).all()
    assert set(columns["game"]) == set(range(25))


def test_what_the_file_says(whole):
    examples = load_examples(whole.path)
    counts = examples.header["counts"]
    ends = [examples.columns["ply"][examples.columns["game"] == number].max() + 1 for number in range(25)]
    assert counts["games"] == 25
    assert counts["states"] == 6
    assert counts["examples"] == len(examples) == whole.num_examples
    assert counts["decisions"] == sum(ends)
    assert counts["simulations"] == 12 * sum(ends) == whole.simulations == examples.columns["visits"].sum()
    winners = dict.fromkeys(range(25), 0)
    for number, seat, result in zip(*(examples.columns[name] for name in ("game", "seat", "result")), strict=True):
        winners[number] = (1 - 2 * seat) * result
    assert counts["won_by_seat"] == [list(winners.values()).count(side) for side in (1, -1)]
    assert counts["drawn"] == list(winners.values()).count(0)
    header = examples.header
    assert (header["game"], header["options"], header["features"], header["num_inputs"]) == ("TicTacToe-v0", {}, "planes", 36)
    numbers = {"start_games": 13, "states": 6, "games_per_state": 2, "max_plies": 0, "seed": 1}
    assert header["settings"] == {"policy": SPEC, **numbers}


def test_games_differ_and_go_on_from_their_states(whole):
    columns = whole.load().columns
    first = [columns["visits"][columns["game"] == number][:9].tolist() for number in range(13)]
    assert len({tuple(counts) for counts in first}) > 6  # of thirteen from the start
    lengths = [columns["ply"][columns["game"] == number].max() + 1 for number in range(13)]
    states = random_states(get_game("TicTacToe-v0"), 6, float(np.mean(lengths)), seed=CONFIG.seed)
    for k, row in enumerate(states):
        board = Board("TicTacToe-v0")
        board.set_position(board.game.token.position(row))
        for number in (13 + 2 * k, 14 + 2 * k):
            of_game = columns["game"] == number
            assert columns["root"][of_game][0] == board.key
            assert columns["ply"][of_game][0] == 0
            assert columns["seat"][of_game][0] == board.to_play


def test_passes_are_kept_and_a_users_own_search_may_play():
    game = get_game("Othello-v0")
    board = Board(game, "XO------" + "-" * 56 + " O")
    played = play_example_game(Flat(3), mover_map(game), 7, seed=1, start=board.row)
    columns = played.columns
    assert columns["action"].tolist() == [64, 2]  # the pass, then c1, which ends the game
    assert columns["seat"].tolist() == [1, 0]
    assert columns["result"].tolist() == [-1, 1]
    assert columns["utility"].tolist() == [-1, 1]
    assert np.unpackbits(columns["bits"], axis=1)[:, :6].tolist() == [[1, 0, 0, 1, 0, 0], [0, 1, 0, 1, 0, 1]]
    assert (played.length, played.simulations, played.winner) == (2, 6, 0)
    again, other = (play_example_game(Flat(1), mover_map("TicTacToe-v0"), n, seed=1) for n in (1, 1))
    assert all(np.array_equal(again.columns[name], other.columns[name]) for name in again.columns)
    assert again.columns["action"].max() == 7  # the last of nine actions has no visits
    assert again.columns["visits"].min() == 1


def test_a_game_may_be_cut_as_a_draw_and_numbers_are_kept_as_they_are():
    features = mover_map("TicTacToe-v0", "planes(scale=2)")
    played = play_example_game(make_policy(SPEC, "TicTacToe-v0"), features, 0, seed=1, max_plies=3)
    assert (played.length, played.winner) == (3, -1)
    assert not played.columns["result"].any()
    assert "bits" not in played.columns
    assert set(np.unique(played.columns["inputs"])) == {0.0, 0.5}
    assert played.columns["inputs"].dtype == np.float32


# ---------------------------------------------------------------- start states


def test_start_states_are_the_closest_of_each_game_in_turn():
    game, wanted = get_game("TicTacToe-v0"), []
    records = []
    for number in range(3):  # 15 // 7 + 1 games between random players
        board, rng = Board(game), stream(3, STATES, number)
        while not board.is_terminal:
            board.push(board.legal_actions[draw(rng, len(board.legal_actions))])
        records.append([game.token.row(position).tolist() for position in board.history[1:-1]])
    for depth in range(8):
        for record in records:
            if depth < len(record) and record[depth] not in wanted:
                wanted.append(record[depth])
    assert len(wanted) > 15
    states = [row.tolist() for row in random_states(game, 15, 7.0, seed=3)]
    assert states == wanted[:15]
    more = [row.tolist() for row in random_states(game, 60, 7.0 * 60 / 15, seed=3)]  # the same three games are too few
    assert more[: len(wanted)] == wanted
    assert len(more) == len({tuple(row) for row in more}) == 60
    assert [row.tolist() for row in random_states(game, 15, 7.0, seed=4)] != states
    assert random_states(game, 0, 7.0, seed=3) == []


def test_there_may_be_fewer_states_than_are_wanted(tmp_path, monkeypatch):
    game = get_game(load_game_of(NIM, "Nim-v0"))
    states = random_states(game, 100, 8.0, seed=1)
    lefts = {(int(left), int(seat)) for left, seat in states}
    assert lefts == {(left, seat) for left in range(1, 15) for seat in (0, 1)} - {(14, 0)}  # all that a game leads to
    assert len(states) == 27
    monkeypatch.setattr(games, "MOST_IN_VAIN", 1)  # tic-tac-toe has thousands
    made = generate_examples(dataclasses.replace(CONFIG, states=3000, games_per_state=1), tmp_path / "run")
    states = made.load().header["counts"]["states"]
    assert 20 < states < 3000
    assert made.is_finished
    assert made.total == made.games == 13 + states


# ---------------------------------------------------------------- however it is played


def test_processes_make_no_difference(whole, tmp_path):
    made = generate_examples(CONFIG, tmp_path / "run", processes=2)
    assert made.path.read_bytes() == whole.path.read_bytes()
    assert dataclasses.replace(made, folder=whole.folder) == whole


def stopping(at, what):
    """A report of progress that does something once, when so many games have been played."""
    left = [what]

    def report(done, total, label):
        if done >= at and left:
            left.pop()()

    return report


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize("processes", [1, 2])
def test_ctrl_c_keeps_every_game_that_has_ended(whole, tmp_path, processes):
    folder = tmp_path / "run"
    made = generate_examples(CONFIG, folder, processes=processes, progress=stopping(12, interrupt))
    assert (made.ending, made.games) == ("interrupted", 12)
    assert not made.is_finished
    with pytest.raises(SpecError, match="not all played"):
        made.load()
    resumed = generate_examples(CONFIG, folder)
    assert (resumed.resumed, resumed.games, resumed.ending) == (12, 25, "finished")
    assert resumed.path.read_bytes() == whole.path.read_bytes()
    assert blocks_in(folder) == []
    assert generate_examples(CONFIG, folder).resumed == 25  # nothing is played


def test_a_killed_process_loses_no_block(whole, tmp_path):
    script = f"""
import os, signal
from boardgym.baselines.learning.examples import games, generation
from boardgym.baselines.learning.examples import ExamplesConfig, generate_examples
def report(done, total, label):
    if done == 17:
        os.kill(os.getpid(), signal.SIGKILL)
generate_examples(ExamplesConfig(**{dataclasses.asdict(CONFIG)!r}), "run", progress=report)
"""
    with pytest.raises(AssertionError):
        run_python("-c", script, cache=os.environ.get("NUMBA_CACHE_DIR", tmp_path), folder=tmp_path)
    blocks = blocks_in(tmp_path / "run")
    assert [path.name[6:14] for path in blocks] == ["00000000", "00000010"]  # and the latter holds the games from the start
    (tmp_path / "run" / f"{FILE}.0123456789abcdef.part").write_bytes(b"half of it")
    made = generate_examples(CONFIG, tmp_path / "run")
    assert made.resumed == BLOCK + 3
    assert made.path.read_bytes() == whole.path.read_bytes()
    assert {path.name for path in made.folder.iterdir()} == {"config.json", FILE}


def test_games_are_kept_now_and_then_before_their_block_is_whole(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(generation, "CHECKPOINT_S", 0.0)
    kept = []

    def report(done, total, label):
        columns = [generation.EXAMPLES.read(path, {})[0] for path in blocks_in(tmp_path / "run")]
        kept.append((done, sum(len(set(column["game"])) for column in columns)))

    made = generate_examples(CONFIG, tmp_path / "run", progress=report)
    assert all(done == count for done, count in kept)
    assert len(kept) > 25
    assert made.path.read_bytes() == whole.path.read_bytes()


def test_a_killed_worker_is_said_and_loses_nothing_that_has_ended(whole, tmp_path):
    def kill():
        for process in multiprocessing.active_children():
            os.kill(process.pid, signal.SIGKILL)

    with pytest.raises(WorkerError, match="ended from outside"):
        generate_examples(CONFIG, tmp_path / "run", processes=2, progress=stopping(3, kill))
    made = generate_examples(CONFIG, tmp_path / "run")
    assert 3 <= made.resumed < 25
    assert made.path.read_bytes() == whole.path.read_bytes()


# ---------------------------------------------------------------- what is refused


def test_a_folder_holds_the_examples_of_one_configuration(whole):
    with pytest.raises(OptionError, match=r"seed=2 \(the run has 1\)"):
        generate_examples(dataclasses.replace(CONFIG, seed=2), whole.folder)
    with pytest.raises(OptionError, match="states=12"):
        generate_examples(dataclasses.replace(CONFIG, scale=2.0), whole.folder)
    with pytest.raises(OptionError, match=r"features='planes\(scale=2.0\)' \(the run has 'planes'\)"):
        generate_examples(dataclasses.replace(CONFIG, features="planes(scale=2)"), whole.folder)
    assert generate_examples(dataclasses.replace(CONFIG, features="planes"), whole.folder).resumed == 25


def test_a_damaged_block_is_refused(tmp_path):
    generate_examples(CONFIG, tmp_path / "run", progress=stopping(12, interrupt))
    first, _ = blocks_in(tmp_path / "run")
    content = first.read_bytes()
    for wrong in (content[:-100], content[:-1] + bytes([content[-1] ^ 1]), b""):
        first.write_bytes(wrong)
        with pytest.raises(SpecError, match=f"{first.name}.*delete it"):
            generate_examples(CONFIG, tmp_path / "run")
    first.unlink()  # as the message says
    assert generate_examples(CONFIG, tmp_path / "run").resumed == 2


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"game": "Backgammon"}, UnsupportedGameError, "chance"),
        ({"game": "Abalone3"}, UnsupportedGameError, "3 seats"),
        ({"policy": "greedy"}, UnsupportedGameError, "counts"),
        ({"policy": "random"}, UnsupportedGameError, "no analysis"),
        ({"policy": "perfect"}, UnsupportedGameError, "counts no visits"),
        ({"policy": "uct"}, SpecError, "budget"),
        ({"features": "tesauro"}, UnsupportedGameError, "not for"),
        ({"scale": 0.0}, OptionError, "scale"),
        ({"states": -1}, OptionError, "states"),
        ({"start_games": 0, "games_per_state": 0}, OptionError, "0 games"),
        ({"seed": -1}, OptionError, "seed"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path, changes, error, message):
    with pytest.raises(error, match=message):
        generate_examples(dataclasses.replace(CONFIG, **changes), tmp_path / "run")
    with pytest.raises(OptionError, match="processes=0"):
        generate_examples(CONFIG, tmp_path / "run", processes=0)


def test_the_scale_is_of_games_and_states():
    study = ExamplesConfig()
    assert (study.num_start_games, study.num_states, study.num_games) == (30, 300, 1530)
    tenth = dataclasses.replace(study, scale=0.1)
    assert (tenth.num_start_games, tenth.num_states, tenth.num_games) == (3, 30, 153)
    assert dataclasses.replace(study, scale=0.001).num_games == 1 + 5
    assert dataclasses.replace(study, states=0).num_games == 30
