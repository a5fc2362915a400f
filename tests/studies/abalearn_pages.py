"""The pages of the Abalearn study, and the figures that are committed beside them."""

import re

from boardgym.studies.abalearn import docs, study
from tests.support import ROOT

DOCS = ROOT / "docs"


def figures_of(name):
    """Those of a part that are committed."""
    return docs.read_figures(DOCS, study.load_part(name)).figures


def paragraph_of(page, title):
    """A paragraph of the text that is written by hand, in one line."""
    return " ".join((DOCS / page).read_text(encoding="utf-8").partition(f"**{title}")[2].partition("\n\n")[0].split())


def pairs_of(said, form):
    """How many pairs of `greater` are for and against, in words."""
    return form.format(*re.search(r"([0-9]+) pairs for and ([0-9]+) against", said).groups())


def p_of(said):
    """Of the same."""
    return re.search(r"p = ([0-9.e-]+)", said)[1]
