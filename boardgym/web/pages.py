"""The few pages that are made here: the shell is a file, and this is what is shown without a session."""

from html import escape
from pathlib import Path

from fastapi.responses import FileResponse, HTMLResponse

STATIC = Path(__file__).parent / "static"

LOCKED = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>boardgym studio</title>
    <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/static/plain.css" />
  </head>
  <body>
    <main class="locked">
      <h1>boardgym studio</h1>
      {said}
      {way}
    </main>
  </body>
</html>
"""
BY_ADDRESS = "<p>Open the address that <code>boardgym studio</code> printed: the token in it opens this page.</p>"
BY_PASSWORD = """<form method="post" action="/login">
        <label>Password <input name="password" type="password" autocomplete="current-password" autofocus /></label>
        <button>Enter</button>
      </form>"""


def shell() -> FileResponse:
    """The studio's page."""
    return FileResponse(STATIC / "index.html", media_type="text/html")


def locked(has_password: bool, said: str = "", status: int = 401) -> HTMLResponse:
    """What is shown without a session, and how to get one. said: what was wrong."""
    said = f'<p role="alert">{escape(said)}</p>' if said else ""
    return HTMLResponse(LOCKED.format(said=said, way=BY_PASSWORD if has_password else BY_ADDRESS), status)
