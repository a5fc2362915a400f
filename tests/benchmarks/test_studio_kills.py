"""The benchmark of kills of the studio, by two: one of the server alone, one of the process of its bot too."""

from benchmarks import studio_kills
from boardgym.web.jobs import PROGRESS
from boardgym.web.part_files import write_json


def test_two_kills_lose_nothing(capsys, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # in the processes that it starts: what it kills need not be quick
    assert studio_kills.main(["--kills", "2", "--port", "8198"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.count("|") == 3]
    rows = dict([cell.strip() for cell in line.split("|")[1:3]] for line in lines)
    assert (rows["kills"], rows["games with moves lost, doubled or stuck, trainings with episodes lost"]) == ("2", "0")
    assert int(rows["moves answered"].replace(",", "")) > 0
    assert int(rows["episodes of the bot"].replace(",", "")) > 0


def test_what_is_lost_is_told(tmp_path, monkeypatch):
    bot = studio_kills.Bot(tmp_path)
    (tmp_path / "bots" / "abc").mkdir(parents=True)
    bot.key, bot.seen = "abc", 5000
    page = {"state": "interrupted", "progress": {"done": 5000}}
    monkeypatch.setattr(bot, "page", lambda player: page)
    monkeypatch.setattr(bot, "go_on", lambda player: setattr(bot, "seen", 3000))
    assert bot.in_checkpoint() == 0
    monkeypatch.setattr(bot, "in_checkpoint", lambda: 4000)
    assert "had shown 5,000 episodes, its checkpoint has 4,000" in bot.check(None, was_killed=False)
    bot.seen = 5000
    for resumed in (3999, 4001):  # of another checkpoint than the last one, earlier or from elsewhere
        write_json(tmp_path / "bots" / "abc" / PROGRESS, {"resumed": resumed})
        assert f"goes on at {resumed:,} episodes, its checkpoint has 4,000" in bot.check(None, was_killed=True)
    write_json(tmp_path / "bots" / "abc" / PROGRESS, {"resumed": 4000})
    assert bot.check(None, was_killed=True) == ""
    bot.saved = 4500
    assert "had 4,500 episodes before the kill, and 4,000 after it" in bot.check(None, was_killed=True)
    page["state"] = "training"
    assert "is training, not interrupted" in bot.check(None, was_killed=True)
    assert bot.lost == 6000
