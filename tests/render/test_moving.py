"""Moving pictures, and the window of render_mode="human"."""

import copy
import io
import pickle
import sys
import tracemalloc
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

import boardgym
from boardgym import Board
from boardgym.core import verbs
from boardgym.core.verbs import CHANCE
from boardgym.render import animation
from boardgym.render.animation import animate_gif, animate_svg, frames, num_frames
from boardgym.render.pixels import rgb_array
from boardgym.render.svg import page_size
from boardgym.render.window import DISPLAYS, Window
from boardgym.testing.dice import DICE
from tests.support import read

SVG = "{http://www.w3.org/2000/svg}"
GAME = ["b2", "a1", "c3", "a3", "a2"]


def played():
    board = Board("TicTacToe-v0")
    board.play(GAME)
    return board


def test_frames_are_the_boards_of_the_record():
    board = played()
    assert [frame.position for frame in frames(board)] == board.history
    assert [frame.moves() for frame in frames(board)] == [[], *([move] for move in GAME)]
    assert num_frames(board) == 6


@pytest.mark.parametrize("is_rolled_by_hand", [False, True])
def test_frames_are_plies_of_seats_whoever_rolls(is_rolled_by_hand):
    board = Board(DICE, seed=1)
    for _ in range(4):
        board.push(board.legal_actions[0])
    positions = [position for position in board.history if verbs.to_play(position) != CHANCE]
    if is_rolled_by_hand:
        actions, start = board.actions, board.history[0]
        board = Board(DICE, auto_roll=False)
        board.set_position(start)
        for action in actions:
            board.push(action)
    shown = [frame.position for frame in frames(board)]
    assert shown == (positions if positions[-1] == board.position else [*positions, board.position])
    assert len(shown) == num_frames(board) == 5


def test_frames_of_a_long_game_need_little_memory():
    board, moves = Board(DICE, auto_roll=False), 2000
    while board.ply < moves:  # up and back again
        board.push(0)
        board.push(int(board.ply % 2 == 1))
    tracemalloc.start()
    count = sum(1 for _ in frames(board))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == moves + 1
    assert peak < 10e6  # whole boards would take some 1e9


def test_long_games_lose_frames_but_not_the_last(monkeypatch):
    board, calls = played(), []
    monkeypatch.setattr(animation, "MOST_FRAMES", 3)
    picture = Image.open(io.BytesIO(animate_gif(board, width=100, on_frame=lambda: calls.append(None))))
    assert (picture.n_frames, len(calls)) == (4, num_frames(board))  # 0, 2, 4 and 5
    calls.clear()
    animate_svg(board, on_frame=lambda: calls.append(None))
    assert len(calls) == num_frames(board)


def test_gif(tmp_path):
    board = played()
    content = animate_gif(board, tmp_path / "game.gif", width=150, seconds_per_ply=0.5)
    assert (tmp_path / "game.gif").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["game.gif"]
    picture = Image.open(io.BytesIO(content))
    assert (picture.n_frames, picture.width) == (6, 150)
    durations, last = [], None
    for index in range(6):
        picture.seek(index)
        durations.append(picture.info["duration"])
        last = picture.convert("RGB")
    assert durations == [500] * 5 + [1500]
    exact = Image.fromarray(rgb_array(board, width=150))
    worst = max(abs(a - b) for a, b in zip(last.tobytes(), exact.tobytes(), strict=True))
    assert worst < 32  # fewer colours, the same picture
    assert len(animate_gif(Board("TicTacToe-v0"), width=100)) > 0  # nothing has been played: one frame


def test_svg_shows_each_frame_in_its_time():
    board = played()
    root = ET.fromstring(animate_svg(board, seconds_per_ply=1.0))
    ticks = 5 + 3
    seen = [0] * 6
    for group in root.findall(f"{SVG}g"):
        animate = group.find(f"{SVG}animate")
        if animate is None:
            continue
        assert animate.get("dur") == "8s"
        starts = [round(float(text) * ticks) for text in animate.get("keyTimes").split(";")]
        values = animate.get("values").split(";")
        assert group.get("visibility") == values[-1]  # where nothing moves, the last frame
        if group.find(f"{SVG}rect") is not None or read(group):
            continue  # a mark, or who is to play
        for frame in range(6):
            seen[frame] += values[max(i for i, start in enumerate(starts) if start <= frame)] == "visible"
    assert seen == [0, 1, 2, 3, 4, 5]  # pieces
    assert animate_svg(board)._repr_svg_() == animate_svg(board)


@pytest.fixture
def _dummy_display(monkeypatch):
    pytest.importorskip("pygame").quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.mark.usefixtures("_dummy_display")
@pytest.mark.parametrize("make", [boardgym.make, boardgym.SingleAgentEnv])
def test_human_mode_opens_a_window_and_close_closes_it(make, capsys):
    env = make("TicTacToe-v0", render_mode="human")
    env.reset(seed=1)
    assert env._window.is_open
    env.step(4)
    assert not copy.deepcopy(env)._window.is_open
    assert not pickle.loads(pickle.dumps(env._window)).is_open
    assert capsys.readouterr().out == ""
    env.close()
    env.close()
    assert not env._window.is_open


@pytest.mark.usefixtures("_dummy_display")
def test_the_window_shows_the_picture():
    import pygame

    board, window = played(), Window("a game")
    picture = rgb_array(board, width=200)
    assert window.show(picture, fps=100)
    shown = pygame.surfarray.array3d(window._window.get_surface()).swapaxes(0, 1)
    assert (shown == picture).all()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert not window.show(picture, fps=100)  # its user has closed it
    assert not window.is_open
    assert not window.show(picture, fps=100)


@pytest.mark.usefixtures("_dummy_display")
def test_windows_leave_each_other_their_events():
    import pygame

    picture = rgb_array(played(), width=100)
    first, second = Window("first"), Window("second")
    assert first.show(picture, fps=1000)
    assert second.show(picture, fps=1000)
    other = pygame.Window("not ours", (50, 50))
    pygame.event.get()
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=first._window))
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=other))
    pygame.event.post(pygame.event.Event(pygame.USEREVENT, code=7))
    assert second.show(picture, fps=1000)  # which takes the events of both
    assert not first.show(picture, fps=1000)
    assert second.show(picture, fps=1000)
    left = pygame.event.get()
    assert [event.window for event in left if event.type == pygame.WINDOWCLOSE] == [other]
    assert [event.code for event in left if event.type == pygame.USEREVENT] == [7]
    other.destroy()
    second.close()


def test_without_a_display_or_pygame_the_board_is_printed(monkeypatch, capsys):
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    env = boardgym.make("TicTacToe-v0", render_mode="human")
    env.reset(seed=1)
    assert "x to play" in capsys.readouterr().out
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(sys.modules, "pygame", None)
    env.step(4)
    assert "o to play" in capsys.readouterr().out
    assert not env._window.is_open


def test_pictures_have_the_size_that_is_said():
    board = played()
    width, height = page_size(board.game.drawing)
    assert rgb_array(board).shape[:2] == (int(height), int(width))
