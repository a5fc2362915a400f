"""Alpha-beta below the root: one function that calls itself, made of named parts, with its options at compile time.

What a position is worth is said for the seat that has moved into it, `came`, so that bounds and values turn in one place, where
another seat is to play. A value is a bound where it lies outside of low and high. It is closed if no estimate went into it.
Once the stack's STOPPED is set, nothing that is returned means anything.

`learns`, `options`, `selective` and `rolls` say what the class of the settings has on: each is the settings, or None where
that is off, see `alphabeta_stack.options_of`. Parts that call `search` are `spliced` into it.

Sources: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975 (fail-soft form); killers and history as in J. Schaeffer,
"The history heuristic and alpha-beta search enhancements in practice", 1989; T. A. Marsland, M. Campbell, "Parallel search of
strongly ordered game trees", 1982 (principal variation search); T. Anantharaman, M. S. Campbell, F. Hsu, "Singular extensions:
adding selectivity to brute-force searching", 1990; M. Buro, "ProbCut: an effective selective extension of the alpha-beta
algorithm", 1995; B. W. Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983; T. Hauk, M. Buro, J.
Schaeffer, "*-Minimax performance in backgammon", 2004.
"""

from boardgym.baselines.search.alphabeta_stack import (
    BEYOND,
    BY_HEURISTIC,
    CUT,
    CUTOFFS,
    GIVEN,
    HITS,
    LOWER,
    NEARLY_ONE,
    NO_ACTION,
    NONE,
    ONE,
    PROBABILITY,
    STOPPED,
    TINY,
    UPPER,
    begin_turn,
    bring_best,
    drawn_payoff,
    estimate,
    is_known,
    left_after,
    level_scores,
    look,
    must_stop,
    note_killer,
    note_success,
    payoff,
    pick_move,
    rate_by_evaluation,
    rate_moves,
    repeats,
    take_line,
)
from boardgym.baselines.search.table import EXACT, find_entry, read_entry, store_entry
from boardgym.baselines.search.table import LOWER as AT_LEAST
from boardgym.baselines.search.table import UPPER as AT_MOST
from boardgym.compile import inlined, inner, spliced
from boardgym.core import verbs
from boardgym.core.bits import as_int64

SINGULAR_FROM = 3  # plies left below which nothing is found out about the second best
EXTRA_AT = 56  # bit of a table's key at which the extensions that are left go in


# ---------------------------------------------------------------- a position


@inlined
def find_actions(memory, selective, position, came, sign, ply, left, high):
    """Lists the actions to look at. sign: 1.0 if `came` is to play, else -1.0. high: for the seat to play, as what is returned.

    In quiescence these are the noisy ones, and the seat may also stand pat. Returns how many; the value so far; whether that is
    closed; and whether it is the position's.
    """
    actions = memory.stack.actions[ply]
    if selective is not None and left <= 0:
        value, is_closed = estimate(memory, position, came, ply, NONE)
        count = verbs.noisy_actions(position, actions)
        return count, sign * value, is_closed, is_closed or count == 0 or sign * value >= high
    count = verbs.legal_actions(position, actions)
    if count == 0:
        return count, sign * payoff(memory.policy, position, came), True, True
    if repeats(memory, position, ply):
        return count, sign * drawn_payoff(memory.policy, position, came), True, True
    return count, -BEYOND, False, False


@inlined
def has_entry(table, position, left):
    """Whether the table may know the position: where two plies or more are left, and its key says all that counts."""
    return left > 1 and verbs.repetition_limit(position) == 0 and table.values.shape[0] > 1


@inlined
def ask_table(memory, selective, position, left, extra, low, high):
    """The position's key, the table's move or NO_ACTION, the value, whether it is closed, and whether it answers the search."""
    table, counts = memory.stack.table, memory.stack.counts
    if not has_entry(table, position, left):
        return NONE, NO_ACTION, 0.0, False, False
    key = as_int64(verbs.key(position))
    if selective is not None:
        key ^= extra << EXTRA_AT
    slot = find_entry(table, key)
    if slot < 0:
        return key, NO_ACTION, 0.0, False, False
    move, value, is_closed, is_done = read_entry(table, slot, left, low, high)
    if is_done:
        counts[HITS] += 1
        if not is_closed:
            counts[CUT] = 1
    return key, move, value, is_closed, is_done


@inlined
def put_in_order(memory, learns, options, rolls, position, seat, ply, left, width, count, table_move):
    """Fills the scores by which the actions are picked. Returns how many are looked at: with a beam, or a width, not all.

    Table move, killers, then by success or the evaluation. With ROLLS by the evaluation alone, but for the last ply, where all
    are estimated anyway.
    """
    if rolls is not None:
        if 0 < width < count:
            bring_best(memory, position, ply, seat, count, width)
            return width
        level_scores(memory.stack.scores, ply, count)
        if left > 1:
            rate_by_evaluation(memory, position, ply, seat, count, BY_HEURISTIC)
        return count
    if options is not None and 0 < options.beam < count and left > 1:
        bring_best(memory, position, ply, seat, count, options.beam)
        count = options.beam
    if learns is not None:
        rate_moves(memory.stack, ply, seat, count, table_move)
    if options is not None and options.order != GIVEN:
        rate_by_evaluation(memory, position, ply, seat, count, options.order)
    return count


@inlined
def remember(memory, options, position, key, seat, ply, left, choice, best, floor, high, is_closed):
    """What has been found, for positions to come: an action that was good enough to cut, and the table's entry."""
    stack = memory.stack
    if best >= high and choice != NO_ACTION and left > 0:
        if options is None or options.killers != 0:
            note_killer(stack.killers, ply, choice)
        if options is None or options.history != 0:
            note_success(stack.success, seat, left, choice)
    if has_entry(stack.table, position, left):
        bound = AT_LEAST if best >= high else (AT_MOST if best <= floor else EXACT)
        store_entry(stack.table, key, left, bound, is_closed, choice, best)


# ---------------------------------------------------------------- the search


@inner
def search(memory, learns, options, selective, rolls, position, came, ply, left, extra, width, low, high):
    """The value of a position for `came`, and whether it is closed; see the head of this file.

    memory: a reference to a `Memory`. left: plies still to look ahead; 0 and below: quiescence, of which -left plies are done;
    with TURNS whole turns, and the one that the position is in.
    extra: extensions that the path may still have. width: how many actions to look at, the best by the evaluation; 0: all.
    """
    counts, seat = memory.stack.counts, verbs.to_play(position)
    if rolls is not None and ply + 1 == memory.stack.length.shape[0]:
        return look(memory, position, came, ply, NONE)
    if must_stop(memory, counts):
        return 0.0, False
    memory.stack.length[ply] = 0
    if rolls is not None and seat == verbs.CHANCE:
        return search_roll(memory, learns, options, selective, rolls, position, came, ply, left, low, high)
    sign = 1.0 if seat == came else -1.0
    if seat != came:
        low, high = -high, -low
    count, best, is_closed, is_done = find_actions(memory, selective, position, came, sign, ply, left, high)
    if is_done:
        return sign * best, is_closed
    floor, key, table_move, singular = low, NONE, NO_ACTION, NO_ACTION
    if learns is not None:
        key, table_move, value, is_closed, is_done = ask_table(memory, selective, position, left, extra, low, high)
        if is_done:
            return sign * value, is_closed
    if selective is not None:
        value, is_done = cut_by_guess(memory, learns, options, selective, rolls, position, seat, ply, left, low, high)
        if is_done:
            return sign * value, False
    count = put_in_order(memory, learns, options, rolls, position, seat, ply, left, width, count, table_move)
    if selective is not None:
        singular = find_singular(memory, learns, options, selective, rolls, position, seat, ply, left, extra, count)
    best, choice, is_closed = try_actions(
        memory, learns, options, selective, rolls, position, seat, ply, left, extra, count, singular, best, low, high
    )
    if counts[STOPPED]:
        return 0.0, False
    if learns is not None:
        remember(memory, options, position, key, seat, ply, left, choice, best, floor, high, is_closed)
    return sign * best, is_closed


@spliced
def try_actions(memory, learns, options, selective, rolls, position, seat, ply, left, extra, count, singular, best, low, high):
    """Searches the actions in order, until one is too good. best: what the seat has without any.

    Returns the best value, its action or NO_ACTION, and whether the value is closed.
    """
    stack, choice, all_closed, is_pruned = memory.stack, NO_ACTION, left > 0, True
    if options is not None:
        is_pruned = options.alphabeta != 0
    if selective is not None:
        low = max(low, best) if is_pruned else low
    for index in range(count):
        action = pick_move(stack, ply, index, count)
        child, more = verbs.apply(position, action), extra
        if is_known(stack.turns, child, left):
            continue  # it is worth no more than what the turn has found there
        then = left_after(stack.turns, child, seat, left)
        if then < left:
            begin_turn(stack.turns, then)
        if selective is not None and action == singular:
            then, more = left, extra - 1
        value, is_closed = search_child(
            memory, learns, options, selective, rolls, child, seat, ply + 1, then, more, index, low, high
        )
        if stack.counts[STOPPED]:
            break
        all_closed = all_closed and is_closed
        if value > best:
            best, choice = value, action
            if value > low:
                take_line(stack.length, stack.line, ply, action)
                low = value if is_pruned else low
            if is_pruned and best >= min(high, 1.0):
                stack.counts[CUTOFFS] += int(index + 1 < count)
                break
    return best, choice, all_closed or best >= 1.0 or best <= -1.0


@spliced
def search_child(memory, learns, options, selective, rolls, child, seat, ply, left, extra, index, low, high):
    """What an action of `seat` leads to, at `ply`. index: how many actions of the same position have been searched before it.

    With pvs all but the first get an empty window: that one is no better, is shown at less cost than how much worse it is.
    """
    reach = NONE
    if selective is not None:
        reach = -selective.quiescence
    is_last = left <= reach
    if rolls is None:
        is_last = is_last or (verbs.has_chance(child) and verbs.to_play(child) == verbs.CHANCE)
    if is_last:
        return look(memory, child, seat, ply, max(left, NONE))
    ceiling = high
    if options is not None and options.pvs != 0 and index > 0 and low > -BEYOND:
        ceiling = min(low + TINY, high)
    while True:
        value, is_closed = search(memory, learns, options, selective, rolls, child, seat, ply, left, extra, NONE, low, ceiling)
        if options is None:
            return value, is_closed
        if memory.stack.counts[STOPPED] or not ceiling <= value < high:
            return value, is_closed
        ceiling = high


@spliced
def cut_by_guess(memory, learns, options, selective, rolls, position, seat, ply, left, low, high):
    """ProbCut: the bound that the value probably passes, as a shallow search foretells, and whether there is one."""
    stack, counts, reach = memory.stack, memory.stack.counts, selective.probcut * selective.deviation
    if selective.probcut <= 0.0 or left != selective.deep:
        return 0.0, False
    for is_above in (True, False):
        bound = high if is_above else low
        guess = (bound - selective.offset + (reach if is_above else -reach)) / selective.slope
        if (bound < 1.0 and guess < NEARLY_ONE) if is_above else (bound > -1.0 and guess > -NEARLY_ONE):
            under, over = (guess - TINY, guess) if is_above else (guess, guess + TINY)
            value, _ = search(
                memory, learns, options, selective, rolls, position, seat, ply, selective.shallow, NONE, NONE, under, over
            )
            if counts[STOPPED] == 0 and (value >= guess if is_above else value <= guess):
                counts[CUT] = 1
                counts[CUTOFFS] += 1
                return bound, True
    stack.length[ply] = 0
    verbs.legal_actions(position, stack.actions[ply])  # the shallow searches have written there
    return 0.0, False


@spliced
def find_singular(memory, learns, options, selective, rolls, position, seat, ply, left, extra, count):
    """The action that is better than all others by the margin, at half the depth; NO_ACTION if there is none.

    Values are exact above the second best.
    """
    stack, first, second, singular = memory.stack, -BEYOND, -BEYOND, NO_ACTION
    if selective.singular <= 0.0 or extra <= 0 or left < SINGULAR_FROM or count <= 1:
        return NO_ACTION
    for i in range(count):
        action = stack.actions[ply, i]
        child = verbs.apply(position, action)
        if verbs.has_chance(child) and verbs.to_play(child) == verbs.CHANCE:
            value, _ = estimate(memory, child, seat, ply + 1, left)
        else:
            value, _ = search(
                memory, learns, options, selective, rolls, child, seat, ply + 1, (left - 1) // 2, NONE, NONE, second, BEYOND
            )
        if stack.counts[STOPPED]:
            return NO_ACTION
        if value > first:
            first, second, singular = value, first, action
        elif value > second:
            second = value
    return singular if first - second >= selective.singular else NO_ACTION


# ---------------------------------------------------------------- chance


@spliced
def search_roll(memory, learns, options, selective, rolls, position, came, ply, left, low, high):
    """The mean of a roll's outcomes, weighted by their probabilities, with Star1; Star2 looks behind each of them first.

    No outcome is worth less than -1 or more than 1: as soon as those that are known hold the mean outside of the window,
    whatever the others are, the roll is cut, and each outcome is searched in the window in which it can still matter.
    """
    stack, lowest, highest = memory.stack, -1.0, 1.0  # of the mean, from the bounds of the outcomes
    if verbs.is_terminal(position):
        return payoff(memory.policy, position, came), True
    if repeats(memory, position, ply):
        return drawn_payoff(memory.policy, position, came), True
    chances = stack.rolls[ply]
    count = verbs.chance(position, stack.actions[ply], chances[PROBABILITY])
    if rolls.star == 0:
        low, high = -BEYOND, BEYOND
    for i in range(count):
        chances[LOWER, i], chances[UPPER, i] = -1.0, 1.0
    if rolls.star == 2 and left > 1:
        lowest, highest, is_cut = probe_outcomes(
            memory, learns, options, selective, rolls, position, count, came, ply, left, low, high
        )
        if is_cut:
            return (lowest if lowest >= high else highest), False
    return weigh_outcomes(
        memory, learns, options, selective, rolls, position, count, came, ply, left, lowest, highest, low, high
    )


@spliced
def weigh_outcomes(memory, learns, options, selective, rolls, position, count, came, ply, left, lowest, highest, low, high):
    """Star1: the mean, and whether it is closed. lowest, highest: what the mean can be, from the outcomes' bounds."""
    stack, counts = memory.stack, memory.stack.counts
    outcomes, chances = stack.actions[ply], stack.rolls[ply]
    total, all_closed = 0.0, True
    for i in range(count):
        p, lower, upper = chances[PROBABILITY, i], chances[LOWER, i], chances[UPPER, i]
        if p <= 0.0:
            continue
        floor = max(upper - (highest - low) / p, -BEYOND)
        ceiling = min(lower + (high - lowest) / p, BEYOND)
        child = verbs.apply(position, outcomes[i])
        begin_turn(stack.turns, left)
        value, is_closed = search(
            memory, learns, options, selective, rolls, child, came, ply + 1, left, NONE, NONE, floor, ceiling
        )
        if counts[STOPPED]:
            return 0.0, False
        total += p * value
        lowest += p * (value - lower)
        highest += p * (value - upper)
        if value <= floor or value >= ceiling:
            counts[CUTOFFS] += int(i + 1 < count)
            return (highest if value <= floor else lowest), False
        all_closed = all_closed and is_closed
    stack.length[ply] = 0
    return total, all_closed


@spliced
def probe_outcomes(memory, learns, options, selective, rolls, position, count, came, ply, left, low, high):
    """Star2: one action behind each outcome, the best by the evaluation, bounds the outcome on one side.

    Returns the least and the greatest that the mean can be, and whether that cuts the roll, or the search has been stopped.
    """
    stack, counts = memory.stack, memory.stack.counts
    outcomes, chances = stack.actions[ply], stack.rolls[ply]
    lowest, highest = -1.0, 1.0
    for i in range(count):
        child, p = verbs.apply(position, outcomes[i]), chances[PROBABILITY, i]
        mover = verbs.to_play(child)
        if p <= 0.0 or mover == verbs.CHANCE or verbs.is_terminal(child):
            continue
        floor = max(1.0 - (highest - low) / p, -BEYOND)
        ceiling = min(-1.0 + (high - lowest) / p, BEYOND)
        begin_turn(stack.turns, left)
        value, _ = search(memory, learns, options, selective, rolls, child, came, ply + 1, left, NONE, ONE, floor, ceiling)
        if counts[STOPPED]:
            return lowest, highest, True
        if mover == came and value > max(floor, -1.0):  # it is at least worth that to the seat to play there
            lowest += p * (value + 1.0)
            chances[LOWER, i] = value
        elif mover != came and value < min(ceiling, 1.0):
            highest += p * (value - 1.0)
            chances[UPPER, i] = value
        if lowest >= high or highest <= low:
            counts[CUTOFFS] += 1
            return lowest, highest, True
    return lowest, highest, False
