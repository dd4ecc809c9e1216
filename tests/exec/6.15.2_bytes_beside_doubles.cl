// SPDX-License-Identifier: Apache-2.0
// Conversions of floats to doubles and longs, quotients and roots of doubles, and unrelated integers in the same
// kernels: bytes that are put together, and a sum that saturates.
// needs: cl_khr_fp64
// run: to_long global 3
// arg: out long 3
// arg: buffer float 12.5 -13.25 0x1p38
// arg: buffer double 4 8 64 256
// arg: buffer uint 0x073f06da
// arg: buffer ulong 0x7ffffffffffffffe 2 0xffffffffffffffff
// arg: buffer ulong 2*3
// arg: out uint 3
// arg: out ulong 3
// expect: arg0 long 12 -13 0x4000000000
// expect: arg6 uint 0x07dada06*3
// expect: arg7 ulong 0x8000000000000000 4 0xffffffffffffffff
// run: to_ulong global 3
// arg: out ulong 3
// arg: buffer float 12.5 -13.25 0x1p38
// arg: buffer double 4 8 64 256
// arg: buffer uint 0x073f06da
// arg: buffer ulong 0x7ffffffffffffffe 2 0xffffffffffffffff
// arg: buffer ulong 2*3
// arg: out uint 3
// arg: out ulong 3
// expect: arg0 ulong 12 13 0x4000000000
// expect: arg6 uint 0x07dada06*3
// expect: arg7 ulong 0x8000000000000000 4 0xffffffffffffffff
// run: to_double global 3
// arg: out double 3
// arg: buffer float 12.5 -13.25 0x1p38
// arg: buffer double 4 8 64 256
// arg: buffer uint 0x073f06da
// arg: buffer ulong 0x7ffffffffffffffe 2 0xffffffffffffffff
// arg: buffer ulong 2*3
// arg: out uint 3
// arg: out ulong 3
// expect: arg0 double 12.5 -13.25 0x1p38
// expect: arg6 uint 0x07dada06*3
// expect: arg7 ulong 0x8000000000000000 4 0xffffffffffffffff
// run: quotient global 3
// arg: out double 3
// arg: buffer float 12.5 -13.25 0x1p38
// arg: buffer double 4 8 64 256
// arg: buffer uint 0x073f06da
// arg: buffer ulong 0x7ffffffffffffffe 2 0xffffffffffffffff
// arg: buffer ulong 2*3
// arg: out uint 3
// arg: out ulong 3
// expect: arg0 double 0.5 0.125 0.25
// expect: arg6 uint 0x07dada06*3
// expect: arg7 ulong 0x8000000000000000 4 0xffffffffffffffff
// run: root global 3
// arg: out double 3
// arg: buffer float 12.5 -13.25 0x1p38
// arg: buffer double 4 8 64 256
// arg: buffer uint 0x073f06da
// arg: buffer ulong 0x7ffffffffffffffe 2 0xffffffffffffffff
// arg: buffer ulong 2*3
// arg: out uint 3
// arg: out ulong 3
// expect: arg0 double 2 2.8284271247461903 8
// expect: arg6 uint 0x07dada06*3
// expect: arg7 ulong 0x8000000000000000 4 0xffffffffffffffff
// run: inverse_root global 3
// arg: out double 3
// arg: buffer float 12.5 -13.25 0x1p38
// arg: buffer double 4 8 64 256
// arg: buffer uint 0x073f06da
// arg: buffer ulong 0x7ffffffffffffffe 2 0xffffffffffffffff
// arg: buffer ulong 2*3
// arg: out uint 3
// arg: out ulong 3
// expect: arg0 double 0.25 0.125 0.015625
// expect: arg6 uint 0x07dada06*3
// expect: arg7 ulong 0x8000000000000000 4 0xffffffffffffffff
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL(name, type, value)                                                                                      \
    kernel void name(global type *result, global float *f, global double *d, global uint *word, global ulong *x,       \
                     global ulong *y, global uint *bytes, global ulong *sums)                                          \
    {                                                                                                                  \
        size_t i = get_global_id(0);                                                                                   \
        uint w = word[0], low = w & 255;                                                                               \
        ulong part = y[i], sum = part + x[i];                                                                          \
        bytes[i] = ((w >> 8) & 255) | low << 8 | low << 16 | (w & 0xff000000);                                         \
        sums[i] = sum < part ? ~0ul : sum;                                                                             \
        result[i] = value;                                                                                             \
    }
KERNEL(to_long, long, convert_long(f[i]))
KERNEL(to_ulong, ulong, convert_ulong(fabs(f[i])))
KERNEL(to_double, double, (double)f[i])
KERNEL(quotient, double, d[i] / d[i + 1])
KERNEL(root, double, sqrt(d[i]))
KERNEL(inverse_root, double, rsqrt(d[i] * d[i]))
