"""One learner against opponents that are part of the environment: the Gymnasium environment."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete

from boardgym.core.board import Board, Reason
from boardgym.core.errors import IllegalActionError, OptionError, nearest
from boardgym.core.game import Game, check_names, get_game
from boardgym.core.policy import Policy
from boardgym.core.random import check_seed, draw, draw_index, next_word
from boardgym.envs.opponents import members_of, read_opponents, read_seat, takes_stream
from boardgym.envs.registration import PublishesLength
from boardgym.envs.render_modes import RENDER_FPS, RENDER_MODES, check_render_mode, show, show_plies
from boardgym.envs.starting import episode_stream, outcome_code, read_options, start_at
from boardgym.render.window import Window

MODES = (*RENDER_MODES, "rgb_array_list")
ILLEGAL_RULES = ("terminate", "raise", "random")
ILLEGAL_REWARD = -1.0
MAX_STARTS = 100  # tries to find a start from which the learner gets to move


class SingleAgentEnv(PublishesLength, gymnasium.Env[np.ndarray, np.int64]):  # type: ignore[misc]
    """A board game for one learner; the other seats are played by opponents within `step`.

    The observation is the board as the learner's seat sees it: a Box of shape (H, W, C). A step plays the learner's
    action and then the opponents' until the learner is to move again or the game is over. Its reward covers all these
    plies, so a loss to a reply arrives in the same step. `info` holds `action_mask` (int8; all ones when
    the game is over), `seat`, `opponent` (which of a mixture plays this game; an int64 array where several seats are
    opponents), `ply`; at the end also `outcome` (1 won, 0 drawn, -1 lost), `reason` (a `boardgym.Reason` code) and
    `is_success`. A draw by a rule is `terminated`; the environment itself never truncates.

    Args:
        game: an id such as "ConnectFour-v0" or "boardgym/ConnectFour-v0", or a `Game`.
        opponent: a spec string such as "minimax:4" or "mix(0.7*greedy, 0.3*random)", a `Policy`, or a sequence with one
            of these for each other seat, in the order in which they follow the learner.
        seat: the learner's seat, 0 to num_seats - 1, or "random" to draw one for each episode.
        illegal: what an illegal action does: "terminate" ends the game with reward -1 and reason ILLEGAL_ACTION,
            "raise" raises IllegalActionError and changes nothing, "random" plays a uniformly random legal action.
        setup: the set-up from which games start: a name, "random:a-b" for a to b random plies, or "sequences:n"
            for one of all sequences of n plies.
        render_mode: None, "ansi" (`render` returns text, with colours unless NO_COLOR is set), "rgb_array" (uint8
            (H, W, 3)), "rgb_array_list" (a list of these, one for each ply of any seat since the last `render`, the start
            of the game included) or "human" (a window, else text).
        trust: whether to load an opponent's file that could execute code ("sb3:...").
        options: the game's rule options, such as size=6.

    Attributes:
        board: the game in progress, to look at, copy and search from. Only `step` and `reset` change it.
        seat: the learner's in this episode.

    Raises:
        UnknownGameError: no such game.
        OptionError: no such option, value, set-up, seat, rule for illegal actions or render mode.
        SpecError, UnsupportedGameError, UntrustedFileError: of the opponent, as `make_policy`.

    Example:
        >>> import boardgym, gymnasium as gym
        >>> env = gym.make("boardgym/TicTacToe-v0", opponent="random")
        >>> observation, info = env.reset(seed=0)
        >>> observation, reward, terminated, truncated, info = env.step(4)
        >>> reward, terminated, info["ply"], info["action_mask"].tolist()
        (0.0, False, 2, [0, 1, 1, 1, 0, 1, 1, 1, 1])
    """

    metadata = {"render_modes": list(MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str | Policy | Sequence[str | Policy] = "random",
        seat: int | str = 0,
        illegal: str = "terminate",
        setup: str = "standard",
        render_mode: str | None = None,
        trust: bool = False,
        **options: Any,
    ) -> None:
        check_names(game, options, SingleAgentEnv)
        self.game = game = get_game(game, **options)
        game.setup(setup)
        if illegal not in ILLEGAL_RULES:
            raise OptionError(f"illegal={illegal!r}; {nearest(str(illegal), ILLEGAL_RULES)}")
        self.fixed_seat = read_seat(seat, game)
        self.setup, self.illegal, self.render_mode = setup, illegal, check_render_mode(render_mode, MODES)
        self.opponents = read_opponents(opponent, game, trust=trust)
        self.observation_space = Box(0, game.observation_max, game.observation_shape, game.observation_dtype)
        self.action_space = Discrete(game.num_actions)  # type: ignore[assignment]
        self.board = Board(game)
        self._window = Window(game.title)
        self.seat = self.fixed_seat or 0
        self._stream: np.ndarray | None = None
        self._seeded_by: np.random.Generator | None = None  # a seed gives a new generator, and so a new stream
        self._players: list[Policy] = []  # by distance from the learner's seat, the next one first
        self._indices: list[int] = []
        self._is_playing = False
        self._num_shown = 0  # pictures of this game that a list of them has held
        self._planes = np.zeros(game.observation_shape, game.observation_dtype)
        self._mask = np.zeros(game.num_actions, np.int8)
        self._paid = np.zeros(game.num_seats)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts a new game and plays it until the learner is to move.

        All draws come from one stream, which a seed starts and which goes on from game to game; in this order: the seat
        if "random", the member of each opponent that is a mixture, the set-up, and the opponents' moves. What ends before
        the learner moves is drawn anew.

        Args:
            seed: for `np_random`, 0 to 2**64 - 1; None goes on with it.
            options: {"position": a position string} or {"setup": a set-up's name} to start from, for this game only.

        Returns:
            (observation, info).

        Raises:
            OptionError, NotationError: for a bad seed or options, the environment is left as it was; OptionError too if the
                opponents end every game before the learner moves.
        """
        position, setup = read_options(self.game, options, default=self.setup)  # type: ignore[arg-type]
        super().reset(seed=None if seed is None else check_seed(seed))
        self._is_playing, self._num_shown = False, 0
        if self._seeded_by is not self.np_random:
            self._stream, self._seeded_by = episode_stream(self.np_random), self.np_random
        rng: np.ndarray = self._stream  # type: ignore[assignment]
        for _ in range(MAX_STARTS):
            self.seat = draw(rng, self.game.num_seats) if self.fixed_seat is None else self.fixed_seat
            drawn = [_draw_player(policy, rng) for policy in self.opponents]
            self._players, self._indices = [player for player, _ in drawn], [index for _, index in drawn]
            start_at(self.board, position, setup, rng)
            self._seed_players(rng)
            self._look()
            self._play(None)
            if self._is_playing:
                break
        else:
            raise OptionError(
                f"{self.game.id} from {position if position is not None else setup!r}: "
                f"the game was over before seat {self.seat} could move, {MAX_STARTS} times"
            )
        if self.render_mode == "human":
            self.render()
        return self._planes.copy(), self._info()

    def _seed_players(self, rng: np.ndarray) -> None:
        """Policies with `act_with` draw from the episode's stream; each other one is reset with a seed of its own."""
        for player in {id(player): player for player in self._players}.values():
            if not takes_stream(player):
                player.reset(seed=int(next_word(rng) >> np.uint64(1)))

    def step(self, action: int | np.integer[Any]) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:  # type: ignore[override]
        """Plays an action and the replies.

        Args:
            action: an int in [0, num_actions).

        Returns:
            (observation, reward, terminated, False, info).

        Raises:
            ResetNeeded: before the first reset, or the game is over: also after an opponent has raised.
            IllegalActionError: the action is no int, or it is not legal and `illegal` is "raise"; nothing has changed.
        """
        if not self._is_playing:
            when = "no game has begun" if self._stream is None else f"the game is over ({self.board.fen()!r})"
            raise ResetNeeded(f"boardgym/{self.game.id}: {when}; call reset() first")
        wanted = action if type(action) is int else self._as_int(action)
        if self.illegal != "raise" and not (0 <= wanted < len(self._mask) and self._mask[wanted]):
            if self.illegal == "terminate":
                return self._end_by_illegal_action()
            assert self._stream is not None  # a game has begun
            legal = self.board.legal_actions
            wanted = legal[draw(self._stream, len(legal))]
        reward = self._play(wanted)
        if self.render_mode == "human":
            self.render()
        return self._planes.copy(), reward, not self._is_playing, False, self._info()

    def _play(self, action: int | None) -> float:
        """Plays the learner's action, None for none, and the replies until it is to move or the game is over.

        Its view then is in `_planes` and `_mask`. Returns what all that paid the learner.
        """
        board, seat, reward = self.board, self.seat, 0.0
        planes, mask, paid = self._planes, self._mask, self._paid
        to_play, count = (board.to_play, not board.is_terminal) if action is None else (seat, 1)
        while count and (action is not None or to_play != seat):
            if action is None:
                action = self._reply(to_play)
            count, to_play, has_paid = board.push_and_look(action, planes, mask, paid)
            if has_paid:
                reward += float(paid[seat])
            action, self._is_playing = None, False  # for good if an opponent raises: the learner is not to move
        self._is_playing = count > 0
        if not count:
            self._planes[:] = board.look(seat)[0]
            mask[:] = 1  # ones, so that a softmax over it stays defined
        return reward

    def _reply(self, seat: int) -> int:
        """What the opponent at a seat plays."""
        distance = (seat - self.seat) % self.game.num_seats
        player: Any = self._players[distance - 1 if len(self._players) > 1 else 0]
        return int(player.act_with(self.board, self._stream) if takes_stream(player) else player.act(self.board))

    def _end_by_illegal_action(self) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        self._is_playing = False
        self._mask[:] = 1
        info = self._info()
        info.update(outcome=-1, reason=int(Reason.ILLEGAL_ACTION), is_success=False)
        return self._planes.copy(), ILLEGAL_REWARD, True, False, info

    def _as_int(self, action: Any) -> int:
        if not isinstance(action, bool | np.bool_):
            try:
                return operator.index(action)
            except TypeError:
                pass
        raise IllegalActionError(
            f"expected an action as an int from 0 to {self.game.num_actions - 1}, got {action!r} of type "
            f"{type(action).__name__}"
        )

    def _look(self) -> None:
        """The learner's view, where none has been filled by a ply."""
        self._planes[:], self._mask[:] = self.board.look(self.seat)

    def _info(self) -> dict[str, Any]:
        board, indices = self.board, self._indices
        opponent = indices[0] if len(indices) == 1 else np.array(indices, np.int64)
        info = {"action_mask": self._mask.copy(), "seat": self.seat, "opponent": opponent, "ply": board.ply}
        if not self._is_playing and board.is_terminal:
            outcome = outcome_code(board.outcome(), self.seat)
            info.update(outcome=outcome, reason=int(board.reason), is_success=outcome == 1)
        return info

    def action_masks(self) -> np.ndarray:
        """The legal actions as a bool array of shape (num_actions,), as MaskablePPO asks for; all True when the game is over.

        Raises ResetNeeded before the first reset.
        """
        if self._stream is None:
            raise ResetNeeded(f"boardgym/{self.game.id}: no game has begun; call reset() first")
        return self._mask.astype(np.bool_) | (not self._is_playing)

    def render(self) -> Any:
        """The board as `render_mode` says. Raises OptionError without a render_mode, ResetNeeded before the first reset."""
        if self._stream is None:
            raise ResetNeeded(f"boardgym/{self.game.id}: no game has begun; call reset() first")
        if self.render_mode == "rgb_array_list":
            pictures = show_plies(self.board, self._num_shown)
            self._num_shown += len(pictures)
            return pictures
        return show(self.board, self.render_mode, self._window)

    def close(self) -> None:
        """Closes the window of render_mode="human"."""
        self._window.close()


def _draw_player(policy: Any, rng: np.ndarray) -> tuple[Any, int]:
    """(who plays this game, its index in the mixture); draws only where there is a choice."""
    members, weights = members_of(policy)
    index = draw_index(weights, rng) if len(members) > 1 else 0
    return members[index], index
