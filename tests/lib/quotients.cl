// SPDX-License-Identifier: Apache-2.0
// The library's quotients and roots of doubles, for devices whose own are not used, have the bits of the device's:
// random numbers, and numbers at the ends of the range. The build needs -I kernels-compiler/lib. Counts those that differ.
// needs: cl_khr_fp64
// needs: double_denormals
// options: -DN=200
// run: quotients global 64
// arg: buffer uint 0*64
// expect: arg0 uint 0*64
// run: roots global 64
// arg: buffer uint 0*64
// expect: arg0 uint 0*64
__attribute__((overloadable)) bool native_is_close(float x)
{
    return false;
}

#define mad fma // one rounding, as on the devices that the functions are for
#include "math/divide_double.cl"
#include "math/sqrt_double.cl"

constant ulong ends[] = {0, 1, 2, 3, 0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001, 0x001fffffffffffff,
                         0x0020000000000000, 0x00b8000000000000, 0x0360000000000000, 0x03ffffffffffffff, 0x0400000000000000,
                         0x3fe0000000000000, 0x3ff0000000000000, 0x3fffffffffffffff, 0x3ff0000000000001, 0x4000000000000000,
                         0x4008000000000000, 0x7fa0000000000000, 0x7fb0000000000000, 0x7fe0000000000000, 0x7fefffffffffffff,
                         0x7ff0000000000000, 0x7ff8000000000000};

static ulong next(ulong *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return *state ^ *state >> 29;
}

// Any number, one of the ends, one with an exponent near zero's, or one near 1.
static double number(ulong *state)
{
    ulong bits = next(state), kind = next(state) >> 40;
    if (kind % 4 == 1)
        bits = ends[(kind >> 8) % 25] | (bits & 0x8000000000000000);
    if (kind % 4 == 2)
        bits &= 0x803fffffffffffff;
    if (kind % 4 == 3)
        bits = (bits & 0x800fffffffffffff) | 0x3ff0000000000000;
    return as_double(bits);
}

static bool same(double a, double b)
{
    return as_ulong(a) == as_ulong(b) || (isnan(a) && isnan(b));
}

kernel void quotients(global uint *differ)
{
    ulong state = get_global_id(0) * 7919 + 1;
    for (int i = 0; i < N; i++) {
        double x = number(&state), y = number(&state);
        if (i % 4 == 0) // the quotient is small
            x *= 0x1p-1000;
        differ[get_global_id(0)] += !same(close_quotient(x, y), x / y) + !same(close_inverse(y), 1.0 / y);
    }
}

kernel void roots(global uint *differ)
{
    ulong state = get_global_id(0) * 7919 + 1;
    for (int i = 0; i < N; i++) {
        double x = number(&state);
        differ[get_global_id(0)] += !same(close_root(x), sqrt(x));
    }
}
