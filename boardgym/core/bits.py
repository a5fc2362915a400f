"""Bit operations on 64-bit words, equal when compiled and when plain.

Two kinds of word are in use: `int` (compiled as int64) for boards of up to 63 cells, never negative; and `np.uint64`
for boards of 64 cells, where every other operand must be `np.uint64` too (a signed operand would change the type).
"""

from boardgym.compile.words import MASK64, as_int64, as_uint64, lowest_bit, popcount, wrapping_add, wrapping_mul

__all__ = ["MASK64", "as_int64", "as_uint64", "lowest_bit", "popcount", "wrapping_add", "wrapping_mul"]
