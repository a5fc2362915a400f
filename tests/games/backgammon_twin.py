"""A slow twin of the rules of backgammon: which men may move, by trying all ways to play the rest of the dice.

And `results`, the ends of all plays of a roll.
"""

import functools

PASS = 150


def twin_sources(own, other, die):
    """The numbers from which a man may go. own, other: tuples of 26, each in the numbers of its side."""
    found = []
    for source in range(1, 26):
        target = source - die
        if not own[source] or (own[25] and source != 25):
            continue
        if target > 0:
            is_legal = other[25 - target] < 2
        else:
            is_legal = not any(own[7:]) and (target == 0 or not any(own[source + 1 :]))
        if is_legal:
            found.append(source)
    return found


def twin_after(own, other, source, die):
    own, other, target = list(own), list(other), max(source - die, 0)
    own[source] -= 1
    own[target] += 1
    if target and other[25 - target]:
        other[25 - target] -= 1
        other[25] += 1
    return tuple(own), tuple(other)


def without(dice, die):
    left = list(dice)
    left.remove(die)
    return tuple(left)


@functools.lru_cache(100_000)
def twin_longest(own, other, dice):
    """How many of the dice can be played."""
    return max(
        (
            1 + twin_longest(*twin_after(own, other, source, die), without(dice, die))
            for die in set(dice)
            for source in twin_sources(own, other, die)
        ),
        default=0,
    )


def twin_actions(own, other, dice):
    longest = twin_longest(own, other, dice)
    found = [
        (source, die)
        for die in set(dice)
        for source in twin_sources(own, other, die)
        if 1 + twin_longest(*twin_after(own, other, source, die), without(dice, die)) == longest
    ]
    if longest == 1 and len(set(dice)) == 2:
        larger = [(source, die) for source, die in found if die == max(dice)]
        found = larger or found
    return sorted(6 * source - 7 + die for source, die in found) or [PASS]


def results(board):
    """The positions that the legal plays of a roll lead to, as a set. board: one that does not roll by itself."""
    seen, found, mover = set(), set(), board.to_play

    def visit():
        for action in board.legal_actions:
            board.push(action)
            position = board.position
            if position not in seen:
                seen.add(position)
                if board.to_play == mover and not board.is_terminal:
                    visit()
                else:
                    found.add(position)
            board.pop()

    visit()
    return found
