"""The description of a game and the registry: names, versions, options, double registration."""

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

import boardgym
from boardgym import Board, Game, OptionError, RuleError, Setup, UnknownGameError, Version, get_game, register
from boardgym.core import game as registry
from boardgym.core.errors import nearest
from tests.core.shuttle import SHUTTLE, Shuttle


@pytest.fixture
def clean_registry(monkeypatch):
    """What a test registers is forgotten after it, and reaches no other library."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    monkeypatch.setattr(registry, "_LISTENERS", [])


def test_ids_that_name_a_game():
    game = get_game("ConnectFour-v0")
    for same in ("ConnectFour", "boardgym/ConnectFour-v0", "boardgym/ConnectFour", "ConnectFour-v00", game):
        assert get_game(same) is game
    assert game.id == "ConnectFour-v0"
    assert game.module_name == "connect_four_v0"
    assert game.version == 0
    assert {"ConnectFour-v0", "Othello-v0", "TicTacToe-v0"} <= set(boardgym.list_games())
    assert boardgym.list_games() == sorted(boardgym.list_games())


@pytest.mark.parametrize(
    ("game_id", "message"),
    [
        ("ConectFour-v0", "no game 'ConectFour-v0'; did you mean 'ConnectFour-v0'"),
        ("othello-v0", "did you mean 'Othello-v0'"),
        ("boardgym/Othelo-v0", "did you mean 'Othello-v0'"),
        ("tictactoe", "did you mean 'TicTacToe-v0'"),
        ("Qzx", "no game 'Qzx'; known: .*ConnectFour-v0.*Othello-v0"),
        ("Othello-v1", "Othello has no version 1; the newest is Othello-v0"),
        ("Othello-v" + "9" * 5000, "no game"),
        ("Othello-v", "no game"),
        ("Othello-v\u0660", "no game"),
        ("gym/Othello-v0", "no game"),
        ("", "no game ''"),
        (None, "expected a game id such as 'ConnectFour-v0', got None"),
        (3, "got 3"),
        (["Othello-v0"], "expected a game id"),
    ],
)
def test_ids_that_name_none(game_id, message):
    with pytest.raises(UnknownGameError, match=message):
        get_game(game_id)


def test_options_are_checked_by_name_and_type():
    with pytest.raises(OptionError, match="Othello-v0 has no option 'sise'; did you mean 'size'"):
        get_game("Othello-v0", sise=6)
    with pytest.raises(OptionError, match=r"Othello-v0, size=8\.0: expected int, as 8"):
        get_game("Othello-v0", size=8.0)
    with pytest.raises(OptionError, match=r"size=True: expected int"):
        get_game("Othello-v0", size=True)
    assert get_game("Othello-v0", size=np.int8(6)) is get_game("Othello-v0", size=6)
    assert get_game("Othello-v0", size=8) is get_game("Othello-v0")


@pytest.mark.usefixtures("clean_registry")
def test_registering():
    seen: list[str] = []
    registry.on_register(lambda game: seen.append(game.id))
    assert set(seen) == set(boardgym.list_games())
    assert register(SHUTTLE) is SHUTTLE
    assert seen[-1] == "Shuttle-v0"
    assert get_game("Shuttle") is SHUTTLE
    assert Board("boardgym/Shuttle-v0").to_play == 0
    later = dataclasses.replace(SHUTTLE, title="Shuttle again")
    assert register(later) is get_game("Shuttle-v0") is later  # the same module: a notebook's cell run twice
    newer = dataclasses.replace(SHUTTLE, versions=(Version(1, "0.2.0", "faster", ""), *SHUTTLE.versions))
    register(newer)
    assert get_game("Shuttle") is get_game("Shuttle-v1") is newer
    with pytest.raises(UnknownGameError, match="no version 0; the newest is Shuttle-v1"):
        get_game("Shuttle-v0")


@pytest.mark.usefixtures("clean_registry")
def test_a_name_belongs_to_the_module_that_took_it():
    before = get_game("Othello-v0")
    with pytest.raises(RuleError, match=r"Othello-v0 is registered by boardgym\.games\.othello; choose another name"):
        register(dataclasses.replace(SHUTTLE, name="Othello"))
    assert get_game("Othello-v0") is before


def changed(**fields: object) -> Callable[[], Game]:
    return lambda: dataclasses.replace(SHUTTLE, **fields)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (changed(name="my_game"), "CamelCase letters and digits, got 'my_game'"),
        (changed(name=""), "CamelCase"),
        (changed(name="9Men"), "CamelCase"),
        (changed(versions=()), "Shuttle: versions is empty"),
        (changed(planes=("own",)), r"1 plane names for observation_shape \(1, 1, 5\)"),
        (changed(position_class=tuple), r"no rule to_play, legal_actions, apply, .*; each .* below @boardgym.rule\(tuple\)"),
    ],
)
def test_descriptions_refused(make, message):
    with pytest.raises(RuleError, match=message):
        make()


def test_clocks_agents_and_set_ups():
    assert SHUTTLE.clocks == ("plies",)
    assert get_game("Othello-v0").clocks == ()
    assert SHUTTLE.agents == ["player_0", "player_1"]
    assert SHUTTLE.seat_name(1) == "player_1"
    assert get_game("Othello-v0").seat_name(1) == "white"
    ahead = dataclasses.replace(SHUTTLE, setups={"ahead": Setup((Shuttle(2, 1, 0, 0), Shuttle(2, 0, 0, 0)))})
    assert set(ahead.setups) == {"standard", "ahead"}
    starts = {Board(ahead, setup="ahead", seed=seed).fen() for seed in range(20)}
    assert starts == {"2 1 0 0", "2 0 0 0"}
    assert Board(ahead).fen() == "1 1 0 0"


def test_nearest_names():
    assert nearest("alpha", ["Alpha", "beta"]) == "did you mean 'Alpha'?"
    assert nearest("zzz", ["b", "a"]) == "known: a, b"
    assert nearest("", []) == "known: "
