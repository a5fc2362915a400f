"""Spec strings: what they say, and that every malformed one is a SpecError."""

import random

import pytest

from boardgym import Board, SpecError, UnsupportedGameError
from boardgym.core import policy_spec
from boardgym.core.policy_spec import (
    Spec,
    make_policy,
    parse_spec,
    policy_examples,
    read_number,
    refuse_extras,
    register_policy,
)


def outline(spec):
    """A spec without its texts."""
    inner = tuple(map(outline, spec.inner))
    return (spec.name, spec.argument, spec.keywords, inner, spec.weights)


def plain_spec(name, argument="", keywords=None, inner=(), weights=()):
    return (name, argument, keywords or {}, inner, weights)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random", plain_spec("random")),
        ("  random\n", plain_spec("random")),
        ("minimax:4", plain_spec("minimax", "4")),
        ("minimax : 6 , nodes = 100000", plain_spec("minimax", "6", {"nodes": "100000"})),
        ("minimax:depth=4,nodes=9", plain_spec("minimax", "", {"depth": "4", "nodes": "9"})),
        ("uct:0.5s", plain_spec("uct", "0.5s")),
        ("sb3:runs/ppo.zip", plain_spec("sb3", "runs/ppo.zip")),
        ("sb3:C:/my runs/ppo (1),b=2.zip", plain_spec("sb3", "C:/my runs/ppo (1),b=2.zip")),
        ("file:a*b.safetensors", plain_spec("file", "a*b.safetensors")),
        ("epsilon:0.1(minimax:3,nodes=5)", plain_spec("epsilon", "0.1", inner=(plain_spec("minimax", "3", {"nodes": "5"}),))),
        (
            "mix(0.7*greedy, uct:50,c=1.4, 2 * random)",
            plain_spec(
                "mix",
                inner=(plain_spec("greedy"), plain_spec("uct", "50", {"c": "1.4"}), plain_spec("random")),
                weights=(0.7, 1.0, 2.0),
            ),
        ),
        (
            "mix(epsilon:0.5(mix(3*random, greedy)), 1e-3*minimax:depth=2)",
            plain_spec(
                "mix",
                inner=(
                    plain_spec(
                        "epsilon",
                        "0.5",
                        inner=(plain_spec("mix", inner=(plain_spec("random"), plain_spec("greedy")), weights=(3.0, 1.0)),),
                    ),
                    plain_spec("minimax", "", {"depth": "2"}),
                ),
                weights=(1.0, 0.001),
            ),
        ),
        (
            "mix(sb3:a=b.zip, 2*sb3:c*d(e).zip)",
            plain_spec("mix", inner=(plain_spec("sb3", "a=b.zip"), plain_spec("sb3", "c*d(e).zip")), weights=(1.0, 2.0)),
        ),
        (
            "minimax:4, evaluation=ntuple:runs/a(b,c=1(d))/(e) f.safetensors ,nodes=9",
            plain_spec("minimax", "4", {"evaluation": "ntuple:runs/a(b,c=1(d))/(e) f.safetensors", "nodes": "9"}),
        ),
        (
            "epsilon:0.1(uct:9,evaluation=ntuple:a(b)/c,prior=network(network:d(e).f))",
            plain_spec(
                "epsilon",
                "0.1",
                inner=(
                    plain_spec(
                        "uct",
                        "9",
                        {"evaluation": "ntuple:a(b)/c", "prior": "network"},
                        inner=(plain_spec("network", "d(e).f"),),
                    ),
                ),
            ),
        ),
        ("x:evaluation=file:a(b)", plain_spec("x", "", {"evaluation": "file:a"}, inner=(plain_spec("b"),))),
        ("epsilon:0.1(file:a(b)", plain_spec("epsilon", "0.1", inner=(plain_spec("file", "a(b"),))),
    ],
)
def test_what_specs_say(text, expected):
    spec = parse_spec(text)
    assert outline(spec) == expected
    assert spec.text == text.strip()


def test_the_examples_are_readable():
    for text in policy_examples():
        assert isinstance(parse_spec(text), Spec)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "()", "(random)", ":4", "random:", "random:,", "minimax:4,", "minimax:,4", "minimax:4,,nodes=3",
        "minimax:4,5", "minimax:4,nodes=", "minimax:4,=5", "minimax:4,nodes=3,nodes=4", "minimax:4,nods=3", "minimax:four",
        "minimax:-1", "minimax:0", "minimax:1e3", "uct:0", "uct:-5", "uct:9999999999999999999999", "uct:" + "9" * 5000,
        "uct:s", "uct:0s", "uct:infs", "uct:nans", "randm", "Random", "random()", "random(greedy)", "random:3", "greedy:1",
        "greedy(", "greedy)", "epsilon", "epsilon:0.1", "epsilon(random)", "epsilon:x(random)", "epsilon:1.5(random)",
        "epsilon:-0.1(random)", "epsilon:nan(random)", "epsilon:0.1(random", "epsilon:0.1(random))", "epsilon:0.1((random)",
        "epsilon:0.1(random)(random)", "epsilon:0.1(random)x", "epsilon:0.1(random, greedy)", "epsilon:0.1(0.5*random)",
        "slip:0.1", "slip:1.5(random)", "slip(random)", "perfect:ties=x",
        "epsilon:0.1,x=2(random)", "mix", "mix()", "mix( )", "mix(,)", "mix(random,)", "mix(,random)", "mix(0*random)",
        "mix(-1*random)", "mix(nan*random)", "mix(inf*random)", "mix(1e308*random, 1e308*greedy)", "mix(x*random)",
        "mix(*random)", "mix(0.5*)", "mix(random*0.5)", "mix:2(random)", "mix(2**random)", "mix(0.5*0.5*random)", "sb3", "sb3:",
        "file:", "human(random)", "epsilon:0.1(" * 60 + "random" + ")" * 60, "epsilon:0.1(" * 5000, "\x00", "minimax:4\x00",
    ],
    ids=lambda text: repr(text[:40]),
)  # fmt: skip
def test_malformed_specs(text):
    with pytest.raises(SpecError) as caught:
        make_policy(text, "ConnectFour-v0")
    assert str(caught.value)


@pytest.mark.parametrize("path", ["a(b", "a(b/c", "a()", "a)b", "a(b)/c)d", "a(b)", "a/c (1)", "a(b)/c(d)"])
def test_brackets_of_a_path_that_are_read_otherwise(path):
    """They might be the spec's own, or do not match: the message says where they can stand."""
    with pytest.raises(SpecError, match=r"as in evaluation=network\(ntuple:runs/a\(b\)\)"):
        make_policy(f"minimax:4,evaluation=ntuple:{path}", "TicTacToe-v0")


@pytest.mark.parametrize("path", ["runs/a(b)", "a(b) ", "a(b)(c)", "a(b)/c(d)"])
def test_a_path_that_ends_in_brackets_before_another_setting(path):
    """Without that setting they would be the spec's own."""
    with pytest.raises(SpecError, match=r"before ' ?,nodes=9' ends in brackets; .*as in evaluation=network\(ntuple:"):
        parse_spec(f"minimax:4,evaluation=ntuple:{path},nodes=9")


def test_brackets_of_a_setting_that_is_no_path():
    with pytest.raises(SpecError, match=r"is not closed at the end$"):
        parse_spec("minimax:4,evaluation=network(ntuple:a),nodes=9")


@pytest.mark.parametrize("spec", [None, 3, b"random", ["random"], object()])
def test_specs_are_text_or_policies(spec):
    with pytest.raises(SpecError, match="expected a spec string or a policy"):
        make_policy(spec, "ConnectFour-v0")
    with pytest.raises(SpecError):
        parse_spec(spec)


def searching(spec, game):
    """What a name of this test stands for."""
    return parse_spec(f"epsilon:{spec.argument}(greedy)")


def test_a_name_of_ones_own_stands_for_another_spec(monkeypatch):
    for table in ("_FACTORIES", "_MEANINGS", "_EXAMPLES"):
        monkeypatch.setattr(policy_spec, table, {**getattr(policy_spec, table)})
    register_policy("sloppy", meaning=f"{__name__}:searching", example="sloppy:0.5")
    policy = make_policy("sloppy:0.25", "TicTacToe-v0", seed=1)
    assert (policy.spec, policy.epsilon) == ("sloppy:0.25", 0.25)
    assert "sloppy:0.5" in policy_examples()
    register_policy("sloppy", "boardgym.baselines.search.greedy:make_greedy")  # in place of the meaning
    assert make_policy("sloppy", "TicTacToe-v0").epsilon == 0.0
    for given in ({}, {"factory": "a:b", "meaning": "a:b"}):
        with pytest.raises(SpecError, match="expected one of them"):
            register_policy("sloppy", **given)


def test_a_policy_is_handed_back():
    policy = make_policy("random", "ConnectFour-v0", seed=1)
    assert make_policy(policy, "ConnectFour-v0") is policy


def test_any_string_is_read_or_refused():
    rng = random.Random(5)
    pieces = [
        "random",
        "greedy",
        "mix",
        "epsilon",
        "minimax",
        "uct",
        ":",
        "(",
        ")",
        ",",
        "*",
        "=",
        "0.5",
        "4",
        " ",
        "s",
        "-",
        "e",
    ]
    for _ in range(20_000):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 12)))
        try:
            parse_spec(text)
        except SpecError:
            continue


def test_numbers():
    assert read_number(" 4 ", "uct:4", "simulations", kind=int) == 4
    assert read_number("0.25", "x", "what") == 0.25
    with pytest.raises(SpecError, match="policy spec 'uct:0': simulations '0'; expected a whole number above 0"):
        read_number("0", "uct:0", "simulations", above=0, kind=int)
    for text in ("nan", "inf", "-inf", "1e999", "", "0x10", "1,5"):
        with pytest.raises(SpecError, match="expected a number"):
            read_number(text, "x", "what")
    for number in (2**63, -(2**63), 10**100):
        with pytest.raises(SpecError, match="expected a whole number"):
            read_number(str(number), "x", "what", kind=int)
    assert read_number(str(2**63 - 1), "x", "what", kind=int) == 2**63 - 1


def test_parts_that_a_policy_does_not_know():
    spec = parse_spec("minimax:4,nods=3(random)")
    with pytest.raises(SpecError, match="unknown setting 'nods'; did you mean 'nodes'"):
        refuse_extras(spec, keywords=("nodes", "seconds"), inner=1)
    with pytest.raises(SpecError, match="expected no policies in brackets, got 1"):
        refuse_extras(spec, keywords=("nods",))
    with pytest.raises(SpecError, match="minimax takes no argument, got '4'"):
        refuse_extras(spec, keywords=("nods",), argument=False, inner=1)


def test_a_policy_refuses_boards_of_other_games_and_finished_ones():
    policy = make_policy("random", "ConnectFour-v0", seed=1)
    for board in (Board("Othello-v0"), Board("ConnectFour-v0", width=5, height=4)):
        with pytest.raises(UnsupportedGameError, match="was given a board of"):
            policy.act(board)
    over = Board("ConnectFour-v0")
    over.play("1212121")
    with pytest.raises(ValueError, match="in a game that is over"):
        policy.act(over)
    fresh = Board("ConnectFour-v0")
    assert policy.act(fresh) in fresh.legal_actions
    assert fresh.ply == 0
