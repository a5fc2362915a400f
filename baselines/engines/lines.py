"""Lines of another program, read within bounds, and what is said of them."""

from collections.abc import Callable, Iterator

from boardgym.core.escape import shown

PIECE = 1 << 16  # bytes read at a time
MOST_LINE = 1 << 18  # bytes of a command: a game of thousands of moves
MOST_ANSWER = 500  # characters of an error's text in an answer


class CutLine(str):
    """The beginning of a line that was too long; the rest of it is passed over."""

    __slots__ = ()


def bounded_lines(read: Callable[[int], bytes], most: int) -> Iterator[str]:
    """The lines of a stream as they come, without their ends; of one of more than `most` bytes the first `most`, a `CutLine`.

    That comes before the end of its line, which there may never be. No more than `most` bytes and a piece are kept. What is
    not UTF-8 comes as U+FFFD.

    read: (size) -> at most so many bytes, as soon as there are any; none at the end. What it raises passes through.
    """
    line, is_cut = bytearray(), False
    while piece := read(PIECE):
        *ends, rest = piece.split(b"\n")
        for end in ends:
            if not is_cut:
                yield _line_of(line + end, most)
            line, is_cut = bytearray(), False
        if not is_cut:
            line += rest
            is_cut = len(line) > most
            if is_cut:
                yield _line_of(line, most)
                line.clear()
    if line:
        yield _line_of(line, most)


def _line_of(line: bytearray, most: int) -> str:
    """A line, or as much of it as is wanted."""
    text = line[:most].decode(errors="replace").rstrip("\r")
    return CutLine(text) if len(line) > most else text


def said(error: Exception) -> str:
    """What an error says, as one line that any terminal bears, cut where it is long."""
    return shown(" ".join(str(error).split()) or type(error).__name__, MOST_ANSWER)


def refusal(line: CutLine) -> str:
    """What is answered to a command that was too long."""
    return f"expected at most {MOST_LINE:,} bytes a line, got more: {shown(line)}"
