"""All games of a server: finding, making and changing them, and the policies and clocks that change them by themselves."""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from boardgym.core.game import Game, get_game
from boardgym.core.random import fresh_seed
from boardgym.web.app_state import Studio
from boardgym.web.errors import CONFLICT, LOGGER, NOT_FOUND, UNPROCESSABLE, StudioError
from boardgym.web.models import now
from boardgym.web.play import Clock, Ending, Play, Seat, new_board
from boardgym.web.play_bodies import PlayBody
from boardgym.web.play_rows import delete_play, insert_play, play_of, seat_rows, select_play, select_waiting, update_play
from boardgym.web.policies import PolicyError

MOST_OPEN = 1000  # games in memory; others are loaded when they are asked for
PACE_S = 0.3  # between the moves of a game that policies alone play, so that people can follow
RESUMED = 20  # games whose policies are asked again when the server starts


class Plays:
    """All games of a server: those in memory, and what is done with them.

    Args:
        studio: the server's parts.
    """

    def __init__(self, studio: Studio) -> None:
        assert studio.store is not None
        assert studio.policies is not None
        self.store, self.policies = studio.store, studio.policies
        self.open: OrderedDict[str, Play] = OrderedDict()
        self._loading = asyncio.Lock()

    # ------------------------------------------------------------ finding

    async def find(self, id: str) -> Play:
        """A game by its id. Raises StudioError if there is none."""
        if id in self.open:
            self.open.move_to_end(id)
            return self.open[id]
        async with self._loading:
            if id not in self.open:
                row, actions = await self.store.run(lambda connection: select_play(connection, id))
                if row is None:
                    raise StudioError(NOT_FOUND, f"there is no game {id[:40]!r}: it was deleted, or never begun")
                self.keep(await asyncio.to_thread(play_of, row, actions))
        return self.open[id]

    def keep(self, play: Play) -> None:
        """Takes a game into memory, and lets go of those that nobody looks at."""
        self.open[play.id] = play
        self.set_off(play)
        play.announce()
        for id in list(self.open):
            if len(self.open) <= MOST_OPEN:
                break
            old = self.open[id]
            if not old.watchers and old.task is None and old.flag is None and not old.lock.locked() and old is not play:
                del self.open[id]

    # ------------------------------------------------------------ making

    async def create(self, body: PlayBody) -> Play:
        """A new game, saved."""
        game = get_game(body.game, **body.options)
        if len(body.seats) != game.num_seats:
            raise StudioError(UNPROCESSABLE, f"{len(body.seats)} seats for {game.id}; expected {game.num_seats}")
        seats = [Seat(seat.kind, seat.spec) for seat in body.seats]
        for seat in seats:
            await self.check_seat(seat, game)
        seed = fresh_seed() % 2**53 if body.seed is None else body.seed
        board = await asyncio.to_thread(new_board, game, fen=body.position, setup=body.setup, moves=body.moves, seed=seed)
        clock = None if body.clock is None else Clock(body.clock.seconds, body.clock.increment)
        play = Play(secrets.token_urlsafe(8), board, seats, seed, opening=len(board.actions), clock=clock)
        await self.store.run(lambda connection: insert_play(connection, play))
        self.keep(play)
        return play

    async def check_seat(self, seat: Seat, game: Game) -> None:
        """Raises BoardgymError for what cannot sit at a board of the game."""
        if seat.kind == "policy":
            await self.policies.check(seat.spec, game)
        elif seat.spec:
            raise StudioError(UNPROCESSABLE, f"a human seat has no spec, got {seat.spec[:80]!r}")

    # ------------------------------------------------------------ changing

    async def move(self, play: Play, ply: int, action: int | None, move: str | None) -> None:
        """Plays a person's move. Raises BoardgymError, with nothing changed."""
        async with play.lock:
            self.check_there(play)
            play.check_move(ply)
            await self.play_on(play, action=action, move=move)

    async def play_on(self, play: Play, *, action: int | None = None, move: str | None = None) -> None:
        """Plays and saves a move; where that fails, the board is as before. The lock is held."""
        before, seat = len(play.board.actions), play.board.to_play
        left = play.stop_clock()
        play.push(action=action, move=move)
        if left is not None and play.clock is not None:
            left[seat] += play.clock.increment
        try:
            added = play.board.actions[before:]
            await self.save(play, added=added, first=before, left=left, message="")
        except BaseException:
            play.go_back(before)
            raise

    async def save(
        self,
        play: Play,
        *,
        added: Sequence[int] = (),
        first: int | None = None,
        left: list[float] | None = None,
        ending: Ending | None = None,
        message: str = "",
        seats: list[Seat] | None = None,
    ) -> None:
        """Writes a change, and then tells it. first: the length of the record that stays, before what is added."""
        version = play.version + 1
        waits_for = "" if ending is not None or play.board.is_terminal else (seats or play.seats)[play.board.to_play].kind
        values: dict[str, Any] = {
            "changed": now(),
            "version": version,
            "message": message,
            "ending": None if ending is None else {"reason": ending.reason, "seat": ending.seat},
            "ply": play.board.ply,
            "waits_for": waits_for,
            "left": left if left is not None else play.left,
            "result": play.result_by(ending),
            "seats": seat_rows(seats or play.seats),
        }
        await self.store.run(lambda connection: update_play(connection, play.id, values, first, added))
        play.version, play.message, play.ending = version, message, ending
        play.seats = play.seats if seats is None else seats
        if left is not None:
            play.left = left
        self.set_off(play)
        play.announce()

    def set_off(self, play: Play) -> None:
        """After each change: starts the clock of the seat to play, and asks its policy."""
        loop = asyncio.get_running_loop()
        play.turn_began = time.monotonic()
        if play.flag is not None:
            play.flag.cancel()
            play.flag = None
        if play.task is not None and play.task is not asyncio.current_task():
            play.task.cancel()
            play.task = None
        if play.is_over or play.is_deleted:
            return
        version = play.version
        if play.left is not None:
            seconds = max(play.left[play.board.to_play], 0.0)
            play.flag = loop.call_later(seconds, lambda: loop.create_task(self.fall(play, version)))
        if play.thinking is not None and not play.message and play.task is None:
            play.task = loop.create_task(self.think(play))

    async def fall(self, play: Play, version: int) -> None:
        """Ends a game whose clock has run out, unless it has changed meanwhile."""
        async with play.lock:
            if play.version == version and not play.is_over and not play.is_deleted:
                await self.save(play, left=play.stop_clock(), ending=Ending("time", play.board.to_play))

    async def think(self, play: Play) -> None:
        """Asks policies for their moves until it is a person's turn, or one fails."""
        try:
            while play.thinking is not None and not play.message:
                await self.think_once(play)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # of the database: nothing is lost, and the policy can be asked again
            LOGGER.error("the move of a policy could not be saved", exc_info=error)
            play.message = f"the move of {play.seats[play.board.to_play].spec} could not be saved: {error.__cause__ or error}"
            play.version += 1
            play.announce()
        finally:
            if play.task is asyncio.current_task():
                play.task = None

    async def think_once(self, play: Play) -> None:
        """One move of the policy to play, or the message why there is none."""
        seat = play.thinking
        assert seat is not None
        version, spec = play.version, play.seats[seat].spec
        if all(one.kind == "policy" for one in play.seats) and play.board.ply:
            await asyncio.sleep(PACE_S)
        failure = ""
        try:
            action = await self.policies.act(play.ask(spec))
        except PolicyError as error:
            failure = str(error)
        async with play.lock:
            if play.version != version or play.is_deleted:
                return
            if failure:
                name = play.game.seat_name(seat)
                await self.save(play, left=play.stop_clock(), message=f"{failure}. Ask {name} again, or replace it.")
            else:
                await self.play_on(play, action=action)

    async def undo(self, play: Play, version: int | None) -> None:
        """Takes back to the last turn of a person; what ended the game but for its moves is taken back alone."""
        async with play.lock:
            self.check_there(play, version)
            board = play.board.copy()
            length = len(board.actions) if play.ending is not None else play.length_before()
            play.go_back(length)
            try:
                await self.save(play, first=length)
            except BaseException:
                play.board = board
                raise

    async def resign(self, play: Play, seat: int | None, version: int | None) -> None:
        """Ends a game by resignation."""
        async with play.lock:
            self.check_there(play, version)
            await self.save(play, left=play.stop_clock(), ending=Ending("resigned", play.loser_by_resignation(seat)))

    async def ask_again(self, play: Play, version: int | None) -> None:
        """Asks the policy that has failed once more."""
        async with play.lock:
            self.check_there(play, version)
            if play.thinking is None:
                raise StudioError(CONFLICT, "no policy is to play")
            if play.message:
                await self.save(play)

    async def replace(self, play: Play, number: int, seat: Seat) -> None:
        """Gives a seat to another player."""
        if not 0 <= number < play.game.num_seats:
            raise StudioError(NOT_FOUND, f"{play.game.id} has no seat {number}; expected 0 to {play.game.num_seats - 1}")
        await self.check_seat(seat, play.game)
        async with play.lock:
            self.check_there(play)
            seats = [*play.seats[:number], seat, *play.seats[number + 1 :]]
            await self.save(play, left=play.stop_clock(), ending=play.ending, seats=seats)

    async def remove(self, play: Play) -> None:
        """Deletes a game."""
        async with play.lock:
            self.check_there(play)
            await self.store.run(lambda connection: delete_play(connection, play.id))
            play.is_deleted = True
            self.open.pop(play.id, None)
            self.set_off(play)
            play.announce()

    def check_there(self, play: Play, version: int | None = None) -> None:
        """Raises StudioError if a game was deleted meanwhile, or is at another version than a page shows."""
        if play.is_deleted:
            raise StudioError(NOT_FOUND, f"there is no game {play.id!r}: it was deleted")
        if version is not None and version != play.version:
            raise StudioError(CONFLICT, "the game has gone on meanwhile: nothing was done")

    async def resume(self) -> None:
        """Goes on with the latest games in which a policy is to play."""
        ids = await self.store.run(lambda connection: select_waiting(connection, RESUMED))
        for id in ids:
            try:
                await self.find(id)
            except Exception as error:  # of a game that is no longer installed, say: the others go on
                LOGGER.warning("game %s cannot be resumed: %s", id, error)

    async def close(self) -> None:
        """Ends what goes on by itself."""
        for task in [play.task for play in self.open.values()]:
            if task is not None:
                task.cancel()
