"""The benchmark of kills: a run that goes on is as one that nobody killed, and one that does not is told."""

import dataclasses

from benchmarks import kills

NAME = "train tabular"
WORDS = ("train", "tabular", "--episodes", "300", "--greedy-episodes", "100", "--compare-games", "0", "--checkpoint-s", "0",
         "--json", "--out", "out")  # fmt: skip


def test_a_killed_run_ends_as_an_unbroken_one(monkeypatch, capsys, tmp_path):
    """Without the compiler, in which so small a training is quick."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setitem(kills.JOBS, NAME, dataclasses.replace(kills.JOBS[NAME], words=WORDS))
    assert kills.main([NAME, "--kills", "1", "--folder", str(tmp_path)]) == 0
    row = capsys.readouterr().out.splitlines()[2].split(" | ")
    assert (row[2], row[6]) == ("1", "0 |")
    assert int(row[5]) >= 1  # and those that had ended before they could be killed
    assert not [*tmp_path.iterdir()]


def test_what_is_lost_is_told(tmp_path):
    runs = kills.Runs.__new__(kills.Runs)
    runs.job, runs.whole, runs.count = kills.JOBS[NAME], tmp_path / "whole", kills.Count()
    for folder, content in (("whole", b"a"), ("killed", b"b")):
        (tmp_path / folder / "out").mkdir(parents=True)
        (tmp_path / folder / "out/agent.safetensors").write_bytes(content)
    (tmp_path / "killed.log").write_text("boardgym:\nno room")
    (tmp_path / "killed/out/x.0123456789abcdef.part").touch()
    (tmp_path / "killed/out/checkpoint.safetensors").write_bytes(b"half")
    runs.check_left(tmp_path / "killed", 1)
    assert runs.progress(tmp_path / "killed") == 0
    (tmp_path / "killed/out/checkpoint.safetensors").unlink()
    runs.check_end(tmp_path / "killed")
    texts = ("exit status 1: boardgym: no room", "leaves x.0123", "SafetensorError", "another out/agent.safetensors")
    assert len(runs.count.faults) == 4
    assert all(text in fault for text, fault in zip(texts, runs.count.faults, strict=True))
