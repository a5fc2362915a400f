"""`CascadeRegressor`: cascade correlation with the methods of a scikit-learn regressor; scikit-learn itself is not needed."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.baselines.learning.cascade.cascade import SPLIT_STREAM, Cascade, Progress, as_examples, uniforms
from boardgym.baselines.learning.cascade.checkpoint import digest_of_examples, read_checkpoint, write_checkpoint
from boardgym.baselines.learning.cascade.settings import CascadeSettings, check_settings, settings_of
from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.cascade_files import load_cascade, save_cascade
from boardgym.baselines.networks.cascade_network import CascadeNet, forward_kernel
from boardgym.baselines.networks.feature_maps import GameFeatures
from boardgym.core.errors import OptionError

MOST = 1e100  # in size, of inputs and targets
Arrays = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(kw_only=True, eq=False)
class CascadeRegressor(CascadeSettings):
    """A network grown by cascade correlation, for examples of any kind: `fit(X, y)`, `predict(X)`, `score(X, y)`.

    X: float64 (n, inputs). y: float64 (n,), or (n, outputs). All in float64. The parameters are those of `CascadeSettings`.

    Attributes, after `fit`:
        net_: the network of the least test error. best_units_: its hidden units.
        history_: a list of `Progress`, from no hidden unit on.
        n_features_in_: inputs. n_outputs_: outputs.
    """

    _estimator_type = "regressor"

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        test: tuple[ArrayLike, ArrayLike] | None = None,
        holdout: tuple[ArrayLike, ArrayLike] | None = None,
        callback: Callable[[Progress], object] | None = None,
        checkpoint: str | Path | None = None,
    ) -> "CascadeRegressor":
        """Grows a network, and keeps that of the least test error.

        Args:
            X: inputs of the examples, float64 (n, inputs).
            y: their targets, float64 (n,) or (n, outputs).
            test: (X, y) that choose the number of units. None: test_fraction of the examples, drawn at random.
            holdout: (X, y) for reports alone. None: holdout_fraction of the examples.
            callback: called with a `Progress` after each unit; True from it ends the training.
            checkpoint: a file, written after each unit. If it is there, the training goes on where that ended, to the same
                bits; max_units, patience and num_threads may be others than before.

        Raises:
            OptionError: a setting that no training can have; fewer max_units than a checkpoint has already.
            ValueError: examples of wrong shapes, that are not finite, too large or too few; targets beyond the outputs.
            SpecError: a checkpoint of another training, or a damaged one.
        """
        check_settings(self)
        parts = self._parts(X, y, test, holdout)
        inputs = np.shape(X)[1]
        max_units = inputs if self.max_units is None else self.max_units
        rows = sum(len(part[0]) for part in parts if part is not None)
        check_memory(16 * rows * (inputs + max_units + 2), f"{rows:,} examples with {max_units:,} units", "max_units")
        digest = digest_of_examples(parts)
        train, chosen, held = (None if part is None else as_examples(*part) for part in parts)
        assert train is not None
        assert chosen is not None
        cascade = Cascade(dataclasses.replace(self), train, chosen, held)
        path = None if checkpoint is None else Path(checkpoint)
        if path is not None and path.exists():
            read_checkpoint(path, cascade, digest)
            if len(cascade.hidden) > max_units:
                raise OptionError(f"max_units={max_units}: {path} has {len(cascade.hidden)} already; expected at least so many")
        while not cascade.is_complete(max_units):
            progress = cascade.grow()
            if path is not None:
                write_checkpoint(path, cascade, digest)
            if callback is not None and callback(progress) is True:
                break
        self._keep(cascade.network(), cascade.history, np.ndim(y) == 1)
        return self

    def _keep(self, net: CascadeNet, history: list[Progress], is_flat: bool) -> None:
        """Makes a network and its history those of this regressor."""
        self.net_, self.history_, self._is_flat = net, history, is_flat
        self.n_features_in_, self.best_units_, self.n_outputs_ = net.sizes.tolist()

    def _parts(
        self,
        X: ArrayLike,
        y: ArrayLike,
        test: tuple[ArrayLike, ArrayLike] | None,
        holdout: tuple[ArrayLike, ArrayLike] | None,
    ) -> list[Arrays | None]:
        """The examples for training, tests and reports. Raises ValueError."""
        rows, targets = self._examples("X", X, "y", y, None)
        shares = {"test": self.test_fraction if test is None else 0.0,
                  "holdout": self.holdout_fraction if holdout is None else 0.0}  # fmt: skip
        order = np.argsort(uniforms(self.seed, (SPLIT_STREAM,), len(rows)), kind="stable")
        found: dict[str, Arrays | None] = {}
        for name, given in (("test", test), ("holdout", holdout)):
            if given is not None:
                if not isinstance(given, tuple) or len(given) != 2:
                    raise ValueError(f"{name}={type(given).__name__}: expected a pair of arrays (X, y)")
                found[name] = self._examples(f"X of {name}", given[0], f"y of {name}", given[1], (rows, targets))
                continue
            count = int(np.ceil(shares[name] * len(rows))) if shares[name] else 0
            taken, order = np.sort(order[:count]), order[count:]
            found[name] = (rows[taken], targets[taken]) if count else None
        if found["test"] is None:
            raise ValueError(
                "no test examples: expected test=(X, y), or test_fraction above 0; they choose the number of units"
            )
        if not len(order):
            raise ValueError(
                f"X has {len(rows):,} examples, of which none is left to train with; expected more, or test=(X, y)"
            )
        is_whole = len(order) == len(rows)
        left = np.sort(order)
        return [(rows, targets) if is_whole else (rows[left], targets[left]), found["test"], found["holdout"]]

    def _examples(
        self, x_name: str, X: ArrayLike, y_name: str, y: ArrayLike, like: Arrays | None
    ) -> Arrays:  # fmt: skip
        """Examples as float64 (n, inputs) and (n, outputs). like: others of the same sizes. Raises ValueError."""
        rows, targets = number_array(x_name, X), number_array(y_name, y)
        if rows.ndim != 2 or 0 in rows.shape:
            raise ValueError(f"{x_name} is of shape {rows.shape}; expected (examples, inputs), at least one of each")
        if targets.ndim not in (1, 2) or len(targets) != len(rows) or 0 in targets.shape:
            raise ValueError(f"{y_name} is of shape {targets.shape}; expected ({len(rows)},) or ({len(rows)}, outputs)")
        targets = targets.reshape(len(rows), -1)
        for name, array, other in ((x_name, rows, 0), (y_name, targets, 1)):
            if like is not None and array.shape[1] != like[other].shape[1]:
                raise ValueError(f"{name} has {array.shape[1]} columns; expected {like[other].shape[1]}, as in training")
        if self.output != "linear" and np.abs(targets).max() > 1.0:
            raise ValueError(
                f"{y_name} is from {targets.min():g} to {targets.max():g}; expected within [-1, 1] for output={self.output!r}; "
                "scale it, or take output='linear'"
            )
        return rows, targets

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """The outputs, float64 (n,), or (n, outputs) if y was so. X: float64 (n, inputs). Raises ValueError, OptionError."""
        if not hasattr(self, "net_"):
            raise OptionError("this CascadeRegressor has no network yet; call fit(X, y) first")
        rows = number_array("X", X)
        if rows.ndim != 2 or rows.shape[1] != self.n_features_in_:
            raise ValueError(f"X is of shape {rows.shape}; expected (n, {self.n_features_in_})")
        out = np.empty((len(rows), self.n_outputs_))
        forward_kernel(self.net_, rows, out)
        return out[:, 0] if self._is_flat else out

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The coefficient of determination R^2, mean over outputs: 1 - squared error / squared deviation from the mean."""
        rows, targets = self._examples("X", X, "y", y, None)
        left = targets - self.predict(rows).reshape(len(rows), -1)
        deviation = np.square(targets - targets.mean(axis=0)).sum(axis=0)
        error = np.square(left).sum(axis=0)
        return float(
            np.where(deviation > 0.0, 1.0 - error / np.maximum(deviation, 1e-300), np.where(error > 0.0, 0.0, 1.0)).mean()
        )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name. deep: has no effect."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(CascadeSettings)}

    def set_params(self, **params: Any) -> "CascadeRegressor":
        """Changes parameters. Raises OptionError for one that there is not."""
        known = self.get_params()
        for name in params:
            if name not in known:
                raise OptionError(f"no parameter {name!r}; known: {', '.join(sorted(known))}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def save(self, path: str | Path, *, features: GameFeatures | None = None) -> None:
        """Writes the network as safetensors.

        features: what its inputs are, if they are of a game's positions.

        Raises: OptionError: no network yet, or features of another number. OSError.
        """
        if not hasattr(self, "net_"):
            raise OptionError("this CascadeRegressor has no network yet; call fit(X, y) first")
        history = [{name: value for name, value in vars(it).items() if name != "seconds"} for it in self.history_]
        training = {**settings_of(self), "is_flat": self._is_flat, "history": history}  # the same file whatever time it took
        save_cascade(path, self.net_, features=features, training=training)


def load_regressor(path: str | Path) -> CascadeRegressor:
    """A regressor that `save` wrote, ready to predict; reading it executes nothing. Raises SpecError."""
    net, header = load_cascade(path)
    regressor = CascadeRegressor()
    is_flat = header.training.get("is_flat", True) is True and int(net.sizes[2]) == 1
    regressor._keep(net, [], is_flat)
    return regressor


def number_array(name: str, given: ArrayLike) -> NDArray[np.float64]:
    """An array of finite numbers, float64. Raises ValueError."""
    try:
        array = np.ascontiguousarray(np.asarray(given, np.float64)) if np.ndim(given) else np.asarray(given, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected an array of numbers, got {type(given).__name__} ({error})") from None
    if not np.all(np.abs(array) <= MOST):
        bad = np.argwhere(~(np.abs(array) <= MOST))[0].tolist()
        raise ValueError(f"{name}{bad} is {array[tuple(bad)]!r}; expected finite numbers, at most {MOST:g} in size")
    return array
