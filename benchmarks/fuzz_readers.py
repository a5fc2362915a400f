"""Hostile files for everything that reads one: `python -m benchmarks.fuzz_readers --inputs 100000`.

Valid files are changed in a few places, bytes as well as meaning: values for others of any type and size, names dropped and
renamed, lists cut and nested, numbers of arrays that are huge, infinite or none, with digests that are right again. Each has to
be read, or refused by an error that its reader documents, and what a policy was read from has to give finite numbers.

Prints a table; the exit status is 1 if anything else happened.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from benchmarks.changed_files import Random, changed_arrays, changed_json
from benchmarks.uct_matches import markdown
from boardgym.baselines import array_files as af
from boardgym.baselines.arena.compare import Comparison, compare
from boardgym.baselines.arena.game import play_game
from boardgym.baselines.arena.ladder import Ladder, play_ladder
from boardgym.baselines.arena.record import GameRecord
from boardgym.baselines.learning.agent_files import AGENTS
from boardgym.baselines.learning.cascade.checkpoint import CHECKPOINTS as CASCADE_CHECKPOINTS
from boardgym.baselines.learning.cascade.regressor import CascadeRegressor
from boardgym.baselines.learning.coevolution import STORED, CoevolutionConfig, HillClimber, load_champions
from boardgym.baselines.learning.examples import ExamplesConfig, apply_filters, generate_examples, load_examples
from boardgym.baselines.learning.examples.columns import EXAMPLES
from boardgym.baselines.learning.examples.generation import Played, blocks_in
from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.self_play import CHECKPOINTS as NTUPLE
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.learning.q_network.agent import load_q_network_agent
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import CHECKPOINTS as Q_NETWORK
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.baselines.learning.q_sarsa import QSarsa, QSarsaConfig
from boardgym.baselines.learning.q_sarsa_state import STORED as Q_SARSA
from boardgym.baselines.learning.run_folders import CHECKPOINTS, CONFIG, Run, claim, found_in
from boardgym.baselines.learning.tabular.agent import load_agent
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.baselines.learning.td.agent import NetworkAgent, load_network_agent
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.baselines.learning.tuning.tuner import STORED as TUNINGS
from boardgym.baselines.learning.tuning.tuner import Tuning, TuningConfig
from boardgym.baselines.learning.uct_ccnn_plan import Plan, read_plan
from boardgym.baselines.networks.cascade_files import CASCADES
from boardgym.baselines.networks.feature_maps import feature_map, mover_map
from boardgym.baselines.networks.network import NETWORKS, NetworkPolicy, load_network
from boardgym.baselines.networks.perceptron import make_perceptron
from boardgym.baselines.perfect.connect_four_book import build_book, load_book
from boardgym.baselines.perfect.store import TABLES, TableError
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.search.evaluations import cascade_evaluation
from boardgym.baselines.search.probcut import Regression, read_fit
from boardgym.baselines.typed_json import read_json
from boardgym.core.board import Board
from boardgym.core.errors import (
    IllegalActionError,
    NotationError,
    OptionError,
    PositionError,
    SpecError,
    UnknownGameError,
    UnsupportedGameError,
    nearest,
)
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.studies.jobs import Job, Place, read_result

GAME = "TicTacToe-v0"


# ---------------------------------------------------------------- readers


@dataclass(frozen=True)
class Reader:
    """What reads a kind of file.

    content: of a valid one. read: what a file is given to. errors: that are documented. change: makes hostile ones.
    """

    content: bytes
    read: Callable[[Path], object]
    errors: tuple[type[Exception], ...]
    change: Callable[[bytes, Random], bytes] = changed_json


def readers(folder: Path) -> dict[str, Reader]:
    """All of them. folder: for valid files."""
    return {**readers_of_json(folder), **readers_of_arrays(folder), **readers_of_networks(folder)}


def readers_of_json(folder: Path) -> dict[str, Reader]:
    """Those of JSON."""
    from boardgym.baselines.learning.opponent_pool import OpponentPool
    from boardgym.baselines.learning.pool_files import read_state
    from boardgym.baselines.learning.sb3.checkpoint import RunState
    from boardgym.baselines.learning.sb3.config import TrainConfig, read_config, run_of
    from boardgym.baselines.learning.sb3.selfplay import PoolRun, SelfPlayConfig

    game, job = get_game(GAME), Job("job", {"a": 1, "b": [0.5]}, holds=("x",))
    players = tuple(make_policy(spec, game, seed=0) for spec in ("random", "greedy"))
    record = play_game(Board(game), players, seed=1)
    ladder = play_ladder(game, ("random", "greedy"), games=2, progress=False)
    table = compare("greedy", game, ["random"], games=2, progress=False)
    pool = OpponentPool(game, ("random",))
    admission = {"steps": 1, "name": "a", "score_rate": None, "is_admitted": True, "gone": None}
    state = {"seconds": 1.5, "curve": [[10, {"random": 0.5}]], "beside": {}}
    fit = Regression(GAME, {}, 4, 2, 1.1, 0.0, 0.1, 0.9, 500)
    result = {**job.identity(), "result": {"x": 1}}

    def text_of(data: object) -> bytes:
        return json.dumps(data).encode()

    def settings(config: Any) -> bytes:
        claim(folder, run_of(config))
        return (folder / CONFIG).read_bytes()

    def as_json(kind: type[Any]) -> Callable[[Path], object]:
        return lambda path: read_json(path.read_bytes(), kind, SpecError, "a state")

    def within(path: Path, name: str) -> Path:
        return path.replace(path.with_name(name)).parent

    notation = (NotationError,)
    of_record = (NotationError, UnknownGameError, OptionError, IllegalActionError)
    return {
        "record": Reader(record.to_json().encode(), lambda path: GameRecord.from_json(read_text(path)), of_record),
        "ladder": Reader(ladder.to_json().encode(), lambda path: Ladder.from_json(read_text(path)), notation),
        "comparison": Reader(table.to_json().encode(), lambda path: Comparison.from_json(read_text(path)), notation),
        "config.json": Reader(text_of(Run("td", {"game": GAME, "seed": 1}, CHECKPOINTS[1], ()).content()),
                              lambda path: found_in(within(path, CONFIG)), (SpecError,)),
        "settings of sb3": Reader(settings(TrainConfig()), lambda path: read_config(TrainConfig, within(path, CONFIG)),
                                  (SpecError,)),
        "settings of selfplay": Reader(settings(SelfPlayConfig()),
                                       lambda path: read_config(SelfPlayConfig, within(path, CONFIG)), (SpecError,)),
        "state of sb3": Reader(text_of(state), as_json(RunState), (SpecError,)),
        "state of a pool": Reader(text_of({"pool": pool.state(), "admissions": [admission]}),
                                  as_json(PoolRun), (SpecError,)),
        "pool.json": Reader(text_of(pool.state()), read_state, (SpecError,)),
        "plan of uct-ccnn": Reader(text_of(asdict(Plan(4, 2, 6, 10.5, 500, 3))), read_plan, (SpecError,)),
        "probcut fit": Reader(text_of(asdict(fit)), lambda path: read_fit(path, "minimax"), (SpecError,)),
        "result of a job": Reader(text_of(result), lambda path: read_result(within(path, "job.json"), job), (SpecError,)),
        "work of a job": Reader(text_of({"at": [1, 2]}),
                                lambda path: Place(within(path, "a.json"), lambda done: None).read("a"), (SpecError,)),
    }  # fmt: skip


def readers_of_arrays(folder: Path) -> dict[str, Reader]:
    """Those of arrays with a header."""
    game, rng = get_game(GAME), np.random.default_rng(1)
    table = TableTrainer(TabularConfig(game=GAME, episodes=30, greedy_episodes=0, opponent="random"))
    table.run()
    network = NetworkTrainer(NetworkConfig(game=GAME, episodes=30, opponent="random"))
    tuning = Tuning(
        TuningConfig("minimax:{depth}", ("depth=1:2",), game=GAME, iterations=2, population=3, elite_rate=0.34, games=2)
    )
    climber = HillClimber(CoevolutionConfig(game=GAME, features="planes", generations=3, keep_every=1))
    features = feature_map("planes", game)
    net = make_perceptron([len(features.names), 3, 1], ["tanh", "linear"])
    net.weights[:] = rng.normal(size=len(net.weights))
    agent = NetworkAgent(features, net, {"discount": 1.0, "adds_reward": 0, "pays": [1.0, 0.0, -1.0], "training": {"seed": 1}})
    layers = [(rng.normal(size=(36, 4)), np.zeros(4)), (rng.normal(size=(4, 9)), np.zeros(9))]
    names = ("table.agent", "table", "network.agent", "network", "policy", "climber", "book", "cascade", "growing", "tuning")
    paths = {name: folder / name for name in names} | games_in(folder)
    table.agent.save(paths["table.agent"])
    table.save_checkpoint(paths["table"])
    agent.save(paths["network.agent"])
    network.save_checkpoint(paths["network"])
    NetworkPolicy(game, layers).save(paths["policy"])
    climber.save_checkpoint(paths["climber"])
    build_book(paths["book"], 4, 4, 2, [lambda position, stop: 0])
    board = Board(game)
    X, y = rng.random((9, len(features.names))), np.zeros(9)
    cascade = CascadeRegressor(max_units=2, max_epochs=2, min_epochs=1, functions=("sin",), steepnesses=(1.0,), num_threads=1)
    cascade.fit(X, y, test=(X, y), checkpoint=paths["growing"]).save(paths["cascade"], features=features)
    with ProgressBar(progress=False) as bar:
        tuning.go_on(lambda: None, bar)
    tuning.save_checkpoint(paths["tuning"])

    def filter_all(path: Path) -> None:
        apply_filters(load_examples(path), ["visits=2", "most-visited", "averaged", "symmetries"])

    def read_block(path: Path) -> None:
        (place := path.parent / "blocks").mkdir(exist_ok=True)
        path.replace(place / paths["block"].name)
        Played(place, mover_map(game)).columns()

    def read_tuning(path: Path) -> None:
        tuning.load_checkpoint(path)
        check_finite([point.mean for point in tuning.path])

    def reader(name: str, kind: af.ArrayFiles, read: Callable[[Path], object], *errors: type[Exception]) -> Reader:
        return reader_of_arrays(paths[name], kind, read, *errors)

    refused = (SpecError, UnsupportedGameError)
    return {
        "agent of a table": reader("table.agent", AGENTS, lambda path: play(load_agent(path, game)), *refused),
        "agent of a network": reader("network.agent", AGENTS, lambda path: play(load_network_agent(path, game)), *refused),
        "network": reader("policy", NETWORKS, lambda path: play(load_network(path, game)), *refused),
        "checkpoint of tabular": reader("table", table.files, table.load_checkpoint, SpecError),
        "checkpoint of td": reader("network", network.files, network.load_checkpoint, SpecError),
        "checkpoint of coevolution": reader("climber", STORED, climber.load_checkpoint, SpecError),
        "checkpoint of a tuning": reader("tuning", TUNINGS, read_tuning, SpecError),
        "cascade": reader("cascade", CASCADES, lambda path: check_finite(cascade_evaluation(path, game)(board, 0)), *refused),
        "checkpoint of a cascade": reader(
            "growing",
            CASCADE_CHECKPOINTS,
            lambda path: check_finite(cascade.fit(X, y, test=(X, y), checkpoint=path).predict(X)),
            SpecError,
            OptionError,
        ),
        "champions": reader("climber", STORED, load_champions, SpecError),
        "examples": reader("examples", EXAMPLES, filter_all, SpecError, PositionError),
        "block of examples": reader("block", EXAMPLES, read_block, SpecError),
        "book": reader("book", TABLES, lambda path: load_book(path, 4, 4), TableError),
    }


def readers_of_networks(folder: Path) -> dict[str, Reader]:
    """Those of trainings whose networks play and learn a little from what a file has left them, where it is read."""
    results = folder / "results"
    results.mkdir()
    config = QNetworkConfig(game=GAME, games=6, hidden=2, n_steps=2, replay=8, batch=2, target_every=5, double=True,
                            average_from=0.5, symmetries="random", temperature="1", never_greedy=True)  # fmt: skip
    whole = QNetwork(config)
    q_sarsa = QSarsa(QSarsaConfig(game=GAME, batches=3, games=10, window=15, min_epochs=1, max_epochs=2, functions=("sin",)))
    paths = {name: folder / name for name in ("q-network.agent", "q-network", "q-sarsa", "ntuple.agent", "ntuple")}
    whole.play_to(4)
    whole.save_checkpoint(paths["q-network"])
    whole.agent().save(paths["q-network.agent"])
    for _ in range(2):
        q_sarsa.state = q_sarsa.batch()
    q_sarsa.save_checkpoint(paths["q-sarsa"])

    def learn(path: Path) -> None:
        training = QNetwork(config)  # a new one: what is read has to be all
        training.load_checkpoint(path)
        training.play_to(min(training.done + 1, training.total))
        training.write_results(results)
        play(training.agent())

    def replay(path: Path) -> None:
        q_sarsa.load_checkpoint(path)
        q_sarsa.write_results(results)
        q_sarsa.examples(q_sarsa.state.actions, q_sarsa.state.ends)

    ntuples = NTupleConfig(game=GAME, games=6, tuples=("lines(3)",), average_from=0.5)
    tables = NTupleTraining(ntuples)
    tables.play_to(4)
    tables.save_checkpoint(paths["ntuple"])
    tables.agent().save(paths["ntuple.agent"])

    def learn_tables(path: Path) -> None:
        training = NTupleTraining(ntuples)
        training.load_checkpoint(path)
        training.play_to(min(training.done + 1, training.total))
        training.write_results(results)
        play(training.agent())

    refused = (SpecError, UnsupportedGameError)
    return {
        "agent of ntuple": reader_of_arrays(
            paths["ntuple.agent"], AGENTS, lambda path: play(load_ntuple_agent(path, get_game(GAME))), *refused
        ),
        "checkpoint of ntuple": reader_of_arrays(paths["ntuple"], NTUPLE, learn_tables, SpecError),
        "agent of q-network": reader_of_arrays(
            paths["q-network.agent"], AGENTS, lambda path: play(load_q_network_agent(path, get_game(GAME))), *refused
        ),
        "checkpoint of q-network": reader_of_arrays(paths["q-network"], Q_NETWORK, learn, SpecError),
        "checkpoint of q-sarsa": reader_of_arrays(paths["q-sarsa"], Q_SARSA, replay, SpecError),
    }


def reader_of_arrays(path: Path, kind: af.ArrayFiles, read: Callable[[Path], object], *errors: type[Exception]) -> Reader:
    """The reader of a file of arrays. path: of a valid one."""
    return Reader(path.read_bytes(), read, errors, changed_arrays(kind, path))


def check_finite(found: Any) -> None:
    """Raises AssertionError for numbers that a network should not give."""
    if not np.isfinite(found).all():
        raise AssertionError(f"a network gives {found}")


def play(agent: Any) -> None:
    """Has a policy choose, and say what it thinks."""
    board = Board(agent.game)
    agent.act(board)
    known = [] if isinstance(agent, NetworkPolicy) else [agent.evaluate(board)]
    check_finite([*known, *agent.action_probabilities(board)])


def games_in(folder: Path) -> dict[str, Path]:
    """Files of examples: of all games, and of a block of them, as Ctrl-C leaves it."""

    def stop(done: float, total: float, label: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    config = ExamplesConfig(GAME, "uct:4", start_games=3, states=0)
    cut = generate_examples(config, folder / "cut", progress=stop).folder
    return {"examples": generate_examples(config, folder / "games").path, "block": blocks_in(cut)[0]}


def read_text(path: Path) -> str:
    """A file as text, whatever is in it."""
    return path.read_bytes().decode(errors="surrogateescape")


# ---------------------------------------------------------------- the run


@dataclass(frozen=True)
class Settings:
    """Gives hostile files to readers.

    Attributes:
        readers: which; all of them if none is named.
        inputs: for each.
        seed: of the changes: input number k of a reader is the same in every run.
    """

    readers: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    inputs: int = 100_000
    seed: int = 1


@dataclass
class Count:
    """What came of the inputs of a reader. faults: by their error, (how many, the number of the first)."""

    read: int = 0
    refused: int = 0
    slowest: float = 0.0
    faults: dict[str, tuple[int, int]] = field(default_factory=dict)


def fuzz(reader: Reader, name: str, folder: Path, inputs: int, seed: int) -> Count:
    """Gives a reader so many inputs. folder: empty, for them."""
    count, path = Count(), folder / "input"
    path.write_bytes(reader.content)
    reader.read(path)  # a valid one; compiles what has to be
    for number in range(inputs):
        path.write_bytes(reader.change(reader.content, Random(f"{name} {seed} {number}")))
        started = time.perf_counter()
        try:
            reader.read(path)
            count.read += 1
        except reader.errors as error:
            count.refused += 1
            if "\n" in str(error):
                note(count, "a message of several lines", number)
        except Exception as error:
            note(count, f"{error!r:.200}", number)
        count.slowest = max(count.slowest, time.perf_counter() - started)
    return count


def note(count: Count, fault: str, number: int) -> None:
    """Counts a fault."""
    many, first = count.faults.get(fault, (0, number))
    count.faults[fault] = many + 1, first


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table. Returns 1 if a reader did anything but read or refuse."""
    settings: Any = tyro.cli(Settings, prog="python -m benchmarks.fuzz_readers", description=__doc__, args=arguments)
    with tempfile.TemporaryDirectory() as folder:
        valid = Path(folder) / "valid"
        valid.mkdir()
        known, counts = readers(valid), dict[str, Count]()
        for name in settings.readers:
            if name not in known:
                raise SystemExit(f"no reader {name!r}; {nearest(name, known)}")
        for name in settings.readers or known:
            place = Path(folder) / name
            place.mkdir()
            counts[name] = fuzz(known[name], name, place, settings.inputs, settings.seed)
            print(f"{name}: {counts[name]}", file=sys.stderr, flush=True)
    head = ("reader", "inputs", "read", "refused", "otherwise", "slowest, ms")
    print(
        markdown(
            head,
            [
                [
                    name,
                    settings.inputs,
                    count.read,
                    count.refused,
                    sum(many for many, _ in count.faults.values()),
                    f"{1000 * count.slowest:.0f}",
                ]
                for name, count in counts.items()
            ],
        )
    )
    for name, count in counts.items():
        for fault, (many, first) in count.faults.items():
            print(f"{name}: {many} times, first for input {first}: {fault}")
    return 1 if any(count.faults for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
