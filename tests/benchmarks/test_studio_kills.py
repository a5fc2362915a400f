"""The benchmark of kills of the studio, by two: one of the server alone, one of the process of its bot too."""

from benchmarks import studio_kills


def test_two_kills_lose_nothing(capsys):
    assert studio_kills.main(["--kills", "2", "--port", "8198"]) == 0
    rows = dict(line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines() if line.count("|") == 3)
    assert (rows["kills"], rows["games with moves lost, doubled or stuck, trainings with episodes lost"]) == ("2", "0")
    assert int(rows["moves answered"].replace(",", "")) > 0
    assert int(rows["episodes of the bot"].replace(",", "")) > 0


def test_what_is_lost_is_told(tmp_path, monkeypatch):
    bot = studio_kills.Bot(tmp_path)
    bot.key, bot.seen = "abc", 5000
    page = {"state": "interrupted", "progress": {"done": 5000}}
    monkeypatch.setattr(bot, "page", lambda player: page)
    monkeypatch.setattr(bot, "go_on", lambda player: setattr(bot, "seen", 3000))
    assert bot.in_checkpoint() == 0
    monkeypatch.setattr(bot, "in_checkpoint", lambda: 4000)
    assert "had shown 5,000 episodes, its checkpoint has 4,000" in bot.check(None, was_killed=False)
    bot.seen = 5000
    assert "goes on at 3,000 episodes" in bot.check(None, was_killed=True)
    page["state"] = "training"
    assert "is training, not interrupted" in bot.check(None, was_killed=True)
    assert bot.lost == 3000
