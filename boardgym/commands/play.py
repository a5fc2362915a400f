"""`boardgym play`: a game on the terminal, between people and policies in any combination."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TextIO

from tyro.conf import Positional, arg

from boardgym.baselines.arena.formats import as_text, record_format
from boardgym.baselines.arena.game import as_policy, ask, is_random, policy_name
from boardgym.baselines.arena.record import record_of
from boardgym.baselines.players.human import Human, HumanQuit, UndoRequest
from boardgym.baselines.players.terminal import board_text
from boardgym.commands.arguments import OutputFile
from boardgym.commands.common import (
    INTERRUPTED,
    GameWord,
    PositionText,
    RuleOptions,
    Trust,
    UsageError,
    load_board,
    load_game,
    say,
    terminal,
)
from boardgym.core.board import Board
from boardgym.core.game import check_two_seats
from boardgym.core.random import check_seed, fresh_seed, stream

DICE_STREAM = 100  # the path of the dice's random numbers under a seed; the seats have 0, 1, ...


@dataclass
class Play:
    """Play a game on the terminal. Each seat is you (human) or any policy."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym play                                   you against puct:1000 at Connect Four",
        "boardgym play Othello minimax:4 human",
        "boardgym play ConnectFour uct:5000 minimax:8 --record game.jsonl",
        "boardgym play Othello human greedy --option size=6 --moves c2 b2",
    )

    game: GameWord = "ConnectFour"
    """Id of the game."""
    first: Positional[Annotated[str, arg(metavar="FIRST")]] = "human"
    """Who moves first: human, or a policy such as minimax:4."""
    second: Positional[Annotated[str, arg(metavar="SECOND")]] = "puct:1000"
    """Who moves second."""
    position: PositionText = ""
    """Position string to begin from."""
    moves: tuple[str, ...] = ()
    """Moves to begin with."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    seed: int = -1
    """Seed of the policies' random choices; -1 takes a fresh one."""
    best: bool = False
    """Ask policies for their best action, without randomness."""
    record: OutputFile = ""
    """Append the game to this file, for boardgym replay: as text if its name ends in .game, else as a line of JSON."""
    trust: Trust = False

    def run(self) -> int:
        """Plays to the end, or until someone leaves."""
        return self.play_with((self.first, self.second))

    def play_with(self, specs: Sequence[Any]) -> int:
        """Plays to the end, or until someone leaves. specs: of the seats, specs or policies."""
        game = load_game(self.game, self.option)
        check_two_seats(game, "`boardgym play`")
        if self.record:
            record_format(self.record)  # an error now, not after the game
        seed = fresh_seed() if self.seed == -1 else check_seed(self.seed)
        board = load_board(game, self.position.split(), self.moves, seed=int(stream(seed, DICE_STREAM)[0]) >> 1)
        board.auto_roll = True
        policies = [as_policy(spec, game, seed=seed, trust=self.trust) for spec in specs]
        with ExitStack() as stack:
            file = stack.enter_context(open(self.record, "a", encoding="utf-8")) if self.record else None
            return self._play(board, policies, seed, file)

    def _play(self, board: Board, policies: list[Any], seed: int, file: TextIO | None) -> int:
        console, opening = terminal(), len(board.actions)
        for seat, policy in enumerate(policies):
            policy.reset(seed=int(stream(seed, seat)[0]) >> 1)
            if isinstance(policy, Human):
                policy.can_undo = True
                policy.show = lambda b: console.print(f"moves: {' '.join(b.legal_moves)}", style="dim", soft_wrap=True)
        best = tuple(self.best and not is_random(policy) for policy in policies)
        names = [f"{board.game.seat_name(seat)} {policy_name(policy)}" for seat, policy in enumerate(policies)]
        console.print(f"{board.game.title}: {', '.join(names)}", style="bold", markup=False)
        self._show(board)
        status = 0
        try:
            while not board.is_terminal:
                seat = board.to_play
                try:
                    action = self._ask(policies[seat], board, best[seat])
                except UndoRequest:
                    if take_back(board):
                        opening = min(opening, len(board.actions))
                        self._show(board)
                    else:
                        console.print("  nothing of yours to take back")
                    continue
                move = board.move_text(action)
                board.push(action)
                console.print(f"\n{board.ply}. {names[seat]} plays {move}", style="bold", markup=False)
                self._show(board)
        except HumanQuit:
            say("the game is left unfinished")
        except KeyboardInterrupt:
            console.print()
            say("interrupted: the game is left unfinished", style="yellow")
            status = INTERRUPTED
        console.print(
            f"position  {board.fen()}\nmoves     {' '.join(board.moves())}", style="dim", markup=False, soft_wrap=True
        )
        if file is not None:
            specs = tuple(map(policy_name, policies))
            record = record_of(board, specs, deterministic=best, seed=seed, opening_plies=opening)
            file.write(as_text(record, self.record))
            say(f"the game is appended to {self.record}")
        return status

    @staticmethod
    def _ask(policy: Any, board: Board, best: bool) -> int:
        """An action that is legal. Raises UsageError naming the policy otherwise: here nobody forfeits unseen."""
        action = ask(policy, board, deterministic=best)
        if action not in board.legal_actions:
            raise UsageError(
                f"{policy_name(policy)} gave action {action}, which is illegal at {board.fen()!r}; legal: {board.legal_actions}"
            )
        return action

    @staticmethod
    def _show(board: Board) -> None:
        console = terminal()
        console.print(board_text(board, colour=console.is_terminal), soft_wrap=True)


def take_back(board: Board) -> bool:
    """Goes back to the last time the seat to play was to play before. Returns False, having done nothing, if there is none."""
    trial, seat = board.copy(), board.to_play
    while trial.ply > 0:
        trial.pop()
        if trial.to_play == seat:
            while board.ply > trial.ply:
                board.pop()
            return True
    return False
