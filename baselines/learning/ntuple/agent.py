"""What a training of an n-tuple network leaves: the network as a policy, and as a file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import OWN_FIELDS, Pieces
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.agent import LearntAgent
from boardgym.baselines.learning.agent_files import AGENTS, AgentHeader, advice, check_game, open_agent
from boardgym.baselines.learning.ntuple.ntuple import write_values
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.cells import MOST_PHASES, GameCells, game_cells
from boardgym.baselines.networks.ntuples import NTuples, Tuple, check_tuples, images_of, make_reading, make_tuples
from boardgym.baselines.networks.panels import make_panels
from boardgym.baselines.search.common import SLOWER, scale_of
from boardgym.baselines.search.evaluations import Evaluation
from boardgym.baselines.search.ntuple_evaluation import NTupleValue
from boardgym.baselines.typed_json import read_data
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy_spec import Spec, refuse_extras
from boardgym.core.verbs import rule

KIND = "ntuple"
MOST_WEIGHT = 1e30  # in size
MOST_HALF = 6e4  # the same of float16
FILE_FIELDS = (*OWN_FIELDS, "kind", "game", "options", "cells", "states", "tuples", "symmetries", "tables")


class NTuplePlay(NamedTuple):
    """Settings of a policy. scale: turns what the game pays into [-1, 1]."""

    scale: float = 1.0


class Network(NamedTuple):
    """Settings of the cells, their sheet, the tuples, a reading for each seat, weights: float32 (tables, W)."""

    cells: Any
    sheet: Any
    tuples: Any
    reading: Any
    weights: Any


@rule(NTuplePlay)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The network with a reading of its own, buffers for the choices, no key.

    data: token and row of the cells; the arrays of `NTuples`; weights, float32 (tables, W); zeros in the shape of the
    observation; phase, as of `CellSheet`.
    """
    tuples = NTuples(data[2], data[3], data[4], data[5], data[6], data[7], data[8], data[9], data[10])
    sheet = nv.CellSheet(np.zeros(data[2].shape[0], np.int64), np.zeros_like(data[12]), data[13].copy())
    network = Network(verbs.unpack(data[0], data[1]), sheet, tuples, make_reading(tuples, 2), data[11])
    return network, ln.make_choices(max_actions, 1), np.empty(1, np.int64)


@rule(NTuplePlay)
def look(policy: Any, position: Any, memory: Any, key: NDArray[np.int64], choices: ln.Choices, count: int) -> int:
    """Writes r + V of what each action leads to."""
    choices.visits[:count] = 0.0
    write_values(
        memory.tuples, memory.weights, memory.cells, position, policy.scale, choices.legal, count, choices.values, memory.sheet,
        memory.reading,
    )  # fmt: skip
    return 0


rule(NTuplePlay, verb="choose")(ln.choose_best)


class NTupleAgent(LearntAgent):
    """An n-tuple network as a compiled policy: plays the action of the greatest value, on boards and in native environments.

    Args:
        cells: of the game that it plays.
        tuples: their cells. symmetries: whether images of a tuple share weights.
        weights: float32 (1 or 2 times the phases of the cells, W), tables of both seats, or of the first seat's phases and then
            of the other's; shared, not copied.
        facts: what it is, for its file: "pays", None; and whatever else is to be kept, as plain data.
        seed: for its draws.
        spec: what names it in tables.

    Attributes:
        cells, tuples, symmetries, weights, facts.

    Raises OptionError for tuples that the board does not have, or weights of another shape.
    """

    def __init__(
        self,
        cells: GameCells,
        tuples: Sequence[Tuple],
        weights: NDArray[np.float32],
        facts: dict[str, Any],
        *,
        symmetries: bool = True,
        seed: int | None = None,
        spec: str = KIND,
    ) -> None:
        game = cells.game
        count = check_tuples(cells, tuples, arrays=1)
        shapes = [(seats * cells.num_phases, count) for seats in (1, 2)]
        if weights.dtype != np.float32 or weights.shape not in shapes:
            raise OptionError(f"weights {weights.dtype} {weights.shape}: expected float32 {shapes[0]} or {shapes[1]}")
        sheet, network = cells.make_sheet(), make_tuples(cells, tuples, symmetries=symmetries)
        data: tuple[Any, ...] = (cells.token, cells.row, *network, weights, sheet.planes, sheet.phase)
        super().__init__(game, NTuplePlay(scale_of(game)), spec, data=data, seed=seed)
        self.num_images = len(network.bases)
        self.cells, self.tuples, self.symmetries, self.weights, self.facts = cells, tuple(tuples), symmetries, weights, facts

    def __reduce__(self) -> Any:
        parts = self.game, self.cells.text, self.tuples, self.weights.copy(), self.facts, self.symmetries, self.spec
        return _restore, (*parts, self.epsilon, self.rng)

    def scaled(self, board: Board, value: float) -> float:
        """Itself: networks learn what a game pays as a value in [-1, 1]."""
        return value

    def as_evaluation(self) -> Evaluation:
        """Its values, for searches."""
        return NTupleEvaluation(self)

    def statistics(self) -> dict[str, Any]:
        """Of the network: tuples, their lengths, images of all, weights of a table, tables, how many are not 0, their span."""
        lengths = sorted({len(tuple_) for tuple_ in self.tuples})
        return {
            "cells": self.cells.text,
            "tuples": len(self.tuples),
            "lengths": lengths,
            "images": sum(len(images_of(self.cells, tuple_, symmetries=self.symmetries)) for tuple_ in self.tuples),
            "weights": int(self.weights.shape[1]),
            "tables": len(self.weights),
            "weights_not_0": int(np.count_nonzero(self.weights)),
            "least_weight": float(self.weights.min()),
            "greatest_weight": float(self.weights.max()),
        }

    def header(self) -> dict[str, Any]:
        """What its file says of it."""
        return {
            **self.facts,
            "kind": KIND,
            "game": self.game.id,
            "options": dict(self.game.options),
            "cells": self.cells.text,
            "states": self.cells.num_states,
            "tuples": [list(tuple_) for tuple_ in self.tuples],
            "symmetries": self.symmetries,
            "tables": len(self.weights),
        }

    def save(self, path: str | Path, *, is_float16: bool = False) -> None:
        """Writes what was learnt, as `LearntAgent.save` says. is_float16: as float16, in half of the bytes.

        Raises: OSError; OptionError for weights that are no finite numbers, or too large.
        """
        if not is_float16:
            super().save(path)
            return
        check_finite(self.weights, MOST_HALF)
        AGENTS.write(Path(path), {"weights": self.weights.astype(np.float16)}, self.header())

    def _arrays(self) -> Mapping[str, NDArray[Any] | Pieces]:
        """The weights."""
        check_finite(self.weights)
        return {"weights": self.weights}


class NTupleEvaluation(Evaluation):
    """The values of an agent at the horizon of a search, see `ntuple_evaluation.py`. The weights are not copied."""

    def __init__(self, agent: NTupleAgent) -> None:
        self.agent, self.slower = agent, SLOWER + agent.num_images // 16
        token, row, *tuples, weights, planes, phase = agent.data
        data = token, row, weights, planes, phase, *make_panels(NTuples(*tuples))
        super().__init__(KIND, NTupleValue(scale_of(agent.game)), agent.game, data)

    def __reduce__(self) -> Any:
        return NTupleEvaluation, (self.agent,)


def check_finite(weights: NDArray[np.float32], most: float = MOST_WEIGHT) -> None:
    """Raises OptionError for weights that no file may hold."""
    if not (np.abs(weights) <= most).all():
        raise OptionError("weights that are infinite, no numbers or too large; train with a smaller step_size")


def read_weights(path: Path, arrays: Mapping[str, Any], files: Any, name: str, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Numbers of a file, kept as float32 or float16. Raises SpecError: not there, of another shape, or not finite."""
    is_float16 = name in arrays and arrays[name].dtype == np.float16
    found = files.array_of(path, arrays, name, np.float16 if is_float16 else np.float32, shape)
    array = np.concatenate([np.zeros((0, shape[1]), np.float32), *(found.parts() if isinstance(found, Pieces) else (found,))])
    if not (np.abs(array) <= MOST_WEIGHT).all():
        raise SpecError(f"{path}: {name} that are infinite, no numbers or too large; {files.advice(path)}")
    return array


class Header(AgentHeader, kw_only=True):
    """What the file of an agent says of it."""

    pays: None
    cells: str
    states: int
    tuples: list[list[Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]]]
    symmetries: bool
    tables: Annotated[int, msgspec.Meta(ge=1, le=2 * MOST_PHASES)]


def load_ntuple_agent(path: str | Path, game: str | Game | None = None, *, seed: int | None = None) -> NTupleAgent:
    """An agent that `save` wrote; reading it executes nothing. game: None for the one that it has learnt.

    Raises:
        SpecError: no such file, or no such agent, or cells and tuples that the game's board does not have, or weights that are
            no finite numbers.
        UnsupportedGameError: it has learnt another game.
    """
    path = Path(path)
    arrays, header = open_agent(path, KIND)
    found = read_data(header, Header, SpecError, f"the header of an n-tuple network in {path}")
    if game is not None:
        check_game(path, header, get_game(game))
    tuples = [tuple(cells) for cells in found.tuples]
    try:
        cells = game_cells(get_game(found.game, **found.options), found.cells)
        if cells.num_states != found.states:
            raise SpecError(f"{path}: cells of {found.states} states, {cells!r} have {cells.num_states}; {advice(path)}")
        if cells.game.num_seats != 2:
            raise UnsupportedGameError(f"{cells.game.id} has {cells.game.num_seats} seats")
        count = check_tuples(cells, tuples, arrays=max(2, found.tables))
        weights = read_weights(path, arrays, AGENTS, "weights", (found.tables, count))
        facts = {name: value for name, value in header.items() if name not in FILE_FIELDS}
        return NTupleAgent(cells, tuples, weights, facts, symmetries=found.symmetries, seed=seed, spec=f"file:{path}")
    except SpecError:
        raise
    except (BoardgymError, TypeError) as error:
        raise SpecError(f"{path}: {error}; {advice(path)}") from None


def make_ntuple(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> NTupleAgent:
    """`ntuple:PATH`. Raises SpecError, UnsupportedGameError."""
    refuse_extras(spec)
    return load_ntuple_agent(spec.argument, game, seed=seed)


def _restore(
    game: Game,
    cells: str,
    tuples: Sequence[Tuple],
    weights: NDArray[np.float32],
    facts: dict[str, Any],
    symmetries: bool,
    spec: str,
    epsilon: float,
    rng: NDArray[np.uint64],
) -> NTupleAgent:
    """An agent from its copy or pickle; its stream goes on where it was."""
    agent = NTupleAgent(game_cells(game, cells), tuples, weights, facts, symmetries=symmetries, seed=0, spec=spec)
    agent.epsilon, agent.rng = epsilon, rng.copy()
    return agent
