"""Runs of Stable-Baselines3 in their folders: killed ones go on to the same weights, others' are left alone."""

import dataclasses
import json
import os
import resource
import signal
import sys
import traceback
import warnings
import zipfile

import matplotlib.pyplot  # noqa: F401  (for the commands in processes of their own)
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from boardgym.baselines.learning.coevolution import CoevolutionConfig, train_coevolution
from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.learning.sb3 import trainer
from boardgym.baselines.learning.sb3.config import TrainConfig
from boardgym.baselines.learning.sb3.demo import DemoConfig, run_demo
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, train_selfplay
from boardgym.baselines.learning.sb3.trainer import train_sb3
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import train_tabular
from boardgym.cli import main
from boardgym.commands import learn  # noqa: F401  (as above)
from boardgym.core.errors import OptionError, SpecError, UntrustedFileError
from boardgym.core.locks import LOCK
from boardgym.core.policy_spec import make_policy
from boardgym.wrappers import sb3_files

torch.set_num_threads(1)
SMALL = {"game": "TicTacToe-v0", "num_envs": 16, "trajectory": 16, "batch_size": 128, "hidden": (16,), "judges": ("random",),
         "judge_games": 10, "judge_setup": "standard", "setup": "random:0-2", "points": 4, "epochs": 2, "steps": 2048,
         "seed": 3}  # fmt: skip
KINDS = {
    "sb3": TrainConfig(opponent="epsilon:0.5(greedy)", **SMALL),
    "selfplay": SelfPlayConfig(**SMALL),
    "pool": SelfPlayConfig(pool=True, gate_games=10, every=256, gate=0.3, capacity=2, anchors=("random",), **SMALL),
}


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def train(config, out, **settings):
    function = train_selfplay if isinstance(config, SelfPlayConfig) else train_sb3
    return function(dataclasses.replace(config, out=out), **settings)


class Killing(BaseCallback):
    """Ends the process as by kill -9 after some steps."""

    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def _on_step(self):
        if self.num_timesteps >= self.steps:
            os.kill(os.getpid(), signal.SIGKILL)
        return True


class KillingFirst(Killing):
    """The same before the training has begun."""

    def _init_callback(self):
        os.kill(os.getpid(), signal.SIGKILL)


def forked(work):
    """The process id of a child that does it and ends, with status 1 if it fails."""
    if (child := os.fork()) == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)  # whatever has become of `sys.stderr`
        finally:
            os._exit(1)
    return child


def exit_status(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_child(work):
    """Runs it in a process of its own. Returns the exit status."""
    return exit_status(forked(work))


def by_command(arguments, *, limit=lambda: None, **environment):
    """(exit status, standard error) of a command in a process of its own, into which PyTorch need not be loaded again.

    limit: is called in it first.
    """
    reading, writing = os.pipe()

    def work():
        os.close(reading)
        os.dup2(writing, 2)
        os.environ.update(environment)
        sb3_files._own.clear()  # what this process has written another does not know of
        limit()
        with open(os.devnull, "w") as sys.stdout, open(2, "w", 1, closefd=False) as sys.stderr, warnings.catch_warnings():
            warnings.showwarning = lambda *about: sys.stderr.write(warnings.formatwarning(*about[:4]))  # pytest's collects them
            warnings.simplefilter("default")
            status = main(arguments)
        os._exit(status)

    child = forked(work)
    os.close(writing)
    with open(reading) as said:
        text = said.read()
    return exit_status(child), text


def learnt(result):
    """All that decides how a training goes on: weights, what the optimiser remembers, steps, the curve."""
    parts = [*result.training.model.policy.state_dict().values()]
    for memory in result.training.model.policy.optimizer.state_dict()["state"].values():
        parts += [memory[name] for name in sorted(memory)]
    return parts, result.training.model.num_timesteps, result.training.model._n_updates, result.training.curve


def check_same(one, other):
    """Raises AssertionError unless two trainings have learnt the same to the last bit."""
    (ours, *rest), (theirs, *others) = learnt(one), learnt(other)
    assert rest == others
    assert len(ours) == len(theirs) > 10
    assert all(torch.equal(a, b) for a, b in zip(ours, theirs, strict=True))


def check_same_files(one, other):
    """Raises AssertionError unless two trainings have left the same beside their models."""
    for name in ("curve.csv", "admissions.json", "pool/pool.json"):
        assert (one / name).exists() == (other / name).exists()
        if (one / name).exists():
            assert (one / name).read_bytes() == (other / name).read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_run_goes_on_to_the_same_weights(kind, tmp_path):
    """Killed in the middle of games, three times, by the same command each time."""
    config = KINDS[kind]
    if kind == "sb3":
        config = dataclasses.replace(config, points=20)  # more than there are rollouts
    whole = train(config, tmp_path / "whole")
    for steps in (300, 1100, 1700):
        killed = in_child(lambda steps=steps: train(config, tmp_path / "cut", callbacks=(Killing(steps),)))
        assert killed == -signal.SIGKILL
    last = train(config, tmp_path / "cut")
    assert 1500 < last.resumed < 1700
    check_same(whole, last)
    names = {path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").rglob("*")}
    assert {path.relative_to(tmp_path / "cut") for path in (tmp_path / "cut").rglob("*")} == names
    check_same_files(tmp_path / "whole", tmp_path / "cut")
    again = train(config, tmp_path / "cut")
    assert (again.resumed, again.is_finished) == (2048, True)
    check_same(whole, again)


class Drawing(BaseCallback):
    """Notes by which weights the opponents of the games that begin are drawn, and those of the pool as it is."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def _on_rollout_start(self):
        batch = self.training_env.batch
        pool = batch.opponents[0]
        self.seen.append((batch.slots.weights[0, : len(pool.weights)].tolist(), pool.weights.tolist()))

    def _on_step(self):
        return True


def test_games_after_a_checkpoint_meet_the_pool_as_it_is(tmp_path):
    """Else a run that goes on from it would draw other opponents than one that nobody killed."""
    config = dataclasses.replace(KINDS["pool"], every=600, points=8)  # more checkpoints than admissions
    drawing = Drawing()
    train(config, tmp_path / "run", callbacks=(drawing,))
    assert len({str(weights) for weights, _ in drawing.seen}) > 4
    assert all(weights == now for weights, now in drawing.seen)


@pytest.mark.parametrize("kind", ["sb3", "pool"])
def test_killed_at_the_moment_of_saving(kind, tmp_path):
    """Before and after every file of the first checkpoints gets its name; with a pool at every third of these moments."""
    config = dataclasses.replace(KINDS[kind], steps=512, points=2)
    whole, rename = train(config, tmp_path / "whole"), os.replace
    names = {path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").rglob("*")}

    def train_and_die(folder, number):
        left = [number]

        def count():
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def replace(source, target):
            count()
            rename(source, target)
            count()

        os.replace = replace
        train(config, folder)

    killed = 0
    for number in range(0, 40, 1 if kind == "sb3" else 3):  # an odd step meets both before and after
        folder = tmp_path / str(number)
        if in_child(lambda folder=folder, number=number: train_and_die(folder, number)) != -signal.SIGKILL:
            break
        killed += 1
        check_same(whole, train(config, folder))
        check_same_files(tmp_path / "whole", folder)
        assert {path.relative_to(folder) for path in folder.rglob("*")} == names
    assert killed >= 10


def test_a_killed_demo_goes_on(tmp_path):
    """Killed when the training is over, as the first of the files that come after it gets its name."""
    config, rename = DemoConfig(steps=1, games=2, ladder=("random",), out=tmp_path / "run"), os.replace

    def run_and_die():
        def replace(source, target):
            if os.path.basename(target) == "comparison.json":
                os.kill(os.getpid(), signal.SIGKILL)
            rename(source, target)

        os.replace = replace
        run_demo(config)

    assert in_child(run_and_die) == -signal.SIGKILL
    model = (config.out / "model.zip").read_bytes()
    result = run_demo(config)
    assert result.training.resumed == result.training.training.done > 0
    assert (config.out / "model.zip").read_bytes() == model
    assert {path.name for path in result.files} <= {path.name for path in config.out.iterdir()}
    assert not [*config.out.rglob("*.part"), *config.out.rglob("*.lock")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_holds_one_run(kind, tmp_path):
    """Another game, other settings, another kind of training: refused, saying what is there and what to do; nothing is lost."""
    config = dataclasses.replace(KINDS[kind], steps=256, points=1)
    train(config, tmp_path / "run")
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    for change, words in (
        ({"game": "ConnectFour-v0", "landing": 0}, "on TicTacToe-v0, asked for is game='ConnectFour-v0'"),
        ({"seed": 4}, r"asked for is seed=4 \(the run has 3\); go on with it \(.*--resume --out .*, or take another"),
        ({"steps": 512}, r"steps=512 \(the run has 256\); go on"),
    ):
        with pytest.raises(OptionError, match=words):
            train(dataclasses.replace(config, **change), tmp_path / "run")
    other = KINDS["selfplay" if kind == "sb3" else "sb3"]
    with pytest.raises(
        OptionError, match=rf"`boardgym train {config.kind}` on TicTacToe-v0, not of `boardgym train {other.kind}`"
    ):
        train(other, tmp_path / "run")
    with pytest.raises(OptionError, match="not of `boardgym train tabular`"):
        train_tabular(TabularConfig(episodes=1, greedy_episodes=0), tmp_path / "run")
    with pytest.raises(OptionError, match="not of `boardgym train coevolution`"):
        train_coevolution(CoevolutionConfig(game="TicTacToe-v0", generations=1), tmp_path / "run")
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before
    (tmp_path / "run/config.json").unlink()
    with pytest.raises(OptionError, match=r"holds model\.zip, and no config.json that says of what training"):
        train(config, tmp_path / "run")
    with pytest.raises(OptionError, match=r"holds model\.zip"):
        train_tabular(TabularConfig(episodes=1, greedy_episodes=0), tmp_path / "run")


@pytest.mark.parametrize("kind", KINDS)
def test_two_in_one_folder(kind, tmp_path):
    config, tried = dataclasses.replace(KINDS[kind], steps=256, points=1), []

    class Second(BaseCallback):
        def _on_step(self):
            if not tried:
                for other in (config, dataclasses.replace(config, game="ConnectFour-v0", landing=0), KINDS["sb3"]):
                    with pytest.raises(OptionError, match=rf"{LOCK}: another process works at this"):
                        train(other, tmp_path / "run")
                    tried.append(other)
            return True

    assert train(config, tmp_path / "run", callbacks=(Second(),)).is_finished
    assert len(tried) == 3
    assert not (tmp_path / "run" / LOCK).exists()


def test_resuming_takes_more_steps_and_keeps_the_rest(tmp_path):
    config = dataclasses.replace(KINDS["sb3"], steps=512)
    train(config, tmp_path / "run")
    more = train(dataclasses.replace(config, steps=1024, resume=True), tmp_path / "run")
    assert (more.resumed, more.training.done) == (512, 1024)
    assert json.loads((tmp_path / "run/config.json").read_text())["steps"] == 1024
    with pytest.raises(OptionError, match="keeps its settings but for steps, minutes, points, threads"):
        train(dataclasses.replace(config, gae_lambda=0.5, resume=True), tmp_path / "run")


def test_a_finished_run_is_left_as_it_is(tmp_path):
    """However often its command is given again; what a kill may have left out beside the checkpoint is written."""
    for name, change in (("steps", {"steps": 512}), ("minutes", {"steps": 10**9, "minutes": 0.02, "points": 1})):
        config = dataclasses.replace(KINDS["pool"], **change)
        first = train(config, out := tmp_path / name)
        content, curve = (out / "model.zip").read_bytes(), (out / "curve.csv").read_bytes()
        (out / "network.safetensors").unlink()
        (out / "curve.csv").unlink()
        again = train(config, out)
        assert (again.training.done, again.training.curve) == (first.training.done, first.training.curve)
        assert (again.resumed, again.is_finished) == (first.training.done, True)
        assert (out / "model.zip").read_bytes() == content
        assert (out / "curve.csv").read_bytes() == curve
        assert (out / "network.safetensors").exists()


def test_a_pool_of_something_else_is_left_alone(tmp_path):
    mine = tmp_path / "run" / "pool" / "step_1.safetensors"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(b"mine")
    with pytest.raises(OptionError, match=r"pool: holds files, and .*run no training that they are of; train into another"):
        train(KINDS["pool"], tmp_path / "run")
    assert mine.read_bytes() == b"mine"


def test_killed_before_the_first_checkpoint(tmp_path):
    """There are the settings, and nothing else: it begins, with --resume too."""
    config = dataclasses.replace(KINDS["sb3"], steps=256, points=1)
    assert in_child(lambda: train(config, tmp_path / "run", callbacks=(KillingFirst(0),))) == -signal.SIGKILL
    assert [path.name for path in (tmp_path / "run").iterdir() if path.name != LOCK] == ["config.json"]
    assert train(dataclasses.replace(config, resume=True), tmp_path / "run").training.done == 256


def test_models_of_a_training_carry_its_state(tmp_path):
    config = dataclasses.replace(KINDS["sb3"], steps=256, points=1)
    train(config, tmp_path / "run")
    path = tmp_path / "run/model.zip"
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for state, words in (
        (b"{", "expected the state of a training in .*model.zip"),
        (None, "without the state of its training"),
    ):
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                if name != "boardgym.json" or state is not None:
                    archive.writestr(name, state if name == "boardgym.json" else content)
        sb3_files.remember_file(path)
        with pytest.raises(SpecError, match=words):
            train(config, tmp_path / "run")


def command(out, *options):
    options = ["--compare-games", "0", "--points", "1", "--opponent", "random", "--out", str(out), *options]
    return ["train", "sb3", "--game", "TicTacToe", "--steps", "256", "--num-envs", "4", "--trajectory", "16", "--batch-size",
            "64", "--hidden", "8", "--judges", "random", "--judge-games", "2", *options]  # fmt: skip


@pytest.mark.parametrize("has_temporary", [True, False])
def test_models_of_ones_own_without_a_home(has_temporary, tmp_path):
    """A data folder that cannot be written: the digests are kept in a private folder for temporary files, else nowhere."""
    wall = tmp_path / "file"
    wall.write_text("")
    temporary = tmp_path / "tmp" if has_temporary else wall
    if has_temporary:
        temporary.mkdir()
    environment = {"XDG_DATA_HOME": str(wall), "TMPDIR": str(temporary)}
    status, said = by_command(command(tmp_path / "run"), **environment)
    assert status == 0, said
    assert ("can be written" in said) is not has_temporary
    status, said = by_command(command(tmp_path / "run"), **environment)
    assert status == (0 if has_temporary else 2), said
    assert ("--trust" in said) is not has_temporary
    if has_temporary:
        return
    status, said = by_command(command(tmp_path / "run", "--trust"), **environment)
    assert status == 0, said


def test_digests_that_others_may_have_written_are_not_trusted(tmp_path, monkeypatch):
    """Neither beside the model, nor in a folder for temporary files that is not this user's alone."""
    model = MaskablePPO("MlpPolicy", sb3_env(), n_steps=8, batch_size=8, device="cpu")
    model.save(tmp_path / "model.zip")
    content = (tmp_path / "model.zip").read_bytes()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder = tmp_path / f"boardgym-{os.getuid()}"
    for mode, is_trusted in ((0o755, False), (0o770, False), (0o700, True)):
        folder.mkdir(exist_ok=True)
        folder.chmod(mode)
        (folder / sb3_files.WRITTEN).write_text(sb3_files._digest(content))
        (tmp_path / sb3_files.WRITTEN).write_text(sb3_files._digest(content))
        if is_trusted:
            make_policy(f"sb3:{tmp_path / 'model.zip'}", "TicTacToe-v0")
            continue
        with pytest.raises(UntrustedFileError):
            make_policy(f"sb3:{tmp_path / 'model.zip'}", "TicTacToe-v0")
    real = folder.rename(tmp_path / "real")
    folder.symlink_to(real)
    with pytest.raises(UntrustedFileError):
        make_policy(f"sb3:{tmp_path / 'model.zip'}", "TicTacToe-v0")


def sb3_env():
    from boardgym.wrappers.sb3 import SB3VecEnv

    return SB3VecEnv("TicTacToe-v0", 1)


def test_a_full_disk_is_said_in_one_line_and_leaves_the_earlier_checkpoint(tmp_path):
    """By a limit on the size of files, which the model is beyond and the settings are not."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    status, text = by_command(command(tmp_path / "run"), limit=limit)
    assert status == 2, text
    said = [line for line in text.splitlines() if line.startswith("boardgym: ")]
    (line,) = [line for line in said if not line.startswith(("boardgym: compiling", "boardgym: training"))]
    assert "run/model.zip: File too large" in line
    assert "GiB free" in line
    assert "Traceback" not in text
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"config.json", "curve.csv"}
    status, text = by_command(command(tmp_path / "run"))
    assert status == 0, text


def test_the_command_refuses_in_one_line(tmp_path, capsys):
    arguments = command(tmp_path / "run")
    assert main(arguments) == 0
    assert main([*arguments, "--game", "ConnectFour"]) == 2
    assert "asked for is game='ConnectFour'" in capsys.readouterr().err
    assert main(arguments) == 0
    assert "is finished, after 256 steps" in capsys.readouterr().err
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main([*arguments, "--resume", "--steps", "320"]) == 0


@pytest.mark.parametrize("place", ["make_env", "Watch", "prepare_model"])
def test_ctrl_c_while_a_training_gets_ready(place, tmp_path, monkeypatch, capsys):
    """There is nothing to keep or to compare yet: it ends as every interrupted command does."""

    def press(*args, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(trainer, place, press)
    with pytest.raises(KeyboardInterrupt):
        train(KINDS["sb3"], tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        run_demo(DemoConfig(steps=1000, games=2, ladder=("random",), out=tmp_path / "demo"))
    assert not (tmp_path / "run" / "model.zip").exists()
    monkeypatch.undo()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert train(dataclasses.replace(KINDS["sb3"], steps=64), tmp_path / "other").message == "all steps are done"


def test_a_run_that_the_clock_ends_says_so(tmp_path):
    result = train(dataclasses.replace(KINDS["sb3"], steps=10**9, minutes=0.01, points=1), tmp_path / "run")
    assert (result.is_finished, result.message) == (True, "the time is over")


def test_a_training_writes_into_its_own_folder_alone(tmp_path):
    training = trainer.SB3Training(dataclasses.replace(KINDS["sb3"], out=tmp_path / "own"))
    with pytest.raises(OptionError, match=r"this training writes into .*own; expected the same folder"):
        train_into(training, tmp_path / "other")
    assert not (tmp_path / "own").exists()
