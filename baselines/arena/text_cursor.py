"""A text that is being read, for errors that name the place."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from boardgym.core.errors import NotationError

SPACE = re.compile(r"\s*")
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)

T = TypeVar("T")


def read_utf8(data: bytes, name: str, read: Callable[[str, str], Iterator[T]]) -> Iterator[T]:
    """What `read` finds in a text, up to the first byte that is no UTF-8, as in a sign that is half-written.

    Args:
        data: the text's bytes.
        name: the file's.
        read: (text, name) -> what it holds; raises NotationError.

    Raises: NotationError naming the line of that byte, or as `read`.
    """
    broken = None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        broken = NotationError(f"{name}, line {line}: byte 0x{data[error.start]:02x} is no UTF-8; no text file")
        text = data[: error.start].decode()
    try:
        yield from read(text, name)
    except NotationError:
        if broken is None:
            raise
    if broken is not None:
        raise broken


@dataclass
class Source:
    """A text, how far it is read, and where that is for people."""

    text: str
    name: str = ""
    at: int = 0

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        """Raises NotationError. what: what is wrong; at: where, default where reading stands."""
        at = self.at if at is None else at
        line, column = self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
        raise NotationError(f"{self.name}{', ' if self.name else ''}line {line}, column {column}: {what}") from None

    def found(self) -> str:
        """What stands where reading does, for messages."""
        rest = self.text[self.at : self.at + 30].split("\n")[0]
        return f"got {rest!r}" if self.at < len(self.text) else "but the file ends"

    def skip_space(self) -> bool:
        """Goes on to what is not blank; whether there is something."""
        match = SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at < len(self.text)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What a pattern matches here, which is then read."""
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match

    def delimited(self, closing: str, what: str, *, lines: bool) -> str:
        """The text up to a closing sign, its escapes undone. what: for messages; lines: whether it may have several."""
        start, parts = self.at - 1, []
        while True:
            stop = re.compile(rf"[{closing}\\]" if lines else rf"[{closing}\\\n]").search(self.text, self.at)
            if stop is None or stop[0] == "\n":
                self.fail(f"{what} breaks off: expected {closing!r} at its end{'' if lines else ', on the same line'}", start)
            parts.append(self.text[self.at : stop.start()])
            self.at = stop.start()
            if stop[0] == closing:
                self.at += 1
                return "".join(parts)
            escaped = ESCAPE.match(self.text, self.at)
            if escaped and escaped[1] and not 0xD800 <= int(escaped[1], 16) < 0xE000:
                parts.append(chr(int(escaped[1], 16)))
            elif escaped and escaped[2] in ("\\", closing, "n"):
                parts.append("\n" if escaped[2] == "n" else escaped[2])
            else:
                shown = self.text[self.at : self.at + 6].split("\n")[0]
                self.fail(
                    f"{what} has {shown!r}; expected '\\\\', '\\{closing}', '\\n' or '\\u' and the four digits of a character"
                )
            self.at = escaped.end()
