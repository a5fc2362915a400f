"""What the Pessimistic Q-learning study's figures say of its claims, on made-up results; the statistics behind it."""

import contextlib
import math
import sys

import pytest
from scipy import stats

from boardgym.cli import main
from boardgym.core.errors import OptionError
from boardgym.studies import pessimistic_q as study
from boardgym.studies.exact import clopper_pearson, compare_pairs
from boardgym.studies.pessimistic_q_claims import (
    has_baseline,
    is_as_printed,
    judge_claims,
    more_entries,
    q_is_imperfect,
)
from boardgym.studies.pessimistic_q_data import compact
from boardgym.studies.pessimistic_q_plan import AGENTS, GAMES
from boardgym.studies.pessimistic_q_seeds import seeds_of
from boardgym.studies.verdicts import greater, of_never

RANDOM = {
    "games": 0,
    "positions": 5478,
    "seats": [{name: {"value": x, "low": x, "high": x} for name, x in (("won", 0.5), ("drawn", 0.1), ("lost", 0.4))}],
}


def figures_of(**changes):
    """What is measured of one agent in a run; shares follow from a quality that is given."""
    lost = {"won": 0.0, "drawn": 0.9, "lost": 0.1}
    plain = {
        "base": lost,
        "clone": lost,
        "clone_common": lost,
        "outcomes": [0.9] * 2,
        "is_perfect": False,
        "first_perfect": None,
        "perfect_after": None,
        "bold_moves": {"met": 1, "bold": 1, "bold_met": 1},
        "entries": 5000,
        "opening": 0,
        "reloads": True,
        "positions": {"quality": 0.5, "smaller": 100, "smaller_right": 50, "positions": 1000, "unknown": 250},
        "regret": {"loss": [0.1, 0.0, 0.2]},
        "curve": [[5, 0, 5]] * 4,
        "block": 10,
        "plies": 300,
        "floor": 0.67,
        "decisions": {},
        "all_entries": 9000,
        "bytes": 180_000,
        "peak_memory": None,
        "seconds": 1.0,
        "sources": "0123456789ab",
    }
    qualities = {test: changes[f"{test}_quality"] for test in ("base", "clone", "clone_common") if f"{test}_quality" in changes}
    shares = {test: {"won": 0.0, "drawn": quality, "lost": 1.0 - quality} for test, quality in qualities.items()}
    return {**plain, **shares, **changes}


def run_of(name, seed, agents, episodes=20):
    """A run of a game as `gather` has it."""
    return {"seed": seed, **compact(name, agents, episodes)}


def verdicts(name, pq, q=None, control=None, seeds=10, settings="acde", episodes=0, **by_setting):
    """number and claim -> verdict, of runs that are all alike. pq, q, control: what differs from `figures_of`."""
    q = {**(q or {})}
    result = {"q": figures_of(**q), "q_twice": figures_of(**q), "control": figures_of(**(control or q)), "pq": figures_of(**pq)}
    results = {
        s: [run_of(name, n, {**result, "q": {**result["q"], **by_setting.get(s, {})}}) for n in range(seeds)] for s in settings
    }
    lines = judge_claims(name, results, RANDOM, episodes or GAMES[name].episodes)
    return {f"{line.number} {words(line.claim)}": line.verdict for line in lines}


def words(claim):
    """The first five."""
    return " ".join(claim.replace(",", "").split()[:5])


DRAWN = {"won": 0.0, "drawn": 1.0, "lost": 0.0}
PERFECT = {
    "base_quality": 1.0,
    "clone_quality": 1.0,
    "is_perfect": True,
    "bold_moves": {"met": 1, "bold": 0, "bold_met": 0},
    "first_perfect": 500,
    "perfect_after": 4000,
    "clone": DRAWN,
    "clone_common": DRAWN,
    "regret": {"loss": [0.01, 0.0, 0.1]},
    "curve": [[5, 0, 5]] * 2 + [[0, 10, 0]] * 2,
}
SWEEP, NEVER_LOSES, BOLD = "11 the sweep itself helps: PQ", "2 PQ never loses a line", "3 PQ avoids the bold moves"
IMPERFECT, LOW_DISCOUNT, MORE = (
    "1 Q-learning has 95 to 99",
    "2 setting b (low discount) needs",
    "2 with 30000 episodes setting b",
)
FEW, CLONE, MET = "5 PQ usually needs fewer than", "4 PQ does not lose to", "3 PQ avoids them where its"
SPREAD, DRAWS, ENTRIES = "9 PQ's results vary little over", "4 it draws all of these", "6 more exploration more entries (d"
REGRET, FEWER, SOONER = "11 less regret than the control", "11 fewer games lost in the", "11 last lost line before the"
ON_CLONE, ABC = "11 above the control in the", "11 the same at settings a"
PLAIN = {"base_quality": 0.97}


def test_verdicts_on_tic_tac_toe():
    entries = {"d": {"entries": 3000}, "e": {"entries": 8000}}
    found = verdicts("tic-tac-toe", PERFECT, PLAIN, **entries)
    assert {found.pop(claim) for claim in (LOW_DISCOUNT, ABC)} == {"not decided"}  # b was not run
    assert {found.pop(claim) for claim in (IMPERFECT, SPREAD)} == {"not decided"}  # seeds that are all alike
    assert set(found.values()) == {"shown"}
    assert [number.split()[0] for number in found] == [
        "2",
        "3",
        "3",
        "4",
        "4",
        "5",
        "6",
        "10",
        "11",
        "11",
        "11",
        "11",
        "11",
        "12",
    ]
    few = verdicts("tic-tac-toe", PERFECT, PLAIN, seeds=1, **entries)  # four runs of each
    assert {few[claim] for claim in (IMPERFECT, NEVER_LOSES, BOLD, SWEEP, SPREAD)} == {"not decided"}
    same = verdicts("tic-tac-toe", PERFECT, PERFECT, PERFECT, settings="abcde")
    assert {same[claim] for claim in (SWEEP, ENTRIES, REGRET, ON_CLONE, FEWER, SOONER, FEW)} == {"not decided"}
    assert same[IMPERFECT] == same[LOW_DISCOUNT] == "not shown"
    worse = verdicts("tic-tac-toe", {"first_perfect": 4000}, PLAIN, PERFECT, settings="abcde")
    assert {worse[claim] for claim in (SWEEP, NEVER_LOSES, BOLD, FEW, CLONE, DRAWS)} == {"not shown"}
    assert {worse[claim] for claim in (REGRET, ON_CLONE, FEWER, SOONER)} == {"not shown"}
    assert worse[LOW_DISCOUNT] == "shown"
    won = verdicts("tic-tac-toe", {**PERFECT, "clone": {"won": 0.5, "drawn": 0.5, "lost": 0.0}})
    assert (won[CLONE], won[DRAWS]) == ("shown", "not shown")


def test_runs_that_cannot_tell_decide_nothing():
    unmet = {"met": 0, "bold": 0, "bold_met": 0}
    assert verdicts("tic-tac-toe", {**PERFECT, "bold_moves": unmet})[MET] == "not decided"
    there = verdicts("tic-tac-toe", PERFECT, {"is_perfect": True, "first_perfect": 0})
    assert there[FEW] == "not decided"  # none loses a line when the second phase begins
    alone = verdicts("tic-tac-toe", PERFECT, settings="a", seeds=5)
    assert alone[CLONE] == alone[DRAWS] == "not decided"  # five runs of two tests each


def test_claims_are_tied_to_a_number_of_episodes():
    longer = verdicts("tic-tac-toe", PERFECT, PLAIN, settings="abcde", episodes=30_000)
    assert longer[MORE] == longer[SWEEP] == "shown"
    tied = {IMPERFECT, NEVER_LOSES, LOW_DISCOUNT, FEW, SPREAD}
    assert not tied & set(longer)
    usual = verdicts("tic-tac-toe", PERFECT, PLAIN, settings="abcde")
    assert tied <= set(usual)
    assert MORE not in usual


def test_settings_lie_apart_by_more_than_seeds_do():
    def judged(seeds, noise, of_e=0.95):
        runs = {
            s: [
                run_of("tic-tac-toe", n, {agent: figures_of(base_quality=level + noise * (n % 2)) for agent in AGENTS})
                for n in range(seeds)
            ]
            for s, level in (("a", 0.90), ("c", 0.90), ("d", 0.90), ("e", of_e))
        }
        return {line.claim: line.verdict for line in judge_claims("tic-tac-toe", runs, RANDOM, 12_000)}[
            "PQ's results vary little over settings a, c, d, e"
        ]

    assert judged(10, 0.01) == "not shown"
    assert judged(9, 0.01) == judged(10, 0.05, 0.92) == "not decided"
    assert judged(10, 0.01, 0.901) == "shown"
    assert judged(10, 0.0, 0.90) == "not decided"  # no spread seen


def test_a_mean_between_two_figures():
    def judged(low, high, seeds=10):
        """Of claims 1 and 7, of runs whose quality lies between two figures."""
        runs = [{"seed": n, **{agent: figures_of(base_quality=(low, high)[n % 2]) for agent in AGENTS}} for n in range(seeds)]
        return q_is_imperfect({"a": runs})[0], is_as_printed({"a": runs})[0]

    assert judged(0.96, 0.97) == ("shown", "not shown")
    assert judged(0.97, 0.97) == ("not decided", "not decided")
    assert judged(0.85, 0.88) == ("not shown", "shown")
    assert judged(0.85, 0.88, seeds=9)[1] == judged(0.83, 0.84)[1] == "not decided"
    assert judged(0.30, 0.31)[1] == "not shown"  # below 100 %, and no better than chance
    few = [{"seed": n, **{agent: figures_of(base_quality=0.30 + n / 100) for agent in AGENTS}} for n in range(3)]
    assert is_as_printed(dict.fromkeys("abcde", few))[0] == "not decided"  # fifteen runs, of three seeds


def test_all_that_was_printed_of_random_play_must_fit():
    def random_of(won, lost, width):
        shares = {"won": won, "drawn": 1.0 - won - lost, "lost": lost}
        return {"games": 100_000, "seats": [{k: {"value": x, "low": x - width, "high": x + width} for k, x in shares.items()}]}

    connect_four = random_of(0.5558, 0.4416, 0.003)
    for printed, verdict in (((54, 55), "not shown"), ((55, 55), "shown"), ((55, 56), "shown"), ((50, 58), "not shown")):
        assert has_baseline(connect_four, printed)[0] == verdict
    assert has_baseline(random_of(0.4826, 0.4813, 0.003), (50, 50))[0] == "shown"


def test_fewer_than_six_pairs_decide_nothing():
    for pairs, equal, verdict in ((5, 0, "not decided"), (5, 9, "not decided"), (6, 0, "shown"), (6, 9, "shown")):
        found, text = greater([1.0] * pairs + [0.0] * equal, [0.0] * (pairs + equal))
        assert found == verdict
        assert ("fewer than 6 that differ cannot decide" in text) == (verdict == "not decided")
    for name, game in GAMES.items():
        assert sum(len(seeds_of(name, setting)) for setting in game.settings) >= 10, name


def test_pairs_are_of_one_seed():
    """Entries fall from setting to setting in every pair of one seed, and rise by the order in which they stand."""
    runs = {
        s: [{"seed": n, "q": {"entries": 1000 * n + level}} for n in seeds]
        for s, level, seeds in (("d", 2, range(11)), ("a", 1, range(1, 12)), ("e", 0, range(2, 13)))
    }
    assert more_entries(runs)[0] == "not shown"
    assert more_entries({**runs, "e": [{"seed": 99, "q": {"entries": 0}}]})[0] == "not decided"


def test_verdicts_on_the_other_games():
    better = {**PERFECT, "base_quality": 0.95, "clone_quality": 0.99, "clone_common_quality": 0.99, "opening": 3}
    found = verdicts("connect-four", better, settings="abcde")
    assert {found.pop(claim) for claim in (SPREAD, "7 it is the study's 84")} == {"not decided"}  # seeds that are all alike
    assert set(found.values()) == {"shown"}
    above, common = "7 PQ above Q at equal", "7 PQ above the control against"
    at_home = verdicts("connect-four", *({"clone_common_quality": share} for share in (0.8, 0.9, 0.7)))
    assert at_home[common] == "shown"  # the seat is q_twice's own
    assert verdicts("connect-four", better, seeds=3)[SPREAD] == "not decided"
    assert verdicts("connect-four", {"opening": 3}, seeds=3)[above] == "not decided"
    below = verdicts("connect-four", {"base_quality": 0.85, "clone_quality": 0.85, "clone_common_quality": 0.8}, seeds=3)
    assert below[above] == below[common] == below["7 PQ opens in the centre"] == "not shown"
    as_good, all_won, smaller = "8 PQ at least as good", "8 PQ's clone quality approaches 100", "8 PQ takes the smaller card"
    cards = verdicts("card-points-8", {"clone_quality": 0.97}, seeds=3)
    assert cards[as_good] == cards[all_won] == "shown"
    assert verdicts("card-points-8", {"clone_quality": 0.8}, seeds=3)[as_good] == "not shown"
    by_heart = {"base_quality": 1.0, "clone_quality": 1.0}
    assert verdicts("card-points-8", by_heart, by_heart)[as_good] == "not decided"
    for right, of_q, verdict in ((50, 30, "not decided"), (80, 90, "shown"), (1, 0, "not shown")):
        known = figures_of()["positions"]
        taken = [{"positions": {**known, "smaller_right": n}} for n in (right, of_q)]
        assert verdicts("card-points-8", *taken)[smaller] == verdict
    assert smaller not in verdicts("card-points-8-one-row", {})  # it knows no other row
    one = verdicts("card-points-8", {}, seeds=3, settings="a")
    assert one[SPREAD] == one[as_good] == "not decided"


@pytest.mark.parametrize(
    ("ending", "status", "text"),
    [
        (OptionError("too large"), 2, "too large"),
        (ZeroDivisionError("a bug"), None, ""),
        (KeyboardInterrupt(), 130, "interrupted; what was done is in"),
    ],
)
def test_however_it_ends_a_page_tells_what_there_is(ending, status, text, tmp_path, monkeypatch, capsys):
    def train(place, name, setting, seed, episodes, **limits):
        if seed == 2:
            raise ending
        return {agent: figures_of() for agent in AGENTS} if setting else RANDOM

    monkeypatch.setattr(study, "run_job", train)
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not installed
    arguments = ["reproduce", "pessimistic-q", "--game", "tic-tac-toe", "--setting", "a", "--seeds", "2"]
    with contextlib.suppress(ZeroDivisionError):
        assert main([*arguments, "--out", str(tmp_path)]) == status
    told = capsys.readouterr().err
    assert text in told
    assert "without pictures: Matplotlib is not installed" in told
    page = (tmp_path / "tic-tac-toe_12000_seeds-1-2.md").read_text()
    assert "12,000 episodes a phase; seeds: 1 (of 1 to 2)." in page
    assert ".png" not in page


def test_results_that_are_left_out_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(
        study,
        "run_job",
        lambda place, name, setting, *_, **__: {agent: figures_of() for agent in AGENTS} if setting else RANDOM,
    )
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "tic-tac-toe_b_12000_1.json").write_text("{}")
    arguments = [
        "reproduce",
        "pessimistic-q",
        "--game",
        "tic-tac-toe",
        "--setting",
        "a",
        "--out",
        str(tmp_path),
        "--seeds",
        "1",
    ]
    assert main(arguments) == 0
    page = (tmp_path / "tic-tac-toe_12000_seeds-1-1.md").read_text()
    assert "Left out, as no results, or of another version or other settings: tic-tac-toe_b_12000_1.json." in page


def test_trainings_that_were_done_without_agents_are_named(tmp_path, monkeypatch, capsys):
    def train(place, name, setting, seed, episodes, *, agents, **limits):
        if agents:
            (tmp_path / "agents").mkdir(exist_ok=True)
            for agent in AGENTS:
                (tmp_path / "agents" / f"{name}_{setting}_{episodes}_{seed}_{agent}.safetensors").touch()
        return {agent: figures_of() for agent in AGENTS} if setting else RANDOM

    monkeypatch.setattr(study, "run_job", train)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    arguments = ["reproduce", "pessimistic-q", "--game", "tic-tac-toe", "--setting", "a", "--out", str(tmp_path), "--seeds"]
    assert main([*arguments, "1"]) == 0
    assert "without agents" not in capsys.readouterr().err
    assert main([*arguments, "2", "--agents"]) == 0
    assert "1 trainings were done without agents, whose files are not kept, such as tic-tac-toe_a_12000_1;" in (
        capsys.readouterr().err
    )


# ---------------------------------------------------------------- statistics


def test_what_never_happens_is_counted():
    assert of_never([True] * 99 + [False]) == ("not shown", "99 of 100 [94.55, 99.97 %]")
    assert of_never([True] * 50) == ("shown", "50 of 50 [92.89, 100.00 %]")
    assert of_never([True] * 9)[0] == "not decided"
    assert of_never([]) == ("not decided", "")


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (3, 3), (0, 40), (40, 40), (7, 10), (1, 50), (33, 150)])
def test_the_interval_of_a_share_is_exact(successes, trials):
    ours, theirs = clopper_pearson(successes, trials), stats.binomtest(successes, trials).proportion_ci(method="exact")
    assert (ours.value, ours.low, ours.high) == pytest.approx((successes / trials, theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("better", "worse", "equal"), [(5, 0, 45), (0, 5, 0), (3, 3, 1), (9, 1, 0), (0, 0, 4), (20, 8, 2)])
def test_the_sign_test_is_exact(better, worse, equal):
    a = [1.0] * better + [0.25] * worse + [0.5] * equal
    found = compare_pairs(a, [0.5] * len(a))
    assert (found.better, found.worse, found.equal) == (better, worse, equal)
    assert found.mean == pytest.approx((0.5 * better - 0.25 * worse) / len(a))
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(max(better, worse), n + 1)) / 2**n
    expected = min(1.0, 2.0 * tail)
    assert found.p == pytest.approx(expected, abs=1e-12)


def test_what_cannot_be_compared():
    with pytest.raises(ValueError, match="2 and 1 figures"):
        compare_pairs([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="trials=0"):
        clopper_pearson(0, 0)
