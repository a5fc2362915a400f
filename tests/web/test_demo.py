"""The demo of a new user, where it cannot be made: the guide says so, and another start goes on."""

import errno

from boardgym.web import demo
from tests.studio import studio_client, wait_until


def test_a_disk_that_is_full_is_told_and_another_start_goes_on(tmp_path, monkeypatch, caplog):
    def fail(path, content):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(demo, "BOTS", {})
    monkeypatch.setattr(demo, "GAMES", {"finished": demo.GAMES["dice"]})
    with monkeypatch.context() as patch:
        patch.setattr(demo, "write_aside", fail)
        with studio_client(tmp_path, is_demo=True) as client:
            wait_until(lambda: client.get("/api/demo").json()["message"])
            assert "No space left on device" in client.get("/api/demo").json()["message"]
    assert "the demo is not whole" in caplog.text
    with studio_client(tmp_path, is_demo=True) as client:
        wait_until(lambda: client.get("/api/demo").json()["is_whole"])
        assert client.get("/api/demo").json()["message"] == ""
