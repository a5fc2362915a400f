"""What the server answers when something cannot be done: a sentence as {"error": ...}, never a traceback."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from boardgym.core.errors import BoardgymError, UnknownGameError, UntrustedFileError
from boardgym.core.escape import printable
from boardgym.core.files import NO_ROOM

LOGGER = logging.getLogger("boardgym.studio")

NOT_FOUND, FORBIDDEN, CONFLICT, TOO_LARGE, UNPROCESSABLE, FULL, OUR_FAULT = 404, 403, 409, 413, 422, 507, 500
MOST_LETTERS = 2000  # of a sentence


class StudioError(BoardgymError):
    """What a request asks for cannot be done. status: of the answer; the message is its sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def answer(status: int, sentence: str, **more: Any) -> JSONResponse:
    """An error as the page shows it. more: fields beside the sentence."""
    return JSONResponse({"error": printable(sentence)[:MOST_LETTERS], **more}, status)


def status_of(error: BoardgymError) -> int:
    """The status of an answer that says `error`."""
    if isinstance(error, StudioError):
        return error.status
    if isinstance(error, UnknownGameError):
        return NOT_FOUND
    return FORBIDDEN if isinstance(error, UntrustedFileError) else UNPROCESSABLE


def sentence_of(error: RequestValidationError) -> str:
    """Of a body or query that is not as described: the first thing that is wrong, and where."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return "the body is no JSON"
    where = ".".join(str(part) for part in first["loc"][1:])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def unexpected(error: BaseException) -> JSONResponse:
    """For what nobody has foreseen: it is logged, and the answer names its kind alone."""
    LOGGER.error("an error of the studio itself", exc_info=error)
    return answer(OUR_FAULT, f"the studio made an error of its own ({type(error).__name__}); its terminal shows more")


def said_by_database(error: Exception) -> JSONResponse | None:
    """The answer to a disk that is full, or a database that cannot be written; None for any other error."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return answer(FULL, f"nothing was saved: {error.strerror}; make room on the disk and try again")
    from sqlalchemy.exc import DBAPIError  # which takes longer to load than all else that the page's shell needs

    if not isinstance(error, DBAPIError):
        return None
    text = str(error.orig)
    if "disk is full" in text or "disk I/O error" in text:
        return answer(FULL, f"nothing was saved: {text}; make room on the disk and try again")
    if "locked" in text or "readonly" in text:
        return answer(FULL, f"nothing was saved: {text}")
    return None


def add_handlers(app: FastAPI) -> None:
    """Lets an app answer all errors as this module says."""

    async def ours(request: Request, error: Any) -> JSONResponse:
        return answer(status_of(error), str(error))

    async def of_form(request: Request, error: Any) -> JSONResponse:
        return answer(UNPROCESSABLE, sentence_of(error))

    async def of_http(request: Request, error: Any) -> JSONResponse:
        sentences = {NOT_FOUND: f"there is nothing at {request.url.path}", 405: f"{request.method} is not possible here"}
        plain = str(error.detail) if error.detail not in ("Not Found", "Method Not Allowed") else sentences[error.status_code]
        return answer(error.status_code, plain)

    handlers: list[tuple[type[Exception], Callable[[Request, Any], Awaitable[JSONResponse]]]] = [
        (BoardgymError, ours),
        (RequestValidationError, of_form),
        (HTTPException, of_http),
    ]
    for kind, handler in handlers:
        app.add_exception_handler(kind, handler)
