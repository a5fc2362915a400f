"""A seat's clock, which an engine keeps for itself: controllers may say how much time is left, but need not."""

MOVES_TO_GO, SHORTEST_S = 30, 0.01  # moves that the time left is shared among; seconds that a move gets at least
SAFE = 0.8  # of what is left for a move: the rest is for being late


class Clock:
    """Seconds for the game, then overtime.

    Args:
        main: for the game; all there is where `period` is 0.
        period: of overtime.
        stones: moves to be played in each period (Canadian overtime).
        periods: if above 0, Japanese overtime in place of it: every move has a whole period, and one that takes longer loses
            as many periods as it takes. Of the last one, what a controller says is left counts.
    """

    def __init__(self, main: float, period: float = 0.0, stones: int = 0, periods: int = 0) -> None:
        self.main, self.period, self.stones, self.is_japanese = main, period, stones, periods > 0
        self.left, self.to_go, self.periods = period, stones, periods

    def share(self) -> float:
        """The seconds for the next move."""
        over = self.period > 0.0 or self.left > 0.0
        if not over:
            return max(self.main / MOVES_TO_GO, SHORTEST_S)
        if self.is_japanese:
            extra = SAFE * (self.left if self.periods == 1 else self.period)
        else:
            extra = share_of(self.left, self.to_go or 1)
        return max(self.main / MOVES_TO_GO, extra, SHORTEST_S)

    def spend(self, seconds: float) -> None:
        """Takes what a move has taken."""
        if self.main > 0.0 and self.main >= seconds:
            self.main -= seconds
            return
        seconds, self.main = seconds - self.main, 0.0
        if self.is_japanese:
            lost = int((self.period - self.left + seconds) / self.period)
            self.periods, self.left = max(self.periods - lost, 1), self.period  # it has lost by then, but plays on
            return
        self.left, self.to_go = max(self.left - seconds, 0.0), self.to_go - 1
        if self.to_go <= 0:
            self.left, self.to_go = self.period, self.stones

    def correct(self, seconds: float, stones: int) -> None:
        """What a controller says is left: in overtime for so many moves, or periods; 0: of the main time."""
        if stones == 0:
            self.main, self.left, self.to_go = seconds, self.period, self.stones
        elif self.is_japanese:
            self.main, self.left, self.periods = 0.0, min(seconds, self.period), stones
        else:
            self.main, self.left, self.to_go = 0.0, seconds, stones


def share_of(left: float, moves: float) -> float:
    """The seconds for one of so many moves, which is not all there is."""
    return min(left / moves, SAFE * left)
