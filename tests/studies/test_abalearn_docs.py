"""Figures and pages of the Abalearn study in the repository: what the command takes, what it refuses, what is committed."""

import dataclasses
import json
from statistics import median

import pytest

from boardgym.cli import main
from boardgym.core.errors import SpecError
from boardgym.studies.abalearn import docs, methods, printed, ratings, study
from boardgym.studies.parts import Claim, Part, Work, spread
from tests.studies.abalearn_pages import DOCS, figures_of, paragraph_of

KEPT = [name for name in study.PARTS if docs.path_of(DOCS, name).exists()]
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


def test_pages_say_of_which_seeds_a_picture_is(toy, tmp_path, monkeypatch):
    """Where it is not of all that the tables are of."""
    take, folder = toy
    pictures = {"curve": lambda path, figures: path.write_text("drawn")}
    take(dataclasses.replace(toy_part(), pictures=pictures, needs={"curve": ("plain",)}))
    for module in (study, docs):
        monkeypatch.setattr(module, "can_draw", lambda: True)
    (folder / docs.IMAGES).mkdir()
    page, shown = folder / docs.PAGES[1], "![curve](images/study_abalearn_toy_curve.png)\n\n"
    for out, first in (("out", 1), ("later", 11)):
        assert command(tmp_path, "--seeds", "2", "--first-seed", str(first), out=out) == 0
        assert command(tmp_path, "--docs", str(folder), out=out) == 0
        drawn = json.loads(docs.path_of(folder, "toy").read_text())["drawn"]
        assert drawn == {"curve": {"plain": [first, first + 1]}}
        assert (shown + "This picture is of seeds 11 to 12.\n" in page.read_text()) is (first == 11)
    assert shown in page.read_text()
    assert docs.runs_of([8, 1, 2, 3, 5, 7]) == "1 to 3, 5, 7 to 8"
    found = docs.PartFile("toy", {}, {"plain": [{"seed": 1}]}, {"curve": {"plain": [1, 2], "other": [1]}})
    assert docs.captions(toy_part(), found) == {"curve": "This picture is of seeds 1 to 2 (plain); 1 (other)."}


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
        (10, True, True),
        (500, False, False),
        (550, False, False),
        (1000, True, False),
    ]
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


def test_times_are_those_of_the_figures():
    seconds = {
        name: sum(one["seconds"] for results in figures_of(name).values() for one in results if one["seed"] <= 10)
        for name in ("methods", "signs")
    }
    methods_page, study_page = (" ".join((DOCS / page).read_text(encoding="utf-8").split()) for page in reversed(docs.PAGES))
    assert f"took {seconds['methods']:,.0f} s of a core, {seconds['methods'] / 10:.0f} s each" in methods_page
    assert f"those of `signs` {seconds['signs']:.0f} s in all" in methods_page
    assert f"chapters 5 and 6, trained: {seconds['methods'] / 60:.0f} minutes of a core" in study_page
