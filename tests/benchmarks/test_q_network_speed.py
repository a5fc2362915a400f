"""The benchmark of Q-learning with networks, in its smallest form."""

import json

from benchmarks import q_network
from boardgym.baselines.learning.q_network import q_network as qg
from boardgym.compile import as_python


def test_it_runs(monkeypatch, capsys):
    """Not compiled. Ours and PyTorch's learn the same from a game of Othello."""
    monkeypatch.setattr(qg, "play_kernel", as_python(qg.play_kernel))
    monkeypatch.setattr(q_network, "pin", lambda: None)
    monkeypatch.setattr(q_network, "SAME_GAMES", 1)
    rows = q_network.main(q_network.Settings(forms=("single",), quick=True, json=True))
    (found,) = json.loads(capsys.readouterr().out)
    assert found["name"] == "q_network_single"
    assert found["notes"]["weights_differ_by"] < q_network.CLOSE
    assert found["ours"]["value"] > 0.0 < found["peer"]["value"]
    assert rows[0].at_least == 6000.0
