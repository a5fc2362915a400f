"""What the sources say of the settings of a command, for its form: docstrings of classes, and strings after their fields."""

import ast
import dataclasses
import inspect
import itertools
import re
import textwrap


def help_of(kind: type) -> dict[str, str]:
    """What the docstring of a class, and those of its bases, say of each attribute."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if dataclasses.is_dataclass(base):
            found |= strings_of(base) | attributes_of(base.__doc__ or "")
    names = "|".join(field.name for field in dataclasses.fields(kind) if field.name not in found)
    for name, text in list(found.items()) if names else ():  # several may share a line: "replay: ... batch: ..."
        first, *others = re.split(rf"(?<=[.;]) ({names}): ", text)
        found[name] = first
        found |= dict(zip(others[::2], others[1::2], strict=True))
    return found


def strings_of(kind: type) -> dict[str, str]:
    """What stands as a string right after each field of a class: {name: text}."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0].body  # type: ignore[attr-defined]
    return {
        field.target.id: " ".join(said.value.value.split())
        for field, said in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        and isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant) and isinstance(said.value.value, str)
    }  # fmt: skip


def attributes_of(docstring: str) -> dict[str, str]:
    """The section "Attributes:" of a docstring: {name: text}."""
    lines = docstring.expandtabs().splitlines()
    start = next((k for k, line in enumerate(lines) if line.strip() == "Attributes:"), len(lines))
    found: dict[str, str] = {}
    indent, names = -1, list[str]()
    for line in lines[start + 1 :]:
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        indent = depth if indent < 0 else indent
        match = re.match(r"\s*(\w+(?:, \w+)*)(?: \(.*?\))?:\s+(.*)", line)
        if depth < indent:
            break
        if depth == indent and match:
            names = match[1].split(", ")
            found |= dict.fromkeys(names, match[2].strip())
        else:
            found |= {name: f"{found[name]} {line.strip()}" for name in names}
    return found
