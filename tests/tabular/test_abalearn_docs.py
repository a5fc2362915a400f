"""Figures and pages of the Abalearn study in the repository: what the command takes, what it refuses, what is committed."""

import json
from statistics import median

import pytest

from boardgym.baselines.studies.abalearn import docs, headline, method_i, methods, printed, ratings, study
from boardgym.baselines.studies.abalearn.methods_figures import rate_of, weight_of
from boardgym.baselines.studies.abalearn.parts import Claim, Part, Work, spread
from boardgym.baselines.studies.exact import clopper_pearson
from boardgym.cli import main
from boardgym.core.errors import SpecError
from tests.support import ROOT

DOCS = ROOT / "docs"
KEPT = [name for name in study.PARTS if docs.path_of(DOCS, name).exists()]
TOLD = {10: "ten", 19: "nineteen", 20: "twenty"}
EMPTY = "# A page\n\n<!-- made: toy -->\n<!-- end -->\n\nby hand\n"


def toy_part(scale=1.0):
    """A part whose work is done at once. scale: of its figures, of which it does not depend by its digest."""
    return Part(
        name="toy",
        title="a toy",
        works={
            "plain": Work(lambda place, seed, size: {"figure": scale * seed / 3, "curve": [0.0] * 9}),
            "other": Work(lambda place, seed, size: {"figure": 0.0}, seeds=1),
        },
        lines=lambda figures: [f"figures {[one['figure'] for one in figures.get('plain', ())]}", ""],
        claims=(Claim(5, "it is a toy", lambda figures: ("shown", f"{len(figures['plain'])} toys"), ("plain",)),),
        seeds=2,
        keeps=lambda result: {name: value for name, value in result.items() if name != "curve"},
        made_of=(1,),
    )


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """Takes another part in place of the toy; a folder of pages that have a place for it."""

    def take(part):
        for module in (study, docs):
            monkeypatch.setattr(module, "PARTS", (part.name,))
            monkeypatch.setattr(module, "load_part", lambda name: part)

    take(toy_part())
    folder = tmp_path / "docs"
    folder.mkdir()
    for page in docs.PAGES:
        (folder / page).write_text(EMPTY if page == docs.PAGES[1] else "# Another\n")
    return take, folder


def command(tmp_path, *more, out="out"):
    """Its exit status."""
    return main(["reproduce", "abalearn", "--part", "toy", "--out", str(tmp_path / out), *more])


def test_pages_are_made_of_all_seeds_that_were_run(toy, tmp_path, capsys):
    """Of several folders; figures that change are told, what is not done is named, what is written by hand stays."""
    take, folder = toy
    page, file = folder / docs.PAGES[1], docs.path_of(folder, "toy")
    assert command(tmp_path, "--seeds", "1") == 0
    assert command(tmp_path, "--docs", str(folder)) == 0
    assert "toy: plain 1, other 1 results\n" in capsys.readouterr().err
    assert "Not done: plain (1 of 2)." in page.read_text()
    assert page.read_text().endswith("<!-- end -->\n\nby hand\n")
    assert "curve" not in file.read_text()
    assert [one["figure"] for one in json.loads(file.read_text())["figures"]["plain"]] == [0.333333]
    assert command(tmp_path, "--first-seed", "11", "--seeds", "2", out="later") == 0
    assert command(tmp_path, "--docs", str(folder), out="later") == 0
    said = capsys.readouterr().err
    assert "toy: plain 3, other 1 results\n" in said
    assert f"written: {page}" in said
    assert "figures [0.333333, 3.66667, 4.0]" in page.read_text()
    assert "Not done" not in page.read_text()
    assert "- **5, it is a toy**: shown; 3 toys." in page.read_text()
    text = file.read_text()
    assert command(tmp_path, "--docs", str(folder), out="later") == 0
    assert "written" not in capsys.readouterr().err  # nothing has changed
    assert file.read_text() == text
    take(toy_part(scale=2.0))
    assert command(tmp_path, "--seeds", "1", out="again") == 0
    assert command(tmp_path, "--docs", str(folder), out="again") == 0
    assert "toy: plain 3, other 1 results, 1 of them with other figures than before" in capsys.readouterr().err
    assert "figures [0.666667, 3.66667, 4.0]" in page.read_text()


def test_what_cannot_be_taken_is_refused(toy, tmp_path, capsys):
    _, folder = toy
    assert command(tmp_path, "--seeds", "1", "--size", "0.5") == 0
    assert command(tmp_path, "--docs", str(folder), "--size", "0.5") == 2
    assert "made of results of the full size" in capsys.readouterr().err
    assert command(tmp_path, "--docs", str(tmp_path)) == 2
    assert f"expected the repository's folder of pages; it has no {docs.PAGES[0]}" in capsys.readouterr().err
    assert not docs.path_of(folder, "toy").exists()
    assert command(tmp_path, "--seeds", "1") == 0
    (folder / docs.PAGES[1]).write_text("# A page without a place for it\n")
    assert command(tmp_path, "--docs", str(folder)) == 2
    assert "expected one part between the lines '<!-- made: toy -->'" in capsys.readouterr().err


def test_figures_are_checked(toy, tmp_path):
    _, folder = toy
    part = toy_part()
    docs.write_figures(folder, part, {"plain": [{"seed": 1, "figure": 1.0, "seconds": 1.0, "sources": "a"}]})
    path = docs.path_of(folder, "toy")
    whole = json.loads(path.read_text())
    assert docs.read_figures(folder, part).figures == whole["figures"]
    (one,) = whole["figures"]["plain"]
    for match, changes in (
        ("figures of the study of Abalearn", {"more": 1}),
        ("figures of the study of Abalearn", {"figures": []}),
        ("part 'other', not 'toy'", {"part": "other"}),
        ("plain: of other settings than those of this version", {"digests": {"plain": "0123"}}),
        ("plain: of other settings than those of this version", {"digests": {}}),
        ("strange: of other settings", {"figures": {**whole["figures"], "strange": []}}),
        (r"seeds \[1, 1\]; expected a number for each result, none twice", {"figures": {"plain": [one, one]}}),
        (r"seeds \[True\]; expected a number", {"figures": {"plain": [{**one, "seed": True}]}}),
    ):
        path.write_text(json.dumps({**whole, **changes}))
        with pytest.raises(SpecError, match=match):
            docs.make_pages(folder)


def test_results_are_kept_without_what_no_table_has():
    """The games of training up to 1,000 are told of as before."""
    test = {"games": 2, "ahead": 1}
    samples = [
        {"games": games, "finished": games / 1000, "weights": {"a": 1.0}, "sums": {"a": 1.0}}
        for games in (10, 20, 500, 550, 1000)
    ]
    samples[0] |= {"test": test}
    kept = methods.keeps({"samples": samples, "seconds": 1.0})
    assert [(one["games"], "weights" in one, "test" in one) for one in kept["samples"]] == [
        (10, True, True), (500, False, False), (550, False, False), (1000, True, False)]  # fmt: skip
    assert methods.lately({"I": [{"seed": 1, **kept}]}, "I", "finished") == methods.lately(
        {"I": [{"seed": 1, "samples": samples}]}, "I", "finished"
    )


# ---------------------------------------------------------------- what is committed


def test_pages_say_what_the_figures_say():
    assert KEPT
    for path, text in docs.make_pages(DOCS).items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run boardgym reproduce abalearn --docs docs"


def test_a_part_is_made_or_says_that_it_is_not():
    text = "".join((DOCS / page).read_text(encoding="utf-8") for page in docs.PAGES)
    for name in study.PARTS:
        made = text.partition(f"<!-- made: {name} -->")[2].partition("<!-- end -->")[0]
        section = text.partition(f"\n## {name}: ")[2].partition("\n## ")[0]
        assert made.strip().startswith(f"## {name}: ") if made else "**Of an earlier run**" in section, name


def figures_of(name):
    """Those of a part that are committed."""
    return docs.read_figures(DOCS, study.load_part(name)).figures


def paragraph_of(page, title):
    """A paragraph of the text that is written by hand, in one line."""
    return " ".join((DOCS / page).read_text(encoding="utf-8").partition(f"**{title}")[2].partition("\n\n")[0].split())


def test_the_text_on_ratings_says_what_the_figures_say():
    figures, text = figures_of("ratings"), paragraph_of(docs.PAGES[0], "Ratings.")

    def ahead(more, less):
        pairs = zip(*(ratings.after(figures, "equal", "server", who) for who in (more, less)), strict=True)
        return sum(a > b for a, b in pairs)

    counts = [count for one in figures["newcomers"] for count in one["games"]]
    soon = 100 * sum(count <= ratings.SETTLED_AFTER for count in counts) / len(counts)
    average, weak = (spread(ratings.after(figures, "equal", "server", who), 0) for who in ("average", "very weak"))
    total = len(figures["careers"])
    for fact in (
        f"courageous above no courage with {ahead('courageous', 'no courage')} of {total} seeds",
        f"very courageous above courageous with {ahead('very courageous', 'courageous')}.",
        f"1932 of the average one (here {average}) and 1250 of the very weak ({weak})",
        f"within {median(counts):g} games, but only {soon:.0f} % within 30",
    ):
        assert fact in text, fact


def test_the_text_on_claim_7_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "Claim 7, player by player.")
    tests, kinds = headline.OFF_BOARD, {kappa: headline.kind_of(kappa) for kappa in ("-1", "-0.8", "0")}
    seeking, bold, neutral = (len(figures[kind]) for kind in kinds.values())

    def means(kappa, test, *levels):
        return [spread(headline.percents(figures, kinds[kappa], games, test=test), 1) for games in levels]

    def verdicts(kappa):
        return [headline.succeeds(kappa, test, figures)[0] for test in tests]

    assert verdicts("-0.8") == ["shown"] * 3
    assert verdicts("-1") == ["shown", "not decided", "not shown"]
    assert {headline.beats_neutral(kappa, test, figures)[0] for kappa in ("-1", "-0.8") for test in tests} == {"shown"}
    ahead = [one for test in tests for one in headline.percents(figures, kinds["0"], headline.FIRST, test=test)]
    assert {*ahead} == {0.0}
    early = {test: headline.percents(figures, kinds["-1"], 500, test=test) for test in tests}
    counts = [sum(value >= 80 for value in early[test]) for test in tests]
    for fact in (
        f"{TOLD[seeking]} nets of kappa -1",
        f"{TOLD[bold]} of -0.8",
        f"{TOLD[neutral]} of 0",
        "{}, {} and {} % after 1,000".format(*(means("-0.8", test, 1000)[0] for test in tests)),
        "printed player alone, {} % after 500 games and {} % after 1,000".format(*means("-1", "test", 500, 1000)),
        "Against 4.5 it has {} and {} %: *not decided*".format(*means("-1", "wary", 500, 1000)),
        "against 5 {} and {} %: *not shown*".format(*means("-1", "mindful", 500, 1000)),
        "the least of them at {:.0f} and {:.0f} %".format(min(early["wary"]), min(early["mindful"])),
        f"are {counts[0]} of {seeking} nets against the printed player and {counts[1]} of {seeking} against either other",
        "up to {:.0f} and {:.0f} % may fail".format(*(100 - 100 * clopper_pearson(count, seeking).low for count in counts)),
    ):
        assert fact in text, fact
    assert counts[1] == counts[2]
    behind = [spread(headline.percents(figures, kinds["0"], headline.FIRST, "behind", test), 1) for test in tests]
    text = paragraph_of(docs.PAGES[1], "What it prints and this reading has not")
    assert "is behind in {}, {} and {} % of them".format(*behind) in text


def test_the_text_on_printed_weights_says_what_the_figures_say():
    figures, text = figures_of("printed"), paragraph_of(docs.PAGES[0], "Printed weights.")
    nets = sorted(printed.WEIGHTS, key=printed.printed_rate, reverse=True)

    def told(order, test, which=nets):
        return [spread([100 * rate for rate in printed.rates(figures, net, order, test)], 1) for net in which]

    assert [printed.printed_rate(net) for net in nets] == [61, 35, 9]
    assert [claim.judge(figures)[0] for claim in printed.PART.claims] == ["shown", *["not shown"] * 3, "shown"]
    first, exchanged = printed.TESTS[0], told("exchanged", printed.TESTS[0])
    assert exchanged[:2] == ["0.0 ± 0.0"] * 2
    for fact in (
        "they end {}, {} and {} % of their games ahead".format(*told("as printed", first)),
        f"the third {exchanged[2]} %",
        f"Against off_board 8, which attacks, the best ends {told('as printed', (8.0, 300))[0]} %",
    ):
        assert fact in text, fact


def test_the_text_on_readings_of_method_i_says_what_the_figures_say():
    figures, text = figures_of("method_i"), paragraph_of(docs.PAGES[1], "Method I under twelve readings**")
    nearest, games = method_i.nearest_point(figures), [*method_i.PRINTED]
    test, count = method_i.judged_by(figures)

    def percents(kind, after):
        return [100 * rate for rate in rate_of(figures, kind, after, count, test).values()]

    means = [spread(percents("nearest", after), 1) for after in games]
    once = [100 * rate_of({"one": [nearest]}, "one", after, count, test)[nearest["seed"]] for after in games]
    last = percents("nearest", games[-1])
    assert (test, count) == ("wary", "ahead")
    assert {nearest["reading"][factor] != method_i.LITERAL[factor] for factor in ("first weights", "reward")} == {False}
    verdicts = [claim.judge(figures)[0] for claim in method_i.PART.claims]
    assert verdicts == [*["not shown"] * 3, "not decided"]
    assert {one for after in games for one in percents("started", after)} == {0.0}
    for fact in (
        f"point {nearest['seed']}, differs",
        "It has {:.0f}, {:.0f}, {:.0f} and {:.0f} % against off_board 4.5".format(*once),
        "with ten new seeds {}, {}, {} and {} %".format(*means),
        f"from {min(last):.0f} to {max(last):.0f} % after 1,000 games",
        f"has {spread(percents('literal', games[0]), 1)} % at most against 4.5",
    ):
        assert fact in text, fact


def test_the_text_on_method_i_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "Method I with its inputs put right")
    early, late = (rate_of(figures, "I", games) for games in (1000, 3000))
    more, less = (sum(sign * (late[seed] - early[seed]) > 0 for seed in early) for sign in (1, -1))
    sums, means = (spread([*weight_of(figures, "I", "other pushed off", 1000, what).values()]) for what in ("sums", "weights"))
    rates = [spread(headline.percents(figures, "I", games), 1) for games in (1000, 3000)]
    for fact in (
        f"{TOLD[len(early)]} seeds end {rates[0]} % of their games ahead of the printed player after 1,000",
        f"{rates[1]} % after 3,000",
        f"{more} seeds for it, {less} against, {len(early) - more - less} equal",
        f"{sums} as sum of w v and {means} as mean w",
    ):
        assert fact in text, fact
