"""64-bit words: bits, arithmetic modulo 2**64 and a mixing function, equal when compiled and when plain."""

import numpy as np
from numba import types
from numba.extending import intrinsic

from boardgym.compile.kernels import inner, overloaded

MASK64 = 0xFFFF_FFFF_FFFF_FFFF


@intrinsic
def _ctpop(typingctx, word):
    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(word), codegen


@intrinsic
def _cttz(typingctx, word):
    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(word), codegen


def popcount(word) -> int:
    """Number of ones in a 64-bit word (int or uint64). Returns int64 in [0, 64]."""
    return (int(word) & MASK64).bit_count()


@overloaded(popcount)
def _popcount(word):
    if isinstance(word, types.Integer) and word.bitwidth == 64:
        return lambda word: _ctpop(word)
    return None


def lowest_bit(word) -> int:
    """Index of the lowest one of a 64-bit word that is not zero. Returns int64 in [0, 63]."""
    word = int(word) & MASK64
    return (word & -word).bit_length() - 1


@overloaded(lowest_bit)
def _lowest_bit(word):
    if isinstance(word, types.Integer) and word.bitwidth == 64:
        return lambda word: _cttz(word)
    return None


def wrapping_add(a, b):
    """Sum of two uint64 words modulo 2**64, without NumPy's overflow warning in plain Python."""
    return np.uint64((int(a) + int(b)) & MASK64)


@overloaded(wrapping_add)
def _wrapping_add(a, b):
    return lambda a, b: np.uint64(a) + np.uint64(b)


def wrapping_mul(a, b):
    """Product of two uint64 words modulo 2**64, without NumPy's overflow warning in plain Python."""
    return np.uint64((int(a) * int(b)) & MASK64)


@overloaded(wrapping_mul)
def _wrapping_mul(a, b):
    return lambda a, b: np.uint64(a) * np.uint64(b)


def as_uint64(word):
    """The 64 bits of an int64 as a uint64."""
    return np.uint64(int(word) & MASK64)


@overloaded(as_uint64)
def _as_uint64(word):
    return lambda word: np.uint64(word)


def as_int64(word):
    """The 64 bits of a uint64 as an int64."""
    word = int(word) & MASK64
    return word - (1 << 64) if word >> 63 else word


@overloaded(as_int64)
def _as_int64(word):
    return lambda word: np.int64(word)


GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
S27, S30, S31 = (np.uint64(s) for s in (27, 30, 31))


@inner
def mix(x):
    """A bijection of uint64 words whose outputs look random: the finaliser of SplitMix64."""
    x = wrapping_mul(x ^ (x >> S30), MIX_1)
    x = wrapping_mul(x ^ (x >> S27), MIX_2)
    return x ^ (x >> S31)


@intrinsic
def _bitcast_to_word(typingctx, number):
    return types.int64(types.float64), lambda context, builder, signature, args: builder.bitcast(
        args[0], context.get_value_type(types.int64)
    )


@intrinsic
def _bitcast_to_number(typingctx, word):
    return types.float64(types.int64), lambda context, builder, signature, args: builder.bitcast(
        args[0], context.get_value_type(types.float64)
    )


def word_of_float(number) -> int:
    """The 64 bits of a float64, as an int64."""
    return int(np.float64(number).view(np.int64))


@overloaded(word_of_float)
def _word_of_float(number):
    return lambda number: _bitcast_to_word(number)


def float_of_word(word) -> float:
    """The float64 whose 64 bits an int64 has; of a greater int, the lowest 64 bits."""
    return float(np.uint64(int(word) & MASK64).view(np.float64))


@overloaded(float_of_word)
def _float_of_word(word):
    return lambda word: _bitcast_to_number(word)
