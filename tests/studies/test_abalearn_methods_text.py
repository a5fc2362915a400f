"""What the page of Abalearn's methods says by hand, held to the figures that are committed."""

import re
from statistics import fmean

from boardgym.studies.abalearn import depth, docs, headline, method_i, methods
from boardgym.studies.abalearn.methods_figures import between, paired, rate_of, weight_of
from boardgym.studies.exact import clopper_pearson
from boardgym.studies.parts import half_width, spread
from boardgym.studies.verdicts import greater
from tests.studies.abalearn_pages import DOCS, figures_of, p_of, pairs_of, paragraph_of

TOLD = {20: "twenty"}


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
    late = {games: headline.percents(figures, kinds["-1"], games, test="mindful") for games in headline.LEVELS}
    (missed,) = [games for games, level in headline.LEVELS.items() if headline.is_above(late[games], level) == "not shown"]
    highest = fmean(late[missed]) + half_width(late[missed])
    assert missed == 2000
    counts = [sum(value >= 80 for value in early[test]) for test in tests]
    for fact in (
        f"{TOLD[seeking]} nets of kappa -1",
        f"{TOLD[bold]} of -0.8",
        f"{TOLD[neutral]} of 0",
        "{}, {} and {} % after 1,000".format(*(means("-0.8", test, 1000)[0] for test in tests)),
        "printed player alone, {} % after 500 games and {} % after 1,000".format(*means("-1", "test", 500, 1000)),
        "Against 4.5 it has {} and {} %: *not decided*".format(*means("-1", "wary", 500, 1000)),
        "after 2,000 games it has {} %".format(*means("-1", "mindful", 2000)),
        f"ends at {highest:.2f}, below the 90",
        "lowest of the {} nets at {:.0f} and {:.0f} %".format(TOLD[seeking], min(early["wary"]), min(early["mindful"])),
        f"{counts[0]} of {seeking} nets of -1 are at 80 % or more against the printed player and {counts[1]} of {seeking} "
        "against either other",
        "up to {:.0f} and {:.0f} % may fail".format(*(100 - 100 * clopper_pearson(count, seeking).low for count in counts)),
    ):
        assert fact in text, fact
    assert counts[1] == counts[2]
    behind = [spread(headline.percents(figures, kinds["0"], headline.FIRST, "behind", test), 1) for test in tests]
    text = paragraph_of(docs.PAGES[1], "What it prints and this reading has not")
    assert "is behind in {}, {} and {} % of them".format(*behind) in text


def test_the_text_on_weights_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "Weights.")
    material = [
        fmean(weight_of(figures, headline.kind_of(kappa), "material", games).values())
        for kappa in ("-1", "0")
        for games in (10, 1000)
    ]
    kinds = ("counters", *(headline.kind_of(kappa) for kappa in ("-1", "-0.8", "-0.3", "0")))
    played = {
        kind: {what: [between(one["samples"], what, 500, 1000) for one in figures[kind]] for what in ("finished", "plies")}
        for kind in kinds
    }
    seeking, bold = (played.pop(headline.kind_of(kappa)) for kappa in ("-1", "-0.8"))
    assert {value for one in played.values() for value in one["finished"]} == {0.0}
    assert {round(value) for one in played.values() for value in one["plies"]} == {1000}
    finished = [spread([100 * value for value in one["finished"]], 1) for one in (seeking, bold)]
    for fact in (
        "rises at kappa -1 from {:.1f} to {:.1f} between 10 and 1,000 games and falls at kappa 0 from {:.1f} to {:.1f}".format(
            *material
        ),
        "finish {} and {} % of games 500 to 1,000".format(*finished),
        "in {} and {} plies".format(*(spread(one["plies"], 0) for one in (seeking, bold))),
    ):
        assert fact in text, fact


def test_the_text_on_what_is_there_at_once_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "The headline is there at once.")
    seeking = headline.kind_of("-1")
    none, ten, later = (sorted(headline.percents(figures, seeking, games)) for games in (0, 10, 250))
    low = [value for value in ten if value < 80]
    for kind in (headline.kind_of("0"), headline.kind_of("-0.3"), "counters", "Ia"):
        rates = [headline.percents(figures, kind, games) for games in (10, 250, 500, 750, 1000)]
        assert {value for values in rates for value in values} == {0.0}, kind
    for fact in (
        f"after *ten* games {len(ten) - len(low)} of {len(ten)} nets of kappa -1 are at 80 to {ten[-1]:.0f} %, "
        f"the others at {low[0]:.0f} to {low[-1]:.0f}, after 250 all at {later[0]:.0f} to {later[-1]:.0f} %",
        f"eighteen end 0 to {none[17]:.0f} games of 100 ahead and two {none[18]:.0f} and {none[19]:.0f}",
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
    others = [
        greater(*paired(*(rate_of(figures, "I", games, test=test) for games in (3000, 1000)))) for test in headline.OFF_BOARD
    ]
    assert [verdict for verdict, _ in others] == ["shown"] * 3
    for (_, said), off_board in zip(others[1:], ("by 4.5 it is", "by 5 it is"), strict=True):
        assert f"{off_board} {pairs_of(said, '{} to {}')} (p = {p_of(said)})" in text
    assert f"(p = {p_of(others[0][1])})" in text


def test_the_text_on_methods_i_and_ia_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "Methods I and I(a).")
    after = {games: headline.percents(figures, "I", games) for games in (0, 10, 250, 500, 750, 1000, 1500, 2000, 3000)}
    trained = [fmean(values) for games, values in after.items() if 10 <= games <= 1000]
    early, late = (rate_of(figures, "I", games) for games in (1500, 3000))
    (*rest, untrained), high = sorted(after[0]), {games: sorted(after[games])[-2:] for games in (1500, 3000)}
    others = max(value for games in high for value in sorted(after[games])[:-2])
    first, second = ([100 * late[seed] for seed in seeds] for seeds in (range(1, 11), range(11, 21)))
    finished = [100 * between(one["samples"], "finished", 2000, 3000) for one in figures["I"]]
    ahead = {
        rate
        for test in headline.OFF_BOARD
        for games in (10, 250, 500, 1000)
        for rate in rate_of(figures, "Ia", games, test=test).values()
    }
    assert ahead == {0.0}
    assert {sample["pushed"] for one in figures["Ia"] for sample in one["samples"] if sample["games"]} == {0.0}
    assert not {*sorted(early, key=early.get)[-2:]} & {*sorted(late, key=late.get)[-2:]}
    for fact in (
        f"{min(trained):.1f} to {max(trained):.1f} % of its test games ahead after 10 to 1,000 games",
        f"untrained {spread(after[0], 1)} %: one net has {untrained:.0f} %, the others {max(rest):.0f} at most",
        f"finish {spread(finished, 0)} % of games 2,000 to 3,000",
        "ends {}, {} and {} % of its test".format(*(spread(after[games], 1) for games in (1500, 2000, 3000))),
        "after 1,500 games two have {:.0f} and {:.0f} %".format(*high[1500]),
        "after 3,000 two others {:.0f} and {:.0f} %".format(*high[3000]),
        f"all the rest {others:.0f} at most",
        f"seeds 1 to 10 alone have {spread(first, 1)} % after 3,000, seeds 11 to 20 {spread(second, 1)}.",
    ):
        assert fact in text, fact


def test_the_text_on_what_it_took_says_what_the_figures_say():
    figures, page = figures_of("methods"), " ".join((DOCS / docs.PAGES[1]).read_text(encoding="utf-8").split())
    later = sum(one["seconds"] for results in figures.values() for one in results if one["seed"] > 10)
    assert {one["seed"] for results in figures.values() for one in results} == {*range(1, 21)}
    assert f"seeds 11 to 20 of `methods` took {later:,.0f} s more" in page
    assert "those of `methods` are of seeds 11 to 20" in page
    section = page.partition("<!-- made: methods -->")[2].partition("<!-- end -->")[0]
    assert section.count("This picture is of seeds 11 to 20.") == section.count("![") > 0


def test_the_text_on_blocks_of_seeds_says_what_the_figures_say():
    """Of claim 7, each block of ten alone; the rule stands on the other page."""
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "Claim 7, player by player.")
    judged = {}
    for kappa in ("-1", "-0.8"):
        kind = headline.kind_of(kappa)
        for test, off_board in headline.OFF_BOARD.items():
            for name, seeds in (("all", range(1, 21)), ("first", range(1, 11)), ("second", range(11, 21))):
                block = {kind: [one for one in figures[kind] if one["seed"] in seeds]}
                judged[name, kappa, off_board] = headline.succeeds(kappa, test, block)[0]
    whole, first, second = (
        {key[1:]: one for key, one in judged.items() if key[0] == name} for name in ("all", "first", "second")
    )
    assert first == whole
    assert second == {**whole, ("-1", "5"): "not decided"}
    assert "Seeds 1 to 10 alone say the same of both kappas and all three players; so do seeds 11 to 20, but that they " in text
    assert "they leave -1 against 5 *not decided*." in text
    rule = paragraph_of(docs.PAGES[0], "What decides.")
    levels = [f"{level} % after {games}" for games, level in headline.LEVELS.items()]
    assert levels == ["80 % after 500", "90 % after 1000", "90 % after 2000", "90 % after 3000"]
    assert "80 % after 500 games, 90 % after 1,000, 2,000 and 3,000" in rule


def test_the_text_on_the_best_kappa_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "-0.8 or -1?")
    found = [
        greater(*paired(*(rate_of(figures, headline.kind_of(kappa), 1000, test=test) for kappa in ("-0.8", "-1"))))
        for test in headline.OFF_BOARD
    ]
    assert [verdict for verdict, _ in found] == ["not decided", "shown", "shown"]
    (printed_player, wary, mindful) = (said for _, said in found)
    for fact in (
        f"*shown* against 4.5 ({wary.partition(',')[0]} points, {pairs_of(wary, '{} pairs of nets for and {} against')})",
        f"against 5 ({mindful.partition(',')[0]}, {pairs_of(mindful, '{} to {}')})",
        f"the printed player ({printed_player.partition(',')[0]}, {pairs_of(printed_player, '{} to {}')})",
    ):
        assert fact in text, fact
    for fact in headline.FACTS:
        if "best mean" in fact.text:
            assert fact.tell(figures)[0] == "shown"


def test_the_text_on_the_other_claims_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "The other claims of `methods`.")
    found = {claim.text: (claim.number, *claim.judge(figures)) for claim in methods.CLAIMS}
    kappas = ("kappa -0.8 ", "kappa -1 ")
    rest = {
        name: one for name, one in found.items() if not (one[1] == "shown" and any(f": {kappa}" in name for kappa in kappas))
    }
    by_verdict = {
        verdict: sorted(number for number, each, _ in rest.values() if each == verdict)
        for verdict in ("shown", "not shown", "not decided")
    }
    assert by_verdict == {"shown": [5, 9], "not shown": [6, 7, 8, 9], "not decided": [5, *[7] * 5, 10, 10, 11, 11]}

    def said_of(start):
        return next(said for name, (_, _, said) in found.items() if name.startswith(start))

    parts = said_of("method I against random play").split("; ")
    assert (
        f"with {pairs_of(parts[0], '{} pairs for and {} against')}, and {pairs_of(parts[1], '{} for and {} against')};" in text
    )
    assert f"the expert beyond self-play (10), with {pairs_of(said_of('from net 1,000 on'), '{} for and {} against')}" in text
    shorter = next(part for part in said_of("the smaller kappa").split("; ") if part.startswith("kappa -1, more finished"))
    assert f"more games finished at -1 than at -0.8 (7), with {pairs_of(shorter, '{} for and {} against')}" in text
    late = said_of("method I(a) above I").split("; ")[1]
    assert "at 1,000 less method I, lambda 0.7 at 1,000" in late
    assert f"the other way after 1,000 games, with {pairs_of(late, '{} pairs for and {} against')} by each" in text
    games = {
        after: [
            greater(*paired(*(rate_of(figures, kind, after, test=test) for kind in ("Ia", "I")))) for test in headline.OFF_BOARD
        ]
        for after in (500, 1000)
    }
    assert [{verdict for verdict, _ in each} for each in games.values()] == [{"not decided"}, {"not shown"}]
    assert {pairs_of(said, "{} {}") for _, said in games[1000]} == {pairs_of(late, "{} {}")}
    less = sorted(-float(said.partition(",")[0]) for _, said in games[1000])
    most = max(int(pairs_of(said, "{1}")) for _, said in games[500])
    assert f"by {less[0]} to {less[-1]} points alone (after 500 games it is not decided, with {most} at most against)" in text
    for start in ("off_board 0: kappa -0.3", "against that player undiluted", "counter traces above kappa 0"):
        assert "0 pairs for and 0 against" in said_of(start)
    assert "0 pairs for and 0 against" in said_of("counter traces below").split("; ")[1]


def test_the_text_on_the_expert_says_what_the_figures_say():
    figures, text = figures_of("methods"), paragraph_of(docs.PAGES[1], "Lambda, the expert, later nets.")

    def compared(kind, games, test="test"):
        return greater(*paired(rate_of(figures, kind, 1500, test=test), rate_of(figures, "I", games, test=test)))

    means = [spread(headline.percents(figures, kind, 1500), 1) for kind in ("I_expert", "I_undiluted", "I")]
    verdict, said = compared("I_expert", 1500)
    assert (verdict, compared("I_undiluted", 1500)[0]) == ("not decided", "not decided")
    assert "not told apart from self-play" in text
    learnt = [compared("I_expert", 1000, test) for test in headline.OFF_BOARD]
    assert [verdict for verdict, _ in learnt] == ["shown", "not decided", "shown"]
    plainly = [compared("I_undiluted", 1000, test) for test in headline.OFF_BOARD]
    points, more = (found[0][1].partition(",")[0].removeprefix("+") for found in (learnt, plainly))
    assert [verdict for verdict, _ in plainly] == ["shown", "not decided", "shown"]
    ten = (
        {seed: rate for seed, rate in rate_of(figures, kind, games).items() if seed <= 10}
        for kind, games in (("I_undiluted", 1500), ("I", 1000))
    )
    assert greater(*paired(*ten))[0] == "not decided"
    against = [
        sample["finished"]
        for kind in ("I_expert", "I_undiluted")
        for one in figures[kind]
        for sample in one["samples"]
        if sample["games"] > 1000
    ]
    assert {*against} == {0.0}
    lambdas = [fmean(headline.percents(figures, kind, 1000)) for kind in ("I", "I_lambda_0.3", "I_lambda_0.1")]
    for fact in (
        "nets have {} % where it is diluted and {} % where it is not, after self-play {} %".format(*means),
        f"diluted less self-play: {pairs_of(said, '{} seeds for and {} against')}",
        f"these {means[0].partition(' ')[0]} % are {points} points above net 1,000, with "
        f"{pairs_of(learnt[0][1], '{} seeds for and {} against')} (p = {p_of(learnt[0][1])})",
        f"Undiluted it says the same: {more} points, {pairs_of(plainly[0][1], '{} for and {} against')} "
        f"(p = {p_of(plainly[0][1])})",
        "method I has {:.1f}, {:.1f} and {:.1f} % after 1,000 games".format(*lambdas),
    ):
        assert fact in text, fact


def test_the_text_on_deeper_searches_says_what_the_figures_say():
    figures, text = figures_of("depth"), paragraph_of(docs.PAGES[1], "Deeper searches.")
    behind = {}
    for kind in depth.SENSITIVE:
        for match in depth.PRINTED:
            if (match.own, match.other) == (1, "minimax") and match.depth > 2:
                leads = depth.lead(figures, kind, match)
                behind[kind, match.depth] = greater([0.0] * len(leads), leads, 1.0, 2)
    assert [verdict for verdict, _ in behind.values()] == ["shown", "shown", "shown", "not decided"]
    verdict, said = behind["II_kappa_-0.8", 4]
    level = re.search(r"([0-9]+) equal", said)[1]
    fact = f"of -0.8 that is *{verdict}* ({pairs_of(said, '{} seeds behind, {} ahead')}, {level} level, p = {p_of(said)})"
    assert fact in text, fact
    (match,) = depth.MATCHES["I"]
    won, lost = (fmean(depth.of_seeds(figures, "I", match, side)) for side in ("pushed", "gone"))
    last = paragraph_of(docs.PAGES[1], "Lambda, the expert, later nets.")
    assert f"{won:.2f} marbles to {lost:.2f}" in last
