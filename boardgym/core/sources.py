"""The sources that this process runs: what results of studies and trainings were made with."""

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
COMPILED_ROOMS = ("compile", "core", "games", "envs", "testing", "baselines")  # the only rooms that may hold kernels
ROOMS = (*COMPILED_ROOMS, "studies")


def source_digest() -> str:
    """Digest of the sources of the rooms that hold kernels, and of the studies, as they stand on the disk.

    Raises: ImportError if a room has none, which would let all versions of it pass for one.
    """
    digest = hashlib.sha256()
    for room in ROOMS:
        inside, beside = PACKAGE / room, PACKAGE.parent / room  # beside: a checkout whose links are absent, or plain files
        root = (inside if inside.is_dir() else beside).resolve()
        paths = sorted(root.rglob("*.py"))
        if not paths:
            raise ImportError(f"expected the sources of boardgym.{room} in {inside} or {beside}, found none")
        for path in paths:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


SOURCES = source_digest()  # at import, with the sources that this process runs: an edit after it is for the next process
