"""Moves, whole plays, rolls and position strings of backgammon, to and from text."""

import base64
import contextlib
import itertools
import re
from typing import Any

import numpy as np

from boardgym.compile import plain
from boardgym.core.errors import NotationError
from boardgym.core.verbs import CHANCE
from boardgym.games.backgammon.rules import (
    BAR,
    PASS,
    apply,
    count,
    free_points,
    legal_actions,
    occupied,
    pile,
    sources,
    to_play,
)

START = "-b----E-C---eE---c-e----B-"
EXAMPLE = f"{START} x 31"


def men_of(position: Any) -> tuple[list[int], list[int]]:
    """How many men seat 0 and seat 1 have on each number: two lists of 26."""
    own = [plain(count)(position.own_low, position.own_high, number) for number in range(26)]
    other = [plain(count)(position.other_low, position.other_high, number) for number in range(26)]
    return (own, other) if position.seat == 0 else (other, own)


def dice_of(position: Any) -> list[int]:
    """The dice left to play, the higher first."""
    return [die for die in (6, 5, 4, 3, 2, 1) for _ in range(position.dice >> (4 * die) & 15)]


def step_of(action: int) -> tuple[int, int, int]:
    """(source, die, target) of an action that moves a man."""
    source, die = action // 6 + 1, action % 6 + 1
    return source, die, max(source - die, 0)


def actions_of(position: Any) -> list[int]:
    """The legal actions as a list."""
    legal = np.empty(30, np.int64)
    return legal[: plain(legal_actions)(position, legal)].tolist()


def die_off(position: Any, source: int) -> int:
    """The die that bears a man off: the smallest that legally does; the smallest that would reach, if none does."""
    dice = [die for die in dice_of(position) if die >= source][::-1]
    legal = actions_of(position) if len(set(dice)) == 2 else ()
    return next((die for die in dice if 6 * source - 7 + die in legal), dice[0] if dice else source)


def move_text(position: Any, action: int) -> str:
    if not position.dice:
        return f"{action // 6 + 1}-{action % 6 + 1}"
    if action == PASS:
        return "pass"
    source, die, target = step_of(action)
    text = f"{'bar' if source == BAR else source}/{target or 'off'}"
    if target == 0:
        return f"{text}:{die}" if die != die_off(position, source) else text
    return text + "*" * is_hit(position, target)


def is_hit(position: Any, target: int) -> bool:
    """Whether a man of the other's stands on a point, in the numbers of the side to play, so that a move there hits it."""
    return target > 0 and plain(count)(position.other_low, position.other_high, 25 - target) > 0


def parse_roll(position: Any, text: str) -> int:
    """The outcome that "3-1" names."""
    match = re.fullmatch(r"([1-6])-?([1-6]):?", text)
    if match is None or (position.opening and match[1] == match[2]):
        dice = "two different dice, that of seat 0 first" if position.opening else "two dice"
        raise NotationError(f"{text!r} is no roll; expected {dice}, as in '3-1'")
    first, second = match[1], match[2]
    if not position.opening:
        first, second = max(first, second), min(first, second)
    return 6 * int(first) - 7 + int(second)


def parse_move(position: Any, text: str) -> int:
    move = text.strip().lower()
    if plain(to_play)(position) == CHANCE:
        return parse_roll(position, move)
    if move == "pass":
        return PASS
    match = re.fullmatch(r"(bar|[0-9]{1,2})/(off|[0-9]{1,2})\*?(?::([1-6]))?", move)
    if match is None:
        raise NotationError(f"{text!r}: expected one man's move such as '8/5', 'bar/22', '6/off' or 'pass'")
    source = BAR if match[1] == "bar" else int(match[1])
    target = 0 if match[2] == "off" else int(match[2])
    die = source - target
    if target == 0:
        die = int(match[3] or die_off(position, source))
    if not 1 <= source <= BAR or not max(source - target, 1) <= die <= 6 or match[3] not in (None, str(die)):
        raise NotationError(f"{text!r}: no die moves a man from {match[1]} to {match[2]}")
    if "*" in move and not is_hit(position, target):
        raise NotationError(f"{text!r}: no man to hit on {match[2]}; expected no '*'")
    return 6 * source - 7 + die


def parse_turn(position: Any, text: str) -> tuple[int, ...]:
    """The actions of a roll or one man's move, or else of a whole play as `parse_play` reads it: tuple of int."""
    try:
        action = parse_move(position, text)
    except NotationError:
        if plain(to_play)(position) == CHANCE:
            raise
        return parse_play(position, text)
    if plain(to_play)(position) != CHANCE and action not in actions_of(position):
        with contextlib.suppress(NotationError):  # "8/5" may be a play by 2 and 1 too
            return parse_play(position, text)
    return (action,)


def parse_play(position: Any, text: str) -> tuple[int, ...]:
    """The actions of a whole turn, tuple of int, such as "8/5 6/5", "8/5,6/5", "24/18*/13", "6/4(2) bar/24" or "pass".

    Men may be named in any order; 25 and 0 stand for the bar and off too. Where men could go by two ways, the one taken
    hits on the starred points, without stars on none but those that the text names.

    Raises:
        NotationError: the text cannot be read, or is no legal play of all that the roll allows.
    """
    ways: list[tuple[int, int]] = []
    named: set[int] = set()
    starred: set[int] = set()
    for part in [] if text.strip().lower() in ("", "pass") else re.split(r"\s*,\s*|\s+", text.strip().lower()):
        match = re.fullmatch(r"((?:bar|[0-9]{1,2})(?:/(?:off|[0-9]{1,2})\*?)+)(?:\(([1-4])\)(\*?))?", part)
        if match is None:
            raise NotationError(f"{part!r} in {text!r}: expected moves such as '8/5', 'bar/22*', '6/off' or '6/4(2)'")
        stops = [(stop.rstrip("*"), stop.endswith("*")) for stop in (match[1] + (match[3] or "")).split("/")]
        numbers = [{"bar": BAR, "off": 0}[stop] if stop.isalpha() else int(stop) for stop, _ in stops]
        named.update(numbers[1:])
        starred.update(number for number, (_, has_star) in zip(numbers, stops, strict=True) if has_star)
        ways += list(itertools.pairwise(numbers)) * int(match[2] or 1)
    found = find_play(position, tuple(sorted(ways, reverse=True)), starred or named, starred) if len(ways) <= 4 else None
    if found is None:
        raise NotationError(f"{text!r} is no legal play of {to_fen(position)!r}")
    return found


def find_play(
    position: Any, ways: tuple[tuple[int, int], ...], may_hit: set[int], must_hit: set[int]
) -> tuple[int, ...] | None:
    """The first sequence of actions that moves men by `ways` and ends the turn, or None. ways: (source, target) to go."""
    for action in actions_of(position):
        after = type(position)(*plain(apply)(position, action))
        is_over = after.dice == 0
        if action == PASS:
            return (PASS,) if not ways else None
        source, _, target = step_of(action)
        hits = is_hit(position, target)
        if hits and target not in may_hit:
            continue
        missing = must_hit - {target} if hits else must_hit
        for k, (start, goal) in enumerate(ways):
            if start != source or target < goal or ways[:k].count((start, goal)):
                continue
            left = tuple(sorted((*ways[:k], *ways[k + 1 :], *([(target, goal)] if target > goal else [])), reverse=True))
            if is_over:
                if not left and not missing:
                    return (action,)
            elif (rest := find_play(after, left, may_hit, missing)) is not None:
                return (action, *rest)
    return None


def letters_of(position: Any) -> str:
    """The men as XGID writes them."""
    first, second = men_of(position)
    letters = []
    for number in range(26):
        men = first[number] if number else 0
        others = second[25 - number] if number < BAR else 0
        letters.append(chr(ord("A") - 1 + men) if men else chr(ord("a") - 1 + others) if others else "-")
    return "".join(letters)


def to_fen(position: Any) -> str:
    if position.opening:
        return f"{letters_of(position)} - -"
    return f"{letters_of(position)} {'xo'[position.seat]} {''.join(map(str, dice_of(position))) or '-'}"


def xgid(position: Any) -> str:
    """The position as eXtreme Gammon writes it, the cube in the middle, unlimited game.

    That the first roll is due is lost: it reads back as x to roll. A double is four moves to come, as `11` after XGID's
    colons; a position string of ours has four dice there, `1111`, and means by `11` the last two.

    Raises: NotationError half-way through a turn, for which XGID has no signs.
    """
    dice = dice_of(position)
    if len(dice) not in (0, 4 if len(set(dice)) == 1 else 2):
        raise NotationError(f"{to_fen(position)!r}: XGID cannot tell that some of the dice are played")
    return f"XGID={letters_of(position)}:0:0:{1 - 2 * position.seat}:{''.join(map(str, dice[:2])) or '00'}:0:0:0:0:10"


def position_id(position: Any) -> str:
    """GNU Backgammon's position ID, 14 characters: the men of both sides, those of the side to play last.

    The seat and the dice are lost: it reads back as x, with the men of the side to play, to roll.
    """
    own, other = men_of(position)[:: 1 - 2 * position.seat]
    bits = "".join("1" * men + "0" for side in (other, own) for men in side[1:])
    return base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")


def read_id(text: str) -> tuple[list[int], list[int]]:
    """(own, other) of a position ID: two lists of 26. Raises NotationError."""
    try:
        key = base64.b64decode(text + "==", validate=True) if text.isascii() else b""
    except ValueError:
        key = b""
    if len(key) != 10 or base64.b64encode(key).decode().rstrip("=") != text:
        raise NotationError(f"{text!r}: expected a position ID of 14 characters, as '4HPwATDgc/ABMA'")
    bits = f"{int.from_bytes(key, 'little'):080b}"[::-1]
    piles = bits.split("0")
    if "1" in "".join(piles[50:]):
        raise NotationError(f"position ID {text!r}: more men than 25 points and bars of two sides tell of")
    counts = [len(pile) for pile in piles[:50]]
    return [0, *counts[25:]], [0, *counts[:25]]


def read_letters(text: str) -> tuple[list[int], list[int]]:
    """(men of seat 0, men of seat 1) of the 26 letters: two lists of 26. Raises NotationError."""
    if len(text) != 26:
        raise NotationError(f"{text!r}: expected 26 characters, got {len(text)}: bar, points 1 to 24, bar")
    first, second = [0] * 26, [0] * 26
    for number, letter in enumerate(text):
        if letter != "-":
            if not ("A" <= letter <= "O" or "a" <= letter <= "o") or number == (0 if letter.isupper() else BAR):
                side = {0: "'a' to 'o'", BAR: "'A' to 'O'"}.get(number, "'A' to 'O', 'a' to 'o'")
                raise NotationError(f"{text!r}: {letter!r} in place {number}; expected {side} or '-'")
            men = ord(letter.lower()) - ord("a") + 1
            (first if letter.isupper() else second)[number if letter.isupper() else 25 - number] = men
    return first, second


def position_of(
    text: str, men: tuple[list[int], list[int]], seat: int, dice: list[int], position_class: Any, opening: int = 0
) -> Any:
    """A position with so many men of both seats (lists of 26, off not counted). dice: those left to play.

    text: what it was read from. Raises NotationError if no play leads there.
    """
    for side, name in enumerate("xo"):
        if sum(men[side]) > 15:
            raise NotationError(f"{text!r}: {sum(men[side])} men of {name}; a side has 15")
        men[side][0] = 15 - sum(men[side])
    for number in range(1, 25):
        if men[0][number] and men[1][25 - number]:
            raise NotationError(f"{text!r}: men of both sides on point {number} of x, {25 - number} of o")
    words = []
    for side in (seat, 1 - seat):
        low, high = 0, 0
        for number in range(26):
            low, high = plain(pile)(low, high, number, men[side][number])
        words += [low, high]
    if men[seat][0] == 15:
        raise NotationError(f"{text!r}: {'xo'[seat]} has borne off all its men and cannot be to play")
    if men[1 - seat][0] == 15 and dice:
        raise NotationError(f"{text!r}: {'ox'[seat]} has borne off all its men: no dice are left to play")
    if all(side[BAR] and min(men[1 - k][1:7]) > 1 for k, side in enumerate(men)):
        raise NotationError(f"{text!r}: both sides are on the bar against six points held; no play leads there")
    word = sum(1 << (4 * die) for die in dice)
    if len(dice) == 1 or len(dice) == 3 or (len(dice) == 2 and dice[0] == dice[1]):  # some are played already
        mine = plain(occupied)(*words[:2]) & ~1
        if not plain(sources)(mine, plain(free_points)(*words[2:]), dice[0]):
            raise NotationError(f"{text!r}: no man can move by the {dice[0]} left, so that the turn would be over")
    return position_class(*words, seat, word, opening)


def read_roll(text: str, dice: str) -> list[int]:
    """The dice to play of a roll in two digits. Raises NotationError."""
    if not re.fullmatch("[1-6]{2}", dice):
        raise NotationError(f"{text!r}: dice {dice!r}; expected two digits 1 to 6")
    return [int(die) for die in dice] * (2 if dice[0] == dice[1] else 1)


def read_xgid(text: str, position_class: Any) -> Any:
    fields = re.sub("^xgid=", "", text, flags=re.IGNORECASE).split(":")
    if len(fields) != 10 or not all(re.fullmatch("-?[0-9]{1,6}", field) for k, field in enumerate(fields) if k not in (0, 4)):
        raise NotationError(f"{text!r}: expected an XGID of ten fields, as 'XGID={START}:0:0:1:31:0:0:0:0:10'")
    letters, turn, dice = fields[0], fields[3], fields[4]
    if turn not in ("1", "-1"):
        raise NotationError(f"{text!r}: turn {turn!r}; expected 1 or -1")
    if dice in ("D", "B", "R"):
        raise NotationError(f"{text!r}: dice {dice!r}: an answer to a double is due, and there is no doubling cube here")
    left = [] if dice == "00" else read_roll(text, dice)
    return position_of(text, read_letters(letters), 0 if turn == "1" else 1, left, position_class)


def read_fen(text: str, position_class: Any) -> Any:
    parts = text.split() if isinstance(text, str) else []
    if len(parts) == 1 and ":" in parts[0]:
        return read_xgid(parts[0], position_class)
    if len(parts) in (1, 2) and len(parts[0]) == 14:
        return position_of(text, read_id(parts[0]), 0, read_roll(text, parts[1]) if len(parts) == 2 else [], position_class)
    if len(parts) != 3:
        raise NotationError(
            f"position string {text!r}: expected men, side and dice, as in {EXAMPLE!r}, an XGID, or a "
            "position ID and perhaps a roll, as in '4HPwATDgc/ABMA 31'"
        )
    letters, side, dice = parts
    men = read_letters(letters)
    if side == "-":
        if parts != [START, "-", "-"]:
            raise NotationError(f"{text!r}: side to play '-'; expected 'x' or 'o', but for the first roll '{START} - -'")
        return position_of(text, men, 0, [], position_class, opening=1)
    if side not in ("x", "o"):
        raise NotationError(f"{text!r}: side to play {side!r}; expected 'x' or 'o'")
    if not re.fullmatch(r"-|([1-6])\1{0,3}|[1-6]{2}", dice):
        raise NotationError(f"{text!r}: dice {dice!r}; expected '-', one die, two, or up to four of one value")
    return position_of(text, men, "xo".index(side), [] if dice == "-" else [int(die) for die in dice], position_class)
