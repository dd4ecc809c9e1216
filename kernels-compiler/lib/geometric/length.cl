// SPDX-License-Identifier: Apache-2.0
// length, distance, normalize (OpenCL C 6.15.5): the vector is scaled by a power of two if its largest component is
// outside [SMALL, LARGE], so that squares neither overflow nor underflow; scaling is exact except for components too
// small to matter. Error: (2.5 + n / 2) ULP for n components, from n products, n - 1 sums, a square root and a
// division.
#include "lib.h"
#include "math/device.h"

// Of numbers without signs, whose order is that of their bits
static __attribute__((overloadable)) float larger(float a, float b)
{
    return QUICK ? fmax(a, b) : as_float(max(as_uint(a), as_uint(b)));
}

#ifdef cl_khr_fp64
static __attribute__((overloadable)) double larger(double a, double b)
{
    return fmax(a, b);
}
#endif

#define LARGEST1(v) fabs(v)
#define LARGEST2(v) larger(fabs(v.x), fabs(v.y))
#define LARGEST3(v) larger(LARGEST2(v), fabs(v.z))
#define LARGEST4(v) larger(LARGEST3(v), fabs(v.w))

// n: 1 to 4, T: scalar, V: vector of n, UP and DOWN: the powers of two. Branch-free: a branch would duplicate the
// square root, and multiplying by 1 is cheaper.
#define GEOMETRIC(n, T, V, SMALL, LARGE, UP, DOWN)                                                 \
    LIB T length(V v)                                                                              \
    {                                                                                              \
        T most = LARGEST##n(v);                                                                    \
        T scale = most > LARGE ? DOWN : most < SMALL ? UP : (T)1;                                  \
        T back = most > LARGE ? UP : most < SMALL ? DOWN : (T)1;                                   \
        v *= scale;                                                                                \
        T root = sqrt(dot(v, v)) * back;                                                           \
        return isinf(most) ? most : root;                                                          \
    }                                                                                              \
    LIB T distance(V a, V b)                                                                       \
    {                                                                                              \
        return length(a - b);                                                                      \
    }                                                                                              \
    LIB V normalize(V v)                                                                           \
    {                                                                                              \
        T most = LARGEST##n(v);                                                                    \
        bool infinite = isinf(most);                                                               \
        if (infinite || !QUICK) { /* rare; without a branch where it would cost the driver */      \
            v = QUICK || infinite ? UNIT##n(v) : v;                                                \
            most = QUICK || infinite ? (T)1 : most;                                                \
        }                                                                                          \
        T up = most < SMALL ? UP : (T)1, down = most > LARGE ? DOWN : (T)1;                        \
        v *= up;                                                                                   \
        V w = v * down;                                                                            \
        T root = sqrt(dot(w, w));                                                                  \
        root = most == (T)0 ? (T)1 : root;                                                         \
        return v / root * down; /* scaled down last: small components keep their bits till then */ \
    }

// Infinite components become 1, the others 0, with their signs.
#define UNIT1(v) unit(v)
#define UNIT2(v) ((__typeof__(v))(unit(v.x), unit(v.y)))
#define UNIT3(v) ((__typeof__(v))(unit(v.x), unit(v.y), unit(v.z)))
#define UNIT4(v) ((__typeof__(v))(unit(v.x), unit(v.y), unit(v.z), unit(v.w)))

#define UNIT(T)                                                                                    \
    static __attribute__((overloadable)) T unit(T x)                                               \
    {                                                                                              \
        return copysign(isinf(x) ? (T)1 : (T)0, x);                                                \
    }

#define ALL_GEOMETRIC(T, SMALL, LARGE, UP, DOWN)                                                   \
    UNIT(T)                                                                                        \
    GEOMETRIC(1, T, T, SMALL, LARGE, UP, DOWN)                                                     \
    GEOMETRIC(2, T, T##2, SMALL, LARGE, UP, DOWN)                                                  \
    GEOMETRIC(3, T, T##3, SMALL, LARGE, UP, DOWN)                                                  \
    GEOMETRIC(4, T, T##4, SMALL, LARGE, UP, DOWN)

ALL_GEOMETRIC(float, 0x1p-50f, 0x1p+62f, 0x1p+100f, 0x1p-100f)
#ifdef cl_khr_fp64
ALL_GEOMETRIC(double, 0x1p-480, 0x1p+510, 0x1p+600, 0x1p-600)
#endif

#ifdef cl_khr_fp16
// In float, halfs cannot overflow, and only one rounding remains.
#define HALF_GEOMETRIC(V, W)                                                                       \
    LIB half length(V v)                                                                           \
    {                                                                                              \
        return (half)length(W(v));                                                                 \
    }                                                                                              \
    LIB half distance(V a, V b)                                                                    \
    {                                                                                              \
        return (half)length(W(a) - W(b));                                                          \
    }                                                                                              \
    LIB V normalize(V v)                                                                           \
    {                                                                                              \
        return convert_##V(normalize(W(v)));                                                       \
    }

HALF_GEOMETRIC(half, convert_float)
HALF_GEOMETRIC(half2, convert_float2)
HALF_GEOMETRIC(half3, convert_float3)
HALF_GEOMETRIC(half4, convert_float4)
#endif
