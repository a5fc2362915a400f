"""Files of Stable-Baselines3 models, and when they are trusted: loading one can execute code from it."""

import contextlib
import hashlib
import io
import os
import stat
import warnings
import zipfile
from pathlib import Path
from typing import Any

from platformdirs import user_data_dir

from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import SpecError, UntrustedFileError
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, refuse_extras
from boardgym.wrappers.sb3_policy import SB3Policy

WRITTEN = "written-models.txt"


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
        raise UntrustedFileError(
            f"{path}: loading an SB3 model can execute code from the file, and no run on this machine "
            "wrote it; pass trust=True (--trust) if you know where it comes from"
        )
    return content


def load_model(content: bytes, name: str) -> Any:
    """Loads a model of whichever class wrote it. content: of a trusted file. Raises SpecError if it is no such model."""
    import sb3_contrib
    import stable_baselines3

    kinds: dict[str, Any] = {"MaskablePPO": sb3_contrib.MaskablePPO, "DQN": stable_baselines3.DQN}
    kinds |= {"PPO": stable_baselines3.PPO, "A2C": stable_baselines3.A2C}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            data = read_json(archive.read("data"), dict[str, Any], SpecError, "the data of a model")
        module = data["policy_class"]["__module__"]
        if "maskable" in module or ".dqn" in module:
            kind = "MaskablePPO" if "maskable" in module else "DQN"
        else:
            kind = "PPO" if "clip_range" in data else "A2C"
        return kinds[kind].load(io.BytesIO(content), device="cpu")
    except (OSError, KeyError, TypeError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise SpecError(f"{name}: not a model that Stable-Baselines3 saved ({error})") from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


_own: set[str] = set()  # digests of what this process wrote


def _folders() -> tuple[Path, ...]:
    """Where digests are kept, the first that can be written: the user's data folder, else one for temporary files.

    Never beside the models: whoever makes a model could make that file too.
    """
    user = os.getuid() if hasattr(os, "getuid") else "user"
    temporary = Path(os.environ.get("TMPDIR", "/tmp")) / f"boardgym-{user}"
    return Path(user_data_dir(appname="boardgym", appauthor=False)), temporary


def _is_private(folder: Path) -> bool:
    """Whether a folder is this user's alone: in one for temporary files, others may have made it."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) & 0o077 == 0


def _remembered() -> set[str]:
    digests = set(_own)
    data, temporary = _folders()
    for folder in (data, temporary):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if folder is data or _is_private(folder):
                digests |= set((folder / WRITTEN).read_text(encoding="ascii").split())
    return digests


def remember_file(path: str | os.PathLike[str]) -> None:
    """Notes that this machine wrote a model file, so that it loads without further trust while it is unchanged."""
    remember_content(Path(path).read_bytes())


def remember_content(content: bytes) -> None:
    """As `remember_file`, of what a file holds or is to hold. Warns where that can be noted for this process alone."""
    _own.add(_digest(content))
    data, temporary = _folders()
    for folder in (data, temporary):
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if folder is data or _is_private(folder):
                with (folder / WRITTEN).open("a", encoding="ascii") as lines:
                    lines.write(_digest(content) + "\n")
                return
        except OSError:
            continue
    warnings.warn(
        f"neither {data} nor {temporary} can be written, where it is noted which models this machine wrote: other "
        "processes will load this one with trust=True (--trust) alone",
        stacklevel=2,
    )
