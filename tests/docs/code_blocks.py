"""Reads code out of Markdown pages."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def blocks(page, language):
    """The fenced blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)


def shell_lines(page):
    """The commands of a page's shell blocks, without comments."""
    lines = "\n".join(blocks(page, "sh")).splitlines()
    return [line.split("  #")[0].split("    #")[0].strip() for line in lines if line.strip()]


def links(page):
    """The relative targets that a page links to, as (path, anchor); either may be empty."""
    targets = re.findall(r"\]\(([^)\s#]*)(?:#([^)]*))?\)", without_code(page))
    return [(path, anchor) for path, anchor in targets if "://" not in path]


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them: a heading that stands there again has a number, from 1."""
    found = []
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", without_code(page), flags=re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)  # a link's text
        found.append(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"))
    return {f"{name}-{found[:i].count(name)}" if name in found[:i] else name for i, name in enumerate(found)}


def without_code(page):
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
