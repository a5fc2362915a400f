"""`CascadeRegressor`: cascade correlation with the methods of a scikit-learn regressor; scikit-learn itself is not needed."""

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.baselines.learning.cascade.cascade import SPLIT_STREAM, Cascade, Progress, as_examples, sums_bytes, uniforms
from boardgym.baselines.learning.cascade.checkpoint import digest_of_examples, read_checkpoint, read_network, write_checkpoint
from boardgym.baselines.learning.cascade.settings import CascadeSettings, check_settings, settings_of
from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.cascade_files import load_cascade, save_cascade
from boardgym.baselines.networks.cascade_network import CascadeNet, forward_kernel
from boardgym.baselines.networks.feature_maps import GameFeatures, stored_map
from boardgym.baselines.typed_json import plain_data, read_data
from boardgym.core.errors import OptionError, SpecError

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
        features_: the feature map that a loaded file was saved with, else None.
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
        """Grows a network, and keeps that of the least test error, also where Ctrl-C or an error of callback ends it.

        Args:
            X: inputs of the examples, float64 (n, inputs).
            y: their targets, float64 (n,) or (n, outputs).
            test: (X, y) that choose the number of units. None: test_fraction of the examples, drawn at random.
            holdout: (X, y) for reports alone. None: holdout_fraction of the examples.
            callback: called with a `Progress` after each unit; a true value from it ends the training.
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
        self._check_memory(parts, max_units)
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
        try:
            while not cascade.is_complete(max_units):
                progress = cascade.grow()
                if path is not None:
                    write_checkpoint(path, cascade, digest)
                if callback is not None and callback(progress):
                    break
        finally:
            if cascade.history:
                self._keep(cascade.network(), cascade.history, np.ndim(y) == 1)
        return self

    def _check_memory(self, parts: list[Arrays | None], max_units: int) -> None:
        """Refuses what the machine cannot hold: the examples, as they are and as the next unit makes them, and the sums."""
        sizes = [(len(X), X.shape[1], y.shape[1]) for X, y in filter(None, parts)]  # those to train with first
        rows, inputs = sum(size[0] for size in sizes), sizes[0][1]
        sums = sums_bytes(self, *sizes[0], max_units)
        what = f"{rows:,} examples with {max_units:,} units"
        check_memory(16 * rows * (inputs + max_units + 2) + sums, what, "max_units or groups")

    def _keep(self, net: CascadeNet, history: list[Progress], is_flat: bool, features: GameFeatures | None = None) -> None:
        """Makes a network and its history those of this regressor."""
        self.net_, self.history_, self._is_flat, self.features_ = net, history, is_flat, features
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
        self._check_range("y", targets)
        sizes = rows.shape[1], targets.shape[1]
        shares = {"test": self.test_fraction if test is None else 0.0,
                  "holdout": self.holdout_fraction if holdout is None else 0.0}  # fmt: skip
        order = np.argsort(uniforms(self.seed, (SPLIT_STREAM,), len(rows)), kind="stable")
        found: dict[str, Arrays | None] = {}
        for name, given in (("test", test), ("holdout", holdout)):
            if given is not None:
                if not isinstance(given, tuple) or len(given) != 2:
                    raise ValueError(f"{name}={type(given).__name__}: expected a pair of arrays (X, y)")
                found[name] = pair = self._examples(f"X of {name}", given[0], f"y of {name}", given[1], sizes)
                self._check_range(f"y of {name}", pair[1])
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

    def _examples(self, x_name: str, X: ArrayLike, y_name: str, y: ArrayLike, sizes: tuple[int, int] | None) -> Arrays:
        """Examples as float64 (n, inputs) and (n, outputs). sizes: the inputs and outputs wanted. Raises ValueError."""
        rows, targets = number_array(x_name, X), number_array(y_name, y)
        if rows.ndim != 2 or 0 in rows.shape:
            raise ValueError(f"{x_name} is of shape {rows.shape}; expected (examples, inputs), at least one of each")
        if targets.ndim not in (1, 2) or len(targets) != len(rows) or 0 in targets.shape:
            raise ValueError(f"{y_name} is of shape {targets.shape}; expected ({len(rows)},) or ({len(rows)}, outputs)")
        targets = targets.reshape(len(rows), -1)
        for name, array, size in zip((x_name, y_name), (rows, targets), sizes or (None, None), strict=True):
            if size is not None and array.shape[1] != size:
                raise ValueError(f"{name} has {array.shape[1]} columns; expected {size}, as in training")
        return rows, targets

    def _check_range(self, name: str, targets: NDArray[np.float64]) -> None:
        """Raises ValueError for targets to train or choose by that no output can reach."""
        if self.output != "linear" and np.abs(targets).max() > 1.0:
            raise ValueError(
                f"{name} is from {targets.min():g} to {targets.max():g}; expected within [-1, 1] for output={self.output!r}; "
                "scale it, or take output='linear'"
            )

    def _fitted_net(self) -> CascadeNet:
        """The network. Raises OptionError: there is none yet."""
        if not hasattr(self, "net_"):
            raise not_fitted()
        return self.net_

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """The outputs, float64 (n,), or (n, outputs) if y was so. X: float64 (n, inputs). Raises ValueError, OptionError."""
        net, rows = self._fitted_net(), number_array("X", X)
        if rows.ndim != 2 or rows.shape[1] != self.n_features_in_:
            raise ValueError(f"X is of shape {rows.shape}; expected (n, {self.n_features_in_})")
        out = np.empty((len(rows), self.n_outputs_))
        forward_kernel(net, rows, out)
        return out[:, 0] if self._is_flat else out

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """The coefficient of determination R^2, mean over outputs: 1 - squared error / squared deviation from the mean.

        Raises: ValueError for examples of wrong shapes or that are not finite; OptionError before `fit`.
        """
        self._fitted_net()
        rows, targets = self._examples("X", X, "y", y, (self.n_features_in_, self.n_outputs_))
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
        """Changes parameters. Raises OptionError for an unknown one."""
        known = self.get_params()
        for name in params:
            if name not in known:
                raise OptionError(f"no parameter {name!r}; known: {', '.join(sorted(known))}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def save(self, path: str | Path, *, features: GameFeatures | None = None) -> None:
        """Writes the network, its settings and its history as safetensors.

        features: what its inputs are, if they are of a game's positions. None: as in the file that it was loaded from, if any.

        Raises: OptionError: no network yet, or features of another number. OSError.
        """
        net = self._fitted_net()
        save_cascade(path, net, features=self.features_ if features is None else features, training=self.saved_training())

    def saved_training(self) -> dict[str, Any]:
        """What `save` says of the training: settings and history, the same whatever time it took."""
        history = [{name: value for name, value in vars(it).items() if name != "seconds"} for it in self.history_]
        found: dict[str, Any] = plain_data({**settings_of(self), "is_flat": self._is_flat, "history": history})
        return found

    def restore(self, checkpoint: str | Path) -> "CascadeRegressor":
        """Takes up the network that a checkpoint of `fit` has, without the examples. Raises SpecError, as `fit`."""
        check_settings(self)
        net, history = read_network(Path(checkpoint), self)
        self._keep(net, history, int(net.sizes[2]) == 1)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of an estimator; it alone calls this."""
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags

        target = TargetTags(required=True, multi_output=True)
        tags = {"regressor_tags": RegressorTags(), "transformer_tags": None, "classifier_tags": None, "input_tags": InputTags()}
        return Tags(estimator_type=self._estimator_type, target_tags=target, **tags)


class SavedTraining(msgspec.Struct):
    """What `save` says of a training beside the settings; another program's file need not."""

    is_flat: bool = True
    history: list[Progress] = []


def load_regressor(path: str | Path) -> CascadeRegressor:
    """A regressor that `save` wrote, with its settings, history and feature map; reading it executes nothing.

    Raises: SpecError: no such file, a damaged one, settings that no training can have, a feature map that is not here.
    """
    net, header = load_cascade(path)
    expected = f"the settings and the history of a training in {path}"
    settings = read_data(header.training, CascadeSettings, SpecError, expected)
    training = read_data(header.training, SavedTraining, SpecError, expected)
    try:
        check_settings(settings)
    except OptionError as error:
        raise SpecError(f"{path}: {error}") from None
    units = [it.units for it in training.history]
    if units != [*range(len(units))] or (units and header.units not in units):
        raise SpecError(f"{path}: expected a history of 0, 1, 2 ... units, the network's {header.units:,} among them")
    regressor = CascadeRegressor(**vars(settings))
    features = stored_map(Path(path), header, header.inputs) if header.features else None
    regressor._keep(net, training.history, training.is_flat and header.outputs == 1, features)
    return regressor


def not_fitted() -> OptionError:
    """The error of a regressor without a network; where scikit-learn is in use, it is its NotFittedError too."""
    message, sklearn = "this CascadeRegressor has no network yet; call fit(X, y) first", sys.modules.get("sklearn.exceptions")
    if sklearn is None:
        return OptionError(message)
    members = {"__reduce__": lambda self: (not_fitted, ())}
    error: OptionError = type("NotFittedError", (OptionError, sklearn.NotFittedError), members)(message)
    return error


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
