"""The Pessimistic Q-learning study with few episodes: its trainings go on and repeat, its verdicts follow the figures."""

import json

import pytest
from scipy import stats

from boardgym.baselines.studies import pessimistic_q_runs as runs
from boardgym.baselines.studies.exact import clopper_pearson, compare_pairs
from boardgym.baselines.studies.jobs import Place
from boardgym.baselines.studies.pessimistic_q import Settings, games_of, gather, job_of, jobs_of, settings_of
from boardgym.baselines.studies.pessimistic_q_claims import judge_claims, more_entries
from boardgym.baselines.studies.pessimistic_q_plan import AGENTS, GAMES, plan_of
from boardgym.baselines.studies.pessimistic_q_report import markdown, share, without_lists
from boardgym.baselines.tabular.agent import load_agent
from boardgym.baselines.tabular.training import Trainer
from boardgym.baselines.trials.base import base_test
from boardgym.cli import main
from boardgym.core.errors import OptionError

EPISODES = 1500
FREE = ("seconds", "peak_memory")  # figures that no seed decides


def decided(result):
    return {agent: {key: value for key, value in result[agent].items() if key not in FREE} for agent in AGENTS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The command's results of setting a, two seeds."""
    out = tmp_path_factory.mktemp("study")
    arguments = ["--game", "TicTacToe-v0", "--setting", "a", "--seeds", "2", "--episodes", str(EPISODES), "--out", str(out)]
    assert main(["reproduce", "pessimistic-q", *arguments, "--agents"]) == 0
    return out


@pytest.fixture(scope="module")
def result(folder):
    return gather(folder / "jobs", "tic-tac-toe", EPISODES)["settings"]["a"][0]


# ---------------------------------------------------------------- trainings


def test_the_figures_are_of_the_agents_that_are_kept(folder, result):
    for agent in AGENTS:
        table = load_agent(folder / "agents" / f"tic-tac-toe_a_{EPISODES}_1_{agent}.safetensors")
        whole = Trainer(plan_of(GAMES["tic-tac-toe"], "a", 1, agent, EPISODES))
        whole.run()
        assert [(c == d).all() for c, d in zip(whole.agent.columns(), table.columns(), strict=True)] == [True] * 4
        lines, found = base_test(table, "TicTacToe", seats=(0,)).lines[0], result[agent]
        assert found["base_quality"] == lines.quality.value == pytest.approx(1.0 - found["base"]["lost"])
        assert (found["is_perfect"], found["reloads"]) == (lines.is_perfect, True)
        assert (found["all_entries"], found["entries"]) == (len(table), whole.entries_by_seat()[0])
        assert found["curve"] == whole.results().tolist()
        assert sum(sum(block) for block in found["curve"]) == found["episodes"] == (1 if agent == "q" else 2) * EPISODES
        assert found["seconds"] > 0.0
        for test in ("clone", "clone_common"):
            assert sum(found[test].values()) == pytest.approx(1.0)
        assert 0.0 <= found["regret"]["loss"][0] <= 2.0
        assert found["regret"]["plies"] > GAMES["tic-tac-toe"].regret_games
    assert result["q_twice"]["clone"] == result["q_twice"]["clone_common"]  # its own second seat is the common one
    assert result["q"]["perfect_after"] == (0 if result["q"]["is_perfect"] else None)
    for agent in ("control", "pq"):
        first, after = result[agent]["first_perfect"], result[agent]["perfect_after"]
        assert after is None or first <= after
        assert (after is not None) == result[agent]["is_perfect"]
        assert after is None or (0 <= after <= EPISODES and after % runs.PERFECT_STEP == 0)


def test_a_run_goes_on_wherever_it_was_cut_short(result, tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "CHECKPOINT_S", 0.0)
    seen, place = [], None

    def tell(done):
        seen.append(done)
        if len(seen) in (2, 5, 8, 11):  # in each of the trainings
            raise KeyboardInterrupt

    place = Place(tmp_path, tell)
    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            runs.run_job(place, "tic-tac-toe", "a", 1, EPISODES)
    assert decided(runs.run_job(place, "tic-tac-toe", "a", 1, EPISODES)) == {
        agent: {**found, "reloads": True} for agent, found in decided(result).items()
    }
    assert seen == sorted(seen)
    assert seen[-1] == 4 * EPISODES


def test_results_depend_on_their_settings_alone(folder):
    def digests(name, setting, episodes=100):
        return runs.digest_of(name, setting, episodes)

    asked = [("tic-tac-toe", "a"), ("tic-tac-toe", "b"), ("tic-tac-toe", "a", 200), ("card-points-8", "a")]
    asked += [("card-points-8-deals", "a"), ("card-points-8-one-row", "a")]
    assert len({digests(*one) for one in asked}) == 6
    jobs = jobs_of(Settings(game="tic-tac-toe", setting=("a",), seeds=2, processes=2, memory=3.0))["tic-tac-toe"]
    assert [job.name for job in jobs] == ["tic-tac-toe_random", "tic-tac-toe_a_12000_1", "tic-tac-toe_a_12000_2"]
    assert [job.limits["memory"] for job in jobs] == [1.5] * 3  # divided over the processes
    assert [job.size for job in jobs] == [0, 48_000, 48_000]
    assert job_of("tic-tac-toe", "a", 1, EPISODES).identity() == {
        key: value
        for key, value in json.loads((folder / "jobs" / f"tic-tac-toe_a_{EPISODES}_1.json").read_text()).items()
        if key != "result"
    }


# ---------------------------------------------------------------- the command


def test_the_command_gathers_what_there_is(folder, capsys):
    arguments = ["reproduce", "pessimistic-q", "--episodes", str(EPISODES), "--out", str(folder), "--seeds", "1"]
    assert main([*arguments, "--game", "tic-tac-toe", "--setting", "a", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["tic-tac-toe"]
    assert len(found["settings"]["a"]) == 2  # the folder has two
    assert "curve" not in found["settings"]["a"][0]["pq"]
    assert found["random"]["seats"][0]["won"]["value"] == pytest.approx(737 / 1260)
    stem = f"tic-tac-toe_{EPISODES}"
    assert {path.name for path in folder.iterdir()} == {"jobs", "agents", f"{stem}.md", f"{stem}.json", f"{stem}.png"}
    kept = json.loads((folder / f"{stem}.json").read_text())
    assert len(kept["settings"]["a"][0]["pq"]["curve"]) == 3
    page = (folder / f"{stem}.md").read_text()
    assert "| a) 0.7, 0.7, 0.3 |" in page
    assert "(study: 99)" in page
    assert "| when to sweep |" in page
    assert (folder / f"{stem}.png").read_bytes().startswith(b"\x89PNG")
    assert main([*arguments, "--game", "conect-four"]) == 2
    assert "did you mean 'connect-four'" in capsys.readouterr().err
    assert main([*arguments, "--game", "tic-tac-toe", "--setting", "f"]) == 2
    assert "setting='f': expected letters from a to e" in capsys.readouterr().err


def test_names_of_games_and_settings():
    cards = [name for name in GAMES if name.startswith("card-points")]
    for text, names in (("", list(GAMES)), ("ConnectFour", ["connect-four"]), ("connectfour-v0", ["connect-four"]),
                        ("Tic-tac-toe", ["tic-tac-toe"]), ("card-points-12", ["card-points-12"]), ("CardPoints-v0", cards),
                        ("card points", cards)):  # fmt: skip
        assert games_of(text) == names
    asked = {(): "", ("a",): "a", ("a", "c"): "ac", ("c a",): "ac", ("a-e",): "abcde", ("b-d,a",): "abcd", ("de",): "de"}
    for words, letters in asked.items():
        assert settings_of(words) == letters
    for bad in ("f", "a-", "e-a", "a-z", "A", "-", "a-b-c"):
        with pytest.raises(OptionError, match="expected letters from a to e"):
            settings_of((bad,))
    for wrong in ({"seeds": -1}, {"episodes": -5}, {"memory": -1.0}, {"memory": float("nan")}, {"processes": 0}):
        with pytest.raises(OptionError, match="expected at least"):
            jobs_of(Settings(game="tic-tac-toe", **wrong))


# ---------------------------------------------------------------- verdicts


RANDOM = {
    "games": 0,
    "positions": 5478,
    "seats": [{"won": {"value": 0.5}, "drawn": {"value": 0.1}, "lost": {"value": 0.4}}],
}


def figures_of(**changes):
    """A run's figures of one agent."""
    lost = {"won": 0.0, "drawn": 0.9, "lost": 0.1}
    plain = {
        "base_quality": 0.9,
        "outcomes": [0.9],
        "clone_quality": 0.9,
        "clone_common_quality": 0.9,
        "is_perfect": False,
        "first_perfect": None,
        "perfect_after": None,
        "bold_moves": {"met": 1, "bold": 1, "bold_met": 1},
        "entries": 5000,
        "opening": 0,
        "reloads": True,
        "clone": lost,
        "clone_common": lost,
        "positions": {"smaller": 100, "smaller_right": 50},
        "regret": {"loss": [0.1, 0.0, 0.2]},
        "curve": [[5, 0, 5]] * 4,
        "block": 10,
        "episodes": 40,
    }
    return {**plain, **changes}


def verdicts(name, pq, q=None, control=None, seeds=10, settings="acde", episodes=0, **by_setting):
    """number and claim -> verdict, of runs that are all alike. pq, q, control: what differs from `figures_of`."""
    q = {**(q or {})}
    result = {"q": figures_of(**q), "q_twice": figures_of(**q), "control": figures_of(**(control or q)), "pq": figures_of(**pq)}
    results = {
        s: [{"seed": n, **result, "q": {**result["q"], **by_setting.get(s, {})}} for n in range(seeds)] for s in settings
    }
    lines = judge_claims(name, results, RANDOM, episodes or GAMES[name].episodes)
    return {f"{number} {words(claim)}": verdict for number, claim, verdict, _ in lines}


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
    "2 with more episodes setting b",
)
FEW, CLONE, MET = "5 PQ usually needs fewer than", "4 PQ does not lose to", "3 PQ avoids them where its"
SPREAD, DRAWS, ENTRIES = "9 PQ's results vary little over", "4 it draws all of these", "6 more exploration more entries (d"
REGRET, FEWER, SOONER = "11 less regret than the control", "11 fewer games lost in the", "11 last lost line before the"
ON_CLONE = "11 above the control in the"
PLAIN = {"base_quality": 0.97}


def test_verdicts_on_tic_tac_toe():
    entries = {"d": {"entries": 3000}, "e": {"entries": 8000}}
    found = verdicts("tic-tac-toe", PERFECT, PLAIN, **entries)
    assert {found.pop(claim) for claim in (LOW_DISCOUNT, MORE)} == {"not decided"}  # it was not run
    assert set(found.values()) == {"shown"}
    assert [number.split()[0] for number in found] == [
        "1",
        "2",
        "3",
        "3",
        "4",
        "4",
        "5",
        "6",
        "9",
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
    assert {longer[claim] for claim in (IMPERFECT, NEVER_LOSES, LOW_DISCOUNT, FEW, SPREAD)} == {"not decided"}
    assert verdicts("tic-tac-toe", PERFECT, PLAIN, settings="b")[MORE] == "not decided"


def test_settings_lie_apart_by_more_than_seeds_do():
    def judged(seeds, noise, of_e=0.95):
        runs = {
            s: [
                {"seed": n, **{agent: figures_of(base_quality=level + noise * (n % 2)) for agent in AGENTS}}
                for n in range(seeds)
            ]
            for s, level in (("a", 0.90), ("c", 0.90), ("d", 0.90), ("e", of_e))
        }
        return {claim: verdict for number, claim, verdict, _ in judge_claims("tic-tac-toe", runs, RANDOM, 12_000)}[
            "PQ's results vary little over settings a, c, d, e"
        ]

    assert judged(10, 0.01) == "not shown"
    assert judged(9, 0.01) == judged(10, 0.05, 0.92) == "not decided"
    assert judged(10, 0.01, 0.901) == "shown"


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
    assert set(found.values()) == {"shown"}
    above, common = "7 PQ above Q at equal", "7 the same against a common"
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
    for right, of_q, verdict in ((50, 30, "not decided"), (80, 80, "not decided"), (1, 0, "not shown"), (80, 60, "shown")):
        taken = [{"positions": {"smaller": 100, "smaller_right": n}} for n in (right, of_q)]
        assert verdicts("card-points-8", *taken)[smaller] == verdict
    one = verdicts("card-points-8", {}, seeds=3, settings="a")
    assert one[SPREAD] == one[as_good] == "not decided"


def test_few_seeds_have_a_range_and_many_an_interval(result):
    assert share([0.5, 0.75, 1.0]) == "75.0 (50.0 to 100.0)"
    assert share([0.5, 1.0] * 5).startswith("75.0 [")
    assert share([1.0] * 12) == "100.0 [77.9, 100.0]"
    for seeds, text in ((3, "the range over them"), (10, "95 % interval (bootstrap over the seeds;")):
        found = {"episodes": EPISODES, "random": RANDOM, "settings": {"a": [{**result, "seed": n} for n in range(seeds)]}}
        page = markdown("tic-tac-toe", found)
        assert text in page
        assert "curve" not in without_lists(found)["settings"]["a"][0]["q"]


def test_the_page_of_a_game_of_positions(result):
    known = {"quality": 0.25, "floor": 0.3, "positions": 1000, "unknown": 900, "smaller": 0, "smaller_right": 0}
    more = {"outcomes": [0.0, 1.0] * 500, "decisions": {"take the win": [8.0, 6.0]}, "positions": known, "is_perfect": None}
    results = {"a": [{"seed": n, **{agent: {**result[agent], **more} for agent in AGENTS}} for n in range(3)]}
    page = markdown("connect-four", {"episodes": EPISODES, "random": RANDOM, "settings": results})
    for line in (
        f"| a) 0.7, 0.7, 0.3: uniform |{' 0.0 |' * 4}",
        f"| a) 0.7, 0.7, 0.3: tactical |{' 100.0 |' * 4}",
        f"| a) 0.7, 0.7, 0.3: take the win |{' 75.0 of 24 |' * 4}",
        f"| a) 0.7, 0.7, 0.3 |{' 25.0 |' * 4} 90.0 |",
    ):
        assert line in page
    assert "0 for, 0 against, 3,000 equal" in page


# ---------------------------------------------------------------- statistics


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (3, 3), (0, 40), (40, 40), (7, 10), (1, 50), (33, 150)])
def test_the_interval_of_a_share_is_scipys(successes, trials):
    ours, theirs = clopper_pearson(successes, trials), stats.binomtest(successes, trials).proportion_ci(method="exact")
    assert (ours.value, ours.low, ours.high) == pytest.approx((successes / trials, theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("better", "worse", "equal"), [(5, 0, 45), (0, 5, 0), (3, 3, 1), (9, 1, 0), (0, 0, 4), (20, 8, 2)])
def test_the_sign_test_is_scipys(better, worse, equal):
    a = [1.0] * better + [0.25] * worse + [0.5] * equal
    found = compare_pairs(a, [0.5] * len(a))
    assert (found.better, found.worse, found.equal) == (better, worse, equal)
    assert found.mean == pytest.approx((0.5 * better - 0.25 * worse) / len(a))
    expected = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert found.p == pytest.approx(expected, abs=1e-12)


def test_what_cannot_be_compared():
    with pytest.raises(ValueError, match="2 and 1 figures"):
        compare_pairs([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="trials=0"):
        clopper_pearson(0, 0)
