"""The Abalearn study: small runs of its parts, what a cut leaves, pages however it ends, sums by hand."""

import json
import shutil

import numpy as np
import pytest

from boardgym.cli import main
from boardgym.core.errors import OptionError, SpecError
from boardgym.studies.abalearn import illustrations, ratings, risk, rules, study
from boardgym.studies.jobs import JobError
from boardgym.studies.parts import Claim, Part, Work, spread

QUICK = ("--part", "ratings", "--size", "0.02", "--seeds", "2")


def run(place, seed, size):
    """A piece of work that is cut short once, and fails for seed 3."""
    if place.read("begun") is None:
        place.keep("begun", {})
        if seed == 2:
            raise KeyboardInterrupt
        if seed == 3:
            raise OptionError("no such seed")
    return {"figure": seed * size}


TOY = Part(
    name="toy",
    title="a toy",
    works={"plain": Work(run), "once": Work(lambda place, seed, size: {"figure": 7}, is_seeded=False)},
    lines=lambda figures: [f"figures {[one['figure'] for one in figures.get('plain', ())]}", ""],
    claims=(Claim(5, "it is a toy", lambda figures: ("shown", f"{len(figures['once'])} toy"), ("once", "plain")),),
    readings=(("what", "not said", "so"),),
)


@pytest.fixture
def toy(monkeypatch):
    load = study.load_part
    monkeypatch.setattr(study, "PARTS", ("toy", *study.PARTS))
    monkeypatch.setattr(study, "load_part", lambda name: TOY if name == "toy" else load(name))


def test_what_was_cut_short_goes_on_and_has_a_page_however_it_ends(toy, tmp_path, capsys):
    arguments = ["reproduce", "abalearn", "--part", "toy", "--out", str(tmp_path)]
    assert main([*arguments, "--seeds", "2"]) == 130
    said = capsys.readouterr().err
    assert "interrupted; what was done is in" in said
    page = (tmp_path / "toy.md").read_text()
    assert "figures [1.0]" in page
    assert "Not done: toy_plain_2, toy_once_0." in page
    assert "| 5 | it is a toy | not decided |" in page
    assert "not done: once." in page
    assert main([*arguments, "--seeds", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdicts"] == [{"claim": 5, "text": "it is a toy", "verdict": "shown", "evidence": "1 toy"}]
    assert [one["figure"] for one in found["parts"]["toy"]["figures"]["plain"]] == [1.0, 2.0]
    assert found["parts"]["toy"]["missing"] == []
    assert main([*arguments, "--seeds", "3"]) == 2  # its third seed fails, the page is written
    assert "no such seed" in capsys.readouterr().err
    assert "Not done: toy_plain_3." in (tmp_path / "toy.md").read_text()
    assert main([*arguments, "--seeds", "1", "--json"]) == 0  # what the folder has beyond the seeds asked for counts too
    assert len(json.loads(capsys.readouterr().out)["parts"]["toy"]["figures"]["plain"]) == 2


def test_later_work_is_done_of_what_is_chosen_from_the_other(tmp_path, monkeypatch):
    """Each kind has its own number of seeds; nothing is done while nothing can be chosen, and another choice is left out.

    The last stage is chosen from the one before it.
    """

    def total(figures):
        found = [one["figure"] for one in figures.get("first", ())]
        return sum(found) if len(found) >= 3 else None

    def most(figures):
        return max((one["sum"] for one in figures.get("later", ())), default=None)

    last = Work(lambda place, seed, size, chosen: {"most": chosen}, seeds=1, stage=2, chooses=most)
    later = Work(lambda place, seed, size, chosen: {"sum": seed + chosen}, stage=1, chooses=total)
    first = Work(lambda place, seed, size: {"figure": seed}, seeds=3)
    part = Part(
        name="two",
        title="two",
        works={"last": last, "later": later, "first": first},
        lines=lambda figures: [],
        claims=(),
        seeds=2,
    )
    monkeypatch.setattr(study, "PARTS", ("two",))
    monkeypatch.setattr(study, "load_part", lambda name: part)
    found = study.reproduce(study.Settings(out=tmp_path, seeds=2))["two"]
    assert [one["figure"] for one in found["figures"]["first"]] == [1, 2]
    assert "later" not in found["figures"]
    assert found["missing"] == ["two_later_1", "two_later_2", "two_last_1", "two_last_2"]
    found = study.reproduce(study.Settings(out=tmp_path))["two"]
    assert [one["figure"] for one in found["figures"]["first"]] == [1, 2, 3]
    assert [one["sum"] for one in found["figures"]["later"]] == [7, 8]
    assert [one["most"] for one in found["figures"]["last"]] == [8]
    assert found["missing"] == []
    study.reproduce(study.Settings(out=tmp_path / "more", seeds=4))  # its later work is of another choice
    for seed in (1, 2):
        shutil.copy(tmp_path / "more" / "jobs" / f"two_later_{seed}.json", tmp_path / "jobs")
    found = study.found_of(study.Settings(out=tmp_path))["two"]
    assert "later" not in found["figures"]
    assert found["left_out"] == ["two_later_1.json", "two_later_2.json", "two_last_1.json"]
    with pytest.raises(SpecError, match="the result of other work"):
        study.reproduce(study.Settings(out=tmp_path))


def test_a_first_seed_is_of_work_without_a_number_of_its_own(tmp_path, monkeypatch):
    """Seeds that nobody has looked at yet, beside those that are there; what a design or a choice needs keeps its own."""
    kinds = {"design": {"seeds": 2}, "plain": {}, "once": {"is_seeded": False}}
    works = {name: Work(lambda place, seed, size: {"of": seed}, **more) for name, more in kinds.items()}
    part = Part(name="first", title="first", works=works, lines=lambda figures: [], claims=(), seeds=3)
    monkeypatch.setattr(study, "PARTS", ("first",))
    monkeypatch.setattr(study, "load_part", lambda name: part)
    for more, seeds in (
        ({"seeds": 1}, [1]),
        ({"first_seed": 11}, [1, 11, 12, 13]),
        ({"first_seed": 7, "seeds": 1}, [1, 7, 11, 12, 13]),
    ):
        found = study.reproduce(study.Settings(out=tmp_path, **more))["first"]
        assert [one["seed"] for one in found["figures"]["plain"]] == seeds
        assert [one["of"] for one in found["figures"]["plain"]] == seeds
        assert {one["of"] for one in found["figures"]["design"]} <= {1, 2}
        assert [one["of"] for one in found["figures"]["once"]] == [0]
        assert found["missing"] == []
    assert study.found_of(study.Settings(out=tmp_path, first_seed=21, seeds=1))["first"]["missing"] == ["first_plain_21"]
    for wrong in (0, -1, 10_000):
        with pytest.raises(OptionError, match="expected a seed from 1"):
            study.reproduce(study.Settings(out=tmp_path, first_seed=wrong))


def test_results_depend_on_what_their_own_kind_is_made_of():
    works = {name: Work(lambda place, seed, size: {}, made_of=data) for name, data in (("a", 1), ("b", 2), ("c", None))}
    part = Part(name="p", title="p", works=works, lines=lambda figures: [], claims=(), made_of=(1,))
    other = Part(
        name="p", title="p", works={**works, "b": Work(works["b"].run, made_of=3)}, lines=part.lines, claims=(), made_of=(1,)
    )
    assert [part.digest(kind) == other.digest(kind) for kind in "abc"] == [True, False, True]
    assert len({part.digest(kind) for kind in "abc"}) == 3


def test_a_page_names_no_more_than_a_few_that_are_missing(toy):
    found = {"size": 1.0, "figures": {"once": [{"seed": 0, "seconds": 1.0, "sources": "a", "figure": 7}]}, "left_out": []}
    page = study.markdown("toy", {**found, "missing": [f"toy_plain_{seed}" for seed in range(1, 12)]})
    assert "toy_plain_7, toy_plain_8, and 3 more." in page
    assert "toy_plain_9" not in page


def test_a_smaller_size_decides_nothing_and_has_files_of_its_own(toy, tmp_path, capsys):
    assert main(["reproduce", "abalearn", "--part", "toy", "--out", str(tmp_path), "--seeds", "1", "--size", "0.5"]) == 0
    page = capsys.readouterr().out
    assert "figures [0.5]" in page
    assert "At 0.5 of the full size, which decides nothing." in page
    assert "not decided; at 0.5 of the full size (shown): 1 toy." in page
    assert {path.name for path in tmp_path.iterdir()} == {"jobs", "toy-0.5.md", "toy-0.5.json"}


def test_results_of_other_settings_are_refused_and_left_out(toy, tmp_path, monkeypatch, capsys):
    arguments = ["reproduce", "abalearn", "--part", "toy", "--out", str(tmp_path), "--seeds", "1"]
    assert main(arguments) == 0
    changed = Part(**{**{name: getattr(TOY, name) for name in TOY.__dataclass_fields__}, "made_of": (2,)})
    monkeypatch.setattr(study, "load_part", lambda name: changed)
    assert main(arguments) == 2
    assert "the result of other work: digest" in capsys.readouterr().err
    found = study.found_of(study.Settings(part=("toy",), seeds=1, out=tmp_path))["toy"]
    assert (found["figures"], found["left_out"]) == ({}, ["toy_plain_1.json", "toy_once_0.json"])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [(("--part", "risks"), "part='risks'; did you mean 'risk'"), (("--seeds", "-1"), "seeds=-1, processes=1: expected"),
     (("--size", "0"), "size=0.0: expected a share above 0"), (("--size", "nan"), "size=nan"),
     (("--processes", "0"), "processes=0")],
)  # fmt: skip
def test_wrong_settings_are_refused(arguments, text, tmp_path, capsys):
    assert main(["reproduce", "abalearn", *arguments, "--out", str(tmp_path / "new")]) == 2
    assert text in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_the_command_writes_the_page_of_a_part(tmp_path, capsys):
    assert main(["reproduce", "abalearn", *QUICK, "--out", str(tmp_path)]) == 0
    page = capsys.readouterr().out
    assert "| equals of equal experience | 8.5 | 8.50 | yes |" in page
    assert "| no courage | 2250 |" in page
    files = {"ratings-0.02.md", "ratings-0.02.json", "ratings-0.02_careers.png"}
    assert {path.name for path in tmp_path.iterdir()} == {"jobs", *files}
    assert (tmp_path / "ratings-0.02_careers.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(JobError, match="another process works at this"):
        again(tmp_path)


def again(folder):
    """Two commands at one job."""
    from boardgym.core.locks import alone
    from boardgym.studies.jobs import work

    job = study.jobs_of(study.load_part("ratings"), 3, 0.02, {})[2]
    with alone(folder / "jobs" / f"{job.name}.lock", JobError):
        work(study.run_job, folder / "jobs", job, lambda done: None)


# ---------------------------------------------------------------- sums by hand


def test_spread():
    assert spread([1.0]) == "1.00"
    assert spread([1.0, 3.0]) == "2.00 (1.00 to 3.00)"
    assert spread([1.0, 2.0, 3.0]) == "2.00 ± 2.48"  # 4.303 / sqrt(3)
    assert spread([0.0, 1.0] * 5, 3) == "0.500 ± 0.377"  # 2.262 sqrt(10 / 36 / 10)


def test_tables_are_told_to_the_digit():
    assert illustrations.printed("V3")[3] == [-2.0, -2.0, -1.8, 0.0]
    assert illustrations.as_printed("V3", [[-1.75, -2.0]]) == [[-1.8, -2.0]]
    assert illustrations.as_printed("V999", [[-59.43, -29.9999999999, -45.14]]) == [[-59.0, -30.0, -45.0]]
    figures = {"grids": [{"tables": {"V1": illustrations.printed("V1"), "V2": illustrations.printed("V3")}}]}
    assert illustrations.digits_agree(figures) == ("not shown", "16 numbers each: V1 equal, V2 differs")


def test_grids_as_published():
    figures = {"grids": [illustrations.grids(None, 0, 1.0)]}
    assert illustrations.digits_agree(figures)[0] == "shown"
    assert illustrations.grid_settles(figures)[0] == "shown"
    assert illustrations.distances(21, 20)[[21, 0, 38]].tolist() == [0, 2, 17]


def test_positions_of_a_line():
    line = rules.lines()[0]
    assert line == [f"e{k}" for k in range(1, 10)]
    assert rules.row_cells("i") == ["i5", "i6", "i7", "i8", "i9"]
    assert rules.position(line, "1SS1s1111", 5).split("/")[4] == "1SS1s4"
    fen = rules.position(line, "SSs111111", 5)
    assert (fen.split()[0].count("S"), fen.split()[0].count("s"), fen.split()[1:3]) == (14, 9, ["5", "0"])
    assert [rules.allowed(*one) for one in ((3, 2, "rim"), (3, 2, "own"), (2, 2, "rim"), (4, 0, "empty"), (1, 0, "rim"))] == [
        True,
        False,
        False,
        False,
        False,
    ]
    lines = [[2, 1, "empty", 30, 30], [2, 2, "empty", 30, 0]]
    one = {"cells": 61, "marbles": [14, 14], "openings": 44, "sequences": 1936, "lines": lines,
           "ends": [[5, False, None], [6, True, 0]]}  # fmt: skip
    assert rules.judge({"counts": [one]})[0] == "shown"
    for wrong in ({"openings": 43}, {"lines": [[2, 2, "empty", 30, 1]]}, {"ends": [[5, True, 0]]}):
        assert rules.judge({"counts": [{**one, **wrong}]})[0] == "not shown"


def test_a_rating_changes_by_hand():
    assert ratings.rated("older", (1500.0, 0), (1500.0, 9), True) == 1510.0
    assert ratings.rated("older", (1500.0, 0), (1901.0, 9), True) == 1500.0  # a gap above 400
    assert ratings.rated("server", (1500.0, 7), (1500.0, 7), True) == 1508.5
    assert ratings.rated("server", (1500.0, 0), (1500.0, 7), False) == pytest.approx(1500 - 7.5 - 1 / 30)
    server = ratings.Server(np.random.default_rng(1))
    rng = np.random.default_rng(2)
    low, high = float(server.ratings.min()) - 1, int(server.games.max()) + 1
    assert all(server.ratings[server.opponent((1500.0, high), 1.0, rng)] > 1500.0 for _ in range(50))
    assert all(server.ratings[server.opponent((1500.0, high), 0.0, rng)] <= 1500.0 for _ in range(50))
    assert 0 <= server.opponent((low, 0), 0.0, rng) < ratings.PLAYERS  # nobody is worse and newer: whoever comes


def test_newcomers_are_judged_by_their_share():
    many = [{"games": [8] * 27 + [31] * 13} for _ in range(10)]  # 67.5 % of 400 are soon there
    verdict, text = ratings.settles({"newcomers": many})
    assert (verdict, text[:36]) == ("not shown", "within 30 games 270 of 400 [63, 72 %")
    assert "median 8 (of each seed 8.0 ± 0.0)" in text
    assert ratings.settles({"newcomers": [{"games": [30] * 39 + [31]} for _ in range(10)]})[0] == "shown"
    assert ratings.settles({"newcomers": [{"games": [30] * 9 + [31]}]})[0] == "not decided"


def test_values_are_judged_by_their_means():
    point, other = [0.5, 0.1, 1.0, 2.01, 2.0], [1.0, 0.1, 0.0, 0.0, 0.0]
    off = [0.5, 0.1, 1.0, 1.97, 2.0]
    both = [{"values": [point, other]}, {"values": [off, other]}]
    assert risk.reaches_closed_form({"values": both})[0] == "not decided"
    verdict, text = risk.reaches_closed_form({"values": 5 * both})
    assert verdict == "shown"  # their mean is 1.99
    assert "single runs 15 of 20" in text
    assert risk.reaches_closed_form({"values": [{"values": [off]}]})[0] == "not shown"
    found = risk.values(type("Place", (), {"tell": lambda self, done: None})(), 1, 0.01)
    assert len(found["values"]) == 42
    assert [risk.steps_of(kappa) for kappa in (0.0, 0.8, -1.0)] == [2_000_000, 50_000_000, 2_000_000]
    assert "| 0.8 | 0.1 | 0.5 | 1.5517 |" in "\n".join(risk.page({"values": [found]}))
    kept = {"values": [[0.0, 0.5, 0.0, 3.1, 3.10345], [-0.3, 0.1, 25.0714, -4.0, -4.04068]], "crossings": []}  # six digits
    page = "\n".join(risk.page({"values": [kept]}))
    assert "| 0 | 0.5 | 0 | 3.1034 | 3.1000 | 0.11 |" in page  # 90 / 29
    assert "| -0.3 | 0.1 | 25.07 | -4.0407 |" in page
    crossed = {(kappa, theta): rho for kappa, theta, rho in found["crossings"]}
    assert crossed[0.0, 0.5] == pytest.approx(1.0, rel=0.1)
    assert crossed[-1.0, 0.1] is None
