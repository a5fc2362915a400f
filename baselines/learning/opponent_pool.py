"""A pool of opponents for self-play: earlier selves and fixed anchors, drawn by how the learner fares against them.

Nothing here knows a training library: the pool is a mixture (`members`, `weights`), so every environment takes it as its
opponent; a training loop calls `record` with what the infos say and `set_opponent(pool)` when weights are to count.

Three parts share the games. The latest self plays `latest_share` of them, the anchors (fixed policies, often spec strings)
`anchor_share`, each as much as the other, and the snapshots the rest, by `sampling`, from p, the learner's score rate:

    "uniform"   all alike
    "pfsp"      p (1 - p): most against those that are as strong as the learner (O. Vinyals et al., "Grandmaster level in
                StarCraft II using multi-agent reinforcement learning", Nature 575, 2019: prioritised fictitious self-play,
                its f_var)
    "rating"    exp(-(d / 200)^2 / 2), d the Elo difference that p means

each at least LEAST_WEIGHT, so that an opponent once mastered is met now and then. A part that is empty leaves its share to
the others. p is a running mean: it begins at 1/2, which counts as a game, and each result counts 1 / (n + 2), n the games
before it, at most `memory`.
"""

import dataclasses
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.baselines.arena.ratings import elo_difference
from boardgym.baselines.players.mixtures import Mixture
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, nearest
from boardgym.core.game import Game, check_two_seats, get_game
from boardgym.core.policy import Policy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import next_word, stream

SAMPLING = ("uniform", "pfsp", "rating")
LEAST_WEIGHT = 0.01  # of a snapshot, before they are made to add up to 1
ELO_WIDTH = 200.0
ANCHOR_SHARE = 0.2  # where there are anchors and nobody says how often they play
LATEST = "latest"
NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")  # of a snapshot: part of its file's name


@dataclass
class Record:
    """How the learner has fared against a member. score_rate: the running mean, in [0, 1]."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score_rate: float = 0.5

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    def add(self, outcome: int, memory: int) -> None:
        """Books a game. outcome: 1 the learner won, 0 a draw, -1 it lost. memory: see the module."""
        weight = 1.0 / (min(self.games, memory) + 2.0)
        self.wins, self.draws, self.losses = self.wins + (outcome > 0), self.draws + (outcome == 0), self.losses + (outcome < 0)
        self.score_rate += weight * ((outcome + 1) / 2 - self.score_rate)


class OpponentPool:
    """Opponents of a learner that come, go, and are drawn by weights that follow the results.

    `members` and `weights` go together: the latest self, if there is one, then the anchors, then the snapshots, oldest first.

    When the pool is full, the snapshot goes that the learner beats most surely (the greatest score rate, of equals the
    oldest), never the newest one.

    Args:
        game: what is played.
        members: the anchors: spec strings or policies.
        sampling: of the snapshots, "uniform", "pfsp" or "rating".
        capacity: most snapshots, at least 1.
        latest_share: of the games, against the latest self, in [0, 1].
        anchor_share: of the games, against the anchors, in [0, 1], above 0 if there are any; None: ANCHOR_SHARE if there are
            any, else 0. Both shares together are at most 1.
        memory: games that a score rate looks back, about; at least 1.
        trust: whether spec strings may name files that could execute code.

    Attributes:
        latest: the policy in the latest self's place, None at first; assign one with `set_latest`.

    Raises:
        OptionError, SpecError: settings out of range, anchors without a share of the games.
        UnsupportedGameError: a game of other than two seats, or that an anchor cannot play.
    """

    def __init__(
        self,
        game: str | Game,
        members: Sequence[str | Policy] = (),
        *,
        sampling: str = "pfsp",
        capacity: int = 20,
        latest_share: float = 0.5,
        anchor_share: float | None = None,
        memory: int = 100,
        trust: bool = False,
    ) -> None:
        self.game = get_game(game)
        check_two_seats(self.game, "a pool of opponents")
        if sampling not in SAMPLING:
            raise OptionError(f"sampling={sampling!r}; {nearest(str(sampling), SAMPLING)}")
        if capacity < 1 or memory < 1:
            raise OptionError(f"capacity={capacity}, memory={memory}: expected at least 1")
        if anchor_share is None:
            anchor_share = ANCHOR_SHARE if members else 0.0
        if not (0.0 <= latest_share <= 1.0 and 0.0 <= anchor_share <= 1.0 and latest_share + anchor_share <= 1.0):
            raise OptionError(f"latest_share={latest_share}, anchor_share={anchor_share}: expected 0 to 1, together at most 1")
        if members and anchor_share == 0.0:
            raise OptionError(
                f"anchor_share={anchor_share} with {len(members)} anchors, which would never be played; expected "
                "more than 0, or no anchors"
            )
        self.sampling, self.capacity, self.memory = sampling, capacity, memory
        self.latest_share, self.anchor_share = float(latest_share), float(anchor_share)
        self.rng = stream(0)
        self.playing: Mixture | None = None
        self.latest: Any = None
        self.latest_record = Record(LATEST)
        self.anchors = tuple(make_policy(member, self.game, seed=0, trust=trust) for member in members)
        self.anchor_records = [Record(str(getattr(policy, "spec", policy))) for policy in self.anchors]
        self.snapshots: list[Any] = []
        self.snapshot_records: list[Record] = []

    # ------------------------------------------------------------ the mixture

    @property
    def members(self) -> tuple[Any, ...]:
        """The policies: the latest self, anchors, snapshots. Raises OptionError while there is none."""
        members = (*(() if self.latest is None else (self.latest,)), *self.anchors, *self.snapshots)
        if not members:
            raise OptionError("the pool is empty: give it anchors, or set_latest() or add() a policy before it plays")
        return members

    @property
    def records(self) -> tuple[Record, ...]:
        """What is known of each of `members`."""
        return (*(() if self.latest is None else (self.latest_record,)), *self.anchor_records, *self.snapshot_records)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The share of games of each of `members`, float64, sum 1."""
        rest = 1.0 - self.latest_share - self.anchor_share
        parts = [
            np.full(0 if self.latest is None else 1, self.latest_share),
            np.full(len(self.anchors), self.anchor_share / max(len(self.anchors), 1)),
            rest * self.snapshot_weights(),
        ]
        weights = np.concatenate(parts)
        if weights.sum() == 0.0:  # only parts that have no share
            weights = np.ones(len(weights))
        return weights / weights.sum() if len(weights) else weights

    def snapshot_weights(self) -> NDArray[np.float64]:
        """How the snapshots share their games, float64 (snapshots,), sum 1."""
        weights = np.array([max(self._weight(record.score_rate), LEAST_WEIGHT) for record in self.snapshot_records])
        return weights / weights.sum() if len(weights) else weights

    def _weight(self, score_rate: float) -> float:
        if self.sampling == "uniform":
            return 1.0
        if self.sampling == "pfsp":
            return score_rate * (1.0 - score_rate)
        difference = elo_difference(score_rate)
        return 0.0 if difference is None else math.exp(-((difference / ELO_WIDTH) ** 2) / 2.0)

    def without_latest(self) -> Mixture | None:
        """Anchors and snapshots alone, as a mixture; None if there are none. The latest self's share goes to them."""
        start = 0 if self.latest is None else 1
        if len(self.records) == start:
            return None
        weights = self.weights[start:]
        return Mixture(self.members[start:], list(weights) if weights.sum() > 0.0 else [1.0] * len(weights), seed=0)

    def reset(self, *, seed: int | None = None) -> None:
        """Draws the member that plays the next game, where the pool itself is asked to play."""
        if seed is not None:
            self.rng = stream(seed)
        self.playing = Mixture(self.members, list(self.weights), seed=int(next_word(self.rng)) >> 1)
        self.playing.reset(seed=int(next_word(self.rng)) >> 1)

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The action of the member that plays."""
        if self.playing is None:
            self.reset()
        return self.playing.act(board, deterministic=deterministic)  # type: ignore[union-attr]

    # ------------------------------------------------------------ what changes it

    def set_latest(self, policy: Policy | None) -> None:
        """Puts a policy in the latest self's place; None empties it."""
        self.latest = policy

    def add(self, policy: Policy, name: str) -> str | None:
        """Adds a snapshot. Returns the name of the one that had to go, None if there was room.

        Raises: OptionError: a name that is taken, or could not be a file's.
        """
        if not NAME.fullmatch(name) or name in {record.name for record in self.snapshot_records}:
            raise OptionError(f"snapshot {name!r}: expected a new name, of letters, digits, '_' and '-'")
        gone = None
        if len(self.snapshots) >= self.capacity:
            rates = [record.score_rate for record in self.snapshot_records]
            index = rates.index(max(rates))
            gone = self.snapshot_records.pop(index).name
            del self.snapshots[index]
        self.snapshots.append(policy)
        self.snapshot_records.append(Record(name))
        return gone

    def record(self, opponents: ArrayLike, outcomes: ArrayLike) -> None:
        """Books games that are over.

        opponents: int (k,), indices into `members`. outcomes: int (k,), the learner's: 1 won, 0 drawn, -1 lost.

        Raises: OptionError: different lengths, or an index or outcome out of range.
        """
        records = self.records
        indices, results = np.atleast_1d(np.asarray(opponents)), np.atleast_1d(np.asarray(outcomes))
        if indices.shape != results.shape:
            raise OptionError(f"{indices.shape} opponents and {results.shape} outcomes: expected as many")
        for index, outcome in zip(indices.tolist(), results.tolist(), strict=True):
            if not 0 <= index < len(records) or outcome not in (-1, 0, 1):
                raise OptionError(f"opponent {index}, outcome {outcome}: expected 0 to {len(records) - 1}, and 1, 0 or -1")
            records[index].add(int(outcome), self.memory)

    def state(self) -> dict[str, Any]:
        """Settings and records, for JSON. The policies are not in it: see `pool_files`."""
        return {
            "game": self.game.id,
            "sampling": self.sampling,
            "capacity": self.capacity,
            "memory": self.memory,
            "latest_share": self.latest_share,
            "anchor_share": self.anchor_share,
            "latest": dataclasses.asdict(self.latest_record),
            "anchors": [dataclasses.asdict(record) for record in self.anchor_records],
            "snapshots": [dataclasses.asdict(record) for record in self.snapshot_records],
        }
