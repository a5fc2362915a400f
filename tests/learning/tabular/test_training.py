"""Trainings: against a second implementation with the same draws, in pieces, in other modes, with every kind of opponent."""

import dataclasses
import hashlib
import re

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning.runs import TableFullError
from boardgym.baselines.learning.schedules import read_schedule
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.agent import num_words
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.baselines.learning.trainer import BLOCK, PLAY_STREAM
from boardgym.core import verbs
from boardgym.core.errors import IllegalActionError, OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.random import draw, stream, uniform
from tests.support import found_in_plain_python

SHORT = TabularConfig(episodes=150, greedy_episodes=150)


def words_of(position):
    out = np.zeros(len(position), np.int64)
    return tuple(out[: verbs.compact(position, out)].tolist())


def pairs_of(columns):
    """{(words of the position, action): value}."""
    return {(tuple(k.tolist()), int(a)): v for k, a, v in zip(columns.keys, columns.actions, columns.values, strict=True)}


def by_hand(config, seed):
    """Pessimistic Q-learning of seat 0, Q-learning of the others, from the study's text, with a dict. Draws as the kernel's."""
    step, discount, epsilon = float(config.step_size), float(config.discount), float(config.epsilon)
    rng, values = stream(seed, PLAY_STREAM), {}

    def value(key, action):
        return float(values.get((key, action), np.float32(config.initial)))

    def move(key, action, target):
        old = value(key, action)
        values[key, action] = np.float32(old + step * (target - old))

    for episode in range(config.episodes + config.greedy_episodes):
        is_second = episode >= config.episodes
        board = Board(config.game)
        if config.starts:
            board.set_position(board.game.from_fen(config.starts[0]), rng=rng)
        else:
            board.reset(config.setup, rng=rng)
        turns = [[] for _ in range(board.game.num_seats)]
        while not board.is_terminal:
            seat, legal, key = board.to_play, board.legal_actions, words_of(board.position)
            if turns[seat]:
                last, action, _ = turns[seat][-1]
                move(last, action, discount * max(value(key, a) for a in legal))
            rate = 0.0 if is_second and seat == 0 else epsilon
            if rate > 0.0 and uniform(rng) < rate:
                action = legal[draw(rng, len(legal))]
            else:
                best = max(value(key, a) for a in legal)
                ties = [a for a in legal if value(key, a) == best]
                action = ties[draw(rng, len(ties))] if len(ties) > 1 else ties[0]
            turns[seat].append((key, action, legal))
            board.push(action)
        for seat, won in enumerate(board.returns()):
            reward = config.win if won > 0 else config.loss if won < 0 else config.draw
            if not turns[seat]:
                continue
            last, action, _ = turns[seat][-1]
            move(last, action, reward)
            if seat == 0 and is_second and won < 0:
                for t in reversed(range(len(turns[0]))):
                    key, action, _ = turns[0][t]
                    if t + 1 == len(turns[0]):
                        move(key, action, reward)
                    else:
                        after, _, legal = turns[0][t + 1]
                        move(key, action, discount * min(value(after, a) for a in legal))
    return values


def test_a_training_is_what_the_study_says():
    trainer = TableTrainer(SHORT)
    found = pairs_of(trainer.run().columns())
    assert found == by_hand(SHORT, SHORT.seed)
    assert len(found) > 1500
    assert trainer.results().sum() == 300
    assert trainer.episode == 300


TWINS = """
import dataclasses, json
from boardgym import Board
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from tests.learning.tabular.test_training import SHORT, by_hand, pairs_of

found = {}
for game in ("Backgammon", "NineMensMorris", "Abalone3"):
    board = Board(game, seed=1)
    while not board.is_terminal:
        board.push(board.legal_actions[len(board.actions) * 7 % len(board.legal_actions)])
    for _ in range(15):
        board.pop()
    config = dataclasses.replace(SHORT, game=game, starts=(board.fen(),), initial=2.0, episodes=10, greedy_episodes=20)
    trainer = TableTrainer(config)
    found[game] = [pairs_of(trainer.run().columns()) == by_hand(config, config.seed), len(trainer.agent), trainer.plies]
print(json.dumps(found))
"""


def test_chance_double_moves_and_three_seats():
    """The ends of games, thirty times over: seats that play twice running, and dice; removals of men; a table for three."""
    found = found_in_plain_python(TWINS)
    assert all(is_same and 30 < entries < plies for is_same, entries, plies in found.values())  # some were met again


def test_minimax_q_counts_a_reply_once():
    """With a dict, ply by ply: what a reply wins is in the reply's own value alone."""
    config = dataclasses.replace(SHORT, method="minimax_q", loss=-100.0, epsilon="1", greedy_episodes=0)
    trainer, step, discount = TableTrainer(config), 0.7, 0.7
    rng, values = stream(config.seed, PLAY_STREAM), {}

    def value(key, action):
        return float(values.get((key, action), np.float32(0.0)))

    def move(turn, target):
        old = value(*turn)
        values[turn] = np.float32(old + step * (target - old))

    for _ in range(config.episodes):
        board, turns, reply = Board("TicTacToe"), {}, {}
        while not board.is_terminal:
            seat, legal, key = board.to_play, board.legal_actions, words_of(board.position)
            best = max(value(key, a) for a in legal)
            if seat in turns:
                move(turns[seat], -discount * reply[seat])
            uniform(rng)
            turns[seat] = (key, legal[draw(rng, len(legal))])
            reply[1 - seat] = best
            reply.pop(seat, None)
            board.push(turns[seat][1])
        last = (len(board.actions) - 1) % 2
        for seat in (0, 1):
            won = board.returns()[seat]
            move(turns[seat], (100.0 * won) if seat == last else -discount * reply[seat])
    found = pairs_of(trainer.run().columns())
    assert found == values
    assert min(found.values()) >= -100.0


class Told:
    """Plays what it is told: a function of the board. It keeps the boards that it has seen."""

    spec = "told"

    def __init__(self, choose):
        self.choose, self.seen, self.games = choose, [], 0

    def reset(self, *, seed=None):
        self.games += 1

    def act(self, board, *, deterministic=False):
        self.seen.append(board.copy())
        return self.choose(board)


def test_an_illegal_action_of_the_opponent_is_refused():
    trainer = TableTrainer(dataclasses.replace(SHORT, opponent="perfect"))
    trainer.opponent = Told(lambda board: -1)
    with pytest.raises(IllegalActionError, match="gave action -1, which is illegal at"):
        trainer.run()
    assert (trainer.episode, trainer.plies) == (0, 0)  # nothing is left of the game
    assert not tb.columns_of(trainer.table).visits.any()


RECORDS = """
import dataclasses, json
from boardgym import Board
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from tests.learning.tabular.test_training import SHORT, Told

found = {}
for game in ("Backgammon", "NineMensMorris"):
    trainer = TableTrainer(dataclasses.replace(SHORT, game=game, opponent="random", episodes=2, greedy_episodes=0, epsilon="1"))
    trainer.opponent = Told(lambda board: board.legal_actions[len(board.actions) % len(board.legal_actions)])
    trainer.run()
    wrong = 0
    for before, board in zip(trainer.opponent.seen, trainer.opponent.seen[1:]):
        is_next = len(board.actions) > len(before.actions)
        twin = before.copy() if is_next else None
        if twin is not None:
            twin.auto_roll = False
            for action in board.actions[len(before.actions):]:
                twin.push(action)
            wrong += twin.position != board.position or (twin.keys != board.keys).any()
    longest = max(len(board.actions) for board in trainer.opponent.seen)
    found[game] = [int(wrong), longest, trainer.plies, trainer.opponent.games]
print(json.dumps(found))
"""


def test_opponents_in_python_see_the_whole_game():
    """The record of the board that they are asked on grows from the first ply to the last, what chance did included."""
    for wrong, longest, plies, games in found_in_plain_python(RECORDS).values():
        assert (wrong, games) == (0, 2)
        assert longest > plies / 3  # one of two games, almost as a whole


def digest(trainer):
    return hashlib.sha256(b"".join(column.tobytes() for column in trainer.agent.columns())).hexdigest()


def test_pieces_and_seeds():
    whole = TableTrainer(SHORT)
    whole.run()
    cut = TableTrainer(SHORT)
    for until in (1, 2, 149, 151, 290, 1000):
        cut.run(until=until)
    assert digest(whole) == digest(cut)
    assert (whole.play.results == cut.play.results).all()
    other = TableTrainer(dataclasses.replace(SHORT, seed=2))
    other.run()
    assert digest(whole) != digest(other)


def digests():
    """Of short trainings by two methods."""
    found = []
    for method, loss in (("pessimistic_q", -50.0), ("minimax_q", -100.0)):
        trainer = TableTrainer(TabularConfig(method=method, episodes=20, greedy_episodes=20, loss=loss))
        trainer.run()
        found.append(digest(trainer))
    return found


def test_plain_python_learns_the_same():
    script = "import json; from tests.learning.tabular.test_training import digests; print(json.dumps(digests()))"
    found = digests()
    assert found_in_plain_python(script) == found
    assert len({*found}) == 2


@pytest.mark.parametrize("opponent", ["self", "random", "perfect", "mix(random, perfect)"])
def test_opponents(opponent):
    """Policies do not learn: only positions of the learner's seat are in the table. Each training is repeated exactly."""
    seat = "0" if opponent == "self" else "1"
    config = dataclasses.replace(SHORT, opponent=opponent, seat=seat, episodes=60, greedy_episodes=20)
    first, second = TableTrainer(config), TableTrainer(config)
    columns = first.run().columns()
    second.run()
    assert digest(first) == digest(second)
    seats = {bin(int(key[0])).count("1") % 2 for key in columns.keys}
    assert seats == ({0, 1} if opponent == "self" else {1})
    won, drawn, lost = first.results().sum(axis=0)
    assert won + drawn + lost == (160 if opponent == "self" else 80)
    if opponent == "perfect":
        assert won == 0


def test_a_seat_that_is_drawn():
    config = dataclasses.replace(SHORT, opponent="random", seat="random")
    columns = TableTrainer(config).run().columns()
    assert {bin(int(key[0])).count("1") % 2 for key in columns.keys} == {0, 1}


def test_settings_that_cannot_be():
    for change, error, words in (
        ({"seat": "2"}, OptionError, "seat='2': expected 0 to 1 or 'random'"),
        ({"opponent": "perfekt"}, SpecError, "perfect"),
        ({"epsilon": "1.5"}, OptionError, "epsilon='1.5': expected values from 0 to 1"),
        ({"step_size": "lin(1, 0)"}, OptionError, "no schedule 'lin'"),
        ({"memory": 0.0}, OptionError, "memory=0.0: expected a number of GiB above 0"),
        ({"game": "Abalone", "episodes": 10**9}, OptionError, "train for fewer episodes, or say how many GiB"),
        ({"setup": "nowhere"}, OptionError, "no set-up 'nowhere'"),
        ({"option": ("size",)}, OptionError, "expected NAME=VALUE"),
        ({"win": float("nan")}, OptionError, "win=nan: expected a number of at most 1e+30"),
        ({"win": 1e39}, OptionError, "expected a number of at most 1e+30"),
        ({"visit_power": -2.0}, OptionError, "visit_power=-2.0: expected at least 0"),
        ({"exploration": "epsilo"}, OptionError, "exploration='epsilo'; did you mean 'epsilon'"),
        ({"phases": "three"}, OptionError, "phases='three'"),
        ({"method": "minimax_q"}, OptionError, "expected opposite numbers"),
        ({"method": "minimax_q", "game": "Abalone3", "loss": -100.0}, UnsupportedGameError, "for two seats, Abalone3-v0 has 3"),
        ({"seat": "random"}, OptionError, "both would learn in the entries of both seats"),
        ({"memory": 1e9}, OptionError, "the table and its room to grow need"),
        ({"starts": ("xxx/oo1/3 o",)}, OptionError, "starts: the game is over at 'xxx/oo1/3 o'"),
        ({"starts": ("3/3/3 x",), "setup": "random:1"}, OptionError, "with starts: expected one of them"),
        ({"episodes": -1}, OptionError, "episodes=-1: expected at least 0"),
        ({"trace_decay": "0.5"}, OptionError, "trace_decay='0.5': trace_decay is of sarsa_lambda and td_lambda"),
        ({"greedy_episodes": 0, "sweep": "always"}, OptionError, "sweep says nothing without greedy_episodes"),
        ({"greedy_episodes": 0, "order": "forward"}, OptionError, "order says nothing without greedy_episodes"),
        ({"opponent": "self", "seat": "1"}, OptionError, "seat says nothing with opponent='self'"),
        ({"method": "menace", "phases": "single"}, OptionError, "phases says nothing to menace"),
        ({"method": "q", "sweep": "always"}, OptionError, "sweep is of pessimistic_q (method='q'); leave it out"),
        ({"sweep": "never", "order": "forward"}, OptionError, "order says nothing with sweep='never'"),
        ({"pays_returns": True, "win": 1.0}, OptionError, "win says nothing with pays_returns"),
        ({"beads": (8.0, 4.0, 2.0, 1.0)}, OptionError, "beads is of menace"),
        ({"method": "menace", "epsilon": "0.1"}, OptionError, "epsilon says nothing to menace"),
        ({"method": "menace", "initial": 1.0}, OptionError, "initial says nothing to menace"),
        ({"method": "menace", "beads": (4.0, -3.0, 2.0, 1.0)}, OptionError, "no fewer than 0 beads"),
        ({"game": "Abalone", "opponent": "perfect"}, UnsupportedGameError, "there is no solver for Abalone"),
    ):
        with pytest.raises(error, match=re.escape(words)):
            TableTrainer(dataclasses.replace(SHORT, **change))


@pytest.mark.parametrize("method", ["pessimistic_q", "menace"])
def test_a_table_that_is_full(method, monkeypatch, tmp_path):
    """The game that did not fit is taken back, and with more memory the training goes on as if there had been enough."""
    monkeypatch.setattr(tb, "LEAST_BYTES", 1 << 15)
    small = dataclasses.replace(SHORT, method=method, memory=2.0**-20)
    trainer = TableTrainer(small)
    with pytest.raises(TableFullError, match=r"the table is full: .* give it more \(memory\)"):
        trainer.run()
    assert len(trainer.agent) > 100
    assert trainer.results().sum() == trainer.episode == trainer.facts["episodes"] < 300
    trainer.save_checkpoint(tmp_path / "c")
    whole, resumed = (TableTrainer(dataclasses.replace(small, memory=0.01)) for _ in range(2))
    resumed.load_checkpoint(tmp_path / "c")
    assert resumed.episode == trainer.episode
    for other in (whole, resumed):
        other.run()
    assert digest(resumed) == digest(whole)
    assert resumed.entries_by_seat() == whole.entries_by_seat()
    assert (resumed.plies, resumed.episode) == (whole.plies, 300)
    resumed.save_checkpoint(tmp_path / "c")
    before = digest(trainer)
    with pytest.raises(TableFullError, match=r"entries do not fit into 31.48 KiB; give the table more \(memory\)"):
        trainer.load_checkpoint(tmp_path / "c")
    assert digest(trainer) == before


def test_directed_exploration_prefers_what_is_unknown():
    """X wins at once in the last cell of a row, which a look ahead knows; the other four cells have to be found out."""
    config = TabularConfig(
        method="td", exploration="directed", epsilon="1", starts=("xx1/oo1/3 x",), episodes=40, greedy_episodes=0
    )
    trainer = TableTrainer(config)
    trainer.run()
    board = Board("TicTacToe", fen="xx1/oo1/3 x")
    assert trainer.agent.action_values(board)[2] == 100.0
    assert trainer.agent.visit_counts(board) == {2: 0, **dict.fromkeys((5, 6, 7, 8), 10)}


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [
        ("0.25", 7, 0.25),
        ("linear(1, 0)", 25, 0.75),
        ("linear(1, 0.5, 10)", 5, 0.75),
        ("linear(1, 0.5, 10)", 99, 0.5),
        ("exponential(1, 0.01, 2)", 1, 0.1),
        ("harmonic(0.8, 10)", 30, 0.2),
        ("geometric(0.9, 0.99)", 60, 0.9 * 0.99**60),
    ],
)
def test_schedules(text, at, value):
    schedule = read_schedule("epsilon", text, low=0.0, high=1.0, episodes=100)
    assert ep.rate_at(schedule, at) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "nan",
        "linear(1)",
        "linear(1, 0, 0)",
        "exponential(1, 0)",
        "harmonic(1)",
        "linear(1, 2)",
        "geometric(1, 1.1)",
        "geometric(2, 0.5)",
    ],
)
def test_bad_schedules(text):
    with pytest.raises(OptionError, match="epsilon="):
        read_schedule("epsilon", text, low=0.0, high=1.0, episodes=100)


def test_words_of_positions():
    """What an entry of a table takes. That no two positions have the same words is a law, which `testing.check_game` checks."""
    for name, count in (("TicTacToe", 1), ("ConnectFour", 1), ("CardPoints", 2), ("Othello", 3), ("NineMensMorris", 6)):
        assert num_words(get_game(name)) == count


def test_blocks_of_results():
    trainer = TableTrainer(dataclasses.replace(SHORT, episodes=BLOCK + 1, greedy_episodes=0))
    trainer.run()
    assert trainer.results().sum(axis=1).tolist() == [BLOCK, 1]


def test_a_longer_training_that_goes_back_forgets_its_results(tmp_path):
    """And its agent says at any time how many episodes it has learnt from."""
    begun = TableTrainer(dataclasses.replace(SHORT, episodes=10, greedy_episodes=0))
    begun.run()
    begun.save_checkpoint(tmp_path / "c")
    trainer = TableTrainer(dataclasses.replace(SHORT, episodes=BLOCK + 50, greedy_episodes=0))
    for _ in range(2):
        seen = []
        trainer.run(on_piece=lambda it, seen=seen: seen.append((it.episode, it.agent.facts["episodes"])))
        assert all(done == told for done, told in seen)
        assert trainer.results().sum(axis=1).tolist() == [BLOCK, 50]
        trainer.load_checkpoint(tmp_path / "c", may_differ=("episodes",))
    assert trainer.results().sum() == 10
