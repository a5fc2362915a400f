"""Text from files and other programs, on its way to a terminal."""

import re

# control characters but for tabs and line ends, and what turns the direction of writing: a terminal would obey them
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


MOST_SHOWN = 80  # characters of a text in a message


def printable(text: str) -> str:
    r"""The text with escapes such as \x1b in place of signs that would steer the terminal."""
    return UNSAFE.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


def shown(text: str, most: int = MOST_SHOWN) -> str:
    """A text from a user or a file as messages have it: printable, and cut where it is long."""
    return printable(text if len(text) <= most else f"{text[:most]}...")
