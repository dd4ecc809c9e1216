// SPDX-License-Identifier: Apache-2.0
// half_ functions for which the device's native ones do not suffice: 8192 ULP are required for arguments up to 2^16,
// and near the logarithm's zero too. powr with a logarithm in a single float: 2^-15 relative.
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
