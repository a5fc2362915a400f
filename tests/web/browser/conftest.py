"""The studio in a real browser: a server process with a data folder of its own, and pages of Chromium. One of each a module."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="the browser's tests need Playwright")

CHROMIUM = os.environ.get("BOARDGYM_CHROMIUM", "/usr/bin/chromium")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=\S+")
START_S = 60


class StudioProcess:
    """`boardgym studio` with a data folder. arguments: more words of the command."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder, self.arguments, self.port = folder, arguments, 0
        self.entry = self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Starts it, at the same port as before, and waits until it has printed its address."""
        port = ("--port", str(self.port)) if self.port else ()
        words = [sys.executable, "-m", "boardgym", "studio", "--data", str(self.folder), "--no-browser", *port]
        self.process = subprocess.Popen([*words, *self.arguments], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if match := ADDRESS.search(line):
                self.entry, self.port = match[0], int(match[1])
                self.address = f"http://127.0.0.1:{self.port}"
                return
        raise AssertionError(f"the studio ended with status {self.process.wait(START_S)} before it printed its address")

    def kill(self) -> None:
        """Ends it as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Ends it as Ctrl-C does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            if self.process.stdout:
                self.process.stdout.close()


@pytest.fixture(scope="module")
def studio(tmp_path_factory, request):
    """A running studio. A module may name more words of its command: STUDIO = ("--game", ...)."""
    server = StudioProcess(tmp_path_factory.mktemp("studio"), *getattr(request.module, "STUDIO", ()))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser():
    """Chromium, for a module."""
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def context(studio, browser):
    """A browser's session that is let in."""
    opened = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    opened.set_default_timeout(20_000)
    opened.new_page().goto(studio.entry)
    yield opened
    opened.close()


@pytest.fixture
def page(context):
    """A page; what fails in its scripts fails the test."""
    opened = context.new_page()
    failures = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    opened.close()
    assert failures == []
