"""The benchmark that trains an Abalone agent and plays it, in its smallest form."""

import json

import pytest

from benchmarks import abalone_agent


def test_trains_plays_and_goes_on(tmp_path, capsys):
    out = ["--quick", "--out", str(tmp_path)]
    abalone_agent.main(out)
    shown = capsys.readouterr().out
    rows = [line.split(" | ") for line in shown.splitlines() if line.startswith("| 1 |")]
    assert [row[1] for row in rows] == [f"`{name}`" for name in (*abalone_agent.EXAMPLE["JUDGES"], "random")]
    assert all(sum(map(int, row[3].split(" / "))) == int(row[2]) == 2 for row in rows)
    quick = tmp_path / "quick"
    assert shown.endswith((quick / "table.md").read_text() + "\n")
    files = {path: path.read_bytes() for path in (quick / "seed_1").iterdir()}
    abalone_agent.main(out)
    assert capsys.readouterr().out.endswith(shown[shown.index("| seed |") :])  # nothing is trained or played again
    assert {path: path.read_bytes() for path in (quick / "seed_1").iterdir()} == files
    assert [path.name for path in tmp_path.iterdir()] == ["quick"]
    match = next(path for path in files if "distance" in path.name)
    match.write_text(json.dumps({**json.loads(match.read_text()), "opponent": "random"}))
    with pytest.raises(SystemExit, match="holds another match"):
        abalone_agent.main(out)
    (quick / "seed_1").rename(tmp_path / "seed_1")
    for more in ([], ["--no-play"]):
        with pytest.raises(SystemExit, match=r"trained with other settings \(episodes\)"):
            abalone_agent.main([*out[1:], *more])
    with pytest.raises(SystemExit, match="blocks of an even number"):
        abalone_agent.main(["--games", "3", "--out", str(tmp_path)])
