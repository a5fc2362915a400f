"""Figures and pages of the Pessimistic Q-learning study: of all seeds of the list, and saying what the committed ones say."""

import itertools
import json
import re

import pytest

from boardgym.cli import main
from boardgym.core.errors import SpecError
from boardgym.studies import pessimistic_q as study
from boardgym.studies import pessimistic_q_docs as pages
from boardgym.studies import pessimistic_q_seeds
from boardgym.studies.exact import clopper_pearson, compare_pairs
from boardgym.studies.pages import fill
from boardgym.studies.pessimistic_q import Settings, jobs_of
from boardgym.studies.pessimistic_q_claims import judge_claims
from boardgym.studies.pessimistic_q_data import GameData, in_ranges, read_figures, write_figures
from boardgym.studies.pessimistic_q_plan import AGENTS, GAMES
from boardgym.studies.pessimistic_q_seeds import BLOCKS, Block, block_of, episodes_of, seeds_of
from tests.studies.test_study_verdicts import NEVER_LOSES, PERFECT, PLAIN, RANDOM, figures_of, run_of, verdicts
from tests.support import ROOT

DOCS = ROOT / "docs"
KEPT = [name for name in GAMES if (DOCS / pages.DATA / f"{name}.json").exists()]
TIC_TAC_TOE = "tic-tac-toe"


# ---------------------------------------------------------------- the list of seeds


def test_a_seed_is_of_one_block():
    """Every run that there can be is of one block, and blocks of a game follow each other without a gap."""
    runs = [
        (name, episodes, setting, seed)
        for one in BLOCKS
        for name, setting in itertools.product(one.games, one.settings)
        for episodes in one.episodes or (GAMES[name].episodes,)
        for seed in range(one.first, one.last + 1)
    ]
    assert len(runs) == len(set(runs))
    for name in GAMES:
        for setting, episodes in itertools.product(GAMES[name].settings, episodes_of(name)):
            seeds = seeds_of(name, setting, episodes)
            assert seeds == [*range(1, len(seeds) + 1)]
            numbers = [block_of(name, setting, seed, episodes) for seed in seeds]
            assert numbers == sorted(numbers)
            assert 0 not in numbers
    assert block_of(TIC_TAC_TOE, "a", 71) == block_of(TIC_TAC_TOE, "f", 1) == 0
    assert all(one.purpose for one in BLOCKS)


def test_whoever_names_no_seeds_gets_the_list():
    jobs = jobs_of(Settings(game=TIC_TAC_TOE))[TIC_TAC_TOE]
    asked = {(job.arguments["setting"], job.arguments["episodes"]) for job in jobs[1:]}
    assert asked == {*((s, 12_000) for s in "abcde"), *(("b", n) for n in (15_000, 20_000, 30_000))}
    seeds = [job.arguments["seed"] for job in jobs if job.arguments["setting"] == "c"]
    assert seeds == seeds_of(TIC_TAC_TOE, "c")
    assert len(seeds) >= 40
    few = jobs_of(Settings(game=TIC_TAC_TOE, setting=("b",), first_seed=2, seeds=2))[TIC_TAC_TOE]
    assert [job.name for job in few[1:]] == ["tic-tac-toe_b_12000_2", "tic-tac-toe_b_12000_3"]
    late = jobs_of(Settings(game="connect-four", setting=("a",), first_seed=3))["connect-four"]
    assert [job.name for job in late[1:]] == ["connect-four_a_4000000_3"]


# ---------------------------------------------------------------- files of figures


def data_of(name, results, episodes=0):
    """Figures as a file has them."""
    return GameData(RANDOM, 0.67, {}, {episodes or GAMES[name].episodes: results})


def seats(random):
    """The random test with both seats."""
    return {**random, "seats": random["seats"] * 2}


@pytest.fixture
def kept(tmp_path):
    """A file of made-up figures, and what it was made of."""
    runs = {
        s: [run_of(TIC_TAC_TOE, n, {agent: figures_of(entries=n) for agent in AGENTS}, 12_000) for n in range(1, 11)]
        for s in "ad"
    }
    data = GameData(seats(RANDOM), 0.67, {"12000 a": "0123", "12000 d": "4567"}, {12_000: runs})
    return write_figures(tmp_path, TIC_TAC_TOE, data), data


def test_figures_come_back_as_they_were(kept, tmp_path):
    path, data = kept
    found, text = read_figures(tmp_path, TIC_TAC_TOE), path.read_text()
    for setting, runs in data.results[12_000].items():
        for ours, theirs in zip(runs, found.results[12_000][setting], strict=True):
            for agent in AGENTS:
                ours[agent] = {key: value for key, value in ours[agent].items() if key not in ("curve", "block")}
            assert theirs == ours
    assert (found.floor, found.digests, found.random) == (data.floor, data.digests, data.random)
    shuffled = {setting: runs[::-1] for setting, runs in reversed(found.results[12_000].items())}
    write_figures(tmp_path, TIC_TAC_TOE, GameData(found.random, found.floor, found.digests, {12_000: shuffled}))
    assert path.read_text() == text  # in whatever order they came
    assert read_figures(tmp_path, "connect-four") is None
    assert found.missing(TIC_TAC_TOE)[0] == "a 11 to 70 (12,000 episodes)"
    assert in_ranges([1, 2, 3, 7, 9, 10]) == "1 to 3, 7, 9 to 10"


def test_figures_are_checked(kept, tmp_path):
    path, _ = kept
    whole = json.loads(path.read_text())
    run = whole["runs"][0]

    def refused(match, **changes):
        path.write_text(json.dumps({**whole, **changes}))
        with pytest.raises(SpecError, match=match):
            read_figures(tmp_path, TIC_TAC_TOE)

    for place, wrong in (
        (0, "12000"),
        (1, 7),
        (1, "ad"),
        (2, True),
        (2, 0),
        (3, "not hex"),
        (4, [1, 2]),
        (5, []),
        (5, run[5][:-1]),
    ):
        refused("figures of the study of Pessimistic Q-learning", runs=[[*run[:place], wrong, *run[place + 1 :]]])
    for place, wrong in ((0, [0.5, 0.5, 1.5]), (3, 1), (5, -0.1), (6, 1.5), (13, [1, 1])):
        row = [*run[5][:place], wrong, *run[5][place + 1 :]]
        refused("figures of the study of Pessimistic Q-learning", runs=[[*run[:5], row, *run[6:]]])
    refused("runs twice, or out of order", runs=[run, run])
    refused("runs twice, or out of order", runs=whole["runs"][::-1])
    refused(r"run \(12000, 'a', 71\) is not in the list of seeds", runs=[[*run[:2], 71, *run[3:]]])
    refused(r"run \(700, 'a', 1\) is not in the list of seeds", runs=[[700, *run[1:]]])
    refused("digests of", digests={"12000 a": "0123"})
    refused("costs of 1 runs, not of 20", costs=whole["costs"][:1])
    refused("game 'chess', not 'tic-tac-toe'", game="chess")
    refused("columns", columns=whole["columns"][::-1])
    refused("figures of the study", more=1)
    refused("it has part of a block of seeds", runs=whole["runs"][1:], costs=whole["costs"][1:])
    for text in ("", "[]", "{", "[" * 100_000, '{"game": NaN}'):
        path.write_text(text)
        with pytest.raises(SpecError, match=r"expected .*figures of the study of Pessimistic Q-learning"):
            read_figures(tmp_path, TIC_TAC_TOE)


# ---------------------------------------------------------------- verdicts over all seeds


def test_one_run_of_a_later_block_decides():
    """What all runs of the first block show, one lost line of the last takes back, with its count."""
    good = {agent: figures_of(**(PERFECT if agent == "pq" else PLAIN)) for agent in AGENTS}
    bad = {**good, "pq": figures_of(**{**PERFECT, "is_perfect": False, "clone": {"won": 0.0, "drawn": 0.9, "lost": 0.1}})}
    runs = {s: [run_of(TIC_TAC_TOE, n, good) for n in range(1, 51)] for s in "abcde"}
    assert verdicts(TIC_TAC_TOE, PERFECT, PLAIN)[NEVER_LOSES] == "shown"
    runs["d"][46] = run_of(TIC_TAC_TOE, 47, bad)
    found = {line.claim: line for line in judge_claims(TIC_TAC_TOE, runs, RANDOM, 12_000)}
    line = found["PQ never loses a line at settings a, c, d, e"]
    assert (line.verdict, line.count) == ("not shown", "199 of 200 [97.25, 99.99 %]")
    line = found["PQ does not lose to the second seat's plain Q-learning"]
    assert (line.verdict, line.count) == ("not shown", "249 of 250 [97.79, 99.99 %]")
    chosen = found["less regret than the control (chosen after block 1)"]
    assert "250 pairs for" in chosen.evidence
    assert "Blocks after 1 alone: shown" in chosen.evidence
    assert "200 pairs for" in chosen.evidence


def test_parts_of_a_page_are_filled():
    page = "before\n<!-- made: a -->\n\nold\n\n<!-- end -->\nbetween\n<!-- made: b -->\n<!-- end -->\n"
    expected = "before\n<!-- made: a -->\n\nnew\n\n<!-- end -->\nbetween\n<!-- made: b -->\n<!-- end -->\n"
    assert fill(page, {"a": "new"}, "page") == expected == fill(expected, {"a": "new"}, "page")
    for wrong in ({"c": "new"}, {"a": "new", "": ""}):
        with pytest.raises(SpecError, match="expected one part"):
            fill(page, wrong, "page")
    with pytest.raises(SpecError, match="expected one part"):
        fill(page * 2, {"a": "new"}, "page")
    with pytest.raises(SpecError, match="expected one part"):
        fill("<!-- made: a -->\n", {"a": "new"}, "page")


# ---------------------------------------------------------------- the command


def test_pages_are_made_of_what_was_run(tmp_path, monkeypatch, capsys):
    """Commands with other seeds each: the file has those of whole blocks, and the pages say so."""
    blocks = [
        Block(number, (TIC_TAC_TOE,), "acde", first, last, "") for number, first, last in ((1, 1, 1), (2, 2, 2), (3, 3, 4))
    ]
    monkeypatch.setattr(pessimistic_q_seeds, "BLOCKS", blocks)
    lost = {"is_perfect": False}
    monkeypatch.setattr(
        study,
        "run_job",
        lambda place, name, setting, seed, *_, **__: (
            {agent: figures_of(**(lost if seed == 2 else PERFECT)) for agent in AGENTS} if setting else seats(RANDOM)
        ),
    )
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    names = ("claims", "seeds", "readings", "against", "sweep", "blocks")
    (docs / pages.PAGE).write_text("".join(f"<!-- made: {name} -->\n<!-- end -->\n" for name in names))
    (docs / pages.TABLES).write_text("".join(f"<!-- made: {name} -->\n<!-- end -->\n" for name in GAMES))
    command = ["reproduce", "pessimistic-q", "--game", TIC_TAC_TOE, "--out", str(out)]
    told = []
    for first, folder in ((1, out), (2, tmp_path / "other"), (3, tmp_path / "other")):
        seeds = ["--setting", "a", "c-e", "--first-seed", str(first), "--seeds", "1"]
        assert main([*command[:-1], str(folder), *seeds]) == 0
        assert main([*command[:-1], str(folder), "--docs", str(docs)]) == 0
        told.append(capsys.readouterr().err)
    assert "tic-tac-toe: 4 runs; not yet run to the end, and in no figure: setting a 2 to 4 (12,000 episodes);" in told[0]
    for text in told[1:]:
        assert "tic-tac-toe: 8 runs; not yet run to the end, and in no figure: setting a 3 to 4 (12,000 episodes);" in text
    assert f"written: {docs}" in told[1]
    assert f"written: {docs}" not in told[2]  # nothing has changed
    claim = "| 2 | PQ never loses a line at settings a, c, d, e | not shown, 4 of 8 [15.70, 84.30 %] |"
    assert claim in (docs / pages.PAGE).read_text()
    for page in (pages.PAGE, pages.TABLES):
        assert "tic-tac-toe, not yet run to the end, and in no figure: setting a 3 to 4 (" in (docs / page).read_text()
    monkeypatch.setattr(
        study,
        "run_job",
        lambda place, name, setting, seed, *_, **__: (
            {agent: figures_of(entries=seed) for agent in AGENTS} if setting else seats(RANDOM)
        ),
    )
    again = ["--out", str(tmp_path / "again"), "--game", TIC_TAC_TOE]
    assert main(["reproduce", "pessimistic-q", *again, "--setting", "a", "--seeds", "3"]) == 0
    assert main(["reproduce", "pessimistic-q", *again, "--docs", str(docs)]) == 0
    assert "tic-tac-toe: 8 runs, 2 of them with other figures than before; not yet run" in capsys.readouterr().err
    monkeypatch.setattr(pages, "digest_of", lambda *_: "other")
    with pytest.raises(SpecError, match="of other settings or tests than those of this version"):
        pages.make_pages(docs)


# ---------------------------------------------------------------- what is committed


def test_pages_say_what_the_figures_say():
    for path, text in pages.make_pages(DOCS).items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run boardgym reproduce pessimistic-q --docs docs"


def test_what_does_not_count_yet_is_named():
    assert TIC_TAC_TOE in KEPT
    for name in KEPT:
        missing = read_figures(DOCS / pages.DATA, name).missing(name)
        for page in (pages.PAGE, pages.TABLES):
            for line in missing:
                assert line in (DOCS / page).read_text()


def test_never_is_said_with_a_count():
    """Every count of the table of claims has the exact bound of its share."""
    page = (DOCS / pages.PAGE).read_text()
    counts = re.findall(r"(?:shown|not shown|not decided), (\d+) of (\d+) \[([\d.]+), ([\d.]+) %\]", page)
    assert len(counts) >= 6
    for k, n, low, high in counts:
        found = clopper_pearson(int(k), int(n))
        assert (low, high) == (f"{100 * found.low:.2f}", f"{100 * found.high:.2f}")
    results = read_figures(DOCS / pages.DATA, TIC_TAC_TOE).results[12_000]
    runs = sum(len(results[setting]) for setting in "acde")
    assert runs >= 160
    assert re.search(rf"PQ never loses a line at settings a, c, d, e \| [a-z ]+, \d+ of {runs} ", page)


def test_a_game_without_figures_says_so():
    page = (DOCS / pages.TABLES).read_text()
    for name in GAMES:
        part = page.partition(f"<!-- made: {name} -->")[2].partition("<!-- end -->")[0]
        assert ("Of an earlier run" in part) == (name not in KEPT), name


def test_the_text_says_what_the_figures_say():
    """The counts of the section on tic-tac-toe."""
    results = read_figures(DOCS / pages.DATA, TIC_TAC_TOE).results[12_000]
    text = " ".join((DOCS / pages.PAGE).read_text().partition("### Tic-tac-toe")[2].partition("### Connect Four")[0].split())

    def count(agent, holds=lambda one: one["is_perfect"], letters="abcde"):
        return sum(holds(run[agent]) for setting in letters for run in results[setting])

    def ahead(letters):
        pairs = [(run["pq"]["base_quality"], run["control"]["base_quality"]) for s in letters for run in results[s]]
        found = compare_pairs(*zip(*pairs, strict=True))
        return found.better, found.worse

    def bold(agent, key="bold"):
        return sum(run[agent]["bold_moves"][key] for runs in results.values() for run in runs)

    total = sum(map(len, results.values()))
    late = [run for s in "acde" for run in results[s] if not run["q"]["is_perfect"]]

    def early(agent, key):
        return sum(run[agent][key] is not None and run[agent][key] < 3000 for run in late)

    def ever(agent, key="perfect_after"):
        return sum(run[agent][key] is not None for run in late)

    lost = {s: len(results[s]) - count("pq", letters=s) for s in "abcde"}
    low = 100 * clopper_pearson(count("pq", letters="acde"), 4 * len(results["a"])).low
    assert lost == {"a": 0, "b": 0, "c": 2, "d": 1, "e": 0}
    for fact in (
        f"in {count('pq')} of its {total} runs; two runs of setting c and one of d lose one",
        f"{low:.1f} % of them at the least",
        f"The control loses none in {count('control')}, Q in {count('q_twice')}:",
        "PQ is ahead of the control in {} pairs and behind in {}".format(*ahead("abcde")),
        "{} to {} of these are of settings d and e".format(*ahead("de")),
        "At a, b, c it is ahead in {} and behind in {}".format(*ahead("abc")),
        "the control loses a line in {} of {} runs".format(3 * 70 - count("control", letters="abc"), 3 * 70),
        "the {} of the list have {} to {}".format(2 * 70, *ahead("ac")),
        f"Of the {4 * 70} runs at settings a, c, d, e, {4 * 70 - len(late)} lose no line",
        f"Of the other {len(late)}, PQ comes to lose no line within 3,000 episodes in {early('pq', 'first_perfect')}, "
        f"the control in {early('control', 'first_perfect')}, Q in {early('q_twice', 'first_perfect')};",
        f"{len(late) - ever('q_twice', 'first_perfect')} of Q never do",
        f"come PQ {early('pq', 'perfect_after')}, the control {early('control', 'perfect_after')}, Q "
        f"{early('q_twice', 'perfect_after')};",
        f"for good at any time {ever('pq')}, {ever('control')} and {ever('q_twice')}.",
        f"the best of PQ at {bold('pq')} of {3 * total:,}, after {bold('q')} when the second phase begins",
        f"the control has {bold('control')}, Q {bold('q_twice')}.",
        f"comes to such a position in {bold('pq', 'met')} cases",
        f"so does the control in {bold('control', 'met')}, while Q does not in {bold('q_twice', 'bold_met')} of "
        f"{bold('q_twice', 'met')}",
    ):
        assert fact in text, fact
    assert bold("pq", "bold_met") == bold("control", "bold_met") == 0
    assert ever("pq", "first_perfect") == ever("control", "first_perfect") == len(late)
