"""Files of a shelf that lies on a server: read over https alone, with a limit of bytes and of time."""

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_cache_dir

from boardgym.core.errors import SpecError
from boardgym.core.files import open_aside

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


def fetch(url: str, path: Path, *, most: int, sha256: str = "") -> None:
    """Reads a file from a server into `path`, whole or not at all.

    most: bytes. sha256: what it has to be; empty: any. Raises SpecError, also for a server that is not there or is too slow.
    """
    check_address(url)
    path.parent.mkdir(parents=True, exist_ok=True)
    opener, digest, count, end = urllib.request.build_opener(OnlyHttps), hashlib.sha256(), 0, time.monotonic() + WHOLE_S
    try:
        with opener.open(url, timeout=SILENCE_S) as answer, open_aside(path) as file:
            while piece := answer.read1(PIECE):
                count += len(piece)
                if count > most:
                    raise SpecError(f"{url}: more than {most:,} bytes; expected at most as many")
                if time.monotonic() > end:
                    raise SpecError(f"{url}: not there after {WHOLE_S:g} s")
                digest.update(piece)
                file.write(piece)
            if sha256 and digest.hexdigest() != sha256:
                raise SpecError(f"{url}: SHA-256 {digest.hexdigest()}, expected {sha256}: another file than the shelf says")
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        raise SpecError(f"{url}: {getattr(error, 'reason', error)}") from None
