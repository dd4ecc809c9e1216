// SPDX-License-Identifier: Apache-2.0
// build: error
int f(int x)
{
    return x ? f(x - 1) : 0;
}

kernel void k(global int *out)
{
    out[0] = f(3);
}
