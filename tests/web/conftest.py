"""A browser for the tests of the page: Debian's Chromium, driven by Playwright.

Without one the tests of tests/web/browser/ are not collected, and a warning says how to get it. BOARDGYM_BROWSER=required, as
in CI, makes that an error.
"""

import importlib.util
import os
import shutil
import warnings

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HOW = "the tests of the page want a browser: apt-get install chromium, and pip install playwright axe-playwright-python"

collect_ignore = []
if not (CHROMIUM and importlib.util.find_spec("playwright") and importlib.util.find_spec("axe_playwright_python")):
    if os.environ.get("BOARDGYM_BROWSER") == "required":
        raise pytest.UsageError(f"BOARDGYM_BROWSER=required, but there is none; {HOW}")
    warnings.warn(f"tests/web/browser is left out; {HOW}", pytest.PytestWarning, stacklevel=1)
    collect_ignore.append("browser")


@pytest.fixture(scope="session")
def browser():
    """Chromium, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser):
    """Opens pages, each of a visitor of its own, and fails the test for what their console says is wrong.

    Keyword arguments are those of Playwright's `Browser.new_context`, such as viewport and color_scheme.
    """
    contexts, complaints = [], []

    def open_page(**settings):
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 1000}, **settings})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine may take long
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(new_page):
    """A page of its own."""
    return new_page()


@pytest.fixture
def plain_processes(monkeypatch):
    """The processes that a test starts compile nothing; nor may this one meanwhile, whose Numba reads the variable anew."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
