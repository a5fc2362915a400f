"""The GTP server: its answers, command by command."""

import pytest

from boardgym import Board, SpecError, UnsupportedGameError, get_game
from boardgym.baselines.engines import session as session_module
from boardgym.baselines.engines.clock import Clock
from boardgym.baselines.engines.gtp import GtpServer
from boardgym.baselines.engines.session import Session


def server(game="TicTacToe", spec="minimax:3", **options):
    return GtpServer(Session(get_game(game, **options), spec, seed=1))


def answers(gtp, *lines):
    """What each line is answered, without the empty lines."""
    said = []
    for line in lines:
        text = gtp.answer(line)
        assert text == "" or text.endswith("\n\n")
        said.append(text[:-2])
    return said


def test_answers_have_the_form_of_the_specification():
    gtp = server()
    assert answers(gtp, "name", "7 name", "", "  # a remark", "7name", "12 nonsense x", "\x01name\t# why") == [
        "= boardgym",
        "=7 boardgym",
        "",
        "",
        "? unknown command",
        "?12 unknown command",
        "= boardgym",
    ]
    written = []
    gtp.serve(["protocol_version", "quit", "name"], written.append)
    assert written == ["= 2\n\n", "=\n\n"]


def test_required_commands_are_there():
    gtp = server()
    (listed,) = answers(gtp, "list_commands")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo"
    assert set(required.split()) <= set(listed.removeprefix("= ").split("\n"))
    assert answers(gtp, "known_command genmove", "known_command jump") == ["= true", "= false"]


def test_a_game_played_undone_and_shown():
    gtp = server()
    assert answers(gtp, "play b b2", "play white a1", "play black c1")[:2] == ["=", "="]
    assert answers(gtp, "reg_genmove w", "genmove w", "boardgym-fen", "undo", "boardgym-fen") == [
        "= a3",  # the only move that stops c1 b2 a3
        "= a3",
        "= o2/1x1/o1x x",
        "=",
        "= 3/1x1/o1x o",
    ]
    (shown,) = answers(gtp, "showboard")
    assert shown.splitlines()[1:4] == ["3 . . .", "2 . x .", "1 o . x"]
    assert answers(gtp, "final_score", "play w b3", "play b a3", "final_score", "genmove w", "undo", "final_score") == [
        "? the game is not over",
        "=",
        "=",
        "= B+1",
        "? illegal move: the game is over",
        "=",
        "? the game is not over",
    ]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play", "? syntax error: play: missing"),
        ("play b", "? syntax error: expected a colour and a move"),
        ("play green b2", "? syntax error: 'green' is no colour"),
        ("play w b2", "? illegal move: it is the turn of x"),
        ("play b z9", "? 'z9' names no cell"),
        ("genmove", "? syntax error: genmove: missing"),
        ("boardsize 4", "? unacceptable size"),
        ("boardsize x", "? unacceptable size"),
        ("undo", "? cannot undo"),
        ("komi x", "? could not convert"),
        ("set_game Chess", "? no game 'Chess'"),
        ("set_game Abalone3", "? Abalone3-v0 has 3 seats"),
        ("boardgym-position xxx", "? position string 'xxx'"),
        ("boardgym-seed -1", "? seed '-1'"),
    ],
)
def test_mistakes_are_answered_and_change_nothing(line, answer):
    gtp = server()
    (said,) = answers(gtp, line)
    assert said.startswith(answer)
    assert "\n" not in said
    assert answers(gtp, "boardgym-fen") == ["= 3/3/3 x"]


@pytest.mark.plain(boards=True)
def test_board_sizes_and_games():
    gtp = server("Othello", "random")
    assert answers(gtp, "boardsize 6", "boardgym-legal_moves", "boardsize 5", "boardsize 8") == [
        "=",
        "= c2 b3 e4 d5",
        "? unacceptable size",
        "=",
    ]
    assert answers(gtp, "play black d3", "clear_board", "play black d3", "play black c5")[-1].startswith("? illegal move")
    (listed,) = answers(gtp, "list_games")
    assert "ConnectFour-v0" in listed
    assert "Abalone3-v0" not in listed
    assert answers(gtp, "set_game TicTacToe", "boardgym-fen") == ["=", "= 3/3/3 x"]
    small = server("ConnectFour", "random", width=6)
    assert answers(small, "set_game ConnectFour-v0", "boardsize 6", "boardgym-fen") == ["=", "=", "= 6/6/6/6/6/6 x"]
    assert answers(small, "boardsize 7") == ["? unacceptable size"]


def test_colours_are_those_of_the_seats():
    """White moves first in Nine Men's Morris, black in Othello; elsewhere black is the first."""
    assert answers(server("NineMensMorris", "random"), "play b a1", "play w a1")[0].startswith("? illegal move")
    assert answers(server("NineMensMorris", "random"), "play w a1", "play black d1") == ["=", "="]
    assert answers(server("Othello", "random"), "play white d3")[0].startswith("? illegal move")
    assert answers(server(), "play x b2", "play o a1") == ["=", "="]


def test_a_forced_pass_may_be_left_out():
    """Black has no move here, white two; what is refused leaves no pass behind."""
    fen = "--XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X"
    gtp = server("Othello", "random")
    assert answers(gtp, f"boardgym-position {fen}", "boardgym-legal_moves") == ["=", "= pass"]
    assert answers(gtp, "play white h8")[0].startswith("? 'h8' is illegal")
    assert answers(gtp, "boardgym-legal_moves") == ["= pass"]
    assert answers(gtp, "reg_genmove w")[0] in ("= a1", "= b1")
    assert answers(gtp, "boardgym-legal_moves", "play white b1", "undo", "boardgym-legal_moves") == [
        "= pass",
        "=",
        "=",
        "= a1 b1",
    ]
    assert answers(gtp, "undo", "play black pass", "play white a1") == ["="] * 3


def test_time_is_shared_out():
    """It replaces the budget of a search, and is nothing to other policies."""
    gtp = server()

    def shares():
        return [clock.share() for _, clock in sorted(gtp.clocks.items())]

    assert shares() == []
    assert answers(gtp, "time_settings 60 0 0", "time_left black 9 3", "time_left w 0 0") == ["="] * 3
    assert shares() == [3.0, 0.01]
    assert answers(gtp, "time_left black -1 0", "time_left w -0.5 0") == ["=", "="]  # it is late
    assert shares() == [0.01, 0.01]
    assert answers(gtp, "time_settings 0 10 5") == ["="]
    assert shares() == [2.0, 2.0]
    assert answers(gtp, "time_left b 6 0", "clear_board") == ["=", "="]  # anew
    assert shares() == [2.0, 2.0]
    assert answers(gtp, "time_settings 0 1 0") == ["="]  # as the specification says "no limit"
    assert shares() == []
    assert answers(gtp, "kgs-time_settings byoyomi 60 10 3", "time_left b 10 1") == ["=", "="]
    assert shares() == [8.0, 8.0]
    assert answers(gtp, "kgs-time_settings canadian 0 10 5", "kgs-time_settings absolute 6") == ["=", "="]
    assert shares() == [0.2, 0.2]
    assert answers(gtp, "kgs-time_settings none") == ["="]
    assert shares() == []
    for line in (
        "time_left black soon 0",
        "time_left black 1 -1",
        "time_settings -1 0 0",
        "kgs-time_settings absolute",
        "kgs-time_settings byoyomi 1 0 5",
        "kgs-time_settings x",
    ):
        assert answers(gtp, line)[0].startswith("? syntax error")
    assert answers(server(spec="random"), "time_settings 60 0 0", "genmove b")[1][:2] == "= "


def test_an_engine_keeps_its_own_clock():
    """Where the controller does not say what is left; a move that is not played costs nothing."""
    gtp = server(spec="uct:100")
    assert answers(gtp, "time_settings 0.3 0 0", "reg_genmove b")[1][:2] == "= "
    assert [clock.main for clock in gtp.clocks.values()] == [0.3, 0.3]
    assert all(said[:2] == "= " for said in answers(gtp, "genmove b", "genmove w"))
    spent = [0.3 - clock.main for clock in gtp.clocks.values()]
    assert all(seconds >= 0.01 for seconds in spent)  # a thirtieth each
    assert answers(gtp, "clear_board") == ["="]
    assert [clock.main for clock in gtp.clocks.values()] == [0.3, 0.3]


def test_what_a_move_takes_is_taken_from_the_clock():
    absolute = Clock(3.0)
    absolute.spend(1.5)
    assert (absolute.main, absolute.share()) == (1.5, 0.05)
    absolute.spend(9.0)
    assert (absolute.main, absolute.share()) == (0.0, 0.01)
    canadian = Clock(1.0, 6.0, 3)
    assert canadian.share() == 2.0  # it may count on its overtime
    canadian.spend(2.0)  # a second of overtime, in which this is the first move of three
    assert (canadian.main, canadian.left, canadian.to_go) == (0.0, 5.0, 2)
    assert canadian.share() == 2.5
    canadian.spend(3.0)
    assert canadian.share() == pytest.approx(1.6)  # the last one: not all of the 2 seconds
    canadian.spend(1.0)
    assert (canadian.left, canadian.to_go) == (6.0, 3)  # the next period
    canadian.correct(4.0, 2)
    assert canadian.share() == 2.0
    japanese = Clock(1.0, 2.0, periods=3)
    japanese.spend(1.5)
    assert (japanese.share(), japanese.periods) == (1.6, 3)
    japanese.spend(4.5)  # two periods and a part of the last, which it has again for the next move
    assert (japanese.share(), japanese.periods) == (1.6, 1)
    japanese.correct(0.5, 1)
    assert japanese.share() == 0.4  # of the last period so much is left, and for the next move all of it again
    japanese.spend(0.2)
    assert (japanese.share(), japanese.periods) == (1.6, 1)
    japanese.correct(0.5, 3)
    assert japanese.share() == 1.6  # there are others
    japanese.spend(0.6)
    assert japanese.periods == 2


def test_what_has_to_be_compiled_is_compiled_before_a_clock_runs(monkeypatch):
    asked = []
    monkeypatch.setattr(session_module, "warm", lambda spec, game, **rest: asked.append(f"{spec.text} {game.id}"))
    answers(server(), "name", "time_settings 60 0 0", "clear_board")
    answers(server("Othello", "random"), "boardsize 6", "boardgym-position 3/3/3 x", "clear_board")
    assert asked == ["minimax:3 TicTacToe-v0", "random Othello-v0"]


def test_a_client_can_compare_rules_and_position():
    gtp = server("NineMensMorris", "random", flying=False)
    said = answers(gtp, "boardgym-rules", "play w a1", "boardgym-fen")
    board = Board(gtp.session.game)
    board.play(["a1"])
    assert said == [
        "= NineMensMorris-v0 draw= flying=False no_mill_limit=100 repetition_limit=3 variant=nine",
        "=",
        f"= {board.fen()}",
    ]


def test_a_seed_repeats_the_draws():
    gtp = server("TicTacToe", "random")
    lines = ["boardgym-seed 5", "clear_board", *["genmove b", "genmove w"] * 2]
    first = answers(gtp, *lines)
    assert answers(gtp, *lines) == first
    assert any(answers(gtp, f"boardgym-seed {seed}", *lines[1:])[1:] != first[1:] for seed in range(6, 12))


def test_what_cannot_be_served_is_refused():
    with pytest.raises(UnsupportedGameError, match="3 seats"):
        server("Abalone3", "random")
    with pytest.raises(SpecError, match="mimimax"):
        server(spec="mimimax:3")
