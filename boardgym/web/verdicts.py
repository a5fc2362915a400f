"""The study's four verdicts on a bot, from its trials.

The study gives Weak, Medium, Strong and Invincible after play by hand. Here the base test decides, which plays fixed replies:
so the same bot always gets the same verdict.
"""

from dataclasses import dataclass
from typing import Any

STRONG, MEDIUM = 0.95, 0.75  # of the base test's games, won or drawn
RULE = (
    "Invincible: loses no line of the base test, which has every reply of the opponent. Strong: wins or draws 95 % of it. "
    "Medium: 75 %. Weak: less. (The study's own verdicts are of people who played by hand.)"
)


@dataclass(frozen=True)
class Figure:
    """A test's shares, in [0, 1]. seat: whose; name: of the test."""

    name: str
    seat: int
    won: float
    drawn: float
    lost: float
    quality: float


def figures_of(trials: dict[str, Any], seat: int) -> list[Figure]:
    """The study's columns, random, clone and base, from what `boardgym trial --json` prints, for a bot's seat."""
    found = []
    for name, result in trials.items():
        if name == "random":
            found += [shares(name, one) for one in result["seats"] if one["seat"] == seat]
        elif name == "clone":
            found.append(shares(name, result["shares"]))
        elif name == "base":
            found += [base_figure(line) for line in result["lines"] if line["seat"] == seat]
    return found


def shares(name: str, found: dict[str, Any]) -> Figure:
    """Of the random and the clone test."""
    value = {part: float(found[part]["value"]) for part in ("won", "drawn", "lost", "quality")}
    return Figure(name, int(found["seat"]), **value)


def base_figure(line: dict[str, Any]) -> Figure:
    """Of the base test, which counts lines."""
    lines = max(float(line["lines"]), 1e-9)
    won, drawn, lost = (float(line[part]) / lines for part in ("won", "drawn", "lost"))
    return Figure("base", int(line["seat"]), won, drawn, lost, float(line["quality"]["value"]))


def verdict_of(trials: dict[str, Any], seat: int) -> str:
    """Weak, Medium, Strong or Invincible; empty where the game has no base test of the seat."""
    base = trials.get("base")
    line = next((line for line in base["lines"] if line["seat"] == seat), None) if base else None
    if base is None or line is None:
        return ""
    if base["is_whole"] and line["is_perfect"]:
        return "Invincible"
    quality = float(line["quality"]["value"])
    return "Strong" if quality >= STRONG else "Medium" if quality >= MEDIUM else "Weak"
