"""Claim 7 of the Abalearn study player by player, shares of nets, printed facts: by hand. What the ratings are judged by."""

import pytest

from boardgym.baselines.studies.abalearn import headline, methods, ratings
from boardgym.baselines.studies.abalearn.plans import DISTANCE, PLANS, PLAYERS

TESTS = ("test", "wary", "mindful")


def of_games(ahead, behind=0, pushed=1.0, gone=0.0, games=100):
    """Of `protocol.play`."""
    return {"games": games, "ahead": ahead, "level": games - ahead - behind, "behind": behind, "won": 0, "drawn": games,
            "lost": 0, "pushed": pushed, "gone": gone, "plies": 50.0}  # fmt: skip


def nets(kind, rates, material=1.4, **more):
    """Results of as many nets as there are rates, the same after all numbers of games. rates: ahead of all players."""
    found = []
    for seed, rate in enumerate(rates, 1):
        each = {test: of_games(rate, **more) for test in TESTS}
        trained = {"finished": 0.5, "plies": 9.0, "pushed": 1.0, "gone": 1.0}
        weights = {"material": material, "protected": 0.1, DISTANCE: 0.2}
        samples = [{"games": games, **trained, "weights": weights, "sums": weights, **each}
                   for games in PLANS[kind].tested]  # fmt: skip
        found.append({"seed": seed, "samples": samples})
    return found


def judged(figures, text):
    """Verdict and evidence of the claims that say it."""
    return [claim.judge(figures) for claim in methods.CLAIMS if claim.number == 7 and text in claim.text]


def test_every_player_judges():
    assert {*headline.OFF_BOARD} == {*PLAYERS} == {*TESTS}
    for test, off_board in headline.OFF_BOARD.items():
        assert PLAYERS[test] == f"minimax:1,evaluation=distance(off_board={off_board})"
    figures = {"II_kappa_-1": nets("II_kappa_-1", [95] * 12), "II_kappa_0": nets("II_kappa_0", [0] * 12)}
    for one in figures["II_kappa_-1"]:
        for sample in one["samples"]:
            sample["wary"] = of_games(50)
    assert [verdict for verdict, _ in judged(figures, "kappa -1 above 80 %")] == ["shown", "not shown", "shown"]
    assert [verdict for verdict, _ in judged(figures, "kappa -1 above kappa 0")] == ["shown"] * 3


def test_means_are_judged_and_nets_are_counted():
    """Nine of twelve nets at 100 and three at 62: by its interval the mean, 90.5, is not off 90."""
    rates = [100] * 9 + [62] * 3
    verdict, text = headline.succeeds("-1", "test", {"II_kappa_-1": nets("II_kappa_-1", rates)})
    assert verdict == "not decided"
    assert "at 500 90.5 ± 10.9 %, claimed 80; at or above it 9 of 12 [43, 95 %] nets" in text
    assert headline.succeeds("-1", "test", {"II_kappa_-1": nets("II_kappa_-1", [99] * 9)})[0] == "not decided"  # too few nets
    page = "\n".join(headline.shares_of_nets({"II_kappa_-1": nets("II_kappa_-1", rates)}))
    assert "| -1 | 4.5 | 3,000 | 90.5 ± 10.9 | 62 to 100 | 9 of 12 [43, 95 %] | 9 of 12 [43, 95 %] |" in page


def test_printed_facts_that_are_contradicted_stand_first():
    figures = {"II_kappa_0": nets("II_kappa_0", [0] * 10, behind=5, material=-9.0), "Ia": nets("Ia", [60] * 10),
               "II_kappa_-1": nets("II_kappa_-1", [95] * 10, gone=1.0)}  # fmt: skip
    for one in figures["II_kappa_-1"]:
        late = next(sample for sample in one["samples"] if sample["games"] == 1000)
        late["mindful"] = of_games(97, pushed=1.5, gone=0.5)
    rows = [line for line in headline.facts_table(figures) if line.startswith("| ")][1:]
    found = {row.split(" | ")[0].strip("| "): row for row in rows if not row.startswith("| ---")}
    assert len(found) == 8  # method I, counter traces and kappa -0.3 are not there
    said = [row.removesuffix(" |").rpartition("| ")[2] for row in rows if not row.startswith("| ---")]
    assert said == ["contradicted"] * 3 + ["agrees"] * 5
    loses = found["kappa 0 loses many games"]
    assert "off_board 0: 5.0 ± 0.0 % behind (not so)" in loses
    assert loses.endswith("| contradicted |")
    assert found["and loses fewer"].endswith("off_board 5: 1.00 ± 0.00 to 0.50 ± 0.00 | agrees |")
    assert found["method I(a) wins 72 % after 1,000 games (more than half)"].endswith("| agrees |")
    assert found["the weight of material lies between -0.05 and 0.25"].endswith("| contradicted |")
    assert found["with kappa 0 it is constant"].endswith("| agrees |")
    assert found["with kappa 0 protection weighs most"].endswith("| contradicted |")
    assert "what the study says" in "\n".join(methods.PART.lines(figures))
    few = "\n".join(headline.facts_table({kind: results[:5] for kind, results in figures.items()}))
    assert few.count("(open) | not decided |") == 5  # what is of means; of every net one is enough against it


@pytest.mark.parametrize(("average", "verdict"), [(1900, "shown"), (1700, "not shown")])
def test_ratings_are_judged_after_the_games_that_the_study_names(average, verdict):
    """Appendix B.2: about a hundred. One run more lies within t sqrt(1 + 1/n) standard deviations of the mean."""
    assert ratings.JUDGED_AFTER == 100
    rows = [{"server average": average + 10 * step, "server very weak": 1250 + 10 * step} for step in range(-5, 6)]
    careers = [{f"equal {name}": {"after": {"100": rating, "300": 0.0, "1000": 0.0}} for name, rating in row.items()}
               for row in rows]  # fmt: skip
    figures = {"careers": [{"seed": seed, "careers": one} for seed, one in enumerate(careers, 1)]}
    found, text = ratings.has_printed(("average", "very weak"))(figures)
    assert found == verdict
    assert f"average: printed 1932, one run {average:,} ± 77, mean {average} ± 22; very weak: printed 1250" in text
    assert ratings.has_printed(("average",))({"careers": figures["careers"][:5]})[0] == "not decided"
