"""Files of records that people give the studio: read in a process of their own, which may hang or crash without harm."""

import tempfile
from pathlib import Path
from typing import Any

from fastapi import Request

from boardgym.baselines.arena.formats import FORMATS
from boardgym.web.analysis_requests import answer_of
from boardgym.web.errors import UNPROCESSABLE, StudioError

MOST_UPLOAD = 8_000_000  # bytes of a file of records


async def answer_about(request: Request, kind: str, content: bytes, name: str, **asked: Any) -> dict[str, Any]:
    """What a job of the kind finds in a file. name: of its format; empty: told by its beginning.

    Raises StudioError with what is wrong with the file.
    """
    with tempfile.TemporaryDirectory(prefix="boardgym-") as folder:
        path = Path(folder) / f"records{FORMATS[name].suffixes[0] if name else '.unknown'}"
        path.write_bytes(content)
        try:
            return await answer_of(request, kind, {**asked, "path": str(path), "format": name})
        except StudioError as error:
            raise StudioError(UNPROCESSABLE, str(error).replace(f"{path}", "the file")) from None
