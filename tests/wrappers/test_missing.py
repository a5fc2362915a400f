"""A wrapper whose library is not installed says what to install; the same kind of error for all of them."""

import importlib
import sys

import pytest

from boardgym.wrappers.missing import MissingExtraError

WRAPPERS = [
    ("torchrl", "tensordict", r"TorchRL.*pip install 'boardgym\[torchrl\]'"),
    ("tianshou", "tianshou.data", r"Tianshou.*pip install 'boardgym\[tianshou\]'"),
    ("openspiel", "pyspiel", r"OpenSpiel.*pip install 'boardgym\[openspiel\]'"),
    ("rllib", "ray.rllib.env.multi_agent_env", r"RLlib.*pip install 'ray\[rllib\]' torch, in an environment of its own"),
]


@pytest.mark.parametrize(("wrapper", "library", "message"), WRAPPERS)
def test_without_its_library(wrapper, library, message, monkeypatch):
    for module in (wrapper, f"{wrapper}_game"):
        monkeypatch.delitem(sys.modules, f"boardgym.wrappers.{module}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=message) as caught:
        importlib.import_module(f"boardgym.wrappers.{wrapper}")
    assert caught.value.name.partition(".")[0] == library.partition(".")[0]


def test_a_library_that_is_broken_is_not_called_missing(monkeypatch):
    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "pyspiel":
                raise ImportError("libsomething.so: cannot open shared object file")

    for module in ("boardgym.wrappers.openspiel", "boardgym.wrappers.openspiel_game", "pyspiel"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    with pytest.raises(ImportError, match="libsomething") as caught:
        importlib.import_module("boardgym.wrappers.openspiel")
    assert not isinstance(caught.value, ModuleNotFoundError)
