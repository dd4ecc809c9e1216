int f(int x) { return x; }
constant int one = 1;
constant int called = f(1);
kernel void k(global int *g)
{
    g[0] = called + one;
}
// SPDX-License-Identifier: Apache-2.0
