"""Claims 2, 3 and 8 of the Othello study: the networks, the schedule, and agents that are saved and play again."""

from itertools import product
from typing import Any

import numpy as np

from boardgym.baselines.arena.match import Match, play_match
from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.q_network.config import read_temperature
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.compile import plain
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.learners import HIDDEN, config_of
from boardgym.studies.othello_q.plans import (
    FILES_SEEDS,
    FULL_GAMES,
    GAME,
    LEAST_TEMPERATURE,
    NETWORKS_SEEDS,
    OPENINGS,
    PLANS,
    SWITCH,
    seed_of,
)
from boardgym.studies.othello_q.rules import cells_of
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.verdicts import Found

SHAPES = {"single": ([64, 44, 64], 1, 5632, 5740), "multi": ([64, 36, 1], 64, 149_760, 152_128)}  # a seat's
SPAN, ROUNDED = 0.1, 1e-12
PLIES_IN = 20  # of the position at which values are compared
GREEDY_GAMES, STILL = 30, 1e-300  # a learning rate that moves nothing
PARTNERS = ("random", "positional", "mobility", "minimax:2")
GAMES = 10  # of a match


def expected_values(nets: Any, seat: int, inputs: Any, actions: list[int], hidden: int) -> list[float]:
    """Q(s, a) by equations (10), (11) and (13) in NumPy. nets: the weights of an agent."""
    first, second, biases = nets.weights
    found = []
    for action in actions:
        group = action if first.shape[1] > 1 else 0
        weights, bias = first[seat, group, :-1, :hidden], first[seat, group, -1, :hidden]
        units = np.tanh(bias + inputs @ weights)
        total = biases[seat, action] + units @ second[seat, action, :hidden]
        found.append(float(np.tanh(total)))
    return found


def network_facts(network: str) -> dict[str, Any]:
    """Of untrained networks of a kind: their statistics, and how far values are from those in NumPy, of both colours."""
    agent = QNetwork(config_of(network, FULL_GAMES, 1)).agent()
    rng, furthest, seats = np.random.default_rng(seed_of(NETWORKS_SEEDS)), 0.0, set()
    board = Board(GAME)
    for _ in range(PLIES_IN):
        cells, side = cells_of(board)
        actions = list(board.legal_actions)
        if actions[0] < len(cells):
            values = agent.analyse(board).action_values
            ours = expected_values(agent.nets, board.to_play, side * np.array(cells, float), actions, HIDDEN[network])
            furthest = max(furthest, *(abs(values[a] - value) for a, value in zip(actions, ours, strict=True)))
            seats.add(board.to_play)
        board.push(int(rng.choice(actions)))
    return {**agent.statistics(), "furthest": furthest, "seats_compared": len(seats)}


def check_networks(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """Of both kinds."""
    return {"networks": {network: network_facts(network) for network in HIDDEN}}


def plays_alike(temperature: float) -> bool:
    """Whether all games of a training that moves no weight have one result and one length, at a temperature."""
    options = {"temperature": repr(temperature), "learning_rate": STILL, "never_greedy": True}
    training = QNetwork(config_of("single", GREEDY_GAMES, 1, **options))
    training.play_to(GREEDY_GAMES)
    return len({tuple(row[1:5]) for row in training.curve()}) == 1  # won, drawn, lost and plies of each game


def check_schedule(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """T at the first game and on both sides of the switch; how games go below and at c; the shares of shorter trainings."""
    plan, full = PLANS[size], read_temperature(config_of("single", FULL_GAMES, 1))
    shares = {}
    for games in (FULL_GAMES, plan.single.games, plan.multi.games, plan.short.games):
        own = read_temperature(config_of("single", games, 1))
        low, high = 0, games
        while low < high:  # the first game below c
            middle = (low + high) // 2
            low, high = (low, middle) if plain(rate_at)(own, middle) < LEAST_TEMPERATURE else (middle + 1, high)
        shares[str(games)] = low
    values = [float(plain(rate_at)(full, game)) for game in (0, SWITCH - 1, SWITCH)]
    alike = [plays_alike(temperature) for temperature in (0.999 * LEAST_TEMPERATURE, LEAST_TEMPERATURE)]
    return {"temperatures": values, "switches": shares, "alike": alike}


def moves_of(match: Match) -> list[Any]:
    """The moves of all games."""
    return [game.record.moves for game in match.games]


def check_files(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """Agents of both kinds, saved and read again: the same play as before, and games against all others."""
    files, same, games, forfeits = {}, {}, 0, 0
    for network in HIDDEN:
        training = QNetwork(config_of(network, PLANS[size].short.games, 1))
        training.play_to(GREEDY_GAMES)
        agent, path = training.agent(), place.folder / f"{network}.safetensors"
        agent.save(path)
        files[network] = f"file:{path}"
        make_policy(files[network], GAME)
        both = [
            play_match(one, "positional", GAME, games=GAMES, openings=OPENINGS, seed=seed_of(FILES_SEEDS, 0), progress=False)
            for one in (agent, files[network])
        ]
        same[network] = moves_of(both[0]) == moves_of(both[1])
    pairs = [(spec, other) for spec, other in product(files.values(), (*PARTNERS, *files.values())) if spec != other]
    for a, b in pairs:
        match = play_match(a, b, GAME, games=GAMES, openings=OPENINGS, seed=seed_of(FILES_SEEDS, 1), progress=False)
        games += len(match.games)
        forfeits += sum(game.record.forfeit is not None for game in match.games)
    return {"same": same, "pairs": len(pairs), "games": games, "forfeits": forfeits}


# ---------------------------------------------------------------- verdicts and page


def shapes_are_the_studys(figures: Figures) -> Found:
    """Sizes, counts with and without biases, the range of the weights, and equations (10), (11) and (13)."""
    ones, flags, texts = figures["networks"][0]["networks"], [], []
    for network, (sizes, groups, without, whole) in SHAPES.items():
        one = ones[network]
        flags += [one["sizes"] == sizes, one["networks_of_a_seat"] == groups, one["seats"] == 2, one["seats_compared"] == 2]
        flags += [one["weights_without_biases"] == without, one["weights"] == whole, one["furthest"] <= ROUNDED]
        flags += [-SPAN <= one["least_weight"] < 0 < one["greatest_weight"] <= SPAN]
        texts.append(
            f"{network}: {one['networks_of_a_seat']} of {'-'.join(map(str, one['sizes']))} for each colour, "
            f"{one['weights_without_biases']:,} weights, {one['weights']:,} with biases, from {one['least_weight']:.4f} to "
            f"{one['greatest_weight']:.4f}; values within {one['furthest']:.0e} of the equations"
        )
    return ("shown" if all(flags) else "not shown"), "; ".join(texts)


def schedule_is_the_studys(figures: Figures) -> Found:
    """T is 1 at first and falls below c at the game of the formula, at that share of shorter trainings; then play is greedy."""
    one = figures["schedule"][0]
    first, before, then = one["temperatures"]
    switches = {int(games): switch for games, switch in one["switches"].items()}
    shares = [switch / games for games, switch in switches.items()]
    flags = (
        first == 1.0,
        then < LEAST_TEMPERATURE <= before,
        one["switches"][str(FULL_GAMES)] == SWITCH,
        all(abs(switch - games * SWITCH / FULL_GAMES) <= 1.0 for games, switch in switches.items()),
        one["alike"] == [True, False],
    )
    text = (
        f"T is {first:g} at first, {before:.9f} at game {SWITCH - 1:,} and {then:.9f} at game {SWITCH:,}; games of networks "
        f"that do not learn are all alike just below c: {one['alike'][0]}, at c: {one['alike'][1]}; shorter trainings are "
        f"greedy from {min(shares):.4f} to {max(shares):.4f} of their games on"
    )
    return ("shown" if all(flags) else "not shown"), text


def agents_play_again(figures: Figures) -> Found:
    """Files give the same games, and no game is forfeited. The human player comes with the graphical program."""
    one = figures["files"][0]
    is_shown = all(one["same"].values()) and one["games"] == GAMES * one["pairs"] and not one["forfeits"]
    text = (
        f"games of saved agents are the same: {', '.join(f'{k} {v}' for k, v in one['same'].items())}; {one['pairs']} pairings "
        f"of both colours with {', '.join(PARTNERS)} and each other, {one['games']} games, {one['forfeits']} forfeited; "
        "without the human player"
    )
    return ("shown" if is_shown else "not shown"), text


def page(figures: Figures) -> list[str]:
    """Counts, the study's beside ours."""
    rows = []
    for found in figures.get("networks", ()):
        for network, (sizes, groups, without, _) in SHAPES.items():
            one = found["networks"][network]
            study = f"{groups} of {'-'.join(map(str, sizes))}"
            rows.append([network, study, f"{without:,}", f"{one['weights_without_biases']:,}", f"{one['weights']:,}"])
    head = ("kind", "networks of a colour", "parameters, study", "here without biases", "with biases")
    return table(head, rows) if rows else []


NETWORKS = Part(
    name="networks",
    title="Claims 2, 3 and 8: networks, schedule and saved agents",
    works={
        "networks": Work(check_networks, is_seeded=False, holds=("networks",)),
        "schedule": Work(check_schedule, is_seeded=False, holds=("temperatures", "switches", "alike")),
        "files": Work(check_files, is_seeded=False, holds=("same", "pairs", "games", "forfeits")),
    },
    lines=page,
    claims=(
        Claim(2, "networks are 64-44-64 and 64 of 64-36-1, tanh, with weights within 0.1", shapes_are_the_studys,
              ("networks",), of_any_size=True),
        Claim(3, "T is 1 at first and below c after about 12.4 million games, where play is greedy", schedule_is_the_studys,
              ("schedule",), of_any_size=True),
        Claim(8, "agents are saved, read again, and play all others", agents_play_again, ("files",), of_any_size=True),
    ),
    readings=(
        ("biases", "in the equations, not in the counts", "included; both counts are reported"),
        ("the learning rate", "in the target and in back-propagation", "both, literally: about 0.01 in effect"),
        ("s'", "the new state", "the next state in which the same learner is to move; a pass is no action"),
        ("max over a'", "all actions", "legal ones"),
        ("errors of other outputs", "are not mentioned", "none: the played action's output alone learns"),
    ),
    made_of=(2, GREEDY_GAMES, GAMES, PARTNERS),
)  # fmt: skip
