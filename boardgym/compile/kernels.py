"""How functions are compiled: the one place that sets Numba's flags.

`kernel` compiles an entry point called from Python and keeps it on disk (`boardgym.compile.store`); `inner` compiles a
function that only kernels and rules call, and that is stored as part of them.
"""

import contextlib
import gc
import itertools
import operator
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numba
from numba.core import config
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.extending import overload, typeof_impl

from boardgym.compile.compile_mode import OPTIONS as AS_PARTS
from boardgym.compile.compile_mode import part
from boardgym.compile.diagnosis import explained
from boardgym.compile.registry import FORM_OPTIONS, IMPLEMENTERS
from boardgym.compile.store import OverloadCache
from boardgym.compile.uncompiled import uncompiled
from boardgym.core.errors import RuleError

IS_COMPILED = not config.DISABLE_JIT  # else kernels run as Python
OPTIONS = {"nopython": True, "nogil": True, "boundscheck": None}  # as numba.njit(nogil=True) has them
F = TypeVar("F", bound=Callable[..., Any])


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Lets the collector of reference cycles rest, which would take a sixth of the time that it takes to compile."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
    """An entry point; where a rule does not compile, a RuleError says which and why.

    twin: does the same in Python, where the function that is compiled cannot.
    """

    twin: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.faults: dict[Any, str] = {}  # signature -> what is wrong with a rule

    def compile(self, sig: Any) -> Any:
        """Compiles it for argument types, or loads what is on the disk. Raises RuleError, and Numba's errors for others."""
        if sig in self.faults:
            raise RuleError(self.faults[sig])
        try:
            with explained(), without_collections():
                return super().compile(sig)
        except RuleError as error:
            self.faults[sig] = str(error)  # Numba remembers failures too, and would not look for the cause again
            raise

    def _reduce_class(self) -> Any:
        return CPUDispatcher  # what becomes of it in a stored kernel


def kernel(function: F) -> F:
    """Compiles an entry point: called from Python, releases the GIL, stored on disk. Takes tokens and rows, no position."""
    if config.DISABLE_JIT:
        return function
    compiled: Any = KernelDispatcher(function, {}, {**OPTIONS, "no_cfunc_wrapper": True})
    compiled._cache = OverloadCache(function)
    return compiled  # type: ignore[no-any-return]


def inner(function: F) -> F:
    """Compiles a function that only compiled code calls; it is stored within the kernels that use it.

    It may call itself, directly and with the same types. Raises, when a kernel is compiled: RuleError if it does otherwise.
    """
    return function if config.DISABLE_JIT else part(function, OPTIONS)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """As `inner`, always made part of its caller: for functions of tuples of arrays, whose every word a call would copy."""
    return function if config.DISABLE_JIT else part(function, {**OPTIONS, "forceinline": True})  # type: ignore[no-any-return]


def spliced(function: F) -> F:
    """As `inner`, written into its caller before that is compiled: for parts of a function that calls itself, which call it."""
    return function if config.DISABLE_JIT else part(function, {**OPTIONS, "inline": "always"})  # type: ignore[no-any-return]


def overloaded(function: Callable[..., Any], **options: Any) -> Callable[[F], F]:
    """Gives a Python function a compiled form: what is decorated gets the Numba types of its arguments, and returns a function.

    As Numba's `overload`, and noted, so that the digests of kernels cover it; a part of its caller, as an `inner` is.
    """
    own_options = dict(options)
    options.setdefault("jit_options", {"nogil": True, **AS_PARTS})

    def register(implement: F) -> F:
        IMPLEMENTERS.setdefault(function, []).append(implement)
        FORM_OPTIONS[implement] = own_options
        implement.__annotations__ = {}  # Numba compares them with those of what is returned, which are others or none
        return overload(function, **options)(implement)  # type: ignore[no-any-return]

    return register


def plain(function: F) -> F:
    """The Python function behind a compiled one, for single calls: from Python, an `inner` is compiled in each process anew.

    Not for functions that call others that return np.uint64: compiled, those give Python an int.
    """
    return getattr(function, "py_func", function)


def as_python(compiled: Any) -> Callable[..., Any]:
    """A kernel as a Python function that compiles nothing, whatever it calls."""
    function = getattr(compiled, "twin", None) or plain(compiled)

    def call(*args: Any) -> Any:
        with uncompiled():
            return function(*args)

    return call


def is_there(compiled: Any, *examples: Any) -> bool:
    """Whether a kernel for the argument types of `examples` is in this process, or on the disk."""
    if config.DISABLE_JIT:
        return False
    kinds = tuple(numba.typeof(example) for example in examples)
    return kinds in compiled.overloads or bool(compiled._cache.has_overload(kinds, compiled.targetctx))


def prepare() -> None:
    """Loads what Numba needs for any kernel, which takes a second; the first kernel would load it otherwise."""
    with global_compiler_lock:
        cpu_target.target_context.refresh()
        cpu_target.typing_context.refresh()


def entry_point(compiled: Any, *examples: Any) -> Any:
    """A kernel for the argument types of `examples`, called without looking at types, which takes 0.3 us where one is a token.

    Only for arguments that the caller has made itself: an array of another dtype would be read as if it had the right one.
    """
    return compiled if config.DISABLE_JIT else compiled.compile(tuple(numba.typeof(example) for example in examples))


def address_of(compiled: Any, *examples: Any) -> int:
    """Where the machine code of a kernel for the argument types of `examples` lies, for calls by compiled code."""
    entry_point(compiled, *examples)
    result = compiled.overloads[tuple(numba.typeof(example) for example in examples)]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


class EntryPoints:
    """Entry points of kernels for one owner's arguments, each looked up once. Copies and pickles of the owner begin anew.

    A step of 64 boards is so short that to look at the types of its arrays, at each call, takes a third of it.
    """

    def __init__(self) -> None:
        self._found: dict[Any, tuple[Any, tuple[Any, ...]]] = {}

    def find(self, compiled: Any, *examples: Any, place: int | str = 0, foreign: tuple[Any, ...] = ()) -> Any:
        """The entry point of a kernel for arguments like these.

        place: tells apart uses whose types differ. foreign: those among the arguments that another than the owner may exchange
        for some of other types; where one is not the same object as before, the types are looked at again.
        """
        entry, known = self._found.get((compiled, place), (None, ()))
        is_same = known is foreign or (len(known) == len(foreign) and all(map(operator.is_, known, foreign)))
        if entry is None or not is_same:
            entry = entry_point(compiled, *examples)
            self._found[compiled, place] = entry, foreign
        return entry

    def __deepcopy__(self, memo: Any) -> "EntryPoints":
        return EntryPoints()

    def __reduce__(self) -> Any:
        return EntryPoints, ()


class TypedTuple(tuple[Any, ...]):
    """A tuple of read-only arrays and tokens, such as a policy's data, with its Numba type.

    Numba would else find that out at each call, in Python, which takes longer than a shallow search.
    """

    numba_type: Any

    def __new__(cls, parts: Iterable[Any]) -> "TypedTuple":
        """Of its parts."""
        data = super().__new__(cls, parts)
        data.numba_type = numba.typeof(tuple(data))
        return data


@typeof_impl.register(TypedTuple)  # type: ignore[untyped-decorator]
def _type_of(data: TypedTuple, context: Any) -> Any:
    """As it says itself."""
    return data.numba_type


def number_afresh() -> None:
    """Lets Numba number the functions that it compiles from a random start, another in each process.

    The number is what tells apart the symbols of functions of one name and argument type, as all dispatching lambdas of a
    verb's arity are. Counted from 1 in each process, stored code and newly compiled code hold different functions under
    one symbol, and the loader then takes the one that it saw first: wrong results, in silence.
    """
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(8), "little"))


number_afresh()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=number_afresh)
