"""Each tabular learner and its plain twin, trained with the same seeds, end with the same table."""

from typing import get_args

import gymnasium as gym
import numpy as np
import pytest
from twin_files import twin

import boardgym  # noqa: F401  (registers the problems)
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.tabular import config
from boardgym.baselines.learning.tabular import dynamic_programming as dp
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.bandit import softmax_bandit
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.sarsa import Sarsa
from boardgym.baselines.learning.tabular.solo import learn_kernel
from boardgym.baselines.learning.tabular.td import TD
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.core.verbs import Token
from boardgym.games.tic_tac_toe import TicTacToe
from boardgym.solo import draw_rewards, draw_tasks

SEEDS = (1, 2, 3)
EPISODES = 400  # of each phase


def word_of(position):
    """The word that the table knows a position by."""
    out = np.zeros(1, np.int64)
    assert plain(verbs.find_rule("compact", TicTacToe))(TicTacToe(*position), out) == 1
    return int(out[0])


def q_learning(method, seed, **options):
    """{(word, action): value} of the twin."""
    table = twin("q_learning").train(method, EPISODES, EPISODES, seed=seed, **options)
    return {(word_of(position), action): value for (position, action), value in table.items()}


def sarsa(method, seed, trace_decay=0.0, **options):
    table = twin("sarsa").train(EPISODES, EPISODES, trace_decay=trace_decay, seed=seed, **options)
    return {(word_of(position), action): value for (position, action), value in table.items()}


def td(method, seed, trace_decay=0.0, **options):
    table = twin("td").train(EPISODES, EPISODES, trace_decay=trace_decay, seed=seed, **options)
    return {(word_of(position), tb.VALUE_OF_POSITION - seat): value for (position, seat), value in table.items()}


def menace(method, seed):
    boxes, _ = twin("menace").train(2 * EPISODES, seed=seed)
    return {(word_of(image), action): beads for image, box in boxes.items() for action, beads in box.items()}


RATES = {"step_size": 0.3, "discount": 0.9, "epsilon": 0.2}  # of twins and learners alike
TWIN_OF = {
    "q": (q_learning, RATES),
    "pessimistic_q": (q_learning, RATES),
    "minimax_q": (q_learning, {**RATES, "pays": (100.0, 0.0, -100.0)}),
    "sarsa": (sarsa, RATES),
    "sarsa_lambda": (sarsa, {**RATES, "trace_decay": 0.6}),
    "td": (td, RATES),
    "td_lambda": (td, {**RATES, "trace_decay": 0.6}),
    "menace": (menace, {}),
}


def entries(columns):
    """{(word, action): value} of a compiled table."""
    return {(int(k), int(a)): float(v) for (k,), a, v in zip(columns.keys, columns.actions, columns.values, strict=True)}


def learnt(method, seed, options):
    """(trainer, {(word, action): value}) of the compiled learner."""
    win, draw, loss = options.get("pays", (100.0, 0.0, -50.0))
    pays = {} if method == "menace" else {"win": win, "draw": draw, "loss": loss}
    rates = {name: str(value) for name, value in options.items() if name != "pays"}
    trainer = TableTrainer(
        TabularConfig(method=method, episodes=EPISODES, greedy_episodes=EPISODES, seed=seed, **rates, **pays)
    )
    return trainer, entries(trainer.run().columns())


@pytest.mark.parametrize("method", get_args(config.Method))
def test_tables_are_equal(method):
    train, options = TWIN_OF[method]
    tables = []
    for seed in SEEDS:
        _, ours = learnt(method, seed, options)
        theirs = train(method, seed, **options)
        assert theirs == ours
        assert len(ours) > 400
        tables.append(ours)
    assert tables[0] != tables[1] != tables[2]


def test_the_methods_differ():
    """Sweep, traces and minimax each leave other values; else one twin could pass for another."""
    found = [TWIN_OF[method][0](method, 1, **RATES) for method in ("q", "pessimistic_q", "minimax_q", "sarsa", "td")]
    found += [sarsa("sarsa_lambda", 1, **RATES, trace_decay=0.6), td("td_lambda", 1, **RATES, trace_decay=0.6)]
    assert all(one != other for k, one in enumerate(found) for other in found[:k])


def test_menace_games_are_the_same():
    trainer, _ = learnt("menace", 1, {})
    assert trainer.results().tolist() == [twin("menace").train(2 * EPISODES, seed=1)[1]]


@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("name", ["sarsa", "td"])
def test_what_is_met_again_has_its_traces_added_or_replaced(name, replaces):
    """Nothing is in tic-tac-toe. Four turns, the first like the third; all rates 1/2, so exact."""
    turns, rewards = [(5, 0), (6, 1), (5, 0), (7, 0)], [2.0, -4.0, 8.0, 1.0]
    learner = (Sarsa if name == "sarsa" else TD)(replaces=int(replaces))
    token, table = Token(type(learner)), tb.make_table(1, 1 << 20)
    record = ln.Record(*(field[0] for field in ln.make_records(1, 16, 1)))
    record.length[0], record.rates[[ln.STEP_SIZE, ln.DISCOUNT, ln.TRACE_DECAY]] = len(turns), 0.5
    values, traces = {}, {}
    for t, (pair, reward) in enumerate(zip(turns, rewards, strict=True)):
        record.keys[t], record.actions[t], record.rewards[t] = pair[0], pair[1], reward
        following = values.get(turns[t + 1], 0.0) if t + 1 < len(turns) else 0.0
        if t + 1 < len(turns):
            record.values[t + 1, ln.CHOSEN] = following
        assert learn_kernel(token, token.row(learner), table, record, t) == 0
        twin(name).learn(values, traces, pair, reward + 0.5 * following, 0.5, 0.25, replaces=replaces)
    assert entries(tb.columns_of(table)) == values
    assert traces[5, 0] == (0.25 if replaces else 0.25 + 0.25**3)


MODELS = ("boardgym/PolicyEvaluationGrid-v0", "boardgym/RiskProblem-v0", "FrozenLake-v1", "an end in a state of value")
OWN_MODEL = {  # and one state with fewer actions than the other
    0: {0: [(1.0, 1, 2.0, True)], 1: [(0.5, 1, 0.0, False), (0.5, 0, 1.0, False)]},
    1: {0: [(0.9, 0, 3.0, False), (0.1, 1, -1.0, True)]},
}


@pytest.mark.parametrize("problem", MODELS)
@pytest.mark.parametrize("in_place", [False, True])
def test_dynamic_programming(problem, in_place):
    """Values to 1e-12 of the greatest: their sums are added in another order. The same actions."""
    model = gym.make(problem).unwrapped.P if problem in gym.registry else OWN_MODEL
    plain_dp, discount = twin("dynamic_programming"), 0.9

    def check(values, solution):
        assert values == pytest.approx(solution.values.tolist(), abs=1e-12 * max(1.0, abs(solution.values).max()))

    ours = dp.evaluate_policy(model, discount=discount, in_place=in_place)
    values, sweeps = plain_dp.evaluate_policy(model, plain_dp.uniform_policy(model), discount=discount, in_place=in_place)
    check(values, ours)
    assert sweeps == ours.sweeps
    ours = dp.iterate_values(model, discount=discount, in_place=in_place)
    values, actions, sweeps = plain_dp.iterate_values(model, discount=discount, in_place=in_place)
    check(values, ours)
    assert sweeps == ours.sweeps
    assert plain_dp.greedy_policy(model, ours.values, discount) == ours.policy.tolist()
    ours = dp.iterate_policies(model, discount=discount)
    values, actions, rounds = plain_dp.iterate_policies(model, discount=discount)
    check(values, ours)
    assert (actions, rounds) == (ours.policy.tolist(), ours.sweeps)


@pytest.mark.parametrize("temperature", [0.05, 0.4, 2.0])
def test_bandit(temperature):
    for seed in SEEDS:
        rngs = [np.random.default_rng(seed) for _ in range(2)]
        tasks = draw_tasks(rngs[0], 1, 10)
        ours = softmax_bandit(tasks, temperature, plays=500, rng=rngs[0], draw_rewards=draw_rewards)
        true_values = rngs[1].standard_normal(10)
        rewards, is_optimal, _ = twin("bandit").play_bandit(true_values, temperature, plays=500, rng=rngs[1])
        assert true_values.tolist() == tasks[0].tolist()
        assert rewards == ours.rewards[:, 0].tolist()
        assert is_optimal == ours.is_optimal[:, 0].tolist()
