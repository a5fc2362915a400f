"""All games of a server: finding, making and changing them, and the policies and clocks that change them by themselves."""

import asyncio
import secrets
import time
from collections import OrderedDict
from typing import Any

from boardgym.core.errors import BoardgymError
from boardgym.core.game import Game, get_game
from boardgym.core.random import fresh_seed
from boardgym.web.app_state import Studio
from boardgym.web.clock import now
from boardgym.web.errors import CONFLICT, LOGGER, NOT_FOUND, UNPROCESSABLE, StudioError
from boardgym.web.play import Clock, Ending, Play, Seat, new_board
from boardgym.web.play_bodies import PlayBody
from boardgym.web.play_rows import delete_play, insert_play, play_of, seat_rows, select_play, select_waiting, update_play

MOST_OPEN = 1000  # games in memory; others are loaded when they are asked for
PACE_S = 0.3  # between the moves of a game that policies alone play, so that people can follow
AGAIN_S = 1.0  # until it is tried again to save that a clock has run out
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
                play = await asyncio.to_thread(play_of, row, actions)
                play.refresh()
                self.keep(play)
        return self.open[id]

    def keep(self, play: Play) -> None:
        """Takes a game that has been described into memory, and lets go of those that nobody looks at."""
        self.open[play.id] = play
        self.set_off(play)
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
        play.refresh()  # before it is written: what cannot be described does not begin
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
        """Plays and saves a move. The lock is held."""
        draft = play.draft()
        if draft.left is not None and play.clock is not None:
            draft.left[play.board.to_play] += play.clock.increment
        draft.push(action=action, move=move)
        await self.save(play, draft, first=len(play.board.actions))

    async def save(self, play: Play, draft: Play, first: int | None = None) -> None:
        """Writes a change that was made on a draft, and then takes it over and tells it. Where that fails, nothing is changed.

        first: the number of the first move that is changed or taken back; None: the moves are as before. The lock is held.
        """
        draft.refresh()  # before it is written: nothing that can fail comes after
        added = [] if first is None else draft.board.actions[first:]
        values: dict[str, Any] = {
            "changed": now(),
            "version": draft.version,
            "message": draft.message,
            "ending": None if draft.ending is None else {"reason": draft.ending.reason, "seat": draft.ending.seat},
            "ply": draft.board.ply,
            "waits_for": draft.waits_for,
            "left": draft.left,
            "result": draft.result(),
            "seats": seat_rows(draft.seats),
        }
        await self.store.run(lambda connection: update_play(connection, play.id, values, first, added))
        play.take_over(draft)
        self.set_off(play)

    def set_off(self, play: Play) -> None:
        """After each change: starts the clock of the seat to play, and asks its policy."""
        loop = asyncio.get_running_loop()
        if play.flag is not None and play.flag is not asyncio.current_task():
            play.flag.cancel()
        play.flag = None
        if play.task is not None and play.task is not asyncio.current_task():
            play.task.cancel()
            play.task = None
        if play.is_over or play.is_deleted:
            return
        if play.running is not None:
            play.flag = loop.create_task(self.fall(play))
        if play.thinking is not None and not play.message and play.task is None:
            play.task = loop.create_task(self.think(play))

    async def fall(self, play: Play) -> None:
        """Ends a game when the clock that runs has run out, unless it has changed meanwhile."""
        version, seat, left = play.version, play.running, play.left
        assert seat is not None
        assert left is not None
        seconds = left[seat] - (time.monotonic() - play.turn_began)
        while True:
            await asyncio.sleep(max(seconds, 0.0))
            async with play.lock:
                if play.version != version or play.is_deleted:
                    return
                draft = play.draft()
                draft.ending = Ending("time", seat)
                try:
                    await self.save(play, draft)
                except Exception as error:  # of the database
                    LOGGER.error("game %s: that a clock has run out could not be saved", play.id, exc_info=error)
                else:
                    return
            seconds = AGAIN_S

    async def think(self, play: Play) -> None:
        """Asks policies for their moves until it is a person's turn, or one fails."""
        try:
            while play.thinking is not None and not play.message:
                await self.think_once(play)
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
        except BoardgymError as error:  # it failed, or may not be asked here
            failure = str(error)
        except Exception as error:  # of a game that cannot be sent to another process, say
            LOGGER.error("%s could not be asked", spec, exc_info=error)
            failure = f"{spec} could not be asked: {type(error).__name__}: {error}"
        async with play.lock:
            if play.version != version or play.is_deleted:
                return
            if not failure:
                try:
                    await self.play_on(play, action=action)
                except Exception as error:  # of the database: nothing is lost, and the policy can be asked again
                    LOGGER.error("the move of a policy could not be saved", exc_info=error)
                    failure = f"the move of {spec} could not be saved: {error.__cause__ or error}"
            if failure:
                await self.hold_up(play, f"{failure}. Ask {play.game.seat_name(seat)} again, or replace it.")

    async def hold_up(self, play: Play, message: str) -> None:
        """Says why a policy has not moved; where even that cannot be saved, it is said alone. The lock is held."""
        draft = play.draft()
        draft.message = message
        try:
            await self.save(play, draft)
        except Exception as error:
            LOGGER.error("game %s: its message could not be saved", play.id, exc_info=error)
            play.take_over(draft)
            self.set_off(play)

    async def undo(self, play: Play, version: int | None) -> None:
        """Takes back to the last turn of a person; what ended the game but for its moves is taken back alone."""
        async with play.lock:
            self.check_there(play, version)
            if play.ending is not None and play.ending.reason == "time":
                raise StudioError(CONFLICT, f"a loss on time cannot be taken back: {play.result()}")
            length = len(play.board.actions) if play.ending is not None else play.length_before()
            draft = play.draft()
            draft.go_back(length)
            await self.save(play, draft, first=length)

    async def resign(self, play: Play, seat: int | None, version: int | None) -> None:
        """Ends a game by resignation."""
        async with play.lock:
            self.check_there(play, version)
            draft = play.draft()
            draft.ending = Ending("resigned", play.loser_by_resignation(seat))
            await self.save(play, draft)

    async def ask_again(self, play: Play, version: int | None) -> None:
        """Asks the policy that has failed once more."""
        async with play.lock:
            self.check_there(play, version)
            if play.thinking is None:
                raise StudioError(CONFLICT, "no policy is to play")
            if play.message:
                await self.save(play, play.draft())

    async def pause(self, play: Play, version: int | None) -> None:
        """Lets the policies of a game wait until they are asked again."""
        async with play.lock:
            self.check_there(play, version)
            if play.thinking is None:
                raise StudioError(CONFLICT, "no policy is to play")
            if not play.message:
                draft = play.draft()
                draft.message = play.PAUSED
                await self.save(play, draft)

    async def replace(self, play: Play, number: int, seat: Seat) -> None:
        """Gives a seat to another player; a game that is paused stays so if it is a policy's turn."""
        if not 0 <= number < play.game.num_seats:
            raise StudioError(NOT_FOUND, f"{play.game.id} has no seat {number}; expected 0 to {play.game.num_seats - 1}")
        await self.check_seat(seat, play.game)
        async with play.lock:
            self.check_there(play)
            if play.is_over:
                raise StudioError(CONFLICT, f"the game is over: {play.result()}")
            draft = play.draft()
            draft.seats = [*play.seats[:number], seat, *play.seats[number + 1 :]]
            if play.message == play.PAUSED and draft.thinking is not None:
                draft.message = play.PAUSED
            await self.save(play, draft)

    async def remove(self, play: Play) -> None:
        """Deletes a game."""
        async with play.lock:
            self.check_there(play)
            await self.store.run(lambda connection: delete_play(connection, play.id))
            play.is_deleted = True
            self.open.pop(play.id, None)
            self.set_off(play)
            play.wake()

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
        for task in [task for play in self.open.values() for task in (play.task, play.flag)]:
            if task is not None:
                task.cancel()
