"""Feature maps: counts against the rules themselves, hand-made positions, names, settings in words."""

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.networks.feature_maps import feature_map, feature_maps, register_feature_map
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.games.abalone import hexagon as hx
from boardgym.games.abalone.two import Abalone

GAME = "Abalone-v0"


def played(game, plies, seed):
    board = Board(game, seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        if board.is_terminal:
            break
        board.push(int(rng.choice(board.legal_actions)))
    return board


def cells(board, seat):
    own, other = board.position.own, board.position.other
    return set(hx.bits_of(own if seat == board.to_play else other))


def counted(board, seat):
    """The marbles of both sides by region, protected ones, distances, threatened ones; by cells, not by words."""
    found = {}
    for who, mine in (("own", cells(board, seat)), ("other", cells(board, 1 - seat))):
        distance = [hx.DISTANCE[cell] for cell in mine]
        neighbours = {cell: [hx.neighbour(cell, d) for d in range(6)] for cell in mine}
        found[who] = {
            "centre": sum(d <= 1 for d in distance),
            "middle": sum(2 <= d <= 3 for d in distance),
            "border": sum(d == 4 for d in distance),
            "protected": sum(all(n in mine for n in neighbours[cell]) for cell in mine),
            "distance": sum(distance) / len(mine),
        }
    return found


def threatened(board, seat):
    """Marbles of a seat that some reply of the other pushes off: by playing every reply of the other side."""
    position = board.position
    if position.seat == seat:  # as if the other were to play
        position = type(position)(position.other, position.own, position.other_score, position.own_score, 1 - seat, 0)
    probe = Board(board.game)
    probe.set_position(position, check=False)
    lost = set()
    for action in probe.legal_actions:
        direction, _, length, _ = hx.ACTIONS[action]
        before = probe.position.other_score, probe.position.own_score
        probe.push(action)
        if probe.position.other_score != before[1] and length == 1:  # the one at the rim, in the direction of the push
            cell = hx.ACTIONS[action][3]
            while hx.neighbour(cell, direction) is not None:
                cell = hx.neighbour(cell, direction)
            lost.add(cell)
        probe.pop()
    return len(lost)


@pytest.mark.parametrize("seed", range(6))
def test_counts_are_those_of_the_cells(seed):
    board = played(GAME, 60 + 37 * seed, seed)
    maps = {name: feature_map(name, GAME) for name in ("espacial", "atributos", "atributos(lists=1)", "differences")}
    for seat in (0, 1):
        want = counted(board, seat)
        own, other = want["own"], want["other"]
        position = board.position
        won, lost = position.own_score, position.other_score
        if position.seat != seat:
            won, lost = lost, won
        sides = [[side[name] for name in ("centre", "middle", "border")] for side in (own, other)]
        assert maps["espacial"](board, seat).tolist() == [*sides[0], lost, *sides[1], won]
        off = {f"{side} pushed off": 14 - sum(sides[k]) for k, side in enumerate(("own", "other"))}
        by_name = dict(zip(maps["espacial"].names, maps["espacial"](board, seat), strict=True))
        assert {name: by_name[name] for name in off} == off  # whose marbles they are, as the names say
        in_danger, can_push = threatened(board, seat), threatened(board, 1 - seat)
        common = [own["protected"], own["distance"], in_danger]
        regions = [own["centre"], other["centre"], own["middle"], other["middle"]]
        assert maps["atributos"](board, seat) == pytest.approx([*regions, other["border"], won - lost, *common])
        assert maps["atributos(lists=1)"](board, seat) == pytest.approx([*regions, lost, won, *common])
        assert maps["differences"](board, seat) == pytest.approx(
            [
                (own["centre"] - other["centre"]) / 7,
                (own["middle"] - other["middle"]) / 14,
                (own["border"] - other["border"]) / 14,
                (own["protected"] - other["protected"]) / 14,
                (other["distance"] - own["distance"]) / 4,
                (won - lost) / 6,
                can_push / 6,
                -in_danger / 6,
            ]
        )
        colours = np.zeros(61)
        for cell in range(61):
            colours[cell] = (cell in cells(board, 1)) - (cell in cells(board, 0))
        by_black, by_white = (won, lost) if seat == 0 else (lost, won)
        tail = [float(by_white > k) for k in range(6)] + [float(by_black > k) for k in range(6)]
        assert feature_map("directo", GAME)(board, seat).tolist() == [*colours, *tail]
        assert feature_map("cells(is_relative=0)", GAME)(board, seat).tolist() == colours.tolist()
        assert feature_map("cells", GAME)(board, seat).tolist() == (colours if seat == 1 else -colours).tolist()


def formed(mine, theirs):
    """Of one side, cell by cell: beyond each ring, in corners, neighbours, in lines, inside, between two of the other side."""
    around = {cell: [hx.neighbour(cell, d) for d in range(6)] for cell in mine}
    return np.array(
        [
            *(sum(hx.DISTANCE[cell] > ring for cell in mine) for ring in range(4)),
            sum(hx.NAME[cell] in ("a1", "a5", "e1", "e9", "i5", "i9") for cell in mine),
            sum(n in mine for cell in mine for n in around[cell]) // 2,
            sum(around[cell][d] in mine and around[cell][d + 3] in mine for cell in mine for d in range(3)),
            sum(all(n in mine for n in around[cell]) for cell in mine),
            sum(around[cell][d] in theirs and around[cell][d + 3] in theirs for cell in mine for d in range(3)),
        ]
    )


@pytest.mark.parametrize("seed", range(4))
def test_formation_is_counted_by_cells(seed):
    board = played(GAME, 70 + 31 * seed, seed)
    for seat in (0, 1):
        mine, theirs = cells(board, seat), cells(board, 1 - seat)
        ahead = (formed(mine, theirs) - formed(theirs, mine)) * ([-1] * 5 + [1] * 4) / ([4] * 4 + [2, 8, 8, 2, 2])
        position = board.position
        won = position.own_score - position.other_score
        rest = [won if position.seat == seat else -won, threatened(board, 1 - seat), -threatened(board, seat)]
        assert feature_map("formation", GAME)(board, seat).tolist() == [*ahead, *(np.array(rest) / 2)]


def test_formation_of_two_walls():
    """Black e3-e5 and d4, white d5, e6, e7: two lines of neighbours, a white marble between black ones, nobody at the rim."""
    words = (hx.word_of(hx.BIT_OF[name] for name in names) for names in (("e3", "e4", "e5", "d4"), ("d5", "e6", "e7")))
    board = Board(GAME)
    board.set_position(board.game.position_class(*words, 3, 1, 0, 0), check=False)
    inputs = dict(zip(feature_map("formation", GAME).names, feature_map("formation", GAME)(board, 0), strict=True))
    assert inputs["closer than ring 1"] == (3 - 3) / 4  # black has e5 in the centre and three beyond it, white three
    assert inputs["closer than ring 2"] == (1 - 1) / 4  # e3 and e7
    assert inputs["pairs"] == (4 - 2) / 8  # e3e4, e4e5, d4e4, d4e5; d5e6, e6e7
    assert inputs["lines"] == 1 / 8  # e4, between e3 and e5
    assert inputs["material"] == 1.0
    assert inputs["wedges"] == inputs["protected"] == inputs["corners"] == inputs["can push off"] == inputs["threatened"] == 0.0


def test_scaled_and_signed():
    board = played(GAME, 90, 3)
    plain, signed = feature_map("atributos", GAME)(board, 0), feature_map("atributos(is_signed=1)", GAME)(board, 0)
    assert (signed - np.array([1, -1, 1, -1, -1, 1, 1, -1, -1]) * plain).tolist() == pytest.approx([0, 0, 0, 0, 0, 0, 0, 4, 0])
    scaled = feature_map("atributos(is_scaled=1)", GAME)(board, 0)
    assert scaled == pytest.approx(plain / [7, 7, 14, 14, 14, 6, 14, 4, 6])
    assert feature_map("espacial(centre=2)", GAME)(board, 0)[:3].sum() == feature_map("espacial", GAME)(board, 0)[:3].sum()
    assert feature_map("espacial(centre=2)", GAME)(board, 0)[0] > feature_map("espacial", GAME)(board, 0)[0]


def test_pushes_of_three_against_two_threaten_one_marble():
    """b2, b3, b4 push against b5 and b6: b6 falls. b3, b4 alone could push one marble, not two."""
    black, white = (hx.word_of(hx.BIT_OF[name] for name in names) for names in (("b2", "b3", "b4"), ("b5", "b6")))
    board = Board(GAME)
    board.set_position(board.game.position_class(black, white, 0, 0, 0, 0), check=False)
    assert feature_map("atributos", GAME)(board, 1)[8] == 1
    board.set_position(board.game.position_class(black ^ 1 << hx.BIT_OF["b2"], white, 0, 0, 0, 0), check=False)
    assert feature_map("atributos", GAME)(board, 1)[8] == 0


def test_backgammon_begins_as_the_text_books_have_it():
    found = feature_map("tesauro", "Backgammon-v0")
    board = Board("Backgammon-v0", seed=1)
    inputs = dict(zip(found.names, found(board, 0), strict=True))
    assert len(inputs) == 198
    assert [inputs[f"own 6: {unit}"] for unit in ("1", "2", "3", "more")] == [1, 1, 1, 1]  # five men
    assert [inputs[f"own 24: {unit}"] for unit in ("1", "2", "3", "more")] == [1, 1, 0, 0]
    assert [inputs[f"other 19: {unit}"] for unit in ("1", "2", "3", "more")] == [1, 1, 1, 1]  # its own 6
    assert inputs["own turn"] + inputs["other turn"] == 1
    board = played("Backgammon-v0", 70, 2)
    for seat in (0, 1):
        inputs = dict(zip(found.names, found(board, seat), strict=True))
        for side in ("own", "other"):
            men = sum(
                inputs[f"{side} {p}: {unit}"] * (2 if unit == "more" else 1)
                for p in range(1, 25)
                for unit in ("1", "2", "3", "more")
            )
            assert men + 2 * inputs[f"{side} bar"] + 15 * inputs[f"{side} off"] == pytest.approx(15)
    mirrored = dict(zip(found.names, found(board, 1), strict=True))
    inputs = dict(zip(found.names, found(board, 0), strict=True))
    assert mirrored["own bar"] == inputs["other bar"]
    assert mirrored["own 3: 1"] == inputs["other 22: 1"]


@pytest.mark.parametrize("game", ["TicTacToe-v0", "Othello-v0", "Abalone-v0"])
def test_planes_are_the_observation(game):
    board, found = played(game, 3, 1), feature_map("planes(scale=2)", game)
    assert found(board, 0).tolist() == (board.observation(0).ravel() / 2).tolist()
    assert len(found.names) == len(set(found.names)) == board.observation(0).size


def test_maps_are_named_and_refused_in_words():
    # at least: a process may have registered maps of its own, as a page of the documentation does
    assert {"planes", "directo", "cells", "espacial", "atributos", "differences"} <= set(feature_maps(GAME))
    assert feature_maps("Othello-v0") == ("planes", "othello_bits", "othello_signs")
    assert feature_map(" atributos( centre = 2 , lists=0)", GAME).text == "atributos(centre=2)"
    for name in feature_maps(GAME):
        found = feature_map(name, GAME)
        assert len(found.names) == len(found(Board(GAME), 0))
    for text, message in (
        ("atributo", "did you mean 'atributos'"),
        ("atributos(center=1)", "did you mean 'centre'"),
        ("atributos(centre=3)", "expected a whole number from 1 to 2"),
        ("atributos(centre=far)", "expected centre= and a whole number, not 'far'"),
        ("atributos(centre=0.5)", "expected centre= and a whole number, not '0.5'"),
        (f"atributos(centre={10**20})", "expected a whole number from 1 to 2"),
        (f"planes(scale={'9' * 400})", "expected a number from 1e-06 to 1e+06"),
        (f"planes{' ' * 50_000}!", "feature map 'planes     "),
        ("atributos(centre", "feature map 'atributos(centre'"),
        ("directo(scale=1)", "no setting 'scale'"),
        ("tesauro(x=1)", "it has none"),
    ):
        with pytest.raises(OptionError) as caught:
            feature_map(text, "Backgammon-v0" if text.startswith("tesauro") else GAME)
        assert message in str(caught.value)
    with pytest.raises(UnsupportedGameError, match="'atributos' is not for Othello-v0; it has planes"):
        feature_map("atributos", "Othello-v0")
    with pytest.raises(UnsupportedGameError, match="was given a board of TicTacToe-v0"):
        feature_map("planes", GAME)(Board("TicTacToe-v0"), 0)
    with pytest.raises(OptionError, match="expected a new name"):
        register_feature_map("planes", Abalone, lambda settings, game: ())
    with pytest.raises(OptionError, match="'atributos' is the usual one of Abalone already"):
        register_feature_map("mine", Abalone, lambda settings, game: (), position_class=Abalone, usual_option=())


def test_the_text_of_a_map_has_every_digit():
    """An agent's file holds it: whoever loads it has the same map."""
    for text in ("planes(scale=0.123456789012)", "atributos(centre=2, is_scaled=1)", "atributos"):
        assert feature_map(text, GAME).text == text
        assert feature_map(feature_map(text, GAME).text, GAME).settings == feature_map(text, GAME).settings
