"""The figures of the Othello study's rerun in the repository, and the page that is made of them."""

from boardgym.studies.othello_q.study import STUDY
from boardgym.studies.staged import Pages

FIGURES = Pages(STUDY, "data/othello_q", "study_othello_q.md", "study_othello_q_{}_{}.png")
PAGES, take_figures, make_pages = FIGURES.PAGES, FIGURES.take_figures, FIGURES.make_pages
