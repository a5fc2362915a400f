"""Settings of all tests: Hypothesis draws the same examples in every run; with `-n`, a game's tests share a process."""

import contextlib
import gc
import os
import tempfile

# Read when NumPy and PyTorch are loaded, here and in the processes that tests start. The tests' arrays are small and each core
# has a process of its own: threads that wait for each other took ten times the processor time of a small matrix's solution.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from tests.compile.reach import checking_reach
from tests.support import uncompiled_throughout

collect_ignore = ["optional"]  # what needs more than the test environment: `make test-rllib`, `test-slurm` and others

# A process with PyTorch and Numba has a million objects. To look through them as often as a small program does took a twelfth
# of the tests' processor time; to do so after each kernel that was compiled takes a third less.
gc.set_threshold(200_000, 20, 20)

settings.register_profile("boardgym", deadline=None, derandomize=True)
settings.load_profile("boardgym")

# In the order in which they are begun: first the two games that most tests of no game in particular use too, which then
# find their kernels on the disk, then the ones that take long.
GAMES = ["tictactoe", "connectfour", "abalone", "ninemensmorris", "backgammon", "othello", "cardpoints", "abalone3"]
TOGETHER = {  # tests -> what they share a process with: of one game and few kernels
    "tests/learning/tabular/": "tabular", "tests/twins/test_tabular_twins.py": "tabular", "tests/studies/": "studies",
    "tests/thesis_tests/": "thesis tests",
}  # fmt: skip
ALONE = ("tests/docs/test_examples.py", "tests/docs/test_pages.py", "tests/benchmarks/test_rows.py")  # long programs


def game_of(text: str) -> str | None:
    """A game that is named in a node id's parameters or a file's name."""
    text = text.lower().replace("_", "")
    return next((game for game in reversed(GAMES) if game in text), None)  # abalone3 before abalone


def group_of(node_id: str) -> tuple[int, str]:
    """A test's place in the order, and what it shares a process for: a game, else its file; or itself, if it is long."""
    path, _, name = node_id.partition("::")
    if path in ALONE:
        return len(GAMES), node_id
    group = next((group for start, group in TOGETHER.items() if path.startswith(start)), None)
    if group is not None:
        return len(GAMES), group
    game = game_of(name.partition("[")[2]) or game_of(path.rpartition("/")[2])
    return (len(GAMES) + 1, path) if game is None else (GAMES.index(game), game)


@pytest.fixture(autouse=True, scope="session")
def reach():
    """The digest of every kernel that the tests compile covers what it is made of."""
    with checking_reach() as found:
        yield found


@pytest.fixture(autouse=True)
def reach_is_whole(reach):
    """Of what was compiled in this test."""
    yield
    missed = [*reach.missed]
    reach.missed.clear()
    assert missed == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """A test with the marker "plain", and what is made for it first, compiles nothing but what boards need, or nothing."""
    mark = item.get_closest_marker("plain")
    with uncompiled_throughout(**mark.kwargs) if mark else contextlib.nullcontext():
        return (yield)


def pytest_configure(config):
    """Endgame tables, opening books and agents of this run alone: not its user's, of perhaps another release."""
    if not hasattr(config, "workerinput"):
        os.environ.pop("BOARDGYM_SHELF", None)
        for name in ("tables", "agents"):
            folder = tempfile.TemporaryDirectory(prefix=f"boardgym-{name}-")
            config.add_cleanup(folder.cleanup)
            os.environ[f"BOARDGYM_{name.upper()}"] = folder.name  # the workers inherit it


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: group_of(item.nodeid)[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Gives the tests of a group to one process: else each process would compile the same kernels.

    Not by marks and `--dist loadgroup`: pytest-xdist 3.8 loses them under pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group_of(nodeid)[1]

        def remove_node(self, node):
            """Queues what a process that crashed had still to run, less the test that crashed it, which is returned.

            pytest-xdist 3.8 queues all that the process had run too: who is handed such a group waits for ever.
            """
            left = {
                group: {name: False for name, is_done in unit.items() if not is_done}
                for group, unit in self.assigned_work.pop(node).items()
            }
            left = {group: unit for group, unit in left.items() if unit}
            if not left:
                return None
            group = next(iter(left))
            crashed = next(iter(left[group]))
            del left[group][crashed]
            self.workqueue.update({group: unit for group, unit in left.items() if unit})
            for other in self.assigned_work:
                self._reschedule(other)
            return crashed

        def add_node_collection(self, node, collection):
            """Ends a process that found other tests than the first ones did: it would be left without work for ever."""
            super().add_node_collection(node, collection)
            if node not in self.registered_collections:
                node.shutdown()

        def _reschedule(self, node):
            """Hands a process more tests, once it has collected its own: pytest-xdist calls this again then.

            For a process that takes the place of one that crashed, pytest-xdist 3.8 ends with an internal error if it has not
            collected yet, and hands it a single test, which a process does not run before it has the next one.
            """
            if node not in self.registered_collections:
                return
            super()._reschedule(node)
            while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
                if self.workqueue:
                    self._assign_work_unit(node)
                else:
                    node.shutdown()  # it runs what it has

        def _assign_work_unit(self, node):
            """Hands a process a group of tests; if it has just crashed, they are handed on with the others that it had."""
            with contextlib.suppress(OSError):
                super()._assign_work_unit(node)

    if config.getvalue("dist") != "load":
        return None
    config.option.loadscopereorder = False
    return Scheduling(config, log)
