"""The interface described on a page of its own, from its OpenAPI document: no script, nothing from elsewhere."""

from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(prefix="/api")

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>The studio's interface</title>
    <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/static/plain.css" />
  </head>
  <body>
    <main class="reference">
      <h1>The studio's interface</h1>
      <p>Programs send <code>Authorization: Bearer TOKEN</code>, with the token of the address that
        <code>boardgym studio</code> printed. Bodies and answers are JSON; what is wrong is answered as
        <code>{{"error": "a sentence"}}</code>. The same as <a href="/api/openapi.json">OpenAPI document</a>.</p>
      {calls}
    </main>
  </body>
</html>
"""


@router.get("/docs", include_in_schema=False)
def reference(request: Request) -> HTMLResponse:
    """The page."""
    document = request.app.openapi()
    return HTMLResponse(PAGE.format(calls="\n".join(calls_of(document))))


def calls_of(document: dict[str, Any]) -> Iterator[str]:
    """Each call of an OpenAPI document as HTML."""
    for path, methods in sorted(document["paths"].items()):
        for method, call in methods.items():
            yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2>"
            yield f"<p>{escape(call.get('description') or call.get('summary', ''))}</p>"
            rows = [*parameters_of(call), *fields_of(document, call)]
            if rows:
                yield "<table><thead><tr><th>name</th><th>where</th><th>what</th></tr></thead><tbody>"
                for name, where, what in rows:
                    yield f"<tr><td><code>{escape(name)}</code></td><td>{escape(where)}</td><td>{escape(what)}</td></tr>"
                yield "</tbody></table>"
            yield "</section>"


def parameters_of(call: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(name, where, what) of what stands in the address."""
    for parameter in call.get("parameters", ()):
        where = {"path": "address", "query": "query"}.get(parameter["in"], parameter["in"])
        yield parameter["name"], where, kind_of(parameter["schema"], parameter.get("required", False))


def fields_of(document: dict[str, Any], call: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(name, where, what) of the fields of the body."""
    content = call.get("requestBody", {}).get("content", {})
    for kind, body in content.items():
        schema = resolved(document, body.get("schema", {}))
        for name, field in schema.get("properties", {}).items():
            yield name, "body" if kind == "application/json" else kind, kind_of(field, name in schema.get("required", ()))


def resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A schema, or the one that it refers to; of several, the first that is an object."""
    for part in (schema, *schema.get("anyOf", ())):
        if "$ref" in part:
            return dict(document["components"]["schemas"][part["$ref"].rpartition("/")[2]])
    return schema


def kind_of(schema: dict[str, Any], is_required: bool) -> str:
    """What a value may be, in words."""
    if "$ref" in schema:
        text = schema["$ref"].rpartition("/")[2]
    elif "anyOf" in schema:
        text = " or ".join(kind_of(part, True) for part in schema["anyOf"])
    elif "enum" in schema:
        text = ", ".join(map(str, schema["enum"]))
    elif schema.get("type") == "array":
        text = f"list of {kind_of(schema.get('items', {}), True)}"
    else:
        text = str(schema.get("type", "anything"))
    limits = {"minimum": "from", "maximum": "to", "exclusiveMaximum": "below", "maxLength": "letters at most"}
    text += "".join(f", {words} {schema[name]}" for name, words in limits.items() if name in schema)
    if is_required:
        return text
    default = schema.get("default")
    return text + (", may be left out" if default in (None, [], {}) else f", {default} if left out")
