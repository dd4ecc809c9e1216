// SPDX-License-Identifier: Apache-2.0
// The half_ functions that a device's own cannot stand for: 8192 ULP are asked for from arguments
// up to 2^16 and near the logarithm's zero too. powr by its logarithm in one float: 2^-15 relative.
#include "lib.h"

LIB float half_cos(float x)
{
    return cos(x);
}

LIB float half_sin(float x)
{
    return sin(x);
}

LIB float half_tan(float x)
{
    return tan(x);
}

LIB float half_log(float x)
{
    return log(x);
}

LIB float half_log2(float x)
{
    return log2(x);
}

LIB float half_log10(float x)
{
    return log10(x);
}

LIB float half_powr(float x, float y)
{
    float product = y * log2(x);
    return isnan(product) ? NAN : exp2(product);
}
