"""The studio in a real browser: a server process with a data folder of its own, one a module, and pages that it lets in."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.studio import StudioProcess

expect.set_options(timeout=60_000)  # in milliseconds: rules and policies run as Python, on a machine that may be busy


class RunningStudio:
    """The command `boardgym studio`, which can be killed and started again. It compiles nothing, which would take long.

    Args:
        folder: of its data. words: more of the command's.

    Attributes:
        address: of the page, without the token or a last slash. entry: the same with the token.
    """

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder, self.words = folder, words
        self.process = self._started()
        self.address = self.process.address.rstrip("/")
        self.entry = f"{self.process.address}?token={self.process.token}"

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self.process.kill()

    def start(self) -> None:
        """Starts it again, at the same address."""
        self.process = self._started("--port", self.address.rpartition(":")[2])

    def _started(self, *more: str) -> StudioProcess:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NUMBA_DISABLE_JIT", "1")
            return StudioProcess(self.folder, *self.words, *more)


@pytest.fixture(scope="module")
def studio(tmp_path_factory, request):
    """A running studio. A module may name more words of the command, as STUDIO."""
    running = RunningStudio(tmp_path_factory.mktemp("studio"), *getattr(request.module, "STUDIO", ()))
    yield running
    with running.process:
        pass  # ends it


@pytest.fixture(scope="module")
def context(studio, browser):
    """A browser's session that the studio lets in."""
    opened = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    opened.set_default_timeout(60_000)
    opened.new_page().goto(studio.entry)
    yield opened
    opened.close()


@pytest.fixture
def studio_page(context):
    """A page that the studio lets in; what fails in its scripts fails the test."""
    opened = context.new_page()
    failures = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    opened.close()
    assert failures == []


@pytest.fixture
def page(request):
    """A page: of the studio where a test asks for that too, else of a visitor of its own."""
    if "studio" in request.fixturenames:
        return request.getfixturevalue("studio_page")
    return request.getfixturevalue("new_page")()
