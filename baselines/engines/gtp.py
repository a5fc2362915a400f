"""A policy as an engine that speaks the Go Text Protocol, version 2, about any game of two seats.

A move is one action, in the game's notation; a seat that acts twice running is asked twice (`genmove` again). Black is the
seat of that name, in games that have none the one that moves first. Where dice are to fall, the controller says what was
rolled: `play chance 3-1`.

Source: G. Farnebäck, "Specification of the Go Text Protocol, version 2", draft 2, 2002.
"""

import inspect
import re
import time
from collections.abc import Callable, Iterable

from boardgym import __version__
from boardgym.baselines.engines.clock import Clock
from boardgym.baselines.engines.lines import CutLine, refusal, said
from boardgym.baselines.engines.policies import rules_of
from boardgym.baselines.engines.session import NAME, Session
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, UnsupportedGameError
from boardgym.core.escape import shown
from boardgym.core.game import get_game, list_games


class GtpError(BoardgymError):
    """What is answered after a question mark."""


class GtpServer:
    """Answers commands. The commands are the methods whose names begin with `do_`, `boardgym-` ones our own additions."""

    def __init__(self, session: Session) -> None:
        if session.game.num_seats != 2:
            raise UnsupportedGameError(f"GTP knows black and white; {session.game.id} has {session.game.num_seats} seats")
        self.session, self.is_over = session, False
        self.settings: tuple[float, float, int, int] | None = None  # of each seat's clock; None: there is none
        self.clocks: dict[int, Clock] = {}
        self.commands: dict[str, Callable[..., str]] = {
            re.sub("^(boardgym|kgs)_", r"\1-", name.removeprefix("do_")): getattr(self, name)
            for name in dir(self)
            if name.startswith("do_")
        }

    def serve(self, lines: Iterable[str], write: Callable[[str], None]) -> None:
        """Answers each command until `quit` or the end of the lines."""
        for line in lines:
            answer = self.answer(line)
            if answer:
                write(answer)
            if self.is_over:
                return

    def answer(self, line: str) -> str:
        """The answer to a line, with its empty line; nothing to an empty one or a comment."""
        if isinstance(line, CutLine):
            return f"? {refusal(line)}\n\n"
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line).replace("\t", " ").partition("#")[0]
        words = text.split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return ""
        name, *arguments = words
        board = self.session.board
        length = len(board.actions)
        try:
            return f"={number} {self._call(name, arguments)}".rstrip(" ") + "\n\n"
        except (BoardgymError, ValueError) as error:
            take_back(board, length)  # a forced pass that stood before an illegal move
            return f"?{number} {said(error)}\n\n"

    def _call(self, name: str, arguments: list[str]) -> str:
        """What a command has to say. Raises GtpError for one that is not known, or a wrong number of arguments."""
        if name not in self.commands:
            raise GtpError("unknown command")
        try:
            inspect.signature(self.commands[name]).bind(*arguments)
        except TypeError as error:
            raise GtpError(f"syntax error: {name}: {error}") from None
        return self.commands[name](*arguments)

    # ------------------------------------------------------------ about the engine

    def do_protocol_version(self) -> str:
        """The version of GTP."""
        return "2"

    def do_name(self) -> str:
        """The engine's name."""
        return NAME

    def do_version(self) -> str:
        """Its version, and the policy that plays."""
        return f"{__version__} {self.session.spec.text}"

    def do_known_command(self, name: str) -> str:
        """Whether there is such a command."""
        return "true" if name in self.commands else "false"

    def do_list_commands(self) -> str:
        """The commands, one a line."""
        return "\n".join(sorted(self.commands))

    def do_quit(self) -> str:
        """Ends the loop."""
        self.is_over = True
        return ""

    # ------------------------------------------------------------ the game

    def do_set_game(self, *name: str) -> str:
        """Another game, at its start."""
        game = get_game("".join(name))
        if game.num_seats != 2:
            raise GtpError(f"{game.id} has {game.num_seats} seats")
        if game.id == self.session.game.id:
            self.session.restart()  # with the rule options that the engine was started with
        else:
            self.session.set_game(game)
        return ""

    def do_list_games(self) -> str:
        """The games of two seats, one a line."""
        return "\n".join(name for name in list_games() if get_game(name).num_seats == 2)

    def do_boardsize(self, size: str) -> str:
        """The side of the board, in games that have a choice; starts a new game."""
        number, game = int(size) if size.isdecimal() else 0, self.session.game
        if "size" in game.options:
            try:
                self.session.set_options(size=number)
            except BoardgymError:
                raise GtpError("unacceptable size") from None
        elif number == game.observation_shape[1]:
            self.session.restart()
        else:
            raise GtpError("unacceptable size")
        return ""

    def do_clear_board(self) -> str:
        """A new game: what has to be compiled is compiled now, and the clocks start anew."""
        self.session.restart()
        return self._make_ready()

    def do_komi(self, komi: str) -> str:
        """Accepted, as controllers always send it; it means nothing here."""
        float(komi)
        return ""

    def do_time_settings(self, main: str, overtime: str, stones: str) -> str:
        """The seconds of a game, and of each overtime of so many moves; a search takes its share in place of its budget."""
        total, more, moves = read_time(main), read_time(overtime), int(read_time(stones))
        self.settings = None if more > 0.0 and moves == 0 else (total, more, moves, 0)
        return self._make_ready()

    def do_kgs_time_settings(self, kind: str, *numbers: str) -> str:
        """The same for none, absolute MAIN, canadian MAIN TIME STONES, and byoyomi MAIN TIME PERIODS (Japanese overtime)."""
        given, wanted = [read_time(number) for number in numbers], {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
        if kind not in wanted or len(given) != wanted[kind] or (wanted[kind] == 3 and (given[1] == 0.0 or given[2] < 1.0)):
            raise GtpError("syntax error: expected none, absolute MAIN, byoyomi MAIN TIME PERIODS or canadian MAIN TIME STONES")
        main, more, count = (*given, 0.0, 0.0, 0.0)[:3]
        is_japanese = kind == "byoyomi"
        self.settings = None if kind == "none" else (main, more, 0 if is_japanese else int(count), int(count) * is_japanese)
        return self._make_ready()

    def do_time_left(self, colour: str, seconds: str, stones: str) -> str:
        """The seconds that a colour has left, in overtime for so many moves (Japanese: the periods left); 0: before it."""
        clock = self.clocks.setdefault(self._seat_of(colour), Clock(0.0))
        clock.correct(read_time(seconds, may_be_over=True), int(read_time(stones)))
        return ""

    def do_play(self, colour: str, *move: str) -> str:
        """A move, or where chance is to act what it brought."""
        self._turn_of(colour)
        if not move:
            raise GtpError("syntax error: expected a colour and a move, as in 'play black d3'")
        self.session.board.push_turn(" ".join(move))
        return ""

    def do_genmove(self, colour: str) -> str:
        """Plays a move of the policy's and tells it. Its clock runs meanwhile."""
        started = time.monotonic()
        action, text = self._choose(colour)
        clock = self.clocks.get(self.session.board.to_play)
        if clock is not None:
            clock.spend(time.monotonic() - started)
        self.session.board.push(action)
        return text

    def do_reg_genmove(self, colour: str) -> str:
        """Tells a move of the policy's without playing it."""
        board = self.session.board
        length = len(board.actions)
        text = self._choose(colour)[1]
        take_back(board, length)
        return text

    def do_undo(self) -> str:
        """Takes the last move back."""
        if not self.session.board.actions:
            raise GtpError("cannot undo")
        self.session.board.pop()
        return ""

    def do_showboard(self) -> str:
        """The board as text."""
        return f"\n{self.session.board}\n{self.session.board.fen()}"

    def do_final_score(self) -> str:
        """What the game pays the winner."""
        outcome = self.session.board.outcome()
        if outcome is None:
            raise GtpError("the game is not over")
        if outcome.winner is None:
            return "0"
        letter = "BW"[outcome.winner if self._seat_of("black") == 0 else 1 - outcome.winner]
        return f"{letter}+{outcome.returns[outcome.winner]:g}"

    # ------------------------------------------------------------ our own additions

    def do_boardgym_position(self, *fen: str) -> str:
        """Starts from a position string."""
        self.session.restart(" ".join(fen))
        return self._make_ready()

    def do_boardgym_fen(self) -> str:
        """The position string."""
        return self.session.board.fen()

    def do_boardgym_rules(self) -> str:
        """The game and its rule options."""
        return rules_of(self.session.game)

    def do_boardgym_legal_moves(self) -> str:
        """The legal moves."""
        return " ".join(self.session.board.legal_moves)

    def do_boardgym_seed(self, seed: str) -> str:
        """The seed of the policy's draws."""
        if not seed.isdecimal() or int(seed) >= 2**63:
            raise GtpError(f"seed {shown(seed)!r}: expected a whole number below 2**63")
        self.session.reseed(int(seed))
        return ""

    # ------------------------------------------------------------ helpers

    def _seat_of(self, colour: str) -> int:
        """The seat of a colour: black, b, white, w, or the seat's own name."""
        names, word = self.session.game.seat_names, colour.lower()
        word = {"b": "black", "w": "white"}.get(word, word)
        if word in names:
            return names.index(word)
        if word in ("black", "white"):
            return ("black", "white").index(word)
        raise GtpError(f"syntax error: {shown(colour)!r} is no colour; expected black or white")

    def _turn_of(self, colour: str) -> None:
        """Checks that it is a colour's turn. Where the other has nothing but a forced pass, that is played first."""
        board = self.session.board
        if board.is_terminal:
            raise GtpError("illegal move: the game is over")
        if board.is_chance:
            if colour.lower() != "chance":
                raise GtpError(f"chance is to act: expected 'play chance {board.move_text(board.outcomes[0][0])}' or the like")
            return
        seat = self._seat_of(colour)
        if board.to_play != seat and board.legal_moves == ["pass"]:
            board.push(board.legal_actions[0])
        if not board.is_terminal and not board.is_chance and board.to_play != seat:
            raise GtpError(f"illegal move: it is the turn of {board.game.seat_name(board.to_play)}")

    def _make_ready(self) -> str:
        """Sets the clocks to their start and compiles what has to be, before time counts."""
        self.clocks = {} if self.settings is None else {seat: Clock(*self.settings) for seat in (0, 1)}
        self.session.warm()
        return ""

    def _choose(self, colour: str) -> tuple[int, str]:
        """The policy's action and its text."""
        self._turn_of(colour)
        board = self.session.board
        if board.is_chance or board.is_terminal:
            raise GtpError("chance is to act" if board.is_chance else "the game is over")
        clock = self.clocks.get(board.to_play)
        action = self.session.choose(seconds=None if clock is None else clock.share())
        return action, board.move_text(action)


def read_time(text: str, *, may_be_over: bool = False) -> float:
    """A number of seconds or moves, at least 0; may_be_over: what is below is taken for 0. Raises GtpError."""
    if not re.fullmatch(r"(-?)[0-9]{1,9}(\.[0-9]{1,9})?" if may_be_over else r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise GtpError(f"syntax error: {shown(text)!r} is no number of seconds or moves")
    return max(float(text), 0.0)


def take_back(board: Board, length: int) -> None:
    """Takes the moves after the first `length` back."""
    while len(board.actions) > length:
        board.pop()
