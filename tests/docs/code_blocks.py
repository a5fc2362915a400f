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
    """The relative targets that a page links to, without anchors."""
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", (ROOT / page).read_text())
    return [target for target in targets if "://" not in target]
