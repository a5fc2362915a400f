"""The built page in boardgym/web/static is that of the sources in web/, small, and needs nothing from elsewhere."""

import gzip
import hashlib
import re

from tests.support import ROOT

WEB, STATIC = ROOT / "web", ROOT / "boardgym" / "web" / "static"
BUNDLES = ("board.js", "studio.js", "widget.js")
OF_NOTEBOOKS = {"widget.js": 40_000}  # the page does not load it
MOST = 120_000  # bytes, compressed, of all that a page loads


def test_the_bundle_is_built_from_the_sources():
    """`make web` writes how the sources were, and what it made of them; Node.js is not needed to compare."""
    listed = dict(reversed(line.split("  ")) for line in (STATIC / "SOURCES.sha256").read_text().splitlines())
    names = {path.relative_to(WEB).as_posix() for path in (WEB / "src").rglob("*") if path.is_file()}
    names |= {"build.mjs", "package-lock.json", "tsconfig.json", *(f"../boardgym/web/static/{name}" for name in BUNDLES)}
    assert set(listed) == names, "run `make web` and commit what it builds"
    changed = [name for name in sorted(names) if hashlib.sha256((WEB / name).read_bytes()).hexdigest() != listed[name]]
    assert changed == [], "run `make web` and commit what it builds"


def test_the_page_is_small():
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in STATIC.iterdir() if path.is_file()}
    assert set(sizes) >= {*BUNDLES, "index.html", "page.css"}
    for name, most in OF_NOTEBOOKS.items():
        assert sizes.pop(name) < most
    del sizes["SOURCES.sha256"]  # which no page loads
    assert sum(sizes.values()) < MOST, sizes


def test_nothing_is_loaded_from_elsewhere():
    """No address but those that name a licence, a namespace or an explanation of an error; no code made of text."""
    for name in BUNDLES:
        text = (STATIC / name).read_text(encoding="utf-8")
        found = set(re.findall(r"\b(?:https?:)?//([a-z0-9.-]+\.[a-z]+)/", text))
        assert found <= {"www.w3.org", "lit.dev", "github.com", "opensource.org"}, (name, found)
        assert not re.search(r"\beval\(|new Function|\bimport\(", text), name
        assert "</script" not in text.lower(), name  # exported pages hold it
        assert "<!--" not in text.replace("<!--?", ""), name
