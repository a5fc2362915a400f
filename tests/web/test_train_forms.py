"""Forms of learners: made from their settings classes, and turned into the words of the command line."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import pytest
import tyro

from boardgym.baselines.learning.sb3.config import TrainConfig
from boardgym.cli import read_settings
from boardgym.web import forms, wisebots
from boardgym.web.forms import FormError, arguments_of, command_form, form_of, learners, make_form, read_form

WITHOUT_TORCH = ("tabular", "td", "coevolution", "uct-ccnn", "q-network", "ntuple", "descent", "q-sarsa")


@dataclass(frozen=True)
class Base:
    """What these have in common.

    Attributes:
        rate: how fast it learns,
            from 0 to 1.
        game: id of the game.
    """

    rate: float = 0.5
    game: str = "TicTacToe-v0"


@dataclass(frozen=True)
class Config(Base):
    """Settings.

    Attributes:
        kind: which of two. layers: units of each layer.
        ends: two numbers; empty: none.
    """

    kind: Literal["old", "new"] = "new"
    layers: tuple[int, ...] = (8, 8)
    ends: tuple[float, float] | None = None
    keeps: bool = True
    word: str | None = None


@dataclass(frozen=True)
class NewLearner:
    """Learn in a new way.

    Attributes:
        config: the settings.
        out: folder of the run.
        threads: how many.
    """

    config: tyro.conf.OmitArgPrefixes[Config] = field(default_factory=Config)
    out: Path | None = None
    threads: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    json: tyro.conf.FlagCreatePairsOff[bool] = False


def test_a_new_learner_has_a_form_without_a_line_of_code_for_it():
    form = make_form("new", "learn anew", NewLearner)
    fields = {field.name: field for field in form.fields}
    assert form.help == "Learn in a new way."
    assert list(fields) == ["rate", "game", "kind", "layers", "ends", "keeps", "word", "threads"]
    kinds = {name: (one.kind, one.default, one.is_optional) for name, one in fields.items()}
    assert kinds == {
        "rate": ("float", 0.5, False),
        "game": ("text", "TicTacToe-v0", False),
        "kind": ("choice", "new", False),
        "layers": ("list", [8, 8], False),
        "ends": ("list", None, True),
        "keeps": ("flag", True, False),
        "word": ("text", None, True),
        "threads": ("int", 1, False),
    }
    assert fields["rate"].help == "how fast it learns, from 0 to 1."
    assert (fields["kind"].help, fields["layers"].help) == ("which of two.", "units of each layer.")
    assert (fields["kind"].choices, fields["layers"].item, fields["ends"].count) == (("old", "new"), "int", 2)
    assert "TicTacToe-v0" in fields["game"].choices
    given = {"rate": 0.1, "kind": "old", "layers": [3], "ends": [0.5, -1], "keeps": False, "word": "x", "threads": 2}
    words = arguments_of(form, given)
    read = tyro.cli(NewLearner, args=words)
    assert read == NewLearner(Config(0.1, "TicTacToe-v0", "old", (3,), (0.5, -1.0), False, "x"), None, 2)


@pytest.mark.parametrize("learner", WITHOUT_TORCH)
def test_every_setting_of_a_learner_has_help_and_its_form_gives_the_defaults(learner):
    form = form_of(learner)
    assert [field.name for field in form.fields if not field.help] == []
    assert not {"out", "json", "trust", "inspect", "resume"} & {field.name for field in form.fields}
    words, settings = read_form(form, {})
    assert settings == read_settings(f"train {learner}", [])
    everything = {field.name: field.default for field in form.fields}
    assert read_form(form, everything) == (words, settings)


def test_all_learners_are_there():
    assert {*WITHOUT_TORCH, "sb3", "selfplay"} == set(learners())


def test_seconds_between_checkpoints_are_asked_for_where_they_count():
    """The network that `uct-ccnn` grows is kept after each unit."""
    assert [name for name in WITHOUT_TORCH if not forms.takes(name, "checkpoint_s")] == ["uct-ccnn"]


def test_judges_are_asked_for_where_they_are_heeded():
    """The studio leaves the comparison at the end out. A curve is measured by those of the configuration, as of `train sb3`."""

    @dataclass
    class Measured:
        config: tyro.conf.OmitArgPrefixes[TrainConfig] = field(default_factory=TrainConfig)

    found = {name: [field.name for field in form_of(name).fields] for name in WITHOUT_TORCH}
    assert [name for name, fields in found.items() if "judges" in fields] == []
    assert "judges" in [field.name for field in make_form("sb3", "", Measured).fields]
    with pytest.raises(FormError, match="judges: ntuple has no such setting"):
        read_form(form_of("ntuple"), {"judges": ["random"]})


def test_defaults_follow_the_game():
    of_abalone, of_other = ({f.name: f.default for f in form_of("td", given).fields} for given in ({}, {"game": "Othello"}))
    assert (of_abalone["preset"], of_other["preset"]) == ("abalone", "none")
    assert of_abalone != of_other
    with pytest.raises(FormError, match="did you mean 'Othello-v0'"):
        form_of("td", {"game": "Othelo"})


@pytest.mark.parametrize(
    ("given", "name", "said"),
    [
        ({"episodes": "many"}, "episodes", "'many' is no whole number"),
        ({"episodes": -1}, "episodes", "expected at least 0"),
        ({"win": float("nan")}, "win", "no number"),
        ({"epsilon": "2"}, "epsilon", "expected values from 0 to 1"),
        ({"method": "guess"}, "method", "none of q, pessimistic_q"),
        ({"method": "q", "sweep": "always"}, "sweep", "is of pessimistic_q"),
        ({"beads": [1.0]}, "beads", "expected 4 values, got 1"),
        ({"game": "Checkers"}, "game", "no game 'Checkers'"),
        ({"game": "nim.py:Nim-v0"}, "game", "no game"),
        ({"opponent": "human"}, "opponent", "nobody can be asked"),
        ({"opponent": "epsilon:0.5(human)"}, "opponent", "nobody can be asked"),
        ({"option": ["--out=/tmp/elsewhere"]}, "option", "would be read as an option"),
        ({"starts": ["--trust"]}, "starts", "would be read as an option"),
        ({"trust": True}, "trust", "no such setting"),
        ({"out": "/tmp/elsewhere"}, "out", "no such setting"),
        ({"opponent": "a\0b"}, "opponent", "expected one value"),
        ({"opponent": "x" * 3000}, "opponent", "expected one value"),
        ({"starts": ["x"] * 2000}, "starts", "at most 1000"),
        ({"symmetry": "maybe"}, "symmetry", "neither true nor false"),
        ({"seed": True}, "seed", "no whole number"),
    ],
)
def test_what_is_wrong_is_said_by_field(given, name, said):
    with pytest.raises(FormError) as caught:
        read_form(form_of("tabular"), given)
    assert list(caught.value.errors) == [name]
    assert said in caught.value.errors[name]


@pytest.mark.parametrize("form", [form_of("uct-ccnn"), command_form("ladder")], ids=lambda form: form.name)
@pytest.mark.parametrize(("name", "value"), [("processes", 0), ("processes", 2000), ("executor", "condor")])
def test_processes_that_there_cannot_be(form, name, value):
    with pytest.raises(FormError, match=f"{name}=.*: expected") as caught:
        read_form(form, {"game": "TicTacToe-v0", name: value})
    assert list(caught.value.errors) == [name]


def test_the_create_bot_form_is_that_of_the_study():
    form = wisebots.create_bot_form()
    shown = {field.name: field.default for field in form.fields}
    assert {name: shown[name] for name in ("alpha", "gamma", "epsilon")} == {"alpha": "0.7", "gamma": "0.7", "epsilon": "0.3"}
    assert (shown["training_exploring"], shown["training_pessimist"], shown["quality"]) == (12_000, 12_000, 100.0)
    assert (shown["load_bot"], shown["opponent_type"], shown["delta"]) == ("NONE", "BOTHLEARNER", 1.0)
    words, settings = read_form(form_of("tabular"), wisebots.tabular_values(form, {}, ""))
    assert words == ["--quality=100.0"]
    assert (settings.config.method, settings.quality, settings.config.opponent) == ("pessimistic_q", 100.0, "learner")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"opponent_type": "EXPERT", "delta": 0.75}, ["--opponent=epsilon:0.25(minimax:9)"]),
        ({"opponent_type": "EXPERT", "player": "1"}, ["--opponent=minimax:9", "--seat=1"]),
        ({"opponent_type": "RANDOM", "method": "q"}, ["--opponent=random", "--method=q"]),
    ],
)
def test_types_of_opponents(given, words):
    form = wisebots.create_bot_form()
    found, _ = read_form(form_of("tabular"), wisebots.tabular_values(form, {**given, "quality": None}, ""))
    assert found == words


def test_delta_says_nothing_to_a_learning_opponent():
    form = wisebots.create_bot_form()
    with pytest.raises(FormError, match="delta says nothing to a BOTHLEARNER opponent"):
        wisebots.tabular_values(form, {"delta": 0.5}, "")
    with pytest.raises(FormError, match="from 0 to 1"):
        wisebots.tabular_values(form, {"delta": 2, "opponent_type": "EXPERT"}, "")


def test_forms_are_read_by_one_thread_at_a_time(monkeypatch):
    """The parser takes the standard error of the process: two at once would leave it with a buffer of one of them."""
    inside, most = [], []

    def slow(name, words):
        inside.append(name)
        most.append(len(inside))
        time.sleep(0.02)
        inside.pop()
        return read_settings(name, words)

    form = form_of("tabular")
    monkeypatch.setattr(forms, "read_settings", slow)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: read_form(form, {}), range(8)))
    assert (len(most), max(most)) == (8, 1)


def test_a_form_drawn_for_a_game_trains_that_game():
    """Its fields show that game at first, which the command line would not take by itself."""
    given = {"game": "ConnectFour-v0", "preset": "none"}
    words, settings = read_form(form_of("td", given), {**given, "episodes": 5})
    assert "--game=ConnectFour-v0" in words
    assert settings.config.game == "ConnectFour-v0"
