"""Kernels compile for a card, which need not be there, down to its machine code. Wants the extra `gpu` (`make test-gpu`)."""

import re
from pathlib import Path

import numba.cuda
import numpy as np
import pytest
from cuda.bindings import nvjitlink, nvrtc
from numba import typeof

import boardgym
from boardgym.baselines.learning.ntuple import cuda_batches
from boardgym.baselines.learning.ntuple.batches import make_results
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.ntuple import rows_of_learner
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.search.cuda_playouts import make_playouts
from boardgym.baselines.search.playing_out import IN_POINTS
from boardgym.core import cuda_policies
from boardgym.core import rows as rw
from boardgym.core.cuda_policies import make_chooser, make_playing, needs_in, needs_of, scratch_of
from boardgym.core.cuda_rows import block_of, make_kernels
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.envs import cuda_stepping
from boardgym.envs import stepping as st
from tests.core.card_opponents import OPPONENTS, PLAYERS, WITHOUT_CELLS, ntuple_agent
from tests.core.test_processes import write_game
from tests.support import run_python

H100 = (9, 0)
VARIANTS = [
    *((name, {}) for name in boardgym.list_games()),
    ("Abalone-v0", {"rewards": "material", "no_move": "pass"}),
    ("CardPoints-v0", {"n_cards": 12}),
    ("ConnectFour-v0", {"width": 8}),
    ("NineMensMorris-v0", {"variant": "twelve"}),
    ("Othello-v0", {"size": 6}),
]


def arrays_of(game, n=8):
    """Arrays as `CudaBatchBoard` has them on the card, and those of playouts."""
    rows = rw.make_rows(game.token, n, has_history=game.repetition_limit > 0)
    words = np.zeros(8, np.uint32)
    return {
        "rows": rw.Rows._make(np.asfortranarray(array) for array in rows),
        "actions": np.zeros(n, np.int64),
        "where": np.zeros(n, bool),
        "starts": np.zeros((2, len(game.token.fields)), np.int64),
        "words": [words, words],
        "shown": (np.zeros((n, game.num_seats)), np.zeros(n, bool), np.zeros(n, np.int64)),
        "masks": np.zeros((n, game.num_actions), np.int8),
        "first": np.zeros(1, np.int64),
        "seed": np.zeros(1, np.uint64),
        "seeds": np.zeros(n, np.uint64),
    }


def ptx_of(kernel, *examples):
    return kernel.ptx(tuple(map(typeof, examples)), H100)


def assembled(*texts):
    """The size of the machine code that the card's assembler and linker make of PTX; they say so if it cannot be loaded."""
    handle = nvjitlink.create(1, [f"-arch=sm_{H100[0]}{H100[1]}"])
    try:
        for k, text in enumerate(texts):
            nvjitlink.add_data(handle, nvjitlink.InputType.PTX, text, len(text), f"text {k}")
        nvjitlink.complete(handle)
        return nvjitlink.get_linked_cubin_size(handle)
    except nvjitlink.nvJitLinkError as error:
        said = bytearray(nvjitlink.get_error_log_size(handle))
        nvjitlink.get_error_log(handle, said)
        raise AssertionError(said.decode()) from error
    finally:
        nvjitlink.destroy(handle)


@pytest.fixture(scope="module")
def reshaping():
    """What numba-cuda links to kernels that reshape arrays, as PTX."""
    folder = Path(numba.cuda.__file__).parent
    source = (folder / "reshape_funcs.cu").read_bytes()
    _, program = nvrtc.nvrtcCreateProgram(source, b"reshape_funcs.cu", 0, [], [])
    options = [f"--gpu-architecture=sm_{H100[0]}{H100[1]}".encode(), b"-rdc=true"]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS
    text = b" " * nvrtc.nvrtcGetPTXSize(program)[1]
    nvrtc.nvrtcGetPTX(program, text)
    return text


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_a_games_kernels_compile(name, options, reshaping):
    game = get_game(name, **options)
    kernels, a = make_kernels(game), arrays_of(game)
    made = {
        "step": step_ptx(kernels, a),
        "restart": ptx_of(kernels.restart, *a["rows"], a["where"], a["starts"], 0, 4, *a["words"], *a["shown"], a["first"]),
        "check": ptx_of(kernels.check, a["actions"], a["rows"].endings, a["masks"], a["first"]),
        "seed": ptx_of(kernels.seed, a["rows"].rngs, a["where"], a["seed"]),
        "forget": ptx_of(kernels.forget, *a["rows"]),
    }
    rows, paid, plies = a["rows"], a["shown"][0], np.zeros(8, np.int32)
    made["play out"] = ptx_of(make_playouts(game), rows.positions, rows.endings, a["seeds"], IN_POINTS, 4, paid, plies)
    for kernel, text in made.items():
        assert ".visible .entry" in text, kernel
        assert "fma." not in text, f"{kernel}: a product and a sum are rounded at once, unlike on the CPU"
        assert assembled(text.encode() + b"\0", reshaping) > 0


def step_ptx(kernels, a):
    """The code of a step. a: as of `arrays_of`."""
    return ptx_of(kernels.step, *a["rows"], a["actions"], *a["words"], *a["shown"])


def player_of(player):
    """(what a policy needs, what kernels take of it)."""
    needs = needs_of(player.game, player)
    return needs, (player.row, 0.5, needs.parts, needs.begun, np.zeros((0, len(needs.begun)), np.uint64))


def chooser_ptx(game, player):
    """The code of the kernel that asks a policy."""
    (needs, of_player), a = player_of(player), arrays_of(game)
    positions, rngs, _, endings, keys, num_keys = a["rows"]
    kernel = make_chooser(game, player.token, len(needs.begun))
    return ptx_of(kernel, positions, rngs, endings, keys, num_keys, *of_player, a["actions"], False)


def playing_ptx(game, player):
    """The code of the kernel that plays many plies by a policy."""
    (needs, of_player), a = player_of(player), arrays_of(game)
    tally = np.zeros(8, np.int64), np.zeros((8, game.num_seats))
    args = a["rows"], a["shown"], tally, a["starts"], 0, 4, 64, False, True, of_player, a["first"]
    return ptx_of(make_playing(game, player.token, len(needs.begun), block_of(game)), *a["words"], args)


@pytest.mark.parametrize("kind", OPPONENTS)
@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_policies_compile(name, options, kind, reshaping):
    game = get_game(name, **options)
    if kind == "ntuple" and name in WITHOUT_CELLS:
        with pytest.raises(UnsupportedGameError, match="has no cells"):
            ntuple_agent(game)
        return
    player = OPPONENTS[kind](game)
    for text in (chooser_ptx(game, player), playing_ptx(game, player)):
        assert kind == "network" or "fma." not in text, "a product and a sum are rounded at once, unlike on the CPU"
        assert assembled(text.encode() + b"\0", reshaping) > 0


@pytest.mark.parametrize("opponent", ["self", "epsilon:0.1(greedy)"])
@pytest.mark.parametrize("name", [name for name in boardgym.list_games() if name not in WITHOUT_CELLS])
def test_the_kernels_of_a_learner_compile(name, opponent, reshaping):
    """Those of batches of n-tuple networks."""
    training = NTupleTraining(NTupleConfig(game=name, games=64, batch=64, tuples=("walk(4, 3)",), opponent=opponent))
    game, cells, player, model, memory = training.game, training.cells, training.opponent, training.scratch, training.memory
    needs = needs_in((model, scratch_of(game, player)), (model.changes, player.data), "a game")
    words, streams, results = len(needs.begun), np.zeros(64, np.uint64), make_results(64)
    play, learn = cuda_batches.make_kernels(game.token, cells.token, player.token, words, opponent != "self")
    network = training.starts, cells.row, rows_of_learner(training.learner), training.network, memory
    room = needs.parts, needs.begun, np.zeros((0, words), np.uint64)
    made = {
        "play": ptx_of(play, *network, player.row, 0.1, *room, 0.1, streams, 0, streams, results),
        "learn": ptx_of(learn, memory, model.changes, 2, 0.1),
    }
    for kernel, text in made.items():
        assert "fma." not in text, f"{kernel}: a product and a sum are rounded at once, unlike on the CPU"
        assert assembled(text.encode() + b"\0", reshaping) > 0
    assert re.search(r"\batom\.\S*add\.u64|\bred\.\S*add\.u64", made["play"])


def test_large_memory_of_a_thread_is_not_local(monkeypatch):
    """A local array of a kernel is its depot of so many bytes."""
    game = get_game("TicTacToe-v0")
    player = ntuple_agent(game)
    sizes = []
    for most in (cuda_policies.MOST_LOCAL, 4):
        monkeypatch.setattr(cuda_policies, "MOST_LOCAL", most)
        depots = re.findall(r"\.local .*__local_depot\d+\[(\d+)\]", chooser_ptx(game, player))
        sizes.append(sum(map(int, depots)))
    assert sizes[0] - sizes[1] >= 8 * (len(needs_of(game, player).begun) - 1)


def batch_arrays(game, n=8):
    """The rows, sides and slots of `CudaBatch`, as it has them on the card."""
    a = arrays_of(game, n)
    numbers, masks = np.zeros(n, np.int64), np.zeros((n, game.num_actions), np.int8)
    observations = np.zeros((n, *game.observation_shape), game.observation_dtype)
    members, paid = np.zeros((n, 2), np.int64, order="F"), np.zeros((n, game.num_seats), order="F")
    sides = st.Sides(
        numbers, numbers, members, members, numbers, numbers, numbers, paid, observations, masks, np.zeros(n)
    )  # fmt: skip
    slots = st.Slots(np.zeros((2, 2), np.int64), np.zeros((2, 2)), np.zeros(2, bool))
    return rw.Rows(*a["rows"]), sides, slots, a


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_the_kernels_of_a_batch_with_opponents_compile(name, options, reshaping):
    game = get_game(name, **options)
    rows, sides, slots, a = batch_arrays(game)
    where, found = a["where"], a["first"]
    kernels = cuda_stepping.make_kernels(game)
    made = {
        "learner": ptx_of(kernels.learner, rows, sides, slots, where, a["actions"], 0),
        "restart": ptx_of(kernels.restart, rows, sides, slots, where, a["starts"], 0, 4, -1, True),
        "reassign": ptx_of(kernels.reassign, rows, sides, slots),
        "observe": ptx_of(kernels.observe, rows, sides, where, *a["words"], where),
        "check": ptx_of(kernels.check, sides, where, a["actions"], found),
        "waiting": ptx_of(kernels.waiting, sides, found),
        "wanted": ptx_of(kernels.wanted, where, where, found),
        "over": ptx_of(kernels.over, where, rows.endings, found),
        "most keys": ptx_of(kernels.most_keys, rows, found),
        "forget keys": ptx_of(kernels.forget_keys, rows),
        "forget paid": ptx_of(kernels.forget_paid, where, sides),
        "abandon": ptx_of(kernels.abandon, where, rows, sides),
    }
    for kind in ("random", "greedy", "ntuple"):
        if (name, kind) not in PLAYERS:
            continue  # see test_policies_compile
        player = OPPONENTS[kind](game)
        needs, of_player = player_of(player)
        kernel = cuda_stepping.make_replies(game, player.token, len(needs.begun))
        made[kind] = ptx_of(kernel, 0, True, rows, sides, slots, *of_player, a["actions"], found)
    for kernel, text in made.items():
        assert "fma." not in text, f"{kernel}: a product and a sum are rounded at once, unlike on the CPU"
        assert assembled(text.encode() + b"\0", reshaping) > 0


AFTER_THE_CPU = """
import boardgym
from tests.optional.gpu.test_ptx import arrays_of, step_ptx
from boardgym.core.cuda_rows import make_kernels

boardgym.BatchBoard("Abalone-v0", 2)
game = boardgym.get_game("Abalone-v0")
a = arrays_of(game)
print(".visible .entry" in step_ptx(make_kernels(game), a))
"""


def test_a_games_kernels_compile_where_those_of_the_cpu_have_been(tmp_path):
    """Not taken from the disk: what the compiler has written into callers, for the CPU, is nothing for a card."""
    assert run_python("-c", AFTER_THE_CPU, cache=tmp_path).stdout.endswith("True\n")


def test_large_tables_are_in_global_memory():
    """Nine Men's Morris has five times as many bytes of tables as there are of constant memory."""
    game = get_game("NineMensMorris-v0")
    a = arrays_of(game)
    text = step_ptx(make_kernels(game), a)
    sizes = {
        kind: sum(map(int, re.findall(rf"^\.{kind} .*_(?:table|cmem)\S*\[(\d+)\]", text, re.M))) for kind in ("const", "global")
    }
    assert sizes["const"] < 4096
    assert sizes["global"] > 64 * 1024


USE = """
import numpy as np
import mygame
from tests.optional.gpu.test_ptx import arrays_of, step_ptx
from boardgym.core.cuda_rows import make_kernels
from boardgym.core.errors import RuleError

game = mygame.GAME
a = arrays_of(game)
try:
    print(".visible .entry" in step_ptx(make_kernels(game), a))
except RuleError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        ("np.zeros(position.left).sum() == 0", "there is no compiled form of zeros(int64)"),
        ("np.argsort(np.zeros(3))[0] == position.left", "there is no compiled form of argsort(array(float64, 1d, C))"),
    ],
)
def test_of_a_users_own_rules_the_line_is_named_that_a_card_cannot_run(value, cause, tmp_path):
    """Arrays of a length that only play decides are nothing for a card's threads."""
    folder = write_game(tmp_path / "game", ("return position.left == 0", f"return {value}"))
    path = folder / "mygame.py"
    path.write_text(path.read_text().replace("import json\n", "import json\nimport numpy as np\n"))
    line = next(number for number, text in enumerate(path.read_text().splitlines(), 1) if value in text)
    said = run_python("-c", USE, cache=tmp_path, folder=folder).stdout
    assert said == f"{path}, line {line}: is_terminal of Heap: {cause}, for a card\n"


def test_a_users_own_rules_compile(tmp_path):
    folder = write_game(tmp_path / "game")
    assert run_python("-c", USE, cache=tmp_path, folder=folder).stdout == "True\n"
