"""What the study of UCT-CCNN prints: its tables 5.3 to 5.9, and the constants that it tuned."""

from typing import NamedTuple

CONSTANTS = {"othello": 0.780941, "morris": 0.587104}  # section 5.2
EXAMPLES = {  # table 5.3: (to train with, to test with) by game and setting
    ("othello", "200"): (149_876, 16_653),
    ("othello", "600"): (144_219, 16_024),
    ("morris", "200"): (167_360, 18_596),
    ("morris", "600"): (258_260, 28_696),
}
NETWORKS = {  # table 5.4: (hidden units, test error as FANN has it, a quarter of the mean squared error)
    ("othello", "200"): (51, 0.015167),
    ("othello", "600"): (47, 0.012592),
    ("morris", "200"): (34, 0.015397),
    ("morris", "600"): (37, 0.017419),
}


class Cell(NamedTuple):
    """A configuration of NeuralMinimax or NeuralMCTS.

    won, drawn, lost: games. low, high: the printed interval of the share won, in percent.
    """

    won: int
    drawn: int
    lost: int
    low: float
    high: float

    @property
    def games(self) -> int:
        """All."""
        return self.won + self.drawn + self.lost

    @property
    def text(self) -> str:
        """As printed: counts and interval."""
        return f"{self.won}-{self.drawn}-{self.lost} ({self.low:g}; {self.high:g})"


ALL, NONE = Cell(100, 0, 0, 96.4, 100.0), Cell(0, 0, 100, 0.0, 3.6)
MINIMAX: dict[tuple[str, str], dict[tuple[bool, int], Cell]] = {  # tables 5.5 to 5.8: by (NeuralMinimax starts, height)
    ("othello", "200"): {
        **{(False, height): ALL if height == 3 else NONE for height in (3, 4, 5, 6, 7)},
        **{(True, height): ALL if height == 6 else NONE for height in (3, 4, 5, 6, 7)},
    },
    ("othello", "600"): {
        **{(False, 3): NONE, (False, 4): NONE, (False, 5): Cell(57, 0, 43, 46.7, 66.9), (False, 6): ALL, (False, 7): ALL},
        **{(True, height): NONE for height in (3, 4, 5)},
        **{(True, 6): ALL, (True, 7): Cell(30, 0, 70, 21.2, 40.0)},
    },
    ("morris", "200"): {
        (False, 3): Cell(45, 0, 55, 35.0, 55.3),
        (False, 4): Cell(0, 17, 83, 0.0, 3.6),
        (False, 5): Cell(0, 15, 85, 0.0, 3.6),
        (False, 6): Cell(6, 1, 93, 2.2, 12.6),
        (True, 3): NONE,
        (True, 4): Cell(5, 11, 84, 1.6, 11.3),
        (True, 5): Cell(5, 4, 91, 1.6, 11.3),
        (True, 6): NONE,
    },
    ("morris", "600"): {
        (False, 3): ALL,
        (False, 4): Cell(0, 4, 96, 0.0, 3.6),
        (False, 5): Cell(65, 35, 0, 54.8, 74.3),
        (False, 6): Cell(0, 3, 97, 0.0, 3.6),
        (True, 3): NONE,
        (True, 4): Cell(0, 4, 96, 0.0, 3.6),
        (True, 5): Cell(0, 1, 99, 0.0, 3.6),
        (True, 6): Cell(1, 9, 90, 0.0, 5.4),
    },
}
TABLES = {("othello", "200"): "5.5", ("othello", "600"): "5.6", ("morris", "200"): "5.7", ("morris", "600"): "5.8"}
MCTS: dict[tuple[str, bool], Cell] = {  # table 5.9: by (game, NeuralMCTS starts), of the networks of 600 s
    ("othello", False): Cell(156, 6, 38, 71.6, 83.5),
    ("othello", True): Cell(154, 3, 43, 70.5, 82.6),
    ("morris", False): Cell(60, 61, 79, 23.7, 36.9),
    ("morris", True): Cell(31, 50, 119, 10.8, 21.3),
}


def cells() -> list[tuple[str, Cell]]:
    """All of tables 5.5 to 5.9, each with where it stands."""
    found = [
        (f"table {TABLES[key]}, height {height}{', starts' if starts else ''}", cell)
        for key, table in MINIMAX.items()
        for (starts, height), cell in table.items()
    ]
    return [*found, *((f"table 5.9, {game}{', starts' if starts else ''}", cell) for (game, starts), cell in MCTS.items())]
