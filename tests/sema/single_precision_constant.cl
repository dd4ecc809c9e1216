// options: -cl-single-precision-constant
_Static_assert(sizeof(1.0) == 4, "a float");
_Static_assert(sizeof(1.0 * 2) == 4, "a float");
kernel void k(global float4 *g)
{
    g[0] = g[1] * 2.0;
}
// SPDX-License-Identifier: Apache-2.0
