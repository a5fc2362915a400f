"""Text from files and other programs, on its way to a terminal."""

import re

# control characters but for tabs and line ends, and what turns the direction of writing: a terminal would obey them
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""The text with escapes such as \x1b in place of signs that would steer the terminal."""
    return UNSAFE.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)
