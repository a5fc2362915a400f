"""Claim 7 of the Abalearn study player by player, shares of nets, printed facts: by hand. What the ratings are judged by."""

import pytest

from boardgym.studies.abalearn import headline, methods, ratings
from boardgym.studies.abalearn.plans import DISTANCE, PLANS, PLAYERS

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
        samples = [{"games": games, **trained, "weights": weights, "sums": weights, **each} for games in PLANS[kind].tested]
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
    loses = found["kappa 0 loses many games (here asked: more than 20 %)"]
    assert "off_board 0: 5.0 ± 0.0 % behind (not so)" in loses
    assert loses.endswith("| contradicted |")
    assert found["kappa -1 loses fewer marbles the longer it is trained, 10 to 1,000 games"].endswith(
        "off_board 5: 1.00 ± 0.00 to 0.50 ± 0.00 | agrees |"
    )
    assert found["method I(a) wins 72 % after 1,000 games (here asked: more than half)"].endswith("| agrees |")
    assert found["at kappa -1 the weight of material lies between -0.05 and 0.25"].endswith("| contradicted |")
    assert found["at kappa 0 the weight of material is constant"].endswith("| agrees |")
    assert found["at kappa 0 protection weighs most"].endswith("| contradicted |")
    assert "what the study says" in "\n".join(methods.PART.lines(figures))
    few = "\n".join(headline.facts_table({kind: results[:5] for kind, results in figures.items()}))
    assert few.count("(open) | not decided |") == 5  # what is of means; of every net one is enough against it


def test_every_fact_says_what_it_is_of():
    """They stand sorted by what came of them, so that none may go on from another."""
    for fact in headline.FACTS:
        assert fact.text.startswith(("kappa", "method", "counter traces", "at kappa")), fact.text


def test_the_best_mean_is_judged_over_the_seeds_that_both_have():
    """Of -1 there are four nets more, at 100, beside which -0.8 has none."""
    rates = {"0": [0] * 8, "-0.3": [0] * 6, "-0.8": [90] * 8, "-1": [80] * 6 + [100] * 6}
    figures = {f"II_kappa_{kappa}": nets(f"II_kappa_{kappa}", each) for kappa, each in rates.items()}
    verdict, text = headline.best_mean(figures)
    assert verdict == "not decided"
    assert text.startswith("off_board 0: above kappa -1 by +5.0, 6 pairs for and 2 against, 0 equal, p = 0.29 (open); ")
    figures["II_kappa_-1"] = nets("II_kappa_-1", [80] * 8)
    for one in figures["II_kappa_-1"]:
        for sample in one["samples"]:
            sample["wary"] = of_games(99)
    verdict, text = headline.best_mean(figures)
    assert verdict == "shown"  # by two of the players
    assert "off_board 4.5: above kappa -1 by -9.0, 0 pairs for and 8 against, 0 equal, p = 0.0078 (not so); off_board 5" in text
    row = next(line for line in headline.facts_table(figures) if "best mean" in line)
    assert row.endswith("| agrees |")
    assert headline.facts_table({**figures, "II_kappa_-0.3": []}) != headline.facts_table(figures)


@pytest.mark.parametrize(("average", "verdict"), [(1900, "shown"), (1700, "not shown")])
def test_ratings_are_judged_after_the_games_that_the_study_names(average, verdict):
    """Appendix B.2: about a hundred. One run more lies within t sqrt(1 + 1/n) standard deviations of the mean."""
    assert ratings.JUDGED_AFTER == 100
    rows = [{"server average": average + 10 * step, "server very weak": 1250 + 10 * step} for step in range(-5, 6)]
    careers = [
        {f"equal {name}": {"after": {"100": rating, "300": 0.0, "1000": 0.0}} for name, rating in row.items()} for row in rows
    ]
    figures = {"careers": [{"seed": seed, "careers": one} for seed, one in enumerate(careers, 1)]}
    found, text = ratings.has_printed(("average", "very weak"))(figures)
    assert found == verdict
    assert f"average: printed 1932, one run {average:,} ± 77, mean {average} ± 22; very weak: printed 1250" in text
    assert ratings.has_printed(("average",))({"careers": figures["careers"][:5]})[0] == "not decided"
