"""The Pessimistic Q-learning study with few episodes: its trainings go on and repeat, its verdicts follow the figures."""

import contextlib
import itertools
import json

import pytest

from boardgym.baselines.learning.tabular.agent import load_agent
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.baselines.thesis_tests.base import base_test
from boardgym.cli import main
from boardgym.core.errors import OptionError
from boardgym.core.policy_spec import make_policy
from boardgym.studies import pessimistic_q_runs as runs
from boardgym.studies.jobs import Place
from boardgym.studies.pessimistic_q import Settings, found_of, games_of, gather, job_of, jobs_of, settings_of
from boardgym.studies.pessimistic_q_data import COSTS, compact
from boardgym.studies.pessimistic_q_plan import AGENTS, GAMES, plan_of
from boardgym.studies.pessimistic_q_report import costs, markdown, share, stem_of, without_lists
from tests.studies.test_study_verdicts import RANDOM, figures_of, run_of

EPISODES = 1500
FREE = (*COSTS, "sources")  # what no seed decides: a table that was read has other room to grow


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
        whole = TableTrainer(plan_of(GAMES["tic-tac-toe"], "a", 1, agent, EPISODES))
        whole.run()
        assert [(c == d).all() for c, d in zip(whole.agent.columns(), table.columns(), strict=True)] == [True] * 4
        lines, found = base_test(table, "TicTacToe", seats=(0,)).lines[0], result[agent]
        assert found["base_quality"] == pytest.approx(lines.quality.value, abs=1e-12)
        assert (found["is_perfect"], found["reloads"]) == (lines.is_perfect, True)
        assert (found["all_entries"], found["entries"]) == (len(table), whole.entries_by_seat()[0])
        assert found["curve"] == whole.results().tolist()
        assert sum(sum(block) for block in found["curve"]) == found["episodes"] == (1 if agent == "q" else 2) * EPISODES
        assert found["seconds"] > 0.0
        for test in ("clone", "clone_common"):
            assert sum(found[test].values()) == pytest.approx(1.0)
        assert 0.0 <= found["regret"] <= 2.0
        assert found["lost_late"] == sum(block[2] for block in found["curve"][2:])  # of 1,500 episodes in blocks of 1,000
    assert result["q_twice"]["clone"] == result["q_twice"]["clone_common"]  # its own second seat is the common one
    assert result["q"]["perfect_after"] == (0 if result["q"]["is_perfect"] else None)
    for agent in ("control", "pq"):
        first, after = result[agent]["first_perfect"], result[agent]["perfect_after"]
        assert after is None or first <= after
        assert (after is not None) == result[agent]["is_perfect"]
        assert after is None or (0 <= after <= EPISODES and after % runs.PERFECT_STEP == 0)


def test_a_run_goes_on_wherever_it_was_cut_short(result, tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "CHECKPOINT_S", 0.0)
    seen, bases, base = [], [], runs.base_test
    monkeypatch.setattr(runs, "base_test", lambda *given, **named: bases.append(1) or base(*given, **named))
    cuts = (2, 8, 700)  # in trainings, and while regret is measured

    def tell(done):
        seen.append(done)
        if len(seen) in cuts:
            raise KeyboardInterrupt

    place = Place(tmp_path, tell)
    for _ in cuts:
        with pytest.raises(KeyboardInterrupt):
            runs.run_job(place, "tic-tac-toe", "a", 1, EPISODES)
    assert decided(compact("tic-tac-toe", runs.run_job(place, "tic-tac-toe", "a", 1, EPISODES), EPISODES)) == {
        agent: {**found, "reloads": True} for agent, found in decided(result).items()
    }
    assert len(bases) == len(AGENTS)  # what is finished is not done again
    assert seen == sorted(seen)
    assert seen[-1] == 4 * EPISODES


class Killed(Exception):
    """In place of kill -9: what comes after it is not done."""


@pytest.mark.parametrize("ending", [KeyboardInterrupt, Killed])
def test_a_cut_anywhere_leaves_out_no_look(ending, tmp_path, monkeypatch):
    """Every tell raises once, every checkpoint is once the last; in place of lost lines a figure that changes often."""
    monkeypatch.setattr(runs, "PERFECT_STEP", 2)
    monkeypatch.setattr(runs, "CHECKPOINT_S", 0.0 if ending is Killed else 1e9)
    monkeypatch.setattr(runs, "loses_no_line", lambda agent: len(agent) % 3 == 0)
    save = runs.Run.save

    def notes(cut):
        count = itertools.count(1)

        def end(is_asked):
            if is_asked and next(count) == cut:
                raise ending

        monkeypatch.setattr(runs.Run, "save", lambda *arguments: (save(*arguments), end(ending is Killed)))
        (tmp_path / str(cut)).mkdir()
        run = runs.Run(Place(tmp_path / str(cut), lambda _: end(ending is not Killed)), "tic-tac-toe", "a", 1, 8, None, "")
        for _ in range(2):
            with contextlib.suppress(ending):
                found = {agent: run.train(agent, before=0)[1] for agent in ("q", *runs.IN_ORDER)}
                break
        return {agent: (one["first_perfect"], one["perfect_after"]) for agent, one in found.items()}, next(count)

    unbroken, total = notes(0)
    assert total > 15
    assert {*itertools.chain(*unbroken.values())} == {10, 16, None}  # several looks decide
    for cut in range(1, total):
        assert notes(cut)[0] == unbroken, cut


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


def test_agents_of_a_seed_give_value_away_in_the_same_deals():
    game = GAMES["card-points-8-deals"].load()
    careless = make_policy("random", game, seed=1)
    first, again, other = (runs.regret_of(careless, game, (), seed, 20) for seed in (1, 1, 2))
    assert first == again != other
    assert first["plies"] == 80


# ---------------------------------------------------------------- the command


def test_the_command_gathers_what_there_is(folder, capsys):
    arguments = ["reproduce", "pessimistic-q", "--episodes", str(EPISODES), "--out", str(folder), "--seeds", "1"]
    assert main([*arguments, "--game", "tic-tac-toe", "--setting", "a", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["tic-tac-toe"]
    assert [one["seed"] for one in found["settings"]["a"]] == [1]  # the folder has two
    assert "curve" not in found["settings"]["a"][0]["pq"]
    assert found["random"]["seats"][0]["won"]["value"] == pytest.approx(737 / 1260)
    stem, both = (f"tic-tac-toe_{EPISODES}_seeds-1-{last}" for last in (1, 2))
    assert {path.name for path in folder.iterdir()} == {
        "jobs",
        "agents",
        *(f"{one}.{end}" for one in (stem, both) for end in ("md", "json", "png")),
    }
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
    for nothing in ("-", " "):
        with pytest.raises(OptionError, match="game="):
            games_of(nothing)
    asked = {(): "", ("a",): "a", ("a", "c"): "ac", ("c a",): "ac", ("a-e",): "abcde", ("b-d,a",): "abcd", ("de",): "de"}
    for words, letters in asked.items():
        assert settings_of(words) == letters
    for bad in ("f", "a-", "e-a", "a-z", "A", "-", "a-b-c"):
        with pytest.raises(OptionError, match="expected letters from a to e"):
            settings_of((bad,))
    for wrong in ({"seeds": -1}, {"episodes": -5}, {"memory": -1.0}, {"memory": float("nan")}, {"processes": 0},
                  {"first_seed": 0}):  # fmt: skip
        with pytest.raises(OptionError, match="expected at least"):
            jobs_of(Settings(game="tic-tac-toe", **wrong))


# ---------------------------------------------------------------- pages


def test_pages_are_of_the_seeds_that_are_asked_for(tmp_path):
    jobs, agents = tmp_path / "jobs", {agent: figures_of() for agent in AGENTS}
    jobs.mkdir()
    for setting, seeds in (("d", range(1, 13)), ("e", range(1, 12))):
        for seed in seeds:
            job = job_of("tic-tac-toe", setting, seed, 12_000)
            (jobs / f"{job.name}.json").write_text(json.dumps({**job.identity(), "result": agents}))
    (jobs / "tic-tac-toe_e_12000_old.json").write_text("{}")
    (jobs / "tic-tac-toe_e_12000_2.json").write_text("{}")

    def page(**seeds):
        found = found_of(Settings(game="tic-tac-toe", out=tmp_path, **seeds))["tic-tac-toe"]
        return {s: [one["seed"] for one in runs] for s, runs in found["settings"].items()}, found

    numbers, found = page()
    assert numbers == {"d": [*range(1, 13)], "e": [1, *range(3, 12)]}
    assert found["left_out"] == ["tic-tac-toe_e_12000_old.json", "tic-tac-toe_e_12000_2.json"]
    assert stem_of(found) == "tic-tac-toe_12000"
    assert "seeds: d 12, e 10 (of the list)." in markdown(found)
    numbers, found = page(first_seed=11, seeds=30)
    assert numbers == {"d": [11, 12], "e": [11]}
    assert stem_of(found) == "tic-tac-toe_12000_seeds-11-40"
    text = markdown(found)
    assert "seeds: d 2, e 1 (of 11 to 40)." in text
    assert "Not all settings have as many seeds: where they are taken together, setting d counts for 67 % of the runs." in text
    asked = jobs_of(Settings(game="tic-tac-toe", setting=("d",), first_seed=11, seeds=2))["tic-tac-toe"]
    assert [job.name for job in asked[1:]] == ["tic-tac-toe_d_12000_11", "tic-tac-toe_d_12000_12"]


def test_times_are_the_least_and_speeds_the_greatest_over_the_seeds(result):
    slow, fast = ({agent: {**result[agent], "seconds": seconds} for agent in AGENTS} for seconds in (0.8, 0.25))
    row = costs("tic-tac-toe", {"a": [{"seed": 1, **slow}, {"seed": 2, **fast}]})[2].split(" | ")
    assert row[6:9] == ["0.25", "0.25 (study: 5 s)", f"{2 * EPISODES / 0.25:,.0f}"]


def found_with(name, results):
    """Results as `found_of` has them."""
    return {"game": name, "episodes": EPISODES, "seeds": [1, 10], "random": RANDOM, "settings": results, "left_out": []}


def test_few_seeds_have_a_range_and_many_an_interval(result):
    assert share([0.5, 0.75, 1.0]) == "75.0 (50.0 to 100.0)"
    assert share([0.5, 1.0] * 5).startswith("75.0 [")
    assert share([1.0] * 12) == "100.0 [73.5, 100.0]"
    for seeds, text in ((3, "the range over them"), (10, "95 % interval over the seeds")):
        found = found_with("tic-tac-toe", {"a": [{**result, "seed": n} for n in range(seeds)]})
        page = markdown(found)
        assert text in page
        assert ("3 runs in all: fewer than 6 pairs cannot decide" in page) == (seeds == 3)
        assert "curve" not in without_lists(found)["settings"]["a"][0]["q"]


def test_the_page_of_a_game_of_positions():
    known = {"quality": 0.25, "floor": 0.3, "positions": 1000, "unknown": 900, "smaller": 0, "smaller_right": 0}
    more = {"outcomes": [0.0, 1.0] * 500, "decisions": {"take the win": [8.0, 6.0]}, "positions": known, "is_perfect": None}
    agents = {agent: figures_of(**more) for agent in AGENTS}
    page = markdown(found_with("connect-four", {"a": [run_of("connect-four", n, agents) for n in range(3)]}))
    for line in (
        f"| a) 0.7, 0.7, 0.3: uniform |{' 0.0 |' * 4}",
        f"| a) 0.7, 0.7, 0.3: tactical |{' 100.0 |' * 4}",
        f"| a) 0.7, 0.7, 0.3: take the win |{' 75.0 of 24 |' * 4}",
        f"| a) 0.7, 0.7, 0.3 |{' 25.0 |' * 4} 90.0 |",
    ):
        assert line in page
    assert "0 for, 0 against, 3,000 equal" in page
