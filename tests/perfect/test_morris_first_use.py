"""Tables of Nine Men's Morris that are built when a policy is first made: by whom, where, and what if they cannot be."""

import threading

import pytest

from boardgym import Board, get_game
from boardgym.baselines.perfect import morris
from boardgym.baselines.perfect.morris_build import EndgameTables
from boardgym.baselines.perfect.policy import UnsolvedPositionError
from boardgym.baselines.perfect.store import PART
from boardgym.baselines.progress import ProgressBar
from boardgym.cli import main
from boardgym.core.policy_spec import make_policy

GAME = get_game("NineMensMorris")
THREE_EACH = "W../.../W../...B../W../.B./..B w 0,0 0"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder for tables, of which those of three men a side are built at first use."""
    monkeypatch.setenv("BOARDGYM_TABLES", str(tmp_path / "tables"))
    monkeypatch.setattr(morris, "FIRST_MEN", (3, 3))
    monkeypatch.setattr(morris, "_unwritable", set())
    return tmp_path / "tables"


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("options", "name"), [({}, "nine-flying"), ({"flying": False, "variant": "twelve"}, "diagonals-sliding")]
)
def test_every_variant_has_its_own(folder, options, name):
    game = get_game("NineMensMorris", **options)
    board = Board(game, THREE_EACH, compiled=False)
    found = make_policy("perfect", game).analyse(board)
    assert set(found.action_values) == set(board.legal_actions)
    assert names_in(folder) == [f"morris-{name}-3-3.safetensors"]


def test_ctrl_c_loses_nothing(folder, monkeypatch):
    """The next policy goes on from the layers that are done."""
    path, shown = EndgameTables(GAME).path((3, 3)), []

    def show(bar, done, *, label):
        shown.append(label)
        if len(shown) == 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressBar, "show", show)
    with pytest.raises(KeyboardInterrupt):
        make_policy("perfect", GAME)
    assert names_in(folder) == [path.with_suffix(PART).name]
    make_policy("perfect", GAME)
    assert names_in(folder) == [path.name]
    assert [label.split(" positions")[1] for label in shown[5:7]] == [" decided in 6 turns", " decided in 7 turns"]


def test_two_at_once(folder):
    """The second waits for the first, and then finds the table."""
    built, waited, waits = {}, [], threading.Event()

    def note_wait(pair):
        waited.append(pair)
        waits.set()

    def build_second():
        built[2] = EndgameTables(GAME).build(3, 3, on_wait=note_wait)

    second = threading.Thread(target=build_second)

    def begin_second(pair, turns, decided):
        if turns == 1:
            second.start()
            assert waits.wait(60.0)

    built[1] = EndgameTables(GAME).build(3, 3, on_layer=begin_second)
    second.join()
    assert built == {1: [(3, 3)], 2: []}
    assert set(waited) == {(3, 3)}
    assert names_in(folder) == ["morris-nine-flying-3-3.safetensors"]


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch, capfd):
    """It is said once, and play goes on."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "tables"
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    policy, board = make_policy("perfect(random)", GAME, seed=1), Board(GAME, THREE_EACH)
    said = capfd.readouterr().err.splitlines()
    assert said[-1].startswith(f"boardgym: no endgame tables: {folder} cannot be written (")
    assert said[-1].endswith("perfect goes on without them; set BOARDGYM_TABLES to a folder of your own")
    assert policy.act(board) in board.legal_actions
    with pytest.raises(UnsolvedPositionError, match="tables of 3-3 men are not built, which boardgym tables NineMensMorris"):
        make_policy("perfect", GAME).act(board)
    assert capfd.readouterr().err == ""
    assert main(["match", "perfect(random)", "random", "--game", "NineMensMorris", "--games", "2", "--json"]) == 0
