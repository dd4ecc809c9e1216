// SPDX-License-Identifier: Apache-2.0
// GNU's integer builtins, implemented by OpenCL C's.
#include "lib.h"

#define COUNT(SUFFIX, T, S)                                                                        \
    LIB int __builtin_clz##SUFFIX(T x) { return (int)clz(x); }                                     \
    LIB int __builtin_ctz##SUFFIX(T x) { return (int)ctz(x); }                                     \
    LIB int __builtin_popcount##SUFFIX(T x) { return (int)popcount(x); }                           \
    LIB int __builtin_parity##SUFFIX(T x) { return (int)popcount(x) & 1; }                         \
    LIB int __builtin_ffs##SUFFIX(S x) { return x ? (int)ctz(x) + 1 : 0; }                         \
    LIB int __builtin_clrsb##SUFFIX(S x) { return (int)clz(x < 0 ? ~x : x) - 1; }

COUNT(, uint, int)
COUNT(l, ulong, long)
COUNT(ll, ulong, long)

LIB int __builtin_clzs(ushort x) { return clz(x); }
LIB int __builtin_ctzs(ushort x) { return ctz(x); }
LIB int __builtin_abs(int x) { return (int)abs(x); }
LIB long __builtin_labs(long x) { return (long)abs(x); }
LIB long __builtin_llabs(long x) { return (long)abs(x); }

LIB ushort __builtin_bswap16(ushort x) { return rotate(x, (ushort)8); }
LIB uint __builtin_bswap32(uint x) { return as_uint(as_uchar4(x).wzyx); }
LIB ulong __builtin_bswap64(ulong x) { return as_ulong(as_uchar8(x).s76543210); }

static uint reversed(uint x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return as_uint(as_uchar4(x).wzyx);
}

LIB uchar __builtin_bitreverse8(uchar x) { return (uchar)(reversed(x) >> 24); }
LIB ushort __builtin_bitreverse16(ushort x) { return (ushort)(reversed(x) >> 16); }
LIB uint __builtin_bitreverse32(uint x) { return reversed(x); }
LIB ulong __builtin_bitreverse64(ulong x)
{
    return (ulong)reversed((uint)x) << 32 | reversed((uint)(x >> 32));
}

#define ROTATE(BITS, T)                                                                            \
    LIB T __builtin_rotateleft##BITS(T x, T n) { return rotate(x, n); }                            \
    LIB T __builtin_rotateright##BITS(T x, T n) { return rotate(x, (T)-n); }

ROTATE(8, uchar)
ROTATE(16, ushort)
ROTATE(32, uint)
ROTATE(64, ulong)
