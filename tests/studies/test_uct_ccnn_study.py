"""The rerun of the UCT-CCNN study: a game that is seconds long through all stages, the command, the committed page."""

import dataclasses
import json
import shutil

import pytest

from boardgym.cli import main
from boardgym.core.errors import OptionError, SpecError
from boardgym.studies.jobs import Place
from boardgym.studies.uct_ccnn import docs, examples, mcts, minimax, networks, parameters, plans, study
from boardgym.studies.uct_ccnn.matches import FIRST, SECOND, total
from boardgym.studies.uct_ccnn.plans import GAMES, data_set_of
from tests.support import ROOT, uncompiled_throughout

DOCS = ROOT / "docs"
TINY = plans.Plan(
    tuning=plans.TuningPlan(5, 2, 1),
    examples=plans.ExamplesPlan(20, 0.02, 1),
    network=plans.NetworkPlan(rows=40, units=2, patience=2),
    minimax=plans.MinimaxPlan(games={"1": 2}, openings={"1": 3, "2": 0}),
    mcts=plans.MctsPlan(10, 2),
    reference_games=4,
    positions=5,
)
GAME = plans.StudyGame("Tic-tac-toe", "TicTacToe", "TicTacToe-v0", (), "minimax:1", "sequences:1", (1, 2), 36)


@pytest.fixture
def small(monkeypatch):
    """Tic-tac-toe in Othello's place, and little of it."""
    monkeypatch.setitem(plans.PLANS, "small", TINY)
    monkeypatch.setitem(plans.GAMES, "othello", GAME)


def place_in(folder, name):
    (folder / "jobs" / name).mkdir(parents=True)
    return Place(folder / "jobs" / name, lambda done: None)


def test_a_game_goes_through_all_stages(small, tmp_path):
    """Examples, network, matches: each made of the one before, the same again, and refused where that was changed."""
    made = examples.plays("othello", "600")(place_in(tmp_path, "a"), 1, "small", {"constant": 0.7})
    assert made["counts"]["simulations"] == 60 * made["counts"]["decisions"]
    assert made["counts"]["games"] == made["kept"][0] == 31
    assert made["winners"]
    assert made["most_visited"]
    assert made["train"] + made["test"] == pytest.approx(made["kept"][0] * made["kept"][1])
    figures = {"examples_othello_600": [{"seed": 1, **made}]}
    chosen = networks.chosen_of("othello", "600")(figures)
    assert set(chosen) == {1, 2, 3, 4, 5}
    grow = networks.grows("othello", "600")
    one, again, other = (grow(place_in(tmp_path, f"b{k}"), seed, "small", chosen[seed]) for k, seed in enumerate((1, 1, 2)))
    assert one["network"] == again["network"] != other["network"]
    assert len(one["errors"]) <= 3
    assert one["rows"][0] == 40
    figures["networks_othello_600"] = [{"seed": 1, **one}]
    chosen = minimax.chosen_of("othello", "600")(figures)
    with pytest.raises(SpecError, match="not the network that was grown"):
        minimax.plays("othello", "600")(place_in(tmp_path, "c"), 2, "small", {"network": one["network"]})
    played = minimax.plays("othello", "600")(place_in(tmp_path, "d"), 1, "small", chosen[1])
    assert set(played["start"]) == {"1"}
    assert [total(played["openings"][height][FIRST]) for height in ("1", "2")] == [3, 9]
    assert total(played["start"]["1"][SECOND]) == 2
    assert 1 <= played["start"]["1"][FIRST]["distinct"] <= 2
    assert played["openings"]["2"][SECOND]["distinct"] == 9
    with uncompiled_throughout():  # ten simulations a move
        found = mcts.plays("othello")(place_in(tmp_path, "e"), 1, "small", {**chosen[1], "constant": 0.7})
    assert found["network"] == played["network"] == one["network"]
    assert total(found[FIRST]) == total(found[SECOND]) == 2
    path, second = (networks.file_of(place_in(tmp_path, f"f{seed}"), "othello", "600", seed, "small") for seed in (1, 2))
    place = Place(tmp_path / "jobs" / "f1", lambda done: shutil.copy(second, path))
    swapped = minimax.plays("othello", "600")(place, 1, "small", chosen[1])
    assert swapped["network"] == other["network"], "a file that is changed while it plays is not told as the one it was"


def test_examples_of_other_settings_or_code_are_made_anew(small, tmp_path, monkeypatch):
    """And a network of another constant refuses those that are there."""
    play, grow = examples.plays("othello", "200"), networks.grows("othello", "200")
    first = play(place_in(tmp_path, "a"), 1, "small", {"constant": 0.7})
    path = examples.folder_of(place_in(tmp_path, "b"), "othello", "200", 1, "small") / "examples.safetensors"
    content, written = path.read_bytes(), path.stat().st_mtime_ns
    assert play(place_in(tmp_path, "c"), 1, "small", {"constant": 0.7}) == first
    assert path.stat().st_mtime_ns == written
    with pytest.raises(SpecError, match="not the examples that were made"):
        grow(place_in(tmp_path, "d"), 1, "small", {"examples": {"constant": 0.8}})
    play(place_in(tmp_path, "e"), 1, "small", {"constant": 0.8})
    assert path.read_bytes() != content
    with pytest.raises(SpecError, match="not the examples that were made"):
        grow(place_in(tmp_path, "f"), 1, "small", {"examples": {"constant": 0.7}})
    monkeypatch.setattr(examples, "SOURCES", "0" * 64)
    written = path.stat().st_mtime_ns
    play(place_in(tmp_path, "g"), 1, "small", {"constant": 0.8})
    assert path.stat().st_mtime_ns != written
    (path.parent.parent / f"{path.parent.name}.json").unlink()
    with pytest.raises(SpecError, match="not the examples that were made"):
        grow(place_in(tmp_path, "h"), 1, "small", {"examples": {"constant": 0.8}})


def test_networks_are_shared_out_among_data_sets():
    assert [data_set_of(seed) for seed in (1, 5, 6, 10)] == [1, 1, 2, 2]
    assert plans.simulations_of(plans.PLANS["page"], "200") == 1_000
    assert plans.simulations_of(plans.PLANS["page"], "600") == 3_000
    assert [GAMES[game].num_openings for game in GAMES] == [244, 552]


def test_later_work_waits_for_earlier():
    """No constant, no examples; each of another constant is other work; a constant needs all tunings of the size."""
    part = study.PARTS["examples"]
    assert study.jobs_of(part, "small", {}) == []
    seeds = range(1, plans.PLANS["small"].tuning.tunings + 1)
    one, two = ({f"tuning_{game}": [{"seed": k, "means": [1.1, last]} for k in seeds] for game in GAMES} for last in (0.7, 0.8))
    few = {**one, "tuning_morris": one["tuning_morris"][:-1]}
    assert {job.arguments["kind"] for job in study.jobs_of(part, "small", few)} == {
        f"examples_othello_{setting}" for setting in plans.SETTINGS
    }
    first, second = (study.jobs_of(part, "small", figures) for figures in (one, two))
    assert [job.name for job in first] == [job.name for job in second]
    assert {job.arguments["chosen"]["constant"] for job in first} == {0.7}
    assert all(a.identity() != b.identity() for a, b in zip(first, second, strict=True))
    assert {part.name for part in study.parts_of(study.Settings(part=("mcts",)))} == {"tuning", "examples", "networks", "mcts"}


def test_more_data_sets_leave_finished_work_as_it_is(monkeypatch):
    """What is done of a size stays done when the size gets more of it; with other settings it does not."""
    plan, part = plans.PLANS["small"], study.PARTS["examples"]
    figures = {
        f"tuning_{game}": [{"seed": seed, "means": [1.1, 0.7]} for seed in range(1, plan.tuning.tunings + 1)] for game in GAMES
    }

    def jobs_with(**changes):
        changed = dataclasses.replace(plan, examples=dataclasses.replace(plan.examples, **changes))
        monkeypatch.setitem(plans.PLANS, "small", changed)
        return {job.name: job.identity() for job in study.jobs_of(part, "small", figures)}

    tuned = plans.TuningPlan(simulations=60, games=10, tunings=4)
    assert dataclasses.replace(plan, tuning=tuned).part("tuning") == {"simulations": 60, "games": 10}
    one, two, longer = jobs_with(data_sets=1), jobs_with(data_sets=2), jobs_with(data_sets=1, simulations=300)
    assert len(two) == 2 * len(one) == 8
    assert one.items() < two.items()
    assert all(longer[name] != one[name] for name in one)


def test_no_match_tells_more_than_its_units():
    for plan in plans.PLANS.values():
        for kind, game, _ in plans.kinds("minimax"):
            told = sum(len(minimax.heights_of(game, counts)) for counts in (plan.minimax.games, plan.minimax.openings))
            assert told <= study.PARTS["minimax"].works[kind].units


def test_parameters_stand_beside_the_published_ones():
    """Of the largest size those of the study are ours, but for thinking time and seeds, in tables 5.1 and 5.2."""
    usual = {"thinking", "threads", "seeds"}
    for part, differ in (("tuning", usual), ("examples", {*usual, "exploration"})):
        rows = parameters.ROWS[part][1]("page")
        assert {name.split()[0] for name, published, ours in rows if published != ours} == differ
    small = {name: ours for name, _, ours in parameters.examples_rows("small")}
    assert [small[name] for name in small if name.startswith(("games", "random"))] == ["2", "15"]
    assert [ours for _, _, ours in parameters.network_rows("small")] == ["1 to 5", "6 to 10"]
    assert parameters.parameters("costs", "small") == []


def test_the_command_prints_what_is_done_and_goes_on(tmp_path, capsys):
    words = ["reproduce", "uct-ccnn", "--part", "costs", "intervals", "--out", str(tmp_path)]
    assert main(words) == 0
    told = capsys.readouterr()
    assert "| tuning | Othello | 105.469 hours | 105.469 |" in told.out
    assert (tmp_path / "report-small.md").read_text() == told.out[:-1]
    before = (tmp_path / "jobs" / "small_costs.json").stat().st_mtime_ns
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(line["claim"], line["verdict"]) for line in data["verdicts"]] == [(3, "shown"), (9, "shown")]
    assert (tmp_path / "jobs" / "small_costs.json").stat().st_mtime_ns == before


def test_what_cannot_be_is_refused(tmp_path, capsys):
    assert main(["reproduce", "uct-ccnn", "--part", "minmax", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "boardgym: part='minmax'; did you mean 'minimax'?\n"
    assert main(["reproduce", "uct-ccnn", "--docs", str(tmp_path)]) == 2
    assert "expected the repository's folder of pages" in capsys.readouterr().err


def test_the_page_is_made_of_the_committed_figures():
    for path, text in docs.make_pages(DOCS).items():
        assert path.read_text(encoding="utf-8") == text, "boardgym reproduce uct-ccnn --docs docs"
    found = docs.read_figures(DOCS)
    assert set(found["parts"]) == set(study.PARTS)
    for name, part in study.PARTS.items():
        assert set(found["parts"][name]) == set(part.works), name


def test_figures_of_other_settings_or_sizes_are_refused(tmp_path):
    shutil.copytree(DOCS / docs.DATA, tmp_path / docs.DATA)
    path = docs.path_of(tmp_path, "tuning")
    kept = json.loads(path.read_text())
    other = "medium" if kept["size"] != "medium" else "small"
    for change, message in (
        (
            {"digests": {**kept["digests"], "tuning_morris": "0" * 16}},
            "tuning_morris: of other settings than those of this version",
        ),
        ({"part": "costs"}, "expected part 'tuning'"),
    ):
        path.write_text(json.dumps({**kept, **change}))
        with pytest.raises(SpecError, match=message):
            docs.read_figures(tmp_path)
    path.unlink()
    found = docs.read_figures(tmp_path)
    assert "tuning" not in found["parts"]
    settings = study.Settings(part=("costs",), size=other, out=tmp_path / "out")
    study.reproduce(settings)
    with pytest.raises(OptionError, match="take all parts of one run"):
        docs.take_figures(settings, tmp_path)
    docs.write_part(tmp_path, study.PARTS["costs"], other, study.found_of(settings)["parts"]["costs"])
    with pytest.raises(SpecError, match="expected figures of one size"):
        docs.read_figures(tmp_path)
    docs.write_part(tmp_path, study.PARTS["costs"], found["size"], found["parts"]["costs"])
    again = study.Settings(part=("costs",), size=found["size"], out=tmp_path / "out2")
    study.reproduce(dataclasses.replace(again))
    (tmp_path / "images").mkdir()
    assert docs.take_figures(again, tmp_path)[0].startswith("costs: 1 results")


def test_damaged_files_are_refused_with_a_sentence(tmp_path):
    """Files that are none, and results without what their kind holds; also beside a part that is taken."""
    shutil.copytree(DOCS / docs.DATA, tmp_path / docs.DATA)
    size = docs.read_figures(tmp_path)["size"]
    settings = study.Settings(part=("intervals",), size=size, out=tmp_path / "out")
    study.reproduce(settings)
    path = docs.path_of(tmp_path, "costs")
    kept = json.loads(path.read_text())
    bare = {**kept, "figures": {"costs": [{"seed": 0, "seconds": 0.0, "sources": ""}]}}
    for text, message in (
        ('{"part":', "figures of the study"),
        ("[]", "figures of the study"),
        (json.dumps(bare), "without costs"),
    ):
        path.write_text(text)
        with pytest.raises(SpecError, match=message):
            docs.read_figures(tmp_path)
        with pytest.raises(SpecError, match=message):
            docs.take_figures(settings, tmp_path)
    result = tmp_path / "out" / "jobs" / f"{size}_intervals.json"
    done = json.loads(result.read_text())
    del done["result"]["cells"]
    result.write_text(json.dumps(done))
    with pytest.raises(SpecError, match="a result without cells"):
        study.found_of(settings)


@pytest.mark.parametrize(
    ("part", "kind", "change", "message"),
    [
        ("minimax", "minimax_morris_200", {"network": "another"}, "network 1 is not that of networks_morris_200"),
        ("mcts", "mcts_othello", {"network": "another"}, "network 1 is not that of networks_othello_600"),
        ("examples", "examples_othello_600", {"constant": 0.5}, "constant 0.5, of the tunings"),
    ],
)
def test_figures_of_other_runs_are_refused(tmp_path, part, kind, change, message):
    shutil.copytree(DOCS / docs.DATA, tmp_path / docs.DATA)
    path = docs.path_of(tmp_path, part)
    kept = json.loads(path.read_text())
    kept["figures"][kind][0].update(change)
    path.write_text(json.dumps(kept))
    with pytest.raises(SpecError, match=message):
        docs.read_figures(tmp_path)
    settings = study.Settings(part=("costs",), size=kept["size"], out=tmp_path / "out")
    study.reproduce(settings)
    with pytest.raises(OptionError, match=message):
        docs.take_figures(settings, tmp_path)
