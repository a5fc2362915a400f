"""Files of Stable-Baselines3 models, and when they are trusted: loading one can execute code from it."""

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

from numba.misc.appdirs import user_data_dir

from boardgym.core.errors import SpecError, UntrustedFileError
from boardgym.core.game import Game
from boardgym.core.policy import Spec, refuse_extras
from boardgym.wrappers.sb3_policy import SB3Policy


def make_sb3(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> SB3Policy:
    """`sb3:PATH`. Raises SpecError for a path that holds no model, UntrustedFileError without trust."""
    refuse_extras(spec)
    path = Path(spec.argument)
    if not spec.argument or not path.is_file():
        raise SpecError(f"policy spec {spec.text!r}: no file {spec.argument!r}; expected the zip that model.save() wrote")
    return SB3Policy(load_model(trusted_content(path, trust=trust), str(path)), game, seed=seed, spec=spec.text)


def trusted_content(path: Path, *, trust: bool) -> bytes:
    """A model's file, read once, so that what is trusted is what is loaded.

    trust: whatever wrote it. Raises UntrustedFileError without, if no run on this machine wrote it; OSError.
    """
    content = path.read_bytes()
    if not trust and _digest(content) not in _remembered():
        raise UntrustedFileError(f"{path}: loading an SB3 model can execute code from the file, and no run on this machine "
                                 "wrote it; pass trust=True (--trust) if you know where it comes from")  # fmt: skip
    return content


def load_model(content: bytes, name: str) -> Any:
    """Loads a model of whichever class wrote it. content: of a trusted file. Raises SpecError if it is no such model."""
    import sb3_contrib
    import stable_baselines3

    kinds: dict[str, Any] = {"MaskablePPO": sb3_contrib.MaskablePPO, "DQN": stable_baselines3.DQN}
    kinds |= {"PPO": stable_baselines3.PPO, "A2C": stable_baselines3.A2C}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            data = json.loads(archive.read("data"))
        module = data["policy_class"]["__module__"]
        if "maskable" in module or ".dqn" in module:
            kind = "MaskablePPO" if "maskable" in module else "DQN"
        else:
            kind = "PPO" if "clip_range" in data else "A2C"
        return kinds[kind].load(io.BytesIO(content), device="cpu")
    except (OSError, KeyError, TypeError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise SpecError(f"{name}: not a model that Stable-Baselines3 saved ({error})") from None


def _trust_file() -> Path:
    return Path(user_data_dir(appname="boardgym", appauthor=False)) / "written-models.txt"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _remembered() -> set[str]:
    try:
        return set(_trust_file().read_text(encoding="ascii").split())
    except (OSError, UnicodeDecodeError):
        return set()


def remember_file(path: str | os.PathLike[str]) -> None:
    """Notes that this machine wrote a model file, so that it loads without further trust while it is unchanged."""
    file = _trust_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="ascii") as lines:
            lines.write(_digest(Path(path).read_bytes()) + "\n")
    except OSError:
        return  # a read-only home: the file will ask for trust, as any other does
