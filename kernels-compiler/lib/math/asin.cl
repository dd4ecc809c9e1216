// SPDX-License-Identifier: Apache-2.0
// asin, acos and their pi forms: a polynomial up to 1/2 (own minimax fit), above it asin x = pi/2 - 2 asin sqrt((1 -
// x) / 2), where 1 - x is exact.
#include "lib.h"
#include "math/device.h"

struct arc {
    float size;  // |x|
    float angle; // asin of it, or of the square root
    bool beyond;
};

static struct arc arc_of(float x)
{
    struct arc a;
    a.size = fabs(x);
    a.beyond = a.size > 0.5f;
    float square = x * x, root = a.size;
    if (a.beyond) {
        square = mad(a.size, -0.5f, 0.5f);
        root = near_root(square);
    }
    float p = mad(square, 0x1.5959aap-5f, 0x1.8c415ap-6f);
    p = mad(square, p, 0x1.747b72p-5f);
    p = mad(square, p, 0x1.330206p-4f);
    p = mad(square, p, 0x1.5555c8p-3f);
    a.angle = mad(square * root, p, root);
    return a;
}

// asin: 2.34 ULP at 0x1.01add2p-1.
LIB float asin(float x)
{
    struct arc a = arc_of(x);
    return copysign(a.beyond ? 0x1.921fb6p+0f - 2.0f * a.angle : a.angle, x);
}

// asinpi: 3.73 ULP at 0x1.09165ap-1.
LIB float asinpi(float x)
{
    struct arc a = arc_of(x);
    float y = a.angle * 0x1.45f306p-2f;
    return copysign(a.beyond ? 0.5f - 2.0f * y : y, x);
}

// acos: 1.23 ULP at -0x1.008b92p-1. pi/2 in two parts: for small x the result is hardly anything else.
LIB float acos(float x)
{
    struct arc a = arc_of(x);
    float beyond = x < 0.0f ? 0x1.921fb6p+1f - 2.0f * a.angle : 2.0f * a.angle;
    float angle = copysign(a.angle, x);
    return a.beyond ? beyond : 0x1.921fb6p+0f - (angle + 0x1.777a5cp-25f);
}

// acospi: 2.31 ULP at 0x1.795442p-1.
LIB float acospi(float x)
{
    struct arc a = arc_of(x);
    float y = a.angle * 0x1.45f306p-2f;
    float beyond = x < 0.0f ? 1.0f - 2.0f * y : 2.0f * y;
    return a.beyond ? beyond : 0.5f - copysign(y, x);
}
