"""What check_game says of games whose dice are broken, each in one place. In a process without the compiler."""

import pytest

from tests.support import found_in_plain_python

BROKEN = """
import dataclasses, json
from boardgym.compile import plain
from boardgym.core.verbs import rule
from boardgym.testing import LawBroken, check_game
from boardgym.testing import dice

rolls, moves, seats = plain(dice.chance), plain(dice.legal_actions), plain(dice.to_play)
found = {}

def law_of(name, verb):
    position = type(name, (dice.Dice,), {"__slots__": ()})
    rule(position)(verb)
    start = position(*dice.DICE.start)
    try:
        check_game(dataclasses.replace(dice.DICE, name=name, position_class=position, start=start, setups={}), games=3)
        found[name] = None
    except LawBroken as broken:
        found[name] = broken.law

def broken_roll(change):
    def chance(position, outcomes, probabilities):
        return change(outcomes, probabilities, rolls(position, outcomes, probabilities))
    return chance

def exchange(outcomes, probabilities, count):
    outcomes[0], outcomes[1] = outcomes[1], outcomes[0]
    return count

def repeat(outcomes, probabilities, count):
    outcomes[1] = outcomes[0]
    return count

def beyond(outcomes, probabilities, count):
    outcomes[count - 1] = dice.DICE.num_outcomes
    return count

def negative(outcomes, probabilities, count):
    probabilities[0] = -probabilities[0]
    return count

def lose_a_tenth(outcomes, probabilities, count):
    probabilities[0] *= 0.9
    return count

def legal_actions(position, out):
    count = moves(position, out)
    if count:
        out[count - 1] = dice.DICE.num_actions
    return count

def to_play(position):
    seat = seats(position)
    return 2 if seat == 1 else seat

law_of("Sound", broken_roll(lambda outcomes, probabilities, count: count))
law_of("NoRoll", broken_roll(lambda outcomes, probabilities, count: 0))
law_of("TooMany", broken_roll(lambda outcomes, probabilities, count: dice.DICE.num_outcomes + 1))
law_of("Unsorted", broken_roll(exchange))
law_of("Twice", broken_roll(repeat))
law_of("Beyond", broken_roll(beyond))
law_of("Negative", broken_roll(negative))
law_of("Short", broken_roll(lose_a_tenth))
law_of("AfterTheRoll", legal_actions)
law_of("ThirdSeat", to_play)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def laws_found():
    """What check_game says of each broken game."""
    return found_in_plain_python(BROKEN)


OUTCOMES = "outcomes of chance are ascending, in [0, num_outcomes), at least one"
ODDS = "the probabilities of chance are positive and add up to 1"
LAWS = {
    "Sound": None,
    **dict.fromkeys(("NoRoll", "TooMany", "Unsorted", "Twice", "Beyond"), OUTCOMES),
    **dict.fromkeys(("Negative", "Short"), ODDS),
    "AfterTheRoll": "legal_actions lie in [0, num_actions)",
    "ThirdSeat": "to_play is a seat, or CHANCE while the game goes on",
}


@pytest.mark.once
def test_broken_dice_are_caught(laws_found):
    assert laws_found == LAWS
