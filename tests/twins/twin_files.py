"""The twins of `examples/twins/`, as modules."""

import importlib.util
from functools import cache
from types import ModuleType

from tests.support import ROOT

FOLDER = ROOT / "examples" / "twins"
TWINS = sorted(path.stem for path in FOLDER.glob("*.py"))


@cache
def twin(name: str) -> ModuleType:
    """The module of `examples/twins/NAME.py`."""
    spec = importlib.util.spec_from_file_location(f"twin_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
