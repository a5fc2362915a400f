"""Files of a shelf that lies on a server: read over https alone, with a limit of bytes and of time."""

import hashlib
import http.client
import threading
import time
import urllib.request
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_cache_dir

from boardgym.core.errors import SpecError
from boardgym.core.escape import shown

SILENCE_S = 20.0  # that a server may say nothing
WHOLE_S = 600.0  # that a file may take
PIECE = 1 << 16


class OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Follows a redirect to another address of https, and no other."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        """The request of the new address. Raises SpecError if that is not of https."""
        check_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_address(shelf: str) -> bool:
    """Whether what names a shelf is an address on the net, and no folder."""
    return "://" in shelf


def check_address(url: str) -> None:
    """Raises SpecError for an address that is not of https, or that cannot be read."""
    try:
        parts = urlsplit(url)
        is_good = parts.scheme == "https" and bool(parts.hostname)
    except ValueError:
        is_good = False
    if not is_good:
        raise SpecError(f"shelf {url!r}: expected a folder, or an address that begins with https://")


def kept_folder(url: str) -> Path:
    """Where what was read from a shelf's address is kept: a folder in the user's cache."""
    digest = hashlib.sha256(url.encode()).hexdigest()[:16]
    return Path(user_cache_dir(appname="boardgym", appauthor=False)) / "shelves" / digest


def fetch(url: str, *, most: int, sha256: str = "") -> bytes:
    """Reads a file from a server, within `WHOLE_S` from the first word to the last.

    most: bytes. sha256: what it has to be; empty: any. Raises SpecError, also for a server that is not there or is too slow.
    """
    check_address(url)
    answer: Future[bytes] = Future()

    def work() -> None:
        try:
            answer.set_result(read(url, most, time.monotonic() + WHOLE_S))
        except BaseException as error:  # it is raised where the answer is awaited
            answer.set_exception(error)

    # a server may also be slow in its handshake and its headers, where nothing of urllib looks at the clock
    threading.Thread(target=work, daemon=True).start()
    try:
        content = answer.result(WHOLE_S)
    except TimeoutError:
        raise SpecError(f"{url}: not there after {WHOLE_S:g} s") from None
    if sha256 and (digest := hashlib.sha256(content).hexdigest()) != sha256:
        raise SpecError(f"{url}: SHA-256 {digest}, expected {sha256}: another file than the shelf says")
    return content


def read(url: str, most: int, end: float) -> bytes:
    """The body of an answer. end: on the clock `time.monotonic`. Raises SpecError."""
    pieces, count = [], 0
    try:
        with urllib.request.build_opener(OnlyHttps).open(url, timeout=SILENCE_S) as answer:
            expected = answer.length  # None where the server does not say
            while piece := answer.read1(PIECE):
                count += len(piece)
                if count > most:
                    raise SpecError(f"{url}: more than {most:,} bytes; expected at most as many")
                if time.monotonic() > end:
                    raise SpecError(f"{url}: not there after {WHOLE_S:g} s")
                pieces.append(piece)
    except SpecError:
        raise
    except (http.client.HTTPException, OSError, ValueError) as error:  # ValueError: also a host that cannot be encoded
        raise SpecError(f"{url}: {shown(str(getattr(error, 'reason', error)))}") from None
    if expected is not None and count != expected:
        raise SpecError(f"{url}: {count:,} bytes came, expected {expected:,}; try again")
    return b"".join(pieces)
